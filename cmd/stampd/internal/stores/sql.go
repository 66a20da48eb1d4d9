package stores

import (
	"context"
	"database/sql"
	"errors"

	"github.com/stampid/go-stamp/store/sqlstore"
)

// connections is how many a database gets from one process. Commands make few
// calls at once; those of a server come in numbers.
const connections = 16

// tables takes the names of the tables out of the query.
func (t *target) tables(d sqlstore.Dialect) (sqlstore.Options, error) {
	counters, err1 := t.take("table")
	records, err2 := t.take("record_table")
	return sqlstore.Options{Dialect: d, Table: counters, RecordTable: records}, errors.Join(err1, err2)
}

// openSQL makes a store in a database, which it takes over.
func openSQL(ctx context.Context, t *target, db *sql.DB, tables sqlstore.Options, o Options) (*Store, error) {
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	s, err := sqlstore.New(db, tables)
	if err != nil {
		return nil, errors.Join(t.wrong("%v", err), db.Close())
	}
	if o.Create {
		if err := errors.Join(s.CreateTable(ctx), s.CreateRecordTable(ctx)); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return opened(s, db), nil
}
