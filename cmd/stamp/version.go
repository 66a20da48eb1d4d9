package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(s *streams) error {
	_, err := fmt.Fprintln(s.out, version())
	return err
}

// versionFlag is the command as a flag.
type versionFlag bool

// BeforeReset makes the flag work without a command.
func (versionFlag) BeforeReset(app *kong.Kong, _ kong.Vars) error {
	_, err := fmt.Fprintln(app.Stdout, version())
	app.Exit(exitDone)
	return err
}

func version() string { return cli.Version("stamp") }
