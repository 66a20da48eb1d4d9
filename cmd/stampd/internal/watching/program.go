package watching

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/stampid/go-stamp/sequence/segment/watch"
)

// Program is a source that serves a report.
type Program struct {
	name    string
	address string
	client  *http.Client
	waits   map[string]uint64 // at the last answer, by counter
}

// ErrAddress says that a text is no address of a program.
var ErrAddress = errors.New("not an address, which begins with http:// or https:// and has a host")

// NewProgram returns the program of an address. One without a path is completed by
// [watch.Path].
func NewProgram(address string, client *http.Client) (*Program, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%.200q is %w", address, ErrAddress)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = watch.Path
	}
	p := &Program{address: u.String(), client: client, waits: map[string]uint64{}}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	if p.name = u.Host; u.Path != watch.Path {
		p.name += u.Path
	}
	return p, nil
}

// Name is the address for people, without what may be secret.
func (p *Program) Name() string { return p.name }

// Ask asks for the report.
func (p *Program) Ask(ctx context.Context) ([]Row, error) {
	report, err := p.fetch(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, 0, len(report.Generators)+len(report.Counters))
	for _, g := range report.Generators {
		if g.Fetches == 0 && g.FetchFailures == 0 {
			continue // never used, such as the share generator of most providers
		}
		rows = append(rows, p.generator(g, time.Now()))
	}
	for _, c := range report.Counters {
		row := counterRow(p.name, c.Counter, c.MaxID, math.MaxInt64, c.Rate, c.PeakRate)
		row.Failures = c.Failures
		rows = append(rows, row)
	}
	return rows, nil
}

func (p *Program) fetch(ctx context.Context) (watch.Report, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address, nil)
	if err != nil {
		return watch.Report{}, err
	}
	answer, err := p.client.Do(r)
	if err != nil {
		if wrapped := new(url.Error); errors.As(err, &wrapped) { // it repeats the address, with what is secret
			err = wrapped.Err
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return watch.Report{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 4096)) // so that the connection is used again
		return watch.Report{}, fmt.Errorf("it answers %s", answer.Status)
	}
	return watch.Read(answer.Body)
}

// generator judges a generator's figures.
func (p *Program) generator(g watch.Generator, now time.Time) Row {
	stock := g.Current + g.Reserve
	r := Row{
		Source: p.name, Counter: g.Counter, Generator: true,
		Remaining: stock, Reserve: g.Reserve, Rate: g.Rate, Peak: g.PeakRate, Left: g.TimeToExhaustion,
		Distance: g.PrefetchDistance, Waits: g.Waits, WaitP99: g.WaitP99, Failures: g.FetchFailures,
	}
	before, known := p.waits[g.Counter]
	p.waits[g.Counter] = g.Waits
	hasReserve := g.Mode != "sync"
	switch backsOff := g.Backoff.After(now); {
	case g.Rollbacks > 0:
		r.worse(Critical, "ROLLED BACK")
	case backsOff && stock == 0:
		r.worse(Critical, "empty, backs off")
	case backsOff:
		r.worse(Warning, "fetch failed, backs off")
	}
	if g.LeftBehind > 0 {
		r.worse(Warning, fmt.Sprintf("%d calls hang", g.LeftBehind))
	}
	if known && g.Waits > before && hasReserve {
		r.worse(Warning, fmt.Sprintf("%d more waits", g.Waits-before))
	}
	if hasReserve && g.TimeToExhaustion < g.FetchP99 {
		r.worse(Warning, "lasts no fetch")
	}
	return r
}
