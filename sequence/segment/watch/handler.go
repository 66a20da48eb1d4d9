package watch

import (
	"encoding/json"
	"net/http"

	"github.com/stampid/go-stamp/sequence/segment"
)

// NewHandler returns a handler that answers GET and HEAD on any path with the
// report of generators, which is called for each request by many goroutines at
// once: segment.Provider.Generators, or a function that lists others.
func NewHandler(generators func() []*segment.Generator) http.Handler {
	return Handler(func() Report { return Report{Generators: Generators(generators())} })
}

// Generators is how generators stand now.
func Generators(list []*segment.Generator) []Generator {
	stand := make([]Generator, len(list))
	for i, g := range list {
		o := g.Options()
		stand[i] = Generator{Counter: g.Key().String(), Mode: o.Mode.String(), Step: o.Step, Stats: g.Stats()}
	}
	return stand
}

// Handler answers with what report returns.
type Handler func() Report

// ServeHTTP answers one request.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "method is not GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	report := h()
	if report.Generators == nil {
		report.Generators = []Generator{}
	}
	body, err := json.Marshal(report)
	if err != nil { // a rate that is no number
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	_, _ = w.Write(append(body, '\n'))
}
