package gormstamp

import (
	"reflect"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

// associations gives ids to what a statement will create with its rows, before it
// begins a transaction. What this misses gets its id when GORM creates it.
type associations struct {
	maker *maker
	db    *gorm.DB
	seen  map[any]bool // pointers: rows may refer to each other
}

func (a *associations) fill(s *schema.Schema, rows reflect.Value) error {
	// Not Relations, which has those of other models that lead here as well.
	own := slices.Concat(s.Relationships.BelongsTo, s.Relationships.HasOne, s.Relationships.HasMany, s.Relationships.Many2Many)
	if len(own) == 0 {
		return nil
	}
	for _, row := range each(rows) {
		if pointer := row.Addr().Interface(); !a.seen[pointer] {
			a.seen[pointer] = true
		} else {
			continue
		}
		for _, rel := range own {
			if err := a.fillRelated(rel, row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *associations) fillRelated(rel *schema.Relationship, row reflect.Value) error {
	// GORM saves no association that is zero.
	if _, zero := rel.Field.ValueOf(a.db.Statement.Context, row); zero {
		return nil
	}
	related := rel.Field.ReflectValueOf(a.db.Statement.Context, row)
	for related.Kind() == reflect.Pointer {
		related = related.Elem()
	}
	sources, err := a.maker.sources(rel.FieldSchema, rel.FieldSchema.Table)
	if err != nil {
		return err
	}
	if _, err := a.maker.fillRows(a.db, sources, related); err != nil {
		return err
	}
	return a.fill(rel.FieldSchema, related)
}
