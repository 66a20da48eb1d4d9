package sqltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

// migrations are the files that stamp ddl writes.
func migrations(t *testing.T, args ...string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./cmd/stamp", "ddl", "--dir", dir}, args...)...)
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Run())
	files, err := filepath.Glob(filepath.Join(dir, "*.sql"))
	require.NoError(t, err)
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// gooseStatements splits a file as goose does: at lines that end with a semicolon,
// or where StatementBegin and StatementEnd say so.
func gooseStatements(t *testing.T, text string) (up, down []string) {
	t.Helper()
	var to *[]string
	var statement strings.Builder
	within := false
	for line := range strings.Lines(text) {
		end := false
		switch command, is := strings.CutPrefix(strings.TrimSpace(line), "-- +goose "); {
		case is && command == "Up":
			to = &up
			continue
		case is && command == "Down":
			to = &down
			continue
		case is && command == "StatementBegin":
			within = true
			continue
		case is && command == "StatementEnd":
			within, end = false, true
		default:
			require.NotNil(t, to, "a statement without direction")
			statement.WriteString(line)
			end = !within && strings.HasSuffix(strings.TrimSpace(line), ";")
		}
		if end {
			*to = append(*to, statement.String())
			statement.Reset()
		}
	}
	require.Empty(t, statement.String())
	return up, down
}

// golang-migrate's drivers send a whole file at once, goose one statement after
// the other.
func TestMigrations(t *testing.T) {
	for name, tt := range map[string]struct {
		open            func(t *testing.T) database
		dialect, create string
	}{
		"PostgreSQL": {
			func(t *testing.T) database { return onPostgres(t, "postgres") },
			"postgres", "create table orders (id bigint primary key) partition by range (id)",
		},
		"MySQL": {
			func(t *testing.T) database { return onMySQL(t, false) },
			"mysql", "create table orders (id bigint primary key)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := tt.open(t)
			d.exec(t, tt.create)
			flags := []string{"--dialect", tt.dialect, "--table", d.orders, "--layout", "4/41/6/12"}
			files := migrations(t, append(flags, "--format", "migrate")...)
			require.Len(t, files, 2)
			down, up := read(t, files[0]), read(t, files[1])
			require.Contains(t, files[0], ".down.sql")
			run := func(text string) { // as it stands
				t.Helper()
				_, err := d.ExecContext(t.Context(), text)
				require.NoError(t, err)
			}
			insert := func() {
				t.Helper()
				for p := range uint64(16) {
					d.exec(t, "insert into orders (id) values (?)", newID[orderKind](t, p))
				}
				require.Len(t, column[stamp.ID](t, d, "select id from orders"), 16)
				d.exec(t, "delete from orders")
			}
			run(up)
			insert()
			run(down)

			files = migrations(t, append(flags, "--format", "goose")...)
			require.Len(t, files, 1)
			ups, downs := gooseStatements(t, read(t, files[0]))
			require.Equal(t, up, strings.Join(ups, ""))
			require.Equal(t, down, strings.Join(downs, ""))
			for _, statement := range ups {
				run(statement)
			}
			insert()
			for _, statement := range downs {
				run(statement)
			}
		})
	}
}
