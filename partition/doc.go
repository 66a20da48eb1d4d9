// Package partition finds the partition that a tenant's ids belong to, and
// carries it through a context.
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
// # What it doesn't promise
//
// XXH64 isn't a cryptographic hash. Who may choose tenant names freely can
// choose them all into one partition.
package partition
