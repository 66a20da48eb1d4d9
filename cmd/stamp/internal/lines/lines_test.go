package lines_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stamp/internal/lines"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	tests := map[string]struct {
		text string
		want []string // an error's text for a refused line
	}{
		"nothing":           {"", nil},
		"one":               {"a\n", []string{"a"}},
		"without end":       {"a\nb", []string{"a", "b"}},
		"of Windows":        {"a\r\nb\r\n", []string{"a", "b"}},
		"empty":             {"\n\na\n", []string{"", "", "a"}},
		"at the limit":      {strings.Repeat("y", 10) + "\n", []string{"yyyyyyyyyy"}},
		"above the limit":   {strings.Repeat("y", 11) + "\na\n", []string{"11 bytes, want at most 10", "a"}},
		"megabytes":         {"a\n" + long + "\nb\n", []string{"a", "5242880 bytes, want at most 10", "b"}},
		"megabytes, at end": {long, []string{"5242880 bytes, want at most 10"}},
		"buffer's size":     {strings.Repeat("x", 1<<16) + "\nb", []string{"65536 bytes, want at most 10", "b"}},
		"just below it":     {strings.Repeat("x", 1<<16-1) + "\nb", []string{"65535 bytes, want at most 10", "b"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := lines.NewReader(strings.NewReader(test.text), 10)
			for i, want := range test.want {
				line, err := r.Next()
				if err != nil {
					require.ErrorIs(t, err, lines.ErrTooLong)
					line = []byte(err.Error())
				}
				require.Equal(t, want, string(line))
				require.EqualValues(t, i+1, r.Number())
			}
			_, err := r.Next()
			require.Equal(t, io.EOF, err)
		})
	}
}

func TestAFailingSource(t *testing.T) {
	broken := errors.New("broken")
	r := lines.NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10)
	_, err := r.Next()
	require.NoError(t, err)
	_, err = r.Next()
	require.ErrorIs(t, err, broken)
}
