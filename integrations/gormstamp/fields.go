package gormstamp

import (
	"errors"
	"fmt"
	"reflect"

	"gorm.io/gorm/schema"

	"github.com/stampid/go-stamp/stamp"
)

// ErrField is matched by errors about fields that can't have the id that their tag
// or their type asks for.
var ErrField = errors.New("gormstamp: field can't have an id")

const (
	tag = "STAMP" // GORM's parser makes keys upper case
	off = "-"
)

// generated is what typed ids of all kinds implement.
type generated interface {
	Generator() (*stamp.Generator, error)
}

var plain = reflect.TypeFor[stamp.ID]()

// source is a field that gets ids, and where they come from.
type source struct {
	field     *schema.Field
	generator *stamp.Generator
}

// sources are those of a model whose rows go to table.
func (m *maker) sources(s *schema.Schema, table string) ([]source, error) {
	var found []source
	for _, f := range s.Fields {
		name, tagged := f.TagSettings[tag]
		if f.DBName == "" || !f.Creatable || name == off || !tagged && (!f.PrimaryKey || isForeignKey(s, f)) {
			continue
		}
		g, err := m.generator(f, table, name, tagged)
		if err != nil {
			return nil, fmt.Errorf("%w: %s of %s: %w", ErrField, f.Name, s.Name, err)
		}
		if g != nil {
			found = append(found, source{f, g})
		}
	}
	return found, nil
}

// generator returns nil for a field that isn't ours.
func (m *maker) generator(f *schema.Field, table, name string, tagged bool) (*stamp.Generator, error) {
	// For a tag without a value GORM repeats its name.
	named := tagged && name != tag
	typed, isTyped := reflect.Zero(f.IndirectFieldType).Interface().(generated)
	switch {
	case isTyped && named:
		return nil, fmt.Errorf("its kind has a sequence, and the tag names %q", name)
	case isTyped:
		return typed.Generator()
	case f.IndirectFieldType != plain && tagged:
		return nil, fmt.Errorf("%s is neither stamp.Typed nor stamp.ID", f.FieldType)
	case f.IndirectFieldType != plain:
		return nil, nil
	case m.options.Config == nil && tagged:
		return nil, errors.New("Options.Config isn't set")
	case m.options.Config == nil:
		return nil, nil
	case named:
		return stamp.NewGenerator(name, m.options.Config)
	default:
		return stamp.NewGenerator(m.sequenceID(table, f.DBName), m.options.Config)
	}
}

func isForeignKey(s *schema.Schema, f *schema.Field) bool {
	for _, rel := range s.Relationships.Relations {
		for _, ref := range rel.References {
			if ref.ForeignKey == f {
				return true
			}
		}
	}
	return false
}
