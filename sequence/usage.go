package sequence

import (
	"cmp"
	"slices"
)

// Usage is what the sequences of one id have done since the first of them was
// made.
type Usage struct {
	SequenceID string
	// Sequences is how many there are, over all nodes and partitions.
	Sequences int
	// Claimed is how many ids they have claimed. Claims that met a limit when
	// they were made are counted, although nobody has those ids: at most one
	// for each call that was under way when the limit was reached, and what a
	// lapse of the fence cuts off a batch.
	Claimed uint64
}

// Usage tells what the ids in use have done, in their order. It locks nothing
// and takes time for each sequence. Those that are made or dropped meanwhile
// may be left out.
func (r *Registry) Usage() []Usage {
	var list []Usage
	r.entries.each(func(e *entry) {
		u := Usage{SequenceID: e.first.id}
		add := func(s *Sequence) {
			u.Sequences++
			u.Claimed += s.claimed()
		}
		add(e.first)
		e.more.each(add)
		list = append(list, u)
	})
	slices.SortFunc(list, func(a, b Usage) int { return cmp.Compare(a.SequenceID, b.SequenceID) })
	return list
}

// skip notes that n words are passed over. The fast path claims word after
// word, so words are passed over by a swap only, which is where they are
// counted: what was claimed is all the others.
//
// They are noted before the word is moved beyond them, and taken back if that
// fails. So who reads the word first never finds too few.
func (s *Sequence) skip(n uint64) {
	if n != 0 {
		s.skipped.Add(n)
	}
}

// claimed is how many words were claimed. While a swap is under way the words
// that it passes over may lack, and the count of the last time has to do.
func (s *Sequence) claimed() uint64 {
	if word, skipped := s.word.Load(), s.skipped.Load(); word < closed && skipped <= word {
		raise(&s.counted, word-skipped)
	}
	return s.counted.Load()
}
