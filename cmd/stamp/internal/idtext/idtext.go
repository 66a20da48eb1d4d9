// Package idtext reads ids in a text form that is given, or recognised.
package idtext

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/stampid/go-stamp/encode"
)

// Limit is how long a text can be that is worth a look, in bytes. The longest
// one of an id has 82.
const Limit = 1024

// Reader reads ids of one width. It is for one goroutine.
type Reader struct {
	bits    int
	codec   encode.Codec // nil: recognise
	prefix  string
	decimal encode.Text
	text    encode.Text // of the prefix that was used last
}

// Result is an id that was read.
type Result struct {
	ID   int64
	Text string // its text form; in base62 for an id recognised as decimal
	Form string // what the text was recognised as, "" when its form was given
}

// NewReader makes a reader. Without a codec it takes digits alone as decimal,
// and anything else as base62 after a prefix: the one that is given, else all
// up to the last '_'. The error is that of encode.NewText.
func NewReader(codec encode.Codec, prefix string, bits int) (*Reader, error) {
	r := &Reader{bits: bits, codec: codec, prefix: prefix}
	if codec == nil {
		codec = encode.Base62
	}
	var err error
	if r.text, err = encode.NewText(codec, prefix, bits); err != nil {
		return nil, err
	}
	r.decimal, err = encode.NewText(encode.Decimal, "", bits)
	return r, err
}

// Read reads the text of an id. The errors are those of encode.Text, and say
// what the text was taken for.
func (r *Reader) Read(text []byte) (Result, error) {
	switch {
	case r.codec != nil:
		n, err := r.text.DecodeBytes(text)
		return Result{ID: int64(n), Text: string(text)}, err
	case allDigits(text):
		n, err := r.decimal.DecodeBytes(text)
		if err != nil {
			return Result{}, fmt.Errorf("%w (digits alone are taken as decimal; name another form with --codec)", err)
		}
		if r.text.Prefix() != r.prefix {
			if r.text, err = encode.NewText(encode.Base62, r.prefix, r.bits); err != nil {
				return Result{}, err
			}
		}
		base62, err := r.text.Encode(n)
		return Result{ID: int64(n), Text: base62, Form: "recognised as decimal, shown in base62"}, err
	default:
		return r.base62(text)
	}
}

func (r *Reader) base62(text []byte) (Result, error) {
	prefix := []byte(r.prefix)
	if r.prefix == "" {
		prefix = text[:bytes.LastIndexByte(text, '_')+1]
	}
	// Texts with the same prefix tend to come one after another.
	if r.text.Prefix() != string(prefix) {
		t, err := encode.NewText(encode.Base62, string(prefix), r.bits)
		if err != nil {
			return Result{}, err
		}
		r.text = t
	}
	n, err := r.text.DecodeBytes(text)
	if err != nil {
		return Result{}, fmt.Errorf("%w (recognised as base62; name another form with --codec)", err)
	}
	form := "recognised as base62"
	if len(prefix) > 0 {
		form += " after the prefix " + strconv.Quote(string(prefix))
	}
	return Result{ID: int64(n), Text: string(text), Form: form}, nil
}

func allDigits(text []byte) bool {
	for _, char := range text {
		if char < '0' || char > '9' {
			return false
		}
	}
	return true
}
