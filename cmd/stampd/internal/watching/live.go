package watching

import (
	"context"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// Terminal is what is drawn on, and where keys come from. It has to be in raw
// mode if there are any.
type Terminal struct {
	Keys  io.Reader // nil: none
	Out   io.Writer
	Size  func() (width, height int, err error)
	Color bool
}

// redraw is how soon a new size and new figures are seen.
const redraw = 200 * time.Millisecond

const (
	enter  = "\x1b[?1049h\x1b[?25l" // the other screen, without cursor
	leave  = "\x1b[?25h\x1b[?1049l"
	home   = "\x1b[H"
	endRow = "\x1b[K\r\n" // and nothing of the old line behind it
	below  = "\x1b[J"

	ctrlC = 3
)

// Live draws the board until q or Ctrl-C is pressed or ctx ends, and leaves the
// terminal as it was. The error is a *[cli.SignalError] after Ctrl-C, and the
// context's cause.
func Live(ctx context.Context, b *Board, every time.Duration, t Terminal) (err error) {
	if _, err := io.WriteString(t.Out, enter); err != nil {
		return err
	}
	defer func() {
		if _, left := io.WriteString(t.Out, leave); err == nil {
			err = left
		}
	}()
	keys := make(chan byte)
	if t.Keys != nil {
		go readKeys(ctx, t.Keys, keys)
	}
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	drawn := ""
	for {
		frame, err := t.frame(b, every)
		if err != nil {
			return err
		}
		if frame != drawn {
			if _, err := io.WriteString(t.Out, frame); err != nil {
				return err
			}
			drawn = frame
		}
		select {
		case key := <-keys:
			switch key {
			case 'q', 'Q':
				return nil
			case ctrlC:
				return &cli.SignalError{Signal: syscall.SIGINT}
			}
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// frame is what makes the screen show the board as it is now.
func (t Terminal) frame(b *Board, every time.Duration) (string, error) {
	width, height, err := t.Size()
	if err != nil {
		return "", fmt.Errorf("size of the terminal: %w", err)
	}
	s := Screen{Width: width, Height: height, Color: t.Color}
	lines := Table(b.Rows(), b.Sources(), every, time.Now(), s)
	// No newline after the last, which would scroll.
	return home + strings.Join(lines, endRow) + "\x1b[K" + below, nil
}

// readKeys passes on what is typed. It ends with its reader, or with ctx and the
// next key.
func readKeys(ctx context.Context, r io.Reader, keys chan<- byte) {
	typed := make([]byte, 1)
	for {
		if _, err := io.ReadFull(r, typed); err != nil {
			return
		}
		select {
		case keys <- typed[0]:
		case <-ctx.Done():
			return
		}
	}
}
