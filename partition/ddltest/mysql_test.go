package ddltest

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

// mysqlTable describes a table of ids and tenants that is removed in the end.
func mysqlTable(s server, change func(*partition.Table)) (partition.Table, *partition.DDL) {
	s.t.Helper()
	table := partition.Table{Name: unique(), Column: "id", Layout: layout}
	if change != nil {
		change(&table)
	}
	s.always("DROP TABLE IF EXISTS " + s.qualified(table))
	return table, s.ddl(table)
}

// createMySQL makes a table, partitioned by the clause if there is one.
func createMySQL(s server, table partition.Table, clause string) {
	s.t.Helper()
	s.exec("CREATE TABLE " + s.qualified(table) + " (" + s.quote(table.Column) + " bigint PRIMARY KEY, tenant varchar(100)) " + clause)
}

// partitions returns the table's, in the order of their ids; none for an
// ordinary table.
func partitions(s server, table partition.Table) []string {
	s.t.Helper()
	return column[string](s, `SELECT partition_name FROM information_schema.partitions WHERE table_schema = DATABASE()
		AND table_name = ? AND partition_name IS NOT NULL ORDER BY partition_ordinal_position`, table.Name)
}

func insertMySQL(s server, table partition.Table, rows []row) {
	s.t.Helper()
	statement := "INSERT INTO " + s.qualified(table) + " VALUES "
	var args []any
	for i, r := range rows {
		if i > 0 {
			statement += ", "
		}
		statement += "(?, ?)"
		args = append(args, r.id, r.tenant)
	}
	s.exec(statement, args...)
}

// within returns the ids that a partition holds, sorted.
func within(s server, table partition.Table, name string) []int64 {
	s.t.Helper()
	id := s.quote(table.Column)
	return column[int64](s, "SELECT "+id+" FROM "+s.qualified(table)+" PARTITION ("+s.quote(name)+") ORDER BY "+id)
}

func names(s server, ddl *partition.DDL) []string {
	s.t.Helper()
	var all []string
	for span := range ddl.Spans() {
		all = append(all, must[string](s.t)(ddl.Name(span)))
	}
	return all
}

// requireInPlace checks that each row is in its tenant's partition.
func requireInPlace(s server, table partition.Table, ddl *partition.DDL, rows []row) {
	s.t.Helper()
	for span := range ddl.Spans() {
		want := []int64{}
		for _, r := range rows {
			if r.partition >= span.First && r.partition <= span.Last {
				want = append(want, r.id)
			}
		}
		slices.Sort(want)
		require.Equal(s.t, want, within(s, table, must[string](s.t)(ddl.Name(span))))
	}
}

func TestMySQL_rowsLandInTheirTenantsPartition(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, nil)
	createMySQL(s, table, ddl.PartitionBy())
	require.Equal(t, names(s, ddl), partitions(s, table))
	require.Equal(t, "p15", partitions(s, table)[15])

	config, rows := ids(t)
	insertMySQL(s, table, rows)
	requireInPlace(s, table, ddl, rows)

	for p := range layout.Partitions() {
		r, err := config.PartitionRange(p)
		require.NoError(t, err)
		where := must[partition.Condition](t)(partition.Between(s.dialect, "id", r, 1))
		require.Equal(t, within(s, table, must[string](t)(ddl.Name(partition.Single(p)))),
			column[int64](s, "SELECT id FROM "+s.qualified(table)+" WHERE "+where.SQL+" ORDER BY id", where.Args()...))
	}
}

func TestMySQL_upMovesTheRowsOfATableAndDownKeepsThem(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, func(table *partition.Table) {
		table.Schema = column[string](s, "SELECT DATABASE()")[0]
		table.GroupSize = 3
	})
	createMySQL(s, table, "")
	_, rows := ids(t)
	insertMySQL(s, table, rows)
	for range 2 {
		require.Empty(t, partitions(s, table))
		s.execAll(ddl.Up())
		require.Equal(t, []string{"p0_2", "p3_5", "p6_8", "p9_11", "p12_14", "p15"}, partitions(s, table))
		requireInPlace(s, table, ddl, rows)
		s.execAll(ddl.Down())
	}
	require.Empty(t, partitions(s, table))
	require.Equal(t, []int{len(rows)}, column[int](s, "SELECT count(*) FROM "+s.qualified(table)))
}

func TestMySQL_endsOfEachPartition(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, nil)
	createMySQL(s, table, ddl.PartitionBy())
	for span := range ddl.Spans() {
		r, err := layout.PartitionRange(span.First)
		require.NoError(t, err)
		insertMySQL(s, table, []row{{id: r.First}, {id: r.Last}})
		require.Equal(t, []int64{r.First, r.Last}, within(s, table, must[string](t)(ddl.Name(span))))
	}
	require.Contains(t, within(s, table, "p15"), int64(math.MaxInt64))

	insertMySQL(s, table, []row{{id: -1}})
	require.Contains(t, within(s, table, "p0"), int64(-1), "nothing bounds the first partition from below")
}

func TestMySQL_53Bits(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, func(table *partition.Table) { table.Layout = narrow })
	createMySQL(s, table, ddl.PartitionBy())
	insertMySQL(s, table, []row{{id: narrow.MaxID()}})
	require.Equal(t, []int64{narrow.MaxID()}, within(s, table, "p3"))
	require.ErrorContains(t, s.try("INSERT INTO "+s.qualified(table)+" (id) VALUES (?)", narrow.MaxID()+1), "no partition")
}

func TestMySQL_spans(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, nil)
	createMySQL(s, table, "PARTITION BY RANGE (id) (PARTITION negative VALUES LESS THAN (0))")
	for _, span := range []partition.Span{{First: 0, Last: 5}, partition.Single(6), {First: 7, Last: 15}} {
		s.exec(must[string](t)(ddl.Create(span)))
	}
	require.Equal(t, []string{"negative", "p0_5", "p6", "p7_15"}, partitions(s, table))
	require.Error(t, s.try(must[string](t)(ddl.Create(partition.Single(15)))), "nothing follows MAXVALUE")

	_, rows := ids(t)
	insertMySQL(s, table, rows)
	held := len(within(s, table, "p6"))
	require.Positive(t, held)
	s.exec(must[string](t)(ddl.Drop(partition.Single(6))))
	require.Equal(t, []int{len(rows) - held}, column[int](s, "SELECT count(*) FROM "+s.qualified(table)))

	// The next higher partition takes what the dropped one had.
	again := slices.DeleteFunc(rows, func(r row) bool { return r.partition != 6 })
	insertMySQL(s, table, again)
	require.Contains(t, within(s, table, "p7_15"), again[0].id)

	s.exec("ALTER TABLE " + s.qualified(table) + " DROP PARTITION negative")
	s.exec(must[string](t)(ddl.Drop(partition.Span{First: 0, Last: 5})))
	require.Error(t, s.try(must[string](t)(ddl.Drop(partition.Span{First: 7, Last: 15}))), "the only one that is left")
}

func TestMySQL_options(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, func(table *partition.Table) { table.Options = "ENGINE = InnoDB COMMENT = 'of a tenant, or of many'" })
	createMySQL(s, table, ddl.PartitionBy())
	require.Equal(t, []string{"of a tenant, or of many"}, column[string](s,
		"SELECT DISTINCT partition_comment FROM information_schema.partitions WHERE table_schema = DATABASE() AND table_name = ?", table.Name))
}
