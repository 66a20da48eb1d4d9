package mongostore_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Kinds of messages: the first request of a connection, its answer, and all else.
const (
	opReply = 1
	opQuery = 2004
	opMsg   = 2013

	headerSize = 16
)

// message is one of the wire protocol, whole.
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
type message []byte

func readMessage(r io.Reader) (message, error) {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(header)
	if length < headerSize || length > 1<<20 {
		return nil, fmt.Errorf("message of %d bytes", length)
	}
	m := append(header, make([]byte, length-headerSize)...)
	_, err := io.ReadFull(r, m[headerSize:])
	return m, err
}

func (m message) kind() uint32 { return binary.LittleEndian.Uint32(m[12:]) }

// command returns the document of a request.
func (m message) command() (bson.Raw, error) {
	body := m[headerSize:]
	switch m.kind() {
	case opMsg:
		body = body[4+1:] // flags, and the kind of the only section: a document
	case opQuery:
		body = body[4+len("admin.$cmd\x00")+4+4:] // flags, collection, to skip, to return
	default:
		return nil, errors.New("message of another kind")
	}
	command := bson.Raw(body)
	return command, command.Validate()
}

// reply returns the message that answers request m.
func (m message) reply(document []byte) message {
	kind, before := uint32(opMsg), make([]byte, 4+1)
	if m.kind() == opQuery {
		kind, before = opReply, make([]byte, 4+8+4+4) // flags, cursor, starting from, number of documents
		before[16] = 1
	}
	r := binary.LittleEndian.AppendUint32(nil, uint32(headerSize+len(before)+len(document)))
	r = binary.LittleEndian.AppendUint32(r, 1)
	r = append(r, m[4:8]...)
	r = binary.LittleEndian.AppendUint32(r, kind)
	return append(append(r, before...), document...)
}
