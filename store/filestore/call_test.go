package filestore

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

var (
	orders  = store.Key{Namespace: "shop", Name: "orders"}
	errDisk = errors.New("input/output error")
)

// brokenDisk notes the steps of a folder, and stops or fails at one of them. A
// step that stops has announced itself in reached, and goes on after released.
type brokenDisk struct {
	disk
	steps             []string
	failAt, stopAt    string
	afterwards        bool // the step is made before it fails or stops
	reached, released chan struct{}
}

func (d *brokenDisk) step(name string, do func() error) error {
	d.steps = append(d.steps, name)
	var err error
	if d.afterwards {
		err = do()
	}
	if name == d.stopAt {
		close(d.reached)
		<-d.released
		d.stopAt = ""
	}
	if name == d.failAt {
		return errDisk
	}
	if !d.afterwards {
		err = do()
	}
	return err
}

func (d *brokenDisk) lock() (func(), error) {
	unlock := func() {}
	err := d.step("lock", func() (err error) {
		unlock, err = d.disk.lock()
		return err
	})
	if err != nil {
		unlock()
		return nil, err
	}
	return func() {
		d.steps = append(d.steps, "unlock")
		unlock()
	}, nil
}

func (d *brokenDisk) read() (data []byte, err error) {
	err = d.step("read", func() error {
		data, err = d.disk.read()
		return err
	})
	return data, err
}

func (d *brokenDisk) write(data []byte) error {
	return d.step("write", func() error { return d.disk.write(data) })
}

func (d *brokenDisk) swap() error { return d.step("swap", d.disk.swap) }

func (d *brokenDisk) sync() error { return d.step("sync", d.disk.sync) }

// newBroken returns a store with a counter that stands at 10, on a disk that
// works so far, and another store of the same folder.
func newBroken(t *testing.T) (s *Store, d *brokenDisk, other *Store) {
	t.Helper()
	f := folder(t.TempDir())
	s, other = newStore(f), newStore(f)
	d = &brokenDisk{disk: f, reached: make(chan struct{}), released: make(chan struct{})}
	s.disk = d
	_, err := other.Create(t.Context(), orders, 10)
	require.NoError(t, err)
	return s, d, other
}

func requirePeek(t *testing.T, s *Store, want int64) {
	t.Helper()
	maxID, err := s.Peek(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, want, maxID)
}

func TestSteps(t *testing.T) {
	change, look := []string{"lock", "read", "write", "swap", "sync", "unlock"}, []string{"lock", "read", "sync", "unlock"}
	refuse := []string{"lock", "read", "unlock"}
	for name, tt := range map[string]struct {
		call func(ctx context.Context, s *Store) error
		want []string
	}{
		"allocate": {func(ctx context.Context, s *Store) error { _, err := s.Allocate(ctx, orders, 1); return err }, change},
		"peek":     {func(ctx context.Context, s *Store) error { _, err := s.Peek(ctx, orders); return err }, look},
		"create, already there": {
			func(ctx context.Context, s *Store) error { _, err := s.Create(ctx, orders, 0); return err }, look,
		},
		"raise":               {func(ctx context.Context, s *Store) error { _, err := s.Raise(ctx, orders, 20); return err }, change},
		"raise, already high": {func(ctx context.Context, s *Store) error { _, err := s.Raise(ctx, orders, 2); return err }, look},
		"get":                 {func(ctx context.Context, s *Store) error { _, err := s.Get(ctx, orders); return err }, look},
		"compare and set": {
			func(ctx context.Context, s *Store) error { return s.CompareAndSet(ctx, orders, nil, []byte("a")) }, change,
		},
		"conflict": {
			func(ctx context.Context, s *Store) error {
				if err := s.CompareAndSet(ctx, orders, []byte("a"), []byte("b")); !errors.Is(err, store.ErrConflict) {
					return errors.New("no conflict")
				}
				return nil
			}, refuse,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, d, _ := newBroken(t)
			require.NoError(t, tt.call(t.Context(), s))
			s.turn <- struct{}{} // the goroutine of the call is done
			require.Equal(t, tt.want, d.steps)
		})
	}
}

// A disk that fails, at each step, with and without effect.
func TestStepFails(t *testing.T) {
	for _, step := range []string{"lock", "read", "write", "swap", "sync"} {
		for _, afterwards := range []bool{false, true} {
			name := step + ", before"
			if afterwards {
				name = step + ", after"
			}
			t.Run(name, func(t *testing.T) {
				s, d, other := newBroken(t)
				d.failAt, d.afterwards = step, afterwards
				_, err := s.Allocate(t.Context(), orders, 5)
				require.ErrorIs(t, err, errDisk)
				unknown := step == "swap" || step == "sync"
				require.Equal(t, unknown, errors.Is(err, store.ErrUnknownOutcome), "%v", err)
				happened := step == "sync" || step == "swap" && afterwards
				stands := int64(10)
				if happened {
					stands = 15
				}
				requirePeek(t, other, stands)

				// It works again. After a flush that failed, the file is written anew
				// before its contents are told.
				d.failAt, d.steps = "", nil
				requirePeek(t, s, stands)
				if unknown {
					require.Contains(t, d.steps, "write")
				} else {
					require.NotContains(t, d.steps, "write")
				}
				maxID, err := s.Allocate(t.Context(), orders, 1)
				require.NoError(t, err)
				require.Equal(t, stands+1, maxID)
			})
		}
	}
}

// A disk that hangs, at each step: the call ends with its context, and says what
// is known. A change that was given up doesn't come later.
func TestStepHangs(t *testing.T) {
	for _, step := range []string{"lock", "read", "write", "swap", "sync"} {
		t.Run(step, func(t *testing.T) {
			s, d, other := newBroken(t)
			d.stopAt = step
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				_, err := s.Allocate(ctx, orders, 5)
				ended <- err
			}()
			<-d.reached
			cancel()
			err := <-ended
			require.ErrorIs(t, err, context.Canceled)
			committed := step == "swap" || step == "sync"
			require.Equal(t, committed, errors.Is(err, store.ErrUnknownOutcome), "%v", err)

			// Others of this store wait, within their own contexts.
			short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, err = s.Peek(short, orders)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome)

			close(d.released)
			want := int64(10)
			if committed {
				want = 15
			}
			requirePeek(t, s, want)
			requirePeek(t, other, want)
		})
	}
}

// Whoever waits for a lock file that was replaced goes on with the new one.
func TestLockFileReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file can't be deleted")
	}
	f := folder(t.TempDir())
	unlock, err := f.lock()
	require.NoError(t, err)
	waiter := make(chan func())
	go func() {
		unlock, err := f.lock()
		if err != nil {
			t.Error(err)
		}
		waiter <- unlock
	}()
	require.NoError(t, os.Remove(f.lockFile()))
	unlock()
	unlockNew := <-waiter
	entered := make(chan struct{})
	go func() {
		unlock, err := f.lock()
		if err != nil {
			t.Error(err)
			return
		}
		close(entered)
		unlock()
	}()
	select {
	case <-entered:
		t.Fatal("two have the lock")
	case <-time.After(20 * time.Millisecond):
	}
	unlockNew()
	<-entered
}
