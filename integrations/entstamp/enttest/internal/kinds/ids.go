// Package kinds has the kinds of ids that the schemas name.
package kinds

import (
	"time"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/stamp"
)

// Layout is that of all ids.
var Layout = stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}

var (
	customers = generator("customers", "cus_")
	orders    = generator("orders", "ord_")
)

func generator(name, prefix string) *stamp.Generator {
	return stamp.MustGenerator(name, stamp.MustConfig(stamp.Options{
		Layout:    Layout,
		Epoch:     time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Node:      node.Static(3),
		Partition: partition.FromContext,
		Codec:     encode.Base62, Prefix: prefix,
	}))
}

// CustomerKind is the kind of customers' ids.
type CustomerKind struct{}

// Stamp implements stamp.Kind.
func (CustomerKind) Stamp() *stamp.Generator { return customers }

// OrderKind is the kind of orders' ids.
type OrderKind struct{}

// Stamp implements stamp.Kind.
func (OrderKind) Stamp() *stamp.Generator { return orders }

type (
	// CustomerID is the id of a customer.
	CustomerID = stamp.Typed[CustomerKind]
	// OrderID is the id of an order.
	OrderID = stamp.Typed[OrderKind]
)
