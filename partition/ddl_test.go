package partition_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

// valid is a table that each test changes one thing of.
func valid(dialect partition.Dialect, change func(*partition.Table)) partition.Table {
	t := partition.Table{
		Dialect: dialect,
		Name:    "orders",
		Column:  "id",
		Layout:  bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12},
	}
	if change != nil {
		change(&t)
	}
	return t
}

func newDDL(t *testing.T, dialect partition.Dialect, change func(*partition.Table)) *partition.DDL {
	t.Helper()
	ddl, err := partition.NewDDL(valid(dialect, change))
	require.NoError(t, err)
	return ddl
}

func TestDDL_53Bits(t *testing.T) {
	narrow := func(table *partition.Table) {
		table.Layout = bits.Layout{Partition: 1, Time: 41, Sequence: 11}
	}
	require.Equal(t, []string{
		`CREATE TABLE "orders_p0" PARTITION OF "orders" FOR VALUES FROM (0) TO (4503599627370496)`,
		`CREATE TABLE "orders_p1" PARTITION OF "orders" FOR VALUES FROM (4503599627370496) TO (9007199254740992)`,
	}, slices.Collect(newDDL(t, partition.PostgreSQL, narrow).Up()))
	require.Equal(t, "PARTITION BY RANGE (`id`) (PARTITION `p0` VALUES LESS THAN (4503599627370496), "+
		"PARTITION `p1` VALUES LESS THAN (9007199254740992))", newDDL(t, partition.MySQL, narrow).PartitionBy())
}

func TestDDL_boundsTouch(t *testing.T) {
	for _, layout := range []bits.Layout{
		{Partition: 1, Time: 41, Sequence: 21},
		{Partition: 8, Sequence: 55},
		{Partition: 10, Time: 32, Sequence: 11},
	} {
		for _, size := range []uint64{0, 1, 2, 3, 7, layout.Partitions() / 2, layout.Partitions()} {
			if size > layout.Partitions() {
				continue
			}
			ddl := newDDL(t, partition.PostgreSQL, func(table *partition.Table) {
				table.Layout, table.GroupSize = layout, size
			})
			from := "0"
			next := uint64(0)
			for span := range ddl.Spans() {
				require.Equal(t, next, span.First)
				next = span.Last + 1

				statement, err := ddl.Create(span)
				require.NoError(t, err)
				_, bounds, _ := strings.Cut(statement, " FROM (")
				first, end, _ := strings.Cut(strings.TrimSuffix(bounds, ")"), ") TO (")
				require.Equal(t, from, first)
				from = end
			}
			require.Equal(t, layout.Partitions(), next)
			if layout.Width() == 63 {
				require.Equal(t, "MAXVALUE", from)
			} else {
				require.Equal(t, "9007199254740992", from)
			}
		}
	}
}

func TestDDL_downUndoesUpBackwards(t *testing.T) {
	ddl := newDDL(t, partition.PostgreSQL, func(table *partition.Table) {
		table.GroupSize, table.IfNotExists = 6, true
	})
	require.Equal(t, []partition.Span{{First: 0, Last: 5}, {First: 6, Last: 11}, {First: 12, Last: 15}}, slices.Collect(ddl.Spans()))
	require.Equal(t, []string{
		`CREATE TABLE IF NOT EXISTS "orders_p0_5" PARTITION OF "orders" FOR VALUES FROM (0) TO (3458764513820540928)`,
		`CREATE TABLE IF NOT EXISTS "orders_p6_11" PARTITION OF "orders" FOR VALUES FROM (3458764513820540928) TO (6917529027641081856)`,
		`CREATE TABLE IF NOT EXISTS "orders_p12_15" PARTITION OF "orders" FOR VALUES FROM (6917529027641081856) TO (MAXVALUE)`,
	}, slices.Collect(ddl.Up()))
	require.Equal(t, []string{
		`DROP TABLE IF EXISTS "orders_p12_15"`,
		`DROP TABLE IF EXISTS "orders_p6_11"`,
		`DROP TABLE IF EXISTS "orders_p0_5"`,
	}, slices.Collect(ddl.Down()))
}

func TestDDL_oneSpan(t *testing.T) {
	last := partition.Single(15)
	tests := []struct {
		dialect              partition.Dialect
		create, drop, detach string
	}{
		{
			partition.PostgreSQL,
			`CREATE TABLE "s"."15 of orders" PARTITION OF "s"."orders" FOR VALUES FROM (8646911284551352320) TO (MAXVALUE) X`,
			`DROP TABLE "s"."15 of orders"`,
			`ALTER TABLE "s"."orders" DETACH PARTITION "s"."15 of orders"`,
		},
		{
			partition.MySQL,
			"ALTER TABLE `s`.`orders` ADD PARTITION (PARTITION `15 of orders` VALUES LESS THAN MAXVALUE X)",
			"ALTER TABLE `s`.`orders` DROP PARTITION `15 of orders`",
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.dialect.String(), func(t *testing.T) {
			ddl := newDDL(t, tt.dialect, func(table *partition.Table) {
				table.Schema, table.Pattern, table.Options = "s", "{n} of {table}", "\n X "
			})
			name, err := ddl.Name(last)
			require.NoError(t, err)
			require.Equal(t, "15 of orders", name)
			create, err := ddl.Create(last)
			require.NoError(t, err)
			require.Equal(t, tt.create, create)
			drop, err := ddl.Drop(last)
			require.NoError(t, err)
			require.Equal(t, tt.drop, drop)
			detach, err := ddl.Detach(last)
			if tt.detach == "" {
				require.ErrorIs(t, err, partition.ErrUnsupported)
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, tt.detach, detach)
		})
	}
}

func TestDDL_spanOutsideTheLayout(t *testing.T) {
	ddl := newDDL(t, partition.PostgreSQL, nil)
	for _, span := range []partition.Span{
		{First: 4, Last: 3},
		{First: 15, Last: 16},
		{First: 16, Last: 16},
		{First: 0, Last: math.MaxUint64},
	} {
		for name, call := range map[string]func(partition.Span) (string, error){
			"Create": ddl.Create, "Drop": ddl.Drop, "Detach": ddl.Detach, "Name": ddl.Name,
		} {
			text, err := call(span)
			require.Empty(t, text, name)
			require.ErrorIs(t, err, partition.ErrSpan, name)
			var spanError *partition.SpanError
			require.ErrorAs(t, err, &spanError, name)
			require.Equal(t, partition.SpanError{Span: span, Max: 15}, *spanError, name)
		}
	}
}

// A span that Up doesn't make can have a longer name than all that it makes.
func TestDDL_spanWithTooLongAName(t *testing.T) {
	ddl := newDDL(t, partition.PostgreSQL, func(table *partition.Table) {
		table.Name = strings.Repeat("x", 59)
	})
	_, err := ddl.Create(partition.Single(15))
	require.NoError(t, err)
	for _, call := range []func(partition.Span) (string, error){ddl.Create, ddl.Drop, ddl.Detach, ddl.Name} {
		text, err := call(partition.Span{First: 1, Last: 2})
		require.Empty(t, text)
		var length *partition.LengthError
		require.ErrorAs(t, err, &length)
		require.Equal(t, 64, length.Length)
		require.Equal(t, 63, length.Max)
	}
}

// 2^62 partitions are no reason to make them all, neither up nor down.
func TestDDL_isLazy(t *testing.T) {
	ddl := newDDL(t, partition.PostgreSQL, func(table *partition.Table) {
		table.Layout = bits.Layout{Partition: 62, Sequence: 1}
	})
	first := func(statements func(func(string) bool)) string {
		for statement := range statements {
			return statement
		}
		return ""
	}
	require.Equal(t, `CREATE TABLE "orders_p0" PARTITION OF "orders" FOR VALUES FROM (0) TO (2)`, first(ddl.Up()))
	require.Equal(t, `DROP TABLE "orders_p4611686018427387903"`, first(ddl.Down()))
	for span := range ddl.Spans() {
		require.Equal(t, partition.Single(0), span)
		break
	}
}

func TestDDL_namesDiffer(t *testing.T) {
	ddl := newDDL(t, partition.PostgreSQL, func(table *partition.Table) {
		table.Layout = bits.Layout{Partition: 6, Time: 41, Sequence: 16}
	})
	spans := map[string]partition.Span{}
	for first := range uint64(64) {
		for last := first; last < 64; last++ {
			span := partition.Span{First: first, Last: last}
			name, err := ddl.Name(span)
			require.NoError(t, err)
			require.NotContains(t, spans, name)
			spans[name] = span
		}
	}
	require.Len(t, spans, 64*65/2)
}
