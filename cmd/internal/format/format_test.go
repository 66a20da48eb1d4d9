package format_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
)

func TestNamesTellFormatsApart(t *testing.T) {
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	seen := map[string]format.Format{}
	for _, layout := range []bits.Layout{{Time: 41, Node: 7, Sequence: 15}, {Partition: 4, Time: 41, Node: 7, Sequence: 11}, {Time: 41, Sequence: 22}} {
		for _, unit := range []time.Duration{1, time.Microsecond, 1500 * time.Nanosecond, time.Millisecond, time.Second, 24 * time.Hour} {
			for _, e := range []time.Time{epoch, epoch.Add(1), epoch.Add(time.Millisecond), epoch.Add(time.Hour), time.UnixMilli(-1).UTC()} {
				f := format.Format{Layout: layout, Timescale: bits.Timescale{Epoch: e, Unit: unit}}
				require.NotContains(t, seen, f.Name())
				require.Regexp(t, `^[0-9A-Za-z._-]+$`, f.Name(), "it is a file name")
				seen[f.Name()] = f
			}
		}
	}
	f := format.Format{Layout: bits.Default().Layout, Timescale: bits.Default().Timescale}
	local := f
	local.Timescale.Epoch = f.Timescale.Epoch.In(time.FixedZone("x", 3600))
	require.Equal(t, f.Name(), local.Name(), "a zone makes no other format")
}

func TestStampsShowWhatTheFormatCanTell(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 120_000_000, time.UTC)
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		scale bits.Timescale
		want  string
	}{
		{bits.Timescale{Epoch: epoch, Unit: time.Second}, "2026-01-02T03:04:05Z"},
		{bits.Timescale{Epoch: epoch.Add(657 * time.Millisecond), Unit: time.Second}, "2026-01-02T03:04:05.120Z"},
		{bits.Timescale{Epoch: epoch, Unit: 10 * time.Millisecond}, "2026-01-02T03:04:05.120Z"},
		{bits.Timescale{Epoch: epoch, Unit: time.Microsecond}, "2026-01-02T03:04:05.120000Z"},
		{bits.Timescale{Epoch: epoch, Unit: 1500}, "2026-01-02T03:04:05.120000000Z"},
	} {
		f := format.Format{Timescale: test.scale}
		require.Equal(t, test.want, f.Stamp(at))
		require.Equal(t, test.want, f.Stamp(at.In(time.FixedZone("x", 3600))))
	}
}

func TestParseLayout(t *testing.T) {
	got, err := format.ParseLayout("4/41/6/12")
	require.NoError(t, err)
	require.Equal(t, bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}, got)
	for _, text := range []string{"", "1/2/3", "4/41/6/12/0", "4/41/6/x", "-4/41/6/20", "4/41/6/13", "4/41/6/99999999999999999999", " 4/41/6/12"} {
		_, err := format.ParseLayout(text)
		require.Error(t, err, text)
	}
}

func TestParseEpoch(t *testing.T) {
	for text, want := range map[string]time.Time{
		"1784842980000":             time.Date(2026, 7, 23, 21, 43, 0, 0, time.UTC),
		"2026-07-23T21:43:00Z":      time.Date(2026, 7, 23, 21, 43, 0, 0, time.UTC),
		"2026-07-23T23:43:00+02:00": time.Date(2026, 7, 23, 21, 43, 0, 0, time.UTC),
		"2026-07-23T21:43:00.5Z":    time.Date(2026, 7, 23, 21, 43, 0, 500_000_000, time.UTC),
		"-1":                        time.UnixMilli(-1).UTC(),
	} {
		got, err := format.ParseEpoch(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "yesterday", "2026-07-23", "99999999999999999999"} {
		_, err := format.ParseEpoch(text)
		require.ErrorContains(t, err, text)
	}
}
