package telemetry_test

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/stampid/go-stamp/telemetry"
)

func ExampleSubscribe() {
	cancel := telemetry.Subscribe(func(e telemetry.Overflow) {
		fmt.Printf("%s is %v ahead\n", e.SequenceID, e.Ahead)
	})
	defer cancel()

	// A sequence that overflows does this:
	telemetry.Emit(nil, telemetry.Overflow{SequenceID: "orders", Count: 1, Ahead: 3 * time.Millisecond})
	// Output: orders is 3ms ahead
}

func ExampleNewSlogListener() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	listener := telemetry.NewSlogListener(logger, telemetry.SlogOptions{Interval: time.Minute})

	// Set it as the Listener of a configuration, or process-wide:
	cancel := telemetry.SubscribeListener(listener)
	defer cancel()

	for range 1000 {
		telemetry.Emit(nil, telemetry.Ahead{SequenceID: "orders", Threshold: time.Second, Ahead: time.Second})
	}
	// Output:
	// level=WARN msg="stamp: sequence is ahead of the clock" sequence=orders node=0 partition=0 threshold=1s ahead=1s
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
