package proxystore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/stampid/go-stamp/store"
)

// DefaultTimeout is how long a call takes at most, in a client and in a handler
// whose options say nothing else.
const DefaultTimeout = 10 * time.Second

// ClientOptions says how to reach a server.
type ClientOptions struct {
	// URL is where the server's paths begin: http or https, a host, and a path
	// if it is served below one. Required.
	URL string
	// HTTPClient makes the requests. Nil: one with [http.DefaultTransport]. Its
	// CheckRedirect isn't used, since no redirect is followed. Its Transport must
	// not repeat requests.
	HTTPClient *http.Client
	// Timeout is how long a call takes at most, if its context doesn't end
	// before. 0: [DefaultTimeout].
	Timeout time.Duration
}

// Client is the [store.Counters] and [store.Records] of a server. Make it with
// [NewClient]. It is safe for concurrent use.
//
// Errors match those of package store. What the server answered is an
// [*AnswerError]; other errors are those of [http.Client]. A call that the server
// doesn't offer is an [*UnsupportedError].
type Client struct {
	base    string
	http    http.Client
	timeout time.Duration
}

// NewClient returns the client of a server, without asking it anything. Options
// that can't be used are errors that match [store.ErrInvalid], all in one.
func NewClient(opts ClientOptions) (*Client, error) {
	if err := errors.Join(checkURL(opts.URL), checkTimeout(opts.Timeout)); err != nil {
		return nil, fmt.Errorf("proxystore: %w", err)
	}
	c := &Client{base: strings.TrimRight(opts.URL, "/"), timeout: opts.Timeout}
	if opts.HTTPClient != nil {
		c.http = *opts.HTTPClient
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if c.timeout == 0 {
		c.timeout = DefaultTimeout
	}
	return c, nil
}

func checkURL(text string) error {
	const bound = "http or https, a host, and neither query nor fragment"
	u, err := url.Parse(text)
	if err != nil {
		// The text may hold a password.
		return &store.ArgumentError{Field: "URL", Value: "unreadable", Bound: bound}
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || strings.ContainsAny(text, "?#") {
		return &store.ArgumentError{Field: "URL", Value: u.Redacted(), Bound: bound}
	}
	return nil
}

func checkTimeout(d time.Duration) error {
	if d >= 0 {
		return nil
	}
	return &store.ArgumentError{Field: "timeout", Value: d, Bound: "0 or more"}
}

// Create is that of [store.Counters]. From CosId's own proxy it returns false
// also if it has made the counter.
func (c *Client) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	if err := errors.Join(limits().CheckCreate(key, start), checkSegments(key)); err != nil {
		return false, err
	}
	r := request{
		call: callCreate, method: http.MethodPost, path: distributor.path(key), change: true,
		query: url.Values{"offset": {strconv.FormatInt(start, 10)}, "step": {"1"}},
	}
	a, err := c.exchange(ctx, r)
	if err != nil {
		return false, err
	}
	if a.status != http.StatusOK || len(a.body) > 0 {
		return false, c.malformed(r, a, "status 200 and nothing")
	}
	switch a.header.Get(createdHeader) {
	case "true":
		return true, nil
	case "false", "":
		return false, nil
	}
	return false, c.malformed(r, a, createdHeader+" true or false")
}

// Allocate is that of [store.Counters].
func (c *Client) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	if err := errors.Join(limits().CheckAllocate(key, n), checkSegments(key)); err != nil {
		return 0, err
	}
	return c.number(ctx, n, request{
		call: callAllocate, method: http.MethodPatch, path: segment.path(key), change: true,
		query: url.Values{"step": {strconv.FormatInt(n, 10)}},
	})
}

// Peek is that of [store.Counters].
func (c *Client) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	if err := errors.Join(limits().CheckKey(key), checkSegments(key)); err != nil {
		return 0, err
	}
	return c.number(ctx, 0, request{call: callPeek, method: http.MethodGet, path: counter.path(key)})
}

// Raise is that of [store.Counters].
func (c *Client) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	if err := errors.Join(limits().CheckRaise(key, to), checkSegments(key)); err != nil {
		return 0, err
	}
	return c.number(ctx, to, request{
		call: callRaise, method: http.MethodPatch, path: counter.path(key), change: true,
		query: url.Values{"to": {strconv.FormatInt(to, 10)}},
	})
}

// number makes a request whose answer is a number, of at least least.
func (c *Client) number(ctx context.Context, least int64, r request) (int64, error) {
	a, err := c.exchange(ctx, r)
	if err != nil {
		return 0, err
	}
	n, ok := parseNumber(strings.Trim(string(a.body), " \t\r\n"))
	if !ok || n < least {
		return 0, c.malformed(r, a, fmt.Sprintf("digits, %d to %d", least, int64(math.MaxInt64)))
	}
	return n, nil
}
