package servers

import (
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strconv"
)

// freeAddress returns a loopback address that nobody listens on. Its port is
// below those that systems give to clients: so a server finds it free when it is
// started again.
func freeAddress() (string, error) {
	const lowest, highest, tries = 20_000, 32_000, 100
	var err error
	for range tries {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(lowest+rand.N(highest-lowest)))
		var listener net.Listener
		if listener, err = net.Listen("tcp", addr); err == nil {
			return addr, listener.Close()
		}
	}
	return "", fmt.Errorf("no free port between %d and %d: %w", lowest, highest, err)
}

// port is that of an address.
func port(addr string) string {
	_, port, _ := net.SplitHostPort(addr) // freeAddress made it
	return port
}

// newest returns the last file that a pattern matches: versions are in folders'
// names.
func newest(pattern string) string {
	found, _ := filepath.Glob(pattern) // the patterns are constants
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return found[len(found)-1]
}
