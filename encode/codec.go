package encode

// Codec is a text form of numbers. It becomes a Coder once the width of the
// numbers is known.
//
// The codecs of this package are the Standard ones and those of NewSqids. A
// codec made elsewhere must keep every promise of Coder: Text relies on them.
type Codec interface {
	// Name is the codec's short name in errors and listings: "base62".
	Name() string

	// Coder returns the codec for numbers from 1 to 2^bits-1. The error is
	// ErrBits unless bits is 1 to 63, and ErrCodec where the codec itself
	// can't be used.
	Coder(bits int) (Coder, error)
}

// Coder writes numbers from 1 to 2^bits-1 as text and reads them back, one
// text per number: what Parse accepts, Append writes byte for byte.
//
// A Coder is immutable and safe for concurrent use.
type Coder interface {
	// Append extends dst by the text of n. The error is ErrRange for a number
	// outside 1 to 2^bits-1 and ErrBlocked where a Sqids codec has no text
	// for n; dst is then returned as it was. It keeps no reference to dst.
	Append(dst []byte, n uint64) ([]byte, error)

	// Parse reads a whole text. The error is ErrSyntax for a text of another
	// form and ErrRange for the form of a number outside 1 to 2^bits-1; the
	// number is then 0. It keeps no reference to text.
	Parse(text []byte) (uint64, error)

	// ParseString is Parse for a string.
	ParseString(text string) (uint64, error)

	// Width is the length of every text in bytes, 0 when lengths differ.
	Width() int

	// MaxLen is the length of the longest text in bytes.
	MaxLen() int

	// Sorts tells whether texts compare, byte by byte, as their numbers do.
	Sorts() bool
}
