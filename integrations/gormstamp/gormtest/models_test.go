package gormtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

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

var (
	customers = stamp.MustGenerator("customers", configOf("cus_"))
	orders    = stamp.MustGenerator("orders", configOf("ord_"))
	tags      = stamp.MustGenerator("tags", configOf("tag_"))
)

type (
	customerKind struct{}
	orderKind    struct{}
	tagKind      struct{}

	customerID = stamp.Typed[customerKind]
	orderID    = stamp.Typed[orderKind]
	tagID      = stamp.Typed[tagKind]
)

func (customerKind) Stamp() *stamp.Generator { return customers }
func (orderKind) Stamp() *stamp.Generator    { return orders }
func (tagKind) Stamp() *stamp.Generator      { return tags }

// Customer has orders and one profile, which shares its key.
type Customer struct {
	ID      customerID
	Email   string `gorm:"size:100;uniqueIndex"`
	Name    string
	Orders  []Order
	Profile *Profile
}

// Order belongs to a customer, and may replace another one.
type Order struct {
	ID         orderID
	CustomerID customerID
	Customer   *Customer
	ReplacesID stamp.NullTyped[orderKind]
	Replaces   *Order
	Note       string
	Tags       []*Tag `gorm:"many2many:order_tags"`
}

// Tag is on many orders.
type Tag struct {
	ID   tagID
	Name string
}

// Profile has a primary key that is a foreign key.
type Profile struct {
	CustomerID customerID `gorm:"primaryKey"`
	Customer   *Customer
	Text       string
}

func migrate(t *testing.T, db *gorm.DB) {
	t.Helper()
	require.NoError(t, db.AutoMigrate(&Customer{}, &Order{}, &Tag{}, &Profile{}))
}

func requirePartition(t *testing.T, c *stamp.Config, want uint64, id stamp.ID) {
	t.Helper()
	parts, err := c.Unpack(id)
	require.NoError(t, err)
	require.Equal(t, want, parts.Partition)
}

func count[T any](t *testing.T, db *gorm.DB) int64 {
	t.Helper()
	var n int64
	require.NoError(t, db.Model(new(T)).Count(&n).Error)
	return n
}
