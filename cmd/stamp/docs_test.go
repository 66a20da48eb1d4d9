package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The guides show what the command really prints. An … stands for anything.
func TestTheGuidesShowRealOutput(t *testing.T) {
	example := regexp.MustCompile(`(?m)^\$ go run \./cmd/stamp (.*)\n((?s:.*?))^` + "```")
	for name, count := range map[string]int{"partitioning.md": 3, "choosing-a-layout.md": 1} {
		guide, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		require.NoError(t, err)
		found := example.FindAllStringSubmatch(string(guide), -1)
		require.Len(t, found, count, name)
		for _, match := range found {
			s, out, message := fixed("")
			s.now = func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
			require.Zero(t, run(strings.Fields(match[1]), s), message.String())
			pattern := "^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(match[2]), "…", ".*") + ")$"
			require.Regexp(t, pattern, out.String())
		}
	}
}
