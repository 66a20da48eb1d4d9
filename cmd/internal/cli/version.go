package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version says what the build recorded of a command: "stamp v1.2.3 (go1.26.8,
// linux/amd64)".
func Version(name string) string {
	number := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		number = info.Main.Version
	}
	return fmt.Sprintf("%s %s (%s, %s/%s)", name, number, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
