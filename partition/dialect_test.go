package partition_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

func TestQuote(t *testing.T) {
	const postgres, mysql = partition.PostgreSQL, partition.MySQL
	tests := []struct {
		dialect    partition.Dialect
		name, want string
	}{
		{postgres, "orders", `"orders"`},
		{postgres, "select", `"select"`},
		{postgres, `a"b`, `"a""b"`},
		{postgres, `"`, `""""`},
		{postgres, "a`b; drop", "\"a`b; drop\""},
		{postgres, "a\\\n😀 ", "\"a\\\n😀 \""},
		{postgres, strings.Repeat("x", 63), `"` + strings.Repeat("x", 63) + `"`},
		{postgres, strings.Repeat(`"`, 63), strings.Repeat(`"`, 128)},
		{mysql, "orders", "`orders`"},
		{mysql, "a`b", "`a``b`"},
		{mysql, `a"b\`, "`a\"b\\`"},
		{mysql, " \uffff", "` \uffff`"},
		{mysql, strings.Repeat("é", 64), "`" + strings.Repeat("é", 64) + "`"},
	}
	for _, tt := range tests {
		got, err := tt.dialect.Quote(tt.name)
		require.NoError(t, err, tt.name)
		require.Equal(t, tt.want, got)
	}
}

func TestQuote_refused(t *testing.T) {
	const postgres, mysql = partition.PostgreSQL, partition.MySQL
	tests := []struct {
		dialect    partition.Dialect
		name, want string
	}{
		{0, "a", `partition: dialect "Dialect(0)" is none, want PostgreSQL or MySQL`},
		{postgres, "", `partition: identifier "" is empty`},
		{mysql, "", `partition: identifier "" is empty`},
		{postgres, "a\x00b", `partition: identifier "a\x00b" has a NUL`},
		{mysql, "\x00", `partition: identifier "\x00" has a NUL`},
		{postgres, "\xc3", `partition: identifier "\xc3" is not UTF-8`},
		{mysql, "\xff", `partition: identifier "\xff" is not UTF-8`},
		{mysql, "😀", `partition: identifier "😀" has a character above U+FFFF`},
		{mysql, "a ", `partition: identifier "a " ends with a space`},
		{postgres, strings.Repeat("é", 32), `partition: identifier "` + strings.Repeat("é", 32) + `" has 64 bytes, want 1 to 63`},
		{mysql, strings.Repeat("é", 65), `partition: identifier "` + strings.Repeat("é", 65) + `" has 65 characters, want 1 to 64`},
	}
	for _, tt := range tests {
		got, err := tt.dialect.Quote(tt.name)
		require.Empty(t, got)
		require.ErrorIs(t, err, partition.ErrTable)
		require.EqualError(t, err, tt.want)
	}
}

func TestQuote_everyViolation(t *testing.T) {
	_, err := partition.MySQL.Quote(strings.Repeat("\x00\xff😀", 30) + " ")
	for _, violation := range []string{"NUL", "UTF-8", "U+FFFF", "space", "91 characters"} {
		require.ErrorContains(t, err, violation)
	}
}

// unquote reads a quoted identifier as a server does: a quote ends it, unless
// another one follows. It returns what stands behind too.
func unquote(text string, mark byte) (name, rest string, ok bool) {
	if text == "" || text[0] != mark {
		return "", text, false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] != mark {
			b.WriteByte(text[i])
			continue
		}
		if i+1 == len(text) || text[i+1] != mark {
			return b.String(), text[i+1:], true
		}
		b.WriteByte(mark)
		i++
	}
	return "", "", false
}

func FuzzQuote(f *testing.F) {
	for _, name := range []string{"orders", "", `"`, "`", `a"`, "a``", "\x00", "\xff", "😀", " ", strings.Repeat("x", 64), "; DROP TABLE x --"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for dialect, mark := range map[partition.Dialect]byte{partition.PostgreSQL: '"', partition.MySQL: '`'} {
			quoted, err := dialect.Quote(name)
			if err != nil {
				require.ErrorIs(t, err, partition.ErrTable)
				require.Empty(t, quoted)
				continue
			}
			read, rest, ok := unquote(quoted, mark)
			require.True(t, ok)
			require.Equal(t, name, read)
			require.Empty(t, rest)
			require.True(t, utf8.ValidString(quoted))
			require.NotContains(t, quoted, "\x00")
			if dialect == partition.PostgreSQL {
				require.LessOrEqual(t, len(name), 63)
			} else {
				require.LessOrEqual(t, utf8.RuneCountInString(name), 64)
			}

			// The same name in a whole statement leaves the rest as it is.
			if ddl, err := partition.NewDDL(partition.Table{
				Dialect: dialect, Name: name, Column: name, Pattern: "p{n}",
				Layout: bits.Layout{Partition: 1, Time: 41, Sequence: 21},
			}); err == nil {
				_, rest, found := strings.Cut(ddl.PartitionBy(), "(")
				require.True(t, found)
				read, rest, ok = unquote(rest, mark)
				require.True(t, ok)
				require.Equal(t, name, read)
				require.True(t, strings.HasPrefix(rest, ")"))
			}
		}
	})
}
