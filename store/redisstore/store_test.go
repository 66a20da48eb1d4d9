package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/redisstore"
	"github.com/stampid/go-stamp/store/storetest"
)

func TestConformance(t *testing.T) {
	client := connect(t)
	prefix := newPrefix(t, client)
	storetest.Run(t, func(t *testing.T) store.Counters { return newStore(t, connect(t), prefix) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return newStore(t, connect(t), prefix) })
	storetest.RunExpiring(t, func(t *testing.T) store.Expiring { return newStore(t, connect(t), prefix) })
}

// The older of the protocol's two versions has other types of replies.
func TestConformanceRESP2(t *testing.T) {
	client := connect(t)
	prefix := newPrefix(t, client)
	options := *client.Options()
	options.Protocol, options.MaxRetries = 2, -1
	second := redis.NewClient(&options)
	t.Cleanup(func() { require.NoError(t, second.Close()) })
	storetest.Run(t, func(t *testing.T) store.Counters { return newStore(t, second, prefix) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return newStore(t, second, prefix) })
}

// Keys and values, byte for byte: those of counters are CosId's.
func TestFormat(t *testing.T) {
	ctx, client := t.Context(), connect(t)
	s, err := redisstore.New(client, redisstore.Options{})
	require.NoError(t, err)
	key := store.Key{Namespace: unique(), Name: "order_no@20260101"}
	counter, record := "cosid:{"+key.String()+"}.adder", "cosid:{"+key.String()+"}.record"
	t.Cleanup(func() { require.NoError(t, client.Del(context.WithoutCancel(ctx), counter, record).Err()) })

	requireHolds := func(name, want string) {
		t.Helper()
		got, err := client.Get(ctx, name).Result()
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Negative(t, client.TTL(ctx, name).Val(), "it expires")
	}
	_, err = s.Create(ctx, key, 0)
	require.NoError(t, err)
	requireHolds(counter, "0")
	_, err = s.Allocate(ctx, key, 10)
	require.NoError(t, err)
	requireHolds(counter, "10")
	_, err = s.Raise(ctx, key, math.MaxInt64)
	require.NoError(t, err)
	requireHolds(counter, "9223372036854775807")
	require.NoError(t, s.CompareAndSet(ctx, key, nil, []byte("a\x00\xff")))
	requireHolds(record, "a\x00\xff")

	// What Java does: it adds, and reads a number.
	require.NoError(t, client.Set(ctx, counter, 100, 0).Err())
	require.NoError(t, client.IncrBy(ctx, counter, 10).Err())
	maxID, err := s.Allocate(ctx, key, 5)
	require.NoError(t, err)
	require.Equal(t, int64(115), maxID)
}

// Each pair differs in a digit, a length, or where float64 sees no difference.
func TestRaiseCompares(t *testing.T) {
	ctx, client := t.Context(), connect(t)
	s := newStore(t, client, newPrefix(t, client))
	values := []int64{
		0, 1, 9, 10, 11, 19, 20, 99, 100, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<53 + 2,
		999_999_999_999_999_999, 1_000_000_000_000_000_000, math.MaxInt64 - 1, math.MaxInt64,
	}
	for _, from := range values {
		for _, to := range values {
			key := store.Key{Namespace: fmt.Sprint(from), Name: fmt.Sprint(to)}
			_, err := s.Create(ctx, key, from)
			require.NoError(t, err)
			maxID, err := s.Raise(ctx, key, to)
			require.NoError(t, err)
			require.Equal(t, max(from, to), maxID, "from %d to %d", from, to)
			maxID, err = s.Peek(ctx, key)
			require.NoError(t, err)
			require.Equal(t, max(from, to), maxID, "from %d to %d", from, to)
		}
	}
}

func TestExhaustedExactly(t *testing.T) {
	ctx, client := t.Context(), connect(t)
	s := newStore(t, client, newPrefix(t, client))
	for name, tt := range map[string]struct {
		start, n int64
		fits     bool
	}{
		"last":         {math.MaxInt64 - 1, 1, true},
		"one more":     {math.MaxInt64 - 1, 2, false},
		"full":         {math.MaxInt64, 1, false},
		"all at once":  {0, math.MaxInt64, true},
		"all and one":  {1, math.MaxInt64, false},
		"below 1<<53":  {math.MaxInt64 - 1<<53, 1 << 53, true},
		"beyond 1<<53": {math.MaxInt64 - 1<<53, 1<<53 + 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			key := store.Key{Namespace: "full", Name: name}
			_, err := s.Create(ctx, key, tt.start)
			require.NoError(t, err)
			maxID, err := s.Allocate(ctx, key, tt.n)
			if tt.fits {
				require.NoError(t, err)
				require.Equal(t, tt.start+tt.n, maxID)
				return
			}
			require.ErrorIs(t, err, store.ErrExhausted)
			require.ErrorContains(t, err, fmt.Sprintf("it stands at %d, no room for %d more", tt.start, tt.n))
			maxID, err = s.Peek(ctx, key)
			require.NoError(t, err)
			require.Equal(t, tt.start, maxID)
		})
	}
}

// What isn't a counter's text is refused by all methods and left alone.
func TestNotACounter(t *testing.T) {
	ctx, client := t.Context(), connect(t)
	prefix := newPrefix(t, client)
	s := newStore(t, client, prefix)
	name := prefix + ":{shop.orders}.adder"
	for _, text := range []string{
		"", "-1", "-9223372036854775808", "+1", "01", "00", " 1", "1 ", "1.5", "1e3", "0x1", "abc", "1\n", "1\x00",
		"9223372036854775808", "9999999999999999999", "10000000000000000000", strings.Repeat("9", 100),
	} {
		require.NoError(t, client.Set(ctx, name, text, 0).Err())
		created, err := s.Create(ctx, orders, 1)
		require.NoError(t, err)
		require.False(t, created)
		_, allocateErr := s.Allocate(ctx, orders, 1)
		_, peekErr := s.Peek(ctx, orders)
		_, raiseErr := s.Raise(ctx, orders, math.MaxInt64)
		for _, err := range []error{allocateErr, peekErr, raiseErr} {
			require.ErrorIs(t, err, redisstore.ErrNotCounter, "%q", text)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorContains(t, err, name)
		}
		require.Equal(t, text, client.Get(ctx, name).Val())
	}
}

// An error that the server answers with reaches the caller as the driver's.
func TestServerErrors(t *testing.T) {
	ctx, client := t.Context(), connect(t)
	prefix := newPrefix(t, client)
	s := newStore(t, client, prefix)
	require.NoError(t, client.HSet(ctx, prefix+":{shop.orders}.adder", "a", 1).Err())
	_, err := s.Allocate(ctx, orders, 1)
	var answer redis.Error
	require.ErrorAs(t, err, &answer)
	require.ErrorContains(t, err, "WRONGTYPE")
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}

func TestLimits(t *testing.T) {
	ctx, client := t.Context(), connect(t)
	s := newStore(t, client, newPrefix(t, client))
	key := store.Key{Namespace: "n", Name: strings.Repeat("x", redisstore.MaxKey-2)}
	_, err := s.Create(ctx, key, 0)
	require.NoError(t, err)
	require.NoError(t, s.CompareAndSet(ctx, key, nil, make([]byte, redisstore.MaxValue)))
	require.ErrorIs(t, s.CompareAndSet(ctx, key, nil, make([]byte, redisstore.MaxValue+1)), store.ErrInvalid)
	key.Name += "x"
	_, err = s.Create(ctx, key, 0)
	require.ErrorIs(t, err, store.ErrInvalid)
}

func ExampleNew() {
	client, err := redisstore.NewClient("redis://127.0.0.1:6379/0?max_retries=3")
	fmt.Println(client, err)
	fmt.Println(errors.Is(err, redisstore.ErrClient))

	client, err = redisstore.NewClient("redis://127.0.0.1:6379/0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = client.Close() }()
	counters, err := redisstore.New(client, redisstore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = counters.Allocate(context.Background(), store.Key{Namespace: "shop"}, 0)
	fmt.Println(err)
	// Output:
	// <nil> redisstore: unsuitable client: it retries 3 times, want MaxRetries -1
	// true
	// store: name is "", want 1 character or more
	// store: n is 0, want 1 to 9223372036854775807
}
