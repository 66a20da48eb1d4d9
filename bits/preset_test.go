package bits_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
)

func TestPresets(t *testing.T) {
	tests := []struct {
		name, layout string
		epoch        int64
		utc          string
	}{
		{"stamp", "0/41/7/15", 1784842980000, "2026-07-23T21:43:00Z"},
		{"snowflake", "0/41/10/12", 1288834974657, "2010-11-04T01:42:54.657Z"},
		{"cosid", "0/41/10/12", 1577203200000, "2019-12-24T16:00:00Z"},
	}
	presets := bits.Presets()
	require.Len(t, presets, len(tests))
	for i, tt := range tests {
		p, ok := bits.PresetByName(tt.name)
		require.True(t, ok, tt.name)
		require.Equal(t, presets[i], p)
		require.Equal(t, tt.name, p.Name)
		require.Equal(t, tt.layout, p.Layout.String())
		require.Equal(t, tt.epoch, p.Timescale.Epoch.UnixMilli())
		require.Equal(t, tt.utc, p.Timescale.Epoch.Format(time.RFC3339Nano))
		require.Equal(t, time.Millisecond, p.Timescale.Unit)
		require.NoError(t, p.Layout.ValidateClock())
		require.NoError(t, p.Timescale.Validate())
	}
	require.Equal(t, presets[0], bits.Default())
}

func TestPresets_areTheCallers(t *testing.T) {
	bits.Presets()[0].Name = "changed"
	require.Equal(t, "stamp", bits.Presets()[0].Name)
}

func TestPresetByName_unknown(t *testing.T) {
	for _, name := range []string{"", "Stamp", "ulid"} {
		p, ok := bits.PresetByName(name)
		require.False(t, ok)
		require.Zero(t, p)
	}
}
