package mongostore_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/mongostore"
)

// through returns a store that goes through a proxy, and one beside it, with a
// counter and a record.
func through(t *testing.T, parameters string) (lossy, direct *mongostore.Store, p *proxy) {
	t.Helper()
	client := connect(t)
	o := newDatabase(t, client)
	direct = newStore(t, client, o)
	_, err := direct.Create(t.Context(), orders, 0)
	require.NoError(t, err)
	require.NoError(t, direct.CompareAndSet(t.Context(), orders, nil, []byte("old")))
	p = newProxy(t)
	return newStore(t, p.client(t, parameters), o), direct, p
}

// A connection that breaks after the request: the change took place once, or not
// at all, the error says that nobody knows, and nothing is sent again.
func TestLostConnection(t *testing.T) {
	for name, f := range map[string]fate{"request": loseRequest, "reply": loseReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the driver waits half a second before it looks for a server again
			lossy, direct, p := through(t, "retryReads=false")
			_, err := lossy.Peek(t.Context(), orders)
			require.NoError(t, err)
			p.set(f)
			for name, change := range changes(lossy) {
				before := p.commands.Load()
				err := change(t.Context())
				require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
				require.True(t, mongo.IsNetworkError(err), name)
				require.Equal(t, before+1, p.commands.Load(), "%s was sent again", name)
			}
			for name, read := range reads(lossy) {
				err := read(t.Context())
				require.Error(t, err, name)
				require.NotErrorIs(t, err, store.ErrUnknownOutcome, "a read changes nothing")
			}
			requireChanged(t, direct, f == loseReply)
			p.set(pass)
			maxID, err := lossy.Peek(t.Context(), orders)
			require.NoError(t, err)
			next, err := lossy.Allocate(t.Context(), orders, 1)
			require.NoError(t, err)
			require.Equal(t, maxID+1, next)
		})
	}
}

// requireChanged checks that all changes were made once, or none.
func requireChanged(t *testing.T, s *mongostore.Store, made bool) {
	t.Helper()
	maxID, err := s.Peek(t.Context(), orders)
	require.NoError(t, err)
	record, err := s.Get(t.Context(), orders)
	require.NoError(t, err)
	first, err := s.Get(t.Context(), created)
	require.NoError(t, err)
	start, err := s.Peek(t.Context(), created)
	if !made {
		require.Zero(t, maxID)
		require.Equal(t, "old", string(record))
		require.Nil(t, first)
		require.ErrorIs(t, err, store.ErrNoCounter)
		return
	}
	require.NoError(t, err)
	require.Contains(t, []int64{1000, 1010}, maxID, "in any order")
	require.Equal(t, "new", string(record))
	require.Equal(t, "new", string(first))
	require.Equal(t, int64(7), start)
}

// A call that is cancelled while the server hangs ends.
func TestHungServer(t *testing.T) {
	lossy, direct, p := through(t, "")
	p.set(hang)
	for _, calls := range []callers{changes(lossy), reads(lossy)} {
		for name, call := range calls {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-p.answers // the server has done it
				cancel()
			}()
			err := call(ctx)
			require.ErrorIs(t, err, context.Canceled, name)
			_, isChange := changes(lossy)[name]
			if isChange {
				require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
			} else {
				require.NotErrorIs(t, err, store.ErrUnknownOutcome, name)
			}
		}
	}
	requireChanged(t, direct, true)
	p.set(pass)
	_, err := lossy.Allocate(t.Context(), orders, 1)
	require.NoError(t, err)
}

// A deadline ends a call too, and on MongoDB the command with it.
func TestDeadline(t *testing.T) {
	for name, parameters := range map[string]string{"of the context": "", "of the client": "timeoutMS=300"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lossy, direct, p := through(t, parameters)
			_, err := lossy.Allocate(t.Context(), orders, 1)
			require.NoError(t, err)
			p.set(hang)
			ctx, cancel := t.Context(), func() {}
			if parameters == "" {
				ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
			}
			defer cancel()
			_, err = lossy.Allocate(ctx, orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			maxID, err := direct.Peek(t.Context(), orders)
			require.NoError(t, err)
			require.Equal(t, int64(11), maxID)
		})
	}
}

// Commands that never left have a known outcome.
func TestNotSent(t *testing.T) {
	requireNotSent := func(t *testing.T, client *mongo.Client, says string) {
		t.Helper()
		s := newStore(t, client, mongostore.Options{Database: unique()})
		for name, change := range changes(s) {
			err := change(t.Context())
			require.ErrorContains(t, err, says, name)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome, name)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nobody := "mongodb://" + listener.Addr().String()
	require.NoError(t, listener.Close())

	t.Run("no server", func(t *testing.T) {
		t.Parallel()
		requireNotSent(t, newClient(t, nobody+"/?serverSelectionTimeoutMS=100"), "server selection")
	})
	t.Run("no server, and cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		s := newStore(t, newClient(t, nobody), mongostore.Options{})
		_, err := s.Allocate(ctx, orders, 1)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	})
	t.Run("disconnected", func(t *testing.T) {
		t.Parallel()
		client, err := mongostore.NewClient(nobody)
		require.NoError(t, err)
		require.NoError(t, client.Disconnect(t.Context()))
		requireNotSent(t, client, mongo.ErrClientDisconnected.Error())
	})
	t.Run("all connections in use", func(t *testing.T) {
		t.Parallel()
		lossy, direct, p := through(t, "maxPoolSize=1")
		p.set(hang)
		held, release := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = lossy.Peek(held, orders)
		}()
		<-p.answers
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := lossy.Allocate(ctx, orders, 1)
		require.ErrorContains(t, err, "connection pool")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
		release()
		<-done
		maxID, err := direct.Peek(t.Context(), orders)
		require.NoError(t, err)
		require.Zero(t, maxID)
	})
}

// A connection that breaks while it is made hasn't carried a command.
func TestHandshakeFails(t *testing.T) {
	t.Parallel()
	server := newScripted(t, done)
	server.most.Store(1) // that by which the driver finds the primary
	_, err := server.store(t).Allocate(t.Context(), orders, 1)
	require.ErrorContains(t, err, "handshake")
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	require.Empty(t, server.got())
}

// A server that goes away and comes back is found again. What is asked meanwhile
// fails by its deadline.
func TestServerIsBack(t *testing.T) {
	lossy, _, p := through(t, "serverSelectionTimeoutMS=200")
	maxID, err := lossy.Allocate(t.Context(), orders, 1)
	require.NoError(t, err)
	require.Equal(t, int64(1), maxID)
	p.down()
	for range 3 {
		_, err := lossy.Allocate(t.Context(), orders, 1)
		require.Error(t, err)
	}
	p.up(t)
	require.Eventually(t, func() bool {
		maxID, err = lossy.Allocate(t.Context(), orders, 1)
		return err == nil
	}, patience, 10*time.Millisecond)
	require.Equal(t, int64(2), maxID, "nothing was sent meanwhile")
}
