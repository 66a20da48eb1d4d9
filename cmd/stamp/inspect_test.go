package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInspectGolden(t *testing.T) {
	tests := []struct {
		name, input, args string
		color             bool
	}{
		{name: "argument", args: "ord_00Ys2NBAObg"},
		{name: "colour", args: "ord_00Ys2NBAObg", color: true},
		{name: "decimal", args: "7001650274336806"},
		{name: "given_codec", args: "--codec decimal 7001650274336806"},
		{name: "several", args: "--layout 4/41/6/12 23y3kdG9YRM 23y3kdG9YRN"},
		{name: "snowflake", args: "--preset snowflake 1541815603606036480"},
		{name: "without_time", args: "--layout 4/0/0/59 1729382256910270465"},
		{name: "lines", args: "--no-draw ord_00Ys2NBAObg 7001650274336806"},
		{name: "json", args: "--json ord_00Ys2NBAObg 7001650274336806"},
		{name: "stdin", args: "", input: "ord_00Ys2NBAObg\n\n 7001650274336806 \r\n00Ys2NBAObg"},
		{name: "stdin_drawn", args: "--draw", input: "ord_00Ys2NBAObg\n"},
		{name: "json_without_node", args: "--json --layout 0/41/0/22 --unit 10ms 7001650274336806"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, out, message := fixed(test.input)
			s.color = test.color
			code := run(append([]string{"inspect"}, strings.Fields(test.args)...), s)
			require.Zero(t, code, message.String())
			require.Empty(t, message.String())
			requireGolden(t, test.name, out.String())
		})
	}
}

func TestRefusedLinesAreNamedAndTheOthersShown(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	s, out, message := fixed("00Ys2NBAObg\nnonsense\n" + long + "\n\xff\x00\n0\n00Ys2NBAObg\n")
	require.Equal(t, exitFailed, run([]string{"inspect", "--json"}, s))
	require.Equal(t, 2, strings.Count(out.String(), "\n"))
	lines := strings.Split(message.String(), "\n")
	require.Len(t, lines, 5)
	require.Contains(t, lines[0], `stamp: line 2: encode: base62 text "nonsense"`)
	require.Contains(t, lines[1], "stamp: line 3: 5242880 bytes, want at most 1024")
	require.Contains(t, lines[2], `stamp: line 4: encode: base62 text "\xff\x00"`)
	require.Contains(t, lines[3], `stamp: line 5: encode: decimal text "0"`)
}

func TestRefusedArgumentsAreNamed(t *testing.T) {
	s, out, message := fixed("")
	require.Equal(t, exitFailed, run([]string{"inspect", "--no-draw", "1", strings.Repeat("1", 2000), "zz", "2"}, s))
	require.Equal(t, 2, strings.Count(out.String(), "\n"))
	require.Contains(t, message.String(), "stamp: argument 2: 2000 bytes")
	require.Contains(t, message.String(), "stamp: argument 3: ")
}

func TestNoTextOfAnotherLayoutIsRead(t *testing.T) {
	s, _, message := fixed("")
	require.Equal(t, exitFailed, run([]string{"inspect", "--layout", "0/41/4/8", "9007199254740992"}, s))
	require.Contains(t, message.String(), "outside 1 to 9007199254740991")
}

func TestInspectUsage(t *testing.T) {
	requireUsage(t, map[string]string{
		"inspect --json --draw 1":     "exclude",
		"inspect --layout 1/2/3 1":    "3 widths",
		"inspect --prefix Ord_ 1":     `"Ord_"`,
		"inspect --codec rot13 1":     "rot13",
		"inspect --preset x 1":        "preset",
		"inspect --unit 1ms --what 1": "--what",
	})
}

// What next prints, inspect takes apart, in every text form.
func TestInspectReadsWhatNextPrints(t *testing.T) {
	m := newMachine(t)
	for _, codec := range codecs() {
		flags := []string{"--codec", codec.Name(), "--prefix", "a_", "--layout", "4/41/6/12"}
		code, ids, message := m.run(t, "", append([]string{"next", "-n", "3", "--partition", "2", "--node", "7"}, flags...)...)
		require.Zero(t, code, message)
		code, out, message := m.run(t, ids, append([]string{"inspect", "--json"}, flags...)...)
		require.Zero(t, code, message)
		texts := strings.Fields(ids)
		for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
			var got struct {
				Text            string
				Partition, Node int
			}
			require.NoError(t, json.Unmarshal([]byte(line), &got))
			require.Equal(t, texts[i], got.Text)
			require.Equal(t, 2, got.Partition)
			require.Equal(t, 7, got.Node)
		}
	}
}

// Whoever writes an id to the command's input sees it before writing the next.
func TestInspectAnswersAtOnce(t *testing.T) {
	c := newMachine(t).command("inspect")
	in, err := c.StdinPipe()
	require.NoError(t, err)
	pipe, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	out := bufio.NewReader(pipe)
	for id := range 3 {
		_, err := fmt.Fprintln(in, id+1)
		require.NoError(t, err)
		line, err := out.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, fmt.Sprintf("%19d  ", id+1))
	}
	require.NoError(t, in.Close())
	require.NoError(t, c.Wait())
}

func TestInspectForAReaderThatLeaves(t *testing.T) {
	c := newMachine(t).command("inspect")
	c.Stdin = strings.NewReader(strings.Repeat("1\n", 100000))
	_ = requireFirstLineEnough(t, c)
}
