package sqltest

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/sqlstore"
	"github.com/stampid/go-stamp/store/storetest"
)

// conform runs the suite. Each client has a pool of its own.
func conform(t *testing.T, d database) {
	storetest.Run(t, func(t *testing.T) store.Counters { return d.store(t, d.open(t)) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return d.store(t, d.open(t)) })
	storetest.RunExpiring(t, func(t *testing.T) store.Expiring { return d.store(t, d.open(t)) })
}

func TestConformance(t *testing.T) {
	each(t, conform)
	t.Run("PostgreSQL, lib/pq", func(t *testing.T) { conform(t, onPostgresWithPQ(t)) })
}

// The same with settings that change what statements and their replies are.
func TestConformanceWithSettings(t *testing.T) {
	for name, change := range map[string]func(*pgx.ConnConfig){
		"simple protocol": func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol },
		"repeatable read": func(c *pgx.ConnConfig) { c.RuntimeParams["default_transaction_isolation"] = "repeatable read" },
		"serializable":    func(c *pgx.ConnConfig) { c.RuntimeParams["default_transaction_isolation"] = "serializable" },
	} {
		t.Run("PostgreSQL, "+name, func(t *testing.T) {
			conform(t, postgresWith(t, func(c *pgx.ConnConfig) {
				c.RuntimeParams["synchronous_commit"] = "off" // a test's tables need not survive a crash
				change(c)
			}))
		})
	}
	for name, change := range map[string]func(*mysql.Config){
		"found rows":   func(c *mysql.Config) { c.ClientFoundRows = true },
		"one exchange": func(c *mysql.Config) { c.InterpolateParams = true },
		"not strict":   func(c *mysql.Config) { c.Params = map[string]string{"sql_mode": "''"} },
	} {
		t.Run("MySQL, "+name, func(t *testing.T) { conform(t, mysqlWith(t, change)) })
	}
}

// Serialization failures occur, and are not seen by callers.
func TestSerializationFailures(t *testing.T) {
	const callers, calls = 8, 10
	d := postgresWith(t, func(c *pgx.ConnConfig) { c.RuntimeParams["default_transaction_isolation"] = "serializable" })
	create(t, d.store(t, d.db), 0)
	var failures atomic.Int64
	d.options.Classify = func(err error) sqlstore.Verdict {
		failures.Add(1)
		return d.dialect.Classify(err)
	}
	s := d.store(t, d.db)
	errs := make(chan error)
	for range callers {
		go func() {
			var err error
			for range calls {
				_, callErr := s.Allocate(t.Context(), orders, 1)
				err = errors.Join(err, callErr)
			}
			errs <- err
		}()
	}
	for range callers {
		require.NoError(t, <-errs)
	}
	requirePeek(t, s, callers*calls) // those that failed were not applied
	require.Positive(t, failures.Load())
	require.EqualValues(t, failures.Load(), s.Conflicts())
}
