//go:build !race

package stamp_test

const raceEnabled = false
