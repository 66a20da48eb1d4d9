package sequence

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
)

// AheadPolicy says what a call does that would put a sequence further ahead of
// its clock's reference time than MaxAhead.
type AheadPolicy uint8

const (
	// Advance lets generation drive time: there is no bound, and MaxAhead
	// means nothing.
	Advance AheadPolicy = iota
	// Wait waits until the reference time is near enough.
	Wait
	// Fail returns ErrAhead at once.
	Fail
)

func (p AheadPolicy) String() string {
	switch p {
	case Advance:
		return "advance"
	case Wait:
		return "wait"
	case Fail:
		return "fail"
	}
	return fmt.Sprintf("AheadPolicy(%d)", uint8(p))
}

// Settings are what all users of a sequence id must agree on. Two settings are
// equal when all their fields are, epochs as instants.
type Settings struct {
	Layout    bits.Layout    // with at least one time bit
	Timescale bits.Timescale // epoch and unit of the time field
	Clock     clock.Clock    // nil: clock.Default

	// MaxAhead is, with the policies Wait and Fail, how far an id's time may
	// lie ahead of the clock's reference time, rounded down to whole units.
	// 0: not beyond the current unit.
	MaxAhead    time.Duration
	AheadPolicy AheadPolicy

	// Start is the sequence number that each unit begins at.
	Start Start

	// Fence, if there is one, bounds the times of ids durably. Under the policy
	// Advance it also bounds how far they may be ahead.
	Fence Fence
}

// ErrSettings is matched by errors about settings that no sequence can have
// for reasons other than its layout and timescale.
var ErrSettings = errors.New("sequence: invalid settings")

// Validate reports every violation at once. The errors match bits.ErrLayout,
// bits.ErrTimescale or ErrSettings.
func (s Settings) Validate() error {
	errs := []error{s.Layout.ValidateClock(), s.Timescale.Validate()}
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrSettings}, args...)...))
	}
	if s.Clock != nil {
		switch v := reflect.ValueOf(s.Clock); {
		case v.Kind() == reflect.Pointer && v.IsNil():
			violated("clock is a nil %T", s.Clock)
		case !v.Comparable():
			violated("clock of type %T can't be compared; use a pointer", s.Clock)
		case isZero(s.Clock):
			violated("clock is a zero %T, which stands still; make one with clock.NewSystem or clock.NewManual", s.Clock)
		}
	}
	if s.MaxAhead < 0 {
		violated("MaxAhead %v is negative", s.MaxAhead)
	}
	if s.AheadPolicy > Fail {
		violated("%v is none of advance (0), wait (1), fail (2)", s.AheadPolicy)
	}
	switch {
	case s.Start > Spread:
		violated("%v is none of from zero (0), spread (1)", s.Start)
	case s.Start == Spread && s.Layout.Sequence < minSpreadBits:
		violated("Spread needs %d sequence bits, the layout has %d", minSpreadBits, s.Layout.Sequence)
	}
	s.validateFence(violated)
	return errors.Join(errs...)
}

// normal fills in the default clock, and makes equal settings equal as Go
// values.
func (s Settings) normal() Settings {
	if s.Clock == nil {
		s.Clock = clock.Default()
	}
	s.Timescale.Epoch = s.Timescale.Epoch.Round(0).UTC()
	return s
}

// differences names the fields in which two settings differ, with both values.
func (s Settings) differences(o Settings) string {
	var list []string
	differ := func(field string, a, b any) {
		if a != b {
			list = append(list, fmt.Sprintf("%s %v and %v", field, a, b))
		}
	}
	differ("layout", s.Layout, o.Layout)
	differ("epoch", s.Timescale.Epoch.Format(time.RFC3339Nano), o.Timescale.Epoch.Format(time.RFC3339Nano))
	differ("unit", s.Timescale.Unit, o.Timescale.Unit)
	differ("MaxAhead", s.MaxAhead, o.MaxAhead)
	differ("policy", s.AheadPolicy, o.AheadPolicy)
	differ("start", s.Start, o.Start)
	if s.Clock != o.Clock {
		list = append(list, fmt.Sprintf("clock %s and %s", name(s.Clock), name(o.Clock)))
	}
	if s.Fence != o.Fence {
		list = append(list, fmt.Sprintf("fence %s and %s", fenceName(s.Fence), fenceName(o.Fence)))
	}
	return strings.Join(list, ", ")
}

// isZero tells a clock of ours that no constructor made.
func isZero(c clock.Clock) bool {
	switch c := c.(type) {
	case *clock.System:
		return c.MaxStep() <= 0
	case *clock.Manual:
		return c.MaxStep() <= 0
	}
	return false
}

// fenceName tells fences apart, also two of one space.
func fenceName(f Fence) string {
	if f == nil {
		return "none"
	}
	return fmt.Sprintf("%q (%s)", f.Space(), name(f))
}

// name tells clocks and fences apart.
func name(c any) string {
	if reflect.ValueOf(c).Kind() == reflect.Pointer {
		return fmt.Sprintf("%T(%p)", c, c)
	}
	return fmt.Sprintf("%T(%v)", c, c)
}
