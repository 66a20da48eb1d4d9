package segment_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// drain claims all that there is, without waiting.
func drain(t *testing.T, g *segment.Generator) {
	t.Helper()
	for {
		s := g.Stats()
		if s.Current+s.Reserve == 0 {
			return
		}
		_, err := g.Take(background, int(max(1, s.Current)))
		require.NoError(t, err)
	}
}

// chain makes a warm chain whose store is slow from now on.
func chain(t *testing.T, o segment.Options) (*fake, *segment.Generator) {
	t.Helper()
	f := newFake()
	g := newGenerator(t, f, o)
	require.NoError(t, g.Warm(background))
	synctest.Wait()
	f.set(func(f *fake) { f.delay = 100 * time.Millisecond })
	return f, g
}

func TestChainKeepsItsSafeDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		g := newGenerator(t, f, segment.Options{Step: 10, SafeDistance: 3})
		for range 1000 {
			next(t, g)
			synctest.Wait()
			s := g.Stats()
			require.GreaterOrEqual(t, s.Current+s.Reserve, uint64(30))
			require.Less(t, s.Current+s.Reserve, uint64(40))
		}
		require.Zero(t, g.Stats().Hunger)
		require.EqualValues(t, 3, g.Stats().PrefetchDistance)
	})
}

func TestHungerDoublesTheDistanceOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := chain(t, segment.Options{Step: 10, SafeDistance: 2})
		drain(t, g)
		for i := range 20 { // one starvation, however many callers
			go func() { _, _ = g.Next(background) }()
			_ = i
		}
		synctest.Wait()
		require.EqualValues(t, 1, g.Stats().Hunger)
		require.EqualValues(t, 4, g.Stats().PrefetchDistance)
		time.Sleep(900 * time.Millisecond)
		before := f.counter("orders")
		// Later ticks don't ask again for the same starvation.
		time.Sleep(time.Minute)
		require.Equal(t, before, f.counter("orders"))
		require.EqualValues(t, 1, g.Stats().Hunger)
		for _, n := range f.calls() {
			require.LessOrEqual(t, n, int64(40))
		}
		require.EqualValues(t, 2, g.Stats().PrefetchDistance, "quiet periods have halved it")
	})
}

func TestDistanceIsBounded(t *testing.T) {
	for most, want := range map[int64]int64{2: 2, 3: 3, 8: 8, 11: 11} {
		synctest.Test(t, func(t *testing.T) {
			_, g := chain(t, segment.Options{Step: 1, SafeDistance: 2, MaxPrefetchDistance: most})
			for range 200 {
				next(t, g)
				require.LessOrEqual(t, g.Stats().PrefetchDistance, want)
			}
			require.Equal(t, want, g.Stats().PrefetchDistance)
		})
	}
}

func TestFailureUndoesTheDoubling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := chain(t, segment.Options{Step: 10, SafeDistance: 2})
		f.set(func(f *fake) { f.err = errDown })
		drain(t, g)
		_, err := g.Next(background)
		require.ErrorIs(t, err, errDown)
		require.EqualValues(t, 1, g.Stats().Hunger)
		require.EqualValues(t, 2, g.Stats().PrefetchDistance)
		// Nor does the outage that follows make it grow.
		for range 100 {
			time.Sleep(time.Second)
			_, _ = g.Next(background)
		}
		require.EqualValues(t, 1, g.Stats().Hunger)
		require.EqualValues(t, 2, g.Stats().PrefetchDistance)
		for _, n := range f.calls() {
			require.LessOrEqual(t, n, int64(40))
		}
	})
}

// A caller runs dry while a fetch is under way that began before. That one lands;
// the larger one after it fails, and with it what hunger did is undone.
func TestFailureOfTheSecondFetchUndoesTheDoubling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := chain(t, segment.Options{Step: 10, SafeDistance: 2})
		for range 10 { // calls for a prefetch
			next(t, g)
		}
		synctest.Wait()
		f.set(func(f *fake) { f.err = errDown }) // from the second on
		drain(t, g)
		next(t, g) // waits for it, and doubles
		require.EqualValues(t, 4, g.Stats().PrefetchDistance)
		time.Sleep(500 * time.Millisecond)
		require.Positive(t, g.Stats().FetchFailures)
		require.EqualValues(t, 2, g.Stats().PrefetchDistance)
	})
}

// A second in which half of the distance is used keeps it, one in which less is
// used halves it.
func TestDistanceIsHalvedBelowAHalf(t *testing.T) {
	for segments, want := range map[int]int64{5: 8, 3: 4} {
		synctest.Test(t, func(t *testing.T) {
			_, g := chain(t, segment.Options{Step: 10, SafeDistance: 2, MaxPrefetchDistance: 8})
			for g.Stats().PrefetchDistance < 8 {
				drain(t, g)
				next(t, g)
			}
			for range 4 * segments * 10 { // four seconds
				next(t, g)
				time.Sleep(time.Second / time.Duration(segments*10))
			}
			require.Equal(t, want, g.Stats().PrefetchDistance, segments)
		})
	}
}

// What hunger has raised is halved also after a rollback was seen to.
func TestResumedChainHalvesItsDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := chain(t, segment.Options{Step: 10, SafeDistance: 2})
		drain(t, g)
		next(t, g)
		require.EqualValues(t, 4, g.Stats().PrefetchDistance)
		f.Restore(store.Contents{})
		drain(t, g)
		_, err := g.Next(background)
		require.ErrorIs(t, err, segment.ErrRolledBack)
		time.Sleep(time.Minute)
		before := g.Stats().PrefetchDistance
		require.Greater(t, before, int64(2))
		_, err = f.Memory.Create(background, orders, 1_000_000)
		require.NoError(t, err)
		g.Resume()
		require.EqualValues(t, 1_000_001, next(t, g))
		time.Sleep(time.Minute)
		require.EqualValues(t, 2, g.Stats().PrefetchDistance)
	})
}

// Resume is for what a rollback has stopped. It ends no back-off.
func TestResumeWithoutARollback(t *testing.T) {
	f := newFake()
	f.err = errDown
	g := newGenerator(t, f, segment.Options{})
	_, err := g.Next(background)
	require.ErrorIs(t, err, errDown)
	g.Resume()
	_, err = g.Next(background)
	require.ErrorIs(t, err, segment.ErrBackoff)
	require.Len(t, f.calls(), 1)
}

// A steady load that has raised the distance keeps it: it isn't halved in each
// period that is without hunger.
func TestSteadyLoadKeepsItsDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := chain(t, segment.Options{Step: 10, SafeDistance: 2})
		run := func(d time.Duration) { // 1000 ids a second
			for start := time.Now(); time.Since(start) < d; time.Sleep(time.Millisecond) {
				next(t, g)
			}
		}
		run(10 * time.Second)
		s := g.Stats()
		require.GreaterOrEqual(t, s.PrefetchDistance, int64(20))
		run(time.Minute)
		require.Equal(t, s.Hunger, g.Stats().Hunger)
		require.Equal(t, s.PrefetchDistance, g.Stats().PrefetchDistance)
		// It is filled up from its half, by one fetch for many segments, however fast
		// the store is by now.
		f.set(func(f *fake) { f.delay = 0 })
		calls := len(f.calls())
		run(10 * time.Second)
		segments := 10 * 1000 / 10
		require.Less(t, len(f.calls())-calls, segments/5)
		require.InDelta(t, 1000, g.Stats().Rate, 100)
		require.InDelta(t, 1000, g.Stats().PeakRate, 200)
		time.Sleep(time.Minute)
		require.EqualValues(t, 2, g.Stats().PrefetchDistance)
	})
}

func TestWithoutBackgroundThereIsNoHunger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, g := chain(t, segment.Options{Step: 10, SafeDistance: 2, NoBackground: true})
		for range 500 {
			next(t, g)
		}
		require.Zero(t, g.Stats().Hunger)
		for _, n := range f.calls() {
			require.EqualValues(t, 20, n)
		}
	})
}

func TestDoubleBufferFetchesAtItsThreshold(t *testing.T) {
	for _, threshold := range []int{1, 20, 50, 100} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			g := newGenerator(t, f, segment.Options{Mode: segment.DoubleBuffer, Step: 100, Threshold: threshold})
			taken := 0
			for f.counter("orders") < 200 {
				next(t, g)
				taken++
				synctest.Wait()
			}
			require.Equal(t, 100-threshold+1, taken)
			require.EqualValues(t, 100+threshold-1, g.Stats().Current+g.Stats().Reserve)
		})
	}
}

// When what is left of a segment would not last for a fetch, the next one is
// fetched sooner: nobody waits.
func TestDoubleBufferFetchesSoonerWhenTheStoreIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = 50 * time.Millisecond // half of a segment
		g := newGenerator(t, f, segment.Options{Mode: segment.DoubleBuffer, Step: 100, Threshold: 1})
		for range 2000 {
			next(t, g)
			time.Sleep(time.Millisecond)
		}
		waits := g.Stats().Waits
		start := time.Now()
		for range 2000 {
			next(t, g)
			time.Sleep(time.Millisecond)
		}
		require.Equal(t, waits, g.Stats().Waits)
		require.Equal(t, 2*time.Second, time.Since(start))
	})
}
