package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
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

// version says what the build recorded: "stamp v1.2.3 (go1.26.8, linux/amd64)".
func version() string {
	number := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		number = info.Main.Version
	}
	return fmt.Sprintf("stamp %s (%s, %s/%s)", number, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
