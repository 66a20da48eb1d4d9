package ntpwatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock/ntpwatch"
)

func TestNew_reportsAllViolations(t *testing.T) {
	_, err := ntpwatch.New(ntpwatch.Options{
		Servers: []string{"", "a.example", "A.example:123", "a.example:0"},
		Samples: 17, Spacing: -1, Timeout: -time.Second, Interval: -time.Hour, MaxOffset: -2,
	})
	require.ErrorIs(t, err, ntpwatch.ErrOptions)
	const prefix = "ntpwatch: invalid options: "
	require.EqualError(t, err, prefix+"Samples is 17, want 1 to 16\n"+
		prefix+"Spacing is -1ns, want 0s to 1281023h53m38.427387903s\n"+
		prefix+"Timeout is -1s, want 0s to 1281023h53m38.427387903s\n"+
		prefix+"Interval is -1h0m0s, want 0s to 1281023h53m38.427387903s\n"+
		prefix+"MaxOffset is -2ns, want 0s to 1281023h53m38.427387903s\n"+
		prefix+`server "" has no host name or address`+"\n"+
		prefix+`server "A.example:123" is given twice`+"\n"+
		prefix+`server "a.example:0" has port "0", want 1 to 65535`)

	_, err = ntpwatch.New(ntpwatch.Options{Samples: -1})
	require.EqualError(t, err, prefix+"no Servers, want 1 or more\n"+prefix+"Samples is -1, want 1 to 16")
}

func TestNew_servers(t *testing.T) {
	for _, server := range []string{
		"a.example", "a.example:1123", "192.0.2.1", "192.0.2.1:1123",
		"2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:1123", "fe80::1%eth0", "[fe80::1%eth0]:1123",
	} {
		_, err := ntpwatch.New(ntpwatch.Options{Servers: []string{server}})
		require.NoError(t, err, server)
	}
	for _, server := range []string{
		"", ":123", "a.example:", "a.example:ntp", "a.example:65536", "a.example:-1", "a.example:+1", " a.example", "a example",
		"ntp://a.example", "a.example/x", "a:b:c", "[::1", "::1]", "[a.example", "[::1]x", "a\n", "\x00",
	} {
		_, err := ntpwatch.New(ntpwatch.Options{Servers: []string{server}})
		require.ErrorIs(t, err, ntpwatch.ErrOptions, "%q", server)
	}
	for _, twice := range [][]string{
		{"a.example", "a.example"}, {"a.example:123", "a.example"}, {"a.example:0123", "a.example:123"}, {"[::1]", "::1"},
	} {
		_, err := ntpwatch.New(ntpwatch.Options{Servers: twice})
		require.ErrorIs(t, err, ntpwatch.ErrOptions, "%q", twice)
	}
}

func TestNew_keepsItsOwnListOfServers(t *testing.T) {
	up := startResponder(t, right)
	servers := []string{up.address}
	w, err := ntpwatch.New(ntpwatch.Options{Servers: servers, Samples: 1, Timeout: patient})
	require.NoError(t, err)
	servers[0] = "192.0.2.1"
	o, err := w.Measure(t.Context())
	require.NoError(t, err)
	require.Equal(t, up.address, o.Server)
}
