package nodelock

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/format"
)

// recordLimit is far above the size of any record.
const recordLimit = 4096

// record is what a bound file says.
type record struct {
	format format.Format
	node   uint64
	bound  uint64 // all ids so far have times below it
}

// The file is text, one word and its value a line, in this order:
//
//	go-stamp-node-bound 1
//	format 0-41-7-15_1ms_20260723T214300Z
//	node 3
//	bound 777600123
//	bound-time 2026-08-01T21:43:00.123Z
//	sha256 <hexadecimal, of the lines above>
//
// bound-time is bound for people. A record is accepted when it is, byte for
// byte, what would be written for its bound.
const (
	magic       = "go-stamp-node-bound "
	version     = "1"
	boundPrefix = "\nbound "
)

func (r record) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\nformat %s\nnode %d%s%d\nbound-time %s\n", magic, version, r.format.Name(), r.node,
		boundPrefix, r.bound, r.format.Timescale.Time(r.bound).Format(time.RFC3339Nano))
	fmt.Fprintf(&b, "sha256 %x\n", sha256.Sum256([]byte(b.String())))
	return b.String()
}

// parse reads the bound of text into r, whose other fields say what the record
// has to be for. A text that is refused has a reason.
func (r *record) parse(text string) (reason string) {
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case text == "":
		return "it is empty"
	case !strings.HasPrefix(first, magic):
		return "it isn't a file of this program"
	case first != magic+version:
		return fmt.Sprintf("it has version %.20q, and this program knows version %s", first[len(magic):], version)
	}
	_, rest, _ := strings.Cut(text, boundPrefix)
	digits, _, _ := strings.Cut(rest, "\n")
	bound, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return "it is damaged: no bound"
	}
	if limit := r.format.Layout.MaxTime() + 1; bound > limit {
		return fmt.Sprintf("it is damaged: bound %d is above the layout's last, %d", bound, limit)
	}
	r.bound = bound
	if r.text() != text {
		return "it is damaged, or was written for another format or node"
	}
	return ""
}

// load reads the record for a format and node. A missing file is a node that
// made no ids: bound 0.
func load(path string, f format.Format, node uint64) (record, error) {
	r := record{format: f, node: node}
	info, err := os.Lstat(path) // store replaces a link, so it makes none
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if !info.Mode().IsRegular() {
		return r, &RecordError{Node: node, File: path, Reason: "it is no regular file"}
	}
	if info.Size() > recordLimit {
		return r, &RecordError{Node: node, File: path, Reason: fmt.Sprintf("it has %d bytes, above %d", info.Size(), recordLimit)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if reason := r.parse(string(text)); reason != "" {
		return r, &RecordError{Node: node, File: path, Reason: reason}
	}
	return r, nil
}
