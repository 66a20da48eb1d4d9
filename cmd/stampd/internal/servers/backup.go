package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Backup copies what the store holds to path, which doesn't exist yet. A server
// may be restarted for it.
func (s *Server) Backup(ctx context.Context, path string) error {
	if s.backup != nil {
		return s.wrap("backup", s.backup(ctx, s, path))
	}
	s.Kill()
	err := copyFolder(path, s.data())
	return s.wrap("backup", errors.Join(err, s.Start(ctx)))
}

// Restore puts a backup in the place of what the store holds, as an operator
// would do it while programs run that use the store. A server may be restarted
// for it.
func (s *Server) Restore(ctx context.Context, path string) error {
	if s.restore != nil {
		return s.wrap("restore", s.restore(ctx, s, path))
	}
	s.Kill()
	err := os.RemoveAll(s.data())
	if err == nil {
		err = copyFolder(s.data(), path)
	}
	return s.wrap("restore", errors.Join(err, s.Start(ctx)))
}

func (s *Server) wrap(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s of %s: %w", what, s.Name, err)
	}
	return nil
}

func copyFolder(to, from string) error {
	return os.CopyFS(to, os.DirFS(from))
}
