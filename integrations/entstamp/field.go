package entstamp

import (
	"fmt"
	"go/token"
	"reflect"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"github.com/stampid/go-stamp/stamp"
)

// Field makes a field that field.Int64 has made one of type stamp.Typed[K], as for
// the foreign key of an edge. goType is the alias of that type in the package of K,
// without the package: "OrderID". What else was said of the field holds.
//
// A name that generated code can't use, or another kind of field, is the error
// that ent reports when it loads the schema.
func Field[K stamp.Kind](f ent.Field, goType string) ent.Field {
	d := f.Descriptor()
	if d.Err != nil {
		return f
	}
	kind := reflect.TypeFor[K]()
	switch {
	case d.Info.Type != field.TypeInt64:
		d.Err = fmt.Errorf("entstamp: field %q is of type %s, want field.Int64", d.Name, d.Info.Type)
	case !token.IsIdentifier(goType) || !token.IsExported(goType):
		d.Err = fmt.Errorf("entstamp: field %q: %q is no exported name of a type", d.Name, goType)
	case kind.PkgPath() == "" || kind.PkgPath() == "main":
		d.Err = fmt.Errorf("entstamp: field %q: no package can import the kind %s", d.Name, kind)
	default:
		// The methods of the type, by which ent knows how to scan it.
		d.Info = field.Int64(d.Name).GoType(stamp.Typed[K](0)).Descriptor().Info
		name(d.Info, kind, goType)
	}
	return f
}

// name makes info that of the alias of a kind's ids.
func name(info *field.TypeInfo, kind reflect.Type, alias string) {
	// A type's String has its package's own name, which needn't be the path's last
	// element.
	pkg, _, _ := strings.Cut(kind.String(), ".")
	info.Ident = pkg + "." + alias
	info.PkgPath = kind.PkgPath()
	info.PkgName = pkg
	info.RType.Name = alias
	info.RType.Ident = info.Ident
	info.RType.PkgPath = kind.PkgPath()
}
