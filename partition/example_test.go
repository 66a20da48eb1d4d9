package partition_test

import (
	"context"
	"fmt"

	"github.com/stampid/go-stamp/partition"
)

func ExampleOf() {
	fmt.Println(partition.Of("acme", 4))
	fmt.Println(partition.Of([]byte("acme"), 4))
	fmt.Println(partition.OfInt(1, 4))
	// Output:
	// 11
	// 11
	// 9
}

func ExampleNewContext() {
	ctx := partition.NewContext(context.Background(), partition.Of("acme", 4))
	fmt.Println(partition.FromContext(ctx))
	fmt.Println(partition.FromContext(context.Background()))
	// Output:
	// 11 <nil>
	// 0 partition: the context carries no partition
}
