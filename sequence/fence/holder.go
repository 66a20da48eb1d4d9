package fence

import (
	"context"
	"errors"
	"fmt"

	"github.com/stampid/go-stamp/store"
)

// rounds is how often a write is tried anew that met the outcome of an earlier
// one of its own.
const rounds = 4

// Holder takes, renews and gives back one record, by conditional writes. It
// doesn't retry and knows no clock. The token makes it one owner: a write whose
// outcome is unknown is recognised by it later. It is for one goroutine.
type Holder struct {
	records store.Records
	key     store.Key
	token   string

	held   bool
	record Record // as it is stored, if held
	text   []byte
	// doubt is set from the beginning of a write until its outcome is known: the
	// record is read before the next one.
	doubt bool
}

// NewHolder returns a holder that holds nothing yet. Token is 32 random
// hexadecimal digits that nobody else has; see [NewToken].
func NewHolder(records store.Records, key store.Key, token string) *Holder {
	return &Holder{records: records, key: key, token: token}
}

// Held returns the record as it is stored, and whether it is held.
func (h *Holder) Held() (Record, bool) { return h.record, h.held }

// Read returns the record, nil if there is none.
func (h *Holder) Read(ctx context.Context) (*Record, []byte, error) {
	text, err := h.records.Get(ctx, h.key)
	if err != nil || len(text) == 0 {
		return nil, nil, err
	}
	r, err := Decode(text)
	var bad *RecordError
	if errors.As(err, &bad) {
		bad.Key = h.key
	}
	return r, text, err
}

// Take makes the record this holder's. Decide is given what is found, nil if
// there is no record, and returns what to put in its place, or an error to leave
// it; it may be called several times. Token, state and floor are seen to: the
// floor is the bound that was found.
//
// If an earlier attempt had been written after all, that is the record, and
// decide isn't called. What was held once isn't taken again: if the record is
// another's by now, that is a *[LostError].
func (h *Holder) Take(ctx context.Context, decide func(found *Record) (Record, error)) error {
	for range rounds {
		found, text, err := h.Read(ctx)
		if err != nil {
			return err
		}
		if found != nil && found.Token == h.token {
			h.adopt(*found, text)
			return nil
		}
		if h.held {
			return &LostError{Key: h.key, Found: found, Bound: h.record.Bound}
		}
		next, err := decide(found)
		if err != nil {
			return err
		}
		next.Held, next.Token, next.Floor = true, h.token, 0
		if found != nil {
			if found.Space != next.Space || found.Format != next.Format || found.Node != next.Node {
				return &RecordError{Key: h.key, Reason: fmt.Sprintf("it is for space %q, format %s, node %d", found.Space, found.Format, found.Node)}
			}
			next.Floor = found.Bound
		}
		wrote, err := next.Encode()
		if err != nil {
			return err
		}
		h.doubt = true
		switch err = h.records.CompareAndSet(ctx, h.key, text, wrote); {
		case err == nil:
			h.adopt(next, wrote)
			return nil
		case !again(ctx, err):
			return err
		}
	}
	return fmt.Errorf("fence: record %s keeps changing: %w", h.key, store.ErrConflict)
}

// Renew makes what change does to the held record the record; it must leave
// token and floor and not lower the bound. A record that isn't the one that this
// holder wrote is a *[LostError]. After any other error it may or may not have
// been stored, and the next call finds out.
func (h *Holder) Renew(ctx context.Context, change func(*Record)) error {
	return h.write(ctx, func(r *Record) bool {
		change(r)
		return true
	})
}

// Release gives the record back, with a bound that may be lower than before:
// one that all ids lie below. A holder that holds nothing, but may have written
// its token, finds that out and gives it back; bound is then ignored.
func (h *Holder) Release(ctx context.Context, bound uint64) error {
	if !h.held && !h.doubt {
		return nil
	}
	if !h.held {
		found, text, err := h.Read(ctx)
		if err != nil || found == nil || found.Token != h.token || !found.Held {
			return err
		}
		h.adopt(*found, text)
		bound = found.Floor
	}
	return h.write(ctx, func(r *Record) bool {
		if !r.Held {
			return false // an earlier attempt was written
		}
		r.Held, r.Bound = false, max(bound, r.Floor)
		return true
	})
}

// write replaces the record by what change makes of it, unless that returns
// false.
func (h *Holder) write(ctx context.Context, change func(*Record) bool) error {
	for range rounds {
		if h.doubt {
			if err := h.readBack(ctx); err != nil {
				return err
			}
		}
		next := h.record
		if !change(&next) {
			return nil
		}
		text, err := next.Encode()
		if err != nil {
			return err
		}
		if string(text) == string(h.text) {
			return nil
		}
		h.doubt = true
		switch err = h.records.CompareAndSet(ctx, h.key, h.text, text); {
		case err == nil:
			h.adopt(next, text)
			return nil
		case !again(ctx, err):
			return err
		}
	}
	return fmt.Errorf("fence: record %s keeps changing: %w", h.key, store.ErrConflict)
}

// again tells whether it is worth a look at once what became of a write: it may
// have been written, and the answer lost, or written twice by something below,
// whose second attempt met the first.
func again(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrUnknownOutcome))
}

// readBack finds out what is stored. Every value that holds the token was
// written by this holder, so it is as good as one that was confirmed, unless it
// is older than that.
func (h *Holder) readBack(ctx context.Context) error {
	found, text, err := h.Read(ctx)
	switch {
	case errors.Is(err, ErrRecord):
		return &LostError{Key: h.key, Bound: h.record.Bound, Err: err}
	case err != nil:
		return err
	case found == nil, found.Token != h.token, found.Held && found.Bound < h.record.Bound:
		return &LostError{Key: h.key, Found: found, Bound: h.record.Bound}
	}
	h.adopt(*found, text)
	return nil
}

func (h *Holder) adopt(r Record, text []byte) {
	h.record, h.text, h.held, h.doubt = r, text, true, false
}

// who is the owner, for people.
func (r *Record) who() string {
	if !r.Held {
		return fmt.Sprintf("nobody (%q gave it back)", r.Owner)
	}
	return fmt.Sprintf("%q", r.Owner)
}
