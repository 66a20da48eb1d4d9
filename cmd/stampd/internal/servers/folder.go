package servers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// folder is a folder with files.
func folder() Kind {
	return Kind{
		Name: "file",
		url:  func(s *Server, _ string) string { return "file://" + s.data() },
		backup: func(ctx context.Context, s *Server, path string) error {
			return s.locked(ctx, func() error { return copyFile(path, s.contents()) })
		},
		restore: func(ctx context.Context, s *Server, path string) error {
			return s.locked(ctx, func() error { return copyFile(s.contents(), path) })
		},
		hold: holdFolder,
	}
}

// contents is the file that has all there is in a folder.
func (s *Server) contents() string { return filepath.Join(s.data(), "counters.txt") }

// locked calls do while nobody else changes anything.
func (s *Server) locked(ctx context.Context, do func() error) error {
	release, err := holdFolder(ctx, s)
	if err != nil {
		return err
	}
	return errors.Join(do(), release())
}

func holdFolder(_ context.Context, s *Server) (release func() error, err error) {
	file, err := os.OpenFile(filepath.Join(s.data(), "counters.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file.Close, nil // which drops the lock
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
