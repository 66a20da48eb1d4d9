package segment_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
)

func TestProviderAddsUpPartitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.delay = 2 * time.Millisecond
		p, err := segment.NewProvider(f, segment.ProviderOptions{
			Namespace: "shop", Generators: map[string]segment.Options{"orders": {Mode: segment.Sync, Step: 100}},
		})
		require.NoError(t, err)
		require.Equal(t, "shop", p.Namespace())
		_, err = p.Stats("users")
		require.ErrorIs(t, err, segment.ErrUnknownName)

		own, err := p.Generator("orders")
		require.NoError(t, err)
		one, err := p.Partition("orders", 1)
		require.NoError(t, err)
		for range 10 {
			next(t, own)
			next(t, one)
			next(t, one)
			time.Sleep(10 * time.Millisecond)
		}
		ofOwn, ofOne := own.Stats(), one.Stats()
		s, err := p.Stats("orders")
		require.NoError(t, err)
		require.EqualValues(t, 30, s.Given)
		require.EqualValues(t, 170, s.Current+s.Reserve)
		require.EqualValues(t, 2, s.Fetches)
		require.EqualValues(t, 2, s.FetchTimes.Count())
		require.Equal(t, ofOwn.FetchTimes.Sum()+ofOne.FetchTimes.Sum(), s.FetchTimes.Sum())
		require.Equal(t, ofOwn.Rate+ofOne.Rate, s.Rate)
		require.Equal(t, min(ofOwn.TimeToExhaustion, ofOne.TimeToExhaustion), s.TimeToExhaustion)
		require.EqualValues(t, 2, s.Waits)

		p.Drop("orders", 1)
		p.Drop("orders", 1)
		p.Drop("users", 1)
		after, err := p.Stats("orders")
		require.NoError(t, err)
		require.EqualValues(t, 30, after.Given, "counts don't fall")
		require.EqualValues(t, 2, after.FetchTimes.Count())
		require.EqualValues(t, 90, after.Current+after.Reserve, "but there are the named one's ids only")
		require.Zero(t, after.Wasted.Close)
	})
}

// What is counted never falls while partitions come and go.
func TestProviderStatsWhilePartitionsGo(t *testing.T) {
	p, err := segment.NewProvider(newFake(), segment.ProviderOptions{
		Namespace: "shop", Generators: map[string]segment.Options{"orders": {Mode: segment.Sync, Step: 2}},
	})
	require.NoError(t, err)
	const rounds = 500
	var working sync.WaitGroup
	for number := range uint64(2) {
		working.Go(func() {
			for range rounds {
				g, err := p.Partition("orders", number)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := g.Next(background); err != nil {
					t.Error(err)
				}
				p.Drop("orders", number)
			}
		})
	}
	last := uint64(0)
	for last < 2*rounds && !t.Failed() {
		s, err := p.Stats("orders")
		require.NoError(t, err)
		require.GreaterOrEqual(t, s.Given, last)
		last = s.Given
	}
	working.Wait()
	require.EqualValues(t, 2*rounds, last)
}
