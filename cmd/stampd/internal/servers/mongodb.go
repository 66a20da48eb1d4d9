package servers

import (
	"os"
	"path/filepath"
)

// mongodb is tools/mongowire, which `make services` builds.
func mongodb() Kind {
	return Kind{
		Name:     "mongodb",
		programs: [][]string{{mongowire()}},
		command: func(s *Server) command {
			return command{path: mongowire(), args: []string{"-listen", s.addr, "-data", s.data()}}
		},
		url: func(_ *Server, addr string) string { return "mongodb://" + addr + "/?directConnection=true" },
	}
}

// mongowire is bin/mongowire of this repository, whichever of its folders the
// program runs in.
func mongowire() string {
	const name = "bin/mongowire"
	folder, err := os.Getwd()
	for err == nil {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if parent := filepath.Dir(folder); parent != folder {
			folder = parent
			continue
		}
		break
	}
	return name
}
