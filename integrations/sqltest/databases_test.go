package sqltest

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

const (
	postgresVariable = "STAMP_TEST_POSTGRES"
	mysqlVariable    = "STAMP_TEST_MYSQL"
	defaultPostgres  = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"
	defaultMySQL     = "root@tcp(127.0.0.1:3306)/test"

	// How long a server may take to answer at all.
	patience = 10 * time.Second
)

// database is one that answers, with the names of tables that only the test has.
type database struct {
	*sql.DB
	dollars           bool // parameters are $1, $2
	customers, orders string
}

// each runs a test with every driver and protocol.
func each(t *testing.T, test func(t *testing.T, d database)) {
	t.Run("pgx", func(t *testing.T) { test(t, onPostgres(t, "pgx")) })
	t.Run("pq", func(t *testing.T) { test(t, onPostgres(t, "postgres")) })
	t.Run("MySQL binary", func(t *testing.T) { test(t, onMySQL(t, false)) })
	t.Run("MySQL text", func(t *testing.T) { test(t, onMySQL(t, true)) })
	t.Run("SQLite", func(t *testing.T) { test(t, onSQLite(t)) })
}

func onPostgres(t *testing.T, driver string) database {
	t.Helper()
	db, err := sql.Open(driver, cmp.Or(os.Getenv(postgresVariable), defaultPostgres))
	require.NoError(t, err)
	return answering(t, db, true, postgresVariable)
}

// onMySQL uses the text protocol also for statements with parameters, or the
// binary one of prepared statements.
func onMySQL(t *testing.T, text bool) database {
	t.Helper()
	config, err := mysql.ParseDSN(cmp.Or(os.Getenv(mysqlVariable), defaultMySQL))
	require.NoError(t, err)
	config.InterpolateParams = text
	connector, err := mysql.NewConnector(config)
	require.NoError(t, err)
	return answering(t, sql.OpenDB(connector), false, mysqlVariable)
}

func onSQLite(t *testing.T) database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ids.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(on)&_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)")
	require.NoError(t, err)
	return answering(t, db, false, "")
}

func answering(t *testing.T, db *sql.DB, dollars bool, variable string) database {
	t.Helper()
	db.SetMaxOpenConns(4) // servers have room for the tests of others
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := db.PingContext(ctx); err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "the server doesn't answer, see %s", variable)
		}
		t.Skipf("the server doesn't answer, see %s: %v", variable, err)
	}
	name := unique()
	d := database{DB: db, dollars: dollars, customers: name + "_customers", orders: name + "_orders"}
	t.Cleanup(func() { // orders refer to customers
		for _, table := range []string{d.orders, d.customers} {
			_, err := db.ExecContext(context.WithoutCancel(t.Context()), "drop table if exists "+table)
			require.NoError(t, err)
		}
	})
	return d
}

// createTables makes both tables.
func (d database) createTables(t *testing.T) {
	t.Helper()
	d.exec(t, "create table customers (id bigint primary key, name varchar(100) not null)")
	d.exec(t, `create table orders (id bigint primary key, customer_id bigint not null, replaces bigint, note varchar(100),
		foreign key (customer_id) references customers (id), foreign key (replaces) references orders (id))`)
}

// statement puts the test's tables and the driver's parameters into a statement.
func (d database) statement(text string) string {
	text = strings.NewReplacer("customers", d.customers, "orders", d.orders).Replace(text)
	if !d.dollars {
		return text
	}
	for n := 1; strings.Contains(text, "?"); n++ {
		text = strings.Replace(text, "?", fmt.Sprintf("$%d", n), 1)
	}
	return text
}

func (d database) exec(t *testing.T, statement string, args ...any) sql.Result {
	t.Helper()
	result, err := d.ExecContext(t.Context(), d.statement(statement), args...)
	require.NoError(t, err, statement)
	return result
}

func (d database) try(t *testing.T, statement string, args ...any) error {
	t.Helper()
	_, err := d.ExecContext(t.Context(), d.statement(statement), args...)
	return err
}

func (d database) row(t *testing.T, query string, args ...any) *sql.Row {
	t.Helper()
	return d.QueryRowContext(t.Context(), d.statement(query), args...)
}

// column returns the only column of a query's rows.
func column[T any](t *testing.T, d database, query string, args ...any) []T {
	t.Helper()
	rows, err := d.QueryContext(t.Context(), d.statement(query), args...)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	var values []T
	for rows.Next() {
		var value T
		require.NoError(t, rows.Scan(&value))
		values = append(values, value)
	}
	require.NoError(t, rows.Err())
	return values
}

// unique returns a name that no other run has.
func unique() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "idtest_" + hex.EncodeToString(b[:])
}
