package bits

import "errors"

// Parts are the fields of an id. Time is in units since the epoch. A field
// that the layout doesn't have is 0; Has tells it from a field that is 0.
type Parts struct {
	Partition, Time, Node, Sequence uint64

	Has Fields
}

// Pack returns the id made of p, whose Has is ignored. It returns every
// violation joined: a [*ValueError] for each value above the largest of its
// field, a [*IDError] if all parts are 0, since there is no id 0. Both match
// [ErrOutOfRange]. A layout that Validate refuses gives its [ErrLayout].
func (l Layout) Pack(p Parts) (int64, error) {
	if !l.valid() {
		return 0, l.Validate()
	}
	if p.Partition > l.MaxPartition() || p.Time > l.MaxTime() ||
		p.Node > l.MaxNode() || p.Sequence > l.MaxSequence() {
		return 0, errors.Join(
			checkValue(fieldPartition, p.Partition, l.MaxPartition()),
			checkValue(fieldTime, p.Time, l.MaxTime()),
			checkValue(fieldNode, p.Node, l.MaxNode()),
			checkValue(fieldSequence, p.Sequence, l.MaxSequence()),
		)
	}
	id := l.pack(p.Partition, p.Time, p.Node, p.Sequence)
	if id == 0 {
		return 0, &IDError{ID: 0, Max: l.MaxID()}
	}
	return id, nil
}

// Unpack takes an id apart. A number that is no id of the layout gives a
// [*IDError], which matches [ErrOutOfRange]. A layout that Validate refuses
// gives its [ErrLayout].
func (l Layout) Unpack(id int64) (Parts, error) {
	if err := l.CheckID(id); err != nil {
		return Parts{}, err
	}
	rest := uint64(id)
	node, time := uint(l.Node), uint(l.Time)
	sequence := rest & l.MaxSequence()
	rest >>= uint(l.Sequence)
	return Parts{
		Partition: rest >> node >> time,
		Time:      rest >> node & l.MaxTime(),
		Node:      rest & l.MaxNode(),
		Sequence:  sequence,
		Has:       l.Fields(),
	}, nil
}

// CheckID returns nil if id is one that the layout can make, from 1 to MaxID;
// otherwise the error that Unpack would return.
func (l Layout) CheckID(id int64) error {
	width := l.Width()
	if width == 0 {
		return l.Validate()
	}
	if limit := int64(mask(width)); id <= 0 || id > limit {
		return &IDError{ID: id, Max: limit}
	}
	return nil
}

// pack needs a valid layout and values within their bounds.
func (l Layout) pack(partition, time, node, sequence uint64) int64 {
	id := partition
	id = id<<uint(l.Time) | time
	id = id<<uint(l.Node) | node
	id = id<<uint(l.Sequence) | sequence
	return int64(id)
}

func checkValue(field string, value, limit uint64) error {
	if value > limit {
		return &ValueError{Field: field, Value: value, Max: limit}
	}
	return nil
}
