package ntpwatch

import (
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"time"
)

// The defaults of [Options].
const (
	DefaultSamples   = 4
	DefaultSpacing   = 2 * time.Second
	DefaultTimeout   = time.Second
	DefaultInterval  = 5 * time.Minute
	DefaultMaxOffset = time.Second
)

// MaxSamples is the largest Options.Samples.
const MaxSamples = 16

const (
	defaultPort = "123"
	// farthest is 146 years. Durations are cut to it, so that the sum of two
	// can't wrap.
	farthest = time.Duration(1)<<62 - 1
)

// Options configure a [Watch]. Only Servers is required.
type Options struct {
	// Servers are asked, all of them for each measurement: host names or
	// addresses, with a port or without ("[::1]:1123"). With three or more,
	// one that is wrong is outvoted; with two it is only noticed. Servers that
	// limit their rate do so by address, so don't give one twice by two names.
	Servers []string
	// Samples is how many times each server is asked for one measurement; the
	// reply with the least error bound counts. 0: DefaultSamples. At most
	// MaxSamples.
	Samples int
	// Spacing is the pause between two queries to the same server. 0:
	// DefaultSpacing, as many public servers ignore what comes faster; for
	// one's own it may be short. A measurement takes (Samples - 1) * Spacing,
	// and up to Samples * Timeout more.
	Spacing time.Duration
	// Timeout is how long one query may take, the look-up of the server's name
	// included. 0: DefaultTimeout.
	Timeout time.Duration
	// Interval is the time between two measurements of [Watch.Run], give or
	// take a tenth. 0: DefaultInterval. Public servers want a minute or more.
	Interval time.Duration
	// MaxOffset is how far the system clock may be off. 0: DefaultMaxOffset.
	MaxOffset time.Duration
	// OnEvent is called by [Watch.Run], on its goroutine. Required there.
	OnEvent func(Event)
}

func (o Options) withDefaults() Options {
	if o.Samples == 0 {
		o.Samples = DefaultSamples
	}
	for _, d := range []struct {
		field    *time.Duration
		fallback time.Duration
	}{
		{&o.Spacing, DefaultSpacing},
		{&o.Timeout, DefaultTimeout},
		{&o.Interval, DefaultInterval},
		{&o.MaxOffset, DefaultMaxOffset},
	} {
		if *d.field == 0 {
			*d.field = d.fallback
		}
	}
	return o
}

func (o Options) validate() error {
	var errs []error
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if len(o.Servers) == 0 {
		violated("no Servers, want 1 or more")
	}
	if o.Samples < 1 || o.Samples > MaxSamples {
		violated("Samples is %d, want 1 to %d", o.Samples, MaxSamples)
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

// hostPort is server as host:port.
func hostPort(server string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fmt.Errorf("%w: server %q %s", ErrOptions, server, why)
	}
	host, port, err := net.SplitHostPort(server)
	if err != nil { // no port, or not in one of these forms
		host, port = server, defaultPort
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
