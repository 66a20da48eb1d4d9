package ntpwatch_test

import (
	"encoding/binary"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// packet is an NTP packet, RFC 5905 section 7.3, as far as servers fill it in.
type packet struct {
	leap, version, mode   byte
	stratum               byte
	rootDelay, dispersion time.Duration
	refID                 string
	reference             time.Time
	origin                [8]byte
	receive, transmit     time.Time
}

func (p packet) bytes() []byte {
	b := make([]byte, 48)
	b[0] = p.leap<<6 | p.version<<3 | p.mode
	b[1] = p.stratum
	b[2], b[3] = 6, 0xec // polled each 2^6 s, exact to 2^-20 s
	binary.BigEndian.PutUint32(b[4:], short(p.rootDelay))
	binary.BigEndian.PutUint32(b[8:], short(p.dispersion))
	copy(b[12:16], p.refID)
	putTime(b[16:], p.reference)
	copy(b[24:], p.origin[:])
	putTime(b[32:], p.receive)
	putTime(b[40:], p.transmit)
	return b
}

func short(d time.Duration) uint32 { return uint32(d << 16 / time.Second) }

// putTime writes seconds since 1900 and their binary fraction; the zero time is 0.
func putTime(b []byte, t time.Time) {
	if t.IsZero() {
		return
	}
	const from1900 = 2_208_988_800 // to 1970
	binary.BigEndian.PutUint32(b, uint32(t.Unix()+from1900))
	binary.BigEndian.PutUint32(b[4:], uint32(uint64(t.Nanosecond())<<32/uint64(time.Second)))
}

// admitted is what a right server says of its own delay and dispersion. The
// packet can express it exactly.
const admitted = time.Second / 512

// answers is what a responder sends for its nth query, counted from 1: the
// bytes of one packet, or nothing. A good answer is prepared in p.
type answers func(n int, p packet) []byte

// right answers with p.
func right(_ int, p packet) []byte { return p.bytes() }

// off answers as if its own clock was off by d.
func off(d time.Duration) answers {
	return func(_ int, p packet) []byte {
		p.reference, p.receive, p.transmit = p.reference.Add(d), p.receive.Add(d), time.Now().Add(d)
		return p.bytes()
	}
}

// kiss answers with a kiss of death.
func kiss(code string) answers {
	return func(_ int, p packet) []byte {
		p.leap, p.stratum, p.refID = 3, 0, code
		return p.bytes()
	}
}

// silent never answers.
func silent(int, packet) []byte { return nil }

// responder is a time server on the loopback interface.
type responder struct {
	address string
	queries atomic.Int64
}

// respond starts a responder that runs until stop is called.
func respond(answer answers) (r *responder, stop func(), err error) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	r = &responder{address: conn.LocalAddr().String()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		query := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(query)
			if err != nil {
				return
			}
			received := time.Now()
			if n < 48 {
				continue
			}
			p := packet{
				version: 4, mode: 4, stratum: 2, refID: "\x7f\x00\x00\x01",
				rootDelay: admitted, dispersion: admitted,
				reference: received.Add(-time.Minute), receive: received, transmit: time.Now(),
			}
			copy(p.origin[:], query[40:48])
			if reply := answer(int(r.queries.Add(1)), p); reply != nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	return r, func() { _ = conn.Close(); <-done }, nil
}

func startResponder(t *testing.T, answer answers) *responder {
	t.Helper()
	r, stop, err := respond(answer)
	require.NoError(t, err)
	t.Cleanup(stop)
	return r
}
