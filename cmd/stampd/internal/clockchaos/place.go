package clockchaos

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence/fence"
)

// place is a node, its fence, and the store that its record is in.
type place struct {
	node   uint64
	source node.Source
	lease  *lease.Lease  // nil: the node is the process's own
	fence  *fence.Fence  // nil: none
	store  *stores.Store // nil: none to close
}

// openPlace makes a fence for the number-th holder of a process, and takes a lease
// if it is to have one. It fails while the store is away or no node is free.
func openPlace(ctx context.Context, t Task, number int) (p place, err error) {
	p.node, p.source = t.Node, node.Static(t.Node)
	if t.Store == "" {
		return p, nil
	}
	o := fence.Options{
		Window: t.Fence.Window, Cap: t.Fence.Cap, CallTimeout: t.Fence.CallTimeout,
		Start: t.Fence.Start, BeyondCap: t.Fence.BeyondCap,
	}
	folder, isFolder := strings.CutPrefix(t.Store, "file://")
	if !isFolder {
		if p.store, err = stores.Open(ctx, t.Store, stores.Options{}); err != nil {
			return p, err
		}
	}
	if t.Lease != nil {
		err = p.takeLease(ctx, *t.Lease, folder, o)
	} else {
		o.Space, o.Owner = space, fmt.Sprintf("process %d, start %d, holder %d", t.Process, t.Run, number)
		err = p.makeFence(folder, o)
	}
	if err != nil && p.store != nil {
		err = errors.Join(err, p.store.Close())
	}
	return p, err
}

// makeFence makes the fence in the store, or in a folder if there is none.
func (p *place) makeFence(folder string, o fence.Options) (err error) {
	if p.store == nil {
		p.fence, err = fence.File(folder, o)
	} else {
		p.fence, err = fence.New(p.store.Records, o)
	}
	return err
}

// takeLease takes a node in the store, or in a folder if there is none.
func (p *place) takeLease(ctx context.Context, l Lease, folder string, o fence.Options) (err error) {
	// Who waits for another one of its name shall look at the store anew at times.
	ctx, cancel := context.WithTimeout(ctx, 4*callerPatience)
	defer cancel()
	options := lease.Options{
		Space: space, Layout: layout(), Epoch: timescale().Epoch, Unit: timescale().Unit,
		Name: l.Name, First: l.First, Last: l.Last, TTL: l.TTL, Fence: o,
	}
	if p.store == nil {
		p.lease, err = lease.File(ctx, folder, options)
	} else {
		p.lease, err = lease.Acquire(ctx, p.store.Records, options)
	}
	if err == nil {
		p.source, p.node, p.fence = p.lease, p.lease.Number(), p.lease.Fence()
	}
	return err
}

// close gives the node back, if that can be done within a while.
func (p place) close() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	switch {
	case p.lease != nil:
		err = p.lease.Close(ctx)
	case p.fence != nil:
		err = p.fence.Close(ctx)
	}
	if p.store != nil {
		err = errors.Join(err, p.store.Close())
	}
	return err
}
