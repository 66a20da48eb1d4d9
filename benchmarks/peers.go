package main

import "github.com/stampid/go-stamp/stamp"

// peer is another library with a setting, and go-stamp with the setting that
// comes closest.
type peer struct {
	library, module string
	setting         string
	gives           string // what an id is
	sorted          string // in which order ids are made
	node            string // what keeps processes apart
	subject         *subject
	stampSetting    string
	stamp           *subject
	goal
}

// goal is what a peer is compared for.
type goal struct {
	// atLeast is how much faster go-stamp is to be; 0 for two that wait for
	// the clock, and can't make more ids than it lets them.
	atLeast  float64
	portable bool // go-stamp's clock
}

func (p peer) name() string { return p.library + ", " + p.setting + ": " + p.stampSetting }

func (p peer) section() string {
	if p.portable {
		return "portable"
	}
	return "peers"
}

// peers are measured at their best settings, next to the defaults where those
// differ. README.md says why each setting was chosen.
func peers() []peer {
	var all []peer
	for _, isPortable := range []bool{false, true} {
		strategy, atLeast := func(o stamp.Options) stamp.Options { return o }, 2.0
		if isPortable {
			strategy, atLeast = portable, 1
		}
		for _, p := range append(integerPeers(strategy), widePeers(strategy)...) {
			if p.atLeast, p.portable = atLeast, isPortable; p.stamp.quota > 0 {
				if isPortable {
					continue // as on the other clock
				}
				p.atLeast = 0
			}
			all = append(all, p)
		}
	}
	return all
}

func integerPeers(strategy func(stamp.Options) stamp.Options) []peer {
	const (
		bwmarrin  = "bwmarrin/snowflake"
		sonyflake = "sony/sonyflake/v2"
		inOrder   = "rising"
	)
	like12 := stamp.Layout{Time: 41, Node: 10, Sequence: 12}
	sony := layout(stamp.Layout{Time: 39, Node: 16, Sequence: 8})
	sony.Unit = sonyUnit
	sony.Epoch = recent()
	fast := layout(stamp.Layout{Time: 32, Node: 1, Sequence: 30})
	fast.Unit = sonyUnit
	fast.Epoch = recent()

	bwmarrin12 := newBwmarrin("bwmarrin/snowflake, 12 bits", 10, 12)
	bwmarrin12.quota = 1 << 12
	return []peer{
		{
			bwmarrin, "github.com/bwmarrin/snowflake", "defaults: 12 bits of step, 10 of node",
			"63 bits", inOrder, "number", bwmarrin12,
			"same layout, waits (MaxAhead 0)", stampWaiting(strategy(layout(like12))),
			goal{},
		},
		{
			bwmarrin, "github.com/bwmarrin/snowflake", "defaults: 12 bits of step, 10 of node",
			"63 bits", inOrder, "number", bwmarrin12,
			"same layout, default policy (runs ahead)", stampNext(strategy(layout(like12))),
			goal{},
		},
		{
			bwmarrin, "github.com/bwmarrin/snowflake", "22 bits of step, none of node",
			"63 bits", inOrder, "none", newBwmarrin("bwmarrin/snowflake, 22 bits", 0, 22),
			"same layout", stampNext(strategy(layout(stamp.Layout{Time: 41, Sequence: 22}))),
			goal{},
		},
		{
			sonyflake, "github.com/sony/sonyflake/v2", "defaults: 8 bits of sequence per 10 ms",
			"63 bits", inOrder, "number", newSonyflake("sonyflake, 8 bits", 8, 16),
			"same layout, waits (MaxAhead 0)", stampWaiting(strategy(sony)),
			goal{},
		},
		{
			sonyflake, "github.com/sony/sonyflake/v2", "30 bits of sequence, 1 of node",
			"63 bits", inOrder, "number", newSonyflake("sonyflake, 30 bits", 30, 1),
			"same layout", stampNext(strategy(fast)),
			goal{},
		},
	}
}

func widePeers(strategy func(stamp.Options) stamp.Options) []peer {
	const random = "none: random"
	one := stampNext(strategy(options()))
	const defaults = "defaults"
	text := stampText(strategy(options()))
	own := stampPerGoroutine(strategy)
	return []peer{
		{
			"rs/xid", "github.com/rs/xid", "has none to set",
			"96 bits", "by second, rising", "none: host and process",
			newXID(), defaults, one,
			goal{},
		},
		{
			"segmentio/ksuid", "github.com/segmentio/ksuid", "defaults",
			"160 bits", "by second", random, newKSUID(false), defaults, one,
			goal{},
		},
		{
			"segmentio/ksuid", "github.com/segmentio/ksuid", "FastRander",
			"160 bits", "by second", random, newKSUID(true), defaults, one,
			goal{},
		},
		{
			"oklog/ulid/v2", "github.com/oklog/ulid/v2", "Make: shared monotonic entropy",
			"128 bits", "rising", random, newULIDMake(), defaults, one,
			goal{},
		},
		{
			"oklog/ulid/v2", "github.com/oklog/ulid/v2", "monotonic entropy per goroutine",
			"128 bits", "rising per goroutine", random, newULIDOwn(),
			"a partition per goroutine", own,
			goal{},
		},
		{
			"google/uuid", "github.com/google/uuid", "NewV7",
			"128 bits", "rising", random, newGoogleUUID(false), defaults, one,
			goal{},
		},
		{
			"google/uuid", "github.com/google/uuid", "NewV7, EnableRandPool",
			"128 bits", "rising", random, newGoogleUUID(true), defaults, one,
			goal{},
		},
		{
			"gofrs/uuid/v5", "github.com/gofrs/uuid/v5", "NewV7",
			"128 bits", "rising", random, newGofrsUUID(), defaults, one,
			goal{},
		},
		{
			"gofrs/uuid/v5", "github.com/gofrs/uuid/v5", "NewV7, buffered Gen per goroutine",
			"128 bits", "rising per goroutine", random, newGofrsOwn(),
			"a partition per goroutine", own,
			goal{},
		},
		{
			"jetify typeid-go", "go.jetify.com/typeid", "New and String",
			"text, 30 bytes", "by millisecond", random, newTypeID(),
			"id and text with a prefix", text,
			goal{},
		},
	}
}
