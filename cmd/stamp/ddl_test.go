package main

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

func TestDDLGolden(t *testing.T) {
	for name, args := range map[string]string{
		"ddl_postgres":      "ddl --dialect postgres --table orders",
		"ddl_postgres_down": "ddl --dialect postgres --table orders --schema shop --layout 2/41/8/12 --down --if-not-exists",
		"ddl_mysql":         "ddl --dialect mysql --table orders --layout 2/41/8/12",
		"ddl_mysql_53":      "ddl --dialect mysql --table orders --layout 2/41/3/7 --options ENGINE=InnoDB",
		"ddl_mysql_down":    "ddl --dialect mysql --table orders --down",
		"ddl_group":         "ddl --dialect postgres --table orders --column order_id --layout 6/41/4/12 --group 16 --if-not-exists",
		"ddl_span":          "ddl --dialect postgres --table orders --span 0-3",
		"ddl_span_down":     "ddl --dialect mysql --table orders --span 15 --down",
	} {
		t.Run(name, func(t *testing.T) { requireGolden(t, name, answer(t, "", args)) })
	}
}

// The output is the library's statements, each with a semicolon.
func TestDDLIsTheLibrarys(t *testing.T) {
	one := func(statement string, err error) iter.Seq[string] {
		require.NoError(t, err)
		return slices.Values([]string{statement})
	}
	for dialect, d := range map[string]partition.Dialect{"postgres": partition.PostgreSQL, "mysql": partition.MySQL} {
		table := partition.Table{
			Dialect: d, Schema: "shop", Name: "or ders", Column: "order_id",
			Layout: bits.Layout{Partition: 6, Time: 41, Node: 4, Sequence: 12}, Options: "TABLESPACE fast",
		}
		grouped := table
		grouped.GroupSize = 10
		single, err := partition.NewDDL(table)
		require.NoError(t, err)
		groups, err := partition.NewDDL(grouped)
		require.NoError(t, err)
		span := partition.Span{First: 4, Last: 7}

		for flags, want := range map[string]iter.Seq[string]{
			"":                  single.Up(),
			"--down":            single.Down(),
			"--group 10":        groups.Up(),
			"--group 10 --down": groups.Down(),
			"--span 4-7":        one(single.Create(span)),
			"--span 4-7 --down": one(single.Drop(span)),
			"--span 63":         one(single.Create(partition.Single(63))),
		} {
			args := []string{
				"ddl", "--dialect", dialect, "--schema", "shop", "--table", "or ders", "--column", "order_id",
				"--layout", "6/41/4/12", "--options", "TABLESPACE fast",
			}
			s, out, message := fixed("")
			require.Zero(t, run(append(args, strings.Fields(flags)...), s), message.String())
			var text strings.Builder
			for statement := range want {
				text.WriteString(statement + ";\n")
			}
			require.Equal(t, text.String(), out.String(), flags)
		}
	}
}

func TestDDLUsage(t *testing.T) {
	requireUsage(t, map[string]string{
		"ddl --table orders":     "no --dialect",
		"ddl --dialect postgres": `table "" is empty`,
		"ddl --dialect postgres --table orders --layout 0/41/7/15":                  "partition has 0 bits",
		"ddl --dialect postgres --table orders --layout 4/41":                       "2 widths",
		"ddl --dialect postgres --table orders --group 17":                          "group size is 17",
		"ddl --dialect postgres --table orders --group=-1":                          `--group "-1"`,
		"ddl --dialect postgres --table orders --span 9-16":                         "span from 9 to 16",
		"ddl --dialect postgres --table orders --span 3-2":                          "span from 3 to 2",
		"ddl --dialect mysql --table orders --if-not-exists":                        "has no meaning in MySQL",
		"ddl --dialect mysql --table orders --layout 14/41/0/8":                     "partitions is 16384",
		"ddl --dialect mysql --table orders --options a;b":                          "semicolon",
		"ddl --dialect postgres --table orders orders":                              "unexpected argument orders",
		"ddl --dialect postgres --table " + strings.Repeat("x", 64):                 "64 bytes",
		"ddl --dialect postgres --table " + strings.Repeat("x", 60) + " --span 0-3": "want 1 to 63",
	})
}

func TestDDLReportsAllThatIsWrong(t *testing.T) {
	s, out, message := fixed("")
	require.Equal(t, exitUsage, run(strings.Fields("ddl --dialect oracle --column= --layout 1/2/3/4 --group x --span x --options ;"), s))
	require.Empty(t, out.String())
	for _, want := range []string{
		`--dialect "oracle"`, `table "" is empty`, `column "" is empty`, "widths add up to 10 bits", `--group "x"`, `--span "x"`,
		"--span and --group", "semicolon",
	} {
		require.Equal(t, 1, strings.Count(message.String(), want), "%s in %s", want, message)
	}
	require.NotContains(t, message.String(), "Dialect(0)")
}

// A layout can have 2^62 partitions, and nobody waits for them all.
func TestDDLForAReaderThatLeaves(t *testing.T) {
	c := newMachine(t).command("ddl", "--dialect", "postgres", "--table", "t", "--layout", "62/0/0/1")
	require.Contains(t, requireFirstLineEnough(t, c), `"t_p0"`)
}
