package plan

import (
	"encoding/json"
	"math"
	"strconv"
)

// AppendJSON appends the plan, with warnings, as one line of JSON. What depends
// on time is left out without time bits. Epoch and end are RFC 3339, the unit
// is a time.Duration's text, and the largest id is a string, as few numbers of
// JSON's readers hold it.
func (p Plan) AppendJSON(dst []byte, warnings []Warning) ([]byte, error) {
	layout := p.Format.Layout
	form := planJSON{
		Name: p.Name, Layout: layout.String(),
		Partitions: p.Partitions, Nodes: p.Nodes,
		MaxID: strconv.FormatInt(p.MaxID, 10), JavaScript: p.JavaScript,
		TextWidth: map[string]int{}, Warnings: warnings,
	}
	if p.Fields().Time {
		form.timeJSON = &timeJSON{
			Epoch: p.Format.Stamp(p.Format.Timescale.Epoch), Unit: p.Format.Timescale.Unit.String(),
			End: p.Format.Stamp(p.End), YearsLeft: math.Round(p.YearsLeft*1000) / 1000, IDsPerUnit: p.IDsPerUnit,
			IDsPerSecond: ratesJSON(p.PerSecond),
		}
	}
	for _, t := range p.Texts {
		form.TextWidth[t.Codec] = t.Width
	}
	line, err := json.Marshal(form)
	return append(append(dst, line...), '\n'), err
}

type planJSON struct {
	Name   string `json:"name"`
	Layout string `json:"layout"`
	*timeJSON
	Partitions uint64         `json:"partitions"`
	Nodes      uint64         `json:"nodes"`
	MaxID      string         `json:"max_id"`
	JavaScript bool           `json:"javascript"`
	TextWidth  map[string]int `json:"text_width"`
	Warnings   []Warning      `json:"warnings"`
}

type timeJSON struct {
	Epoch        string    `json:"epoch"`
	Unit         string    `json:"unit"`
	End          string    `json:"end"`
	YearsLeft    float64   `json:"years_left"`
	IDsPerUnit   uint64    `json:"ids_per_unit"`
	IDsPerSecond ratesJSON `json:"ids_per_second"`
}

type ratesJSON struct {
	Node      float64 `json:"node"`
	Partition float64 `json:"partition"`
	All       float64 `json:"all"`
}
