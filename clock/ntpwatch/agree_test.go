package ntpwatch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func answer(server string, offset, bound time.Duration) *Offset {
	return &Offset{Server: server, Offset: offset, Bound: bound}
}

func TestAgree(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	tests := map[string]struct {
		answers          []*Offset
		agreed, outliers string
	}{
		"none":                                 {nil, "", ""},
		"one":                                  {[]*Offset{answer("a", s, ms)}, "a", ""},
		"two that agree, the better one first": {[]*Offset{answer("a", 0, 2*s), answer("b", s, 10*ms)}, "ba", ""},
		"two that don't":                       {[]*Offset{answer("a", 0, 10*ms), answer("b", s, 10*ms)}, "", "ab"},
		"intervals that touch":                 {[]*Offset{answer("a", 0, s), answer("b", 2*s, s)}, "ab", ""},
		"and that just don't":                  {[]*Offset{answer("a", 0, s), answer("b", 2*s+1, s)}, "", "ab"},
		"the least distance":                   {[]*Offset{answer("a", 0, 0), answer("b", 2*minDistance, 0)}, "ab", ""},
		"two thirds":                           {[]*Offset{answer("a", 9*s, ms), answer("b", 0, ms), answer("c", 0, ms)}, "bc", "a"},
		"two of four":                          {[]*Offset{answer("a", 0, ms), answer("b", 0, ms), answer("c", s, ms), answer("d", s, ms)}, "", "abcd"},
		"each two of three, not all":           {[]*Offset{answer("a", -s, s), answer("b", 0, s/2), answer("c", s, s/2)}, "ba", "c"},
		"an interval around the others":        {[]*Offset{answer("a", 0, 10*s), answer("b", -s, ms), answer("c", s, ms)}, "ba", "c"},
		"the farthest": {[]*Offset{
			answer("a", farthest, farthest/2), answer("b", -farthest, farthest/2),
			answer("c", farthest, farthest/2),
		}, "ac", "b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			names := func(answers []*Offset) (all string) {
				for _, a := range answers {
					all += a.Server
				}
				return all
			}
			agreed, outliers := agree(test.answers)
			require.Equal(t, test.agreed, names(agreed))
			require.Equal(t, test.outliers, names(outliers))
		})
	}
}
