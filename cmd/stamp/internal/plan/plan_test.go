package plan_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/plan"
)

func TestNewNamesEveryViolation(t *testing.T) {
	_, err := plan.New("", format.Format{Layout: bits.Layout{Node: -1}, Timescale: bits.Timescale{Unit: -1}}, now)
	for _, want := range []string{"node has -1 bits", "sequence has 0 bits", "widths add up to -1", "unit is -1ns", "zero time"} {
		require.ErrorContains(t, err, want)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 32768: "32,768", 1_000_000: "1,000,000", math.MaxUint64: "18,446,744,073,709,551,615",
	} {
		require.Equal(t, want, plan.Count(n))
	}
}

func TestRate(t *testing.T) {
	for rate, want := range map[float64]string{
		2. / 86400: "2.31e-05", 0.5: "0.5", 9.999: "10", 10.9: "10", 4096000: "4,096,000", 999999999999999: "999,999,999,999,999", 1e15: "1e+15", 9.2e27: "9.2e+27",
	} {
		require.Equal(t, want, plan.Rate(rate))
	}
}

func TestYears(t *testing.T) {
	require.Equal(t, 400., plan.Years(now, now.AddDate(400, 0, 0)))
	require.Equal(t, -400., plan.Years(now, now.AddDate(-400, 0, 0)))
	far := bits.Timescale{Epoch: now, Unit: 24 * time.Hour}.Time(1 << 62)
	require.InDelta(t, 292277022598., plan.Years(now, far), 2e7)
	for years, want := range map[float64]string{0: "0 days", 0.25: "91 days", 1: "1.0 years", 69.68: "69.7 years", 292277022598: "292,277,022,598 years"} {
		require.Equal(t, want, plan.Span(years))
	}
}
