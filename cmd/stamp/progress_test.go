package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fixedProgress are streams whose messages are seen on a terminal, and whose
// clock goes on by a step at each look.
func fixedProgress(input string, step time.Duration) (s *streams, message func() string) {
	s, _, buffer := fixed(input)
	s.progress, s.inSize = true, int64(len(input))
	now := s.now()
	s.now = func() time.Time {
		now = now.Add(step)
		return now
	}
	return s, buffer.String
}

func TestProgressIsDrawnAndTakenAway(t *testing.T) {
	s, message := fixedProgress(strings.Repeat("1\n", 1<<17), time.Second)
	require.Zero(t, run([]string{"encode"}, s))
	drawn := strings.Split(message(), clearLine)
	require.Equal(t, " 25 % ████████░░░░░░░░░░░░░░░░░░░░░░░░ 0.1 of 0.3 MB, 3s left", drawn[1])
	require.Contains(t, message(), "100 % "+strings.Repeat("█", 32)+" 0.3 of 0.3 MB, 0s left")
	require.Empty(t, drawn[len(drawn)-1], "the bar is gone in the end")
}

// Messages stand on lines of their own.
func TestProgressMakesRoomForMessages(t *testing.T) {
	s, message := fixedProgress(strings.Repeat("1\n", 1<<15)+"x\n"+strings.Repeat("1\n", 1<<16), time.Second)
	require.Equal(t, exitFailed, run([]string{"encode"}, s))
	require.Contains(t, message(), clearLine+"stamp: line 32769: ")
}

func TestProgressIsNotDrawn(t *testing.T) {
	long := strings.Repeat("1\n", 1<<17)
	for name, change := range map[string]func(*streams){
		"no terminal":  func(s *streams) { s.progress = false },
		"unknown size": func(s *streams) { s.inSize = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			s, message := fixedProgress(long, time.Second)
			change(s)
			require.Zero(t, run([]string{"decode", "--codec", "decimal"}, s))
			require.Empty(t, message())
		})
	}
	s, message := fixedProgress(long, time.Millisecond)
	require.Zero(t, run([]string{"encode"}, s))
	require.Empty(t, message(), "it was over before a bar was of use")
}

func TestProgressNotIntoPipes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ids")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("1\n", 1<<20)), 0o600))
	in, err := os.Open(file)
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	c := newMachine(t).command("encode")
	c.Stdin = in
	var messages strings.Builder
	c.Stderr = &messages
	require.NoError(t, c.Run())
	require.Empty(t, messages.String())
}

func TestRestOfAFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	_, err = file.WriteString("12345")
	require.NoError(t, err)
	require.Zero(t, rest(file))
	_, err = file.Seek(2, 0)
	require.NoError(t, err)
	require.EqualValues(t, 3, rest(file))

	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.Zero(t, rest(r))
	require.NoError(t, r.Close())
	require.NoError(t, w.Close())
}
