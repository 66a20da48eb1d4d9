package stamp

import (
	"database/sql/driver"
	"fmt"
	"math"
)

// Value implements [driver.Valuer] with an int64, for a bigint column. The
// error is [ErrOutOfRange] for what is no id.
func (id ID) Value() (driver.Value, error) {
	if err := checkID(int64(id), math.MaxInt64); err != nil {
		return nil, err
	}
	return int64(id), nil
}

// Scan implements [sql.Scanner]. It reads int64, uint64, and decimal digits as
// string or []byte. NULL is refused: scan into a *ID or sql.Null[ID] where it
// can come. After an error id is 0; the errors are [ErrScan], [ErrOutOfRange],
// [ErrSyntax] and [ErrRange].
func (id *ID) Scan(value any) error {
	*id = 0
	switch v := value.(type) {
	case int64:
		if err := checkID(v, math.MaxInt64); err != nil {
			return err
		}
		*id = ID(v)
		return nil
	case uint64:
		if v > math.MaxInt64 {
			return tooLarge(v)
		}
		if err := checkID(int64(v), math.MaxInt64); err != nil {
			return err
		}
		*id = ID(v)
		return nil
	case string:
		return id.UnmarshalParam(v)
	case []byte:
		return id.UnmarshalText(v)
	case nil:
		return fmt.Errorf("%w: NULL", ErrScan)
	default:
		return fmt.Errorf("%w: %T", ErrScan, value)
	}
}

// tooLarge is the error for a database value above every id. It matches both
// ErrOutOfRange and ErrRange: it depends on a driver's protocol whether such a
// value comes as a number or as text.
type tooLarge uint64

func (n tooLarge) Error() string {
	return fmt.Sprintf("stamp: database value %d is no id, want 1 to %d", uint64(n), int64(math.MaxInt64))
}

func (n tooLarge) Is(target error) bool { return target == ErrOutOfRange || target == ErrRange }
