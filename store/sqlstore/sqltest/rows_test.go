package sqltest

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/sqlstore"
)

// Each row, byte for byte, as CosId has it.
func TestRows(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		s := d.store(t, d.db)
		before := time.Now().Unix()
		created, err := s.Create(t.Context(), store.Key{Namespace: "shop", Name: "order_no@20260101"}, 7)
		require.NoError(t, err)
		require.True(t, created)
		requireRow := func(maxID int64) {
			t.Helper()
			var name string
			var at, fetched int64
			row := d.db.QueryRowContext(t.Context(), "select name, last_max_id, last_fetch_time from "+d.options.Table)
			require.NoError(t, row.Scan(&name, &at, &fetched))
			require.Equal(t, "shop.order_no@20260101", name)
			require.Equal(t, maxID, at)
			require.GreaterOrEqual(t, fetched, before)
			require.LessOrEqual(t, fetched, time.Now().Unix())
		}
		requireRow(7)
		d.exec(t, "update "+d.options.Table+" set last_fetch_time = 0")
		_, err = s.Allocate(t.Context(), store.Key{Namespace: "shop", Name: "order_no@20260101"}, 1<<53)
		require.NoError(t, err)
		requireRow(1<<53 + 7)
		require.EqualValues(t, 1, d.number(t, "select count(*) from "+d.options.Table))

		require.NoError(t, s.CompareAndSet(t.Context(), orders, nil, []byte("a\x00\xff")))
		require.NoError(t, s.CompareAndSet(t.Context(), orders, []byte("a\x00\xff"), []byte("a\x00\xff")))
		var name, content []byte
		var writes int64
		row := d.db.QueryRowContext(t.Context(), "select name, content, writes from "+d.options.RecordTable)
		require.NoError(t, row.Scan(&name, &content, &writes))
		require.Equal(t, "shop.orders", string(name))
		require.Equal(t, "a\x00\xff", string(content))
		require.EqualValues(t, 2, writes)
	})
}

// A store and CosId take turns in one table, which CosId's statement has made.
// https://github.com/Ahoo-Wang/CosId (cosid-jdbc: init-script and JdbcIdSegmentDistributor)
func TestSharingWithCosId(t *testing.T) {
	d := onMySQL(t)
	table := d.options.Table
	d.exec(t, "drop table "+table)
	d.exec(t, "create table if not exists "+table+` (
		name varchar(100) not null comment '{namespace}.{name}',
		last_max_id bigint not null default 0,
		last_fetch_time bigint not null,
		constraint cosid_pk primary key (name)
	) engine = InnoDB`)
	s := d.store(t, d.db)
	require.NoError(t, s.CreateTable(t.Context()), "there already")
	cosidAllocates := func(n int64) (maxID int64) {
		t.Helper()
		tx, err := d.db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		result, err := tx.ExecContext(t.Context(),
			"update "+table+" set last_max_id=(last_max_id + ?),last_fetch_time=unix_timestamp() where name = ?", n, "shop.orders")
		require.NoError(t, err)
		rows, err := result.RowsAffected()
		require.NoError(t, err)
		require.EqualValues(t, 1, rows)
		require.NoError(t, tx.QueryRowContext(t.Context(), "select last_max_id from "+table+" where name = ?", "shop.orders").Scan(&maxID))
		require.NoError(t, tx.Commit())
		return maxID
	}
	d.exec(t, "insert into "+table+" (name,last_max_id,last_fetch_time) value (?,?,unix_timestamp())", "shop.orders", 100)
	created, err := s.Create(t.Context(), orders, 0)
	require.NoError(t, err)
	require.False(t, created, "CosId has made it")
	requireAllocate(t, s, 10, 110)
	require.EqualValues(t, 120, cosidAllocates(10))
	requireAllocate(t, s, 5, 125)
	require.EqualValues(t, 126, cosidAllocates(1))
	requirePeek(t, s, 126)

	// Names that its collation takes for equal are one counter: none is
	// allocated twice.
	upper := store.Key{Namespace: "shop", Name: "ORDERS"}
	created, err = s.Create(t.Context(), upper, 0)
	require.NoError(t, err)
	require.False(t, created)
	maxID, err := s.Allocate(t.Context(), upper, 1)
	require.NoError(t, err)
	require.EqualValues(t, 127, maxID)
	require.EqualValues(t, 1, d.number(t, "select count(*) from "+table+" where binary name = 'shop.orders'"), "it keeps its name")
}

// The same with PostgreSQL, where CosId needs other statements: those of the
// guide, word for word.
func TestSharingWithCosIdOnPostgres(t *testing.T) {
	d := onPostgres(t)
	table := d.options.Table
	guide, err := os.ReadFile("../../../docs/segments.md")
	require.NoError(t, err)
	statement := func(property string) string { // with the placeholders of this driver
		t.Helper()
		line := regexp.MustCompile(`(?m)^ +` + property + `: (.+)$`).FindStringSubmatch(string(guide))
		require.NotNil(t, line, property)
		text := regexp.MustCompile(`\bcosid\b`).ReplaceAllString(line[1], table)
		for n := 1; strings.Contains(text, "?"); n++ {
			text = strings.Replace(text, "?", fmt.Sprintf("$%d", n), 1)
		}
		return text
	}
	d.exec(t, "drop table "+table)
	d.exec(t, statement("init-cosid-table-sql"))
	d.exec(t, statement("init-cosid-table-sql")) // each Java program does
	d.exec(t, statement("init-id-segment-sql"), "shop.orders", 100)
	_, err = d.db.ExecContext(t.Context(), statement("init-id-segment-sql"), "shop.orders", 0)
	require.True(t, sqlstore.IsDuplicate(err), "another Java program finds it there")
	cosidAllocates := func(n int64) (maxID int64) {
		t.Helper()
		tx, err := d.db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		result, err := tx.ExecContext(t.Context(), statement("increment-max-id-sql"), n, "shop.orders")
		require.NoError(t, err)
		rows, err := result.RowsAffected()
		require.NoError(t, err)
		require.EqualValues(t, 1, rows)
		require.NoError(t, tx.QueryRowContext(t.Context(), statement("fetch-max-id-sql"), "shop.orders").Scan(&maxID))
		require.NoError(t, tx.Commit())
		return maxID
	}
	s := d.store(t, d.db)
	require.NoError(t, s.CreateTable(t.Context()), "there already")
	created, err := s.Create(t.Context(), orders, 0)
	require.NoError(t, err)
	require.False(t, created, "CosId has made it")
	requireAllocate(t, s, 10, 110)
	require.EqualValues(t, 120, cosidAllocates(10))
	requireAllocate(t, s, 5, 125)
	require.EqualValues(t, 126, cosidAllocates(1))
	requirePeek(t, s, 126)
}

// A column that holds more than an int64 passes no number beyond it.
func TestUnsignedColumn(t *testing.T) {
	d := onMySQL(t)
	d.exec(t, "alter table "+d.options.Table+" modify last_max_id bigint unsigned not null")
	s := d.store(t, d.db)
	create(t, s, math.MaxInt64-1)
	requireAllocate(t, s, 1, math.MaxInt64)
	_, err := s.Allocate(t.Context(), orders, 1)
	require.ErrorIs(t, err, store.ErrExhausted)
	d.exec(t, "update "+d.options.Table+" set last_max_id = last_max_id + 1")
	_, err = s.Allocate(t.Context(), orders, 1)
	require.Error(t, err)
	_, err = s.Peek(t.Context(), orders)
	require.Error(t, err)
}

func TestNoPrimaryKey(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.exec(t, "drop table "+d.options.Table)
		d.exec(t, "create table "+d.options.Table+" (name varchar(100), last_max_id bigint, last_fetch_time bigint)")
		for range 2 {
			d.exec(t, "insert into "+d.options.Table+" values ('shop.orders', 5, 0)")
		}
		_, err := d.store(t, d.db).Allocate(t.Context(), orders, 1)
		require.ErrorIs(t, err, sqlstore.ErrTable)
	})
}

func TestMissingTable(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.exec(t, "drop table "+d.options.Table)
		s := d.store(t, d.db)
		_, err := s.Allocate(t.Context(), orders, 1)
		require.ErrorContains(t, err, d.options.Table)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, "the database has refused it")
		require.NotErrorIs(t, err, store.ErrNoCounter)
	})
}

func TestCreateTableAtOnce(t *testing.T) {
	const callers = 6
	each(t, func(t *testing.T, d database) {
		d.exec(t, "drop table "+d.options.Table)
		s := d.store(t, d.db)
		errs := make(chan error)
		for range callers {
			go func() { errs <- s.CreateTable(t.Context()) }()
		}
		for range callers {
			require.NoError(t, <-errs)
		}
		create(t, s, 5)
		require.NoError(t, s.CreateTable(t.Context()))
		requirePeek(t, s, 5)
	})
}
