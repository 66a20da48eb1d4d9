// Package schema has the schemas that the tests' code is generated from.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/stampid/go-stamp/integrations/entstamp"
	"github.com/stampid/go-stamp/integrations/entstamp/enttest/internal/kinds"
)

// Customer has orders.
type Customer struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Customer) Mixin() []ent.Mixin {
	return []ent.Mixin{entstamp.Mixin[kinds.CustomerKind]{GoType: "CustomerID"}}
}

// Fields implements ent.Interface.
func (Customer) Fields() []ent.Field {
	return []ent.Field{field.String("name")}
}

// Edges implements ent.Interface.
func (Customer) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("orders", Order.Type),
		edge.To("watched", Order.Type), // many to many
	}
}

// Order is of a customer, and may replace another one.
type Order struct{ ent.Schema }

// Mixin implements ent.Interface.
func (Order) Mixin() []ent.Mixin {
	return []ent.Mixin{entstamp.Mixin[kinds.OrderKind]{GoType: "OrderID"}}
}

// Fields implements ent.Interface.
func (Order) Fields() []ent.Field {
	return []ent.Field{
		field.String("note").Default(""),
		entstamp.Field[kinds.CustomerKind](field.Int64("customer_id"), "CustomerID"),
		entstamp.Field[kinds.CustomerKind](field.Int64("paid_by").Optional().Nillable(), "CustomerID"),
	}
}

// Edges implements ent.Interface.
func (Order) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("customer", Customer.Type).Ref("orders").Field("customer_id").Unique().Required(),
		edge.From("watchers", Customer.Type).Ref("watched"),
		edge.To("replaces", Order.Type).Unique(), // a foreign key without a field
	}
}
