package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// commands is the command line. A command is a type with a Run method, in a
// file of its own, and a line here.
type commands struct {
	Next    nextCommand    `cmd:"" help:"Take numbers from a counter."`
	Status  statusCommand  `cmd:"" help:"Show where counters stand."`
	Recover recoverCommand `cmd:"" help:"Raise counters after their store has lost counts."`
	Serve   serveCommand   `cmd:"" help:"Serve a store over HTTP."`
	Watch   watchCommand   `cmd:"" help:"Watch generators and counters live."`
	Fence   fenceCommand   `cmd:"" help:"See how far ids of nodes may go, and mend it."`
	Nodes   nodesCommand   `cmd:"" help:"Show who has which node number."`
	Version versionCommand `cmd:"" help:"Print the version."`

	ShowVersion versionFlag `name:"version" help:"Print the version."`
}

const description = `Takes numbers from shared counters, shows where they stand, serves them, and brings them forward
after a store has lost counts.

Stores: sqlite:ids.db, postgres://…, mysql://…, redis://…, mongodb://…, zookeeper://host,host2/chroot,
etcd://host,host2, file:///folder, http://… (a stampd serve, or CosId's proxy). What is special in a
password is percent-escaped. The environment variables STAMPD_STORE and STAMPD_AUDIT keep passwords
out of the list of processes. In addition to what the driver takes after a "?", there are table= and
record_table= for databases, database=, collection= and record_collection= for MongoDB, and prefix=
for Redis, ZooKeeper and etcd.

Exit codes: 0 all done; 1 failed; 2 wrong usage; 3 a store has lost counts; 130 and 143 ended by
SIGINT and SIGTERM.`

// streams are what a command reads and writes.
type streams struct {
	in           io.Reader
	out, err     io.Writer
	inIsTerminal bool
	terminal     *os.File // out, if it is one that can be drawn on
	color        bool     // on terminal
}

// standardStreams are those of the process. A closed standard output no longer
// kills it, but fails the write: next has to say what it dropped.
func standardStreams() *streams {
	signal.Ignore(syscall.SIGPIPE)
	s := &streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, inIsTerminal: term.IsTerminal(int(os.Stdin.Fd()))}
	if term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb" {
		s.terminal, s.color = os.Stdout, os.Getenv("NO_COLOR") == ""
	}
	return s
}

// report writes a message for people, on one line.
func (s *streams) report(format string, args ...any) {
	_, _ = fmt.Fprintf(s.err, "stampd: %s\n", cli.Printable(fmt.Sprintf(format, args...)))
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
		kong.Name("stampd"),
		kong.Description(description),
		kong.Writers(s.out, s.err),
		kong.Exit(func(int) { panic(helped{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "store", Title: "Stores:"},
			{Key: "counter", Title: "The counter:"},
			{Key: "text", Title: "Form of the numbers:"},
			{Key: "format", Title: "Format of the ids:"},
		}),
		kong.Bind(s),
	)
	if err != nil {
		s.report("%v", err)
		return exitFailed
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	context, err := parser.Parse(args)
	for _, arg := range args {
		if !utf8.ValidString(arg) { // the parser makes one name of many
			err = fmt.Errorf("argument %q isn't UTF-8", arg)
		}
	}
	if err != nil {
		return s.fail(&usageError{cause: err})
	}
	return s.fail(context.Run())
}

// fail reports an error, one line for each of those it joins, and returns its
// exit code.
func (s *streams) fail(err error) int {
	code := exitCode(err)
	if code == exitDone {
		return code
	}
	for line := range bytes.Lines([]byte(err.Error())) {
		s.report("%s", bytes.TrimSuffix(line, []byte("\n")))
	}
	if code == exitUsage {
		s.report("see stampd --help")
	}
	return code
}
