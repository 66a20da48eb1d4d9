package mongostore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

// Errors of the driver that the other tests don't meet in full.
func TestJudge(t *testing.T) {
	network := driver.Error{Labels: []string{driver.NetworkError}, Wrapped: topology.ConnectionError{Wrapped: io.EOF}}
	writeErrors := func(codes ...int) (e mongo.WriteException) {
		for _, code := range codes {
			e.WriteErrors = append(e.WriteErrors, mongo.WriteError{Code: code})
		}
		return e
	}
	notMet := writeErrors(11000)
	notMet.WriteConcernError = &mongo.WriteConcernError{Code: 64}
	notMet.Labels = []string{"NoWritesPerformed"}
	for name, tt := range map[string]struct {
		err  error
		want verdict
	}{
		"anything":                     {errors.New("malformed message"), unknown},
		"cancelled, nobody knows when": {context.Canceled, unknown},
		"lost":                         {mongo.CommandError{Labels: network.Labels, Wrapped: network}, unknown},
		"no primary":                   {topology.ServerSelectionError{Wrapped: context.Canceled}, refused},
		"no connection free":           {topology.WaitQueueTimeoutError{Wrapped: context.Canceled}, refused},
		"no time":                      {fmt.Errorf("after 5 ms: %w", driver.ErrDeadlineWouldBeExceeded), refused},
		"disconnected":                 {mongo.ErrClientDisconnected, refused},
		"overloaded":                   {mongo.CommandError{Code: 463, Labels: []string{"RetryableError"}}, refused},
		"write concern isn't met":      {notMet, unknown},
		"duplicate":                    {writeErrors(11000), refused},
		"not the primary":              {writeErrors(10107), again},
		"interrupted":                  {writeErrors(11601), unknown},
		"two errors for one change":    {writeErrors(11000, 11000), unknown},
		"no error":                     {writeErrors(), unknown},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, judge(tt.err)) })
	}
}

// tardy is a context whose deadline has passed, and which doesn't know it yet.
type tardy struct{ context.Context }

func (tardy) Err() error { return nil }

func TestWithEnd(t *testing.T) {
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	lost := errors.New("lost")
	for name, tt := range map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"goes on":             {t.Context(), lost, "lost"},
		"over":                {late, lost, "context deadline exceeded: lost"},
		"over, doesn't know":  {tardy{late}, os.ErrDeadlineExceeded, "context deadline exceeded: i/o timeout"},
		"over, has been said": {late, context.DeadlineExceeded, "context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			err := withEnd(tt.ctx, tt.err)
			require.EqualError(t, err, tt.want)
			require.ErrorIs(t, err, tt.err)
		})
	}
}

// What not every server can be made to hold.
func TestCounterOf(t *testing.T) {
	for name, tt := range map[string]struct {
		value any
		want  int64 // -1: none
	}{
		"int64":     {int64(math.MaxInt64), math.MaxInt64},
		"int32":     {int32(math.MaxInt32), math.MaxInt32},
		"0":         {int32(0), 0},
		"negative":  {int64(-1), -1},
		"double":    {1.0, -1},
		"infinite":  {math.Inf(1), -1},
		"no number": {math.NaN(), -1},
		"decimal":   {bson.NewDecimal128(0, 1), -1},
		"timestamp": {bson.Timestamp{I: 1}, -1},
		"undefined": {bson.Undefined{}, -1},
	} {
		document, err := bson.Marshal(bson.D{{Key: "lastMaxId", Value: tt.value}})
		require.NoError(t, err)
		got, err := counterOf(document)
		if tt.want < 0 {
			require.ErrorIs(t, err, ErrNotCounter, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, tt.want, got, name)
	}
}

// Whatever a server answers with is a counter of 0 or more, or an error.
func FuzzCounterOf(f *testing.F) {
	for _, value := range []any{int64(1), int32(1), 1.0, "1", nil, bson.D{{Key: "a", Value: bson.A{1}}}} {
		document, err := bson.Marshal(bson.D{{Key: "_id", Value: "shop.orders"}, {Key: "lastMaxId", Value: value}})
		require.NoError(f, err)
		f.Add(document)
		f.Add(document[:len(document)-3])
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		maxID, err := counterOf(document)
		if err != nil {
			require.ErrorIs(t, err, ErrNotCounter)
			require.Zero(t, maxID)
			require.LessOrEqual(t, len(err.Error()), 300)
			return
		}
		require.GreaterOrEqual(t, maxID, int64(0))
	})
}
