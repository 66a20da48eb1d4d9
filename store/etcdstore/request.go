package etcdstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

const (
	// maxTries is how often a change is tried that others are faster than.
	maxTries = 40

	// The pause before another try is a random part of firstPause, doubled with
	// each try up to longestPause.
	firstPause   = 4 * time.Millisecond
	longestPause = 400 * time.Millisecond
)

// request is one method's, about key.
type request struct {
	store *Store
	what  string
	key   string
}

// get reads the key from the majority, not from what one server remembers.
func (r request) get(ctx context.Context) (value string, found bool, err error) {
	if err := ctx.Err(); err != nil {
		return "", false, r.failed(err)
	}
	resp, err := r.store.kv.Get(ctx, r.key)
	switch {
	case err != nil:
		return "", false, r.failed(withEnd(ctx, err))
	case len(resp.Kvs) == 0:
		return "", false, nil
	}
	return string(resp.Kvs[0].Value), true, nil
}

// put writes value, and does more, if the condition holds, in one transaction, and
// tells whether it did. It isn't tried again without an answer.
func (r request) put(ctx context.Context, condition clientv3.Cmp, value string, more ...clientv3.Op) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, r.failed(err)
	}
	resp, err := r.store.kv.Txn(ctx).If(condition).Then(append(more, clientv3.OpPut(r.key, value))...).Commit()
	if err != nil {
		return false, r.verdict(withEnd(ctx, err))
	}
	return resp.Succeeded, nil
}

// missing is the condition that there is no such key.
func (r request) missing() clientv3.Cmp {
	return clientv3.Compare(clientv3.CreateRevision(r.key), "=", 0)
}

// holds is the condition that the key has a value. A missing key has none. The
// value, and not its revision, is compared: revisions go back when a cluster is
// restored, and come again.
func (r request) holds(value string) clientv3.Cmp {
	return clientv3.Compare(clientv3.Value(r.key), "=", value)
}

// tries does work until it is done, which it isn't when others were faster, and
// counts how often that was.
func (r request) tries(ctx context.Context, work func() (done bool, err error)) error {
	pause := firstPause
	for try := 1; ; try++ {
		done, err := work()
		if done || err != nil {
			return err
		}
		r.store.conflicts.Add(1)
		if try == maxTries {
			return r.failed(fmt.Errorf("%w: %d tries", ErrContention, try))
		}
		if err := wait(ctx, rand.N(pause)); err != nil {
			return r.failed(err)
		}
		pause = min(2*pause, longestPause)
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
