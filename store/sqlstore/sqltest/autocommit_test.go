package sqltest

import (
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/sqlstore"
)

// Connections that don't commit by themselves write nothing.
func TestAutocommitOff(t *testing.T) {
	d := onMySQL(t)
	s := d.store(t, d.db)
	create(t, s, 5)
	require.NoError(t, s.CompareAndSet(t.Context(), orders, nil, []byte("a")))
	off := d.store(t, openMySQL(t, func(c *mysql.Config) { c.Params = map[string]string{"autocommit": "0"} }))
	ctx, other := t.Context(), store.Key{Namespace: "shop", Name: "other"}
	for what, call := range map[string]func() error{
		"create":   func() error { _, err := off.Create(ctx, other, 0); return err },
		"allocate": func() error { _, err := off.Allocate(ctx, orders, 1); return err },
		"raise":    func() error { _, err := off.Raise(ctx, orders, 9); return err },
		"insert":   func() error { return off.CompareAndSet(ctx, other, nil, []byte("a")) },
		"update":   func() error { return off.CompareAndSet(ctx, orders, []byte("a"), []byte("b")) },
	} {
		err := call()
		require.ErrorIs(t, err, sqlstore.ErrAutocommit, what)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, what)
	}
	requireAllocate(t, s, 1, 6) // no row is locked
	value, err := s.Get(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, "a", string(value))
}
