// Package encode writes numbers as text and reads them back, exactly one text
// per number.
//
// A number is a uint64 from 1 to 2^bits-1, with bits from 1 to 63; lengths are
// in bytes. A Codec with a number of bits makes a Coder; a Codec with a prefix
// and a number of bits makes a Text, the whole text form of a kind of id:
//
//	ord_0LrHucXALbs
//
// A Format writes business numbers, which people read: a number padded to
// a width, or the time, node and sequence of an id, with a group or the
// date of the id before it, a prefix and a suffix. What it writes and reads is
// Fields, for it knows no layout of ids:
//
//	BIZ-20260101-00000001
//
// # Guarantees
//
//   - A text that is read is, byte for byte, the text that its number is
//     written as. Nothing else is read: no space, sign, other letter case,
//     other length, missing or extra padding, no byte outside the alphabet.
//   - No number is read or written that is 0 or above 2^bits-1.
//   - The fixed forms (all Standard codecs but Decimal and the compact ones)
//     have one length and digits in ASCII order, so that texts sort byte by
//     byte as their numbers do.
//   - No text, however long, makes a reader panic or an error large. Errors
//     tell a wrong form (ErrSyntax, with the position), a number out of range
//     (ErrRange, with the bound) and a missing prefix (ErrPrefix) apart.
//   - Append and the readers of the Standard codecs don't allocate; Encode
//     allocates the string.
//   - Text forms are frozen. What one release writes, every later one writes
//     the same and reads. A change to a text form would be a codec of another
//     name.
//
// # Not guaranteed
//
// Sort order in a database is that of its collation. Under C or a binary
// collation every fixed form sorts as the numbers do. Under en_US and its like
// letters sort by alphabet before case (a, A, b, B), and under a collation
// that ends in _ci upper and lower case are the same letter: Base62 and Base58
// then sort wrongly, and under _ci two ids can even be equal, which breaks
// unique keys and look-ups. Give such columns a C or binary collation, or
// use Base36, Base32, Hex or DecimalPadded, which have one case. (A few
// languages sort pairs of letters as one, such as Czech ch and Danish aa; under
// their collations only DecimalPadded sorts.)
//
// No codec hides a number, and Sqids, which look random, don't either: their
// alphabet can be worked out from texts. Ids in sight of strangers show when
// they were made, and about how many there are.
//
// A text doesn't detect typing errors: a changed digit is mostly another
// valid text. It isn't a secret and isn't a checksum.
package encode
