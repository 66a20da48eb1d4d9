package ddltest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

// scanned returns the tables that a plan reads.
func scanned(s server, explain string, args ...any) []string {
	s.t.Helper()
	var plan any
	require.NoError(s.t, json.Unmarshal([]byte(column[string](s, explain, args...)[0]), &plan))

	tables := []string{}
	var walk func(any)
	walk = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, child := range node {
				walk(child)
			}
		case map[string]any:
			if name, ok := node["Relation Name"].(string); ok {
				tables = append(tables, name)
			}
			for _, child := range node {
				walk(child)
			}
		}
	}
	walk(plan)
	return tables
}

func TestPostgres_plansReadOnePartition(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, nil)
	s.execAll(ddl.Up())
	config, rows := ids(t)
	insertPostgres(s, table, rows)
	s.exec("ANALYZE " + s.qualified(table))

	query := "SELECT * FROM " + s.qualified(table) + " AS o WHERE "
	for span := range ddl.Spans() {
		want := []string{must[string](t)(ddl.Name(span))}
		all, err := config.PartitionRange(span.First)
		require.NoError(t, err)
		now := time.Now()
		lately, err := config.TimeRange(span.First, now.Add(-time.Hour), now.Add(time.Hour))
		require.NoError(t, err)

		for name, r := range map[string]bits.Range{"partition": all, "time": lately} {
			where := must[partition.Condition](t)(partition.Between(s.dialect, "id", r, 1))
			constants := strings.NewReplacer("$1", fmt.Sprint(r.First), "$2", fmt.Sprint(r.Last)).Replace(where.SQL)
			const explain = "EXPLAIN (FORMAT JSON) "
			require.Equal(t, want, scanned(s, explain+query+constants), "%s, constants", name)
			require.Equal(t, want, scanned(s, explain+query+"o."+constants), "%s, with an alias", name)
			require.Equal(t, want, scanned(s, explain+query+where.SQL, where.Args()...), "%s, parameters", name)

			third := must[partition.Condition](t)(partition.Between(s.dialect, "id", r, 3))
			require.Equal(t, want, scanned(s, explain+query+"tenant IN ($1, $2) AND "+third.SQL,
				append([]any{"a", "b"}, third.Args()...)...), "%s, other parameters first", name)

			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				s.exec("SET plan_cache_mode = " + mode)
				s.exec("PREPARE prune (bigint, bigint) AS " + query + where.SQL)
				require.Equal(t, want, scanned(s, fmt.Sprintf("%sEXECUTE prune (%d, %d)", explain, r.First, r.Last)), "%s, %s", name, mode)
				s.exec("DEALLOCATE prune")
				s.exec("RESET plan_cache_mode")
			}
		}
	}

	// What a plan looks like that reads more.
	require.Len(t, scanned(s, "EXPLAIN (FORMAT JSON) "+query+"id >> 59 = 3"), 16)
	require.Len(t, scanned(s, "EXPLAIN (FORMAT JSON) "+query+"id BETWEEN 3::bigint << 59 AND 4::bigint << 59"), 2)
}

func TestPostgres_emptyRangeMeetsNothing(t *testing.T) {
	s := postgres(t)
	table, ddl := orders(s, nil)
	s.execAll(ddl.Up())
	_, rows := ids(t)
	insertPostgres(s, table, rows)
	where := must[partition.Condition](t)(partition.Between(s.dialect, "id", bits.Range{First: rows[0].id, Last: rows[0].id - 1}, 1))
	require.Empty(t, column[string](s, "SELECT tenant FROM "+s.qualified(table)+" WHERE "+where.SQL, where.Args()...))
}
