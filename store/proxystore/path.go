package proxystore

import (
	"errors"
	"net/url"
	"strings"

	"github.com/stampid/go-stamp/store"
)

// The longest key and the largest record, in bytes. A key of that length, with
// each byte escaped, fits into a request line of 4 KiB, the least that servers
// in use take.
const (
	MaxKey   = 1024
	MaxValue = 64 << 10
)

func limits() store.Limits {
	return store.Limits{MaxKey: MaxKey, Reserved: "/", MaxValue: MaxValue}
}

// checkSegments refuses parts of a key that are no names in a path.
func checkSegments(key store.Key) error {
	check := func(field, text string) error {
		if text != "." && text != ".." {
			return nil
		}
		return &store.ArgumentError{Field: field, Value: text, Bound: `neither "." nor ".."`}
	}
	return errors.Join(check("namespace", key.Namespace), check("name", key.Name))
}

// resource is a kind of thing that has a path.
type resource int

const (
	distributor resource = iota
	segment
	counter
	record
	expiring
)

// folders returns what stands before the key in a path.
func (r resource) folders() string {
	switch r {
	case distributor:
		return "/segments/distributor/"
	case segment:
		return "/segments/"
	case counter:
		return "/v1/counters/"
	case record:
		return "/v1/records/"
	default:
		return "/v1/expiring/"
	}
}

// path returns the escaped path of a key that the limits allow.
func (r resource) path(key store.Key) string {
	return r.folders() + url.PathEscape(key.Namespace) + "/" + url.PathEscape(key.Name)
}

// parsePath is the inverse of path. It doesn't check the key, except that it has
// two parts. As no part has a "/", each path belongs to one resource.
func parsePath(escaped string) (r resource, key store.Key, ok bool) {
	for _, r := range []resource{distributor, segment, counter, record, expiring} {
		rest, found := strings.CutPrefix(escaped, r.folders())
		if !found || strings.Count(rest, "/") != 1 {
			continue
		}
		namespace, name, _ := strings.Cut(rest, "/")
		namespace, err1 := url.PathUnescape(namespace)
		name, err2 := url.PathUnescape(name)
		if err1 != nil || err2 != nil {
			return 0, store.Key{}, false
		}
		return r, store.Key{Namespace: namespace, Name: name}, true
	}
	return 0, store.Key{}, false
}
