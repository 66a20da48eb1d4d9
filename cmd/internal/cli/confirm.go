package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// ErrDeclined says that nothing was done.
var ErrDeclined = errors.New("not confirmed, nothing was changed")

// Confirm asks a question on a terminal. Anything but y or yes is [ErrDeclined], and
// the end of ctx its cause.
func Confirm(ctx context.Context, in io.Reader, out io.Writer, question string) error {
	if _, err := io.WriteString(out, Printable(question)); err != nil {
		return err
	}
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(in, 100)).ReadString('\n')
		answer <- line
	}()
	select {
	case line := <-answer:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return nil
		}
		return ErrDeclined
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
