package mongostore

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Where CosId has its counters.
const (
	DefaultDatabase   = "cosid_db"
	DefaultCollection = "cosid"
)

const (
	// recordSuffix makes the default collection of records of that of counters.
	recordSuffix = "_record"

	// MongoDB's longest name of a database, in bytes, and a length of collections
	// that leaves room below its limit for both together, 235.
	maxDatabase   = 63
	maxCollection = 128
)

// Options describe a store. The zero value shares its counters with Java
// programs.
type Options struct {
	// Database holds the collections; empty stands for [DefaultDatabase]. It has
	// up to 63 bytes of UTF-8, and none of `/\. "$*<>:|?` and NUL.
	Database string

	// Collection holds the counters; empty stands for [DefaultCollection].
	// RecordCollection holds the records; empty stands for Collection with
	// "_record" at its end. They must be two, of up to 128 bytes of UTF-8 without
	// "$" and NUL, and not begin with a dot or with "system.". The server makes them
	// when they are first written to.
	Collection, RecordCollection string
}

// OptionError names a field of [Options], or what New or NewClient was given
// ("client", "URI"), and what is wrong with it. It matches [ErrOptions].
type OptionError struct {
	Field, Value, Bound string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("mongostore: %s is %s, want %s", e.Field, e.Value, e.Bound)
}

// Is reports whether target is [ErrOptions].
func (e *OptionError) Is(target error) bool { return target == ErrOptions }

// withDefaults returns options without empty fields, or every violation.
func (o Options) withDefaults() (Options, error) {
	o.Database = cmp.Or(o.Database, DefaultDatabase)
	o.Collection = cmp.Or(o.Collection, DefaultCollection)
	o.RecordCollection = cmp.Or(o.RecordCollection, o.Collection+recordSuffix)
	violations := []error{
		checkDatabase(o.Database),
		checkCollection("Collection", o.Collection),
		checkCollection("RecordCollection", o.RecordCollection),
	}
	if o.Collection == o.RecordCollection {
		violations = append(violations, &OptionError{"RecordCollection", shown(o.RecordCollection), "another one than Collection"})
	}
	return o, errors.Join(violations...)
}

func checkDatabase(name string) error {
	if len(name) <= maxDatabase && utf8.ValidString(name) && !strings.ContainsAny(name, "/\\. \"$*<>:|?\x00") {
		return nil
	}
	return &OptionError{"Database", shown(name), fmt.Sprintf("at most %d bytes of UTF-8 without any of %s and NUL", maxDatabase, "`/\\. \"$*<>:|?`")}
}

func checkCollection(field, name string) error {
	if len(name) <= maxCollection && utf8.ValidString(name) && !strings.ContainsAny(name, "$\x00") &&
		!strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "system.") {
		return nil
	}
	return &OptionError{field, shown(name), fmt.Sprintf(`at most %d bytes of UTF-8 without "$" and NUL that don't begin with "." or "system."`, maxCollection)}
}

// shown is a name as messages have it: enough to find it by.
func shown(name string) string { return fmt.Sprintf("%.*q", maxCollection, name) }

// NewClient makes a client from a URI in the driver's form, such as
// "mongodb://user:password@host1,host2/?replicaSet=rs0" or "mongodb+srv://…", for
// which it asks DNS. It begins to connect in the background and doesn't wait for
// it. Errors are [ErrOptions] and don't show the URI. The caller disconnects the
// client.
func NewClient(uri string) (*mongo.Client, error) {
	client, err := mongo.Connect(options.Client().ApplyURI(uri))
	if err != nil {
		return nil, fmt.Errorf("%w: URI: %w", ErrOptions, err)
	}
	return client, nil
}
