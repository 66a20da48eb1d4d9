package node

import (
	"math"
	"strconv"
)

// bounds is what texts must be. The layout's node bits are a narrower bound,
// which is checked where the layout is known.
const bounds = "a decimal number from 0 to 18446744073709551615, without sign, spaces or leading zeros"

// none goes with an error. No layout has room for it, so that a caller who
// overlooks the error isn't node 0, which is another process.
const none = Static(math.MaxUint64)

// parse reads a number in the one way that it can be written.
func parse(text string) (Static, bool) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return none, false
	}
	return Static(n), true
}
