package sqltest

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store/sqlstore"
)

// shop is a database with tables of a shop: %[1]s_customers with customer 1, and
// %[1]s with order 1 of theirs.
type shop struct {
	database
	name string
}

// eachShop runs a test with all drivers.
func eachShop(t *testing.T, test func(t *testing.T, s shop)) {
	for driver, open := range map[string]func(t *testing.T) database{
		"pgx": onPostgres,
		"pgx, simple protocol": func(t *testing.T) database {
			t.Helper()
			return postgresWith(t, func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol })
		},
		"lib/pq": onPostgresWithPQ,
		"MySQL":  onMySQL,
		"MySQL, one exchange": func(t *testing.T) database {
			t.Helper()
			return mysqlWith(t, func(c *mysql.Config) { c.InterpolateParams = true })
		},
		"SQLite": onSQLite,
	} {
		t.Run(driver, func(t *testing.T) { test(t, newShop(t, open(t))) })
	}
}

func newShop(t *testing.T, d database) shop {
	t.Helper()
	s := shop{d, unique()}
	t.Cleanup(func() {
		for _, table := range []string{"%s", "%s_customers"} {
			_, err := s.db.ExecContext(context.WithoutCancel(t.Context()), fmt.Sprintf("drop table if exists "+table, s.name))
			require.NoError(t, err)
		}
	})
	if d.dialect == sqlstore.SQLite {
		s.db.SetMaxOpenConns(1) // the setting is the connection's
		s.exec(t, "pragma foreign_keys = on")
	}
	s.mustRun(t, `create table %[1]s_customers (id bigint primary key)`)
	s.mustRun(t, `create table %[1]s (
		id bigint not null primary key,
		email varchar(40) not null,
		total int check (total >= 0),
		customer bigint not null,
		constraint %[1]s_email unique (email),
		constraint %[1]s_customer foreign key (customer) references %[1]s_customers (id)
	)`)
	s.mustRun(t, `insert into %[1]s_customers values (1)`)
	s.mustRun(t, `insert into %[1]s values (1, 'a@example.com', 5, 1)`)
	return s
}

// run runs a statement that names tables as shop does.
func (s shop) run(t *testing.T, statement string, args ...any) error {
	t.Helper()
	_, err := s.db.ExecContext(t.Context(), fmt.Sprintf(statement, s.name), args...)
	return err
}

func (s shop) mustRun(t *testing.T, statement string, args ...any) {
	t.Helper()
	require.NoError(t, s.run(t, statement, args...), statement)
}

// place is a placeholder of the dialect.
func (s shop) place(n int) string {
	if s.dialect == sqlstore.PostgreSQL {
		return fmt.Sprintf("$%d", n)
	}
	return "?"
}

// keys are what the databases call the keys of a shop's orders.
func (s shop) keys() (primary, email []string) {
	switch s.dialect {
	case sqlstore.PostgreSQL:
		return []string{s.name + "_pkey"}, []string{s.name + "_email"}
	case sqlstore.MySQL: // MariaDB, and MySQL
		return []string{"PRIMARY", s.name + ".PRIMARY"}, []string{s.name + "_email", s.name + "." + s.name + "_email"}
	default:
		return []string{s.name + ".id"}, []string{s.name + ".email"}
	}
}

func requireDuplicate(t *testing.T, err error, keys []string, what string) {
	t.Helper()
	require.Error(t, err, what)
	key, ok := sqlstore.DuplicateKey(fmt.Errorf("what callers add: %w", err))
	require.True(t, ok, "%s: %v", what, err)
	require.Contains(t, keys, key, "%s: %v", what, err)
	require.True(t, sqlstore.IsDuplicate(err), what)
}

func requireNoDuplicate(t *testing.T, err error, what string) {
	t.Helper()
	require.Error(t, err, what)
	require.False(t, sqlstore.IsDuplicate(err), "%s: %v", what, err)
}

func TestDuplicates(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		primary, email := s.keys()
		s.mustRun(t, `insert into %s values (2, 'b@example.com', 5, 1)`)
		for _, statement := range []string{
			`insert into %s values (1, 'c@example.com', 5, 1)`,
			`insert into %s values (3, 'c@example.com', 5, 1), (3, 'd@example.com', 5, 1)`,
			`update %s set id = 1 where id = 2`,
		} {
			requireDuplicate(t, s.run(t, statement), primary, statement)
		}
		// With parameters, as programs do, and a value that looks like a message.
		nasty := "' for key 'PRIMARY' (1555)"
		insert := `insert into %s values (` + s.place(1) + `, ` + s.place(2) + `, 5, 1)`
		requireDuplicate(t, s.run(t, insert, int64(1), "c@example.com"), primary, insert)
		s.mustRun(t, insert, int64(3), nasty)
		for _, taken := range []string{"a@example.com", nasty} {
			requireDuplicate(t, s.run(t, insert, int64(4), taken), email, insert)
		}
		requireDuplicate(t, s.run(t, `update %s set email = 'a@example.com' where id = 2`), email, "update")

		// A statement in a transaction, prepared.
		tx, err := s.db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		prepared, err := tx.PrepareContext(t.Context(), fmt.Sprintf(insert, s.name))
		require.NoError(t, err)
		_, err = prepared.ExecContext(t.Context(), int64(1), "e@example.com")
		requireDuplicate(t, err, primary, "prepared")
		requireDuplicate(t, errors.Join(err, tx.Rollback()), primary, "with what a roll-back returns")
	})
}

// An upsert takes care of one key. Another may be taken all the same.
func TestDuplicatesOfUpserts(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		_, email := s.keys()
		s.mustRun(t, `insert into %s values (2, 'b@example.com', 5, 1)`)
		if s.dialect == sqlstore.MySQL {
			s.mustRun(t, `insert ignore into %s values (1, 'c@example.com', 5, 1)`)
			s.mustRun(t, `insert into %s values (1, 'c@example.com', 5, 1) on duplicate key update total = 6`)
			requireDuplicate(t, s.run(t, `insert into %s values (1, 'c@example.com', 5, 1) on duplicate key update email = 'b@example.com'`), email, "upsert")
			return
		}
		s.mustRun(t, `insert into %s values (1, 'c@example.com', 5, 1) on conflict (id) do nothing`)
		s.mustRun(t, `insert into %s values (1, 'c@example.com', 5, 1) on conflict (id) do update set total = 6`)
		requireDuplicate(t, s.run(t, `insert into %s values (3, 'b@example.com', 5, 1) on conflict (id) do nothing`), email, "insert")
		requireDuplicate(t, s.run(t, `insert into %s values (1, 'c@example.com', 5, 1) on conflict (id) do update set email = 'b@example.com'`), email, "update")
		if s.dialect == sqlstore.PostgreSQL { // one row twice in a statement is no violation there
			requireNoDuplicate(t, s.run(t, `insert into %s values (7, 'c@example.com', 5, 1), (7, 'd@example.com', 5, 1) on conflict (id) do update set total = 6`), "row twice")
		}
	})
}

func TestOtherViolationsAreNoDuplicates(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for what, statement := range map[string]string{
			"foreign key, child":    `insert into %s values (2, 'b@example.com', 5, 99)`,
			"foreign key, parent":   `delete from %s_customers where id = 1`,
			"not null":              `insert into %s values (2, null, 5, 1)`,
			"check":                 `insert into %s values (2, 'b@example.com', -5, 1)`,
			"no table":              `insert into %s_nothing values (1)`,
			"no column":             `update %s set nothing = 1`,
			"syntax":                `insert inty %s values (1)`,
			"a table that is there": `create table %s (id bigint)`,
			"an index that is":      `create index twice_%[1]s on %[1]s (total)`,
		} {
			if what == "an index that is" {
				s.mustRun(t, statement)
			}
			requireNoDuplicate(t, s.run(t, statement), what)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.db.ExecContext(ctx, fmt.Sprintf(`insert into %s values (1, 'a@example.com', 5, 1)`, s.name))
		requireNoDuplicate(t, err, "context ended")
		require.False(t, sqlstore.IsDuplicate(sql.ErrNoRows))
	})
}

// Two transactions lock each other's rows. One of them fails.
func TestDeadlockIsNoDuplicate(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		if s.dialect == sqlstore.SQLite {
			return // it has one lock
		}
		s.mustRun(t, `insert into %s values (2, 'b@example.com', 5, 1)`)
		run := func(tx *sql.Tx, id int) error {
			_, err := tx.ExecContext(t.Context(), fmt.Sprintf(`update %s set total = 6 where id = %d`, s.name, id))
			return err
		}
		var txs [2]*sql.Tx
		for i := range txs {
			tx, err := s.db.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			txs[i] = tx
			require.NoError(t, run(tx, i+1))
		}
		errs := make(chan error)
		for i, tx := range txs {
			go func() {
				err := run(tx, 2-i)
				_ = tx.Rollback()
				errs <- err
			}()
		}
		err := cmp.Or(<-errs, <-errs)
		requireNoDuplicate(t, err, "deadlock")
		require.Equal(t, sqlstore.Again, s.dialect.Classify(err), "it was a deadlock: %v", err)
	})
}

// What the key is called, where that isn't plain.
func TestNamesOfKeys(t *testing.T) {
	t.Run("PostgreSQL", func(t *testing.T) {
		for driver, open := range map[string]func(*testing.T) database{"pgx": onPostgres, "lib/pq": onPostgresWithPQ} {
			t.Run(driver, func(t *testing.T) { namesOfKeysOnPostgres(t, newShop(t, open(t))) })
		}
	})
	t.Run("MySQL", func(t *testing.T) {
		s := newShop(t, onMySQL(t))
		s.mustRun(t, "alter table %[1]s add unique key `it's` (total)")
		err := s.run(t, `insert into %s values (2, 'b@example.com', 5, 1)`)
		requireDuplicate(t, err, []string{"it's", s.name + ".it's"}, "index with a quote")
		s.mustRun(t, "alter table %[1]s drop key `it's`")
		s.mustRun(t, `insert into %s values (2, 'b@example.com', 5, 1)`)
		err = s.run(t, `alter table %s add unique key late (total)`)
		requireDuplicate(t, err, []string{"late", s.name + ".late"}, "index added later")
		conn, err := s.db.Conn(t.Context())
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close()) }()
		_, err = conn.ExecContext(t.Context(), "set lc_messages = 'de_DE'")
		require.NoError(t, err)
		_, err = conn.ExecContext(t.Context(), fmt.Sprintf(`insert into %s values (1, 'b@example.com', 5, 1)`, s.name))
		require.True(t, sqlstore.IsDuplicate(err), err)
	})
	t.Run("SQLite", func(t *testing.T) {
		s := newShop(t, onSQLite(t))
		s.mustRun(t, `create unique index low_%[1]s on %[1]s (lower(email))`)
		err := s.run(t, `insert into %s values (2, 'A@example.com', 5, 1)`)
		requireDuplicate(t, err, []string{"index 'low_" + s.name + "'"}, "index on an expression")
		s.mustRun(t, `create unique index pair_%[1]s on %[1]s (total, customer)`)
		err = s.run(t, `insert into %s values (2, 'b@example.com', 5, 1)`)
		requireDuplicate(t, err, []string{s.name + ".total, " + s.name + ".customer"}, "two columns")
		err = s.run(t, `insert into %s (rowid, id, email, customer) select rowid, 9, 'z@example.com', 1 from %[1]s`)
		requireDuplicate(t, err, []string{s.name + ".rowid"}, "rowid")
		s.mustRun(t, `create table int_%s (id integer primary key)`)
		s.mustRun(t, `create table bare_%s (id integer primary key) without rowid`)
		for _, table := range []string{"int_", "bare_"} {
			s.mustRun(t, `insert into `+table+`%s values (1)`)
			err = s.run(t, `insert into `+table+`%s values (1)`)
			requireDuplicate(t, err, []string{table + s.name + ".id"}, table)
		}
		s.mustRun(t, `insert or ignore into int_%s values (1)`)
		s.mustRun(t, `insert or replace into int_%s values (1)`)
	})
}

func namesOfKeysOnPostgres(t *testing.T, s shop) {
	t.Helper()
	s.mustRun(t, `create unique index %[1]s_total on %[1]s (total, lower(email))`)
	s.mustRun(t, `alter table %[1]s drop constraint %[1]s_email`)
	err := s.run(t, `insert into %s values (2, 'A@example.com', 5, 1)`)
	requireDuplicate(t, err, []string{s.name + "_total"}, "index on an expression")

	// A deferred constraint is violated by the commit.
	s.mustRun(t, `alter table %[1]s add constraint %[1]s_late unique (customer) deferrable initially deferred`)
	tx, err := s.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), fmt.Sprintf(`insert into %s values (2, 'b@example.com', 5, 1)`, s.name))
	require.NoError(t, err)
	requireDuplicate(t, tx.Commit(), []string{s.name + "_late"}, "commit")

	s.mustRun(t, `alter table %[1]s add constraint %[1]s_excl exclude using btree (total with =)`)
	requireNoDuplicate(t, s.run(t, `insert into %s values (2, 'b@example.com', 5, 1)`), "exclusion")

	// Each partition has its own.
	s.mustRun(t, `drop table %s`)
	s.mustRun(t, `create table %s (id bigint primary key) partition by range (id)`)
	s.mustRun(t, `create table %[1]s_7 partition of %[1]s for values from (0) to (100)`)
	s.mustRun(t, `insert into %s values (1)`)
	requireDuplicate(t, s.run(t, `insert into %s values (1)`), []string{s.name + "_7_pkey"}, "partition")
}
