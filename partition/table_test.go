package partition_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

func TestTable_refused(t *testing.T) {
	const postgres, mysql = partition.PostgreSQL, partition.MySQL
	tests := []struct {
		name    string
		dialect partition.Dialect
		change  func(*partition.Table)
		is      error
		message string
	}{
		{"no dialect", 0, nil, partition.ErrTable, `dialect "Dialect(0)" is none, want PostgreSQL or MySQL`},
		{"another dialect", 3, nil, partition.ErrTable, `dialect "Dialect(3)" is none, want PostgreSQL or MySQL`},
		{"no table", postgres, func(t *partition.Table) { t.Name = "" }, partition.ErrTable, `table "" is empty`},
		{"no column", postgres, func(t *partition.Table) { t.Column = "" }, partition.ErrTable, `column "" is empty`},
		{"schema with a NUL", postgres, func(t *partition.Table) { t.Schema = "a\x00" }, partition.ErrTable, `schema "a\x00" has a NUL`},
		{"column not UTF-8", postgres, func(t *partition.Table) { t.Column = "a\xff" }, partition.ErrTable, `column "a\xff" is not UTF-8`},
		{
			"layout", postgres, func(t *partition.Table) { t.Layout.Time = 40 }, bits.ErrLayout,
			"widths add up to 62 bits, want exactly 63 or 53",
		},
		{
			"no partition bits", postgres, func(t *partition.Table) { t.Layout = bits.Default().Layout }, bits.ErrLayout,
			"partition has 0 bits, want 1 to 62",
		},
		{
			"group too large", postgres, func(t *partition.Table) { t.GroupSize = 17 }, partition.ErrTable,
			"group size is 17, want 0 to 16",
		},
		{
			"group far too large", mysql, func(t *partition.Table) { t.GroupSize = math.MaxUint64 }, partition.ErrTable,
			"group size is 18446744073709551615, want 0 to 16",
		},
		{
			"too many for MySQL", mysql,
			func(t *partition.Table) {
				t.Layout = bits.Layout{Partition: 16, Time: 41, Sequence: 6}
				t.GroupSize = 7
			},
			partition.ErrTable, "partitions is 9363, want 1 to 8192",
		},
		{
			"pattern without number", postgres, func(t *partition.Table) { t.Pattern = "{table}_{N}" }, partition.ErrTable,
			`pattern "{table}_{N}" needs {n} exactly once`,
		},
		{
			"pattern with two numbers", postgres, func(t *partition.Table) { t.Pattern = "{n}_{n}" }, partition.ErrTable,
			`pattern "{n}_{n}" needs {n} exactly once`,
		},
		{
			"only the name of the table has {n}", postgres,
			func(t *partition.Table) { t.Name, t.Pattern = "{n}", "{table}" }, partition.ErrTable,
			`pattern "{table}" needs {n} exactly once`,
		},
		{
			"partition named as the table", postgres,
			func(t *partition.Table) { t.Name, t.Pattern = "part_15_x", "part_{n}_x" }, partition.ErrTable,
			`pattern "part_{n}_x" gives a partition the name of the table`,
		},
		{
			"span named as the table", postgres,
			func(t *partition.Table) { t.Name, t.Pattern = "part_3_15", "part_{n}" }, partition.ErrTable,
			`pattern "part_{n}" gives a partition the name of the table`,
		},
		{
			"partition with a NUL", postgres, func(t *partition.Table) { t.Pattern = "\x00{n}" }, partition.ErrTable,
			`partition "\x0015" has a NUL`,
		},
		{
			"partition too long for PostgreSQL", postgres,
			func(t *partition.Table) { t.Name = strings.Repeat("é", 30) }, partition.ErrTable,
			`partition "` + strings.Repeat("é", 30) + `_p15" has 64 bytes, want 1 to 63`,
		},
		{
			"last but one partition too long for PostgreSQL", postgres,
			func(t *partition.Table) { t.Name, t.GroupSize = strings.Repeat("x", 57), 3 }, partition.ErrTable,
			`partition "` + strings.Repeat("x", 57) + `_p12_14" has 64 bytes, want 1 to 63`,
		},
		{
			"partition too long for MySQL", mysql,
			func(t *partition.Table) { t.Pattern = strings.Repeat("é", 63) + "{n}" }, partition.ErrTable,
			`partition "` + strings.Repeat("é", 63) + `15" has 65 characters, want 1 to 64`,
		},
		{"semicolon", postgres, func(t *partition.Table) { t.Options = "X; Y" }, partition.ErrTable, `options "X; Y" has a semicolon`},
		{"NUL in options", postgres, func(t *partition.Table) { t.Options = "X\x00" }, partition.ErrTable, `options "X\x00" has a NUL`},
		{"line comment", postgres, func(t *partition.Table) { t.Options = "X -- Y" }, partition.ErrTable, `options "X -- Y" has a comment`},
		{"comment", mysql, func(t *partition.Table) { t.Options = "X /* Y" }, partition.ErrTable, `options "X /* Y" has a comment`},
		{"MySQL's comment", mysql, func(t *partition.Table) { t.Options = "X # Y" }, partition.ErrTable, `options "X # Y" has a comment`},
		{
			"if not exists in MySQL", mysql, func(t *partition.Table) { t.IfNotExists = true }, partition.ErrTable,
			`if not exists "true" has no meaning in MySQL`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := valid(tt.dialect, tt.change)
			ddl, err := partition.NewDDL(table)
			require.Nil(t, ddl)
			require.ErrorIs(t, err, tt.is)
			_, message, _ := strings.Cut(err.Error(), ": ")
			require.Equal(t, tt.message, message)
			require.Equal(t, err, table.Validate())
		})
	}
}

func TestTable_allowed(t *testing.T) {
	const postgres, mysql = partition.PostgreSQL, partition.MySQL
	tests := []struct {
		name    string
		dialect partition.Dialect
		change  func(*partition.Table)
	}{
		{"plain", postgres, nil},
		{"plain", mysql, nil},
		{"as many as MySQL has", mysql, func(t *partition.Table) { t.Layout = bits.Layout{Partition: 13, Time: 41, Sequence: 9} }},
		{"grouped", mysql, func(t *partition.Table) {
			t.Layout = bits.Layout{Partition: 16, Time: 41, Sequence: 6}
			t.GroupSize = 8
		}},
		{"all in one", mysql, func(t *partition.Table) { t.GroupSize = 16 }},
		{"more than MySQL has", postgres, func(t *partition.Table) { t.Layout = bits.Layout{Partition: 16, Time: 41, Sequence: 6} }},
		{"longest partition of PostgreSQL", postgres, func(t *partition.Table) { t.Name = strings.Repeat("x", 59) }},
		{"longest partition of MySQL", mysql, func(t *partition.Table) { t.Pattern = strings.Repeat("é", 62) + "{n}" }},
		{"MySQL partition named as the table", mysql, func(t *partition.Table) { t.Name = "p3" }},
		{"beyond the last partition", postgres, func(t *partition.Table) { t.Name, t.Pattern = "p16", "p{n}" }},
		{"not how a partition is written", postgres, func(t *partition.Table) { t.Name, t.Pattern = "p03", "p{n}" }},
		{"no span", postgres, func(t *partition.Table) { t.Name, t.Pattern = "p3_3", "p{n}" }},
		{"number sign in PostgreSQL", postgres, func(t *partition.Table) { t.Options = "X #" }},
		{"braces", postgres, func(t *partition.Table) { t.Name, t.Pattern = "{n}{table}", "{table}{}{n}" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NoError(t, valid(tt.dialect, tt.change).Validate())
		})
	}
}

func TestTable_zeroValue(t *testing.T) {
	err := partition.Table{}.Validate()
	require.ErrorIs(t, err, partition.ErrTable)
	require.ErrorIs(t, err, bits.ErrLayout)
	for _, field := range []string{"dialect", "table", "column", "sequence", "widths"} {
		require.ErrorContains(t, err, ": "+field+" ")
	}
}

// The name of the table isn't looked through for placeholders.
func TestTable_bracesInTheName(t *testing.T) {
	ddl := newDDL(t, partition.PostgreSQL, func(table *partition.Table) {
		table.Name, table.Pattern = "{n}{table}", "{table}-{n}-{table}"
	})
	name, err := ddl.Name(partition.Single(3))
	require.NoError(t, err)
	require.Equal(t, "{n}{table}-3-{n}{table}", name)
}
