package sqltest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

var (
	epoch     = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	customers = stamp.MustGenerator("customers", configOf("cus_"))
	orders    = stamp.MustGenerator("orders", configOf("ord_"))
)

type (
	customerKind struct{}
	orderKind    struct{}

	customerID = stamp.Typed[customerKind]
	orderID    = stamp.Typed[orderKind]
)

func (customerKind) Stamp() *stamp.Generator { return customers }
func (orderKind) Stamp() *stamp.Generator    { return orders }

func configOf(prefix string) *stamp.Config {
	return stamp.MustConfig(stamp.Options{
		Layout:    stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12},
		Epoch:     epoch,
		Node:      node.Static(3),
		Partition: partition.FromContext,
		Codec:     encode.Base62, Prefix: prefix,
		Registry: sequence.NewRegistry(),
	})
}

// newID makes an id of a kind in a partition.
func newID[K stamp.Kind](t *testing.T, p uint64) stamp.Typed[K] {
	t.Helper()
	id, err := stamp.NewIn[K](p)
	require.NoError(t, err)
	return id
}
