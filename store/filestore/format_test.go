package filestore

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// sample is the contents of testdata/v1.txt, a file that every later version
// must read.
func sample() store.Contents {
	return store.Contents{
		Counters: map[string]int64{
			"shop.orders": 1200, "shop.order_no@20260101": 0, "shop.a \"b\"\n": 1, "shop.订单": math.MaxInt64,
		},
		Records: map[string][]byte{"fence.shop 3": []byte(`{"bound":12}`), "shop.orders": {0, 255}},
		Expires: map[string]time.Time{"fence.shop 3": time.UnixMilli(1_790_000_000_000)},
	}
}

func TestFormat(t *testing.T) {
	want, err := os.ReadFile("testdata/v1.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), string(encode(sample())))
	got, err := decode("f", want)
	require.NoError(t, err)
	require.Equal(t, sample(), got)
}

func TestFormatEmpty(t *testing.T) {
	c, err := decode("f", encode(store.Contents{}))
	require.NoError(t, err)
	require.Empty(t, c.Counters)
	require.Empty(t, c.Records)
}

// Each changed, dropped or added byte shows.
func TestFormatNoticesEachByte(t *testing.T) {
	text := encode(sample())
	refused := func(data []byte) {
		t.Helper()
		_, err := decode("f", data)
		require.True(t, errors.Is(err, ErrCorrupt) || errors.Is(err, ErrVersion), "%q: %v", data, err)
	}
	for i := range text {
		for bit := range 8 {
			changed := append([]byte{}, text...)
			changed[i] ^= 1 << bit
			refused(changed)
		}
		refused(text[:i])
		refused(append(append([]byte{}, text[:i]...), text[i+1:]...))
		refused(append(append(append([]byte{}, text[:i]...), ' '), text[i:]...))
	}
	refused(append(text, '\n'))
	refused(append(text, text...))
}

// Texts with a right sum that this package doesn't write.
func TestFormatHasOneText(t *testing.T) {
	const first = "go-stamp store 1\n"
	for name, tt := range map[string]struct{ body, want string }{
		"no title":          {"counter \"a.b\" 1\n", `filestore: f is corrupt in line 1: want "go-stamp store 1"`},
		"version 01":        {"go-stamp store 01\n", `filestore: f is corrupt in line 1: want "go-stamp store 1"`},
		"version 2":         {"go-stamp store 2\n", `filestore: unknown version of the format: f has version 2, want 1`},
		"unknown kind":      {first + "lease \"a.b\" 1\n", `filestore: f is corrupt in line 2: neither a counter, nor a record, nor when one runs out`},
		"empty line":        {first + "\n", `filestore: f is corrupt in line 2: no quoted key`},
		"no quotes":         {first + "counter a.b 1\n", `filestore: f is corrupt in line 2: no quoted key`},
		"no value":          {first + "counter \"a.b\"\n", `filestore: f is corrupt in line 2: no value`},
		"negative":          {first + "counter \"a.a\" 1\ncounter \"a.b\" -1\n", `filestore: f is corrupt in line 3: the counter isn't a number from 0 to 9223372036854775807`},
		"too large":         {first + "counter \"a.b\" 9223372036854775808\n", `filestore: f is corrupt in line 2: the counter isn't a number from 0 to 9223372036854775807`},
		"no base64":         {first + "record \"a.b\" a\n", `filestore: f is corrupt in line 2: the record isn't base64 of 1 byte or more`},
		"empty record":      {first + "record \"a.b\" \n", `filestore: f is corrupt in line 2: the record isn't base64 of 1 byte or more`},
		"leading zero":      {first + "counter \"a.b\" 01\n", `filestore: f is corrupt: lines are repeated, out of order or spelt otherwise`},
		"twice":             {first + "counter \"a.b\" 1\ncounter \"a.b\" 1\n", `filestore: f is corrupt: lines are repeated, out of order or spelt otherwise`},
		"order":             {first + "counter \"b\" 1\ncounter \"a\" 1\n", `filestore: f is corrupt: lines are repeated, out of order or spelt otherwise`},
		"records first":     {first + "record \"a\" YQ==\ncounter \"a\" 1\n", `filestore: f is corrupt: lines are repeated, out of order or spelt otherwise`},
		"other quotes":      {first + "counter `a` 1\n", `filestore: f is corrupt: lines are repeated, out of order or spelt otherwise`},
		"carriage returns":  {strings.ReplaceAll(first+"counter \"a\" 1\n", "\n", "\r\n"), `filestore: f is corrupt in line 1: want "go-stamp store 1"`},
		"no newline at end": {first + "counter \"a\" 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode("f", []byte(tt.body+sumLine([]byte(tt.body))))
			if tt.want == "" {
				require.ErrorIs(t, err, ErrCorrupt)
				return
			}
			require.EqualError(t, err, tt.want)
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(store.Contents{}))
	f.Add(encode(sample()))
	f.Add([]byte("go-stamp store 1\ncounter \"a.b\" 01\n"))
	f.Add([]byte("go-stamp store 2\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		// As it is, and with a right sum, which chance doesn't find.
		for _, text := range [][]byte{data, append(data[:len(data):len(data)], sumLine(data)...)} {
			c, err := decode("f", text)
			if err != nil {
				if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) {
					t.Fatalf("untyped error %v", err)
				}
				continue
			}
			if again := encode(c); string(again) != string(text) {
				t.Fatalf("%q was read, and is written as %q", text, again)
			}
			for key, n := range c.Counters {
				if n < 0 {
					t.Fatalf("counter %q is %d", key, n)
				}
			}
		}
	})
}
