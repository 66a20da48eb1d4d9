package storetest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store/storetest"
)

// kinds returns what a plan says about the first n calls of op.
func kinds(plan storetest.Plan, op storetest.Op, n int) (found []storetest.Kind) {
	for i := range n {
		found = append(found, plan(storetest.Call{Op: op, Number: i + 1}).Kind)
	}
	return found
}

func TestScript(t *testing.T) {
	plan := storetest.Script(storetest.OpRaise, storetest.Fault{}, storetest.Fault{Kind: storetest.Hang})
	require.Equal(t, []storetest.Kind{storetest.Pass, storetest.Hang, storetest.Pass}, kinds(plan, storetest.OpRaise, 3))
	require.Equal(t, []storetest.Kind{storetest.Pass, storetest.Pass}, kinds(plan, storetest.OpCreate, 2))
}

func TestRandom(t *testing.T) {
	const calls = 10_000
	chances := []storetest.Chance{
		{Fault: storetest.Fault{Kind: storetest.Hang}, P: 0.1},
		{Fault: storetest.Fault{Kind: storetest.LoseReply}, P: 0.3},
	}
	run := kinds(storetest.Random(7, chances...), storetest.OpAllocate, calls)
	require.Equal(t, run, kinds(storetest.Random(7, chances...), storetest.OpAllocate, calls), "the same seed")
	require.NotEqual(t, run, kinds(storetest.Random(8, chances...), storetest.OpAllocate, calls), "another seed")
	require.NotEqual(t, run, kinds(storetest.Random(7, chances...), storetest.OpPeek, calls), "another operation")
	count := map[storetest.Kind]int{}
	for _, kind := range run {
		count[kind]++
	}
	require.Len(t, count, 3)
	require.InDelta(t, 0.1*calls, count[storetest.Hang], 0.02*calls)
	require.InDelta(t, 0.3*calls, count[storetest.LoseReply], 0.03*calls)
}

func TestFirstOf(t *testing.T) {
	plan := storetest.FirstOf(nil,
		storetest.Script(storetest.OpPeek, storetest.Fault{}, storetest.Fault{Kind: storetest.Slow}),
		storetest.Script(storetest.OpPeek, storetest.Fault{Kind: storetest.Hang}, storetest.Fault{Kind: storetest.Hang}))
	require.Equal(t, []storetest.Kind{storetest.Hang, storetest.Slow, storetest.Pass}, kinds(plan, storetest.OpPeek, 3))
}

func TestKindString(t *testing.T) {
	seen := map[string]bool{}
	for k := storetest.Pass; k <= storetest.Vanish; k++ {
		require.NotContains(t, k.String(), "kind")
		seen[k.String()] = true
	}
	require.Len(t, seen, int(storetest.Vanish)+1)
	require.Equal(t, "kind 200", storetest.Kind(200).String())
}
