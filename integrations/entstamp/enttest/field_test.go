package enttest

import (
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/integrations/entstamp"
	"github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/kinds"
)

func TestFieldDescriptor(t *testing.T) {
	d := entstamp.Field[kinds.OrderKind](field.Int64("order_id").Optional().Nillable().Comment("x"), "OrderID").Descriptor()
	require.NoError(t, d.Err)
	require.Equal(t, "kinds.OrderID", d.Info.Ident)
	require.True(t, d.Info.ValueScanner())
	require.Equal(t, field.TypeInt64, d.Info.Type)
	require.True(t, d.Optional)
	require.True(t, d.Nillable)
	require.Equal(t, "x", d.Comment)
}

func TestFieldErrors(t *testing.T) {
	for want, f := range map[string]ent.Field{
		`want field.Int64`:             entstamp.Field[kinds.OrderKind](field.String("order_id"), "OrderID"),
		`"" is no exported name`:       entstamp.Field[kinds.OrderKind](field.Int64("order_id"), ""),
		`"orderID" is no exported`:     entstamp.Field[kinds.OrderKind](field.Int64("order_id"), "orderID"),
		`"kinds.OrderID" is no`:        entstamp.Field[kinds.OrderKind](field.Int64("order_id"), "kinds.OrderID"),
		`"" is no exported name of a `: entstamp.Mixin[kinds.OrderKind]{}.Fields()[0],
	} {
		require.ErrorContains(t, f.Descriptor().Err, want)
	}
}
