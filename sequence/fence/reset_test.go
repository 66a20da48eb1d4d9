package fence_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

func reset(records store.Records, shown []byte, bound uint64) (fence.Record, error) {
	return fence.Reset(context.Background(), records, "orders", layout, scale, nodeNumber, shown, bound)
}

// A clock that was years ahead has driven the bound there. After a reset ids are
// made again, from the bound that was chosen.
func TestResetBringsABoundBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		b, c := newBubbleClock()
		b.step(10 * 365 * 24 * time.Hour)
		wrong := newProcess(t, records, b.system(), nil)
		wrong.next("a")
		wrong.close()
		b.step(-10 * 365 * 24 * time.Hour)
		stuck := newProcess(t, records, b.system(), nil)
		_, err := stuck.try("a")
		require.ErrorIs(t, err, fence.ErrBehind)
		stuck.close()

		shown, err := records.Get(t.Context(), key)
		require.NoError(t, err)
		bound := unit(c.Read().Wall.Add(time.Second))
		made, err := reset(records, shown, bound)
		require.NoError(t, err)
		require.Equal(t, made, stored(t, records))
		require.False(t, made.Held)
		require.Equal(t, fence.ResetOwner, made.Owner)

		again := newProcess(t, records, b.system(), nil)
		require.GreaterOrEqual(t, again.next("a"), bound)
	})
}

// A process that runs all the same stops.
func TestResetStopsWhoHoldsTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := store.NewMemory()
		_, c := newBubbleClock()
		p := newProcess(t, records, c, nil)
		p.next("a")
		shown, err := records.Get(t.Context(), key)
		require.NoError(t, err)
		_, err = reset(records, shown, unit(start))
		require.NoError(t, err)
		time.Sleep(10 * time.Second)
		_, err = p.try("a")
		require.ErrorIs(t, err, fence.ErrLost)
	})
}

// What changed since it was shown stays.
func TestResetIsConditional(t *testing.T) {
	records := store.NewMemory()
	record := fence.Record{
		Space: "orders", Format: fence.Format(layout, scale), Node: nodeNumber, Held: true, Owner: "a",
		Token: "00000000000000000000000000000001", Bound: 1000, Expires: start, Place: "machine x",
	}
	before, err := record.Encode()
	require.NoError(t, err)
	record.Bound = 2000
	now, err := record.Encode()
	require.NoError(t, err)
	require.NoError(t, records.CompareAndSet(t.Context(), key, nil, now))
	_, err = reset(records, before, 500)
	require.ErrorIs(t, err, store.ErrConflict)
	require.EqualValues(t, 2000, stored(t, records).Bound)

	made, err := reset(records, now, 500)
	require.NoError(t, err)
	require.Equal(t, "machine x", made.Place, "a folder stays what it was")
	require.EqualValues(t, 500, stored(t, records).Bound)
}

func TestResetOfARecordThatCantBeRead(t *testing.T) {
	records := store.NewMemory()
	require.NoError(t, records.CompareAndSet(t.Context(), key, nil, []byte("what is this?")))
	_, err := reset(records, []byte("what is this?"), 500)
	require.NoError(t, err)
	require.EqualValues(t, 500, stored(t, records).Bound)
}

// An answer that is lost isn't a failure.
func TestResetWithoutAnAnswer(t *testing.T) {
	memory := store.NewMemory()
	require.NoError(t, memory.CompareAndSet(t.Context(), key, nil, []byte("old")))
	lossy := storetest.NewFaultyRecords(memory, func(call storetest.Call) storetest.Fault {
		if call.Op == storetest.OpCompareAndSet {
			return storetest.Fault{Kind: storetest.LoseReply}
		}
		return storetest.Fault{}
	})
	_, err := reset(lossy, []byte("old"), 500)
	require.NoError(t, err)
	require.EqualValues(t, 500, stored(t, memory).Bound)
}

func TestResetRefuses(t *testing.T) {
	records := store.NewMemory()
	for name, call := range map[string]func() error{
		"bound":     func() error { _, err := reset(records, []byte("x"), math.MaxUint64); return err },
		"no record": func() error { _, err := reset(records, nil, 5); return err },
		"node": func() error {
			_, err := fence.Reset(t.Context(), records, "orders", layout, scale, 256, []byte("x"), 5)
			return err
		},
	} {
		require.ErrorIs(t, call(), fence.ErrOptions, name)
	}
}
