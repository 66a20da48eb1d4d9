package lint

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	rootModule = "github.com/stampid/go-stamp"
	root       = "../.."
)

// goPackage is a folder with Go files that aren't tests.
type goPackage struct {
	folder  string   // below the root, with slashes
	imports []string // of its files for all platforms
}

// findPackages returns the packages of all modules of the repository except
// the tools. It reads the files itself: go list would leave out those of other
// platforms, and the go command, which caches test results, doesn't know what
// a program that a test started has read.
func findPackages(t *testing.T) []goPackage {
	t.Helper()
	var packages []goPackage
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(relative)
		name := d.Name()
		if folder != "." && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") ||
			strings.HasPrefix(name, "_") || folder == "tools" || folder == "bin") {
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil {
			return err
		}
		p := goPackage{folder: folder}
		found := false
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			found = true
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, spec := range parsed.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				p.imports = append(p.imports, imported)
			}
		}
		if found {
			packages = append(packages, p)
		}
		return nil
	})
	require.NoError(t, err)
	return packages
}

// ourFolder returns the folder of a package of this repository.
func ourFolder(path string) (string, bool) {
	if path == rootModule {
		return ".", true
	}
	return strings.CutPrefix(path, rootModule+"/")
}

// isStandard tells whether path is of the standard library: only there the
// first element has no dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// within tells whether path is module, or a package or folder below it.
func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}
