package clockchaos

import (
	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// taskVariable holds what a worker's process has to do.
const taskVariable = "STAMPD_CLOCKCHAOS_TASK"

// RunChild does a worker's task, or serves a store, and doesn't return, if this
// process was started to do so. Else it keeps the drivers quiet, as
// [servers.Quiet] does, and returns.
func RunChild() {
	servers.RunChild()
	servers.Quiet()
	fleet.RunChild(taskVariable, work)
}

// newFleet makes a fleet of workers. The folders and clocks of the tasks must
// exist. Change, which may be nil, is called with the task of each start.
func newFleet(tasks []Task, change func(*Task)) *fleet.Fleet[Progress] {
	return fleet.New[Progress](taskVariable, len(tasks), func(process, run int) any {
		t := tasks[process]
		t.Process, t.Run = process, run
		t.Seed += uint64(run) * 1_000_003
		if change != nil {
			change(&t)
		}
		return t
	})
}
