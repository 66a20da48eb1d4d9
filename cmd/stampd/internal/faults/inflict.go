package faults

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// Workers are processes; a [fleet.Fleet] of any kind.
type Workers interface {
	Start(worker int) error
	StartAll() error
	Kill(worker int)
	KillAll()
	End(worker int)
	Freeze(worker int) error
	Thaw(worker int) error
}

// Clock is a worker's.
type Clock interface {
	// Set makes it run, by so much against the true time.
	Set(by time.Duration) error
	// Freeze makes it stand still, and Thaw go on by as much as before.
	Freeze() error
	Thaw() error
}

// Disk is that of a store's folder. What a method did ends with release.
type Disk interface {
	Fill() (release func() error, err error)
	Lock(ctx context.Context) (release func() error, err error)
}

// ErrMissed says that a fault couldn't be done at this moment. It isn't counted.
var ErrMissed = errors.New("missed")

// Victims are what faults are done to. Fields are needed as far as the schedule
// has something for them.
type Victims struct {
	Workers Workers
	Server  *servers.Server
	Relay   *relay.Relay // nil without a server
	Clocks  []Clock      // of the workers
	Disk    Disk
	UseCopy func(context.Context) error

	mu   sync.Mutex
	done map[Action]int
	errs []error
}

// Done counts what was done so far.
func (v *Victims) Done() map[Action]int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.done)
}

// Inflict carries out a schedule, and returns when it is over or ctx has ended.
// Everything runs again then.
func (v *Victims) Inflict(ctx context.Context, schedule []Event) error {
	var onWorkers, onStore []Event
	for _, e := range schedule {
		if e.Action.OnWorkers() {
			onWorkers = append(onWorkers, e)
		} else {
			onStore = append(onStore, e)
		}
	}
	begun := time.Now()
	var lines sync.WaitGroup
	for _, events := range [][]Event{onWorkers, onStore} {
		lines.Go(func() {
			for _, e := range events {
				fleet.Pause(ctx, time.Until(begun.Add(e.At)))
				if ctx.Err() != nil {
					return
				}
				v.note(e.Action, v.do(ctx, e))
			}
		})
	}
	lines.Wait()
	// An interrupt mustn't leave anything down.
	whole := context.WithoutCancel(ctx)
	return errors.Join(append(v.errs, v.Server.Start(whole), v.Workers.StartAll())...)
}

func (v *Victims) note(a Action, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if errors.Is(err, ErrMissed) {
		return
	}
	if v.done == nil {
		v.done = map[Action]int{}
	}
	v.done[a]++
	if err != nil {
		v.errs = append(v.errs, fmt.Errorf("%v: %w", a, err))
	}
}

// do carries out one event, and returns when it is over.
func (v *Victims) do(ctx context.Context, e Event) error {
	whole := context.WithoutCancel(ctx)
	switch e.Action {
	case KillWorker:
		v.Workers.Kill(e.Worker)
		return v.startAnew(ctx, e)
	case EndWorker:
		v.Workers.End(e.Worker)
		return v.startAnew(ctx, e)
	case KillWorkers:
		v.Workers.KillAll()
		return v.Workers.StartAll()
	case FreezeWorker:
		err := v.Workers.Freeze(e.Worker)
		fleet.Pause(ctx, e.For)
		return errors.Join(err, v.setClock(e), v.Workers.Thaw(e.Worker))
	case SetClock:
		return v.Clocks[e.Worker].Set(e.By)
	case FreezeClock:
		err := v.Clocks[e.Worker].Freeze()
		fleet.Pause(ctx, e.For)
		return errors.Join(err, v.Clocks[e.Worker].Thaw())
	case KillServer:
		v.Server.Kill()
		fleet.Pause(ctx, e.For)
		return v.Server.Start(whole)
	case FreezeServer:
		err := v.Server.Freeze()
		fleet.Pause(ctx, e.For)
		return errors.Join(err, v.Server.Thaw())
	case Hold:
		return during(ctx, e.For, func() (func() error, error) { return v.Server.Hold(whole) })
	case FillDisk:
		return during(ctx, e.For, v.Disk.Fill)
	case LockDisk:
		return during(ctx, e.For, func() (func() error, error) { return v.Disk.Lock(ctx) })
	case UseCopy:
		return v.UseCopy(whole)
	case Cut:
		v.Relay.Cut()
	case BreakRequests:
		v.Relay.Set(e.Fault)
		fleet.Pause(ctx, e.For)
		v.Relay.Set(relay.Fault{})
	}
	return nil
}

// startAnew starts a worker that has gone.
func (v *Victims) startAnew(ctx context.Context, e Event) error {
	fleet.Pause(ctx, e.For)
	return errors.Join(v.setClock(e), v.Workers.Start(e.Worker))
}

// setClock sets the clock of a worker that is down or frozen, if the event says so.
func (v *Victims) setClock(e Event) error {
	if e.By == 0 {
		return nil
	}
	return v.Clocks[e.Worker].Set(e.By)
}

// during begins something and ends it after d.
func during(ctx context.Context, d time.Duration, begin func() (end func() error, err error)) error {
	end, err := begin()
	if err != nil {
		return err
	}
	fleet.Pause(ctx, d)
	return end()
}
