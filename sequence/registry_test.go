package sequence_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

func TestRegistryOneSequencePerKey(t *testing.T) {
	layout := bits.Layout{Partition: 2, Time: 41, Node: 8, Sequence: 12}
	f := newFixture(t, layout, nil)
	seen := map[*sequence.Sequence]bool{}
	for range 2 {
		for _, id := range []string{"a", "b"} {
			for node := range uint64(3) {
				for partition := range uint64(4) {
					seen[f.sequence(id, node, partition)] = true
				}
			}
		}
	}
	require.Len(t, seen, 24)
	require.Equal(t, 24, f.reg.Len())

	again, err := f.reg.Space(f.space.Settings())
	require.NoError(t, err)
	require.Same(t, f.space, again, "equal settings, one space")
	settings := f.space.Settings()
	settings.Timescale.Epoch = settings.Timescale.Epoch.In(time.FixedZone("x", 3600))
	again, err = f.reg.Space(settings)
	require.NoError(t, err)
	require.Same(t, f.space, again, "epochs are instants")
}

func TestRegistryRefuses(t *testing.T) {
	layout := bits.Layout{Partition: 2, Time: 41, Node: 8, Sequence: 12}
	f := newFixture(t, layout, nil)
	_, err := f.space.Sequence("", 0, 0)
	require.ErrorIs(t, err, sequence.ErrNoID)
	_, err = f.space.Sequence("a", 256, 0)
	require.Equal(t, &bits.ValueError{Field: "node", Value: 256, Max: 255}, err)
	_, err = f.space.Sequence("a", 0, 4)
	require.Equal(t, &bits.ValueError{Field: "partition", Value: 4, Max: 3}, err)
	require.Zero(t, f.reg.Len())
}

func TestRegistryRefusesAnIDInUseWithOtherSettings(t *testing.T) {
	f := newFixture(t, layoutWith(12), nil)
	first := f.sequence("orders", 0, 0)
	for name, change := range map[string]func(*sequence.Settings){
		"layout 0/41/10/12 and 0/41/9/13": func(s *sequence.Settings) { s.Layout = layoutWith(13) },
		"2026-01-01T00:00:01Z":            func(s *sequence.Settings) { s.Timescale.Epoch = epoch.Add(time.Second) },
		"unit 1ms and 1s":                 func(s *sequence.Settings) { s.Timescale.Unit = time.Second },
		"clock":                           func(s *sequence.Settings) { s.Clock = clock.NewManual(f.start) },
		"MaxAhead 0s and 3s":              func(s *sequence.Settings) { s.MaxAhead = 3 * time.Second },
		"policy advance and fail":         func(s *sequence.Settings) { s.AheadPolicy = sequence.Fail },
	} {
		settings := f.space.Settings()
		change(&settings)
		other, err := f.reg.Space(settings)
		require.NoError(t, err)
		_, err = other.Sequence("orders", 1, 0)
		require.ErrorIs(t, err, sequence.ErrConflict, name)
		require.ErrorContains(t, err, name)
		_, err = other.Sequence("others "+name, 1, 0)
		require.NoError(t, err)
	}
	require.Same(t, first, f.sequence("orders", 0, 0))
}

func TestSettingsReportEveryViolation(t *testing.T) {
	_, err := sequence.NewRegistry().Space(sequence.Settings{
		Layout:      bits.Layout{Partition: 62, Sequence: 2},
		MaxAhead:    -1,
		AheadPolicy: 7,
		Clock:       uncomparable{},
	})
	require.ErrorIs(t, err, bits.ErrLayout)
	require.ErrorIs(t, err, bits.ErrTimescale)
	require.ErrorIs(t, err, sequence.ErrSettings)
	for _, text := range []string{"64 bits", "time has 0 bits", "unit is 0s", "zero time", "MaxAhead -1ns", "AheadPolicy(7)", "uncomparable"} {
		require.ErrorContains(t, err, text)
	}
}

type uncomparable struct {
	clock.Clock
	_ []int
}

func TestRegistryAHundredThousandIDs(t *testing.T) {
	const ids = 100_000
	f := newFixture(t, layoutWith(12), nil)
	for i := range ids {
		f.next(f.sequence(strconv.Itoa(i), 0, 0))
	}
	require.Equal(t, ids, f.reg.Len())
	for i := range ids / 2 {
		require.Equal(t, 1, f.reg.Drop(strconv.Itoa(2*i)))
	}
	require.Equal(t, ids/2, f.reg.Len())
	require.Zero(t, f.reg.Drop("0"), "dropped already")
	require.Zero(t, f.reg.Drop("none"))
	require.Equal(t, ids/2, f.reg.Len())
}

// Whoever asks for a key gets its one sequence, also at the moment it is made.
func TestRegistryLookUpsWhileAdding(t *testing.T) {
	const goroutines, ids, partitions = 8, 300, 8
	f := newFixture(t, bits.Layout{Partition: 3, Time: 41, Node: 7, Sequence: 12}, nil)
	var got [goroutines][ids * partitions]*sequence.Sequence
	var wg sync.WaitGroup
	for g := range got {
		wg.Go(func() {
			for i := range got[g] {
				s, err := f.space.Sequence(fmt.Sprint(i/partitions), 5, uint64(i%partitions))
				if err != nil {
					t.Error(err)
					return
				}
				got[g][i] = s
			}
		})
	}
	wg.Wait()
	for g := range got {
		require.Equal(t, got[0], got[g])
	}
	require.Equal(t, ids*partitions, f.reg.Len())
}

// A million live sequences, 1000 ids in 1000 partitions, are measured in part.
func TestRegistryMemoryPerSequence(t *testing.T) {
	const ids, partitions, limit = 100, 1000, 320
	f := newFixture(t, bits.Layout{Partition: 10, Time: 41, Sequence: 12}, nil)
	names := make([]string, ids)
	for i := range names {
		names[i] = "tenant-" + strconv.Itoa(i)
	}
	before := heap()
	for _, name := range names {
		for p := range uint64(partitions) {
			_, err := f.space.Sequence(name, 0, p)
			require.NoError(t, err)
		}
	}
	used := int64(heap()-before) / (ids * partitions)
	t.Logf("%d bytes per sequence", used)
	require.LessOrEqual(t, used, int64(limit))
	require.Equal(t, ids*partitions, f.reg.Len())
	runtime.KeepAlive(f)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestDefaultRegistryIsOne(t *testing.T) {
	require.Same(t, sequence.Default(), sequence.Default())
	require.NotSame(t, sequence.Default(), sequence.NewRegistry())
}

// A node above 0 shows in ids, also in the smallest layouts.
func TestNarrowLayout(t *testing.T) {
	layout := bits.Layout{Partition: 5, Time: 41, Node: 3, Sequence: 4} // 53 bits
	f := newFixture(t, layout, nil)
	for node := range uint64(8) {
		id, err := f.sequence("a", node, 31).Next(context.Background(), &f.caller)
		require.NoError(t, err)
		require.LessOrEqual(t, id, int64(1<<53-1))
		require.Equal(t, node, f.parts(id).Node)
		require.EqualValues(t, 31, f.parts(id).Partition)
	}
}
