package servers

import (
	"context"

	"github.com/go-sql-driver/mysql"
	goredis "github.com/redis/go-redis/v9"
)

// Quiet keeps the drivers from writing about each connection that is broken, which
// is done here on purpose. It is for the whole process.
func Quiet() {
	_ = mysql.SetLogger(&mysql.NopLogger{}) // fails without a logger
	goredis.SetLogger(silence{})
}

// silence is a logger for the Redis client.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}
