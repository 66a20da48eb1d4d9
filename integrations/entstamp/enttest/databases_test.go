package enttest

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/ent"
	_ "github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/ent/runtime"
	"github.com/stampid/go-stamp/partition"
)

const (
	variable        = "STAMP_TEST_POSTGRES"
	defaultPostgres = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"

	// How long a server may take to answer at all.
	patience = 10 * time.Second

	// Where a test's rows are made, if it doesn't say so.
	home = 3
)

// database is one with the tables of the schema.
type database struct {
	*ent.Client
	sql *sql.DB
	ctx context.Context // in the partition home
}

// each runs a test on both.
func each(t *testing.T, test func(t *testing.T, d database)) {
	t.Run("SQLite", func(t *testing.T) { test(t, onSQLite(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, onPostgres(t)) })
}

func onSQLite(t *testing.T) database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ids.db")
	return migrated(t, dialect.SQLite, open(t, "sqlite", "file:"+path+"?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)"))
}

// onPostgres has a schema that no other run has.
func onPostgres(t *testing.T) database {
	t.Helper()
	url := cmp.Or(os.Getenv(variable), defaultPostgres)
	outside := open(t, "pgx", url)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := outside.PingContext(ctx); err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "the server doesn't answer, see %s", variable)
		}
		t.Skipf("the server doesn't answer, see %s: %v", variable, err)
	}
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	space := "enttest_" + hex.EncodeToString(b[:])
	_, err := outside.ExecContext(t.Context(), "create schema "+space)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := outside.ExecContext(context.WithoutCancel(t.Context()), "drop schema "+space+" cascade")
		require.NoError(t, err)
	})
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	return migrated(t, dialect.Postgres, open(t, "pgx", url+separator+"search_path="+space))
}

func open(t *testing.T, driver, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, url)
	require.NoError(t, err)
	db.SetMaxOpenConns(4) // servers have room for the tests of others
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func migrated(t *testing.T, name string, db *sql.DB) database {
	t.Helper()
	client := ent.NewClient(ent.Driver(entsql.OpenDB(name, db)))
	require.NoError(t, client.Schema.Create(t.Context()))
	require.NoError(t, client.Schema.Create(t.Context()), "a second time")
	return database{client, db, partition.NewContext(t.Context(), home)}
}
