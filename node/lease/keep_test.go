package lease_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// one is the options of a lease of number 3.
func one() lease.Options {
	o := options("")
	o.Layout = bits.Layout{Time: 41, Node: 4, Sequence: 18}
	o.First, o.Last = 3, 3
	return o
}

// requireKept requires that nobody else gets the number for a while, in which the
// process makes no id.
func requireKept(t *testing.T, records store.Records, o lease.Options) {
	t.Helper()
	for range 30 {
		time.Sleep(lease.DefaultTTL / 3)
		_, err := lease.Acquire(t.Context(), records, o)
		require.ErrorIs(t, err, lease.ErrNoFreeNode)
	}
}

// A living process keeps its number whatever its bound is: in units of hours that
// isn't raised for hours.
func TestLongUnits(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		o := one()
		o.Unit = time.Hour
		l, err := lease.Acquire(t.Context(), records, o)
		require.NoError(t, err)
		c, err := stamp.NewConfig(stamp.Options{Node: l, Layout: o.Layout, Epoch: epoch, Unit: time.Hour, Registry: sequence.NewRegistry()})
		require.NoError(t, err)
		_, err = stamp.Next("orders", c)
		require.NoError(t, err)
		requireKept(t, records, o)
		require.NoError(t, l.Close(t.Context()))
	})
}

// Nor is one that lies ahead of the clock.
func TestABoundAheadOfTheClock(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		o := one()
		leave(t, records, o, 3, uint64(scale.Units(time.Now().Add(40*time.Second))))
		l, err := lease.Acquire(t.Context(), records, o)
		require.NoError(t, err)
		c, err := stamp.NewConfig(stamp.Options{Node: l, Layout: o.Layout, Epoch: epoch, Unit: time.Millisecond, Registry: sequence.NewRegistry()})
		require.NoError(t, err)
		_, err = stamp.Next("orders", c)
		require.NoError(t, err, "it begins at the bound")
		requireKept(t, records, o)
		require.NoError(t, l.Close(t.Context()))
	})
}

// leave writes the record of a process that gave its number back.
func leave(t *testing.T, records store.Records, o lease.Options, number, bound uint64) {
	t.Helper()
	r := fence.Record{
		Space: o.Space, Format: fence.Format(o.Layout, scale), Node: number, Owner: "old",
		Token: must(fence.NewToken()), Bound: bound, Expires: time.Now(),
	}
	key := fence.Key(o.Space, r.Format, number)
	require.NoError(t, records.CompareAndSet(t.Context(), key, nil, must(r.Encode())))
}

// A process that renews in the last moment keeps its number.
func TestRenewedInTheLastMoment(t *testing.T) {
	bubble(t, func(t *testing.T, memory *store.Memory) {
		o := one()
		f, err := fence.New(memory, fence.Options{Space: o.Space, TTL: lease.DefaultTTL})
		require.NoError(t, err)
		r, err := f.Reserve(t.Context(), o.Layout, scale, 3, func(*fence.Record) error { return nil })
		require.NoError(t, err)
		time.Sleep(lease.DefaultTTL + time.Second)
		late := &looking{Memory: memory, then: func() {
			_, err := r.Keep(t.Context())
			require.NoError(t, err)
		}}
		_, err = lease.Acquire(t.Context(), late, o)
		require.ErrorIs(t, err, lease.ErrNoFreeNode)
		_, err = r.Keep(t.Context())
		require.NoError(t, err)
	})
}

// looking does something after the first look at a record.
type looking struct {
	*store.Memory
	then func()
}

func (l *looking) GetExpiring(ctx context.Context, key store.Key) ([]byte, time.Duration, error) {
	value, left, err := l.Memory.GetExpiring(ctx, key)
	if then := l.then; then != nil {
		l.then = nil
		then()
	}
	return value, left, err
}

// A record that isn't of this number is nobody's to take, and no reason to fail.
func TestForeignRecords(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		o := one()
		o.Last = 4
		r := fence.Record{Space: "other", Format: fence.Format(o.Layout, scale), Node: 3, Token: must(fence.NewToken())}
		key := fence.Key(o.Space, r.Format, 3)
		require.NoError(t, records.CompareAndSet(t.Context(), key, nil, must(r.Encode())))
		for range 20 {
			l, err := lease.Acquire(t.Context(), records, o)
			require.NoError(t, err)
			require.EqualValues(t, 4, l.Number())
			require.NoError(t, l.Close(t.Context()))
		}
		entries, err := lease.List(t.Context(), records, o.Space, o.Layout, scale, 3, 3)
		require.NoError(t, err)
		require.ErrorIs(t, entries[0].Err, fence.ErrRecord)
		require.False(t, entries[0].Free())
	})
}

// The fence's end is the lease's: nothing goes on writing the record.
func TestAFenceThatIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails if a goroutine is left
		records := store.NewMemory()
		l, err := lease.Acquire(t.Context(), records, one())
		require.NoError(t, err)
		require.NoError(t, l.Fence().Close(t.Context()))
		before := records.Contents()
		time.Sleep(10 * lease.DefaultTTL)
		require.Equal(t, before, records.Contents())
	})
}

func TestAZeroLease(t *testing.T) {
	f, err := fence.New(store.NewMemory(), fence.Options{Space: "orders"})
	require.NoError(t, err)
	for _, o := range []stamp.Options{{Node: new(lease.Lease)}, {Node: new(lease.Lease), Fence: f}} {
		_, err := stamp.NewConfig(o)
		require.ErrorIs(t, err, stamp.ErrOptions)
	}
	require.NoError(t, new(lease.Lease).Close(t.Context()))
}
