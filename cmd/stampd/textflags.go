package main

import (
	"fmt"
	"strconv"

	"github.com/stampid/go-stamp/encode"
)

// textFlags are the flags that say what numbers look like.
type textFlags struct {
	JSON       bool     `name:"json" help:"Print an object per line, with number, group and text."`
	Base       baseFlag `group:"text" default:"decimal" placeholder:"BASE" help:"Digits: decimal, radix36 or radix62. Default: ${default}."`
	Pad        int      `group:"text" placeholder:"WIDTH" help:"Fill with zeros to that width. Longer decimals aren't cut, longer radix texts are errors. Default: none for decimal, 13 for radix36, 11 for radix62."`
	Unpadded   bool     `group:"text" help:"Write radix36 and radix62 without zeros."`
	Prefix     string   `group:"text" placeholder:"TEXT" help:"What each begins with: BIZ-."`
	Suffix     string   `group:"text" placeholder:"TEXT" help:"What each ends with."`
	Delimiter  string   `group:"text" placeholder:"TEXT" help:"What is between group and number. Default: -."`
	GroupFirst bool     `group:"text" help:"Write the group before the prefix."`
}

// format puts the flags together. The form of grouped numbers has their group,
// without which they repeat.
func (f *textFlags) format(grouped bool) (*encode.Format, error) {
	return encode.NewFormat(encode.FormatOptions{
		Base: encode.Base(f.Base), Width: f.Pad, Unpadded: f.Unpadded,
		Prefix: f.Prefix, Suffix: f.Suffix,
		Group: grouped, Delimiter: f.Delimiter, LeadFirst: f.GroupFirst,
	})
}

// append writes a number as the line that is asked for.
func (f *textFlags) append(dst []byte, format *encode.Format, number int64, group string) ([]byte, error) {
	fields := encode.Fields{Number: uint64(number), Group: group}
	if !f.JSON {
		dst, err := format.Append(dst, fields)
		return append(dst, '\n'), err
	}
	text, err := format.Encode(fields)
	if err != nil {
		return dst, err
	}
	dst = append(strconv.AppendInt(append(dst, `{"id":"`...), number, 10), '"')
	if group != "" {
		dst = strconv.AppendQuote(append(dst, `,"group":`...), group)
	}
	// All of it is visible ASCII, of which Go and JSON escape the same.
	dst = strconv.AppendQuote(append(dst, `,"text":`...), text)
	return append(dst, '}', '\n'), nil
}

type baseFlag encode.Base

// UnmarshalText reads the name of a base.
func (b *baseFlag) UnmarshalText(text []byte) error {
	switch string(text) {
	case "decimal":
		*b = baseFlag(encode.Radix10)
	case "radix36":
		*b = baseFlag(encode.Radix36)
	case "radix62":
		*b = baseFlag(encode.Radix62)
	default:
		return fmt.Errorf("no base %q; there are decimal, radix36, radix62", text)
	}
	return nil
}
