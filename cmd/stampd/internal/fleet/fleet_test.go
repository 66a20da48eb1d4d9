package fleet_test

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
)

const variable = "STAMPD_FLEET_TEST"

// task says what a worker of these tests does.
type task struct {
	Process, Run int
	Crash        bool
}

// progress is what it tells: Number once it runs, and 10 more at its end.
type progress struct{ Number int }

func (p progress) Plus(o progress) progress { return progress{p.Number + o.Number} }

func TestMain(m *testing.M) {
	fleet.RunChild(variable, work)
	os.Exit(m.Run())
}

func work(ctx context.Context, t task, out io.Writer) error {
	if t.Crash {
		return errors.New("as it was told to") // written to standard error
	}
	number := 1 + 100*t.Process + 1000*t.Run
	return fleet.Tell(ctx, out, func() any {
		if ctx.Err() != nil {
			return progress{number + 10}
		}
		return progress{number}
	})
}

func newFleet(t *testing.T, size int, crash bool) *fleet.Fleet[progress] {
	f := fleet.New[progress](variable, size, func(process, run int) any { return task{process, run, crash} })
	t.Cleanup(f.KillAll)
	return f
}

func await(t *testing.T, done func() bool) {
	t.Helper()
	require.Eventually(t, done, time.Minute, time.Millisecond)
}

func TestFleet(t *testing.T) {
	f := newFleet(t, 2, false)
	require.Empty(t, f.Running())
	require.NoError(t, f.StartAll())
	require.NoError(t, f.StartAll(), "they run")
	await(t, func() bool { return f.Tally().Progress.Number == 1+101 })
	require.Equal(t, []progress{{1}, {101}}, f.Running())

	f.Kill(0)
	f.Kill(0) // it is gone
	require.Equal(t, []progress{{101}}, f.Running())
	require.Equal(t, []progress{{}, {101}}, []progress{f.Told(0), f.Told(1)})
	f.End(1)
	require.Empty(t, f.Running())
	require.Equal(t, fleet.Tally[progress]{Progress: progress{1 + 111}, Starts: 2, Kills: 1}, f.Tally())

	require.NoError(t, f.Start(0))
	await(t, func() bool { return f.Tally().Progress.Number == 1+111+1001 })
	f.EndAll()
	require.Equal(t, fleet.Tally[progress]{Progress: progress{1 + 111 + 1011}, Starts: 3, Kills: 1}, f.Tally())
}

// A worker that was frozen goes on.
func TestFreeze(t *testing.T) {
	f := newFleet(t, 1, false)
	require.NoError(t, f.Freeze(0), "it doesn't run")
	require.NoError(t, f.StartAll())
	await(t, func() bool { return f.Tally().Progress.Number == 1 })
	if err := f.Freeze(0); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	} else {
		require.NoError(t, err)
	}
	require.NoError(t, f.Thaw(0))
	f.EndAll()
	require.Equal(t, fleet.Tally[progress]{Progress: progress{11}, Starts: 1}, f.Tally())
}

// A worker that ends by itself has crashed, if it says so by its exit code.
func TestCrash(t *testing.T) {
	f := newFleet(t, 1, true)
	require.NoError(t, f.StartAll())
	f.EndAll()
	require.NoError(t, f.StartAll())
	f.EndAll()
	tally := f.Tally()
	require.Len(t, tally.Crashed, 2)
	require.Zero(t, tally.Kills)
}
