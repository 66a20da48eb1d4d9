package stamp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

var receipts = stamp.MustGenerator("receipts", stamp.MustConfig(stamp.Options{
	Source: must(segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace: "shop", Generators: map[string]segment.Options{"receipts": {Mode: segment.Sync}},
	})),
	Layout: stamp.Layout{Partition: 4, Sequence: 49}, // 53 bits
	Codec:  encode.Base62, Prefix: "rec_",
}))

type receiptKind struct{}

func (receiptKind) Stamp() *stamp.Generator { return receipts }

type receiptID = stamp.Typed[receiptKind]

func TestTypedIDsOfASource(t *testing.T) {
	first, err := stamp.NewIn[receiptKind](3)
	require.NoError(t, err)
	second, err := stamp.NewIn[receiptKind](3)
	require.NoError(t, err)
	require.Equal(t, first+1, second)
	require.Equal(t, receiptID(3<<49+1), first)
	require.Equal(t, "rec_7jZ9EF1Un", first.String())
	text, err := json.Marshal(first)
	require.NoError(t, err)
	var back receiptID
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, first, back)
	require.Error(t, json.Unmarshal([]byte("5"), &back), "it has a codec")
	_, err = stamp.New[receiptKind](background)
	require.ErrorIs(t, err, stamp.ErrNoPartition)

	types, err := stamp.NewTypes(stamp.Type{Name: "order", Config: orders.Config()}, stamp.Type{Name: "receipt", Config: receipts.Config()})
	require.NoError(t, err)
	found, id, err := types.Decode(first.String())
	require.NoError(t, err)
	require.Equal(t, "receipt", found.Name)
	require.Equal(t, first.ID(), id)
}
