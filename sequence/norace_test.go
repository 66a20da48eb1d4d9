//go:build !race

package sequence_test

const raceEnabled = false
