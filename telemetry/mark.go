package telemetry

import (
	"reflect"
	"runtime"
)

// A goroutine has no storage of its own that a library may use, but it has its
// call stack. mark writes a subscriber's number there, one frame for each
// binary digit: frames of markOne and markZero above one of mark, the lowest
// digit first. marked reads it back with runtime.Callers.
//
// Each of these functions must be a frame of its own and have nothing inlined
// into it, hence noinline on all of them.

// mark makes the call with number on the stack. Number is at least 1.
//
//go:noinline
func mark(number uint64, c call) {
	markRest(number, c)
}

//go:noinline
func markOne(rest uint64, c call) {
	markRest(rest, c)
}

//go:noinline
func markZero(rest uint64, c call) {
	markRest(rest, c)
}

//go:noinline
func markRest(rest uint64, c call) {
	switch {
	case rest == 0:
		c.call()
	case rest&1 == 1:
		markOne(rest>>1, c)
	default:
		markZero(rest>>1, c)
	}
}

// marked tells whether this goroutine is inside mark(number, …). It walks the
// whole stack, however deep.
func marked(number uint64) bool {
	var array [64]uintptr
	stack := array[:]
	n := runtime.Callers(0, stack)
	for n == len(stack) {
		stack = make([]uintptr, 4*len(stack))
		n = runtime.Callers(0, stack)
	}

	end := reflect.ValueOf(mark).Pointer()
	one := reflect.ValueOf(markOne).Pointer()
	zero := reflect.ValueOf(markZero).Pointer()
	var read uint64 // from the innermost frame outwards: the highest digit first
	for _, pc := range stack[:n] {
		// Callers gives return addresses; the call is before them.
		switch runtime.FuncForPC(pc - 1).Entry() {
		case one:
			read = read<<1 | 1
		case zero:
			read <<= 1
		case end:
			if read == number {
				return true
			}
			read = 0
		}
	}
	return false
}
