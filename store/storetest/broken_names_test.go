package storetest_test

import "strings"

func foldCase(name string) string { return strings.ToLower(name) }

// dropSpaces keeps a name that is nothing but spaces, which would be empty.
func dropSpaces(name string) string {
	if trimmed := strings.TrimRight(name, " "); trimmed != "" {
		return trimmed
	}
	return name
}

func cutOff(name string) string { return name[:min(len(name), 100)] }

// underscored is how package testing prints the name of a subtest.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }
