package segment_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/filestore"
)

// Where a child process keeps its counters and its marks.
const (
	countersVariable = "SEGMENT_TEST_COUNTERS"
	auditVariable    = "SEGMENT_TEST_AUDIT"
)

// TestChild is what child processes run: they make numbers until they are
// killed or get an error.
func TestChild(t *testing.T) {
	if os.Getenv(countersVariable) == "" {
		t.Skip("runs in child processes of other tests")
	}
	g := audited(t, os.Getenv(countersVariable), os.Getenv(auditVariable))
	for {
		id, err := g.Next(background)
		if err != nil {
			fmt.Println("error", errors.Is(err, segment.ErrRolledBack), err)
			return
		}
		fmt.Println("number", id)
	}
}

// audited makes a generator with counters and marks in folders.
func audited(t *testing.T, counters, audit string) *segment.Generator {
	t.Helper()
	return newGenerator(t, inFolder(t, counters), segment.Options{
		Step: 3, MaxPrefetchDistance: 4, Audit: segment.NewAudit(inFolder(t, audit)),
	})
}

func inFolder(t *testing.T, path string) *filestore.Store {
	t.Helper()
	s, err := filestore.New(path)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	require.NoError(t, err)
	return s
}

func mark(t *testing.T, audit string) int64 {
	t.Helper()
	m, err := segment.NewAudit(inFolder(t, audit)).Mark(background, orders)
	require.NoError(t, err)
	return m
}

// child runs a process, kills it when it has printed n numbers, and returns what
// it has printed.
func child(t *testing.T, counters, audit string, n int) (numbers []int64, failure string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), countersVariable+"="+counters, auditVariable+"="+audit)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var id int64
		if _, err := fmt.Sscanf(lines.Text(), "number %d", &id); err == nil {
			numbers = append(numbers, id)
		} else if strings.HasPrefix(lines.Text(), "error") {
			failure = lines.Text()
		}
		if len(numbers) == n {
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	return numbers, failure
}

// A process is killed at any moment, the store is restored from a backup, and a
// new process finds it out by the marks in the folder.
func TestFileAuditAfterAKill(t *testing.T) {
	counters, audit := t.TempDir(), t.TempDir()
	file := filepath.Join(counters, "counters.txt")
	_, failure := child(t, counters, audit, 20)
	require.Empty(t, failure)
	backup, err := os.ReadFile(file)
	require.NoError(t, err)

	last := int64(0)
	for range 3 {
		numbers, failure := child(t, counters, audit, 20)
		require.Empty(t, failure)
		require.IsIncreasing(t, numbers)
		require.Greater(t, numbers[0], last)
		last = numbers[len(numbers)-1]
		require.LessOrEqual(t, last, mark(t, audit), "used before it was audited")
	}
	for name, restored := range map[string][]byte{"an older backup": backup, "an empty store": nil} {
		require.NoError(t, os.RemoveAll(file))
		if restored != nil {
			require.NoError(t, os.WriteFile(file, restored, 0o600))
		}
		numbers, failure := child(t, counters, audit, 1)
		require.Empty(t, numbers, name)
		require.Contains(t, failure, "error true", name)
	}
	// Without the folder of the marks nothing is noticed.
	numbers, failure := child(t, counters, t.TempDir(), 1)
	require.Empty(t, failure)
	require.Less(t, numbers[0], last)
}

// The audit's file can't be written from some moment on: the numbers that were
// audited are given out, and no other.
func TestUnwritableFileAuditStopsGeneration(t *testing.T) {
	next := func(audit string) string { return filepath.Join(audit, "counters.new") }
	for name, spoil := range map[string]func(t *testing.T, audit string){
		"disk full": func(t *testing.T, audit string) {
			t.Helper()
			if runtime.GOOS != "linux" {
				t.Skip("needs /dev/full")
			}
			require.NoError(t, os.Symlink("/dev/full", next(audit)))
		},
		"read only": func(t *testing.T, audit string) {
			t.Helper()
			if runtime.GOOS == "windows" || os.Geteuid() == 0 {
				t.Skip("whoever runs this may write anywhere")
			}
			require.NoError(t, os.Chmod(audit, 0o500))
			t.Cleanup(func() { require.NoError(t, os.Chmod(audit, 0o700)) })
		},
		"no file": func(t *testing.T, audit string) {
			t.Helper()
			require.NoError(t, os.Mkdir(next(audit), 0o700))
		},
		"corrupt": func(t *testing.T, audit string) {
			t.Helper()
			require.NoError(t, os.WriteFile(filepath.Join(audit, "counters.txt"), []byte("spoilt"), 0o600))
		},
	} {
		for _, mode := range modes {
			t.Run(name+", "+mode.String(), func(t *testing.T) {
				audit := t.TempDir()
				f, a := newFake(), segment.NewAudit(inFolder(t, audit))
				o := segment.Options{Mode: mode, Step: 3, Audit: a, NoBackground: mode == segment.Chain}
				g := newGenerator(t, f, o)
				_, err := g.Next(background)
				require.NoError(t, err)
				audited := mark(t, audit)
				spoil(t, audit)
				for err == nil {
					var id int64
					if id, err = g.Next(background); err == nil {
						require.LessOrEqual(t, id, audited)
					}
				}
				require.ErrorIs(t, err, segment.ErrFetch)
				require.NotErrorIs(t, err, context.DeadlineExceeded)
				require.NotErrorIs(t, err, segment.ErrRolledBack)
				for range 10 { // nor later
					_, err = g.Next(background)
					require.Error(t, err)
				}
				// Nor is the first number of another process.
				_, err = newGenerator(t, f, o).Next(background)
				require.ErrorIs(t, err, segment.ErrFetch)
				require.EqualValues(t, audited, g.Stats().Given)
			})
		}
	}
}

// The marks of instances that each have a folder of their own say nothing about
// those of the others.
func TestFileAuditProtectsOneInstance(t *testing.T) {
	m := store.NewMemory()
	folders := [2]string{t.TempDir(), t.TempDir()}
	start := func(instance int) (int64, error) {
		g := newGenerator(t, m, segment.Options{
			Mode: segment.Sync, Step: 10, Audit: segment.NewAudit(inFolder(t, folders[instance])),
		})
		return g.Next(background)
	}
	var backup store.Contents
	for i := range 2 {
		id, err := start(i)
		require.NoError(t, err)
		require.EqualValues(t, 10*i+1, id)
		if i == 0 {
			backup = m.Contents()
		}
	}
	m.Restore(backup) // to where only the second one's numbers are lost
	_, err := start(1)
	require.ErrorIs(t, err, segment.ErrRolledBack)
	m.Restore(backup)
	id, err := start(0)
	require.NoError(t, err)
	require.EqualValues(t, 11, id, "the second one had it")
}
