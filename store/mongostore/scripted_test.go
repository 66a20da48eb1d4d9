package mongostore_test

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/stampid/go-stamp/store/mongostore"
)

// scripted is a server that says it is the primary of a replica set, with
// sessions and retryable writes, and answers all other commands as a test says.
// A nil answer cuts the connection.
type scripted struct {
	address string
	answer  func(command bson.Raw) bson.D
	most    atomic.Int64 // connections that it serves; 0: all. Others are cut.

	mu       sync.Mutex
	commands []bson.Raw
	conns    []net.Conn
}

func newScripted(t *testing.T, answer func(command bson.Raw) bson.D) *scripted {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &scripted{address: listener.Addr().String(), answer: answer}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, client)
			if most := s.most.Load(); most > 0 && int64(len(s.conns)) > most {
				_ = client.Close()
			}
			s.mu.Unlock()
			running.Go(func() { s.serve(t, client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		s.mu.Lock()
		for _, c := range s.conns {
			_ = c.Close()
		}
		s.mu.Unlock()
		running.Wait()
	})
	return s
}

// client returns one that finds the replica set.
func (s *scripted) client(t *testing.T) *mongo.Client {
	return newClient(t, "mongodb://"+s.address+"/?replicaSet=rs0&readPreference=secondaryPreferred&w=1")
}

func (s *scripted) store(t *testing.T) *mongostore.Store {
	return newStore(t, s.client(t), mongostore.Options{})
}

// got returns the commands that came, without those of connections.
func (s *scripted) got() []bson.Raw {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]bson.Raw(nil), s.commands...)
}

func (s *scripted) serve(t *testing.T, client net.Conn) {
	defer func() { _ = client.Close() }()
	for {
		request, err := readMessage(client)
		if err != nil {
			return
		}
		command, err := request.command()
		if err != nil {
			t.Errorf("scripted server: %v", err)
			return
		}
		reply := s.reply(command)
		if reply == nil {
			return
		}
		document, err := bson.Marshal(append(reply, bson.E{Key: "ok", Value: okOf(reply)}))
		if err != nil {
			t.Errorf("scripted server: %v", err)
			return
		}
		if _, err := client.Write(request.reply(document)); err != nil {
			return
		}
	}
}

// okOf is 0 for an answer with a code.
func okOf(reply bson.D) float64 {
	for _, e := range reply {
		if e.Key == "code" {
			return 0
		}
	}
	return 1
}

func (s *scripted) reply(command bson.Raw) bson.D {
	elements, _ := command.Elements()
	switch elements[0].Key() {
	case "hello", "isMaster", "ismaster":
		return bson.D{
			{Key: "helloOk", Value: true},
			{Key: "isWritablePrimary", Value: true},
			{Key: "ismaster", Value: true},
			{Key: "setName", Value: "rs0"},
			{Key: "setVersion", Value: int32(1)},
			{Key: "hosts", Value: bson.A{s.address}},
			{Key: "primary", Value: s.address},
			{Key: "me", Value: s.address},
			{Key: "electionId", Value: bson.ObjectID{11: 1}},
			{Key: "maxBsonObjectSize", Value: int32(16 << 20)},
			{Key: "maxMessageSizeBytes", Value: int32(48_000_000)},
			{Key: "maxWriteBatchSize", Value: int32(100_000)},
			{Key: "logicalSessionTimeoutMinutes", Value: int32(30)},
			{Key: "minWireVersion", Value: int32(0)},
			{Key: "maxWireVersion", Value: int32(25)},
		}
	case "endSessions", "ping", "abortTransaction":
		return bson.D{}
	}
	s.mu.Lock()
	s.commands = append(s.commands, command)
	s.mu.Unlock()
	return s.answer(command)
}
