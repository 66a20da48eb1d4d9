package sqlstore

import (
	"fmt"
	"strings"
)

// Dialect is a language of SQL. The zero value is none: a forgotten dialect is
// an error.
type Dialect int

const (
	// PostgreSQL needs version 9.5 or later.
	PostgreSQL Dialect = iota + 1

	// MySQL stands for MariaDB too.
	MySQL

	// SQLite needs version 3.35 or later.
	SQLite
)

// String returns the dialect's name as it is spelt above, and for any other
// value its number, as in "Dialect(7)".
func (d Dialect) String() string {
	switch d {
	case PostgreSQL:
		return "PostgreSQL"
	case MySQL:
		return "MySQL"
	case SQLite:
		return "SQLite"
	default:
		return fmt.Sprintf("Dialect(%d)", int(d))
	}
}

func (d Dialect) known() bool { return d == PostgreSQL || d == MySQL || d == SQLite }

// quote needs a name that checkTable allows: parts without quotes, with dots
// between.
func (d Dialect) quote(table string) string {
	mark := `"`
	if d == MySQL {
		mark = "`"
	}
	return mark + strings.ReplaceAll(table, ".", mark+"."+mark) + mark
}
