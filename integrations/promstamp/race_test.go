package promstamp_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

// Scrapes while ids of both sources are made and dropped. The registry is a
// pedantic one: it refuses a series that comes twice.
func TestScrapeWhileIDsComeAndGo(t *testing.T) {
	p := newProgram(t)
	require.NoError(t, p.cfg.Open(t.Context()))
	var making sync.WaitGroup
	for g := range 2 {
		making.Go(func() {
			for i := range 200 {
				id := "tenant" + strconv.Itoa(i%20)
				if _, err := stamp.NextIn(id, p.cfg, uint64(g)); err != nil {
					t.Error(err)
				}
				if _, err := stamp.NextIn("invoices", p.numbers, uint64(g)); err != nil {
					t.Error(err)
				}
				p.cfg.Registry().Drop(id)
				p.provider.Drop("invoices", uint64(g))
			}
		})
	}
	var scraping sync.WaitGroup
	for range 2 {
		scraping.Go(func() {
			for range 20 {
				_, err := p.registry.Gather()
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	making.Wait()
	scraping.Wait()
	p.requireLines(`stamp_segment_ids_total{generator="invoices",namespace="shop"} 400`)
	require.NotContains(t, p.scrape(), "stamp_ids_total{")
}
