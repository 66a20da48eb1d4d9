package ntpwatch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/beevik/ntp"
)

// query asks the server at address once.
//
// The library knows no context. It is made to return by closing its connection
// when ctx ends: a deadline on the connection would be overwritten by its own.
func query(ctx context.Context, address string, timeout time.Duration) (*Offset, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var dialer net.Dialer
	var begin time.Time
	var reached string
	release := func() bool { return true }
	response, err := ntp.QueryWithOptions(address, ntp.QueryOptions{
		Timeout:    timeout,
		Extensions: []ntp.Extension{new(kissFinder)},
		Dialer: func(_, remote string) (net.Conn, error) {
			conn, err := dialer.DialContext(limited, "udp", remote)
			if err != nil {
				return nil, err
			}
			release = context.AfterFunc(limited, func() { _ = conn.Close() })
			reached = conn.RemoteAddr().String()
			begin = time.Now()
			return conn, nil
		},
	})
	end := time.Now()
	release()
	switch {
	case err == nil:
		offset, err := judge(response, end.Round(0).Sub(begin.Round(0)), end.Sub(begin))
		if err == nil {
			offset.Address, offset.At = reached, end.Round(0)
		}
		return offset, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("no reply within %v: %w", timeout, os.ErrDeadlineExceeded)
	case isReply(err):
		return nil, fmt.Errorf("%w: %w", ErrReply, err)
	}
	return nil, err
}

// isReply tells the errors that the library has about a packet from those that
// it has from the network.
func isReply(err error) bool {
	for _, about := range []error{
		ntp.ErrInvalidMode, ntp.ErrInvalidTime, ntp.ErrInvalidTransmitTime,
		ntp.ErrServerResponseMismatch, ntp.ErrServerTickedBackwards,
	} {
		if errors.Is(err, about) {
			return true
		}
	}
	return false
}

// judge refuses replies that aren't to be gone by. From before the query was
// sent until after the reply was received, the system clock went on by wall and
// the monotonic clock by elapsed.
func judge(r *ntp.Response, wall, elapsed time.Duration) (*Offset, error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReply, err)
	}
	// The time that the server says it held the query is taken off the round
	// trip. With a false one any offset would look exact.
	if held := r.Timestamps.ServerXmit.Sub(r.Timestamps.ServerRecv); held < 0 || held > elapsed {
		return nil, fmt.Errorf("%w: it says that it held the query for %v of %v", ErrReply, held, elapsed)
	}
	// A step of the system clock between sending and receiving is seen by the
	// monotonic clock. The offset is wrong by no more than the step. A
	// difference that wraps is still far above the cut.
	step := (wall - elapsed).Abs()
	return &Offset{
		Offset:    offsetOf(r.Timestamps),
		Bound:     min(r.RootDistance+min(step, farthest/2), farthest/2),
		RoundTrip: r.RTT,
		Stratum:   r.Stratum,
	}, nil
}

// offsetOf halves before it adds: the library's sum of two differences wraps
// when the system clock is centuries off, and may come out small.
func offsetOf(t ntp.ProtocolTimestamps) time.Duration {
	offset := t.ServerRecv.Sub(t.ClientXmit)/2 + t.ServerXmit.Sub(t.ClientRecv)/2
	return min(max(offset, -farthest), farthest)
}
