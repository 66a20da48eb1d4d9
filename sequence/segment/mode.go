package segment

import "fmt"

// Mode says when the next segment is fetched. The zero value is for Chain.
type Mode uint8

const (
	// Chain fetches in the background to stay SafeDistance segments ahead,
	// and doubles that distance when callers find no number left.
	Chain Mode = iota + 1
	// DoubleBuffer fetches one spare segment in the background when the
	// current one falls below Threshold, or sooner when what is left wouldn't
	// last as long as a fetch takes.
	DoubleBuffer
	// Sync fetches a segment when a caller finds none.
	Sync
)

func (m Mode) String() string {
	switch m {
	case 0, Chain:
		return "chain"
	case DoubleBuffer:
		return "double buffer"
	case Sync:
		return "sync"
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}
