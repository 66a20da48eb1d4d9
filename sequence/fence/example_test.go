package fence_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
)

// A process that is killed, and started again while its clock says that it is
// an hour earlier. Ids go on above those that were made.
func Example() {
	folder, err := os.MkdirTemp("", "fence")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()

	noon := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	start := func(now time.Time) (stamp.ID, *fence.Fence, error) {
		f, err := fence.File(folder, fence.Options{Space: "orders-prod", Start: fence.BeginAtBound, Cap: 2 * time.Hour})
		if err != nil {
			return 0, nil, err
		}
		cfg, err := stamp.NewConfig(stamp.Options{
			Node: node.Static(3), Fence: f, Clock: clock.NewManual(now), Registry: sequence.NewRegistry(),
		})
		if err != nil {
			return 0, nil, err
		}
		id, err := stamp.Next("orders", cfg)
		return id, f, err
	}

	first, killed, err := start(noon)
	fmt.Println(err)
	second, f, err := start(noon.Add(-time.Hour))
	fmt.Println(second > first, err)
	fmt.Println(f.Close(context.Background()))
	_ = killed.Close(context.Background()) // for the example's goroutine: it has lost the record
	// Output:
	// <nil>
	// true <nil>
	// <nil>
}
