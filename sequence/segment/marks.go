package segment

import "container/list"

// Marks of so many groups by function are kept. Groups by time need two.
const maxMarks = 1024

// marks holds the high-water mark per group: the largest number known to be
// reserved. The zero value is empty.
type marks struct {
	byGroup map[string]*list.Element
	recent  list.List // of *mark, the one used last in front
}

type mark struct {
	group string
	value int64
}

// get answers the mark of a group, and whether there is one.
func (m *marks) get(group string) (int64, bool) {
	e, ok := m.byGroup[group]
	if !ok {
		return 0, false
	}
	return e.Value.(*mark).value, true
}

// set raises the mark of a group. When there are too many it forgets the one
// that wasn't raised for the longest time, and answers which.
func (m *marks) set(group string, value int64) (forgotten string, at int64, ok bool) {
	if e, found := m.byGroup[group]; found {
		kept := e.Value.(*mark)
		kept.value = max(kept.value, value)
		m.recent.MoveToFront(e)
		return "", 0, false
	}
	if m.byGroup == nil {
		m.byGroup = map[string]*list.Element{}
	}
	m.byGroup[group] = m.recent.PushFront(&mark{group, value})
	if len(m.byGroup) <= maxMarks {
		return "", 0, false
	}
	oldest := m.recent.Remove(m.recent.Back()).(*mark)
	delete(m.byGroup, oldest.group)
	return oldest.group, oldest.value, true
}

// keep forgets all marks but that of a group.
func (m *marks) keep(group string) {
	value, ok := m.get(group)
	*m = marks{}
	if ok {
		m.set(group, value)
	}
}
