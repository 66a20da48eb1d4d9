package gormstamp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"github.com/stampid/go-stamp/stamp"
)

// maker makes the ids of statements.
type maker struct{ options Options }

// create is called before a statement that creates rows begins.
func (m *maker) create(db *gorm.DB) {
	stmt := db.Statement
	if db.Error != nil || stmt.Schema == nil {
		return
	}
	sources, err := m.sources(stmt.Schema, tableOf(stmt))
	if err != nil {
		_ = db.AddError(err)
		return
	}
	made := false
	switch dest := stmt.Dest.(type) {
	case map[string]any:
		err = m.fillMap(db, sources, dest)
	case *map[string]any:
		err = m.fillMap(db, sources, *dest)
	case []map[string]any:
		err = m.fillMaps(db, sources, dest)
	case *[]map[string]any:
		err = m.fillMaps(db, sources, *dest)
	default:
		made, err = m.fillRows(db, sources, stmt.ReflectValue)
		if err == nil && len(stmt.Selects) == 0 && len(stmt.Omits) == 0 {
			err = (&associations{maker: m, db: db, seen: map[any]bool{}}).fill(stmt.Schema, stmt.ReflectValue)
		}
	}
	if err != nil {
		_ = db.AddError(err)
		return
	}
	if made {
		returnID(stmt)
	}
}

// fillRows gives ids to one row or to those of a slice.
func (m *maker) fillRows(db *gorm.DB, sources []source, rows reflect.Value) (made bool, err error) {
	for _, row := range each(rows) {
		for _, s := range sources {
			if _, zero := s.field.ValueOf(db.Statement.Context, row); !zero {
				continue
			}
			id, err := m.make(db, s.generator)
			if err != nil {
				return made, err
			}
			set(db.Statement.Context, s.field, row, id)
			made = true
		}
	}
	return made, nil
}

// each returns the structs of a statement's rows, without what isn't one: GORM
// refuses that itself.
func each(rows reflect.Value) []reflect.Value {
	var found []reflect.Value
	switch rows.Kind() {
	case reflect.Struct:
		return []reflect.Value{rows}
	case reflect.Slice, reflect.Array:
		for i := range rows.Len() {
			row := rows.Index(i)
			for row.Kind() == reflect.Pointer || row.Kind() == reflect.Interface {
				row = row.Elem()
			}
			if row.Kind() == reflect.Struct && row.CanAddr() {
				found = append(found, row)
			}
		}
	}
	return found
}

// set is as Field.Set, but knows that the value is an integer.
func set(ctx context.Context, f *schema.Field, row reflect.Value, id stamp.ID) {
	v := f.ReflectValueOf(ctx, row)
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	v.SetInt(int64(id))
}

func (m *maker) fillMaps(db *gorm.DB, sources []source, rows []map[string]any) error {
	for _, row := range rows {
		if err := m.fillMap(db, sources, row); err != nil {
			return err
		}
	}
	return nil
}

// fillMap gives ids to a row whose keys are names of columns or fields.
func (m *maker) fillMap(db *gorm.DB, sources []source, row map[string]any) error {
	if row == nil {
		return nil
	}
	for _, s := range sources {
		_, byColumn := row[s.field.DBName]
		_, byName := row[s.field.Name]
		if byColumn || byName {
			continue
		}
		id, err := m.make(db, s.generator)
		if err != nil {
			return err
		}
		row[s.field.DBName] = reflect.ValueOf(id).Convert(s.field.IndirectFieldType).Interface()
	}
	return nil
}

// make makes an id with what the statement's context says.
func (m *maker) make(db *gorm.DB, g *stamp.Generator) (stamp.ID, error) {
	ctx, cancel := context.WithTimeout(db.Statement.Context, m.options.Timeout)
	defer cancel()
	began := time.Now()
	id, err := next(ctx, g)
	if err == nil {
		return id, nil
	}
	if pool, poolErr := db.DB(); poolErr == nil && errors.Is(err, context.DeadlineExceeded) {
		if s := pool.Stats(); s.MaxOpenConnections > 0 && s.InUse >= s.MaxOpenConnections {
			return 0, &PoolError{SequenceID: g.SequenceID(), Connections: s.InUse, Waited: time.Since(began), Err: err}
		}
	}
	return 0, fmt.Errorf("gormstamp: no id of %q: %w", g.SequenceID(), err)
}

// PoolError says that an id wasn't made in time while all connections of the
// statement's pool were in use: numbers from a store on that pool may have been
// waiting for one of them. Give the store a pool of its own.
type PoolError struct {
	SequenceID  string
	Connections int // of the pool, all in use
	Waited      time.Duration
	Err         error // matches context.DeadlineExceeded
}

func (e *PoolError) Error() string {
	return fmt.Sprintf("gormstamp: no id of %q after %s, with all %d connections of the pool in use, which its store may need: %v",
		e.SequenceID, e.Waited.Round(time.Millisecond), e.Connections, e.Err)
}

// Unwrap returns Err.
func (e *PoolError) Unwrap() error { return e.Err }
