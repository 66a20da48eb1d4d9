package stores

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"github.com/stampid/go-stamp/store/redisstore"
)

func redisScheme() scheme {
	return scheme{
		names: []string{"redis", "rediss"},
		form:  "redis://user:password@host:6379/0",
		open:  openRedis,
	}
}

func openRedis(_ context.Context, t *target, _ Options) (*Store, error) {
	prefix, err := t.take("prefix")
	if err != nil {
		return nil, err
	}
	client, err := t.redisClient()
	if err != nil {
		return nil, t.wrong("%s", reason(err))
	}
	s, err := redisstore.New(client, redisstore.Options{Prefix: prefix})
	if err != nil {
		return nil, errors.Join(t.wrong("%v", err), client.Close())
	}
	return opened(s, client), nil
}

// silent drops what go-redis writes to standard error beside its errors.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// SilenceDrivers keeps drivers from writing to standard error by themselves, for
// the whole process. What matters is in the errors.
func SilenceDrivers() { redis.SetLogger(silent{}) }

// redisClient is that of a cluster if the URL has more than one address.
func (t *target) redisClient() (redis.UniversalClient, error) {
	if t.url.Hostname() == "" {
		return nil, errors.New("it has no host; write " + t.form)
	}
	if t.query.Has("addr") {
		return redisstore.NewClusterClient(t.rest().String())
	}
	return redisstore.NewClient(t.rest().String())
}
