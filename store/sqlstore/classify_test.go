package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Errors as drivers make them.
type (
	stateMethod string // pgx, lib/pq
	stateBytes  struct{ SQLState [5]byte }
	stateText   struct{ SQLState string }
	codeMethod  int // modernc.org/sqlite
	codeField   struct{ Code codeKind }
	codeKind    int
	oddFields   struct {
		SQLState int
		Code     string
	}
)

func (e stateMethod) Error() string    { return "state" }
func (e stateMethod) SQLState() string { return string(e) }
func (e *stateBytes) Error() string    { return "state" }
func (e stateText) Error() string      { return "state" }
func (e codeMethod) Error() string     { return "code" }
func (e codeMethod) Code() int         { return int(e) }
func (e codeField) Error() string      { return "code" }
func (e oddFields) Error() string      { return "odd" }

func TestClassify(t *testing.T) {
	for state, want := range map[string]Verdict{
		"40001": Again, "40P01": Again, "55P03": Again,
		"42P01": Refused, "42S02": Refused, "23505": Refused, "23000": Refused, "25006": Refused, "22001": Refused, "57014": Refused,
		"08006": Unknown, "08S01": Unknown, "40003": Unknown, "57P01": Unknown, "58030": Unknown, "XX000": Unknown, "53100": Unknown,
		"HY000": Unknown, "70100": Unknown, "00000": Unknown, "": Unknown, "42": Unknown, "400010": Unknown,
	} {
		for _, dialect := range []Dialect{PostgreSQL, MySQL} {
			require.Equal(t, want, dialect.Classify(fmt.Errorf("driver: %w", stateMethod(state))), "state %q", state)
			require.Equal(t, want, dialect.Classify(fmt.Errorf("driver: %w", stateText{state})), "state %q", state)
			if len(state) == 5 {
				require.Equal(t, want, dialect.Classify(fmt.Errorf("driver: %w", &stateBytes{[5]byte([]byte(state))})), "state %q", state)
			}
		}
		require.Equal(t, Unknown, SQLite.Classify(stateMethod(state)))
		require.Equal(t, Unknown, Dialect(0).Classify(stateMethod(state)))
	}
	for code, want := range map[int]Verdict{
		5: Again, 5 | 2<<8: Again, 6: Again, 1: Refused, 8: Refused, 19 | 6<<8: Refused, 20: Refused,
		0: Unknown, 9: Unknown, 10: Unknown, 10 | 4<<8: Unknown, 13: Unknown, 11: Unknown, 7: Unknown,
	} {
		require.Equal(t, want, SQLite.Classify(fmt.Errorf("driver: %w", codeMethod(code))), "code %d", code)
		require.Equal(t, want, SQLite.Classify(codeField{codeKind(code)}), "code %d", code)
		require.Equal(t, Unknown, PostgreSQL.Classify(codeMethod(code)))
	}
	for dialect, want := range map[Dialect]Verdict{PostgreSQL: Unknown, MySQL: Again, SQLite: Again, 0: Unknown} {
		require.Equal(t, want, dialect.Classify(fmt.Errorf("driver: %w", driver.ErrBadConn)))
	}
	for _, err := range []error{nil, errors.New("x"), context.Canceled, oddFields{}, (*stateBytes)(nil), &stateBytes{}} {
		for _, dialect := range []Dialect{PostgreSQL, MySQL, SQLite} {
			require.Equal(t, Unknown, dialect.Classify(err))
		}
	}
}
