package zkstore

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

var orders = store.Key{Namespace: "shop", Name: "orders"}

func standing(n int64, version int32) *fake {
	at := node{found: true, data: encode(n), version: version}
	return &fake{leader: at, shown: at}
}

// What an error of a write says about it.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		err     error
		unknown bool
	}{
		{zk.ErrConnectionClosed, true},
		{zk.ErrClosing, true},
		{zk.ErrSessionExpired, true},
		{zk.ErrSessionMoved, true},
		{zk.ErrAPIError, true},
		{zk.ErrAuthFailed, true},
		{errors.New("unknown error: -4"), true}, // what the client makes of connection loss
		{io.ErrUnexpectedEOF, true},
		{zk.ErrNoAuth, false},
		{zk.ErrInvalidACL, false},
		{zk.ErrBadArguments, false},
		{zk.ErrInvalidPath, false},
		{zk.ErrNoChildrenForEphemerals, false},
		{zk.ErrNoServer, false},
	} {
		f := standing(0, 0)
		f.set = func([]byte) error { return tt.err }
		s := f.store()
		_, err := s.Allocate(t.Context(), orders, 1)
		require.ErrorIs(t, err, tt.err)
		require.Equal(t, tt.unknown, errors.Is(err, store.ErrUnknownOutcome), "%v", tt.err)
		require.Equal(t, 1, f.sets, "%v: sent again", tt.err)
		require.Zero(t, s.Conflicts())
		require.ErrorContains(t, err, `zkstore: allocate "/cosid/shop.orders": `)
	}
}

// A write with version -1 would fit whatever others have written meanwhile.
func TestVersionMinusOne(t *testing.T) {
	f := standing(41, -2)
	maxID, err := f.store().Allocate(t.Context(), orders, 1)
	require.NoError(t, err)
	require.Equal(t, int64(42), maxID)
	require.Equal(t, int32(-1), f.leader.version)
	_, _ = f.Sync("")
	_, allocateErr := f.store().Allocate(t.Context(), orders, 1)
	_, raiseErr := f.store().Raise(t.Context(), orders, 100)
	for _, err := range []error{allocateErr, raiseErr} {
		require.ErrorIs(t, err, ErrVersion)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	}
	require.Equal(t, 1, f.sets)
	maxID, err = f.store().Raise(t.Context(), orders, 42)
	require.NoError(t, err, "nothing to write")
	require.Equal(t, int64(42), maxID)
}

// A server that lags behind costs another try. It makes no counter vanish, no
// conflict of records, and no number that was true before.
func TestLaggingServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, f := t.Context(), &fake{}
		s := f.store()
		f.write(encode(10))
		maxID, err := s.Allocate(ctx, orders, 1)
		require.NoError(t, err, "the counter is there")
		require.Equal(t, int64(11), maxID)

		f.write(encode(20))
		maxID, err = s.Allocate(ctx, orders, 1)
		require.NoError(t, err)
		require.Equal(t, int64(21), maxID)
		require.EqualValues(t, 1, s.Conflicts())

		f.write(encode(30))
		maxID, err = s.Peek(ctx, orders)
		require.NoError(t, err)
		require.Equal(t, int64(30), maxID)

		f.write(encode(40))
		maxID, err = s.Raise(ctx, orders, 25)
		require.NoError(t, err)
		require.Equal(t, int64(40), maxID)

		f.write([]byte("new"))
		value, err := s.Get(ctx, orders)
		require.NoError(t, err)
		require.Equal(t, "new", string(value))
		f.write([]byte("newer"))
		require.NoError(t, s.CompareAndSet(ctx, orders, []byte("newer"), []byte("newest")))
	})
}

// A record that was changed and changed back in the middle of a call is still
// what its caller took it for.
func TestRecordChangedBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		f.write([]byte("a"))
		f.set = func([]byte) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.sets == 1 {
				f.write([]byte("b"))
				f.write([]byte("a"))
			}
			return nil
		}
		require.NoError(t, f.store().CompareAndSet(t.Context(), orders, []byte("a"), []byte("c")))
		require.Equal(t, 2, f.sets)
		require.Equal(t, "c", string(f.leader.data))
	})
}

func TestContention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := standing(0, 0)
		f.set = func([]byte) error { return zk.ErrBadVersion }
		s, start := f.store(), time.Now()
		_, err := s.Allocate(t.Context(), orders, 1)
		require.ErrorIs(t, err, ErrContention)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
		require.EqualError(t, err, `zkstore: allocate "/cosid/shop.orders": zkstore: too much contention: 40 tries`)
		require.Equal(t, maxTries, f.sets)
		require.EqualValues(t, maxTries, s.Conflicts())
		require.Positive(t, time.Since(start), "without a pause they would be in step")
		require.Less(t, time.Since(start), maxTries*longestPause)

		// Between two tries nothing is under way.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = s.Allocate(ctx, orders, 1)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	})
}

// A counter that is deleted in the middle of a call is missing, not made anew.
func TestDeletedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := standing(5, 0)
		f.set = func([]byte) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.leader = node{}
			return nil
		}
		_, err := f.store().Allocate(t.Context(), orders, 1)
		require.ErrorIs(t, err, store.ErrNoCounter)
		require.False(t, f.leader.found)
	})
}

// The caller's slice is its own again when the call returns, even if it left
// before the client has sent it.
func TestSlicesAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, goOn := &fake{}, make(chan struct{})
		f.write([]byte("old"))
		f.set = func([]byte) error {
			<-goOn
			return nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		value := []byte("mine")
		err := f.store().CompareAndSet(ctx, orders, []byte("old"), value)
		require.ErrorIs(t, err, store.ErrUnknownOutcome)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		value[0] = 'X'
		close(goOn)
		synctest.Wait()
		require.Equal(t, "mine", string(f.leader.data))
	})
}

// Callers that have left a hung client behind don't pile up in it.
func TestInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, goOn := standing(0, 0), make(chan struct{})
		inside := 0
		f.get = func() {
			f.mu.Lock()
			inside++
			f.mu.Unlock()
			<-goOn
		}
		s := f.store()
		errs := make(chan error)
		const callers = 2 * maxInFlight
		for range callers {
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_, err := s.Allocate(ctx, orders, 1)
				errs <- err
			}()
		}
		for range callers {
			err := <-errs
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome)
		}
		f.mu.Lock()
		require.Equal(t, maxInFlight, inside)
		f.mu.Unlock()
		close(goOn)
		synctest.Wait()
		maxID, err := s.Allocate(t.Context(), orders, 1)
		require.NoError(t, err)
		require.Equal(t, int64(1), maxID, "calls that were left behind did nothing")
	})
}

// A call whose context is over isn't made.
func TestNotSent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := call(ctx, standing(0, 0).store(), func() (string, error) {
		t.Error("called")
		return "", nil
	})
	require.ErrorIs(t, err, errNotSent)
	require.ErrorIs(t, err, context.Canceled)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(encode(0))
	f.Add(encode(1<<63 - 1))
	f.Add([]byte{0x80, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := decode(data)
		if err != nil {
			require.ErrorIs(t, err, ErrNotCounter)
			return
		}
		require.GreaterOrEqual(t, n, int64(0))
		require.Equal(t, data, encode(n))
	})
}
