package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// namespaceFlag is the part of a counter's name that its users have in common.
type namespaceFlag struct {
	Namespace string `group:"counter" default:"default" placeholder:"NAME" help:"Namespace of the counter, whose full name is {namespace}.{name}. Default: ${default}."`
}

func (f *namespaceFlag) key(name string) store.Key {
	return store.Key{Namespace: f.Namespace, Name: name}
}

// counterFlags say which counter numbers are from, and how.
type counterFlags struct {
	namespaceFlag
	Partition   *uint64   `group:"counter" placeholder:"NUMBER" help:"Use the counter of a partition, {name}#{number}."`
	Group       groupFlag `group:"counter" placeholder:"PERIOD" help:"Begin anew each year, month or day. Such numbers are printed with their group, as in 20260101-1; the counter is {name}@{group}."`
	GroupLayout string    `group:"counter" placeholder:"LAYOUT" help:"Name of a group, as Go writes dates. Default: 2006, 200601 or 20060102."`
	Zone        string    `group:"counter" placeholder:"NAME" help:"Time zone that groups begin in: Asia/Shanghai, Local. Default: UTC."`
	Offset      int64     `group:"counter" placeholder:"NUMBER" help:"Where the counter begins if it isn't there yet: the first number is one more. Default: 0."`
	Mode        modeFlag  `group:"counter" default:"sync" placeholder:"MODE" help:"When numbers are reserved: sync (when needed), double-buffer or chain (in the background). Default: ${default}."`
	Step        *int64    `group:"counter" placeholder:"NUMBER" help:"How many are reserved at once. Default: in mode sync what is asked for, in equal parts of up to 10,000; else 10."`
}

// maxStep is how many numbers are reserved at once unless told otherwise: what a
// crash can drop.
const maxStep = 10_000

// step is the flag's, or divides count into the fewest equal parts.
func (f *counterFlags) step(count int64) int64 {
	switch {
	case f.Step != nil:
		return *f.Step
	case segment.Mode(f.Mode) != segment.Sync:
		return segment.DefaultStep
	}
	parts := (count-1)/maxStep + 1
	return (count-1)/parts + 1
}

// options are those of a generator that is asked for count numbers.
func (f *counterFlags) options(count int64) (segment.Options, error) {
	var errs []error
	if f.Step != nil && *f.Step < 1 {
		errs = append(errs, fmt.Errorf("--step %d is below 1", *f.Step))
	}
	if f.Offset < 0 {
		errs = append(errs, fmt.Errorf("--offset %d is below 0", f.Offset))
	}
	if f.Group == 0 && (f.GroupLayout != "" || f.Zone != "") {
		errs = append(errs, errors.New("--group-layout and --zone need a --group"))
	}
	zone, err := time.LoadLocation(f.Zone)
	if err != nil {
		errs = append(errs, fmt.Errorf("--zone: %w", err))
	}
	if err := errors.Join(errs...); err != nil {
		return segment.Options{}, err
	}
	o := segment.Options{Mode: segment.Mode(f.Mode), Step: f.step(count), Offset: f.Offset}
	if f.Group != 0 {
		o.Group = segment.Group{Period: segment.Period(f.Group), Layout: f.GroupLayout, Zone: zone}
	}
	return o, nil
}

// generator makes the generator of a name. It asks nothing of the store.
func (f *counterFlags) generator(counters store.Counters, name string, o segment.Options) (*segment.Generator, error) {
	if f.Partition == nil {
		return segment.New(counters, f.key(name), o)
	}
	provider, err := segment.NewProvider(counters, segment.ProviderOptions{
		Namespace: f.Namespace, Generators: map[string]segment.Options{name: o},
	})
	if err != nil {
		return nil, err
	}
	return provider.Partition(name, *f.Partition)
}

type groupFlag segment.Period

// UnmarshalText reads the name of a period.
func (g *groupFlag) UnmarshalText(text []byte) error {
	for _, period := range []segment.Period{segment.Year, segment.Month, segment.Day} {
		if period.String() == string(text) {
			*g = groupFlag(period)
			return nil
		}
	}
	return fmt.Errorf("no period %q; there are year, month, day", text)
}

type modeFlag segment.Mode

// UnmarshalText reads the name of a mode.
func (m *modeFlag) UnmarshalText(text []byte) error {
	switch string(text) {
	case "sync":
		*m = modeFlag(segment.Sync)
	case "double-buffer":
		*m = modeFlag(segment.DoubleBuffer)
	case "chain":
		*m = modeFlag(segment.Chain)
	default:
		return fmt.Errorf("no mode %q; there are sync, double-buffer, chain", text)
	}
	return nil
}
