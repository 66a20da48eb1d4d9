package stamp_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

func byFunction(context.Context) (string, error) { return "eu", nil }

// What can be known of a name only is refused by each way to ids, before any
// number is claimed.
func TestGeneratorsThatDoNotFitTheLayout(t *testing.T) {
	berlin := loadZone(t, "Europe/Berlin")
	memory := store.NewMemory()
	provider := newProvider(t, memory, generators{
		"plain":    {},
		"function": {Group: segment.Group{Func: byFunction}},
		"berlin":   daily(nil, berlin),
		"local":    daily(nil, time.Local),
		"utc":      daily(nil, nil),
		"again":    daily(nil, loadZone(t, "Europe/Berlin")),
	})
	layout := stamp.Layout{Time: 16, Sequence: 47}
	inUTC := newConfig(t, stamp.Options{Source: provider, Layout: layout, Epoch: epoch})
	inBerlin := newConfig(t, stamp.Options{Source: provider, Layout: layout, Epoch: epoch, Zone: berlin})
	for name, row := range map[string]struct {
		c    *stamp.Config
		want error
		text string
	}{
		"plain": {
			inUTC, &stamp.SourceError{SequenceID: "plain", Layout: layout, Reason: "its numbers have no group for the time bits"},
			`stamp: "plain" doesn't fit layout 0/16/0/47 with 16 time bits: its numbers have no group for the time bits`,
		},
		"function": {
			inUTC, &stamp.SourceError{SequenceID: "function", Layout: layout, Reason: "its groups are those of a function, and can't be in time bits"},
			"can't be in time bits",
		},
		"berlin": {
			inUTC, &stamp.ZoneError{SequenceID: "berlin", Generator: berlin, Config: time.UTC},
			`stamp: groups of "berlin" are in zone Europe/Berlin, Options.Zone is UTC`,
		},
		"local": {inUTC, &stamp.ZoneError{SequenceID: "local", Generator: time.Local, Config: time.UTC}, "Local"},
		"utc": {
			inBerlin, &stamp.ZoneError{SequenceID: "utc", Generator: time.UTC, Config: berlin},
			`stamp: groups of "utc" are in zone UTC, Options.Zone is Europe/Berlin`,
		},
	} {
		for call, err := range map[string]error{
			"Next":          second(stamp.Next(name, row.c)),
			"NextContext":   second(stamp.NextContext(background, name, row.c)),
			"NextIn":        second(stamp.NextIn(name, row.c, 0)),
			"NextGrouped":   second(stamp.NextGrouped(background, name, row.c)),
			"NextGroupedIn": second(stamp.NextGroupedIn(background, name, row.c, 0)),
			"NewGenerator":  second(stamp.NewGenerator(name, row.c)),
			"NewFormat":     second(stamp.NewFormat(name, row.c, encode.FormatOptions{})),
		} {
			require.Equal(t, row.want, err, "%s %s", name, call)
			require.ErrorIs(t, err, stamp.ErrSource)
			require.ErrorContains(t, err, row.text)
		}
	}
	require.Empty(t, counters(memory))

	for _, name := range []string{"berlin", "again"} { // a zone that was loaded twice is one
		next(t, name, inBerlin)
	}
	next(t, "utc", inUTC)
}

func second[T any](_ T, err error) error { return err }

// Zones of one name are one if they have the same offsets.
func TestZonesOfOneName(t *testing.T) {
	provider := newProvider(t, store.NewMemory(), generators{
		"orders": daily(nil, time.FixedZone("CST", -6*3600)),
		"utc":    daily(nil, time.FixedZone("UTC", 0)),
	})
	options := stamp.Options{Source: provider, Layout: stamp.Layout{Time: 16, Sequence: 47}, Epoch: epoch}
	options.Zone = time.FixedZone("CST", 8*3600)
	_, err := stamp.Next("orders", newConfig(t, options))
	require.ErrorIs(t, err, stamp.ErrSource)
	options.Zone = time.FixedZone("CST", -6*3600)
	next(t, "orders", newConfig(t, options))
	options.Zone = nil
	next(t, "utc", newConfig(t, options))
}

// Without time bits the numbers of a grouped generator are unique with their
// group only.
func TestGroupedGeneratorsWithoutTimeBits(t *testing.T) {
	memory := store.NewMemory()
	c := newConfig(t, stamp.Options{
		Source: newProvider(t, memory, generators{"days": daily(clock.NewManual(start), nil), "function": {Group: segment.Group{Func: byFunction}}}),
	})
	for name, group := range map[string]string{"days": "20260101", "function": "eu"} {
		g := newGenerator(t, name, c)
		for call, err := range map[string]error{
			"Next":         second(stamp.Next(name, c)),
			"NextContext":  second(stamp.NextContext(background, name, c)),
			"NextIn":       second(stamp.NextIn(name, c, 0)),
			"g.Next":       second(g.Next()),
			"g.NextCtx":    second(g.NextContext(background)),
			"g.Append":     second(g.Append(background, nil, 3)),
			"g.Append, no": second(g.Append(none, nil, 3)),
		} {
			require.Equal(t, &stamp.GroupedError{SequenceID: name, Layout: c.Layout()}, err, call)
			require.ErrorIs(t, err, stamp.ErrGrouped)
			require.ErrorContains(t, err, name)
		}
		require.NotContains(t, counters(memory), "shop."+name+"@"+group, "nothing was claimed")
		v, err := g.NextGrouped(background)
		require.NoError(t, err)
		require.Equal(t, group, v.Group)
		require.Equal(t, stamp.ID(1), v.ID)
	}
}

func TestUngrouped(t *testing.T) {
	provider := newProvider(t, store.NewMemory(), generators{"orders": {}})
	o, _ := isolated()
	for _, c := range []*stamp.Config{newConfig(t, stamp.Options{Source: provider}), newConfig(t, o)} {
		g := newGenerator(t, "orders", c)
		for range 2 {
			before := next(t, "orders", c) // from the second time on by a handle that c keeps
			for call, err := range map[string]error{
				"NextGrouped":   second(stamp.NextGrouped(background, "orders", c)),
				"NextGroupedIn": second(stamp.NextGroupedIn(background, "orders", c, 0)),
				"g.NextGrouped": second(g.NextGrouped(background)),
				"AppendGrouped": second(g.AppendGrouped(background, nil, 3)),
			} {
				require.ErrorIs(t, err, stamp.ErrUngrouped, call)
				require.ErrorContains(t, err, `"orders"`)
			}
			require.Equal(t, before+1, next(t, "orders", c), "nothing was claimed in vain")
		}
	}
}

// One name's numbers are made into ids in one way.
func TestSecondLayoutForASourceIsRefused(t *testing.T) {
	berlin, manual := loadZone(t, "Europe/Berlin"), clock.NewManual(start)
	provider := newProvider(t, store.NewMemory(), generators{"orders": daily(manual, berlin), "plain": {}, "other": {}})
	o := stamp.Options{Source: provider, Layout: stamp.Layout{Time: 16, Sequence: 47}, Epoch: epoch, Zone: berlin}
	first := newConfig(t, o)
	g := newGenerator(t, "orders", first)
	for text, change := range map[string]func(*stamp.Options){
		"layout 0/16/0/47 and 0/15/0/48":              func(o *stamp.Options) { o.Layout = stamp.Layout{Time: 15, Sequence: 48} },
		"layout 0/16/0/47 and 1/16/0/46":              func(o *stamp.Options) { o.Layout = stamp.Layout{Partition: 1, Time: 16, Sequence: 46} },
		"epoch 2026-01-01 and 2025-12-31":             func(o *stamp.Options) { o.Epoch = epoch.Add(-2 * time.Hour) },
		"layout 0/16/0/47 and 0/0/0/63, epoch 2026-0": func(o *stamp.Options) { *o = stamp.Options{Source: provider} },
	} {
		other := o
		change(&other)
		c := newConfig(t, other) // configuration is pure; use is refused
		for range 2 {
			for call, err := range map[string]error{
				"NextIn":        second(stamp.NextIn("orders", c, 0)),
				"NextGroupedIn": second(stamp.NextGroupedIn(background, "orders", c, 0)),
				"NewGenerator":  second(stamp.NewGenerator("orders", c)),
			} {
				require.ErrorIs(t, err, stamp.ErrConflict, call)
				require.ErrorContains(t, err, text, call)
				var conflict *stamp.SourceConflictError
				require.ErrorAs(t, err, &conflict)
				require.Equal(t, "orders", conflict.SequenceID)
				require.Equal(t, o.Layout, conflict.InUse.Layout)
				require.Equal(t, c.Layout(), conflict.Asked.Layout)
			}
		}
	}
	// Equal settings are one, however they are written; and text isn't part of
	// what ids are.
	o.Epoch, o.Zone = epoch.Add(22*time.Hour), loadZone(t, "Europe/Berlin")
	o.Codec, o.Prefix, o.Timeout = encode.Base62, "ord_", time.Hour
	same := newConfig(t, o)
	a, err := g.Next()
	require.NoError(t, err)
	require.Equal(t, a+1, next(t, "orders", same))

	// Another name, and the same name of another provider, are others.
	next(t, "plain", newConfig(t, stamp.Options{Source: provider}))
	next(t, "other", newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Sequence: 53}}))
	next(t, "plain", newConfig(t, stamp.Options{Source: newProvider(t, store.NewMemory(), generators{"plain": {}}), Layout: stamp.Layout{Sequence: 53}}))

	// Whoever else takes numbers from the provider says so.
	taken := newProvider(t, store.NewMemory(), generators{"plain": {}})
	_, err = taken.Use("plain", 42)
	require.NoError(t, err)
	_, err = stamp.Next("plain", newConfig(t, stamp.Options{Source: taken}))
	require.ErrorIs(t, err, stamp.ErrConflict)
}

// Of many who begin at once with two layouts, those of one layout go on.
func TestSourceConflictRace(t *testing.T) {
	for range 50 {
		provider := newProvider(t, store.NewMemory(), generators{"orders": {}})
		layouts := []stamp.Layout{{Sequence: 63}, {Sequence: 53}}
		got := make([]error, 8)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				c, err := stamp.NewConfig(stamp.Options{Source: provider, Layout: layouts[i%2]})
				if err == nil {
					_, err = stamp.Next("orders", c)
				}
				got[i] = err
			})
		}
		wg.Wait()
		winner := 0
		if got[0] != nil {
			winner = 1
		}
		for i, err := range got {
			if i%2 == winner {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, stamp.ErrConflict)
			}
		}
	}
}
