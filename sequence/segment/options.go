package segment

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/telemetry"
)

// Defaults of [Options].
const (
	DefaultStep                = 10
	DefaultSafeDistance        = 2
	DefaultMaxPrefetchDistance = 10_000
	DefaultThreshold           = 20
	DefaultFetchTimeout        = 10 * time.Second
	DefaultBackoffMin          = 100 * time.Millisecond
	DefaultBackoffMax          = 10 * time.Second
	DefaultTimeout             = 5 * time.Second
)

// A segment must live long enough to be used by the caller that waited for it.
const minTTL = time.Millisecond

// Options are the options of a generator. The zero value is the default.
type Options struct {
	Mode Mode // 0: Chain
	// Step is the numbers per segment. 0: DefaultStep.
	Step int64
	// Offset is where the counter stands when it is created, and means nothing
	// after that: the first number is Offset + 1.
	Offset int64
	// SafeDistance is how many segments Chain keeps in reserve.
	// 0: DefaultSafeDistance, or MaxPrefetchDistance if that is less.
	SafeDistance int64
	// MaxPrefetchDistance bounds what hunger makes of SafeDistance, in
	// segments. 0: DefaultMaxPrefetchDistance, or SafeDistance if that is more.
	MaxPrefetchDistance int64
	// Threshold is the percentage of a segment below which DoubleBuffer
	// fetches the next, 1 to 100. 0: DefaultThreshold.
	Threshold int
	// TTL is how long the numbers of a segment may be given out after they
	// arrived, on the monotonic clock; at least 1 ms. 0: for ever.
	TTL time.Duration
	// Group restarts the counter for each group. The zero value doesn't.
	Group Group

	// FetchTimeout ends a fetch. 0: DefaultFetchTimeout.
	FetchTimeout time.Duration
	// BackoffMin and BackoffMax bound the wait after a failed fetch, which
	// doubles with each further failure and is cut by up to half at random.
	// 0: DefaultBackoffMin, DefaultBackoffMax, or the other if that one isn't
	// between them.
	BackoffMin, BackoffMax time.Duration
	// Timeout is how long a call without a context may wait.
	// 0: DefaultTimeout.
	Timeout time.Duration
	// NoBackground makes callers fetch for themselves, as after Close.
	NoBackground bool

	// Audit keeps marks outside the store. Nil: none are kept.
	Audit Audit
	// Clock is read for TTL and groups. Nil: clock.Default.
	Clock clock.Clock
	// Listener gets this generator's events. It may be nil.
	Listener *Listener
	// Telemetry gets the clock steps that this generator is the first to
	// notice, as do the process-wide subscribers. It may be nil.
	Telemetry *telemetry.Listener
}

// Group says how numbers are grouped: by Period or by Func. Each group has a
// counter of its own, {name}@{group}, that starts at Offset.
type Group struct {
	// Period groups by time, as the local date in Zone says. Groups go forward
	// only: a clock that goes back stays in the group it had reached.
	Period Period
	// Layout makes a group's name of its first day, as time.Format does. It
	// must give each period a name of its own.
	// "": 2006, 200601 or 20060102.
	Layout string
	// Zone is nil for UTC.
	Zone *time.Location
	// Func returns a call's group, and is called once for each call with its
	// context, or with context.Background if it has none. When the group
	// changes, the rest of the segment is dropped.
	Func func(context.Context) (string, error)
}

// Validate reports every violation at once. The errors match [ErrOptions].
func (o Options) Validate() error {
	var errs []error
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if o.Mode > Sync {
		violated("%v is none of chain (1), double buffer (2), sync (3)", o.Mode)
	}
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"Step", o.Step},
		{"Offset", o.Offset},
		{"SafeDistance", o.SafeDistance},
		{"MaxPrefetchDistance", o.MaxPrefetchDistance},
		{"Threshold", int64(o.Threshold)},
	} {
		if f.value < 0 {
			violated("%s %d is negative", f.name, f.value)
		}
	}
	for _, f := range []struct {
		name  string
		value time.Duration
	}{
		{"TTL", o.TTL},
		{"FetchTimeout", o.FetchTimeout},
		{"BackoffMin", o.BackoffMin},
		{"BackoffMax", o.BackoffMax},
		{"Timeout", o.Timeout},
	} {
		if f.value < 0 {
			violated("%s %v is negative", f.name, f.value)
		}
	}
	d := o.normal()
	if d.Threshold > 100 {
		violated("Threshold %d is above 100", o.Threshold)
	}
	if o.TTL > 0 && o.TTL < minTTL {
		violated("TTL %v is below %v", o.TTL, minTTL)
	}
	if d.SafeDistance > d.MaxPrefetchDistance {
		violated("SafeDistance %d is above MaxPrefetchDistance %d", d.SafeDistance, d.MaxPrefetchDistance)
	}
	if d.BackoffMax > 0 && d.BackoffMin > d.BackoffMax {
		violated("BackoffMin %v is above BackoffMax %v", d.BackoffMin, d.BackoffMax)
	}
	if isNil(o.Clock) {
		violated("clock is a nil %T", o.Clock)
	}
	if err := checkAudit(o.Audit, nil); err != nil {
		violated("%w", err)
	}
	return errors.Join(append(errs, o.Group.validate())...)
}

// isNil tells whether v is a nil pointer in an interface that isn't nil.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return value.IsValid() && value.Kind() == reflect.Pointer && value.IsNil()
}

func (g Group) validate() error {
	switch {
	case g.Period > Day:
		return fmt.Errorf("%w: group %v is none of year (1), month (2), day (3)", ErrOptions, g.Period)
	case g.Period != NoPeriod && g.Func != nil:
		return fmt.Errorf("%w: groups by %v and by a function", ErrOptions, g.Period)
	case g.Period == NoPeriod && (g.Layout != "" || g.Zone != nil):
		return fmt.Errorf("%w: layout %q or zone %v of groups without a period", ErrOptions, g.Layout, g.Zone)
	case strings.ContainsAny(g.Layout, "@#"):
		return fmt.Errorf("%w: layout %q has a @ or #, which mark groups and partitions", ErrOptions, g.Layout)
	case g.Period != NoPeriod && !g.calendar().tells():
		return fmt.Errorf("%w: layout %q doesn't give each %v a name of its own", ErrOptions, g.Layout, g.Period)
	}
	return nil
}

func (g Group) calendar() *calendar {
	c := &calendar{period: g.Period, layout: g.Layout, zone: g.Zone}
	if c.layout == "" {
		c.layout = g.Period.layout()
	}
	if c.zone == nil {
		c.zone = time.UTC
	}
	return c
}

// validateKey keeps namespaces and names apart from what is appended to them.
func validateKey(k store.Key) error {
	var errs []error
	for _, part := range []struct{ what, text string }{{"namespace", k.Namespace}, {"name", k.Name}} {
		if part.text == "" {
			errs = append(errs, fmt.Errorf("%w: empty %s", ErrOptions, part.what))
		}
		if strings.ContainsAny(part.text, "@#") {
			errs = append(errs, fmt.Errorf("%w: %s %q has a @ or #, which mark groups and partitions", ErrOptions, part.what, part.text))
		}
	}
	return errors.Join(errs...)
}

// normal fills in the defaults.
func (o Options) normal() Options {
	fill(&o.Mode, Chain)
	fill(&o.Step, DefaultStep)
	fill(&o.MaxPrefetchDistance, max(DefaultMaxPrefetchDistance, o.SafeDistance))
	fill(&o.SafeDistance, min(DefaultSafeDistance, o.MaxPrefetchDistance))
	fill(&o.Threshold, DefaultThreshold)
	fill(&o.FetchTimeout, DefaultFetchTimeout)
	fill(&o.BackoffMax, max(DefaultBackoffMax, o.BackoffMin))
	fill(&o.BackoffMin, min(DefaultBackoffMin, o.BackoffMax))
	fill(&o.Timeout, DefaultTimeout)
	if o.Clock == nil {
		o.Clock = clock.Default()
	}
	return o
}

// fill sets a zero field.
func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
