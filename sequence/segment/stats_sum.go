package segment

// Stats adds up those of a name's generators: its own, those of its partitions,
// and what those counted that were dropped since. What can't be added is the
// worst of them: the distance, Conflicts, which a store counts for all, and
// Backoff. TimeToExhaustion and SurvivableOutage are those of the generator that
// runs dry first. PeakRate is the sum of all peaks, which may have been at
// different times. For a name that there isn't it is an *[UnknownNameError].
func (p *Provider) Stats(name string) (Stats, error) {
	g, err := p.Generator(name)
	if err != nil {
		return Stats{}, err
	}
	// Under the lock a generator is either among the partitions or dropped.
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := g.Stats()
	p.partitions[name].Range(func(_, partition any) bool {
		sum.add(partition.(*Generator).Stats())
		return true
	})
	if dropped := p.dropped[name]; dropped != nil {
		sum.addCounts(dropped)
	}
	return sum, nil
}

// add adds the generator of another counter.
func (s *Stats) add(o Stats) {
	s.Current += o.Current
	s.Reserve += o.Reserve
	s.Rate += o.Rate
	s.PeakRate += o.PeakRate
	s.TimeToExhaustion = min(s.TimeToExhaustion, o.TimeToExhaustion)
	s.SurvivableOutage = min(s.SurvivableOutage, o.SurvivableOutage)
	s.LeftBehind += o.LeftBehind
	s.Conflicts = max(s.Conflicts, o.Conflicts)
	s.PrefetchDistance = max(s.PrefetchDistance, o.PrefetchDistance)
	if o.Backoff.After(s.Backoff) {
		s.Backoff = o.Backoff
	}
	s.Wasted.Close += o.Wasted.Close
	s.addCounts(&o)
}

// addCounts adds what only grows.
func (s *Stats) addCounts(o *Stats) {
	s.Given += o.Given
	s.Fetches += o.Fetches
	s.FetchFailures += o.FetchFailures
	s.FetchTimes.plus(&o.FetchTimes)
	s.WaitTimes.plus(&o.WaitTimes)
	s.FetchMean, s.FetchP99 = s.FetchTimes.Mean(), s.FetchTimes.Quantile(0.99)
	s.Waits, s.WaitP99 = s.WaitTimes.Count(), s.WaitTimes.Quantile(0.99)
	s.Wasted.TTL += o.Wasted.TTL
	s.Wasted.Group += o.Wasted.Group
	s.Wasted.Unknown += o.Wasted.Unknown
	s.Wasted.Rollback += o.Wasted.Rollback
	s.Hunger += o.Hunger
	s.Rollbacks += o.Rollbacks
}

// fold keeps what a generator that is dropped has counted until then. The lock
// is held.
func (p *Provider) fold(name string, g *Generator) {
	sum := p.dropped[name]
	if sum == nil {
		sum = new(Stats)
		p.dropped[name] = sum
	}
	s := g.Stats()
	sum.addCounts(&s)
}
