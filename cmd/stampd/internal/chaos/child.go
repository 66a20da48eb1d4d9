package chaos

import (
	"context"

	"github.com/go-sql-driver/mysql"
	"github.com/redis/go-redis/v9"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// taskVariable holds what a worker's process has to do.
const taskVariable = "STAMPD_CHAOS_TASK"

// RunChild does a worker's task, or serves a store, and doesn't return, if this
// process was started to do so. Else it keeps the drivers from writing about each
// connection that is broken, here on purpose, and returns.
func RunChild() {
	servers.RunChild()
	_ = mysql.SetLogger(&mysql.NopLogger{}) // fails without a logger
	redis.SetLogger(silence{})
	fleet.RunChild(taskVariable, work)
}

// newFleet makes a fleet of workers. The folders of the tasks must exist.
func newFleet(tasks []Task) *fleet.Fleet[Progress] {
	return fleet.New[Progress](taskVariable, len(tasks), func(process, run int) any {
		t := tasks[process]
		t.Process, t.Run = process, run
		t.Seed += uint64(run) * 1_000_003
		return t
	})
}

// silence is a logger for the Redis client.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}
