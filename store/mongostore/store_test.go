package mongostore_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/mongostore"
)

// on returns a store in a database of its own, and its two collections.
func on(t *testing.T) (s *mongostore.Store, counters, records *mongo.Collection) {
	t.Helper()
	client := connect(t)
	o := newDatabase(t, client)
	database := client.Database(o.Database)
	return newStore(t, client, o), database.Collection("cosid"), database.Collection("cosid_record")
}

func byID(id string) bson.D { return bson.D{{Key: "_id", Value: id}} }

// put makes a document be the counter of orders, whatever it was.
func put(t *testing.T, counters *mongo.Collection, fields ...bson.E) {
	t.Helper()
	document := append(byID("shop.orders"), fields...)
	_, err := counters.ReplaceOne(t.Context(), byID("shop.orders"), document, options.Replace().SetUpsert(true))
	require.NoError(t, err)
}

// Names and types of all fields: those of counters are CosId's.
func TestFormat(t *testing.T) {
	ctx := t.Context()
	s, counters, records := on(t)
	key := store.Key{Namespace: "shop", Name: "order_no@20260101"}
	document := func(c *mongo.Collection) (raw bson.Raw) {
		t.Helper()
		raw, err := c.FindOne(ctx, byID(key.String())).Raw()
		require.NoError(t, err)
		return raw
	}
	_, err := s.Create(ctx, key, 1<<53+1)
	require.NoError(t, err)
	require.Equal(t, raw(t, bson.D{
		{Key: "_id", Value: "shop.order_no@20260101"}, {Key: "lastMaxId", Value: int64(1<<53 + 1)}, {Key: "lastFetchTime", Value: int64(0)},
	}), document(counters))

	for name, change := range map[string]func() error{
		"allocate": func() error { _, err := s.Allocate(ctx, key, 1); return err },
		"raise":    func() error { _, err := s.Raise(ctx, key, math.MaxInt64); return err },
	} {
		before := time.Now().UnixMilli()
		require.NoError(t, change(), name)
		got := document(counters)
		elements, err := got.Elements()
		require.NoError(t, err)
		require.Len(t, elements, 3)
		require.Equal(t, bson.TypeInt64, got.Lookup("lastMaxId").Type)
		require.GreaterOrEqual(t, got.Lookup("lastFetchTime").Int64(), before, name)
		require.LessOrEqual(t, got.Lookup("lastFetchTime").Int64(), time.Now().UnixMilli(), name)
	}

	require.NoError(t, s.CompareAndSet(ctx, key, nil, []byte("a\x00\xff")))
	require.NoError(t, s.CompareAndSet(ctx, key, []byte("a\x00\xff"), []byte("b")))
	require.Equal(t, raw(t, bson.D{
		{Key: "_id", Value: "shop.order_no@20260101"}, {Key: "content", Value: []byte("b")}, {Key: "writes", Value: int64(2)},
	}), document(records))
}

func raw(t *testing.T, d bson.D) bson.Raw {
	t.Helper()
	document, err := bson.Marshal(d)
	require.NoError(t, err)
	return document
}

// What CosId does beside: it adds to the counter, and makes one that is missing.
func TestSharedWithCosID(t *testing.T) {
	ctx := t.Context()
	s, counters, _ := on(t)
	cosid := func(step int64) (maxID int64) {
		t.Helper()
		after, err := counters.FindOneAndUpdate(ctx, byID("shop.orders"), bson.D{
			{Key: "$inc", Value: bson.D{{Key: "lastMaxId", Value: step}}},
			{Key: "$set", Value: bson.D{{Key: "lastFetchTime", Value: time.Now().UnixMilli()}}},
		}, options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)).Raw()
		require.NoError(t, err)
		return after.Lookup("lastMaxId").Int64()
	}
	require.Equal(t, int64(100), cosid(100))
	created, err := s.Create(ctx, orders, 5)
	require.NoError(t, err)
	require.False(t, created)
	maxID, err := s.Allocate(ctx, orders, 10)
	require.NoError(t, err)
	require.Equal(t, int64(110), maxID)
	require.Equal(t, int64(210), cosid(100))
}

// A lastMaxId of 32 bits, as many tools store small numbers, is a counter.
func TestInt32(t *testing.T) {
	ctx := t.Context()
	s, counters, _ := on(t)
	for name, tt := range map[string]struct {
		call func() (int64, error)
		want int64
	}{
		"peek":           {func() (int64, error) { return s.Peek(ctx, orders) }, math.MaxInt32},
		"allocate":       {func() (int64, error) { return s.Allocate(ctx, orders, 10) }, math.MaxInt32 + 10},
		"allocate all":   {func() (int64, error) { return s.Allocate(ctx, orders, math.MaxInt64-math.MaxInt32) }, math.MaxInt64},
		"raise":          {func() (int64, error) { return s.Raise(ctx, orders, 1<<53+1) }, 1<<53 + 1},
		"raise to less":  {func() (int64, error) { return s.Raise(ctx, orders, 1) }, math.MaxInt32},
		"raise to equal": {func() (int64, error) { return s.Raise(ctx, orders, math.MaxInt32) }, math.MaxInt32},
	} {
		put(t, counters, bson.E{Key: "lastMaxId", Value: int32(math.MaxInt32)})
		maxID, err := tt.call()
		require.NoError(t, err, name)
		require.Equal(t, tt.want, maxID, name)
		maxID, err = s.Peek(ctx, orders)
		require.NoError(t, err, name)
		require.Equal(t, tt.want, maxID, name)
	}
	put(t, counters, bson.E{Key: "lastMaxId", Value: int32(math.MaxInt32)})
	_, err := s.Allocate(ctx, orders, math.MaxInt64-math.MaxInt32+1)
	require.ErrorIs(t, err, store.ErrExhausted)
}

// What isn't a counter is refused by all methods and left alone: a double would
// stay one, and be wrong above 1<<53.
func TestNotACounter(t *testing.T) {
	ctx := t.Context()
	s, counters, _ := on(t)
	lastMaxID := func(v any) []bson.E { return []bson.E{{Key: "lastMaxId", Value: v}} }
	for name, fields := range map[string][]bson.E{
		"double":          lastMaxID(100.0),
		"double, 0":       lastMaxID(0.0),
		"fraction":        lastMaxID(100.5),
		"large double":    lastMaxID(float64(1 << 60)),
		"text":            lastMaxID("100"),
		"bool":            lastMaxID(true),
		"null":            lastMaxID(nil),
		"document":        lastMaxID(bson.D{{Key: "n", Value: int64(1)}}),
		"array":           lastMaxID(bson.A{int64(1)}),
		"date":            lastMaxID(bson.DateTime(1)),
		"negative":        lastMaxID(int64(-1)),
		"most negative":   lastMaxID(int64(math.MinInt64)),
		"negative, short": lastMaxID(int32(-1)),
		"no field":        {{Key: "lastFetchTime", Value: int64(1)}},
		"other case":      {{Key: "lastmaxid", Value: int64(1)}},
	} {
		put(t, counters, fields...)
		before, err := counters.FindOne(ctx, byID("shop.orders")).Raw()
		require.NoError(t, err)
		created, err := s.Create(ctx, orders, 1)
		require.NoError(t, err, name)
		require.False(t, created, name)
		_, allocateErr := s.Allocate(ctx, orders, 1)
		_, peekErr := s.Peek(ctx, orders)
		_, raiseErr := s.Raise(ctx, orders, math.MaxInt64)
		for _, err := range []error{allocateErr, peekErr, raiseErr} {
			require.ErrorIs(t, err, mongostore.ErrNotCounter, name)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome, name)
			require.ErrorContains(t, err, `"shop.orders"`)
		}
		after, err := counters.FindOne(ctx, byID("shop.orders")).Raw()
		require.NoError(t, err)
		require.Equal(t, before, after, name)
	}
	// As the package's comment says.
	put(t, counters, lastMaxID(1000.0)...)
	_, err := counters.UpdateOne(ctx, byID("shop.orders"), bson.D{{Key: "$set", Value: bson.D{{Key: "lastMaxId", Value: int64(1000)}}}})
	require.NoError(t, err)
	maxID, err := s.Allocate(ctx, orders, 1)
	require.NoError(t, err)
	require.Equal(t, int64(1001), maxID)
}

// Each pair differs where float64 sees no difference, or in the type.
func TestRaiseCompares(t *testing.T) {
	ctx := t.Context()
	s, _, _ := on(t)
	values := []int64{0, 1, math.MaxInt32, math.MaxInt32 + 1, 1 << 53, 1<<53 + 1, 1<<53 + 2, math.MaxInt64 - 1, math.MaxInt64}
	for _, from := range values {
		for _, to := range values {
			key := store.Key{Namespace: fmt.Sprint(from), Name: fmt.Sprint(to)}
			_, err := s.Create(ctx, key, from)
			require.NoError(t, err)
			maxID, err := s.Raise(ctx, key, to)
			require.NoError(t, err)
			require.Equal(t, max(from, to), maxID, "from %d to %d", from, to)
			maxID, err = s.Peek(ctx, key)
			require.NoError(t, err)
			require.Equal(t, max(from, to), maxID, "from %d to %d", from, to)
		}
	}
}

func TestExhaustedExactly(t *testing.T) {
	ctx := t.Context()
	s, _, _ := on(t)
	for name, tt := range map[string]struct {
		start, n int64
		fits     bool
	}{
		"last":         {math.MaxInt64 - 1, 1, true},
		"one more":     {math.MaxInt64 - 1, 2, false},
		"full":         {math.MaxInt64, 1, false},
		"all at once":  {0, math.MaxInt64, true},
		"all and one":  {1, math.MaxInt64, false},
		"below 1<<53":  {math.MaxInt64 - 1<<53, 1 << 53, true},
		"beyond 1<<53": {math.MaxInt64 - 1<<53, 1<<53 + 1, false},
	} {
		key := store.Key{Namespace: "full", Name: name}
		_, err := s.Create(ctx, key, tt.start)
		require.NoError(t, err)
		maxID, err := s.Allocate(ctx, key, tt.n)
		if tt.fits {
			require.NoError(t, err, name)
			require.Equal(t, tt.start+tt.n, maxID, name)
			continue
		}
		require.ErrorIs(t, err, store.ErrExhausted, name)
		require.ErrorContains(t, err, fmt.Sprintf("it stands at %d, no room for %d more", tt.start, tt.n))
		maxID, err = s.Peek(ctx, key)
		require.NoError(t, err)
		require.Equal(t, tt.start, maxID, name)
	}
}

// What isn't a record is refused by Get, and never the old one of a write.
func TestNotARecord(t *testing.T) {
	ctx := t.Context()
	s, _, records := on(t)
	for name, content := range map[string]any{
		"text": "old", "number": int64(1), "null": nil, "no bytes": []byte{},
		"other bytes": bson.Binary{Subtype: bson.TypeBinaryUUID, Data: []byte("0123456789abcdef")},
	} {
		document := append(byID("shop.orders"), bson.E{Key: "content", Value: content})
		_, err := records.ReplaceOne(ctx, byID("shop.orders"), document, options.Replace().SetUpsert(true))
		require.NoError(t, err, name)
		_, err = s.Get(ctx, orders)
		require.ErrorIs(t, err, mongostore.ErrNotRecord, name)
		for _, old := range []string{"", "old", "0123456789abcdef"} {
			require.ErrorIs(t, s.CompareAndSet(ctx, orders, []byte(old), []byte("new")), store.ErrConflict, name)
		}
	}
}

func TestLimits(t *testing.T) {
	ctx := t.Context()
	s, _, _ := on(t)
	key := store.Key{Namespace: "n", Name: strings.Repeat("x", mongostore.MaxKey-2)}
	_, err := s.Create(ctx, key, 0)
	require.NoError(t, err)
	require.NoError(t, s.CompareAndSet(ctx, key, nil, make([]byte, mongostore.MaxValue)))
	require.ErrorIs(t, s.CompareAndSet(ctx, key, nil, make([]byte, mongostore.MaxValue+1)), store.ErrInvalid)
	key.Name += "x"
	_, err = s.Create(ctx, key, 0)
	require.ErrorIs(t, err, store.ErrInvalid)
}
