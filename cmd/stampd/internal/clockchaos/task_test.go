package clockchaos

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/filestore"
)

// What faults explain has a kind; what would be a fault of the fence, or of its
// store, has none.
func TestKindOf(t *testing.T) {
	taken := &fence.Record{Held: true, Floor: 10, Bound: 20}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&fence.LostError{Found: taken, Bound: 10}, errLost},
		{&fence.LostError{Found: taken, Bound: 21}, ""},
		{&fence.LostError{Bound: 10}, ""},
		{&fence.LostError{Found: taken, Bound: 10, Err: &fence.RecordError{}}, ""},
		{&fence.HeldError{}, errHeld},
		{&fence.BehindError{Cause: context.DeadlineExceeded}, errBehind},
		{&fence.CopiedError{}, errCopied},
		{fence.ErrStopped, errStopped},
		{&fence.UnavailableError{Store: store.ErrUnknownOutcome, Cause: context.DeadlineExceeded}, errUnavailable},
		{&fence.UnavailableError{Store: errors.New("no space left on device")}, errUnavailable},
		{&fence.UnavailableError{Store: &filestore.CorruptError{}}, ""},
		{&fence.UnavailableError{Store: filestore.ErrVersion}, ""},
		{fmt.Errorf("wrapped: %w", store.ErrInvalid), ""},
		{&sequence.AheadError{}, errAhead},
		{&lease.NoFreeNodeError{}, errNoNode},
		{context.DeadlineExceeded, errNoTime},
		{fmt.Errorf("later: %w", context.DeadlineExceeded), ""},
		{&sequence.BatchError{}, ""},
		{&sequence.TimeExhaustedError{}, ""},
		{&sequence.FenceConflictError{}, ""},
		{errors.New("any other"), ""},
		{nil, ""},
	} {
		require.Equal(t, tt.want, kindOf(tt.err), "%v", tt.err)
	}
}

// What workers tell is added up, but for what is of the last one only.
func TestProgress(t *testing.T) {
	a := Progress{IDs: 1, Holders: 2, Errors: map[string]int{errLost: 1, errHeld: 2}, Unexpected: "a", Burst: true, Ended: true}
	b := Progress{IDs: 10, Holders: 20, Errors: map[string]int{errHeld: 20}}
	require.Equal(t, Progress{
		IDs: 11, Holders: 22, Errors: map[string]int{errLost: 1, errHeld: 22}, Unexpected: "a",
	}, a.Plus(b))
	require.Equal(t, map[string]int{errLost: 1, errHeld: 2}, a.Errors, "it is left as it was")
}

// An unexpected error, and a worker that ended by itself, are wrong.
func TestReportOfWorkers(t *testing.T) {
	require.NoError(t, Report{}.Err())
	var r Report
	r.Tally.Progress.Unexpected = "this"
	require.ErrorContains(t, r.Err(), "an unexpected error: this")
	r = Report{}
	r.Tally.Crashed = []error{errors.New("exit status 2")}
	require.ErrorContains(t, r.Err(), "a worker ended: exit status 2")
	require.ErrorContains(t, Report{Wanted: 1}.Err(), "0 ids in 0s, want 1")
}
