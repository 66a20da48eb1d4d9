package main

import (
	"bufio"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

const (
	formatGoose   = "goose"
	formatMigrate = "migrate"
)

// checkMigration returns all that is wrong with the flags of migrations.
func (c *ddlCommand) checkMigration() (violations []error) {
	switch c.Format {
	case "":
		if c.Dir != "" {
			violations = append(violations, errors.New("--dir is for migrations: name their --format, goose or migrate"))
		}
		return violations
	case formatGoose, formatMigrate:
	default:
		return []error{fmt.Errorf("--format %q, want goose or migrate", c.Format)}
	}
	if c.Down {
		violations = append(violations, fmt.Errorf("--format %s has both directions: leave out --down", c.Format))
	}
	if c.Format == formatMigrate && c.Dir == "" {
		violations = append(violations, errors.New("--format migrate is two files: name their folder with --dir"))
	}
	// goose reads line by line.
	if c.Format == formatGoose && strings.ContainsAny(c.Table+c.Schema+c.Column+c.Options, "\n\r") {
		violations = append(violations, errors.New("--format goose can't have names or options with line breaks"))
	}
	return violations
}

// migrate writes a migration.
func (c *ddlCommand) migrate(s *streams, up, down iter.Seq[string]) error {
	if c.Format == formatGoose && c.Dir == "" {
		out := bufio.NewWriterSize(s.out, 1<<16)
		err := errors.Join(writeGoose(out, up, down), out.Flush())
		if cli.IsClosedPipe(err) {
			return nil
		}
		return err
	}
	base := filepath.Join(c.Dir, s.now().UTC().Format("20060102150405")+"_partition_"+fileName(c.Table))
	plain := func(statements iter.Seq[string]) func(*bufio.Writer) error {
		return func(out *bufio.Writer) error { return writeStatements(out, statements) }
	}
	if c.Format == formatGoose {
		return writeFile(s, base+".sql", func(out *bufio.Writer) error { return writeGoose(out, up, down) })
	}
	if err := writeFile(s, base+".up.sql", plain(up)); err != nil {
		return err
	}
	return writeFile(s, base+".down.sql", plain(down))
}

// writeGoose writes a file of goose. Names may hold semicolons, at which it would
// end a statement if it weren't told where that does.
func writeGoose(out *bufio.Writer, up, down iter.Seq[string]) error {
	for _, direction := range []struct {
		name       string
		statements iter.Seq[string]
	}{{"Up", up}, {"Down", down}} {
		if _, err := out.WriteString("-- +goose " + direction.name + "\n"); err != nil {
			return err
		}
		for statement := range direction.statements {
			text := statement + ";\n"
			if strings.Contains(statement, ";") {
				text = "-- +goose StatementBegin\n" + text + "-- +goose StatementEnd\n"
			}
			if _, err := out.WriteString(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileName is a name of a table with what migration tools allow in names of files.
func fileName(table string) string {
	return regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(table), "_")
}

// writeFile makes a file that wasn't there, and prints its name. What fails is
// removed again.
func writeFile(s *streams, name string, write func(*bufio.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<16)
	if err := errors.Join(write(out), out.Flush(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	_, err = fmt.Fprintln(s.out, name)
	return err
}
