package stamp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/telemetry"
)

// DefaultTimeout is how long a call without a context may wait.
const DefaultTimeout = 5 * time.Second

// Layout is the widths of an id's fields; see [bits.Layout].
type Layout = bits.Layout

// AheadPolicy says what happens at MaxAhead; see [sequence.AheadPolicy].
type AheadPolicy = sequence.AheadPolicy

// What a call does that would put a sequence more than MaxAhead ahead of the
// clock.
const (
	Advance = sequence.Advance // go on: no bound
	Wait    = sequence.Wait    // wait for the clock, the context or Timeout
	Fail    = sequence.Fail    // return ErrAhead at once
)

// SequenceStart says where the sequence numbers of each unit of time begin; see
// [sequence.Start].
type SequenceStart = sequence.Start

// Where the sequence numbers of each unit of time begin.
const (
	FromZero = sequence.FromZero // at 0
	Spread   = sequence.Spread   // at a number that changes from unit to unit
)

// Options describe ids. The zero value of each field is its default; Node has
// none when the layout has node bits, as the default layout does.
//
// Layout, Epoch, Unit, Zone and what Node gives are part of the data format:
// never change them for ids that are stored.
type Options struct {
	// Layout is the widths of the fields: 63 or 53 bits in all, with at least
	// one for time and one for the sequence. Zero: no partitions, 41 bits of
	// time, 7 of node, 15 of sequence.
	//
	// With a Source there are no node bits, and up to 24 time bits if numbers
	// are grouped by time, else none. Zero: 63 bits of sequence.
	Layout Layout
	// Epoch is where the time field begins. Zero: 2026-07-23T21:43:00Z. With a
	// Source its date in Zone is what counts, and it can't be after the first
	// day of the first group: the first of January for groups by year.
	Epoch time.Time
	// Unit is what the time field counts, 1 ns to 24 h. 0: a millisecond. With
	// a Source it must be 0: the time field counts days.
	Unit time.Duration

	// Source is where numbers come from that are unique without clock and node:
	// the sequence id is the name of one of its generators, whose numbers fill
	// the sequence bits. nil: the clock. Node, Unit, MaxAhead, AheadPolicy,
	// SequenceStart, Clock, Listener, Fence and Registry are for the clock, and
	// are refused with a Source.
	Source *segment.Provider
	// Zone is that of the days in the time field, and must be that of the
	// generators' groups; time.Local is refused. nil: UTC. It is for a Source
	// and time bits.
	Zone *time.Location

	// Node is where the node number comes from. Two processes that run at the
	// same time must not share one. Required when the layout has node bits;
	// without them there is but node 0. It is asked once per call; a node.Static is
	// checked here.
	Node node.Source
	// Partition tells the partition of a call from its context, which is
	// context.Background for calls without one. nil: calls name the partition
	// themselves, if the layout has partition bits. It is asked once per call.
	Partition func(context.Context) (uint64, error)

	// Codec is the text form. nil: decimal digits.
	Codec encode.Codec
	// Prefix begins each text: up to 63 of a-z, 0-9 and _, the first a
	// letter, the last a _. It needs a Codec.
	Prefix string

	// MaxAhead is how far ids may be ahead of the clock, with the policies
	// Wait and Fail; Advance knows no bound but a fence's, whatever MaxAhead says.
	// It counts in whole units, rounded down.
	MaxAhead    time.Duration
	AheadPolicy AheadPolicy
	// SequenceStart is where the sequence numbers of each unit begin. FromZero,
	// the default, leaves the low bits of ids alike at low rates; choose Spread
	// where rows are sharded by a remainder of their id.
	SequenceStart SequenceStart
	// Timeout is how long a call without a context may wait before it fails
	// with context.DeadlineExceeded. 0: DefaultTimeout. It counts with a Source
	// too, whatever the Timeout of its generators.
	Timeout time.Duration

	// Clock is read for each id, or less often where that makes no difference.
	// nil: clock.Default.
	Clock clock.Clock
	// Listener gets the events that calls with this configuration cause.
	Listener *telemetry.Listener
	// Fence bounds the times of ids durably, so that none repeats over restarts,
	// crashes and steps of the clock: see package fence. Under Advance it is
	// also a limit of being ahead. nil: that of Node, if it is a lease (package
	// node/lease), which allows no other; else no fence.
	Fence sequence.Fence
	// Registry keeps the sequences. nil: sequence.Default, shared by the
	// process. Sequences of two registries repeat each other's ids.
	Registry *sequence.Registry
}

func (o Options) withDefaults() Options {
	preset := bits.Default()
	if o.Layout == (Layout{}) {
		o.Layout = preset.Layout
	}
	if o.Epoch.IsZero() {
		o.Epoch = preset.Timescale.Epoch
	}
	if o.Unit == 0 {
		o.Unit = preset.Timescale.Unit
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Registry == nil {
		o.Registry = sequence.Default()
	}
	if l := o.lease(); l != nil && l.Fence() != nil && o.Fence == nil {
		o.Fence = l.Fence()
	}
	return o
}

func (o Options) settings() sequence.Settings {
	return sequence.Settings{
		Layout:      o.Layout,
		Timescale:   bits.Timescale{Epoch: o.Epoch, Unit: o.Unit},
		Clock:       o.Clock,
		MaxAhead:    o.MaxAhead,
		AheadPolicy: o.AheadPolicy,
		Start:       o.SequenceStart,
		Fence:       o.Fence,
	}
}

// leased is a node number with a fence that goes with it: node/lease.Lease.
type leased interface {
	Number() uint64
	Fence() *fence.Fence
	Format() string
}

// lease returns the Node if it is one.
func (o Options) lease() leased {
	if l, ok := o.Node.(leased); ok && !isNil(o.Node) {
		return l
	}
	return nil
}

// validateLease refuses a lease of other ids, and a fence that it doesn't move.
func (o Options) validateLease(violated func(format string, args ...any)) {
	l := o.lease()
	if l == nil {
		return
	}
	if l.Fence() == nil {
		violated("a Node that is a zero lease; make one with lease.Acquire")
		return
	}
	if o.Fence != l.Fence() {
		violated("a Fence beside a leased Node, whose fence is of space %q: lease and fence are one record; leave Fence out", l.Fence().Space())
	}
	if own := fence.Format(o.Layout, bits.Timescale{Epoch: o.Epoch, Unit: o.Unit}); own != l.Format() {
		violated("ids of %s with a Node that is leased for those of %s", own, l.Format())
	}
}

// validate reports what is wrong apart from settings and text form.
func (o Options) validate() error {
	var errs []error
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	static, isStatic := o.Node.(node.Static)
	switch hasBits := o.Layout.Node > 0; {
	case isNil(o.Node) && hasBits:
		violated("no Node, but the layout has %d node bits", o.Layout.Node)
	case isNil(o.Node):
	case isStatic && uint64(static) > o.Layout.MaxNode():
		errs = append(errs, &bits.ValueError{Field: "node", Value: uint64(static), Max: o.Layout.MaxNode()})
	case !isStatic && !hasBits:
		violated("a Node, but the layout has no node bits")
	}
	if o.Partition != nil && o.Layout.Partition == 0 {
		violated("a Partition function, but the layout has no partition bits")
	}
	if o.Zone != nil {
		violated("a Zone, but no Source")
	}
	o.validateLease(violated)
	if o.Timeout < 0 {
		violated("Timeout %v is negative", o.Timeout)
	}
	return errors.Join(errs...)
}

// isNil tells a source that would panic: nil, or a nil pointer or function.
func isNil(s node.Source) bool {
	if s == nil {
		return true
	}
	switch v := reflect.ValueOf(s); v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Chan, reflect.Slice:
		return v.IsNil()
	default:
		return false
	}
}
