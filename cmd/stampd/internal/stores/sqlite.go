package stores

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"github.com/stampid/go-stamp/store/sqlstore"
)

func sqliteScheme() scheme {
	return scheme{names: []string{"sqlite"}, form: "sqlite:ids.db", open: openSQLite}
}

// sqliteSettings make a commit durable and writers wait for each other. A
// deferred transaction that reads and then writes would fail at once instead.
const sqliteSettings = "_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_txlock=immediate"

func openSQLite(ctx context.Context, t *target, o Options) (*Store, error) {
	tables, err := t.tables(sqlstore.SQLite)
	if err != nil {
		return nil, err
	}
	path, err := t.path()
	if err != nil {
		return nil, err
	}
	if path == ":memory:" {
		return nil, t.wrong("each connection would have a store of its own; write memory:")
	}
	if err := t.none(); err != nil {
		return nil, err
	}
	create := o.Create || o.CreateFile
	_, err = os.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew && !create {
		return nil, fmt.Errorf("store %s: %w: no such file", t.name, ErrNotMade)
	}
	mode := "rw"
	if create {
		mode = "rwc"
	}
	// The file's name as SQLite reads it: escaped, since ? and % mean something.
	file := (&url.URL{Path: path}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+file+"?mode="+mode+"&"+sqliteSettings)
	if err != nil {
		return nil, t.wrong("%v", err)
	}
	s, err := openSQL(ctx, t, db, tables, create, sqliteNoTable)
	if err == nil {
		s.New = isNew
	}
	return s, err
}

// sqliteNoTable goes by the text, since the code is that of any wrong statement.
func sqliteNoTable(err error) bool { return strings.Contains(err.Error(), "no such table") }
