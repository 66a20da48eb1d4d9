package storetest

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/stampid/go-stamp/store"
)

// Op names a method of a store.
type Op string

// The methods of [store.Counters] and [store.Records].
const (
	OpCreate        Op = "create"
	OpAllocate      Op = "allocate"
	OpPeek          Op = "peek"
	OpRaise         Op = "raise"
	OpGet           Op = "get"
	OpCompareAndSet Op = "compare-and-set"
)

// Call is one call of a wrapped store.
type Call struct {
	Op  Op
	Key store.Key
	// Number counts the calls of Op since the plan was set, from 1.
	Number int
}

// Plan says what happens to each call. It is asked by many goroutines at once.
// A nil Plan lets all calls pass.
type Plan func(Call) Fault

// Script plans the first calls of op, in order. All others pass.
func Script(op Op, faults ...Fault) Plan {
	return func(c Call) Fault {
		if c.Op == op && c.Number <= len(faults) {
			return faults[c.Number-1]
		}
		return Fault{}
	}
}

// Chance is a fault and how likely it is, from 0 to 1.
type Chance struct {
	Fault Fault
	P     float64
}

// Random plans each call by chance: the first of chances has its probability,
// the next one its own, and so on; what they leave up to 1 passes. What happens
// to a call is decided by seed, operation and number alone, so a seed repeats a
// run whose calls come in the same order.
func Random(seed uint64, chances ...Chance) Plan {
	return func(c Call) Fault {
		x := rand.New(rand.NewPCG(seed, opNumber(c))).Float64()
		for _, chance := range chances {
			if x < chance.P {
				return chance.Fault
			}
			x -= chance.P
		}
		return Fault{}
	}
}

// FirstOf plans by the first of plans that doesn't let the call pass.
func FirstOf(plans ...Plan) Plan {
	return func(c Call) Fault {
		for _, plan := range plans {
			if plan == nil {
				continue
			}
			if f := plan(c); f.Kind != Pass {
				return f
			}
		}
		return Fault{}
	}
}

// opNumber makes one number of operation and number.
func opNumber(c Call) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.Op))
	return h.Sum64() + uint64(c.Number)
}
