package fence_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

func TestTheFirstIDTakesTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		require.Empty(t, records.Contents().Records, "nothing is stored before")

		require.Equal(t, unit(start), p.next("orders"))
		r := stored(t, records)
		require.Equal(t, fence.Record{
			Space: "orders", Format: "2/41/8/12 1ms 2026-01-01T00:00:00Z", Node: nodeNumber,
			Held: true, Owner: "test", Token: r.Token,
			Floor: 0, Bound: unit(start) + 3000, Expires: start.Add(3 * time.Second),
		}, r)
		require.Equal(t, sequence.FenceStatus{
			Space: "orders", Node: nodeNumber, Held: true, Floor: epoch, Bound: start.Add(3 * time.Second),
		}, p.status())
		require.True(t, read(p.events, &p.events.renewed)[0].Acquired)
	})
}

func TestTheBoundFollowsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		p.next("orders")
		for range 100 {
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			left := stored(t, records).Bound - unit(system.Read().Reference)
			require.Greater(t, left, uint64(1490))
			require.LessOrEqual(t, left, uint64(3000))
		}
		require.Len(t, read(p.events, &p.events.renewed), 7, "about every half of a window")
	})
}

// What a process made is below what was stored at that moment.
func TestEveryIDIsBelowTheStoredBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		highest := uint64(0)
		for range 300 { // 2^20 ids are 256 ms of this layout
			ids, err := sequence.Append[int64](context.Background(), p.sequence("orders", 0), nil, 1<<16, &p.caller)
			require.NoError(t, err)
			highest = max(highest, p.unit(ids[len(ids)-1]))
			require.Less(t, p.unit(ids[len(ids)-1]), stored(t, records).Bound)
			require.LessOrEqual(t, highest, unit(system.Read().Reference)+3000, "a window is how far ids may be ahead")
		}
		require.Greater(t, highest, unit(start)+3000)
	})
}

func TestARestartBeginsAtTheBound(t *testing.T) {
	for name, row := range map[string]struct {
		clean bool
		want  time.Duration // of the first id of the next process
		wait  time.Duration // until it is made
	}{
		"after a crash":      {false, 3 * time.Second, 3 * time.Second},
		"after a clean stop": {true, time.Millisecond, time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				records := store.NewMemory()
				b, system := newBubbleClock()
				p := newProcess(t, records, system, nil)
				p.next("orders")
				crash(t, p)
				if row.clean {
					p.close()
					require.False(t, stored(t, records).Held)
				}
				before := time.Now()
				q := newProcess(t, records, b.system(), nil)
				require.Equal(t, unit(start.Add(row.want)), q.next("users"))
				require.Equal(t, row.wait, time.Since(before))
				require.Equal(t, unit(start.Add(row.want)), stored(t, records).Floor)
			})
		})
	}
}

// crash ends a process's goroutine without letting it write.
func crash(t *testing.T, p *process) {
	t.Helper()
	_ = p.fence.Close(ended())
}

func TestAfterCloseThereAreNoIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		ids, err := sequence.Append[int64](context.Background(), p.sequence("orders", 1), nil, 5000, &p.caller)
		require.NoError(t, err)
		p.close()
		require.Equal(t, p.unit(ids[4999])+1, stored(t, records).Bound, "one past the last id")
		contents := records.Contents()
		p.close()
		require.Equal(t, contents, records.Contents(), "a second time changes nothing")

		for _, id := range []string{"orders", "new"} {
			_, err = p.try(id)
			require.ErrorIs(t, err, fence.ErrStopped)
			_, err = p.at(id, start)
			require.ErrorIs(t, err, fence.ErrStopped)
		}
		_, err = sequence.Append[int64](context.Background(), p.sequence("orders", 1), nil, 5, &p.caller)
		require.ErrorIs(t, err, fence.ErrStopped)
		h := p.space.Health(nodeNumber, &p.caller)
		require.ErrorIs(t, h.Err, fence.ErrStopped)
		_, err = p.space.Sequence("other", nodeNumber+1, 0)
		require.ErrorIs(t, err, fence.ErrStopped, "nor does another node begin")
	})
}

// A dropped sequence may have made the last id.
func TestCloseCountsDroppedSequences(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		p.next("users")
		id, err := p.at("orders", start.Add(2*time.Second))
		require.NoError(t, err)
		p.reg.Drop("orders")
		p.close()
		require.Equal(t, p.unit(id)+1, stored(t, records).Bound)
	})
}

// A sequence that another one's drop lets begin far ahead, where it can't make
// ids, doesn't take the bound there.
func TestCloseStoresNoMoreThanTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		settings := p.space.Settings()
		settings.Fence = nil
		free := &process{t: t, space: mustSpace(t, p.reg, settings)}
		_, err := free.at("elsewhere", start.Add(30*time.Minute))
		require.NoError(t, err)
		p.reg.Drop("elsewhere")

		require.NoError(t, p.space.Open(t.Context(), nodeNumber, &p.caller))
		p.caller.Timeout = time.Millisecond
		_, err = p.try("orders")
		require.ErrorIs(t, err, sequence.ErrAhead)
		bound := stored(t, records).Bound
		p.close()
		require.Equal(t, bound, stored(t, records).Bound)
	})
}

func TestCloseWithoutAnID(t *testing.T) {
	faulty := storetest.NewFaultyRecords(store.NewMemory(), nil)
	f, err := fence.New(faulty, fence.Options{Space: "orders"})
	require.NoError(t, err)
	require.NoError(t, f.Close(ended()))
	require.Zero(t, faulty.Calls(storetest.OpGet))
}

// The record of a process that made no id goes back to what it found.
func TestCloseOfAnUnusedRecordKeepsTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		b, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		p.next("orders")
		crash(t, p)
		found := stored(t, records).Bound
		b.step(-time.Minute)
		q := newProcess(t, records, b.system(), func(o *fence.Options, _ *sequence.Settings) {
			o.Start, o.Cap = fence.BeginAtBound, 2*time.Minute
		})
		require.NoError(t, q.space.Open(context.Background(), nodeNumber, &q.caller))
		require.Greater(t, stored(t, records).Bound, found)
		q.close()
		require.Equal(t, found, stored(t, records).Bound)
	})
}

func TestCloseAgainAfterItFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faulty := storetest.NewFaultyRecords(store.NewMemory(), nil)
		_, system := newBubbleClock()
		p := newProcess(t, faulty, system, nil)
		made := p.next("orders")
		faulty.SetPlan(storetest.Script(storetest.OpCompareAndSet, storetest.Fault{Kind: storetest.FailBefore}))
		require.ErrorIs(t, p.fence.Close(context.Background()), storetest.ErrInjected)
		_, err := p.try("orders")
		require.ErrorIs(t, err, fence.ErrStopped)
		p.close()
		require.Equal(t, made+1, stored(t, faulty).Bound)
	})
}

func TestAStoreThatIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faulty := storetest.NewFaultyRecords(store.NewMemory(), nil)
		_, system := newBubbleClock()
		p := newProcess(t, faulty, system, nil)
		p.next("orders")
		away := errors.New("connection refused")
		faulty.SetPlan(func(storetest.Call) storetest.Fault {
			return storetest.Fault{Kind: storetest.FailBefore, Err: away}
		})
		time.Sleep(2900 * time.Millisecond)
		p.next("orders") // the reserve
		require.ErrorIs(t, p.space.Health(nodeNumber, &p.caller).Fence.Err, away)
		require.NoError(t, p.space.Health(nodeNumber, &p.caller).Err, "ids can be made")

		time.Sleep(time.Second)
		before := time.Now()
		_, err := p.try("orders")
		require.ErrorIs(t, err, fence.ErrUnavailable)
		require.ErrorIs(t, err, away)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, p.caller.Timeout, time.Since(before), "a call without a context waits for its timeout")
		require.ErrorIs(t, p.space.Health(nodeNumber, &p.caller).Err, away)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = p.sequence("orders", 0).Next(ctx, &p.caller)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, p.caller.Timeout+time.Second, time.Since(before))

		// Pauses grow to a quarter of the window: no storm.
		calls := faulty.Calls(storetest.OpGet)
		time.Sleep(time.Minute)
		require.InDelta(t, 60/0.6, faulty.Calls(storetest.OpGet)-calls, 40)

		faulty.SetPlan(nil)
		p.next("orders")
		require.NoError(t, p.space.Health(nodeNumber, &p.caller).Err)
		failed := read(p.events, &p.events.failed)
		require.NotEmpty(t, failed)
		require.Positive(t, failed[0].Left)
		require.Zero(t, failed[len(failed)-1].Left)
	})
}

func TestFailDoesNotWaitForTheFence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faulty := storetest.NewFaultyRecords(store.NewMemory(), nil)
		_, system := newBubbleClock()
		p := newProcess(t, faulty, system, func(_ *fence.Options, s *sequence.Settings) { s.AheadPolicy = sequence.Fail })
		before := time.Now()
		_, err := p.try("orders")
		require.ErrorIs(t, err, fence.ErrUnavailable)
		_, err = p.at("orders", start)
		require.ErrorIs(t, err, fence.ErrUnavailable)
		require.NoError(t, p.space.Open(context.Background(), nodeNumber, &p.caller))
		p.next("orders")
		faulty.SetPlan(func(storetest.Call) storetest.Fault { return storetest.Fault{Kind: storetest.Hang} })
		require.Zero(t, time.Since(before))
		time.Sleep(4 * time.Second)
		before = time.Now()
		_, err = p.try("orders")
		require.ErrorIs(t, err, fence.ErrUnavailable)
		require.Zero(t, time.Since(before))
	})
}

func TestNextAtWaitsForTheFenceButNotForTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		id, err := p.at("orders", start.Add(2900*time.Millisecond))
		require.NoError(t, err)
		require.Equal(t, unit(start)+2900, p.unit(id))
		require.Equal(t, unit(start)+2900+1+3000, stored(t, records).Bound)
		_, err = p.at("orders", start.Add(3001*time.Millisecond))
		require.ErrorIs(t, err, sequence.ErrAhead)
		require.Zero(t, system.Read().Reference.Sub(start), "t never moves reference time")
	})
}

// A thousand callers at the bound share one renewal.
func TestOneRenewalForAllCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faulty := storetest.NewFaultyRecords(store.NewMemory(), func(c storetest.Call) storetest.Fault {
			return storetest.Fault{Kind: storetest.Slow, Delay: 200 * time.Millisecond}
		})
		_, system := newBubbleClock()
		p := newProcess(t, faulty, system, nil)
		done := make(chan error, 1000)
		for range cap(done) {
			go func() {
				_, err := p.try("orders")
				done <- err
			}()
		}
		for range cap(done) {
			require.NoError(t, <-done)
		}
		require.Equal(t, 1, faulty.Calls(storetest.OpCompareAndSet))
	})
}
