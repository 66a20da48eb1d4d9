package proxystore

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/stampid/go-stamp/store"
)

// createdHeader says whether a request to create did, true or false. CosId's
// answer has no place for it but the header.
const createdHeader = "Go-Stamp-Created"

// leftHeader says for how many milliseconds a record has still to live.
const leftHeader = "Go-Stamp-Left"

// Codes of errors that aren't a status. CosId's own clients don't read them.
const (
	codeNoCounter = "no_counter"
	codeExhausted = "exhausted"
	codeConflict  = "conflict"
	codeUnknown   = "unknown_outcome"
	codeFailed    = "failed"
)

// Codes that are the status.
const (
	codeInvalid = "400"
	// codeCosID is what CosId's proxy says of every failure. The handler never
	// does, so it tells the two apart.
	codeCosID = "500"
)

// errorBody is what an error looks like on the wire, as with CosId, whose third
// field, a list of details, is left out.
type errorBody struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

// swap is the body of a compare-and-set.
type swap struct {
	Old   []byte `json:"old"`
	Value []byte `json:"value"`
	// TTL is the time to live in milliseconds, of a record that has one.
	TTL int64 `json:"ttl,omitempty"`
}

// ttl is TTL, or a duration out of range if that is.
func (s swap) ttl() time.Duration {
	if s.TTL > store.MaxTTL.Milliseconds() {
		return store.MaxTTL + 1
	}
	return time.Duration(max(s.TTL, 0)) * time.Millisecond
}

// parseNumber reads a JSON number from 0 to MaxInt64 that is spelt as one of
// this package: digits, without a leading zero. It goes through no float.
func parseNumber(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == text
}

// parseErrorBody reads an error, and tells whether it is one.
func parseErrorBody(data []byte) (body errorBody, ok bool) {
	err := json.Unmarshal(data, &body)
	return body, err == nil && body.Code != ""
}

// excerpt returns the beginning of text, as UTF-8.
func excerpt(text string, most int) string {
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
