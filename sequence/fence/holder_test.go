package fence_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// What a lease does: it takes the record of a free number, and the fence of that
// number goes on with it.
func TestAHolderThatComesWithTheRecord(t *testing.T) {
	records := store.NewMemory()
	last := newProcess(t, records, clock.NewManual(start), nil)
	made := last.next("orders")
	last.close()

	token, err := fence.NewToken()
	require.NoError(t, err)
	holder := fence.NewHolder(records, key, token)
	inUse := errors.New("in use")
	take := func(found *fence.Record) (fence.Record, error) {
		if found.Held {
			return fence.Record{}, inUse
		}
		next := *found
		next.Owner, next.Bound, next.Expires = "lease", found.Bound+10_000, start.Add(10*time.Second)
		return next, nil
	}
	require.NoError(t, holder.Take(t.Context(), take))
	record, held := holder.Held()
	require.True(t, held)
	require.Equal(t, made+1, record.Floor)
	other, err := fence.NewToken()
	require.NoError(t, err)
	require.ErrorIs(t, fence.NewHolder(records, key, other).Take(t.Context(), take), inUse)

	p := newProcess(t, records, clock.NewManual(start), func(o *fence.Options, _ *sequence.Settings) {
		o.Holder = func(of store.Key) *fence.Holder {
			if of != key {
				return nil
			}
			return holder
		}
	})
	require.Equal(t, made+1, p.next("users"), "at the floor")
	require.Equal(t, token, stored(t, records).Token)
	require.Equal(t, "lease", stored(t, records).Owner)
	p.close()
	require.Equal(t, made+2, stored(t, records).Bound)
	require.NoError(t, holder.Release(t.Context(), 0), "given back already")
	require.Equal(t, made+2, stored(t, records).Bound)
}

// A holder that lost the record before its fence began doesn't take it again.
func TestAHolderThatLostTheRecord(t *testing.T) {
	records := store.NewMemory()
	take := func(*fence.Record) (fence.Record, error) {
		return fence.Record{Space: "orders", Format: fence.Format(layout, scale), Node: nodeNumber, Bound: unit(start)}, nil
	}
	var holders [2]*fence.Holder
	for i := range holders {
		token, err := fence.NewToken()
		require.NoError(t, err)
		holders[i] = fence.NewHolder(records, key, token)
		require.NoError(t, holders[i].Take(t.Context(), take))
	}
	p := newProcess(t, records, clock.NewManual(start), func(o *fence.Options, _ *sequence.Settings) {
		o.Holder = func(store.Key) *fence.Holder { return holders[0] }
	})
	_, err := p.try("orders")
	require.ErrorIs(t, err, fence.ErrLost)
	require.NoError(t, holders[1].Take(t.Context(), take), "its own")
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
