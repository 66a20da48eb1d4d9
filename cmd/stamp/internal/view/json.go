package view

import (
	"encoding/json"
	"time"
)

// object is the JSON form. A field of the id that the layout doesn't have is
// left out, and so is what follows from it.
type object struct {
	ID        int64    `json:"id,string"`
	Text      string   `json:"text,omitempty"`
	Partition *uint64  `json:"partition,omitempty"`
	Time      *uint64  `json:"time,omitempty"`
	Node      *uint64  `json:"node,omitempty"`
	Sequence  uint64   `json:"sequence"`
	Timestamp string   `json:"timestamp,omitempty"`
	Age       *float64 `json:"age_seconds,omitempty"`
}

// AppendJSON appends the id as one line of JSON. A zero now leaves the age out.
func (v View) AppendJSON(dst []byte, now time.Time) ([]byte, error) {
	o := object{ID: v.ID, Text: v.Text, Sequence: v.Parts.Sequence}
	if v.Parts.Has.Partition {
		o.Partition = &v.Parts.Partition
	}
	if v.Parts.Has.Node {
		o.Node = &v.Parts.Node
	}
	if v.Parts.Has.Time {
		o.Time, o.Timestamp = &v.Parts.Time, v.Format.Stamp(v.Time)
		if !now.IsZero() {
			age := Seconds(v.Time, now)
			o.Age = &age
		}
	}
	line, err := json.Marshal(o)
	if err != nil {
		return dst, err
	}
	return append(append(dst, line...), '\n'), nil
}
