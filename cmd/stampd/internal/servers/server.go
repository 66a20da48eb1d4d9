package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/store"
)

// patience is how long a server may take to answer after a start.
const patience = 60 * time.Second

// startTries is how often a server is started that ends by itself.
const startTries = 10

// errEnded says that a server has ended by itself.
var errEnded = errors.New("it has ended")

// Options say how a server is started.
type Options struct {
	// Folder is where its files are; it must exist and is the caller's to remove.
	Folder string
	// Args are appended to the server's arguments, where the last one counts: to
	// take durability away, for example.
	Args []string
	// Behind is the URL of the store that a proxy serves. "": one of its own.
	Behind string
}

// Server is a private store. Its methods may be called by any goroutine, one
// after the other.
type Server struct {
	Kind

	options Options
	addr    string // host:port of the server, "" if there is none

	mu      sync.Mutex
	process *process // nil while it is down
}

// ErrMissing says that a program isn't installed.
var ErrMissing = errors.New("not installed")

// Start makes a server of a kind, starts it and waits until it answers. Tables
// and the like are made.
func Start(ctx context.Context, kind string, o Options) (*Server, error) {
	k, err := Find(kind)
	if err != nil {
		return nil, err
	}
	if missing := k.Missing(); len(missing) > 0 {
		return nil, fmt.Errorf("%s: %v: %w", kind, missing, ErrMissing)
	}
	s := &Server{Kind: k, options: o}
	if k.HasServer() {
		if s.addr, err = freeAddress(); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(s.data(), 0o755); err != nil {
		return nil, err
	}
	if k.prepare != nil {
		if err := k.prepare(ctx, s); err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
	}
	if err := s.Start(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	opened, err := s.open(ctx, true)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, opened.Close()
}

// data is the folder of what a backup has to hold.
func (s *Server) data() string { return filepath.Join(s.options.Folder, "data") }

// Addr is the server's address, host:port, or "" if there is no server.
func (s *Server) Addr() string { return s.addr }

// URL is the store's, for package stores.
func (s *Server) URL() string { return s.url(s, s.addr) }

// URLAt is the store's URL through a relay at addr.
func (s *Server) URLAt(addr string) string { return s.url(s, addr) }

func (s *Server) open(ctx context.Context, create bool) (*stores.Store, error) {
	return stores.Open(ctx, s.URL(), stores.Options{Create: create})
}

// Start starts a server that is down, and waits until it answers.
func (s *Server) Start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.HasServer() || s.process != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for tries := 1; ; tries++ {
		p, err := s.start()
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		if err = s.await(ctx, p); err == nil {
			s.process = p
			return nil
		}
		p.kill()
		// What a killed server leaves behind, its children's memory for one, may
		// be in the way of the next for a moment.
		if !errors.Is(err, errEnded) || tries == startTries {
			return fmt.Errorf("%s doesn't answer: %w; it says: %s", s.Name, err, p.lastWords())
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// start runs the server's command.
func (s *Server) start() (*process, error) {
	c := s.command(s)
	c.args = append(c.args, s.options.Args...)
	return startProcess(c, filepath.Join(s.options.Folder, s.Name+".log"))
}

// await returns when the store answers.
func (s *Server) await(ctx context.Context, p *process) error {
	opened, err := s.open(ctx, false)
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	for {
		try, cancel := context.WithTimeout(ctx, time.Second)
		_, err := opened.Peek(try, store.Key{Namespace: "servers", Name: "ready"})
		cancel()
		if err == nil || errors.Is(err, store.ErrNoCounter) || noTable(err) {
			return nil
		}
		select {
		case <-p.done:
			return errors.Join(errEnded, err)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// noTable tells whether an error says that the server answers but has no tables
// yet.
func noTable(err error) bool {
	text := err.Error()
	return strings.Contains(text, "42P01") || strings.Contains(text, "42S02") || strings.Contains(text, "no such table")
}

// Up tells whether there is a server that runs, or is frozen.
func (s *Server) Up() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process != nil
}

// Kill ends the server without notice, and returns when it is gone. Where there
// is none it does nothing.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process != nil {
		s.process.kill()
		s.process = nil
	}
}

// Freeze stops the server's process where it is, and Thaw lets it go on.
func (s *Server) Freeze() error { return s.signal((*process).freeze) }

// Thaw ends a Freeze.
func (s *Server) Thaw() error { return s.signal((*process).thaw) }

func (s *Server) signal(send func(*process) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return nil
	}
	return send(s.process)
}

// Hold keeps everybody from changing the store, until release is called. It is
// for stores with [Kind.CanHold].
func (s *Server) Hold(ctx context.Context) (release func() error, err error) {
	if s.hold == nil {
		return nil, fmt.Errorf("%s has no lock to hold: %w", s.Name, errors.ErrUnsupported)
	}
	return s.hold(ctx, s)
}

// Close ends the server. Its files stay.
func (s *Server) Close() error {
	s.Kill()
	return nil
}
