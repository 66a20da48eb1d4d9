package ddltest

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

// schema makes a schema for one test.
func schema(s server) string {
	s.t.Helper()
	name := unique()
	s.exec("CREATE SCHEMA " + s.quote(name))
	s.always("DROP SCHEMA " + s.quote(name) + " CASCADE")
	return name
}

// orders makes a table of ids and tenants, without its partitions.
func orders(s server, change func(*partition.Table)) (partition.Table, *partition.DDL) {
	s.t.Helper()
	table := partition.Table{Schema: schema(s), Name: "orders", Column: "id", Layout: layout}
	if change != nil {
		change(&table)
	}
	ddl := s.ddl(table)
	s.exec("CREATE TABLE " + s.qualified(table) + " (" + s.quote(table.Column) + " bigint PRIMARY KEY, tenant text) " + ddl.PartitionBy())
	return table, ddl
}

func (s server) qualified(table partition.Table) string {
	s.t.Helper()
	if table.Schema == "" {
		return s.quote(table.Name)
	}
	return s.quote(table.Schema) + "." + s.quote(table.Name)
}

// relations returns the tables of a schema, sorted.
func relations(s server, schema string) []string {
	s.t.Helper()
	return column[string](s, `SELECT relname::text FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
		WHERE nspname = $1 AND relkind IN ('r', 'p') ORDER BY relname COLLATE "C"`, schema)
}

// home returns the partition that holds an id.
func home(s server, table partition.Table, id int64) string {
	s.t.Helper()
	return homes(s, table)[id]
}

// homes returns the partition that holds each id.
func homes(s server, table partition.Table) map[int64]string {
	s.t.Helper()
	id := s.quote(table.Column)
	found := map[int64]string{}
	for _, line := range column[string](s, "SELECT o."+id+" || ' ' || relname FROM "+s.qualified(table)+" o JOIN pg_class c ON c.oid = o.tableoid") {
		number, name, _ := strings.Cut(line, " ")
		found[must[int64](s.t)(strconv.ParseInt(number, 10, 64))] = name
	}
	return found
}

func insertPostgres(s server, table partition.Table, rows []row) {
	s.t.Helper()
	tenants, numbers := make([]string, len(rows)), make([]int64, len(rows))
	for i, r := range rows {
		tenants[i], numbers[i] = r.tenant, r.id
	}
	s.exec("INSERT INTO "+s.qualified(table)+" SELECT * FROM unnest($1::bigint[], $2::text[])", numbers, tenants)
}

func TestPostgres_rowsLandInTheirTenantsPartition(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, nil)
	s.execAll(ddl.Up())
	config, rows := ids(t)
	insertPostgres(s, table, rows)

	found := homes(s, table)
	require.Len(t, found, len(rows))
	perPartition := map[uint64][]string{}
	for _, r := range rows {
		require.Equal(t, must[string](t)(ddl.Name(partition.Single(r.partition))), found[r.id], r.tenant)
		perPartition[r.partition] = append(perPartition[r.partition], r.tenant)
	}
	for p, tenants := range perPartition {
		r, err := config.PartitionRange(p)
		require.NoError(t, err)
		where := must[partition.Condition](t)(partition.Between(s.dialect, "id", r, 1))
		require.ElementsMatch(t, tenants, column[string](s, "SELECT tenant FROM "+s.qualified(table)+" WHERE "+where.SQL, where.Args()...))
	}
}

func TestPostgres_endsOfEachPartition(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, nil)
	s.execAll(ddl.Up())
	for span := range ddl.Spans() {
		r, err := layout.PartitionRange(span.First)
		require.NoError(t, err)
		name := must[string](t)(ddl.Name(span))
		for _, id := range []int64{r.First, r.Last} {
			s.exec("INSERT INTO "+s.qualified(table)+" VALUES ($1)", id)
			require.Equal(t, name, home(s, table, id))
		}
	}
	require.Equal(t, "orders_p15", home(s, table, math.MaxInt64))
	require.ErrorContains(t, s.try("INSERT INTO "+s.qualified(table)+" VALUES (-1)"), "no partition")
}

func TestPostgres_53Bits(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, func(table *partition.Table) { table.Layout = narrow })
	s.execAll(ddl.Up())
	s.exec("INSERT INTO "+s.qualified(table)+" VALUES ($1)", narrow.MaxID())
	require.Equal(t, "orders_p3", home(s, table, narrow.MaxID()))
	require.ErrorContains(t, s.try("INSERT INTO "+s.qualified(table)+" VALUES ($1)", narrow.MaxID()+1), "no partition")
}

func TestPostgres_spans(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, func(table *partition.Table) { table.GroupSize = 6 })
	s.execAll(ddl.Up())
	require.Equal(t, []string{"orders", "orders_p0_5", "orders_p12_15", "orders_p6_11"}, relations(s, table.Schema))
	_, rows := ids(t)
	insertPostgres(s, table, rows)
	names := []string{"orders_p0_5", "orders_p6_11", "orders_p12_15"}
	found := homes(s, table)
	for _, r := range rows {
		require.Equal(t, names[r.partition/6], found[r.id])
	}

	// The last one anew, as two of other sizes.
	s.exec(must[string](t)(ddl.Drop(partition.Span{First: 12, Last: 15})))
	s.exec(must[string](t)(ddl.Create(partition.Single(12))))
	s.exec(must[string](t)(ddl.Create(partition.Span{First: 13, Last: 15})))
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.partition < 12 })
	insertPostgres(s, table, rows)
	found = homes(s, table)
	for _, r := range rows {
		want := "orders_p13_15"
		if r.partition == 12 {
			want = "orders_p12"
		}
		require.Equal(t, want, found[r.id])
	}
	require.ErrorContains(t, s.try(must[string](t)(ddl.Create(partition.Span{First: 11, Last: 12}))), "overlap")
}

func TestPostgres_upThenDownLeavesNothing(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, func(table *partition.Table) { table.IfNotExists = true })
	before := relations(s, table.Schema)
	for range 2 { // IF NOT EXISTS, IF EXISTS
		s.execAll(ddl.Up())
		require.Len(t, relations(s, table.Schema), 17)
	}
	_, rows := ids(t)
	insertPostgres(s, table, rows)
	for range 2 {
		s.execAll(ddl.Down())
		require.Equal(t, before, relations(s, table.Schema))
	}
	require.Equal(t, []int{0}, column[int](s, "SELECT count(*) FROM "+s.qualified(table)))

	// Up once more: nothing was left that is in the way.
	table.IfNotExists = false
	s.execAll(s.ddl(table).Up())
	require.Error(t, s.try(slices.Collect(s.ddl(table).Up())[0]))
}

func TestPostgres_detachKeepsTheRows(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, nil)
	s.execAll(ddl.Up())
	_, rows := ids(t)
	insertPostgres(s, table, rows)
	for span := range ddl.Spans() {
		s.exec(must[string](t)(ddl.Detach(span)))
	}
	require.Equal(t, []int{0}, column[int](s, "SELECT count(*) FROM "+s.qualified(table)))

	kept := 0
	for span := range ddl.Spans() {
		partTable := table
		partTable.Name = must[string](t)(ddl.Name(span))
		kept += column[int](s, "SELECT count(*) FROM "+s.qualified(partTable))[0]
	}
	require.Equal(t, len(rows), kept)
}

func TestPostgres_options(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, func(table *partition.Table) { table.Options = "WITH (fillfactor = 90) TABLESPACE pg_default" })
	s.execAll(ddl.Up())
	require.Equal(t, slices.Repeat([]string{"{fillfactor=90}"}, 16), column[string](s, `SELECT reloptions::text FROM pg_class
		JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1 AND relkind = 'r'`, table.Schema))
}

// As the documentation says of both dialects.
func TestPostgres_uniqueKeysNeedTheID(t *testing.T) {
	s := postgres(t)
	table, _ := orders(s, nil)
	require.ErrorContains(t, s.try("ALTER TABLE "+s.qualified(table)+" ADD UNIQUE (tenant)"), "partition")
	s.exec("ALTER TABLE " + s.qualified(table) + " ADD UNIQUE (tenant, id)")
}
