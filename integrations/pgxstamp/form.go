package pgxstamp

import (
	"database/sql"
	"encoding/json"

	"github.com/stampid/go-stamp/stamp"
)

// form is a Go type of ids, one that may be missing or one that may not.
type form interface {
	zero() any
	slice() any
	// number is that of a value of the type; present is false for a missing one.
	number(value any) (n int64, present bool, err error)
	// keep sets what target, a pointer to the type, points to.
	keep(target any, n int64) error
}

// target is what a pointer to any of the types implements.
type target interface {
	sql.Scanner
	json.Unmarshaler
}

type plainForm struct{}

func (plainForm) zero() any  { return stamp.ID(0) }
func (plainForm) slice() any { return []stamp.ID(nil) }

func (plainForm) number(value any) (int64, bool, error) {
	id := value.(stamp.ID)
	if id.Valid() {
		return int64(id), true, nil
	}
	_, err := id.Value()
	return 0, true, err
}

func (plainForm) keep(target any, n int64) error {
	id := target.(*stamp.ID)
	if stamp.ID(n).Valid() {
		*id = stamp.ID(n)
		return nil
	}
	return id.Scan(n)
}

type typedForm[K stamp.Kind] struct{}

func (typedForm[K]) zero() any  { return stamp.Typed[K](0) }
func (typedForm[K]) slice() any { return []stamp.Typed[K](nil) }

func (typedForm[K]) number(value any) (int64, bool, error) {
	return typedNumber(value.(stamp.Typed[K]))
}

func (typedForm[K]) keep(target any, n int64) error { return keepTyped(target.(*stamp.Typed[K]), n) }

type nullForm[K stamp.Kind] struct{}

func (nullForm[K]) zero() any  { return stamp.NullTyped[K]{} }
func (nullForm[K]) slice() any { return []stamp.NullTyped[K](nil) }

func (nullForm[K]) number(value any) (int64, bool, error) {
	id := value.(stamp.NullTyped[K])
	if !id.Valid {
		return 0, false, nil
	}
	return typedNumber(id.ID)
}

func (nullForm[K]) keep(target any, n int64) error {
	id := target.(*stamp.NullTyped[K])
	err := keepTyped(&id.ID, n)
	id.Valid = err == nil
	return err
}

// typedNumber and keepTyped leave the error to the methods that they spare the
// allocation of.
func typedNumber[K stamp.Kind](id stamp.Typed[K]) (int64, bool, error) {
	if id.Valid() {
		return int64(id), true, nil
	}
	_, err := id.Value()
	return 0, true, err
}

func keepTyped[K stamp.Kind](id *stamp.Typed[K], n int64) error {
	if read := stamp.Typed[K](n); read.Valid() {
		*id = read
		return nil
	}
	return id.Scan(n)
}
