package zkstore

import (
	"errors"
	"fmt"

	"github.com/go-zookeeper/zk"

	"github.com/stampid/go-stamp/store"
)

var (
	// ErrClient says that a client can't be used: it is nil.
	ErrClient = errors.New("zkstore: unsuitable client")
	// ErrPath says that a chroot or a prefix isn't a path of ZooKeeper's.
	ErrPath = errors.New("zkstore: invalid path")
	// ErrConnectString says that a connect string names no server.
	ErrConnectString = errors.New("zkstore: invalid connect string")
	// ErrNotCounter says that the node of a counter doesn't hold 8 bytes that
	// are a number from 0 to MaxInt64. It is left as it is.
	ErrNotCounter = errors.New("zkstore: not a counter")
	// ErrContention says that others wrote a node each time that this call was
	// about to. Nothing was changed; the same again may succeed.
	ErrContention = errors.New("zkstore: too much contention")
	// ErrVersion says that a node has been written so often that its version is
	// -1, with which ZooKeeper takes any write. It can be written again after
	// one write of the same bytes, made by hand while nobody else writes.
	ErrVersion = errors.New("zkstore: version can't be checked")
)

// errNotSent says that a call's context ended before the client was asked.
var errNotSent = errors.New("not sent")

// notApplied are errors after which a write hasn't been applied and won't be. All
// but the last four are answers of the server to that very write, since the
// client sends nothing twice. A closed connection isn't among them: the server
// may have, or may get, what was sent.
var notApplied = []error{
	zk.ErrBadVersion,
	zk.ErrNoNode,
	zk.ErrNodeExists,
	zk.ErrNoAuth,
	zk.ErrInvalidACL,
	zk.ErrNoChildrenForEphemerals,
	zk.ErrBadArguments,
	zk.ErrInvalidPath, // found by the client
	zk.ErrNoServer,    // the client took the write back from its queue
	ErrVersion,
	errNotSent,
}

// verdict wraps the error of a write: one that may have been applied is
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
	return fmt.Errorf("zkstore: %s %q: %w", r.what, r.path, err)
}
