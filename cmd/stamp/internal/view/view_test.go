package view_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/view"
)

var now = time.Date(2026, 8, 9, 12, 0, 0, 0, time.UTC)

var layouts = []bits.Layout{
	{Partition: 4, Time: 41, Node: 6, Sequence: 12},
	{Time: 41, Node: 7, Sequence: 15},
	{Time: 62, Sequence: 1},
	{Time: 1, Node: 1, Sequence: 61},
	{Partition: 1, Time: 1, Node: 1, Sequence: 60},
	{Sequence: 63},
	{Sequence: 53},
	{Partition: 4, Sequence: 59},
	{Time: 41, Node: 4, Sequence: 8},
}

func newView(t *testing.T, layout bits.Layout, parts bits.Parts) view.View {
	id, err := layout.Pack(parts)
	require.NoError(t, err)
	v, err := view.New(format.Format{Layout: layout, Timescale: bits.Default().Timescale}, id)
	require.NoError(t, err)
	return v
}

// Whatever the layout, all lines of a drawing are equally wide, with colours
// too.
func TestBoxesAreRectangles(t *testing.T) {
	for _, layout := range layouts {
		for _, parts := range []bits.Parts{
			{Sequence: 1},
			{Partition: layout.MaxPartition(), Time: layout.MaxTime(), Node: layout.MaxNode(), Sequence: layout.MaxSequence()},
		} {
			v := newView(t, layout, parts)
			v.Form = "recognised"
			for _, v.Text = range []string{"short", strings.Repeat("p", 63) + "_00000000001"} {
				for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 2*3600)} {
					plain := v.Box(now.In(zone), false)
					requireRectangle(t, plain)
					require.Equal(t, plain, uncoloured(v.Box(now.In(zone), true)))
				}
			}
		}
	}
}

func requireRectangle(t *testing.T, text string) {
	t.Helper()
	rows := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, row := range rows {
		require.Equal(t, utf8.RuneCountInString(rows[0]), utf8.RuneCountInString(row), text)
	}
}

// uncoloured removes what colours are made of.
func uncoloured(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, text, _ = strings.Cut(after, "m")
	}
}

func TestJSON(t *testing.T) {
	v := newView(t, bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}, bits.Parts{Partition: 3, Time: 1000, Node: 2, Sequence: 1})
	v.Text = "ord_x"
	var got map[string]any
	require.NoError(t, json.Unmarshal(v.AppendJSON(nil, v.Time.Add(1500*time.Millisecond)), &got))
	require.Equal(t, map[string]any{
		"id": "1729382257172422657", "text": "ord_x", "partition": 3., "time": 1000., "node": 2., "sequence": 1.,
		"timestamp": "2026-07-23T21:43:01.000Z", "age_seconds": 1.5,
	}, got)

	v = newView(t, bits.Layout{Sequence: 63}, bits.Parts{Sequence: math.MaxInt64})
	require.Equal(t, `{"id":"9223372036854775807","sequence":9223372036854775807}`+"\n", string(v.AppendJSON(nil, now)))
	v = newView(t, bits.Layout{Time: 41, Sequence: 22}, bits.Parts{Time: 1})
	require.Equal(t, `{"id":"4194304","time":1,"sequence":0,"timestamp":"2026-07-23T21:43:00.001Z"}`+"\n", string(v.AppendJSON(nil, time.Time{})))
}

func TestLinesLineUp(t *testing.T) {
	layout := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	small := newView(t, layout, bits.Parts{Sequence: 1})
	large := newView(t, layout, bits.Parts{Partition: 15, Time: layout.MaxTime(), Node: 63, Sequence: 4095})
	small.Text, large.Text = "0_", "z_"
	require.Equal(t, "0_                    1  2026-07-23T21:43:00.000Z  partition  0  node  0  sequence    1\n", string(small.AppendLine(nil)))
	require.Equal(t, "z_  9223372036854775807  2096-03-29T13:30:35.551Z  partition 15  node 63  sequence 4095\n", string(large.AppendLine(nil)))
}

func TestAge(t *testing.T) {
	for distance, want := range map[time.Duration]string{
		0:                                     "0 ms ago",
		999 * time.Millisecond:                "999 ms ago",
		time.Second:                           "1 s ago",
		59*time.Second + 999*time.Millisecond: "59 s ago",
		61 * time.Second:                      "1 min 1 s ago",
		90 * time.Minute:                      "1 h 30 min ago",
		49 * time.Hour:                        "2 d 1 h ago",
		366 * 24 * time.Hour:                  "1 y 1 d ago",
		-2 * time.Second:                      "in 2 s",
		-time.Millisecond:                     "in 1 ms",
	} {
		require.Equal(t, want, view.Age(now.Add(-distance), now))
	}
	far := bits.Timescale{Epoch: now, Unit: 24 * time.Hour}.Time(1 << 62)
	require.Negative(t, view.Seconds(far, now))
	require.Regexp(t, `^in \d+ y \d+ d$`, view.Age(far, now))
}
