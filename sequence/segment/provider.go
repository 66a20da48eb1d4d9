package segment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/stampid/go-stamp/store"
)

// Share is the name of the generator that each provider has.
const Share = "__share__"

// ProviderOptions say which generators a provider has.
type ProviderOptions struct {
	// Namespace is what the names of all its counters begin with.
	Namespace string
	// Defaults are for the fields that are zero in a generator's own options.
	// Offset and Group are never taken from here: a generator has its own.
	Defaults Options
	// Share are the options of the generator Share.
	Share Options
	// Generators are the options of the others, by name.
	Generators map[string]Options
}

// Provider holds the generators of one namespace, one for each name and
// partition. It is safe for concurrent use.
type Provider struct {
	counters  store.Counters
	namespace string
	options   map[string]Options
	named     map[string]*Generator

	// partitions has the generators of each name's partitions, by number. They
	// are found without a lock, and put in under mu.
	partitions map[string]*sync.Map

	mu     sync.Mutex
	closed bool
	uses   map[string]any // by name
	// dropped is what the generators of partitions that were dropped had
	// counted, by name.
	dropped map[string]*Stats
}

// NewProvider makes a provider and its generators. Like [New], it asks nothing
// of the store, and reports every violation of all generators at once.
func NewProvider(counters store.Counters, o ProviderOptions) (*Provider, error) {
	p := &Provider{
		counters: counters, namespace: o.Namespace,
		options: map[string]Options{}, named: map[string]*Generator{}, partitions: map[string]*sync.Map{},
		uses: map[string]any{}, dropped: map[string]*Stats{},
	}
	var errs []error
	if _, ok := o.Generators[Share]; ok {
		errs = append(errs, fmt.Errorf("%w: generator %q has its options in Share", ErrOptions, Share))
	}
	p.options[Share] = o.Share.over(o.Defaults)
	for name, own := range o.Generators {
		if name != Share {
			p.options[name] = own.over(o.Defaults)
		}
	}
	for _, name := range p.Names() {
		g, err := New(counters, store.Key{Namespace: o.Namespace, Name: name}, p.options[name])
		if err != nil {
			errs = append(errs, fmt.Errorf("generator %q: %w", name, err))
			continue
		}
		p.named[name], p.partitions[name] = g, new(sync.Map)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return p, nil
}

// Namespace is what the names of all its counters begin with.
func (p *Provider) Namespace() string { return p.namespace }

// Names lists the generators in order.
func (p *Provider) Names() []string { return slices.Sorted(maps.Keys(p.options)) }

// Generator returns the generator of a name, whose counter is
// {namespace}.{name}. The error is an *[UnknownNameError].
func (p *Provider) Generator(name string) (*Generator, error) {
	if g := p.named[name]; g != nil {
		return g, nil
	}
	return nil, &UnknownNameError{Name: name, Known: p.Names()}
}

// Partition returns the generator of a name for one partition, whose counter
// is {namespace}.{name}#{number}. It is made at the first call, and kept until
// Drop. The error is an *[UnknownNameError].
func (p *Provider) Partition(name string, number uint64) (*Generator, error) {
	all := p.partitions[name]
	if all == nil {
		return nil, &UnknownNameError{Name: name, Known: p.Names()}
	}
	if g, ok := all.Load(number); ok {
		return g.(*Generator), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if g, ok := all.Load(number); ok {
		return g.(*Generator), nil
	}
	g := newGenerator(p.counters, store.Key{
		Namespace: p.namespace, Name: name + "#" + strconv.FormatUint(number, 10),
	}, p.options[name])
	g.closed = p.closed
	all.Store(number, g)
	return g, nil
}

// Drop closes the generator of a partition and forgets it, with its
// high-water mark and the numbers that it holds. What it has counted stays in
// [Provider.Stats].
func (p *Provider) Drop(name string, number uint64) {
	all := p.partitions[name]
	if all == nil {
		return
	}
	p.mu.Lock()
	g, ok := all.LoadAndDelete(number)
	if ok {
		p.fold(name, g.(*Generator))
	}
	p.mu.Unlock()
	if ok {
		_ = g.(*Generator).Close() // always nil
	}
}

// Warm fetches the first segments of all named generators, but those that are
// grouped by a function, and of the partitions that are in use. It reports all
// failures.
func (p *Provider) Warm(ctx context.Context) error {
	var errs []error
	for _, g := range p.Generators() {
		if g.options.Group.Func == nil {
			errs = append(errs, g.Warm(ctx))
		}
	}
	return errors.Join(errs...)
}

// Close closes all generators; see [Generator.Close].
func (p *Provider) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	var closing sync.WaitGroup
	for _, g := range p.Generators() {
		closing.Go(func() { _ = g.Close() }) // always nil
	}
	closing.Wait()
	return nil
}

// Generators lists the generators of the partitions that are in use, in no order,
// and after them the named ones in order.
func (p *Provider) Generators() []*Generator {
	var list []*Generator
	names := p.Names()
	for _, name := range names {
		if all := p.partitions[name]; all != nil {
			all.Range(func(_, g any) bool { list = append(list, g.(*Generator)); return true })
		}
	}
	for _, name := range names {
		list = append(list, p.named[name])
	}
	return list
}

// over fills in defaults.
func (o Options) over(d Options) Options {
	fill(&o.Mode, d.Mode)
	fill(&o.Step, d.Step)
	fill(&o.SafeDistance, d.SafeDistance)
	fill(&o.MaxPrefetchDistance, d.MaxPrefetchDistance)
	fill(&o.Threshold, d.Threshold)
	fill(&o.TTL, d.TTL)
	fill(&o.FetchTimeout, d.FetchTimeout)
	fill(&o.BackoffMin, d.BackoffMin)
	fill(&o.BackoffMax, d.BackoffMax)
	fill(&o.Timeout, d.Timeout)
	fill(&o.NoBackground, d.NoBackground)
	fill(&o.Audit, d.Audit)
	fill(&o.Clock, d.Clock)
	fill(&o.Listener, d.Listener)
	fill(&o.Telemetry, d.Telemetry)
	return o
}
