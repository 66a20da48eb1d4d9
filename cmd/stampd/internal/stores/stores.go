package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/stampid/go-stamp/store"
)

// ErrURL says that a URL doesn't name a store. See [URLError].
var ErrURL = errors.New("not the URL of a store")

// URLError tells what is wrong with a URL. It matches [ErrURL].
type URLError struct {
	// URL is what may be shown of it: no password, and no query.
	URL    string
	Reason string
}

func (e *URLError) Error() string {
	return fmt.Sprintf("store %s: %s", e.URL, e.Reason)
}

// Is reports whether target is [ErrURL].
func (e *URLError) Is(target error) bool { return target == ErrURL }

// Options say how a store is opened.
type Options struct {
	// Create makes what the store keeps its contents in, if there is none yet:
	// tables in a database, the file of SQLite, a folder. Else that is an error,
	// at the first call or at once.
	Create bool
}

// Store is an opened store. It is safe for concurrent use.
type Store struct {
	// Counters is the store itself, with all that it can do beside.
	store.Counters
	// Records is the same store, or nil if it has none.
	Records store.Records
	// Name is the URL for people, without password and query.
	Name string

	closer io.Closer
}

// Close releases connections and files.
func (s *Store) Close() error { return s.closer.Close() }

// Open opens the store of a URL. Errors about the URL match [ErrURL]; others are
// those of making what Options.Create asks for.
func Open(ctx context.Context, rawURL string, o Options) (*Store, error) {
	t, s, err := parse(rawURL)
	if err != nil {
		return nil, err
	}
	opened, err := s.open(ctx, t, o)
	if err != nil {
		return nil, err
	}
	opened.Name = t.name
	return opened, nil
}

// Check reads the URL of a store and opens nothing. The error matches [ErrURL].
// What only the driver can judge is left to [Open].
func Check(rawURL string) error {
	_, _, err := parse(rawURL)
	return err
}

// scheme is a kind of store.
type scheme struct {
	names []string // what URLs begin with, before the colon
	form  string   // what a URL looks like, for people
	open  func(ctx context.Context, t *target, o Options) (*Store, error)
}

// schemes are all there are.
func schemes() []scheme {
	return []scheme{sqliteScheme(), postgresScheme(), mysqlScheme(), redisScheme(), folderScheme(), proxyScheme(), memoryScheme()}
}

// Forms lists what URLs look like.
func Forms() []string {
	var forms []string
	for _, s := range schemes() {
		forms = append(forms, s.form)
	}
	return forms
}

// opened makes a Store of what a package returned.
func opened(counters store.Counters, closer io.Closer) *Store {
	records, _ := counters.(store.Records)
	return &Store{Counters: counters, Records: records, closer: closer}
}

// closeFunc is an [io.Closer].
type closeFunc func() error

func (f closeFunc) Close() error { return f() }

// nothing is to be closed.
func nothing() error { return nil }

// parse finds the scheme of a URL.
func parse(rawURL string) (*target, scheme, error) {
	name, _, found := strings.Cut(rawURL, ":")
	if !found {
		return nil, scheme{}, &URLError{"of this URL", "it has no scheme; there are " + strings.Join(Forms(), ", ")}
	}
	name = strings.ToLower(name)
	for _, s := range schemes() {
		for _, known := range s.names {
			if known == name {
				t, err := newTarget(name, rawURL, s.form)
				return t, s, err
			}
		}
	}
	return nil, scheme{}, &URLError{fmt.Sprintf("with scheme %q", shorten(name)), "there is none; there are " + strings.Join(Forms(), ", ")}
}

// shorten keeps a scheme's beginning: where one was forgotten, what is before the
// first colon can be anything.
func shorten(name string) string {
	const most = 12
	if len(name) > most {
		return name[:most] + "…"
	}
	return name
}

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
		return nil, t.wrong("it has a #, which is written %%23")
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
	for name := range t.query {
		return t.wrong("it has no parameter %q", name)
	}
	return nil
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
	return path, nil
}

// reason is what an error says, without the address that it repeats: of errors
// about the URL of a driver, which may show all of it.
func reason(err error) string {
	if parse := (*url.Error)(nil); errors.As(err, &parse) {
		return parse.Err.Error()
	}
	return err.Error()
}
