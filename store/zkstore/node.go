package zkstore

import (
	"context"
	"errors"
	"path"

	"github.com/go-zookeeper/zk"
)

// conn is what is used of a *zk.Conn.
type conn interface {
	Sync(path string) (string, error)
	Get(path string) ([]byte, *zk.Stat, error)
	Set(path string, data []byte, version int32) (*zk.Stat, error)
	Create(path string, data []byte, flags int32, acl []zk.ACL) (string, error)
}

// request is one method's, about the node at path.
type request struct {
	store *Store
	what  string
	path  string
}

// node is what a node held when it was read.
type node struct {
	found   bool
	data    []byte
	version int32
}

// anyVersion is the version with which ZooKeeper takes a write whatever the
// node's version is.
const anyVersion = -1

// read reads the node. A server that isn't the leader may be late: unless fresh
// is set, data and version may be old, which a later write with that version
// finds out. A node isn't said to be missing without asking the leader.
func (r request) read(ctx context.Context, fresh bool) (node, error) {
	c := r.store.conn
	if fresh {
		if _, err := call(ctx, r.store, func() (string, error) { return c.Sync(r.path) }); err != nil {
			return node{}, r.failed(err)
		}
	}
	n, err := call(ctx, r.store, func() (node, error) {
		data, stat, err := c.Get(r.path)
		switch {
		case errors.Is(err, zk.ErrNoNode):
			return node{}, nil
		case err != nil:
			return node{}, err
		}
		return node{found: true, data: data, version: stat.Version}, nil
	})
	switch {
	case err != nil:
		return node{}, r.failed(err)
	case !n.found && !fresh:
		return r.read(ctx, true)
	}
	return n, nil
}

// replace writes data if the node is still as it was read, and tells whether it
// did. It isn't tried again without an answer: a second write with the same
// version that fails would not tell whose the first success was.
func (r request) replace(ctx context.Context, n node, data []byte) (done bool, err error) {
	if n.version == anyVersion {
		return false, r.verdict(ErrVersion)
	}
	_, err = call(ctx, r.store, func() (*zk.Stat, error) { return r.store.conn.Set(r.path, data, n.version) })
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, zk.ErrBadVersion), errors.Is(err, zk.ErrNoNode):
		return false, nil
	}
	return false, r.verdict(err)
}

// create makes the node, and those above it that are missing, and tells whether
// it did.
func (r request) create(ctx context.Context, data []byte) (done bool, err error) {
	// Another program's parent may be one that vanishes with its last child.
	for range 3 {
		err = r.make(ctx, r.path, data)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, zk.ErrNodeExists):
			return false, nil
		case !errors.Is(err, zk.ErrNoNode):
			return false, r.verdict(err)
		}
		if err := r.makeParents(ctx, r.path); err != nil {
			return false, r.failed(err)
		}
	}
	return false, r.verdict(err)
}

// makeParents makes the nodes above p, beginning with the lowest: the right to
// create those further up may be missing, and isn't needed if they are there.
func (r request) makeParents(ctx context.Context, p string) error {
	parent := path.Dir(p)
	if parent == "/" {
		return nil
	}
	err := r.make(ctx, parent, nil)
	if errors.Is(err, zk.ErrNoNode) {
		if err := r.makeParents(ctx, parent); err != nil {
			return err
		}
		err = r.make(ctx, parent, nil)
	}
	if errors.Is(err, zk.ErrNodeExists) {
		return nil
	}
	return err
}

func (r request) make(ctx context.Context, p string, data []byte) error {
	_, err := call(ctx, r.store, func() (string, error) {
		return r.store.conn.Create(p, data, zk.FlagPersistent, r.store.acl)
	})
	return err
}
