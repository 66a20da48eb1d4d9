// Package node says which node number a process puts into its ids.
//
// # What a node number is
//
// The node number is what keeps the ids of two processes apart that draw from
// the same sequence in the same unit of time. It counts from 0 to the largest
// that the layout's node bits hold, and it means one process that is alive,
// not a machine and not a program: two processes on one machine need two.
//
// Two live processes with the same node number, the same sequence id and the
// same partition can make the same ids. Nothing in an id can tell; only the
// unique index of a table will, if there is one. Nor may a number pass to a
// new process before the old one has stopped, and the new one's clock is past
// the last unit that the old one used.
//
// # Where to take it from
//
// From something that gives each number out once: the configuration of a
// deployment ([FromEnv]), the ordinal of a replica in a stateful set
// ([FromOrdinal], [FromHostname]), a lease on a shared store. These are read
// once, when they are called; the package reads no environment otherwise.
//
//	n, err := node.FromEnv("NODE")
//	if err != nil {
//		log.Fatal(err)
//	}
//	cfg, err := stamp.NewConfig(stamp.Options{Node: n}) // refuses what its node bits don't hold
//
// Not from a hash of the host name, and not from the low bits of an address.
// Such numbers are as good as random, and random numbers meet soon:
//
//	node bits  numbers  processes at which two share one
//	                    with 1 %   with 50 %
//	        6       64          2          10
//	        7      128          3          14
//	       10    1,024          6          38
//	       16   65,536         37         302
//
// Low bits of an address also meet by plan: 10.0.1.7 and 10.0.5.7 have the
// same 10 low bits, and each pod network hands out 10.0.0.2 again.
package node
