package node_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
)

func TestStatic(t *testing.T) {
	for _, want := range []uint64{0, 3, math.MaxUint64} {
		var source node.Source = node.Static(want)
		n, err := source.Node(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
}

func TestStatic_doesNotAllocate(t *testing.T) {
	var source node.Source = node.Static(1 << 40)
	ctx := t.Context()
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = source.Node(ctx) }))
}

func TestFunc(t *testing.T) {
	type key struct{}
	failure := errors.New("no lease")
	var source node.Source = node.Func(func(ctx context.Context) (uint64, error) {
		if n, ok := ctx.Value(key{}).(uint64); ok {
			return n, nil
		}
		return 0, failure
	})

	n, err := source.Node(context.WithValue(t.Context(), key{}, uint64(7)))
	require.NoError(t, err)
	require.Equal(t, uint64(7), n)

	_, err = source.Node(t.Context())
	require.Equal(t, failure, err)
}

func TestFunc_nil(t *testing.T) {
	_, err := node.Func(nil).Node(t.Context())
	require.EqualError(t, err, "node: the Func is nil")
}

func ExampleStatic() {
	var source node.Source = node.Static(3)
	fmt.Println(source.Node(context.Background()))
	// Output: 3 <nil>
}

func ExampleFunc() {
	// A process that is two nodes: its number depends on who calls.
	type replica struct{}
	source := node.Func(func(ctx context.Context) (uint64, error) {
		if n, ok := ctx.Value(replica{}).(uint64); ok {
			return n, nil
		}
		return 0, errors.New("no replica in the context")
	})
	fmt.Println(source.Node(context.WithValue(context.Background(), replica{}, uint64(2))))
	fmt.Println(source.Node(context.Background()))
	// Output:
	// 2 <nil>
	// 0 no replica in the context
}
