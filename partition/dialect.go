package partition

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Dialect is a language of SQL. The zero value is none: a forgotten dialect is
// an error.
type Dialect int

const (
	// PostgreSQL prunes and has primary keys on partitioned tables from version
	// 11 on.
	PostgreSQL Dialect = iota + 1

	// MySQL stands for MariaDB too.
	MySQL
)

const (
	// An identifier's room: NAMEDATALEN-1 bytes in PostgreSQL, which cuts longer
	// ones off with no more than a notice, and characters in MySQL.
	// https://www.postgresql.org/docs/current/sql-syntax-lexical.html
	// https://dev.mysql.com/doc/refman/8.4/en/identifiers.html
	maxPostgresName = 63
	maxMySQLName    = 64

	// https://dev.mysql.com/doc/refman/8.4/en/partitioning-limitations.html
	maxMySQLPartitions = 8192

	// The largest code point that MySQL's identifiers hold: the basic plane's.
	maxMySQLRune = 0xffff
)

// String returns "PostgreSQL" or "MySQL", and for any other value its number,
// as in "Dialect(7)".
func (d Dialect) String() string {
	switch d {
	case PostgreSQL:
		return "PostgreSQL"
	case MySQL:
		return "MySQL"
	default:
		return fmt.Sprintf("Dialect(%d)", int(d))
	}
}

// Quote returns name as an identifier of the dialect: in double quotes for
// PostgreSQL, in backquotes for MySQL, with quotes inside doubled. Quoted, a
// name keeps its case and may be a keyword or hold spaces and punctuation.
//
// It returns every violation joined. A [*LengthError] says that the name is
// longer than 63 bytes (PostgreSQL) or 64 characters (MySQL). A [*FieldError]
// says that the name is empty, isn't UTF-8, holds a NUL, or, in MySQL only,
// holds a character above U+FFFF or ends with a space; or that d is no dialect.
// All match [ErrTable].
func (d Dialect) Quote(name string) (string, error) {
	if err := joined(append(d.check(), d.checkName(fieldIdentifier, name)...)); err != nil {
		return "", err
	}
	return d.quote(name), nil
}

// quote needs a name that checkName allows.
func (d Dialect) quote(name string) string {
	mark := `"`
	if d == MySQL {
		mark = "`"
	}
	return mark + strings.ReplaceAll(name, mark, mark+mark) + mark
}

func (d Dialect) check() []error {
	if d == PostgreSQL || d == MySQL {
		return nil
	}
	return []error{&FieldError{fieldDialect, d.String(), "is none, want PostgreSQL or MySQL"}}
}

// checkName returns every reason why name can't be an identifier. Of no
// dialect, only the rules that all have count.
func (d Dialect) checkName(field, name string) []error {
	var violations []error
	refuse := func(reason string) {
		violations = append(violations, &FieldError{field, name, reason})
	}

	if name == "" {
		refuse("is empty")
	}
	if !utf8.ValidString(name) {
		refuse("is not UTF-8")
	}
	if strings.ContainsRune(name, 0) {
		refuse("has a NUL")
	}

	switch d {
	case PostgreSQL:
		if n := len(name); n > maxPostgresName {
			violations = append(violations, &LengthError{field, name, n, maxPostgresName, "bytes"})
		}
	case MySQL:
		if strings.ContainsFunc(name, func(r rune) bool { return r > maxMySQLRune }) {
			refuse("has a character above U+FFFF")
		}
		if strings.HasSuffix(name, " ") {
			refuse("ends with a space")
		}
		if n := utf8.RuneCountInString(name); n > maxMySQLName {
			violations = append(violations, &LengthError{field, name, n, maxMySQLName, "characters"})
		}
	}
	return violations
}
