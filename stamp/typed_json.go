package stamp

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MarshalJSON implements [json.Marshaler] with the text of the id, as a string.
// The errors are those of [Config.Encode].
func (id Typed[K]) MarshalJSON() ([]byte, error) {
	text, err := id.AppendText([]byte{'"'})
	if err != nil {
		return nil, err
	}
	if plainJSON(text[1:]) {
		return append(text, '"'), nil
	}
	return json.Marshal(string(text[1:]))
}

// UnmarshalJSON implements [json.Unmarshaler]. It reads the text of an id, and
// where the configuration has no codec an integer without fraction and
// exponent as well. As is the rule for types that have no null, null leaves id
// as it is. Else, after an error, id is 0; the errors are those of
// [Config.Decode].
func (id *Typed[K]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	*id = 0
	c, err := configOf[K]()
	if err != nil {
		return err
	}
	text, err := c.jsonText(data)
	if err == nil {
		err = id.UnmarshalText(text)
	}
	if err != nil {
		return fmt.Errorf("stamp: JSON value is no id: %w", err)
	}
	return nil
}

// jsonText is the text of an id in a JSON value.
func (c *Config) jsonText(data []byte) ([]byte, error) {
	n := len(data)
	quoted := n >= 2 && data[0] == '"' && data[n-1] == '"'
	switch {
	case !quoted && c.coded:
		return nil, fmt.Errorf("%w: %.64s isn't a string", ErrSyntax, data)
	case !quoted:
		return data, nil
	case plainJSON(data[1 : n-1]):
		return data[1 : n-1], nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	return []byte(text), nil
}

// plainJSON tells whether text is the same within quotation marks. Alphabets
// are of visible ASCII characters.
func plainJSON(text []byte) bool { return !bytes.ContainsAny(text, `"\<>&`) }
