package ddltest

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

// read returns the partitions that a query reads, as EXPLAIN names them.
func read(s server, query string, args ...any) string {
	s.t.Helper()
	explain := "EXPLAIN "
	if strings.Contains(column[string](s, "SELECT VERSION()")[0], "MariaDB") {
		explain = "EXPLAIN PARTITIONS "
	}
	rows, err := s.conn.QueryContext(s.t.Context(), explain+query, args...)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, rows.Close()) }()

	columns, err := rows.Columns()
	require.NoError(s.t, err)
	require.True(s.t, rows.Next())
	values, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	require.NoError(s.t, rows.Scan(targets...))
	require.False(s.t, rows.Next())
	require.NoError(s.t, rows.Err())
	for i, name := range columns {
		if name == "partitions" {
			return values[i].String
		}
	}
	require.Fail(s.t, "EXPLAIN names no partitions", columns)
	return ""
}

func TestMySQL_plansReadOnePartition(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, nil)
	createMySQL(s, table, ddl.PartitionBy())
	config, rows := ids(t)
	insertMySQL(s, table, rows)

	query := "SELECT * FROM " + s.qualified(table) + " AS o WHERE "
	for span := range ddl.Spans() {
		want := must[string](t)(ddl.Name(span))
		all, err := config.PartitionRange(span.First)
		require.NoError(t, err)
		now := time.Now()
		lately, err := config.TimeRange(span.First, now.Add(-time.Hour), now.Add(time.Hour))
		require.NoError(t, err)

		for name, r := range map[string]bits.Range{"partition": all, "time": lately} {
			where := must[partition.Condition](t)(partition.Between(s.dialect, "id", r, 1))
			constants := strings.Replace(where.SQL, "? AND ?", fmt.Sprintf("%d AND %d", r.First, r.Last), 1)
			require.Equal(t, want, read(s, query+constants), "%s, constants", name)
			require.Equal(t, want, read(s, query+where.SQL, where.Args()...), "%s, parameters", name)
			require.Equal(t, want, read(s, query+"tenant = ? AND o."+where.SQL, append([]any{"a"}, where.Args()...)...), "%s, with an alias", name)
		}
	}

	// What EXPLAIN says of a query that reads more.
	require.Equal(t, strings.Join(names(s, ddl), ","), read(s, query+"id >> 59 = 3"))
}
