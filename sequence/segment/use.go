package segment

// Use records what the numbers of a name are used for, all its partitions
// included, unless that has been recorded, and answers what is recorded. Who
// makes ids of numbers finds out by it that others in the process make them
// differently, from the same counter.
//
// The provider doesn't look at use. The error is an *[UnknownNameError].
func (p *Provider) Use(name string, use any) (any, error) {
	if _, ok := p.options[name]; !ok {
		return nil, &UnknownNameError{Name: name, Known: p.Names()}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if recorded, ok := p.uses[name]; ok {
		return recorded, nil
	}
	p.uses[name] = use
	return use, nil
}
