package lint

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that imports the library and nothing else links the standard
// library, packages of the root module, and modules from a short list with
// what those need themselves: no test helper, no driver.
func TestConsumerLinks(t *testing.T) {
	const library = rootModule + "/stamp"
	findPackages(t) // reads the files on which a cached result depends

	needed := dependencies(t, library)
	require.Contains(t, needed, dependency{library, rootModule})
	allowed := map[dependency]bool{}
	for _, d := range needed {
		if !slices.Contains(linked, d.module) {
			continue
		}
		for _, below := range dependencies(t, d.path) {
			allowed[below] = true
		}
	}
	for _, d := range needed {
		if d.module != "" && d.module != rootModule && !allowed[d] {
			t.Errorf("a program that imports %s would link %s of module %s", library, d.path, d.module)
		}
	}
}

// Nor does it link network code. The NTP watch does, which shows that the test
// would find it.
func TestConsumerLinksNoNetwork(t *testing.T) {
	findPackages(t)
	stamp := dependencies(t, rootModule+"/stamp")
	watch := dependencies(t, rootModule+"/clock/ntpwatch")
	for _, unwanted := range []string{"net", "github.com/beevik/ntp", "golang.org/x/net", "golang.org/x/sys"} {
		is := func(d dependency) bool { return within(d.path, unwanted) }
		require.False(t, slices.ContainsFunc(stamp, is), unwanted)
		require.True(t, slices.ContainsFunc(watch, is), unwanted)
	}
}

// dependency is a package that is linked. Those of the standard library have no
// module.
type dependency struct {
	path, module string
}

// dependencies returns the package and what it links. The workspace is left
// aside, as it is for a program elsewhere.
func dependencies(t *testing.T, path string) []dependency {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}", path)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var found []dependency
	for line := range strings.Lines(string(out)) {
		path, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		found = append(found, dependency{path, module})
	}
	return found
}
