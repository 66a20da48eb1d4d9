//go:build !windows

package filestore

import (
	"errors"
	"os"
)

func replace(from, to string) error { return os.Rename(from, to) }

func syncFolder(path string) error {
	opened, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}
