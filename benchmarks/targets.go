package main

import (
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/stamp"
)

// target is a row that go-stamp holds itself to: subject in multiples of
// floor, at most limit.
type target struct {
	pair
	limit float64
}

func targets() []target {
	var rows []target
	add := func(name string, limit float64, goroutines int, subject, floor *subject) {
		rows = append(rows, target{pair{name, goroutines, subject, floor}, limit})
	}

	small := stamp.Layout{Time: 41, Sequence: 22}
	fast := stampNext(options())
	add("Generator.Next", 2.2, 1, fast, atomicAdd())
	add("Generator.Next", 1.8, 2, fast, atomicAdd())
	add("Generator.Next, same layout", 0.25, 16, stampNext(layout(small)), newBwmarrin("bwmarrin/snowflake, 22 bits", 0, 22))

	slow, clockAndAdd := stampNext(portable(options())), monotonicAdd()
	for _, goroutines := range []int{1, 2, 16} {
		add("Generator.Next, portable", 1.2, goroutines, slow, clockAndAdd)
	}
	add("Generator.Next, portable, same layout", 0.5, 16, stampNext(portable(layout(small))), newBwmarrin("bwmarrin/snowflake, 22 bits", 0, 22))

	one := must(stamp.NewConfig(options()))
	add("stamp.Next, the only sequence id", 1, 1,
		stampByID(one, sequenceID), nextAndAdds(generator(options())))
	many, last := manyIDs(100)
	add("stamp.Next, one of 100 sequence ids", 1, 1,
		stampByID(many, last), nextAndAdds(generator(options())))

	add("Generator.Append, 1000 ids, per id", 0.08, 1, stampAppend(options()), atomicAdd())

	add("segment chain, step 1000", 1.3, 1, segmentNext(), atomicAdd())
	add("segment chain, step 1000", 1.5, 2, segmentNext(), atomicAdd())
	add("segment.Append, 1000 ids, per id", 0.08, 1, segmentAppend(), atomicAdd())

	coder := must(encode.Base62.Coder(63))
	add("base62 append, fixed width", 0.45, 1, stampAppendCoder(coder), jxskissAppend())
	add("base62 decode, every check", 0.75, 1, stampParseCoder(coder), jxskissParse())
	prefixed := must(encode.NewText(encode.Base62, "ord_", 63))
	add("prefix + base62 to string", 1.9, 1, stampTextEncode(prefixed, "base62 encode"), stringOf16())
	return rows
}

// floorPairs shows each floor in multiples of the atomic add.
func floorPairs() []pair {
	var pairs []pair
	add := atomicAdd()
	for _, s := range []*subject{
		swapLoop(), mutexCounter(), monotonicClock(), monotonicAdd(), wallClock(), wallSwap(), stringOf16(),
	} {
		for _, goroutines := range []int{1, 2, 16} {
			pairs = append(pairs, pair{s.name, goroutines, s, add})
		}
	}
	return pairs
}

// codecPairs has other libraries as subjects and go-stamp as floor.
func codecPairs() []pair {
	text := func(c encode.Codec) encode.Text { return must(encode.NewText(c, "", 63)) }
	base62, decimal := text(encode.Base62), text(encode.Decimal)
	prefixed := must(encode.NewText(encode.Base62, "ord_", 63))
	return []pair{
		{"base62 append", 1, jxskissAppend(), stampTextAppend(base62, "base62 append")},
		{"base62 append, with prefix", 1, jxskissAppend(), stampTextAppend(prefixed, "prefix append")},
		{"base62 append, no zeros", 1, jxskissAppend(), stampTextAppend(text(encode.Base62Compact), "compact append")},
		{"base62 decode", 1, jxskissParse(), stampTextDecode(base62, "base62 decode")},
		{"base62 decode, with prefix", 1, jxskissParse(), stampTextDecode(prefixed, "prefix decode")},
		{"base62 decode, no zeros", 1, jxskissParse(), stampTextDecode(text(encode.Base62Compact), "compact decode")},
		{"decimal append", 1, strconvAppend(), stampTextAppend(decimal, "decimal append")},
		{"decimal decode", 1, strconvParse(), stampTextDecode(decimal, "decimal decode")},
		{"base58 to string", 1, bwmarrinBase58(), stampTextEncode(text(encode.Base58), "base58 encode")},
	}
}
