package stamp

import "database/sql/driver"

// Value implements [driver.Valuer] with an int64, for a bigint column. The
// error is [ErrRange] for what can't be an id of the kind's layout.
func (id Typed[K]) Value() (driver.Value, error) {
	if _, err := TypedOf[K](ID(id)); err != nil {
		return nil, err
	}
	return int64(id), nil
}

// Scan implements [sql.Scanner]. It reads what [ID.Scan] reads: numbers, for
// the column is a bigint, not the id's text; and a *Typed[K], from which ent scans
// the ids of rows that it has created in bulk. NULL is refused; scan into a
// [NullTyped] where it can come. After an error id is 0; the errors are those of
// [ID.Scan], and [ErrRange] for what can't be an id of the kind's layout.
func (id *Typed[K]) Scan(value any) error {
	if other, ok := value.(*Typed[K]); ok && other != nil {
		value = int64(*other)
	}
	*id = 0
	var n ID
	if err := n.Scan(value); err != nil {
		return err
	}
	typed, err := TypedOf[K](n)
	*id = typed
	return err
}
