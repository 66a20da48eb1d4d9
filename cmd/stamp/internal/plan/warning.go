package plan

import (
	"fmt"
	mathbits "math/bits"
	"time"
)

const (
	// A twentieth of 69 years is three and a half.
	wastedShare = 1. / 20

	// What a node should be able to make in a second when nothing is known of
	// its load: an import of many rows easily comes to that.
	fewPerSecond = 10_000

	// Each costs the server files and memory. MySQL has a limit of 8,192.
	manyPartitions = 1024

	longUnit = time.Second
)

// Needs are what the ids are for. 0 and false mean that it isn't known.
type Needs struct {
	Rate       uint64  // ids per second of one node, at its peak
	Nodes      uint64  // processes at the same time
	Years      float64 // how long ids must go on at least
	JavaScript bool    // ids are numbers there
}

// Warning is something bad about a format. Name is short and fixed.
type Warning struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Warnings says what is bad about the format for these needs.
func (p Plan) Warnings(n Needs) []Warning {
	all := []Warning{}
	for _, check := range [...]struct {
		name string
		find func(Needs) string
	}{
		{"no-time", p.noTime},
		{"epoch-past", p.epochPast},
		{"epoch-future", p.epochFuture},
		{"end", p.endNear},
		{"unit", p.unitLong},
		{"rate", p.rateHigh},
		{"sequence", p.sequenceShort},
		{"one-node", p.oneNode},
		{"nodes-few", p.nodesFew},
		{"nodes-many", p.nodesMany},
		{"partitions", p.partitionsMany},
		{"javascript", p.javaScript},
	} {
		if text := check.find(n); text != "" {
			all = append(all, Warning{check.name, text})
		}
	}
	return all
}

func (p Plan) noTime(Needs) string {
	if p.Fields().Time {
		return ""
	}
	return "time has 0 bits: no clock can drive such ids, their numbers must be unique by themselves"
}

// epochPast leaves out ids that have ended, of which endNear says it all.
func (p Plan) epochPast(Needs) string {
	epoch := p.Format.Timescale.Epoch
	gone, whole := Years(epoch, p.Now), Years(epoch, p.End)
	if !p.Fields().Time || gone <= whole*wastedShare || p.YearsLeft <= 0 {
		return ""
	}
	return fmt.Sprintf("epoch %s was %s ago: ids made from now on give away that much of %s",
		p.Format.Stamp(epoch), Span(gone), Span(whole))
}

func (p Plan) epochFuture(Needs) string {
	epoch := p.Format.Timescale.Epoch
	if !p.Fields().Time || !epoch.After(p.Now) {
		return ""
	}
	return fmt.Sprintf("epoch %s is in %s: making ids fails until then", p.Format.Stamp(epoch), Span(Years(p.Now, epoch)))
}

func (p Plan) endNear(n Needs) string {
	end := p.Format.Stamp(p.End)
	switch {
	case !p.Fields().Time || p.YearsLeft >= n.Years && p.YearsLeft > 0:
		return ""
	case p.YearsLeft <= 0:
		return fmt.Sprintf("time with %d bits ended at %s, %s ago: making ids fails", p.Format.Layout.Time, end, Span(Years(p.End, p.Now)))
	}
	return fmt.Sprintf("time with %d bits ends at %s, in %s, and they should last for %s",
		p.Format.Layout.Time, end, Span(p.YearsLeft), Span(n.Years))
}

func (p Plan) unitLong(Needs) string {
	unit := p.Format.Timescale.Unit
	if !p.Fields().Time || unit <= longUnit {
		return ""
	}
	return fmt.Sprintf("unit is %v: ids of two nodes made within that don't sort by time", unit)
}

func (p Plan) rateHigh(n Needs) string {
	if !p.Fields().Time || float64(n.Rate) <= p.PerSecond.Node {
		return ""
	}
	perUnit := float64(n.Rate) * p.Format.Timescale.Unit.Seconds()
	return fmt.Sprintf("sequence has %d bits: %s ids per second and node, below the rate of %s; %d bits would do",
		p.Format.Layout.Sequence, Rate(p.PerSecond.Node), Count(n.Rate), enough(perUnit))
}

func (p Plan) sequenceShort(n Needs) string {
	if !p.Fields().Time || n.Rate > 0 || p.PerSecond.Node >= fewPerSecond {
		return ""
	}
	return fmt.Sprintf("sequence has %d bits: %s ids per second and node, below %s; is it enough for the highest peak?",
		p.Format.Layout.Sequence, Rate(p.PerSecond.Node), Count(fewPerSecond))
}

// oneNode leaves out ids without time, which have no need of nodes.
func (p Plan) oneNode(n Needs) string {
	if p.Fields().Node || !p.Fields().Time || n.Nodes > 0 {
		return ""
	}
	return "node has 0 bits: only one process at a time can make ids"
}

func (p Plan) nodesFew(n Needs) string {
	if n.Nodes <= p.Nodes || !p.Fields().Time {
		return ""
	}
	return fmt.Sprintf("node has %d bits: %s nodes, fewer than the %s that are needed; %d bits would do",
		p.Format.Layout.Node, Count(p.Nodes), Count(n.Nodes), nodeBits(n.Nodes))
}

// nodesMany allows for twice as many nodes.
func (p Plan) nodesMany(n Needs) string {
	if n.Nodes == 0 || p.Format.Layout.Node <= nodeBits(n.Nodes)+1 {
		return ""
	}
	return fmt.Sprintf("node has %d bits: %s nodes, and %s are needed; %d bits would do, and leave more to time or sequence",
		p.Format.Layout.Node, Count(p.Nodes), Count(n.Nodes), nodeBits(n.Nodes))
}

func (p Plan) partitionsMany(Needs) string {
	if p.Partitions <= manyPartitions {
		return ""
	}
	return fmt.Sprintf("partition has %d bits: %s partitions, above the %s that a table sensibly has; stamp ddl --group puts several into one",
		p.Format.Layout.Partition, Count(p.Partitions), Count(manyPartitions))
}

func (p Plan) javaScript(n Needs) string {
	if !n.JavaScript || p.JavaScript {
		return ""
	}
	return fmt.Sprintf("ids have %d bits: JavaScript rounds numbers above 53; take widths that add up to 53, or strings", p.Format.Layout.Width())
}

// nodeBits is the width that holds so many nodes, at least 1 of them.
func nodeBits(nodes uint64) int { return mathbits.Len64(nodes - 1) }

// enough is the width that holds so many ids per unit.
func enough(perUnit float64) (width int) {
	for width = 1; float64(uint64(1)<<width) < perUnit && width < 63; width++ {
	}
	return width
}
