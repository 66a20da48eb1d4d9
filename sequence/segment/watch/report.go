package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/stampid/go-stamp/sequence/segment"
)

// Path is where programs serve their report unless told otherwise.
const Path = "/v1/watch"

// MaxReport is the size of the largest report that [Read] takes, in bytes: some
// ten thousand generators.
const MaxReport = 16 << 20

// ErrReport says that an answer is no report.
var ErrReport = errors.New("watch: no report")

// Report is what one program tells. All fields may be empty.
type Report struct {
	Generators []Generator `json:"generators"`
	// Counters are those that a server of counters was asked for.
	Counters []Counter `json:"counters,omitempty"`
}

// Generator is how a generator stands. A report doesn't have the distributions
// FetchTimes and WaitTimes, but what Stats makes of them.
type Generator struct {
	Counter string // {namespace}.{name}, without group
	Mode    string // chain, double buffer, sync
	Step    int64
	segment.Stats
}

// Counter is what was reserved from a counter through a server, by all its clients
// together, since the server began.
type Counter struct {
	Counter string
	MaxID   int64 // where it stood at the last answer
	// Allocated is how many ids were reserved for certain. Rate and PeakRate are
	// ids a second, as in segment.Stats.
	Allocated      uint64
	Rate, PeakRate float64
	// Allocations were answered, Failures were not.
	Allocations, Failures uint64
	Last                  time.Time // of the last answer; zero: none
}

// Read reads a report. The errors match [ErrReport], or are those of r.
func Read(r io.Reader) (Report, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxReport+1))
	if err != nil {
		return Report{}, err
	}
	if len(text) > MaxReport {
		return Report{}, fmt.Errorf("%w: more than %d bytes", ErrReport, MaxReport)
	}
	var report struct {
		Generators *[]Generator `json:"generators"`
		Counters   []Counter    `json:"counters"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return Report{}, fmt.Errorf("%w: %w", ErrReport, err)
	}
	if report.Generators == nil { // some other JSON
		return Report{}, fmt.Errorf("%w: no generators in it", ErrReport)
	}
	return Report{Generators: *report.Generators, Counters: report.Counters}, nil
}

// seconds is a duration in JSON.
type seconds time.Duration

// MarshalJSON writes the longest duration as null.
func (s seconds) MarshalJSON() ([]byte, error) {
	if s == math.MaxInt64 {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, time.Duration(s).Seconds(), 'f', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *seconds) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*s = math.MaxInt64
		return nil
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("watch: %.40q is no number of seconds", text)
	}
	n *= float64(time.Second)
	switch {
	case n >= math.MaxInt64:
		*s = math.MaxInt64
	case n <= 0:
		*s = 0
	default:
		*s = seconds(math.Round(n))
	}
	return nil
}
