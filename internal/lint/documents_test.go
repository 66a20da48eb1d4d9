package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/stamp"
)

// documents returns the Markdown files of the repository and what they say.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			text, err := os.ReadFile(path)
			texts[path] = string(text)
			return err
		}
		return nil
	})
	require.NoError(t, err)
	require.Contains(t, texts, filepath.Join(root, "README.md"))
	return texts
}

func TestDocumentsLinkToWhatExists(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for path, text := range documents(t) {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(path), match[1]))
			require.NoError(t, err, "%s links to %s", path, match[1])
		}
	}
}

func TestDocumentsNameTargetsOfMake(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	target := regexp.MustCompile("(?m)`make ([a-z][a-z-]*)|^make ([a-z][a-z-]*)(?: +#.*)?$")
	for path, text := range documents(t) {
		for _, match := range target.FindAllStringSubmatch(text, -1) {
			name := match[1] + match[2]
			require.Regexp(t, `(?m)^`+name+`:`, string(makefile), "%s names make %s", path, name)
		}
	}
}

// A name may end in an ellipsis: `TestF7_…`.
func TestDocumentsNameTests(t *testing.T) {
	functions := testFunctions(t)
	name := regexp.MustCompile("`(?:[a-z]+\\.)?((?:Test|Fuzz)[A-Z0-9][A-Za-z0-9_]*)(…?)")
	for path, text := range documents(t) {
		for _, match := range name.FindAllStringSubmatch(text, -1) {
			found := false
			for function := range functions {
				found = found || function == match[1] || match[2] != "" && strings.HasPrefix(function, match[1])
			}
			require.True(t, found, "%s names %s", path, match[0])
		}
	}
}

func TestDocumentsHaveNoBlanks(t *testing.T) {
	blank := regexp.MustCompile(`\b[A-Z]+_(TABLE|SECTION|OUTPUT|HISTOGRAM)\b|PLACEHOLDER`)
	for path, text := range documents(t) {
		require.Empty(t, blank.FindString(text), path)
	}
}

// testFunctions returns the names of all test and fuzz functions.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	functions := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				functions[function.Name.Name] = true
			}
		}
		return nil
	})
	require.NoError(t, err)
	return functions
}

// The output that README and the package comment show is of one id.
func TestDocumentedIDs(t *testing.T) {
	cfg, err := stamp.NewConfig(stamp.Options{Node: node.Static(3), Codec: encode.Base62, Prefix: "ord_"})
	require.NoError(t, err)
	for path, pattern := range map[string]string{
		"README.md":    `// (\d+) (ord_\w+) (.* UTC)`,
		"stamp/doc.go": `// (\d+)\n[^"]*"(ord_\w+)"()`,
	} {
		text, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		match := regexp.MustCompile(pattern).FindStringSubmatch(string(text))
		require.NotNil(t, match, path)
		id, err := cfg.Decode(match[2])
		require.NoError(t, err)
		require.Equal(t, match[1], id.String(), path)
		parts, err := cfg.Unpack(id)
		require.NoError(t, err)
		require.Equal(t, uint64(3), parts.Node, path)
		if made, err := cfg.Time(id); match[3] != "" {
			require.NoError(t, err)
			require.Equal(t, match[3], made.String(), path)
		}
	}
}
