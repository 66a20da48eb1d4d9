//go:build !unix

package servers

import (
	"errors"
	"os"
	"os/exec"
)

func become(*exec.Cmd, string) error { return nil }
func give(string, string) error      { return nil }

func lockFile(*os.File) error { return errors.ErrUnsupported }

func (p *process) killAll()      { _ = p.cmd.Process.Kill() }
func (p *process) freeze() error { return errors.ErrUnsupported }
func (p *process) thaw() error   { return errors.ErrUnsupported }
