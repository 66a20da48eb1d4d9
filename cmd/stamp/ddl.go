package main

import (
	"bufio"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/partition"
)

// ddlCommand has its flags as texts, so that Run can report all that is wrong
// with them at once.
type ddlCommand struct {
	Dialect     string `placeholder:"NAME" help:"postgres, or mysql, which stands for MariaDB too. Required."`
	Table       string `placeholder:"NAME" help:"Table that the ids are in. Required."`
	Schema      string `placeholder:"NAME" help:"Schema (postgres) or database (mysql) of the table. Default: the connection's."`
	Column      string `default:"id" placeholder:"NAME" help:"Column of the ids. Default: id."`
	Layout      string `default:"4/41/6/12" placeholder:"P/T/N/S" help:"Layout of the ids, with partition bits. Default: 4/41/6/12."`
	Group       string `placeholder:"N" help:"Put N neighbouring partitions of the ids into one of the table. Default: 1."`
	Span        string `placeholder:"A-B" help:"Only the one partition that holds A to B, or A alone: 0-3."`
	Options     string `placeholder:"SQL" help:"SQL that ends each partition: 'TABLESPACE fast'."`
	Down        bool   `help:"Undo: drop the partitions with their rows (postgres), or make the table an ordinary one that keeps them (mysql)."`
	Format      string `placeholder:"NAME" help:"goose or migrate: a migration with both directions, for goose or golang-migrate. Default: the statements alone."`
	Dir         string `placeholder:"DIR" help:"Write the migration to that folder, named after the time and the table, and print the names."`
	IfNotExists bool   `help:"Skip partitions that are there, and with --down those that aren't (postgres)."`
}

// Help is shown below the flags.
func (ddlCommand) Help() string {
	return `Prints the SQL statements that partition a table by the ranges of its ids. Nothing is run: look at
them, then give them to psql or mysql.

    stamp ddl --dialect postgres --table orders | psql -1 -v ON_ERROR_STOP=1

postgres: one statement per partition, for a table whose CREATE TABLE ends with
PARTITION BY RANGE ("id"). mysql: one statement, which turns the table into a partitioned one.
In both, the primary key and every unique key must contain the column of the ids.

    stamp ddl --dialect postgres --table orders --format migrate --dir migrations

writes migrations/20261130120000_partition_orders.up.sql and .down.sql.`
}

// Run prints the statements.
func (c *ddlCommand) Run(s *streams) error {
	ddl, span, err := c.ddl()
	if err != nil {
		return &usageError{err}
	}
	up, err := statements(ddl, span, false)
	if err != nil {
		return &usageError{err}
	}
	down, err := statements(ddl, span, true)
	if err != nil {
		return &usageError{err}
	}
	if c.Format != "" {
		return c.migrate(s, up, down)
	}
	if c.Down {
		up = down
	}
	return printed(s, up)
}

// printed writes lines of SQL to standard output.
func printed(s *streams, statements iter.Seq[string]) error {
	out := bufio.NewWriterSize(s.out, 1<<16)
	err := errors.Join(writeStatements(out, statements), out.Flush())
	if cli.IsClosedPipe(err) {
		return nil
	}
	return err
}

func writeStatements(out *bufio.Writer, statements iter.Seq[string]) error {
	for statement := range statements {
		if _, err := out.WriteString(statement + ";\n"); err != nil {
			return err
		}
	}
	return nil
}

// statements are those for a span, or for all partitions without one.
func statements(ddl *partition.DDL, span *partition.Span, down bool) (iter.Seq[string], error) {
	switch {
	case span == nil && down:
		return ddl.Down(), nil
	case span == nil:
		return ddl.Up(), nil
	}
	statement, err := ddl.Create(*span)
	if down {
		statement, err = ddl.Drop(*span)
	}
	return func(yield func(string) bool) { yield(statement) }, err
}

// ddl puts the flags together. The error has all that is wrong with them.
func (c *ddlCommand) ddl() (*partition.DDL, *partition.Span, error) {
	var violations []error
	table := partition.Table{Schema: c.Schema, Name: c.Table, Column: c.Column, Options: c.Options, IfNotExists: c.IfNotExists}

	switch c.Dialect {
	case "postgres":
		table.Dialect = partition.PostgreSQL
	case "mysql":
		table.Dialect = partition.MySQL
	case "":
		violations = append(violations, errors.New("no --dialect, want postgres or mysql"))
	default:
		violations = append(violations, fmt.Errorf("--dialect %q, want postgres or mysql", c.Dialect))
	}

	var err error
	if c.Group != "" {
		if table.GroupSize, err = strconv.ParseUint(c.Group, 10, 64); err != nil || table.GroupSize == 0 {
			violations = append(violations, fmt.Errorf("--group %q is no number of partitions", c.Group))
		}
	}
	if table.Layout, err = format.ParseLayout(c.Layout); err != nil {
		violations = append(violations, err)
		// The other flags are checked with one that is as good as any.
		table.Layout, table.GroupSize = bits.Layout{Partition: 1, Time: 41, Sequence: 21}, 0
	}

	var span *partition.Span
	if c.Span != "" {
		if span, err = parseSpan(c.Span); err != nil {
			violations = append(violations, err)
		}
		if c.Group != "" {
			violations = append(violations, errors.New("--span and --group exclude each other"))
		}
	}

	violations = append(violations, c.checkMigration()...)
	ddl, err := partition.NewDDL(table)
	for _, violation := range each(err) {
		// A dialect that isn't one has been named above, as it was written.
		var field *partition.FieldError
		if !errors.As(violation, &field) || field.Field != "dialect" {
			violations = append(violations, violation)
		}
	}
	return ddl, span, errors.Join(violations...)
}

// each returns the errors that one joins.
func each(err error) []error {
	var joined interface{ Unwrap() []error }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &joined):
		return joined.Unwrap()
	}
	return []error{err}
}

// parseSpan reads "3" and "0-3".
func parseSpan(text string) (*partition.Span, error) {
	from, to, several := strings.Cut(text, "-")
	if !several {
		to = from
	}
	first, errFirst := strconv.ParseUint(from, 10, 64)
	last, errLast := strconv.ParseUint(to, 10, 64)
	if errFirst != nil || errLast != nil {
		return nil, fmt.Errorf("--span %q is neither a partition, as 3, nor the first and the last of some, as 0-3", text)
	}
	return &partition.Span{First: first, Last: last}, nil
}
