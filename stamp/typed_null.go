package stamp

import "database/sql/driver"

// NullTyped is a [Typed] that may be missing: NULL in the database, null in
// JSON, an empty text elsewhere. The zero value is missing. It is comparable.
type NullTyped[K Kind] struct {
	ID    Typed[K]
	Valid bool // ID isn't missing
}

// NullOf is id as one that isn't missing; the zero id is a missing one.
func NullOf[K Kind](id Typed[K]) NullTyped[K] { return NullTyped[K]{id, id != 0} }

// IsZero tells whether the id is missing, for the option omitzero of JSON.
func (n NullTyped[K]) IsZero() bool { return !n.Valid }

// String returns the text of the id, "" for a missing one.
func (n NullTyped[K]) String() string {
	if !n.Valid {
		return ""
	}
	return n.ID.String()
}

// AppendText implements [encoding.TextAppender]. The errors are those of
// [Typed.AppendText].
func (n NullTyped[K]) AppendText(dst []byte) ([]byte, error) {
	if !n.Valid {
		return dst, nil
	}
	return n.ID.AppendText(dst)
}

// MarshalText implements [encoding.TextMarshaler].
func (n NullTyped[K]) MarshalText() ([]byte, error) { return n.AppendText([]byte{}) }

// UnmarshalText implements [encoding.TextUnmarshaler]: an empty text is a
// missing id. After an error the id is missing.
func (n *NullTyped[K]) UnmarshalText(text []byte) error {
	*n = NullTyped[K]{}
	if len(text) == 0 {
		return nil
	}
	return n.keep(n.ID.UnmarshalText(text))
}

// UnmarshalParam is UnmarshalText for web frameworks that bind parameters by
// this method.
func (n *NullTyped[K]) UnmarshalParam(text string) error { return n.UnmarshalText([]byte(text)) }

// MarshalJSON implements [json.Marshaler].
func (n NullTyped[K]) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return n.ID.MarshalJSON()
}

// UnmarshalJSON implements [json.Unmarshaler]: null is a missing id. After an
// error the id is missing.
func (n *NullTyped[K]) UnmarshalJSON(data []byte) error {
	*n = NullTyped[K]{}
	if string(data) == "null" {
		return nil
	}
	return n.keep(n.ID.UnmarshalJSON(data))
}

// Value implements [driver.Valuer].
func (n NullTyped[K]) Value() (driver.Value, error) {
	if !n.Valid {
		return nil, nil
	}
	return n.ID.Value()
}

// Scan implements [sql.Scanner]: NULL is a missing id. After an error the id is
// missing.
func (n *NullTyped[K]) Scan(value any) error {
	*n = NullTyped[K]{}
	if value == nil {
		return nil
	}
	return n.keep(n.ID.Scan(value))
}

func (n *NullTyped[K]) keep(err error) error {
	n.Valid = err == nil
	return err
}
