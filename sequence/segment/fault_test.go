package segment_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// What libraries of this kind have got wrong. Each fault has its test.

func TestFault01_LoweredCounterIsNotReissued(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) { loweredCounter(t, mode) })
	}
}

func loweredCounter(t *testing.T, mode segment.Mode) {
	f := newFake()
	var events []segment.RolledBack
	g := newGenerator(t, f, segment.Options{
		Mode: mode, Listener: &segment.Listener{OnRolledBack: func(e segment.RolledBack) { events = append(events, e) }},
	})
	backup := f.Contents()
	backup.Counters[orders.String()] = 5
	last := next(t, g)
	synctest.Wait()
	f.Restore(backup)
	var err error
	for err == nil {
		var id int64
		if id, err = g.Next(background); err == nil {
			require.Greater(t, id, last)
			last = id
		}
	}
	require.ErrorIs(t, err, segment.ErrRolledBack, mode)
	var rolledBack *segment.RolledBackError
	require.ErrorAs(t, err, &rolledBack)
	require.GreaterOrEqual(t, rolledBack.Mark, last)
	require.EqualValues(t, 5, rolledBack.Store)
	synctest.Wait()
	require.Len(t, events, 1)
	require.EqualValues(t, 1, g.Stats().Rollbacks)

	// It stays stopped, also when the counter is fine by now.
	_, err = f.Raise(background, orders, 1_000_000)
	require.NoError(t, err)
	calls := len(f.calls())
	for range 10 {
		_, err = g.Next(background)
		require.ErrorIs(t, err, segment.ErrRolledBack)
	}
	require.Len(t, f.calls(), calls)
	g.Resume()
	require.EqualValues(t, 1_000_001, next(t, g))
}

func TestFault01_LostCounterIsNotCreatedAgain(t *testing.T) {
	f := newFake()
	g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1})
	require.EqualValues(t, 1, next(t, g))
	f.Restore(store.Contents{})
	_, err := g.Next(background)
	require.ErrorIs(t, err, segment.ErrRolledBack)
	var rolledBack *segment.RolledBackError
	require.ErrorAs(t, err, &rolledBack)
	require.Equal(t, segment.RolledBackError{Counter: orders, Mark: 1, Missing: true}, *rolledBack)
	require.EqualValues(t, -1, f.counter("orders"))
}

func TestFault02_RangesAreComparedByTheirEnds(t *testing.T) {
	f := newFake()
	g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1000})
	for range 1000 {
		next(t, g)
	}
	f.Restore(store.Contents{Counters: map[string]int64{orders.String(): 500}})
	_, err := g.Next(background)
	var rolledBack *segment.RolledBackError
	require.ErrorAs(t, err, &rolledBack)
	require.EqualValues(t, 1000, rolledBack.Mark)
	require.EqualValues(t, 500, rolledBack.Store)
}

func TestFault03_NobodySpinsWhenAllSegmentsExpire(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = time.Millisecond
			c := clock.NewSystem(clock.Options{})
			g := newGenerator(t, f, segment.Options{Mode: mode, TTL: time.Second, Clock: c})
			require.EqualValues(t, 1, next(t, g))
			time.Sleep(2 * time.Second) // current and reserve have expired
			had := f.counter("orders")
			calls := len(f.calls())
			start := time.Now()
			require.EqualValues(t, f.counter("orders")+1, next(t, g))
			require.LessOrEqual(t, len(f.calls())-calls, 2)
			require.LessOrEqual(t, time.Since(start), 2*time.Millisecond)
			require.EqualValues(t, had-1, g.Stats().Wasted.TTL)
		})
	}
}

func TestFault04_LastAndFirstSecondOfAGroup(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			c := clock.NewSystem(clock.Options{})
			g := newGenerator(t, newFake(), segment.Options{
				Mode: mode, Step: 100_000, Clock: c, Group: segment.Group{Period: segment.Day},
			})
			require.Equal(t, segment.Grouped{Value: 1, Group: "20000101", Day: 10957}, nextGrouped(t, g))
			midnight := time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)
			time.Sleep(time.Until(midnight) - 2*time.Second)
			value := int64(1)
			for time.Until(midnight) > 0 {
				value++
				require.Equal(t, segment.Grouped{Value: value, Group: "20000101", Day: 10957}, nextGrouped(t, g))
				time.Sleep(time.Millisecond)
			}
			for i := range 2000 {
				require.Equal(t, segment.Grouped{Value: int64(i + 1), Group: "20000102", Day: 10958}, nextGrouped(t, g))
				time.Sleep(time.Millisecond)
			}
			require.EqualValues(t, midnight.Unix(), time.Now().Unix()-2)
		})
	}
}

func TestFault05_HungStoreBlocksNobodyElse(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			hung, fine := newFake(), newFake()
			hung.hang = make(chan struct{})
			defer close(hung.hang)
			blocked := newGenerator(t, hung, segment.Options{Mode: mode})
			other := newGenerator(t, fine, segment.Options{Mode: mode})
			start := time.Now()
			var waiting sync.WaitGroup
			for i := range 10 {
				waiting.Go(func() { // each waits for its own context
					ctx, cancel := context.WithTimeout(background, time.Duration(i+1)*time.Second/2)
					defer cancel()
					_, err := blocked.Next(ctx)
					require.ErrorIs(t, err, context.DeadlineExceeded)
					require.Equal(t, time.Duration(i+1)*time.Second/2, time.Since(start))
				})
			}
			waiting.Go(func() { // and no longer than the fetch may take
				_, err := blocked.Next(background)
				require.ErrorIs(t, err, store.ErrUnknownOutcome)
				require.Equal(t, segment.DefaultFetchTimeout, time.Since(start))
			})
			synctest.Wait()
			for i := range 1000 {
				require.EqualValues(t, i+1, next(t, other))
			}
			require.Zero(t, time.Since(start))
			require.Zero(t, blocked.Stats().Given) // not blocked either
			waiting.Wait()
			require.Len(t, hung.calls(), 1)
		})
	}
}

func TestFault06_FailedPrefetchIsFollowedByAnother(t *testing.T) {
	for _, mode := range []segment.Mode{segment.DoubleBuffer, segment.Chain} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 10})
			last := next(t, g)
			synctest.Wait()
			f.set(func(f *fake) { f.err = errDown })
			for g.Stats().FetchFailures == 0 {
				last = next(t, g)
				synctest.Wait()
			}
			f.set(func(f *fake) { f.err = nil })
			before := f.counter("orders")
			time.Sleep(segment.DefaultBackoffMin)
			synctest.Wait()
			require.Greater(t, f.counter("orders"), before)
			for i := range 1000 {
				require.EqualValues(t, last+1+int64(i), next(t, g))
			}
		})
	}
}

// The retries of a compare-and-set are the store's; a generator makes none
// within a fetch, and reads its state anew for each.
func TestFault07_AConflictIsReportedAndTheNextFetchWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		conflict := errors.New("could not serialize access")
		f.err = conflict
		g := newGenerator(t, f, segment.Options{})
		_, err := g.Next(background)
		require.ErrorIs(t, err, conflict)
		require.ErrorIs(t, err, segment.ErrFetch)
		require.Len(t, f.calls(), 1)
		f.set(func(f *fake) { f.err = nil })
		time.Sleep(segment.DefaultBackoffMin)
		require.EqualValues(t, 1, next(t, g))
	})
}
