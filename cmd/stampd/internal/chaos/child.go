package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/go-sql-driver/mysql"
	"github.com/redis/go-redis/v9"

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
	text := os.Getenv(taskVariable)
	if text == "" {
		return
	}
	var t Task
	err := json.Unmarshal([]byte(text), &t)
	if err == nil {
		err = work(t, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// silence is a logger for the Redis client.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}
