package sqlstore

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptions(t *testing.T) {
	const form = `want "table" or "schema.table", each 1 to 63 ASCII letters, digits and underscores that don't begin with a digit`
	long := strings.Repeat("x", 64)
	for name, tt := range map[string]struct {
		options Options
		want    []string // messages, one each
	}{
		"defaults":            {Options{Dialect: PostgreSQL}, nil},
		"longest":             {Options{Dialect: MySQL, Table: long[1:], RecordTable: "s." + long[1:]}, nil},
		"longest for default": {Options{Dialect: SQLite, Table: long[:56]}, nil},
		"too long for default": {
			Options{Dialect: SQLite, Table: long[:57]},
			[]string{`sqlstore: RecordTable is "` + long[:57] + `_record", ` + form},
		},
		"no dialect":      {Options{}, []string{"sqlstore: Dialect is Dialect(0), want PostgreSQL, MySQL or SQLite"}},
		"unknown dialect": {Options{Dialect: 4}, []string{"sqlstore: Dialect is Dialect(4), want PostgreSQL, MySQL or SQLite"}},
		"every violation": {
			Options{Table: `a"b`, RecordTable: "a b"},
			[]string{
				"sqlstore: Dialect is Dialect(0), want PostgreSQL, MySQL or SQLite",
				`sqlstore: Table is "a\"b", ` + form, `sqlstore: RecordTable is "a b", ` + form,
			},
		},
		"one table": {
			Options{Dialect: SQLite, Table: "ids", RecordTable: "IDs"},
			[]string{`sqlstore: RecordTable is "IDs", want another table than Table`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := New(new(sql.DB), tt.options)
			if tt.want == nil {
				require.NoError(t, err)
				return
			}
			require.Nil(t, s)
			require.EqualError(t, err, strings.Join(tt.want, "\n"))
			require.ErrorIs(t, err, ErrOptions)
		})
	}
	_, err := New(nil, Options{})
	require.EqualError(t, err, "sqlstore: db is nil, want a database\nsqlstore: Dialect is Dialect(0), want PostgreSQL, MySQL or SQLite")
}

func TestTableNames(t *testing.T) {
	for _, name := range []string{"a.b.c", ".a", "a.", "1a", "a-b", "a;b", "`", "é", "a\n", "a\x00", " a", long(64), "a." + long(64)} {
		_, err := New(new(sql.DB), Options{Dialect: MySQL, Table: name})
		require.ErrorIs(t, err, ErrOptions, "%q", name)
		_, err = New(new(sql.DB), Options{Dialect: MySQL, RecordTable: name})
		require.ErrorIs(t, err, ErrOptions, "%q", name)
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func TestDialectString(t *testing.T) {
	require.Equal(t, "PostgreSQL MySQL SQLite Dialect(0) Dialect(-1)", strings.Join([]string{
		PostgreSQL.String(), MySQL.String(), SQLite.String(), Dialect(0).String(), Dialect(-1).String(),
	}, " "))
}
