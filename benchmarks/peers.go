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
}

func (p peer) name() string { return p.library + ", " + p.setting + ": " + p.stampSetting }

// peers are measured at their best settings, next to the defaults where those
// differ. README.md says why each setting was chosen.
func peers() []peer {
	return append(integerPeers(), widePeers()...)
}

func integerPeers() []peer {
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
			"same layout, waits (MaxAhead 0)", stampWaiting(layout(like12)),
		},
		{
			bwmarrin, "github.com/bwmarrin/snowflake", "defaults: 12 bits of step, 10 of node",
			"63 bits", inOrder, "number", bwmarrin12,
			"same layout, default policy (runs ahead)", stampNext(layout(like12)),
		},
		{
			bwmarrin, "github.com/bwmarrin/snowflake", "22 bits of step, none of node",
			"63 bits", inOrder, "none", newBwmarrin("bwmarrin/snowflake, 22 bits", 0, 22),
			"same layout", stampNext(layout(stamp.Layout{Time: 41, Sequence: 22})),
		},
		{
			sonyflake, "github.com/sony/sonyflake/v2", "defaults: 8 bits of sequence per 10 ms",
			"63 bits", inOrder, "number", newSonyflake("sonyflake, 8 bits", 8, 16),
			"same layout, waits (MaxAhead 0)", stampWaiting(sony),
		},
		{
			sonyflake, "github.com/sony/sonyflake/v2", "30 bits of sequence, 1 of node",
			"63 bits", inOrder, "number", newSonyflake("sonyflake, 30 bits", 30, 1),
			"same layout", stampNext(fast),
		},
	}
}

func widePeers() []peer {
	const random = "none: random"
	one := stampNext(options())
	const defaults = "defaults"
	text := stampText()
	own := stampPerGoroutine()
	return []peer{
		{
			"rs/xid", "github.com/rs/xid", "has none to set",
			"96 bits", "by second, rising", "none: host and process",
			newXID(), defaults, one,
		},
		{
			"segmentio/ksuid", "github.com/segmentio/ksuid", "defaults",
			"160 bits", "by second", random, newKSUID(false), defaults, one,
		},
		{
			"segmentio/ksuid", "github.com/segmentio/ksuid", "FastRander",
			"160 bits", "by second", random, newKSUID(true), defaults, one,
		},
		{
			"oklog/ulid/v2", "github.com/oklog/ulid/v2", "Make: shared monotonic entropy",
			"128 bits", "rising", random, newULIDMake(), defaults, one,
		},
		{
			"oklog/ulid/v2", "github.com/oklog/ulid/v2", "monotonic entropy per goroutine",
			"128 bits", "rising per goroutine", random, newULIDOwn(),
			"a partition per goroutine", own,
		},
		{
			"google/uuid", "github.com/google/uuid", "NewV7",
			"128 bits", "rising", random, newGoogleUUID(false), defaults, one,
		},
		{
			"google/uuid", "github.com/google/uuid", "NewV7, EnableRandPool",
			"128 bits", "rising", random, newGoogleUUID(true), defaults, one,
		},
		{
			"gofrs/uuid/v5", "github.com/gofrs/uuid/v5", "NewV7",
			"128 bits", "rising", random, newGofrsUUID(), defaults, one,
		},
		{
			"gofrs/uuid/v5", "github.com/gofrs/uuid/v5", "NewV7, buffered Gen per goroutine",
			"128 bits", "rising per goroutine", random, newGofrsOwn(),
			"a partition per goroutine", own,
		},
		{
			"jetify typeid-go", "go.jetify.com/typeid", "New and String",
			"text, 30 bytes", "by millisecond", random, newTypeID(),
			"id and text with a prefix", text,
		},
	}
}
