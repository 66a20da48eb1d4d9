package clock

import (
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"time"
)

// The defaults of [NTPOptions].
const (
	DefaultNTPSamples   = 4
	DefaultNTPSpacing   = 2 * time.Second
	DefaultNTPTimeout   = time.Second
	DefaultNTPInterval  = 5 * time.Minute
	DefaultNTPMaxOffset = time.Second
)

// MaxNTPSamples is the largest NTPOptions.Samples.
const MaxNTPSamples = 16

const ntpPort = "123"

// NTPOptions configure an [NTP]. Only Servers is required.
type NTPOptions struct {
	// Servers are asked, all of them for each measurement: host names or
	// addresses, with a port or without ("[::1]:1123"). With three or more,
	// one that is wrong is outvoted; with two it is only noticed. Servers that
	// limit their rate do so by address, so don't give one twice by two names.
	Servers []string
	// Samples is how many times each server is asked for one measurement; the
	// reply with the least error bound counts. 0: DefaultNTPSamples. At most
	// MaxNTPSamples.
	Samples int
	// Spacing is the pause between two queries to the same server. 0:
	// DefaultNTPSpacing, as many public servers ignore what comes faster; for
	// one's own it may be short. A measurement takes (Samples - 1) * Spacing,
	// and up to Samples * Timeout more.
	Spacing time.Duration
	// Timeout is how long one query may take, the look-up of the server's name
	// included. 0: DefaultNTPTimeout.
	Timeout time.Duration
	// Interval is the time between two measurements of [NTP.Watch], give or
	// take a tenth. 0: DefaultNTPInterval. Public servers want a minute or
	// more.
	Interval time.Duration
	// MaxOffset is how far the system clock may be off.
	// 0: DefaultNTPMaxOffset.
	MaxOffset time.Duration
	// OnOffset is called by [NTP.Watch], on its goroutine. Required there.
	OnOffset func(OffsetEvent)
}

// NTP measures how far the system clock is off, by asking time servers. It is
// never where the time of an id comes from, and it doesn't set the clock. It
// is safe for concurrent use, and starts no goroutine that outlives a call.
type NTP struct {
	options NTPOptions
	servers []*ntpServer
}

// NewNTP checks options. It asks no server yet. The error joins every
// violation; each matches [ErrNTPOptions].
func NewNTP(o NTPOptions) (*NTP, error) {
	n := &NTP{options: o.withDefaults()}
	err := n.options.validate()
	seen := make(map[string]bool)
	for _, name := range o.Servers {
		address, addressErr := ntpAddress(name)
		if addressErr == nil && seen[address] {
			addressErr = fmt.Errorf("%w: server %q is given twice", ErrNTPOptions, name)
		}
		err = errors.Join(err, addressErr)
		seen[address] = true
		n.servers = append(n.servers, &ntpServer{name: name, address: address})
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

func (o NTPOptions) withDefaults() NTPOptions {
	if o.Samples == 0 {
		o.Samples = DefaultNTPSamples
	}
	for _, d := range []struct {
		field    *time.Duration
		fallback time.Duration
	}{
		{&o.Spacing, DefaultNTPSpacing},
		{&o.Timeout, DefaultNTPTimeout},
		{&o.Interval, DefaultNTPInterval},
		{&o.MaxOffset, DefaultNTPMaxOffset},
	} {
		if *d.field == 0 {
			*d.field = d.fallback
		}
	}
	return o
}

func (o NTPOptions) validate() error {
	var errs []error
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrNTPOptions}, args...)...))
	}
	if len(o.Servers) == 0 {
		violated("no Servers, want 1 or more")
	}
	if o.Samples < 1 || o.Samples > MaxNTPSamples {
		violated("Samples is %d, want 1 to %d", o.Samples, MaxNTPSamples)
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{
		{"Spacing", o.Spacing}, {"Timeout", o.Timeout}, {"Interval", o.Interval}, {"MaxOffset", o.MaxOffset},
	} {
		if d.value < 0 || d.value > farthest {
			violated("%s is %v, want 0s to %v", d.name, d.value, farthest)
		}
	}
	return errors.Join(errs...)
}

// ntpAddress is server as host:port.
func ntpAddress(server string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fmt.Errorf("%w: server %q %s", ErrNTPOptions, server, why)
	}
	host, port, err := net.SplitHostPort(server)
	if err != nil { // no port, or not in one of these forms
		host, port = server, ntpPort
		if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
			host = host[1 : len(host)-1]
		}
		if strings.Contains(host, ":") && net.ParseIP(strings.SplitN(host, "%", 2)[0]) == nil {
			return refuse("is no host name or address with or without a port")
		}
	}
	if host == "" || strings.ContainsFunc(host, notInHost) {
		return refuse("has no host name or address")
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return refuse(fmt.Sprintf("has port %q, want 1 to %d", port, math.MaxUint16))
	}
	return net.JoinHostPort(strings.ToLower(host), strconv.FormatUint(number, 10)), nil
}

func notInHost(r rune) bool { return r <= ' ' || strings.ContainsRune("[]/", r) }
