package sequence

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A sequence is two cache lines: what is read, and what is contended for. They
// must be lines in memory too, so the allocator has to align them.
func TestSequenceIsTwoCacheLines(t *testing.T) {
	const line = 64
	var s Sequence
	require.EqualValues(t, 2*line, unsafe.Sizeof(s))
	require.EqualValues(t, line, unsafe.Offsetof(s.word))
	for name, offset := range map[string]uintptr{
		"gate": unsafe.Offsetof(s.gate), "limit": unsafe.Offsetof(s.limit), "lane": unsafe.Offsetof(s.lane),
		"space": unsafe.Offsetof(s.space), "system": unsafe.Offsetof(s.system), "base": unsafe.Offsetof(s.base),
		"mask": unsafe.Offsetof(s.mask), "nodeBits": unsafe.Offsetof(s.nodeBits),
	} {
		require.Less(t, offset, uintptr(line), name)
	}
	made := make([]*Sequence, 1000)
	for i := range made {
		made[i] = new(Sequence)
		require.Zero(t, uintptr(unsafe.Pointer(made[i]))%line)
	}
	runtime.KeepAlive(made)
}
