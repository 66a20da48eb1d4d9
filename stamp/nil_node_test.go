package stamp_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
)

type remote struct{ number uint64 }

func (r *remote) Node(context.Context) (uint64, error) { return r.number, nil }

// A nil source counts as none, whatever its type: a layout without node bits
// takes it, and then never calls it.
func TestANilNodeWithoutNodeBits(t *testing.T) {
	for _, source := range []node.Source{(*remote)(nil), (*node.Static)(nil), node.Func(nil)} {
		t.Run(fmt.Sprintf("%T", source), func(t *testing.T) {
			o, _ := isolated()
			o.Node = source
			c := newConfig(t, o)
			require.NotPanics(t, func() { next(t, "orders", c) })
		})
	}
}
