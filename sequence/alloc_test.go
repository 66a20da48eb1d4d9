package sequence_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

func TestCallsDoNotAllocate(t *testing.T) {
	for _, sequenceBits := range []int{1, 15} { // each second id overflows, or none does
		f := newFixture(t, layoutWith(sequenceBits), func(s *sequence.Settings) { s.Clock = clock.NewSystem(clock.Options{}) })
		s := f.sequence("orders", 0, 0)
		ctx, caller := context.Background(), &sequence.Caller{}
		now := f.space.Settings().Clock.Read().Wall
		dst := make([]int64, 0, 1000)
		for name, call := range map[string]func() error{
			"Next":                    func() error { _, err := s.Next(ctx, caller); return err },
			"Next, no context":        func() error { _, err := s.Next(noContext, caller); return err },
			"NextAt":                  func() error { _, err := s.NextAt(now, caller); return err },
			"Append":                  func() error { _, err := sequence.Append(ctx, s, dst, 1000, caller); return err },
			"looking up and Next":     func() error { return lookUp(f, caller) },
			"Append in several calls": func() error { _, err := sequence.Append(ctx, s, dst[:500], 500, caller); return err },
		} {
			var err error
			require.Zero(t, testing.AllocsPerRun(2000, func() {
				if e := call(); e != nil {
					err = e
				}
			}), "%s, %d bits", name, sequenceBits)
			require.NoError(t, err)
		}
	}
}

func lookUp(f *fixture, c *sequence.Caller) error {
	s, err := f.space.Sequence("orders", 0, 0)
	if err != nil {
		return err
	}
	_, err = s.Next(context.Background(), c)
	return err
}
