package view

import (
	"strconv"
	"time"
)

// AppendJSON appends the id as one line of JSON. A field that the layout
// doesn't have is left out, and so is what follows from it. A zero now leaves
// the age out, an empty Text the text; the characters of text forms need no
// escapes.
func (v View) AppendJSON(dst []byte, now time.Time) []byte {
	dst = append(dst, `{"id":"`...)
	dst = strconv.AppendInt(dst, v.ID, 10)
	dst = append(dst, '"')
	if v.Text != "" {
		dst = append(append(append(dst, `,"text":"`...), v.Text...), '"')
	}
	for _, f := range v.fields() {
		dst = append(append(append(dst, `,"`...), f.name...), `":`...)
		dst = strconv.AppendUint(dst, f.value, 10)
	}
	if v.Parts.Has.Time {
		dst = append(append(append(dst, `,"timestamp":"`...), v.Format.Stamp(v.Time)...), '"')
		if !now.IsZero() {
			dst = append(dst, `,"age_seconds":`...)
			dst = strconv.AppendFloat(dst, Seconds(v.Time, now), 'f', -1, 64)
		}
	}
	return append(dst, '}', '\n')
}
