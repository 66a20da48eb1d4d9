//go:build purego || !(amd64 || arm64)

package counter

const (
	// Exists tells whether Read reads anything.
	Exists = false
	// Default tells whether it is to be used where nobody asked for it.
	Default = false
)

// Read returns 0.
func Read() uint64 { return 0 }

// Invariant returns false.
func Invariant() bool { return false }
