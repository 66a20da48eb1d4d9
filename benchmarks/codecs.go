package main

import (
	"fmt"
	"strconv"

	"github.com/bwmarrin/snowflake"
	"github.com/jxskiss/base62"

	"github.com/stampid/go-stamp/encode"
)

// numbers are ids as a day makes them in partition 11 of 16. Their texts differ
// in most digits, and have 11 in base62 also where leading zeros are left out.
var numbers = func() (v [1024]uint64) {
	for i := range v {
		v[i] = 6_391_068_275_337_658_368 + uint64(i)*79_190_000_007
	}
	return v
}()

const numberMask = uint64(len(numbers) - 1)

// sorted62 is jxskiss/base62 with the digits that go-stamp writes.
var sorted62 = base62.NewEncoding("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

// appending is a subject that writes numbers into a buffer. The write of a
// number is inside the loop that write has.
func appending(name string, write func(buf []byte, n int) ([]byte, error)) *subject {
	s := &subject{name: name, repeats: true}
	s.worker = func(int) work {
		buf := make([]byte, 0, 64)
		return func(n int) (uint64, error) {
			text, err := write(buf, n)
			return digest(text), err
		}
	}
	return s
}

// stampAppendCoder and stampParseCoder measure the digits alone, like their
// floors; what a configuration adds to them is among the codecs.
func stampAppendCoder(c encode.Coder) *subject {
	return appending("base62 append", func(buf []byte, n int) (_ []byte, err error) {
		for i := range n {
			if buf, err = c.Append(buf[:0], numbers[uint64(i)&numberMask]); err != nil {
				return nil, err
			}
		}
		return buf, nil
	})
}

func stampParseCoder(c encode.Coder) *subject {
	var texts [len(numbers)][]byte
	for i, n := range numbers {
		texts[i] = must(c.Append(nil, n))
	}
	s := shared("base62 decode", func(n int) (last uint64, err error) {
		for i := range n {
			if last, err = c.Parse(texts[uint64(i)&numberMask]); err != nil {
				return 0, err
			}
		}
		return last, nil
	})
	s.repeats = true
	return s
}

func stampTextAppend(t encode.Text, name string) *subject {
	s := appending(name, func(buf []byte, n int) (_ []byte, err error) {
		for i := range n {
			if buf, err = t.Append(buf[:0], numbers[uint64(i)&numberMask]); err != nil {
				return nil, err
			}
		}
		return buf, nil
	})
	s.check = func() error { return readsBack(t) }
	return s
}

func stampTextEncode(t encode.Text, name string) *subject {
	s := &subject{name: name, repeats: true, garbage: true}
	s.worker = func(int) work {
		k := new(sink)
		return func(n int) (_ uint64, err error) {
			for i := range n {
				if k.text, err = t.Encode(numbers[uint64(i)&numberMask]); err != nil {
					return 0, err
				}
			}
			return digest([]byte(k.text)), nil
		}
	}
	s.check = func() error { return readsBack(t) }
	return s
}

func stampTextDecode(t encode.Text, name string) *subject {
	var texts [len(numbers)]string
	for i, n := range numbers {
		texts[i] = must(t.Encode(n))
	}
	s := shared(name, func(n int) (last uint64, err error) {
		for i := range n {
			if last, err = t.Decode(texts[uint64(i)&numberMask]); err != nil {
				return 0, err
			}
		}
		return last, nil
	})
	s.repeats = true
	s.check = func() error { return readsBack(t) }
	return s
}

// readsBack tries all numbers.
func readsBack(t encode.Text) error {
	for _, n := range numbers {
		text, err := t.Encode(n)
		if err != nil {
			return err
		}
		got, err := t.Decode(text)
		if err != nil {
			return err
		}
		if got != n {
			return fmt.Errorf("%q reads as %d, but is %d", text, got, n)
		}
	}
	return nil
}

func jxskissAppend() *subject {
	return appending("jxskiss/base62 append", func(buf []byte, n int) ([]byte, error) {
		for i := range n {
			buf = sorted62.AppendUint(buf[:0], numbers[uint64(i)&numberMask])
		}
		return buf, nil
	})
}

func jxskissParse() *subject {
	var texts [len(numbers)][]byte
	for i, n := range numbers {
		texts[i] = sorted62.FormatUint(n)
	}
	s := shared("jxskiss/base62 parse", func(n int) (last uint64, err error) {
		for i := range n {
			if last, err = sorted62.ParseUint(texts[uint64(i)&numberMask]); err != nil {
				return 0, err
			}
		}
		return last, nil
	})
	s.repeats = true
	return s
}

func strconvAppend() *subject {
	return appending("strconv.AppendUint", func(buf []byte, n int) ([]byte, error) {
		for i := range n {
			buf = strconv.AppendUint(buf[:0], numbers[uint64(i)&numberMask], 10)
		}
		return buf, nil
	})
}

func strconvParse() *subject {
	var texts [len(numbers)]string
	for i, n := range numbers {
		texts[i] = strconv.FormatUint(n, 10)
	}
	s := shared("strconv.ParseUint", func(n int) (last uint64, err error) {
		for i := range n {
			if last, err = strconv.ParseUint(texts[uint64(i)&numberMask], 10, 63); err != nil {
				return 0, err
			}
		}
		return last, nil
	})
	s.repeats = true
	return s
}

func bwmarrinBase58() *subject {
	s := &subject{name: "bwmarrin/snowflake Base58", repeats: true, garbage: true}
	s.worker = func(int) work {
		k := new(sink)
		return func(n int) (uint64, error) {
			for i := range n {
				k.text = snowflake.ID(numbers[uint64(i)&numberMask]).Base58()
			}
			return digest([]byte(k.text)), nil
		}
	}
	return s
}
