package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/plan"
	"github.com/stampid/go-stamp/cmd/stamp/internal/view"
)

// planCommand has its layouts as texts, so that Run can report all that is
// wrong with them and the timescale at once.
type planCommand struct {
	Layouts    []string   `arg:"" optional:"" name:"layout" help:"Layout, as partition/time/node/sequence: 4/41/6/12; or the name of a preset. With two they are compared."`
	Rate       uint64     `placeholder:"N" help:"Ids per second that a node makes at its peak."`
	Nodes      uint64     `placeholder:"N" help:"Processes that make ids at the same time, with the old and the new ones of an update."`
	Years      float64    `default:"10" placeholder:"N" help:"Warn of an end within so many years. Default: 10."`
	JavaScript bool       `name:"javascript" help:"Ids are to be numbers in JavaScript."`
	Now        *epochFlag `placeholder:"TIME" help:"Plan as of another time: RFC 3339, or milliseconds since 1970."`
	JSON       bool       `name:"json" help:"Print an object per layout and line."`

	Preset string `group:"format" placeholder:"NAME" help:"Known format: stamp, snowflake or cosid. Default: stamp."`
	Layout string `group:"format" placeholder:"P/T/N/S" help:"Layout, instead of an argument."`
	timescaleFlags
}

// Help is shown below the flags.
func (planCommand) Help() string {
	return `Shows what a layout gives before you commit to it: until when ids can be made, how many a second,
how long their texts are. It warns of what is likely to be regretted, more so when it knows your
load; the exit code is 0 all the same. A layout can't be changed for ids that are stored.

    stamp plan
    stamp plan 4/41/6/12 --epoch 2026-01-01T00:00:00Z --rate 5000 --nodes 40
    stamp plan stamp snowflake`
}

// Run shows the plans.
func (c *planCommand) Run(s *streams) error {
	plans, err := c.plans(s.now)
	if err != nil {
		return &usageError{err}
	}
	needs := plan.Needs{Rate: c.Rate, Nodes: c.Nodes, Years: c.Years, JavaScript: c.JavaScript}
	var text []byte
	switch {
	case c.JSON:
		for _, p := range plans {
			if text, err = p.AppendJSON(text, p.Warnings(needs)); err != nil {
				return err
			}
		}
	case len(plans) == 2:
		text = append(text, view.PlanComparison(plans[0], plans[1], s.color)...)
		for _, p := range plans {
			text = appendWarnings(text, "warning for "+p.Name, p.Warnings(needs))
		}
	default:
		text = append(text, view.PlanBox(plans[0], s.color)...)
		text = appendWarnings(text, "warning", plans[0].Warnings(needs))
	}
	if _, err = s.out.Write(text); cli.IsClosedPipe(err) {
		return nil
	}
	return err
}

func appendWarnings(dst []byte, label string, warnings []plan.Warning) []byte {
	for _, w := range warnings {
		dst = fmt.Appendf(dst, "%s: %s\n", label, w.Text)
	}
	return dst
}

// plans are those of the layouts that are named, at least one. The error has
// all that is wrong with them.
func (c *planCommand) plans(clock func() time.Time) ([]plan.Plan, error) {
	names := c.Layouts
	var errs []error
	switch {
	case c.Layout != "" && len(names) > 0:
		errs = append(errs, fmt.Errorf("--layout %s and %s: name layouts one way only", c.Layout, names[0]))
	case len(names) > 2:
		errs = append(errs, fmt.Errorf("%d layouts, want 2 at the most", len(names)))
	case c.Layout != "":
		names = []string{c.Layout}
	}
	if c.Years < 0 {
		errs = append(errs, fmt.Errorf("--years %v is negative", c.Years))
	}
	base, err := (&layoutFlags{Preset: c.Preset}).preset()
	if err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	if len(names) == 0 {
		names = []string{base.Name}
	}
	errs = append(errs, c.timescale(base).Validate())

	now := clock()
	if c.Now != nil {
		now = time.Time(*c.Now)
	}
	var plans []plan.Plan
	for _, name := range names {
		f, err := c.named(name, base)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		// What the timescale lacks has been said above.
		if p, err := plan.New(name, f, now); err == nil {
			plans = append(plans, p)
		}
	}
	return plans, errors.Join(errs...)
}

// named is the format of a preset's name, or of a layout with the timescale of
// the base.
func (c *planCommand) named(name string, base bits.Preset) (format.Format, error) {
	if preset, known := bits.PresetByName(name); known {
		return format.Format{Layout: preset.Layout, Timescale: c.timescale(preset)}, nil
	}
	layout, err := format.ParseLayout(name)
	return format.Format{Layout: layout, Timescale: c.timescale(base)}, err
}
