package stamp

import (
	"context"
	"errors"
	"fmt"
	"unsafe"
)

// ErrKind is matched by errors about a type of ids whose kind has no generator.
var ErrKind = errors.New("stamp: kind of id has no generator")

// Kind tells which generator makes the ids of a type. Its zero value must do;
// Stamp is called for each use and should return a package-level variable.
//
//	var orders = stamp.MustGenerator("orders", cfg)
//
//	type orderKind struct{}
//
//	func (orderKind) Stamp() *stamp.Generator { return orders }
//
//	type OrderID = stamp.Typed[orderKind]
type Kind interface {
	Stamp() *Generator
}

// Typed is an id of one kind of rows. Ids of two kinds don't mix: to pass or
// compare one as the other doesn't compile. Like [ID] it is comparable, ordered
// by time within a partition, usable as a map key, and the zero value is no id.
//
// As text, in JSON, in forms and URLs it is the text that the kind's
// configuration gives, with codec and prefix; in the database a bigint. What
// can't be an id of the kind's layout is refused by every method that can
// return an error, also when it is written: tag an optional field omitzero, or
// use [NullTyped].
type Typed[K Kind] int64

// New makes an id of a kind, as [NextContext] does.
func New[K Kind](ctx context.Context) (Typed[K], error) {
	g, err := generatorOf[K]()
	if err != nil {
		return 0, err
	}
	id, err := g.NextContext(ctx)
	return Typed[K](id), err
}

// NewIn makes an id of a kind in a partition, whatever the partition function
// says. The errors are those of [NextIn].
func NewIn[K Kind](partition uint64) (Typed[K], error) {
	g, err := generatorOf[K]()
	if err != nil {
		return 0, err
	}
	if g, err = g.In(partition); err != nil {
		return 0, err
	}
	id, err := g.Next()
	return Typed[K](id), err
}

// AppendNew makes n ids of a kind, as [Generator.Append] does.
func AppendNew[K Kind](ctx context.Context, dst []Typed[K], n int) ([]Typed[K], error) {
	g, err := generatorOf[K]()
	if err != nil {
		return dst, err
	}
	// Typed and ID are both an int64.
	ids := unsafe.Slice((*ID)(unsafe.SliceData(dst)), cap(dst))[:len(dst)]
	ids, err = g.Append(ctx, ids, n)
	return unsafe.Slice((*Typed[K])(unsafe.SliceData(ids)), cap(ids))[:len(ids)], err
}

// TypedOf is a plain id as one of a kind. The error is [ErrRange] for what
// can't be an id of the kind's layout. Whether it was made for that kind, an id
// doesn't tell.
func TypedOf[K Kind](id ID) (Typed[K], error) {
	c, err := configOf[K]()
	if err != nil {
		return 0, err
	}
	if err := checkID(int64(id), c.largest); err != nil {
		return 0, err
	}
	return Typed[K](id), nil
}

// ParseTyped reads the text of an id, as [Config.Decode] does.
func ParseTyped[K Kind](text string) (Typed[K], error) {
	c, err := configOf[K]()
	if err != nil {
		return 0, err
	}
	id, err := c.Decode(text)
	return Typed[K](id), err
}

// Generator is the one that makes ids of the kind, whatever the id: for code that
// knows the type by reflection only. The error is [ErrKind] if there is none.
func (id Typed[K]) Generator() (*Generator, error) { return generatorOf[K]() }

// ID is the id without its kind.
func (id Typed[K]) ID() ID { return ID(id) }

// Valid tells whether id can be an id of the kind's layout.
func (id Typed[K]) Valid() bool {
	c, err := configOf[K]()
	return err == nil && checkID(int64(id), c.largest) == nil
}

// String returns the text of the id. For what is none it says so: "invalid
// ID(-5)".
func (id Typed[K]) String() string {
	text, err := id.AppendText(nil)
	if err != nil {
		return fmt.Sprintf("invalid ID(%d)", int64(id))
	}
	return string(text)
}

// AppendText implements [encoding.TextAppender]. The errors are those of
// [Config.Encode].
func (id Typed[K]) AppendText(dst []byte) ([]byte, error) {
	c, err := configOf[K]()
	if err != nil {
		return dst, err
	}
	return c.AppendEncode(dst, ID(id))
}

// MarshalText implements [encoding.TextMarshaler]. The errors are those of
// [Config.Encode].
func (id Typed[K]) MarshalText() ([]byte, error) { return id.AppendText(nil) }

// UnmarshalText implements [encoding.TextUnmarshaler]. The errors are those of
// [Config.Decode]; id is then 0.
func (id *Typed[K]) UnmarshalText(text []byte) error {
	*id = 0
	c, err := configOf[K]()
	if err != nil {
		return err
	}
	n, err := c.DecodeBytes(text)
	*id = Typed[K](n)
	return err
}

// UnmarshalParam is UnmarshalText for web frameworks that bind parameters by
// this method, as gin and echo do.
func (id *Typed[K]) UnmarshalParam(text string) error { return id.UnmarshalText([]byte(text)) }

func generatorOf[K Kind]() (*Generator, error) {
	var kind K
	if g := kind.Stamp(); g != nil {
		return g, nil
	}
	return nil, fmt.Errorf("%w: Stamp of %T returned nil", ErrKind, kind)
}

func configOf[K Kind]() (*Config, error) {
	g, err := generatorOf[K]()
	if err != nil {
		return nil, err
	}
	return g.config, nil
}
