//go:build !linux

package clockchaos

import (
	"errors"

	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
)

// disk is what this system has none of.
type disk struct{ faults.Disk }

func mountDisk(string) (*disk, error) { return nil, errors.ErrUnsupported }

func (*disk) unmount() error { return nil }
