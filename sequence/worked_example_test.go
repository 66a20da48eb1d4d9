package sequence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence"
)

// The times are passed in; the results are time and sequence number.
func TestWorkedExample(t *testing.T) {
	f := newFixture(t, layoutWith(2), nil)
	s := f.sequence("orders", 3, 0)
	for _, row := range []struct {
		passed, time, number uint64
		overflow             bool
	}{
		{3, 3, 0, false},
		{3, 3, 1, false},
		{2, 3, 2, false},
		{2, 3, 3, false},
		{2, 4, 0, true},
		{3, 4, 1, false},
		{3, 4, 2, false},
		{3, 4, 3, false},
		{4, 5, 0, true},
		{5, 5, 1, false},
		{6, 6, 0, false},
	} {
		id, err := s.NextAt(epoch.Add(time.Duration(row.passed)*time.Millisecond), &f.caller)
		require.NoError(t, err)
		parts := f.parts(id)
		require.Equal(t, []uint64{row.time, 3, row.number}, []uint64{parts.Time, parts.Node, parts.Sequence}, "%+v", row)

		overflows := f.events.take().overflows
		if !row.overflow {
			require.Empty(t, overflows, "%+v", row)
			continue
		}
		require.Len(t, overflows, 1, "%+v", row)
		require.Equal(t, row.passed, overflows[0].Time)
		require.Equal(t, row.time-1, overflows[0].LastTime)
		require.Equal(t, 1, overflows[0].Count)
		require.Equal(t, "orders", overflows[0].SequenceID)
		require.EqualValues(t, 3, overflows[0].Node)
	}
}

// Different ids, nodes and partitions have words of their own.
func TestSequencesDoNotInfluenceEachOther(t *testing.T) {
	layout := layoutWith(2)
	layout.Partition, layout.Time = 1, 40
	f := newFixture(t, layout, nil)
	f.appendN(f.sequence("a", 0, 0), 1000)
	for _, s := range []struct {
		id              string
		node, partition uint64
	}{{"b", 0, 0}, {"a", 1, 0}, {"a", 0, 1}} {
		id := f.next(f.sequence(s.id, s.node, s.partition))
		parts := f.parts(id)
		require.Zero(t, f.timeOf(id), "%+v", s)
		require.Equal(t, []uint64{s.partition, s.node, 0}, []uint64{parts.Partition, parts.Node, parts.Sequence})
	}
}

// A step is noticed after 10 ms also when the unit is longer: forward by the
// id's time, back by the event.
func TestStepOfTheWallClockIsNoticedWithinTenMilliseconds(t *testing.T) {
	seconds := func(s *sequence.Settings) { s.Timescale.Unit = time.Second }
	for _, passed := range []time.Duration{trust - 1, trust} {
		f := newFixture(t, layoutWith(12), seconds)
		s := f.sequence("orders", 0, 0)
		f.next(s)
		f.clock.Step(30 * time.Minute)
		f.clock.Advance(passed)
		noticed := f.timeOf(f.next(s)) == 30*time.Minute
		require.Equal(t, passed == trust, noticed, "forward, after %v", passed)

		f = newFixture(t, layoutWith(12), seconds)
		s = f.sequence("orders", 0, 0)
		f.next(s)
		f.clock.Step(-time.Hour)
		f.clock.Advance(passed)
		require.Zero(t, f.timeOf(f.next(s)))
		require.Equal(t, passed == trust, len(f.events.take().steps) == 1, "back, after %v", passed)
	}
}
