package mongostore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"github.com/stampid/go-stamp/store"
)

// maxTries is how often a command is sent that had no effect because of others: a
// failover, or a counter that was created while it was asked for.
const maxTries = 3

// notAReplicaSet is the code by which a server that stands alone refuses
// linearizable reads.
const notAReplicaSet = 123

// call is what a message of an error begins with.
type call struct{ method, key string }

// send runs a command that changes a document, and waits for its answer or for
// the end of ctx. RunCommand is what the driver doesn't retry; it takes no write
// concern from the client either, so the command has it.
func (s *Store) send(ctx context.Context, c call, command bson.D) (bson.Raw, error) {
	if err := ctx.Err(); err != nil {
		return nil, c.failed(err)
	}
	command = append(command, bson.E{Key: "writeConcern", Value: bson.D{{Key: "w", Value: "majority"}, {Key: "j", Value: true}}})
	for try := 1; ; try++ {
		reply, err := s.database.RunCommand(outsideSession(ctx), command).Raw()
		if err == nil {
			return reply, nil
		}
		switch v := judge(err); {
		case v == unknown:
			return nil, c.doubtful(withEnd(ctx, err))
		case v == refused || try == maxTries:
			return nil, c.failed(withEnd(ctx, err))
		}
	}
}

// read returns a document, or nil if there is none.
func (s *Store) read(ctx context.Context, c call, collection string) (bson.Raw, error) {
	if err := ctx.Err(); err != nil {
		return nil, c.failed(err)
	}
	document, err := s.readAt(ctx, collection, c.key, readconcern.Linearizable())
	var answer mongo.CommandError
	if errors.As(err, &answer) && answer.Code == notAReplicaSet {
		// There is one server, and so no other to agree with.
		document, err = s.readAt(ctx, collection, c.key, readconcern.Local())
	}
	switch {
	case errors.Is(err, mongo.ErrNoDocuments):
		return nil, nil
	case err != nil:
		return nil, c.failed(withEnd(ctx, err))
	}
	return document, nil
}

func (s *Store) readAt(ctx context.Context, collection, id string, concern *readconcern.ReadConcern) (bson.Raw, error) {
	o := options.Collection().SetReadConcern(concern).SetReadPreference(readpref.Primary())
	return s.database.Collection(collection, o).FindOne(outsideSession(ctx), bson.D{{Key: "_id", Value: id}}).Raw()
}

// outsideSession returns ctx without a session that it may hold: in its
// transaction a change would be undone with it.
func outsideSession(ctx context.Context) context.Context {
	return mongo.NewSessionContext(ctx, nil)
}

// withEnd adds to err that ctx has ended, if so: the driver heeds deadlines and
// may say that one has passed in words of its own, or before ctx does.
func withEnd(ctx context.Context, err error) error {
	end := ctx.Err()
	if deadline, ok := ctx.Deadline(); end == nil && ok && !time.Now().Before(deadline) {
		end = context.DeadlineExceeded
	}
	if end == nil || errors.Is(err, end) {
		return err
	}
	return fmt.Errorf("%w: %w", end, err)
}

func (c call) failed(err error) error {
	return fmt.Errorf("mongostore: %s %q: %w", c.method, c.key, err)
}

// doubtful is the error of a change that may have been made.
func (c call) doubtful(err error) error {
	return c.failed(fmt.Errorf("%w: %w", store.ErrUnknownOutcome, err))
}
