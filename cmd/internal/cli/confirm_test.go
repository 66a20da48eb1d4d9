package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfirm(t *testing.T) {
	for input, want := range map[string]error{
		"y\n": nil, " YES \n": nil, "yes": nil, "\n": ErrDeclined, "": ErrDeclined, "n\n": ErrDeclined, "yep\n": ErrDeclined,
		strings.Repeat(" ", 200) + "y\n": ErrDeclined,
	} {
		var out bytes.Buffer
		require.ErrorIs(t, Confirm(t.Context(), strings.NewReader(input), &out, "Really? "), want, "%q", input)
		require.Equal(t, "Really? ", out.String())
	}
}

// A signal ends the question.
func TestConfirmEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.Canceled)
	require.ErrorIs(t, Confirm(ctx, blocking{}, new(bytes.Buffer), "?"), context.Canceled)
}

// blocking is a terminal on which nobody types.
type blocking struct{}

func (blocking) Read([]byte) (int, error) { select {} }
