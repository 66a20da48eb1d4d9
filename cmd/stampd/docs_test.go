package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	return string(text)
}

// README shows what the commands really print, one after the other.
func TestReadmeShowsRealOutput(t *testing.T) {
	block := regexp.MustCompile("(?s)```console\n(\\$ go run \\./cmd/stampd .*?)```").FindStringSubmatch(readme(t))
	require.NotNil(t, block)
	examples := strings.Split(strings.TrimPrefix(block[1], "$ "), "\n$ ")
	require.Len(t, examples, 4)
	date := regexp.MustCompile(`\b20\d{6}\b`)
	m := newMachine(t)
	for _, example := range examples {
		line, want, _ := strings.Cut(example, "\n")
		args, found := strings.CutPrefix(line, "go run ./cmd/stampd ")
		require.True(t, found, line)
		got := m.done(t, strings.Fields(args)...)
		require.Equal(t, date.ReplaceAllString(strings.TrimSuffix(want, "\n"), "DATE"),
			date.ReplaceAllString(strings.TrimSuffix(got, "\n"), "DATE"), line)
	}
}

// The requests that README and the help of serve show are answered.
func TestDocumentedRequests(t *testing.T) {
	m := newMachine(t)
	request := regexp.MustCompile(`curl -X (\w+) +'http://127\.0\.0\.1:8080(/\S+)'`)
	for name, text := range map[string]string{"README": readme(t), "help": serveCommand{}.Help()} {
		s := m.serve(t, "--store", "memory:")
		found := request.FindAllStringSubmatch(text, -1)
		require.Len(t, found, 2, name)
		for i, match := range found {
			status, _, body := s.ask(t, match[1], match[2])
			require.Equal(t, http.StatusOK, status, match[0])
			require.Equal(t, []string{"", "100"}[i], body)
		}
	}
}

// The URLs that README lists are those of a kind that there is.
func TestReadmeListsStores(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| [^|]+ \\| `([a-z]+:[^` ]+)`")
	found := row.FindAllStringSubmatch(readme(t), -1)
	require.Len(t, found, len(stores.Forms())-1, "all but memory:")
	for _, match := range found {
		s, _, message := inMemory("")
		code := run([]string{"status", "--store", match[1], "--timeout", "1ms", "order"}, s)
		require.Equal(t, exitFailed, code, "%s is read: %s", match[1], message.String())
	}
}
