package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rule says what a package and its internal packages may import beside the
// standard library. Their tests may import anything.
type rule struct {
	ours   []string // folders below the root
	others []string // modules
}

// rules holds the direction of imports in the root module. A package that
// isn't listed is refused, so that its place is decided when it is added.
var rules = map[string]rule{
	"stamp": {
		ours: []string{
			"bits", "encode", "partition", "sequence", "sequence/segment", "sequence/fence", "telemetry", "clock", "node",
		},
		others: []string{"golang.org/x/exp"},
	},
	"sequence":               {ours: []string{"bits", "store", "telemetry", "clock"}},
	"sequence/segment":       {ours: []string{"bits", "store", "telemetry", "clock"}},
	"sequence/segment/watch": {ours: []string{"sequence/segment"}},
	"sequence/fence":         {ours: []string{"sequence", "store", "store/filestore", "bits", "telemetry", "clock"}},
	"node":                   {ours: []string{"bits", "store", "telemetry", "clock"}},
	"node/lease":             {ours: []string{"sequence/fence", "node", "bits", "store"}},
	"partition": {
		ours:   []string{"bits"},
		others: []string{"github.com/cespare/xxhash/v2", "golang.org/x/exp"},
	},
	"partition/ddltest": {},
	"bits":              {},
	"clock":             {},
	"clock/ntpwatch":    {others: []string{"github.com/beevik/ntp"}},
	"encode":            {others: []string{"github.com/jxskiss/base62", "github.com/sqids/sqids-go"}},
	"store":             {},
	"store/etcdstore": {
		ours: []string{"store"},
		// The client's module, and those whose types are part of its interface.
		others: []string{"go.etcd.io/etcd/client/v3", "go.etcd.io/etcd/api/v3", "google.golang.org/grpc"},
	},
	"store/filestore":        {ours: []string{"store"}},
	"store/storetest":        {ours: []string{"store"}, others: []string{"github.com/stretchr/testify"}},
	"store/proxystore":       {ours: []string{"store"}},
	"store/sqlstore":         {ours: []string{"store"}},
	"store/sqlstore/sqltest": {},
	"store/mongostore":       {ours: []string{"store"}, others: []string{"go.mongodb.org/mongo-driver/v2"}},
	"store/redisstore":       {ours: []string{"store"}, others: []string{"github.com/redis/go-redis/v9"}},
	"store/zkstore":          {ours: []string{"store"}, others: []string{"github.com/go-zookeeper/zk"}},
	"integrations/entstamp":  {ours: []string{"stamp"}, others: []string{"entgo.io/ent"}},
	// Code that ent generates, and what it is generated from.
	"integrations/entstamp/enttest": {
		ours:   []string{"integrations/entstamp", "stamp", "encode", "node", "partition"},
		others: []string{"entgo.io/ent"},
	},
	"integrations/gormstamp": {
		ours:   []string{"stamp", "partition"},
		others: []string{"gorm.io/gorm"},
	},
	"integrations/gormstamp/gormtest": {},
	"integrations/otelstamp": {
		ours:   []string{"internal/metrics", "sequence/segment", "stamp", "telemetry"},
		others: []string{"go.opentelemetry.io/otel"},
	},
	"integrations/promstamp": {
		ours:   []string{"internal/metrics", "sequence/segment", "stamp", "telemetry"},
		others: []string{"github.com/prometheus/client_golang"},
	},
	"integrations/pgxstamp": {ours: []string{"stamp"}, others: []string{"github.com/jackc/pgx/v5"}},
	"integrations/sqltest":  {},
	"telemetry":             {},
	"internal/lint":         {},
	"internal/metrics":      {ours: []string{"sequence", "sequence/segment", "telemetry"}},
}

// free lists the folders that may import any package of ours and what their
// go.mod requires. Nothing of the root module may import from them.
var free = []string{"benchmarks", "cmd", "examples"}

func TestImportRules(t *testing.T) {
	packages := findPackages(t)
	require.NotEmpty(t, packages)
	for _, p := range packages {
		if folder, _, _ := strings.Cut(p.folder, "/"); slices.Contains(free, folder) {
			continue
		}
		for _, problem := range p.violations() {
			t.Error(problem)
		}
	}
}

// A rule outlives its package when that is moved or removed.
func TestRulesHavePackages(t *testing.T) {
	there := make(map[string]bool)
	for _, p := range findPackages(t) {
		there[p.folder] = true
	}
	for folder := range rules {
		require.True(t, there[folder], "rules names %s, which is no package", folder)
	}
}

func (p goPackage) violations() (problems []string) {
	// An internal package belongs to the folder that it is internal to.
	owner, _, _ := strings.Cut(p.folder, "/internal/")
	r, ok := rules[owner]
	if !ok {
		return []string{"package " + p.folder + " has no rule: say in rules what it may import"}
	}
	for _, path := range p.imports {
		if folder, ok := ourFolder(path); ok {
			from, _, _ := strings.Cut(folder, "/internal/")
			if from != owner && !slices.Contains(r.ours, folder) {
				problems = append(problems, "package "+p.folder+" must not import "+folder)
			}
			continue
		}
		if !isStandard(path) && !slices.ContainsFunc(r.others, func(m string) bool { return within(path, m) }) {
			problems = append(problems, "package "+p.folder+" must not import "+path)
		}
	}
	return problems
}

// testOnly lists the folders that nothing but tests may import, whatever else
// the rules say.
var testOnly = []string{
	"store/storetest",
	"cmd/stampd/internal/chaos", "cmd/stampd/internal/clockchaos", "cmd/stampd/internal/faults", "cmd/stampd/internal/fleet", "cmd/stampd/internal/herd",
	"cmd/stampd/internal/relay", "cmd/stampd/internal/servers", "cmd/stampd/internal/testservers",
}

func TestNoTestHelpers(t *testing.T) {
	for _, p := range findPackages(t) {
		for _, problem := range p.testHelpers() {
			t.Error(problem)
		}
	}
}

func (p goPackage) testHelpers() (problems []string) {
	for _, folder := range testOnly {
		if within(p.folder, folder) {
			return nil // it is itself for tests, the program of chaos too
		}
	}
	for _, path := range p.imports {
		if folder, ok := ourFolder(path); ok && slices.Contains(testOnly, folder) {
			problems = append(problems, "package "+p.folder+" must not import "+folder+", which is for tests")
		}
	}
	return problems
}

func TestTestHelpers(t *testing.T) {
	const ours = rootModule + "/"
	require.Equal(t, []string{"package cmd/stampd must not import store/storetest, which is for tests"},
		goPackage{"cmd/stampd", []string{"fmt", ours + "store", ours + "store/storetest"}}.testHelpers())
	require.Empty(t, goPackage{"store/filestore", []string{ours + "store"}}.testHelpers())
	require.Empty(t, goPackage{"cmd/stampd/internal/chaos/run", []string{ours + "cmd/stampd/internal/chaos"}}.testHelpers())
	require.Len(t, goPackage{"cmd/stampd", []string{ours + "cmd/stampd/internal/chaos"}}.testHelpers(), 1)
}

// The check itself, on packages that don't exist.
func TestViolations(t *testing.T) {
	const ours = rootModule + "/"
	for name, tt := range map[string]struct {
		p    goPackage
		want []string
	}{
		"allowed": {
			goPackage{"sequence", []string{"time", "net/http", ours + "bits", ours + "clock"}}, nil,
		},
		"wrong direction": {
			goPackage{"bits", []string{ours + "stamp"}},
			[]string{"package bits must not import stamp"},
		},
		"internal counts as its owner": {
			goPackage{"clock/internal/counter", []string{ours + "clock/internal/cpu", ours + "bits"}},
			[]string{"package clock/internal/counter must not import bits"},
		},
		"folder below an allowed one": {
			goPackage{"sequence", []string{ours + "store/sqlstore"}},
			[]string{"package sequence must not import store/sqlstore"},
		},
		"third party": {
			goPackage{"partition", []string{"github.com/cespare/xxhash/v2", "github.com/stretchr/testify/require"}},
			[]string{"package partition must not import github.com/stretchr/testify/require"},
		},
		"similar module name": {
			goPackage{"clock/ntpwatch", []string{"github.com/beevik/ntp", "github.com/beevik/ntp2"}},
			[]string{"package clock/ntpwatch must not import github.com/beevik/ntp2"},
		},
		"third party of a package below": {
			goPackage{"clock", []string{"net", "github.com/beevik/ntp"}},
			[]string{"package clock must not import github.com/beevik/ntp"},
		},
		"package above": {
			goPackage{"clock/ntpwatch", []string{ours + "clock"}},
			[]string{"package clock/ntpwatch must not import clock"},
		},
		"unknown": {
			goPackage{"misc", nil},
			[]string{"package misc has no rule: say in rules what it may import"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, tt.p.violations())
		})
	}
}
