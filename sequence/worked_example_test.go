package sequence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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

// With nothing but the clock's steps to go by, a step is noticed after 10 ms.
func TestStepOfTheWallClockIsNoticedWithinTenMilliseconds(t *testing.T) {
	for _, by := range []time.Duration{-time.Hour, 30 * time.Minute} {
		layout := layoutWith(12)
		f := newFixture(t, layout, nil)
		s := f.sequence("orders", 0, 0)
		f.next(s)
		f.step(by)
		require.Equal(t, max(by+trust, 0), f.timeOf(f.next(s)))
	}
}
