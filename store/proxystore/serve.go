package proxystore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/stampid/go-stamp/store"
)

// maxBody is the size of the largest body that a handler reads: that of two
// records in base64, and some.
const maxBody = 4 * MaxValue

func (h *handler) create(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	q, err := query(r)
	start, err1 := number(q, "offset", 0)
	_, err2 := number(q, "step", 1)
	if err := errors.Join(checkKey(key), err, err1, err2, noBody(r)); err != nil {
		return serverAnswer{}, err
	}
	created, err := h.counters.Create(ctx, key, start)
	a := serverAnswer{status: http.StatusOK, header: [2]string{createdHeader, strconv.FormatBool(created)}}
	return a, err
}

func (h *handler) allocate(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	q, err := query(r)
	n, err1 := number(q, "step", 1)
	if err := errors.Join(checkKey(key), err, err1, noBody(r)); err != nil {
		return serverAnswer{}, err
	}
	maxID, err := h.counters.Allocate(ctx, key, n)
	h.told(key, n, maxID, err)
	return numberAnswer(maxID), err
}

func (h *handler) peek(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	if err := errors.Join(checkKey(key), noBody(r)); err != nil {
		return serverAnswer{}, err
	}
	maxID, err := h.counters.Peek(ctx, key)
	return numberAnswer(maxID), err
}

func (h *handler) raise(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	q, err := query(r)
	to, err1 := number(q, "to", 0)
	if err := errors.Join(checkKey(key), err, err1, noBody(r)); err != nil {
		return serverAnswer{}, err
	}
	maxID, err := h.counters.Raise(ctx, key, to)
	return numberAnswer(maxID), err
}

func (h *handler) get(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	if err := errors.Join(checkKey(key), noBody(r)); err != nil {
		return serverAnswer{}, err
	}
	value, err := h.records.Get(ctx, key)
	if len(value) == 0 {
		return serverAnswer{status: http.StatusNoContent}, err
	}
	return serverAnswer{status: http.StatusOK, contentType: "application/octet-stream", body: value}, err
}

func (h *handler) compareAndSet(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	s, err := readSwap(r)
	if err != nil {
		return serverAnswer{}, err
	}
	if err := errors.Join(limits().CheckCompareAndSet(key, s.Old, s.Value), checkSegments(key)); err != nil {
		return serverAnswer{}, err
	}
	return serverAnswer{status: http.StatusNoContent}, h.records.CompareAndSet(ctx, key, s.Old, s.Value)
}

func (h *handler) getExpiring(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	if err := errors.Join(checkKey(key), noBody(r)); err != nil {
		return serverAnswer{}, err
	}
	value, left, err := h.expiring.GetExpiring(ctx, key)
	a := serverAnswer{status: http.StatusOK, contentType: "application/octet-stream", body: value}
	if len(value) == 0 {
		a = serverAnswer{status: http.StatusNoContent}
	}
	a.header = [2]string{leftHeader, strconv.FormatInt(left.Milliseconds(), 10)}
	return a, err
}

func (h *handler) compareAndSetExpiring(ctx context.Context, r *http.Request, key store.Key) (serverAnswer, error) {
	s, err := readSwap(r)
	if err != nil {
		return serverAnswer{}, err
	}
	if err := errors.Join(limits().CheckCompareAndSetExpiring(key, s.Old, s.Value, s.ttl()), checkSegments(key)); err != nil {
		return serverAnswer{}, err
	}
	return serverAnswer{status: http.StatusNoContent}, h.expiring.CompareAndSetExpiring(ctx, key, s.Old, s.Value, s.ttl())
}

func readSwap(r *http.Request) (s swap, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return swap{}, bodyError(err)
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return swap{}, badBody(body, `{"old":"…","value":"…"} in base64`)
	}
	return s, nil
}

func checkKey(key store.Key) error {
	return errors.Join(limits().CheckKey(key), checkSegments(key))
}

func query(r *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, &store.ArgumentError{Field: "query", Value: r.URL.RawQuery, Bound: "parameters"}
	}
	return q, nil
}

// number returns a parameter, which must be there once.
func number(q url.Values, field string, least int64) (int64, error) {
	if len(q[field]) == 1 {
		if n, ok := parseNumber(q.Get(field)); ok && n >= least {
			return n, nil
		}
	}
	bound := fmt.Sprintf("one number, %d to %d", least, int64(math.MaxInt64))
	return 0, &store.ArgumentError{Field: field, Value: strings.Join(q[field], ", "), Bound: bound}
}

// noBody refuses a body: it may hold parameters that would go unread.
func noBody(r *http.Request) error {
	first := make([]byte, 1)
	switch _, err := io.ReadFull(r.Body, first); {
	case err == nil:
		return badBody(first, "none")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return bodyError(err)
	}
}

// bodyError is the error of a body that couldn't be read: one that is too large,
// which the answer tells, or one that broke off.
func bodyError(err error) error {
	if errors.As(err, new(*http.MaxBytesError)) {
		return err
	}
	return fmt.Errorf("%w: body: %w", store.ErrInvalid, err)
}

func badBody(body []byte, want string) error {
	return &store.ArgumentError{Field: "body", Value: string(body), Bound: want}
}
