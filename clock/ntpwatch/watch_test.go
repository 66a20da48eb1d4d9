package ntpwatch_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock/ntpwatch"
	"github.com/stampid/go-stamp/telemetry"
)

// watched runs a watch until it has reported so many events.
func watched(t *testing.T, events int, o ntpwatch.Options, servers ...*responder) []ntpwatch.Event {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []ntpwatch.Event
	o.Interval = time.Millisecond
	o.OnEvent = func(e ntpwatch.Event) {
		if got = append(got, e); len(got) == events {
			cancel()
		}
	}
	require.ErrorIs(t, watchOf(t, o, servers...).Run(ctx), context.Canceled)
	return got
}

func TestRun_reportsEachMeasurement(t *testing.T) {
	server := startResponder(t, func(n int, p packet) []byte {
		if n > 2 {
			return off(time.Hour)(n, p)
		}
		return p.bytes()
	})
	got := watched(t, 4, ntpwatch.Options{Samples: 1}, server)
	require.Len(t, got, 4)
	for i, e := range got {
		require.NoError(t, e.Err)
		require.Equal(t, server.address, e.Server)
		require.Equal(t, ntpwatch.DefaultMaxOffset, e.Max)
		require.Equal(t, i >= 2, e.Exceeded)
		truth := time.Duration(0)
		if i >= 2 {
			truth = time.Hour
		}
		requireOffset(t, truth, ntpwatch.Offset{Offset: e.Offset, Bound: e.Bound})
		require.Positive(t, e.RoundTrip)
	}
	require.EqualValues(t, 4, server.queries.Load())
}

func TestRun_reportsFailuresAndGoesOn(t *testing.T) {
	server := startResponder(t, func(n int, p packet) []byte {
		if n == 1 {
			p.stratum = 16
		}
		return p.bytes()
	})
	got := watched(t, 2, ntpwatch.Options{Samples: 1}, server)
	require.ErrorIs(t, got[0].Err, ntpwatch.ErrNoAnswer)
	require.Equal(t, ntpwatch.Event{Max: ntpwatch.DefaultMaxOffset, Err: got[0].Err}, got[0])
	require.NoError(t, got[1].Err)
}

func TestRun_reportsTheServersThatAreNotGoneBy(t *testing.T) {
	liar := startResponder(t, off(time.Hour))
	got := watched(t, 2, ntpwatch.Options{}, startResponder(t, right), liar, startResponder(t, right))
	require.Equal(t, liar.address, got[0].Server)
	require.ErrorIs(t, got[0].Err, ntpwatch.ErrOutlier)
	require.NoError(t, got[1].Err)
	require.False(t, got[1].Exceeded)
}

func TestRun_endsWhenNobodyMayBeAsked(t *testing.T) {
	var got []ntpwatch.Event
	o := ntpwatch.Options{OnEvent: func(e ntpwatch.Event) { got = append(got, e) }}
	denied, restricted := startResponder(t, kiss("DENY")), startResponder(t, kiss("RSTR"))
	err := watchOf(t, o, denied, restricted).Run(t.Context())
	require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
	require.ErrorIs(t, err, ntpwatch.ErrKiss)
	require.Len(t, got, 1)
	require.EqualValues(t, 1, denied.queries.Load())
}

// The interval is a millisecond, so it would be asked again soon.
func TestRun_waitsForAServerThatIsRested(t *testing.T) {
	server := startResponder(t, func(n int, p packet) []byte {
		if n <= 6 {
			return kiss("RATE")(n, p)
		}
		return p.bytes()
	})
	got := watched(t, 7, ntpwatch.Options{Samples: 1}, server)
	for i, e := range got[:6] {
		k, ok := errors.AsType[*ntpwatch.KissError](e.Err)
		require.True(t, ok, "%d: %v", i, e.Err)
		require.False(t, k.Until.IsZero())
	}
	require.NoError(t, got[6].Err)
	require.EqualValues(t, 7, server.queries.Load(), "each report is one of asking, none of being told to wait")
}

func TestRun_endsWithItsContext(t *testing.T) {
	silent := startResponder(t, silent)
	ctx, cancel := context.WithTimeout(t.Context(), brief)
	defer cancel()
	o := ntpwatch.Options{Timeout: time.Hour, OnEvent: func(ntpwatch.Event) { t.Error("no measurement was made") }}
	require.ErrorIs(t, watchOf(t, o, silent).Run(ctx), context.DeadlineExceeded)
}

func TestRun_needsSomebodyToReportTo(t *testing.T) {
	server := startResponder(t, right)
	require.ErrorIs(t, watchOf(t, ntpwatch.Options{}, server).Run(t.Context()), ntpwatch.ErrOptions)
	require.Zero(t, server.queries.Load())
}

// The watch is connected to telemetry by the line with Emit.
func ExampleWatch_Run() {
	server, stop, err := respond(off(-time.Hour)) // your time servers
	if err != nil {
		log.Fatal(err)
	}
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())

	watch, err := ntpwatch.New(ntpwatch.Options{
		Servers: []string{server.address},
		Spacing: time.Millisecond,
		OnEvent: func(e ntpwatch.Event) { telemetry.Emit(nil, telemetry.ClockOffset(e)) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer telemetry.Subscribe(func(e telemetry.ClockOffset) {
		fmt.Println("off by more than", e.Max, e.Exceeded)
		cancel()
	})()
	fmt.Println(watch.Run(ctx)) // in a program: go watch.Run(ctx)
	// Output:
	// off by more than 1s true
	// context canceled
}

// A node that doesn't start with a wrong clock.
func ExampleWatch_Check() {
	server, stop, err := respond(off(-time.Hour)) // your time servers
	if err != nil {
		log.Fatal(err)
	}
	defer stop()

	watch, err := ntpwatch.New(ntpwatch.Options{Servers: []string{server.address}, Spacing: time.Millisecond})
	if err != nil {
		log.Fatal(err)
	}
	switch err := watch.Check(context.Background()); {
	case errors.Is(err, ntpwatch.ErrOffset):
		fmt.Println("the clock is wrong: don't start")
	case err != nil:
		fmt.Println("can't tell:", err)
	}
	// Output: the clock is wrong: don't start
}
