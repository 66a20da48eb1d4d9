package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Arguments are often ids from elsewhere, and what a message repeats of them
// must not reach a terminal as a command.
func TestMessagesHaveNoControlCharacters(t *testing.T) {
	for _, args := range [][]string{
		{"inspect", "--\x1b[31m"},
		{"inspect", "-\x1b]0;title\a"},
		{"\x1b[2J"},
		{"next", "\xff\u009b31m"},
	} {
		s, out, message := fixed("")
		require.Equal(t, exitUsage, run(args, s), "%q", args)
		require.Empty(t, out)
		require.Regexp(t, `\A[\x20-\x7e\n]+\z`, message.String(), "%q", args)
	}
}

func TestMessagesKeepWhatIsPrintable(t *testing.T) {
	s, _, message := fixed("")
	s.report("%s", `no file "ä µ" in C:\tmp`)
	require.Equal(t, "stamp: no file \"ä µ\" in C:\\tmp\n", message.String())
}
