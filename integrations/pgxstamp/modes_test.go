package pgxstamp_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

func TestRows(t *testing.T) {
	each(t, func(t *testing.T, pool *pgxpool.Pool) {
		name := table(t, pool, "id bigint primary key, plain bigint, replaces bigint, note text")
		ids := newIDs(t, 2)
		exec(t, pool, "insert into "+name+" values ($1, $2, $3, $4)", ids[0], ids[0].ID(), nullable{}, ids[0].String())
		exec(t, pool, "insert into "+name+" values ($1, $2, $3, $4)", ids[1], stamp.ID(math.MaxInt64), stamp.NullOf(ids[0]), "")
		require.Equal(t, ids, column[orderID](t, pool, "select id from "+name+" order by id"))
		require.Equal(t, []stamp.ID{ids[0].ID(), math.MaxInt64}, column[stamp.ID](t, pool, "select plain from "+name+" order by id"))
		require.Equal(t, []nullable{{}, stamp.NullOf(ids[0])}, column[nullable](t, pool, "select replaces from "+name+" order by id"))
		require.Equal(t, ids[1], one[orderID](t, pool, "select id from "+name+" where replaces = $1", ids[0]))
		require.EqualValues(t, ids[1], one[int64](t, pool, "select id from "+name+" where id = $1", ids[1]), "others as before")
		require.Equal(t, ids[0].String(), one[string](t, pool, "select note from "+name+" where id = $1", int64(ids[0])))

		// Pointers: nil is NULL.
		exec(t, pool, "update "+name+" set plain = $1, replaces = $2", (*stamp.ID)(nil), &ids[1])
		require.Equal(t, []*stamp.ID{nil, nil}, column[*stamp.ID](t, pool, "select plain from "+name))
		require.Equal(t, []*orderID{&ids[1], &ids[1]}, column[*orderID](t, pool, "select replaces from "+name))
	})
}

func TestArrays(t *testing.T) {
	each(t, func(t *testing.T, pool *pgxpool.Pool) {
		name := table(t, pool, "id bigint primary key, others bigint[]")
		ids := newIDs(t, 3)
		plain := []stamp.ID{ids[0].ID(), ids[2].ID()}
		nulls := []nullable{stamp.NullOf(ids[1]), {}}
		exec(t, pool, "insert into "+name+" values ($1, $2), ($3, $4), ($5, $6)", ids[0], ids, ids[1], plain, ids[2], nulls)
		require.Equal(t, ids, one[[]orderID](t, pool, "select others from "+name+" where id = $1", ids[0]))
		require.Equal(t, plain, one[[]stamp.ID](t, pool, "select others from "+name+" where id = $1", ids[1]))
		require.Equal(t, nulls, one[[]nullable](t, pool, "select others from "+name+" where id = $1", ids[2]))
		require.Equal(t, plain, column[stamp.ID](t, pool, "select id from "+name+" where id = any($1) order by id", plain))
		require.Equal(t, ids[1:], column[orderID](t, pool, "select id from "+name+" where id = any($1) order by id", ids[1:]))
		require.Empty(t, column[orderID](t, pool, "select id from "+name+" where id = any($1)", []orderID{}))
		require.Equal(t, []orderID{ids[1]}, column[orderID](t, pool, "select id from "+name+" where others[2] = $1 and id = any($2)",
			ids[2], []orderID{ids[1]}))

		var refused []orderID
		err := pool.QueryRow(t.Context(), "select array[1::bigint, null]").Scan(&refused)
		require.ErrorIs(t, err, stamp.ErrScan)
		_, err = pool.Exec(t.Context(), "select id from "+name+" where id = any($1)", []orderID{ids[0], 0})
		require.ErrorIs(t, err, stamp.ErrRange)
	})
}

// In each mode an id in JSON is text, whether it is a whole value or within one.
func TestJSON(t *testing.T) {
	type document struct {
		ID       orderID  `json:"id"`
		Plain    stamp.ID `json:"plain"`
		Replaces nullable `json:"replaces"`
	}
	each(t, func(t *testing.T, pool *pgxpool.Pool) {
		for _, kind := range []string{"json", "jsonb"} {
			name := table(t, pool, "id bigint primary key, doc "+kind+", whole "+kind)
			ids := newIDs(t, 2)
			doc := document{ids[0], 1<<53 + 1, stamp.NullOf(ids[1])}
			text, err := json.Marshal(doc)
			require.NoError(t, err)
			exec(t, pool, "insert into "+name+" values ($1, $2)", ids[0], string(text))
			require.Equal(t, doc, one[document](t, pool, "select doc from "+name+" where doc->>'id' = $1 and doc->>'plain' = $2",
				ids[0].String(), doc.Plain.String()))

			exec(t, pool, "update "+name+" set whole = $1", `"`+ids[1].String()+`"`)
			require.Equal(t, ids[1], one[orderID](t, pool, "select whole from "+name))
			require.Equal(t, stamp.NullOf(ids[1]), one[nullable](t, pool, "select whole from "+name))
			require.Equal(t, nullable{}, one[nullable](t, pool, "select 'null'::"+kind))
			require.Equal(t, nullable{}, one[nullable](t, pool, "select null::"+kind))
			id := ids[0]
			require.ErrorIs(t, pool.QueryRow(t.Context(), "select 'null'::"+kind).Scan(&id), stamp.ErrScan)
			require.Zero(t, id)
			id = ids[0]
			require.ErrorIs(t, pool.QueryRow(t.Context(), `select '"usr_00000000001"'::`+kind).Scan(&id), stamp.ErrPrefix)
			require.Zero(t, id)

			// Only where the server tells the types of parameters does pgx know
			// that one is JSON.
			switch pool.Config().ConnConfig.DefaultQueryExecMode {
			case pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol:
			default:
				exec(t, pool, "update "+name+" set doc = $1", doc)
				require.Equal(t, doc, one[document](t, pool, "select doc from "+name))
				exec(t, pool, "update "+name+" set whole = $1", ids[0])
				require.Equal(t, `"`+ids[0].String()+`"`, one[string](t, pool, "select whole::text from "+name))
				exec(t, pool, "update "+name+" set whole = $1", nullable{})
				require.True(t, one[bool](t, pool, "select whole is null from "+name))
				_, err := pool.Exec(t.Context(), "update "+name+" set whole = $1", orderID(0))
				require.ErrorIs(t, err, stamp.ErrRange)
			}
		}
	})
}

func TestCopy(t *testing.T) {
	each(t, func(t *testing.T, pool *pgxpool.Pool) {
		name := table(t, pool, "id bigint primary key, plain bigint, replaces bigint, others bigint[]")
		ids := newIDs(t, 10_000)
		columns := []string{"id", "plain", "replaces", "others"}
		copied, err := pool.CopyFrom(t.Context(), pgx.Identifier{name}, columns, pgx.CopyFromSlice(len(ids), func(i int) ([]any, error) {
			replaces := nullable{}
			if i > 0 {
				replaces = stamp.NullOf(ids[i-1])
			}
			return []any{ids[i], ids[i].ID(), replaces, ids[:2]}, nil
		}))
		require.NoError(t, err)
		require.EqualValues(t, len(ids), copied)
		require.Equal(t, ids, column[orderID](t, pool, "select id from "+name+" where id = plain order by id"))
		require.Equal(t, ids[:2], one[[]orderID](t, pool, "select others from "+name+" where replaces is null"))

		_, err = pool.CopyFrom(t.Context(), pgx.Identifier{name}, columns[:1], pgx.CopyFromRows([][]any{{newIDs(t, 1)[0]}, {orderID(-1)}}))
		require.ErrorContains(t, err, "-1 is no id", "pgx passes it through the server")
		require.EqualValues(t, len(ids), one[int64](t, pool, "select count(*) from "+name))
	})
}

func TestBatch(t *testing.T) {
	each(t, func(t *testing.T, pool *pgxpool.Pool) {
		name := table(t, pool, "id bigint primary key, replaces bigint")
		ids := newIDs(t, 100)
		var batch pgx.Batch
		var read []orderID
		for _, id := range ids {
			batch.Queue("insert into "+name+" values ($1, $2) returning id", id, nullable{}).QueryRow(func(row pgx.Row) error {
				var id orderID
				err := row.Scan(&id)
				read = append(read, id)
				return err
			})
		}
		require.NoError(t, pool.SendBatch(t.Context(), &batch).Close())
		require.Equal(t, ids, read)
	})
}

func TestNoIDs(t *testing.T) {
	each(t, func(t *testing.T, pool *pgxpool.Pool) {
		name := table(t, pool, "id bigint")
		for _, arg := range []any{
			stamp.ID(0), stamp.ID(-1), orderID(0), orderID(math.MinInt64), narrowID(1 << 53), nullable{Valid: true}, nullable{ID: -1, Valid: true},
		} {
			_, err := pool.Exec(t.Context(), "insert into "+name+" values ($1)", arg)
			require.ErrorIs(t, err, stamp.ErrRange, "%#v", arg)
		}
		require.Zero(t, one[int64](t, pool, "select count(*) from "+name))
		for _, query := range []string{"select 0::bigint", "select -1::bigint", "select null::bigint", "select -9223372036854775808"} {
			plain, typed, tight, null := stamp.ID(7), orderID(7), narrowID(7), stamp.NullOf(orderID(7))
			require.Error(t, pool.QueryRow(t.Context(), query).Scan(&plain), query)
			require.Error(t, pool.QueryRow(t.Context(), query).Scan(&typed), query)
			require.Error(t, pool.QueryRow(t.Context(), query).Scan(&tight), query)
			if err := pool.QueryRow(t.Context(), query).Scan(&null); query != "select null::bigint" {
				require.ErrorIs(t, err, stamp.ErrRange)
			} else {
				require.NoError(t, err)
			}
			require.Zero(t, plain, query)
			require.Zero(t, typed, query)
			require.Zero(t, tight, query)
			require.Zero(t, null, query)
		}
		var tight narrowID
		require.NoError(t, pool.QueryRow(t.Context(), "select 9007199254740991::bigint").Scan(&tight))
		require.ErrorIs(t, pool.QueryRow(t.Context(), "select 9007199254740992::bigint").Scan(&tight), stamp.ErrRange)
		require.Zero(t, tight)
	})
}
