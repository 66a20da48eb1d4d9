package watch

import (
	"encoding/json"
	"time"

	"github.com/stampid/go-stamp/sequence/segment"
)

// generatorForm is a generator in JSON.
type generatorForm struct {
	Counter          string     `json:"counter"`
	Mode             string     `json:"mode"`
	Step             int64      `json:"step,string"`
	Current          uint64     `json:"current,string"`
	Reserve          uint64     `json:"reserve,string"`
	Given            uint64     `json:"given,string"`
	Rate             float64    `json:"rate"`
	PeakRate         float64    `json:"peak_rate"`
	TimeToExhaustion seconds    `json:"time_to_exhaustion"`
	SurvivableOutage seconds    `json:"survivable_outage"`
	Fetches          uint64     `json:"fetches"`
	FetchFailures    uint64     `json:"fetch_failures"`
	FetchMean        seconds    `json:"fetch_mean"`
	FetchP99         seconds    `json:"fetch_p99"`
	Conflicts        uint64     `json:"conflicts"`
	Waits            uint64     `json:"waits"`
	WaitP99          seconds    `json:"wait_p99"`
	LeftBehind       int        `json:"left_behind"`
	Wasted           wastedForm `json:"wasted"`
	PrefetchDistance int64      `json:"prefetch_distance"`
	Hunger           uint64     `json:"hunger"`
	Rollbacks        uint64     `json:"rollbacks"`
	Backoff          time.Time  `json:"backoff,omitzero"`
}

type wastedForm struct {
	TTL      uint64 `json:"ttl,string"`
	Group    uint64 `json:"group,string"`
	Unknown  uint64 `json:"unknown,string"`
	Rollback uint64 `json:"rollback,string"`
	Close    uint64 `json:"close,string"`
}

// MarshalJSON writes the form that the package comment describes.
func (g Generator) MarshalJSON() ([]byte, error) {
	s := g.Stats
	return json.Marshal(generatorForm{
		Counter: g.Counter, Mode: g.Mode, Step: g.Step,
		Current: s.Current, Reserve: s.Reserve, Given: s.Given, Rate: s.Rate, PeakRate: s.PeakRate,
		TimeToExhaustion: seconds(s.TimeToExhaustion), SurvivableOutage: seconds(s.SurvivableOutage),
		Fetches: s.Fetches, FetchFailures: s.FetchFailures,
		FetchMean: seconds(s.FetchMean), FetchP99: seconds(s.FetchP99), Conflicts: s.Conflicts,
		Waits: s.Waits, WaitP99: seconds(s.WaitP99), LeftBehind: s.LeftBehind, Wasted: wastedForm(s.Wasted),
		PrefetchDistance: s.PrefetchDistance, Hunger: s.Hunger, Rollbacks: s.Rollbacks, Backoff: s.Backoff.UTC(),
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (g *Generator) UnmarshalJSON(text []byte) error {
	var f generatorForm
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*g = Generator{Counter: f.Counter, Mode: f.Mode, Step: f.Step, Stats: segment.Stats{
		Current: f.Current, Reserve: f.Reserve, Given: f.Given, Rate: f.Rate, PeakRate: f.PeakRate,
		TimeToExhaustion: time.Duration(f.TimeToExhaustion), SurvivableOutage: time.Duration(f.SurvivableOutage),
		Fetches: f.Fetches, FetchFailures: f.FetchFailures,
		FetchMean: time.Duration(f.FetchMean), FetchP99: time.Duration(f.FetchP99), Conflicts: f.Conflicts,
		Waits: f.Waits, WaitP99: time.Duration(f.WaitP99), LeftBehind: f.LeftBehind, Wasted: segment.Wasted(f.Wasted),
		PrefetchDistance: f.PrefetchDistance, Hunger: f.Hunger, Rollbacks: f.Rollbacks, Backoff: f.Backoff,
	}}
	return nil
}

// counterForm is a counter in JSON.
type counterForm struct {
	Counter     string    `json:"counter"`
	MaxID       int64     `json:"max_id,string"`
	Allocated   uint64    `json:"allocated,string"`
	Rate        float64   `json:"rate"`
	PeakRate    float64   `json:"peak_rate"`
	Allocations uint64    `json:"allocations"`
	Failures    uint64    `json:"failures"`
	Last        time.Time `json:"last,omitzero"`
}

// MarshalJSON writes the form that the package comment describes.
func (c Counter) MarshalJSON() ([]byte, error) { return json.Marshal(counterForm(c)) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Counter) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, (*counterForm)(c)) }
