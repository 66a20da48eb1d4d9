package lint

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// linked are the modules that a program which makes ids may link.
var linked = []string{
	"github.com/cespare/xxhash/v2",
	"github.com/jxskiss/base62",
	"github.com/sqids/sqids-go",
	"golang.org/x/exp",
}

// optional are the modules that only packages which stamp doesn't import may
// use.
var optional = []string{
	"github.com/beevik/ntp",
}

// tested are the modules that only tests may use, and packages for tests.
var tested = []string{
	"github.com/stretchr/testify",
}

func TestRootModuleRequires(t *testing.T) {
	allowed := slices.Concat(linked, optional, tested)
	mod := readGoMod(t)
	require.Equal(t, rootModule, mod.Module.Path)
	require.Empty(t, mod.Replace, "go.mod of the root has a replace directive")
	require.Empty(t, mod.Exclude, "go.mod of the root has an exclude directive")
	require.NotEmpty(t, mod.Require)
	for _, r := range mod.Require {
		if !r.Indirect && !slices.Contains(allowed, r.Path) {
			t.Errorf("go.mod of the root must not require %s: it belongs into a nested module", r.Path)
		}
		if r.Path == "github.com/sqids/sqids-go" && r.Version != "v0.4.1" {
			t.Errorf("go.mod of the root requires %s %s: its texts are a format, so it stays at v0.4.1", r.Path, r.Version)
		}
	}
}

// goMod is what go mod edit -json prints, as far as it is used here.
type goMod struct {
	Module  struct{ Path string }
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Replace, Exclude []json.RawMessage
}

func readGoMod(t *testing.T) goMod {
	t.Helper()
	file := filepath.Join(root, "go.mod")
	_, err := os.ReadFile(file) // so that a cached result depends on it
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", file).Output()
	require.NoError(t, err)
	var mod goMod
	require.NoError(t, json.Unmarshal(out, &mod))
	return mod
}
