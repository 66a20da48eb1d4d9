package gormtest

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glebarez/sqlite"
	"github.com/stretchr/testify/require"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"

	"github.com/stampid/go-stamp/integrations/gormstamp"
	"github.com/stampid/go-stamp/partition"
)

const (
	postgresVariable = "STAMP_TEST_POSTGRES"
	mysqlVariable    = "STAMP_TEST_MYSQL"
	defaultPostgres  = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"
	defaultMySQL     = "root@tcp(127.0.0.1:3306)/test"

	// Where a test's rows are made, if it doesn't say so.
	home = 3
)

// each runs a test on all three, with the plugin.
func each(t *testing.T, options gormstamp.Options, test func(t *testing.T, db *gorm.DB)) {
	for name, open := range map[string]func(t *testing.T, options gormstamp.Options) *gorm.DB{
		"PostgreSQL": onPostgres, "MySQL": onMySQL, "SQLite": onSQLite,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t, options)) })
	}
}

func onPostgres(t *testing.T, options gormstamp.Options) *gorm.DB {
	t.Helper()
	return open(t, postgres.Open(cmp.Or(os.Getenv(postgresVariable), defaultPostgres)), postgresVariable, options)
}

func onMySQL(t *testing.T, options gormstamp.Options) *gorm.DB {
	t.Helper()
	return open(t, mysql.Open(cmp.Or(os.Getenv(mysqlVariable), defaultMySQL)), mysqlVariable, options)
}

func onSQLite(t *testing.T, options gormstamp.Options) *gorm.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ids.db")
	return open(t, sqlite.Open("file:"+path+"?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)"), "", options)
}

// open returns a database whose tables have a prefix that no other run has.
func open(t *testing.T, dialector gorm.Dialector, variable string, options gormstamp.Options) *gorm.DB {
	t.Helper()
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	prefix := "gt" + hex.EncodeToString(b[:]) + "_"
	db, err := gorm.Open(dialector, &gorm.Config{
		NamingStrategy: schema.NamingStrategy{TablePrefix: prefix},
		Logger:         logger.Discard,
	})
	if err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "the server doesn't answer, see %s", variable)
		}
		t.Skipf("the server doesn't answer, see %s: %v", variable, err)
	}
	pool(t, db).SetMaxOpenConns(4) // servers have room for the tests of others
	t.Cleanup(func() { require.NoError(t, pool(t, db).Close()) })
	t.Cleanup(func() {
		tables, err := db.Migrator().GetTables()
		require.NoError(t, err)
		tables = slices.DeleteFunc(tables, func(table string) bool { return !strings.HasPrefix(table, prefix) })
		for _, table := range tables {
			// Those that others refer to come last.
			defer func() { require.NoError(t, db.Migrator().DropTable(table)) }()
		}
		if db.Name() == "mysql" {
			require.NoError(t, db.Exec("set foreign_key_checks = 0").Error)
		}
	})
	require.NoError(t, db.Use(gormstamp.New(options)))
	return db.WithContext(partition.NewContext(t.Context(), home))
}

func pool(t *testing.T, db *gorm.DB) *sql.DB {
	t.Helper()
	p, err := db.DB()
	require.NoError(t, err)
	return p
}

// statements keeps the SQL that a session runs.
type statements struct {
	logger.Interface
	mu  sync.Mutex
	sql []string
}

func (s *statements) LogMode(logger.LogLevel) logger.Interface { return s }

func (s *statements) Trace(_ context.Context, _ time.Time, statement func() (string, int64), _ error) {
	text, _ := statement()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sql = append(s.sql, text)
}

// recorded is db with a record of what it runs.
func recorded(db *gorm.DB) (*gorm.DB, *statements) {
	s := &statements{Interface: logger.Discard}
	return db.Session(&gorm.Session{Logger: s}), s
}
