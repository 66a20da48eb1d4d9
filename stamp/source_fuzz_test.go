package stamp_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// An id that a source's number makes is partition, day and number in their
// places, as big integers say; or there is an error.
func FuzzSourceIDs(f *testing.F) {
	f.Add(uint8(0), uint8(0), false, uint64(0), int64(0), int16(0))
	f.Add(uint8(4), uint8(16), false, uint64(15), int64(1)<<43-2, int16(-1))
	f.Add(uint8(20), uint8(13), true, uint64(1)<<20-1, int64(1)<<20-2, int16(365))
	f.Add(uint8(38), uint8(24), false, uint64(1)<<38, int64(0), int16(1))
	f.Add(uint8(0), uint8(0), false, uint64(0), int64(math.MaxInt64-1), int16(0))
	berlin := loadZone(f, "Europe/Berlin")
	f.Fuzz(func(t *testing.T, partitionBits, timeBits uint8, narrow bool, p uint64, offset int64, days int16) {
		layout := stamp.Layout{Partition: int(partitionBits % 60), Time: int(timeBits % 25)}
		layout.Sequence = 63 - layout.Partition - layout.Time
		if narrow {
			layout.Sequence -= 10
		}
		options := stamp.Options{Layout: layout}
		generator := segment.Options{Mode: segment.Sync, Step: 1, Offset: max(offset, 0)}
		day := int64(0)
		if layout.Time > 0 {
			day = int64(days)
			options.Epoch, options.Zone = time.Date(2026, 1, 1, 12, 0, 0, 0, berlin), berlin
			generator.Clock = clock.NewManual(time.Date(2026, 1, 1+int(days), 12, 0, 0, 0, berlin))
			generator.Group = segment.Group{Period: segment.Day, Zone: berlin}
		}
		provider, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
			Namespace: "shop", Generators: map[string]segment.Options{"orders": generator},
		})
		require.NoError(t, err)
		options.Source = provider
		c, err := stamp.NewConfig(options)
		if layout.Validate() != nil {
			require.ErrorIs(t, err, stamp.ErrLayout)
			return
		}
		require.NoError(t, err)
		id, err := stamp.NextIn("orders", c, p)
		number := uint64(max(offset, 0)) + 1
		switch {
		case p > layout.MaxPartition():
			require.ErrorIs(t, err, stamp.ErrOutOfRange)
		case offset == math.MaxInt64:
			require.ErrorIs(t, err, store.ErrExhausted)
		case day < 0:
			require.ErrorIs(t, err, stamp.ErrBeforeEpoch)
		case uint64(day) > layout.MaxTime():
			require.ErrorIs(t, err, stamp.ErrTimeExhausted)
		case number > layout.MaxSequence():
			require.ErrorIs(t, err, stamp.ErrSequenceExhausted)
		default:
			require.NoError(t, err)
			want := new(big.Int).SetUint64(p)
			want.Lsh(want, uint(layout.Time)).Add(want, big.NewInt(day))
			want.Lsh(want, uint(layout.Sequence)).Add(want, new(big.Int).SetUint64(number))
			require.Equal(t, want.String(), id.String())
			require.Equal(t, stamp.Parts{Partition: p, Time: uint64(day), Sequence: number, Has: layout.Fields()}, unpack(t, c, id))
			r, err := c.PartitionRange(p)
			require.NoError(t, err)
			require.True(t, r.Contains(int64(id)))
			if layout.Time > 0 {
				at, err := c.Time(id)
				require.NoError(t, err)
				require.Equal(t, time.Date(2026, 1, 1+int(days), 0, 0, 0, 0, berlin), at)
			}
			return
		}
		require.Zero(t, id)
	})
}
