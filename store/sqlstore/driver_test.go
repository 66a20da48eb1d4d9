package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeDB is a driver that plays replies, one for each statement.
type fakeDB struct {
	mu       sync.Mutex
	replies  []reply
	sent     []string
	args     [][]driver.Value
	openErr  error
	released chan struct{} // ends hanging statements
}

// reply is what a statement returns.
type reply struct {
	err          error
	rows         []driver.Value // one column
	rowsErr      error          // after the rows
	affected, id int64
	cancels      context.CancelFunc // called by the driver
	hangs        bool               // and doesn't heed the context
}

// newFake returns a store on a fake.
func newFake(t *testing.T, dialect Dialect, replies ...reply) (*Store, *fakeDB) {
	t.Helper()
	f := &fakeDB{replies: replies, released: make(chan struct{})}
	db := sql.OpenDB(f)
	t.Cleanup(func() { _ = db.Close() })
	s, err := New(db, Options{Dialect: dialect})
	require.NoError(t, err)
	return s, f
}

func (f *fakeDB) statements() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent
}

func (f *fakeDB) next(query string, args []driver.NamedValue) reply {
	f.mu.Lock()
	f.sent = append(f.sent, query)
	values := make([]driver.Value, len(args))
	for i, arg := range args {
		values[i] = arg.Value
	}
	f.args = append(f.args, values)
	if len(f.replies) == 0 {
		f.mu.Unlock()
		return reply{err: errors.New("no reply left")}
	}
	r := f.replies[0]
	f.replies = f.replies[1:]
	f.mu.Unlock()
	if r.cancels != nil {
		r.cancels()
	}
	if r.hangs {
		<-f.released
	}
	return r
}

func (f *fakeDB) Connect(context.Context) (driver.Conn, error) {
	if f.openErr != nil {
		return nil, f.openErr
	}
	return fakeConn{f}, nil
}

func (f *fakeDB) Driver() driver.Driver { return nil }

type fakeConn struct{ db *fakeDB }

func (fakeConn) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }
func (fakeConn) Close() error                        { return nil }
func (fakeConn) Begin() (driver.Tx, error)           { return nil, errors.ErrUnsupported }

func (c fakeConn) ExecContext(_ context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	r := c.db.next(query, args)
	return fakeResult{r}, r.err
}

func (c fakeConn) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	r := c.db.next(query, args)
	return &fakeRows{r}, r.err
}

type fakeResult struct{ r reply }

func (r fakeResult) RowsAffected() (int64, error) { return r.r.affected, nil }
func (r fakeResult) LastInsertId() (int64, error) { return r.r.id, nil }

type fakeRows struct{ r reply }

func (*fakeRows) Columns() []string { return []string{"column"} }
func (*fakeRows) Close() error      { return nil }

func (r *fakeRows) Next(dest []driver.Value) error {
	switch {
	case len(r.r.rows) > 0:
		dest[0] = r.r.rows[0]
		r.r.rows = r.r.rows[1:]
		return nil
	case r.r.rowsErr != nil:
		return r.r.rowsErr
	default:
		return io.EOF
	}
}
