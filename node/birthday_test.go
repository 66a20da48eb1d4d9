package node_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// processesUntil is the fewest processes with random numbers of so many bits
// of which two share a number with at least that probability.
func processesUntil(probability float64, bits int) int {
	numbers := math.Ldexp(1, bits)
	apart := 1.0 // the probability that all numbers so far differ
	processes := 0
	for 1-apart < probability {
		apart *= (numbers - float64(processes)) / numbers
		processes++
	}
	return processes
}

func TestBirthdays(t *testing.T) {
	require.Equal(t, 38, processesUntil(0.5, 10))

	// The table in doc.go.
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^//\s+(\d+)\s+([\d,]+)\s+(\d+)\s+(\d+)$`).FindAllStringSubmatch(string(doc), -1)
	require.Len(t, rows, 4)
	for _, row := range rows {
		bits, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(1<<bits), strings.ReplaceAll(row[2], ",", ""))
		require.Equal(t, fmt.Sprint(processesUntil(0.01, bits)), row[3], "1 %% at %d bits", bits)
		require.Equal(t, fmt.Sprint(processesUntil(0.5, bits)), row[4], "50 %% at %d bits", bits)
	}
}

func TestBirthdays_addresses(t *testing.T) {
	low10 := func(c, d int) int { return (c<<8 | d) & (1<<10 - 1) }
	require.Equal(t, low10(1, 7), low10(5, 7)) // 10.0.1.7 and 10.0.5.7
}
