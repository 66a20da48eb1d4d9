package servers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// zookeeperJar is where Debian has the server.
const zookeeperJar = "/usr/share/java/zookeeper.jar"

func zookeeper() Kind {
	return Kind{
		Name:     "zookeeper",
		programs: [][]string{{"java"}, {zookeeperJar + "*"}},
		prepare: func(_ context.Context, s *Server) error {
			// What is acknowledged is on disk: forceSync is on by default.
			return os.WriteFile(s.zookeeperConfig(), fmt.Appendf(nil,
				"dataDir=%s\nclientPort=%s\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\nmaxClientCnxns=0\n",
				s.data(), port(s.addr)), 0o600)
		},
		command: func(s *Server) command {
			return command{path: program("java"), args: []string{
				"-Xmx256m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
				"-cp", zookeeperJar + ":" + filepath.Join(filepath.Dir(zookeeperJar), "slf4j-simple.jar"),
				"org.apache.zookeeper.server.quorum.QuorumPeerMain", s.zookeeperConfig(),
			}}
		},
		shutsOut: true,
		url:      func(_ *Server, addr string) string { return "zookeeper://" + addr },
	}
}

func (s *Server) zookeeperConfig() string { return filepath.Join(s.options.Folder, "zoo.cfg") }
