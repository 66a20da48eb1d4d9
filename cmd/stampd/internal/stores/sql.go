package stores

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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

// openSQL makes a store in a database, which it takes over. NoTable tells the
// error of a statement about a table that isn't there.
func openSQL(ctx context.Context, t *target, db *sql.DB, tables sqlstore.Options, create bool, noTable func(error) bool) (*Store, error) {
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	s, err := sqlstore.New(db, tables)
	if err != nil {
		return nil, errors.Join(t.wrong("%v", err), db.Close())
	}
	if create {
		if err := errors.Join(s.CreateTable(ctx), s.CreateRecordTable(ctx)); err != nil {
			return nil, errors.Join(fmt.Errorf("store %s: %w", t.name, err), db.Close())
		}
	}
	result := opened(s, db)
	result.notMade = noTable
	return result, nil
}
