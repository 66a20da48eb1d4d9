package proxystore

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/stampid/go-stamp/store"
)

// AnswerError is an answer that isn't what was asked for: an error of the
// server, of what stands before it, or one that no such server gives. It matches
// the error of package store that the server's store had returned.
type AnswerError struct {
	Method, URL string
	Status      int
	// Code and Message are the error's. Without a Code it isn't in the form of
	// such a server, and Message says what is wrong.
	Code, Message string
}

func (e *AnswerError) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("proxystore: %s %s: status %d: %s", e.Method, e.URL, e.Status, e.Message)
	}
	return fmt.Sprintf("proxystore: %s %s: status %d, code %q: %s", e.Method, e.URL, e.Status, e.Code, e.Message)
}

// Is reports whether target is the error that the code stands for:
// [store.ErrInvalid], [store.ErrNoCounter], [store.ErrExhausted] or
// [store.ErrConflict].
func (e *AnswerError) Is(target error) bool {
	switch target {
	case store.ErrInvalid:
		return e.Status == http.StatusBadRequest && e.Code == codeInvalid
	case store.ErrNoCounter:
		return e.Code == codeNoCounter
	case store.ErrExhausted:
		return e.Code == codeExhausted
	case store.ErrConflict:
		return e.Code == codeConflict
	}
	return false
}

// noEffect tells whether a change that was answered so is known not to have
// taken place.
func (e *AnswerError) noEffect() bool {
	switch e.Code {
	case codeNoCounter, codeExhausted, codeConflict, codeFailed:
		return true
	}
	switch e.Status {
	case http.StatusBadRequest:
		// CosId's 400 with another code may come from deep in its store.
		return e.Code == codeInvalid
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusTooManyRequests,
		http.StatusRequestHeaderFieldsTooLarge:
		return true
	}
	return false
}

// notServed tells whether the server has no such path. CosId's proxy says so
// with a 404 or, on later versions of its framework, with the 500 that it has
// for everything.
func (e *AnswerError) notServed() bool {
	return e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed ||
		e.Status == http.StatusInternalServerError && e.Code == codeCosID
}

// UnsupportedError says that the server doesn't offer a call, which CosId's own
// proxy doesn't for Peek, Raise, Get and CompareAndSet: recovery and audit of its
// counters aren't to be had, nor fences and leases. Nor are the latter where the
// store behind a server has no records. It matches [errors.ErrUnsupported].
type UnsupportedError struct {
	// Call is the method of [Client] that isn't offered.
	Call string
	// Answer is how the server said so.
	Answer *AnswerError
}

func (e *UnsupportedError) Error() string {
	needs := "recovery and audit"
	switch e.Call {
	case callGet, callCompareAndSet:
		needs = "fences and leases"
	case callGetExpiring, callCompareAndSetExpiring:
		needs = "leases"
	}
	return fmt.Sprintf("proxystore: the server doesn't offer %s, without which there are no %s: %v", e.Call, needs, e.Answer)
}

// Is reports whether target is [errors.ErrUnsupported].
func (e *UnsupportedError) Is(target error) bool { return target == errors.ErrUnsupported }

// Unwrap returns the answer.
func (e *UnsupportedError) Unwrap() error { return e.Answer }
