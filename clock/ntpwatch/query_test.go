package ntpwatch

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

// No step, however long, makes a bound small by wrapping.
func TestJudge_boundIsCut(t *testing.T) {
	sent := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	for _, roundTrip := range []time.Duration{0, math.MaxInt64} {
		for _, wall := range []time.Duration{math.MinInt64, -farthest, farthest, math.MaxInt64} {
			o, err := judge(&ntp.Response{
				Timestamps: ntp.ProtocolTimestamps{ClientXmit: sent, ServerRecv: sent, ServerXmit: sent, ClientRecv: sent},
				Stratum:    1, Version: 4, Time: sent, ReferenceTime: sent, RTT: roundTrip, RootDistance: roundTrip / 2,
			}, wall, time.Second)
			require.NoError(t, err)
			require.Equal(t, farthest/2, o.Bound, "%v, %v", roundTrip, wall)
		}
	}
}
