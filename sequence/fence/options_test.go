package fence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

func TestOptionsReportEveryViolationAtOnce(t *testing.T) {
	_, err := fence.New(store.NewMemory(), fence.Options{
		Space: "a.b", Window: time.Millisecond, Cap: time.Nanosecond, Start: 9, BeyondCap: 9,
		Owner: strings.Repeat("x", 65), CallTimeout: -1,
	})
	require.ErrorIs(t, err, fence.ErrOptions)
	for _, text := range []string{
		`space "a.b"`, "Window 1ms, want 100ms or more", "Cap 1ns, want three times", "Start(9)", "BeyondCap(9)",
		"has 65 bytes, want at most 64", "CallTimeout -1ns",
	} {
		require.ErrorContains(t, err, text)
	}
	_, err = fence.New(nil, fence.Options{Space: "orders"})
	require.ErrorIs(t, err, fence.ErrOptions)
	_, err = fence.New(store.NewMemory(), fence.Options{Space: "orders", Window: time.Minute})
	require.NoError(t, err, "the default cap grows with the window")
}

func TestUsesThatExcludeEachOther(t *testing.T) {
	manual := clock.NewManual(start)
	records := store.NewMemory()
	p := newProcess(t, records, manual, nil)
	p.next("orders")

	other, err := fence.New(records, fence.Options{Space: "orders"})
	require.NoError(t, err)
	settings := p.space.Settings()
	settings.Fence = other
	space, err := p.reg.Space(settings)
	require.NoError(t, err)
	_, err = space.Sequence("orders", nodeNumber, 0)
	require.ErrorIs(t, err, sequence.ErrConflict, "an id has one fence")
	require.ErrorContains(t, err, `fence "orders" (*fence.Fence(0x`)
	_, err = space.Sequence("users", nodeNumber, 0)
	require.ErrorIs(t, err, sequence.ErrFenceConflict, "a space has one fence")
	_, err = space.Sequence("users", nodeNumber+1, 0)
	require.NoError(t, err)

	settings.Fence = p.fence
	_, err = mustSpace(t, sequence.NewRegistry(), settings).Sequence("orders", nodeNumber, 0)
	require.ErrorIs(t, err, sequence.ErrFenceConflict, "a fence has one registry for a node")

	settings.Clock = clock.NewManual(start)
	_, err = mustSpace(t, p.reg, settings).Sequence("third", nodeNumber, 0)
	require.ErrorIs(t, err, sequence.ErrFenceConflict, "a fence has one clock")
	require.ErrorContains(t, err, "*clock.Manual(0x")

	settings = p.space.Settings()
	settings.AheadPolicy, settings.MaxAhead = sequence.Wait, time.Minute
	_, err = p.reg.Space(settings)
	require.ErrorIs(t, err, sequence.ErrSettings)
	require.ErrorContains(t, err, `MaxAhead 1m0s is more than 57s, which the fence "orders" allows`)

	settings.Fence = (*fence.Fence)(nil)
	_, err = p.reg.Space(settings)
	require.ErrorIs(t, err, sequence.ErrSettings)
}

// After a close, another fence may have the space, and ids that were dropped.
func TestAnotherFenceAfterClose(t *testing.T) {
	manual := clock.NewManual(start)
	records := store.NewMemory()
	p := newProcess(t, records, manual, nil)
	last := p.next("orders")
	p.close()

	q := &process{t: t, clock: manual, reg: p.reg, events: new(events)}
	f, err := fence.New(records, fence.Options{Space: "orders"})
	require.NoError(t, err)
	settings := p.space.Settings()
	q.attach(f, settings)
	_, err = q.space.Sequence("orders", nodeNumber, 0)
	require.ErrorIs(t, err, sequence.ErrConflict)
	require.Equal(t, 1, p.reg.Drop("orders"))
	manual.Advance(time.Millisecond)
	require.Greater(t, q.next("orders"), last)
	q.close()
}

func mustSpace(t *testing.T, r *sequence.Registry, s sequence.Settings) *sequence.Space {
	t.Helper()
	space, err := r.Space(s)
	require.NoError(t, err)
	return space
}
