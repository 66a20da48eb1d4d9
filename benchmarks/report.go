package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Report is everything that a run found.
type Report struct {
	Environment Environment  `json:"environment"`
	Floors      []Row        `json:"floors,omitempty"`  // against the atomic add
	Targets     []Row        `json:"targets,omitempty"` // go-stamp against floors
	Peers       []Peer       `json:"peers,omitempty"`
	Codecs      []Row        `json:"codecs,omitempty"` // other libraries against go-stamp
	Tails       []Tail       `json:"tails,omitempty"`
	Allocations []Allocation `json:"allocations,omitempty"`
	Memory      *Memory      `json:"memory,omitempty"`
	Growth      *Growth      `json:"growth,omitempty"`
}

// Row is a pair. Times are nanoseconds of wall time per thing done, over all
// goroutines.
type Row struct {
	Name       string  `json:"name"`
	Goroutines int     `json:"goroutines"`
	Subject    string  `json:"subject"`
	Floor      string  `json:"floor"`
	NS         Spread  `json:"ns"`
	FloorNS    Spread  `json:"floor_ns"`
	Ratio      Spread  `json:"ratio"`              // subject to floor, within a round
	AtMost     float64 `json:"at_most,omitempty"`  // target of the ratio
	AtLeast    float64 `json:"at_least,omitempty"` // target of the ratio
	Pass       bool    `json:"pass"`               // of a row with a target
	Dropped    int     `json:"dropped_rounds"`     // its goroutines didn't run at once
}

// measured tells whether half of the rounds count, so that there can be a
// verdict.
func (r Row) measured() bool { return r.Ratio.Count > 0 && r.Ratio.Count >= r.Dropped }

// Peer is another library with a setting. Its rows have the library as subject
// and go-stamp as floor.
type Peer struct {
	Library      string `json:"library"`
	Version      string `json:"version"`
	Setting      string `json:"setting"`
	Gives        string `json:"gives"`
	Sorted       string `json:"sorted"`
	Node         string `json:"node"`
	StampSetting string `json:"stamp_setting"`
	Portable     bool   `json:"portable"` // go-stamp's clock
	Levels       []Row  `json:"levels"`
}

// Memory is the heap that live sequences hold.
type Memory struct {
	Sequences int     `json:"sequences"`
	Bytes     float64 `json:"bytes_each"`
	Limit     float64 `json:"limit"`
	Pass      bool    `json:"pass"`
}

// Growth is what a new sequence id costs when many are made one by one.
type Growth struct {
	Sequences []int     `json:"sequences"`
	NS        []float64 `json:"ns_each"`
	Ratio     float64   `json:"ratio"` // last to first
	Limit     float64   `json:"limit"`
	Pass      bool      `json:"pass"`
}

// Environment is where and how a run took place.
type Environment struct {
	Command    string `json:"command"`
	Go         string `json:"go"`
	Platform   string `json:"platform"`
	Processor  string `json:"processor"`
	Processors int    `json:"processors"` // of the machine
	Procs      int    `json:"procs"`      // used
	Clock      string `json:"clock"`      // go-stamp's strategy, at the end
	Rounds     int    `json:"rounds"`
	LoadBefore string `json:"load_before"` // average over 1, 5 and 15 minutes
	LoadAfter  string `json:"load_after"`
}

func environment(rounds int) Environment {
	return Environment{
		Command: strings.Join(append([]string{"go run ."}, os.Args[1:]...), " "),
		Go:      runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Processor: processor(), Processors: runtime.NumCPU(), Procs: runtime.GOMAXPROCS(0),
		Rounds: rounds, LoadBefore: load(),
	}
}

const unknown = "unknown"

// load is the system's load average, where it tells.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return unknown
	}
	fields := strings.Fields(string(data))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}

// version is a module's, as it was built in.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	for _, m := range info.Deps {
		if m.Path == module {
			return m.Version
		}
	}
	return unknown
}
