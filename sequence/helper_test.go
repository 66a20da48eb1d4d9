package sequence_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/telemetry"
)

// seedVariable sets the seed of the random tests, to run one again.
const seedVariable = "STAMP_TEST_SEED"

// trust is how long a sequence may go without a look at the wall clock. A test
// that steps the wall clock lets this much pass, so that the step is noticed.
const trust = 10 * time.Millisecond

// noContext is a nil context, which Sequence takes for "no context".
var noContext context.Context

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// seed returns the seed of a random test, and prints it.
func seed(t *testing.T) uint64 {
	t.Helper()
	n := rand.Uint64()
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		n, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("to repeat: %s=%d", seedVariable, n)
	return n
}

// fixture is a space on a manual clock of its own that stands at start, an
// hour after the epoch, with the events of all calls recorded.
type fixture struct {
	t      *testing.T
	clock  *clock.Manual
	start  time.Time
	space  *sequence.Space
	events *events
	caller sequence.Caller
	reg    *sequence.Registry
}

// layoutWith has 41 bits of time, and node bits to fill up.
func layoutWith(sequenceBits int) bits.Layout {
	return bits.Layout{Time: 41, Node: 22 - sequenceBits, Sequence: sequenceBits}
}

// newFixture makes a fixture with units of a millisecond. change may be nil.
func newFixture(t *testing.T, layout bits.Layout, change func(*sequence.Settings)) *fixture {
	t.Helper()
	f := &fixture{t: t, start: epoch.Add(time.Hour), events: new(events), reg: sequence.NewRegistry()}
	f.clock = clock.NewManual(f.start)
	settings := sequence.Settings{
		Layout:    layout,
		Timescale: bits.Timescale{Epoch: epoch, Unit: time.Millisecond},
		Clock:     f.clock,
	}
	if change != nil {
		change(&settings)
	}
	var err error
	f.space, err = f.reg.Space(settings)
	require.NoError(t, err)
	f.caller = sequence.Caller{Listener: f.events.listener(), Timeout: 10 * time.Second}
	return f
}

func bounded(policy sequence.AheadPolicy, maxAhead time.Duration) func(*sequence.Settings) {
	return func(s *sequence.Settings) { s.AheadPolicy, s.MaxAhead = policy, maxAhead }
}

func (f *fixture) sequence(id string, node, partition uint64) *sequence.Sequence {
	f.t.Helper()
	s, err := f.space.Sequence(id, node, partition)
	require.NoError(f.t, err)
	return s
}

// step moves the wall clock alone, and lets trust pass.
func (f *fixture) step(d time.Duration) {
	f.clock.Step(d)
	f.clock.Advance(trust)
}

func (f *fixture) parts(id int64) bits.Parts {
	f.t.Helper()
	parts, err := f.space.Settings().Layout.Unpack(id)
	require.NoError(f.t, err)
	return parts
}

// timeOf is the time of an id as a distance from start.
func (f *fixture) timeOf(id int64) time.Duration {
	return f.space.Settings().Timescale.Time(f.parts(id).Time).Sub(f.start)
}

// next makes an id. It fails when it would have to wait on a clock that stands.
func (f *fixture) next(s *sequence.Sequence) int64 {
	f.t.Helper()
	id, err := s.Next(noContext, &f.caller)
	require.NoError(f.t, err)
	return id
}

func (f *fixture) appendN(s *sequence.Sequence, n int) []int64 {
	f.t.Helper()
	ids, err := sequence.Append[int64](noContext, s, nil, n, &f.caller)
	require.NoError(f.t, err)
	require.Len(f.t, ids, n)
	return ids
}

// events records what a listener is told.
type events struct {
	mu        sync.Mutex
	overflows []telemetry.Overflow
	aheads    []telemetry.Ahead
	steps     []telemetry.ClockStep
	expiring  []telemetry.Expiring
}

func (e *events) listener() *telemetry.Listener {
	return &telemetry.Listener{
		OnOverflow:  func(v telemetry.Overflow) { record(e, &e.overflows, v) },
		OnAhead:     func(v telemetry.Ahead) { record(e, &e.aheads, v) },
		OnClockStep: func(v telemetry.ClockStep) { record(e, &e.steps, v) },
		OnExpiring:  func(v telemetry.Expiring) { record(e, &e.expiring, v) },
	}
}

func record[E telemetry.Event](e *events, list *[]E, v E) {
	e.mu.Lock()
	defer e.mu.Unlock()
	*list = append(*list, v)
}

// take returns the events so far, and forgets them.
func (e *events) take() *events {
	e.mu.Lock()
	defer e.mu.Unlock()
	taken := &events{overflows: e.overflows, aheads: e.aheads, steps: e.steps, expiring: e.expiring}
	e.overflows, e.aheads, e.steps, e.expiring = nil, nil, nil, nil
	return taken
}

// ended is a context that has ended: a call that would wait gives up at once.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
