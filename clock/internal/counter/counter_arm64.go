//go:build !purego

package counter

const (
	// Exists tells whether Read reads anything.
	Exists = true
	// Default tells whether it is to be used where nobody asked for it. It was
	// only run on an emulated processor of this architecture.
	Default = false
)

// Read returns the counter.
//
//go:noescape
func Read() uint64

// Invariant tells whether the counter's rate is constant. That of the generic
// timer is, by the architecture. (Arm Architecture Reference Manual, "The Generic
// Timer in AArch64 state".)
func Invariant() bool { return true }
