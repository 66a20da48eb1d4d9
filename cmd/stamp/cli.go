package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// commands is the command line. A command is a type with a Run method, in a
// file of its own, and a line here.
type commands struct {
	Next      nextCommand      `cmd:"" help:"Make ids."`
	Inspect   inspectCommand   `cmd:"" help:"Take ids apart."`
	Plan      planCommand      `cmd:"" help:"See what a layout gives, before it is too late to change."`
	Encode    encodeCommand    `cmd:"" help:"Turn ids into text."`
	Decode    decodeCommand    `cmd:"" help:"Turn text into ids."`
	Partition partitionCommand `cmd:"" help:"Find the partition of a tenant."`
	DDL       ddlCommand       `cmd:"" name:"ddl" help:"Print the SQL that partitions a table."`
	Fence     fenceCommand     `cmd:"" help:"See how far ids of nodes may go, and mend it."`
	Version   versionCommand   `cmd:"" help:"Print the version."`

	ShowVersion versionFlag `name:"version" help:"Print the version."`
}

const description = `Makes 63-bit ids that sort by time, takes them apart, and plans their layout and tables.

Exit codes: 0 all done; 1 failed, or at least one item refused; 2 wrong usage;
3 no free node number, or the clock is behind the ids already made; 130 and 143
ended by SIGINT and SIGTERM.`

// streams are what a command reads and writes.
type streams struct {
	in           io.Reader
	out, err     io.Writer
	inIsTerminal bool
	inSize       int64 // bytes to read from in; 0 unless it is a file
	color        bool  // on out
	progress     bool  // err is a terminal that shows nothing but messages
	now          func() time.Time
}

// standardStreams are those of the process. A closed standard output no longer
// kills it, but fails the write: next has to end in order.
func standardStreams() *streams {
	signal.Ignore(syscall.SIGPIPE)
	outIsTerminal := term.IsTerminal(int(os.Stdout.Fd()))
	able := os.Getenv("TERM") != "dumb"
	return &streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inIsTerminal: term.IsTerminal(int(os.Stdin.Fd())),
		inSize:       rest(os.Stdin),
		color:        outIsTerminal && able && os.Getenv("NO_COLOR") == "",
		progress:     !outIsTerminal && able && term.IsTerminal(int(os.Stderr.Fd())),
		now:          time.Now,
	}
}

// report writes a message for people, on one line.
func (s *streams) report(format string, args ...any) {
	_, _ = fmt.Fprintf(s.err, "stamp: %s\n", cli.Printable(fmt.Sprintf(format, args...)))
}

// helped stops parsing after help was printed.
type helped struct{}

// run runs a command line and returns the exit code.
func run(args []string, s *streams) (code int) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helped); !ok {
				panic(r)
			}
			code = exitDone
		}
	}()
	var c commands
	parser, err := kong.New(&c,
		kong.Name("stamp"),
		kong.Description(description),
		kong.Writers(s.out, s.err),
		kong.Exit(func(int) { panic(helped{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups([]kong.Group{{Key: "format", Title: "Format of the ids:"}}),
		kong.Bind(s),
		kong.Vars{"codecs": codecNames()},
	)
	if err != nil {
		s.report("%v", err)
		return exitFailed
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	context, err := parser.Parse(args)
	if err != nil {
		return s.fail(&usageError{cause: err})
	}
	return s.fail(context.Run())
}

// fail reports an error, one line for each of those it joins, and returns its
// exit code.
func (s *streams) fail(err error) int {
	code := exitCode(err)
	if code == exitDone || errors.Is(err, errReported) {
		return code
	}
	for line := range bytes.Lines([]byte(err.Error())) {
		s.report("%s", bytes.TrimSuffix(line, []byte("\n")))
	}
	if code == exitUsage {
		s.report("see stamp --help")
	}
	return code
}
