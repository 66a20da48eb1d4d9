package segment_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

func TestDefaults(t *testing.T) {
	g := newGenerator(t, newFake(), segment.Options{})
	o := g.Options()
	require.NotNil(t, o.Clock)
	o.Clock = nil
	require.Equal(t, segment.Options{
		Mode: segment.Chain, Step: 10, SafeDistance: 2, MaxPrefetchDistance: 10_000, Threshold: 20,
		FetchTimeout: 10 * time.Second, BackoffMin: 100 * time.Millisecond, BackoffMax: 10 * time.Second,
		Timeout: 5 * time.Second,
	}, o)
	require.NoError(t, o.Validate(), "normal options are valid")
	require.Equal(t, orders, g.Key())
}

func TestViolations(t *testing.T) {
	someGroup := func(context.Context) (string, error) { return "a", nil }
	for text, o := range map[string]segment.Options{
		"Mode(4)":                   {Mode: 4},
		"Step -1":                   {Step: -1},
		"Offset -1":                 {Offset: -1},
		"SafeDistance -2":           {SafeDistance: -2},
		"MaxPrefetchDistance -3":    {MaxPrefetchDistance: -3},
		"Threshold -4":              {Threshold: -4},
		"Threshold 101":             {Threshold: 101},
		"SafeDistance 5 is above":   {SafeDistance: 5, MaxPrefetchDistance: 4},
		"TTL -1s":                   {TTL: -time.Second},
		"TTL 1µs is below 1ms":      {TTL: time.Microsecond},
		"FetchTimeout -1s":          {FetchTimeout: -time.Second},
		"BackoffMin -1s":            {BackoffMin: -time.Second},
		"BackoffMax -1s":            {BackoffMax: -time.Second},
		"Timeout -1s":               {Timeout: -time.Second},
		"BackoffMin 2s is above":    {BackoffMin: 2 * time.Second, BackoffMax: time.Second},
		"nil *clock.Manual":         {Clock: (*clock.Manual)(nil)},
		"nil *segment_test.brokenA": {Audit: (*brokenAudit)(nil)},
		"Period(9)":                 {Group: segment.Group{Period: 9}},
		"and by a function":         {Group: segment.Group{Period: segment.Day, Func: someGroup}},
		"without a period":          {Group: segment.Group{Layout: "2006"}},
		"layout \"2006@01\"":        {Group: segment.Group{Period: segment.Month, Layout: "2006@01"}},
		"layout \"06#01#02\"":       {Group: segment.Group{Period: segment.Day, Layout: "06#01#02"}},
		"zone Local":                {Group: segment.Group{Zone: time.Local, Func: someGroup}},
	} {
		_, err := segment.New(newFake(), orders, o)
		require.ErrorIs(t, err, segment.ErrOptions)
		require.ErrorContains(t, err, text)
		require.NotContains(t, err.Error(), "\n", "one violation")
	}
	for _, key := range []store.Key{{Name: "a"}, {Namespace: "a"}, {Namespace: "a", Name: "b@c"}, {Namespace: "a#1", Name: "b"}} {
		_, err := segment.New(newFake(), key, segment.Options{})
		require.ErrorIs(t, err, segment.ErrOptions)
	}
	for _, counters := range []store.Counters{nil, (*store.Memory)(nil)} {
		_, err := segment.New(counters, orders, segment.Options{})
		require.ErrorIs(t, err, segment.ErrOptions)
	}
	_, err := segment.New(nil, store.Key{Name: "a@"}, segment.Options{
		Mode: 77, Step: -1, Offset: math.MinInt64, TTL: -1, Threshold: 1000, Group: segment.Group{Period: 8},
	})
	require.Equal(t, 9, strings.Count(err.Error(), "segment: invalid options"), "all violations at once:\n%v", err)
}

// A layout that gives two periods one name would merge their counters.
func TestLayoutsThatAreTooCoarse(t *testing.T) {
	for _, tt := range []struct {
		period segment.Period
		layout string
		ok     bool
	}{
		{segment.Day, "0102", false},
		{segment.Day, "200601", false},
		{segment.Day, "2006", false},
		{segment.Day, "150405", false},
		{segment.Day, "x", false},
		{segment.Day, "20060102", true},
		{segment.Day, "060102", true},
		{segment.Day, "2006002", true},
		{segment.Day, "Jan 2 2006", true},
		{segment.Month, "01", false},
		{segment.Month, "2006", false},
		{segment.Month, "2006-01", true},
		{segment.Month, "2006-01-02", true},
		{segment.Year, "01", false},
		{segment.Year, "06", true},
		{segment.Year, "2006", true},
	} {
		err := segment.Options{Group: segment.Group{Period: tt.period, Layout: tt.layout}}.Validate()
		if tt.ok {
			require.NoError(t, err, tt.layout)
		} else {
			require.ErrorIs(t, err, segment.ErrOptions, tt.layout)
		}
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, "chain", segment.Mode(0).String())
	require.Equal(t, "sync", segment.Sync.String())
	require.Equal(t, "double buffer", segment.DoubleBuffer.String())
	require.Equal(t, "Mode(9)", segment.Mode(9).String())
	require.Equal(t, "none", segment.NoPeriod.String())
	require.Equal(t, "month", segment.Month.String())
	require.Equal(t, "year", segment.Year.String())
	require.Equal(t, "Period(9)", segment.Period(9).String())
}
