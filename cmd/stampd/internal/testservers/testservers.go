// Package testservers gives tests the URLs of stores that only one test has. It is
// for tests only.
//
// Servers are those of this machine, or those that the variables
// STAMP_TEST_POSTGRES, STAMP_TEST_MYSQL, STAMP_TEST_REDIS, STAMP_TEST_MONGODB,
// STAMP_TEST_ZOOKEEPER and STAMP_TEST_ETCD name. Without a server its tests are
// skipped, and fail with CI=true.
package testservers

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// patience is how long a server may take to answer at all.
const patience = 10 * time.Second

// URLs returns a function for each kind of store that needs no program of ours.
// What it makes is removed at the end of the test that it is called with.
func URLs() map[string]func(*testing.T) string {
	return map[string]func(*testing.T) string{
		"SQLite": SQLite, "PostgreSQL": PostgreSQL, "MySQL": MySQL, "Redis": Redis, "folder": Folder,
		"MongoDB": MongoDB, "ZooKeeper": ZooKeeper, "etcd": Etcd,
	}
}

// SQLite is a file that isn't there yet.
func SQLite(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "ids.db") }

// Folder is an empty one.
func Folder(t *testing.T) string { return "file://" + filepath.ToSlash(t.TempDir()) }

// PostgreSQL has tables that aren't there yet.
func PostgreSQL(t *testing.T) string {
	t.Helper()
	base := cmp.Or(os.Getenv("STAMP_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	return withTables(t, "pgx", base, base)
}

// MySQL has tables that aren't there yet.
func MySQL(t *testing.T) string {
	t.Helper()
	dsn := cmp.Or(os.Getenv("STAMP_TEST_MYSQL"), "root@tcp(127.0.0.1:3306)/test")
	config, err := mysql.ParseDSN(dsn)
	require.NoError(t, err)
	base := url.URL{Scheme: "mysql", User: url.UserPassword(config.User, config.Passwd), Host: config.Addr, Path: "/" + config.DBName}
	return withTables(t, "mysql", dsn, base.String())
}

// withTables names tables in a URL.
func withTables(t *testing.T, driver, dsn, base string) string {
	t.Helper()
	u, err := url.Parse(base)
	require.NoError(t, err)
	requireAnswer(t, u)
	table := unique()
	query := u.Query()
	query.Set("table", table)
	query.Set("record_table", table+"_r")
	u.RawQuery = query.Encode()
	t.Cleanup(func() {
		db, err := sql.Open(driver, dsn)
		require.NoError(t, err)
		for _, name := range []string{table, table + "_r"} {
			_, err := db.ExecContext(context.WithoutCancel(t.Context()), "drop table if exists "+name)
			require.NoError(t, err)
		}
		require.NoError(t, db.Close())
	})
	return u.String()
}

// Redis has a prefix that no key has yet.
func Redis(t *testing.T) string {
	t.Helper()
	base := cmp.Or(os.Getenv("STAMP_TEST_REDIS"), "redis://127.0.0.1:6379/0")
	u, err := url.Parse(base)
	require.NoError(t, err)
	requireAnswer(t, u)
	prefix := unique()
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		options, err := redis.ParseURL(base)
		require.NoError(t, err)
		client := redis.NewClient(options)
		keys := client.Scan(ctx, 0, prefix+":*", 1000).Iterator()
		for keys.Next(ctx) {
			require.NoError(t, client.Del(ctx, keys.Val()).Err())
		}
		require.NoError(t, keys.Err())
		require.NoError(t, client.Close())
	})
	query := u.Query()
	query.Set("prefix", prefix)
	u.RawQuery = query.Encode()
	return u.String()
}

// unique returns a name that no other run has.
func unique() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "stampdtest_" + hex.EncodeToString(b[:])
}

// requireAnswer skips a test whose server doesn't answer, except where all that
// tests need has been installed.
func requireAnswer(t *testing.T, u *url.URL) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "%s doesn't answer", u.Redacted())
		}
		t.Skipf("%s doesn't answer: %v", u.Redacted(), err)
	}
	require.NoError(t, connection.Close())
}
