// Package format names the format of ids: their layout, epoch and unit. It
// reads one from the words of a command line, and writes its instants.
package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stampid/go-stamp/bits"
)

// Format is what must be known of ids to take them apart. Two formats with
// equal names are equal.
type Format struct {
	Layout    bits.Layout
	Timescale bits.Timescale
}

// Name is a short name that differs for any two formats and can be a file
// name everywhere: "0-41-7-15_1ms_20260723T214300Z".
func (f Format) Name() string {
	layout := strings.ReplaceAll(f.Layout.String(), "/", "-")
	unit := strings.ReplaceAll(f.Timescale.Unit.String(), "µ", "u")
	epoch := f.Timescale.Epoch.UTC().Format("20060102T150405.999999999Z")
	return layout + "_" + unit + "_" + epoch
}

// Stamp writes an instant in UTC, with as many decimals as any instant of the
// format needs, so that the texts of one format have one width.
func (f Format) Stamp(t time.Time) string { return t.UTC().Format(f.pattern()) }

// Local is Stamp in the zone of t.
func (f Format) Local(t time.Time) string { return t.Format(f.pattern()) }

func (f Format) pattern() string {
	unit, rest := f.Timescale.Unit, time.Duration(f.Timescale.Epoch.Nanosecond())
	for _, p := range []struct {
		step    time.Duration
		pattern string
	}{
		{time.Second, "2006-01-02T15:04:05Z07:00"},
		{time.Millisecond, "2006-01-02T15:04:05.000Z07:00"},
		{time.Microsecond, "2006-01-02T15:04:05.000000Z07:00"},
	} {
		if unit%p.step == 0 && rest%p.step == 0 {
			return p.pattern
		}
	}
	return "2006-01-02T15:04:05.000000000Z07:00"
}

// ParseLayout reads the form of [bits.Layout.String], "4/41/6/12".
func ParseLayout(text string) (bits.Layout, error) {
	words := strings.Split(text, "/")
	if len(words) != 4 {
		return bits.Layout{}, fmt.Errorf("layout %q has %d widths, want 4: partition/time/node/sequence, as 4/41/6/12", text, len(words))
	}
	var width [4]int
	for i, word := range words {
		n, err := strconv.ParseUint(word, 10, 31)
		if err != nil {
			return bits.Layout{}, fmt.Errorf("layout %q: width %q is no number of bits", text, word)
		}
		width[i] = int(n)
	}
	layout := bits.Layout{Partition: width[0], Time: width[1], Node: width[2], Sequence: width[3]}
	return layout, layout.Validate()
}

// ParseEpoch reads an instant of RFC 3339, or whole milliseconds since 1970.
func ParseEpoch(text string) (time.Time, error) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.UnixMilli(ms).UTC(), nil
	} else if errors.Is(err, strconv.ErrRange) {
		return time.Time{}, fmt.Errorf("epoch %s is out of range for milliseconds since 1970", text)
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("epoch %q is neither RFC 3339, as 2026-07-23T21:43:00Z, nor milliseconds since 1970", text)
	}
	return t.UTC(), nil
}
