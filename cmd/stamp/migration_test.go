package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const ddlOrders = "ddl --dialect postgres --table orders --layout 2/41/8/12"

func TestMigrationGolden(t *testing.T) {
	requireGolden(t, "ddl_goose", answer(t, "", ddlOrders+" --if-not-exists --format goose"))
	requireGolden(t, "ddl_goose_span", answer(t, "", "ddl --dialect mysql --table orders --span 3 --format goose"))
}

// A file of golang-migrate is what the command prints, and goose's both.
func TestMigrationFiles(t *testing.T) {
	dir := t.TempDir()
	up, down := answer(t, "", ddlOrders), answer(t, "", ddlOrders+" --down")
	base := filepath.Join(dir, "20260809120000_partition_orders")
	require.Equal(t, base+".up.sql\n"+base+".down.sql\n", answer(t, "", ddlOrders+" --format migrate --dir "+dir))
	require.Equal(t, base+".sql\n", answer(t, "", ddlOrders+" --format goose --dir "+dir))
	for name, want := range map[string]string{
		base + ".up.sql":   up,
		base + ".down.sql": down,
		base + ".sql":      "-- +goose Up\n" + up + "-- +goose Down\n" + down,
	} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, want, string(text), name)
	}

	// Nothing is written over, and a folder isn't made.
	for _, args := range []string{
		ddlOrders + " --format migrate --dir " + dir,
		ddlOrders + " --format goose --dir " + dir,
		ddlOrders + " --format goose --dir " + filepath.Join(dir, "missing"),
	} {
		s, out, message := fixed("")
		require.Equal(t, exitFailed, run(strings.Fields(args), s), args)
		require.Empty(t, out.String())
		require.NotEmpty(t, message.String())
	}
	text, err := os.ReadFile(base + ".up.sql")
	require.NoError(t, err)
	require.Equal(t, up, string(text))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3)
}

func TestMigrationOfOddNames(t *testing.T) {
	s, out, message := fixed("")
	require.Zero(t, run([]string{
		"ddl", "--dialect", "postgres", "--schema", "Shop", "--table", "Or;ders ü", "--layout", "1/41/8/13", "--format", "goose",
	}, s), message.String())
	require.Equal(t, 4, strings.Count(out.String(), "-- +goose StatementBegin\n"))
	dir := t.TempDir()
	s, out, message = fixed("")
	require.Zero(t, run([]string{
		"ddl", "--dialect", "postgres", "--table", "../Or;ders ü", "--layout", "1/41/8/13", "--format", "goose", "--dir", dir,
	}, s), message.String())
	require.Equal(t, filepath.Join(dir, "20260809120000_partition__or_ders_.sql\n"), out.String())
}

func TestMigrationUsage(t *testing.T) {
	requireUsage(t, map[string]string{
		ddlOrders + " --format flyway":              `--format "flyway"`,
		ddlOrders + " --format goose --down":        "leave out --down",
		ddlOrders + " --format migrate":             "name their folder with --dir",
		ddlOrders + " --dir .":                      "--dir is for migrations",
		"ddl --dialect postgres --format migrate":   `table "" is empty`,
		ddlOrders + " --format goose --span 0-9":    "span from 0 to 9",
		ddlOrders + " --format migrate --span 9-16": "name their folder",
	})
	s, _, message := fixed("")
	require.Equal(t, exitUsage, run([]string{"ddl", "--dialect", "postgres", "--table", "a\n-- +goose Down", "--format", "goose"}, s))
	require.Contains(t, message.String(), "line breaks")
}
