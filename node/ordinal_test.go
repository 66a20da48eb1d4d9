package node_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
)

func TestFromOrdinal(t *testing.T) {
	tests := []struct {
		set, host string
		want      node.Static
	}{
		{"orders", "orders-0", 0},
		{"orders", "orders-12", 12},
		{"orders", "orders-18446744073709551615", math.MaxUint64},
		{"orders-eu-1", "orders-eu-1-2", 2},
		{"7", "7-8", 8},
		{"orders", "orders-12.orders.shop.svc.cluster.local", 12},
		{"orders", "orders-12.", 12},
		{strings.Repeat("o", 60), strings.Repeat("o", 60) + "-9", 9}, // 62 characters
		{"orders", "orders-3." + strings.Repeat("x", 100), 3},
	}
	for _, test := range tests {
		n, err := node.FromOrdinal(test.set, test.host)
		require.NoError(t, err, test.host)
		require.Equal(t, test.want, n)
	}
}

func TestFromOrdinal_refused(t *testing.T) {
	tests := map[string]struct{ set, host, why string }{
		"empty":                 {"orders", "", `doesn't begin with "orders-"`},
		"no dash":               {"orders", "orders12", `doesn't begin with "orders-"`},
		"the set alone":         {"orders", "orders", `doesn't begin with "orders-"`},
		"another set":           {"orders", "invoices-12", `doesn't begin with "orders-"`},
		"a longer set":          {"orders", "orders-eu-12", `ordinal is "eu-12"`},
		"another case":          {"orders", "Orders-12", `doesn't begin with "orders-"`},
		"a pod of a deployment": {"orders", "orders-7d9c5b8f6d-24567", `ordinal is "7d9c5b8f6d-24567"`},
		"a machine":             {"orders", "ip-10-0-1-12", `doesn't begin with "orders-"`},
		"no ordinal":            {"orders", "orders-", `ordinal is ""`},
		"ordinal after the dot": {"orders", "orders-.12", `ordinal is ""`},
		"leading dot":           {"orders", ".orders-12", `doesn't begin with "orders-"`},
		"two dashes":            {"orders", "orders--12", `ordinal is "-12"`},
		"may be cut":            {strings.Repeat("o", 61), strings.Repeat("o", 61) + "-9", "has 63 characters"},
		"no set":                {"", "-12", "the set's name is empty"},
		"a set with a dot":      {"a.b", "a.b-12", "has a dot"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			n, err := node.FromOrdinal(test.set, test.host)
			require.ErrorIs(t, err, node.ErrHost)
			require.ErrorContains(t, err, test.why)
			require.Equal(t, node.Static(math.MaxUint64), n, "no layout has room for it")
			host, ok := errors.AsType[*node.HostError](err)
			require.True(t, ok)
			require.Equal(t, test.host, host.Host)
			require.Equal(t, test.set, host.Set)
		})
	}
	for _, text := range noNumbers {
		if strings.Contains(text, ".") {
			continue
		}
		_, err := node.FromOrdinal("orders", "orders-"+text)
		require.ErrorIs(t, err, node.ErrHost, "%q", text)
		require.ErrorContains(t, err, fmt.Sprintf("ordinal is %q", text))
	}
}

func TestFromHostname(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	want, wantErr := node.FromOrdinal("orders", host)
	n, err := node.FromHostname("orders")
	require.Equal(t, want, n)
	require.Equal(t, wantErr, err)
}

// What is accepted is the set, a dash and the number, up to the first dot.
func FuzzFromOrdinal(f *testing.F) {
	f.Add("orders", "orders-12")
	f.Add("orders", "orders-012.svc")
	f.Add("", "-1")
	f.Add("a-1", "a-1-2.b")
	f.Fuzz(func(t *testing.T, set, host string) {
		n, err := node.FromOrdinal(set, host)
		if err != nil {
			require.ErrorIs(t, err, node.ErrHost)
			require.Equal(t, node.Static(math.MaxUint64), n)
			return
		}
		label, _, _ := strings.Cut(host, ".")
		require.Equal(t, label, fmt.Sprintf("%s-%d", set, n))
		require.NotEmpty(t, set)
	})
}

func ExampleFromOrdinal() {
	// The replicas of the stateful set "orders" are orders-0, orders-1, orders-2.
	fmt.Println(node.FromOrdinal("orders", "orders-2"))

	_, err := node.FromOrdinal("orders", "ip-10-0-1-12")
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// node: host name "ip-10-0-1-12" of stateful set "orders": doesn't begin with "orders-"
}
