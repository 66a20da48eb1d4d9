package clockchaos

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stampid/go-stamp/bits"
)

// maxExamples is how many of each kind of fault are told with all about them. They
// are all counted.
const maxExamples = 20

// Verdict is what a check has found.
type Verdict struct {
	Logs     int
	IDs      int64 // that were made, each time counted
	Repeated int64 // how often an id of a sequence was made that had been before
	Falls    int64 // how often a goroutine was given an id that wasn't above its last of the sequence
	Outside  int64 // ids outside their layout, or with another node or partition
	Overlaps int64 // holders whose id times meet those of another one of the node
	// RepeatedIn is Repeated by sequence.
	RepeatedIn [sequences]int64
	// Holders had a node, in the order of their id times.
	Holders []Holder
	// The first of each.
	Duplicates []Duplicate
	Disorder   []Fall
	Astray     []Stray
	Meetings   []Meeting
}

// Duplicate is a run of ids of a sequence that were made twice.
type Duplicate struct {
	Sequence    int
	First, Last int64
	Made        [2]Making
}

// Making is one time that ids were made.
type Making struct {
	By     Source
	Holder uint16
	At     time.Time
}

// Fall is an id that isn't above the one that the same goroutine was given before.
type Fall struct {
	Making
	Sequence     int
	Before, Next int64
}

// Stray is an id outside its layout.
type Stray struct {
	Making
	Sequence int
	ID       int64
	Err      error
}

func (m Making) String() string {
	return fmt.Sprintf("%v, holder %d at %s", m.By, m.Holder, m.At.UTC().Format("15:04:05.000"))
}

func (d Duplicate) String() string {
	return fmt.Sprintf("%s: %d to %d were made twice:\n    by %v\n    by %v", sequenceName(d.Sequence), d.First, d.Last, d.Made[0], d.Made[1])
}

func (f Fall) String() string {
	return fmt.Sprintf("%s: %d after %d: %v", sequenceName(f.Sequence), f.Next, f.Before, f.Making)
}

func (s Stray) String() string {
	return fmt.Sprintf("%s: %d: %v: %v", sequenceName(s.Sequence), s.ID, s.Err, s.Making)
}

// span is one or more blocks without a gap between, with an index of their log.
type span struct {
	first, last int64
	log         int
	holder      uint16
	at          time.Time
}

// checker is a check under way.
type checker struct {
	Verdict
	logs    []Source
	spans   [sequences][]span
	holders map[holderKey]*Holder
}

// Check reads the logs of a folder. It is exact, and takes 64 bytes of memory for
// each block.
func Check(folder string) (Verdict, error) {
	logs, err := sources(folder)
	if err != nil {
		return Verdict{}, err
	}
	c := checker{Verdict: Verdict{Logs: len(logs)}, logs: logs, holders: map[holderKey]*Holder{}}
	var last [sequences]int64
	for i, s := range logs {
		if i == 0 || !s.isRestartOf(logs[i-1]) {
			last = [sequences]int64{}
		}
		err := readLog(folder, s, func(b Block) {
			if int(b.Sequence) >= sequences {
				c.stray(i, b, b.First, fmt.Errorf("there is no sequence %d", b.Sequence))
				return
			}
			c.IDs += b.Last - b.First + 1
			if b.First <= last[b.Sequence] {
				c.fall(i, b, last[b.Sequence])
			}
			last[b.Sequence] = b.Last
			c.place(i, b)
			c.add(i, b)
		})
		if err != nil {
			return c.Verdict, err
		}
	}
	c.compare()
	c.meet()
	return c.Verdict, nil
}

func (c *checker) making(log int, holder uint16, at time.Time) Making {
	return Making{c.logs[log], holder, at}
}

func (c *checker) fall(log int, b Block, before int64) {
	c.Falls++
	if len(c.Disorder) < maxExamples {
		c.Disorder = append(c.Disorder, Fall{c.making(log, b.Holder, b.At), int(b.Sequence), before, b.First})
	}
}

func (c *checker) stray(log int, b Block, id int64, err error) {
	c.Outside++
	if len(c.Astray) < maxExamples {
		c.Astray = append(c.Astray, Stray{c.making(log, b.Holder, b.At), int(b.Sequence), id, err})
	}
}

// place checks that a block is inside its layout, and notes its times. A block
// lies in its place if its ends do, and if they are of one unit.
func (c *checker) place(log int, b Block) {
	var ends [2]bits.Parts
	for i, id := range []int64{b.First, b.Last} {
		parts, err := layout().Unpack(id)
		switch s := c.logs[log]; {
		case err != nil:
		case parts.Node != s.Node:
			err = fmt.Errorf("its node is %d", parts.Node)
		case parts.Partition != partitionOf(int(b.Sequence)):
			err = fmt.Errorf("its partition is %d, not %d", parts.Partition, partitionOf(int(b.Sequence)))
		}
		if err != nil {
			c.stray(log, b, id, err)
			return
		}
		ends[i] = parts
	}
	if ends[0].Time != ends[1].Time {
		c.stray(log, b, b.Last, fmt.Errorf("it follows %d, of another time", b.First))
		return
	}
	c.note(c.logs[log], b, ends[0].Time)
}

// add keeps a block for comparing, together with the one that it goes on from.
func (c *checker) add(log int, b Block) {
	all := c.spans[b.Sequence]
	if n := len(all); n > 0 && all[n-1].log == log && all[n-1].holder == b.Holder && all[n-1].last+1 == b.First {
		all[n-1].last = b.Last
		return
	}
	c.spans[b.Sequence] = append(all, span{b.First, b.Last, log, b.Holder, b.At})
}

// compare finds the ids that were made twice. In the order of their first ids, what
// a span shares with all before it is what it shares with the one of them that goes
// furthest.
func (c *checker) compare() {
	for sequence := range c.spans {
		all := c.spans[sequence]
		slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.first, b.first) })
		for i, furthest := 1, 0; i < len(all); i++ {
			s, f := all[i], all[furthest]
			if s.first <= f.last {
				end := min(s.last, f.last)
				c.Repeated += end - s.first + 1
				c.RepeatedIn[sequence] += end - s.first + 1
				if len(c.Duplicates) < maxExamples {
					c.Duplicates = append(c.Duplicates, Duplicate{sequence, s.first, end, [2]Making{
						c.making(f.log, f.holder, f.at), c.making(s.log, s.holder, s.at),
					}})
				}
			}
			if s.last > f.last {
				furthest = i
			}
		}
	}
}

// lines are all examples, for people.
func (v Verdict) lines() string {
	var b strings.Builder
	for _, d := range v.Duplicates {
		fmt.Fprintf(&b, "\n%v", d)
	}
	for _, f := range v.Disorder {
		fmt.Fprintf(&b, "\n%v", f)
	}
	for _, s := range v.Astray {
		fmt.Fprintf(&b, "\n%v", s)
	}
	for _, m := range v.Meetings {
		fmt.Fprintf(&b, "\n%v", m)
	}
	return b.String()
}
