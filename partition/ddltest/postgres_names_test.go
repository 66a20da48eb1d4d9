package ddltest

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

func TestPostgres_oddNames(t *testing.T) {
	for _, name := range []string{
		"select", "Orders", "user", "all my orders", " ", `"`, `a"b""c`, "a`b'c", `back\slash`, "semi;colon", "DROP TABLE x; --",
		"line\nbreak", "per%cent $1 ?", "é", "順序", "😀", "{n}", "a.b",
		strings.Repeat("x", 60), strings.Repeat("é", 30), strings.Repeat(`"`, 60),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := postgres(t)
			odd := unique() + name
			for len(odd) > 63 {
				_, last := utf8.DecodeLastRuneInString(odd)
				odd = odd[:len(odd)-last]
			}
			s.exec("CREATE SCHEMA " + s.quote(odd))
			s.always("DROP SCHEMA " + s.quote(odd) + " CASCADE")

			table := partition.Table{Schema: odd, Name: name, Column: name, Layout: narrow}
			ddl := s.ddl(table)
			s.exec("CREATE TABLE " + s.qualified(table) + " (" + s.quote(name) + " bigint PRIMARY KEY) " + ddl.PartitionBy())
			s.execAll(ddl.Up())

			want := []string{name}
			for span := range ddl.Spans() {
				want = append(want, must[string](t)(ddl.Name(span)))
			}
			slices.Sort(want)
			require.Equal(t, want, relations(s, odd))

			r, err := narrow.PartitionRange(3)
			require.NoError(t, err)
			s.exec("INSERT INTO "+s.qualified(table)+" VALUES ($1)", r.Last)
			require.Equal(t, must[string](t)(ddl.Name(partition.Single(3))), home(s, table, r.Last))
			where := must[partition.Condition](t)(partition.Between(s.dialect, name, r, 1))
			require.Equal(t, []int64{r.Last}, column[int64](s, "SELECT * FROM "+s.qualified(table)+" WHERE "+where.SQL, where.Args()...))

			s.exec(must[string](t)(ddl.Detach(partition.Single(3))))
			s.exec(must[string](t)(ddl.Drop(partition.Single(3))))
			s.exec(must[string](t)(ddl.Create(partition.Single(3))))
			s.execAll(ddl.Down())
			require.Equal(t, []string{name}, relations(s, odd))
		})
	}
}

// Why names that are too long are refused here: the server would cut them off,
// and the partitions 10 to 15 would have one name.
func TestPostgres_cutsLongNamesOff(t *testing.T) {
	s := postgres(t)
	long := strings.Repeat("x", 64)
	_, err := s.dialect.Quote(long)
	require.ErrorIs(t, err, partition.ErrTable)
	name := schema(s)
	s.exec("CREATE TABLE " + s.quote(name) + `."` + long + `" (id bigint)`)
	require.Equal(t, []string{long[:63]}, relations(s, name))
}

func TestPostgres_longestNames(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, func(table *partition.Table) {
		table.Name, table.Column = strings.Repeat("t", 63), strings.Repeat("c", 63)
		table.Pattern = strings.Repeat("p", 61) + "{n}"
	})
	s.execAll(ddl.Up())
	require.Len(t, relations(s, table.Schema), 17)
	s.execAll(ddl.Down())
	require.Len(t, relations(s, table.Schema), 1)
}
