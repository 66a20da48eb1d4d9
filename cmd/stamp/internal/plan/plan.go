// Package plan works out what a format of ids gives, and what is bad about it.
// All figures follow from what package bits says.
package plan

import (
	"errors"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/encode"
)

// exactInJavaScript is the largest number up to which JavaScript's are exact.
const exactInJavaScript = 1<<53 - 1

// year is the mean one of the Gregorian calendar, in seconds.
const year = 365.2425 * 86400

// Plan is what a format gives at an instant. What depends on time means nothing
// without time bits.
type Plan struct {
	Name   string // what the format is called, for people
	Format format.Format
	Now    time.Time

	End        time.Time // the first instant that no id can have
	YearsLeft  float64   // from Now to End; negative after it
	Partitions uint64
	Nodes      uint64 // how many there can be; 1 without node bits
	IDsPerUnit uint64 // of one node in one partition
	PerSecond  Rates
	MaxID      int64
	JavaScript bool // its numbers hold all ids
	Texts      []Text
}

// Rates are ids per second.
type Rates struct {
	Node      float64 // of one node in one partition
	Partition float64 // of all nodes in one partition
	All       float64 // of all nodes in all partitions
}

// Text is a text form and the length of its longest text, which is that of all
// texts when Fixed.
type Text struct {
	Codec string
	Width int
	Fixed bool
}

// New works out the plan of a format. The error has each violation of the
// layout and of the timescale.
func New(name string, f format.Format, now time.Time) (Plan, error) {
	if err := errors.Join(f.Layout.Validate(), f.Timescale.Validate()); err != nil {
		return Plan{}, err
	}
	layout := f.Layout
	p := Plan{
		Name: name, Format: f, Now: now,
		End:        f.Timescale.End(layout),
		Partitions: layout.Partitions(), Nodes: layout.Nodes(), IDsPerUnit: layout.IDsPerUnit(),
		MaxID:      layout.MaxID(),
		JavaScript: layout.MaxID() <= exactInJavaScript,
	}
	p.YearsLeft = Years(now, p.End)
	p.PerSecond = rates(p, f.Timescale.Unit)
	for _, codec := range []encode.Standard{encode.Base62, encode.Base58, encode.Base36, encode.Base32, encode.Hex, encode.Decimal} {
		coder, err := codec.Coder(layout.Width())
		if err != nil {
			return Plan{}, err
		}
		p.Texts = append(p.Texts, Text{Codec: codec.Name(), Width: coder.MaxLen(), Fixed: coder.Width() > 0})
	}
	return p, nil
}

// rates needs the counts of p.
func rates(p Plan, unit time.Duration) Rates {
	perSecond := float64(time.Second) / float64(unit)
	// No product is above 2^63, since the widths add up to 63 at the most.
	return Rates{
		Node:      float64(p.IDsPerUnit) * perSecond,
		Partition: float64(p.IDsPerUnit*p.Nodes) * perSecond,
		All:       float64(p.IDsPerUnit*p.Nodes*p.Partitions) * perSecond,
	}
}

// Fields returns which fields the layout has.
func (p Plan) Fields() bits.Fields { return p.Format.Layout.Fields() }

// Years is how long after from to is. It is right, to one part in 2^53, for
// distances that no time.Duration holds.
func Years(from, to time.Time) float64 {
	seconds := float64(to.Unix()) - float64(from.Unix())
	return (seconds + float64(to.Nanosecond()-from.Nanosecond())/1e9) / year
}
