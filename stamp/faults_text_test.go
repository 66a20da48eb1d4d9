package stamp_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/stamp"
)

func withText(t *testing.T, codec encode.Codec, prefix string) *stamp.Config {
	t.Helper()
	o, _ := isolated()
	o.Codec, o.Prefix = codec, prefix
	return newConfig(t, o)
}

// Codecs are unpadded: base62 texts of the default layout become longer, and
// so sort wrongly, at 2026-08-30T06:14:32.940Z.
func TestF6_TextsSort(t *testing.T) {
	boundary := time.Date(2026, 8, 30, 6, 14, 32, 940_000_000, time.UTC)
	texts := map[encode.Standard][]string{}
	for _, codec := range []encode.Standard{encode.Base62, encode.Base58, encode.Base36, encode.Base32, encode.Hex, encode.DecimalPadded, encode.Base62Compact} {
		c := newConfig(t, stamp.Options{Node: node.Static(127), Codec: codec})
		for d := -5; d <= 5; d++ {
			at := c.Timescale().Units(boundary.Add(time.Duration(d) * time.Millisecond))
			id, err := c.Compose(stamp.Parts{Time: uint64(at), Node: 127, Sequence: 1<<15 - 1})
			require.NoError(t, err)
			text, err := c.Encode(id)
			require.NoError(t, err)
			texts[codec] = append(texts[codec], text)
		}
		require.Equal(t, codec != encode.Base62Compact, slices.IsSorted(texts[codec]), codec)
	}
}

// Decode has no range check.
func TestF7_TextsOfNumbersOutsideTheLayoutAreRefused(t *testing.T) {
	c := withText(t, encode.Base62, "")
	for _, text := range []string{"zzzzzzzzzzz", "AzL8n0Y58m8", "00000000000"} {
		id, err := c.Decode(text)
		require.ErrorIs(t, err, stamp.ErrRange, text)
		require.Zero(t, id)
	}
	o, _ := isolated()
	o.Layout, o.Codec = stamp.Layout{Time: 41, Sequence: 12}, encode.Decimal
	c = newConfig(t, o)
	id, err := c.Decode("9007199254740991")
	require.NoError(t, err)
	require.EqualValues(t, 1<<53-1, id)
	_, err = c.Decode("9007199254740992")
	require.ErrorIs(t, err, stamp.ErrRange)
	_, err = c.Encode(1 << 53)
	require.ErrorIs(t, err, stamp.ErrRange)
	for _, id := range []stamp.ID{1 << 53, 0, -1} {
		_, err = c.Unpack(id)
		require.ErrorIs(t, err, stamp.ErrOutOfRange)
		_, err = c.Time(id)
		require.ErrorIs(t, err, stamp.ErrOutOfRange)
		_, err = c.Encode(id)
		require.ErrorIs(t, err, stamp.ErrRange)
		dst, err := c.AppendEncode([]byte("kept"), id)
		require.ErrorIs(t, err, stamp.ErrRange)
		require.Equal(t, "kept", string(dst))
	}
}

func TestF7_NegativeIDIsNamedAsSuch(t *testing.T) {
	c := withText(t, encode.Base62, "")
	_, err := c.Encode(-5)
	require.ErrorContains(t, err, "-5")
	_, err = c.AppendEncode(nil, -5)
	require.ErrorContains(t, err, "-5")
}

// The decimal codec accepts -5, +5, 0005 and the empty text.
func TestF8_DecimalIsStrict(t *testing.T) {
	c := withText(t, encode.Decimal, "")
	for _, text := range []string{"-5", "+5", "0005", "", " 5", "5 ", "5\n", "5.0", "0x5", "5_0", "٥", "５"} {
		_, err := c.Decode(text)
		require.ErrorIs(t, err, stamp.ErrSyntax, "%q", text)
		_, err = c.DecodeBytes([]byte(text))
		require.ErrorIs(t, err, stamp.ErrSyntax, "%q", text)
	}
	id, err := c.Decode("5")
	require.NoError(t, err)
	require.EqualValues(t, 5, id)
}

// Several texts decode to one id. Here each changed byte is another id or an
// error.
func TestF9_OneTextPerID(t *testing.T) {
	for _, codec := range []encode.Codec{encode.Base62, encode.Base58, encode.Base36, encode.Base36Lower, encode.Base32, encode.Hex, encode.Decimal, encode.DecimalPadded, encode.Base62Compact, encode.Base58Compact} {
		c := withText(t, codec, "ord_")
		const id = stamp.ID(295913926632165376)
		text, err := c.Encode(id)
		require.NoError(t, err)
		for i := range len(text) {
			for b := range 256 {
				changed := []byte(text)
				changed[i] = byte(b)
				got, err := c.DecodeBytes(changed)
				if err != nil {
					require.Zero(t, got)
					continue
				}
				again, err := c.Encode(got)
				require.NoError(t, err)
				require.Equal(t, string(changed), again, codec)
				require.Equal(t, string(changed) == text, got == id, codec)
			}
		}
		for _, longer := range []string{"0" + text, "ord_0" + text[4:], "ord_1" + text[4:], text + "=", text + "0", "ord_" + text} {
			if got, err := c.Decode(longer); err == nil {
				require.NotEqual(t, id, got, "%s %s", codec.Name(), longer)
			}
		}
	}
}

// Any prefix goes, also one that makes texts of two types ambiguous.
func TestF10_PrefixRule(t *testing.T) {
	for _, prefix := range []string{"a", "ab", "_", "1_", "A_", "Ord_", "or-d_", "ord", "é_", " ord_", "ord__x"} {
		o, _ := isolated()
		o.Codec, o.Prefix = encode.Base62, prefix
		_, err := stamp.NewConfig(o)
		require.ErrorIs(t, err, stamp.ErrPrefix, prefix)
	}
	o, _ := isolated()
	o.Prefix = "ord_"
	_, err := stamp.NewConfig(o)
	require.ErrorIs(t, err, encode.ErrCodec, "a prefix needs a codec")

	c := withText(t, encode.Base62, "ord_")
	text, err := c.Encode(1)
	require.NoError(t, err)
	require.Equal(t, "ord_00000000001", text)
	for _, text := range []string{"00000000001", "usr_00000000001", "Ord_00000000001", "ord00000000001", "ord", ""} {
		_, err := c.Decode(text)
		require.ErrorIs(t, err, stamp.ErrPrefix, text)
	}
}

// Node and partition functions run again on each swap retry.
func TestF13_NodeAndPartitionAreAskedOncePerCall(t *testing.T) {
	o, _ := partitioned()
	o.Layout = stamp.Layout{Partition: 3, Time: 56, Node: 3, Sequence: 1} // overflows at each second id
	nodes, partitions := 0, 0
	o.Node = node.Func(func(ctx context.Context) (uint64, error) {
		require.NotNil(t, ctx)
		nodes++
		return 5, nil
	})
	o.Partition = func(ctx context.Context) (uint64, error) {
		require.NotNil(t, ctx)
		partitions++
		return 6, nil
	}
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	require.Zero(t, nodes+partitions, "making a handle asks nothing")
	in, err := g.In(2)
	require.NoError(t, err)
	var nilContext context.Context
	ctx := context.Background()
	for name, call := range map[string]func() error{
		"Next":            func() error { _, err := stamp.Next("orders", c); return err },
		"NextContext":     func() error { _, err := stamp.NextContext(ctx, "orders", c); return err },
		"NextContext nil": func() error { _, err := stamp.NextContext(nilContext, "orders", c); return err },
		"g.Next":          func() error { _, err := g.Next(); return err },
		"g.NextContext":   func() error { _, err := g.NextContext(ctx); return err },
		"g.NextAt":        func() error { _, err := g.NextAt(start); return err },
		"g.Append":        func() error { _, err := g.Append(ctx, nil, 1000); return err },
		"g.Append nil":    func() error { _, err := g.Append(nilContext, nil, 1000); return err },
		"dropped":         func() error { c.Registry().Drop("orders"); _, err := g.Next(); return err },
	} {
		nodes, partitions = 0, 0
		require.NoError(t, call(), name)
		require.Equal(t, []int{1, 1}, []int{nodes, partitions}, name)
	}
	for name, call := range map[string]func() error{
		"NextIn":    func() error { _, err := stamp.NextIn("orders", c, 2); return err },
		"in.Next":   func() error { _, err := in.Next(); return err },
		"in.Append": func() error { _, err := in.Append(ctx, nil, 9); return err },
	} {
		nodes, partitions = 0, 0
		require.NoError(t, call(), name)
		require.Equal(t, []int{1, 0}, []int{nodes, partitions}, "%s: the partition is named", name)
	}
}
