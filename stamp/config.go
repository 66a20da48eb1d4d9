package stamp

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
)

// Config is checked options, made by [NewConfig]. It doesn't change and is
// safe for concurrent use. Any number of configurations may describe the same
// ids: equal ones share their sequences.
type Config struct {
	settings  sequence.Settings
	registry  *sequence.Registry
	space     atomic.Pointer[sequence.Space] // made at first use
	handles   handles
	caller    sequence.Caller
	text      encode.Text
	coded     bool        // a codec was chosen
	largest   int64       // id
	node      node.Source // nil: number it is
	number    uint64
	partition func(context.Context) (uint64, error)
	source    *source // nil: the clock
}

// NewConfig checks options. It is pure: it reads no clock and no environment,
// so it is right for package-level variables. The error joins every violation.
func NewConfig(o Options) (*Config, error) {
	if o.Source != nil {
		return newSourceConfig(o)
	}
	o = o.withDefaults()
	settings := o.settings()
	width := o.Layout.Width()
	if o.Layout.Validate() != nil {
		width = 63 // which serves to check the rest of the text form
	}
	text, textErr := encode.NewText(o.Codec, o.Prefix, width)
	if err := errors.Join(settings.Validate(), o.validate(), textErr); err != nil {
		return nil, err
	}
	c := &Config{
		settings:  settings,
		registry:  o.Registry,
		caller:    sequence.Caller{Listener: o.Listener, Timeout: o.Timeout},
		text:      text,
		coded:     o.Codec != nil,
		largest:   settings.Layout.MaxID(),
		node:      o.Node,
		partition: o.Partition,
	}
	if isNil(o.Node) {
		c.node = nil // of whatever type: there are no node bits, so it is never asked
	}
	if static, ok := o.Node.(node.Static); ok {
		c.node, c.number = nil, uint64(static)
	}
	if l := o.lease(); l != nil {
		c.node, c.number = nil, l.Number()
	}
	return c, nil
}

// MustConfig is NewConfig for package-level variables. It panics on options
// that NewConfig refuses.
func MustConfig(o Options) *Config {
	c, err := NewConfig(o)
	if err != nil {
		panic(err)
	}
	return c
}

// Layout returns the widths of the fields.
func (c *Config) Layout() Layout { return c.settings.Layout }

// Timescale returns epoch and unit. With a Source that has time bits it counts
// civil days: unit n stands for the date that Time(n) has in UTC, and [Config.Time]
// tells when that date begins in Options.Zone. Without time bits it is zero.
func (c *Config) Timescale() bits.Timescale { return c.settings.Timescale }

// Text returns codec and prefix.
func (c *Config) Text() encode.Text { return c.text }

// Registry returns where the sequences are kept: to count them, and to drop
// those that aren't needed any more. With a Source it keeps nothing there; see
// segment.Provider.
func (c *Config) Registry() *sequence.Registry { return c.registry }

// End returns the first instant that the layout can't express. Without time
// bits there is none: it is zero.
func (c *Config) End() time.Time {
	if c.source != nil {
		return c.source.end()
	}
	return c.settings.Timescale.End(c.settings.Layout)
}

// bind finds the configuration's sequences.
func (c *Config) bind() (*sequence.Space, error) {
	if space := c.space.Load(); space != nil {
		return space, nil
	}
	space, err := c.registry.Space(c.settings)
	if err == nil {
		c.space.Store(space)
	}
	return space, err
}
