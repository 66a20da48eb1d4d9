package watching

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/sequence/segment/watch"
	"github.com/stampid/go-stamp/store"
)

func newProgram(t *testing.T, address string) *Program {
	t.Helper()
	p, err := NewProgram(address, http.DefaultClient)
	require.NoError(t, err)
	return p
}

func TestProgramWithGenerators(t *testing.T) {
	p, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace:  "shop",
		Generators: map[string]segment.Options{"order": {Step: 100}, "unused": {}},
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Close()) }()
	g, err := p.Generator("order")
	require.NoError(t, err)
	_, err = g.Next(t.Context())
	require.NoError(t, err)
	server := httptest.NewServer(watch.NewHandler(p.Generators))
	defer server.Close()
	rows, err := newProgram(t, server.URL).Ask(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, 1, "what was never used isn't shown")
	require.Equal(t, "shop.order", rows[0].Counter)
	require.Equal(t, strings.TrimPrefix(server.URL, "http://"), rows[0].Source)
	require.True(t, rows[0].Generator)
	require.GreaterOrEqual(t, rows[0].Remaining, uint64(99))
}

// What a generator's figures mean, by what they were at the last look.
func TestJudgement(t *testing.T) {
	now := time.Now()
	stock := func(change func(*watch.Generator)) watch.Generator {
		g := watch.Generator{Counter: "shop.order", Mode: "chain", Stats: segment.Stats{
			Current: 10, Reserve: 20, Rate: 10, Fetches: 5, TimeToExhaustion: 3 * time.Second, FetchP99: time.Millisecond, Waits: 2,
		}}
		change(&g)
		return g
	}
	for name, tt := range map[string]struct {
		g     watch.Generator
		level Level
		state string
	}{
		"fine":        {stock(func(*watch.Generator) {}), Fine, ""},
		"rolled back": {stock(func(g *watch.Generator) { g.Rollbacks = 1; g.LeftBehind = 1 }), Critical, "ROLLED BACK"},
		"backs off":   {stock(func(g *watch.Generator) { g.Backoff = now.Add(time.Second) }), Warning, "fetch failed, backs off"},
		"backed off":  {stock(func(g *watch.Generator) { g.Backoff = now.Add(-time.Second) }), Fine, ""},
		"empty": {stock(func(g *watch.Generator) {
			g.Current, g.Reserve, g.Backoff = 0, 0, now.Add(time.Second)
		}), Critical, "empty, backs off"},
		"hangs":    {stock(func(g *watch.Generator) { g.LeftBehind = 3 }), Warning, "3 calls hang"},
		"waits":    {stock(func(g *watch.Generator) { g.Waits = 7 }), Warning, "5 more waits"},
		"too late": {stock(func(g *watch.Generator) { g.FetchP99 = 4 * time.Second }), Warning, "lasts no fetch"},
		"sync has no reserve": {stock(func(g *watch.Generator) {
			g.Mode, g.Waits, g.FetchP99 = "sync", 7, 4*time.Second
		}), Fine, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, "http://10.0.0.7")
			p.generator(stock(func(*watch.Generator) {}), now)
			row := p.generator(tt.g, now)
			require.Equal(t, tt.level, row.Level)
			require.Equal(t, tt.state, row.State)
		})
	}
}

func TestProgramThatAnswersOtherwise(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			_, _ = w.Write([]byte(`{"status":"up"}`))
			return
		}
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer server.Close()
	_, err := newProgram(t, server.URL).Ask(t.Context())
	require.EqualError(t, err, "it answers 403 Forbidden")
	_, err = newProgram(t, server.URL+"/other").Ask(t.Context())
	require.ErrorIs(t, err, watch.ErrReport)
}

// An address may hold a password and a token, which neither name nor error show.
func TestSecretsOfAnAddress(t *testing.T) {
	p := newProgram(t, "http://ops:hush@127.0.0.1:1/stats?token=hush")
	require.Equal(t, "127.0.0.1:1/stats", p.Name())
	_, err := p.Ask(t.Context())
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hush")
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://10.0.0.7:8080":         "http://10.0.0.7:8080/v1/watch",
		"http://10.0.0.7:8080/":        "http://10.0.0.7:8080/v1/watch",
		"https://ids.example/internal": "https://ids.example/internal",
	} {
		require.Equal(t, want, newProgram(t, address).address)
	}
	for _, address := range []string{"", "10.0.0.7:8080", "ftp://h", "http://", "http:///v1/watch", "http://[::1"} {
		_, err := NewProgram(address, nil)
		require.ErrorIs(t, err, ErrAddress, address)
	}
}
