// Package gormstamp gives rows their ids when GORM creates them.
//
//	type Order struct {
//		ID         OrderID // stamp.Typed[orderKind]
//		CustomerID CustomerID
//		Customer   Customer
//	}
//
//	err := db.Use(gormstamp.New(gormstamp.Options{}))
//	err = db.WithContext(ctx).Create(&order).Error // order.ID is set
//
// # Which fields
//
// A primary key of type [stamp.Typed] gets its id from the generator of its kind. One
// of type [stamp.ID] gets it from the sequence schema.table.column of Options.Config,
// if that is set, so two models on one table share it. A key that already has an
// id keeps it, and one that is a foreign key as well, as in join tables, is left
// to GORM. The tag says otherwise:
//
//	gorm:"stamp"        any field of these types: make an id if it has none
//	gorm:"stamp:orders" a stamp.ID: of the sequence orders
//	gorm:"stamp:-"      leave it alone
//
// Ids are made by Create in all its forms: one row, slices, maps, CreateInBatches,
// Save, FirstOrCreate, upserts and associations.
//
// # Partition and time
//
// The partition is what the configuration's partition function finds in the
// statement's context. With [At] that context carries a time to make ids at.
//
// # Columns
//
// AutoMigrate makes bigint columns, without auto increment, also without this
// package: the types of ids tell GORM so themselves. No LastInsertId reaches them.
//
// # Guarantees
//
//   - If an id can't be made, the error is in the statement's Error and nothing is
//     inserted.
//   - Ids are made before the statement begins its transaction, those of
//     associations too as long as nothing is selected or omitted. So numbers from a
//     store on the same pool don't wait for the connection that waits for them.
//   - Where a connection is held all the same, within a transaction, in
//     CreateInBatches, or for selected associations, such a wait ends after
//     Options.Timeout, with a [*PoolError] if the pool had no connection left.
//     Give the store a pool of its own.
//   - After an upsert that updates, the id in the struct is the row's, where the
//     database has RETURNING (PostgreSQL, SQLite, MariaDB).
//
// # Not guaranteed
//
//   - After an upsert that does nothing or has a condition, or one on MySQL, a row
//     that was there keeps its id, and the struct has the new one that isn't in use.
//   - A table has one sequence as long as statements call it by one name. Don't
//     insert into partitions by their own names, nor with and without the schema
//     where Options.Schema isn't set.
package gormstamp
