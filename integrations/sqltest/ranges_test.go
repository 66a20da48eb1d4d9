package sqltest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/stamp"
)

// Ids of two partitions, one an hour.
func TestRanges(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		cfg := configOf("cus_") // no id was made of it yet
		gen, err := stamp.NewGenerator("customers", cfg)
		require.NoError(t, err)
		day := epoch.Add(24 * time.Hour)
		made := map[uint64][]stamp.ID{}
		for _, p := range []uint64{2, last} {
			in, err := gen.In(p)
			require.NoError(t, err)
			for hour := range 24 {
				id, err := in.NextAt(day.Add(time.Duration(hour) * time.Hour))
				require.NoError(t, err)
				made[p] = append(made[p], id)
				d.exec(t, "insert into customers (id, name) values (?, 'x')", id)
			}
		}
		between := func(r bits.Range) []stamp.ID {
			return column[stamp.ID](t, d, "select id from customers where id between ? and ? order by id", r.First, r.Last)
		}
		for p, ids := range made {
			r, err := cfg.PartitionRange(p)
			require.NoError(t, err)
			require.Equal(t, ids, between(r))
			r, err = cfg.TimeRange(p, day.Add(5*time.Hour), day.Add(9*time.Hour))
			require.NoError(t, err)
			require.Equal(t, ids[5:9], between(r), "from is in the range, to isn't")
		}
		r, err := cfg.PartitionRange(3)
		require.NoError(t, err)
		require.Empty(t, between(r))
	})
}

func TestBatch(t *testing.T) {
	const rows, chunk = 10_000, 1000
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		in, err := customers.In(last)
		require.NoError(t, err)
		ids, err := in.Append(t.Context(), nil, rows)
		require.NoError(t, err)
		tx, err := d.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		defer func() { _ = tx.Rollback() }()
		statement := d.statement("insert into customers (id, name) values " + strings.Repeat("(?, ?), ", chunk-1) + "(?, ?)")
		for from := 0; from < rows; from += chunk {
			args := make([]any, 0, 2*chunk)
			for _, id := range ids[from : from+chunk] {
				args = append(args, customerID(id), "x")
			}
			_, err := tx.ExecContext(t.Context(), statement, args...)
			require.NoError(t, err)
		}
		require.NoError(t, tx.Commit())
		require.Equal(t, ids, column[stamp.ID](t, d, "select id from customers order by id"))
	})
}
