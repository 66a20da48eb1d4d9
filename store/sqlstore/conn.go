package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

var (
	// ErrAutocommit says that a connection to MySQL doesn't commit each
	// statement by itself (autocommit=0), so that nothing was written: it would be
	// undone when the connection ends.
	ErrAutocommit = errors.New("sqlstore: connection without autocommit")
	// ErrTable says that a table holds a name more than once: it has no primary
	// key. What was written burns numbers, which are not given out.
	ErrTable = errors.New("sqlstore: name isn't unique in the table")
)

// conn is a connection for one try of a call. Each statement that changes
// something is a transaction of its own, and there is at most one in a try that
// has an effect.
type conn struct {
	opened *sql.Conn
	store  *Store
	gate   *gate
}

// exec sends a statement that changes something.
func (c *conn) exec(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if !c.gate.fly() {
		return nil, ctx.Err()
	}
	result, err := c.opened.ExecContext(ctx, statement, args...)
	if err != nil {
		return nil, c.verdict(err)
	}
	return result, nil
}

// change sends a statement that changes one row or none, and tells which.
func (c *conn) change(ctx context.Context, statement string, args ...any) (changed bool, err error) {
	result, err := c.exec(ctx, statement, args...)
	if err != nil {
		return false, err
	}
	return c.affected(result)
}

func (c *conn) affected(result sql.Result) (changed bool, err error) {
	rows, err := result.RowsAffected()
	if err != nil {
		return false, unknown(err)
	}
	return c.one(rows)
}

// one says what a number of changed rows means.
func (c *conn) one(rows int64) (changed bool, err error) {
	switch rows {
	case 0:
		c.gate.land()
		return false, nil
	case 1:
		return true, nil
	default:
		return false, fmt.Errorf("%w: %d rows have changed", ErrTable, rows)
	}
}

// add sends the statement that allocates, and returns the value that it made.
func (c *conn) add(ctx context.Context, statement string, args ...any) (value int64, changed bool, err error) {
	if c.store.dialect != MySQL {
		return c.addReturning(ctx, statement, args...)
	}
	result, err := c.exec(ctx, statement, args...)
	if err != nil {
		return 0, false, err
	}
	if changed, err = c.affected(result); err != nil || !changed {
		return 0, changed, err
	}
	value, err = result.LastInsertId()
	if err != nil {
		return 0, false, unknown(err)
	}
	return value, true, nil
}

// addReturning reads all rows to their end: only there is it known that the
// statement was committed.
func (c *conn) addReturning(ctx context.Context, statement string, args ...any) (value int64, changed bool, err error) {
	if !c.gate.fly() {
		return 0, false, ctx.Err()
	}
	rows, err := c.opened.QueryContext(ctx, statement, args...)
	if err != nil {
		return 0, false, c.verdict(err)
	}
	defer func() { _ = rows.Close() }()
	count := int64(0)
	for ; rows.Next(); count++ {
		if err := rows.Scan(&value); err != nil {
			return 0, false, unknown(err)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, false, c.verdict(err)
	}
	changed, err = c.one(count)
	return value, changed, err
}

// insert sends a statement that adds a row unless there is one, and tells
// whether it did.
func (c *conn) insert(ctx context.Context, statement string, args ...any) (inserted bool, err error) {
	if c.store.dialect != MySQL {
		return c.change(ctx, statement, args...)
	}
	result, err := c.exec(ctx, statement, args...)
	if err != nil {
		return false, err
	}
	found, err := result.LastInsertId()
	if err != nil {
		return false, unknown(err)
	}
	if found == 1 {
		c.gate.land()
		return false, nil
	}
	inserted, err = c.affected(result)
	if err == nil && !inserted {
		err = c.checkAutocommit(ctx)
	}
	return inserted, err
}

// look reads the columns of the one row that a query finds.
func (c *conn) look(ctx context.Context, columns []any, query string, args ...any) (found bool, err error) {
	err = c.opened.QueryRowContext(ctx, query, args...).Scan(columns...)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case errors.Is(err, driver.ErrBadConn), c.store.classify(err) == Again:
		return false, again(err)
	}
	return false, err
}

// missed is the error of a change that had no effect although the row that was
// found afterwards allows it: someone made the row in between.
func (c *conn) missed(ctx context.Context) error {
	if err := c.checkAutocommit(ctx); err != nil {
		return err
	}
	return again(errors.New("the counter was made at the same time"))
}

func (c *conn) checkAutocommit(ctx context.Context) error {
	if c.store.statements.autocommit == "" {
		return nil
	}
	var on bool
	if _, err := c.look(ctx, []any{&on}, c.store.statements.autocommit); err != nil {
		return err
	}
	if !on {
		return ErrAutocommit
	}
	return nil
}
