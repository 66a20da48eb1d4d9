package gormtest

import (
	"context"
	"testing"
	"time"

	"github.com/glebarez/sqlite"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/stampid/go-stamp/integrations/gormstamp"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store/sqlstore"
)

type (
	// Parcel has ids of a counter, and so have its items.
	Parcel struct {
		ID    stamp.ID
		Items []Item
	}

	// Item is in a parcel.
	Item struct {
		ID       stamp.ID
		ParcelID stamp.ID
	}
)

// onOneConnection is a database whose pool has one connection, which a store of
// counters shares. Each id needs a call to the store.
func onOneConnection(t *testing.T) *gorm.DB {
	t.Helper()
	var db *gorm.DB
	var provider *segment.Provider
	open := onSQLite(t, gormstamp.Options{}) // only for its connection
	counters, err := sqlstore.New(pool(t, open), sqlstore.Options{Dialect: sqlstore.SQLite})
	require.NoError(t, err)
	require.NoError(t, counters.CreateTable(t.Context()))
	provider, err = segment.NewProvider(counters, segment.ProviderOptions{
		Namespace: "shop",
		Generators: map[string]segment.Options{
			"main.parcels.id": {Step: 1, Mode: segment.Sync}, "main.items.id": {Step: 1, Mode: segment.Sync},
		},
	})
	require.NoError(t, err)
	config, err := stamp.NewConfig(stamp.Options{Source: provider})
	require.NoError(t, err)
	db, err = gorm.Open(&sqlite.Dialector{Conn: pool(t, open)}, &gorm.Config{Logger: open.Logger})
	require.NoError(t, err)
	require.NoError(t, db.Use(gormstamp.New(gormstamp.Options{Config: config, Timeout: 300 * time.Millisecond})))
	require.NoError(t, db.AutoMigrate(&Parcel{}, &Item{}))
	pool(t, db).SetMaxOpenConns(1)
	return db
}

// A store on the pool of the statement gets the connection before the statement
// does.
func TestStoreOnTheSamePool(t *testing.T) {
	db := onOneConnection(t)
	for range 3 {
		require.NoError(t, db.Create(&Parcel{Items: []Item{{}, {}}}).Error)
		require.NoError(t, db.Create([]Item{{ParcelID: 1}, {ParcelID: 1}}).Error)
		require.NoError(t, db.Save(&Parcel{}).Error)
	}
	require.EqualValues(t, 6, count[Parcel](t, db))
	require.EqualValues(t, 12, count[Item](t, db))
}

// Within a transaction it can't have it, and the wait ends with an error that says
// so. Nothing is inserted, and the pool is as good as before.
func TestStoreOnAPoolInATransaction(t *testing.T) {
	db := onOneConnection(t)
	require.NoError(t, db.Create(&Parcel{}).Error)
	for name, create := range map[string]func() error{
		"transaction": func() error {
			return db.Transaction(func(tx *gorm.DB) error { return tx.Create(make([]Parcel, 10)).Error })
		},
		"batches":  func() error { return db.CreateInBatches(make([]Parcel, 10), 1).Error },
		"selected": func() error { return db.Select("*", "Items").Create(&Parcel{Items: make([]Item, 10)}).Error },
	} {
		t.Run(name, func(t *testing.T) {
			err := create() // more than the numbers that are at hand
			var full *gormstamp.PoolError
			require.ErrorAs(t, err, &full)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, 1, full.Connections)
			require.ErrorContains(t, err, "1 connections of the pool in use")
			require.EqualValues(t, 1, count[Parcel](t, db))
		})
	}
	// What has an id needs none.
	require.NoError(t, db.Transaction(func(tx *gorm.DB) error { return tx.Create(&Parcel{ID: 1000}).Error }))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, db.WithContext(ctx).Create(&Parcel{}).Error, context.Canceled)
}
