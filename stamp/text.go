package stamp

import "fmt"

// Encode returns the text of an id: the codec's, after the prefix. The error is
// [ErrRange] for what can't be an id of the layout.
func (c *Config) Encode(id ID) (string, error) {
	if id < 0 {
		return "", negative(id)
	}
	return c.text.Encode(uint64(id))
}

// AppendEncode appends the text of an id to dst, without allocation when dst
// has room. The errors are those of Encode; dst is then returned as it was.
func (c *Config) AppendEncode(dst []byte, id ID) ([]byte, error) {
	if id < 0 {
		return dst, negative(id)
	}
	return c.text.Append(dst, uint64(id))
}

// Decode returns the id of a text. It accepts the one text that Encode gives
// for an id, and nothing else: the error is [ErrPrefix], [ErrSyntax] or
// [ErrRange], and the id 0.
func (c *Config) Decode(text string) (ID, error) {
	n, err := c.text.Decode(text)
	return ID(n), err
}

// DecodeBytes is Decode for bytes, which it doesn't keep.
func (c *Config) DecodeBytes(text []byte) (ID, error) {
	n, err := c.text.DecodeBytes(text)
	return ID(n), err
}

// negative keeps a negative id from being reported as a huge number.
func negative(id ID) error { return fmt.Errorf("%w: negative id %d", ErrRange, int64(id)) }
