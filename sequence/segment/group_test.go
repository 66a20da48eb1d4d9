package segment_test

import (
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/telemetry"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	require.NoError(t, err)
	return z
}

func daily(mode segment.Mode, c clock.Clock, z *time.Location) segment.Options {
	return segment.Options{Mode: mode, Step: 1000, Clock: c, Group: segment.Group{Period: segment.Day, Zone: z}}
}

func TestGroupNames(t *testing.T) {
	leap := time.Date(2024, 2, 29, 23, 59, 59, 999_999_999, time.UTC)
	march := leap.Add(1)
	for _, tt := range []struct {
		at     time.Time
		group  segment.Group
		want   string
		first  string
		lasts  time.Time
		offset int
	}{
		{leap, segment.Group{Period: segment.Day, Layout: "060102"}, "240229", "2024-02-29", march, 0},
		{leap, segment.Group{Period: segment.Year, Layout: "06"}, "24", "2024-01-01", time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), 0},
		{leap, segment.Group{Period: segment.Month}, "202402", "2024-02-01", march, 0},
		{march, segment.Group{Period: segment.Month, Layout: "2006-01"}, "2024-03", "2024-03-01", time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC), 0},
		{march, segment.Group{Period: segment.Year}, "2024", "2024-01-01", time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), 0},
		{leap, segment.Group{Period: segment.Year, Layout: "20060102"}, "20240101", "2024-01-01", time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), 0},
	} {
		f := newFake()
		c := clock.NewManual(tt.at)
		g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Clock: c, Group: tt.group})
		v := nextGrouped(t, g)
		require.Equal(t, tt.want, v.Group)
		require.Equal(t, tt.first, time.Unix(v.Day*86400, 0).UTC().Format(time.DateOnly))
		require.EqualValues(t, 10, f.counter("orders@"+tt.want))
		c.Advance(tt.lasts.Sub(tt.at) - 1)
		require.Equal(t, segment.Grouped{Value: 2, Group: v.Group, Day: v.Day}, nextGrouped(t, g))
		c.Advance(1)
		after := nextGrouped(t, g)
		require.EqualValues(t, 1, after.Value)
		require.NotEqual(t, v.Group, after.Group)
	}
}

// Midnight where there is none, twice one, or a whole day is left out.
func TestMidnights(t *testing.T) {
	for name, tt := range map[string]struct {
		zone       string
		boundary   string // RFC 3339, local
		group      string // before
		next       string
		stepBefore time.Duration
	}{
		"plain":                            {"Europe/Berlin", "2026-03-29T00:00:00+01:00", "20260328", "20260329", 0},
		"after the hour is skipped at two": {"Europe/Berlin", "2026-03-30T00:00:00+02:00", "20260329", "20260330", 0},
		"after the hour comes twice":       {"Europe/Berlin", "2026-10-26T00:00:00+01:00", "20261025", "20261026", 0},
		"no midnight":                      {"America/Sao_Paulo", "2018-11-04T01:00:00-02:00", "20181103", "20181104", 0},
		"twice before it":                  {"America/Sao_Paulo", "2018-02-18T00:00:00-03:00", "20180217", "20180218", 0},
		"no 30 December":                   {"Pacific/Apia", "2011-12-31T00:00:00+14:00", "20111229", "20111231", 0},
		"one minute past":                  {"America/St_Johns", "2006-10-29T00:00:00-02:30", "20061028", "20061029", 0},
		"half an hour skipped":             {"Australia/Lord_Howe", "2026-10-05T00:00:00+11:00", "20261004", "20261005", 0},
	} {
		t.Run(name, func(t *testing.T) {
			boundary, err := time.Parse(time.RFC3339, tt.boundary)
			require.NoError(t, err)
			c := clock.NewManual(boundary.Add(-time.Hour))
			g := newGenerator(t, newFake(), daily(segment.Chain, c, zone(t, tt.zone)))
			value := int64(0)
			for d := time.Hour; d > 0; d -= 20 * time.Second {
				value++
				v := nextGrouped(t, g)
				require.Equal(t, tt.group, v.Group, d)
				require.Equal(t, value, v.Value)
				c.Advance(20 * time.Second)
			}
			for i := range 400 { // two hours and more: St John's goes back in them
				v := nextGrouped(t, g)
				require.Equal(t, tt.next, v.Group, i)
				require.EqualValues(t, i+1, v.Value)
				c.Advance(20 * time.Second)
			}
		})
	}
}

// Clocks in St John's went back at one minute past midnight. Who made no id in
// that minute is still in the old day, and goes on there.
func TestZoneGoesBackOverMidnight(t *testing.T) {
	for _, mode := range modes {
		c := clock.NewManual(time.Date(2006, 10, 29, 2, 0, 0, 0, time.UTC))
		g := newGenerator(t, newFake(), daily(mode, c, zone(t, "America/St_Johns")))
		require.Equal(t, segment.Grouped{Value: 1, Group: "20061028", Day: 13449}, nextGrouped(t, g))
		c.Advance(time.Hour)
		require.Equal(t, segment.Grouped{Value: 2, Group: "20061028", Day: 13449}, nextGrouped(t, g))
		c.Advance(30*time.Minute - 1)
		require.Equal(t, segment.Grouped{Value: 3, Group: "20061028", Day: 13449}, nextGrouped(t, g))
		c.Advance(1)
		require.Equal(t, segment.Grouped{Value: 1, Group: "20061029", Day: 13450}, nextGrouped(t, g))
	}
}

// Package time takes all years to have 365 days where it answers when an offset
// ends by a zone's rule, so on the last day of a leap year that lies behind.
func TestLastDayOfALeapYear(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Cairo", "America/New_York", "UTC"} {
		for _, year := range []int{2040, 2044, 2096} {
			z := zone(t, name)
			midnight := time.Date(year+1, 1, 1, 0, 0, 0, 0, z)
			c := clock.NewManual(midnight.Add(-50 * time.Hour))
			g := newGenerator(t, newFake(), daily(segment.Sync, c, z))
			for range 200 {
				require.Equal(t, c.Read().Wall.In(z).Format("20060102"), nextGrouped(t, g).Group)
				c.Advance(15 * time.Minute)
			}
			require.Equal(t, midnight.UTC(), c.Read().Wall.UTC())
			require.Equal(t, midnight.Format("20060102"), nextGrouped(t, g).Group)
		}
	}
}

func TestEveryInstantHasTheGroupOfItsDate(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca"} {
		z := zone(t, name)
		for _, period := range []segment.Period{segment.Day, segment.Month, segment.Year} {
			layout := [...]string{"", "2006", "200601", "20060102"}[period]
			c := clock.NewManual(time.Date(2011, 12, 1, 0, 0, 0, 0, time.UTC))
			g := newGenerator(t, newFake(), segment.Options{Mode: segment.Sync, Clock: c, Group: segment.Group{Period: period, Zone: z}})
			for range 1500 {
				require.Equal(t, c.Read().Wall.In(z).Format(layout), nextGrouped(t, g).Group)
				c.Advance(47 * time.Minute)
			}
		}
	}
}

// A clock that goes back over midnight doesn't bring yesterday back, and ids
// go on from where they were.
func TestClockStepsBackOverTheBoundary(t *testing.T) {
	for _, mode := range modes {
		c := clock.NewManual(time.Date(2026, 1, 1, 23, 59, 59, 0, time.UTC))
		g := newGenerator(t, newFake(), daily(mode, c, nil))
		var steps []telemetry.ClockStep
		t.Cleanup(telemetry.Subscribe(func(e telemetry.ClockStep) { steps = append(steps, e) }))
		require.Equal(t, "20260101", nextGrouped(t, g).Group)
		c.Advance(2 * time.Second)
		require.Equal(t, segment.Grouped{Value: 1, Group: "20260102", Day: 20455}, nextGrouped(t, g))
		for i, back := range []time.Duration{time.Second, time.Minute, 24 * time.Hour, 1000 * time.Hour} {
			c.Step(-back)
			c.Advance(20 * time.Millisecond)
			require.Equal(t, segment.Grouped{Value: int64(i + 2), Group: "20260102", Day: 20455}, nextGrouped(t, g), back)
		}
		require.Len(t, steps, 4)
		require.Equal(t, telemetry.StepBack, steps[0].Kind)
		steps = nil
		c.Set(time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC))
		c.Advance(20 * time.Millisecond)
		require.Equal(t, "20260102", nextGrouped(t, g).Group, "a step forward is held")
		c.Advance(clock.DefaultStepConfirm)
		require.Equal(t, "20260103", nextGrouped(t, g).Group, "and then followed")
	}
}

// The next day's first segment is there before midnight, at random times, and
// isn't used before.
func TestNextGroupIsFetchedEarly(t *testing.T) {
	midnight := time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)
	at := map[time.Duration]bool{}
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			g := newGenerator(t, f, daily(segment.Chain, clock.NewSystem(clock.Options{}), nil))
			nextGrouped(t, g)
			time.Sleep(time.Until(midnight) - 2*time.Minute)
			fetched := time.Duration(0)
			for time.Until(midnight) > 0 {
				require.Equal(t, "20000101", nextGrouped(t, g).Group)
				synctest.Wait()
				if fetched == 0 && f.counter("orders@20000102") > 0 {
					fetched = time.Until(midnight)
				}
				time.Sleep(50 * time.Millisecond)
			}
			require.Positive(t, fetched)
			at[fetched] = true
			f.set(func(f *fake) { f.delay = time.Hour })
			start := time.Now()
			require.Equal(t, segment.Grouped{Value: 1, Group: "20000102", Day: 10958}, nextGrouped(t, g))
			require.Zero(t, time.Since(start))
		})
	}
	require.Greater(t, len(at), 5)
}

func TestIdleGeneratorDoesNotFetch(t *testing.T) {
	for name, o := range map[string]segment.Options{
		"ttl":   {TTL: time.Second, Step: 1000},
		"group": {Group: segment.Group{Period: segment.Day}},
		"both":  {TTL: 3 * time.Second, Group: segment.Group{Period: segment.Day}},
	} {
		for _, mode := range modes {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				o.Mode, o.Clock = mode, clock.NewSystem(clock.Options{})
				g := newGenerator(t, f, o)
				nextGrouped(t, g)
				time.Sleep(time.Second / 2)
				calls := len(f.calls())
				time.Sleep(100 * time.Hour)
				require.Len(t, f.calls(), calls, name)
				nextGrouped(t, g)
				time.Sleep(time.Second / 2)
				require.LessOrEqual(t, len(f.calls()), calls+4, name)
			})
		}
	}
}
