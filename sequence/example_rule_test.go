package sequence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// at is the instant of a unit of milliseconds.
func at(unit int) time.Time { return epoch.Add(time.Duration(unit) * time.Millisecond) }

func TestWorkedExample(t *testing.T) {
	for _, test := range []struct{ t, time, sequence int }{} {
		_ = test
	}
	s := sequence.Settings{Layout: bits.Layout{Time: 61, Sequence: 2}, Timescale: bits.Timescale{Epoch: epoch, Unit: time.Millisecond}, Clock: clock.NewManual(at(3))}
	sp, err := sequence.NewRegistry().Space(s)
	require.NoError(t, err)
	q, err := sp.Sequence("a", 0, 0)
	require.NoError(t, err)
	var got []int
	var c sequence.Caller
	for _, u := range []int{3, 3, 2, 2, 2, 3, 3, 3, 4, 5, 6} {
		id, err := q.NextAt(at(u), &c)
		require.NoError(t, err)
		got = append(got, int(id>>2)*10+int(id&3))
	}
	require.Equal(t, []int{30, 31, 32, 33, 40, 41, 42, 43, 50, 51, 60}, got)
}

func BenchmarkNext(b *testing.B) {
	s := sequence.Settings{Layout: bits.Layout{Time: 41, Sequence: 12, Node: 10}, Timescale: bits.Timescale{Epoch: epoch, Unit: time.Millisecond}, Clock: clock.Default()}
	sp, _ := sequence.NewRegistry().Space(s)
	q, _ := sp.Sequence("a", 0, 0)
	var c sequence.Caller
	b.Run("next", func(b *testing.B) {
		for b.Loop() {
			q.Next(nil, &c)
		}
	})
	b.Run("lookup", func(b *testing.B) {
		for b.Loop() {
			q, _ := sp.Sequence("a", 0, 0)
			q.Next(nil, &c)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				q.Next(nil, &c)
			}
		})
	})
	var dst []int64
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			dst, _ = sequence.Append(nil, q, dst[:0], 1000, &c)
		}
	})
	start := time.Now()
	var w uint64
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			_ = time.Since(start)
			w += 1
		}
	})
}
