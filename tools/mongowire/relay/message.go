package relay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	headerSize = 16 // length, request id, id of the request that this answers, kind: 4 bytes each, little-endian
	flagsSize  = 4  // what the body of kindMsg begins with
	maxMessage = 48_000_000
)

// Kinds of messages.
const (
	kindReply = 1    // answers kindQuery
	kindQuery = 2004 // the first request of a connection, of some clients
	kindMsg   = 2013 // all else
)

// Flags of kindMsg.
const (
	checksumPresent = 1 << 0
	moreToCome      = 1 << 1
	exhaustAllowed  = 1 << 16
)

// errMessage says that the relay can't handle a message.
var errMessage = errors.New("relay: message refused")

// message is a whole one, its header included.
type message []byte

// readMessage returns io.EOF if r ends before the first byte, and
// io.ErrUnexpectedEOF if it ends later.
func readMessage(r io.Reader) (message, error) {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(header))
	if length < headerSize || length > maxMessage {
		return nil, fmt.Errorf("%w: its length is %d, want %d to %d", errMessage, length, headerSize, maxMessage)
	}
	m := make(message, length)
	copy(m, header)
	if _, err := io.ReadFull(r, m[headerSize:]); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if m.kind() == kindMsg && length < headerSize+flagsSize {
		return nil, fmt.Errorf("%w: its length is %d, want at least %d for its kind", errMessage, length, headerSize+flagsSize)
	}
	return m, nil
}

func (m message) id() uint32 { return binary.LittleEndian.Uint32(m[4:]) }

func (m message) answers() uint32 { return binary.LittleEndian.Uint32(m[8:]) }

func (m message) kind() uint32 { return binary.LittleEndian.Uint32(m[12:]) }

// flags returns those of a message of kindMsg, and none for others.
func (m message) flags() uint32 {
	if m.kind() != kindMsg {
		return 0
	}
	return binary.LittleEndian.Uint32(m[headerSize:])
}

// request checks a message of a client, makes it one that has one answer, and
// tells whether the client wants it.
func (m message) request() (wantsAnswer bool, err error) {
	flags := m.flags()
	switch {
	case m.kind() == kindQuery:
		return true, nil
	case m.kind() != kindMsg:
		return false, fmt.Errorf("%w: its kind is %d, want %d or %d", errMessage, m.kind(), kindQuery, kindMsg)
	case flags&checksumPresent != 0: // it covers the flags
		return false, fmt.Errorf("%w: it has a checksum", errMessage)
	}
	binary.LittleEndian.PutUint32(m[headerSize:], flags&^(moreToCome|exhaustAllowed))
	return flags&moreToCome == 0, nil
}

// answerTo checks that a message of the server is the only answer to request.
func (m message) answerTo(request message) error {
	switch {
	case m.answers() != request.id():
		return fmt.Errorf("%w: it answers request %d, want %d", errMessage, m.answers(), request.id())
	case m.kind() != kindMsg && m.kind() != kindReply:
		return fmt.Errorf("%w: its kind is %d, want %d or %d", errMessage, m.kind(), kindReply, kindMsg)
	case m.flags()&moreToCome != 0:
		return fmt.Errorf("%w: more answers are to come, want one", errMessage)
	}
	return nil
}
