package mongostore_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/stampid/go-stamp/store/mongostore"
)

func TestDuplicateKey(t *testing.T) {
	const message = "E11000 duplicate key error collection: shop.orders index: _id_ dup key: { _id: 5 }"
	id := mongo.WriteError{Code: 11000, Message: message}
	email := mongo.WriteError{Code: 11000, Message: `E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: " index: x dup key: " }`}
	old := mongo.WriteError{Code: 11001, Message: message}
	sharded := mongo.WriteError{Code: 16460, Message: "error inserting, caused by: E11000 duplicate"}
	invalid := mongo.WriteError{Code: 121, Message: "Document failed validation"}
	for name, tt := range map[string]struct {
		err       error
		index     string
		duplicate bool
	}{
		"nil":              {nil, "", false},
		"other":            {errors.New(message), "", false},
		"insert":           {mongo.WriteException{WriteErrors: mongo.WriteErrors{id}}, "_id_", true},
		"other index":      {mongo.WriteException{WriteErrors: mongo.WriteErrors{email}}, "email_1", true},
		"old code":         {mongo.WriteException{WriteErrors: mongo.WriteErrors{old}}, "_id_", true},
		"sharded":          {mongo.WriteException{WriteErrors: mongo.WriteErrors{sharded}}, "", true},
		"findAndModify":    {mongo.CommandError{Code: 11000, Message: message}, "_id_", true},
		"write error":      {id, "_id_", true},
		"validation":       {mongo.WriteException{WriteErrors: mongo.WriteErrors{invalid}}, "", false},
		"validation, text": {mongo.CommandError{Code: 121, Message: message}, "", false},
		"write concern":    {mongo.WriteException{WriteConcernError: &mongo.WriteConcernError{Code: 64}}, "", false},
		"bulk": {mongo.BulkWriteException{WriteErrors: []mongo.BulkWriteError{
			{WriteError: invalid}, {WriteError: email}, {WriteError: id},
		}}, "email_1", true},
		"bulk of client":    {mongo.ClientBulkWriteException{WriteErrors: map[int]mongo.WriteError{7: id, 3: email, 1: invalid}}, "email_1", true},
		"wrapped":           {fmt.Errorf("a: %w", fmt.Errorf("b: %w", mongo.CommandError{Code: 11000, Message: message})), "_id_", true},
		"joined":            {errors.Join(errors.New("a"), mongo.WriteException{WriteErrors: mongo.WriteErrors{id}}), "_id_", true},
		"joined to another": {errors.Join(mongo.CommandError{Code: 50}, fmt.Errorf("a: %w", mongo.CommandError{Code: 11000, Message: message})), "_id_", true},
		"no message":        {mongo.CommandError{Code: 11000}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			index, duplicate := mongostore.DuplicateKey(tt.err)
			require.Equal(t, tt.duplicate, duplicate)
			require.Equal(t, tt.index, index)
			require.Equal(t, tt.duplicate, mongostore.IsDuplicate(tt.err))
		})
	}
}

// The errors of a server. MongoDB names the index and mongowire doesn't. Of updates
// only MongoDB says that they violate one, so those are in the table above.
func TestDuplicateKeyOfServer(t *testing.T) {
	ctx := t.Context()
	_, users, _ := on(t)
	_, err := users.Indexes().CreateOne(ctx, mongo.IndexModel{
		Keys: bson.D{{Key: "email", Value: 1}}, Options: options.Index().SetUnique(true),
	})
	require.NoError(t, err)
	user := func(id int, email string) bson.D {
		return bson.D{{Key: "_id", Value: id}, {Key: "email", Value: email}}
	}
	_, err = users.InsertMany(ctx, []any{user(1, "a"), user(2, "b")})
	require.NoError(t, err)
	_, idErr := users.InsertOne(ctx, user(1, "c"))
	_, emailErr := users.InsertOne(ctx, user(3, "a"))
	_, bulkErr := users.InsertMany(ctx, []any{user(4, "d"), user(1, "e")})
	for want, errs := range map[string][]error{"_id_": {idErr, bulkErr}, "email_1": {emailErr}} {
		for _, err := range errs {
			index, duplicate := mongostore.DuplicateKey(err)
			require.True(t, duplicate, "%v", err)
			require.Contains(t, []string{want, ""}, index, "%v", err)
		}
	}
	require.False(t, mongostore.IsDuplicate(users.FindOne(ctx, byID("none")).Err()))
}
