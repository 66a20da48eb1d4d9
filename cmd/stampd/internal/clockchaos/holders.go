package clockchaos

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Holder is a fence in a process, and which ids were made under it.
type Holder struct {
	Node         uint64
	Process, Run int
	Number       uint16 // in its process
	IDs          int64
	First, Last  uint64    // id times, in units since the epoch
	Begun, Ended time.Time // when the first and the last were noted
}

type holderKey struct {
	node         uint64
	process, run int
	number       uint16
}

func (h Holder) String() string {
	return fmt.Sprintf("node %d, process %d, start %d, holder %d: %d ids with times from %d to %d, made from %s to %s",
		h.Node, h.Process, h.Run, h.Number, h.IDs, h.First, h.Last,
		h.Begun.UTC().Format("15:04:05.000"), h.Ended.UTC().Format("15:04:05.000"))
}

// Meeting is two holders of one node with id times in common, or one between those
// of the other.
type Meeting [2]Holder

func (m Meeting) String() string {
	return fmt.Sprintf("two holders met:\n    %v\n    %v", m[0], m[1])
}

// note counts a block for its holder.
func (c *checker) note(s Source, b Block, unit uint64) {
	key := holderKey{s.Node, s.Process, s.Run, b.Holder}
	h := c.holders[key]
	if h == nil {
		h = &Holder{Node: s.Node, Process: s.Process, Run: s.Run, Number: b.Holder, First: unit, Last: unit, Begun: b.At, Ended: b.At}
		c.holders[key] = h
	}
	h.IDs += b.Last - b.First + 1
	h.First, h.Last = min(h.First, unit), max(h.Last, unit)
	if b.At.Before(h.Begun) {
		h.Begun = b.At
	}
	if b.At.After(h.Ended) {
		h.Ended = b.At
	}
}

// meet compares the id times of each node's holders.
func (c *checker) meet() {
	for _, h := range c.holders {
		c.Holders = append(c.Holders, *h)
	}
	slices.SortFunc(c.Holders, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.First, b.First), cmp.Compare(a.Process, b.Process),
			cmp.Compare(a.Run, b.Run), cmp.Compare(a.Number, b.Number))
	})
	for i, furthest := 1, 0; i < len(c.Holders); i++ {
		h, f := c.Holders[i], c.Holders[furthest]
		if h.Node == f.Node && h.First <= f.Last {
			c.Overlaps++
			if len(c.Meetings) < maxExamples {
				c.Meetings = append(c.Meetings, Meeting{f, h})
			}
		}
		if h.Node != f.Node || h.Last > f.Last {
			furthest = i
		}
	}
}

// NodeTally is what holders did with one node.
type NodeTally struct {
	Holders int
	// FromLiving is how many had the node from one that made ids after they had
	// begun to: it lived, and didn't know.
	FromLiving int
	IDs        int64
	Last       uint64 // the latest id time
}

// Nodes adds up the holders of each node.
func (v Verdict) Nodes() map[uint64]NodeTally {
	nodes := map[uint64]NodeTally{}
	for i, h := range v.Holders {
		n := nodes[h.Node]
		n.Holders++
		n.IDs += h.IDs
		n.Last = max(n.Last, h.Last)
		if i > 0 && v.Holders[i-1].Node == h.Node && v.Holders[i-1].Ended.After(h.Begun) {
			n.FromLiving++
		}
		nodes[h.Node] = n
	}
	return nodes
}
