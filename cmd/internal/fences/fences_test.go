package fences

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

var (
	preset = bits.Default()
	noon   = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	within = func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithCancel(ctx) }
)

// put writes the record of a node, whose bound is a time.
func put(t *testing.T, records store.Records, node uint64, bound time.Time, held bool) fence.Record {
	t.Helper()
	format := fence.Format(preset.Layout, preset.Timescale)
	r := fence.Record{
		Space: "orders", Format: format, Node: node, Held: held, Owner: "host-7/4711",
		Token: strings.Repeat("a", 32), Floor: 0, Bound: uint64(preset.Timescale.Units(bound)), Expires: bound,
	}
	text, err := r.Encode()
	require.NoError(t, err)
	key := fence.Key("orders", format, node)
	old, err := records.Get(t.Context(), key)
	require.NoError(t, err)
	require.NoError(t, records.CompareAndSet(t.Context(), key, old, text))
	return r
}

func stored(t *testing.T, records store.Records, node uint64) fence.Record {
	t.Helper()
	text, err := records.Get(t.Context(), fence.Key("orders", fence.Format(preset.Layout, preset.Timescale), node))
	require.NoError(t, err)
	r, err := fence.Decode(text)
	require.NoError(t, err)
	return *r
}

func TestShow(t *testing.T) {
	records := store.NewMemory()
	put(t, records, 0, noon.Add(3*time.Second), true)
	put(t, records, 5, noon.Add(-time.Hour), false)
	broken := fence.Key("orders", fence.Format(preset.Layout, preset.Timescale), 7)
	require.NoError(t, records.CompareAndSet(t.Context(), broken, nil, []byte("what is this?")))
	space := &Space{Space: "orders"}
	entries, err := List(t.Context(), records, space, &Range{})
	require.NoError(t, err)
	require.ErrorIs(t, Unreadable(entries), fence.ErrRecord)

	var out bytes.Buffer
	require.NoError(t, Show(&out, space, entries, noon, false))
	floor := preset.Timescale.Epoch.Format("2006-01-02T15:04:05.000Z07:00")
	require.Equal(t, "node           state        owner                     floor                     bound   to the clock  expires\n"+
		"0     held, no lease  host-7/4711  "+floor+"  2026-08-01T12:00:03.000Z       3s ahead  2026-08-01T12:00:03Z\n"+
		"5               free  host-7/4711  "+floor+"  2026-08-01T11:00:00.000Z  1h0m0s behind  2026-08-01T11:00:00Z\n"+
		"7         UNREADABLE            -                         -                         -              -  -\n",
		out.String())

	out.Reset()
	require.NoError(t, Show(&out, space, entries, noon, true))
	var first struct {
		Node  uint64
		State string
		Bound time.Time
		Ahead float64
	}
	require.NoError(t, json.NewDecoder(&out).Decode(&first))
	require.Equal(t, "held, no lease", first.State)
	require.Equal(t, noon.Add(3*time.Second), first.Bound)
	require.InDelta(t, 3, first.Ahead, 1e-9)
}

func TestHolders(t *testing.T) {
	records := store.NewMemory()
	two := uint64(2)
	held, err := lease.Acquire(t.Context(), records, lease.Options{
		Space: "orders", First: two, Last: two, Name: "pod-2", TTL: time.Minute,
	})
	require.NoError(t, err)
	space := &Space{Space: "orders"}
	entries, err := List(t.Context(), records, space, &Range{Node: &two})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	var out bytes.Buffer
	require.NoError(t, Holders(&out, entries, noon, false, space))
	require.Contains(t, out.String(), "leased\n")
	require.NoError(t, held.Close(t.Context()))
	entries, err = List(t.Context(), records, space, &Range{Node: &two})
	require.NoError(t, err)
	out.Reset()
	require.NoError(t, Holders(&out, entries, noon, false, space))
	require.Contains(t, out.String(), "free\n")
}

func reset(node uint64, to time.Time, change func(*Reset)) *Reset {
	at := timeFlag(to)
	r := &Reset{Space: Space{Space: "orders"}, Node: &node, To: &at, AllStopped: true}
	if change != nil {
		change(r)
	}
	return r
}

func TestReset(t *testing.T) {
	raised, lowered := noon.Add(time.Hour), noon.Add(-time.Hour)
	for name, tt := range map[string]struct {
		r      *Reset
		answer string
		err    error
		bound  time.Time
	}{
		"raised":              {reset(3, raised, nil), "y\n", nil, raised},
		"raised without ask":  {reset(3, raised, func(r *Reset) { r.Yes = true }), "", nil, raised},
		"declined":            {reset(3, raised, nil), "n\n", cli.ErrDeclined, noon},
		"lowers silently":     {reset(3, lowered, func(r *Reset) { r.Yes = true }), "y\n", ErrLowers, noon},
		"lowered":             {reset(3, lowered, func(r *Reset) { r.Lower = true }), "y\n", nil, lowered},
		"lowered but not yes": {reset(3, lowered, func(r *Reset) { r.Lower = true }), "\n", cli.ErrDeclined, noon},
		"between two units":   {reset(3, raised.Add(time.Nanosecond), nil), "y\n", nil, raised.Add(time.Millisecond)},
		"no such record":      {reset(4, raised, nil), "y\n", ErrNoRecord, noon},
	} {
		t.Run(name, func(t *testing.T) {
			records := store.NewMemory()
			put(t, records, 3, noon, true)
			require.NoError(t, tt.r.Check(true))
			var out bytes.Buffer
			err := tt.r.Run(t.Context(), records, strings.NewReader(tt.answer), &out, within)
			require.ErrorIs(t, err, tt.err)
			got := stored(t, records, 3)
			require.Equal(t, tt.bound, preset.Timescale.Time(got.Bound).UTC())
			require.Equal(t, tt.err != nil, got.Held)
			if !errors.Is(tt.err, ErrNoRecord) {
				require.Contains(t, out.String(), "host-7/4711  2026-08-01T12:00:00.000Z", "what it was decided on")
			}
		})
	}
}

// Somebody renews while the question is asked.
func TestResetOfARecordThatIsInUse(t *testing.T) {
	records := store.NewMemory()
	put(t, records, 3, noon, true)
	renewed := readerFunc(func(p []byte) (int, error) {
		put(t, records, 3, noon.Add(time.Second), true)
		return copy(p, "y\n"), nil
	})
	err := reset(3, noon.Add(time.Hour), nil).Run(t.Context(), records, renewed, new(bytes.Buffer), within)
	require.ErrorIs(t, err, store.ErrConflict)
	require.ErrorContains(t, err, "somebody uses it")
	require.True(t, stored(t, records, 3).Held)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestResetUsage(t *testing.T) {
	far := preset.Timescale.End(preset.Layout).Add(time.Hour)
	for want, r := range map[string]*Reset{
		"no --node":                        reset(0, noon, func(r *Reset) { r.Node = nil }),
		"no --to":                          reset(0, noon, func(r *Reset) { r.To = nil }),
		"--all-stopped confirms":           reset(0, noon, func(r *Reset) { r.AllStopped = false }),
		"has 0 to":                         reset(math.MaxUint64, noon, nil),
		"--to 1999-01-01T00:00:00Z, want ": reset(0, time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), nil),
		"which is what the layout can":     reset(0, far, nil),
		`space ""`:                         reset(0, noon, func(r *Reset) { r.Space.Space = "" }),
		`no preset "other"`:                reset(0, noon, func(r *Reset) { r.Preset = "other" }),
	} {
		require.ErrorContains(t, r.Check(true), want)
	}
	require.ErrorContains(t, reset(0, noon, nil).Check(false), "confirm with --yes")
	require.NoError(t, reset(0, noon, func(r *Reset) { r.Yes = true }).Check(false))
}

func TestRanges(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	layout := bits.Layout{Time: 41, Node: 7, Sequence: 15}
	wide := bits.Layout{Time: 41, Node: 20, Sequence: 2}
	for _, tt := range []struct {
		r           Range
		layout      bits.Layout
		first, last uint64
		err         string
	}{
		{Range{}, layout, 0, 127, ""},
		{Range{Node: n(3)}, layout, 3, 3, ""},
		{Range{First: n(5), Last: n(9)}, layout, 5, 9, ""},
		{Range{First: n(5)}, layout, 5, 127, ""},
		{Range{Node: n(128)}, layout, 0, 0, "has 0 to 127"},
		{Range{First: n(9), Last: n(5)}, layout, 0, 0, "are none"},
		{Range{Node: n(9), Last: n(5)}, layout, 0, 0, "--node excludes"},
		{Range{}, wide, 0, 0, "more than 65536"},
		{Range{Last: n(65535)}, wide, 0, 65535, ""},
	} {
		first, last, err := tt.r.bounds(tt.layout)
		if tt.err != "" {
			require.ErrorContains(t, err, tt.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []uint64{tt.first, tt.last}, []uint64{first, last})
	}
}
