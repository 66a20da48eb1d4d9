package encode

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The vectors of the Sqids project, against the library as NewSqids sets it up
// by default: they are lists and numbers that a Coder refuses.
func TestSqidsOfficialVectors(t *testing.T) {
	codec, ok := sqidsOf(t, SqidsOptions{}).(*sqidsCodec)
	require.True(t, ok)
	for text, numbers := range map[string][]uint64{
		"86Rf07":       {1, 2, 3},
		"eIkvoXH40Lmd": {math.MaxUint64},
	} {
		got, err := codec.library.Encode(numbers)
		require.NoError(t, err)
		require.Equal(t, text, got)
		require.Equal(t, numbers, codec.library.Decode(text))
	}

	// A number whose first text is on the default blocklist has the next one,
	// and is read from that alone.
	c := coderOf(t, codec, 63)
	require.Equal(t, []uint64{4572721}, codec.library.Decode("aho1e"))
	require.Equal(t, "JExTR", textOf(t, c, 4572721))
	_, err := parseBoth(t, c, "aho1e")
	require.ErrorIs(t, err, ErrSyntax)

	_, err = parseBoth(t, c, "86Rf07")
	require.ErrorIs(t, err, ErrSyntax, "three numbers")
	_, err = parseBoth(t, c, "eIkvoXH40Lmd")
	require.ErrorIs(t, err, ErrRange)
}

func TestSqidsBothWays(t *testing.T) {
	for _, o := range []SqidsOptions{
		{},
		{MinLength: 12},
		{MinLength: 255},
		{Alphabet: "abc"},
		{Alphabet: "abc", MinLength: 70, Blocklist: []string{}},
		{Alphabet: "0123456789abcdef"},
		{Alphabet: "k3G7QAe51FCsPW92uEOyq4Bg6Sp8YzVTmnU0liwDdHXLajZrfxNhobJIRcMvKt"},
		{Blocklist: []string{}},
		{Alphabet: visibleASCII()},
	} {
		codec := sqidsOf(t, o)
		for _, bits := range []int{1, 53, 63} {
			c := coderOf(t, codec, bits)
			require.Zero(t, c.Width())
			require.False(t, c.Sorts())
			longest := 0
			for _, n := range samples(bits) {
				text := textOf(t, c, n)
				require.GreaterOrEqual(t, len(text), int(o.MinLength))
				longest = max(longest, len(text))
				got, err := parseBoth(t, c, text)
				require.NoError(t, err)
				require.Equal(t, n, got)
			}
			longest = max(longest, len(textOf(t, c, 1<<bits-1)))
			require.Equal(t, c.MaxLen(), longest, "%+v, %d bits", o, bits)
		}
	}
}

func visibleASCII() string {
	var all []byte
	for char := byte('!'); char <= '~'; char++ {
		all = append(all, char)
	}
	return string(all)
}

func TestSqidsInvalid(t *testing.T) {
	c := coderOf(t, sqidsOf(t, SqidsOptions{}), 63)
	text := textOf(t, c, 295913926632165376)
	for _, tt := range []struct {
		text string
		pos  int // -1: any
	}{
		{"", 0},
		{" ", 0},
		{"é", 0},
		{text[:1], -1},
		{text + "!", len(text)},
		{text[:3] + "-" + text[4:], 3},
		{" " + text, 0},
		{text + text, 12},
		{strings.Repeat("z", 11), -1},
		{strings.Repeat("z", 12), -1}, // wraps at 2^64
		{strings.Repeat("z", 1000), 12},
		{"zz*" + strings.Repeat("z", 1000), 2},
	} {
		_, err := parseBoth(t, c, tt.text)
		var typed *Error
		require.ErrorAs(t, err, &typed, "%q", tt.text)
		require.Equal(t, ErrSyntax, typed.Class, "%q", tt.text)
		require.Less(t, typed.Pos, max(len(tt.text), 1), "%q", tt.text)
		if tt.pos >= 0 {
			require.Equal(t, tt.pos, typed.Pos, "%q", tt.text)
		}
	}

	small := coderOf(t, sqidsOf(t, SqidsOptions{}), 53)
	_, err := parseBoth(t, small, text)
	require.ErrorIs(t, err, ErrRange)
	_, err = parseBoth(t, small, textOf(t, c, 1<<53))
	require.ErrorIs(t, err, ErrRange)
	library := c.(*sqidsCoder).library
	zero, err := library.Encode([]uint64{0})
	require.NoError(t, err)
	_, err = parseBoth(t, c, zero)
	require.ErrorIs(t, err, ErrRange)
}

// The library reads a long list in time that grows with the square of its
// length: such a text must not reach it.
func TestSqidsHostileLength(t *testing.T) {
	c := coderOf(t, sqidsOf(t, SqidsOptions{Blocklist: []string{}}), 63)
	hostile, err := c.(*sqidsCoder).library.Encode(make([]uint64, 100_000))
	require.NoError(t, err)
	_, err = c.ParseString(hostile)
	require.ErrorIs(t, err, ErrSyntax)
}

func TestSqidsBlocked(t *testing.T) {
	// The library makes as many attempts as there are letters: a few words
	// block all texts of a number.
	plain := sqidsOf(t, SqidsOptions{Alphabet: "abc", Blocklist: []string{}})
	words := map[string]bool{}
	blocked := []string{}
	for {
		codec := sqidsOf(t, SqidsOptions{Alphabet: "abc", Blocklist: blocked, MinLength: 4})
		c := coderOf(t, codec, 63)
		dst, err := c.Append([]byte("keep"), 1)
		if err != nil {
			require.ErrorIs(t, err, ErrBlocked)
			var typed *Error
			require.ErrorAs(t, err, &typed)
			require.EqualValues(t, 1, typed.Number)
			require.Equal(t, "keep", string(dst))
			break
		}
		word := strings.TrimPrefix(string(dst), "keep")
		require.False(t, words[word], "a blocked text was written")
		words[word] = true
		blocked = append(blocked, word)
		require.Less(t, len(blocked), 100)
	}
	require.NotEmpty(t, blocked)

	// A text that only another blocklist gives isn't read.
	c := coderOf(t, sqidsOf(t, SqidsOptions{Alphabet: "abc", Blocklist: blocked, MinLength: 4}), 63)
	for word := range words {
		_, err := parseBoth(t, c, word)
		require.ErrorIs(t, err, ErrSyntax)
	}
	n, err := parseBoth(t, coderOf(t, plain, 63), textOf(t, coderOf(t, plain, 63), 1))
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

func TestSqidsOptionsAreCopied(t *testing.T) {
	first := textOf(t, coderOf(t, sqidsOf(t, SqidsOptions{}), 63), 1<<40)
	blocklist := []string{first}
	codec := sqidsOf(t, SqidsOptions{Blocklist: blocklist})
	want := textOf(t, coderOf(t, codec, 63), 1<<40)
	require.NotEqual(t, first, want)
	blocklist[0] = want
	require.Equal(t, want, textOf(t, coderOf(t, codec, 63), 1<<40))
}

func TestSqidsConfiguration(t *testing.T) {
	for _, alphabet := range []string{
		"a", "ab", "aba", "abcdefga", "ab ", "ab\n", "ab\x00", "ab\x7f", "abé", "ab\xff", "日本語", strings.Repeat("x", 1000),
	} {
		codec, err := NewSqids(SqidsOptions{Alphabet: alphabet})
		require.ErrorIs(t, err, ErrCodec, "%q", alphabet)
		require.Nil(t, codec)
	}
	_, err := NewSqids(SqidsOptions{Alphabet: "\n\n"})
	require.ErrorContains(t, err, "below 3")
	require.ErrorContains(t, err, "0x0a at 0")
	require.ErrorContains(t, err, "0x0a at 1")

	codec := sqidsOf(t, SqidsOptions{})
	require.Equal(t, "sqids", codec.Name())
	for _, bits := range []int{-1, 0, 64} {
		_, err := codec.Coder(bits)
		require.ErrorIs(t, err, ErrBits)
	}

	text, err := NewText(codec, "sq_", 63)
	require.NoError(t, err)
	got, err := text.Encode(295913926632165376)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(got, "sq_"))
	n, err := text.Decode(got)
	require.NoError(t, err)
	require.Equal(t, uint64(295913926632165376), n)
}

// Every single-byte change of a text is refused or another number's text.
func TestSqidsEveryCorruption(t *testing.T) {
	c := coderOf(t, sqidsOf(t, SqidsOptions{MinLength: 14}), 63)
	text := textOf(t, c, 123456789)
	for i := range len(text) {
		for char := range 256 {
			changed := []byte(text)
			changed[i] = byte(char)
			n, err := parseBoth(t, c, string(changed))
			if err == nil && !slices.Equal(changed, []byte(text)) {
				require.NotEqualValues(t, 123456789, n, "%q", changed)
			}
		}
	}
}
