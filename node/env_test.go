package node_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
)

// What no text of a number may be.
var noNumbers = []string{
	"", " ", "-", "-1", "+1", "01", "00", "007", " 1", "1 ", "1\n", "1.0", "1e3", "0x1", "1_000", "１", "one",
	"18446744073709551616", "99999999999999999999999",
}

func TestFromEnv(t *testing.T) {
	const name = "GO_STAMP_TEST_NODE"
	for value, want := range map[string]node.Static{
		"0": 0, "3": 3, "127": 127, "18446744073709551615": math.MaxUint64,
	} {
		t.Setenv(name, value)
		n, err := node.FromEnv(name)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	for _, value := range noNumbers {
		t.Setenv(name, value)
		n, err := node.FromEnv(name)
		require.ErrorIs(t, err, node.ErrNumber, "%q", value)
		require.NotErrorIs(t, err, node.ErrUnset)
		require.EqualError(t, err, fmt.Sprintf("node: environment variable %q is %q, want a decimal number from 0 to %d, "+
			"without sign, spaces or leading zeros", name, value, uint64(math.MaxUint64)))
		require.Equal(t, node.Static(math.MaxUint64), n, "no layout has room for it")
	}
}

func TestFromEnv_notSet(t *testing.T) {
	const name = "GO_STAMP_TEST_NODE"
	t.Setenv(name, "") // so that it is restored
	require.NoError(t, os.Unsetenv(name))
	n, err := node.FromEnv(name)
	require.ErrorIs(t, err, node.ErrUnset)
	require.NotErrorIs(t, err, node.ErrNumber)
	require.ErrorContains(t, err, fmt.Sprintf("environment variable %q is not set", name))
	require.Equal(t, node.Static(math.MaxUint64), n)

	for _, impossible := range []string{"", "A=B"} {
		_, err = node.FromEnv(impossible)
		require.ErrorIs(t, err, node.ErrUnset)
	}
}

func TestFromEnv_isReadOnce(t *testing.T) {
	const name = "GO_STAMP_TEST_NODE"
	t.Setenv(name, "3")
	source, err := node.FromEnv(name)
	require.NoError(t, err)
	t.Setenv(name, "4")
	n, err := source.Node(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3, n)
}

func ExampleFromEnv() {
	_ = os.Setenv("NODE", "12") // by the deployment
	n, err := node.FromEnv("NODE")
	fmt.Println(n, err)

	_, err = node.FromEnv("NOWHERE")
	fmt.Println(errors.Is(err, node.ErrUnset))
	// Output:
	// 12 <nil>
	// true
}
