package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"

	"github.com/stampid/go-stamp/clock"
)

const (
	exitBroken = 1
	exitUsage  = 2
)

func main() {
	os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
}

// command is the program, apart from the process.
func command(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rounds := flags.Int("rounds", 30, "how many `rounds`; with all rows each takes about 3 seconds on an idle machine")
	only := flags.String("only", "", "measure rows like targets/Generator.Next/1 or peers/rs/xid that match a `regexp`")
	procs := flags.Int("procs", 2, "use so many processors; the targets are for 2. 0: all")
	asJSON := flags.Bool("json", false, "print JSON")
	asMarkdown := flags.Bool("markdown", false, "print Markdown")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return exitUsage
	}
	pattern, err := regexp.Compile(*only)
	switch {
	case err != nil:
	case *rounds < 1:
		err = fmt.Errorf("-rounds %d is below 1", *rounds)
	case *procs < 0:
		err = fmt.Errorf("-procs %d is negative", *procs)
	case *asJSON && *asMarkdown:
		err = errors.New("-json and -markdown exclude each other")
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "benchmarks:", err)
		return exitUsage
	}
	if *procs > 0 {
		runtime.GOMAXPROCS(min(*procs, runtime.NumCPU()))
	}
	report, err := run(pattern, *rounds, stderr)
	if err == nil {
		err = show(report, stdout, *asJSON, *asMarkdown)
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "benchmarks: broken:", err)
		return exitBroken
	}
	return 0
}

// run measures, and turns a panic into an error.
func run(only *regexp.Regexp, rounds int, progress io.Writer) (report *Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	env := environment(rounds)
	report, err = newPlan(only).run(rounds, func(round int) {
		if round == 1 || round%10 == 0 || round == rounds {
			_, _ = fmt.Fprintf(progress, "round %d of %d, load %s\n", round, rounds, load())
		}
	})
	if err != nil {
		return nil, err
	}
	env.LoadAfter, env.Clock = load(), clock.Default().InForce().String()
	report.Environment = env
	return report, nil
}

func show(r *Report, w io.Writer, asJSON, asMarkdown bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	env := r.Environment
	if _, err := fmt.Fprintf(w, "%s\n%s %s, %s, %d of %d processors, %s clock, %d rounds, load %s before, %s after\n\n",
		env.Command, env.Go, env.Platform, env.Processor, env.Procs, env.Processors, env.Clock,
		env.Rounds, env.LoadBefore, env.LoadAfter); err != nil {
		return err
	}
	for _, t := range r.tables() {
		write := t.text
		if asMarkdown {
			write = t.markdown
		}
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}
