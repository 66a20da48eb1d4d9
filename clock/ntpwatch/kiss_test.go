package ntpwatch_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock/ntpwatch"
)

func TestKiss_denyIsForGood(t *testing.T) {
	for _, code := range []string{"DENY", "RSTR"} {
		t.Run(code, func(t *testing.T) {
			server := startResponder(t, kiss(code))
			w := watchOf(t, ntpwatch.Options{}, server)
			for range 3 {
				_, err := w.Measure(t.Context())
				require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
				require.ErrorIs(t, err, ntpwatch.ErrKiss)
				k, ok := errors.AsType[*ntpwatch.KissError](err)
				require.True(t, ok)
				require.Equal(t, code, k.Code)
				require.True(t, k.Final())
				require.Zero(t, k.Until)
			}
			require.EqualValues(t, 1, server.queries.Load())
			require.EqualError(t, w.Check(t.Context()), "ntpwatch: no time server gave a usable answer: time server "+
				server.address+`: kiss of death "`+code+`", not to be asked again`)
		})
	}
}

// The next query may come two intervals later, after another RATE four.
func TestKiss_rateBacksOff(t *testing.T) {
	var angry atomic.Bool
	server := startResponder(t, func(n int, p packet) []byte {
		if angry.Load() {
			return kiss("RATE")(n, p)
		}
		return p.bytes()
	})
	const interval = 200 * time.Millisecond
	w := watchOf(t, ntpwatch.Options{Interval: interval}, server)
	untilKissed := func() time.Time {
		t.Helper()
		_, err := w.Measure(t.Context())
		require.ErrorIs(t, err, ntpwatch.ErrKiss)
		k, ok := errors.AsType[*ntpwatch.KissError](err)
		require.True(t, ok)
		require.Equal(t, "RATE", k.Code)
		require.False(t, k.Final())
		return k.Until
	}
	angry.Store(true)
	before := time.Now().Round(0)
	until := untilKissed()
	require.False(t, until.Before(before.Add(2*interval)), "%v after %v", until, before)
	require.Equal(t, until, untilKissed(), "still the first")
	require.EqualValues(t, 1, server.queries.Load())

	time.Sleep(time.Until(until))
	before = time.Now().Round(0)
	until = untilKissed()
	require.False(t, until.Before(before.Add(4*interval)), "%v after %v", until, before)
	require.EqualValues(t, 2, server.queries.Load())

	// A good reply doesn't raise the rate again.
	angry.Store(false)
	time.Sleep(time.Until(until))
	before = time.Now().Round(0)
	_, err := w.Measure(t.Context())
	require.NoError(t, err)
	until = untilKissed()
	require.False(t, until.Before(before.Add(4*interval)), "%v after %v", until, before)
	require.EqualValues(t, 2+ntpwatch.DefaultSamples, server.queries.Load())
}

func TestKiss_endsTheMeasurementAndKeepsItsReplies(t *testing.T) {
	server := startResponder(t, func(n int, p packet) []byte {
		if n == 2 {
			return kiss("RATE")(n, p)
		}
		return p.bytes()
	})
	o, err := watchOf(t, ntpwatch.Options{}, server).Measure(t.Context())
	require.NoError(t, err)
	requireOffset(t, 0, o)
	require.EqualValues(t, 2, server.queries.Load())
	require.Len(t, o.Faults, 1)
	require.ErrorIs(t, o.Faults[0], ntpwatch.ErrKiss)
}

// Other codes make the reply useless and want nothing of the client.
func TestKiss_otherCodes(t *testing.T) {
	for _, code := range []string{"INIT", "X123", "\x00\x00\x00\x00"} {
		server := startResponder(t, kiss(code))
		w := watchOf(t, ntpwatch.Options{}, server)
		for queries := range 3 {
			_, err := w.Measure(t.Context())
			require.ErrorIs(t, err, ntpwatch.ErrNoAnswer)
			require.ErrorIs(t, err, ntpwatch.ErrKiss)
			require.EqualValues(t, queries+1, server.queries.Load())
		}
	}
}

// Servers may leave the times of a kiss of death empty, or repeat the query's.
func TestKiss_withoutTimes(t *testing.T) {
	for name, change := range map[string]func(*packet){
		"empty":    func(p *packet) { p.receive, p.transmit, p.reference = time.Time{}, time.Time{}, time.Time{} },
		"reversed": func(p *packet) { p.receive = p.transmit.Add(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			server := startResponder(t, func(n int, p packet) []byte {
				change(&p)
				return kiss("DENY")(n, p)
			})
			w := watchOf(t, ntpwatch.Options{}, server)
			for range 2 {
				_, err := w.Measure(t.Context())
				require.ErrorIs(t, err, ntpwatch.ErrKiss)
			}
			require.EqualValues(t, 1, server.queries.Load())
		})
	}
}

func TestKiss_ofOneServerLeavesTheOthers(t *testing.T) {
	denied, up := startResponder(t, kiss("DENY")), startResponder(t, right)
	w := watchOf(t, ntpwatch.Options{}, denied, up)
	for range 2 {
		o, err := w.Measure(t.Context())
		require.NoError(t, err)
		require.Equal(t, up.address, o.Server)
		require.Len(t, o.Faults, 1)
		require.Equal(t, denied.address, o.Faults[0].Server)
		require.ErrorIs(t, o.Faults[0], ntpwatch.ErrKiss)
	}
	require.EqualValues(t, 1, denied.queries.Load())
}
