// Package sqltest proves package sqlstore on real servers and drivers: the
// contract of stores, the form of rows, sharing with CosId, what happens when
// calls are cut off.
//
// STAMP_TEST_POSTGRES and STAMP_TEST_MYSQL name the servers; without them, the
// ones that scripts/services starts are used. The tests of a server that doesn't
// answer are skipped, and fail where CI=true. SQLite is part of the tests. Each
// test has tables of its own and removes them.
package sqltest
