package sequence_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence"
)

// claimed is the count of an id, 0 if it isn't in use.
func (f *fixture) claimed(id string) uint64 {
	for _, u := range f.reg.Usage() {
		if u.SequenceID == id {
			return u.Claimed
		}
	}
	return 0
}

func TestUsageCountsWhatIsClaimed(t *testing.T) {
	for name, change := range map[string]func(*sequence.Settings){
		"from zero": nil,
		"spread":    func(s *sequence.Settings) { s.Start = sequence.Spread },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, layoutWith(4), change)
			require.Empty(t, f.reg.Usage())
			s := f.sequence("orders", 0, 0)
			require.Zero(t, f.claimed("orders"))
			made := uint64(0)
			for _, step := range []time.Duration{0, time.Millisecond, time.Hour, -2 * time.Hour, time.Second, 3 * time.Hour} {
				f.clock.Advance(max(step, 0))
				f.clock.Step(min(step, 0))
				for range 3 {
					f.next(s)
				}
				f.appendN(s, 100)
				_, err := s.NextAt(f.start.Add(time.Minute), &f.caller)
				require.NoError(t, err)
				made += 104
				require.Equal(t, made, f.claimed("orders"), "%v", step)
			}
		})
	}
}

func TestUsageOfEachID(t *testing.T) {
	f := newFixture(t, bits.Layout{Partition: 2, Time: 41, Node: 16, Sequence: 4}, nil)
	f.appendN(f.sequence("users", 3, 1), 100)
	f.appendN(f.sequence("users", 3, 2), 10)
	f.next(f.sequence("orders", 4, 0))
	require.Equal(t, []sequence.Usage{
		{SequenceID: "orders", Sequences: 1, Claimed: 1},
		{SequenceID: "users", Sequences: 2, Claimed: 110},
	}, f.reg.Usage())

	f.reg.Drop("users")
	require.Len(t, f.reg.Usage(), 1)
	f.next(f.sequence("users", 3, 0))
	require.EqualValues(t, 1, f.claimed("users"), "the words below the floor of the dropped ones aren't its own")
}

// What a limit refuses moves nothing, and counts for nothing.
func TestUsageAtALimit(t *testing.T) {
	f := newFixture(t, layoutWith(4), func(s *sequence.Settings) { s.AheadPolicy = sequence.Fail })
	s := f.sequence("orders", 0, 0)
	f.appendN(s, 16)
	for range 100 {
		_, err := s.Next(noContext, &f.caller)
		require.ErrorIs(t, err, sequence.ErrAhead)
	}
	require.EqualValues(t, 16, f.claimed("orders"))
}

// The count never falls and never runs ahead of what was asked for, whatever
// moves the word meanwhile. Each call passes over a million words.
func TestUsageWhileIDsAreMade(t *testing.T) {
	f := newFixture(t, layoutWith(20), nil)
	const goroutines, each = 4, 20_000
	s := f.sequence("orders", 0, 0)
	var millis atomic.Int64
	var making sync.WaitGroup
	for range goroutines {
		making.Go(func() {
			for range each {
				at := f.start.Add(time.Duration(millis.Add(1)) * time.Millisecond)
				if _, err := s.NextAt(at, &f.caller); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		making.Wait()
	}()
	last := uint64(0)
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		now := f.claimed("orders")
		require.GreaterOrEqual(t, now, last)
		require.LessOrEqual(t, now, uint64(goroutines*each))
		last = now
	}
	require.EqualValues(t, goroutines*each, last)
}

// Ids come and go while they are looked at.
func TestUsageWhileIDsComeAndGo(t *testing.T) {
	f := newFixture(t, layoutWith(4), nil)
	f.next(f.sequence("stays", 0, 0))
	var going sync.WaitGroup
	for g := range 3 {
		going.Go(func() {
			for i := range 300 {
				id := string(rune('a'+g)) + string(rune('a'+i%26))
				s, err := f.space.Sequence(id, 0, 0)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = s.Next(noContext, &f.caller) // dropped by now, perhaps
				f.reg.Drop(id)
			}
		})
	}
	for range 300 {
		for _, u := range f.reg.Usage() {
			require.LessOrEqual(t, u.Claimed, uint64(300))
		}
	}
	going.Wait()
	require.Equal(t, []sequence.Usage{{SequenceID: "stays", Sequences: 1, Claimed: 1}}, f.reg.Usage())
}
