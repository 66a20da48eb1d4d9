package gormtest_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/integrations/gormstamp"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/stamp"
)

// From here to the end of createOrder is what README shows.

var orders = stamp.MustGenerator("orders", stamp.MustConfig(stamp.Options{
	Layout: stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}, Node: node.Static(3),
	Partition: partition.FromContext, Codec: encode.Base62, Prefix: "ord_",
}))

type orderKind struct{}

func (orderKind) Stamp() *stamp.Generator { return orders }

type Order struct {
	ID     stamp.Typed[orderKind]
	Tenant string
}

func migrate(db *gorm.DB) error {
	ddl, err := partition.NewDDL(partition.Table{
		Dialect: partition.PostgreSQL, Name: "orders", Column: "id", Layout: orders.Config().Layout(), IfNotExists: true,
	})
	if err != nil {
		return err
	}
	err = db.Set("gorm:table_options", ddl.PartitionBy()).AutoMigrate(&Order{})
	for statement := range ddl.Up() {
		err = cmp.Or(err, db.Exec(statement).Error)
	}
	return err
}

func createOrder(ctx context.Context, db *gorm.DB, tenant string) (Order, error) {
	ctx = partition.NewContext(ctx, partition.Of(tenant, 4)) // in a middleware, say
	order := Order{Tenant: tenant}
	return order, db.WithContext(ctx).Create(&order).Error // order.ID prints as ord_…
}

// A table that PostgreSQL partitions by its ids.
func Example_partitionedTable() {
	db, err := gorm.Open(postgres.Open("postgres://shop@db/shop"))
	if err == nil {
		err = cmp.Or(db.Use(gormstamp.New(gormstamp.Options{})), migrate(db))
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	order, err := createOrder(context.Background(), db, "acme")
	fmt.Println(order.ID, err)
}

// The example on a server, in a schema of its own.
func TestPartitionedTable(t *testing.T) {
	url := cmp.Or(os.Getenv("STAMP_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	outside, err := gorm.Open(postgres.Open(url), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "PostgreSQL doesn't answer, see STAMP_TEST_POSTGRES")
		}
		t.Skipf("PostgreSQL doesn't answer, see STAMP_TEST_POSTGRES: %v", err)
	}
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	space := "gormtest_" + hex.EncodeToString(b[:])
	require.NoError(t, outside.Exec("create schema "+space).Error)
	t.Cleanup(func() {
		require.NoError(t, outside.Exec("drop schema "+space+" cascade").Error)
		requireClose(t, outside)
	})
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	db, err := gorm.Open(postgres.Open(url+separator+"search_path="+space), &gorm.Config{Logger: logger.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { requireClose(t, db) })
	require.NoError(t, db.Use(gormstamp.New(gormstamp.Options{})))
	require.NoError(t, migrate(db))
	require.NoError(t, migrate(db), "a second time")

	for i := range 50 {
		tenant := fmt.Sprint("tenant-", i)
		order, err := createOrder(t.Context(), db, tenant)
		require.NoError(t, err)
		require.Regexp(t, "^ord_[0-9A-Za-z]{11}$", order.ID.String())
		var table string
		require.NoError(t, db.Raw("select tableoid::regclass::text from orders where id = ?", order.ID).Scan(&table).Error)
		require.Equal(t, fmt.Sprint("orders_p", partition.Of(tenant, 4)), table)

		var read Order
		require.NoError(t, db.First(&read, order.ID).Error)
		require.Equal(t, order, read)
	}
	var plan []string
	require.NoError(t, db.Raw("explain select * from orders where id = 1").Scan(&plan).Error)
	require.Contains(t, strings.Join(plan, "\n"), "orders_p0")
	require.NotContains(t, strings.Join(plan, "\n"), "orders_p1", "the other partitions aren't read")
}

func requireClose(t *testing.T, db *gorm.DB) {
	t.Helper()
	pool, err := db.DB()
	require.NoError(t, err)
	require.NoError(t, pool.Close())
}

// README shows this file, in less than 30 lines.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	file, err := os.ReadFile("partitioned_example_test.go")
	require.NoError(t, err)
	_, code, ok := strings.Cut(string(file), "README shows.\n\n")
	require.True(t, ok)
	code, _, ok = strings.Cut(code, "\n// A table that")
	require.True(t, ok)
	_, chapter, ok := strings.Cut(string(readme), "## In databases\n")
	require.True(t, ok)
	shown := regexp.MustCompile("(?s)```go\n(var orders.*?)```").FindStringSubmatch(chapter)
	require.NotNil(t, shown)
	require.Equal(t, strings.TrimSpace(code), strings.TrimSpace(shown[1]))
	lines := 0
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	require.Less(t, lines, 30)
}
