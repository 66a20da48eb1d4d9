package stores

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// target is a URL that was read.
type target struct {
	scheme string
	name   string // for people
	form   string // what it should look like
	url    *url.URL
	query  url.Values
}

func newTarget(scheme, rawURL, form string) (*target, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		// The error repeats parts of the URL, and the password may be in any.
		return nil, &URLError{scheme + ":…", "it can't be read: percent-escape what is special in a name or password, as in " + form}
	}
	t := &target{scheme: scheme, form: form, url: u}
	shown := *u
	shown.RawQuery, shown.Fragment = "", ""
	t.name = shown.Redacted()
	if u.Fragment != "" || strings.Contains(rawURL, "#") {
		return nil, t.wrong("a # in it is written %%23")
	}
	if t.query, err = url.ParseQuery(u.RawQuery); err != nil {
		return nil, t.wrong("what follows the ? can't be read")
	}
	return t, nil
}

// wrong is the error of a URL.
func (t *target) wrong(format string, args ...any) error {
	return &URLError{t.name, fmt.Sprintf(format, args...)}
}

// take removes a parameter and returns it, "" if there is none.
func (t *target) take(name string) (string, error) {
	values, given := t.query[name]
	delete(t.query, name)
	switch {
	case !given:
		return "", nil
	case len(values) > 1:
		return "", t.wrong("it has %s %d times", name, len(values))
	case values[0] == "":
		return "", t.wrong("its %s is empty", name)
	}
	return values[0], nil
}

// none refuses parameters that are left.
func (t *target) none() error {
	if len(t.query) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(t.query))
	return t.wrong("there is no parameter %s", strings.Join(names, ", "))
}

// rest is the URL with the parameters that are left.
func (t *target) rest() *url.URL {
	u := *t.url
	u.Scheme, u.RawQuery = t.scheme, t.query.Encode()
	return &u
}

// path is the path of a URL that has nothing else: scheme:relative,
// scheme:/absolute or scheme:///absolute.
func (t *target) path() (string, error) {
	if t.url.Host != "" || t.url.User != nil {
		return "", t.wrong("it has a host; write %s", t.form)
	}
	path := t.url.Path
	if t.url.Opaque != "" {
		var err error
		if path, err = url.PathUnescape(t.url.Opaque); err != nil {
			return "", t.wrong("a %% in the path is written %%25")
		}
	}
	if path == "" || strings.ContainsRune(path, 0) {
		return "", t.wrong("it has no path; write %s", t.form)
	}
	return filepath.Clean(filepath.FromSlash(path)), nil
}

// reason is what an error says, without the address that it repeats: of errors
// about the URL of a driver, which may show all of it.
func reason(err error) string {
	if parse := (*url.Error)(nil); errors.As(err, &parse) {
		return parse.Err.Error()
	}
	return err.Error()
}
