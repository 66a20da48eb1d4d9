package store_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

func TestLimits(t *testing.T) {
	key := store.Key{Namespace: "shop", Name: "orders"} // 11 bytes
	for name, tt := range map[string]struct {
		limits store.Limits
		check  func(l store.Limits) error
		want   []string // messages, one each
	}{
		"key": {store.Limits{MaxKey: 11}, func(l store.Limits) error { return l.CheckKey(key) }, nil},
		"key too long": {
			store.Limits{MaxKey: 10},
			func(l store.Limits) error { return l.CheckKey(key) },
			[]string{`store: key is "shop.orders", want at most 10 bytes`},
		},
		"very long key": {
			store.Limits{MaxKey: 10},
			func(l store.Limits) error {
				return l.CheckKey(store.Key{Namespace: "a", Name: strings.Repeat("x", 1000)})
			},
			[]string{`store: key is "a.` + strings.Repeat("x", 62) + `"… of 1002 bytes, want at most 10 bytes`},
		},
		"empty parts": {
			store.Limits{},
			func(l store.Limits) error { return l.CheckKey(store.Key{}) },
			[]string{`store: namespace is "", want 1 character or more`, `store: name is "", want 1 character or more`},
		},
		"NUL": {
			store.Limits{},
			func(l store.Limits) error { return l.CheckKey(store.Key{Namespace: "a\x00", Name: "b"}) },
			[]string{`store: namespace is "a\x00", want no NUL`},
		},
		"not UTF-8": {
			store.Limits{},
			func(l store.Limits) error { return l.CheckKey(store.Key{Namespace: "a", Name: "b\xff"}) },
			[]string{`store: name is "b\xff", want UTF-8`},
		},
		"reserved": {
			store.Limits{Reserved: "/%"},
			func(l store.Limits) error { return l.CheckKey(store.Key{Namespace: "a", Name: "b/c"}) },
			[]string{`store: name is "b/c", want none of "/%"`},
		},
		"start 0":       {store.Limits{}, func(l store.Limits) error { return l.CheckCreate(key, 0) }, nil},
		"largest start": {store.Limits{}, func(l store.Limits) error { return l.CheckCreate(key, math.MaxInt64) }, nil},
		"start -1": {
			store.Limits{},
			func(l store.Limits) error { return l.CheckCreate(key, -1) },
			[]string{`store: start is -1, want 0 to 9223372036854775807`},
		},
		"n 1": {store.Limits{}, func(l store.Limits) error { return l.CheckAllocate(key, 1) }, nil},
		"n 0": {
			store.Limits{},
			func(l store.Limits) error { return l.CheckAllocate(key, 0) },
			[]string{`store: n is 0, want 1 to 9223372036854775807`},
		},
		"to 0": {store.Limits{}, func(l store.Limits) error { return l.CheckRaise(key, 0) }, nil},
		"to, smallest": {
			store.Limits{},
			func(l store.Limits) error { return l.CheckRaise(key, math.MinInt64) },
			[]string{`store: to is -9223372036854775808, want 0 to 9223372036854775807`},
		},
		"every violation": {
			store.Limits{MaxKey: 3},
			func(l store.Limits) error { return l.CheckAllocate(store.Key{Name: "name"}, -5) },
			[]string{
				`store: namespace is "", want 1 character or more`,
				`store: key is ".name", want at most 3 bytes`,
				`store: n is -5, want 1 to 9223372036854775807`,
			},
		},
		"record":         {store.Limits{MaxValue: 2}, func(l store.Limits) error { return l.CheckCompareAndSet(key, nil, []byte("ab")) }, nil},
		"unbound record": {store.Limits{}, func(l store.Limits) error { return l.CheckCompareAndSet(key, nil, make([]byte, 1<<20)) }, nil},
		"no record": {
			store.Limits{},
			func(l store.Limits) error { return l.CheckCompareAndSet(key, []byte("a"), nil) },
			[]string{`store: length of value is 0, want 1 to 9223372036854775807`},
		},
		"records too large": {
			store.Limits{MaxValue: 2},
			func(l store.Limits) error { return l.CheckCompareAndSet(key, []byte("abc"), []byte("abcd")) },
			[]string{`store: length of old is 3, want 0 to 2`, `store: length of value is 4, want 1 to 2`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := tt.check(tt.limits)
			if tt.want == nil {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, strings.Join(tt.want, "\n"))
			require.ErrorIs(t, err, store.ErrInvalid)
			require.NotErrorIs(t, err, store.ErrConflict)
			require.True(t, errors.As(err, new(*store.ArgumentError)))
		})
	}
}
