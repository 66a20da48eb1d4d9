package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/stampid/go-stamp/store"
)

// What a store holds at most, in bytes.
const (
	MaxKey       = 100       // a counter's key
	MaxRecordKey = 255       // a record's key
	MaxValue     = 1<<16 - 1 // a record, the size of MySQL's blob
)

// Store keeps [store.Counters] and [store.Records] in two tables of a database.
// Make it with [New]. It is safe for concurrent use, and any number of stores,
// in any number of processes, may share the tables.
type Store struct {
	db         *sql.DB
	dialect    Dialect
	statements statements
	classify   func(error) Verdict
	conflicts  atomic.Uint64
}

// New returns a store in a database that stays the caller's: it sets nothing of
// it and doesn't close it. It asks the database nothing, so that missing tables
// are noticed by the first call. Errors match [ErrOptions], with every violation
// in one.
func New(db *sql.DB, options Options) (*Store, error) {
	options, err := options.withDefaults()
	if db == nil {
		err = errors.Join(&OptionError{"db", "nil", "a database"}, err)
	}
	if err != nil {
		return nil, err
	}
	return &Store{db: db, dialect: options.Dialect, statements: newStatements(options), classify: options.Classify}, nil
}

// Conflicts returns how often since New a statement was not applied because of
// others that ran at the same time, see [Again].
func (s *Store) Conflicts() uint64 { return s.conflicts.Load() }

// CreateTable makes the table of counters unless there is one, whatever that
// looks like.
func (s *Store) CreateTable(ctx context.Context) error {
	return s.define(ctx, "create the table of counters", s.statements.createCounters)
}

// CreateRecordTable makes the table of records unless there is one, whatever
// that looks like. Counters don't need it.
func (s *Store) CreateRecordTable(ctx context.Context) error {
	return s.define(ctx, "create the table of records", s.statements.createRecords)
}

func (s *Store) define(ctx context.Context, what, statement string) error {
	const tries = 3
	var err error
	for range tries {
		_, err = do(ctx, s, what, func(ctx context.Context, c *conn) (struct{}, error) {
			_, err := c.exec(ctx, statement)
			return struct{}{}, err
		})
		// Two that create one table at once can refuse each other on PostgreSQL.
		if err == nil || errors.Is(err, store.ErrUnknownOutcome) || ctx.Err() != nil {
			break
		}
	}
	return err
}

func (s *Store) counterLimits() store.Limits { return store.Limits{MaxKey: MaxKey} }

func (s *Store) recordLimits() store.Limits {
	return store.Limits{MaxKey: MaxRecordKey, MaxValue: MaxValue}
}

// checkEnd refuses a counter's key that ends with a space on MySQL, which takes
// it for the one without.
func (s *Store) checkEnd(key store.Key) error {
	if s.dialect == MySQL && strings.HasSuffix(key.Name, " ") {
		return &store.ArgumentError{Field: "name", Value: key.Name, Bound: "no space at the end"}
	}
	return nil
}
