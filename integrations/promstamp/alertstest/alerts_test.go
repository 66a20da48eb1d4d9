// Package alertstest reads the alert rules of promstamp with Prometheus' own
// parser. It is a module of its own, outside of go.work, because of what that
// requires.
package alertstest

import (
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/integrations/promstamp"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

const file = "../alerts.yaml"

// Every series that a rule asks for is one that a running program has, with the
// labels that the rule and its texts name.
func TestAlertsAskForWhatThereIs(t *testing.T) {
	p := parser.NewParser(parser.Options{})
	rules, errs := rulefmt.ParseFile(file, false, model.UTF8Validation, p, slog.New(slog.DiscardHandler))
	require.Empty(t, errs)
	series := scrape(t)
	label := regexp.MustCompile(`\$labels\.(\w+)`)
	count := 0
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			count++
			expr, err := p.ParseExpr(rule.Expr)
			require.NoError(t, err, rule.Alert)
			var matching []string
			var left []string // labels of the first series, which are those of the result
			parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
				switch n := n.(type) {
				case *parser.VectorSelector:
					labels, ok := series[n.Name]
					require.True(t, ok, "%s asks for %s", rule.Alert, n.Name)
					if left == nil {
						left = labels
					}
				case *parser.BinaryExpr:
					if m := n.VectorMatching; m != nil && m.On {
						matching = append(matching, m.MatchingLabels...)
					}
				}
				return nil
			})
			require.NotNil(t, left, rule.Alert)
			for _, name := range matching {
				require.Contains(t, append([]string{"instance", "job"}, left...), name, rule.Alert)
			}
			for _, text := range rule.Annotations {
				for _, match := range label.FindAllStringSubmatch(text, -1) {
					require.Contains(t, left, match[1], rule.Alert)
				}
			}
		}
	}
	require.Greater(t, count, 8)
}

// Above each rule stands what to do.
func TestAlertsSayWhatToDo(t *testing.T) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if strings.Contains(line, "- alert:") {
			require.Regexp(t, `^ +# \S`, lines[i-1], line)
		}
	}
}

// scrape returns the labels of each series of a program that has made ids.
func scrape(t *testing.T) map[string][]string {
	t.Helper()
	c := promstamp.New(promstamp.Options{})
	f, err := fence.New(store.NewMemory(), fence.Options{Space: "shop", Listener: c.Listener()})
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close(t.Context())) }()
	clock, err := stamp.NewConfig(stamp.Options{
		Node: node.Static(3), Fence: f, Listener: c.Listener(), Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)
	provider, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace: "shop", Generators: map[string]segment.Options{"invoices": {}},
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, provider.Close()) }()
	require.NoError(t, c.Watch("clock", clock))
	require.NoError(t, c.WatchProvider(provider))
	_, err = stamp.Next("orders", clock)
	require.NoError(t, err)

	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(c))
	families, err := registry.Gather()
	require.NoError(t, err)
	series := map[string][]string{}
	for _, f := range families {
		labels := []string{}
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		series[f.GetName()] = labels
	}
	return series
}
