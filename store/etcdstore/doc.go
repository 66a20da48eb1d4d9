// Package etcdstore keeps counters and records in etcd, and never sends a change
// twice.
//
// A counter is a decimal number at the key "/cosid/namespace.name"; CosId has no
// such store, so the form is ours. A record is its bytes, at
// "/cosid-records/namespace.name". Each change is one transaction: if the value
// is what was read, put the new one. If another client was faster, the call reads
// again and tries again, 40 times at most, with a growing pause of random length.
//
// # Guarantees
//
//   - Changes are atomic, and reads see what was acknowledged to anyone before:
//     both go through the majority.
//   - A call ends with its context. Without a server, reads wait for one until
//     then, and a change begins with a read, except that of a record.
//   - A transaction without an answer is [store.ErrUnknownOutcome] and isn't sent
//     again: neither here, nor by the client's retries, one of which would. An
//     exceeded quota (NOSPACE) counts as no answer: etcd may have applied what
//     it then complains about.
//   - Refused rights, tokens and sizes, failed reads and a contention that doesn't
//     end are not: there was no change.
//   - What is compared is the value. A counter that was restored from a backup, or
//     deleted and made again, in the middle of a call, is taken as it is.
//
// # What the cluster must be told
//
// A change is acknowledged when a majority has it on disk, unless a server runs
// with --unsafe-no-fsync. Each change is a revision that is kept:
//
//	--auto-compaction-mode=periodic --auto-compaction-retention=1h
//
// Without compaction the quota of 2 GiB is used up at some time; then reads go on
// and changes fail until an operator compacts, defragments and disarms the alarm.
//
// # What isn't guaranteed
//
//   - Anything across a restored snapshot or --force-new-cluster. A counter that
//     went back gives its numbers out again: keep a mark elsewhere.
//   - Anything behind what sends requests again: etcd's grpc-proxy, other proxies,
//     a retry policy among the client's dial options. No number is given out
//     twice, but a change may be reported as a conflict or as somebody else's.
//   - That keys stay: a key that somebody deletes is [store.ErrNoCounter].
//
// # Use
//
//	client, err := clientv3.New(clientv3.Config{
//		Endpoints:            []string{"10.0.0.1:2379", "10.0.0.2:2379", "10.0.0.3:2379"},
//		DialKeepAliveTime:    10 * time.Second, // else a host that vanished is waited for
//		DialKeepAliveTimeout: 5 * time.Second,
//	})
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	counters, err := etcdstore.New(client, etcdstore.Options{})
//	if err != nil {
//		return err
//	}
//	created, err := counters.Create(ctx, store.Key{Namespace: "shop", Name: "orders"}, 0)
//
// The client logs each read that it repeats, unless it is given a Logger.
//
// Rights: read and write on the keys from "/cosid/" to "/cosid0", which are those
// that begin with "/cosid/"; for records, from "/cosid-records/" to "/cosid-records0".
//
// Tested with etcd 3.4. A server of that version that was started again refuses
// clients of this version that log in with a password, until they are started
// again too: it asks for a token, which it has forgotten, before it gives one.
package etcdstore
