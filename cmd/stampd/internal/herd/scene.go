package herd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// Scene is a number of instances that start at once, and what happens to their
// store. It has no defaults.
type Scene struct {
	Title     string
	Instances int
	Step      int64
	Rate      float64 // numbers a second of an instance
	// The store is away from Gone to Back, both from the start. Equal: it isn't.
	Gone, Back time.Duration
	Length     time.Duration
	// InStep takes the randomness out of the waits after failures.
	InStep bool
	Seed   uint64
}

// Run plays a scene on a server, with a counter of its own.
func Run(ctx context.Context, server *servers.Server, s Scene) (Load, error) {
	r, err := relay.New(server.Addr(), s.Seed)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	key := store.Key{Namespace: "herd", Name: fmt.Sprintf("orders%d", time.Now().UnixNano())}
	if err := create(ctx, server, key); err != nil {
		return nil, err
	}
	clients, err := s.open(ctx, server.URLAt(r.Addr()))
	defer func() {
		for _, c := range clients {
			_ = c.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	away := relay.Fault{Kind: relay.Refuse}
	if s.Gone == 0 && s.Back > 0 { // before anybody begins
		r.Set(away)
	}
	ctx, stop := context.WithTimeout(ctx, s.Length)
	defer stop()
	recorder := newRecorder(s.Length)
	var running sync.WaitGroup
	errs := make(chan error, s.Instances)
	for i, client := range clients {
		running.Go(func() {
			errs <- s.instance(ctx, recorded{client, recorder}, key, rand.New(rand.NewPCG(s.Seed, uint64(i))))
		})
	}
	pause(ctx, s.Gone)
	if s.Back > s.Gone {
		r.Set(away)
		pause(ctx, time.Until(recorder.begun.Add(s.Back)))
		r.Set(relay.Fault{})
	}
	running.Wait()
	close(errs)
	for e := range errs {
		err = errors.Join(err, e)
	}
	return recorder.counts(), err
}

// create makes the counter.
func create(ctx context.Context, server *servers.Server, key store.Key) error {
	opened, err := stores.Open(ctx, server.URL(), stores.Options{})
	if err != nil {
		return err
	}
	_, err = opened.Create(ctx, key, 0)
	return errors.Join(err, opened.Close())
}

// open makes a client for each instance. With an error it returns those that it
// has made.
func (s Scene) open(ctx context.Context, url string) (clients []*stores.Store, err error) {
	for range s.Instances {
		client, err := stores.Open(ctx, url, stores.Options{})
		if err != nil {
			return clients, err
		}
		clients = append(clients, client)
	}
	return clients, nil
}

// instance takes numbers until ctx ends.
func (s Scene) instance(ctx context.Context, counters store.Counters, key store.Key, random *rand.Rand) error {
	o := segment.Options{Step: s.Step}
	if s.InStep {
		// A caller's attempt is the generator's, for one segment, and the caller
		// does the waiting.
		o.NoBackground, o.BackoffMin, o.BackoffMax, o.MaxPrefetchDistance = true, 1, 1, 1
	}
	g, err := segment.New(counters, key, o)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		pause(ctx, time.Duration(random.ExpFloat64()/s.Rate*float64(time.Second)))
		_, err := g.Next(ctx)
		if s.InStep {
			insist(ctx, g, err)
		}
	}
	return g.Close()
}

// insist asks again after each error, and waits as long as the default of
// segment.Options is, to the nanosecond.
func insist(ctx context.Context, g *segment.Generator, err error) {
	for wait := segment.DefaultBackoffMin; err != nil && ctx.Err() == nil; wait = min(2*wait, segment.DefaultBackoffMax) {
		pause(ctx, wait)
		_, err = g.Next(ctx)
	}
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
