package pgxstamp

import (
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/stampid/go-stamp/stamp"
)

// Type is a kind of ids to register. It is made by [TypeOf].
type Type struct{ forms []form }

// TypeOf is the type of ids of kind K: [stamp.Typed] and [stamp.NullTyped].
func TypeOf[K stamp.Kind]() Type { return Type{[]form{typedForm[K]{}, nullForm[K]{}}} }

// Register makes a connection's map of types read and write [stamp.ID], and the
// ids of types. It is meant for the AfterConnect of a pool. A map isn't safe for
// concurrent use, and neither is Register on one. Types can be added later, and
// registering one again changes nothing.
//
// What the map holds for bigint, json and jsonb is kept for values of all other
// types, so register codecs of your own for these before.
func Register(m *pgtype.Map, types ...Type) {
	forms := []form{plainForm{}}
	for _, t := range types {
		forms = append(forms, t.forms...)
	}
	number := register(m, pgtype.Int8OID, forms, func(base pgtype.Codec, known known) pgtype.Codec {
		return &numberCodec{base, known}
	})
	m.RegisterType(&pgtype.Type{Name: "_int8", OID: pgtype.Int8ArrayOID, Codec: &pgtype.ArrayCodec{ElementType: number}})
	for _, oid := range []uint32{pgtype.JSONOID, pgtype.JSONBOID} {
		register(m, oid, forms, func(base pgtype.Codec, known known) pgtype.Codec {
			return &jsonCodec{base, known}
		})
	}
	for _, f := range forms {
		m.RegisterDefaultPgType(f.zero(), "int8")
		m.RegisterDefaultPgType(f.slice(), "_int8")
	}
}

// register puts a codec for forms before the one that the map has for a type, or
// adds them to it if it is one of ours.
func register(m *pgtype.Map, oid uint32, forms []form, wrap func(pgtype.Codec, known) pgtype.Codec) *pgtype.Type {
	// All three are in every map.
	was, _ := m.TypeForOID(oid)
	base, all := was.Codec, known{}
	if ours, ok := base.(interface{ parts() (pgtype.Codec, known) }); ok {
		var before known
		base, before = ours.parts()
		for t, f := range before {
			all[t] = f
		}
	}
	for _, f := range forms {
		all[reflect.TypeOf(f.zero())] = f
	}
	now := &pgtype.Type{Name: was.Name, OID: oid, Codec: wrap(base, all)}
	m.RegisterType(now)
	return now
}

// known has the forms of ids by their Go type.
type known map[reflect.Type]form

// written is the form of a value to be written, or nil.
func (k known) written(value any) form { return k[reflect.TypeOf(value)] }

// read is the form of what a pointer is to be read into, or nil.
func (k known) read(target any) form {
	t := reflect.TypeOf(target)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil
	}
	return k[t.Elem()]
}
