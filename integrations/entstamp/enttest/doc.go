// Package enttest proves package entstamp with code that ent generates, on SQLite
// and PostgreSQL.
//
// STAMP_TEST_POSTGRES names the server; without it, the one that scripts/services
// starts is used. The tests of a server that doesn't answer are skipped, and fail
// where CI=true.
package enttest

//go:generate go tool ent generate ./internal/ent/schema
