package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/encode"
)

func TestPlanGolden(t *testing.T) {
	for name, test := range map[string]struct {
		args  string
		color bool
	}{
		"plan":                {args: "plan"},
		"plan_layout":         {args: "plan 4/41/6/12 --epoch 2026-01-01T00:00:00Z --rate 5000 --nodes 40"},
		"plan_flag":           {args: "plan --layout 0/41/5/7 --now 2030-01-01T00:00:00Z --javascript"},
		"plan_preset":         {args: "plan --preset cosid 0/41/0/22"},
		"plan_colour":         {args: "plan snowflake", color: true},
		"plan_bad":            {args: "plan 20/28/8/7 --unit 10s --epoch 2020-01-01T00:00:00Z --years 100 --nodes 20 --rate 1000 --javascript"},
		"plan_without_time":   {args: "plan 4/0/0/59"},
		"plan_two":            {args: "plan stamp snowflake"},
		"plan_two_colour":     {args: "plan stamp 4/41/6/12", color: true},
		"plan_two_time_apart": {args: "plan 4/0/0/59 0/41/5/7"},
		"plan_json":           {args: "plan --json stamp 4/0/0/59"},
	} {
		t.Run(name, func(t *testing.T) {
			s, out, message := fixed("")
			s.color = test.color
			require.Zero(t, run(strings.Fields(test.args), s), message.String())
			require.Empty(t, message.String())
			requireGolden(t, name, out.String())
		})
	}
}

// The figures of random layouts are those of package bits, and texts are as
// long as that of the largest id.
func TestPlanFiguresAreThoseOfBits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		layout := randomLayout(r)
		scale := bits.Timescale{
			Epoch: time.UnixMilli(r.Int64N(4e12) - 1e12).UTC(),
			Unit:  time.Duration(r.Int64N(int64(24*time.Hour))>>r.IntN(47) + 1),
		}
		now := time.UnixMilli(r.Int64N(4e12)).UTC()
		c := planCommand{
			Layouts: []string{layout.String()}, JSON: true, Now: (*epochFlag)(&now),
			timescaleFlags: timescaleFlags{Epoch: (*epochFlag)(&scale.Epoch), Unit: &scale.Unit},
		}
		s, out, _ := fixed("")
		require.NoError(t, c.Run(s))
		what := fmt.Sprint(layout, scale, now)
		var got struct {
			Layout     string
			Epoch      time.Time
			End        string
			YearsLeft  float64 `json:"years_left"`
			Partitions uint64
			Nodes      uint64
			IDsPerUnit uint64             `json:"ids_per_unit"`
			PerSecond  map[string]float64 `json:"ids_per_second"`
			MaxID      string             `json:"max_id"`
			JavaScript bool
			TextWidth  map[string]int `json:"text_width"`
		}
		require.NoError(t, json.Unmarshal(out.Bytes(), &got), what)

		require.Equal(t, layout.String(), got.Layout)
		require.Equal(t, layout.Partitions(), got.Partitions)
		require.Equal(t, layout.Nodes(), got.Nodes)
		require.Equal(t, strconv.FormatInt(layout.MaxID(), 10), got.MaxID)
		require.Equal(t, layout.Width() == 53, got.JavaScript)
		for _, codec := range codecs() {
			if width, shown := got.TextWidth[codec.Name()]; shown {
				form, err := encode.NewText(codec, "", layout.Width())
				require.NoError(t, err)
				text, err := form.Encode(uint64(layout.MaxID()))
				require.NoError(t, err)
				require.Len(t, text, width, codec.Name())
				delete(got.TextWidth, codec.Name())
			}
		}
		require.Empty(t, got.TextWidth)
		if layout.Time == 0 {
			require.Nil(t, got.PerSecond)
			continue
		}
		require.Equal(t, layout.IDsPerUnit(), got.IDsPerUnit)
		require.Equal(t, scale.Epoch, got.Epoch)
		end := scale.End(layout)
		require.Contains(t, got.End, end.Format("2006-01-02T15:04:05"))
		left, _ := new(big.Rat).SetFrac(
			new(big.Int).Sub(big.NewInt(end.Unix()), big.NewInt(now.Unix())), big.NewInt(146097*86400/400),
		).Float64()
		require.InDelta(t, left, got.YearsLeft, 0.001+math.Abs(left)*1e-14, what)
		nodes, partitions := layout.Nodes(), layout.Nodes()*layout.Partitions()
		for name, count := range map[string]uint64{"node": 1, "partition": nodes, "all": partitions} {
			want, _ := new(big.Rat).Mul(
				new(big.Rat).SetInt(new(big.Int).SetUint64(layout.IDsPerUnit()*count)),
				big.NewRat(int64(time.Second), int64(scale.Unit)),
			).Float64()
			require.InEpsilon(t, want, got.PerSecond[name], 1e-14, what)
		}
	}
}

// randomLayout is one of 63 or 53 bits, often without one field or another.
func randomLayout(r *rand.Rand) bits.Layout {
	left := []int{63, 53}[r.IntN(2)] - 1
	var widths [3]int
	for _, i := range r.Perm(3) {
		widths[i] = r.IntN(left + 1)
		left -= widths[i]
	}
	return bits.Layout{Partition: widths[0], Time: widths[1], Node: widths[2], Sequence: left + 1}
}

func TestPlanWarnsInJSON(t *testing.T) {
	var got struct{ Warnings []struct{ Name, Text string } }
	require.NoError(t, json.Unmarshal([]byte(answer(t, "", "plan --json 0/41/0/22")), &got))
	require.Len(t, got.Warnings, 1)
	require.Equal(t, "one-node", got.Warnings[0].Name)
	require.Contains(t, answer(t, "", "plan --json"), `"warnings":[]`)
}

func TestPlanUsage(t *testing.T) {
	requireUsage(t, map[string]string{
		"plan 4/41/6/13":                    "widths add up to 64 bits",
		"plan 4/41":                         "2 widths",
		"plan twitter":                      `layout "twitter"`,
		"plan --preset twitter":             "there are stamp, snowflake, cosid",
		"plan stamp cosid snowflake":        "3 layouts",
		"plan --layout 4/41/6/12 stamp":     "one way only",
		"plan --layout 4/41/6/13":           "widths add up to 64 bits",
		"plan --unit 25h":                   "25h",
		"plan --epoch yesterday":            "yesterday",
		"plan --epoch 0001-01-01T00:00:00Z": "zero time",
		"plan --years=-1":                   "--years -1",
		"plan --rate=-1":                    "--rate",
	})
}

func TestPlanReportsAllThatIsWrong(t *testing.T) {
	s, out, message := fixed("")
	require.Equal(t, exitUsage, run(strings.Fields("plan 63/41/6/0 4/x/6/12 --unit 0s --years=-2"), s))
	require.Empty(t, out.String())
	for _, want := range []string{"partition has 63 bits", "sequence has 0 bits", "widths add up to 110 bits", `width "x"`, "unit is 0s", "--years -2"} {
		require.Equal(t, 1, strings.Count(message.String(), want), "%s in %s", want, message)
	}
}
