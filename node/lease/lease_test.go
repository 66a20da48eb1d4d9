package lease_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
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

var (
	layout = bits.Layout{Time: 41, Node: 2, Sequence: 20}
	epoch  = time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC) // before a bubble's time
	scale  = bits.Timescale{Epoch: epoch, Unit: time.Millisecond}
)

func options(name string) lease.Options {
	return lease.Options{Space: "orders", Layout: layout, Epoch: epoch, Name: name}
}

// acquire takes a number, which is given back at the end of the test.
func acquire(t *testing.T, records store.Records, name string) *lease.Lease {
	t.Helper()
	l, err := lease.Acquire(t.Context(), records, options(name))
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close(context.Background()) })
	return l
}

// die ends a process without a word to the store.
func die(l *lease.Lease) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = l.Close(ctx)
}

func config(t *testing.T, l *lease.Lease) *stamp.Config {
	t.Helper()
	c, err := stamp.NewConfig(stamp.Options{
		Node: l, Layout: layout, Epoch: epoch, Unit: time.Millisecond, Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)
	return c
}

func next(t *testing.T, c *stamp.Config) bits.Parts {
	t.Helper()
	id, err := stamp.Next("orders", c)
	require.NoError(t, err)
	parts, err := c.Unpack(id)
	require.NoError(t, err)
	return parts
}

// bubble runs a test in a time of its own.
func bubble(t *testing.T, test func(t *testing.T, records *store.Memory)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, store.NewMemory()) })
}

func TestEachProcessHasANumberOfItsOwn(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		numbers := map[uint64]bool{}
		for i := range 4 {
			l := acquire(t, records, []string{"", "named"}[i%2]+fmt.Sprint(i)[:i%2])
			numbers[l.Number()] = true
			n, err := l.Node(t.Context())
			require.NoError(t, err)
			require.Equal(t, l.Number(), n)
		}
		require.Len(t, numbers, 4)

		_, err := lease.Acquire(t.Context(), records, options(""))
		require.ErrorIs(t, err, lease.ErrNoFreeNode)
		var full *lease.NoFreeNodeError
		require.ErrorAs(t, err, &full)
		require.Len(t, full.Holders, 4)
		require.Contains(t, err.Error(), `held by "named1" for at least 10s`)
	})
}

func TestANumberIsFreeOnceItIsGivenBack(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		first := acquire(t, records, "")
		for range 3 {
			acquire(t, records, "")
		}
		require.NoError(t, first.Close(t.Context()))
		require.Equal(t, first.Number(), acquire(t, records, "").Number())
	})
}

// A process that is alive keeps its number, with ids and without; one that died
// doesn't.
func TestADeadProcessLosesItsNumber(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		idle, dead := acquire(t, records, ""), acquire(t, records, "")
		busy := acquire(t, records, "")
		c, last := config(t, busy), acquire(t, records, "")
		next(t, c)
		for range 20 {
			time.Sleep(lease.DefaultTTL)
			require.NoError(t, idle.Err())
			next(t, c)
		}
		_, err := lease.Acquire(t.Context(), records, options(""))
		require.ErrorIs(t, err, lease.ErrNoFreeNode, "all live")
		die(dead)
		require.NoError(t, last.Err())
		time.Sleep(lease.DefaultTTL)
		require.Equal(t, dead.Number(), acquire(t, records, "").Number())
	})
}

// The next process begins at the bound that the one before had stored.
func TestTimesOfTwoHoldersAreDisjoint(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		bound := uint64(0)
		for life := range 10 {
			l := acquire(t, records, "only")
			c := config(t, l)
			require.NoError(t, c.Open(t.Context()))
			floor := uint64(scale.Units(c.Health(t.Context()).Fence.Floor))
			require.GreaterOrEqual(t, floor, bound, "life %d", life)
			highest := uint64(0)
			for range 10 {
				ids, err := must(stamp.NewGenerator("orders", c)).Append(t.Context(), nil, 1<<20)
				require.NoError(t, err)
				for _, id := range []stamp.ID{ids[0], ids[len(ids)-1]} {
					parts := must(c.Unpack(id))
					require.GreaterOrEqual(t, parts.Time, floor)
					highest = max(highest, parts.Time)
				}
			}
			if life%2 == 0 {
				require.NoError(t, l.Close(t.Context()))
			} else {
				die(l)
			}
			bound = must(lease.List(t.Context(), records, "orders", layout, scale, l.Number(), l.Number()))[0].Record.Bound
			require.Greater(t, bound, highest)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A process that was stopped for longer than its TTL goes on below the bound that
// it had stored, and no further.
func TestAProcessThatWasStopped(t *testing.T) {
	bubble(t, func(t *testing.T, memory *store.Memory) {
		cut := &cuttable{Memory: memory}
		o := options("")
		o.Last = 1
		o.First = 1
		o.Fence.Start = fence.BeginAtBound
		slow, err := lease.Acquire(t.Context(), cut, o)
		require.NoError(t, err)
		c := config(t, slow)
		bound := next(t, c).Time
		cut.away.Store(true)
		time.Sleep(lease.DefaultTTL + time.Second)

		fast, err := lease.Acquire(t.Context(), memory, o)
		require.NoError(t, err)
		require.EqualValues(t, 1, fast.Number())
		taken := config(t, fast)
		first := next(t, taken).Time
		require.Greater(t, first, bound)

		cut.away.Store(false)
		_, err = stamp.Next("users", c)
		require.ErrorIs(t, err, stamp.ErrLeaseLost)
		require.ErrorIs(t, c.Health(t.Context()).Err, stamp.ErrLeaseLost)
		next(t, taken)
		die(slow)
		require.NoError(t, fast.Close(t.Context()))
	})
}

// cuttable is a store that can be out of reach.
type cuttable struct {
	*store.Memory
	away atomic.Bool
}

var errAway = errors.New("away")

func (c *cuttable) Get(ctx context.Context, key store.Key) ([]byte, error) {
	if c.away.Load() {
		return nil, errAway
	}
	return c.Memory.Get(ctx, key)
}

func (c *cuttable) CompareAndSetExpiring(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	if c.away.Load() {
		return errAway
	}
	return c.Memory.CompareAndSetExpiring(ctx, key, old, value, ttl)
}

func TestANameComesBackToItsNumber(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		had := map[string]uint64{}
		names := []string{"orders-0", "orders-1", "orders-2"}
		for _, name := range names {
			l := acquire(t, records, name)
			had[name] = l.Number()
			require.NoError(t, l.Close(t.Context()))
		}
		other := acquire(t, records, "") // some free number, but a name's too maybe
		kept := 0
		for i := range names {
			name := names[len(names)-1-i]
			l := acquire(t, records, name)
			if had[name] != other.Number() {
				require.Equal(t, had[name], l.Number(), name)
				kept++
			}
		}
		require.GreaterOrEqual(t, kept, 2)
	})
}

// A process that was killed comes back under its name once its lease has run out.
func TestANameWaitsForItsPredecessor(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		first := acquire(t, records, "orders-0")
		die(first)
		began := time.Now()
		require.Equal(t, first.Number(), acquire(t, records, "orders-0").Number())
		require.Positive(t, time.Since(began))
		require.LessOrEqual(t, time.Since(began), lease.DefaultTTL+time.Second)

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := lease.Acquire(ctx, records, options("orders-0"))
		require.ErrorIs(t, err, lease.ErrHeld, "it lives")
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestManyAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		o := options("")
		o.Layout = bits.Layout{Time: 41, Node: 8, Sequence: 14}
		const processes = 200
		numbers := make(chan uint64, processes)
		for range processes {
			go func() {
				l, err := lease.Acquire(t.Context(), records, o)
				if err != nil {
					t.Error(err)
					numbers <- 0
					return
				}
				numbers <- l.Number()
				t.Cleanup(func() { die(l) })
			}()
		}
		different := map[uint64]bool{}
		for range processes {
			different[<-numbers] = true
		}
		require.Len(t, different, processes)
	})
}

// A crash loop doesn't walk the bound away from the clock.
func TestThousandRestarts(t *testing.T) {
	bubble(t, func(t *testing.T, records *store.Memory) {
		o := options("crashing")
		o.Fence.Start = fence.BeginAtBound
		for range 1000 {
			l, err := lease.Acquire(t.Context(), records, o)
			require.NoError(t, err)
			c := config(t, l)
			_, _ = stamp.Next("orders", c)
			die(l)
			time.Sleep(100 * time.Millisecond)
		}
		entries, err := lease.List(t.Context(), records, "orders", layout, scale, 0, 3)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		bound := scale.Time(entries[0].Record.Bound)
		require.Less(t, time.Until(bound), fence.DefaultCap)
	})
}

func TestOptions(t *testing.T) {
	for name, change := range map[string]func(*lease.Options){
		"no space":            func(o *lease.Options) { o.Space = "" },
		"no node bits":        func(o *lease.Options) { o.Layout = bits.Layout{Time: 41, Sequence: 22} },
		"number above":        func(o *lease.Options) { o.Last = 4 },
		"empty range":         func(o *lease.Options) { o.First, o.Last = 3, 2 },
		"long name":           func(o *lease.Options) { o.Name = string(make([]byte, fence.MaxOwner+1)) },
		"short TTL":           func(o *lease.Options) { o.TTL = time.Second },
		"the fence's space":   func(o *lease.Options) { o.Fence.Space = "other" },
		"the fence's TTL":     func(o *lease.Options) { o.Fence.TTL = time.Hour },
		"the fence's options": func(o *lease.Options) { o.Fence.Window = -1 },
	} {
		o := options("")
		change(&o)
		_, err := lease.Acquire(t.Context(), store.NewMemory(), o)
		require.ErrorIs(t, err, lease.ErrOptions, name)
	}
	_, err := lease.Acquire(t.Context(), struct{ store.Records }{store.NewMemory()}, options(""))
	require.ErrorIs(t, err, lease.ErrOptions)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	_, err = lease.Acquire(t.Context(), nil, options(""))
	require.ErrorIs(t, err, lease.ErrOptions)
}

// A lease in one store with a fence in another is refused, and ids of another kind
// than the lease is for.
func TestConfigurations(t *testing.T) {
	l := acquire(t, store.NewMemory(), "")
	other, err := fence.New(store.NewMemory(), fence.Options{Space: "orders"})
	require.NoError(t, err)
	o := stamp.Options{Node: l, Layout: layout, Epoch: epoch, Unit: time.Millisecond, Registry: sequence.NewRegistry()}
	for name, change := range map[string]func(*stamp.Options){
		"another fence":  func(o *stamp.Options) { o.Fence = other },
		"another layout": func(o *stamp.Options) { o.Layout = bits.Default().Layout },
		"another epoch":  func(o *stamp.Options) { o.Epoch = epoch.Add(time.Hour) },
	} {
		changed := o
		change(&changed)
		_, err := stamp.NewConfig(changed)
		require.ErrorIs(t, err, stamp.ErrOptions, name)
	}
	o.Fence = l.Fence()
	_, err = stamp.NewConfig(o)
	require.NoError(t, err, "its own")
}

// In a folder, with the protection of one.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	first, err := lease.File(t.Context(), folder, options(""))
	require.NoError(t, err)
	second, err := lease.File(t.Context(), folder, options(""))
	require.NoError(t, err)
	require.NotEqual(t, first.Number(), second.Number())
	next(t, config(t, first))
	require.NoError(t, first.Close(t.Context()))
	require.NoError(t, second.Close(t.Context()))
	_, err = lease.File(t.Context(), folder+"/none", options(""))
	require.Error(t, err)
}
