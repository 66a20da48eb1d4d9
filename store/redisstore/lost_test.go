package redisstore_test

import (
	"context"
	"net"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/redisstore"
)

// through returns a store whose client goes through a proxy, and one beside it.
func through(t *testing.T) (lossy, direct *redisstore.Store, p *proxy) {
	t.Helper()
	client := connect(t)
	prefix := newPrefix(t, client)
	p = newProxy(t, client.Options().Addr)
	options := *client.Options()
	options.Dialer, options.MaxRetries = p.dial, -1
	bad := redis.NewClient(&options)
	t.Cleanup(func() { require.NoError(t, bad.Close()) })
	return newStore(t, bad, prefix), newStore(t, client, prefix), p
}

// changes are the methods that change something, each of them once.
func changes(s *redisstore.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"create": func(ctx context.Context) error {
			_, err := s.Create(ctx, store.Key{Namespace: "shop", Name: "new"}, 7)
			return err
		},
		"allocate": func(ctx context.Context) error {
			_, err := s.Allocate(ctx, orders, 10)
			return err
		},
		"raise": func(ctx context.Context) error {
			_, err := s.Raise(ctx, orders, 1000)
			return err
		},
		"compare and set": func(ctx context.Context) error {
			return s.CompareAndSet(ctx, orders, nil, []byte("mine"))
		},
	}
}

// A connection that breaks after the request: the change took place once, or not
// at all, the error says that nobody knows, and nothing is sent again.
func TestLostConnection(t *testing.T) {
	for name, f := range map[string]fate{"request": loseRequest, "reply": loseReply} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			lossy, direct, p := through(t)
			_, err := direct.Create(ctx, orders, 0)
			require.NoError(t, err)
			_, err = lossy.Peek(ctx, orders)
			require.NoError(t, err)
			p.set(f)
			for name, change := range changes(lossy) {
				before := p.scripts.Load()
				err := change(ctx)
				require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
				require.ErrorContains(t, err, "redisstore: "+name)
				require.Equal(t, before+1, p.scripts.Load(), "%s was sent again", name)
			}
			_, err = lossy.Peek(ctx, orders)
			require.Error(t, err)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome, "a read changes nothing")

			p.set(pass)
			record, err := lossy.Get(ctx, orders)
			require.NoError(t, err)
			maxID, err := lossy.Peek(ctx, orders)
			require.NoError(t, err)
			if f == loseRequest {
				require.Nil(t, record)
				require.Zero(t, maxID)
				return
			}
			require.Equal(t, "mine", string(record))
			require.Contains(t, []int64{1000, 1010}, maxID, "both changes, in any order")
		})
	}
}

// A call that is cancelled while the server hangs ends at once.
func TestHungServer(t *testing.T) {
	lossy, direct, p := through(t)
	_, err := direct.Create(t.Context(), orders, 0)
	require.NoError(t, err)
	p.set(hang)
	for name, change := range changes(lossy) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-p.answers // the server has done it
			cancel()
		}()
		err := change(ctx)
		require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
		require.ErrorIs(t, err, context.Canceled, name)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "%s waited for the client", name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = lossy.Allocate(ctx, orders, 10)
	require.ErrorIs(t, err, store.ErrUnknownOutcome)

	ctx, cancel = context.WithCancel(t.Context())
	for len(p.answers) > 0 {
		<-p.answers
	}
	go func() {
		<-p.answers
		cancel()
	}()
	_, err = lossy.Peek(ctx, orders)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome, "a read changes nothing")
	p.set(pass)
	maxID, err := direct.Peek(t.Context(), orders)
	require.NoError(t, err)
	require.GreaterOrEqual(t, maxID, int64(1000))
	require.LessOrEqual(t, maxID, int64(1020))
}

// The client's own time-outs: that of the connection, and the context's deadline,
// which it gives to the connection if it is told to.
func TestClientTimesOut(t *testing.T) {
	client := connect(t)
	prefix := newPrefix(t, client)
	_, err := newStore(t, client, prefix).Create(t.Context(), orders, 0)
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		options redis.Options
		timeout time.Duration
		want    error
	}{
		"read time-out": {redis.Options{ReadTimeout: 300 * time.Millisecond}, patience, os.ErrDeadlineExceeded},
		"deadline":      {redis.Options{ContextTimeoutEnabled: true}, 300 * time.Millisecond, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProxy(t, client.Options().Addr)
			p.set(hang)
			tt.options.Dialer, tt.options.MaxRetries, tt.options.DB = p.dial, -1, client.Options().DB
			slow := redis.NewClient(&tt.options)
			t.Cleanup(func() { require.NoError(t, slow.Close()) })
			ctx, cancel := context.WithTimeout(t.Context(), tt.timeout)
			defer cancel()
			_, err := newStore(t, slow, prefix).Allocate(ctx, orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorIs(t, err, tt.want)
			require.Equal(t, int64(1), p.scripts.Load())
		})
	}
}

// Requests that never left have a known outcome.
func TestNotSent(t *testing.T) {
	ctx := t.Context()
	requireNotSent := func(client *redis.Client) error {
		t.Helper()
		s := newStore(t, client, unique())
		_, err := s.Allocate(ctx, orders, 1)
		require.Error(t, err)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
		return err
	}
	refused := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + freePort(t), MaxRetries: -1, DialerRetries: 1})
	var network *net.OpError
	require.ErrorAs(t, requireNotSent(refused), &network)
	require.NoError(t, refused.Close())
	require.ErrorIs(t, requireNotSent(refused), redis.ErrClosed)

	options := *connect(t).Options()
	options.MaxRetries, options.PoolSize, options.PoolTimeout = -1, 1, time.Millisecond
	busy := redis.NewClient(&options)
	t.Cleanup(func() { require.NoError(t, busy.Close()) })
	conn := busy.Conn()
	require.NoError(t, conn.Ping(ctx).Err())
	require.ErrorIs(t, requireNotSent(busy), redis.ErrPoolTimeout)
	require.NoError(t, conn.Close())
}

// The caller's slices are its own again when the call returns, even if it left
// before they were sent.
func TestSlicesAfterCancel(t *testing.T) {
	client := connect(t)
	prefix := newPrefix(t, client)
	options := *client.Options()
	options.MaxRetries = -1
	late := redis.NewClient(&options)
	t.Cleanup(func() { require.NoError(t, late.Close()) })
	hook := lateHook{arrived: make(chan struct{}), goOn: make(chan struct{}), done: make(chan error, 1)}
	late.AddHook(hook)
	s, value := newStore(t, late, prefix), []byte("mine")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-hook.arrived
		cancel()
	}()
	require.ErrorIs(t, s.CompareAndSet(ctx, orders, nil, value), store.ErrUnknownOutcome)
	value[0] = 'X'
	close(hook.goOn)
	require.NoError(t, <-hook.done)
	got, err := newStore(t, client, prefix).Get(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, "mine", string(got))
}

// lateHook sends a command when it is told to, whether or not its caller waits.
type lateHook struct {
	arrived, goOn chan struct{}
	done          chan error
}

func (lateHook) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h lateHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() != "eval" {
			return next(ctx, cmd) // of the handshake
		}
		close(h.arrived)
		<-h.goOn
		err := next(context.WithoutCancel(ctx), cmd)
		h.done <- err
		return err
	}
}

func (lateHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
