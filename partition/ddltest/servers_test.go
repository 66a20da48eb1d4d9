package ddltest

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"iter"
	"os"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

const (
	defaultPostgres = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"
	defaultMySQL    = "root@tcp(127.0.0.1:3306)/test"

	// How long a server may take to answer at all.
	patience = 10 * time.Second
)

// server is one connection, so that what is set for the session holds.
type server struct {
	t       *testing.T
	dialect partition.Dialect
	conn    *sql.Conn
}

func postgres(t *testing.T) server {
	t.Helper()
	s := connect(t, partition.PostgreSQL, "pgx", "STAMP_TEST_POSTGRES", defaultPostgres)
	s.exec("SET synchronous_commit = off") // a test's tables need not survive a crash
	return s
}

func mysql(t *testing.T) server {
	t.Helper()
	return connect(t, partition.MySQL, "mysql", "STAMP_TEST_MYSQL", defaultMySQL)
}

func connect(t *testing.T, dialect partition.Dialect, driver, variable, dsn string) server {
	t.Helper()
	db, err := sql.Open(driver, cmp.Or(os.Getenv(variable), dsn))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "%v doesn't answer, see %s", dialect, variable)
		}
		t.Skipf("%v doesn't answer, see %s: %v", dialect, variable, err)
	}
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	return server{t: t, dialect: dialect, conn: conn}
}

// unique returns a name that no other run has.
func unique() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "ddltest_" + hex.EncodeToString(b[:])
}

func (s server) quote(name string) string {
	s.t.Helper()
	quoted, err := s.dialect.Quote(name)
	require.NoError(s.t, err)
	return quoted
}

func (s server) exec(statement string, args ...any) {
	s.t.Helper()
	require.NoError(s.t, s.try(statement, args...), statement)
}

func (s server) try(statement string, args ...any) error {
	_, err := s.conn.ExecContext(s.t.Context(), statement, args...)
	return err
}

func (s server) execAll(statements iter.Seq[string]) {
	s.t.Helper()
	for statement := range statements {
		s.exec(statement)
	}
}

// always runs a statement at the end of the test, however it ends.
func (s server) always(statement string) {
	s.t.Cleanup(func() {
		_, err := s.conn.ExecContext(context.WithoutCancel(s.t.Context()), statement)
		require.NoError(s.t, err, statement)
	})
}

// column returns the only column of a query's rows.
func column[T any](s server, query string, args ...any) []T {
	s.t.Helper()
	rows, err := s.conn.QueryContext(s.t.Context(), query, args...)
	require.NoError(s.t, err, query)
	defer func() { require.NoError(s.t, rows.Close()) }()

	values := []T{}
	for rows.Next() {
		var value T
		require.NoError(s.t, rows.Scan(&value))
		values = append(values, value)
	}
	require.NoError(s.t, rows.Err())
	return values
}

func (s server) ddl(table partition.Table) *partition.DDL {
	s.t.Helper()
	table.Dialect = s.dialect
	ddl, err := partition.NewDDL(table)
	require.NoError(s.t, err)
	return ddl
}

// must unwraps a statement, a name or a range.
func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}
