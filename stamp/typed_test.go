package stamp_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

// kindOf makes a generator for tests: 63 bits without nodes.
func kindOf(name string, codec encode.Codec, prefix string) *stamp.Generator {
	return stamp.MustGenerator(name, stamp.MustConfig(stamp.Options{
		Layout: stamp.Layout{Time: 51, Sequence: 12}, Epoch: epoch,
		Codec: codec, Prefix: prefix, Registry: sequence.NewRegistry(),
	}))
}

var (
	orders = kindOf("orders", encode.Base62, "ord_")
	users  = kindOf("users", encode.Base62, "usr_")
	plain  = kindOf("plain", nil, "")
	sqids  = kindOf("sqids", must(encode.NewSqids(encode.SqidsOptions{Alphabet: `ab"\<`, Blocklist: []string{}})), "")
	tenth  = stamp.MustGenerator("tenth", stamp.MustConfig(stamp.Options{
		Layout: stamp.Layout{Partition: 3, Time: 40, Sequence: 10}, Epoch: epoch, // 53 bits
		Codec: encode.Base36, Prefix: "t_", Registry: sequence.NewRegistry(),
	}))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

type (
	orderKind  struct{}
	userKind   struct{}
	plainKind  struct{}
	sqidsKind  struct{}
	tenthKind  struct{}
	brokenKind struct{}

	orderID = stamp.Typed[orderKind]
	userID  = stamp.Typed[userKind]
)

func (orderKind) Stamp() *stamp.Generator  { return orders }
func (userKind) Stamp() *stamp.Generator   { return users }
func (plainKind) Stamp() *stamp.Generator  { return plain }
func (sqidsKind) Stamp() *stamp.Generator  { return sqids }
func (tenthKind) Stamp() *stamp.Generator  { return tenth }
func (brokenKind) Stamp() *stamp.Generator { return nil }

var (
	_ encoding.TextAppender    = orderID(0)
	_ encoding.TextMarshaler   = orderID(0)
	_ encoding.TextUnmarshaler = (*orderID)(nil)
	_ json.Marshaler           = orderID(0)
	_ json.Unmarshaler         = (*orderID)(nil)
	_ driver.Valuer            = orderID(0)
	_ sql.Scanner              = (*orderID)(nil)
)

func TestTypedIsMade(t *testing.T) {
	ctx := context.Background()
	first, err := stamp.New[orderKind](ctx)
	require.NoError(t, err)
	second, err := orders.Next()
	require.NoError(t, err)
	require.Greater(t, second, first.ID(), "the kind's own sequence")
	require.True(t, first.Valid())

	ids, err := stamp.AppendNew(ctx, []orderID{first}, 5000)
	require.NoError(t, err)
	require.Len(t, ids, 5001)
	require.Equal(t, first, ids[0])
	for i := range ids[1:] {
		require.Greater(t, ids[i+1], ids[i])
	}
	room := make([]orderID, 0, 10)
	ids, err = stamp.AppendNew(ctx, room, 10)
	require.NoError(t, err)
	require.Equal(t, ids, room[:10], "in the room that was there")
	ids, err = stamp.AppendNew[orderKind](ctx, nil, 0)
	require.ErrorIs(t, err, stamp.ErrBatch)
	require.Empty(t, ids)

	_, err = stamp.New[orderKind](ended())
	require.ErrorIs(t, err, context.Canceled)
}

func TestTypedTellsItsGenerator(t *testing.T) {
	g, err := orderID(0).Generator()
	require.NoError(t, err)
	require.Same(t, orders, g)
	_, err = stamp.Typed[brokenKind](1).Generator()
	require.ErrorIs(t, err, stamp.ErrKind)
}

func TestTypedInPartitions(t *testing.T) {
	id, err := stamp.NewIn[tenthKind](5)
	require.NoError(t, err)
	require.EqualValues(t, 5, unpack(t, tenth.Config(), id.ID()).Partition)
	_, err = stamp.NewIn[tenthKind](8)
	require.ErrorIs(t, err, stamp.ErrOutOfRange)
	_, err = stamp.New[tenthKind](context.Background())
	require.ErrorIs(t, err, stamp.ErrNoPartition)
}

// The golden texts pass through every way that a typed id takes.
func TestTypedVectors(t *testing.T) {
	for _, row := range rows(t, "radix.tsv") {
		n, err := strconv.ParseInt(row[0], 10, 64)
		require.NoError(t, err)
		if n == 0 {
			continue
		}
		id, want := orderID(n), "ord_"+row[1]
		require.Equal(t, want, id.String())
		require.Equal(t, want, fmt.Sprint(id))
		require.Equal(t, row[0], fmt.Sprintf("%d", id))
		text, err := id.MarshalText()
		require.NoError(t, err)
		require.Equal(t, want, string(text))
		text, err = id.AppendText([]byte("id="))
		require.NoError(t, err)
		require.Equal(t, "id="+want, string(text))
		text, err = json.Marshal(map[orderID]orderID{id: id})
		require.NoError(t, err)
		require.Equal(t, `{"`+want+`":"`+want+`"}`, string(text))
		var back map[orderID]orderID
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, map[orderID]orderID{id: id}, back)
		value, err := id.Value()
		require.NoError(t, err)
		require.Equal(t, n, value)
		for _, from := range []any{n, uint64(n), row[0], []byte(row[0])} {
			var got orderID
			require.NoError(t, got.Scan(from))
			require.Equal(t, id, got)
		}
		var got orderID
		require.NoError(t, got.UnmarshalParam(want))
		require.Equal(t, id, got)
		got, err = stamp.ParseTyped[orderKind](want)
		require.NoError(t, err)
		require.Equal(t, id, got)
	}
}

func TestTypedRefusesTexts(t *testing.T) {
	good := orderID(1).String()
	for _, text := range []string{"", "ord_", userID(1).String(), "1", good + "0", " " + good, "ORD_00000000001", "ord_00000000000", "ord_zzzzzzzzzzz"} {
		id := orderID(7)
		require.Error(t, id.UnmarshalText([]byte(text)), text)
		require.Zero(t, id, text)
		_, err := stamp.ParseTyped[orderKind](text)
		require.Error(t, err, text)
	}
	for text, class := range map[string]error{
		"usr_00000000001": stamp.ErrPrefix, "ord_0000000000!": stamp.ErrSyntax, "ord_zzzzzzzzzzz": stamp.ErrRange,
	} {
		_, err := stamp.ParseTyped[orderKind](text)
		require.ErrorIs(t, err, class)
	}
}

func TestTypedJSON(t *testing.T) {
	for _, text := range []string{
		`1`, `"1"`, `0`, `1.0`, `1e3`, `true`, `false`, `[]`, `["ord_00000000001"]`, `{}`, `""`, `"usr_00000000001"`,
	} {
		id := orderID(7)
		require.Error(t, json.Unmarshal([]byte(text), &id), text)
		require.Zero(t, id, text)
	}
	for _, text := range []string{``, `"`, `"ord_00000000001`, `ord_00000000001`, `nul`, `"\"`} {
		id := orderID(7)
		require.ErrorIs(t, id.UnmarshalJSON([]byte(text)), stamp.ErrSyntax, "%q", text)
		require.Zero(t, id)
	}
	id := orderID(7)
	require.NoError(t, json.Unmarshal([]byte(`null`), &id))
	require.EqualValues(t, 7, id, "null leaves what has no null")
	require.NoError(t, json.Unmarshal([]byte(`"ord\u005f00000000001"`), &id), "the same JSON string")
	require.EqualValues(t, 1, id)
	_, err := json.Marshal(orderID(0))
	require.ErrorIs(t, err, stamp.ErrRange)
	text, err := json.Marshal(struct {
		ID orderID `json:"id,omitzero"`
	}{})
	require.NoError(t, err)
	require.Equal(t, `{}`, string(text))

	// Without a codec the exact integer is an id's text too.
	var number stamp.Typed[plainKind]
	require.NoError(t, json.Unmarshal([]byte(`9223372036854775807`), &number))
	require.EqualValues(t, math.MaxInt64, number)
	for _, text := range []string{`1.0`, `1e3`, `true`, `[1]`, `0`, `-1`} {
		require.Error(t, json.Unmarshal([]byte(text), &number), text)
	}

	// An alphabet may have what JSON escapes.
	for n := range 200 {
		odd := stamp.Typed[sqidsKind](n + 1)
		text, err := json.Marshal(odd)
		require.NoError(t, err)
		var back stamp.Typed[sqidsKind]
		require.NoError(t, json.Unmarshal(text, &back), string(text))
		require.Equal(t, odd, back)
	}
}

func TestTypedSQL(t *testing.T) {
	for _, from := range []any{nil, int64(0), int64(-1), uint64(1 << 63), "ord_00000000001", "", 1.0, true} {
		id := orderID(7)
		require.Error(t, id.Scan(from), "%v", from)
		require.Zero(t, id, "%v: the last row's value must not stay", from)
	}
	same, other := orderID(5), userID(5)
	require.NoError(t, same.Scan(&same))
	require.EqualValues(t, 5, same)
	require.ErrorIs(t, same.Scan(&other), stamp.ErrScan, "of another kind")
	require.ErrorIs(t, same.Scan((*orderID)(nil)), stamp.ErrScan)
	require.ErrorIs(t, same.Scan(new(orderID)), stamp.ErrRange)
	require.Zero(t, same)
	var narrow stamp.Typed[tenthKind]
	require.NoError(t, narrow.Scan(int64(1<<53-1)))
	require.ErrorIs(t, narrow.Scan(int64(1<<53)), stamp.ErrRange)
	require.Zero(t, narrow)
	_, err := stamp.Typed[tenthKind](1 << 53).Value()
	require.ErrorIs(t, err, stamp.ErrRange)
	_, err = orderID(0).Value()
	require.ErrorIs(t, err, stamp.ErrRange)
}

func TestTypedOf(t *testing.T) {
	id, err := stamp.TypedOf[tenthKind](1<<53 - 1)
	require.NoError(t, err)
	require.EqualValues(t, 1<<53-1, id)
	for _, bad := range []stamp.ID{0, -5, 1 << 53} {
		id, err := stamp.TypedOf[tenthKind](bad)
		require.ErrorIs(t, err, stamp.ErrRange)
		require.Zero(t, id)
		require.False(t, stamp.Typed[tenthKind](bad).Valid())
		require.Equal(t, fmt.Sprintf("invalid ID(%d)", bad), stamp.Typed[tenthKind](bad).String())
	}
}

// A kind without a generator is an error, not a panic.
func TestKindWithoutGenerator(t *testing.T) {
	type id = stamp.Typed[brokenKind]
	_, err := stamp.New[brokenKind](context.Background())
	require.ErrorIs(t, err, stamp.ErrKind)
	require.ErrorContains(t, err, "brokenKind")
	_, err = stamp.NewIn[brokenKind](1)
	require.ErrorIs(t, err, stamp.ErrKind)
	_, err = stamp.AppendNew[brokenKind](context.Background(), nil, 1)
	require.ErrorIs(t, err, stamp.ErrKind)
	_, err = stamp.ParseTyped[brokenKind]("1")
	require.ErrorIs(t, err, stamp.ErrKind)
	_, err = id(1).MarshalJSON()
	require.ErrorIs(t, err, stamp.ErrKind)
	_, err = id(1).Value()
	require.ErrorIs(t, err, stamp.ErrKind)
	var broken id
	require.ErrorIs(t, broken.Scan(int64(1)), stamp.ErrKind)
	require.ErrorIs(t, broken.UnmarshalJSON([]byte(`"1"`)), stamp.ErrKind)
	require.ErrorIs(t, broken.UnmarshalText([]byte(`1`)), stamp.ErrKind)
	require.Equal(t, "invalid ID(5)", id(5).String())
	require.False(t, id(5).Valid())
}

func TestTypedCallsDoNotAllocate(t *testing.T) {
	ctx := context.Background()
	buf := make([]byte, 0, 64)
	text := []byte(orderID(1).String())
	var id orderID
	require.Zero(t, testing.AllocsPerRun(1000, func() { id, _ = stamp.New[orderKind](ctx) }))
	require.Zero(t, testing.AllocsPerRun(1000, func() { buf, _ = id.AppendText(buf[:0]) }))
	require.Zero(t, testing.AllocsPerRun(1000, func() { _ = id.UnmarshalText(text) }))
}
