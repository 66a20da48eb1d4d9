package stamp

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/stampid/go-stamp/encode"
)

// ID is an id: 1 to 2^63-1. The zero value is no id, and none is ever issued.
//
// It knows no layout, prefix or codec. As text and in JSON it is a string of
// decimal digits, in the database a bigint. It is comparable, ordered by time
// within a partition, and usable as a map key. What is no id is refused by
// every method that can return an error, also when it is written: tag an
// optional field omitzero, or use a pointer or sql.Null.
type ID int64

// String returns decimal digits. For what is no id it says so: "invalid ID(-5)".
func (id ID) String() string {
	if !id.Valid() {
		return fmt.Sprintf("invalid ID(%d)", int64(id))
	}
	return strconv.FormatInt(int64(id), 10)
}

// Valid tells whether id is above 0.
func (id ID) Valid() bool { return id > 0 }

// AppendText implements [encoding.TextAppender]. The error is [ErrRange] for
// what is no id.
func (id ID) AppendText(dst []byte) ([]byte, error) {
	if err := checkID(int64(id), math.MaxInt64); err != nil {
		return dst, err
	}
	return decimal().Append(dst, uint64(id))
}

// MarshalText implements [encoding.TextMarshaler] with decimal digits. The
// error is [ErrRange] for what is no id.
func (id ID) MarshalText() ([]byte, error) { return id.AppendText(nil) }

// UnmarshalText implements [encoding.TextUnmarshaler]. It reads decimal digits
// without sign or leading zeros. The errors are [ErrSyntax] and [ErrRange]; id
// is then 0.
func (id *ID) UnmarshalText(text []byte) error {
	n, err := decimal().DecodeBytes(text)
	*id = ID(n)
	return err
}

// UnmarshalParam is UnmarshalText for web frameworks that bind parameters by
// this method, as gin and echo do.
func (id *ID) UnmarshalParam(text string) error { return id.UnmarshalText([]byte(text)) }

// ParseID reads decimal digits as UnmarshalText does.
func ParseID(text string) (ID, error) {
	n, err := decimal().Decode(text)
	return ID(n), err
}

// decimal is the text form of ids without a configuration.
var decimal = sync.OnceValue(func() *encode.Text {
	text, err := encode.NewText(encode.Decimal, "", 63)
	if err != nil {
		panic("stamp: decimal text form: " + err.Error())
	}
	return &text
})
