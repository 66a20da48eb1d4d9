package metrics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/telemetry"
)

// DefaultMaxSequences is how many sequence ids have series of their own.
const DefaultMaxSequences = 1000

// Other stands for the sequence ids that have no series of their own.
const Other = "_other"

// ErrWatched says that what is to be watched is nil, or that its name isn't fit
// or is taken.
var ErrWatched = errors.New("metrics: not to be watched")

// Config is what is needed of a *stamp.Config.
type Config interface {
	Health(ctx context.Context) sequence.Health
	Registry() *sequence.Registry
}

// Sample is a value of a family, or the Times of a histogram.
type Sample struct {
	*Family
	Values []string // of the family's labels
	Value  float64
	Times  *segment.Times
}

// Collector measures what it watches. It is safe for concurrent use.
type Collector struct {
	max    int
	events events

	mu        sync.Mutex // not held while something is measured
	configs   []watched
	providers []*segment.Provider

	listing sync.Mutex
	listed  map[string]struct{} // sequence ids that have series
}

type watched struct {
	name   string
	config Config
}

// NewCollector makes a collector with series for so many sequence ids at most;
// 0: DefaultMaxSequences.
func NewCollector(maxSequences int) *Collector {
	if maxSequences <= 0 {
		maxSequences = DefaultMaxSequences
	}
	c := &Collector{max: maxSequences, listed: map[string]struct{}{}}
	c.events.max = maxSequences
	c.events.listen()
	return c
}

// Listener counts the events that it is given.
func (c *Collector) Listener() *telemetry.Listener { return &c.events.listener }

// Watch measures a configuration, and all sequences of its registry, under a
// name of its own. The error matches [ErrWatched].
func (c *Collector) Watch(name string, config Config) error {
	if v := reflect.ValueOf(config); name == "" || !utf8.ValidString(name) || !v.IsValid() || v.IsNil() {
		return fmt.Errorf("%w: configuration %q is nil, or its name is empty or no UTF-8", ErrWatched, name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.configs, func(w watched) bool { return w.name == name }) {
		return fmt.Errorf("%w: configuration %q: the name is taken", ErrWatched, name)
	}
	c.configs = append(c.configs, watched{name, config})
	return nil
}

// WatchProvider measures all generators of a provider, whose namespace is like
// that of no other. The error matches [ErrWatched].
func (c *Collector) WatchProvider(p *segment.Provider) error {
	if p == nil {
		return fmt.Errorf("%w: the provider is nil", ErrWatched)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	same := func(o *segment.Provider) bool { return o.Namespace() == p.Namespace() }
	if slices.ContainsFunc(c.providers, same) {
		return fmt.Errorf("%w: provider %q: the namespace is taken", ErrWatched, p.Namespace())
	}
	c.providers = append(c.providers, p)
	return nil
}

// Collect measures, and calls emit for each value, each with labels of its own.
// It asks node sources, within ctx, and waits for nothing else.
func (c *Collector) Collect(ctx context.Context, emit func(Sample)) {
	c.mu.Lock()
	configs, providers := slices.Clone(c.configs), slices.Clone(c.providers)
	c.mu.Unlock()

	value := func(f *Family, v float64, labels ...string) { emit(Sample{Family: f, Values: labels, Value: v}) }
	var registries []*sequence.Registry
	for _, w := range configs {
		c.health(value, w.name, w.config.Health(ctx))
		if r := w.config.Registry(); r != nil && !slices.Contains(registries, r) {
			registries = append(registries, r)
		}
	}
	c.sequences(value, registries)
	for _, p := range providers {
		for _, name := range p.Names() {
			if provider(emit, p, name) {
				c.events.add(Duplicates, 0, c.max, p.Namespace()+"."+name)
			}
		}
	}
	c.events.collect(value)
}

type emitter = func(f *Family, v float64, labels ...string)

func (c *Collector) health(value emitter, name string, h sequence.Health) {
	value(Ready, flag(h.Err == nil), name)
	value(Left, seconds(h.Left), name)
	value(Ahead, h.Ahead.Seconds(), name)
	if f := h.Fence; f != nil {
		space := valid(f.Space)
		value(FenceHeld, flag(f.Held), name, space)
		value(FenceLeft, seconds(h.Left), name, space)
		c.events.beginFence(space)
	}
}

// sequences lists the ids of all registries; ids of the same name are added up.
// An id that has a series keeps it while it is in use, so that a new one that
// comes before it in order doesn't push it out.
func (c *Collector) sequences(value emitter, registries []*sequence.Registry) {
	used := map[string]sequence.Usage{}
	for _, r := range registries {
		for _, u := range r.Usage() {
			id := valid(u.SequenceID)
			sum := used[id]
			sum.Sequences += u.Sequences
			sum.Claimed += u.Claimed
			used[id] = sum
		}
	}
	c.listing.Lock()
	defer c.listing.Unlock()
	for id := range c.listed {
		if _, ok := used[id]; !ok {
			delete(c.listed, id)
			c.events.forget(id)
		}
	}
	unlisted := 0
	for id, u := range used {
		if _, ok := c.listed[id]; !ok {
			if len(c.listed) == c.max {
				unlisted++
				continue
			}
			c.listed[id] = struct{}{}
		}
		c.events.begin(id)
		value(IDs, float64(u.Claimed), id)
		value(Sequences, float64(u.Sequences), id)
	}
	value(Unlisted, float64(unlisted))
}

// valid makes a label of a name that may hold any bytes.
func valid(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// seconds is +Inf for the longest duration.
func seconds(d time.Duration) float64 {
	if d == math.MaxInt64 {
		return math.Inf(1)
	}
	return d.Seconds()
}
