package sqltest

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/sqlstore"
)

const (
	postgresVariable = "STAMP_TEST_POSTGRES"
	mysqlVariable    = "STAMP_TEST_MYSQL"
	defaultPostgres  = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"
	defaultMySQL     = "root@tcp(127.0.0.1:3306)/test"

	// How long a server may take to answer at all.
	patience = 10 * time.Second
)

var orders = store.Key{Namespace: "shop", Name: "orders"}

// database is one that answers, with a pair of tables that only the test has.
type database struct {
	dialect sqlstore.Dialect
	open    func(t *testing.T) *sql.DB // another pool
	db      *sql.DB
	options sqlstore.Options
}

// each runs a test on all three.
func each(t *testing.T, test func(t *testing.T, d database)) {
	t.Run("PostgreSQL", func(t *testing.T) { test(t, onPostgres(t)) })
	t.Run("MySQL", func(t *testing.T) { test(t, onMySQL(t)) })
	t.Run("SQLite", func(t *testing.T) { test(t, onSQLite(t)) })
}

func onPostgres(t *testing.T) database { return postgresWith(t, func(*pgx.ConnConfig) {}) }

// postgresWith is PostgreSQL with a change of the connections' settings.
func postgresWith(t *testing.T, change func(*pgx.ConnConfig)) database {
	t.Helper()
	return withTables(t, sqlstore.PostgreSQL, postgresVariable, func(t *testing.T) *sql.DB {
		t.Helper()
		return openPostgres(t, change)
	})
}

func openPostgres(t *testing.T, change func(*pgx.ConnConfig)) *sql.DB {
	t.Helper()
	config, err := pgx.ParseConfig(cmp.Or(os.Getenv(postgresVariable), defaultPostgres))
	require.NoError(t, err)
	change(config)
	return closing(t, stdlib.OpenDB(*config))
}

// onPostgresWithPQ is PostgreSQL by another driver.
func onPostgresWithPQ(t *testing.T) database {
	t.Helper()
	return withTables(t, sqlstore.PostgreSQL, postgresVariable, func(t *testing.T) *sql.DB {
		t.Helper()
		db, err := sql.Open("postgres", cmp.Or(os.Getenv(postgresVariable), defaultPostgres))
		require.NoError(t, err)
		return closing(t, db)
	})
}

func onMySQL(t *testing.T) database { return mysqlWith(t, func(*mysql.Config) {}) }

// mysqlWith is MySQL with a change of the connections' settings.
func mysqlWith(t *testing.T, change func(*mysql.Config)) database {
	t.Helper()
	return withTables(t, sqlstore.MySQL, mysqlVariable, func(t *testing.T) *sql.DB {
		t.Helper()
		return openMySQL(t, change)
	})
}

func openMySQL(t *testing.T, change func(*mysql.Config)) *sql.DB {
	t.Helper()
	config, err := mysql.ParseDSN(cmp.Or(os.Getenv(mysqlVariable), defaultMySQL))
	require.NoError(t, err)
	change(config)
	connector, err := mysql.NewConnector(config)
	require.NoError(t, err)
	return closing(t, sql.OpenDB(connector))
}

func onSQLite(t *testing.T) database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ids.db")
	return withTables(t, sqlstore.SQLite, "", func(t *testing.T) *sql.DB {
		t.Helper()
		return openSQLite(t, path, "&_pragma=busy_timeout(5000)")
	})
}

func openSQLite(t *testing.T, path, settings string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(full)"+settings+"&_pragma=journal_mode(wal)")
	require.NoError(t, err)
	return closing(t, db)
}

func closing(t *testing.T, db *sql.DB) *sql.DB {
	t.Helper()
	db.SetMaxOpenConns(8) // servers have room for the tests of others
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func withTables(t *testing.T, dialect sqlstore.Dialect, variable string, open func(t *testing.T) *sql.DB) database {
	t.Helper()
	d := database{dialect: dialect, open: open, db: open(t)}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := d.db.PingContext(ctx); err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "%v doesn't answer, see %s", dialect, variable)
		}
		t.Skipf("%v doesn't answer, see %s: %v", dialect, variable, err)
	}
	table := unique()
	d.options = sqlstore.Options{Dialect: dialect, Table: table, RecordTable: table + "_r"}
	t.Cleanup(func() {
		for _, table := range []string{d.options.Table, d.options.RecordTable} {
			_, err := d.db.ExecContext(context.WithoutCancel(t.Context()), "drop table if exists "+table)
			require.NoError(t, err)
		}
	})
	s := d.store(t, d.db)
	require.NoError(t, s.CreateTable(t.Context()))
	require.NoError(t, s.CreateRecordTable(t.Context()))
	return d
}

func (d database) store(t *testing.T, db *sql.DB) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.New(db, d.options)
	require.NoError(t, err)
	return s
}

// exec runs a statement beside the store.
func (d database) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	_, err := d.db.ExecContext(t.Context(), statement, args...)
	require.NoError(t, err, statement)
}

// number is what a query returns.
func (d database) number(t *testing.T, query string, args ...any) (n int64) {
	t.Helper()
	require.NoError(t, d.db.QueryRowContext(t.Context(), query, args...).Scan(&n), query)
	return n
}

// unique returns the name of a table that no other run has.
func unique() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "sqltest_" + hex.EncodeToString(b[:])
}

func requirePeek(t *testing.T, counters store.Counters, want int64) {
	t.Helper()
	maxID, err := counters.Peek(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, want, maxID)
}

func requireAllocate(t *testing.T, counters store.Counters, n, want int64) {
	t.Helper()
	maxID, err := counters.Allocate(t.Context(), orders, n)
	require.NoError(t, err)
	require.Equal(t, want, maxID)
}

func create(t *testing.T, counters store.Counters, start int64) {
	t.Helper()
	created, err := counters.Create(t.Context(), orders, start)
	require.NoError(t, err)
	require.True(t, created)
}
