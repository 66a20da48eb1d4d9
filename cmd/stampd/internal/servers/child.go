package servers

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/store/proxystore"
)

// What a proxy's process is told.
const (
	proxyAddress = "STAMPD_PROXY_ADDRESS"
	proxyStore   = "STAMPD_PROXY_STORE"
)

// proxy is a server that has a store behind it, SQLite unless Options.Behind is
// another one, whose backups are its own then.
func proxy() Kind {
	return Kind{
		Name: "proxy",
		command: func(s *Server) command {
			self, _ := os.Executable() // a path that is "" doesn't start
			return command{path: self, env: []string{proxyAddress + "=" + s.addr, proxyStore + "=" + s.behind()}}
		},
		url:    func(_ *Server, addr string) string { return "http://" + addr },
		backup: backupSQLite, restore: restoreSQLite,
	}
}

func (s *Server) behind() string {
	if s.options.Behind != "" {
		return s.options.Behind
	}
	return "sqlite:" + s.database()
}

// RunChild serves a store, and doesn't return, if this process was started to do
// so. Else it does nothing.
func RunChild() {
	addr := os.Getenv(proxyAddress)
	if addr == "" {
		return
	}
	err := serve(addr, os.Getenv(proxyStore))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func serve(addr, url string) error {
	opened, err := stores.Open(context.Background(), url, stores.Options{Create: true})
	if err != nil {
		return err
	}
	return http.ListenAndServe(addr, proxystore.NewHandler(opened.Counters, proxystore.HandlerOptions{}))
}
