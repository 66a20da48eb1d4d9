package partition

import (
	"iter"
	"math"
	"strconv"
	"strings"
)

// maxValue is above every id, in both dialects.
const maxValue = "MAXVALUE"

// DDL returns the statements that partition a [Table]. Statements are texts for
// one call of Exec each, without a semicolon and without parameters. It connects
// to nothing: what runs them, and in which transaction, is the caller's.
//
// A DDL is made by [NewDDL]. It doesn't change and is safe for concurrent use.
type DDL struct {
	table  Table
	quoted string // the table, with its schema
	column string
}

// NewDDL returns the statements for t. It returns every violation joined: a
// [*FieldError], [*LengthError] or [*NumberError] for each value that t or its
// dialect can't have, which match [ErrTable], and the error of the layout's
// Validate, or a [*bits.WidthError] if it has no partition bits, which match
// [bits.ErrLayout].
//
// The names of the partitions that [DDL.Up] makes are checked too. So none of
// them is ever cut off by the server, and no two are the same.
func NewDDL(t Table) (*DDL, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	t.Options = strings.TrimSpace(t.Options)
	d := &DDL{table: t, column: t.Dialect.quote(t.Column)}
	d.quoted = d.inSchema(t.Name)
	return d, nil
}

// PartitionBy returns the clause that ends the table's CREATE TABLE:
//
//	PARTITION BY RANGE ("id")
//
// In MySQL, the clause has all partitions in it, and [DDL.Up] is only for a
// table that was created without:
//
//	PARTITION BY RANGE (`id`) (PARTITION `p0` VALUES LESS THAN (…), …)
func (d *DDL) PartitionBy() string {
	if d.table.Dialect == MySQL {
		return d.mysqlPartitionBy()
	}
	return d.postgresPartitionBy()
}

// Spans returns the layout's partitions that each partition of the table holds,
// in the order of [DDL.Up]: one each, or GroupSize. As Up and Down, it returns
// them one at a time, and a layout can have as many as 2^62.
func (d *DDL) Spans() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for i := range d.table.partitions() {
			if !yield(d.table.span(i)) {
				return
			}
		}
	}
}

// Up returns the statements that create all partitions: in PostgreSQL one for
// each partition of a table made with [DDL.PartitionBy], in MySQL a single one
// that makes an ordinary table, with its rows, a partitioned one.
func (d *DDL) Up() iter.Seq[string] {
	if d.table.Dialect == MySQL {
		return once(d.mysqlUp())
	}
	return func(yield func(string) bool) {
		for s := range d.Spans() {
			if !yield(d.postgresCreate(s)) {
				return
			}
		}
	}
}

// Down returns the statements that undo [DDL.Up], the last partition first. In
// PostgreSQL, each drops a partition with its rows. In MySQL, a single one makes
// the table an ordinary one that keeps its rows.
func (d *DDL) Down() iter.Seq[string] {
	if d.table.Dialect == MySQL {
		return once(d.mysqlDown())
	}
	return func(yield func(string) bool) {
		for i := d.table.partitions(); i > 0; i-- {
			if !yield(d.postgresDrop(d.table.span(i - 1))) {
				return
			}
		}
	}
}

// Create returns the statement that adds one partition for a span of the
// layout's. The span need not be one of [DDL.Spans].
//
// MySQL adds partitions only above the last one that there is, and the new one
// then takes all ids down to that one's end: create spans in rising order,
// without gaps. No span can follow one that ends with MAXVALUE.
//
// A span that the layout doesn't have gives a [*SpanError], which matches
// [ErrSpan]; a span whose name is too long a [*LengthError], which matches
// [ErrTable].
func (d *DDL) Create(s Span) (string, error) {
	if _, err := d.Name(s); err != nil {
		return "", err
	}
	if d.table.Dialect == MySQL {
		return d.mysqlAdd(s), nil
	}
	return d.postgresCreate(s), nil
}

// Drop returns the statement that drops the partition of a span with its rows.
// The errors are those of [DDL.Create].
//
// In MySQL, the next higher partition then takes the ids of the dropped one, and
// the only partition that is left can't be dropped.
func (d *DDL) Drop(s Span) (string, error) {
	if _, err := d.Name(s); err != nil {
		return "", err
	}
	if d.table.Dialect == MySQL {
		return d.mysqlDrop(s), nil
	}
	return d.postgresDrop(s), nil
}

// Detach returns the statement that makes the partition of a span a table of its
// own, with its rows and under its name. MySQL has no such statement: the error
// then is [ErrUnsupported]. Else the errors are those of [DDL.Create].
func (d *DDL) Detach(s Span) (string, error) {
	if d.table.Dialect == MySQL {
		return "", ErrUnsupported
	}
	if _, err := d.Name(s); err != nil {
		return "", err
	}
	return d.postgresDetach(s), nil
}

// Name returns the name of the partition of a span, unquoted and without its
// schema. The errors are those of [DDL.Create].
func (d *DDL) Name(s Span) (string, error) {
	if err := s.check(d.table.Layout.MaxPartition()); err != nil {
		return "", err
	}
	name := d.table.partitionName(s)
	if err := joined(d.table.Dialect.checkName(fieldPartition, name)); err != nil {
		return "", err
	}
	return name, nil
}

// quotedName needs a span whose name is valid.
func (d *DDL) quotedName(s Span) string {
	return d.table.Dialect.quote(d.table.partitionName(s))
}

func (d *DDL) inSchema(name string) string {
	quoted := d.table.Dialect.quote(name)
	if d.table.Schema == "" {
		return quoted
	}
	return d.table.Dialect.quote(d.table.Schema) + "." + quoted
}

// first returns the first id of a span, which must be within the layout.
func (d *DDL) first(s Span) string {
	r, _ := d.table.Layout.PartitionRange(s.First)
	return strconv.FormatInt(r.First, 10)
}

// end returns one past the last id of a span, which must be within the layout.
// After the last of 63 bits comes 2^63, which no bigint holds. After the last of
// 53 bits comes 2^53: MAXVALUE there would let in what is no id.
func (d *DDL) end(s Span) string {
	r, _ := d.table.Layout.PartitionRange(s.Last)
	if r.Last == math.MaxInt64 {
		return maxValue
	}
	return strconv.FormatInt(r.Last+1, 10)
}

// withOptions needs trimmed options.
func withOptions(definition, options string) string {
	if options == "" {
		return definition
	}
	return definition + " " + options
}

func once(statement string) iter.Seq[string] {
	return func(yield func(string) bool) { yield(statement) }
}
