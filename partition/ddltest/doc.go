// Package ddltest proves the statements and conditions of package partition on
// real servers: rows land in the partition of their id, queries read one
// partition only, what goes up comes down.
//
// STAMP_TEST_POSTGRES and STAMP_TEST_MYSQL name the servers; without them, the
// ones that scripts/services starts are used. The tests of a server that doesn't
// answer are skipped, and fail where CI=true. Each test makes its own schema or
// tables and removes them.
package ddltest
