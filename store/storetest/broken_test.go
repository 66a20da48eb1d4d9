package storetest_test

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

// counters breaks single methods of a memory store. Those that are nil work.
type counters struct {
	*store.Memory
	create   func(ctx context.Context, key store.Key, start int64) (bool, error)
	allocate func(ctx context.Context, key store.Key, n int64) (int64, error)
	peek     func(ctx context.Context, key store.Key) (int64, error)
	raise    func(ctx context.Context, key store.Key, to int64) (int64, error)
}

func (c *counters) Create(ctx context.Context, key store.Key, start int64) (bool, error) {
	if c.create == nil {
		return c.Memory.Create(ctx, key, start)
	}
	return c.create(ctx, key, start)
}

func (c *counters) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	if c.allocate == nil {
		return c.Memory.Allocate(ctx, key, n)
	}
	return c.allocate(ctx, key, n)
}

func (c *counters) Peek(ctx context.Context, key store.Key) (int64, error) {
	if c.peek == nil {
		return c.Memory.Peek(ctx, key)
	}
	return c.peek(ctx, key)
}

func (c *counters) Raise(ctx context.Context, key store.Key, to int64) (int64, error) {
	if c.raise == nil {
		return c.Memory.Raise(ctx, key, to)
	}
	return c.raise(ctx, key, to)
}

// pause is long enough for another goroutine to come in between.
const pause = time.Millisecond

// pauseForCut is long enough for a context to end in it, on a busy machine too.
// Only the test that cuts calls off has to wait so long.
func pauseForCut(key store.Key) {
	if key.Name == "cancelled-during" {
		time.Sleep(20 * time.Millisecond)
	}
}

// set makes a counter stand at n, whatever it is.
func set(m *store.Memory, key store.Key, n int64) {
	c := m.Contents()
	c.Counters[key.String()] = n
	m.Restore(c)
}

// brokenCounters are stores that break the contract, each with the test that
// must find it.
var brokenCounters = map[string]struct {
	foundBy string
	breakIt func(c *counters)
}{
	"read-then-write": {"twenty at once", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			if err := (store.Limits{}).CheckAllocate(key, n); err != nil {
				return 0, err
			}
			maxID, err := c.Memory.Peek(ctx, key)
			if err != nil {
				return 0, err
			}
			time.Sleep(pause)
			if n > math.MaxInt64-maxID {
				return 0, store.ErrExhausted
			}
			return c.Memory.Raise(ctx, key, maxID+n)
		}
	}},
	"lost offset": {"start", func(c *counters) {
		c.create = func(ctx context.Context, key store.Key, start int64) (bool, error) {
			if err := (store.Limits{}).CheckCreate(key, start); err != nil {
				return false, err
			}
			return c.Memory.Create(ctx, key, 0)
		}
	}},
	"float precision": {"large values", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			maxID, err := c.Memory.Allocate(ctx, key, n)
			return int64(float64(maxID)), err
		}
	}},
	"float precision of peek": {"large values", func(c *counters) {
		c.peek = func(ctx context.Context, key store.Key) (int64, error) {
			maxID, err := c.Memory.Peek(ctx, key)
			return int64(float64(maxID)), err
		}
	}},
	"retry after unknown outcome": {"twenty at once", func(c *counters) {
		lossy := storetest.NewFaulty(c.Memory, func(call storetest.Call) storetest.Fault {
			if call.Op == storetest.OpAllocate && call.Number%7 == 0 {
				return storetest.Fault{Kind: storetest.LoseReply}
			}
			return storetest.Fault{}
		})
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			for {
				maxID, err := lossy.Allocate(ctx, key, n)
				if !errors.Is(err, store.ErrUnknownOutcome) {
					return maxID, err
				}
			}
		}
	}},
	"create on allocate": {"missing counter", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			if _, err := c.Memory.Create(ctx, key, 0); err != nil {
				return 0, err
			}
			return c.Memory.Allocate(ctx, key, n)
		}
	}},
	"create on raise": {"missing counter", func(c *counters) {
		c.raise = func(ctx context.Context, key store.Key, to int64) (int64, error) {
			if _, err := c.Memory.Create(ctx, key, to); err != nil {
				return 0, err
			}
			return c.Memory.Raise(ctx, key, to)
		}
	}},
	"create resets": {"create", func(c *counters) {
		c.create = func(ctx context.Context, key store.Key, start int64) (bool, error) {
			created, err := c.Memory.Create(ctx, key, start)
			if err == nil {
				set(c.Memory, key, start)
			}
			return created, err
		}
	}},
	"all callers create": {"create at once", func(c *counters) {
		c.create = func(ctx context.Context, key store.Key, start int64) (bool, error) {
			_, missing := c.Memory.Peek(ctx, key)
			time.Sleep(pause)
			_, err := c.Memory.Create(ctx, key, start)
			return err == nil && missing != nil, err
		}
	}},
	"raise lowers": {"raise", func(c *counters) {
		c.raise = func(ctx context.Context, key store.Key, to int64) (int64, error) {
			_, err := c.Memory.Raise(ctx, key, to)
			if err == nil {
				set(c.Memory, key, to)
			}
			return to, err
		}
	}},
	"raise reads, then writes": {"raise at once", func(c *counters) {
		c.raise = func(ctx context.Context, key store.Key, to int64) (int64, error) {
			maxID, err := c.Memory.Raise(ctx, key, 0)
			if err != nil || to < 0 {
				return c.Memory.Raise(ctx, key, to)
			}
			time.Sleep(pause)
			set(c.Memory, key, max(maxID, to))
			return max(maxID, to), nil
		}
	}},
	"wraps": {"exhausted", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			maxID, err := c.Memory.Allocate(ctx, key, n)
			if !errors.Is(err, store.ErrExhausted) {
				return maxID, err
			}
			maxID, err = c.Memory.Peek(ctx, key)
			set(c.Memory, key, maxID+n)
			return maxID + n, err
		}
	}},
	"refuses the last number": {"exhausted", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			maxID, err := c.Memory.Peek(ctx, key)
			if err == nil && n > 0 && n >= math.MaxInt64-maxID {
				return 0, store.ErrExhausted
			}
			return c.Memory.Allocate(ctx, key, n)
		}
	}},
	"ignores the context": {"cancelled before", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			return c.Memory.Allocate(context.WithoutCancel(ctx), key, n)
		}
	}},
	"denies what happened": {"cancelled during", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			maxID, err := c.Memory.Allocate(ctx, key, n)
			pauseForCut(key)
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			return maxID, err
		}
	}},
	"hands out what was cut off": {"cancelled during", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			maxID, err := c.Memory.Allocate(ctx, key, n)
			pauseForCut(key)
			if err == nil && ctx.Err() != nil {
				set(c.Memory, key, maxID-n)
				return 0, ctx.Err()
			}
			return maxID, err
		}
	}},
	"folds case":          {"names", func(c *counters) { renames(c, foldCase) }},
	"drops spaces":        {"names", func(c *counters) { renames(c, dropSpaces) }},
	"cuts off long names": {"long names", func(c *counters) { renames(c, cutOff) }},
	"takes n of 0": {"invalid arguments", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			if n == 0 {
				return c.Memory.Peek(ctx, key)
			}
			return c.Memory.Allocate(ctx, key, n)
		}
	}},
	"takes negative n": {"invalid arguments", func(c *counters) {
		c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
			maxID, err := c.Memory.Peek(ctx, key)
			if err == nil && n < 0 {
				return maxID + n, nil
			}
			return c.Memory.Allocate(ctx, key, n)
		}
	}},
}

// renames makes all methods work on another name.
func renames(c *counters, rename func(string) string) {
	m := c.Memory
	other := func(key store.Key) store.Key { return store.Key{Namespace: key.Namespace, Name: rename(key.Name)} }
	c.create = func(ctx context.Context, key store.Key, start int64) (bool, error) {
		return m.Create(ctx, other(key), start)
	}
	c.allocate = func(ctx context.Context, key store.Key, n int64) (int64, error) {
		return m.Allocate(ctx, other(key), n)
	}
	c.peek = func(ctx context.Context, key store.Key) (int64, error) { return m.Peek(ctx, other(key)) }
	c.raise = func(ctx context.Context, key store.Key, to int64) (int64, error) {
		return m.Raise(ctx, other(key), to)
	}
}

// childVariable names the broken store that a child process tests.
const childVariable = "STORETEST_BROKEN"

func TestRunFindsBrokenStores(t *testing.T) {
	if name := os.Getenv(childVariable); name != "" {
		c := &counters{Memory: store.NewMemory()}
		brokenCounters[name].breakIt(c)
		storetest.Run(t, func(*testing.T) store.Counters { return c })
		return
	}
	for name, broken := range brokenCounters {
		t.Run(name, func(t *testing.T) { requireFound(t, "TestRunFindsBrokenStores", name, broken.foundBy) })
	}
}

func TestRunNeedsOneStore(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		storetest.Run(t, func(*testing.T) store.Counters { return store.NewMemory() })
		return
	}
	requireFound(t, "TestRunNeedsOneStore", "separate", "two clients")
}

// requireFound runs a test in a child process, where it may fail, and checks
// that the named part of it did.
func requireFound(t *testing.T, test, name, foundBy string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+test+"$", "-test.timeout=1m")
	cmd.Env = append(os.Environ(), childVariable+"="+name)
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	require.ErrorAs(t, err, &failed, "the suite found nothing wrong:\n%s", out)
	require.Regexp(t, `--- FAIL: `+test+`/`+underscored(foundBy)+` `, string(out))
	require.NotContains(t, string(out), "panic:")
}
