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
