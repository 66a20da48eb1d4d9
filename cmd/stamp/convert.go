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

type encodeCommand struct {
	IDs []string `arg:"" optional:"" name:"id" help:"Ids as decimal numbers. Without any they are read from standard input, one a line."`

	conversionFlags
}

// Help is shown below the flags.
func (encodeCommand) Help() string {
	return `Prints the text form of each id, one a line, in the order they came: base62 unless --codec names
another. The layout says how large an id can be, and how wide its text is.

    stamp encode 7001650274336806                     00W4Byj77wc
    stamp encode --prefix ord_ <ids.txt >texts.txt

Empty lines are skipped. What is no id of the layout, or isn't written as one, is named on
standard error with its line; the others are printed, and the exit code is 1.`
}

// Run prints the texts.
func (c *encodeCommand) Run(s *streams) error {
	return c.run(s, c.IDs, "ids", func(c converter) (encode.Text, encode.Text) { return c.number, c.text })
}

type decodeCommand struct {
	Texts []string `arg:"" optional:"" name:"text" help:"Texts of ids. Without any they are read from standard input, one a line."`

	conversionFlags
}

// Help is shown below the flags.
func (decodeCommand) Help() string {
	return `Prints the id of each text as a decimal number, one a line, in the order they came. A text must
have exactly the form that --codec and --prefix say, base62 without a prefix by default; stamp
inspect recognises more.

    stamp decode 00W4Byj77wc                          7001650274336806
    stamp decode --prefix ord_ <texts.txt >ids.txt

Empty lines are skipped. A text that is refused is named on standard error with its line; the
others are decoded, and the exit code is 1.`
}

// Run prints the ids.
func (c *decodeCommand) Run(s *streams) error {
	return c.run(s, c.Texts, "texts", func(c converter) (encode.Text, encode.Text) { return c.text, c.number })
}
