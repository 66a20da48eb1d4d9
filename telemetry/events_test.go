package telemetry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/telemetry"
)

func TestStepKindString(t *testing.T) {
	for kind, want := range map[telemetry.StepKind]string{
		telemetry.StepBack:     "back",
		telemetry.StepHeld:     "held",
		telemetry.StepFollowed: "followed",
		0:                      "StepKind(0)",
		255:                    "StepKind(255)",
	} {
		require.Equal(t, want, kind.String())
	}
}
