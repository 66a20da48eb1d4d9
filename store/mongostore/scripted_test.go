package mongostore_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
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
		id, kind, command, err := readCommand(client)
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) && !errors.Is(err, io.ErrUnexpectedEOF) && !isReset(err) {
				t.Errorf("scripted server: %v", err)
			}
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
		if _, err := client.Write(replyMessage(id, kind, document)); err != nil {
			return
		}
	}
}

func isReset(err error) bool {
	var network *net.OpError
	return errors.As(err, &network)
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
			{Key: "helloOk", Value: true}, {Key: "isWritablePrimary", Value: true}, {Key: "ismaster", Value: true},
			{Key: "setName", Value: "rs0"}, {Key: "setVersion", Value: int32(1)},
			{Key: "hosts", Value: bson.A{s.address}}, {Key: "primary", Value: s.address}, {Key: "me", Value: s.address},
			{Key: "electionId", Value: bson.ObjectID{11: 1}},
			{Key: "maxBsonObjectSize", Value: int32(16 << 20)}, {Key: "maxMessageSizeBytes", Value: int32(48_000_000)},
			{Key: "maxWriteBatchSize", Value: int32(100_000)}, {Key: "logicalSessionTimeoutMinutes", Value: int32(30)},
			{Key: "minWireVersion", Value: int32(0)}, {Key: "maxWireVersion", Value: int32(25)},
		}
	case "endSessions", "ping", "abortTransaction":
		return bson.D{}
	}
	s.mu.Lock()
	s.commands = append(s.commands, command)
	s.mu.Unlock()
	return s.answer(command)
}

// Kinds of messages: those of old clients' first request and its answer, and the
// one of all others.
const (
	opReply = 1
	opQuery = 2004
	opMsg   = 2013
)

// readCommand reads a message and returns its id, its kind and the command in it.
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
func readCommand(r io.Reader) (id, kind uint32, command bson.Raw, err error) {
	header := make([]byte, 16)
	if _, err := io.ReadFull(r, header); err != nil {
		return 0, 0, nil, err
	}
	body := make([]byte, binary.LittleEndian.Uint32(header)-16)
	if _, err := io.ReadFull(r, body); err != nil {
		return 0, 0, nil, err
	}
	id, kind = binary.LittleEndian.Uint32(header[4:]), binary.LittleEndian.Uint32(header[12:])
	switch kind {
	case opMsg:
		body = body[4+1:] // flags, and the kind of the only section: a document
	case opQuery:
		body = body[4+len("admin.$cmd\x00")+4+4:] // flags, collection, to skip, to return
	default:
		return 0, 0, nil, errors.New("message of another kind")
	}
	command = body
	return id, kind, command, command.Validate()
}

func replyMessage(to, kind uint32, document []byte) []byte {
	var body []byte
	replyKind := uint32(opMsg)
	if kind == opQuery {
		replyKind = opReply
		body = make([]byte, 4+8+4+4) // flags, cursor, starting from, number of documents
		body[16] = 1
	} else {
		body = make([]byte, 4+1)
	}
	body = append(body, document...)
	message := binary.LittleEndian.AppendUint32(nil, uint32(16+len(body)))
	message = binary.LittleEndian.AppendUint32(message, 1)
	message = binary.LittleEndian.AppendUint32(message, to)
	message = binary.LittleEndian.AppendUint32(message, replyKind)
	return append(message, body...)
}

// callers are all methods, each called once: those that change something, and
// those that read.
type callers map[string]func(context.Context) error

func changes(s *mongostore.Store) callers {
	return callers{
		"create": func(ctx context.Context) error {
			_, err := s.Create(ctx, created, 7)
			return err
		},
		"allocate": func(ctx context.Context) error {
			_, err := s.Allocate(ctx, orders, 10)
			return err
		},
		"raise": func(ctx context.Context) error {
			_, err := s.Raise(ctx, orders, 1000)
			return err
		},
		"compare and set": func(ctx context.Context) error {
			return s.CompareAndSet(ctx, orders, []byte("old"), []byte("new"))
		},
		"compare and set, first": func(ctx context.Context) error {
			return s.CompareAndSet(ctx, created, nil, []byte("new"))
		},
	}
}

func reads(s *mongostore.Store) callers {
	return callers{
		"peek": func(ctx context.Context) error {
			_, err := s.Peek(ctx, orders)
			return err
		},
		"get": func(ctx context.Context) error {
			_, err := s.Get(ctx, orders)
			return err
		},
	}
}
