// Package stores opens a shared store by its URL. The scheme says what it is:
//
//	sqlite:ids.db                          a file of SQLite
//	postgres://user:password@host/db       PostgreSQL
//	mysql://user:password@host:3306/db     MySQL; also mariadb://
//	redis://user:password@host:6379/0      Redis; rediss:// with TLS
//	redis://host:7000?addr=host2:7000      Redis Cluster
//	mongodb://user:password@host/?…        MongoDB
//	zookeeper://host:2181,host2/chroot     ZooKeeper; also zk://
//	etcd://user:password@host:2379,host2   etcd; etcds:// with TLS
//	file:///var/lib/ids                    a folder
//	http://host:8080                       a server of these, https:// with TLS
//	memory:                                nothing outlives the process
//
// Special characters in a password are percent-escaped, as in any URL. What a
// store's own URL takes, it takes here too; in addition there are table and
// record_table for databases, database, collection and record_collection for
// MongoDB, and prefix for Redis, ZooKeeper and etcd.
//
// A new kind of store is a file with its scheme, and a line in [schemes].
//
// No error of this package and no name of a store holds a password. Open doesn't
// connect, except as Options.Create demands.
package stores
