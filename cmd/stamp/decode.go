package main

import "github.com/stampid/go-stamp/encode"

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
