package sqlstore

import (
	"context"
	"database/sql/driver"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// calls makes each call once, on a fake that says that nothing is there.
func calls(t *testing.T, dialect Dialect) *fakeDB {
	t.Helper()
	s, f := newFake(t, dialect, make([]reply, 20)...)
	ctx := t.Context()
	_, _ = s.Create(ctx, orders, 7)
	_, _ = s.Allocate(ctx, orders, 10)
	_, _ = s.Peek(ctx, orders)
	_, _ = s.Raise(ctx, orders, 20)
	_, _ = s.Get(ctx, orders)
	_ = s.CompareAndSet(ctx, orders, nil, []byte("a"))
	_ = s.CompareAndSet(ctx, orders, []byte("a"), []byte("b"))
	return f
}

func TestStatements(t *testing.T) {
	const now = "floor(extract(epoch from clock_timestamp()))::bigint"
	require.Equal(t, []string{
		`insert into "cosid" (name, last_max_id, last_fetch_time) values ($1, $2::bigint, ` + now + `) on conflict do nothing`,
		`update "cosid" set last_max_id = last_max_id + $1::bigint, last_fetch_time = ` + now +
			` where name = $2 and last_max_id <= $3::bigint returning last_max_id`,
		`select last_max_id from "cosid" where name = $1`,
		`select last_max_id from "cosid" where name = $1`,
		`update "cosid" set last_max_id = $1::bigint where name = $2 and last_max_id < $3::bigint`,
		`select last_max_id from "cosid" where name = $1`,
		`select content from "cosid_record" where name = $1`,
		`insert into "cosid_record" (name, content, writes, expires) values ($1, $2::bytea, 1, floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $3::bigint) on conflict do nothing`,
		`update "cosid_record" set content = $1::bytea, writes = writes + 1, expires = floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $2::bigint where name = $3 and content = $4::bytea`,
	}, calls(t, PostgreSQL).sent)

	const present = " on duplicate key update name = if(last_insert_id(1) = 1, name, name)"
	require.Equal(t, []string{
		"insert into `cosid` (name, last_max_id, last_fetch_time) select ?, ?, unix_timestamp() from dual where @@autocommit = 1" + present,
		"select @@autocommit",
		"update `cosid` set last_max_id = last_insert_id(last_max_id + ?), last_fetch_time = unix_timestamp()" +
			" where name = ? and last_max_id <= ? and @@autocommit = 1",
		"select last_max_id from `cosid` where name = ?",
		"select last_max_id from `cosid` where name = ?",
		"update `cosid` set last_max_id = ? where name = ? and last_max_id < ? and @@autocommit = 1",
		"select last_max_id from `cosid` where name = ?",
		"select content from `cosid_record` where name = ?",
		"insert into `cosid_record` (name, content, writes, expires) select ?, ?, 1, timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 + ? from dual where @@autocommit = 1" + present,
		"select @@autocommit",
		"update `cosid_record` set content = ?, writes = writes + 1, expires = timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 + ? where name = ? and content = ? and @@autocommit = 1",
		"select @@autocommit",
	}, calls(t, MySQL).sent)

	const seconds = "cast(strftime('%s', 'now') as integer)"
	require.Equal(t, []string{
		`insert into "cosid" (name, last_max_id, last_fetch_time) values (?, ?, ` + seconds + `) on conflict do nothing`,
		`update "cosid" set last_max_id = last_max_id + ?, last_fetch_time = ` + seconds +
			` where name = ? and last_max_id <= ? returning last_max_id`,
		`select last_max_id from "cosid" where name = ?`,
		`select last_max_id from "cosid" where name = ?`,
		`update "cosid" set last_max_id = ? where name = ? and last_max_id < ?`,
		`select last_max_id from "cosid" where name = ?`,
		`select content from "cosid_record" where name = ?`,
		`insert into "cosid_record" (name, content, writes, expires) values (?, ?, 1, cast((julianday('now') - 2440587.5) * 86400000 as integer) + ?) on conflict do nothing`,
		`update "cosid_record" set content = ?, writes = writes + 1, expires = cast((julianday('now') - 2440587.5) * 86400000 as integer) + ? where name = ? and content = ?`,
	}, calls(t, SQLite).sent)
}

func TestParameters(t *testing.T) {
	require.Equal(t, [][]driver.Value{
		{"shop.orders", int64(7)},
		{int64(10), "shop.orders", int64(math.MaxInt64 - 10)},
		{"shop.orders"},
		{"shop.orders"},
		{int64(20), "shop.orders", int64(20)},
		{"shop.orders"},
		{"shop.orders"},
		{"shop.orders", []byte("a"), int64(0)},
		{[]byte("b"), int64(0), "shop.orders", []byte("a")},
	}, calls(t, PostgreSQL).args)
	args := calls(t, MySQL).args
	require.Equal(t, []driver.Value{"shop.orders", int64(7)}, args[0])
	require.Equal(t, []driver.Value{[]byte("shop.orders")}, args[7])
	require.Equal(t, []driver.Value{[]byte("b"), int64(0), []byte("shop.orders"), []byte("a")}, args[10])
}

// Tables with names of their own, in all statements.
func TestTableNamesInStatements(t *testing.T) {
	for dialect, quoted := range map[Dialect][2]string{
		PostgreSQL: {`"ids"."Counters"`, `"ids"."select"`}, MySQL: {"`ids`.`Counters`", "`ids`.`select`"}, SQLite: {`"ids"."Counters"`, `"ids"."select"`},
	} {
		s := newStatements(Options{Dialect: dialect, Table: "ids.Counters", RecordTable: "ids.select"})
		for _, text := range []string{s.createCounters, s.create, s.allocate, s.peek, s.raise} {
			require.Equal(t, 1, strings.Count(text, quoted[0]), text)
		}
		for _, text := range []string{s.createRecords, s.get, s.insert, s.update} {
			require.Equal(t, 1, strings.Count(text, quoted[1]), text)
			require.NotContains(t, text, "{")
		}
	}
}

// What the database isn't asked.
func TestRefusedArguments(t *testing.T) {
	name := func(n int) store.Key { return store.Key{Namespace: "n", Name: strings.Repeat("x", n-2)} }
	for _, dialect := range []Dialect{PostgreSQL, MySQL, SQLite} {
		s, f := newFake(t, dialect)
		ctx := t.Context()
		keyCalls := map[string]func(key store.Key) error{
			"create":   func(key store.Key) error { _, err := s.Create(ctx, key, 1); return err },
			"allocate": func(key store.Key) error { _, err := s.Allocate(ctx, key, 1); return err },
			"peek":     func(key store.Key) error { _, err := s.Peek(ctx, key); return err },
			"raise":    func(key store.Key) error { _, err := s.Raise(ctx, key, 1); return err },
		}
		for what, call := range keyCalls {
			require.ErrorIs(t, call(name(MaxKey+1)), store.ErrInvalid, what)
			require.NotErrorIs(t, call(name(MaxKey)), store.ErrInvalid, what)
			err := call(store.Key{Namespace: "shop", Name: "orders "})
			if dialect == MySQL {
				require.EqualError(t, err, `store: name is "orders ", want no space at the end`)
			}
			require.Equal(t, dialect == MySQL, isInvalid(err), what)
		}
		before := len(f.statements())
		_, err := s.Get(ctx, name(MaxRecordKey+1))
		require.ErrorIs(t, err, store.ErrInvalid)
		require.ErrorIs(t, s.CompareAndSet(ctx, name(MaxRecordKey+1), nil, []byte("a")), store.ErrInvalid)
		require.ErrorIs(t, s.CompareAndSet(ctx, orders, nil, make([]byte, MaxValue+1)), store.ErrInvalid)
		_, err = s.Allocate(ctx, orders, 0)
		require.ErrorIs(t, err, store.ErrInvalid)
		require.Len(t, f.statements(), before)
		require.NotErrorIs(t, s.CompareAndSet(ctx, name(MaxRecordKey), nil, make([]byte, MaxValue)), store.ErrInvalid)
		done, cancel := context.WithCancel(ctx)
		cancel()
		_, err = s.Allocate(done, orders, 1)
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, f.statements(), before+1)
	}
}
