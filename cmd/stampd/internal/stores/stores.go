package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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

// ErrNotMade says that a store lacks what it keeps its contents in, which
// [Options] can make.
var ErrNotMade = errors.New("the store isn't made yet")

// Options say what opening a store may make. What isn't there and may not be made
// is [ErrNotMade]: of SQLite's file and of a folder from Open, of tables from
// [Store.Ready].
type Options struct {
	// Create makes what the store keeps its contents in, if there is none yet:
	// tables in a database, the file of SQLite, a folder.
	Create bool
	// CreateFile does the same for SQLite only.
	CreateFile bool
}

// Store is an opened store. It is safe for concurrent use.
type Store struct {
	// Counters is the store itself, with all that it can do beside.
	store.Counters
	// Records is the same store, or nil if it has none.
	Records store.Records
	// Name is the URL for people, without password and query.
	Name string
	// New says that opening it has made the file or the folder.
	New bool

	closer  io.Closer
	notMade func(error) bool // tells the error of a store without tables
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

// probe is a counter that nobody has.
var probe = store.Key{Namespace: "stampd", Name: "probe"}

// Ready asks the store for a counter that isn't there, to learn whether it
// answers. A server that doesn't offer this is taken to be ready.
func (s *Store) Ready(ctx context.Context) error {
	_, err := s.Peek(ctx, probe)
	switch {
	case err == nil, errors.Is(err, store.ErrNoCounter), errors.Is(err, errors.ErrUnsupported):
		return nil
	case s.notMade != nil && s.notMade(err):
		return fmt.Errorf("store %s: %w: %w", s.Name, ErrNotMade, err)
	}
	return fmt.Errorf("store %s: %w", s.Name, err)
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
	return []scheme{
		sqliteScheme(), postgresScheme(), mysqlScheme(), redisScheme(), mongodbScheme(), zookeeperScheme(), etcdScheme(),
		folderScheme(), proxyScheme(), memoryScheme(),
	}
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
	name, rest, _ := strings.Cut(rawURL, ":")
	name = strings.ToLower(name)
	for _, s := range schemes() {
		if slices.Contains(s.names, name) {
			t, err := newTarget(name, rawURL, s.form)
			return t, s, err
		}
	}
	// What is before the first colon is shown only if it was meant as a scheme.
	kind := "URL"
	if rawURL == "" {
		kind = `URL ""`
	}
	if strings.HasPrefix(rest, "//") && len(name) <= 20 {
		kind = fmt.Sprintf("URL %q", name+"://…")
	}
	return nil, scheme{}, &URLError{kind, "unknown kind; there are " + strings.Join(Forms(), ", ")}
}
