package filestore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// What a child process does, and in which folder.
const (
	taskVariable   = "FILESTORE_TEST_TASK"
	folderVariable = "FILESTORE_TEST_FOLDER"
)

// TestChild is what child processes run.
func TestChild(t *testing.T) {
	task := os.Getenv(taskVariable)
	if task == "" {
		t.Skip("runs in child processes of other tests")
	}
	path := os.Getenv(folderVariable)
	s, err := New(path)
	require.NoError(t, err)
	switch task {
	case "allocate": // one line for each allocation, until it is killed
		for {
			maxID, err := s.Allocate(t.Context(), orders, 1)
			require.NoError(t, err)
			fmt.Printf("max %d\n", maxID)
		}
	case "count": // in a record, some times
		for range writesEach {
			require.NoError(t, countUp(t.Context(), s))
		}
	case "hold": // the lock, until it is killed
		_, err := folder(path).lock()
		require.NoError(t, err)
		fmt.Println("held")
		_, _ = io.Copy(io.Discard, os.Stdin) // the parent keeps it open
	default:
		t.Fatalf("no task %q", task)
	}
}

// startChild starts a process and returns it with what it prints.
func startChild(t *testing.T, task, path string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), taskVariable+"="+task, folderVariable+"="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewReader(out)
}

// Processes that allocate are killed at any moment. No number is given out
// twice, and each of them wastes at most the one that it was about to get.
func TestKilledProcesses(t *testing.T) {
	const rounds, processes, each = 5, 3, 10
	f := folder(t.TempDir())
	s := newStore(f)
	_, err := s.Create(t.Context(), orders, 0)
	require.NoError(t, err)
	seen := map[int64]bool{}
	highest := int64(0)
	for range rounds {
		printed := make(chan []int64)
		for range processes {
			cmd, out := startChild(t, "allocate", string(f))
			go func() {
				numbers := readNumbers(out, each)
				_ = cmd.Process.Kill()
				numbers = append(numbers, readNumbers(out, -1)...)
				_ = cmd.Wait()
				printed <- numbers
			}()
		}
		before := highest
		for range processes {
			last := before
			numbers := <-printed
			require.GreaterOrEqual(t, len(numbers), each)
			for _, n := range numbers {
				require.Greater(t, n, last, "numbers of one process rise, also over those of earlier rounds")
				require.False(t, seen[n], "%d was allocated twice", n)
				seen[n] = true
				last = n
			}
			highest = max(highest, last)
		}
		maxID, err := s.Peek(t.Context(), orders)
		require.NoError(t, err)
		require.GreaterOrEqual(t, maxID, highest)
		highest = maxID
	}
	require.LessOrEqual(t, highest, int64(len(seen)+rounds*processes), "a process wastes at most one number")
}

// readNumbers reads so many whole lines with numbers, or all if count is -1.
func readNumbers(out *bufio.Reader, count int) (numbers []int64) {
	for len(numbers) != count {
		line, err := out.ReadString('\n')
		if err != nil {
			return numbers
		}
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "max "); ok {
			n, _ := strconv.ParseInt(text, 10, 64)
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// writesEach is how often each process adds 1 to the number in a record.
const writesEach = 10

func countUp(ctx context.Context, s *Store) error {
	for {
		old, err := s.Get(ctx, orders)
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(string(old)) // 0 without a record
		err = s.CompareAndSet(ctx, orders, old, strconv.AppendInt(nil, int64(n)+1, 10))
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
}

func TestRecordOfManyProcesses(t *testing.T) {
	const processes = 3
	f := folder(t.TempDir())
	children := make([]*exec.Cmd, processes)
	for i := range children {
		children[i], _ = startChild(t, "count", string(f))
	}
	for _, cmd := range children {
		require.NoError(t, cmd.Wait())
	}
	value, err := newStore(f).Get(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(processes*writesEach), string(value))
}

// A lock that another process holds: calls end with their contexts and without
// effect. It ends with the process.
func TestLockOfAnotherProcess(t *testing.T) {
	f := folder(t.TempDir())
	s := newStore(f)
	_, err := s.Create(t.Context(), orders, 0)
	require.NoError(t, err)
	cmd, out := startChild(t, "hold", string(f))
	for line := ""; line != "held\n"; {
		line, err = out.ReadString('\n')
		require.NoError(t, err)
	}
	for range 3 { // the first waits for the lock, later ones for their turn
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		_, err = s.Allocate(ctx, orders, 5)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	}
	waiting := make(chan error)
	go func() {
		_, err := s.Allocate(t.Context(), orders, 1)
		waiting <- err
	}()
	require.NoError(t, cmd.Process.Kill())
	require.NoError(t, <-waiting)
	_ = cmd.Wait()
	maxID, err := s.Peek(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, int64(1), maxID, "what was given up happened after all")
}
