package segment

// TryNext returns the next number if there is one at hand, and else 0, which is
// no number: then [Generator.Next] does the rest, or says why not. It is the
// hot path of Next, which it spares the context and the error, for those who
// make a context only when there is something to wait for. A generator with
// groups always answers 0.
func (g *Generator) TryNext() int64 {
	s := g.current.Load()
	if !g.plain && (g.grouped || !g.fresh(s)) {
		return 0
	}
	index := s.word.Add(1) - 1
	if index < s.low.Load() {
		return s.first + int64(index)
	}
	return g.tryAtLow(s, index)
}

// tryAtLow ends a TryNext that claimed an index at or above s.low.
func (g *Generator) tryAtLow(s *segment, index uint64) int64 {
	if index < s.size {
		g.runsLow(s)
		return s.first + int64(index)
	}
	return 0
}

// TryNextGrouped is to [Generator.NextGrouped] what TryNext is to Next: without
// a number at hand, and always when groups are those of a function, it answers
// the zero Grouped.
func (g *Generator) TryNextGrouped() Grouped {
	s := g.current.Load()
	if g.options.Group.Func != nil || !g.fresh(s) {
		return Grouped{}
	}
	index := s.word.Add(1) - 1
	if index >= s.low.Load() {
		if index >= s.size {
			return Grouped{}
		}
		g.runsLow(s)
	}
	return Grouped{Value: s.first + int64(index), Group: s.group.name, Day: s.group.day}
}
