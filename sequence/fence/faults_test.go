package fence_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
	"github.com/stampid/go-stamp/telemetry"
)

// Whatever becomes of one write, the fence isn't lost, and what is stored is
// above what was given out.
func TestOneFaultIsNoLoss(t *testing.T) {
	for _, op := range []storetest.Op{storetest.OpGet, storetest.OpCompareAndSet} {
		for kind := storetest.FailBefore; kind <= storetest.Slow; kind++ {
			for _, when := range []string{"taken", "renewed", "closed"} {
				t.Run(string(op)+" "+kind.String()+" when "+when, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						plan := storetest.Script(op, storetest.Fault{Kind: kind, Delay: time.Second})
						memory := store.NewMemory()
						faulty := storetest.NewFaultyRecords(memory, nil)
						b, system := newBubbleClock()
						p := newProcess(t, faulty, system, nil)
						set := func(at string) {
							if at == when {
								faulty.SetPlan(plan)
							}
						}
						set("taken")
						p.next("orders")
						set("renewed")
						for range 20 {
							time.Sleep(500 * time.Millisecond)
							require.Less(t, p.next("orders"), stored(t, memory).Bound)
						}
						set("closed")
						last := p.next("orders")
						if p.fence.Close(context.Background()) != nil {
							p.close()
						}
						require.Empty(t, read(p.events, &p.events.lost))
						require.Equal(t, last+1, stored(t, memory).Bound)
						require.False(t, stored(t, memory).Held)

						q := newProcess(t, memory, b.system(), nil)
						require.Greater(t, q.next("orders"), last)
					})
				})
			}
		}
	}
}

// A client library that repeats a write by itself meets its own first attempt.
type repeats struct{ store.Records }

func (r repeats) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	_ = r.Records.CompareAndSet(ctx, key, old, value)
	return r.Records.CompareAndSet(ctx, key, old, value)
}

func TestARepeatedWriteIsNoLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := repeats{store.NewMemory()}
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		for range 20 {
			p.next("orders")
			time.Sleep(time.Second)
		}
		require.Empty(t, read(p.events, &p.events.failed))
		p.close()
		require.False(t, stored(t, records).Held)
	})
}

// A write that was given up may still arrive, long after.
type late struct {
	store.Records
	armed atomic.Bool // the next write is given up
	given atomic.Pointer[func() error]
}

func (l *late) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	put := func() error { return l.Records.CompareAndSet(context.Background(), key, old, value) }
	if l.armed.CompareAndSwap(true, false) {
		l.given.Store(&put)
		return store.ErrUnknownOutcome
	}
	return l.Records.CompareAndSet(ctx, key, old, value)
}

func TestAWriteThatArrivesLate(t *testing.T) {
	t.Run("before the next", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			records := &late{Records: store.NewMemory()}
			_, system := newBubbleClock()
			p := newProcess(t, records, system, nil)
			p.next("orders")
			records.armed.Store(true)
			time.Sleep(1400 * time.Millisecond)
			p.next("orders")
			time.Sleep(200 * time.Millisecond) // the renewal isn't answered, and made anew
			require.ErrorIs(t, (*records.given.Load())(), store.ErrConflict, "so it can't take place any more")
			time.Sleep(10 * time.Second)
			p.next("orders")
			require.Empty(t, read(p.events, &p.events.lost))
			p.close()
		})
	})
	t.Run("at the start", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			records := &late{Records: store.NewMemory()}
			records.armed.Store(true)
			_, system := newBubbleClock()
			p := newProcess(t, records, system, nil)
			p.next("orders")
			// It is word for word what was written then, if the clock stood still.
			require.ErrorIs(t, (*records.given.Load())(), store.ErrConflict)
			p.close()
		})
	})
}

func TestAnotherProcessTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		b, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		p.next("orders")
		bound := stored(t, records).Bound
		q := newProcess(t, records, b.system(), func(o *fence.Options, _ *sequence.Settings) {
			o.Start, o.Owner = fence.BeginAtBound, "other"
		})
		require.Equal(t, bound, q.next("orders"), "begins where the first one must end")

		time.Sleep(2 * time.Second)
		require.Less(t, p.next("orders"), bound, "what was stored can be used up")
		time.Sleep(2 * time.Second)
		_, err := p.try("orders")
		require.ErrorIs(t, err, fence.ErrLost)
		var lost *fence.LostError
		require.ErrorAs(t, err, &lost)
		require.Equal(t, "other", lost.Found.Owner)
		require.Equal(t, bound, lost.Bound)
		require.ErrorContains(t, err, "orders.fence-")
		require.ErrorContains(t, err, `to "other", until 2026-01-02T00:00:0`)
		require.Len(t, read(p.events, &p.events.lost), 1)
		require.ErrorIs(t, p.space.Health(nodeNumber, &p.caller).Err, fence.ErrLost)

		q.next("orders")
		held := stored(t, records)
		p.close()
		require.Equal(t, held, stored(t, records), "the record is the other's")
	})
}

func TestTheStoreGoesBack(t *testing.T) {
	for name, back := range map[string]func(*storetest.FaultyRecords) error{
		"to an older record": func(f *storetest.FaultyRecords) error { return f.Restore(context.Background()) },
		"to none":            func(f *storetest.FaultyRecords) error { f.Vanish(key); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				faulty := storetest.NewFaultyRecords(store.NewMemory(), nil)
				_, system := newBubbleClock()
				p := newProcess(t, faulty, system, nil)
				p.next("orders")
				require.NoError(t, faulty.Snapshot(t.Context()))
				time.Sleep(10 * time.Second)
				p.next("orders")
				require.NoError(t, back(faulty))
				time.Sleep(1600 * time.Millisecond)
				_, err := p.try("orders")
				require.ErrorIs(t, err, fence.ErrLost, "at once: who takes the record may begin below")
				require.Less(t, unit(system.Read().Wall), unit(start)+13000)
				p.close()
			})
		})
	}
}

func TestARecordThatIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		require.NoError(t, records.CompareAndSet(t.Context(), key, nil, []byte("hello")))
		_, system := newBubbleClock()
		p := newProcess(t, records, system, nil)
		_, err := p.try("orders")
		require.ErrorIs(t, err, fence.ErrRecord)
		require.ErrorContains(t, err, "orders.fence-")
		require.Equal(t, "hello", string(records.Contents().Records[key.String()]))
	})
}

// blocked holds writes up until they are let go, whatever their contexts say.
type blocked struct {
	store.Records
	gate atomic.Pointer[chan struct{}]
}

func (b *blocked) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if gate := b.gate.Load(); gate != nil {
		<-*gate
		return b.Records.CompareAndSet(context.WithoutCancel(ctx), key, old, value)
	}
	return b.Records.CompareAndSet(ctx, key, old, value)
}

// A renewal that succeeds while the fence is being closed doesn't let ids go on.
func TestARenewalUnderWayAtClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := &blocked{Records: store.NewMemory()}
		_, system := newBubbleClock()
		var p *process
		var then []error // of calls while the renewal has just succeeded
		p = newProcess(t, records, system, func(o *fence.Options, _ *sequence.Settings) {
			o.Listener = &telemetry.Listener{OnFenceRenewed: func(e telemetry.FenceRenewed) {
				if !e.Acquired {
					_, err := p.try("orders")
					then = append(then, err)
				}
			}}
		})
		last := p.next("orders")
		gate := make(chan struct{})
		records.gate.Store(&gate)
		time.Sleep(2 * time.Second)
		closed := make(chan error)
		go func() { closed <- p.fence.Close(context.Background()) }()
		synctest.Wait()
		records.gate.Store(nil)
		close(gate)
		require.NoError(t, <-closed)
		require.Len(t, then, 1)
		require.ErrorIs(t, then[0], fence.ErrStopped)
		_, err := p.try("orders")
		require.ErrorIs(t, err, fence.ErrStopped)
		require.Equal(t, last+1, stored(t, records).Bound)
	})
}
