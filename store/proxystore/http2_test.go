package proxystore_test

import (
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

func nopLogger() *log.Logger { return log.New(io.Discard, "", 0) }

// Frames of HTTP/2, RFC 9113: 3 bytes of length, type, flags, 4 of stream.
const (
	preface       = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	frameHeaders  = 0x1
	frameReset    = 0x3
	frameSettings = 0x4
	flagAck       = 0x1
	protocolError = 0x1
)

func writeFrame(w io.Writer, kind, flags byte, stream uint32, payload []byte) error {
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	frame = append(frame, flags)
	frame = binary.BigEndian.AppendUint32(frame, stream)
	_, err := w.Write(append(frame, payload...))
	return err
}

// resetRequests answers each request on a connection with a reset, and counts
// them. It stops counting at most, so that a client that repeats for ever fails.
func resetRequests(conn net.Conn, requests *atomic.Int64, most int64) {
	defer func() { _ = conn.Close() }()
	if _, err := io.ReadFull(conn, make([]byte, len(preface))); err != nil {
		return
	}
	if writeFrame(conn, frameSettings, 0, 0, nil) != nil {
		return
	}
	head := make([]byte, 9)
	for requests.Load() < most {
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		length := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
		kind, flags, stream := head[3], head[4], binary.BigEndian.Uint32(head[5:])
		if _, err := io.CopyN(io.Discard, conn, length); err != nil {
			return
		}
		var err error
		switch {
		case kind == frameSettings && flags&flagAck == 0:
			err = writeFrame(conn, frameSettings, flagAck, 0, nil)
		case kind == frameHeaders:
			requests.Add(1)
			err = writeFrame(conn, frameReset, 0, stream, binary.BigEndian.AppendUint32(nil, protocolError))
		}
		if err != nil {
			return
		}
	}
}

// On HTTP/2, net/http repeats a request that the server has reset with
// PROTOCOL_ERROR, whatever the method, if it has no body.
func TestHTTP2ResetIsNotRepeated(t *testing.T) {
	const most = 3
	var requests atomic.Int64
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			done.Go(func() { resetRequests(conn, &requests, most) })
		}
	})
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		require.NoError(t, listener.Close())
		done.Wait()
	})
	url := "http://" + listener.Addr().String()
	client := openWith(t, url, transport)
	for name, call := range calls(client, orders) {
		if !isChange(name) {
			continue
		}
		requests.Store(0)
		_, err := call(t.Context())
		require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
		require.EqualValues(t, 1, requests.Load(), "%s was sent more than once", name)
	}

	// So that the test is known to be able to fail.
	requests.Store(0)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, url, nil)
	require.NoError(t, err)
	resp, err := transport.RoundTrip(req)
	if err == nil {
		require.NoError(t, resp.Body.Close())
	}
	require.Error(t, err)
	require.Greater(t, requests.Load(), int64(1))
}
