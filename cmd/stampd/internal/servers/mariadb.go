package servers

import (
	"context"
	"os"
	"path/filepath"
)

func mariadb() Kind {
	return Kind{
		Name:     "mariadb",
		programs: [][]string{{"mariadbd", "/usr/sbin/mariadbd"}, {"mariadb-install-db"}, {"mariadb-dump"}, {"mariadb"}},
		prepare: func(_ context.Context, s *Server) error {
			if err := os.Mkdir(mariadbTemporary(s), 0o700); err != nil {
				return err
			}
			return command{path: program("mariadb-install-db"), args: append([]string{
				"--no-defaults", "--datadir=" + s.data(), "--auth-root-authentication-method=normal",
				"--skip-test-db", "--skip-name-resolve", "--tmpdir=" + mariadbTemporary(s),
			}, mariadbUser()...)}.run()
		},
		command: func(s *Server) command {
			return command{path: program("mariadbd", "/usr/sbin/mariadbd"), args: append([]string{
				"--no-defaults", "--datadir=" + s.data(), "--bind-address=127.0.0.1", "--port=" + port(s.addr),
				"--socket=" + filepath.Join(s.data(), "socket"), "--pid-file=" + filepath.Join(s.data(), "pid"), "--tmpdir=" + mariadbTemporary(s),
				"--innodb-flush-log-at-trx-commit=1", "--log-bin", "--sync-binlog=1", "--innodb-doublewrite=1",
				"--innodb-buffer-pool-size=32M", "--max-connections=400", "--skip-name-resolve",
			}, mariadbUser()...)}
		},
		// Database mysql is the one that there is; a table more does no harm.
		url: func(_ *Server, addr string) string { return "mysql://root@" + addr + "/mysql" },
		backup: func(_ context.Context, s *Server, path string) error {
			return command{path: program("mariadb-dump"), args: append(mariadbClient(s),
				"--single-transaction", "--result-file="+path, "mysql", "cosid", "cosid_record")}.run()
		},
		restore: func(_ context.Context, s *Server, path string) error {
			return command{path: program("mariadb"), args: append(mariadbClient(s),
				"--execute=source "+path, "mysql")}.run()
		},
	}
}

// mariadbTemporary is where a server keeps temporary tables. In a folder that others
// use, one that starts removes those of all.
func mariadbTemporary(s *Server) string { return filepath.Join(s.options.Folder, "temporary") }

func mariadbClient(s *Server) []string {
	return []string{"--no-defaults", "--protocol=tcp", "--host=127.0.0.1", "--port=" + port(s.addr), "--user=root"}
}

// mariadbUser lets root run the server, which it else refuses.
func mariadbUser() []string {
	if os.Geteuid() == 0 {
		return []string{"--user=root"}
	}
	return nil
}
