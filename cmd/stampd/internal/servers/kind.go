package servers

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Kind is a kind of store.
type Kind struct {
	Name string
	// programs are what must be installed. The first that is found of each is
	// used. A name that is a path may have wildcards, or be a .jar.
	programs [][]string
	// prepare makes the folder ready, once. Nil: nothing to do.
	prepare func(ctx context.Context, s *Server) error
	// command is what runs the server. Nil: there is none.
	command func(s *Server) command
	// url is the store's URL if its server is at addr.
	url func(s *Server, addr string) string
	// backup and restore work on a running server and keep what they need at
	// path. Nil: the folder is copied while the server is down.
	backup, restore func(ctx context.Context, s *Server, path string) error
	// hold takes a lock that keeps all others from changing anything until the
	// function that it returns is called. Nil: there is no such lock.
	hold func(ctx context.Context, s *Server) (release func() error, err error)
	// shutsOut says that a server which went back doesn't let clients in that
	// have seen more than it knows.
	shutsOut bool
	// forever says that its records don't run out.
	forever bool
}

// command is a program and its arguments.
type command struct {
	path string
	args []string
	env  []string
	dir  string // the working folder, "" for this process's
	user string // to run as, if that is possible
}

// Kinds are all there are.
func Kinds() []Kind {
	return []Kind{postgres(), mariadb(), redis(), zookeeper(), etcd(), mongodb(), sqlite(), folder(), proxy()}
}

// Names lists the kinds.
func Names() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Find returns the kind of a name.
func Find(name string) (Kind, error) {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, fmt.Errorf("no kind of store %q, there are: %s", name, strings.Join(Names(), ", "))
	}
	return kinds[i], nil
}

// HasServer tells whether there is a server, that is, something to kill and a
// connection to break.
func (k Kind) HasServer() bool { return k.command != nil }

// CanHold tells whether [Server.Hold] works.
func (k Kind) CanHold() bool { return k.hold != nil }

// ShutsOut tells whether a client that was connected before [Server.Restore] is
// refused after it, until it is made anew or the server has caught up.
func (k Kind) ShutsOut() bool { return k.shutsOut }

// Expires tells whether its records can run out, as those of leases must.
func (k Kind) Expires() bool { return !k.forever }

// Missing lists the programs that aren't installed.
func (k Kind) Missing() []string {
	var missing []string
	for _, alternatives := range k.programs {
		if program(alternatives...) == "" {
			missing = append(missing, strings.Join(alternatives, " or "))
		}
	}
	return missing
}

// program returns the path of the first program that is found, "" if there is
// none.
func program(alternatives ...string) string {
	for _, name := range alternatives {
		if strings.ContainsRune(name, '*') || filepath.Ext(name) == ".jar" {
			if found := newest(name); found != "" {
				return found
			}
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
