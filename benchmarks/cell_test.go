package main

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunDoesTheWork(t *testing.T) {
	for _, goroutines := range levels {
		var started atomic.Int32
		add := atomicAdd()
		s := &subject{name: "counted", count: add.count, worker: func(i int) work {
			started.Add(1)
			return add.worker(i)
		}}
		c := newCell(s, goroutines)
		c.n, c.warm = 1000, 10
		got, err := c.run()
		require.NoError(t, err)
		require.EqualValues(t, goroutines, started.Load())
		require.EqualValues(t, goroutines*1010, add.count())
		require.Positive(t, got.ns)
		require.Positive(t, got.took)
	}
}

func TestRunPreparesFirst(t *testing.T) {
	ready := false
	s := shared("prepared", func(int) (uint64, error) {
		if !ready {
			return 0, errors.New("not prepared")
		}
		return 1, nil
	})
	s.prepare = func() { ready = true }
	_, err := newCell(s, 1).run()
	require.NoError(t, err)
}

func TestWhatIsBroken(t *testing.T) {
	failure := errors.New("a failure")
	n := new(atomic.Uint64)
	panicking := shared("panics", func(int) (uint64, error) { panic("why") })
	uncounted := shared("skips", func(int) (uint64, error) { return n.Add(1), nil })
	uncounted.count = n.Load
	for name, c := range map[string]struct {
		subject *subject
		want    string
	}{
		"an error":   {shared("fails", func(int) (uint64, error) { return 1, failure }), "a failure"},
		"zero":       {shared("zero", func(int) (uint64, error) { return 0, nil }), errZero.Error()},
		"twice":      {shared("same", func(int) (uint64, error) { return 7, nil }), errRepeat.Error()},
		"a panic":    {panicking, "panic: why"},
		"work skips": {uncounted, "counted"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, goroutines := range []int{1, 4} {
				cell := newCell(c.subject, goroutines)
				var err error
				for range 2 {
					if err == nil {
						_, err = cell.run()
					}
				}
				require.ErrorContains(t, err, c.want)
			}
			if name != "work skips" {
				require.ErrorContains(t, c.subject.verify(), c.want)
			}
			_, err := measure([]pair{{"broken", 1, c.subject, atomicAdd()}}, 2, func(int) {})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestCheckIsAsked(t *testing.T) {
	s := atomicAdd()
	s.check = func() error { return errors.New("reads wrong") }
	require.ErrorContains(t, s.verify(), "atomic add: reads wrong")
}

func TestCalibrate(t *testing.T) {
	c := newCell(atomicAdd(), 1)
	require.NoError(t, c.calibrate())
	require.Greater(t, c.n, 64, "an add is short against a slice")

	waits := atomicAdd()
	waits.quota = 256
	c = newCell(waits, 16)
	require.NoError(t, c.calibrate())
	require.Equal(t, 16, c.warm, "together one unit")
	require.Equal(t, (waitUnits*256-64)/16, c.n)
}

func TestRoundsRotateAndSwap(t *testing.T) {
	var order []string
	made := new(atomic.Uint64)
	note := func(name string) *subject {
		s := shared(name, func(int) (uint64, error) {
			if len(order) == 0 || order[len(order)-1] != name {
				order = append(order, name)
			}
			return made.Add(1), nil
		})
		s.quota = 4 // one turn a round, no calibration
		return s
	}
	pairs := []pair{{"one", 1, note("s1"), note("f1")}, {"two", 1, note("s2"), note("f2")}}
	results, err := measure(pairs, 2, func(int) {})
	require.NoError(t, err)
	require.Equal(t, []string{"f1", "s1", "f2", "s2", "s2", "f2", "s1", "f1"}, append(order[:4:4], expand(order[4:])...))
	for _, r := range results {
		require.Equal(t, 2, r.ratio.Count)
		require.Zero(t, r.dropped)
	}
}

// expand doubles the first name, which ended one round and began the next.
func expand(order []string) []string { return append([]string{"s2"}, order...) }
