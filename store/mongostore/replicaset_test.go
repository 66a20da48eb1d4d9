package mongostore_test

import (
	"context"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/mongostore"
)

// done answers commands as if all had had their effect.
func done(command bson.Raw) bson.D {
	elements, _ := command.Elements()
	switch elements[0].Key() {
	case "findAndModify":
		return bson.D{{Key: "value", Value: bson.D{{Key: "_id", Value: "shop.orders"}, {Key: "lastMaxId", Value: int64(10)}}}}
	case "find":
		return found(bson.D{{Key: "_id", Value: "shop.orders"}, {Key: "lastMaxId", Value: int64(10)}, {Key: "content", Value: []byte("a")}})
	default:
		return bson.D{{Key: "n", Value: int32(1)}}
	}
}

// found is the answer to find.
func found(documents ...any) bson.D {
	return bson.D{{Key: "cursor", Value: bson.D{
		{Key: "firstBatch", Value: bson.A(documents)}, {Key: "id", Value: int64(0)}, {Key: "ns", Value: "cosid_db.cosid"},
	}}}
}

// refusal is an answer with an error.
func refusal(code int32) bson.D {
	return bson.D{{Key: "code", Value: code}, {Key: "codeName", Value: "Scripted"}, {Key: "errmsg", Value: "scripted"}}
}

func always(reply bson.D) func(bson.Raw) bson.D { return func(bson.Raw) bson.D { return reply } }

// What is sent, whole but for the session: the write concern, the filters, no
// upsert, no transaction number. The client's settings have no part in it.
func TestCommands(t *testing.T) {
	const (
		allocate = `"lastMaxId":{"$type":["long","int"],"$not":{"$type":"array"},"$gte":0L,"$lte":9223372036854775797L}`
		raise    = `"lastMaxId":{"$type":["long","int"],"$not":{"$type":"array"},"$gte":0L,"$lte":9223372036854775807L}`
		now      = `"$set":{"lastFetchTime":NOW}`
		journal  = `"writeConcern":{"w":"majority","j":true}`
		primary  = `"filter":{"_id":"shop.orders"},"limit":1L,"singleBatch":true,"readConcern":{"level":"linearizable"}`
	)
	server := newScripted(t, done)
	s := server.store(t)
	for name, want := range map[string]string{
		"create":                 `{"insert":"cosid","documents":[{"_id":"shop.new","lastMaxId":7L,"lastFetchTime":0L}],` + journal + `}`,
		"allocate":               `{"findAndModify":"cosid","query":{"_id":"shop.orders",` + allocate + `},"update":{"$inc":{"lastMaxId":10L},` + now + `},"new":true,` + journal + `}`,
		"raise":                  `{"findAndModify":"cosid","query":{"_id":"shop.orders",` + raise + `},"update":{"$max":{"lastMaxId":1000L},` + now + `},"new":true,` + journal + `}`,
		"compare and set":        `{"update":"cosid_record","updates":[{"q":{"_id":"shop.orders","content":bytes(b2xk)},"u":{"$set":{"content":bytes(bmV3)},"$inc":{"writes":1L}}}],` + journal + `}`,
		"compare and set, first": `{"insert":"cosid_record","documents":[{"_id":"shop.new","content":bytes(bmV3),"writes":1L}],` + journal + `}`,
		"peek":                   `{"find":"cosid",` + primary + `}`,
		"get":                    `{"find":"cosid_record",` + primary + `}`,
	} {
		call := changes(s)[name]
		if call == nil {
			call = reads(s)[name]
		}
		before, count := time.Now().UnixMilli(), len(server.got())
		require.NoError(t, call(t.Context()), name)
		commands := server.got()
		require.Len(t, commands, count+1)
		text, times := written(t, commands[count])
		require.Equal(t, want, text, name)
		for _, ms := range times {
			require.GreaterOrEqual(t, ms, before)
			require.LessOrEqual(t, ms, time.Now().UnixMilli())
		}
	}
}

// written returns a command as text, without what the driver adds to all, and the
// times of changes in it.
func written(t *testing.T, command bson.Raw) (text string, times []int64) {
	t.Helper()
	var all, kept bson.D
	require.NoError(t, bson.Unmarshal(command, &all))
	for _, e := range all {
		switch e.Key {
		case "lsid":
		case "$db":
			require.Equal(t, mongostore.DefaultDatabase, e.Value)
		default:
			kept = append(kept, e)
		}
	}
	canonical, err := bson.MarshalExtJSON(kept, true, false)
	require.NoError(t, err)
	text = regexp.MustCompile(`\{"\$numberLong":"(\d+)"\}`).ReplaceAllString(string(canonical), "${1}L")
	text = regexp.MustCompile(`\{"\$binary":\{"base64":"([^"]*)","subType":"00"\}\}`).ReplaceAllString(text, "bytes($1)")
	setTime := regexp.MustCompile(`("\$set":\{"lastFetchTime":)(\d+)L`)
	for _, match := range setTime.FindAllStringSubmatch(text, -1) {
		ms, err := strconv.ParseInt(match[2], 10, 64)
		require.NoError(t, err)
		times = append(times, ms)
	}
	return setTime.ReplaceAllString(text, "${1}NOW"), times
}

// A connection that breaks after the request, on a server that would know a write
// by its number: nothing is sent again. The driver's own method shows that the
// test would see it.
func TestReplicaSetSendsOnce(t *testing.T) {
	t.Parallel()
	server := newScripted(t, always(nil))
	client := server.client(t)
	for name, change := range changes(newStore(t, client, mongostore.Options{})) {
		count := len(server.got())
		err := change(t.Context())
		require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
		require.Len(t, server.got(), count+1, "%s was sent again", name)
	}
	count := len(server.got())
	err := client.Database("x").Collection("x").FindOneAndUpdate(t.Context(), bson.D{}, bson.D{{Key: "$inc", Value: bson.D{{Key: "n", Value: 1}}}}).Err()
	require.Error(t, err)
	require.Greater(t, len(server.got()), count+1)
}

// A change that isn't acknowledged as it was asked for is there and may be lost.
func TestWriteConcernIsNotMet(t *testing.T) {
	server := newScripted(t, func(command bson.Raw) bson.D {
		return append(done(command), bson.E{Key: "writeConcernError", Value: bson.D{
			{Key: "code", Value: int32(64)}, {Key: "codeName", Value: "WriteConcernTimeout"}, {Key: "errmsg", Value: "waiting for replication timed out"},
		}})
	})
	for name, change := range changes(server.store(t)) {
		err := change(t.Context())
		require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
		require.ErrorContains(t, err, "waiting for replication timed out")
	}
}

// What servers answer with, and what that says of the change.
func TestAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		code    int32
		unknown bool
		times   int // that it is sent
	}{
		"not the primary":           {10107, false, 3},
		"not the primary, old name": {10058, false, 3},
		"unauthorized":              {13, false, 1},
		"validation":                {121, false, 1},
		"interrupted":               {11601, true, 1},
		"stepped down meanwhile":    {11602, true, 1},
		"time is over":              {50, true, 1},
		"never heard of":            {987654, true, 1},
		"no code":                   {0, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the driver waits half a second before it looks for a primary
			server := newScripted(t, always(refusal(tt.code)))
			s := server.store(t)
			_, err := s.Allocate(t.Context(), orders, 10)
			var answer mongo.CommandError
			require.ErrorAs(t, err, &answer)
			require.Equal(t, tt.code, answer.Code)
			if tt.unknown {
				require.ErrorIs(t, err, store.ErrUnknownOutcome)
			} else {
				require.NotErrorIs(t, err, store.ErrUnknownOutcome)
			}
			require.Len(t, server.got(), tt.times)
			_, err = s.Peek(t.Context(), orders)
			require.ErrorAs(t, err, &answer)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome, "a read changes nothing")
		})
	}
}

// A server that turns a command away says so by labels. The driver asks it again
// then, as often as its options say.
func TestOverload(t *testing.T) {
	t.Parallel()
	for labels, unknown := range map[string]bool{
		"SystemOverloadedError":                                  true,
		"SystemOverloadedError RetryableError NoWritesPerformed": false,
		"NoWritesPerformed":                                      false,
	} {
		s := newScripted(t, always(append(refusal(463), bson.E{Key: "errorLabels", Value: strings.Fields(labels)}))).store(t)
		_, err := s.Allocate(t.Context(), orders, 10)
		require.Equal(t, unknown, errors.Is(err, store.ErrUnknownOutcome), "%s: %v", labels, err)
		require.ErrorContains(t, err, "scripted")
	}
}

// A change that reaches a server which has stepped down goes to the next primary.
func TestStepDown(t *testing.T) {
	t.Parallel()
	var count atomic.Int64
	server := newScripted(t, func(command bson.Raw) bson.D {
		if count.Add(1)%2 == 1 {
			return refusal(10107)
		}
		return done(command)
	})
	for name, change := range changes(server.store(t)) {
		require.NoError(t, change(t.Context()), name)
	}
}

// A server that stands alone has no linearizable reads.
func TestStandAlone(t *testing.T) {
	server := newScripted(t, func(command bson.Raw) bson.D {
		if level, _ := command.Lookup("readConcern", "level").StringValueOK(); level == "linearizable" {
			return refusal(123)
		}
		return done(command)
	})
	s := server.store(t)
	maxID, err := s.Peek(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, int64(10), maxID)
	value, err := s.Get(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, "a", string(value))
	commands := server.got()
	require.Len(t, commands, 4)
	require.Equal(t, "local", commands[1].Lookup("readConcern", "level").StringValue())
}

// A transaction that the context holds has no part in a call: its end could undo
// the change.
func TestTransactionInContext(t *testing.T) {
	server := newScripted(t, done)
	client := server.client(t)
	s := newStore(t, client, mongostore.Options{})
	session, err := client.StartSession()
	require.NoError(t, err)
	defer session.EndSession(context.WithoutCancel(t.Context()))
	require.NoError(t, session.StartTransaction())
	ctx := mongo.NewSessionContext(t.Context(), session)
	for _, calls := range []callers{changes(s), reads(s)} {
		for name, call := range calls {
			require.NoError(t, call(ctx), name)
		}
	}
	for _, command := range server.got() {
		for _, field := range []string{"txnNumber", "startTransaction", "autocommit"} {
			_, err := command.LookupErr(field)
			require.Error(t, err, "%s in %s", field, command)
		}
		require.NotEqual(t, session.ID().Lookup("id"), command.Lookup("lsid", "id"))
	}
	// The driver's own method is in the transaction.
	_, err = client.Database("x").Collection("x").InsertOne(ctx, bson.D{})
	require.NoError(t, err)
	commands := server.got()
	_, err = commands[len(commands)-1].LookupErr("startTransaction")
	require.NoError(t, err)
}

// No document fits, and the reason is gone when it is looked for.
func TestCounterIsCreatedMeanwhile(t *testing.T) {
	var misses atomic.Int64
	misses.Store(1)
	server := newScripted(t, func(command bson.Raw) bson.D {
		if _, err := command.LookupErr("findAndModify"); err == nil && misses.Add(-1) >= 0 {
			return bson.D{{Key: "value", Value: nil}}
		}
		return done(command)
	})
	s := server.store(t)
	maxID, err := s.Allocate(t.Context(), orders, 10)
	require.NoError(t, err)
	require.Equal(t, int64(10), maxID)
	misses.Store(math.MaxInt64)
	_, err = s.Allocate(t.Context(), orders, 10)
	require.EqualError(t, err, `mongostore: allocate "shop.orders": it stands at 10 and was refused 3 times`)
}

// An answer that can't be understood says that something was changed, not what.
func TestAnswersOfAnotherForm(t *testing.T) {
	for name, answer := range map[string]bson.D{
		"no field":  {{Key: "value", Value: bson.D{{Key: "_id", Value: "shop.orders"}}}},
		"double":    {{Key: "value", Value: bson.D{{Key: "lastMaxId", Value: 10.0}}}},
		"negative":  {{Key: "value", Value: bson.D{{Key: "lastMaxId", Value: int64(math.MinInt64)}}}},
		"no number": {{Key: "n", Value: "one"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, always(answer)).store(t)
			if name == "no number" {
				require.ErrorIs(t, s.CompareAndSet(t.Context(), orders, []byte("a"), []byte("b")), store.ErrUnknownOutcome)
				return
			}
			_, err := s.Allocate(t.Context(), orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			_, err = s.Raise(t.Context(), orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
		})
	}
}

// A unique index that someone has put on the collection isn't that of the name.
func TestOtherUniqueIndex(t *testing.T) {
	s := newScripted(t, always(bson.D{{Key: "n", Value: int32(0)}, {Key: "writeErrors", Value: bson.A{bson.D{
		{Key: "index", Value: int32(0)},
		{Key: "code", Value: int32(11000)},
		{Key: "errmsg", Value: "E11000 duplicate key error collection: cosid_db.cosid index: lastMaxId_1 dup key: { lastMaxId: 0 }"},
	}}}})).store(t)
	_, err := s.Create(t.Context(), orders, 0)
	require.ErrorContains(t, err, "lastMaxId_1")
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	require.True(t, mongostore.IsDuplicate(err))
	err = s.CompareAndSet(t.Context(), orders, nil, []byte("a"))
	require.ErrorContains(t, err, "lastMaxId_1")
	require.NotErrorIs(t, err, store.ErrConflict)
}
