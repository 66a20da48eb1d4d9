package watching

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// glass keeps what was drawn.
type glass struct {
	mu    sync.Mutex
	drawn bytes.Buffer
}

func (g *glass) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.drawn.Write(p)
}

// take returns what was drawn since the last call.
func (g *glass) take() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	text := g.drawn.String()
	g.drawn.Reset()
	return text
}

func TestLiveDrawsAndLeavesTheTerminalAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBoard([]Source{answers("order", time.Hour)}, time.Second)
		b.AskAll(t.Context())
		keys, typed := io.Pipe()
		defer func() { _ = keys.Close() }()
		var screen glass
		var mu sync.Mutex
		width := 80
		ended := make(chan error, 1)
		go func() {
			ended <- Live(t.Context(), b, time.Second, Terminal{Keys: keys, Out: &screen, Size: func() (int, int, error) {
				mu.Lock()
				defer mu.Unlock()
				return width, 24, nil
			}})
		}()
		synctest.Wait()
		first := screen.take()
		require.True(t, strings.HasPrefix(first, enter), "%q", first)
		require.Contains(t, first, "shop.order")

		mu.Lock()
		width = 20
		mu.Unlock()
		time.Sleep(redraw + time.Millisecond)
		for line := range strings.SplitSeq(screen.take(), "\r\n") {
			require.LessOrEqual(t, len([]rune(strings.NewReplacer(home, "", "\x1b[K", "", below, "").Replace(line))), 20)
		}

		_, err := typed.Write([]byte("xq"))
		require.NoError(t, err)
		require.NoError(t, <-ended)
		require.True(t, strings.HasSuffix(screen.take(), leave))
		_ = typed.Close()
	})
}

func TestLiveIsEndedByCtrlCAndByItsContext(t *testing.T) {
	size := func() (int, int, error) { return 80, 24, nil }
	b := NewBoard(nil, time.Second)
	var screen glass
	err := Live(t.Context(), b, time.Second, Terminal{Keys: strings.NewReader("\x03"), Out: &screen, Size: size})
	var signal *cli.SignalError
	require.ErrorAs(t, err, &signal)
	require.Equal(t, 130, signal.Code())

	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	require.ErrorIs(t, Live(ctx, b, time.Second, Terminal{Out: &screen, Size: size}), over)

	gone := errors.New("gone")
	err = Live(t.Context(), b, time.Second, Terminal{Out: &screen, Size: func() (int, int, error) { return 0, 0, gone }})
	require.ErrorIs(t, err, gone)
	require.True(t, strings.HasSuffix(screen.take(), leave))
}
