package servers

import (
	"context"
	"fmt"
)

// postgresUser is whom the server runs as if this is root, which it refuses. The
// packages of all distributions make it.
const postgresUser = "postgres"

func postgresProgram(name string) []string {
	return []string{"/usr/lib/postgresql/*/bin/" + name, name}
}

func postgres() Kind {
	return Kind{
		Name:     "postgres",
		programs: [][]string{postgresProgram("postgres"), postgresProgram("initdb"), postgresProgram("pg_dump"), postgresProgram("psql")},
		prepare:  preparePostgres,
		command: func(s *Server) command {
			return command{path: program(postgresProgram("postgres")...), user: postgresUser, args: []string{
				"-D", s.data(), "-h", "127.0.0.1", "-p", port(s.addr),
				"-c", "unix_socket_directories=", "-c", "max_connections=400",
				"-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "full_page_writes=on",
				"-c", "dynamic_shared_memory_type=mmap", "-c", "shared_buffers=16MB",
			}}
		},
		url: func(_ *Server, addr string) string {
			return "postgres://postgres@" + addr + "/postgres?sslmode=disable"
		},
		backup: func(_ context.Context, s *Server, path string) error {
			return command{path: program(postgresProgram("pg_dump")...), args: []string{
				"--clean", "--if-exists", "--file", path, s.URL(),
			}}.run()
		},
		restore: func(_ context.Context, s *Server, path string) error {
			return command{path: program(postgresProgram("psql")...), args: []string{
				"--quiet", "--no-psqlrc", "--single-transaction", "-v", "ON_ERROR_STOP=1", "--file", path, s.URL(),
			}}.run()
		},
	}
}

func preparePostgres(_ context.Context, s *Server) error {
	if err := give(s.data(), postgresUser); err != nil {
		return fmt.Errorf("folder for user %s: %w", postgresUser, err)
	}
	return command{path: program(postgresProgram("initdb")...), user: postgresUser, args: []string{
		"-D", s.data(), "-U", "postgres", "-A", "trust", "--no-sync", "--no-instructions", "-E", "UTF8", "--locale=C",
	}}.run()
}
