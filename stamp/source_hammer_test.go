package stamp_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// Two instances share a store, and each is called in all ways at once: no id
// comes twice, each goroutine's ids rise, and none is left out but what was
// reserved last.
func TestHammerSource(t *testing.T) {
	const goroutines, each = 8, 3000
	for name, layout := range map[string]stamp.Layout{
		"plain":      {Sequence: 63},
		"partitions": {Partition: 4, Sequence: 59},
	} {
		for _, mode := range []segment.Mode{segment.Sync, segment.DoubleBuffer, segment.Chain} {
			t.Run(fmt.Sprintf("%s/%v", name, mode), func(t *testing.T) {
				memory := store.NewMemory()
				const p = 3
				partition := uint64(0)
				if layout.Partition > 0 {
					partition = p
				}
				all := map[stamp.ID]bool{}
				for range 2 { // the second instance goes on where the first one's segments end
					c := newConfig(t, stamp.Options{
						Source: newProvider(t, memory, generators{"orders": {Mode: mode, Step: 7}}), Layout: layout,
					})
					g, err := newGenerator(t, "orders", c).In(partition)
					require.NoError(t, err)
					seen := hammer(t, goroutines, each, func(i int, dst []stamp.ID) ([]stamp.ID, error) {
						var id stamp.ID
						var err error
						switch (i + len(dst)) % 5 {
						case 0:
							return g.Append(background, dst, 1+len(dst)%40)
						case 1:
							id, err = g.Next()
						case 2:
							id, err = g.NextContext(background)
						case 3:
							id, err = stamp.NextIn("orders", c, partition)
						default:
							if partition > 0 {
								id, err = stamp.NextIn("orders", c, partition)
							} else {
								id, err = stamp.Next("orders", c)
							}
						}
						return append(dst, id), err
					})
					for id := range seen {
						if parts, err := c.Unpack(id); all[id] || err != nil || parts.Partition != partition {
							t.Fatalf("%d of %+v twice, or %v", id, parts, err)
						}
					}
					require.NoError(t, c.Source().Close())
					// Without gaps: from the number after the last one reserved.
					low, high := extent(seen)
					require.EqualValues(t, len(seen), high-low+1)
					maps.Copy(all, seen)
				}
			})
		}
	}
}

func extent(ids map[stamp.ID]bool) (low, high stamp.ID) {
	for id := range ids {
		if low == 0 || id < low {
			low = id
		}
		high = max(high, id)
	}
	return low, high
}

// Days go by, and the clock steps back over midnights, while two instances are
// called: ids with their day stay unique and rise, and so do the numbers of each
// group.
func TestHammerDays(t *testing.T) {
	const goroutines, each = 4, 2000
	memory, manual := store.NewMemory(), clock.NewManual(start.AddDate(0, 0, 10))
	var configs []*stamp.Config
	for range 2 {
		options := daily(manual, nil)
		options.Mode, options.Step = segment.Chain, 5
		c := newConfig(t, stamp.Options{
			Source: newProvider(t, memory, generators{"orders": options}), Layout: dayLayout, Epoch: epoch,
		})
		configs = append(configs, c)
	}
	// Each goroutine uses one instance: ids rise within one.
	seen := hammer(t, 2*goroutines, each, func(i int, dst []stamp.ID) ([]stamp.ID, error) {
		c := configs[i%2]
		if len(dst)%20 == 0 {
			manual.Advance(5 * time.Hour)
		}
		if len(dst)%60 == 0 {
			manual.Step(-6 * time.Hour)
		}
		switch len(dst) % 4 {
		case 0:
			g, err := stamp.NewGenerator("orders", c)
			if err != nil {
				return dst, err
			}
			return g.Append(background, dst, 1+len(dst)%11)
		case 1:
			v, err := stamp.NextGrouped(background, "orders", c)
			if err == nil && c.Timescale().Time(uint64(v.Day)-20454).Format("20060102") != v.Group {
				err = fmt.Errorf("day %d in group %s", v.Day, v.Group)
			}
			return append(dst, v.ID), err
		default:
			id, err := stamp.Next("orders", c)
			return append(dst, id), err
		}
	})
	days := map[uint64]bool{}
	for id := range seen {
		days[unpack(t, configs[0], id).Time] = true
	}
	require.Greater(t, len(days), 20)
}
