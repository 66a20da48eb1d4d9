// Package gormtest proves package gormstamp on PostgreSQL, MySQL/MariaDB and
// SQLite, with GORM's drivers for them.
//
// STAMP_TEST_POSTGRES and STAMP_TEST_MYSQL name the servers; without them, the
// ones that scripts/services starts are used. The tests of a server that doesn't
// answer are skipped, and fail where CI=true. Each test has tables of its own and
// removes them.
package gormtest
