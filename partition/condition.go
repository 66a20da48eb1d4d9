package partition

import (
	"fmt"
	"strconv"

	"github.com/stampid/go-stamp/bits"
)

// PostgreSQL's protocol counts the parameters of a statement in 16 bits.
const maxParameter = 65535

// Condition is a condition of a WHERE clause on the ids of a range, both ends
// included, that lets the server leave out all partitions but the range's.
type Condition struct {
	// SQL has two parameters, as in `"id" BETWEEN $1 AND $2`. It begins with the
	// column: put an alias of the table and a dot before it, if it needs one.
	SQL string

	// First and Last are the parameters' values.
	First, Last int64
}

// Args returns First and Last, in the form that Query and Exec of database/sql
// and of others take them.
func (c Condition) Args() []any { return []any{c.First, c.Last} }

// Between returns the condition that column, which is quoted, lies in r: the
// range of a tenant's partition, or one of a span of time in it. Servers compare
// it with the bounds of the partitions, for constants as for parameters, which
// they don't do for an expression such as id >> 59 = 3. An empty r gives a
// condition that nothing meets.
//
// In PostgreSQL, parameters are numbered, and parameter, from 1, is the number
// of the first of the two: $3 and $4 for 3. In MySQL, they are question marks
// counted in order, and parameter makes no difference.
//
// The errors are those of [Dialect.Quote], joined with a [*FieldError] for a
// parameter that isn't from 1 to 65534, which matches [ErrTable].
func Between(dialect Dialect, column string, r bits.Range, parameter int) (Condition, error) {
	violations := append(dialect.check(), dialect.checkName(fieldColumn, column)...)
	if parameter < 1 || parameter >= maxParameter {
		reason := fmt.Sprintf("is no number of a parameter, want 1 to %d", maxParameter-1)
		violations = append(violations, &FieldError{fieldParameter, strconv.Itoa(parameter), reason})
	}
	if len(violations) > 0 {
		return Condition{}, joined(violations)
	}

	text := dialect.quote(column)
	if dialect == MySQL {
		text += " BETWEEN ? AND ?"
	} else {
		text += fmt.Sprintf(" BETWEEN $%d AND $%d", parameter, parameter+1)
	}
	return Condition{SQL: text, First: r.First, Last: r.Last}, nil
}
