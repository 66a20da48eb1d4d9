package sqltest

import (
	"database/sql"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

// The last partition has the largest ids, which fit no float64.
const last = 15

func TestCreateReadUpdate(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		customer, order := newID[customerKind](t, last), newID[orderKind](t, last)
		d.exec(t, "insert into customers (id, name) values (?, ?)", customer, "Ada")
		d.exec(t, "insert into orders (id, customer_id, note) values (?, ?, ?)", order, customer, "new")

		var read orderID
		var of customerID
		var note string
		require.NoError(t, d.row(t, "select id, customer_id, note from orders where id = ?", order).Scan(&read, &of, &note))
		require.Equal(t, order, read)
		require.Equal(t, customer, of)
		require.Equal(t, "new", note)
		var number int64
		require.NoError(t, d.row(t, "select id from orders where id = ?", order.ID()).Scan(&number))
		require.EqualValues(t, order, number, "a bigint, not a text")

		result := d.exec(t, "update orders set note = ? where id = ?", "paid", order)
		n, err := result.RowsAffected()
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		require.Equal(t, []string{"paid"}, column[string](t, d, "select note from orders where customer_id = ?", customer))
		d.exec(t, "delete from orders where id = ?", order)
		require.ErrorIs(t, d.row(t, "select id from orders where id = ?", order).Scan(&read), sql.ErrNoRows)
	})
}

// Without parameters MySQL's driver uses the text protocol in any case.
func TestPlainIDs(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		want := []stamp.ID{1, 1<<53 + 1, math.MaxInt64}
		for _, id := range want {
			d.exec(t, "insert into customers (id, name) values (?, ?)", id, id.String())
		}
		require.Equal(t, want, column[stamp.ID](t, d, "select id from customers order by id"))
		require.Equal(t, want, column[stamp.ID](t, d, "select id from customers where id > ? order by id", 0))
		require.Equal(t, []string{"1", "9007199254740993", "9223372036854775807"},
			column[string](t, d, "select name from customers order by id"))
	})
}

func TestForeignKeys(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		customer, order := newID[customerKind](t, 0), newID[orderKind](t, 0)
		require.Error(t, d.try(t, "insert into orders (id, customer_id) values (?, ?)", order, customer), "no such customer")
		d.exec(t, "insert into customers (id, name) values (?, ?)", customer, "Ada")
		d.exec(t, "insert into orders (id, customer_id) values (?, ?)", order, customer)
		require.Error(t, d.try(t, "delete from customers where id = ?", customer), "it has an order")
		require.Equal(t, []orderID{order},
			column[orderID](t, d, "select o.id from orders o join customers c on c.id = o.customer_id where c.id = ?", customer))
	})
}

func TestNulls(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		customer, first, second := newID[customerKind](t, 3), newID[orderKind](t, 3), newID[orderKind](t, 3)
		d.exec(t, "insert into customers (id, name) values (?, ?)", customer, "Ada")
		insert := "insert into orders (id, customer_id, replaces) values (?, ?, ?)"
		d.exec(t, insert, first, customer, stamp.NullTyped[orderKind]{})
		d.exec(t, insert, second, customer, stamp.NullOf(first))
		require.Equal(t, []stamp.NullTyped[orderKind]{{}, stamp.NullOf(first)},
			column[stamp.NullTyped[orderKind]](t, d, "select replaces from orders order by id"))
		require.Equal(t, []sql.Null[stamp.ID]{{}, {V: first.ID(), Valid: true}},
			column[sql.Null[stamp.ID]](t, d, "select replaces from orders order by id"))

		// A variable that held another row's id keeps none of it.
		null := stamp.NullOf(second)
		require.NoError(t, d.row(t, "select replaces from orders where id = ?", first).Scan(&null))
		require.Equal(t, stamp.NullTyped[orderKind]{}, null)
		typed, plain := second, second.ID()
		require.ErrorIs(t, d.row(t, "select replaces from orders where id = ?", first).Scan(&typed), stamp.ErrScan)
		require.ErrorIs(t, d.row(t, "select replaces from orders where id = ?", first).Scan(&plain), stamp.ErrScan)
		require.Zero(t, typed)
		require.Zero(t, plain)
	})
}

// What is no id reaches no database, and none that is in one comes out as an id.
func TestNoIDs(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		for _, arg := range []any{
			orderID(0), orderID(-1), stamp.ID(0), stamp.ID(-1), stamp.NullTyped[orderKind]{Valid: true},
		} {
			require.ErrorIs(t, d.try(t, "insert into customers (id, name) values (?, 'x')", arg), stamp.ErrRange, "%#v", arg)
		}
		require.Empty(t, column[int64](t, d, "select id from customers"))
		for _, n := range []int64{0, -1, math.MinInt64} {
			d.exec(t, "insert into customers (id, name) values (?, 'x')", n)
			typed, plain := orderID(7), stamp.ID(7)
			require.ErrorIs(t, d.row(t, "select id from customers where id = ?", n).Scan(&typed), stamp.ErrOutOfRange)
			require.ErrorIs(t, d.row(t, "select id from customers where id = ?", n).Scan(&plain), stamp.ErrOutOfRange)
			require.Zero(t, typed)
			require.Zero(t, plain)
		}
	})
}

func TestUnsignedColumn(t *testing.T) {
	for name, text := range map[string]bool{"binary": false, "text": true} {
		t.Run(name, func(t *testing.T) {
			d := onMySQL(t, text)
			d.exec(t, "create table customers (id bigint unsigned primary key)")
			d.exec(t, "insert into customers values (?), (?), (?)", uint64(math.MaxInt64), uint64(1<<63), uint64(math.MaxUint64))
			read := func(id any, n uint64) error {
				return d.row(t, "select id from customers where id = ?", n).Scan(id)
			}
			var id stamp.ID
			require.NoError(t, read(&id, math.MaxInt64))
			require.EqualValues(t, math.MaxInt64, id)
			for _, n := range []uint64{1 << 63, math.MaxUint64} {
				typed, null := orderID(7), stamp.NullOf(orderID(7))
				require.ErrorIs(t, read(&id, n), stamp.ErrRange)
				require.ErrorIs(t, read(&typed, n), stamp.ErrRange)
				require.ErrorIs(t, read(&null, n), stamp.ErrRange)
				require.Zero(t, id)
				require.Zero(t, typed)
				require.Zero(t, null)
			}
		})
	}
}
