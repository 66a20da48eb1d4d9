package servers

import (
	"os"
	"path/filepath"
)

// mongowirePath is a variable with the path of the server, where it isn't that
// in the repository's folder bin.
const mongowirePath = "STAMP_MONGOWIRE"

// mongodb is the stand-in of tools/mongowire, which make services builds. It is
// killed and frozen together with the database that is in it.
func mongodb() Kind {
	return Kind{
		Name:     "mongodb",
		programs: [][]string{{mongowire()}},
		command: func(s *Server) command {
			return command{
				path: mongowire(), args: []string{"-listen", s.addr, "-data", s.data(), "-sync"},
				// The path of its socket must be short, and what it leaves behind
				// when it is killed must go with the folder.
				dir: s.options.Folder, env: []string{"TMPDIR=."},
			}
		},
		url:     func(_ *Server, addr string) string { return "mongodb://" + addr + "/" },
		forever: true,
	}
}

// mongowire is the path of the server, whether it is there or not.
func mongowire() string {
	if path := os.Getenv(mongowirePath); path != "" {
		return path
	}
	return filepath.Join(repository(), "bin", "mongowire")
}

// repository is the folder of go.work at or above the working folder, "" if
// there is none.
func repository() string {
	folder, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.work")); missing == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			break
		}
		folder = above
	}
	return ""
}
