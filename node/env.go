package node

import "os"

// FromEnv returns the number that the environment variable name holds now, in
// decimal without sign, spaces or leading zeros. Later changes of the variable
// don't matter.
//
// The error is an [*EnvError]. The number that comes with it fits no layout,
// so a configuration refuses it.
func FromEnv(name string) (Static, error) {
	value, set := os.LookupEnv(name)
	n, ok := parse(value)
	if !ok {
		return none, &EnvError{Name: name, Value: value, Unset: !set}
	}
	return n, nil
}
