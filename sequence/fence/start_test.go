package fence_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// A row is what happens to the first id of a process that finds a bound ahead of
// its clock.
func TestStartBehindTheBound(t *testing.T) {
	const window = fence.DefaultWindow
	const most = fence.DefaultCap - 2*window // from here on there isn't room to begin
	for _, row := range []struct {
		start  fence.Start
		beyond fence.BeyondCap
		ahead  time.Duration // the bound
		want   time.Duration // how long the first id waits, -1: it begins at once, -2: it fails at once, -3: it gives up
	}{
		{ahead: 0, want: 0},
		{ahead: time.Millisecond, want: time.Millisecond},
		{ahead: window, want: window},
		{ahead: 2 * window, want: 2 * window},
		{ahead: 2*window + time.Millisecond, want: -1},
		{ahead: most - time.Millisecond, want: -1},
		{ahead: most, want: -2},
		{ahead: time.Hour, want: -2},
		{ahead: time.Hour, beyond: fence.WaitBeyondCap, want: -3},
		{start: fence.WaitForClock, ahead: 9 * time.Second, want: 9 * time.Second},
		{start: fence.WaitForClock, ahead: 11 * time.Second, want: -3},
		{start: fence.WaitForClock, ahead: time.Hour, want: -2},
		{start: fence.BeginAtBound, ahead: time.Millisecond, want: -1},
		{start: fence.BeginAtBound, ahead: most - time.Millisecond, want: -1},
		{start: fence.BeginAtBound, ahead: most, want: -2},
	} {
		t.Run(fmt.Sprintf("%v, %v, %v ahead", row.start, row.beyond, row.ahead), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				records := store.NewMemory()
				b, system := newBubbleClock()
				p := newProcess(t, records, system, nil)
				p.next("orders")
				crash(t, p)
				b.step(window - row.ahead)
				floor := stored(t, records).Bound
				q := newProcess(t, records, b.system(), func(o *fence.Options, _ *sequence.Settings) {
					o.Start, o.BeyondCap = row.start, row.beyond
				})
				before := time.Now()
				got, err := q.try("orders")
				took := time.Since(before)
				behind := read(q.events, &q.events.behind)
				require.Len(t, behind, int(min(1, row.ahead)), "told once")
				switch row.want {
				case -1:
					require.NoError(t, err)
					require.Zero(t, took)
					require.Equal(t, floor, got)
					require.True(t, behind[0].Begins)
					require.Equal(t, row.ahead, behind[0].By)
				case -2, -3:
					require.ErrorIs(t, err, fence.ErrBehind)
					require.ErrorIs(t, q.space.Health(nodeNumber, &q.caller).Err, fence.ErrBehind)
					if row.want == -2 {
						require.Zero(t, took)
					} else {
						require.ErrorIs(t, err, context.DeadlineExceeded)
						require.Equal(t, q.caller.Timeout, took)
					}
				default:
					require.NoError(t, err)
					require.Equal(t, row.want, took)
					require.GreaterOrEqual(t, got, floor)
				}
			})
		})
	}
}

// What fails beyond the cap goes on by itself when the clock is near enough.
func TestTheClockCatchesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		b, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		p.next("orders")
		crash(t, p)
		b.step(-time.Hour)
		q := newProcess(t, records, b.system(), nil)
		_, err := q.try("orders")
		require.ErrorIs(t, err, fence.ErrBehind)
		require.ErrorContains(t, err, "1h0m3s less")
		time.Sleep(59*time.Minute + 20*time.Second)
		require.Equal(t, stored(t, records).Floor, q.next("orders"))
	})
}

// A thousand crashes, one after the other while the clock stands, leave the
// bound within the cap of the clock.
func TestACrashLoopDoesNotWalkTheBoundAway(t *testing.T) {
	for _, policy := range []fence.Start{fence.WaitOrBegin, fence.WaitForClock, fence.BeginAtBound} {
		for _, ahead := range []sequence.AheadPolicy{sequence.Advance, sequence.Fail} {
			t.Run(fmt.Sprintf("%v, %v", policy, ahead), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					records := store.NewMemory()
					b, _ := newBubbleClock()
					made := 0 // without time passing
					for range 1000 {
						p := newProcess(t, records, b.system(), func(o *fence.Options, s *sequence.Settings) {
							o.Start = policy
							s.AheadPolicy, s.MaxAhead = ahead, 57*time.Second
						})
						p.caller.Timeout = time.Nanosecond
						_ = p.space.Open(ended(), nodeNumber, &p.caller)
						synctest.Wait()
						// It drives time as far ahead as it may.
						for d := time.Duration(0); d <= time.Minute; d += 2900 * time.Millisecond {
							if _, err := p.at("orders", time.Now().Add(b.offset+d)); err == nil {
								made++
							}
							synctest.Wait()
						}
						synctest.Wait()
						crash(t, p)
						bound := stored(t, records).Bound
						require.LessOrEqual(t, bound, unit(time.Now().Add(b.offset).Add(time.Minute)))
					}
					require.Positive(t, made)
				})
			})
		}
	}
}

// A second process with the node of a living one is refused, and takes over
// when that one is dead.
func TestASecondProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		b, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		p.next("orders")
		q := newProcess(t, records, b.system(), nil)
		for range 5 {
			_, err := q.try("orders")
			require.ErrorIs(t, err, fence.ErrHeld)
			require.ErrorContains(t, err, `in use by "test"`)
			var held *fence.HeldError
			require.ErrorAs(t, err, &held)
			require.Equal(t, "test", held.Owner)
			time.Sleep(3 * time.Second)
		}
		p.next("orders")
		crash(t, p)
		time.Sleep(4 * time.Second)
		q.next("orders")
		require.Empty(t, read(p.events, &p.events.lost))
	})
}
