package clock

import (
	"math"
	"testing"
	"time"

	"github.com/beevik/ntp"
	"github.com/stretchr/testify/require"
)

func TestOffsetOf(t *testing.T) {
	here := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	const year = 365 * 24 * time.Hour
	tests := []struct {
		server, client time.Time
		want           time.Duration
	}{
		{here, here, 0},
		{here.Add(time.Second), here, time.Second},
		{here, here.Add(time.Second), -time.Second},
		{here, here.Add(140 * year), -140 * year},
		{here, here.Add(200 * year), -farthest}, // the sum of two such differences wraps
		{here, here.Add(250 * year).Add(250 * year), -farthest},
		{here.Add(250 * year), here, farthest},
	}
	for _, test := range tests {
		got := offsetOf(ntp.ProtocolTimestamps{
			ClientXmit: test.client, ServerRecv: test.server, ServerXmit: test.server, ClientRecv: test.client,
		})
		require.Equal(t, test.want, got, "%v, %v", test.server, test.client)
	}
}

// A step of the system clock while the reply is awaited makes the offset
// wrong, by half the step at most, and the round trip as well.
func TestJudge_stepOfTheSystemClock(t *testing.T) {
	const trip = 10 * time.Millisecond
	sent := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	for _, step := range []time.Duration{0, time.Second, -time.Second, time.Hour, -time.Hour, 100 * 365 * 24 * time.Hour} {
		received := sent.Add(trip + step)
		times := ntp.ProtocolTimestamps{
			ClientXmit: sent, ServerRecv: sent.Add(trip / 2), ServerXmit: sent.Add(trip / 2), ClientRecv: received,
		}
		roundTrip := max(received.Sub(sent), 0)
		response := &ntp.Response{
			Timestamps: times, Stratum: 1, Version: 4, Time: times.ServerXmit, ReferenceTime: sent,
			RTT: roundTrip, RootDistance: roundTrip / 2,
		}
		o, err := judge(response, trip+step, trip)
		require.NoError(t, err)
		require.LessOrEqual(t, o.Offset.Abs(), o.Bound, "%v", step) // it was 0 before the step
		require.GreaterOrEqual(t, o.Bound, min(step.Abs(), farthest/2))
	}
}

func answer(server string, offset, bound time.Duration) *Offset {
	return &Offset{Server: server, Offset: offset, Bound: bound}
}

func TestAgree(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	tests := map[string]struct {
		answers          []*Offset
		agreed, outliers string
	}{
		"none":                                 {nil, "", ""},
		"one":                                  {[]*Offset{answer("a", s, ms)}, "a", ""},
		"two that agree, the better one first": {[]*Offset{answer("a", 0, 2*s), answer("b", s, 10*ms)}, "ba", ""},
		"two that don't":                       {[]*Offset{answer("a", 0, 10*ms), answer("b", s, 10*ms)}, "", "ab"},
		"intervals that touch":                 {[]*Offset{answer("a", 0, s), answer("b", 2*s, s)}, "ab", ""},
		"and that just don't":                  {[]*Offset{answer("a", 0, s), answer("b", 2*s+1, s)}, "", "ab"},
		"the least distance":                   {[]*Offset{answer("a", 0, 0), answer("b", 2*minDistance, 0)}, "ab", ""},
		"two thirds":                           {[]*Offset{answer("a", 9*s, ms), answer("b", 0, ms), answer("c", 0, ms)}, "bc", "a"},
		"two of four":                          {[]*Offset{answer("a", 0, ms), answer("b", 0, ms), answer("c", s, ms), answer("d", s, ms)}, "", "abcd"},
		"each two of three, not all":           {[]*Offset{answer("a", -s, s), answer("b", 0, s/2), answer("c", s, s/2)}, "ba", "c"},
		"an interval around the others":        {[]*Offset{answer("a", 0, 10*s), answer("b", -s, ms), answer("c", s, ms)}, "ba", "c"},
		"the farthest": {[]*Offset{
			answer("a", farthest, farthest/2), answer("b", -farthest, farthest/2),
			answer("c", farthest, farthest/2),
		}, "ac", "b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			names := func(answers []*Offset) (all string) {
				for _, a := range answers {
					all += a.Server
				}
				return all
			}
			agreed, outliers := agree(test.answers)
			require.Equal(t, test.agreed, names(agreed))
			require.Equal(t, test.outliers, names(outliers))
		})
	}
}

func TestJittered(t *testing.T) {
	for range 1000 {
		d := jittered(time.Hour)
		require.GreaterOrEqual(t, d, 54*time.Minute)
		require.LessOrEqual(t, d, 66*time.Minute)
	}
	require.NotEqual(t, jittered(time.Hour), jittered(time.Hour))
	require.Positive(t, jittered(1))
	require.Positive(t, jittered(farthest))
}

// Each RATE doubles the pause, up to the longest interval of NTP.
func TestRateIsHalvedToALimit(t *testing.T) {
	for _, interval := range []time.Duration{1, time.Minute, farthest} {
		s := new(ntpServer)
		for pause := interval; pause < maxPause; pause *= 2 {
			s.asked(&KissError{Code: kissRate}, interval)
			require.Equal(t, min(2*pause, maxPause), s.pause)
		}
		s.asked(&KissError{Code: kissRate}, math.MaxInt64)
		require.Equal(t, maxPause, s.pause)
	}
}
