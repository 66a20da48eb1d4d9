package mongostore

import (
	"errors"

	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/stampid/go-stamp/store"
)

// The longest key and the largest record, in bytes. A key is a [store.Key] as
// text.
const (
	MaxKey   = 512
	MaxValue = 64 << 10
)

// Store keeps [store.Counters] and [store.Records] in MongoDB. Make it with [New].
// It is safe for concurrent use. It has nothing to close.
type Store struct {
	database          *mongo.Database
	counters, records string
}

// New returns a store over a client, whose settings for reading and writing don't
// matter. It doesn't ask the server. Errors are [ErrOptions]. The caller keeps and
// disconnects the client.
func New(client *mongo.Client, o Options) (*Store, error) {
	var missing error
	if client == nil {
		missing = &OptionError{"client", "nil", "one"}
	}
	o, err := o.withDefaults()
	if err := errors.Join(missing, err); err != nil {
		return nil, err
	}
	return &Store{database: client.Database(o.Database), counters: o.Collection, records: o.RecordCollection}, nil
}

func limits() store.Limits { return store.Limits{MaxKey: MaxKey, MaxValue: MaxValue} }
