package stamp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

type nullOrderID = stamp.NullTyped[orderKind]

func TestNullTyped(t *testing.T) {
	there, missing := stamp.NullOf(orderID(1)), nullOrderID{}
	require.Equal(t, missing, stamp.NullOf(orderID(0)))
	require.True(t, missing.IsZero())
	require.False(t, there.IsZero())
	require.Equal(t, "ord_00000000001", there.String())
	require.Empty(t, missing.String())

	value, err := there.Value()
	require.NoError(t, err)
	require.Equal(t, int64(1), value)
	value, err = missing.Value()
	require.NoError(t, err)
	require.Nil(t, value)

	for want, from := range map[nullOrderID]any{there: int64(1), missing: nil} {
		got := stamp.NullOf(orderID(7))
		require.NoError(t, got.Scan(from))
		require.Equal(t, want, got)
	}
	for want, text := range map[nullOrderID]string{there: `"ord_00000000001"`, missing: `null`} {
		data, err := json.Marshal(want)
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		got := stamp.NullOf(orderID(7))
		require.NoError(t, json.Unmarshal(data, &got))
		require.Equal(t, want, got)
	}
	for want, text := range map[nullOrderID]string{there: `ord_00000000001`, missing: ``} {
		data, err := want.MarshalText()
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		got := stamp.NullOf(orderID(7))
		require.NoError(t, got.UnmarshalParam(text))
		require.Equal(t, want, got)
	}
	data, err := json.Marshal(struct {
		ID nullOrderID `json:"id,omitzero"`
	}{})
	require.NoError(t, err)
	require.Equal(t, `{}`, string(data))
}

// After an error the id is missing, and not the one before.
func TestNullTypedErrors(t *testing.T) {
	n := stamp.NullOf(orderID(7))
	require.ErrorIs(t, n.Scan(int64(-1)), stamp.ErrRange)
	require.Equal(t, nullOrderID{}, n)
	n = stamp.NullOf(orderID(7))
	require.ErrorIs(t, n.UnmarshalText([]byte("usr_00000000001")), stamp.ErrPrefix)
	require.Equal(t, nullOrderID{}, n)
	n = stamp.NullOf(orderID(7))
	require.ErrorIs(t, n.UnmarshalJSON([]byte("5")), stamp.ErrSyntax)
	require.Equal(t, nullOrderID{}, n)
	_, err := nullOrderID{ID: 0, Valid: true}.Value()
	require.ErrorIs(t, err, stamp.ErrRange)
	_, err = nullOrderID{ID: -5, Valid: true}.MarshalJSON()
	require.ErrorIs(t, err, stamp.ErrRange)
	require.Equal(t, "invalid ID(-5)", nullOrderID{ID: -5, Valid: true}.String())
}
