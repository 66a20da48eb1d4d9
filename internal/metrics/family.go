package metrics

import "strings"

// Kind says how values of a family behave.
type Kind uint8

// The kinds of families.
const (
	Gauge     Kind = iota // goes up and down
	Counter               // only grows, from 0
	Histogram             // of durations
)

// Family is one metric: what is measured and how it is told apart.
type Family struct {
	Name   string // its parts have dots between them
	Unit   string // as in UCUM: "s", "{id}", "1"
	Kind   Kind
	Labels []string
	Help   string // a sentence without a full stop
}

// OpenTelemetry is the name in OpenTelemetry's style, as "stamp.fence.left".
func (f *Family) OpenTelemetry() string { return "stamp." + f.Name }

// Prometheus is the name in Prometheus' style, as "stamp_fence_left_seconds".
func (f *Family) Prometheus() string {
	name := "stamp_" + strings.ReplaceAll(f.Name, ".", "_")
	if f.Unit == "s" {
		name += "_seconds"
	}
	if f.Kind == Counter {
		name += "_total"
	}
	return name
}

// What is measured of a configuration.
var (
	Ready     = config("ready", "1", "Whether ids can be made now: 1 or 0")
	Left      = config("left", "s", "How long ids can be made for if nothing changes, until the fence's bound or the layout's end")
	Ahead     = config("ahead", "s", "How far the sequence that is furthest ahead is ahead of the clock")
	FenceHeld = fence("fence.held", "1", Gauge, "Whether this process owns the record of its fence or node lease: 1 or 0", "config", "space")
	FenceLeft = fence("fence.left", "s", Gauge, "How long the clock can go on below the bound of the fence or node lease", "config", "space")
)

// What is measured of a sequence id.
var (
	IDs       = sequences("ids", "{id}", Counter, "Ids claimed by the sequences of an id since it is in use")
	Sequences = sequences("sequences", "{sequence}", Gauge, "Sequences of an id, over its nodes and partitions")
	Unlisted  = &Family{Name: "sequences.unlisted", Unit: "{sequence}", Kind: Gauge, Help: "Sequence ids in use that have no series since there are too many"}
)

// What is counted by events.
var (
	Overflows     = sequences("overflows", "{overflow}", Counter, "Times that a sequence had used up and went on from before the clock did")
	AheadPassed   = &Family{Name: "ahead.passed", Unit: "{event}", Kind: Counter, Labels: []string{"sequence", "threshold"}, Help: "Times that a sequence came to be ahead of the clock by a threshold"}
	Duplicates    = sequences("duplicates", "{id}", Counter, "Ids that the database had already, as the program reported")
	ClockSteps    = &Family{Name: "clock.steps", Unit: "{step}", Kind: Counter, Labels: []string{"kind"}, Help: "Steps of the system clock: back, held, or followed"}
	ClockOffset   = &Family{Name: "clock.offset", Unit: "s", Kind: Gauge, Help: "What the system clock lacked when time servers were last asked"}
	ClockFailures = &Family{Name: "clock.offset.failures", Unit: "{measurement}", Kind: Counter, Help: "Times that the clock's offset could not be measured"}
	FenceRenewals = fence("fence.renewals", "{renewal}", Counter, "Times that the record of a fence or node lease was taken or renewed", "space")
	FenceFailures = fence("fence.failures", "{attempt}", Counter, "Attempts to take or renew the record of a fence or node lease that failed", "space")
	FencesLost    = fence("fence.lost", "{event}", Counter, "Times that the record of a fence or node lease was found to be another's", "space")
	FencesBehind  = fence("fence.behind", "{event}", Counter, "Starts at which the clock was behind the bound that was found", "space")
)

// What is measured of the generators of a provider's name, partitions added up.
var (
	SegmentIDs        = segments("ids", "{id}", Counter, "Numbers given out")
	SegmentCurrent    = segments("current.ids", "{id}", Gauge, "Numbers left in the current segments")
	SegmentReserve    = segments("reserve.ids", "{id}", Gauge, "Numbers in reserve behind the current segments")
	SegmentRate       = segments("rate", "{id}/s", Gauge, "Numbers given out a second, at present")
	SegmentPeakRate   = segments("peak.rate", "{id}/s", Gauge, "Numbers given out a second, at most so far")
	SegmentExhaustion = segments("exhaustion", "s", Gauge, "How long the numbers at hand last at the present rate")
	SegmentOutage     = segments("survivable.outage", "s", Gauge, "How long the numbers at hand last at the highest rate so far")
	SegmentFetches    = segments("fetches", "{fetch}", Counter, "Fetches from the store that were started")
	SegmentFailures   = segments("fetch.failures", "{fetch}", Counter, "Fetches from the store that failed")
	SegmentFetchTimes = segments("fetch.duration", "s", Histogram, "How long successful fetches took")
	SegmentWaitTimes  = segments("wait.duration", "s", Histogram, "How long calls waited that found no numbers")
	SegmentConflicts  = segments("conflicts", "{attempt}", Counter, "Attempts that the store made again since others were faster, for all that use it")
	SegmentWasted     = segments("wasted.ids", "{id}", Counter, "Numbers that will never be given out, by reason", "reason")
	SegmentHeldClosed = segments("closed.ids", "{id}", Gauge, "Numbers that closed generators hold")
	SegmentDistance   = segments("prefetch.distance", "{segment}", Gauge, "Segments that a chain keeps in reserve now")
	SegmentHunger     = segments("hunger", "{event}", Counter, "Times that callers found nothing left")
	SegmentRollbacks  = segments("rollbacks", "{event}", Counter, "Times that the store had lost counts")
	SegmentStopped    = segments("stopped", "1", Gauge, "Whether a generator has stopped after a rollback: 1 or 0")
	SegmentBackingOff = segments("backing.off", "1", Gauge, "Whether the next fetch waits after a failed one: 1 or 0")
	SegmentLeftBehind = segments("left.behind", "{call}", Gauge, "Calls of the store that have not returned although their time was over")
	SegmentAudited    = segments("audited", "1", Gauge, "Whether marks are kept outside the store: 1 or 0")
)

// Families is the whole list.
func Families() []*Family {
	return []*Family{
		Ready, Left, Ahead, FenceHeld, FenceLeft,
		IDs, Sequences, Unlisted,
		Overflows, AheadPassed, Duplicates, ClockSteps, ClockOffset, ClockFailures,
		FenceRenewals, FenceFailures, FencesLost, FencesBehind,
		SegmentIDs, SegmentCurrent, SegmentReserve, SegmentRate, SegmentPeakRate,
		SegmentExhaustion, SegmentOutage, SegmentFetches, SegmentFailures, SegmentFetchTimes, SegmentWaitTimes,
		SegmentConflicts, SegmentWasted, SegmentHeldClosed, SegmentDistance, SegmentHunger,
		SegmentRollbacks, SegmentStopped, SegmentBackingOff, SegmentLeftBehind, SegmentAudited,
	}
}

func config(name, unit, help string) *Family {
	return &Family{Name: name, Unit: unit, Kind: Gauge, Labels: []string{"config"}, Help: help}
}

func fence(name, unit string, kind Kind, help string, labels ...string) *Family {
	return &Family{Name: name, Unit: unit, Kind: kind, Labels: labels, Help: help}
}

func sequences(name, unit string, kind Kind, help string) *Family {
	return &Family{Name: name, Unit: unit, Kind: kind, Labels: []string{"sequence"}, Help: help}
}

func segments(name, unit string, kind Kind, help string, more ...string) *Family {
	labels := append([]string{"namespace", "generator"}, more...)
	return &Family{Name: "segment." + name, Unit: unit, Kind: kind, Labels: labels, Help: help}
}
