package watching

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// WriteText writes a line for each row, of words and values as in logs.
func WriteText(w io.Writer, rows []Row, now time.Time) error {
	var text []byte
	for i := range rows {
		r := &rows[i]
		text = fmt.Appendf(text, "%s %-8s source=%s", now.UTC().Format(time.RFC3339), r.Level, quoted(r.Source))
		if r.Counter != "" {
			text = fmt.Appendf(text, " counter=%s", quoted(r.Counter))
		}
		if r.hasFigures() {
			text = fmt.Appendf(text, " remaining=%d rate=%.1f peak=%.1f left=%s",
				r.Remaining, r.Rate, r.Peak, shortDuration(r.Left))
		}
		if r.Generator {
			text = fmt.Appendf(text, " reserve=%d distance=%d waits=%d wait_p99=%s", r.Reserve, r.Distance, r.Waits, r.WaitP99)
		}
		if r.hasFigures() {
			text = fmt.Appendf(text, " failures=%d", r.Failures)
		}
		if r.State != "" {
			text = fmt.Appendf(text, " state=%s", quoted(r.State))
		}
		text = append(text, '\n')
	}
	_, err := w.Write(text)
	return err
}

// quoted is a text as one word.
func quoted(text string) string {
	for _, c := range text {
		if c <= ' ' || c == '"' || c == '=' {
			return strconv.Quote(text)
		}
	}
	return cli.Printable(text)
}

// rowForm is a row in JSON. Durations are in seconds.
type rowForm struct {
	Time      time.Time `json:"time"`
	Source    string    `json:"source"`
	Counter   string    `json:"counter,omitempty"`
	Level     string    `json:"level"`
	State     string    `json:"state,omitempty"`
	Error     string    `json:"error,omitempty"`
	Age       float64   `json:"age,omitempty"` // of the figures, when the source failed
	StandsAt  *string   `json:"stands_at,omitempty"`
	Remaining *string   `json:"remaining,omitempty"`
	Reserve   *string   `json:"reserve,omitempty"`
	Rate      *float64  `json:"rate,omitempty"`
	PeakRate  *float64  `json:"peak_rate,omitempty"`
	Left      *float64  `json:"time_to_exhaustion"` // null: for ever, or unknown
	Waits     *uint64   `json:"waits,omitempty"`
	WaitP99   *float64  `json:"wait_p99,omitempty"`
	Distance  *int64    `json:"prefetch_distance,omitempty"`
	Failures  *uint64   `json:"failures,omitempty"`
}

// WriteJSON writes a line of JSON for each row. Counts that may pass 2^53 are
// texts.
func WriteJSON(w io.Writer, rows []Row, now time.Time) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range rows {
		if err := encoder.Encode(rows[i].form(now)); err != nil {
			return err
		}
	}
	return nil
}

func (r *Row) form(now time.Time) rowForm {
	f := rowForm{Time: now.UTC(), Source: r.Source, Counter: r.Counter, Level: r.Level.String(), State: r.State}
	if r.Err != nil {
		f.Error, f.Age = r.Err.Error(), r.Age.Seconds()
	}
	if !r.hasFigures() {
		return f
	}
	f.Remaining, f.Rate, f.PeakRate, f.Failures = decimal(r.Remaining), &r.Rate, &r.Peak, &r.Failures
	if r.Left != Forever {
		left := r.Left.Seconds()
		f.Left = &left
	}
	if r.Generator {
		p99 := r.WaitP99.Seconds()
		f.Reserve, f.Waits, f.WaitP99, f.Distance = decimal(r.Reserve), &r.Waits, &p99, &r.Distance
	} else {
		f.StandsAt = decimal(r.At)
	}
	return f
}

func decimal[T int64 | uint64](n T) *string {
	text := fmt.Sprint(n)
	return &text
}
