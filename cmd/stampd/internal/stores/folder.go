package stores

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/stampid/go-stamp/store/filestore"
)

func folderScheme() scheme {
	return scheme{names: []string{"file"}, form: "file:///folder", open: openFolder}
}

func openFolder(_ context.Context, t *target, o Options) (*Store, error) {
	path, err := t.path()
	if err != nil {
		return nil, err
	}
	if err := t.none(); err != nil {
		return nil, err
	}
	_, err = os.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew && !o.Create:
		return nil, fmt.Errorf("store %s: %w: no such folder", t.name, ErrNotMade)
	case isNew:
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, fmt.Errorf("store %s: %w", t.name, err)
		}
	}
	s, err := filestore.New(path)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", t.name, err)
	}
	result := opened(s, closeFunc(nothing))
	result.New = isNew
	return result, nil
}
