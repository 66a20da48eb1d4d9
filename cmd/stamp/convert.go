package main

import (
	"strconv"

	"github.com/stampid/go-stamp/cmd/stamp/internal/idtext"
	"github.com/stampid/go-stamp/encode"
)

// converter turns ids from decimal numbers to text and back.
type converter struct{ number, text encode.Text }

// conversionFlags are those of encode and decode.
type conversionFlags struct {
	JSON bool `name:"json" help:"Print an object per line: {\"id\":\"1\",\"text\":\"00000000001\"}."`

	layoutFlags
	textFlags
}

// converter puts the flags together. The error is one of usage.
func (f *conversionFlags) converter() (converter, error) {
	layout, err := f.layout()
	if err != nil {
		return converter{}, err
	}
	codec := encode.Base62
	if f.Codec != nil {
		codec = encode.Standard(*f.Codec)
	}
	var c converter
	if c.text, err = encode.NewText(codec, f.Prefix, layout.Width()); err != nil {
		return converter{}, &usageError{err}
	}
	c.number, err = encode.NewText(encode.Decimal, "", layout.Width())
	return c, err
}

// run reads each item in one form and writes it in the other.
func (f *conversionFlags) run(s *streams, items []string, what string, forms func(converter) (from, to encode.Text)) error {
	c, err := f.converter()
	if err != nil {
		return err
	}
	from, to := forms(c)
	r := &stream{s: s, what: what, limit: idtext.Limit, trim: true}
	r.answer = func(dst, item []byte) ([]byte, error) {
		n, err := from.DecodeBytes(item)
		if err != nil {
			return dst, err
		}
		if !f.JSON {
			dst, err = to.Append(dst, n)
			return append(dst, '\n'), err
		}
		dst = strconv.AppendUint(append(dst, `{"id":"`...), n, 10)
		// The characters of text forms need no escapes.
		dst, err = c.text.Append(append(dst, `","text":"`...), n)
		return append(dst, "\"}\n"...), err
	}
	return r.run(items)
}
