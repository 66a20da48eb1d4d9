package entstamp

import (
	"context"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	"github.com/stampid/go-stamp/stamp"
)

// Mixin gives a schema the field id, of type stamp.Typed[K], and the hook that
// makes ids. It is an [ent.Mixin].
type Mixin[K stamp.Kind] struct {
	mixin.Schema

	// GoType is the alias of stamp.Typed[K] in the package of K: "OrderID".
	// Required.
	GoType string
}

// Fields implements [ent.Mixin].
func (m Mixin[K]) Fields() []ent.Field {
	counted := false
	id := field.Int64("id").Immutable().Annotations(entsql.Annotation{Incremental: &counted})
	return []ent.Field{Field[K](id, m.GoType)}
}

// Hooks implements [ent.Mixin].
func (Mixin[K]) Hooks() []ent.Hook { return []ent.Hook{makeID[K]} }

// mutation is what ent generates for creating a row whose id is of kind K.
type mutation[K stamp.Kind] interface {
	ID() (stamp.Typed[K], bool)
	SetID(stamp.Typed[K])
}

func makeID[K stamp.Kind](next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		if !m.Op().Is(ent.OpCreate) {
			return next.Mutate(ctx, m)
		}
		row, ok := m.(mutation[K])
		if !ok {
			return nil, fmt.Errorf("entstamp: the id of %s isn't of kind %T: is the generated code up to date?", m.Type(), *new(K))
		}
		if _, has := row.ID(); !has {
			id, err := stamp.New[K](ctx)
			if err != nil {
				return nil, fmt.Errorf("entstamp: id of %s: %w", m.Type(), err)
			}
			row.SetID(id)
		}
		return next.Mutate(ctx, m)
	})
}
