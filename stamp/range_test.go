package stamp_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/stamp"
)

// Ranges unvalidated; docs advise inclusive BETWEEN with exclusive ends.
func TestF15_RangesAreValidatedAndInclusive(t *testing.T) {
	o, _ := partitioned()
	c := newConfig(t, o)
	for _, p := range []uint64{8, math.MaxUint64} {
		_, err := c.PartitionRange(p)
		require.ErrorIs(t, err, stamp.ErrOutOfRange)
		_, err = c.TimeRange(p, start, start.Add(time.Hour))
		require.ErrorIs(t, err, stamp.ErrOutOfRange)
		_, err = c.TimeRange(p, start, start)
		require.ErrorIs(t, err, stamp.ErrOutOfRange, "also when it is empty")
	}
	_, err := c.TimeRange(0, start, start.Add(-1))
	require.ErrorIs(t, err, stamp.ErrReversed)
	require.ErrorContains(t, err, "2026-01-01T00:59:59.999999999Z")

	end := int64(0)
	for p := range uint64(8) {
		r, err := c.PartitionRange(p)
		require.NoError(t, err)
		require.Equal(t, end, r.First, "no gap, no overlap")
		end = r.Last + 1
		for _, id := range []int64{max(r.First, 1), r.Last} {
			require.Equal(t, p, unpack(t, c, stamp.ID(id)).Partition)
		}
	}
	require.Equal(t, int64(math.MinInt64), end, "the last one ends at 2^63-1")
}

func TestTimeRangeAtTheEdges(t *testing.T) {
	o, _ := partitioned()
	c := newConfig(t, o)
	for p := range uint64(8) {
		all, err := c.PartitionRange(p)
		require.NoError(t, err)
		for _, row := range []struct {
			name     string
			from, to time.Time
			first    int64 // counted from all.First, units of 4096
			last     int64 // one unit less than where it ends
			empty    bool
		}{
			{"everything", epoch.AddDate(-1, 0, 0), c.End().AddDate(1, 0, 0), 0, 1 << 48, false},
			{"exactly everything", epoch, c.End(), 0, 1 << 48, false},
			{"two units", epoch.Add(time.Millisecond), epoch.Add(3 * time.Millisecond), 1, 3, false},
			{"from the middle of a unit", epoch.Add(1), epoch.Add(2*time.Millisecond + 1), 1, 3, false},
			{"the last unit", c.End().Add(-time.Millisecond), c.End(), 1<<48 - 1, 1 << 48, false},
			{"before the epoch", epoch.AddDate(-1, 0, 0), epoch, 0, 0, true},
			{"after the end", c.End(), c.End().AddDate(1, 0, 0), 0, 0, true},
			{"within one unit", epoch.Add(1), epoch.Add(2), 0, 0, true},
			{"no time at all", start, start, 0, 0, true},
		} {
			r, err := c.TimeRange(p, row.from, row.to)
			require.NoError(t, err, row.name)
			require.Equal(t, row.empty, r.Empty(), row.name)
			if !row.empty {
				require.Equal(t, all.First+row.first<<12, r.First, row.name)
				require.Equal(t, all.First+(row.last<<12-1), r.Last, row.name)
			}
		}
	}
}

// An id is in TimeRange exactly if from <= Time(id) < to.
func TestTimeRangeHoldsTheIDsOfItsTimes(t *testing.T) {
	random := newRandom(t)
	for range 3000 {
		c := randomConfig(t, random)
		l := c.Layout()
		instant := func() time.Time {
			unit := random.Uint64N(min(l.MaxTime()+1, 1<<random.IntN(62)))
			at := c.Timescale().Time(unit)
			if random.IntN(2) == 0 {
				at = at.Add(time.Duration(random.Int64N(2*int64(c.Timescale().Unit)+1)) - c.Timescale().Unit)
			}
			return at
		}
		from, to := instant(), instant()
		if to.Before(from) {
			from, to = to, from
		}
		p := random.Uint64N(l.Partitions())
		r, err := c.TimeRange(p, from, to)
		require.NoError(t, err)

		check := func(id stamp.ID) {
			at, err := c.Time(id)
			require.NoError(t, err)
			inside := unpack(t, c, id).Partition == p && !at.Before(from) && at.Before(to)
			require.Equal(t, inside, r.Contains(int64(id)), "%v, unit %v: id %d at %v in %v, [%v, %v)", l, c.Timescale().Unit, id, at, r, from, to)
		}
		for _, id := range []int64{r.First - 1, r.First, r.Last, r.Last + 1} {
			if id > 0 && id <= l.MaxID() {
				check(stamp.ID(id))
			}
		}
		for range 10 {
			parts := stamp.Parts{
				Partition: p, Time: uint64(max(c.Timescale().Units(instant()), 1)),
				Node: random.Uint64N(l.Nodes()), Sequence: random.Uint64N(l.IDsPerUnit()),
			}
			parts.Time = min(parts.Time, l.MaxTime())
			id, err := c.Compose(parts)
			require.NoError(t, err)
			parts.Has = l.Fields()
			require.Equal(t, parts, unpack(t, c, id))
			check(id)
		}
	}
}

// randomConfig has any layout, and units for which the layout's end is a
// time.Time.
func randomConfig(t *testing.T, random *rand.Rand) *stamp.Config {
	t.Helper()
	o, _ := isolated()
	width := []int{53, 63}[random.IntN(2)]
	o.Layout = stamp.Layout{Time: 1 + random.IntN(width-1)}
	rest := width - o.Layout.Time
	o.Layout.Sequence = 1 + random.IntN(rest)
	rest -= o.Layout.Sequence
	o.Layout.Node = random.IntN(rest + 1)
	o.Layout.Partition = rest - o.Layout.Node
	if o.Layout.Node > 0 {
		o.Node = node.Static(0)
	}
	o.Unit = []time.Duration{1, 333, time.Microsecond, time.Millisecond, 7 * time.Millisecond}[random.IntN(5)]
	o.Epoch = epoch.Add(time.Duration(random.Int64()) - 1<<62)
	return newConfig(t, o)
}
