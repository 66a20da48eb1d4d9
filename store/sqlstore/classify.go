package sqlstore

import (
	"database/sql/driver"
	"errors"
	"reflect"
	"slices"
	"strings"
)

// Verdict is what an error of a statement says about its effect.
type Verdict int

const (
	// Unknown says that the statement may or may not have been applied.
	Unknown Verdict = iota
	// Refused says that it was not applied, and that the same again would most
	// likely be refused too.
	Refused
	// Again says that it was not applied, because of others that ran at the
	// same time or of a connection that had ended, and is worth another try.
	Again
)

// Classify judges an error of the dialect's common drivers. For PostgreSQL and
// MySQL it goes by the SQLSTATE, which an error has as a method SQLState() string
// (pgx, lib/pq) or as a field SQLState (go-sql-driver/mysql); for SQLite by the
// result code, which an error has as a method Code() int (modernc.org/sqlite) or
// as a field Code (mattn/go-sqlite3).
//
// driver.ErrBadConn, by which a driver says that it hasn't sent the statement, is
// Again for MySQL and SQLite. For PostgreSQL it is Unknown: pgx v5.12.0 returns it
// in its simple protocol for a statement whose reply was lost. Any other error is
// Unknown.
func (d Dialect) Classify(err error) Verdict {
	switch {
	case errors.Is(err, driver.ErrBadConn) && (d == MySQL || d == SQLite):
		return Again
	case d == PostgreSQL || d == MySQL:
		return classifyState(sqlState(err))
	case d == SQLite:
		return classifyCode(resultCode(err))
	default:
		return Unknown
	}
}

// classifyState judges a SQLSTATE. Its first two characters are its class.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
// https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
func classifyState(state string) Verdict {
	again := []string{
		"40001", // serialization failure; MySQL's deadlock too
		"40P01", // deadlock
		"55P03", // a lock isn't available
	}
	refused := []string{
		"0A",             // not supported
		"21",             // cardinality
		"22",             // data: out of range, encoding
		"23",             // constraint
		"25",             // state of the transaction: read only
		"28",             // authorization
		"3D", "3F", "42", // no such database, schema, table or column; no privilege
		"44", // check option
		"54", // limit of the program
	}
	switch {
	case len(state) != 5: // as the standard says
		return Unknown
	case slices.Contains(again, state):
		return Again
	case slices.Contains(refused, state[:2]), state == "57014": // cancelled by the server, and rolled back
		return Refused
	default: // lost connections, shutdowns, failures of the system, and MySQL's HY000
		return Unknown
	}
}

// classifyCode judges a result code, whose low byte is the primary one. One that
// says that the disk failed, or that the statement was interrupted, is unknown:
// the commit may have been under way.
// https://www.sqlite.org/rescode.html
func classifyCode(code int64) Verdict {
	const (
		sqliteError      = 1 // such as: no such table
		sqliteBusy       = 5
		sqliteLocked     = 6
		sqliteReadOnly   = 8
		sqliteConstraint = 19
		sqliteMismatch   = 20
	)
	switch code & 0xff {
	case sqliteBusy, sqliteLocked:
		return Again
	case sqliteError, sqliteReadOnly, sqliteConstraint, sqliteMismatch:
		return Refused
	default:
		return Unknown
	}
}

// sqlState returns the SQLSTATE of err, or "".
func sqlState(err error) string {
	var withState interface{ SQLState() string }
	if errors.As(err, &withState) {
		return withState.SQLState()
	}
	field := fieldOf(err, "SQLState")
	switch {
	case !field.IsValid():
		return ""
	case field.Kind() == reflect.String:
		return field.String()
	case field.Kind() == reflect.Array && field.Type().Elem().Kind() == reflect.Uint8:
		var state strings.Builder
		for i := range field.Len() {
			state.WriteByte(byte(field.Index(i).Uint()))
		}
		return state.String()
	}
	return ""
}

// resultCode returns SQLite's result code of err, or 0, which no error has.
func resultCode(err error) int64 {
	var withCode interface{ Code() int }
	if errors.As(err, &withCode) {
		return int64(withCode.Code())
	}
	if field := fieldOf(err, "Code"); field.IsValid() && field.CanInt() {
		return field.Int()
	}
	return 0
}

// fieldOf returns the field of that name of the first error in the chain that is
// a structure with one, or the zero Value.
func fieldOf(err error, name string) reflect.Value {
	for ; err != nil; err = errors.Unwrap(err) {
		if field := ownField(err, name); field.IsValid() {
			return field
		}
	}
	return reflect.Value{}
}

// ownField is the field of err itself, or the zero Value.
func ownField(err error, name string) reflect.Value {
	value := reflect.Indirect(reflect.ValueOf(err))
	if value.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	field, ok := value.Type().FieldByName(name)
	if !ok {
		return reflect.Value{}
	}
	found, err := value.FieldByIndexErr(field.Index)
	if err != nil { // it is in an embedded structure that isn't there
		return reflect.Value{}
	}
	return found
}
