// Package view shows what an id is made of: as a drawing, as a line of text and
// as a line of JSON. It draws plans of formats too, one or two beside each other.
package view

import (
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
)

// View is an id taken apart.
type View struct {
	ID     int64
	Text   string // in its text form
	Form   string // what the text form is, in words
	Parts  bits.Parts
	Format format.Format
	Time   time.Time // when the unit of the id began; meaningless without time bits
}

// New takes an id apart. The error is bits.ErrOutOfRange for what is no id of
// the layout.
func New(f format.Format, id int64) (View, error) {
	parts, err := f.Layout.Unpack(id)
	if err != nil {
		return View{}, err
	}
	return View{ID: id, Parts: parts, Format: f, Time: f.Timescale.Time(parts.Time)}, nil
}

// field is one field of an id.
type field struct {
	name  string
	mark  byte // stands for a bit of the field
	width int
	value uint64
	paint string
}

// fields lists the fields that exist, from the top down.
func (v View) fields() []field { return fieldsOf(v.Format.Layout, v.Parts) }

func fieldsOf(layout bits.Layout, parts bits.Parts) []field {
	all := [...]field{
		{"partition", 'p', layout.Partition, parts.Partition, magenta},
		{"time", 't', layout.Time, parts.Time, cyan},
		{"node", 'n', layout.Node, parts.Node, yellow},
		{"sequence", 's', layout.Sequence, parts.Sequence, green},
	}
	existing := make([]field, 0, len(all))
	for _, f := range all {
		if f.width > 0 {
			existing = append(existing, f)
		}
	}
	return existing
}
