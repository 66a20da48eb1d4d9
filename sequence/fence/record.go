package fence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/store"
)

const (
	// MaxRecord is the size of the largest record, in bytes.
	MaxRecord = 1024
	// MaxSpace is the length of the longest name of a space, in bytes.
	MaxSpace = 64
	// MaxOwner is the length of the longest name of an owner, in bytes.
	MaxOwner = 64

	maxFormat = 100
	maxPlace  = 100
)

// Record is what a store keeps for one space and node. A node lease uses the
// same record: who holds the node and how far its ids may go are one promise,
// made by one write.
type Record struct {
	Space  string
	Format string // of the ids, as [Format] writes it
	Node   uint64

	// Held tells whether somebody owns the record. A clean stop clears it.
	Held bool
	// Owner is a name for people, Token the owner's proof: 32 random hexadecimal
	// digits, new for each owner.
	Owner, Token string

	// Floor is the bound that the owner found, in units since the epoch: it made
	// no id before. Bound is the first time that it may not have made ids of.
	Floor, Bound uint64
	// Expires is when the owner will be done unless it renews, in UTC. For a
	// fence that is the time of Bound. It is for people, and for leases.
	Expires time.Time
	// Place tells a folder from copies of it, for records in files; else it is
	// empty.
	Place string
}

// The format is text, a word and its value a line, in this order:
//
//	go-stamp fence 1
//	space "orders-prod"
//	format 0/41/7/15 1ms 2026-07-23T21:43:00Z
//	node 3
//	state held
//	owner "host-7/4711"
//	token 9f86d081884c7d659a2feaa0c55ad015
//	floor 777600000
//	bound 777603123
//	expires 2026-08-01T21:43:03.123Z
//	place ""
//	sum e73addb414491b66
//
// State is held or free. Strings are Go string literals in ASCII. Sum is the
// beginning of the SHA-256 of the lines above, in hexadecimal: a value that was
// edited by hand is refused. A record has one such text, and any other text is
// corrupt.
const (
	title   = "go-stamp fence "
	version = "1"
)

var words = [...]string{
	"space ", "format ", "node ", "state ", "owner ", "token ", "floor ", "bound ", "expires ", "place ", "sum ",
}

// Encode returns the text of a record, or an error if it breaks a limit.
func (r *Record) Encode() ([]byte, error) {
	switch {
	case len(r.Space) == 0 || len(r.Space) > MaxSpace:
		return nil, fmt.Errorf("fence: space %.80q has %d bytes, want 1 to %d", r.Space, len(r.Space), MaxSpace)
	case !isLine(r.Format) || len(r.Format) > maxFormat:
		return nil, fmt.Errorf("fence: format %.120q, want 1 to %d printable characters", r.Format, maxFormat)
	case len(r.Owner) > MaxOwner:
		return nil, fmt.Errorf("fence: owner %.80q has %d bytes, want at most %d", r.Owner, len(r.Owner), MaxOwner)
	case !isToken(r.Token):
		return nil, fmt.Errorf("fence: token %.40q isn't %d hexadecimal digits", r.Token, tokenDigits)
	case r.Bound < r.Floor:
		return nil, fmt.Errorf("fence: bound %d is below floor %d", r.Bound, r.Floor)
	case len(r.Place) > maxPlace:
		return nil, fmt.Errorf("fence: place %.120q has %d bytes, want at most %d", r.Place, len(r.Place), maxPlace)
	}
	if y := r.Expires.UTC().Year(); y < 0 || y > 9999 {
		return nil, fmt.Errorf("fence: record expires in year %d, want 0 to 9999", y)
	}
	state := "free"
	if r.Held {
		state = "held"
	}
	text := fmt.Appendf(nil, title+version+"\nspace %+q\nformat %s\nnode %d\nstate %s\nowner %+q\ntoken %s\nfloor %d\nbound %d\nexpires %s\nplace %+q\n",
		r.Space, r.Format, r.Node, state, r.Owner, r.Token, r.Floor, r.Bound, r.Expires.UTC().Format(time.RFC3339Nano), r.Place)
	return fmt.Appendf(text, "sum %s\n", sum(text)), nil
}

// Decode reads what [Record.Encode] wrote. Any other text is a *[RecordError],
// whose key is empty.
func Decode(text []byte) (*Record, error) {
	bad := func(format string, args ...any) (*Record, error) {
		return nil, &RecordError{Reason: fmt.Sprintf(format, args...)}
	}
	if len(text) > MaxRecord {
		return bad("it has %d bytes, more than %d", len(text), MaxRecord)
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	switch found, ok := strings.CutPrefix(first, title); {
	case !ok:
		return bad("it doesn't begin with %q", title)
	case found != version:
		return bad("it has version %.20q, and this program knows version %s", found, version)
	}
	var values [len(words)]string
	for i, word := range words {
		line, after, ok := strings.Cut(rest, "\n")
		value, is := strings.CutPrefix(line, word)
		if !ok || !is {
			return bad("line %d isn't the record's %s", i+2, strings.TrimSpace(word))
		}
		values[i], rest = value, after
	}
	r := &Record{Format: values[1], Held: values[3] == "held", Token: values[5]}
	var errs [7]error
	r.Space, errs[0] = strconv.Unquote(values[0])
	r.Node, errs[1] = strconv.ParseUint(values[2], 10, 64)
	r.Owner, errs[2] = strconv.Unquote(values[4])
	r.Floor, errs[3] = strconv.ParseUint(values[6], 10, 64)
	r.Bound, errs[4] = strconv.ParseUint(values[7], 10, 64)
	r.Expires, errs[5] = time.Parse(time.RFC3339Nano, values[8])
	r.Place, errs[6] = strconv.Unquote(values[9])
	for _, err := range errs {
		if err != nil {
			return bad("%v", err)
		}
	}
	r.Expires = r.Expires.UTC()
	// The sum is compared here too.
	if again, err := r.Encode(); err != nil || string(again) != string(text) {
		return bad("the sum is wrong, or it is spelt otherwise than this program does")
	}
	return r, nil
}

// Format describes layout, unit and epoch of ids: "0/41/7/15 1ms
// 2026-07-23T21:43:00Z". Two formats with equal texts are equal.
func Format(l bits.Layout, t bits.Timescale) string {
	unit := strings.ReplaceAll(t.Unit.String(), "µ", "u")
	return l.String() + " " + unit + " " + t.Epoch.UTC().Format(time.RFC3339Nano)
}

// Key is where the record of a space, format and node is: the space is the
// namespace, and "fence-", the beginning of the format's SHA-256 and the node
// the name.
func Key(space, format string, node uint64) store.Key {
	hash := sha256.Sum256([]byte(format))
	return store.Key{Namespace: space, Name: fmt.Sprintf("fence-%s-%d", hex.EncodeToString(hash[:6]), node)}
}

func sum(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:8])
}

const tokenDigits = 32

func isToken(text string) bool {
	return len(text) == tokenDigits && strings.Trim(text, "0123456789abcdef") == ""
}

// isLine tells a text of printable ASCII.
func isLine(text string) bool {
	for _, c := range text {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return text != ""
}
