package filestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stampid/go-stamp/store"
)

// The format, one fact a line, each with a newline at its end:
//
//	go-stamp store 1
//	counter "shop.orders" 1200
//	record "fence.shop 3" eyJib3VuZCI6MTJ9
//	expires "fence.shop 3" 1790000000000
//	sha256 747625409e8cdd392b2904430b048a7032e191b7c6a0f5102e0bdf09d335dec1
//
// Counters, then records, then when records run out, in milliseconds since 1970,
// each by rising key. Keys are Go string literals in ASCII
// (what is printable beyond it changes with Unicode), values of records standard
// base64. The last line is the sum of all bytes above it.
// Contents have one such text, and any other text is corrupt.
const (
	title   = "go-stamp store "
	version = "1"

	counterKind = "counter"
	recordKind  = "record"
	expiresKind = "expires"
	sumKind     = "sha256"
)

// encode returns the file that holds c.
func encode(c store.Contents) []byte {
	text := []byte(title + version + "\n")
	for _, key := range slices.Sorted(maps.Keys(c.Counters)) {
		text = fmt.Appendf(text, "%s %+q %d\n", counterKind, key, c.Counters[key])
	}
	for _, key := range slices.Sorted(maps.Keys(c.Records)) {
		text = fmt.Appendf(text, "%s %+q %s\n", recordKind, key, base64.StdEncoding.EncodeToString(c.Records[key]))
	}
	for _, key := range slices.Sorted(maps.Keys(c.Expires)) {
		text = fmt.Appendf(text, "%s %+q %d\n", expiresKind, key, c.Expires[key].UnixMilli())
	}
	return append(text, sumLine(text)...)
}

// decode returns what a file holds. Path is for errors.
func decode(path string, data []byte) (store.Contents, error) {
	none := store.Contents{}
	corrupt := func(line int, reason string) (store.Contents, error) {
		return none, &CorruptError{Path: path, Line: line, Reason: reason}
	}
	// A newer version may have another sum, so this comes first.
	first, _, _ := strings.Cut(string(data), "\n")
	found, ok := strings.CutPrefix(first, title)
	if !ok {
		return corrupt(1, fmt.Sprintf("want %q", title+version))
	}
	if found != version {
		if n, err := strconv.ParseUint(found, 10, 32); err != nil || strconv.FormatUint(n, 10) != found {
			return corrupt(1, fmt.Sprintf("want %q", title+version))
		}
		return none, fmt.Errorf("%w: %s has version %s, want %s", ErrVersion, path, found, version)
	}
	last := bytes.LastIndexByte(bytes.TrimSuffix(data, []byte("\n")), '\n') + 1
	body, sum := data[:last], data[last:]
	if string(sum) != sumLine(body) {
		return corrupt(0, "the checksum is missing or wrong")
	}

	c := store.Contents{Counters: map[string]int64{}, Records: map[string][]byte{}, Expires: map[string]time.Time{}}
	number := 1
	for line := range strings.Lines(string(body[len(first)+1:])) {
		number++
		if reason := decodeLine(strings.TrimSuffix(line, "\n"), c); reason != "" {
			return corrupt(number, reason)
		}
	}
	if !bytes.Equal(encode(c), data) {
		return corrupt(0, "lines are repeated, out of order or spelt otherwise")
	}
	return c, nil
}

// decodeLine adds a line to c, or says what is wrong with it.
func decodeLine(line string, c store.Contents) (reason string) {
	kind, rest, _ := strings.Cut(line, " ")
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "no quoted key"
	}
	key, err := strconv.Unquote(quoted)
	if err != nil {
		return "no quoted key"
	}
	text, ok := strings.CutPrefix(rest[len(quoted):], " ")
	if !ok {
		return "no value"
	}
	switch kind {
	case counterKind:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return "the counter isn't a number from 0 to 9223372036854775807"
		}
		c.Counters[key] = n
	case recordKind:
		value, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(value) == 0 {
			return "the record isn't base64 of 1 byte or more"
		}
		c.Records[key] = value
	case expiresKind:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || c.Records[key] == nil {
			return "it isn't when a record above runs out"
		}
		c.Expires[key] = time.UnixMilli(n)
	default:
		return "neither a counter, nor a record, nor when one runs out"
	}
	return ""
}

func sumLine(body []byte) string {
	sum := sha256.Sum256(body)
	return sumKind + " " + hex.EncodeToString(sum[:]) + "\n"
}
