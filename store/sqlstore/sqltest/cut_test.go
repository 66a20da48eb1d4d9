package sqltest

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// eachRelayed runs a test on the servers, with a second pool of one connection
// that goes through a relay and sends a call as one request.
func eachRelayed(t *testing.T, test func(t *testing.T, d database, through *sql.DB, r *relay)) {
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		t.Run("PostgreSQL, "+mode.String(), func(t *testing.T) {
			d := onPostgres(t)
			var r *relay
			through := openPostgres(t, func(c *pgx.ConnConfig) {
				r = newRelay(t, "tcp", net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), d.options.Table)
				c.DialFunc = r.dial
				c.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
				c.TLSConfig, c.Fallbacks = nil, nil
				c.DefaultQueryExecMode = mode
			})
			through.SetMaxOpenConns(1)
			test(t, d, through, r)
		})
	}
	t.Run("MySQL", func(t *testing.T) {
		d := onMySQL(t)
		var r *relay
		through := openMySQL(t, func(c *mysql.Config) {
			r = newRelay(t, c.Net, c.Addr, d.options.Table)
			c.Logger = &mysql.NopLogger{}
			c.DialFunc = r.dial
			c.InterpolateParams = true
		})
		through.SetMaxOpenConns(1)
		test(t, d, through, r)
	})
}

// A connection that breaks in the middle of a call: the outcome is unknown,
// whether the server has got the request or not, the call isn't repeated, and
// the store works again afterwards.
func TestConnectionLost(t *testing.T) {
	eachRelayed(t, func(t *testing.T, d database, through *sql.DB, r *relay) {
		direct, s := d.store(t, d.db), d.store(t, through)
		create(t, direct, 0)
		requireAllocate(t, s, 10, 10)

		r.next.Store(dropReply)
		_, err := s.Allocate(t.Context(), orders, 10)
		require.ErrorIs(t, err, store.ErrUnknownOutcome)
		requirePeek(t, direct, 20) // once, not twice
		requireAllocate(t, s, 10, 30)

		r.next.Store(dropIt)
		_, err = s.Allocate(t.Context(), orders, 10)
		require.ErrorIs(t, err, store.ErrUnknownOutcome)
		requirePeek(t, direct, 30)
		requireAllocate(t, s, 10, 40)

		r.next.Store(dropReply)
		_, err = s.Raise(t.Context(), orders, 100)
		require.ErrorIs(t, err, store.ErrUnknownOutcome)
		requirePeek(t, direct, 100)

		r.next.Store(dropReply)
		_, err = s.Create(t.Context(), store.Key{Namespace: "shop", Name: "users"}, 1)
		require.ErrorIs(t, err, store.ErrUnknownOutcome)

		r.next.Store(dropReply)
		require.ErrorIs(t, s.CompareAndSet(t.Context(), orders, nil, []byte("a")), store.ErrUnknownOutcome)
		value, err := s.Get(t.Context(), orders)
		require.NoError(t, err)
		require.Equal(t, "a", string(value), "the author finds out")

		r.next.Store(dropReply)
		_, err = s.Peek(t.Context(), orders)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, "it changes nothing")
	})
}

// A server that doesn't reply: the call ends with its context.
func TestNoReply(t *testing.T) {
	eachRelayed(t, func(t *testing.T, d database, through *sql.DB, r *relay) {
		direct, s := d.store(t, d.db), d.store(t, through)
		create(t, direct, 0)
		requireAllocate(t, s, 10, 10)
		r.next.Store(blackHole)
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := s.Allocate(ctx, orders, 10)
		require.ErrorIs(t, err, store.ErrUnknownOutcome)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		requirePeek(t, direct, 20)
		requireAllocate(t, s, 10, 30)

		r.next.Store(blackHole)
		short, cancelPeek := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancelPeek()
		_, err = s.Peek(short, orders)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	})
}

// A connection that the server has closed while it was idle costs at most a call
// with an unknown outcome.
func TestServerClosedIdleConnections(t *testing.T) {
	d := onPostgres(t)
	s := d.store(t, d.db)
	create(t, s, 0)
	requireAllocate(t, s, 1, 1)
	admin := openPostgres(t, func(*pgx.ConnConfig) {})
	pid := d.number(t, "select pg_backend_pid()")
	_, err := admin.ExecContext(t.Context(), "select pg_terminate_backend($1)", pid)
	require.NoError(t, err)
	maxID, err := s.Allocate(t.Context(), orders, 1)
	if errors.Is(err, store.ErrUnknownOutcome) {
		maxID, err = s.Allocate(t.Context(), orders, 1)
	}
	require.NoError(t, err)
	require.LessOrEqual(t, maxID, int64(3))
}

// A row that another transaction holds: the call ends with its context, and its range
// is burnt or not, but never given out.
func TestRowIsLocked(t *testing.T) {
	for _, open := range []func(t *testing.T) database{onPostgres, onMySQL} {
		d := open(t)
		t.Run(d.dialect.String(), func(t *testing.T) {
			s := d.store(t, d.db)
			create(t, s, 0)
			tx, err := d.db.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			_, err = tx.ExecContext(t.Context(), "update "+d.options.Table+" set last_max_id = 5")
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			_, err = s.Allocate(ctx, orders, 10)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			possible := []int64{15, 25}
			if !errors.Is(err, store.ErrUnknownOutcome) { // it wasn't sent in time
				possible = possible[:1]
			}
			require.NoError(t, tx.Commit())
			maxID, err := s.Allocate(t.Context(), orders, 10)
			require.NoError(t, err)
			require.Contains(t, possible, maxID)
		})
	}
}
