package servers

func redis() Kind {
	return Kind{
		Name:     "redis",
		programs: [][]string{{"redis-server"}},
		command: func(s *Server) command {
			return command{path: program("redis-server"), args: []string{
				"--bind", "127.0.0.1", "--port", port(s.addr), "--dir", s.data(), "--daemonize", "no",
				"--maxclients", "1000", "--maxmemory-policy", "noeviction",
				"--save", "", "--appendonly", "yes", "--appendfsync", "always",
			}}
		},
		url: func(_ *Server, addr string) string { return "redis://" + addr + "/0" },
	}
}
