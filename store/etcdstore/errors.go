package etcdstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"

	"github.com/stampid/go-stamp/store"
)

var (
	// ErrClient says that a client can't be used: clientv3.New hasn't made it.
	ErrClient = errors.New("etcdstore: unsuitable client")
	// ErrPrefix says that a prefix of keys can't be used.
	ErrPrefix = errors.New("etcdstore: invalid prefix")
	// ErrNotCounter says that the key of a counter holds a text that isn't a
	// number from 0 to MaxInt64. It is left as it is.
	ErrNotCounter = errors.New("etcdstore: not a counter")
	// ErrContention says that others changed a counter each time that this call
	// was about to. Nothing was changed; the same again may succeed.
	ErrContention = errors.New("etcdstore: too much contention")
)

// notApplied are answers of a server that has refused a transaction before it
// proposed it to the others, or when all of them looked at its rights.
//
// [rpctypes.ErrNoSpace] isn't among them: a server that finds out while it applies
// a transaction that the quota is used up applies it all the same, and answers
// with that error. Nor is any time-out.
var notApplied = []error{
	rpctypes.ErrPermissionDenied,
	rpctypes.ErrUserEmpty,
	rpctypes.ErrInvalidAuthToken,
	rpctypes.ErrAuthOldRevision,
	rpctypes.ErrAuthFailed, // of the client's log-in, before the transaction
	rpctypes.ErrTooManyRequests,
	rpctypes.ErrRequestTooLarge,
}

// verdict wraps the error of a transaction: one that may have been applied is
// [store.ErrUnknownOutcome].
func (r request) verdict(err error) error {
	for _, known := range notApplied {
		if errors.Is(err, known) {
			return r.failed(err)
		}
	}
	return r.failed(fmt.Errorf("%w: %w", store.ErrUnknownOutcome, err))
}

func (r request) failed(err error) error {
	return fmt.Errorf("etcdstore: %s %q: %w", r.what, r.key, err)
}

// withEnd adds to err that ctx has ended, if so: the server, which is told the
// deadline, may say so in its own words before ctx does.
func withEnd(ctx context.Context, err error) error {
	end := ctx.Err()
	if deadline, ok := ctx.Deadline(); end == nil && ok && !time.Now().Before(deadline) {
		end = context.DeadlineExceeded
	}
	if end == nil || errors.Is(err, end) {
		return err
	}
	return fmt.Errorf("%w: %w", end, err)
}
