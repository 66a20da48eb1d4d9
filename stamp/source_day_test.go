package stamp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// dayLayout has 16 bits of days: 179 years.
var dayLayout = stamp.Layout{Time: 16, Sequence: 47}

// dayConfig has a generator that begins anew each day, on a manual clock.
func dayConfig(t *testing.T, at time.Time, zone *time.Location, epoch time.Time) (*stamp.Config, *clock.Manual) {
	t.Helper()
	manual := clock.NewManual(at)
	provider := newProvider(t, store.NewMemory(), generators{"orders": daily(manual, zone)})
	return newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: epoch, Zone: zone}), manual
}

func date(t *testing.T, c *stamp.Config, id stamp.ID) string {
	t.Helper()
	at, err := c.Time(id)
	require.NoError(t, err)
	return at.Format(time.DateOnly)
}

// Each id has the local date of the clock, and that is what Time says, through
// midnights that don't exist, days that don't, and the last ones of leap years.
func TestEveryIDHasItsDay(t *testing.T) {
	for name, tt := range map[string]struct{ zone, middle string }{
		"plain":                 {"UTC", "2026-01-02T00:00:00Z"},
		"no midnight":           {"America/Sao_Paulo", "2018-11-04T01:00:00-02:00"},
		"midnight comes twice":  {"America/Sao_Paulo", "2018-02-18T00:00:00-03:00"},
		"cairo, no midnight":    {"Africa/Cairo", "2026-04-24T01:00:00+03:00"},
		"cairo, twice":          {"Africa/Cairo", "2025-10-31T00:00:00+02:00"},
		"no 30 December":        {"Pacific/Apia", "2011-12-31T00:00:00+14:00"},
		"half an hour":          {"Australia/Lord_Howe", "2026-10-04T02:30:00+11:00"},
		"quarters of an hour":   {"Asia/Kathmandu", "2026-01-02T00:00:00+05:45"},
		"leap year's last days": {"Europe/Berlin", "2041-01-01T00:00:00+01:00"},
	} {
		t.Run(name, func(t *testing.T) {
			zone := loadZone(t, tt.zone)
			middle, err := time.Parse(time.RFC3339, tt.middle)
			require.NoError(t, err)
			const step = 10 * time.Minute
			c, manual := dayConfig(t, middle.Add(-60*time.Hour), zone, time.Date(2010, 1, 1, 0, 0, 0, 0, zone))
			g := newGenerator(t, "orders", c)
			last, lastDate, count := stamp.ID(0), "", uint64(0)
			for range int(120 * time.Hour / step) {
				now := manual.Read().Wall.In(zone)
				id, err := g.Next()
				require.NoError(t, err)
				require.Equal(t, now.Format(time.DateOnly), date(t, c, id), now)
				require.Greater(t, id, last)
				if date(t, c, id) != lastDate {
					count = 0
				}
				count++
				require.Equal(t, count, unpack(t, c, id).Sequence, "numbers begin at 1 each day")

				begin, err := c.Time(id)
				require.NoError(t, err)
				require.False(t, begin.After(now))
				require.NotEqual(t, now.Format(time.DateOnly), begin.Add(-1).Format(time.DateOnly), "the first instant of the day")
				require.Equal(t, zone, begin.Location())
				last, lastDate = id, date(t, c, id)
				manual.Advance(step)
			}
		})
	}
}

// A clock that goes back over midnight doesn't take ids with it.
func TestClockGoesBackOverMidnight(t *testing.T) {
	for _, name := range []string{"UTC", "America/Sao_Paulo", "Pacific/Apia"} {
		zone := loadZone(t, name)
		midnight := time.Date(2011, 12, 31, 0, 0, 0, 0, zone)
		c, manual := dayConfig(t, midnight.Add(-time.Second), zone, time.Date(2010, 1, 1, 0, 0, 0, 0, zone))
		yesterday := next(t, "orders", c)
		manual.Advance(2 * time.Second)
		last := next(t, "orders", c)
		require.Equal(t, uint64(1), unpack(t, c, last).Sequence)
		require.Greater(t, last, yesterday)
		for _, back := range []time.Duration{2 * time.Second, time.Hour, 72 * time.Hour, 10_000 * time.Hour} {
			manual.Step(-back)
			manual.Advance(20 * time.Millisecond)
			v, err := stamp.NextGrouped(background, "orders", c)
			require.NoError(t, err)
			require.Equal(t, last+1, v.ID)
			require.Equal(t, "20111231", v.Group)
			require.Equal(t, "2011-12-31", date(t, c, v.ID))
			last = v.ID
		}
	}
}

func TestGroupsByMonthAndYear(t *testing.T) {
	for period, want := range map[segment.Period][]string{
		segment.Month: {"2026-02-01", "2026-03-01"},
		segment.Year:  {"2026-01-01", "2026-01-01"},
	} {
		manual := clock.NewManual(time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC))
		provider := newProvider(t, store.NewMemory(), generators{"orders": {Clock: manual, Group: segment.Group{Period: period}}})
		c := newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: epoch})
		first := next(t, "orders", c)
		manual.Advance(time.Second)
		second := next(t, "orders", c)
		require.Equal(t, want, []string{date(t, c, first), date(t, c, second)})
		require.Greater(t, second, first)
	}
}

// The epoch is a date, that of its instant in the zone.
func TestTheEpochsDateCounts(t *testing.T) {
	shanghai := loadZone(t, "Asia/Shanghai")
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, shanghai)
	for _, row := range []struct {
		epoch time.Time
		days  uint64
	}{
		{time.Date(2026, 3, 1, 0, 0, 0, 0, shanghai), 1},
		{time.Date(2026, 3, 1, 23, 59, 59, 999, shanghai), 1},
		{time.Date(2026, 3, 1, 16, 0, 0, 0, time.UTC), 0},
		{time.Date(2026, 3, 1, 15, 59, 59, 0, time.UTC), 1},
		{time.Date(1, 1, 1, 16, 0, 0, 1, time.UTC), 739675},
	} {
		manual := clock.NewManual(at)
		provider := newProvider(t, store.NewMemory(), generators{"orders": daily(manual, shanghai)})
		c := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Time: 24, Sequence: 39}, Epoch: row.epoch, Zone: shanghai})
		id := next(t, "orders", c)
		require.Equal(t, row.days, unpack(t, c, id).Time, row.epoch)
		require.Equal(t, "2026-03-02", date(t, c, id))
		require.Equal(t, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), c.Timescale().Time(row.days))
		composed, err := c.Compose(stamp.Parts{Time: uint64(c.Timescale().Units(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))), Sequence: 1})
		require.NoError(t, err)
		require.Equal(t, id, composed)
	}
}

func TestGroupsBeforeTheEpochAndAfterTheEnd(t *testing.T) {
	manual := clock.NewManual(time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC))
	provider := newProvider(t, store.NewMemory(), generators{"orders": daily(manual, nil)})
	c := newConfig(t, stamp.Options{
		Source: provider, Layout: stamp.Layout{Time: 2, Sequence: 61}, Epoch: time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC),
	})
	require.Equal(t, time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC), c.End())
	g := newGenerator(t, "orders", c)
	calls := map[string]func() error{
		"Next":        func() error { return second(g.Next()) },
		"NextContext": func() error { return second(g.NextContext(background)) },
		"NextIn":      func() error { return second(stamp.NextIn("orders", c, 0)) },
		"NextGrouped": func() error { return second(g.NextGrouped(background)) },
		"Append": func() error {
			ids, err := g.Append(background, nil, 5)
			require.Equal(t, err != nil, len(ids) == 0)
			return err
		},
		"AppendGrouped": func() error {
			v, err := g.AppendGrouped(background, nil, 5)
			require.Equal(t, err != nil, len(v) == 0)
			return err
		},
	}
	for name, call := range calls {
		err := call()
		require.ErrorIs(t, err, stamp.ErrBeforeEpoch, name)
		require.ErrorContains(t, err, `group "20260301"`, name)
		var before *sequence.BeforeEpochError
		require.ErrorAs(t, err, &before)
		require.Equal(t, "2026-03-01", before.Time.Format(time.DateOnly))
		require.Equal(t, "2026-03-02", before.Epoch.Format(time.DateOnly))
	}
	manual.Advance(time.Hour)
	for day := range uint64(4) {
		for name, call := range calls {
			require.NoError(t, call(), "%s on day %d", name, day)
		}
		require.Equal(t, day, unpack(t, c, next(t, "orders", c)).Time)
		manual.Advance(24 * time.Hour)
	}
	for range 2 { // the second time with numbers at hand, whatever the order
		for name, call := range calls {
			err := call()
			require.ErrorIs(t, err, stamp.ErrTimeExhausted, name)
			require.ErrorContains(t, err, `group "20260306"`, name)
			require.ErrorContains(t, err, "2026-03-06T00:00:00Z", name)
		}
	}
}

// An id is in TimeRange exactly if from <= Time(id) < to.
func TestSourceTimeRange(t *testing.T) {
	random := newRandom(t)
	for name, from := range map[string]time.Time{ // shortly before a change at midnight
		"UTC":               time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		"America/Sao_Paulo": time.Date(2018, 11, 1, 0, 0, 0, 0, time.UTC),
		"Pacific/Apia":      time.Date(2011, 12, 27, 0, 0, 0, 0, time.UTC),
		"America/St_Johns":  time.Date(2006, 10, 27, 0, 0, 0, 0, time.UTC),
		"Africa/Cairo":      time.Date(2026, 4, 22, 0, 0, 0, 0, time.UTC),
	} {
		zone := loadZone(t, name)
		provider := newProvider(t, store.NewMemory(), nil)
		c := newConfig(t, stamp.Options{
			Source: provider, Layout: stamp.Layout{Partition: 3, Time: 4, Sequence: 56}, Zone: zone, Epoch: from,
		})
		begins := make([]time.Time, 1<<4)
		for day := range begins {
			id, err := c.Compose(stamp.Parts{Time: uint64(day), Sequence: 1})
			require.NoError(t, err)
			begins[day], err = c.Time(id)
			require.NoError(t, err)
			if day > 0 {
				require.False(t, begins[day].Before(begins[day-1]))
			}
		}
		instant := func() time.Time {
			switch random.IntN(8) {
			case 0:
				return time.Time{}.AddDate(random.IntN(4000), 0, 0)
			case 1:
				return c.End().Add(time.Duration(random.IntN(3) - 1))
			default:
				return begins[random.IntN(len(begins))].Add(time.Duration(random.IntN(3)-1) * []time.Duration{1, time.Minute, 24 * time.Hour}[random.IntN(3)])
			}
		}
		for range 3000 {
			from, to := instant(), instant()
			if to.Before(from) {
				from, to = to, from
			}
			p := random.Uint64N(8)
			r, err := c.TimeRange(p, from, to)
			require.NoError(t, err)
			for range 20 {
				day := random.IntN(len(begins))
				for _, number := range []uint64{0, 1, c.Layout().MaxSequence()} {
					if p+uint64(day)+number == 0 {
						continue
					}
					id, err := c.Compose(stamp.Parts{Partition: p, Time: uint64(day), Sequence: number})
					require.NoError(t, err)
					inside := !begins[day].Before(from) && begins[day].Before(to)
					require.Equal(t, inside, r.Contains(int64(id)), "%s: day %d at %v in [%v, %v)", name, day, begins[day], from, to)
				}
			}
		}
		_, err := c.TimeRange(8, start, start)
		require.ErrorIs(t, err, stamp.ErrOutOfRange)
		_, err = c.TimeRange(0, start, start.Add(-1))
		require.ErrorIs(t, err, stamp.ErrReversed)
		all, err := c.TimeRange(3, time.Time{}, c.End())
		require.NoError(t, err)
		whole, err := c.PartitionRange(3)
		require.NoError(t, err)
		require.Equal(t, whole, all)
	}
}
