package sqltest

import (
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

// conform runs the suite. Each client has a pool of its own.
func conform(t *testing.T, d database) {
	storetest.Run(t, func(t *testing.T) store.Counters { return d.store(t, d.open(t)) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return d.store(t, d.open(t)) })
}

func TestConformance(t *testing.T) { each(t, conform) }

// The same with settings that change what statements and their replies are.
func TestConformanceWithSettings(t *testing.T) {
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		t.Run("PostgreSQL, "+mode.String(), func(t *testing.T) {
			conform(t, postgresWith(t, func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = mode }))
		})
	}
	for _, level := range []string{"repeatable read", "serializable"} {
		t.Run("PostgreSQL, "+level, func(t *testing.T) {
			conform(t, postgresWith(t, func(c *pgx.ConnConfig) { c.RuntimeParams["default_transaction_isolation"] = level }))
		})
		t.Run("MySQL, "+level, func(t *testing.T) {
			conform(t, mysqlWith(t, func(c *mysql.Config) {
				c.Params = map[string]string{"tx_isolation": "'" + map[string]string{"repeatable read": "READ-COMMITTED", "serializable": "SERIALIZABLE"}[level] + "'"}
			}))
		})
	}
	t.Run("MySQL, found rows", func(t *testing.T) {
		conform(t, mysqlWith(t, func(c *mysql.Config) { c.ClientFoundRows = true }))
	})
	t.Run("MySQL, one exchange", func(t *testing.T) {
		conform(t, mysqlWith(t, func(c *mysql.Config) { c.InterpolateParams = true }))
	})
}
