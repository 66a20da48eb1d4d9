package watch_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/sequence/segment/watch"
	"github.com/stampid/go-stamp/store"
)

func newProvider(t *testing.T) *segment.Provider {
	t.Helper()
	p, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace:  "shop",
		Generators: map[string]segment.Options{"order": {Step: 100, NoBackground: true}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func TestReportOfAProvider(t *testing.T) {
	p := newProvider(t)
	order, err := p.Generator("order")
	require.NoError(t, err)
	partition, err := p.Partition("order", 3)
	require.NoError(t, err)
	for range 30 {
		_, err = order.Next(t.Context())
		require.NoError(t, err)
	}
	_, err = partition.Next(t.Context())
	require.NoError(t, err)

	server := httptest.NewServer(watch.NewHandler(p.Generators))
	defer server.Close()
	answer, err := http.Get(server.URL + watch.Path)
	require.NoError(t, err)
	defer func() { require.NoError(t, answer.Body.Close()) }()
	require.Equal(t, "application/json", answer.Header.Get("Content-Type"))
	report, err := watch.Read(answer.Body)
	require.NoError(t, err)

	given := map[string]uint64{}
	for _, g := range report.Generators {
		given[g.Counter] = g.Given
	}
	require.Equal(t, map[string]uint64{"shop.order": 30, "shop.order#3": 1, "shop.__share__": 0}, given)
	for _, g := range report.Generators {
		if g.Counter != "shop.order" {
			continue
		}
		require.Equal(t, "chain", g.Mode)
		require.EqualValues(t, 100, g.Step)
		want := order.Stats()
		require.Equal(t, want.Current+want.Reserve, g.Current+g.Reserve)
		require.Equal(t, want.Fetches, g.Fetches)
	}
}

// Each field of Stats but the distributions gets through, also one that is added
// later.
func TestEveryFigureIsInTheReport(t *testing.T) {
	g := watch.Generator{Counter: "shop.order", Mode: "chain", Step: math.MaxInt64}
	n := 1
	fill(reflect.ValueOf(&g.Stats).Elem(), &n)
	g.Current = math.MaxUint64
	c := watch.Counter{Counter: "shop.invoice"}
	fill(reflect.ValueOf(&c).Elem().Field(1), &n)
	c.MaxID, c.Allocated, c.Last = math.MaxInt64, math.MaxUint64, time.Unix(1_800_000_000, 5).UTC()
	text, err := json.Marshal(watch.Report{Generators: []watch.Generator{g}, Counters: []watch.Counter{c}})
	require.NoError(t, err)
	report, err := watch.Read(strings.NewReader(string(text)))
	require.NoError(t, err)
	require.Equal(t, []watch.Generator{g}, report.Generators)
	require.Equal(t, []watch.Counter{c}, report.Counters)
}

// fill gives each field another value.
func fill(v reflect.Value, n *int) {
	*n++
	switch {
	case v.Type() == reflect.TypeFor[segment.Times]():
		// A report has means and quantiles of them.
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1_800_000_000+int64(*n), 0).UTC()))
	case v.Type() == reflect.TypeFor[time.Duration]():
		v.SetInt(int64(*n) * int64(time.Millisecond))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case v.CanFloat():
		v.SetFloat(float64(*n) + 0.5)
	case v.CanUint():
		v.SetUint(uint64(*n))
	default:
		v.SetInt(int64(*n))
	}
}

func TestStockThatNobodyUsesLastsForEver(t *testing.T) {
	text, err := json.Marshal(watch.Generator{Stats: segment.Stats{TimeToExhaustion: math.MaxInt64}})
	require.NoError(t, err)
	require.Contains(t, string(text), `"time_to_exhaustion":null`)
	require.NotContains(t, string(text), "backoff", "there is none")
	var g watch.Generator
	require.NoError(t, json.Unmarshal(text, &g))
	require.EqualValues(t, math.MaxInt64, g.TimeToExhaustion)
}

func TestHandlerRefusesOtherMethods(t *testing.T) {
	h := watch.NewHandler(newProvider(t).Generators)
	for method, want := range map[string]int{
		http.MethodGet: http.StatusOK, http.MethodHead: http.StatusOK,
		http.MethodPost: http.StatusMethodNotAllowed, http.MethodDelete: http.StatusMethodNotAllowed,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, watch.Path, nil))
		require.Equal(t, want, w.Code, method)
	}
}

func TestReadRefusesOtherAnswers(t *testing.T) {
	for text, message := range map[string]string{
		"":                    "unexpected end",
		"<html>":              "invalid character",
		"{}":                  "no generators in it",
		`{"generators":null}`: "no generators in it",
		`{"generators":[{"time_to_exhaustion":"soon"}]}`:           "no number of seconds",
		`{"generators":[{"step":"9223372036854775808"}]}`:          "step",
		`{"generators":[]}` + strings.Repeat(" ", watch.MaxReport): "more than",
	} {
		_, err := watch.Read(strings.NewReader(text))
		require.ErrorIs(t, err, watch.ErrReport, "%.60s", text)
		require.ErrorContains(t, err, message)
	}
	report, err := watch.Read(strings.NewReader(`{"generators":[{"counter":"a.b","new_figure":1,"time_to_exhaustion":1e300}],"more":2}`))
	require.NoError(t, err, "of a later release")
	require.EqualValues(t, math.MaxInt64, report.Generators[0].TimeToExhaustion)
}
