// Package sqlstore keeps counters and records in a database, for all processes
// that reach it, over database/sql and a driver of yours.
//
// Counters are in a table that CosId (Java) reads and writes as well, with a row
// "{namespace}.{name}" for each:
//
//	create table cosid (
//		name            varchar(100) not null primary key,
//		last_max_id     bigint not null default 0,
//		last_fetch_time bigint not null  -- seconds since 1970, by the database's clock
//	)
//
// Records are in a second one, cosid_record, which holds a name, the content as
// bytes and a count of writes. [Store.CreateTable] and [Store.CreateRecordTable] make
// them.
//
// # Guarantees
//
//   - Each change is one statement and one transaction: PostgreSQL and SQLite
//     return the new value from the update, MySQL and MariaDB in the update's
//     reply. A counter that has no room is left as it is by the same statement.
//   - Numbers are exact up to 2^63-1, names as exact as the column's collation.
//   - A statement that the database says it didn't apply because of others
//     (serialization failure, deadlock, SQLite's busy) is sent again, some 30
//     times, until the context ends. So is one of MySQL or SQLite that the driver
//     says it hasn't sent (driver.ErrBadConn).
//   - What fails before a statement is sent, or is refused by the database, had no
//     effect. Any other failure of a change is [store.ErrUnknownOutcome] and isn't
//     repeated. See [Dialect.Classify].
//   - A call ends with its context. One whose driver doesn't return is left
//     behind, with its connection, until the driver does.
//
// # What isn't guaranteed
//
//   - Durability beyond the database's settings. A database that loses what it
//     had committed repeats numbers:
//
//     PostgreSQL: fsync, full_page_writes and synchronous_commit must be on, as they are
//     by default. Under synchronous_commit=off a crash loses the last moments.
//
//     MySQL, MariaDB: InnoDB, innodb_flush_log_at_trx_commit=1, sync_binlog=1.
//     Without a binary log others may see a write a moment before it is flushed.
//
//     SQLite: PRAGMA synchronous=FULL (in WAL mode, NORMAL loses the last commits
//     when power fails), a local disk, and busy_timeout so that writers wait for
//     each other without retries.
//
//     Asynchronous replicas lose numbers at failover. All calls must reach the
//     primary, Peek and Get too.
//
//   - That names differ which the collation of the column takes for equal. The
//     table that CreateTable makes on MySQL tells all apart that don't end with a
//     space, which are refused; one of CosId's own may take "Orders" for "orders".
//
//   - On MySQL, anything with a connection whose character set isn't utf8mb4, for
//     names beyond ASCII. Connections must commit by themselves, else calls that
//     change something are [ErrAutocommit]. Binary logs of the format STATEMENT get
//     a warning with each statement, since it asks for that.
//
// MySQL needs one exchange instead of two for a call if the driver puts parameters
// into the text (interpolateParams=true).
//
// # Duplicates
//
// A unique violation in a table of yours says that an id was made twice, if it is
// the id's key that was violated. [IsDuplicate] and [DuplicateKey] tell, for the
// errors of any driver that they know, with or without a [Store]; the page
// docs/duplicate-key.md says what to do then.
//
// # Use
//
//	db, err := sql.Open("pgx", "postgres://…")
//	if err != nil {
//		return err
//	}
//	counters, err := sqlstore.New(db, sqlstore.Options{Dialect: sqlstore.PostgreSQL})
//	if err != nil {
//		return err
//	}
//	if err := counters.CreateTable(ctx); err != nil { // or by a migration of yours
//		return err
//	}
//	created, err := counters.Create(ctx, store.Key{Namespace: "shop", Name: "orders"}, 0)
package sqlstore
