package segment_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
)

func TestUseIsRecordedOnce(t *testing.T) {
	p := newProvider(t, newFake(), segment.ProviderOptions{Generators: map[string]segment.Options{"orders": {}, "invoices": {}}})
	uses := make([]any, 16)
	var wg sync.WaitGroup
	for i := range uses {
		wg.Go(func() {
			use, err := p.Use("orders", i)
			if err != nil {
				t.Error(err)
			}
			uses[i] = use
		})
	}
	wg.Wait()
	for _, use := range uses {
		require.Equal(t, uses[0], use)
	}
	other, err := p.Use("invoices", "mine")
	require.NoError(t, err)
	require.Equal(t, "mine", other)
	_, err = p.Use("nothing", 1)
	require.ErrorIs(t, err, segment.ErrUnknownName)
	_, err = new(segment.Provider).Use("orders", 1)
	require.ErrorIs(t, err, segment.ErrUnknownName)
}
