package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/encode"
)

// layoutFlags are the flags that say what layout ids have.
type layoutFlags struct {
	Preset string      `group:"format" placeholder:"NAME" help:"Known format: stamp, snowflake or cosid. Default: stamp."`
	Layout *layoutFlag `group:"format" placeholder:"P/T/N/S" help:"Bits of partition, time, node and sequence, 63 or 53 together, instead of the preset's: 4/41/6/12."`
}

// preset is the one that is named, else the default. The error is one of usage.
func (f *layoutFlags) preset() (bits.Preset, error) {
	if f.Preset == "" {
		return bits.Default(), nil
	}
	if preset, known := bits.PresetByName(f.Preset); known {
		return preset, nil
	}
	return bits.Preset{}, &usageError{fmt.Errorf("no preset %q; there are %s", f.Preset, presetNames())}
}

// layout puts the flags together. The error is one of usage.
func (f *layoutFlags) layout() (bits.Layout, error) {
	preset, err := f.preset()
	if err == nil && f.Layout != nil {
		return bits.Layout(*f.Layout), nil
	}
	return preset.Layout, err
}

// formatFlags are the flags that say what format ids have.
type formatFlags struct {
	layoutFlags
	timescaleFlags
}

// timescaleFlags are the flags that say how ids count time.
type timescaleFlags struct {
	Epoch *epochFlag     `group:"format" placeholder:"TIME" help:"Where time begins, instead of the preset's: RFC 3339, or milliseconds since 1970."`
	Unit  *time.Duration `group:"format" placeholder:"DURATION" help:"What time counts, 1ns to 24h, instead of the preset's: 1ms."`
}

// timescale is the preset's with what the flags put in its place.
func (f *timescaleFlags) timescale(preset bits.Preset) bits.Timescale {
	result := preset.Timescale
	if f.Epoch != nil {
		result.Epoch = time.Time(*f.Epoch)
	}
	if f.Unit != nil {
		result.Unit = *f.Unit
	}
	return result
}

type layoutFlag bits.Layout

// UnmarshalText reads "4/41/6/12".
func (l *layoutFlag) UnmarshalText(text []byte) error {
	layout, err := format.ParseLayout(string(text))
	*l = layoutFlag(layout)
	return err
}

type epochFlag time.Time

// UnmarshalText reads RFC 3339 or milliseconds.
func (e *epochFlag) UnmarshalText(text []byte) error {
	t, err := format.ParseEpoch(string(text))
	*e = epochFlag(t)
	return err
}

// format puts the flags together. The error is one of usage.
func (f *formatFlags) format() (format.Format, error) {
	preset, err := f.preset()
	if err != nil {
		return format.Format{}, err
	}
	result := format.Format{Layout: preset.Layout, Timescale: f.timescale(preset)}
	if f.Layout != nil {
		result.Layout = bits.Layout(*f.Layout)
	}
	if err := errors.Join(result.Layout.Validate(), result.Timescale.Validate()); err != nil {
		return format.Format{}, &usageError{err}
	}
	return result, nil
}

func presetNames() string {
	var names []string
	for _, p := range bits.Presets() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// textFlags are the flags that say what text form ids have.
type textFlags struct {
	Codec  *codecFlag `group:"format" placeholder:"NAME" help:"Text form: ${codecs}."`
	Prefix string     `group:"format" placeholder:"TEXT" help:"What each text begins with: a-z, 0-9 and _, the last a _: ord_."`
}

type codecFlag encode.Standard

// UnmarshalText reads the name of a codec.
func (c *codecFlag) UnmarshalText(text []byte) error {
	for _, codec := range codecs() {
		if codec.Name() == string(text) {
			*c = codecFlag(codec)
			return nil
		}
	}
	return fmt.Errorf("no codec %q; there are %s", text, codecNames())
}

func codecs() []encode.Standard {
	return []encode.Standard{
		encode.Base62, encode.Base62Compact, encode.Base58, encode.Base58Compact, encode.Base36,
		encode.Base36Lower, encode.Base32, encode.Hex, encode.Decimal, encode.DecimalPadded,
	}
}

func codecNames() string {
	var names []string
	for _, c := range codecs() {
		names = append(names, c.Name())
	}
	return strings.Join(names, ", ")
}
