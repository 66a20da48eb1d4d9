package ntpwatch

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	// ErrOptions is matched by each error about [Options].
	ErrOptions = errors.New("ntpwatch: invalid options")
	// ErrOffset says that the system clock is, or may be, off by more than
	// allowed. See [OffsetError].
	ErrOffset = errors.New("ntpwatch: system clock is off")
	// ErrNoAnswer says that no time server gave a usable answer. See
	// [ServersError].
	ErrNoAnswer = errors.New("ntpwatch: no time server gave a usable answer")
	// ErrDisagree says that the time servers which answered contradict each
	// other, and no more than half of them agree. See [ServersError].
	ErrDisagree = errors.New("ntpwatch: time servers disagree")
	// ErrOutlier says that a server contradicts the others. See
	// [OutlierError].
	ErrOutlier = errors.New("ntpwatch: time server contradicts the others")
	// ErrKiss says that a server asked not to be asked. See [KissError].
	ErrKiss = errors.New("ntpwatch: kiss of death from the time server")
	// ErrReply says that a server's reply can't be true, or that the server
	// itself says that it isn't to be gone by.
	ErrReply = errors.New("ntpwatch: unusable reply of the time server")
)

// OffsetError matches [ErrOffset].
type OffsetError struct {
	Offset Offset
	Max    time.Duration // Options.MaxOffset
}

func (e *OffsetError) Error() string {
	return fmt.Sprintf("ntpwatch: system clock is off by %v ± %v according to %s, want at most %v with the error",
		e.Offset.Offset, e.Offset.Bound, e.Offset.Server, e.Max)
}

// Is reports whether target is [ErrOffset].
func (e *OffsetError) Is(target error) bool { return target == ErrOffset }

// ServersError says why a measurement has no result. It matches Reason, which
// is [ErrNoAnswer] or [ErrDisagree], and what the errors of its servers match;
// among them the error of the context that ended the measurement.
type ServersError struct {
	Reason  error
	Servers []*ServerError // in the order of Options.Servers
}

func (e *ServersError) Error() string {
	texts := make([]string, len(e.Servers))
	for i, server := range e.Servers {
		texts[i] = strings.TrimPrefix(server.Error(), "ntpwatch: ")
	}
	return fmt.Sprintf("%v: %s", e.Reason, strings.Join(texts, "; "))
}

// Is reports whether target is the Reason.
func (e *ServersError) Is(target error) bool { return target == e.Reason }

// Unwrap returns the errors of the servers.
func (e *ServersError) Unwrap() []error {
	errs := make([]error, len(e.Servers))
	for i, server := range e.Servers {
		errs[i] = server
	}
	return errs
}

// ServerError says why the answer of one server isn't used, or that it has
// sent a kiss of death after it. It matches what Err matches.
type ServerError struct {
	Server string
	Err    error
}

func (e *ServerError) Error() string {
	return fmt.Sprintf("ntpwatch: time server %s: %s", e.Server, strings.TrimPrefix(e.Err.Error(), "ntpwatch: "))
}

// Unwrap returns Err.
func (e *ServerError) Unwrap() error { return e.Err }

// OutlierError matches [ErrOutlier].
type OutlierError struct {
	Offset Offset // of this server
	Agreed Offset // of the server that was gone by; the zero value if none was
}

func (e *OutlierError) Error() string {
	if e.Agreed.Server == "" {
		return fmt.Sprintf("ntpwatch: answered %v ± %v", e.Offset.Offset, e.Offset.Bound)
	}
	return fmt.Sprintf("ntpwatch: answered %v ± %v, where most say %v ± %v",
		e.Offset.Offset, e.Offset.Bound, e.Agreed.Offset, e.Agreed.Bound)
}

// Is reports whether target is [ErrOutlier].
func (e *OutlierError) Is(target error) bool { return target == ErrOutlier }

// KissError matches [ErrKiss]. The codes are those of RFC 5905, section 7.4.
type KissError struct {
	Code string // four characters
	// Until is when the server may be asked again, after RATE. It is zero for
	// other codes.
	Until time.Time
}

// Final reports whether the server won't be asked again, after DENY and RSTR.
func (e *KissError) Final() bool { return e.Code == kissDeny || e.Code == kissRestrict }

func (e *KissError) Error() string {
	s := fmt.Sprintf("ntpwatch: kiss of death %q", e.Code)
	switch {
	case e.Final():
		s += ", not to be asked again"
	case !e.Until.IsZero():
		s += ", not to be asked before " + e.Until.UTC().Format(time.RFC3339)
	}
	return s
}

// Is reports whether target is [ErrKiss].
func (e *KissError) Is(target error) bool { return target == ErrKiss }
