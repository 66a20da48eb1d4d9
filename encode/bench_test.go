package encode

import (
	"testing"

	jxskiss "github.com/jxskiss/base62"
)

// Results go to package variables, so that no call is optimised away.
var (
	sinkBytes  []byte
	sinkNumber uint64
	sinkString string
)

// benched is how many numbers take turns: a constant power of two, so that
// taking turns costs no division.
const benched = 256

// benchNumbers are spread over all 63 bits.
func benchNumbers() []uint64 {
	numbers := make([]uint64, benched)
	n := uint64(1)
	for i := range numbers {
		n = n*6364136223846793005 + 1442695040888963407
		numbers[i] = n >> 1
	}
	return numbers
}

func benchText(b *testing.B, codec Codec, prefix string) Text {
	t, err := NewText(codec, prefix, 63)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func benchCoder(b *testing.B, codec Codec) Coder {
	c, err := codec.Coder(63)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkAppend sets Base62 beside the library it is measured against.
func BenchmarkAppend(b *testing.B) {
	numbers := benchNumbers()
	buf := make([]byte, 0, 64)
	b.Run("floor-jxskiss", func(b *testing.B) {
		enc := jxskiss.NewEncoding(digits62.digits)
		for i := uint(0); b.Loop(); i++ {
			sinkBytes = enc.AppendUint(buf, numbers[i%benched])
		}
	})
	for _, codec := range []Standard{Base62, Base58, Base36, Base32, Decimal, DecimalPadded, Base62Compact, Base58Compact} {
		c := benchCoder(b, codec)
		b.Run(codec.Name(), func(b *testing.B) {
			for i := uint(0); b.Loop(); i++ {
				sinkBytes, _ = c.Append(buf, numbers[i%benched])
			}
		})
	}
}

// BenchmarkParse sets Base62 beside the library it is measured against, which
// checks digits only.
func BenchmarkParse(b *testing.B) {
	numbers := benchNumbers()
	b.Run("floor-jxskiss", func(b *testing.B) {
		enc := jxskiss.NewEncoding(digits62.digits)
		texts := make([][]byte, len(numbers))
		for i, n := range numbers {
			texts[i] = enc.FormatUint(n)
		}
		for i := uint(0); b.Loop(); i++ {
			sinkNumber, _ = enc.ParseUint(texts[i%benched])
		}
	})
	for _, codec := range []Standard{Base62, Base58, Base36, Base32, Decimal, DecimalPadded, Base62Compact, Base58Compact} {
		c := benchCoder(b, codec)
		texts := make([][]byte, len(numbers))
		for i, n := range numbers {
			texts[i], _ = c.Append(nil, n)
		}
		b.Run(codec.Name(), func(b *testing.B) {
			for i := uint(0); b.Loop(); i++ {
				sinkNumber, _ = c.Parse(texts[i%benched])
			}
		})
	}
}

// BenchmarkText sets prefix and codec beside the allocation of the string.
func BenchmarkText(b *testing.B) {
	numbers := benchNumbers()
	b.Run("floor-string16", func(b *testing.B) {
		text := []byte("ord_0LrHucXALbs0")
		for b.Loop() {
			sinkString = string(text)
		}
	})
	for _, codec := range []Standard{Base62, Base58, Decimal} {
		t := benchText(b, codec, "test_")
		b.Run("encode-"+codec.Name(), func(b *testing.B) {
			for i := uint(0); b.Loop(); i++ {
				sinkString, _ = t.Encode(numbers[i%benched])
			}
		})
		texts := make([]string, len(numbers))
		for i, n := range numbers {
			texts[i], _ = t.Encode(n)
		}
		b.Run("decode-"+codec.Name(), func(b *testing.B) {
			for i := uint(0); b.Loop(); i++ {
				sinkNumber, _ = t.Decode(texts[i%benched])
			}
		})
	}
}
