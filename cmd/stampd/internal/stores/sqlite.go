package stores

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"

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
	mode := "rw"
	if o.Create {
		mode = "rwc"
	} else if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// The file's name as SQLite reads it: escaped, since ? and % mean something.
	file := (&url.URL{Path: path}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+file+"?mode="+mode+"&"+sqliteSettings)
	if err != nil {
		return nil, t.wrong("%v", err)
	}
	return openSQL(ctx, t, db, tables, o)
}
