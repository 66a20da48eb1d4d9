// Package sqltest proves on real servers and drivers that ids pass through
// database/sql unchanged: [stamp.ID], [stamp.Typed] and [stamp.NullTyped] as bigint
// columns, as foreign keys, in ranges, batches, arrays and JSON.
//
// The drivers are pgx's for database/sql, lib/pq, go-sql-driver/mysql with its
// text and its binary protocol, and modernc's SQLite. STAMP_TEST_POSTGRES and
// STAMP_TEST_MYSQL name the servers; without them, the ones that scripts/services
// starts are used. The tests of a server that doesn't answer are skipped, and fail
// where CI=true. Each test has tables of its own and removes them.
//
// [stamp.ID]: https://pkg.go.dev/github.com/stampid/go-stamp/stamp#ID
// [stamp.Typed]: https://pkg.go.dev/github.com/stampid/go-stamp/stamp#Typed
// [stamp.NullTyped]: https://pkg.go.dev/github.com/stampid/go-stamp/stamp#NullTyped
package sqltest
