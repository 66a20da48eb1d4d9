package storetest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

func TestMemory(t *testing.T) {
	memory := store.NewMemory()
	storetest.Run(t, func(*testing.T) store.Counters { return memory })
	storetest.RunRecords(t, func(*testing.T) store.Records { return memory })
	storetest.RunExpiring(t, func(*testing.T) store.Expiring { return memory })
}

// A wrapper without faults changes nothing, before a restore and after it.
func TestFaultyPasses(t *testing.T) {
	memory := store.NewMemory()
	counters := storetest.NewFaulty(memory, nil)
	records := storetest.NewFaultyRecords(memory, nil)
	for range 2 {
		storetest.Run(t, func(*testing.T) store.Counters { return counters })
		storetest.RunRecords(t, func(*testing.T) store.Records { return records })
		require.NoError(t, counters.Snapshot(t.Context()), "refused keys are in the way")
		require.NoError(t, records.Snapshot(t.Context()))
		require.NoError(t, counters.Restore(t.Context()))
		require.NoError(t, records.Restore(t.Context()))
	}
}
