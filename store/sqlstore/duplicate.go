package sqlstore

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// IsDuplicate tells whether err is a database's refusal of a row because a
// primary key, a unique constraint or a unique index has its value already.
//
// It knows the errors of pgx and lib/pq (SQLSTATE 23505), of
// go-sql-driver/mysql (1062 and 1586), and of modernc.org/sqlite and
// mattn/go-sqlite3 (1555, 2067 and 2579), and finds them anywhere in a tree of
// wrapped and joined errors. All others are none, among them violations of
// foreign keys, checks, exclusions and not-null columns, and deadlocks. So is
// what a layer above the driver has put in the place of its error, as
// gorm.ErrDuplicatedKey.
//
// Whether it is an alarm depends on the key: see [DuplicateKey].
func IsDuplicate(err error) bool {
	_, ok := DuplicateKey(err)
	return ok
}

// DuplicateKey is [IsDuplicate], and names the key. Only that of the id means
// that an id was made twice: a second account with one e-mail address violates
// a unique key too. What the databases tell:
//
//   - PostgreSQL: the constraint or index, as "orders_pkey". That of a
//     partitioned table has a name for each partition, as "orders_7_pkey".
//   - MySQL and MariaDB: "PRIMARY" or the index, from MySQL 8.0.19 on behind the
//     name of the table, as "orders.PRIMARY". It is found in messages in English
//     only, the default of lc_messages.
//   - SQLite: the columns, as "orders.id" or "lines.order_id, lines.position";
//     for an index on an expression "index 'orders_lower'".
//
// The key is empty when it isn't told. Also an insert that was repeated after
// its answer was lost violates the primary key, with an id made once.
func DuplicateKey(err error) (key string, ok bool) {
	if err == nil || isNilPointer(err) {
		return "", false
	}
	for _, judge := range []func(error) (string, bool){duplicateOfState, duplicateOfNumber, duplicateOfCode} {
		if key, ok := judge(err); ok {
			return key, true
		}
	}
	// Not by errors.As: it stops at the first error with a method Code() int,
	// say, which need not be the driver's.
	switch e := any(err).(type) {
	case interface{ Unwrap() error }:
		return DuplicateKey(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			if key, ok := DuplicateKey(err); ok {
				return key, true
			}
		}
	}
	return "", false
}

func isNilPointer(err error) bool {
	v := reflect.ValueOf(err)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// duplicateOfState judges an error of pgx or lib/pq.
func duplicateOfState(err error) (key string, ok bool) {
	e, ok := any(err).(interface{ SQLState() string })
	if !ok || e.SQLState() != "23505" { // unique_violation
		return "", false
	}
	for _, name := range []string{"ConstraintName", "Constraint"} {
		if field := ownField(err, name); field.IsValid() && field.Kind() == reflect.String {
			return field.String(), true
		}
	}
	return "", true
}

// duplicateOfNumber judges an error of go-sql-driver/mysql, whose SQLSTATE is
// that of all constraints.
// https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
func duplicateOfNumber(err error) (key string, ok bool) {
	const (
		dupEntry            = 1062
		dupEntryWithKeyName = 1586
	)
	number := ownField(err, "Number")
	if !number.IsValid() || !number.CanUint() || !ownField(err, "SQLState").IsValid() {
		return "", false // other databases number their errors too
	}
	if n := number.Uint(); n != dupEntry && n != dupEntryWithKeyName {
		return "", false
	}
	// "Duplicate entry '7' for key 'PRIMARY'": the entry may hold anything, but
	// what comes last is the key.
	message := err.Error()
	if at := strings.LastIndex(message, " for key '"); at >= 0 {
		return strings.TrimSuffix(message[at+len(" for key '"):], "'"), true
	}
	return "", true
}

// duplicateOfCode judges an error of modernc.org/sqlite or mattn/go-sqlite3.
// https://www.sqlite.org/rescode.html
func duplicateOfCode(err error) (key string, ok bool) {
	const (
		constraintPrimaryKey = 1555
		constraintUnique     = 2067
		constraintRowID      = 2579 // a rowid that the insert had chosen
	)
	var code int64
	if e, ok := any(err).(interface{ Code() int }); ok {
		code = int64(e.Code())
	} else if field := ownField(err, "ExtendedCode"); field.IsValid() && field.CanInt() {
		code = field.Int()
	}
	if !slices.Contains([]int64{constraintPrimaryKey, constraintUnique, constraintRowID}, code) {
		return "", false
	}
	// "UNIQUE constraint failed: orders.id", and modernc.org/sqlite puts the
	// code behind it.
	_, key, _ = strings.Cut(err.Error(), "UNIQUE constraint failed: ")
	return strings.TrimSuffix(key, fmt.Sprintf(" (%d)", code)), true
}
