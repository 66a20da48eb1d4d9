package stores

import (
	"context"
	"os"
	"path/filepath"

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
	path = filepath.FromSlash(path)
	if o.Create {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	s, err := filestore.New(path)
	if err != nil {
		return nil, err
	}
	return opened(s, closeFunc(nothing)), nil
}
