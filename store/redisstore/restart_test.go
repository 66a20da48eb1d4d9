package redisstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/redisstore"
)

// What a server that is killed keeps is a matter of its settings. What it forgot
// isn't begun anew.
func TestRestart(t *testing.T) {
	for name, tt := range map[string]struct {
		settings []string
		keeps    bool
	}{
		"append only": {[]string{"--appendonly", "yes", "--appendfsync", "always"}, true},
		"nothing":     {[]string{"--appendonly", "no"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, server := t.Context(), newProcess(t, tt.settings...)
			client, err := redisstore.NewClient(server.url())
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, client.Close()) })
			s := newStore(t, client, "")
			_, err = s.Create(ctx, orders, 1<<53)
			require.NoError(t, err)
			_, err = s.Allocate(ctx, orders, 10)
			require.NoError(t, err)
			require.NoError(t, s.CompareAndSet(ctx, orders, nil, []byte("mine")))

			server.kill()
			server.start()
			maxID, err := s.Allocate(ctx, orders, 10)
			record, getErr := s.Get(ctx, orders)
			require.NoError(t, getErr)
			if !tt.keeps {
				require.ErrorIs(t, err, store.ErrNoCounter)
				require.Nil(t, record)
				return
			}
			require.NoError(t, err)
			require.Equal(t, int64(1<<53+20), maxID)
			require.Equal(t, "mine", string(record))
		})
	}
}
