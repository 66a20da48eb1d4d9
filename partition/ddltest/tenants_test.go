package ddltest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/stamp"
)

// layout has 16 partitions.
var layout = stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}

// narrow has 4 partitions and 53 bits.
var narrow = stamp.Layout{Partition: 2, Time: 41, Sequence: 10}

// row is a tenant with an id that was made for it.
type row struct {
	tenant    string
	partition uint64
	id        int64
}

// ids returns one row for each of 1,000 tenants.
func ids(t *testing.T) (*stamp.Config, []row) {
	t.Helper()
	config, err := stamp.NewConfig(stamp.Options{
		Layout: layout,
		Epoch:  time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Unit:   time.Millisecond,
		Node:   node.Static(3),
	})
	require.NoError(t, err)

	rows := make([]row, 1000)
	taken := map[uint64]bool{}
	for i := range rows {
		tenant := fmt.Sprintf("tenant-%d", i)
		p := partition.Of(tenant, layout.Partition)
		id, err := stamp.NextIn("orders", config, p)
		require.NoError(t, err)
		rows[i] = row{tenant, p, int64(id)}
		taken[p] = true
	}
	require.Len(t, taken, 16, "tenants in each partition")
	return config, rows
}
