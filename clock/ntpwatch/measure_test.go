package ntpwatch_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock/ntpwatch"
)

// patient is the timeout of queries that are answered, however busy the
// machine is; brief is that of queries that aren't.
const (
	patient = 30 * time.Second
	brief   = 20 * time.Millisecond
)

func watchOf(t *testing.T, o ntpwatch.Options, servers ...*responder) *ntpwatch.Watch {
	t.Helper()
	for _, server := range servers {
		o.Servers = append(o.Servers, server.address)
	}
	if o.Timeout == 0 {
		o.Timeout = patient
	}
	o.Spacing = 1
	w, err := ntpwatch.New(o)
	require.NoError(t, err)
	return w
}

// requireOffset says that o is right about a server that is off by truth.
func requireOffset(t *testing.T, truth time.Duration, o ntpwatch.Offset) {
	t.Helper()
	require.LessOrEqual(t, (o.Offset - truth).Abs(), o.Bound)
	require.Less(t, o.Bound, patient, "a bound that says something")
}

func TestMeasure(t *testing.T) {
	for _, truth := range []time.Duration{0, time.Second, -time.Second, 90 * time.Minute, -40 * 365 * 24 * time.Hour} {
		t.Run(truth.String(), func(t *testing.T) {
			server := startResponder(t, off(truth))
			before := time.Now().Round(0)
			o, err := watchOf(t, ntpwatch.Options{}, server).Measure(t.Context())
			require.NoError(t, err)
			requireOffset(t, truth, o)
			require.Equal(t, server.address, o.Server)
			require.Equal(t, server.address, o.Address)
			require.EqualValues(t, 2, o.Stratum)
			require.Empty(t, o.Faults)
			require.False(t, o.At.Before(before))
			require.False(t, o.At.After(time.Now().Round(0)))
			require.GreaterOrEqual(t, o.Bound, (o.RoundTrip+admitted)/2+admitted, "half of both delays, and the dispersion")
			require.EqualValues(t, ntpwatch.DefaultSamples, server.queries.Load())
		})
	}
}

// The replies differ in the distance that the server admits.
func TestMeasure_theLeastErrorBoundCounts(t *testing.T) {
	server := startResponder(t, func(n int, p packet) []byte {
		p.stratum = byte(n)
		p.dispersion = 10 * time.Second
		if n == 3 {
			p.dispersion = time.Millisecond
		}
		return p.bytes()
	})
	o, err := watchOf(t, ntpwatch.Options{}, server).Measure(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3, o.Stratum)
}

func TestMeasure_unusableReplies(t *testing.T) {
	tests := map[string]func(packet) []byte{
		"not synchronised, by leap":    func(p packet) []byte { p.leap = 3; return p.bytes() },
		"not synchronised, by stratum": func(p packet) []byte { p.stratum = 16; return p.bytes() },
		"reserved stratum":             func(p packet) []byte { p.stratum = 200; return p.bytes() },
		"a client's packet":            func(p packet) []byte { p.mode = 3; return p.bytes() },
		"a broadcast":                  func(p packet) []byte { p.mode = 5; return p.bytes() },
		"an origin that wasn't sent":   func(p packet) []byte { p.origin[0]++; return p.bytes() },
		"no origin":                    func(p packet) []byte { p.origin = [8]byte{}; return p.bytes() },
		"a kiss with another's origin": func(p packet) []byte {
			p.origin[7]++
			return kiss("DENY")(0, p)
		},
		"a client's packet that looks like a kiss": func(p packet) []byte {
			p.mode, p.stratum, p.refID = 3, 0, "DENY"
			return p.bytes()
		},
		"no transmit time":              func(p packet) []byte { p.transmit = time.Time{}; return p.bytes() },
		"no receive time":               func(p packet) []byte { p.receive = time.Time{}; return p.bytes() },
		"sent before it was received":   func(p packet) []byte { p.receive = p.transmit.Add(time.Hour); return p.bytes() },
		"set after it was sent":         func(p packet) []byte { p.reference = p.transmit.Add(time.Hour); return p.bytes() },
		"set two days ago":              func(p packet) []byte { p.reference = p.transmit.Add(-48 * time.Hour); return p.bytes() },
		"too far from a reference":      func(p packet) []byte { p.dispersion = 17 * time.Second; return p.bytes() },
		"held for longer than it took":  func(p packet) []byte { p.transmit = p.transmit.Add(time.Hour); return p.bytes() },
		"held, to hide half of its lie": func(p packet) []byte { p.receive = p.receive.Add(-time.Hour); return p.bytes() },
		"garbage":                       func(packet) []byte { return []byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n and so on") },
		"a packet cut short":            func(p packet) []byte { return p.bytes()[:47] },
		"an empty packet":               func(packet) []byte { return []byte{} },
	}
	for name, reply := range tests {
		t.Run(name, func(t *testing.T) {
			server := startResponder(t, func(_ int, p packet) []byte { return reply(p) })
			w := watchOf(t, ntpwatch.Options{}, server)
			_, err := w.Measure(t.Context())
			require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
			require.ErrorIs(t, err, ntpwatch.ErrReply)
			require.NotErrorIs(t, err, ntpwatch.ErrKiss)
			require.ErrorContains(t, err, server.address)
			require.ErrorIs(t, w.Check(t.Context()), ntpwatch.ErrReply)
			require.EqualValues(t, 2*ntpwatch.DefaultSamples, server.queries.Load(), "it is asked again")
		})
	}
}

func TestMeasure_oneGoodReplyIsEnough(t *testing.T) {
	server := startResponder(t, func(n int, p packet) []byte {
		switch n {
		case 1:
			return []byte("garbage")
		case 2:
			p.leap = 3
		case 4:
			p.origin[0]++
		}
		return p.bytes()
	})
	o, err := watchOf(t, ntpwatch.Options{}, server).Measure(t.Context())
	require.NoError(t, err)
	requireOffset(t, 0, o)
	require.Empty(t, o.Faults)
}

func TestMeasure_lostPackets(t *testing.T) {
	t.Run("all", func(t *testing.T) {
		server := startResponder(t, silent)
		_, err := watchOf(t, ntpwatch.Options{Timeout: brief}, server).Measure(t.Context())
		require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.NotErrorIs(t, err, context.DeadlineExceeded, "that is the caller's")
		require.EqualError(t, err, "ntpwatch: no time server gave a usable answer: time server "+server.address+
			": no reply within 20ms: i/o timeout")
	})
	t.Run("all but one", func(t *testing.T) {
		server := startResponder(t, func(n int, p packet) []byte {
			if n%4 != 0 {
				return nil
			}
			return p.bytes()
		})
		w := watchOf(t, ntpwatch.Options{Timeout: 200 * time.Millisecond, Samples: 8}, server)
		o, err := w.Measure(t.Context())
		require.NoError(t, err)
		requireOffset(t, 0, o)
	})
}

// The first query is answered when the second one is under way, which must not
// take that reply for its own.
func TestMeasure_lateReply(t *testing.T) {
	var first packet
	server := startResponder(t, func(n int, p packet) []byte {
		if n == 1 {
			first = p
			return nil
		}
		return first.bytes()
	})
	_, err := watchOf(t, ntpwatch.Options{Timeout: 100 * time.Millisecond, Samples: 2}, server).Measure(t.Context())
	require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
	require.EqualValues(t, 2, server.queries.Load())
}

func TestMeasure_nobodyThere(t *testing.T) {
	server, stop, err := respond(right)
	require.NoError(t, err)
	stop()
	_, err = watchOf(t, ntpwatch.Options{Timeout: brief}, server).Measure(t.Context())
	require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
	require.ErrorContains(t, err, server.address)
}

// The timeout of a query is an hour: these tests end because Measure heeds its
// context, or they don't end.
func TestMeasure_endsWithItsContext(t *testing.T) {
	t.Run("deadline while a reply is awaited", func(t *testing.T) {
		w := watchOf(t, ntpwatch.Options{Timeout: time.Hour}, startResponder(t, silent), startResponder(t, silent))
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithTimeout(t.Context(), brief)
		defer cancel()
		_, err := w.Measure(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
		for runtime.NumGoroutine() > before { // for ever, if one stays behind
			runtime.Gosched()
		}
	})
	t.Run("cancelled while a reply is awaited", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server := startResponder(t, func(int, packet) []byte { cancel(); return nil })
		err := watchOf(t, ntpwatch.Options{Timeout: time.Hour}, server).Check(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.EqualValues(t, 1, server.queries.Load())
	})
	t.Run("cancelled before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		server := startResponder(t, right)
		_, err := watchOf(t, ntpwatch.Options{}, server).Measure(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, server.queries.Load())
	})
	t.Run("with what has been answered", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server := startResponder(t, func(n int, p packet) []byte {
			if n == 2 {
				cancel()
				return nil
			}
			return p.bytes()
		})
		o, err := watchOf(t, ntpwatch.Options{Timeout: time.Hour}, server).Measure(ctx)
		require.NoError(t, err)
		requireOffset(t, 0, o)
	})
	t.Run("between two queries", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server := startResponder(t, right)
		w, err := ntpwatch.New(ntpwatch.Options{Servers: []string{server.address}, Spacing: time.Hour, Timeout: patient})
		require.NoError(t, err)
		go func() {
			for server.queries.Load() == 0 {
				runtime.Gosched()
			}
			cancel()
		}()
		_, _ = w.Measure(ctx) // the reply may have come before the end or not
		require.EqualValues(t, 1, server.queries.Load())
	})
}

func TestMeasure_oneOfThreeLies(t *testing.T) {
	for place := range 3 {
		servers := []*responder{startResponder(t, right), startResponder(t, right)}
		liar := startResponder(t, off(time.Hour))
		servers = append(servers[:place], append([]*responder{liar}, servers[place:]...)...)
		w := watchOf(t, ntpwatch.Options{}, servers...)
		o, err := w.Measure(t.Context())
		require.NoError(t, err)
		requireOffset(t, 0, o)
		require.NotEqual(t, liar.address, o.Server)
		require.Len(t, o.Faults, 1)
		require.Equal(t, liar.address, o.Faults[0].Server)
		require.ErrorIs(t, o.Faults[0], ntpwatch.ErrOutlier)
		outlier, ok := errors.AsType[*ntpwatch.OutlierError](o.Faults[0])
		require.True(t, ok)
		requireOffset(t, time.Hour, outlier.Offset)
		require.Equal(t, o.Server, outlier.Agreed.Server)
		require.NoError(t, w.Check(t.Context()))
	}
}

func TestMeasure_noMajority(t *testing.T) {
	tests := map[string][]time.Duration{
		"two":       {0, time.Hour},
		"three":     {0, time.Hour, -time.Hour},
		"two pairs": {0, time.Hour, 0, time.Hour},
	}
	for name, clocks := range tests {
		t.Run(name, func(t *testing.T) {
			var servers []*responder
			for _, d := range clocks {
				servers = append(servers, startResponder(t, off(d)))
			}
			_, err := watchOf(t, ntpwatch.Options{}, servers...).Measure(t.Context())
			require.ErrorIs(t, err, ntpwatch.ErrDisagree)
			require.NotErrorIs(t, err, ntpwatch.ErrNoAnswer)
			failure, ok := errors.AsType[*ntpwatch.ServersError](err)
			require.True(t, ok)
			require.Len(t, failure.Servers, len(clocks))
			for i, fault := range failure.Servers {
				require.Equal(t, servers[i].address, fault.Server)
				require.ErrorIs(t, fault, ntpwatch.ErrOutlier)
				require.ErrorContains(t, err, fault.Server)
			}
		})
	}
}

// A server that is far from its reference says so, and contradicts nobody.
func TestMeasure_wideAnswersAgree(t *testing.T) {
	wide := startResponder(t, func(_ int, p packet) []byte {
		p.dispersion = 10 * time.Second
		p.reference = p.reference.Add(-time.Minute)
		p.receive, p.transmit = p.receive.Add(8*time.Second), time.Now().Add(8*time.Second)
		return p.bytes()
	})
	near := startResponder(t, right)
	o, err := watchOf(t, ntpwatch.Options{}, wide, near).Measure(t.Context())
	require.NoError(t, err)
	require.Equal(t, near.address, o.Server)
	require.Empty(t, o.Faults)
}

func TestMeasure_oneOfTwoIsDown(t *testing.T) {
	down, up := startResponder(t, func(_ int, p packet) []byte { p.stratum = 16; return p.bytes() }), startResponder(t, right)
	o, err := watchOf(t, ntpwatch.Options{}, down, up).Measure(t.Context())
	require.NoError(t, err)
	require.Equal(t, up.address, o.Server)
	require.Len(t, o.Faults, 1)
	require.Equal(t, down.address, o.Faults[0].Server)
	require.ErrorIs(t, o.Faults[0], ntpwatch.ErrReply)
}

func TestCheck(t *testing.T) {
	tests := []struct {
		off   time.Duration
		max   time.Duration
		wrong bool
	}{
		{0, time.Second, false},
		{time.Hour, time.Second, true},
		{-time.Hour, time.Second, true},
		{time.Hour, 2 * time.Hour, false},
		{-time.Hour, 2 * time.Hour, false},
		{0, time.Millisecond, true}, // less than the server itself vouches for
	}
	for _, test := range tests {
		w := watchOf(t, ntpwatch.Options{MaxOffset: test.max}, startResponder(t, off(test.off)))
		err := w.Check(t.Context())
		if !test.wrong {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ntpwatch.ErrOffset)
		wrong, ok := errors.AsType[*ntpwatch.OffsetError](err)
		require.True(t, ok)
		requireOffset(t, test.off, wrong.Offset)
		require.Equal(t, test.max, wrong.Max)
		require.ErrorContains(t, err, wrong.Offset.Offset.String())
		require.ErrorContains(t, err, wrong.Max.String())
	}
}

func TestOffsetExceeds(t *testing.T) {
	for _, sign := range []time.Duration{1, -1} {
		o := ntpwatch.Offset{Offset: sign * 900 * time.Millisecond, Bound: 100 * time.Millisecond}
		require.False(t, o.Exceeds(time.Second))
		require.True(t, o.Exceeds(time.Second-1))
	}
}
