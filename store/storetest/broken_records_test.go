package storetest_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

// records breaks single methods of a memory store. Those that are nil work.
type records struct {
	*store.Memory
	get           func(ctx context.Context, key store.Key) ([]byte, error)
	compareAndSet func(ctx context.Context, key store.Key, old, value []byte) error
}

func (r *records) Get(ctx context.Context, key store.Key) ([]byte, error) {
	if r.get == nil {
		return r.Memory.Get(ctx, key)
	}
	return r.get(ctx, key)
}

func (r *records) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if r.compareAndSet == nil {
		return r.Memory.CompareAndSet(ctx, key, old, value)
	}
	return r.compareAndSet(ctx, key, old, value)
}

// compareBy makes equal decide whether what stands is what the caller expects.
func (r *records) compareBy(gap time.Duration, equal func(stands, old []byte) bool) {
	r.compareAndSet = func(ctx context.Context, key store.Key, old, value []byte) error {
		stands, err := r.Memory.Get(ctx, key)
		if err == nil && len(value) > 0 && equal(stands, old) {
			time.Sleep(gap)
			c := r.Contents()
			c.Records[key.String()] = bytes.Clone(value)
			r.Restore(c)
			return nil
		}
		return r.Memory.CompareAndSet(ctx, key, old, value)
	}
}

var brokenRecords = map[string]struct {
	foundBy string
	breakIt func(r *records)
}{
	"compare, then set": {"one winner", func(r *records) { r.compareBy(pause, bytes.Equal) }},
	"compares nothing":  {"conflict", func(r *records) { r.compareBy(0, func(_, _ []byte) bool { return true }) }},
	"compares lengths": {"any bytes", func(r *records) {
		r.compareBy(0, func(stands, old []byte) bool { return len(stands) > 256 && len(stands) == len(old) })
	}},
	"folds case": {"conflict", func(r *records) { r.compareBy(0, bytes.EqualFold) }},
	"drops spaces": {"conflict", func(r *records) {
		r.compareBy(0, func(stands, old []byte) bool { return bytes.Equal(stands, bytes.TrimRight(old, " ")) })
	}},
	"empty for none": {"life", func(r *records) {
		r.get = func(ctx context.Context, key store.Key) ([]byte, error) {
			value, err := r.Memory.Get(ctx, key)
			return append([]byte{}, value...), err
		}
	}},
	"ends at NUL": {"any bytes", func(r *records) {
		r.get = func(ctx context.Context, key store.Key) ([]byte, error) {
			value, err := r.Memory.Get(ctx, key)
			head, _, _ := bytes.Cut(value, []byte{0})
			return head, err
		}
	}},
	"retry after an unknown outcome": {"life", func(r *records) {
		lossy := storetest.NewFaultyRecords(r.Memory, func(call storetest.Call) storetest.Fault {
			if call.Op == storetest.OpCompareAndSet && call.Number%2 == 0 {
				return storetest.Fault{Kind: storetest.LoseReply}
			}
			return storetest.Fault{}
		})
		r.compareAndSet = func(ctx context.Context, key store.Key, old, value []byte) error {
			err := lossy.CompareAndSet(ctx, key, old, value)
			if errors.Is(err, store.ErrUnknownOutcome) {
				err = lossy.CompareAndSet(ctx, key, old, value)
			}
			return err
		}
	}},
	"keeps the caller's slice": {"slices", func(r *records) {
		written := map[store.Key][]byte{}
		r.compareAndSet = func(ctx context.Context, key store.Key, old, value []byte) error {
			err := r.Memory.CompareAndSet(ctx, key, old, value)
			if err == nil && string(value) == "mine" {
				written[key] = value
			}
			return err
		}
		r.get = func(ctx context.Context, key store.Key) ([]byte, error) {
			if value, ok := written[key]; ok {
				return value, nil
			}
			return r.Memory.Get(ctx, key)
		}
	}},
	"denies what happened": {"cancelled during", func(r *records) {
		r.compareAndSet = func(ctx context.Context, key store.Key, old, value []byte) error {
			err := r.Memory.CompareAndSet(ctx, key, old, value)
			pauseForCut(key)
			if err == nil {
				err = ctx.Err()
			}
			return err
		}
	}},
	"takes empty values": {"invalid arguments", func(r *records) {
		r.compareAndSet = func(ctx context.Context, key store.Key, old, value []byte) error {
			if len(value) == 0 {
				return nil
			}
			return r.Memory.CompareAndSet(ctx, key, old, value)
		}
	}},
}

func TestRunRecordsFindsBrokenStores(t *testing.T) {
	if name := os.Getenv(childVariable); name != "" {
		r := &records{Memory: store.NewMemory()}
		require.Contains(t, brokenRecords, name)
		brokenRecords[name].breakIt(r)
		storetest.RunRecords(t, func(*testing.T) store.Records { return r })
		return
	}
	for name, broken := range brokenRecords {
		t.Run(name, func(t *testing.T) { requireFound(t, "TestRunRecordsFindsBrokenStores", name, broken.foundBy) })
	}
}
