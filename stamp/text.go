package stamp

// Encode returns the text of an id: the codec's, after the prefix. The error is
// [ErrRange] for what can't be an id of the layout.
func (c *Config) Encode(id ID) (string, error) {
	if err := checkID(int64(id), c.largest); err != nil {
		return "", err
	}
	return c.text.Encode(uint64(id))
}

// AppendEncode appends the text of an id to dst, without allocation when dst
// has room. The errors are those of Encode; dst is then returned as it was.
func (c *Config) AppendEncode(dst []byte, id ID) ([]byte, error) {
	if err := checkID(int64(id), c.largest); err != nil {
		return dst, err
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
