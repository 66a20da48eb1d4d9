package main

import (
	"time"

	"github.com/stampid/go-stamp/cmd/internal/fences"
	"github.com/stampid/go-stamp/node/lease"
)

type nodesCommand struct {
	fences.Space
	fences.Range
	JSON bool `name:"json" help:"Print an object per line."`

	storeFlags
}

// Help is shown below the flags.
func (nodesCommand) Help() string {
	return `Shows who has which node number of a space, and for how long by the store's own time, unless the
lease is renewed. A number that isn't shown was never held. Nothing is changed.

  stampd nodes orders-prod --store postgres://ids@db/ids
  stampd nodes orders-prod --layout 0/41/7/15 --json

A number that is held without a lease belongs to a fence alone, or its lease has run out; stampd
fence show tells how far its ids may go.`
}

// Run prints a line for each number.
func (c *nodesCommand) Run(s *streams) error {
	return showRecords(s, &c.storeFlags, &c.Space, &c.Range, func(entries []lease.Entry) error {
		return fences.Holders(s.out, entries, time.Now(), c.JSON, &c.Space)
	})
}
