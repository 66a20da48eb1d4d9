package fence_test

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
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/telemetry"
)

// seedVariable sets the seed of the random tests, to run one again.
const seedVariable = "STAMP_TEST_SEED"

var (
	epoch  = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	start  = epoch.Add(24 * time.Hour)
	layout = bits.Layout{Partition: 2, Time: 41, Node: 8, Sequence: 12}
	scale  = bits.Timescale{Epoch: epoch, Unit: time.Millisecond}

	noContext context.Context
)

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

// unit is the unit of an instant.
func unit(at time.Time) uint64 { return uint64(scale.Units(at)) }

// process is one run of a program, with a registry, clock and fence of its own.
type process struct {
	t      testing.TB
	fence  *fence.Fence
	clock  clock.Clock
	reg    *sequence.Registry
	space  *sequence.Space
	caller sequence.Caller
	events *events
}

// newProcess starts a process on records. It is closed at the end of the test.
func newProcess(t testing.TB, records store.Records, c clock.Clock, change func(*fence.Options, *sequence.Settings)) *process {
	t.Helper()
	p := &process{t: t, clock: c, reg: sequence.NewRegistry(), events: new(events)}
	options := fence.Options{Space: "orders", Owner: "test", Listener: p.events.listener()}
	settings := sequence.Settings{Layout: layout, Timescale: scale, Clock: c}
	if change != nil {
		change(&options, &settings)
	}
	f, err := fence.New(records, options)
	require.NoError(t, err)
	p.attach(f, settings)
	t.Cleanup(func() { _ = f.Close(ended()) }) // ends the goroutine, and writes nothing
	return p
}

func (p *process) attach(f *fence.Fence, settings sequence.Settings) {
	p.t.Helper()
	p.fence, settings.Fence = f, f
	var err error
	p.space, err = p.reg.Space(settings)
	require.NoError(p.t, err)
	p.caller = sequence.Caller{Timeout: 10 * time.Second, Listener: p.events.listener()}
}

const nodeNumber = 3

func (p *process) sequence(id string, partition uint64) *sequence.Sequence {
	p.t.Helper()
	s, err := p.space.Sequence(id, nodeNumber, partition)
	require.NoError(p.t, err)
	return s
}

// try makes an id and returns its unit.
func (p *process) try(id string) (uint64, error) {
	n, err := p.sequence(id, 0).Next(noContext, &p.caller)
	if err != nil {
		return 0, err
	}
	return p.unit(n), nil
}

func (p *process) next(id string) uint64 {
	p.t.Helper()
	u, err := p.try(id)
	require.NoError(p.t, err)
	return u
}

func (p *process) unit(id int64) uint64 {
	p.t.Helper()
	parts, err := layout.Unpack(id)
	require.NoError(p.t, err)
	return parts.Time
}

// at makes an id for an instant.
func (p *process) at(id string, instant time.Time) (int64, error) {
	return p.sequence(id, 0).NextAt(instant, &p.caller)
}

func (p *process) close() {
	p.t.Helper()
	require.NoError(p.t, p.fence.Close(context.Background()))
}

func (p *process) status() sequence.FenceStatus {
	return *p.space.Health(nodeNumber, &p.caller).Fence
}

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

var key = fence.Key("orders", fence.Format(layout, scale), nodeNumber)

// stored reads the record.
func stored(t testing.TB, records store.Records) fence.Record {
	t.Helper()
	text, err := records.Get(context.Background(), key)
	require.NoError(t, err)
	r, err := fence.Decode(text)
	require.NoError(t, err)
	return *r
}

// events records what the fence's listener is told.
type events struct {
	mu      sync.Mutex
	renewed []telemetry.FenceRenewed
	failed  []telemetry.FenceFailed
	lost    []telemetry.FenceLost
	behind  []telemetry.FenceBehind
}

func (e *events) listener() *telemetry.Listener {
	return &telemetry.Listener{
		OnFenceRenewed: func(v telemetry.FenceRenewed) { note(e, &e.renewed, v) },
		OnFenceFailed:  func(v telemetry.FenceFailed) { note(e, &e.failed, v) },
		OnFenceLost:    func(v telemetry.FenceLost) { note(e, &e.lost, v) },
		OnFenceBehind:  func(v telemetry.FenceBehind) { note(e, &e.behind, v) },
	}
}

func note[E any](e *events, list *[]E, v E) {
	e.mu.Lock()
	defer e.mu.Unlock()
	*list = append(*list, v)
}

// read is for what has been recorded so far.
func read[E any](e *events, list *[]E) []E {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]E(nil), *list...)
}

// bubbleClock is a system clock whose wall clock is off by an offset. Make it
// inside a synctest bubble, which starts in the year 2000; the offset brings it
// to start.
type bubbleClock struct {
	mu     sync.Mutex
	offset time.Duration
}

func newBubbleClock() (*bubbleClock, *clock.System) {
	b := &bubbleClock{offset: time.Until(start)}
	return b, b.system()
}

// system is a clock of a process that starts now.
func (b *bubbleClock) system() *clock.System { return clock.NewSystem(clock.Options{Wall: b.now}) }

func (b *bubbleClock) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Add(b.offset)
}

func (b *bubbleClock) step(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offset += d
}
