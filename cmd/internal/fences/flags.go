package fences

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// Space are the flags that say which ids are fenced.
type Space struct {
	Space  string         `arg:"" help:"Name of the space, as in the options of the fence or lease."`
	Preset string         `group:"format" placeholder:"NAME" help:"Known format: stamp, snowflake or cosid. Default: stamp."`
	Layout *layoutFlag    `group:"format" placeholder:"P/T/N/S" help:"Layout of the ids, instead of the preset's: 4/41/6/12."`
	Epoch  *timeFlag      `group:"format" placeholder:"TIME" help:"Epoch of the ids, instead of the preset's: RFC 3339, or milliseconds since 1970."`
	Unit   *time.Duration `group:"format" placeholder:"DURATION" help:"What time counts, instead of the preset's: 1ms."`
}

type layoutFlag bits.Layout

// UnmarshalText reads "4/41/6/12".
func (l *layoutFlag) UnmarshalText(text []byte) error {
	layout, err := format.ParseLayout(string(text))
	*l = layoutFlag(layout)
	return err
}

type timeFlag time.Time

// UnmarshalText reads RFC 3339 or milliseconds.
func (t *timeFlag) UnmarshalText(text []byte) error {
	parsed, err := format.ParseEpoch(string(text))
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "epoch "))
	}
	*t = timeFlag(parsed)
	return nil
}

// format puts the flags together.
func (s *Space) format() (format.Format, error) {
	preset := bits.Default()
	if s.Preset != "" {
		var known bool
		if preset, known = bits.PresetByName(s.Preset); !known {
			return format.Format{}, fmt.Errorf("no preset %q; there are %s", s.Preset, presetNames())
		}
	}
	f := format.Format{Layout: preset.Layout, Timescale: preset.Timescale}
	if s.Layout != nil {
		f.Layout = bits.Layout(*s.Layout)
	}
	if s.Epoch != nil {
		f.Timescale.Epoch = time.Time(*s.Epoch)
	}
	if s.Unit != nil {
		f.Timescale.Unit = *s.Unit
	}
	return f, errors.Join(f.Layout.Validate(), f.Timescale.Validate())
}

func presetNames() string {
	var names []string
	for _, p := range bits.Presets() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// MaxNodes is how many records are read at most in one go.
const MaxNodes = 1 << 16

// Range are the flags that say which nodes of a space are meant. The zero value is
// for all.
type Range struct {
	Node  *uint64 `placeholder:"NUMBER" help:"Only that node."`
	First *uint64 `placeholder:"NUMBER" help:"Begin at that node. Default: 0."`
	Last  *uint64 `placeholder:"NUMBER" help:"End with that node. Default: the layout's last."`
}

// bounds are the first and the last node.
func (r *Range) bounds(l bits.Layout) (first, last uint64, err error) {
	last = l.MaxNode()
	if r.Node != nil {
		if r.First != nil || r.Last != nil {
			return 0, 0, errors.New("--node excludes --first and --last")
		}
		first, last = *r.Node, *r.Node
	}
	if r.First != nil {
		first = *r.First
	}
	if r.Last != nil {
		last = *r.Last
	}
	switch {
	case last > l.MaxNode():
		return 0, 0, fmt.Errorf("node %d, and layout %v has 0 to %d", last, l, l.MaxNode())
	case first > last:
		return 0, 0, fmt.Errorf("nodes from %d to %d are none", first, last)
	case last-first >= MaxNodes:
		return 0, 0, fmt.Errorf("nodes from %d to %d are more than %d: name some with --first and --last", first, last, MaxNodes)
	}
	return first, last, nil
}

// Check reports what is wrong with the flags of a look at nodes.
func Check(s *Space, r *Range) error {
	f, err := s.format()
	if err == nil {
		_, _, err = r.bounds(f.Layout)
	}
	return errors.Join(checkSpace(s.Space), err)
}

// checkSpace has a fence judge the name.
func checkSpace(space string) error {
	_, err := fence.New(store.NewMemory(), fence.Options{Space: space})
	return err
}
