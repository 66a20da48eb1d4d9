package fence_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/fence"
)

func sample() fence.Record {
	return fence.Record{
		Space: "orders-prod", Format: "0/41/7/15 1ms 2026-07-23T21:43:00Z", Node: 3,
		Held: true, Owner: "host-7/4711", Token: "9f86d081884c7d659a2feaa0c55ad015",
		Floor: 777600000, Bound: 777603123, Expires: time.Date(2026, 8, 1, 21, 43, 3, 123e6, time.UTC),
	}
}

const sampleText = `go-stamp fence 1
space "orders-prod"
format 0/41/7/15 1ms 2026-07-23T21:43:00Z
node 3
state held
owner "host-7/4711"
token 9f86d081884c7d659a2feaa0c55ad015
floor 777600000
bound 777603123
expires 2026-08-01T21:43:03.123Z
place ""
sum `

// The text is a format: records that are stored must be read for ever.
func TestRecordText(t *testing.T) {
	r := sample()
	text, err := r.Encode()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), sampleText), string(text))
	require.Equal(t, "sum e73addb414491b66\n", string(text[strings.LastIndex(string(text), "sum "):]))
	again, err := fence.Decode(text)
	require.NoError(t, err)
	require.Equal(t, &r, again)
	require.Equal(t, "orders-prod.fence-0681ee97d724-3", fence.Key(r.Space, r.Format, r.Node).String())
}

func TestTheLargestRecordFits(t *testing.T) {
	r := sample()
	r.Space, r.Owner = strings.Repeat("\x00", fence.MaxSpace), strings.Repeat("\xff", fence.MaxOwner)
	r.Format, r.Place = strings.Repeat("~", 100), strings.Repeat("x", 100)
	r.Node, r.Floor, r.Bound = 1<<64-1, 1<<64-1, 1<<64-1
	r.Expires = time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)
	text, err := r.Encode()
	require.NoError(t, err)
	require.LessOrEqual(t, len(text), fence.MaxRecord)
	again, err := fence.Decode(text)
	require.NoError(t, err)
	require.Equal(t, &r, again)
}

func TestDamagedRecordsAreRefused(t *testing.T) {
	r := sample()
	text, err := r.Encode()
	require.NoError(t, err)
	cases := map[string]string{
		"empty":     "",
		"foreign":   "hello\n",
		"longer":    string(text) + "\n",
		"huge":      string(text) + strings.Repeat("x", fence.MaxRecord),
		"version 2": strings.Replace(string(text), "fence 1", "fence 2", 1),
		"old bound": strings.Replace(string(text), "bound 777603123", "bound 777603122", 1),
		"one line":  strings.ReplaceAll(string(text), "\n", " "),
	}
	for i := range text {
		cases[fmt.Sprintf("byte %d", i)] = string(text[:i]) + string(text[i]^1) + string(text[i+1:])
		cases[fmt.Sprintf("cut at %d", i)] = string(text[:i])
	}
	for name, text := range cases {
		_, err := fence.Decode([]byte(text))
		require.ErrorIs(t, err, fence.ErrRecord, name)
	}
	_, err = fence.Decode([]byte(cases["version 2"]))
	require.ErrorContains(t, err, `version "2", and this program knows version 1`)
}

func TestRecordsThatCantBeWritten(t *testing.T) {
	for name, change := range map[string]func(*fence.Record){
		"no space":        func(r *fence.Record) { r.Space = "" },
		"long space":      func(r *fence.Record) { r.Space = strings.Repeat("x", fence.MaxSpace+1) },
		"no format":       func(r *fence.Record) { r.Format = "" },
		"lines in format": func(r *fence.Record) { r.Format = "a\nb" },
		"long format":     func(r *fence.Record) { r.Format = strings.Repeat("x", 101) },
		"long owner":      func(r *fence.Record) { r.Owner = strings.Repeat("x", fence.MaxOwner+1) },
		"short token":     func(r *fence.Record) { r.Token = r.Token[1:] },
		"odd token":       func(r *fence.Record) { r.Token = "X" + r.Token[1:] },
		"low bound":       func(r *fence.Record) { r.Bound = r.Floor - 1 },
		"far expiry":      func(r *fence.Record) { r.Expires = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"long place":      func(r *fence.Record) { r.Place = strings.Repeat("x", 101) },
	} {
		r := sample()
		change(&r)
		_, err := r.Encode()
		require.Error(t, err, name)
	}
}

// What decodes encodes to the same text.
func FuzzDecode(f *testing.F) {
	r := sample()
	text, err := r.Encode()
	require.NoError(f, err)
	f.Add(text)
	r.Held, r.Owner, r.Place = false, "\x00\u00e9", "machine 1 device 2 inode 3"
	text, err = r.Encode()
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte("go-stamp fence 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := fence.Decode(text)
		if err != nil {
			require.ErrorIs(t, err, fence.ErrRecord)
			return
		}
		again, err := r.Encode()
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, again))
		require.LessOrEqual(t, len(text), fence.MaxRecord)
	})
}
