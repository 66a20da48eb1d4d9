package clockchaos

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/stamp"
)

// made is what a goroutine was given at once: n ids of a sequence from one on.
type made struct {
	sequence, holder int
	first            stamp.ID
	n                int
}

// at composes the id of a time and a number, of a sequence and node.
func at(t *testing.T, sequence int, node, unit, number uint64) stamp.ID {
	t.Helper()
	id, err := layout().Pack(bits.Parts{Partition: partitionOf(sequence), Node: node, Time: unit, Sequence: number})
	require.NoError(t, err)
	return stamp.ID(id)
}

// writeLogs writes logs and returns their folder.
func writeLogs(t *testing.T, logs map[Source][]made) string {
	t.Helper()
	folder := t.TempDir()
	for s, all := range logs {
		l, err := CreateLog(folder, s)
		require.NoError(t, err)
		for _, m := range all {
			var ids []stamp.ID
			for i := range m.n {
				ids = append(ids, m.first+stamp.ID(i))
			}
			require.NoError(t, l.Append(m.sequence, m.holder, ids...))
		}
		require.NoError(t, l.Close())
	}
	return folder
}

// counts are those of a verdict.
type counts struct{ ids, repeated, falls, outside, overlaps, holders int64 }

func TestCheck(t *testing.T) {
	id := func(unit, number uint64) stamp.ID { return at(t, 0, 1, unit, number) }
	a, a2, b := Source{1, 0, 0, 0}, Source{1, 0, 1, 0}, Source{1, 1, 0, 0}
	for name, tt := range map[string]struct {
		logs map[Source][]made
		want counts
	}{
		"nothing": {},
		"sound": {map[Source][]made{
			a: {{0, 0, id(5, 0), 10}, {0, 0, id(5, 10), 1}, {0, 0, id(6, 0), 256}}, a2: {{0, 0, id(7, 0), 1}}, b: {{0, 0, id(8, 1), 2}},
		}, counts{ids: 270, holders: 3}},
		"the same ids of two sequences of one partition": {map[Source][]made{
			a: {{0, 0, id(5, 0), 10}, {4, 0, id(5, 0), 10}},
		}, counts{ids: 20, holders: 1}},
		"of two processes": {map[Source][]made{
			a: {{0, 0, id(5, 0), 10}}, b: {{0, 0, id(5, 8), 10}},
		}, counts{ids: 20, repeated: 2, overlaps: 1, holders: 2}},
		"of two holders of a process": {map[Source][]made{
			a: {{0, 0, id(5, 0), 10}, {0, 1, id(5, 9), 2}},
		}, counts{ids: 12, repeated: 1, falls: 1, overlaps: 1, holders: 2}},
		"all of a long one, by short ones after another": {map[Source][]made{
			a: {{0, 0, id(5, 0), 200}}, b: {{0, 0, id(5, 1), 2}, {0, 0, id(5, 50), 1}, {0, 0, id(5, 199), 2}},
		}, counts{ids: 205, repeated: 4, overlaps: 1, holders: 2}},
		"three times": {map[Source][]made{
			a: {{0, 0, id(5, 0), 3}}, a2: {{0, 0, id(5, 0), 3}}, b: {{0, 0, id(5, 0), 3}},
		}, counts{ids: 9, repeated: 6, falls: 1, overlaps: 2, holders: 3}},
		"holders that meet without a duplicate": {map[Source][]made{
			a: {{0, 0, id(5, 0), 1}, {0, 0, id(9, 0), 1}}, b: {{0, 0, id(7, 0), 1}},
		}, counts{ids: 3, overlaps: 1, holders: 2}},
		"holders that meet in a time of two sequences": {map[Source][]made{
			a: {{0, 0, id(5, 0), 1}}, b: {{1, 0, at(t, 1, 1, 5, 1), 1}},
		}, counts{ids: 2, overlaps: 1, holders: 2}},
		"holders of two nodes at one time": {map[Source][]made{
			a: {{0, 0, id(5, 0), 1}}, {2, 1, 0, 0}: {{0, 0, at(t, 0, 2, 5, 0), 1}},
		}, counts{ids: 2, holders: 2}},
		"order within": {map[Source][]made{a: {{0, 0, id(5, 1), 1}, {0, 0, id(5, 0), 1}}}, counts{ids: 2, falls: 1, holders: 1}},
		"order over a restart": {map[Source][]made{
			a: {{0, 0, id(9, 0), 1}}, a2: {{0, 0, id(5, 0), 1}},
		}, counts{ids: 2, falls: 1, holders: 2}},
		"another node":      {map[Source][]made{a: {{0, 0, at(t, 0, 2, 5, 0), 1}}}, counts{ids: 1, outside: 1}},
		"another partition": {map[Source][]made{a: {{0, 0, at(t, 1, 1, 5, 0), 1}}}, counts{ids: 1, outside: 1}},
		"out of its node":   {map[Source][]made{a: {{0, 0, id(5, 250), 10}}}, counts{ids: 10, outside: 1}},
		"over a time":       {map[Source][]made{a: {{0, 0, id(5, 1), 1<<16 + 1}}}, counts{ids: 1<<16 + 1, outside: 1}},
		"holders that meet on the second node": {map[Source][]made{
			a: {{0, 0, id(90, 0), 1}}, {2, 0, 0, 0}: {{0, 0, at(t, 0, 2, 5, 0), 1}}, {2, 1, 0, 0}: {{0, 0, at(t, 0, 2, 5, 1), 1}},
		}, counts{ids: 3, overlaps: 1, holders: 3}},
		"0":                {map[Source][]made{a: {{0, 0, 0, 1}}}, counts{ids: 1, falls: 1, outside: 1}},
		"no such sequence": {map[Source][]made{a: {{sequences, 0, id(5, 0), 1}}}, counts{outside: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := Check(writeLogs(t, tt.logs))
			require.NoError(t, err)
			require.Equal(t, tt.want, counts{v.IDs, v.Repeated, v.Falls, v.Outside, v.Overlaps, int64(len(v.Holders))}, v.lines())
			require.Equal(t, len(tt.logs), v.Logs)
			wrong := tt.want.repeated+tt.want.falls+tt.want.outside+tt.want.overlaps > 0
			require.Equal(t, wrong, v.lines() != "")
			r := Report{Verdict: v, Bounds: map[uint64]uint64{1: 100, 2: 100}}
			require.Equal(t, wrong, r.Err() != nil)
		})
	}
}

// Ids at a bound, or without a record, are found.
func TestReportOfBounds(t *testing.T) {
	v, err := Check(writeLogs(t, map[Source][]made{{1, 0, 0, 0}: {{0, 0, at(t, 0, 1, 5, 0), 1}}}))
	require.NoError(t, err)
	require.NoError(t, Report{Verdict: v, Bounds: map[uint64]uint64{1: 6}}.Err())
	require.ErrorContains(t, Report{Verdict: v, Bounds: map[uint64]uint64{1: 5}}.Err(), "an id of time 5, and the bound is 5")
	require.ErrorContains(t, Report{Verdict: v}.Err(), "no record")
}

// Who made a duplicate is told, with times.
func TestCheckTellsWho(t *testing.T) {
	first := at(t, 3, 7, 5, 0)
	before := time.Now().Truncate(time.Microsecond)
	v, err := Check(writeLogs(t, map[Source][]made{
		{7, 0, 2, 1}: {{3, 4, first, 10}}, {7, 1, 0, 0}: {{3, 0, first + 5, 2}},
	}))
	require.NoError(t, err)
	require.Len(t, v.Duplicates, 1)
	d := v.Duplicates[0]
	require.Equal(t, [2]int64{int64(first) + 5, int64(first) + 6}, [2]int64{d.First, d.Last})
	require.Equal(t, [2]Source{{7, 0, 2, 1}, {7, 1, 0, 0}}, [2]Source{d.Made[0].By, d.Made[1].By})
	for _, m := range d.Made {
		require.WithinRange(t, m.At, before, time.Now())
	}
	require.Contains(t, v.lines(), "by process 0, start 2, goroutine 1, node 7, holder 4 at ")
	require.Contains(t, v.lines(), "two holders met:\n    node 7, process 0, start 2, holder 4: 10 ids with times from 5 to 5")
}

// Who had a node from one that made ids after that is counted, node by node.
func TestNodes(t *testing.T) {
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	v := Verdict{Holders: []Holder{
		{Node: 1, IDs: 1, First: 5, Last: 5, Begun: at(0), Ended: at(10)},
		{Node: 1, IDs: 2, First: 6, Last: 6, Begun: at(9), Ended: at(20)},
		{Node: 1, IDs: 3, First: 7, Last: 8, Begun: at(20), Ended: at(90)},
		{Node: 2, IDs: 4, First: 1, Last: 2, Begun: at(30), Ended: at(40)},
	}}
	require.Equal(t, map[uint64]NodeTally{
		1: {Holders: 3, FromLiving: 1, IDs: 6, Last: 8}, 2: {Holders: 1, IDs: 4, Last: 2},
	}, v.Nodes())
}

// A process that was killed while it wrote leaves half a block.
func TestCheckOfATornLog(t *testing.T) {
	s := Source{1, 0, 0, 0}
	folder := writeLogs(t, map[Source][]made{s: {{0, 0, at(t, 0, 1, 5, 0), 10}, {0, 0, at(t, 0, 1, 6, 0), 10}}})
	path := filepath.Join(folder, s.file())
	require.NoError(t, os.Truncate(path, 2*size-1))
	v, err := Check(folder)
	require.NoError(t, err)
	require.Equal(t, int64(10), v.IDs)
}

func TestCheckRefuses(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, Source{1, 0, 0, 0}.file())
	require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
	_, err := Check(folder)
	require.ErrorIs(t, err, errBlock)
	require.NoError(t, os.Rename(path, filepath.Join(folder, "n1-p0-g0-r00.ids")))
	_, err = Check(folder)
	require.ErrorContains(t, err, "not the name of a log")
	_, err = Check(filepath.Join(folder, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// What decodes is, encoded again, the same bytes but a torn end.
func FuzzDecode(f *testing.F) {
	f.Add(Block{Sequence: 3, Holder: 9, First: 1 << 40, Last: 1<<40 + 7, At: time.UnixMicro(1)}.appendTo([]byte{}))
	f.Add(append(Block{First: 5, Last: 5, At: time.UnixMicro(-1)}.appendTo([]byte{}), 1, 2, 3))
	f.Add(make([]byte, size))
	f.Fuzz(func(t *testing.T, data []byte) {
		var again []byte
		err := decode(bytes.NewReader(data), func(b Block) {
			require.GreaterOrEqual(t, b.Last, b.First)
			again = b.appendTo(again)
		})
		whole := data[:len(data)/size*size]
		require.True(t, bytes.HasPrefix(whole, again))
		if err == nil {
			require.Len(t, again, len(whole))
		} else {
			require.ErrorIs(t, err, errBlock)
		}
	})
}
