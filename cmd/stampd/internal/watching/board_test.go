package watching

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// source is one that does what the test says.
type source struct {
	name string
	ask  func(ctx context.Context) ([]Row, error)
}

func (s source) Name() string                           { return s.name }
func (s source) Ask(ctx context.Context) ([]Row, error) { return s.ask(ctx) }

func answers(name string, left time.Duration) source {
	return source{name, func(context.Context) ([]Row, error) {
		return []Row{{Source: name, Counter: "shop." + name, Left: left}}, nil
	}}
}

func names(rows []Row) (list []string) {
	for _, r := range rows {
		list = append(list, r.Source)
	}
	return list
}

func TestWhatEndsFirstIsAtTheTop(t *testing.T) {
	b := NewBoard([]Source{
		answers("forever", Forever), answers("day", 24*time.Hour), answers("second", time.Second),
		source{"broken", func(context.Context) ([]Row, error) { return nil, errors.New("refused") }},
	}, time.Second)
	require.Empty(t, b.Rows(), "nobody was asked")
	b.AskAll(t.Context())
	require.Equal(t, []string{"broken", "second", "day", "forever"}, names(b.Rows()))
}

// A source that hangs is late by itself.
func TestOneSourceStopsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		b := NewBoard([]Source{
			source{"hangs", func(ctx context.Context) ([]Row, error) {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			}},
			source{"works", func(context.Context) ([]Row, error) {
				asked++
				return []Row{{Source: "works", Counter: "shop.order", Remaining: uint64(asked)}}, nil
			}},
		}, 10*time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			b.Run(ctx, time.Second)
			close(done)
		}()
		time.Sleep(5*time.Second + time.Millisecond)
		rows := b.Rows()
		require.Equal(t, []string{"works"}, names(rows), "nothing is known of the other")
		require.EqualValues(t, 6, rows[0].Remaining)

		time.Sleep(5 * time.Second)
		rows = b.Rows()
		require.Equal(t, []string{"hangs", "works"}, names(rows))
		require.Equal(t, "no answer within 10s", rows[0].State)
		require.EqualValues(t, 11, rows[1].Remaining)
		cancel()
		<-done
	})
}

// The last figures stay while a source fails, and say how old they are.
func TestFiguresOfASourceThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var err error
		b := NewBoard([]Source{source{"flaky", func(context.Context) ([]Row, error) {
			return []Row{{Source: "flaky", Counter: "shop.order", Remaining: 7}}, err
		}}}, time.Second)
		b.AskAll(t.Context())
		err = errors.New("refused")
		time.Sleep(12 * time.Second)
		b.AskAll(t.Context())
		rows := b.Rows()
		require.Len(t, rows, 1)
		require.EqualValues(t, 7, rows[0].Remaining)
		require.Equal(t, 12*time.Second, rows[0].Age)
		require.Equal(t, Critical, rows[0].Level)
		require.Equal(t, "12s old: refused", rows[0].State)

		err = nil
		b.AskAll(t.Context())
		require.Equal(t, Fine, b.Rows()[0].Level)
	})
}

// The end of a watch isn't shown as a failure of all sources.
func TestTheEndIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := NewBoard([]Source{source{"asked", func(ctx context.Context) ([]Row, error) {
		cancel()
		return nil, ctx.Err()
	}}}, time.Second)
	b.AskAll(ctx)
	require.Empty(t, b.Rows())
}
