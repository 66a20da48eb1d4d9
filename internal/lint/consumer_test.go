package lint

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

	needed := dependencies(t, root, library)
	require.Contains(t, needed, dependency{library, rootModule})
	allowed := map[dependency]bool{}
	for _, d := range needed {
		if !slices.Contains(linked, d.module) {
			continue
		}
		for _, below := range dependencies(t, root, d.path) {
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
	stamp := dependencies(t, root, rootModule+"/stamp")
	watch := dependencies(t, root, rootModule+"/clock/ntpwatch")
	for _, unwanted := range []string{"net", "github.com/beevik/ntp", "golang.org/x/net", "golang.org/x/sys"} {
		is := func(d dependency) bool { return within(d.path, unwanted) }
		require.False(t, slices.ContainsFunc(stamp, is), unwanted)
		require.True(t, slices.ContainsFunc(watch, is), unwanted)
	}
}

// A program that uses ids with a library for databases links that library with
// what it needs, and no driver.
func TestIntegrationsLinkNoDriver(t *testing.T) {
	findPackages(t)
	for folder, modules := range map[string][]string{
		"integrations/entstamp":  {"entgo.io/ent", "github.com/google/uuid"},
		"integrations/gormstamp": {"gorm.io/gorm", "github.com/jinzhu/inflection", "github.com/jinzhu/now", "golang.org/x/text"},
		"integrations/pgxstamp":  {"github.com/jackc/pgx/v5", "github.com/jackc/pgpassfile", "github.com/jackc/pgservicefile", "golang.org/x/text"},
	} {
		allowed := slices.Concat(linked, modules, []string{"", rootModule, rootModule + "/" + folder})
		needed := dependencies(t, root+"/"+folder, rootModule+"/"+folder)
		require.Contains(t, needed, dependency{rootModule + "/stamp", rootModule})
		for _, d := range needed {
			if !slices.Contains(allowed, d.module) {
				t.Errorf("a program that imports %s would link %s of module %s", folder, d.path, d.module)
			}
		}
	}
}

// dependency is a package that is linked. Those of the standard library have no
// module.
type dependency struct {
	path, module string
}

// dependencies returns the package of the module in a folder and what it links. The workspace is left
// aside, as it is for a program elsewhere.
func dependencies(t *testing.T, module, path string) []dependency {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}", path)
	cmd.Dir = filepath.FromSlash(module)
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
