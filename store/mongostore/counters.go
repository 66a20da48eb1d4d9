package mongostore

import (
	"context"
	"fmt"
	"math"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/stampid/go-stamp/store"
)

// The fields of a counter's document, which are CosId's.
const (
	maxIDField     = "lastMaxId"
	fetchTimeField = "lastFetchTime"
)

// Create is that of [store.Counters]. The document has a lastFetchTime of 0, as
// CosId's have.
func (s *Store) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	if err := limits().CheckCreate(key, start); err != nil {
		return false, err
	}
	c := call{"create", key.String()}
	return s.insert(ctx, c, s.counters, bson.D{
		{Key: "_id", Value: c.key}, {Key: maxIDField, Value: start}, {Key: fetchTimeField, Value: int64(0)},
	})
}

// Allocate is that of [store.Counters].
func (s *Store) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	if err := limits().CheckAllocate(key, n); err != nil {
		return 0, err
	}
	c := call{"allocate", key.String()}
	maxID, full, err := s.update(ctx, c, math.MaxInt64-n, bson.E{Key: "$inc", Value: bson.D{{Key: maxIDField, Value: n}}})
	if full {
		return 0, c.failed(fmt.Errorf("%w: it stands at %d, no room for %d more", store.ErrExhausted, maxID, n))
	}
	return maxID, err
}

// Peek is that of [store.Counters].
func (s *Store) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	if err := limits().CheckKey(key); err != nil {
		return 0, err
	}
	return s.peek(ctx, call{"peek", key.String()})
}

// Raise is that of [store.Counters].
func (s *Store) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	if err := limits().CheckRaise(key, to); err != nil {
		return 0, err
	}
	c := call{"raise", key.String()}
	maxID, _, err = s.update(ctx, c, math.MaxInt64, bson.E{Key: "$max", Value: bson.D{{Key: maxIDField, Value: to}}})
	return maxID, err
}

// update changes a counter that stands at most at limit, and returns where it then
// stands. If it is above, full, it returns that.
//
// The filter has the type, since $inc would make a double of a double, and a
// counter of a field that isn't there; and it excludes arrays, which would fit by
// their elements. The time is set too, so that the server has something to write
// and the majority something to acknowledge even if $max changes nothing: a
// primary that has been cut off can't say where the counter stands.
func (s *Store) update(ctx context.Context, c call, limit int64, change bson.E) (maxID int64, full bool, err error) {
	for range maxTries {
		reply, err := s.send(ctx, c, bson.D{
			{Key: "findAndModify", Value: s.counters},
			{Key: "query", Value: bson.D{{Key: "_id", Value: c.key}, {Key: maxIDField, Value: bson.D{
				{Key: "$type", Value: bson.A{"long", "int"}},
				{Key: "$not", Value: bson.D{{Key: "$type", Value: "array"}}},
				{Key: "$gte", Value: int64(0)},
				{Key: "$lte", Value: limit},
			}}}},
			{Key: "update", Value: bson.D{change, {Key: "$set", Value: bson.D{{Key: fetchTimeField, Value: time.Now().UnixMilli()}}}}},
			{Key: "new", Value: true},
		})
		if err != nil {
			return 0, false, err
		}
		if document, ok := reply.Lookup("value").DocumentOK(); ok {
			if maxID, err = counterOf(document); err != nil {
				return 0, false, c.doubtful(err) // it was changed
			}
			return maxID, false, nil
		}
		// No document fits. The reason may be gone when it is looked for: the
		// counter has just been created or mended, and is asked for again.
		if maxID, err = s.peek(ctx, c); err != nil || maxID > limit {
			return maxID, err == nil, err
		}
	}
	return 0, false, c.failed(fmt.Errorf("it stands at %d and was refused %d times", maxID, maxTries))
}

func (s *Store) peek(ctx context.Context, c call) (maxID int64, err error) {
	document, err := s.read(ctx, c, s.counters)
	switch {
	case err != nil:
		return 0, err
	case document == nil:
		return 0, c.failed(store.ErrNoCounter)
	}
	if maxID, err = counterOf(document); err != nil {
		return 0, c.failed(err)
	}
	return maxID, nil
}

// counterOf returns the value of a counter's document, or ErrNotCounter.
func counterOf(document bson.Raw) (int64, error) {
	const want = "want an int64 or int32 of 0 or more"
	value, err := document.LookupErr(maxIDField)
	if err != nil {
		return 0, fmt.Errorf("%w: it has no %s, %s", ErrNotCounter, maxIDField, want)
	}
	maxID := int64(-1)
	switch value.Type {
	case bson.TypeInt64:
		maxID = value.Int64()
	case bson.TypeInt32:
		maxID = int64(value.Int32())
	}
	if maxID < 0 {
		return 0, fmt.Errorf("%w: its %s is the %s %.64s, %s", ErrNotCounter, maxIDField, value.Type, value, want)
	}
	return maxID, nil
}

// insert makes a document, and tells whether it did: false if there is one.
func (s *Store) insert(ctx context.Context, c call, collection string, document bson.D) (inserted bool, err error) {
	_, err = s.send(ctx, c, bson.D{{Key: "insert", Value: collection}, {Key: "documents", Value: bson.A{document}}})
	// Another unique index may be the reason; then there is no such document.
	if index, ok := DuplicateKey(err); ok && (index == idIndex || index == "") {
		return false, nil
	}
	return err == nil, err
}
