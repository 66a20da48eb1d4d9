package stores

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/testservers"
	"github.com/stampid/go-stamp/store"
)

func database(s *Store) *sql.DB { return s.closer.(*sql.DB) }

func mustOpen(t *testing.T, address string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), address, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// secret is in every URL that is refused below.
const secret = "s3cret"

func TestURLsThatAreRefused(t *testing.T) {
	for address, want := range map[string]string{
		"":                                   `store URL "": unknown kind; there are sqlite:ids.db, postgres://`,
		"ids.db":                             "unknown kind",
		":":                                  "unknown kind",
		"s3cret:x@tcp(h)/db":                 "unknown kind",
		"oracle://u:s3cret@h/db":             `store URL "oracle://…": unknown kind`,
		"postgres://u:s3cret/x@h/db":         "percent-escape",
		"postgres://u:s3cret%zz@h/db":        "percent-escape",
		"postgres://u:s3cret@h/db#x":         "%23",
		"postgres://u:s3cret@h/db?%zz":       "what follows the ?",
		"postgres://u:s3cret@h:99999999/db":  "port",
		"postgres://u:s3cret@h/db?sslmode=x": "sslmode",
		"postgres://u@h/db?sslpassword=s3cret&sslmode=x":  "sslmode",
		"postgres://u:s3cret@h/db?table=":                 "its table is empty",
		"postgres://u:s3cret@h/db?table=a&table=b":        "it has table 2 times",
		"postgres://u:s3cret@h/db?table=a;drop":           "what follows the ?",
		"postgres://u:s3cret@h/db?table=a%20b":            "letters, digits and underscores",
		"postgres://u:s3cret@h/db?table=a&record_table=A": "another table",
		"mysql://u:s3cret@h":                              "needs a host and the name of a database",
		"mysql://u:s3cret@/db":                            "needs a host",
		"mysql://u:s3cret@h/db/x":                         "name of a database",
		"mysql://u:s3cret@h/db?tls=nosuch":                "nosuch",
		"mysql://u:s3cret@h/db?parseTime=maybe":           "maybe",
		"redis://u:s3cret@h/x":                            "database number",
		"redis://u:s3cret@h/0?prefix=%7B":                 "prefix",
		"redis://u:s3cret@h/0?max_retries=3":              "retries",
		"redis://u:s3cret@h/0?what=3":                     "what",
		"redis://":                                        "no host",
		"rediss://u:s3cret@h:6379?addr=h2:7&prefix=":      "its prefix is empty",
		"sqlite:":                   "no path",
		"sqlite:ids.db?mode=memory": "no parameter mode",
		"sqlite:a%00b":              "no path",
		"sqlite:a%b":                "%25",
		"sqlite://ids.db":           "it has a host; write sqlite:ids.db",
		"sqlite:/x?a=s3cret&b=1":    "no parameter a, b",
		"sqlite::memory:":           "write memory:",
		"file://host/folder":        "it has a host",
		"file:///tmp?x=1":           "no parameter x",
		"http://u:s3cret@":          "a host",
		"http://u:s3cret@h?x=1":     "no parameter x",
		"memory:x":                  "write memory:",
	} {
		t.Run(address, func(t *testing.T) {
			s, err := Open(t.Context(), address, Options{})
			require.ErrorIs(t, err, ErrURL)
			require.ErrorAs(t, err, new(*URLError))
			require.Nil(t, s)
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), secret)
		})
	}
}

func TestURLsThatAreRead(t *testing.T) {
	for address, name := range map[string]string{
		"postgres://u:s3cret@h/db":                            "postgres://u:xxxxx@h/db",
		"postgresql://u:p%40%2F%3A@h:5/db?application_name=x": "postgresql://u:xxxxx@h:5/db",
		"PostgreS://h/db?table=ids.counters&password=s3cret":  "postgres://h/db",
		"mysql://u:s3cret@h/db?tls=skip-verify&table=x":       "mysql://u:xxxxx@h/db",
		"mariadb://u@[::1]:3307/db":                           "mariadb://u@[::1]:3307/db",
		"redis://:s3cret@h:6379/3?prefix=p":                   "redis://:xxxxx@h:6379/3",
		"rediss://h":                                          "rediss://h",
		"redis://h:7000?addr=h2:7000&addr=h3:7000&prefix=p":   "redis://h:7000",
		"http://u:s3cret@h:8080/below/":                       "http://u:xxxxx@h:8080/below/",
		"https://h":                                           "https://h",
		"memory:":                                             "memory:",
	} {
		t.Run(address, func(t *testing.T) {
			require.NoError(t, Check(address))
			require.Equal(t, name, mustOpen(t, address, Options{}).Name)
		})
	}
}

// What a URL says reaches the driver.
func TestMySQLConfig(t *testing.T) {
	read, _, err := parse("mysql://u%40x:p%2F%40@h/db%20x?timeout=3s&application=1")
	require.NoError(t, err)
	config, err := read.mysqlConfig()
	require.NoError(t, err)
	require.Equal(t, "u@x", config.User)
	require.Equal(t, "p/@", config.Passwd)
	require.Equal(t, "tcp", config.Net)
	require.Equal(t, "h:3306", config.Addr)
	require.Equal(t, "db x", config.DBName)
	require.Equal(t, "3s", config.Timeout.String())
	require.Equal(t, map[string]string{"application": "1"}, config.Params)
	require.True(t, config.InterpolateParams)

	read, _, err = parse("mysql://u@[::1]:3307/db?interpolateParams=false")
	require.NoError(t, err)
	config, err = read.mysqlConfig()
	require.NoError(t, err)
	require.Equal(t, "[::1]:3307", config.Addr)
	require.False(t, config.InterpolateParams)
}

func FuzzCheck(f *testing.F) {
	f.Add("postgres://u:", "@h/db?table=x")
	f.Add("sqlite:", "?x")
	f.Add("redis://h?addr=", "&prefix=%7b")
	f.Add("", ":")
	const password = "Zq7secretZq7"
	f.Fuzz(func(t *testing.T, before, after string) {
		address := before + password + after
		if before == "" || strings.Contains(before, "?") || !strings.Contains(before, "://") {
			return // not where a password is
		}
		if u, err := url.Parse(address); err == nil {
			if set, _ := u.User.Password(); !strings.Contains(set, password) {
				return
			}
		}
		if err := Check(address); err != nil {
			require.ErrorIs(t, err, ErrURL)
			require.NotContains(t, err.Error(), password)
		}
	})
}

func TestSQLiteSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ids.db")
	db := database(mustOpen(t, "sqlite:"+path, Options{CreateFile: true}))
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000"} {
		var got string
		require.NoError(t, db.QueryRowContext(t.Context(), "pragma "+name).Scan(&got))
		require.Equal(t, want, got, name)
	}

	// A transaction locks at its begin.
	hasty, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate")
	require.NoError(t, err)
	defer func() { require.NoError(t, hasty.Close()) }()
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = hasty.BeginTx(t.Context(), nil)
	require.ErrorContains(t, err, "locked")
	require.NoError(t, tx.Rollback())
	other, err := hasty.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, other.Rollback())
}

// Any name of a file is one, also those that mean something in a URL or to
// SQLite.
func TestSQLiteFileNames(t *testing.T) {
	for _, name := range []string{"a b.db", "a?mode=memory", "100%.db", "ä#.db", "a%20b"} {
		folder := t.TempDir()
		path := filepath.Join(folder, name)
		u := url.URL{Scheme: "sqlite", Path: filepath.ToSlash(path)}
		s := mustOpen(t, u.String(), Options{Create: true})
		require.True(t, s.New)
		_, err := s.Create(t.Context(), orders, 0)
		require.NoError(t, err)
		require.FileExists(t, path)
		require.NoError(t, s.Close())
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Len(t, entries, 1)
	}
	t.Chdir(t.TempDir())
	for _, address := range []string{"sqlite:ids.db", "sqlite:./sub%20folder/../ids.db"} {
		require.NoError(t, os.MkdirAll("sub folder", 0o700))
		s := mustOpen(t, address, Options{CreateFile: true})
		_, err := s.Create(t.Context(), orders, 0)
		require.NoError(t, err)
	}
	require.FileExists(t, "ids.db")
}

// Many that find no file make one store, none of them fails.
func TestSQLiteFirstUsers(t *testing.T) {
	address := "sqlite:" + filepath.Join(t.TempDir(), "ids.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(t.Context(), address, Options{CreateFile: true})
			if err == nil {
				_, err = s.Create(t.Context(), orders, 0)
			}
			if err == nil {
				_, err = s.Allocate(t.Context(), orders, 1)
			}
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	maxID, err := mustOpen(t, address, Options{}).Peek(t.Context(), orders)
	require.NoError(t, err)
	require.EqualValues(t, 8, maxID)
}

func TestWhatIsntMade(t *testing.T) {
	folder := t.TempDir()
	for _, address := range []string{"sqlite:" + folder + "/no.db", "file://" + folder + "/no"} {
		_, err := Open(t.Context(), address, Options{})
		require.ErrorIs(t, err, ErrNotMade, address)
	}
	_, err := Open(t.Context(), "file://"+folder+"/no", Options{CreateFile: true})
	require.ErrorIs(t, err, ErrNotMade, "that is for SQLite")
	require.NoFileExists(t, folder+"/no.db")

	require.NoError(t, os.WriteFile(folder+"/empty.db", nil, 0o600))
	for name, address := range map[string]func(t *testing.T) string{
		"SQLite":     func(*testing.T) string { return "sqlite:" + folder + "/empty.db" },
		"PostgreSQL": testservers.PostgreSQL,
		"MySQL":      testservers.MySQL,
	} {
		t.Run(name, func(t *testing.T) {
			u := address(t)
			err := mustOpen(t, u, Options{}).Ready(t.Context())
			require.ErrorIs(t, err, ErrNotMade)
			require.NotContains(t, err.Error(), "table=")
			s := mustOpen(t, u, Options{Create: true})
			require.False(t, s.New)
			require.NoError(t, s.Ready(t.Context()))
		})
	}
}

func TestReady(t *testing.T) {
	SilenceDrivers()
	for name, newURL := range urls() {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, mustOpen(t, newURL(t), Options{Create: true}).Ready(t.Context()))
		})
	}
	for _, address := range []string{
		"postgres://u:s3cret@127.0.0.1:1/db", "mysql://u:s3cret@127.0.0.1:1/db",
		"redis://u:s3cret@127.0.0.1:1/0", "http://u:s3cret@127.0.0.1:1",
	} {
		err := mustOpen(t, address, Options{}).Ready(t.Context())
		require.Error(t, err)
		require.NotErrorIs(t, err, ErrNotMade)
		require.NotContains(t, err.Error(), secret)
	}
}

// A password that is wrong isn't shown either.
func TestRefusedPasswords(t *testing.T) {
	server := func(t *testing.T, address string) string {
		t.Helper()
		u, err := url.Parse(address)
		require.NoError(t, err)
		u.User = url.UserPassword("nobody", secret)
		return u.String()
	}
	err := mustOpen(t, server(t, testservers.MySQL(t)), Options{}).Ready(t.Context())
	require.ErrorContains(t, err, "nobody")
	require.NotContains(t, err.Error(), secret)
	err = mustOpen(t, server(t, testservers.Redis(t)), Options{}).Ready(t.Context())
	require.Error(t, err)
	require.NotContains(t, err.Error(), secret)
}

// Two stores with other names of tables or keys have nothing in common.
func TestNamesKeepStoresApart(t *testing.T) {
	for _, newURL := range []func(t *testing.T) string{testservers.PostgreSQL, testservers.MySQL, testservers.Redis} {
		a, b := mustOpen(t, newURL(t), Options{Create: true}), mustOpen(t, newURL(t), Options{Create: true})
		_, err := a.Create(t.Context(), orders, 7)
		require.NoError(t, err)
		_, err = b.Peek(t.Context(), orders)
		require.ErrorIs(t, err, store.ErrNoCounter)
	}
}
