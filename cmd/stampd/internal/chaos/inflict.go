package chaos

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// victims are what faults are done to.
type victims struct {
	fleet  *Fleet
	server *servers.Server
	relay  *relay.Relay // nil without a server

	mu   sync.Mutex
	done map[Action]int
	errs []error
}

// inflict carries out a schedule, and returns when it is over or ctx has ended.
// Everything runs again then.
func (v *victims) inflict(ctx context.Context, schedule []Event) error {
	var onWorkers, onStore []Event
	for _, e := range schedule {
		if e.Action.onWorkers() {
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
				pause(ctx, time.Until(begun.Add(e.At)))
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
	return errors.Join(append(v.errs, v.server.Start(whole), v.fleet.StartAll())...)
}

func (v *victims) note(a Action, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done[a]++
	if err != nil {
		v.errs = append(v.errs, fmt.Errorf("%v: %w", a, err))
	}
}

// do carries out one event, and returns when it is over.
func (v *victims) do(ctx context.Context, e Event) error {
	whole := context.WithoutCancel(ctx)
	switch e.Action {
	case KillWorker:
		v.fleet.Kill(e.Worker)
		pause(ctx, e.For)
		return v.fleet.Start(e.Worker)
	case KillWorkers:
		v.fleet.KillAll()
		return v.fleet.StartAll()
	case FreezeWorker:
		err := v.fleet.Freeze(e.Worker)
		pause(ctx, e.For)
		return errors.Join(err, v.fleet.Thaw(e.Worker))
	case KillServer:
		v.server.Kill()
		pause(ctx, e.For)
		return v.server.Start(whole)
	case FreezeServer:
		err := v.server.Freeze()
		pause(ctx, e.For)
		return errors.Join(err, v.server.Thaw())
	case Hold:
		release, err := v.server.Hold(whole)
		if err != nil {
			return err
		}
		pause(ctx, e.For)
		return release()
	case Cut:
		v.relay.Cut()
	case BreakRequests:
		v.relay.Set(e.Fault)
		pause(ctx, e.For)
		v.relay.Set(relay.Fault{})
	}
	return nil
}
