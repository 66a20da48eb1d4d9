package sqlstore

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// More errors as drivers make them; see classify_test.go.
type (
	pgxError struct{ Code, ConstraintName string }
	pqError  struct {
		Code       stateMethod
		Constraint string
	}
	mysqlError struct {
		Number   uint16
		SQLState [5]byte
		Message  string
	}
	otherError  struct{ Number uint16 }
	mattnError  struct{ Code, ExtendedCode codeKind }
	sqliteError struct {
		code int
		text string
	}
	embedding struct {
		*mysqlError
		text string
	}
	httpError struct{ cause error }
)

func (e *pgxError) Error() string    { return "pgx" }
func (e *pgxError) SQLState() string { return e.Code }
func (e *pqError) Error() string     { return "pq" }
func (e *pqError) SQLState() string  { return string(e.Code) }
func (e *mysqlError) Error() string  { return fmt.Sprintf("Error %d: %s", e.Number, e.Message) }
func (e otherError) Error() string   { return "other" }
func (e mattnError) Error() string   { return "UNIQUE constraint failed: orders.id" }
func (e *sqliteError) Error() string { return e.text }
func (e *sqliteError) Code() int     { return e.code }
func (e embedding) Error() string    { return e.text }
func (e *httpError) Error() string   { return "409" }
func (e *httpError) Code() int       { return 409 }
func (e *httpError) SQLState() string {
	return "none"
}
func (e *httpError) Unwrap() error { return e.cause }

func mysqlSays(number uint16, message string) error {
	return &mysqlError{number, [5]byte([]byte("23000")), message}
}

func TestDuplicateKey(t *testing.T) {
	for name, tt := range map[string]struct {
		err error
		key string
	}{
		"pgx":                    {&pgxError{"23505", "orders_pkey"}, "orders_pkey"},
		"pgx without a name":     {&pgxError{"23505", ""}, ""},
		"pq":                     {&pqError{"23505", "orders_pkey"}, "orders_pkey"},
		"another with SQLState":  {stateMethod("23505"), ""},
		"MariaDB":                {mysqlSays(1062, "Duplicate entry '7' for key 'PRIMARY'"), "PRIMARY"},
		"MySQL 8":                {mysqlSays(1062, "Duplicate entry '7' for key 'orders.PRIMARY'"), "orders.PRIMARY"},
		"MySQL, with key name":   {mysqlSays(1586, "Duplicate entry '7' for key 'email'"), "email"},
		"entry like a key":       {mysqlSays(1062, "Duplicate entry 'x for key 'PRIMARY'' for key 'email'"), "email"},
		"key with a quote":       {mysqlSays(1062, "Duplicate entry '7' for key 'it's'"), "it's"},
		"MySQL in German":        {mysqlSays(1062, "Doppelter Eintrag '7' für Schlüssel 'PRIMARY'"), ""},
		"before MySQL 4.1":       {&mysqlError{Number: 1062, Message: "x for key 'a'"}, "a"},
		"modernc, primary key":   {&sqliteError{1555, "constraint failed: UNIQUE constraint failed: orders.id (1555)"}, "orders.id"},
		"modernc, unique":        {&sqliteError{2067, "constraint failed: UNIQUE constraint failed: l.a, l.b (2067)"}, "l.a, l.b"},
		"modernc, expression":    {&sqliteError{2067, "constraint failed: UNIQUE constraint failed: index 'low' (2067)"}, "index 'low'"},
		"modernc, rowid":         {&sqliteError{2579, "constraint failed: UNIQUE constraint failed: t.rowid (2579)"}, "t.rowid"},
		"column with a bracket":  {&sqliteError{2067, "UNIQUE constraint failed: t.a (b)"}, "t.a (b)"},
		"SQLite without a text":  {&sqliteError{2067, "constraint failed"}, ""},
		"mattn":                  {mattnError{19, 2067}, "orders.id"},
		"mattn, primary key":     {mattnError{19, 1555}, "orders.id"},
		"mattn by pointer":       {&mattnError{19, 2579}, "orders.id"},
		"embedded":               {embedding{&mysqlError{Number: 1062}, "x for key 'a'"}, "a"},
		"behind another's codes": {&httpError{&pgxError{"23505", "orders_pkey"}}, "orders_pkey"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, err := range []error{
				tt.err,
				fmt.Errorf("insert: %w", tt.err),
				fmt.Errorf("%w: %w", errors.New("a"), fmt.Errorf("b: %w", tt.err)),
				errors.Join(errors.New("a"), nil, errors.Join(errors.New("b"), tt.err), mysqlSays(1213, "Deadlock")),
				errors.Join((*mysqlError)(nil), &httpError{fmt.Errorf("insert: %w", tt.err)}),
			} {
				key, ok := DuplicateKey(err)
				require.True(t, ok, "%v", err)
				require.Equal(t, tt.key, key)
				require.True(t, IsDuplicate(err))
			}
		})
	}
}

func TestNoDuplicate(t *testing.T) {
	for name, err := range map[string]error{
		"nil":                       nil,
		"another":                   errors.New("Duplicate entry '7' for key 'PRIMARY'"),
		"pgx, foreign key":          &pgxError{"23503", "orders_customer_fkey"},
		"pgx, not null":             &pgxError{"23502", ""},
		"pgx, check":                &pgxError{"23514", "orders_total_check"},
		"pgx, exclusion":            &pgxError{"23P01", "rooms_excl"},
		"pgx, constraint":           &pgxError{"23000", ""},
		"pgx, serialization":        &pgxError{"40001", ""},
		"pgx, deadlock":             &pgxError{"40P01", ""},
		"pgx, none":                 &pgxError{},
		"MySQL, foreign key":        mysqlSays(1452, "Cannot add … CONSTRAINT 'x' for key 'y'"),
		"MySQL, not null":           mysqlSays(1048, "Column 'a' cannot be null"),
		"MySQL, check":              mysqlSays(3819, "Check constraint 'a' is violated."),
		"MySQL, deadlock":           mysqlSays(1213, "Deadlock found"),
		"MySQL, duplicate key name": mysqlSays(1061, "Duplicate key name 'a'"),
		"MySQL by its state alone":  &stateBytes{[5]byte([]byte("23000"))},
		"another database's 1062":   otherError{1062},
		"SQLite, constraint":        &sqliteError{19, "UNIQUE constraint failed: a.b"},
		"SQLite, foreign key":       &sqliteError{787, "FOREIGN KEY constraint failed"},
		"SQLite, not null":          &sqliteError{1299, "NOT NULL constraint failed: a.b"},
		"SQLite, check":             &sqliteError{275, "CHECK constraint failed: a"},
		"SQLite, trigger":           &sqliteError{1811, "UNIQUE constraint failed: a.b"},
		"SQLite, busy":              &sqliteError{5, "database is locked"},
		"mattn, foreign key":        mattnError{19, 787},
		"mattn, without extended":   mattnError{19, 0},
		"nil pointers":              errors.Join((*pgxError)(nil), (*mysqlError)(nil), (*sqliteError)(nil), (*mattnError)(nil)),
		"nothing embedded":          embedding{text: "x for key 'a'"},
		"odd fields":                fmt.Errorf("a: %w", oddFields{}),
	} {
		key, ok := DuplicateKey(err)
		require.False(t, ok, name)
		require.Empty(t, key, name)
		require.False(t, IsDuplicate(err), name)
	}
}
