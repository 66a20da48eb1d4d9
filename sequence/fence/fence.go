package fence

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/telemetry"
)

// Defaults of [Options].
const (
	DefaultWindow      = 3 * time.Second
	DefaultCap         = time.Minute
	DefaultCallTimeout = 2 * time.Second
)

// minWindow leaves a store time to answer within half of it.
const minWindow = 100 * time.Millisecond

// Options are the options of a fence. Space is required.
type Options struct {
	// Space is a name for the ids that are fenced: 1 to [MaxSpace] of a-z, A-Z,
	// 0-9 and -_. Two programs that make ids of one format with one node number
	// must use one space, and those of other spaces have nothing to do with it.
	// Never change it for ids that are stored.
	Space string
	// Window is how far the bound is stored ahead, 100 ms or more: it is renewed
	// about every half of it, and a store may be away for about as long. It is
	// also how far ids may be ahead of the clock under the policy Advance.
	// 0: DefaultWindow. It is rounded up to two units of the ids' time.
	Window time.Duration
	// Cap is how far the bound may be ahead of the clock in all, whatever
	// happens, three windows or more. 0: DefaultCap, or three windows if that is
	// more.
	Cap time.Duration
	// Start and BeyondCap say what to do when the clock is behind the bound that
	// an earlier process left, by less and by more than Cap allows.
	Start     Start
	BeyondCap BeyondCap
	// Owner is what others see as the owner of a record, at most [MaxOwner]
	// bytes. Empty: host name and process number.
	Owner string
	// CallTimeout is how long one call of the store may take. 0:
	// DefaultCallTimeout.
	CallTimeout time.Duration
	// Adopt, for [File] only, accepts a folder that was copied, restored or moved,
	// and makes this its place. Set it for one start, when nothing uses the
	// original any more and the copy isn't older.
	Adopt bool
	// TTL, if it isn't 0, gives records a time to live, with each write anew: two
	// windows to store.MaxTTL. The records must be a store.Expiring. The fence
	// itself doesn't go by it; leases do (package node/lease).
	TTL time.Duration
	// Listener gets the fence's events, and steps of the clock that the fence is
	// the first to notice. It may be nil.
	Listener *telemetry.Listener
}

// Fence keeps durable bounds on the times of ids, a record for each node and
// format, in the records of a store. It is made by [New] or [File], given to
// configurations, and closed at the end. It is safe for concurrent use.
type Fence struct {
	records store.Records
	options Options
	place   *place // nil for records that are in no folder

	mu     sync.Mutex // not held over I/O
	closed bool
	guards map[guardKey]*guard
	// reserved are records that were taken before there was a lane.
	reserved map[guardKey]*Reservation
}

// guardKey is what there is one record for.
type guardKey struct {
	format string
	node   uint64
}

var _ sequence.Fence = (*Fence)(nil)

// New makes a fence whose records are in a store. It does no I/O; the first id
// takes its record, or Config.Open in package stamp. The error reports every
// violation and matches [ErrOptions].
func New(records store.Records, o Options) (*Fence, error) {
	if records == nil {
		return nil, fmt.Errorf("%w: no records", ErrOptions)
	}
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.TTL > 0 {
		expiring, ok := records.(store.Expiring)
		if !ok {
			return nil, fmt.Errorf("%w: a TTL, but records of type %T don't run out: %w", ErrOptions, records, errors.ErrUnsupported)
		}
		records = living{expiring, o.TTL}
	}
	return &Fence{records: records, options: o, guards: map[guardKey]*guard{}, reserved: map[guardKey]*Reservation{}}, nil
}

func (o Options) withDefaults() Options {
	if o.Window == 0 {
		o.Window = DefaultWindow
	}
	if o.Cap == 0 {
		o.Cap = max(DefaultCap, 3*o.Window)
	}
	if o.CallTimeout == 0 {
		o.CallTimeout = DefaultCallTimeout
	}
	if o.Owner == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		pid := fmt.Sprintf("/%d", os.Getpid())
		o.Owner = host[:min(len(host), MaxOwner-len(pid))] + pid
	}
	return o
}

func (o Options) validate() error {
	var errs []error
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if len(o.Space) == 0 || len(o.Space) > MaxSpace || strings.Trim(o.Space, letters) != "" {
		violated("space %.80q, want 1 to %d of a-z, A-Z, 0-9, - and _", o.Space, MaxSpace)
	}
	if o.Window < minWindow {
		violated("Window %v, want %v or more", o.Window, minWindow)
	}
	if o.Cap/3 < o.Window {
		violated("Cap %v, want three times the Window of %v or more", o.Cap, o.Window)
	}
	if o.Start > BeginAtBound {
		violated("%v is none of wait or begin (0), wait for the clock (1), begin at the bound (2)", o.Start)
	}
	if o.BeyondCap > WaitBeyondCap {
		violated("%v is none of fail (0), wait (1)", o.BeyondCap)
	}
	if len(o.Owner) > MaxOwner {
		violated("owner %.80q has %d bytes, want at most %d", o.Owner, len(o.Owner), MaxOwner)
	}
	if o.TTL != 0 && (o.TTL < 2*o.Window || o.TTL > store.MaxTTL) {
		violated("TTL %v, want two times the Window of %v to %v", o.TTL, o.Window, store.MaxTTL)
	}
	if o.CallTimeout < 0 {
		violated("CallTimeout %v is negative", o.CallTimeout)
	}
	return errors.Join(errs...)
}

// Space returns the name of the space.
func (f *Fence) Space() string { return f.options.Space }

// Records returns what the fence keeps its records in.
func (f *Fence) Records() store.Records { return f.records }

// MaxAhead is that of [sequence.Fence]: the window, and what the cap leaves
// beyond a window.
func (f *Fence) MaxAhead() (advance, most time.Duration) {
	return f.options.Window, f.options.Cap - f.options.Window
}

// Attach is that of [sequence.Fence]; registries call it.
func (f *Fence) Attach(l *sequence.Lane) (sequence.Guard, error) {
	key := guardKey{Format(l.Layout(), l.Timescale()), l.Node()}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, ErrStopped
	}
	if f.guards[key] != nil {
		return nil, &sequence.FenceConflictError{Space: f.Space(), Node: l.Node(), Reason: "it is in use in another registry"}
	}
	g := newGuard(f, l, key)
	if r := f.reserved[key]; r != nil {
		if g.prior = r.handOver(g); g.prior == nil {
			return nil, &sequence.FenceConflictError{Space: f.Space(), Node: l.Node(), Reason: "its record is being reserved"}
		}
		g.holder = g.prior.holder
	} else {
		token, err := NewToken()
		if err != nil {
			return nil, err
		}
		g.holder = NewHolder(f.records, g.key, token)
	}
	f.guards[key] = g
	return g, nil
}

// Close ends the fence: from its beginning on no id is made under it. It then
// stores, for each node, the time after its last id as the bound, so that the
// next process needn't wait for the clock, and returns when no goroutine is left.
//
// If it fails, because the store does or ctx ends, ids are as safe as after a
// crash, and it may be called again. Once it has succeeded, it returns nil.
func (f *Fence) Close(ctx context.Context) error {
	f.mu.Lock()
	f.closed = true
	var closers []func(context.Context) error
	var guards []*guard
	for key, g := range f.guards {
		delete(f.reserved, key)
		guards = append(guards, g)
		closers = append(closers, g.close)
	}
	for _, r := range f.reserved {
		closers = append(closers, r.release)
	}
	f.mu.Unlock()
	for _, g := range guards { // before the first wait
		g.end()
	}
	errs := make([]error, len(closers))
	var wg sync.WaitGroup
	for i, closer := range closers {
		wg.Go(func() { errs[i] = closer(ctx) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// NewToken returns 32 random hexadecimal digits.
func NewToken() (string, error) {
	var token [tokenDigits / 2]byte
	if _, err := rand.Read(token[:]); err != nil {
		return "", fmt.Errorf("fence: %w", err)
	}
	return hex.EncodeToString(token[:]), nil
}
