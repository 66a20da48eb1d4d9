package zkstore

import (
	"bytes"
	"sync"

	"github.com/go-zookeeper/zk"
)

// fake is a server of one node that isn't the leader: it shows what the leader
// had when it last caught up.
type fake struct {
	mu            sync.Mutex
	leader, shown node
	gets, sets    int

	// What happens to a write, in place of being carried out.
	set func(data []byte) error
	// Called at the beginning of a read.
	get func()
}

func (f *fake) Sync(string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shown = f.leader
	return "", nil
}

func (f *fake) Get(string) ([]byte, *zk.Stat, error) {
	if f.get != nil {
		f.get()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gets++
	if !f.shown.found {
		return nil, &zk.Stat{}, zk.ErrNoNode
	}
	return bytes.Clone(f.shown.data), &zk.Stat{Version: f.shown.version}, nil
}

func (f *fake) Set(_ string, data []byte, version int32) (*zk.Stat, error) {
	f.mu.Lock()
	f.sets++
	f.mu.Unlock()
	if f.set != nil {
		if err := f.set(data); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !f.leader.found:
		return nil, zk.ErrNoNode
	case version != -1 && version != f.leader.version:
		return nil, zk.ErrBadVersion
	}
	f.write(data)
	return &zk.Stat{Version: f.leader.version}, nil
}

func (f *fake) Create(_ string, data []byte, _ int32, _ []zk.ACL) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.leader.found {
		return "", zk.ErrNodeExists
	}
	f.write(data)
	return "", nil
}

// write is what some client does at the leader.
func (f *fake) write(data []byte) {
	f.leader = node{found: true, data: bytes.Clone(data), version: f.leader.version + 1}
}

func (f *fake) store() *Store { return newStore(f, "/cosid", "/cosid-records", nil) }
