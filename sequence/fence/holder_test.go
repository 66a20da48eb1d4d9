package fence_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

const ttl = 10 * time.Second

// leasing makes a fence's records run out.
func leasing(o *fence.Options, _ *sequence.Settings) { o.TTL = ttl }

func free(found *fence.Record) error {
	if found != nil && found.Held {
		return errInUse
	}
	return nil
}

var errInUse = errors.New("in use")

// What a lease does: it takes the record of a free number, and the fence of that
// number goes on with it, under one token.
func TestAReservedRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		last := newProcess(t, records, clock.NewManual(start), leasing)
		made := last.next("orders")
		last.close()

		p := newProcess(t, records, clock.NewManual(start), leasing)
		_, err := p.fence.Reserve(t.Context(), layout, scale, nodeNumber, free)
		require.NoError(t, err)
		found := stored(t, records)
		require.True(t, found.Held)
		require.Equal(t, made+1, found.Floor)
		require.Equal(t, made+1, found.Bound, "no ids yet")

		other := newProcess(t, records, clock.NewManual(start), leasing)
		_, err = other.fence.Reserve(t.Context(), layout, scale, nodeNumber, free)
		require.ErrorIs(t, err, errInUse)
		_, err = p.fence.Reserve(t.Context(), layout, scale, nodeNumber, func(*fence.Record) error { return nil })
		require.ErrorIs(t, err, fence.ErrHeld)
		require.Equal(t, found, stored(t, records), "the reservation isn't touched")

		r, err := p.fence.Reserve(t.Context(), layout, scale, nodeNumber+1, free)
		require.NoError(t, err)
		for range 10 { // before there are ids
			time.Sleep(ttl / 2)
			done, err := r.Keep(t.Context())
			require.NoError(t, err)
			require.False(t, done)
		}
		_, left, err := records.GetExpiring(t.Context(), fence.Key("orders", fence.Format(layout, scale), nodeNumber+1))
		require.NoError(t, err)
		require.Equal(t, ttl, left)
		p.close()
	})
}

// The fence goes on where the reservation is.
func TestIDsOfAReservedRecord(t *testing.T) {
	records := store.NewMemory()
	last := newProcess(t, records, clock.NewManual(start), leasing)
	made := last.next("orders")
	last.close()

	p := newProcess(t, records, clock.NewManual(start.Add(time.Millisecond)), leasing)
	r, err := p.fence.Reserve(t.Context(), layout, scale, nodeNumber, free)
	require.NoError(t, err)
	token := stored(t, records).Token
	require.Equal(t, made+1, p.next("users"), "at the floor")
	require.Equal(t, token, stored(t, records).Token)
	done, err := r.Keep(t.Context())
	require.NoError(t, err)
	require.True(t, done, "the fence keeps it")
	p.close()
	require.Equal(t, made+2, stored(t, records).Bound)
	require.False(t, stored(t, records).Held)
}

// A reservation that was lost before its fence began isn't taken again.
func TestALostReservation(t *testing.T) {
	records := store.NewMemory()
	p := newProcess(t, records, clock.NewManual(start), leasing)
	r, err := p.fence.Reserve(t.Context(), layout, scale, nodeNumber, free)
	require.NoError(t, err)
	other := newProcess(t, records, clock.NewManual(start), leasing)
	_, err = other.fence.Reserve(t.Context(), layout, scale, nodeNumber, func(*fence.Record) error { return nil })
	require.NoError(t, err)
	done, err := r.Keep(t.Context())
	require.ErrorIs(t, err, fence.ErrLost)
	require.True(t, done)
	_, err = p.try("orders")
	require.ErrorIs(t, err, fence.ErrLost)
	other.next("orders")
}

// The clock is behind what an earlier owner left: a reservation walks by no bound.
func TestAReservationBehindTheClock(t *testing.T) {
	records := store.NewMemory()
	last := newProcess(t, records, clock.NewManual(start.Add(time.Hour)), leasing)
	last.next("orders")
	last.close()
	bound := stored(t, records).Bound
	for range 3 {
		p := newProcess(t, records, clock.NewManual(start), leasing)
		_, err := p.fence.Reserve(t.Context(), layout, scale, nodeNumber, free)
		require.NoError(t, err)
		_, err = p.try("orders")
		require.ErrorIs(t, err, fence.ErrBehind)
		p.close()
		require.Equal(t, bound, stored(t, records).Bound)
	}
}

// No outcome of the write that takes it leaves a record that nobody keeps.
func TestAReservationThatFails(t *testing.T) {
	for _, kind := range []storetest.Kind{storetest.FailBefore, storetest.FailAfter, storetest.LoseRequest, storetest.LoseReply} {
		memory := store.NewMemory()
		records := storetest.NewFaultyRecords(memory, func(c storetest.Call) storetest.Fault {
			if c.Op == storetest.OpCompareAndSet && c.Number == 1 {
				return storetest.Fault{Kind: kind}
			}
			return storetest.Fault{}
		})
		p := newProcess(t, records, clock.NewManual(start), leasing)
		_, err := p.fence.Reserve(t.Context(), layout, scale, nodeNumber, free)
		if err != nil {
			text, err := memory.Get(t.Context(), key)
			require.NoError(t, err)
			if len(text) > 0 {
				found, err := fence.Decode(text)
				require.NoError(t, err)
				require.False(t, found.Held, "%v", kind)
			}
		}
		_, err = p.fence.Reserve(t.Context(), layout, scale, nodeNumber+1, free)
		require.NoError(t, err)
	}
}

func TestTTLNeedsAStoreThatKnowsTime(t *testing.T) {
	_, err := fence.New(struct{ store.Records }{store.NewMemory()}, fence.Options{Space: "orders", TTL: ttl})
	require.ErrorIs(t, err, fence.ErrOptions)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	for _, wrong := range []time.Duration{-1, time.Second, store.MaxTTL + 1} {
		_, err := fence.New(store.NewMemory(), fence.Options{Space: "orders", TTL: wrong})
		require.ErrorIs(t, err, fence.ErrOptions, wrong)
	}
}

func TestAHolderDoesNotTakeTheRecordOfAnotherFormat(t *testing.T) {
	records := store.NewMemory()
	p := newProcess(t, records, clock.NewManual(start), nil)
	p.next("orders")
	token, err := fence.NewToken()
	require.NoError(t, err)
	err = fence.NewHolder(records, key, token).Take(t.Context(), func(found *fence.Record) (fence.Record, error) {
		next := *found
		next.Format = "another"
		return next, nil
	})
	require.ErrorIs(t, err, fence.ErrRecord)
}
