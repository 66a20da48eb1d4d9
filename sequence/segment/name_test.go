package segment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
)

func dayOf(year int, month time.Month, day int) int64 {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86400
}

func TestGroupNamesAndTheirDays(t *testing.T) {
	for _, tt := range []struct {
		group segment.Group
		day   int64
		name  string
	}{
		{segment.Group{Period: segment.Day}, dayOf(2026, 1, 1), "20260101"},
		{segment.Group{Period: segment.Day}, dayOf(2024, 2, 29), "20240229"},
		{segment.Group{Period: segment.Day}, dayOf(1969, 12, 31), "19691231"},
		{segment.Group{Period: segment.Month}, dayOf(2026, 2, 1), "202602"},
		{segment.Group{Period: segment.Month, Layout: "2006-01"}, dayOf(2026, 2, 1), "2026-02"},
		{segment.Group{Period: segment.Year}, dayOf(2026, 1, 1), "2026"},
		{segment.Group{Period: segment.Year, Layout: "20060102"}, dayOf(2026, 1, 1), "20260101"},
	} {
		name, err := tt.group.Name(tt.day)
		require.NoError(t, err)
		require.Equal(t, tt.name, name)
		day, err := tt.group.FirstDay(tt.name)
		require.NoError(t, err)
		require.Equal(t, tt.day, day, tt.name)
		require.True(t, tt.group.Tells(), tt.name)
	}
}

func TestNamesThatAreNoGroups(t *testing.T) {
	daily, yearly := segment.Group{Period: segment.Day}, segment.Group{Period: segment.Year, Layout: "20060102"}
	for _, name := range []string{"", "2026", "2026010", "202601011", "20260230", "20261301", "2026-01-01", "２０２６0101", " 20260101"} {
		_, err := daily.FirstDay(name)
		require.ErrorIs(t, err, segment.ErrGroup, name)
	}
	_, err := yearly.FirstDay("20260102")
	require.ErrorIs(t, err, segment.ErrGroup, "no year begins there")
	_, err = segment.Group{Period: segment.Day, Layout: "2006-1-2"}.FirstDay("2026-01-02")
	require.ErrorIs(t, err, segment.ErrGroup, "a second name of a day")
	_, err = yearly.Name(dayOf(2026, 1, 2))
	require.ErrorIs(t, err, segment.ErrGroup)
	require.ErrorContains(t, err, "none by year begins on 2026-01-02")
	for _, g := range []segment.Group{{}, {Period: 9}} {
		_, err = g.Name(0)
		require.ErrorIs(t, err, segment.ErrGroup)
		_, err = g.FirstDay("20260101")
		require.ErrorIs(t, err, segment.ErrGroup)
		require.False(t, g.Tells())
	}
	require.False(t, segment.Group{Period: segment.Day, Layout: "060102"}.Tells(), "the century is missing")
	require.False(t, segment.Group{Period: segment.Year, Layout: "06"}.Tells())
}

func TestGroupBegins(t *testing.T) {
	for name, tt := range map[string]struct {
		zone *time.Location
		day  int64
		want string
	}{
		"utc":                    {nil, dayOf(2026, 1, 1), "2026-01-01T00:00:00Z"},
		"berlin":                 {zone(t, "Europe/Berlin"), dayOf(2026, 7, 1), "2026-07-01T00:00:00+02:00"},
		"no midnight":            {zone(t, "America/Sao_Paulo"), dayOf(2018, 11, 4), "2018-11-04T01:00:00-02:00"},
		"cairo, no midnight":     {zone(t, "Africa/Cairo"), dayOf(2026, 4, 24), "2026-04-24T01:00:00+03:00"},
		"midnight comes twice":   {zone(t, "America/St_Johns"), dayOf(2006, 10, 29), "2006-10-29T00:00:00-02:30"},
		"a day that isn't there": {zone(t, "Pacific/Apia"), dayOf(2011, 12, 30), "2011-12-31T00:00:00+14:00"},
		"the day after it":       {zone(t, "Pacific/Apia"), dayOf(2011, 12, 31), "2011-12-31T00:00:00+14:00"},
		"leap year's last day":   {zone(t, "Europe/Berlin"), dayOf(2040, 12, 31), "2040-12-31T00:00:00+01:00"},
		"after it":               {zone(t, "Australia/Lord_Howe"), dayOf(2041, 1, 1), "2041-01-01T00:00:00+11:00"},
		"far from any":           {time.FixedZone("far", 90*3600), dayOf(2026, 1, 5), "2026-01-01T06:00:00Z"},
		"far the other way":      {time.FixedZone("far", -90*3600), dayOf(2026, 1, 5), "2026-01-08T18:00:00Z"},
	} {
		begin := segment.Group{Zone: tt.zone}.Begin(tt.day)
		want, err := time.Parse(time.RFC3339, tt.want)
		require.NoError(t, err)
		require.True(t, want.Equal(begin), "%s: %v", name, begin)
		require.Equal(t, segment.Group{Zone: tt.zone, Period: 99}.Begin(tt.day), begin)
	}
}
