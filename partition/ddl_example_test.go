package partition_test

import (
	"fmt"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

func ExampleNewDDL_postgreSQL() {
	ddl, err := partition.NewDDL(partition.Table{
		Dialect: partition.PostgreSQL,
		Schema:  "shop",
		Name:    "orders",
		Column:  "id",
		Layout:  bits.Layout{Partition: 2, Time: 41, Node: 6, Sequence: 14},
		Options: "TABLESPACE fast",
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(`CREATE TABLE "shop"."orders" ("id" bigint PRIMARY KEY) ` + ddl.PartitionBy())
	for statement := range ddl.Up() {
		fmt.Println(statement)
	}
	for statement := range ddl.Down() {
		fmt.Println(statement)
	}
	// Output:
	// CREATE TABLE "shop"."orders" ("id" bigint PRIMARY KEY) PARTITION BY RANGE ("id")
	// CREATE TABLE "shop"."orders_p0" PARTITION OF "shop"."orders" FOR VALUES FROM (0) TO (2305843009213693952) TABLESPACE fast
	// CREATE TABLE "shop"."orders_p1" PARTITION OF "shop"."orders" FOR VALUES FROM (2305843009213693952) TO (4611686018427387904) TABLESPACE fast
	// CREATE TABLE "shop"."orders_p2" PARTITION OF "shop"."orders" FOR VALUES FROM (4611686018427387904) TO (6917529027641081856) TABLESPACE fast
	// CREATE TABLE "shop"."orders_p3" PARTITION OF "shop"."orders" FOR VALUES FROM (6917529027641081856) TO (MAXVALUE) TABLESPACE fast
	// DROP TABLE "shop"."orders_p3"
	// DROP TABLE "shop"."orders_p2"
	// DROP TABLE "shop"."orders_p1"
	// DROP TABLE "shop"."orders_p0"
}

func ExampleNewDDL_mySQL() {
	ddl, err := partition.NewDDL(partition.Table{
		Dialect: partition.MySQL,
		Name:    "orders",
		Column:  "id",
		Layout:  bits.Layout{Partition: 1, Time: 41, Node: 7, Sequence: 14},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println("CREATE TABLE `orders` (`id` bigint PRIMARY KEY) " + ddl.PartitionBy())
	for statement := range ddl.Up() { // for a table that exists
		fmt.Println(statement)
	}
	for statement := range ddl.Down() {
		fmt.Println(statement)
	}
	// Output:
	// CREATE TABLE `orders` (`id` bigint PRIMARY KEY) PARTITION BY RANGE (`id`) (PARTITION `p0` VALUES LESS THAN (4611686018427387904), PARTITION `p1` VALUES LESS THAN MAXVALUE)
	// ALTER TABLE `orders` PARTITION BY RANGE (`id`) (PARTITION `p0` VALUES LESS THAN (4611686018427387904), PARTITION `p1` VALUES LESS THAN MAXVALUE)
	// ALTER TABLE `orders` REMOVE PARTITIONING
}

func ExampleNewDDL_invalid() {
	_, err := partition.NewDDL(partition.Table{
		Dialect:   partition.MySQL,
		Name:      "orders ",
		Layout:    bits.Layout{Partition: 14, Time: 41, Sequence: 8},
		Pattern:   "p",
		Options:   "ENGINE = InnoDB;",
		GroupSize: 1,
	})
	fmt.Println(err)
	// Output:
	// partition: table "orders " ends with a space
	// partition: column "" is empty
	// partition: partitions is 16384, want 1 to 8192
	// partition: pattern "p" needs {n} exactly once
	// partition: options "ENGINE = InnoDB;" has a semicolon
}

func ExampleDDL_Create() {
	ddl, err := partition.NewDDL(partition.Table{
		Dialect: partition.PostgreSQL,
		Name:    "orders",
		Column:  "id",
		Layout:  bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, span := range []partition.Span{{First: 0, Last: 11}, {First: 12, Last: 15}, partition.Single(16)} {
		statement, err := ddl.Create(span)
		fmt.Println(statement, err)
	}
	// Output:
	// CREATE TABLE "orders_p0_11" PARTITION OF "orders" FOR VALUES FROM (0) TO (6917529027641081856) <nil>
	// CREATE TABLE "orders_p12_15" PARTITION OF "orders" FOR VALUES FROM (6917529027641081856) TO (MAXVALUE) <nil>
	//  partition: span from 16 to 16 is none of partitions 0 to 15
}

func ExampleBetween() {
	layout := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	r, err := layout.PartitionRange(partition.Of("acme", layout.Partition))
	if err != nil {
		fmt.Println(err)
		return
	}
	inPartition, err := partition.Between(partition.PostgreSQL, "id", r, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("SELECT * FROM orders WHERE tenant = $1 AND " + inPartition.SQL)
	fmt.Println(append([]any{"acme"}, inPartition.Args()...)...)
	// Output:
	// SELECT * FROM orders WHERE tenant = $1 AND "id" BETWEEN $2 AND $3
	// acme 6341068275337658368 6917529027641081855
}
