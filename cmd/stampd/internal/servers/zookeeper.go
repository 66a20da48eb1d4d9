package servers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// zookeeperJar is where distributions put the server. The jars beside it that it
// needs are named in it, all but the one that writes its log.
const zookeeperJar = "/usr/share/java/zookeeper.jar"

func zookeeper() Kind {
	return Kind{
		Name:     "zookeeper",
		programs: [][]string{{"java"}, {zookeeperJar}},
		prepare: func(_ context.Context, s *Server) error {
			return os.WriteFile(s.zookeeperConfig(), s.zookeeperSettings(), 0o600)
		},
		command: func(s *Server) command {
			logger := filepath.Join(filepath.Dir(zookeeperJar), "slf4j-simple.jar")
			return command{
				path: program("java"), args: []string{
					"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
					"-cp", zookeeperJar + string(filepath.ListSeparator) + logger,
					"org.apache.zookeeper.server.quorum.QuorumPeerMain", s.zookeeperConfig(),
				},
			}
		},
		url:      func(_ *Server, addr string) string { return "zookeeper://" + addr },
		shutsOut: true,
		forever:  true,
	}
}

func (s *Server) zookeeperConfig() string { return filepath.Join(s.options.Folder, "zoo.cfg") }

// zookeeperSettings put snapshots and the log of transactions into one folder,
// each transaction on the disk before it is acknowledged.
func (s *Server) zookeeperSettings() []byte {
	return fmt.Appendf(nil, `dataDir=%s
clientPort=%s
clientPortAddress=127.0.0.1
admin.enableServer=false
maxClientCnxns=0
tickTime=1000
forceSync=yes
preAllocSize=1024
`, filepath.ToSlash(s.data()), port(s.addr))
}
