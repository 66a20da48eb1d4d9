package partition

import (
	"strings"

	"github.com/stampid/go-stamp/bits"
)

const (
	patternTable = "{table}"
	patternSpan  = "{n}"
)

// Table describes a table that is partitioned by its ids. Dialect, Name,
// Column and Layout are required. See [NewDDL].
type Table struct {
	Dialect Dialect

	// Schema is the schema of PostgreSQL or the database of MySQL that the table
	// lies in, its partitions too. Empty leaves it to the connection.
	Schema string

	// Name is the table, Column the column of its ids: bigint, not null.
	Name, Column string

	// Layout is that of the ids. It needs partition bits.
	Layout bits.Layout

	// GroupSize is how many neighbouring partitions of the layout share one
	// partition of the table, where a table with all of them would have too
	// many: 64 puts 0 to 63 into the first, 64 to 127 into the second. 0 counts
	// as 1. The largest is the number of the layout's partitions.
	GroupSize uint64

	// Pattern gives the partitions their names. {n}, required once, stands for
	// the number of the layout's partition ("3"), or for the first and the last
	// of several ("4_7"); {table} for Name. Empty means "{table}_p{n}" for
	// PostgreSQL, whose partitions are tables next to all others, and "p{n}" for
	// MySQL.
	Pattern string

	// Options follow each partition's bounds, as in "WITH (fillfactor = 90)
	// TABLESPACE fast" or "ENGINE = InnoDB". They are SQL that is taken as it
	// stands, not quoted and not understood: never make them of text from
	// outside. A semicolon or a NUL is refused, so that no statement can follow
	// by accident, and so is a comment, which could hide the rest of a
	// statement.
	Options string

	// IfNotExists makes PostgreSQL skip the creation of a table whose name is
	// taken, by whatever it is, and the drop of one that isn't there. MySQL has
	// nothing like it and is refused.
	IfNotExists bool
}

// Validate returns nil if [NewDDL] takes the table, and otherwise the error
// that it would return.
func (t Table) Validate() error {
	violations := t.Dialect.check()
	if t.Schema != "" {
		violations = append(violations, t.Dialect.checkName(fieldSchema, t.Schema)...)
	}
	violations = append(violations, t.Dialect.checkName(fieldTable, t.Name)...)
	violations = append(violations, t.Dialect.checkName(fieldColumn, t.Column)...)
	violations = append(violations, t.checkLayout()...)
	violations = append(violations, t.checkPattern()...)
	violations = append(violations, t.checkOptions()...)
	return joined(violations)
}

func (t Table) checkLayout() []error {
	if err := t.Layout.Validate(); err != nil {
		return []error{err}
	}
	if t.Layout.Partition == 0 {
		return []error{&bits.WidthError{Field: "partition", Value: 0, Min: 1, Max: t.Layout.Width() - 1}}
	}
	if t.GroupSize > t.Layout.Partitions() {
		return []error{&NumberError{fieldGroupSize, t.GroupSize, 0, t.Layout.Partitions()}}
	}
	if n := t.partitions(); t.Dialect == MySQL && n > maxMySQLPartitions {
		return []error{&NumberError{fieldPartitions, n, 1, maxMySQLPartitions}}
	}
	return nil
}

func (t Table) checkPattern() []error {
	pattern := t.pattern()
	if strings.Count(pattern, patternSpan) != 1 {
		return []error{&FieldError{fieldPattern, pattern, "needs {n} exactly once"}}
	}

	// Longer numbers stand at the end. The very last span may be a short one,
	// the one before it never is.
	longest := Single(0)
	if len(t.checkLayout()) == 0 {
		longest = t.span(t.partitions() - 1)
		if before := t.span(max(t.partitions(), 2) - 2); len(before.String()) > len(longest.String()) {
			longest = before
		}
	}
	violations := t.Dialect.checkName(fieldPartition, t.partitionName(longest))

	// In PostgreSQL, a partition is a table of the same schema.
	before, after := t.aroundSpan()
	if rest, ok := strings.CutPrefix(t.Name, before); ok && t.Dialect == PostgreSQL {
		if rest, ok = strings.CutSuffix(rest, after); ok {
			if s, ok := parseSpan(rest); ok && s.check(t.Layout.MaxPartition()) == nil {
				violations = append(violations, &FieldError{fieldPattern, pattern, "gives a partition the name of the table"})
			}
		}
	}
	return violations
}

func (t Table) checkOptions() []error {
	var violations []error
	for _, refused := range [...]struct{ text, name string }{
		{";", "a semicolon"},
		{"\x00", "a NUL"},
		{"--", "a comment"},
		{"/*", "a comment"},
		{"#", "a comment"},
	} {
		if refused.text == "#" && t.Dialect != MySQL {
			continue
		}
		if strings.Contains(t.Options, refused.text) {
			violations = append(violations, &FieldError{fieldOptions, t.Options, "has " + refused.name})
		}
	}
	if t.IfNotExists && t.Dialect == MySQL {
		violations = append(violations, &FieldError{fieldIfNotExists, "true", "has no meaning in MySQL"})
	}
	return violations
}

// partitions is how many the table has. It needs a valid layout.
func (t Table) partitions() uint64 {
	return (t.Layout.MaxPartition() / t.groupSize()) + 1
}

func (t Table) groupSize() uint64 { return max(t.GroupSize, 1) }

// span returns the span of the table's i-th partition, from 0.
func (t Table) span(i uint64) Span {
	first := i * t.groupSize()
	return Span{First: first, Last: min(first+t.groupSize()-1, t.Layout.MaxPartition())}
}

func (t Table) pattern() string {
	switch {
	case t.Pattern != "":
		return t.Pattern
	case t.Dialect == MySQL:
		return "p" + patternSpan
	default:
		return patternTable + "_p" + patternSpan
	}
}

// aroundSpan returns what stands before and after the numbers in the name of
// each partition. The table's name is filled in last, since it may hold braces.
func (t Table) aroundSpan() (before, after string) {
	before, after, _ = strings.Cut(t.pattern(), patternSpan)
	return strings.ReplaceAll(before, patternTable, t.Name), strings.ReplaceAll(after, patternTable, t.Name)
}

func (t Table) partitionName(s Span) string {
	before, after := t.aroundSpan()
	return before + s.String() + after
}
