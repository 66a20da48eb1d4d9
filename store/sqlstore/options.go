package sqlstore

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

const (
	// DefaultTable is the table of counters, that of CosId.
	DefaultTable = "cosid"

	// recordSuffix makes the default table of records of that of counters.
	recordSuffix = "_record"

	// maxTable is the room that PostgreSQL has for a part of a table's name: it
	// cuts longer ones off with no more than a notice. MySQL has 64.
	// https://www.postgresql.org/docs/current/sql-syntax-lexical.html
	maxTable = 63
)

// Options describe a store.
type Options struct {
	// Dialect is the database's. It has no default.
	Dialect Dialect

	// Table holds the counters; empty stands for [DefaultTable]. RecordTable
	// holds the records; empty stands for Table with "_record" at its end. They
	// must be two. Each name is "table" or "schema.table", each part 1 to 63
	// ASCII letters, digits and underscores that don't begin with a digit, and
	// stands in statements in quotes: PostgreSQL tells Cosid from cosid then, and
	// a program that doesn't quote means the latter.
	Table, RecordTable string

	// Classify says what an error of the driver means, for drivers that
	// [Dialect.Classify], the default, doesn't understand. It is called with
	// errors of statements only, maybe at the same time.
	Classify func(err error) Verdict
}

// ErrOptions says that options can't be used. See [OptionError].
var ErrOptions = errors.New("sqlstore: invalid options")

// OptionError names a field of [Options], or the database that New was given
// ("db"), and what is wrong with it. It matches [ErrOptions].
type OptionError struct {
	Field, Value, Bound string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("sqlstore: %s is %s, want %s", e.Field, e.Value, e.Bound)
}

// Is reports whether target is [ErrOptions].
func (e *OptionError) Is(target error) bool { return target == ErrOptions }

// withDefaults returns options without empty fields, except that of the
// dialect, or every violation.
func (o Options) withDefaults() (Options, error) {
	o.Table = cmp.Or(o.Table, DefaultTable)
	o.RecordTable = cmp.Or(o.RecordTable, o.Table+recordSuffix)
	if o.Classify == nil {
		o.Classify = o.Dialect.Classify
	}
	var violations []error
	if !o.Dialect.known() {
		violations = append(violations, &OptionError{"Dialect", o.Dialect.String(), "PostgreSQL, MySQL or SQLite"})
	}
	violations = append(violations, checkTable("Table", o.Table), checkTable("RecordTable", o.RecordTable))
	if strings.EqualFold(o.Table, o.RecordTable) { // not all databases tell them apart
		violations = append(violations, &OptionError{"RecordTable", fmt.Sprintf("%q", o.RecordTable), "another table than Table"})
	}
	return o, errors.Join(violations...)
}

func checkTable(field, name string) error {
	part := fmt.Sprintf("[A-Za-z_][A-Za-z0-9_]{0,%d}", maxTable-1)
	if regexp.MustCompile(`^` + part + `(\.` + part + `)?$`).MatchString(name) {
		return nil
	}
	return &OptionError{field, fmt.Sprintf("%q", name), fmt.Sprintf(
		`"table" or "schema.table", each 1 to %d ASCII letters, digits and underscores that don't begin with a digit`, maxTable)}
}
