package node

import (
	"errors"
	"fmt"
)

var (
	// ErrUnset says that an environment variable isn't set. See [EnvError].
	ErrUnset = errors.New("node: environment variable not set")
	// ErrNumber says that the value of an environment variable isn't a node
	// number. See [EnvError].
	ErrNumber = errors.New("node: not a node number")
	// ErrHost says that a host name isn't that of a replica of the stateful
	// set. See [HostError].
	ErrHost = errors.New("node: not the host name of a replica")
)

// EnvError matches [ErrUnset] if the variable isn't set, otherwise
// [ErrNumber].
type EnvError struct {
	Name  string
	Value string
	Unset bool
}

func (e *EnvError) Error() string {
	if e.Unset {
		return fmt.Sprintf("node: environment variable %q is not set, want %s", e.Name, bounds)
	}
	return fmt.Sprintf("node: environment variable %q is %q, want %s", e.Name, e.Value, bounds)
}

// Is reports whether target is the sentinel that applies.
func (e *EnvError) Is(target error) bool {
	return target == ErrUnset && e.Unset || target == ErrNumber && !e.Unset
}

// HostError matches [ErrHost].
type HostError struct {
	Set, Host string
	Why       string // what is wrong with them
}

func (e *HostError) Error() string {
	return fmt.Sprintf("node: host name %q of stateful set %q: %s", e.Host, e.Set, e.Why)
}

// Is reports whether target is [ErrHost].
func (e *HostError) Is(target error) bool { return target == ErrHost }
