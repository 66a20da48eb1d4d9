// Command stamp makes ids and takes them apart, plans their layout, prints the
// SQL of tables that are partitioned by them, and shows the fences of a folder.
//
//	stamp plan 4/41/6/12 --rate 5000 --nodes 40
//	stamp next -n 5 --prefix ord_
//	stamp inspect ord_0LrHucXALbs
//	psql -Atc 'select id from orders' | stamp encode --prefix ord_
//	stamp decode --prefix ord_ <texts.txt
//	stamp partition --layout 4/41/6/12 acme
//	stamp ddl --dialect postgres --table orders --layout 4/41/6/12
//	stamp fence show --folder /var/lib/orders orders
//
// Exit codes:
//
//	0    all done, also when the reader of standard output went away
//	1    failed, or at least one id, text or tenant was refused
//	2    wrong usage
//	3    next: no node number is free, or the clock is behind the ids already made
//	130  next: interrupted by SIGINT; 143 by SIGTERM
//
// Ids of two runs of next with the same layout, epoch and unit don't repeat, at
// once or in turn, as long as both run on one machine as one user: the lock and
// the record for each node number are in the user's cache folder. For what makes
// ids elsewhere, choose node numbers that differ. Ids of two formats can be
// equal.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], standardStreams()))
}
