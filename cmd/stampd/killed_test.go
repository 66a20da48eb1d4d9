package main

import (
	"bufio"
	"errors"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Of a process that is killed nothing is printed again, and nothing of what it
// printed is half a number.
func TestKilledNextNeverRepeats(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		m.done(t, "next", "--store", address, "--create", "order")
		outputs := make([]string, 3)
		for i := range outputs {
			c := m.command("next", "--store", address, "-n", "100000000", "--step", "1000", "order")
			out, text := begin(t, c)
			for range 3500 {
				line, err := out.ReadString('\n')
				require.NoError(t, err)
				text += line
			}
			require.NoError(t, c.Process.Kill())
			rest := whole(out)
			if runtime.GOOS == "linux" {
				require.Zero(t, out.Buffered(), "no half number")
			}
			outputs[i] = text + rest
			_ = c.Wait()
		}
		outputs = append(outputs, m.done(t, "next", "--store", address, "order"))
		found := numbers(t, outputs...)
		require.Greater(t, len(found), 3*3500)
		require.LessOrEqual(t, found[len(found)-1], peek(t, address, "order"))
	})
}

// Several that print, killed at once, and started again.
func TestKilledAtOnce(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "order")
	var outputs []string
	for range 3 {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 4 {
			c := m.command("next", "-n", "100000000", "--step", "10", "order")
			out, first := begin(t, c)
			wg.Go(func() {
				rest := whole(out)
				mu.Lock()
				defer mu.Unlock()
				outputs = append(outputs, first+rest)
			})
			defer time.AfterFunc(200*time.Millisecond, func() { _ = c.Process.Kill() }).Stop()
		}
		wg.Wait()
	}
	require.Greater(t, len(numbers(t, outputs...)), 12)
}

var (
	dropped = regexp.MustCompile(`stampd: (up to )?(\d+) reserved numbers were not printed, and are dropped\n`)
	unknown = regexp.MustCompile(`stampd: (\d+) numbers may have been reserved, and are dropped\n`)
)

// What was reserved was printed, or is said to be dropped: nothing is lost
// silently, nothing is printed twice.
func TestSignalsLoseNothingSilently(t *testing.T) {
	for number, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(number.String(), func(t *testing.T) {
			m := newMachine(t)
			file := "sqlite:" + m.folder + "/ids.db"
			c := m.command("next", "-n", "100000000", "--step", "1000", "order")
			var message strings.Builder
			c.Stderr = &message
			out, text := begin(t, c)
			time.AfterFunc(100*time.Millisecond, func() { _ = c.Process.Signal(number) })
			text += whole(out)
			requireExit(t, c.Wait(), code)

			found := numbers(t, text)
			requireRange(t, found, 1, int64(len(found)))
			require.Contains(t, message.String(), "stampd: ended by "+number.String())
			at := len(found)
			if match := dropped.FindStringSubmatch(message.String()); match != nil {
				require.Empty(t, match[1], "the number is exact")
				lost, _ := strconv.Atoi(match[2])
				at += lost
			}
			if match := unknown.FindStringSubmatch(message.String()); match != nil && at < int(peek(t, file, "order")) {
				maybe, _ := strconv.Atoi(match[1]) // the signal came while the store was asked
				at += maybe
			}
			require.EqualValues(t, peek(t, file, "order"), at)
			require.EqualValues(t, []int64{int64(at + 1)}, numbers(t, m.done(t, "next", "order")))
		})
	}
}

// A signal ends it also while nobody reads.
func TestASignalEndsABlockedWrite(t *testing.T) {
	m := newMachine(t)
	c := m.command("next", "-n", "100000000", "order")
	var message strings.Builder
	c.Stderr = &message
	begin(t, c)
	time.Sleep(50 * time.Millisecond)
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	requireExit(t, c.Wait(), 143)
	require.Regexp(t, `up to \d+ reserved numbers`, message.String())
}

func requireExit(t *testing.T, err error, code int) {
	t.Helper()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, code, exit.ExitCode())
}

// A reader that has enough is no failure.
func TestAClosedOutputEndsInOrder(t *testing.T) {
	m := newMachine(t)
	c := m.command("next", "-n", "1000000000", "order")
	var message strings.Builder
	c.Stderr = &message
	pipe, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	line, err := bufio.NewReaderSize(pipe, 16).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "1\n", line)
	require.NoError(t, pipe.Close())
	require.NoError(t, c.Wait(), "exit code 0")
	require.Regexp(t, dropped, message.String())
}

// A store that vanishes ends it with an error, after what was reserved.
func TestAStoreThatVanishes(t *testing.T) {
	m := newMachine(t)
	server := m.serve(t, "--store", "sqlite:served.db")
	c := m.command("next", "--store", "http://"+server.address, "-n", "100000000", "--step", "1000", "order")
	var message strings.Builder
	c.Stderr = &message
	out, text := begin(t, c)
	require.NoError(t, server.command.Process.Kill())
	text += whole(out)
	err := c.Wait()
	requireExit(t, err, exitFailed)
	require.False(t, errors.Is(err, exec.ErrNotFound))

	found := numbers(t, text)
	requireRange(t, found, 1, int64(len(found)))
	again := m.serve(t, "--store", "sqlite:served.db")
	require.Greater(t, numbers(t, m.done(t, "next", "--store", "http://"+again.address, "order"))[0], found[len(found)-1])
}
