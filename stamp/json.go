package stamp

import "fmt"

// MarshalJSON implements [json.Marshaler] with a string of decimal digits, for
// numbers above 2^53 are rounded by JavaScript. The error is [ErrRange] for
// what is no id.
func (id ID) MarshalJSON() ([]byte, error) {
	dst, err := id.AppendText([]byte{'"'})
	if err != nil {
		return nil, err
	}
	return append(dst, '"'), nil
}

// UnmarshalJSON implements [json.Unmarshaler]. It reads a string of decimal
// digits, or an integer without fraction and exponent. As is the rule for
// types that have no null, null leaves id as it is. Else, after an error, id
// is 0; the errors are [ErrSyntax] and [ErrRange].
func (id *ID) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	text := data
	if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' {
		text = data[1 : n-1]
	}
	if err := id.UnmarshalText(text); err != nil {
		return fmt.Errorf("stamp: JSON value is no id: %w", err)
	}
	return nil
}
