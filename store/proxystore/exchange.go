package proxystore

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/stampid/go-stamp/store"
)

// The calls of a client, by name.
const (
	callCreate        = "Create"
	callAllocate      = "Allocate"
	callPeek          = "Peek"
	callRaise         = "Raise"
	callGet           = "Get"
	callCompareAndSet = "CompareAndSet"

	callGetExpiring           = "GetExpiring"
	callCompareAndSetExpiring = "CompareAndSetExpiring"
)

// maxAnswer is the size of the largest answer that a client reads: a record.
const maxAnswer = MaxValue

// maxShown is how much of an answer an error shows.
const maxShown = 200

type request struct {
	call   string
	method string
	path   string // escaped
	query  url.Values
	body   []byte
	change bool
}

// answer is one with status 200, or 204 if it has no body.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// exchange sends a request, once, and returns its answer if that is no error.
func (c *Client) exchange(ctx context.Context, r request) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, fmt.Errorf("proxystore: %s: %w", r.call, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, r.method, c.url(r), nil)
	if err != nil {
		return answer{}, fmt.Errorf("proxystore: %s: %w", r.call, err)
	}
	if r.change {
		// A body that can be read only once keeps net/http from sending a
		// request again: on HTTP/1 after the loss of a kept connection, if there
		// is an Idempotency-Key, on HTTP/2 after a reset. An empty one does too.
		req.Body = io.NopCloser(bytes.NewReader(r.body))
		req.ContentLength = int64(len(r.body))
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, broken(ctx, r, err, !neverSent(err))
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return answer{}, broken(ctx, r, err, true)
	}
	a := answer{status: resp.StatusCode, header: resp.Header, body: body}
	if len(body) > maxAnswer {
		return answer{}, c.malformed(r, a, fmt.Sprintf("at most %d bytes", maxAnswer))
	}
	if a.status == http.StatusOK || a.status == http.StatusNoContent && len(body) == 0 {
		return a, nil
	}
	return answer{}, c.refused(r, a)
}

// url returns the whole address of a request.
func (c *Client) url(r request) string {
	address := c.base + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	return address
}

// broken is the error of an exchange without an answer.
func broken(ctx context.Context, r request, err error, sent bool) error {
	// The cause of a context's end may stand in its place.
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		err = fmt.Errorf("%w: %w", ended, err)
	}
	if r.change && sent {
		return fmt.Errorf("proxystore: %s: %w: %w", r.call, store.ErrUnknownOutcome, err)
	}
	return fmt.Errorf("proxystore: %s: %w", r.call, err)
}

// neverSent tells whether a request is known not to have left: there was no
// connection to send it on. It looks at the error, since only that passes
// through any transport.
func neverSent(err error) bool {
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return op.Op == "dial" || op.Op == "proxyconnect"
	}
	return errors.As(err, new(*tls.CertificateVerificationError))
}

// refused is the error of an answer with another status than it should have.
func (c *Client) refused(r request, a answer) error {
	e := c.answerError(r, a)
	if body, ok := parseErrorBody(a.body); ok {
		e.Code, e.Message = excerpt(body.Code, maxShown), body.Msg
	} else {
		e.Message = fmt.Sprintf("%q", excerpt(string(a.body), maxShown))
	}
	if e.Message == "" {
		e.Message = "no message"
	}
	if to := a.header.Get("Location"); to != "" {
		e.Message = fmt.Sprintf("redirected to %q, which isn't followed", excerpt(to, maxShown))
	}
	switch r.call {
	case callPeek, callRaise, callGet, callCompareAndSet, callGetExpiring, callCompareAndSetExpiring:
		if e.notServed() {
			return &UnsupportedError{Call: r.call, Answer: e}
		}
	}
	if r.change && !e.noEffect() {
		return fmt.Errorf("%w: %w", store.ErrUnknownOutcome, e)
	}
	return e
}

// malformed is the error of an answer that says success in a form that no such
// server does.
func (c *Client) malformed(r request, a answer, want string) error {
	e := c.answerError(r, a)
	e.Message = fmt.Sprintf("answer is %q, want %s", excerpt(string(a.body), maxShown), want)
	if r.change {
		return fmt.Errorf("%w: %w", store.ErrUnknownOutcome, e)
	}
	return e
}

func (c *Client) answerError(r request, a answer) *AnswerError {
	address := c.url(r)
	if u, err := url.Parse(address); err == nil {
		address = u.Redacted()
	}
	return &AnswerError{Method: r.method, URL: address, Status: a.status}
}
