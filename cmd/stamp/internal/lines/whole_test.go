package lines_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stamp/internal/lines"
)

// pieces gives out one piece per Read, as a pipe does.
type pieces struct{ rest []string }

func (p *pieces) Read(dst []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(dst, p.rest[0])
	p.rest = p.rest[1:]
	return n, nil
}

// Half a line at hand is none: who flushes when nothing is buffered must not
// wait for its other half.
func TestBufferedCountsWholeLines(t *testing.T) {
	r := lines.NewReader(&pieces{[]string{"one\ntwo\nth", "ree\n"}}, 100)
	for _, want := range []struct {
		line     string
		buffered bool
	}{{"one", true}, {"two", false}, {"three", false}} {
		line, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, want.line, string(line))
		require.Equal(t, want.buffered, r.Buffered(), "after %q", want.line)
	}
}
