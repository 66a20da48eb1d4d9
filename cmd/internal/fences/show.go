package fences

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/store"
)

// none stands for what there isn't.
const none = "-"

// List reads the records of nodes. What was read before an error is returned too.
func List(ctx context.Context, records store.Records, s *Space, r *Range) ([]lease.Entry, error) {
	f, err := s.format()
	if err != nil {
		return nil, err
	}
	first, last, err := r.bounds(f.Layout)
	if err != nil {
		return nil, err
	}
	return lease.List(ctx, records, s.Space, f.Layout, f.Timescale, first, last)
}

// Unreadable is the errors of the records that can't be read.
func Unreadable(entries []lease.Entry) error {
	var errs []error
	for _, e := range entries {
		errs = append(errs, e.Err)
	}
	return errors.Join(errs...)
}

// Show writes what fences say: how far ids of a node may go, and where they began.
func Show(w io.Writer, s *Space, entries []lease.Entry, now time.Time, asJSON bool) error {
	f, err := s.format()
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, f, entries, now)
	}
	if len(entries) == 0 {
		return nil
	}
	var t cli.Table
	t.Add("node", "state", "owner", "floor", "bound", "to the clock", "expires")
	for _, e := range entries {
		row := []string{strconv.FormatUint(e.Node, 10), state(e), none, none, none, none, none}
		if r := e.Record; r != nil {
			bound := f.Timescale.Time(r.Bound)
			row[2], row[3], row[4] = r.Owner, f.Stamp(f.Timescale.Time(r.Floor)), f.Stamp(bound)
			row[5], row[6] = offset(bound.Sub(now)), r.Expires.Format(time.RFC3339)
		}
		t.Add(row...)
	}
	return t.Write(w)
}

// Holders writes who has which number, and until when.
func Holders(w io.Writer, entries []lease.Entry, now time.Time, asJSON bool, s *Space) error {
	if asJSON {
		return Show(w, s, entries, now, true)
	}
	if len(entries) == 0 {
		return nil
	}
	var t cli.Table
	t.Add("node", "owner", "lasts", "")
	for _, e := range entries {
		owner, lasts := none, none
		if e.Record != nil {
			owner = e.Record.Owner
		}
		if left := left(e); left > 0 {
			lasts = left.Round(time.Second).String()
		}
		t.Add(strconv.FormatUint(e.Node, 10), owner, lasts, state(e))
	}
	return t.Write(w)
}

// state is held, by a lease or a fence alone, or free.
func state(e lease.Entry) string {
	switch {
	case e.Err != nil:
		return "UNREADABLE"
	case !e.Record.Held:
		return "free"
	case left(e) > 0:
		return "leased"
	}
	return "held, no lease"
}

// left is how long a lease lasts. One that was given back lasts no more, although
// its record's time isn't over.
func left(e lease.Entry) time.Duration {
	if e.Free() {
		return 0
	}
	return e.Left
}

// offset says how far ahead of the clock a time is.
func offset(d time.Duration) string {
	d = d.Round(time.Millisecond)
	switch {
	case d > 0:
		return d.String() + " ahead"
	case d < 0:
		return (-d).String() + " behind"
	}
	return "0s"
}

// entryForm is a record in JSON. Times are null if the record can't be read.
type entryForm struct {
	Node    uint64     `json:"node"`
	State   string     `json:"state"`
	Owner   string     `json:"owner,omitempty"`
	Floor   *time.Time `json:"floor"`
	Bound   *time.Time `json:"bound"`
	Ahead   *float64   `json:"ahead"` // of the clock, in seconds
	Expires *time.Time `json:"expires"`
	Left    float64    `json:"left"` // of the lease, in seconds; 0: none
	Error   string     `json:"error,omitempty"`
}

func writeJSON(w io.Writer, f format.Format, entries []lease.Entry, now time.Time) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, e := range entries {
		form := entryForm{Node: e.Node, State: state(e), Left: left(e).Seconds()}
		if r := e.Record; r != nil {
			floor, bound, expires := f.Timescale.Time(r.Floor).UTC(), f.Timescale.Time(r.Bound).UTC(), r.Expires
			ahead := bound.Sub(now).Seconds()
			form.Owner, form.Floor, form.Bound, form.Ahead, form.Expires = r.Owner, &floor, &bound, &ahead, &expires
		}
		if e.Err != nil {
			form.Error = e.Err.Error()
		}
		if err := encoder.Encode(form); err != nil {
			return fmt.Errorf("node %d: %w", e.Node, err)
		}
	}
	return nil
}
