package stores

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
	"github.com/stampid/go-stamp/store/storetest"
)

// patience is how long a server may take to answer at all.
const patience = 10 * time.Second

var orders = store.Key{Namespace: "shop", Name: "orders"}

// unique returns a name that no other run has.
func unique() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "stampdtest_" + hex.EncodeToString(b[:])
}

// urls are those of stores that only the test has.
func urls(t *testing.T) map[string]func(t *testing.T) string {
	t.Helper()
	return map[string]func(t *testing.T) string{
		"SQLite":     func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "ids.db") },
		"PostgreSQL": postgresURL,
		"MySQL":      mysqlURL,
		"Redis":      redisURL,
		"folder":     func(t *testing.T) string { return "file://" + filepath.ToSlash(t.TempDir()) },
		"proxy": func(t *testing.T) string {
			server := httptest.NewServer(proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{}))
			t.Cleanup(server.Close)
			return server.URL
		},
	}
}

func postgresURL(t *testing.T) string {
	t.Helper()
	base := cmp.Or(os.Getenv("STAMP_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	return withTables(t, base)
}

func mysqlURL(t *testing.T) string {
	t.Helper()
	config, err := mysql.ParseDSN(cmp.Or(os.Getenv("STAMP_TEST_MYSQL"), "root@tcp(127.0.0.1:3306)/test"))
	require.NoError(t, err)
	base := url.URL{Scheme: "mariadb", User: url.UserPassword(config.User, config.Passwd), Host: config.Addr, Path: "/" + config.DBName}
	return withTables(t, base.String())
}

// withTables names tables in a URL, which are dropped at the end of the test.
func withTables(t *testing.T, base string) string {
	t.Helper()
	u, err := url.Parse(base)
	require.NoError(t, err)
	requireAnswer(t, u.Scheme, u.Host)
	table := unique()
	query := u.Query()
	query.Set("table", table)
	query.Set("record_table", table+"_r")
	u.RawQuery = query.Encode()
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		s, err := Open(ctx, u.String(), Options{})
		require.NoError(t, err)
		for _, name := range []string{table, table + "_r"} {
			_, err := database(s).ExecContext(ctx, "drop table if exists "+name)
			require.NoError(t, err)
		}
		require.NoError(t, s.Close())
	})
	return u.String()
}

func redisURL(t *testing.T) string {
	t.Helper()
	base := cmp.Or(os.Getenv("STAMP_TEST_REDIS"), "redis://127.0.0.1:6379/0")
	u, err := url.Parse(base)
	require.NoError(t, err)
	requireAnswer(t, "redis", u.Host)
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

// requireAnswer skips a test whose server doesn't answer, except where all that
// tests need has been installed.
func requireAnswer(t *testing.T, name, address string) {
	t.Helper()
	connection, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "%s doesn't answer at %s", name, address)
		}
		t.Skipf("%s doesn't answer at %s: %v", name, address, err)
	}
	require.NoError(t, connection.Close())
}

// What is behind each scheme keeps the contract.
func TestConformance(t *testing.T) {
	for name, newURL := range urls(t) {
		t.Run(name, func(t *testing.T) {
			address := newURL(t)
			open := func(t *testing.T) *Store {
				t.Helper()
				s, err := Open(t.Context(), address, Options{Create: true})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				return s
			}
			storetest.Run(t, func(t *testing.T) store.Counters { return open(t) })
			storetest.RunRecords(t, func(t *testing.T) store.Records { return open(t).Records })
		})
	}
}
