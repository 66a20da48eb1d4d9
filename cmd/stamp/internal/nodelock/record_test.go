package nodelock_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stamp/internal/nodelock"
)

const good = `go-stamp-node-bound 1
format 0-41-2-20_1ms_20260723T214300Z
node 0
bound 742620001
bound-time 2026-08-01T12:00:00.001Z
sha256 `

// bound reads the bound of a file, without the code under test.
func bound(t *testing.T, file string) (n uint64) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\nbound ")
	require.True(t, found)
	_, err = fmt.Sscan(rest, &n)
	require.NoError(t, err)
	return n
}

func write(t *testing.T, file, text string) string {
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// recorded is a folder with a record for node 0, and the record.
func recorded(t *testing.T) (*manual, string) {
	m := newManual(t)
	lock, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, lock.Cover(m.units()))
	go m.clock.Advance(time.Millisecond)
	require.NoError(t, lock.Close(t.Context()))
	text, err := os.ReadFile(m.file(0, ".bound"))
	require.NoError(t, err)
	return m, string(text)
}

func TestRecordForm(t *testing.T) {
	_, text := recorded(t)
	require.True(t, strings.HasPrefix(text, good), text)
	require.Regexp(t, `^[0-9a-f]{64}\n$`, strings.TrimPrefix(text, good))
}

func TestDamagedRecordsAreRefused(t *testing.T) {
	m, text := recorded(t)
	cases := map[string]string{
		"empty":         "",
		"foreign":       "hello\n",
		"truncated":     text[:len(text)-1],
		"longer":        text + "\n",
		"huge":          text + strings.Repeat("\n", 5000),
		"other version": strings.Replace(text, "bound 1\n", "bound 2\n", 1),
		"other bound":   strings.Replace(text, "bound 742620001", "bound 742620000", 1),
		"no bound":      strings.Replace(text, "bound 742620001", "bound x", 1),
		"high bound":    strings.Replace(text, "bound 742620001", "bound 9223372036854775807", 1),
		"other node":    strings.Replace(text, "node 0", "node 1", 1),
		"other format":  strings.Replace(text, "0-41-2-20", "0-41-3-19", 1),
	}
	for i := range len(text) {
		cases[fmt.Sprintf("byte %d", i)] = text[:i] + string(text[i]^1) + text[i+1:]
		cases[fmt.Sprintf("cut at %d", i)] = text[:i]
	}
	file := m.file(0, ".bound")
	for name, text := range cases {
		write(t, file, text)
		for _, take := range []func() (*nodelock.Lock, error){
			func() (*nodelock.Lock, error) { return m.Take(t.Context(), 0) },
			func() (*nodelock.Lock, error) { return m.TakeFree(t.Context()) },
		} {
			_, err := take()
			require.ErrorIs(t, err, nodelock.ErrRecord, name)
			require.ErrorContains(t, err, file, name)
			require.ErrorContains(t, err, "delete the file", name)
		}
	}
	write(t, file, text)
	_, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
}

func TestARecordOfAnotherNodeIsRefused(t *testing.T) {
	m, text := recorded(t)
	write(t, m.file(1, ".bound"), text)
	_, err := m.Take(t.Context(), 1)
	require.ErrorIs(t, err, nodelock.ErrRecord)
}

func TestAFolderIsNoRecord(t *testing.T) {
	m := newManual(t)
	require.NoError(t, os.Mkdir(m.file(0, ".bound"), 0o700))
	_, err := m.Take(t.Context(), 0)
	require.ErrorIs(t, err, nodelock.ErrRecord)
}

func TestWhatACrashLeftBehindIsOverwritten(t *testing.T) {
	m, _ := recorded(t)
	write(t, m.file(0, ".bound.new"), strings.Repeat("half", 1000))
	lock, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, lock.Cover(m.units()))
	require.Greater(t, bound(t, m.file(0, ".bound")), m.units())
	require.NoFileExists(t, m.file(0, ".bound.new"))
}
