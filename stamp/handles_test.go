package stamp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

// A configuration keeps handles for its sequence ids. Ids that want the same
// place must not get each other's sequence.
func TestSequenceIDsThatShareAPlaceAreSeparate(t *testing.T) {
	o, _ := isolated()
	c := newConfig(t, o)
	// Far more names than places, so that many collide; these two pairs do,
	// and so do any two with the same length, first, middle and last byte.
	names := []string{"customers", "posts", "payments", "tags", "orders_2024_x", "orders_9024_x"}
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			names = append(names, string([]rune{a, b}))
		}
	}
	first := map[string]stamp.ID{}
	for _, name := range names {
		first[name] = next(t, name, c)
	}
	require.Equal(t, len(names), c.Registry().Len())
	for _, name := range names {
		require.Equal(t, first["posts"], first[name], "the first id of %q", name)
		require.Equal(t, first[name]+1, next(t, name, c), "the second id of %q", name)
	}
}
