package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

var (
	_ store.Counters = (*Store)(nil)
	_ store.Records  = (*Store)(nil)

	orders = store.Key{Namespace: "shop", Name: "orders"}

	errLost   = errors.New("connection reset")
	errSerial = stateMethod("40001")
	errDenied = stateMethod("42501")
)

func row(values ...driver.Value) reply { return reply{rows: values} }

// What Allocate makes of replies: what it returns, and how many statements it
// sends.
func TestAllocate(t *testing.T) {
	const full = math.MaxInt64 - 9
	for name, tt := range map[string]struct {
		dialect Dialect
		replies []reply
		want    int64 // 0: an error
		is      []error
		unknown bool
	}{
		"one row":           {PostgreSQL, []reply{row(int64(10))}, 10, nil, false},
		"missing":           {PostgreSQL, []reply{row(), row()}, 0, []error{store.ErrNoCounter}, false},
		"no room":           {PostgreSQL, []reply{row(), row(int64(full))}, 0, []error{store.ErrExhausted}, false},
		"made in between":   {PostgreSQL, []reply{row(), row(int64(5)), row(int64(15))}, 15, nil, false},
		"two rows":          {PostgreSQL, []reply{row(int64(10), int64(20))}, 0, []error{ErrTable}, false},
		"serialization":     {PostgreSQL, []reply{{err: errSerial}, {err: errSerial}, row(int64(10))}, 10, nil, false},
		"at the commit":     {PostgreSQL, []reply{{rows: []driver.Value{int64(10)}, rowsErr: errSerial}, row(int64(20))}, 20, nil, false},
		"on the look":       {PostgreSQL, []reply{row(), {err: errSerial}, row(), row(int64(full))}, 0, []error{store.ErrExhausted}, false},
		"not sent":          {SQLite, []reply{{err: driver.ErrBadConn}, row(int64(10))}, 10, nil, false},
		"maybe sent":        {PostgreSQL, []reply{{err: driver.ErrBadConn}}, 0, []error{driver.ErrBadConn}, true},
		"look not sent":     {PostgreSQL, []reply{row(), {err: driver.ErrBadConn}, row(int64(10))}, 10, nil, false},
		"refused":           {PostgreSQL, []reply{{err: errDenied}}, 0, []error{errDenied}, false},
		"lost":              {PostgreSQL, []reply{{err: errLost}}, 0, []error{errLost}, true},
		"lost after a row":  {PostgreSQL, []reply{{rows: []driver.Value{int64(10)}, rowsErr: errLost}}, 0, []error{errLost}, true},
		"lost on the look":  {PostgreSQL, []reply{row(), {err: errLost}}, 0, []error{errLost}, false},
		"no number":         {PostgreSQL, []reply{row("x")}, 0, nil, true},
		"busy":              {SQLite, []reply{{err: codeMethod(5)}, row(int64(10))}, 10, nil, false},
		"interrupted":       {SQLite, []reply{{err: codeMethod(9)}}, 0, []error{codeMethod(9)}, true},
		"MySQL":             {MySQL, []reply{{affected: 1, id: math.MaxInt64}}, math.MaxInt64, nil, false},
		"MySQL missing":     {MySQL, []reply{{}, row()}, 0, []error{store.ErrNoCounter}, false},
		"MySQL no room":     {MySQL, []reply{{}, row(int64(full))}, 0, []error{store.ErrExhausted}, false},
		"MySQL in between":  {MySQL, []reply{{}, row(int64(5)), row(int64(1)), {affected: 1, id: 15}}, 15, nil, false},
		"MySQL autocommit":  {MySQL, []reply{{}, row(int64(5)), row(int64(0))}, 0, []error{ErrAutocommit}, false},
		"MySQL two rows":    {MySQL, []reply{{affected: 2, id: 20}}, 0, []error{ErrTable}, false},
		"MySQL deadlock":    {MySQL, []reply{{err: &stateBytes{[5]byte([]byte("40001"))}}, {affected: 1, id: 10}}, 10, nil, false},
		"MySQL, connection": {MySQL, []reply{{err: errLost}}, 0, []error{errLost}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, f := newFake(t, tt.dialect, tt.replies...)
			maxID, err := s.Allocate(t.Context(), orders, 10)
			require.Equal(t, tt.want, maxID)
			require.Equal(t, tt.want == 0, err != nil, "%v", err)
			for _, want := range tt.is {
				require.ErrorIs(t, err, want)
			}
			require.Equal(t, tt.unknown, errors.Is(err, store.ErrUnknownOutcome), "%v", err)
			require.Len(t, f.statements(), len(tt.replies))
		})
	}
}

func TestTriesHaveABound(t *testing.T) {
	s, f := newFake(t, MySQL, slices.Repeat([]reply{{err: driver.ErrBadConn}}, 2*maxTries)...)
	_, err := s.Allocate(t.Context(), orders, 1)
	require.ErrorIs(t, err, driver.ErrBadConn)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	require.Len(t, f.statements(), maxTries)
	require.Zero(t, s.Conflicts(), "others had nothing to do with it")
}

func TestConflictsAreCounted(t *testing.T) {
	serial, errConn := reply{err: errSerial}, reply{err: driver.ErrBadConn}
	s, _ := newFake(t, MySQL, serial, errConn, serial, reply{affected: 1, id: 10})
	maxID, err := s.Allocate(t.Context(), orders, 10)
	require.NoError(t, err)
	require.EqualValues(t, 10, maxID)
	require.EqualValues(t, 2, s.Conflicts())
}

// The context ends in the pause after a statement that was not applied.
func TestTriesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, f := newFake(t, PostgreSQL, reply{err: errSerial, cancels: cancel}, row(int64(10)))
	_, err := s.Allocate(ctx, orders, 1)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, f.statements(), 1)
}

// A driver that doesn't return: the call does, and says what is known.
func TestDriverHangs(t *testing.T) {
	for name, tt := range map[string]struct {
		call    func(ctx context.Context, s *Store) error
		unknown bool
	}{
		"allocate": {func(ctx context.Context, s *Store) error { _, err := s.Allocate(ctx, orders, 1); return err }, true},
		"create":   {func(ctx context.Context, s *Store) error { _, err := s.Create(ctx, orders, 1); return err }, true},
		"raise":    {func(ctx context.Context, s *Store) error { _, err := s.Raise(ctx, orders, 1); return err }, true},
		"set":      {func(ctx context.Context, s *Store) error { return s.CompareAndSet(ctx, orders, nil, []byte("a")) }, true},
		"table":    {func(ctx context.Context, s *Store) error { return s.CreateTable(ctx) }, true},
		"peek":     {func(ctx context.Context, s *Store) error { _, err := s.Peek(ctx, orders); return err }, false},
		"get":      {func(ctx context.Context, s *Store) error { _, err := s.Get(ctx, orders); return err }, false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s, f := newFake(t, PostgreSQL, reply{hangs: true, cancels: cancel, affected: 1})
			defer close(f.released)
			err := tt.call(ctx, s)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, tt.unknown, errors.Is(err, store.ErrUnknownOutcome))
		})
	}
}

// What a change that had no effect leaves doesn't become unknown while the store
// looks for the reason.
func TestContextEndsOnTheLook(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, f := newFake(t, PostgreSQL, row(), reply{hangs: true, cancels: cancel})
	defer close(f.released)
	_, err := s.Allocate(ctx, orders, 1)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}

func TestGate(t *testing.T) {
	var g gate
	require.True(t, g.fly())
	require.False(t, g.giveUp(), "under way")
	g.land()
	require.True(t, g.fly(), "another try")
	g.land()
	require.True(t, g.giveUp())
	require.False(t, g.fly(), "the caller has left")
	g.land()
	require.False(t, g.fly())
}

func TestNoConnection(t *testing.T) {
	s, f := newFake(t, MySQL)
	f.openErr = errLost
	_, err := s.Allocate(t.Context(), orders, 1)
	require.EqualError(t, err, `sqlstore: allocate "shop.orders": connection reset`)
	require.ErrorIs(t, err, errLost)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}

func TestMessages(t *testing.T) {
	s, _ := newFake(t, PostgreSQL, reply{err: errLost}, row(), row())
	_, err := s.Allocate(t.Context(), orders, 1)
	require.EqualError(t, err, `sqlstore: allocate "shop.orders": store: outcome unknown: connection reset`)
	_, err = s.Allocate(t.Context(), orders, 1)
	require.EqualError(t, err, `store: no such counter: "shop.orders"`)
}

func TestClassifyOption(t *testing.T) {
	s, f := newFake(t, PostgreSQL, reply{err: errLost}, row(int64(10)))
	s, err := New(s.db, Options{Dialect: PostgreSQL, Classify: func(err error) Verdict {
		require.ErrorIs(t, err, errLost)
		return Again
	}})
	require.NoError(t, err)
	maxID, err := s.Allocate(t.Context(), orders, 1)
	require.NoError(t, err)
	require.Equal(t, int64(10), maxID)
	require.Len(t, f.statements(), 2)
}

func isInvalid(err error) bool { return errors.Is(err, store.ErrInvalid) }
