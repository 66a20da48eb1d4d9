package sequence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

// interrupted is a manual clock of which one reading is followed by something
// else, as when the goroutine that took it is put aside.
type interrupted struct {
	*clock.Manual
	then func()
}

func (i *interrupted) Read() clock.Reading {
	r := i.Manual.Read()
	if then := i.then; then != nil {
		i.then = nil
		then()
	}
	return r
}

// A call that comes late with an old reading isn't refused for what others
// claimed meanwhile, in step with the clock.
func TestAhead_AnOldReadingRefusesNothing(t *testing.T) {
	var c *interrupted
	f := newFixture(t, layoutWith(12), func(s *sequence.Settings) {
		c = &interrupted{Manual: s.Clock.(*clock.Manual)}
		s.Clock, s.AheadPolicy = c, sequence.Fail
	})
	s := f.sequence("orders", 0, 0)
	f.next(s)
	f.clock.Advance(time.Millisecond)

	var other int64
	c.then = func() {
		f.clock.Advance(time.Millisecond)
		other = f.next(s)
	}
	id, err := s.Next(noContext, &f.caller)
	require.NoError(t, err)
	require.Equal(t, other+1, id)
}
