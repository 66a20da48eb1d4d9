// Command stampd is for shared counters: it takes numbers from them, shows where
// they stand, serves them to others, and brings them forward after their store
// has lost counts.
//
//	stampd next -n 500 order
//	stampd next --store postgres://ids@db/ids --group day --prefix BIZ- --pad 8 order
//	stampd serve --store postgres://ids@db/ids --listen 127.0.0.1:8080
//	stampd status --audit redis://audit:6379/0 order
//	stampd recover --audit redis://audit:6379/0 --instances 3 order
//	stampd nodes --store redis://cache:6379/0 orders-prod
//	stampd fence show --store redis://cache:6379/0 orders-prod
//	stampd watch http://10.0.0.7:8080 http://10.0.0.8:8080
//
// A counter has a namespace and a name. Stores are named by URL, see package
// [github.com/stampid/go-stamp/cmd/stampd/internal/stores]; without one it is
// sqlite:ids.db, a file in the working folder.
//
// Exit codes:
//
//	0    all done, also when the reader of standard output went away;
//	     serve: stopped by a signal, and all requests were answered
//	1    failed; recover, fence reset: not confirmed; watch --once: something
//	     couldn't be asked
//	2    wrong usage, also a name that the store can't hold
//	3    a store has lost counts: next refuses numbers, status or watch --once has
//	     found it
//	130  interrupted by SIGINT; 143 by SIGTERM
//
// What next has printed was reserved in the store before, and no other process
// gets it. Numbers that it reserves and doesn't print are dropped, and it says how
// many.
package main

import (
	"os"
	_ "time/tzdata" // for --zone, where the system has none

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
)

func main() {
	stores.SilenceDrivers()
	os.Exit(run(os.Args[1:], standardStreams()))
}
