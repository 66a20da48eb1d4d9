package stamp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/stamp"
)

func TestTypes(t *testing.T) {
	keys := kindOf("keys", encode.Base62, "ord_key_")
	types, err := stamp.NewTypes(
		stamp.Type{Name: "order", Config: orders.Config()},
		stamp.Type{Name: "user", Config: users.Config()},
		stamp.Type{Name: "plain", Config: plain.Config()},
		stamp.Type{Name: "key of an order", Config: keys.Config()},
	)
	require.NoError(t, err)
	require.Equal(t, []string{"key of an order", "order", "plain", "user"}, types.Names())
	for name, g := range map[string]*stamp.Generator{"order": orders, "user": users, "plain": plain, "key of an order": keys} {
		id, err := g.Next()
		require.NoError(t, err)
		text, err := g.Config().Encode(id)
		require.NoError(t, err)
		found, got, err := types.Decode(text)
		require.NoError(t, err)
		require.Equal(t, name, found.Name)
		require.Same(t, g.Config(), found.Config)
		require.Equal(t, id, got)
	}
	for _, text := range []string{"inv_00000000001", "", "ord", strings.Repeat("x", 1000)} {
		_, id, err := types.Decode(text)
		require.ErrorIs(t, err, stamp.ErrUnknownType, text)
		require.Zero(t, id)
		require.Less(t, len(err.Error()), 400)
	}
	_, _, err = types.Decode("ord_0000000000!")
	require.ErrorIs(t, err, stamp.ErrSyntax)
	require.ErrorContains(t, err, `"order"`)
	_, _, err = types.Decode("ord_key_1")
	require.ErrorContains(t, err, `"key of an order"`)

	none, err := stamp.NewTypes()
	require.NoError(t, err)
	_, _, err = none.Decode("ord_00000000001")
	require.ErrorIs(t, err, stamp.ErrUnknownType)
}

func TestTypesRefused(t *testing.T) {
	order := stamp.Type{Name: "order", Config: orders.Config()}
	underscore := kindOf("underscore", must(encode.NewSqids(encode.SqidsOptions{Alphabet: "abcdefghijklmnopqrstuvwxyz_"})), "ord_")
	noUnderscore := kindOf("no underscore", must(encode.NewSqids(encode.SqidsOptions{})), "ord_")
	key := stamp.Type{Name: "key", Config: kindOf("keys", encode.Hex, "ord_key_").Config()}
	for name, types := range map[string][]stamp.Type{
		"same prefix":             {order, {Name: "b", Config: kindOf("b", encode.Base62, "ord_").Config()}},
		"no prefixes":             {{Name: "a", Config: plain.Config()}, {Name: "b", Config: kindOf("b", encode.Decimal, "").Config()}},
		"prefix made of digits":   {{Name: "a", Config: underscore.Config()}, key},
		"the other way round":     {key, {Name: "a", Config: underscore.Config()}},
		"same name":               {order, {Name: "order", Config: users.Config()}},
		"no name":                 {{Config: users.Config()}},
		"no configuration":        {{Name: "a"}},
		"no configuration beside": {{Name: "a"}, order},
	} {
		_, err := stamp.NewTypes(types...)
		require.ErrorIs(t, err, stamp.ErrTypes, name)
	}
	_, err := stamp.NewTypes(order, order, stamp.Type{})
	require.Len(t, strings.Split(err.Error(), "\n"), 4, "every violation: %v", err)

	// Texts of one length and another can't be confused, nor can a prefix be
	// taken for digits that an alphabet doesn't have.
	for name, types := range map[string][]stamp.Type{
		"other length":   {order, {Name: "b", Config: kindOf("b", encode.Hex, "ord_").Config()}},
		"foreign prefix": {{Name: "a", Config: noUnderscore.Config()}, key},
	} {
		_, err := stamp.NewTypes(types...)
		require.NoError(t, err, name)
	}
}
