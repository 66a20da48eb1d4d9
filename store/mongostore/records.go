package mongostore

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/stampid/go-stamp/store"
)

// The fields of a record's document. The count makes a change of each write, also
// of the same content again: a primary that has been cut off can't acknowledge it
// then, as it could if there were nothing to write.
const (
	contentField = "content"
	writesField  = "writes"
)

// Get is that of [store.Records].
func (s *Store) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	if err := limits().CheckKey(key); err != nil {
		return nil, err
	}
	c := call{"get", key.String()}
	document, err := s.read(ctx, c, s.records)
	if err != nil || document == nil {
		return nil, err
	}
	content := document.Lookup(contentField)
	subtype, value, ok := content.BinaryOK()
	if !ok || subtype != bson.TypeBinaryGeneric || len(value) == 0 {
		return nil, c.failed(fmt.Errorf("%w: its %s is the %s %.64s, want bytes", ErrNotRecord, contentField, content.Type, content))
	}
	return value, nil
}

// CompareAndSet is that of [store.Records].
func (s *Store) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := limits().CheckCompareAndSet(key, old, value); err != nil {
		return err
	}
	c := call{"compare and set", key.String()}
	written, err := false, error(nil)
	if len(old) == 0 {
		written, err = s.insert(ctx, c, s.records, bson.D{
			{Key: "_id", Value: c.key}, {Key: contentField, Value: value}, {Key: writesField, Value: int64(1)},
		})
	} else {
		written, err = s.replace(ctx, c, old, value)
	}
	if err == nil && !written {
		return c.failed(store.ErrConflict)
	}
	return err
}

// replace writes a record over old, and tells whether it did.
func (s *Store) replace(ctx context.Context, c call, old, value []byte) (written bool, err error) {
	reply, err := s.send(ctx, c, bson.D{
		{Key: "update", Value: s.records},
		{Key: "updates", Value: bson.A{bson.D{
			{Key: "q", Value: bson.D{{Key: "_id", Value: c.key}, {Key: contentField, Value: old}}},
			{Key: "u", Value: bson.D{
				{Key: "$set", Value: bson.D{{Key: contentField, Value: value}}},
				{Key: "$inc", Value: bson.D{{Key: writesField, Value: int64(1)}}},
			}},
		}}},
	})
	if err != nil {
		return false, err
	}
	matched, ok := reply.Lookup("n").AsInt64OK()
	if !ok {
		return false, c.doubtful(fmt.Errorf("the server doesn't say how many documents it changed: %.200s", reply))
	}
	return matched > 0, nil
}
