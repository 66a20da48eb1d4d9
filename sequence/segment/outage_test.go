package segment_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

var errDown = errors.New("store is down")

// The store is down for 10 s while 8 goroutines ask for an id each 10 ms. What
// is in reserve is given out; then callers get an error at once; then ids go
// on, rising and without duplicates.
func TestStoreDownUnderLoad(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = time.Millisecond
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 100, MaxPrefetchDistance: 8})
			start := time.Now()
			lists := make([][]int64, 8)
			var failures, after atomic.Int64
			var wg sync.WaitGroup
			for i := range lists {
				wg.Go(func() {
					for time.Since(start) < 30*time.Second {
						began := time.Now()
						id, err := g.Next(background)
						switch {
						case err == nil:
							lists[i] = append(lists[i], id)
							if time.Since(start) > 25*time.Second {
								after.Add(1)
							}
						case errors.Is(err, segment.ErrBackoff):
							require.Zero(t, time.Since(began))
							require.ErrorIs(t, err, errDown)
							failures.Add(1)
						default:
							require.ErrorIs(t, err, errDown)
							failures.Add(1)
						}
						time.Sleep(10 * time.Millisecond)
					}
				})
			}
			time.Sleep(5 * time.Second)
			before := len(f.calls())
			f.set(func(f *fake) { f.err = errDown })
			time.Sleep(10 * time.Second)
			asked := len(f.calls()) - before
			f.set(func(f *fake) { f.err = nil })
			wg.Wait()
			// 0.1 s, doubling, each cut by up to half.
			require.LessOrEqual(t, asked, 14)
			require.GreaterOrEqual(t, asked, 6)
			require.Positive(t, failures.Load())
			require.Greater(t, after.Load(), int64(8*400))
			total := 0
			for _, list := range lists {
				total += len(list)
			}
			requireExactly(t, lists, total) // a failed allocation has reserved nothing here
			require.Equal(t, 1, f.flights())
		})
	}
}

func TestThousandWaitersMakeNoStorm(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = 100 * time.Millisecond
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 1000})
			var wg sync.WaitGroup
			for range 1000 {
				wg.Go(func() { next(t, g) })
			}
			wg.Wait()
			// No counter, then a segment; the chain goes on to fill its reserve.
			require.LessOrEqual(t, len(f.calls()), 3)

			time.Sleep(time.Minute)
			f.set(func(f *fake) { f.err = errDown })
			for g.Stats().Current+g.Stats().Reserve > 0 {
				_, _ = g.Take(background, 1000)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			before := len(f.calls())
			var backoffs atomic.Int64
			for range 1000 {
				wg.Go(func() {
					_, err := g.Next(background)
					require.ErrorIs(t, err, errDown)
					if errors.Is(err, segment.ErrBackoff) {
						backoffs.Add(1)
					}
				})
			}
			wg.Wait()
			require.LessOrEqual(t, len(f.calls())-before, 1)
			for range 1000 {
				_, err := g.Next(background)
				var backoff *segment.BackoffError
				require.ErrorAs(t, err, &backoff)
				require.True(t, backoff.Next.After(time.Now()))
				require.Equal(t, backoff.Next, g.Stats().Backoff)
			}
			require.LessOrEqual(t, len(f.calls())-before, 1)
		})
	}
}

// A store that hangs and ignores contexts: the fetch ends at its time-out, its
// range is never given out, and not without end are calls left behind.
func TestHungStore(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			hang := make(chan struct{})
			f.hang = hang
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 10, NoBackground: true})
			start := time.Now()
			_, err := g.Next(background)
			require.Equal(t, segment.DefaultFetchTimeout, time.Since(start))
			require.ErrorIs(t, err, store.ErrUnknownOutcome)

			_, err = g.Next(noContext) // in the back-off
			require.ErrorIs(t, err, segment.ErrBackoff)
			time.Sleep(segment.DefaultBackoffMax)
			start = time.Now()
			_, err = g.Next(noContext)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, segment.DefaultTimeout, time.Since(start))

			for range 20 {
				_, err = g.Next(background)
				require.Error(t, err)
				time.Sleep(segment.DefaultBackoffMax)
			}
			require.Len(t, f.calls(), 8)
			require.Equal(t, 8, g.Stats().LeftBehind)
			require.Positive(t, g.Stats().Wasted.Unknown)

			_, err = f.Create(background, orders, 0)
			require.NoError(t, err)
			f.set(func(f *fake) { f.hang = nil })
			close(hang) // all of them come through now, too late
			synctest.Wait()
			require.Zero(t, g.Stats().LeftBehind)
			lost := f.counter("orders")
			require.GreaterOrEqual(t, lost, int64(8*10))
			require.Equal(t, lost+1, next(t, g))
		})
	}
}

// A fetch that is over doesn't create the counter that it finds missing late.
func TestLateFetchCreatesNothing(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			hang := make(chan struct{})
			f.hang = hang
			g := newGenerator(t, f, segment.Options{Mode: mode})
			_, err := g.Next(background)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			require.NoError(t, g.Close())
			close(hang)
			synctest.Wait()
			require.Zero(t, f.created())
		})
	}
}

// An answer that is lost after the store has counted burns the range.
func TestUnknownOutcomeIsBurnt(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			_, _ = f.Memory.Create(background, orders, 0)
			f.err, f.lost = store.ErrUnknownOutcome, true
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 10})
			_, err := g.Next(background)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			at := f.counter("orders")
			require.EqualValues(t, at, g.Stats().Wasted.Unknown)
			f.set(func(f *fake) { f.err = nil })
			time.Sleep(segment.DefaultBackoffMin)
			require.Equal(t, at+1, next(t, g))
		})
	}
}

func TestFailureLeavesTheReserveUsable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		g := newGenerator(t, f, segment.Options{Step: 10, SafeDistance: 5})
		next(t, g)
		synctest.Wait()
		f.set(func(f *fake) { f.err = errDown })
		left := int64(g.Stats().Current + g.Stats().Reserve)
		for i := range left {
			require.EqualValues(t, 2+i, next(t, g))
		}
		_, err := g.Next(background)
		require.ErrorIs(t, err, errDown)
		// The generator comes back by itself, without a caller.
		f.set(func(f *fake) { f.err = nil })
		time.Sleep(segment.DefaultBackoffMax)
		require.Positive(t, g.Stats().Current)
	})
}

// Retries in the background end when what was left has expired: nobody may want
// more.
func TestRetriesEndWithTheTTL(t *testing.T) {
	for _, mode := range []segment.Mode{segment.DoubleBuffer, segment.Chain} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 10, TTL: time.Minute, Clock: clock.NewSystem(clock.Options{})})
			next(t, g)
			synctest.Wait()
			f.set(func(f *fake) { f.err = errDown })
			for g.Stats().FetchFailures == 0 {
				next(t, g)
				synctest.Wait()
			}
			time.Sleep(2 * time.Minute)
			calls := len(f.calls())
			f.set(func(f *fake) { f.err = nil })
			time.Sleep(time.Hour)
			require.Len(t, f.calls(), calls)
		})
	}
}

func TestBackoffGrowsWithinItsBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.err = errDown
		g := newGenerator(t, f, segment.Options{BackoffMin: time.Second, BackoffMax: 5 * time.Second})
		different := map[time.Duration]bool{}
		for i, most := range []time.Duration{1, 2, 4, 5, 5, 5, 5, 5, 5, 5} {
			_, err := g.Next(background)
			require.ErrorIs(t, err, errDown, i)
			wait := time.Until(g.Stats().Backoff)
			require.LessOrEqual(t, wait, most*time.Second)
			require.GreaterOrEqual(t, wait, most*time.Second/2)
			different[wait] = true
			time.Sleep(wait - 1)
			_, err = g.Next(background)
			require.ErrorIs(t, err, segment.ErrBackoff)
			time.Sleep(time.Nanosecond)
		}
		require.Greater(t, len(different), 5, "at random")
		require.Len(t, f.calls(), 10)
	})
}

func TestCloseInterruptsAFetchThatNobodyWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		g := newGenerator(t, f, segment.Options{Step: 10})
		next(t, g)
		synctest.Wait()
		f.set(func(f *fake) { f.delay = time.Second })
		next(t, g)
		for range 10 { // calls for a prefetch
			next(t, g)
		}
		synctest.Wait()
		start := time.Now()
		require.NoError(t, g.Close())
		require.Zero(t, time.Since(start))
		require.Zero(t, g.Stats().FetchFailures)
		held := g.Stats().Current + g.Stats().Reserve
		require.Equal(t, held, g.Stats().Wasted.Close)
		// Generation goes on, without background.
		f.set(func(f *fake) { f.delay = 0 })
		requireRising(t, gather(t, g, 4, 100))
		calls := len(f.calls())
		time.Sleep(time.Minute)
		require.Len(t, f.calls(), calls)
	})
}

func TestCloseWaitsForAFetchThatCallersWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		_, _ = f.Memory.Create(background, orders, 0)
		f.delay = time.Second
		g := newGenerator(t, f, segment.Options{})
		var wg sync.WaitGroup
		wg.Go(func() { require.EqualValues(t, 1, next(t, g)) })
		synctest.Wait()
		start := time.Now()
		require.NoError(t, g.Close())
		require.Equal(t, time.Second, time.Since(start))
		wg.Wait()
	})
}

// A caller that has left isn't waited for.
func TestCloseInterruptsAFetchWhoseCallersHaveLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = 5 * time.Second
		g := newGenerator(t, f, segment.Options{})
		ctx, cancel := context.WithTimeout(background, time.Second)
		defer cancel()
		_, err := g.Next(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		start := time.Now()
		require.NoError(t, g.Close())
		require.Zero(t, time.Since(start))
	})
}

func requireRising(t testing.TB, lists [][]int64) {
	t.Helper()
	seen := map[int64]bool{}
	for _, list := range lists {
		last := int64(0)
		for _, id := range list {
			require.Greater(t, id, last)
			require.False(t, seen[id])
			seen[id], last = true, id
		}
	}
}
