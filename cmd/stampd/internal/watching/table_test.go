package watching

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// examples are rows of each kind, sorted.
func examples() []Row {
	refused := errors.New("connect: connection refused")
	rows := []Row{
		{
			Source: "10.0.0.7:8080", Counter: "shop.order", Generator: true, Remaining: 1_500, Reserve: 1_000,
			Rate: 512.25, Peak: 2_048, Left: 2_929 * time.Millisecond, Distance: 4, Waits: 17, WaitP99: 4_200 * time.Microsecond,
		},
		{
			Source: "10.0.0.7:8080", Counter: "shop.invoice", Generator: true, Rate: 80, Peak: 80, Failures: 12,
			State: "empty, backs off", Level: Critical,
		},
		{
			Source: "10.0.0.8:8080", Counter: "shop.order#3", Generator: true, Remaining: 20, Reserve: 10, Left: Forever,
			Rate: 0, Peak: 9.5, Distance: 2,
		},
		counterRow("postgres://ids@db/ids", "shop.order", 9_000_000, 1<<31-1, 1_000, 3_000),
		counterRow("postgres://ids@db/ids", "shop.invoice", 12, math.MaxInt64, 0.5, 1),
		{Source: "postgres://ids@db/ids", Counter: "shop.new", Missing: true, Left: Forever, State: "not there", Level: Warning},
		{Source: "10.0.0.9:8080", Left: Forever, Err: refused, Age: 9 * time.Second, Level: Critical, State: refused.Error()},
		{
			Source: "10.0.0.6:8080", Counter: "shop.\x1b[2J", Generator: true, Remaining: 100, Rate: 10, Left: 10 * time.Second,
			Err: refused, Age: 12 * time.Second, Level: Critical, State: "12s old: connect: connection refused",
		},
	}
	sortRows(rows)
	return rows
}

func TestTable(t *testing.T) {
	for name, s := range map[string]Screen{
		"wide":   {Width: 160, Height: 20},
		"usual":  {Width: 80, Height: 24},
		"narrow": {Width: 40, Height: 24},
		"low":    {Width: 80, Height: 6},
		"colour": {Width: 120, Height: 24, Color: true},
	} {
		t.Run(name, func(t *testing.T) {
			lines := Table(examples(), 5, time.Second, noon, s)
			require.LessOrEqual(t, len(lines), s.Height)
			requireGolden(t, "table_"+name+".txt", strings.Join(lines, "\n")+"\n")
			if s.Color {
				return
			}
			for _, line := range lines {
				require.LessOrEqual(t, utf8.RuneCountInString(line), s.Width)
				require.NotContains(t, line, "\x1b", "from a name")
			}
		})
	}
}

// No size of a terminal is too small.
func TestTableOfAnySize(t *testing.T) {
	for width := range 200 {
		for height := range 12 {
			lines := Table(examples(), 5, time.Second, noon, Screen{Width: width, Height: height})
			require.LessOrEqual(t, len(lines), height)
			for _, line := range lines {
				require.LessOrEqual(t, utf8.RuneCountInString(line), width, "%dx%d", width, height)
			}
		}
	}
}

func TestTableOfNothing(t *testing.T) {
	require.Len(t, Table(nil, 1, time.Second, noon, Screen{Width: 80, Height: 24}), 2)
}

func TestLines(t *testing.T) {
	var text, json strings.Builder
	require.NoError(t, WriteText(&text, examples(), noon))
	requireGolden(t, "lines.txt", text.String())
	require.NoError(t, WriteJSON(&json, examples(), noon))
	requireGolden(t, "lines.json", json.String())
	require.NotContains(t, text.String()+json.String(), "\x1b")
}

func TestShortNumber(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0", 0.04: "0.0", 9.5: "9.5", 99.96: "100", 999: "999", 999.6: "1.0k", 1234: "1.2k", 9_990: "10k", 12_345: "12k",
		999_600: "1.0M", 5e9: "5.0G", math.MaxInt64: "9.2E", math.MaxUint64: "18E",
	} {
		require.Equal(t, want, shortNumber(n), n)
	}
}

func TestShortDuration(t *testing.T) {
	const day = 24 * time.Hour
	for d, want := range map[time.Duration]string{
		-1: "0s", 0: "0s", 900: "900ns", 1_200 * time.Nanosecond: "1µs", 35 * time.Millisecond: "35ms",
		999_700 * time.Microsecond: "1s", 4_230 * time.Millisecond: "4.2s", 12_400 * time.Millisecond: "12s",
		75 * time.Second: "1m15s", 3*time.Hour + 12*time.Minute: "3h12m", 40 * day: "40d", 292 * 365 * day: "292y", Forever: "-",
	} {
		require.Equal(t, want, shortDuration(d), d)
	}
}

func requireGolden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
