// Package partition finds the partition that a tenant's ids belong to, carries
// it through a context, and writes the SQL that partitions a table by its ids.
//
// # From tenant to partition
//
// [Of] and [OfInt] take the top bits of a hash of the tenant, XXH64 with seed
// 0. Tenants spread evenly: no table says which tenant is where, and none has
// to be kept. The result depends on nothing but the tenant and the number of
// bits. It is the same on every machine and in every version of this package,
// since rows are stored by it.
//
// The number of bits is the width of the layout's partition field, so the
// result is always a partition that the layout has.
//
// # Choosing the number of bits
//
// 2^bits is the number of partitions, in the table as in the id. Each bit
// comes out of time, node or sequence, so take what the table needs: 4 bits
// are 16 partitions, 6 bits 64. The hash evens out the number of tenants, not
// the number of their rows: a tenant with a tenth of all rows keeps them in
// one partition. Give such a tenant a partition by hand, with [NewContext] or
// as the argument of a call, rather than by hash.
//
// The bits are taken from the top. With one bit more, the tenants of partition
// p go to the partitions 2p and 2p+1 and to no others, and those of two
// neighbours come together again with one bit less. A partition can be split
// or merged without touching the rest. Ids that exist stay as they are: the
// widths are part of their format.
//
// # Partitioned tables
//
// The partition is on top of the id, so each is one contiguous range of ids, and
// a table can be partitioned by range of its ids alone, without a column for the
// tenant. A [Table] describes it; [NewDDL] returns its statements, for PostgreSQL
// and for MySQL and MariaDB. The partition of the table that a row lands in is
// the one that the row's id has.
//
// The first partition begins at 0 in PostgreSQL, which refuses negative ids; in
// MySQL nothing bounds a first partition from below. The last one ends with
// MAXVALUE for ids of 63 bits, since one past the last is 2^63, which no bigint
// holds, and at 2^53 for ids of 53 bits, so that the server refuses what is no
// id of the layout.
//
// In both dialects, the primary key and every unique key must contain the id.
// In MySQL, a partitioned InnoDB table can neither have foreign keys nor be
// referenced by one: [DDL.Up] fails on a table that has. Each partition costs
// the server files and memory; MySQL has a limit of 8,192. GroupSize puts several
// partitions of the layout into one of the table.
//
// # Queries
//
// Ask for one tenant's rows with [Between] and the range of its partition, from
// the layout or the configuration, and the server reads that partition only. The
// condition narrows the search: other tenants share the partition, so compare
// the tenant's column too.
//
// # What it doesn't promise
//
// No server is asked, and a server may refuse more. MySQL, for example, keeps a
// file for each partition, named after table and partition, in which a letter
// outside ASCII takes up to five bytes: two names of 64 characters can be too
// long together.
//
// XXH64 isn't a cryptographic hash. Who may choose tenant names freely can
// choose them all into one partition.
package partition
