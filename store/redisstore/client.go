package redisstore

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
)

// NewClient makes a client of one server from a URL, such as
// "redis://user:password@host:6379/0", "rediss://…" for TLS or "unix://…", in the
// form of [redis.ParseURL], with retries off. It doesn't connect. A URL that asks
// for retries or for no time-out is [ErrClient]. The caller closes the client.
func NewClient(rawURL string) (*redis.Client, error) {
	options, err := redis.ParseURL(rawURL)
	if err != nil {
		return nil, urlError(err)
	}
	if options.MaxRetries == 0 {
		options.MaxRetries = -1 // 0 stands for go-redis's default
	}
	options.ContextTimeoutEnabled = true
	client := redis.NewClient(options)
	if err := checkClient(client); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return client, nil
}

// NewClusterClient is NewClient for a cluster, in the form of
// [redis.ParseClusterURL]: "redis://host:7000?addr=host2:7000&addr=host3:7000".
func NewClusterClient(rawURL string) (*redis.ClusterClient, error) {
	options, err := redis.ParseClusterURL(rawURL)
	if err != nil {
		return nil, urlError(err)
	}
	options.ContextTimeoutEnabled = true
	client := redis.NewClusterClient(options)
	if err := checkClient(client); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return client, nil
}

// urlError leaves out the URL, which may hold a password.
func urlError(err error) error {
	var parse *url.Error
	if errors.As(err, &parse) {
		err = parse.Err
	}
	return fmt.Errorf("redisstore: URL: %w", err)
}

// checkClient reports all that makes a client unsuitable. It reads the options
// as the client has completed them: retries that are off are 0 in those of one
// server, and -1 in those of a cluster.
func checkClient(client redis.UniversalClient) error {
	switch c := client.(type) {
	case *redis.Client:
		if c == nil {
			break
		}
		o := c.Options()
		return errors.Join(retriesOff(o.MaxRetries), limited("ReadTimeout", o.ReadTimeout), limited("WriteTimeout", o.WriteTimeout))
	case *redis.ClusterClient:
		if c == nil {
			break
		}
		o := c.Options()
		return errors.Join(retriesOff(o.MaxRetries), limited("ReadTimeout", o.ReadTimeout), limited("WriteTimeout", o.WriteTimeout))
	case nil:
	default:
		return fmt.Errorf("%w: it is %T, want *redis.Client or *redis.ClusterClient", ErrClient, client)
	}
	return fmt.Errorf("%w: it is nil", ErrClient)
}

func retriesOff(retries int) error {
	if retries > 0 {
		return fmt.Errorf("%w: it retries %d times, want MaxRetries -1", ErrClient, retries)
	}
	return nil
}

// limited checks a time-out. One that is off has become 0 or negative.
func limited(name string, timeout time.Duration) error {
	if timeout <= 0 {
		return fmt.Errorf("%w: its %s is off, want one", ErrClient, name)
	}
	return nil
}
