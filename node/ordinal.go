package node

import (
	"fmt"
	"os"
	"strings"
)

// longestLabel is how long the first part of a host name may be: RFC 1035,
// section 2.3.4. Kubernetes cuts host names to it.
const longestLabel = 63

// FromHostname is [FromOrdinal] for the host name of the operating system, as
// it is now.
func FromHostname(set string) (Static, error) {
	host, err := os.Hostname()
	if err != nil {
		return none, fmt.Errorf("node: host name of the operating system: %w", err)
	}
	return FromOrdinal(set, host)
}

// FromOrdinal returns the ordinal of a replica of the Kubernetes stateful set
// called set from the replica's host name: 12 for "orders-12" of "orders". Of a
// qualified name, such as "orders-12.orders.shop.svc.cluster.local", the first
// label counts.
//
// The name of the set is asked for because a number at the end of a host name
// alone means nothing: machines are called "ip-10-0-1-12", and pods of a
// deployment may end in digits as well. Host names of 63 characters are
// refused, since they may have been cut in the middle of an ordinal.
//
// The error is a [*HostError]. The number that comes with it fits no layout,
// so a configuration refuses it.
func FromOrdinal(set, host string) (Static, error) {
	refuse := func(format string, args ...any) (Static, error) {
		return none, &HostError{Set: set, Host: host, Why: fmt.Sprintf(format, args...)}
	}
	if set == "" || strings.Contains(set, ".") {
		return refuse("the set's name is empty or has a dot, which no host name of a replica can")
	}
	label, _, _ := strings.Cut(host, ".")
	if len(label) >= longestLabel {
		return refuse("has %d characters before the first dot, want at most %d, as longer ones are cut", len(label), longestLabel-1)
	}
	ordinal, ok := strings.CutPrefix(label, set+"-")
	if !ok {
		return refuse("doesn't begin with %q", set+"-")
	}
	n, ok := parse(ordinal)
	if !ok {
		return refuse("ordinal is %q, want %s", ordinal, bounds)
	}
	return n, nil
}
