package stamp

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var (
	// ErrTypes is matched by errors about types of ids that can't be told
	// apart, or that are no types.
	ErrTypes = errors.New("stamp: types of ids can't be told apart")
	// ErrUnknownType says that a text is an id of none of the types. See
	// [UnknownTypeError].
	ErrUnknownType = errors.New("stamp: text is an id of no known type")
)

// Type is a name for the ids of a configuration.
type Type struct {
	Name   string
	Config *Config
}

// Types finds the type of an id from its text. It doesn't change and is safe
// for concurrent use.
type Types struct {
	list []Type // the longest prefix first
}

// NewTypes makes a registry of types. No two may have the same name, or texts
// that both could read: for the codecs of package encode that is the same
// prefix, or, where a codec's alphabet has the characters of a prefix, one that
// begins the other. The error matches [ErrTypes] and joins every violation.
func NewTypes(types ...Type) (*Types, error) {
	var errs []error
	refuse := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrTypes}, args...)...))
	}
	for i, t := range types {
		if t.Name == "" {
			refuse("type %d has no name", i)
		}
		if t.Config == nil {
			refuse("type %q has no configuration", t.Name)
			continue
		}
		for _, o := range types[:i] {
			if t.Name == o.Name {
				refuse("two types have the name %q", t.Name)
			}
			if o.Config != nil && t.Config.text.Overlaps(&o.Config.text) {
				refuse("a text could be an id of %q, prefix %q, and of %q, prefix %q",
					o.Name, o.Config.text.Prefix(), t.Name, t.Config.text.Prefix())
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	list := slices.Clone(types)
	slices.SortFunc(list, func(a, b Type) int {
		pa, pb := a.Config.text.Prefix(), b.Config.text.Prefix()
		if len(pa) != len(pb) {
			return len(pb) - len(pa)
		}
		return strings.Compare(pa, pb)
	})
	return &Types{list}, nil
}

// Decode finds the type of a text, and its id. If the text begins with the
// prefix of a type but isn't an id of any, the error is that of the type with
// the longest such prefix; else it is an *[UnknownTypeError].
func (t *Types) Decode(text string) (Type, ID, error) {
	var first error
	for _, candidate := range t.list {
		c := candidate.Config
		if !strings.HasPrefix(text, c.text.Prefix()) {
			continue
		}
		id, err := c.Decode(text)
		if err == nil {
			return candidate, id, nil
		}
		if first == nil && c.text.Prefix() != "" {
			first = fmt.Errorf("stamp: id of type %q: %w", candidate.Name, err)
		}
	}
	if first == nil {
		first = &UnknownTypeError{Text: strings.Clone(text[:min(len(text), 128)]), Known: t.Names()}
	}
	return Type{}, 0, first
}

// Names lists the types in order.
func (t *Types) Names() []string {
	names := make([]string, len(t.list))
	for i, candidate := range t.list {
		names[i] = candidate.Name
	}
	slices.Sort(names)
	return names
}

// UnknownTypeError matches [ErrUnknownType].
type UnknownTypeError struct {
	Text  string   // its first 128 bytes
	Known []string // names of types
}

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("stamp: %q is an id of none of the types %s", e.Text, strings.Join(e.Known, ", "))
}

// Is reports whether target is [ErrUnknownType].
func (e *UnknownTypeError) Is(target error) bool { return target == ErrUnknownType }
