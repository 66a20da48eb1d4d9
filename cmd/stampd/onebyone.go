package main

import (
	"context"
	"time"

	"github.com/stampid/go-stamp/store"
)

// oneByOne are records of which each read has the time that one call may take.
type oneByOne struct {
	store.Records
	flags *storeFlags
}

// records keeps it known whether the store has records that run out.
func (o oneByOne) records() store.Records {
	if expiring, ok := o.Records.(store.Expiring); ok {
		return oneByOneExpiring{expiring, o}
	}
	return o
}

// Get is that of [store.Records].
func (o oneByOne) Get(ctx context.Context, key store.Key) ([]byte, error) {
	ctx, cancel := o.flags.within(ctx)
	defer cancel()
	return o.Records.Get(ctx, key)
}

type oneByOneExpiring struct {
	store.Expiring
	one oneByOne
}

// GetExpiring is that of [store.Expiring].
func (o oneByOneExpiring) GetExpiring(ctx context.Context, key store.Key) ([]byte, time.Duration, error) {
	ctx, cancel := o.one.flags.within(ctx)
	defer cancel()
	return o.Expiring.GetExpiring(ctx, key)
}
