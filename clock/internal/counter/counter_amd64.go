//go:build !purego

package counter

const (
	// Exists tells whether Read reads anything.
	Exists = true
	// Default tells whether it is to be used where nobody asked for it: what it
	// costs and keeps was measured on this architecture.
	Default = true
)

// Read returns the counter.
//
//go:noescape
func Read() uint64

// Invariant tells whether the processor says that the counter's rate is constant,
// in all states of power and frequency. (CPUID leaf 0x80000007, bit 8 of EDX;
// AMD64 Architecture Programmer's Manual, volume 3, appendix E.4.6; Intel
// Software Developer's Manual, volume 3, "Invariant TSC".)
func Invariant() bool
