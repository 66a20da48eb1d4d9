package stamp

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
)

// Days fill no more time bits than this: 24 are 45,000 years. Who asks for more
// has a layout for milliseconds.
const maxDayBits = 24

// newSourceConfig is NewConfig for options with a Source.
func newSourceConfig(o Options) (*Config, error) {
	if o.Layout == (Layout{}) {
		o.Layout = Layout{Sequence: 63}
	}
	width := o.Layout.Width()
	if width == 0 {
		width = 63 // which serves to check the rest of the text form
	}
	text, textErr := encode.NewText(o.Codec, o.Prefix, width)
	if err := errors.Join(o.Layout.Validate(), o.validateSource(), textErr); err != nil {
		return nil, err
	}
	if o.Layout.Time > 0 && o.Epoch.IsZero() {
		o.Epoch = bits.Default().Timescale.Epoch
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	c := &Config{
		settings:  sequence.Settings{Layout: o.Layout},
		registry:  sequence.Default(),
		caller:    sequence.Caller{Timeout: o.Timeout},
		text:      text,
		coded:     o.Codec != nil,
		largest:   o.Layout.MaxID(),
		partition: o.Partition,
		source:    newSource(&o),
	}
	if calendar := c.source.calendar; calendar != nil {
		c.settings.Timescale = bits.Timescale{Epoch: civil(calendar.epoch), Unit: secondsOfDay * time.Second}
	}
	return c, nil
}

// validateSource reports what is wrong apart from layout and text form. What a
// generator has to do with it is known when it is asked for numbers.
func (o Options) validateSource() error {
	var errs []error
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if o.Layout.Node > 0 {
		violated("%d node bits with a Source, whose numbers need none", o.Layout.Node)
	}
	if o.Layout.Time > maxDayBits {
		violated("%d time bits with a Source, which counts days in at most %d", o.Layout.Time, maxDayBits)
	}
	for _, option := range []struct {
		name string
		set  bool
		why  string
	}{
		{"Node", !isNil(o.Node), "whose numbers need none"},
		{"Unit", o.Unit != 0, "whose time counts days"},
		{"MaxAhead", o.MaxAhead != 0, "which isn't driven by a clock"},
		{"AheadPolicy", o.AheadPolicy != 0, "which isn't driven by a clock"},
		{"SequenceStart", o.SequenceStart != 0, "whose numbers begin where its counters stand"},
		{"Clock", o.Clock != nil, "whose generators have their own: segment.Options.Clock"},
		{"Listener", o.Listener != nil, "whose generators have their own: segment.Options.Listener and Telemetry"},
		{"Fence", o.Fence != nil, "whose store keeps what was given out"},
		{"Registry", o.Registry != nil, "which keeps its generators itself"},
	} {
		if option.set {
			violated("%s with a Source, %s", option.name, option.why)
		}
	}
	switch {
	case o.Layout.Time <= 0 && !o.Epoch.IsZero():
		violated("an Epoch, but the layout has no time bits")
	case !o.Epoch.IsZero() && (o.Epoch.Year() < 1 || o.Epoch.Year() > 9998):
		violated("Epoch in year %d, want 1 to 9998", o.Epoch.Year())
	}
	switch {
	case o.Layout.Time <= 0 && o.Zone != nil:
		violated("a Zone, but the layout has no time bits")
	case o.Zone == time.Local:
		violated("Zone is time.Local, which differs between machines")
	}
	if o.Partition != nil && o.Layout.Partition == 0 {
		violated("a Partition function, but the layout has no partition bits")
	}
	if o.Timeout < 0 {
		violated("Timeout %v is negative", o.Timeout)
	}
	return errors.Join(errs...)
}

// Source returns the provider of the numbers, nil when ids come from the clock.
func (c *Config) Source() *segment.Provider {
	if c.source == nil {
		return nil
	}
	return c.source.provider
}

// Zone returns the zone of the days in the time field: that of Options.Zone,
// and nil unless there are a Source and time bits.
func (c *Config) Zone() *time.Location {
	if c.source == nil || c.source.calendar == nil {
		return nil
	}
	return c.source.calendar.zone
}
