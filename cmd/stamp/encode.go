package main

import "github.com/stampid/go-stamp/encode"

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
