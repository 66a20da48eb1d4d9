package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// recordSuite is what [RunRecords] runs.
type recordSuite struct {
	open      func(t *testing.T) store.Records
	namespace string
}

func (s recordSuite) key(name string) store.Key { return store.Key{Namespace: s.namespace, Name: name} }

func requireRecord(t *testing.T, client store.Records, key store.Key, want []byte) {
	t.Helper()
	got, err := client.Get(testContext(t), key)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func (s recordSuite) life(t *testing.T) {
	ctx := testContext(t)
	client, other, key := s.open(t), s.open(t), s.key("life")
	requireRecord(t, client, key, nil)
	require.NoError(t, client.CompareAndSet(ctx, key, nil, []byte("a")))
	requireRecord(t, other, key, []byte("a"))
	require.NoError(t, other.CompareAndSet(ctx, key, []byte("a"), []byte("bb")))
	requireRecord(t, client, key, []byte("bb"))
	require.NoError(t, client.CompareAndSet(ctx, key, []byte("bb"), []byte("bb")), "the same again")
	require.NoError(t, client.CompareAndSet(ctx, key, []byte("bb"), []byte("a")), "back to an earlier value")
	requireRecord(t, client, key, []byte("a"))
	requireRecord(t, client, s.key("life-of-another"), nil)
}

func (s recordSuite) conflict(t *testing.T) {
	ctx := testContext(t)
	client, key := s.open(t), s.key("conflict")
	requireConflict := func(old string, stands []byte) {
		t.Helper()
		err := client.CompareAndSet(ctx, key, []byte(old), []byte("new"))
		require.ErrorIs(t, err, store.ErrConflict, "old is %q", old)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
		requireRecord(t, client, key, stands)
	}
	requireConflict("a", nil)
	require.NoError(t, client.CompareAndSet(ctx, key, []byte{}, []byte("Value")))
	for _, old := range []string{
		"", "value", "VALUE", "Value ", " Value", "Value\x00", "Valu", "Value2", "new", "V", "%", "*", "Valu_",
	} {
		requireConflict(old, []byte("Value"))
	}
}

func (s recordSuite) oneWinner(t *testing.T) {
	const callers = 20
	ctx := testContext(t)
	clients, key := [2]store.Records{s.open(t), s.open(t)}, s.key("one-winner")
	var old []byte
	for round := range 3 {
		var winner atomic.Pointer[[]byte]
		var winners atomic.Int64
		errs := make([]error, callers)
		atOnce(callers, func(i int) {
			value := fmt.Appendf(nil, "round %d caller %d", round, i)
			errs[i] = clients[i%2].CompareAndSet(ctx, key, old, value)
			if errs[i] == nil {
				winners.Add(1)
				winner.Store(&value)
			}
		})
		for _, err := range errs {
			if err != nil {
				require.ErrorIs(t, err, store.ErrConflict)
			}
		}
		require.EqualValues(t, 1, winners.Load(), "writers over one old value")
		old = *winner.Load()
		requireRecord(t, clients[0], key, old)
	}
}

// chain counts in a record: each success is one step. A writer that has read the
// record loses only to another one that has written it since.
func (s recordSuite) chain(t *testing.T) {
	const callers, successes = 4, 5
	ctx := testContext(t)
	clients, key := [2]store.Records{s.open(t), s.open(t)}, s.key("chain")
	errs := make([]error, callers)
	atOnce(callers, func(i int) {
		errs[i] = countIn(ctx, clients[i%2], key, successes, (callers-1)*successes)
	})
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireRecord(t, clients[0], key, strconv.AppendInt(nil, callers*successes, 10))
}

// countIn adds 1 to the number in a record, so many times.
func countIn(ctx context.Context, client store.Records, key store.Key, times, maxConflicts int) error {
	conflicts := 0
	for done := 0; done < times; {
		old, err := client.Get(ctx, key)
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(string(old)) // 0 without a record
		err = client.CompareAndSet(ctx, key, old, strconv.AppendInt(nil, int64(n)+1, 10))
		switch {
		case err == nil:
			done++
		case !errors.Is(err, store.ErrConflict):
			return err
		case conflicts == maxConflicts:
			return fmt.Errorf("more conflicts than the %d writes of others", maxConflicts)
		default:
			conflicts++
		}
	}
	return nil
}

// anyBytes checks values that aren't text, and the largest that must be held.
func (s recordSuite) anyBytes(t *testing.T) {
	const largest = 1024
	ctx := testContext(t)
	client, key := s.open(t), s.key("any-bytes")
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	random := make([]byte, largest)
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	var old []byte
	for _, value := range [][]byte{
		{0},
		{0, 0},
		{0xff},
		[]byte("a\x00b"), []byte("a\x00c"), []byte("\r\n"), []byte(" "), []byte("null"), []byte("12"), []byte("012"),
		all, bytes.Repeat([]byte{0}, largest), bytes.Repeat([]byte("x"), largest), random,
	} {
		require.NoError(t, client.CompareAndSet(ctx, key, old, value), "%.20q over %.20q", value, old)
		requireRecord(t, client, key, value)
		old = value
	}
	changed := bytes.Clone(old)
	changed[largest-1]++
	require.ErrorIs(t, client.CompareAndSet(ctx, key, changed, []byte("x")), store.ErrConflict, "the last byte differs")
	requireRecord(t, client, key, old)
}

// slices checks that the store shares none with its callers.
func (s recordSuite) slices(t *testing.T) {
	ctx := testContext(t)
	client, key := s.open(t), s.key("slices")
	value := []byte("mine")
	require.NoError(t, client.CompareAndSet(ctx, key, nil, value))
	value[0] = 'X'
	got, err := client.Get(ctx, key)
	require.NoError(t, err)
	require.Equal(t, []byte("mine"), got)
	got[0] = 'Y'
	requireRecord(t, client, key, []byte("mine"))
}
