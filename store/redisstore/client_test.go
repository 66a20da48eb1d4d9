package redisstore_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store/redisstore"
)

func single(o redis.Options) redis.UniversalClient { return redis.NewClient(&o) }

func cluster(o redis.ClusterOptions) redis.UniversalClient { return redis.NewClusterClient(&o) }

type wrapped struct{ *redis.Client }

func TestNewChecksClient(t *testing.T) {
	const (
		retries = "redisstore: unsuitable client: it retries 3 times, want MaxRetries -1"
		reads   = "redisstore: unsuitable client: its ReadTimeout is off, want one"
		writes  = "redisstore: unsuitable client: its WriteTimeout is off, want one"
		isNil   = "redisstore: unsuitable client: it is nil"
		other   = ", want *redis.Client or *redis.ClusterClient"
	)
	for name, tt := range map[string]struct {
		client redis.UniversalClient
		want   string
	}{
		"single":                {single(redis.Options{MaxRetries: -1}), ""},
		"defaults":              {single(redis.Options{}), retries},
		"no read time-out":      {single(redis.Options{MaxRetries: -1, ReadTimeout: -1, WriteTimeout: time.Second}), reads},
		"no read deadline":      {single(redis.Options{MaxRetries: -1, ReadTimeout: -2, WriteTimeout: time.Second}), reads},
		"no write time-out":     {single(redis.Options{MaxRetries: -1, WriteTimeout: -1}), writes},
		"all wrong":             {single(redis.Options{ReadTimeout: -1, WriteTimeout: -1}), retries + "\n" + reads + "\n" + writes},
		"sentinel":              {redis.NewFailoverClient(&redis.FailoverOptions{MaxRetries: -1}), ""},
		"sentinel's defaults":   {redis.NewFailoverClient(&redis.FailoverOptions{}), retries},
		"cluster":               {cluster(redis.ClusterOptions{}), ""},
		"cluster, retries off":  {cluster(redis.ClusterOptions{MaxRetries: -1, MaxRedirects: -1}), ""},
		"cluster, retries":      {cluster(redis.ClusterOptions{MaxRetries: 3}), retries},
		"cluster, no time-outs": {cluster(redis.ClusterOptions{ReadTimeout: -1, WriteTimeout: -2}), reads + "\n" + writes},
		"ring":                  {redis.NewRing(&redis.RingOptions{MaxRetries: -1}), "redisstore: unsuitable client: it is *redis.Ring" + other},
		"wrapped":               {wrapped{redis.NewClient(&redis.Options{MaxRetries: -1})}, "redisstore: unsuitable client: it is redisstore_test.wrapped" + other},
		"nil":                   {nil, isNil},
		"nil client":            {(*redis.Client)(nil), isNil},
		"nil cluster":           {(*redis.ClusterClient)(nil), isNil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := redisstore.New(tt.client, redisstore.Options{})
			if tt.want == "" {
				require.NoError(t, err)
				require.NotNil(t, s)
			} else {
				require.ErrorIs(t, err, redisstore.ErrClient)
				require.EqualError(t, err, tt.want)
			}
			if tt.want != isNil {
				require.NoError(t, tt.client.Close())
			}
		})
	}
}

func TestNewChecksPrefix(t *testing.T) {
	client := redis.NewClient(&redis.Options{})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for _, prefix := range []string{"a{b", "a}b", "a\x00", "\xff", string(make([]byte, 65))} {
		_, err := redisstore.New(client, redisstore.Options{Prefix: prefix})
		require.ErrorIs(t, err, redisstore.ErrPrefix, "%q", prefix)
		require.ErrorIs(t, err, redisstore.ErrClient, "all that is wrong is reported")
	}
}

func TestNewClient(t *testing.T) {
	client, err := redisstore.NewClient("rediss://me:secret@example.com:7000/3?read_timeout=2s&max_retries=-1")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	options := client.Options()
	require.Equal(t, "example.com:7000", options.Addr)
	require.Equal(t, 3, options.DB)
	require.Equal(t, 2*time.Second, options.ReadTimeout)
	require.NotNil(t, options.TLSConfig)
	require.True(t, options.ContextTimeoutEnabled)

	for _, url := range []string{"redis://h?max_retries=1", "redis://h?read_timeout=-1", "redis://h?write_timeout=-1"} {
		client, err := redisstore.NewClient(url)
		require.ErrorIs(t, err, redisstore.ErrClient, url)
		require.Nil(t, client)
	}
}

func TestNewClusterClient(t *testing.T) {
	client, err := redisstore.NewClusterClient("redis://a:7000?addr=b:7001&max_redirects=5")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	require.ElementsMatch(t, []string{"a:7000", "b:7001"}, client.Options().Addrs)
	require.Equal(t, 5, client.Options().MaxRedirects)
	require.True(t, client.Options().ContextTimeoutEnabled)

	refused, err := redisstore.NewClusterClient("redis://a:7000?max_retries=1")
	require.ErrorIs(t, err, redisstore.ErrClient)
	require.Nil(t, refused)
}

// The password in a URL isn't in errors about it.
func TestURLErrors(t *testing.T) {
	for _, url := range []string{"redis://me:secret@h:port", "redis://me:secret@h/\x7f", "://me:secret@h", "http://me:secret@h", "redis://me:secret@h?what=1"} {
		_, err := redisstore.NewClient(url)
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "secret")
		_, err = redisstore.NewClusterClient(url)
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "secret")
	}
}
