package node_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/node"
)

// The figures of the guide are those of the code.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../docs/node-numbers.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (\d+)[^|]* \| ([\d,]+) \|$`).FindAllStringSubmatch(string(guide), -1)
	require.Len(t, rows, 4)
	for _, row := range rows {
		width, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		layout := bits.Layout{Time: 41, Node: width, Sequence: 22 - width}
		require.NoError(t, layout.Validate())
		require.Equal(t, fmt.Sprint(layout.MaxNode()+1), strings.ReplaceAll(row[2], ",", ""))
	}
	require.Contains(t, string(guide), fmt.Sprintf("| %d (the default layout) |", bits.Default().Layout.Node))
	require.Contains(t, string(guide), fmt.Sprintf("two of %d processes", processesUntil(0.5, 10)))
}

// What comes with an error fits no layout, not even the one with most nodes.
func TestNoLayoutHasRoomForAnOverlookedError(t *testing.T) {
	widest := bits.Layout{Time: 1, Node: 61, Sequence: 1}
	require.NoError(t, widest.Validate())
	n, err := node.FromOrdinal("orders", "orders")
	require.Error(t, err)
	require.Greater(t, uint64(n), widest.MaxNode())
}
