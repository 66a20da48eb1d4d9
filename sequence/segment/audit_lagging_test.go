package segment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// An instance that has fetched nothing since the backup was made can't tell by
// its own mark that the ranges of others are lost. The audit knows them.
func TestAuditOfAnInstanceThatLagsBehind(t *testing.T) {
	for _, mode := range modes {
		f, a := newFake(), segment.NewAudit(store.NewMemory())
		o := segment.Options{Mode: mode, Step: 10, Audit: a, NoBackground: true}
		idle, busy := newGenerator(t, f, o), newGenerator(t, f, o)
		require.EqualValues(t, 1, next(t, idle))
		backup, backedUp := f.Contents(), f.counter("orders")
		require.Equal(t, backedUp+1, next(t, busy))
		mark := f.counter("orders")

		f.Restore(backup)
		var err error
		for err == nil {
			var id int64
			id, err = idle.Next(background)
			require.LessOrEqual(t, id, backedUp, "an id of the other instance")
		}
		var rolledBack *segment.RolledBackError
		require.ErrorAs(t, err, &rolledBack)
		require.Equal(t, segment.RolledBackError{Counter: orders, Mark: mark, Store: backedUp}, *rolledBack)
	}
}
