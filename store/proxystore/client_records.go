package proxystore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/stampid/go-stamp/store"
)

// Get is that of [store.Records].
func (c *Client) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	value, _, err = c.read(ctx, key, request{call: callGet, method: http.MethodGet, path: record.path(key)})
	return value, err
}

// GetExpiring is that of [store.Expiring].
func (c *Client) GetExpiring(ctx context.Context, key store.Key) (value []byte, left time.Duration, err error) {
	r := request{call: callGetExpiring, method: http.MethodGet, path: expiring.path(key)}
	value, a, err := c.read(ctx, key, r)
	if err != nil {
		return nil, 0, err
	}
	milliseconds, ok := parseNumber(a.header.Get(leftHeader))
	if !ok {
		return nil, 0, c.malformed(r, a, leftHeader+" in milliseconds")
	}
	// More is left where a clock was set back.
	return value, time.Duration(min(milliseconds, store.MaxTTL.Milliseconds())) * time.Millisecond, nil
}

// read makes a request whose answer is a record.
func (c *Client) read(ctx context.Context, key store.Key, r request) ([]byte, answer, error) {
	if err := errors.Join(limits().CheckKey(key), checkSegments(key)); err != nil {
		return nil, answer{}, err
	}
	a, err := c.exchange(ctx, r)
	switch {
	case err != nil:
		return nil, a, err
	case a.status == http.StatusNoContent:
		return nil, a, nil
	case len(a.body) == 0:
		return nil, a, c.malformed(r, a, "1 byte or more")
	}
	return a.body, a, nil
}

// CompareAndSet is that of [store.Records].
func (c *Client) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := errors.Join(limits().CheckCompareAndSet(key, old, value), checkSegments(key)); err != nil {
		return err
	}
	return c.replace(ctx, callCompareAndSet, record.path(key), swap{Old: old, Value: value})
}

// CompareAndSetExpiring is that of [store.Expiring].
func (c *Client) CompareAndSetExpiring(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	if err := errors.Join(limits().CheckCompareAndSetExpiring(key, old, value, ttl), checkSegments(key)); err != nil {
		return err
	}
	return c.replace(ctx, callCompareAndSetExpiring, expiring.path(key), swap{Old: old, Value: value, TTL: ttl.Milliseconds()})
}

func (c *Client) replace(ctx context.Context, call, path string, s swap) error {
	body, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("proxystore: %w", err)
	}
	r := request{call: call, method: http.MethodPost, path: path, body: body, change: true}
	a, err := c.exchange(ctx, r)
	if err != nil {
		return err
	}
	if a.status != http.StatusNoContent {
		return c.malformed(r, a, "status 204")
	}
	return nil
}
