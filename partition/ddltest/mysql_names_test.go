package ddltest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

func TestMySQL_oddNames(t *testing.T) {
	for _, name := range []string{
		"select", "Orders", "all my orders", "`", "a`b``c", `a"b'c`, `back\slash`, "semi;colon", "DROP TABLE x; -- ", "# x",
		"line\nbreak", "per%cent $1 ?", "é", "順序", "{table}", "a.b", "\uffee",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mysql(t)
			table, ddl := mysqlTable(s, func(table *partition.Table) {
				table.Layout = narrow
				table.Name += name + "x" // no space may stand at the end
				table.Column = name + "x"
				table.Pattern = name + "{n}"
			})
			createMySQL(s, table, ddl.PartitionBy())
			requireTheyWork(s, table, ddl)
		})
	}
}

func TestMySQL_longestNames(t *testing.T) {
	for _, longest := range []struct{ column, pattern string }{
		{strings.Repeat("x", 64), strings.Repeat("x", 63) + "{n}"},
		{strings.Repeat("順", 64), strings.Repeat("é", 50) + strings.Repeat("x", 13) + "{n}"},
	} {
		s := mysql(t)
		table, ddl := mysqlTable(s, func(table *partition.Table) {
			table.Layout = narrow
			table.Name += strings.Repeat("x", 64-len(table.Name))
			table.Column, table.Pattern = longest.column, longest.pattern
		})
		createMySQL(s, table, ddl.PartitionBy())
		requireTheyWork(s, table, ddl)
	}
}

// As the documentation says: what a file's name has no room for is refused
// although it has no more than 64 characters.
func TestMySQL_namesOfFiles(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, func(table *partition.Table) {
		table.Layout = narrow
		table.Pattern = strings.Repeat("順", 63) + "{n}"
	})
	err := s.try("CREATE TABLE " + s.qualified(table) + " (id bigint PRIMARY KEY) " + ddl.PartitionBy())
	requireCode(t, err, erCannotCreate)
}

// requireTheyWork checks each statement of a table with 4 partitions.
func requireTheyWork(s server, table partition.Table, ddl *partition.DDL) {
	s.t.Helper()
	require.Equal(s.t, names(s, ddl), partitions(s, table))

	r, err := table.Layout.PartitionRange(3)
	require.NoError(s.t, err)
	insertMySQL(s, table, []row{{id: r.Last}})
	require.Equal(s.t, []int64{r.Last}, within(s, table, names(s, ddl)[3]))
	where := must[partition.Condition](s.t)(partition.Between(s.dialect, table.Column, r, 1))
	require.Equal(s.t, []int64{r.Last}, column[int64](s,
		"SELECT "+s.quote(table.Column)+" FROM "+s.qualified(table)+" WHERE "+where.SQL, where.Args()...))

	last := partition.Single(3)
	s.exec(must[string](s.t)(ddl.Drop(last)))
	s.exec(must[string](s.t)(ddl.Create(last)))
	require.Equal(s.t, names(s, ddl), partitions(s, table))
	s.execAll(ddl.Down())
	require.Empty(s.t, partitions(s, table))
	s.execAll(ddl.Up())
	require.Equal(s.t, names(s, ddl), partitions(s, table))
}
