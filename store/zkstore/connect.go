package zkstore

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-zookeeper/zk"
)

// ParseConnectString takes a connect string of ZooKeeper's Java client apart:
// "host:port,host:port/chroot", where port is 2181 if it is missing, and the chroot
// is empty if there is none. Servers are as [zk.Connect] takes them. It looks
// nothing up. The error is [ErrConnectString].
func ParseConnectString(s string) (servers []string, chroot string, err error) {
	hosts, rest, hasRoot := strings.Cut(s, "/")
	if hasRoot && rest != "" {
		chroot = "/" + rest
		if err := checkPath("chroot", chroot); err != nil {
			return nil, "", fmt.Errorf("%w: %w", ErrConnectString, err)
		}
	}
	for server := range strings.SplitSeq(hosts, ",") {
		address, ok := parseServer(strings.TrimSpace(server))
		if !ok {
			return nil, "", fmt.Errorf("%w: server %q, want host or host:port", ErrConnectString, server)
		}
		servers = append(servers, address)
	}
	return servers, chroot, nil
}

// parseServer completes a host or an IP address, whose port may be missing.
func parseServer(server string) (address string, ok bool) {
	host, port, err := net.SplitHostPort(server)
	if err != nil {
		host, port = server, strconv.Itoa(zk.DefaultPort)
		if inner, ok := strings.CutPrefix(server, "["); ok && strings.HasSuffix(inner, "]") {
			host = strings.TrimSuffix(inner, "]")
		}
	}
	ok = host != "" && !strings.ContainsFunc(host, notInHost)
	if strings.Contains(host, ":") {
		_, err := netip.ParseAddr(host)
		ok = ok && err == nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return net.JoinHostPort(host, port), ok && err == nil && n > 0
}

func notInHost(r rune) bool {
	return r == '[' || r == ']' || unicode.IsSpace(r) || unicode.IsControl(r)
}
