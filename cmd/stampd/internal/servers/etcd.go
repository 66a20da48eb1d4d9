package servers

func etcd() Kind {
	return Kind{
		Name:     "etcd",
		programs: [][]string{{"etcd"}},
		command: func(s *Server) command {
			return command{
				path: program("etcd"), args: []string{
					"--data-dir", s.data(), "--listen-client-urls", "http://" + s.addr,
					"--advertise-client-urls", "http://" + s.addr, "--listen-peer-urls", "http://127.0.0.1:0",
					"--heartbeat-interval", "10", "--election-timeout", "100",
				},
			}
		},
		url: func(_ *Server, addr string) string { return "etcd://" + addr },
	}
}
