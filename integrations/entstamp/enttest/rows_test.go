package enttest

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/ent"
	"github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/ent/customer"
	"github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/ent/order"
	"github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/kinds"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/stamp"
)

func requirePartition[K stamp.Kind](t *testing.T, want uint64, id stamp.Typed[K]) {
	t.Helper()
	g, err := id.Generator()
	require.NoError(t, err)
	parts, err := g.Config().Unpack(id.ID())
	require.NoError(t, err)
	require.Equal(t, want, parts.Partition)
}

func TestCreate(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		ada, err := d.Customer.Create().SetName("Ada").Save(d.ctx)
		require.NoError(t, err)
		requirePartition(t, home, ada.ID)
		in9, err := d.Customer.Create().SetName("Bob").Save(partition.NewContext(t.Context(), 9))
		require.NoError(t, err)
		requirePartition(t, 9, in9.ID)
		given, err := d.Customer.Create().SetID(math.MaxInt64).SetName("Eve").Save(d.ctx)
		require.NoError(t, err)
		require.EqualValues(t, math.MaxInt64, given.ID)

		bulk, err := d.Customer.CreateBulk(
			d.Customer.Create().SetName("a"), d.Customer.Create().SetID(5).SetName("b"), d.Customer.Create().SetName("c"),
		).Save(d.ctx)
		require.NoError(t, err)
		require.EqualValues(t, 5, bulk[1].ID)
		requirePartition(t, home, bulk[0].ID)
		requirePartition(t, home, bulk[2].ID)
		for _, want := range append(bulk, ada, in9, given) {
			got, err := d.Customer.Get(d.ctx, want.ID)
			require.NoError(t, err)
			require.Equal(t, want.Name, got.Name)
			require.Equal(t, want.ID, got.ID)
		}
		require.Equal(t, 6, d.Customer.Query().CountX(d.ctx))

		// Changes need no id.
		require.NoError(t, d.Customer.UpdateOneID(ada.ID).SetName("Ada L.").Exec(t.Context()))
		n, err := d.Customer.Delete().Where(customer.IDIn(ada.ID, in9.ID)).Exec(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, n)
	})
}

func TestEdges(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		ada := d.Customer.Create().SetName("Ada").SaveX(d.ctx)
		bob := d.Customer.Create().SetName("Bob").SaveX(d.ctx)
		first := d.Order.Create().SetCustomer(ada).SetPaidBy(bob.ID).AddWatchers(ada, bob).SaveX(d.ctx)
		second := d.Order.Create().SetCustomerID(ada.ID).SetReplaces(first).SaveX(d.ctx)

		got := d.Order.Query().Where(order.CustomerID(ada.ID), order.IDNEQ(first.ID)).WithCustomer().WithReplaces().OnlyX(d.ctx)
		require.Equal(t, second.ID, got.ID)
		require.Equal(t, ada.ID, got.Edges.Customer.ID)
		require.Equal(t, first.ID, got.Edges.Replaces.ID)
		require.Nil(t, got.PaidBy)
		require.Equal(t, bob.ID, *d.Order.GetX(d.ctx, first.ID).PaidBy)
		require.Equal(t, []kinds.CustomerID{ada.ID, bob.ID}, first.QueryWatchers().Order(customer.ByID()).IDsX(d.ctx))
		require.Equal(t, []kinds.OrderID{first.ID, second.ID}, ada.QueryOrders().Order(order.ByID()).IDsX(d.ctx))
		require.Equal(t, []kinds.OrderID{first.ID}, bob.QueryWatched().IDsX(d.ctx))

		_, err := d.Order.Create().SetCustomerID(bob.ID + 1).Save(d.ctx)
		require.True(t, ent.IsConstraintError(err), "%v", err)
	})
}

func TestRanges(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		for p := range uint64(3) {
			d.Customer.Create().SetName("x").SaveX(partition.NewContext(t.Context(), p))
		}
		r, err := kinds.Layout.PartitionRange(1)
		require.NoError(t, err)
		id := d.Customer.Query().Where(customer.IDGTE(kinds.CustomerID(max(r.First, 1))), customer.IDLTE(kinds.CustomerID(r.Last))).OnlyIDX(d.ctx)
		requirePartition(t, 1, id)
	})
}

func TestJSON(t *testing.T) {
	d := onSQLite(t)
	ada := d.Customer.Create().SetName("Ada").SaveX(d.ctx)
	order := d.Order.Create().SetCustomer(ada).SaveX(d.ctx)
	text, err := json.Marshal(order)
	require.NoError(t, err)
	require.Contains(t, string(text), `"id":"ord_`)
	require.Contains(t, string(text), `"customer_id":"`+ada.ID.String()+`"`)
	var back ent.Order
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, order.ID, back.ID)
}

// An id that can't be made is the error of Save, and nothing is inserted.
func TestErrors(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		create := func() *ent.CustomerCreate { return d.Customer.Create().SetName("x") }
		_, err := create().Save(t.Context())
		require.ErrorIs(t, err, stamp.ErrNoPartition)
		require.ErrorContains(t, err, "id of Customer")
		_, err = d.Customer.CreateBulk(create().SetID(5), create()).Save(t.Context())
		require.ErrorIs(t, err, stamp.ErrNoPartition)
		_, err = create().Save(partition.NewContext(t.Context(), 16))
		require.ErrorIs(t, err, stamp.ErrOutOfRange)
		for _, id := range []kinds.CustomerID{0, -1} {
			_, err = create().SetID(id).Save(d.ctx)
			require.ErrorIs(t, err, stamp.ErrRange)
		}
		require.Zero(t, d.Customer.Query().CountX(d.ctx))

		// What another program has written.
		_, err = d.sql.ExecContext(t.Context(), "insert into customers (id, name) values (-5, 'x')")
		require.NoError(t, err)
		_, err = d.Customer.Query().All(d.ctx)
		require.ErrorIs(t, err, stamp.ErrRange)
	})
}

// The database doesn't count ids up, and the columns are bigint.
func TestColumns(t *testing.T) {
	d := onPostgres(t)
	rows, err := d.sql.QueryContext(t.Context(), `select table_name, column_name, data_type, is_identity, column_default is null
		from information_schema.columns where table_schema = current_schema() and column_name like '%id%'`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	found := 0
	for rows.Next() {
		var table, column, kind, identity string
		var noDefault bool
		require.NoError(t, rows.Scan(&table, &column, &kind, &identity, &noDefault))
		name := table + "." + column
		require.Equal(t, "bigint", kind, name)
		require.Equal(t, "NO", identity, name)
		require.True(t, noDefault, name)
		found++
	}
	require.NoError(t, rows.Err())
	require.Equal(t, 6, found)

	var table string
	require.NoError(t, onSQLite(t).sql.QueryRowContext(t.Context(), "select sql from sqlite_master where name = 'orders'").Scan(&table))
	require.NotContains(t, strings.ToLower(table), "autoincrement")
}
