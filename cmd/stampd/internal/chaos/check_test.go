package chaos

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// writeLogs writes logs and returns their folder.
func writeLogs(t *testing.T, logs map[Source][]int64) string {
	t.Helper()
	folder := t.TempDir()
	for s, numbers := range logs {
		l, err := CreateLog(folder, s)
		require.NoError(t, err)
		for _, n := range numbers {
			require.NoError(t, l.Append(n))
		}
		require.NoError(t, l.Close())
	}
	return folder
}

func TestCheck(t *testing.T) {
	p00, p01, p10 := Source{0, 0, 0}, Source{0, 1, 0}, Source{1, 0, 0}
	for name, tt := range map[string]struct {
		logs                           map[Source][]int64
		numbers, repeated, falls, high int64
	}{
		"nothing":                           {nil, 0, 0, 0, 0},
		"sound":                             {map[Source][]int64{p00: {1, 4, 5}, p01: {9}, p10: {2, 3, 1 << 40}}, 7, 0, 0, 1 << 40},
		"of two processes":                  {map[Source][]int64{p00: {1, 2, 3}, p10: {3, 4}}, 5, 1, 0, 4},
		"of one goroutine":                  {map[Source][]int64{p00: {1, 2, 2}}, 3, 1, 1, 2},
		"after a restart":                   {map[Source][]int64{p00: {1, 2, 3}, p01: {3}}, 4, 1, 1, 3},
		"three times":                       {map[Source][]int64{p00: {7}, p01: {7}, p10: {7}}, 3, 2, 1, 7},
		"order over a restart":              {map[Source][]int64{p00: {10, 11}, p01: {5}}, 3, 0, 1, 11},
		"order within":                      {map[Source][]int64{p00: {2, 1}}, 2, 0, 1, 2},
		"the largest, and others its page":  {map[Source][]int64{p00: {math.MaxInt64 - 1, math.MaxInt64}, p10: {math.MaxInt64}}, 3, 1, 0, math.MaxInt64},
		"neighbours in a word and in pages": {map[Source][]int64{p00: {63, 64, 65, 65535, 65536, 65537, 131072}}, 7, 0, 0, 131072},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := Check(writeLogs(t, tt.logs))
			require.NoError(t, err)
			require.Equal(t, []int64{tt.numbers, tt.repeated, tt.falls, tt.high}, []int64{v.Numbers, v.Repeated, v.Falls, v.Highest})
			require.Len(t, v.Disorder, int(tt.falls))
			require.Equal(t, len(tt.logs), v.Logs)
		})
	}
}

// Both origins of a duplicate are told, with their times.
func TestCheckTellsOrigins(t *testing.T) {
	a, b := Source{2, 1, 1}, Source{3, 0, 0}
	before := time.Now().Truncate(time.Microsecond)
	folder := writeLogs(t, map[Source][]int64{a: {5, 42}, b: {42, 43}})
	v, err := Check(folder)
	require.NoError(t, err)
	require.Len(t, v.Duplicates, 1)
	d := v.Duplicates[0]
	require.Equal(t, int64(42), d.Number)
	require.Len(t, d.Given, 2)
	require.Equal(t, []Source{a, b}, []Source{d.Given[0].To, d.Given[1].To})
	for _, g := range d.Given {
		require.WithinRange(t, g.At, before, time.Now())
	}
	require.Contains(t, d.String(), "42 was given out 2 times:\n    to process 2, start 1, goroutine 1 at ")
}

// The set and a map agree on numbers at random.
func TestSet(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var s set
	known := map[int64]bool{}
	for range 100_000 {
		n := random.Int64N(50_000) + random.Int64N(3)<<40
		require.Equal(t, !known[n], s.add(n), n)
		known[n] = true
	}
}

// A process that was killed while it wrote leaves half a number.
func TestCheckOfATornLog(t *testing.T) {
	s := Source{0, 0, 0}
	folder := writeLogs(t, map[Source][]int64{s: {1, 2, 3}})
	path := filepath.Join(folder, s.file())
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, info.Size()-3))
	v, err := Check(folder)
	require.NoError(t, err)
	require.Equal(t, int64(2), v.Numbers)
}

func TestCheckRefuses(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, Source{0, 0, 0}.file())
	require.NoError(t, os.WriteFile(path, make([]byte, 8), 0o600))
	_, err := Check(folder)
	require.ErrorIs(t, err, errZero)
	require.NoError(t, os.Rename(path, filepath.Join(folder, "p0-g0-r00.ids")))
	_, err = Check(folder)
	require.ErrorContains(t, err, "not the name of a log")
	_, err = Check(filepath.Join(folder, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// What decodes is, encoded again, the same bytes but a torn end.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 0, 0, 0, 9})
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 128})
	f.Fuzz(func(t *testing.T, data []byte) {
		var numbers []byte
		err := decode(bytes.NewReader(data), func(n int64, _ time.Time) {
			require.Positive(t, n)
			numbers = binary.LittleEndian.AppendUint64(numbers, uint64(n))
		})
		var want []byte
		for rest := data; len(rest) >= word; rest = rest[word:] {
			n := int64(binary.LittleEndian.Uint64(rest))
			if n == 0 {
				require.ErrorIs(t, err, errZero)
				break
			}
			if n > 0 {
				want = append(want, rest[:word]...)
			}
		}
		require.Equal(t, want, numbers)
	})
}
