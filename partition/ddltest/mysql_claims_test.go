package ddltest

import (
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

// requireCode checks the number of a server's error.
// https://mariadb.com/kb/en/mariadb-error-code-reference/
func requireCode(t *testing.T, err error, codes ...uint16) {
	t.Helper()
	var refused *driver.MySQLError
	require.ErrorAs(t, err, &refused)
	require.Contains(t, codes, refused.Number, refused.Message)
}

const (
	erCannotCreate       = 1005
	erTooLongName        = 1059
	erWrongTableName     = 1103
	erCannotAddForeign   = 1215
	erRowIsReferenced    = 1217
	erInvalidCharacters  = 1300
	erTooManyPartitions  = 1499
	erUniqueNeedsColumn  = 1503
	erForeignPartitioned = 1506
	erDuplicatePartition = 1517
)

// What the documentation says of MySQL.

func TestMySQL_noForeignKeys(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, nil)
	createMySQL(s, table, ddl.PartitionBy())
	other, _ := mysqlTable(s, nil)
	createMySQL(s, other, "")
	third, _ := mysqlTable(s, nil)
	reference := " (id bigint PRIMARY KEY, other bigint, FOREIGN KEY (other) REFERENCES "

	t.Run("of a partitioned table", func(t *testing.T) {
		requireCode(t, s.try("CREATE TABLE "+s.qualified(third)+reference+s.qualified(other)+" (id)) "+ddl.PartitionBy()), erForeignPartitioned)
	})
	t.Run("to a partitioned table", func(t *testing.T) {
		requireCode(t, s.try("CREATE TABLE "+s.qualified(third)+reference+s.qualified(table)+" (id))"),
			erForeignPartitioned, erCannotAddForeign, erCannotCreate)
	})
	t.Run("up on a table that has one", func(t *testing.T) {
		s.exec("CREATE TABLE " + s.qualified(third) + reference + s.qualified(other) + " (id))")
		for statement := range s.ddl(third).Up() {
			requireCode(t, s.try(statement), erForeignPartitioned, erRowIsReferenced)
		}
		require.Empty(t, partitions(s, third))
		s.exec("DROP TABLE " + s.qualified(third)) // before the table that it references
	})
}

func TestMySQL_uniqueKeysNeedTheID(t *testing.T) {
	s := mysql(t)
	table, ddl := mysqlTable(s, nil)
	createMySQL(s, table, ddl.PartitionBy())
	requireCode(t, s.try("ALTER TABLE "+s.qualified(table)+" ADD UNIQUE (tenant)"), erUniqueNeedsColumn)
	s.exec("ALTER TABLE " + s.qualified(table) + " ADD UNIQUE (tenant, id)")
}

func TestMySQL_hasALimitOfPartitions(t *testing.T) {
	s := mysql(t)
	table := partition.Table{Name: unique(), Column: "id", Layout: layout}
	table.Layout.Partition, table.Layout.Time = 13, 32
	clause := s.ddl(table).PartitionBy()

	// One more than the 8,192 of the clause. That as many are allowed, the server
	// shows by what it refuses: the same partition twice, and not their number.
	before := "CREATE TABLE " + s.qualified(table) + " (id bigint PRIMARY KEY) "
	requireCode(t, s.try(before+strings.Replace(clause, "(PARTITION", "(PARTITION more VALUES LESS THAN (0), PARTITION", 1)), erTooManyPartitions)
	err := s.try(before + strings.Replace(clause, "`p8190`", "`p8189`", 1))
	requireCode(t, err, erDuplicatePartition)

	table.Layout.Partition, table.Layout.Time, table.Dialect = 14, 31, s.dialect
	require.ErrorIs(t, table.Validate(), partition.ErrTable)
}

// What Quote refuses, the server refuses as well, if one tries.
func TestMySQL_refusesNames(t *testing.T) {
	s := mysql(t)
	for _, name := range []string{strings.Repeat("x", 65), "ends with a space ", "😀"} {
		_, err := s.dialect.Quote(name)
		require.ErrorIs(t, err, partition.ErrTable)
		requireCode(t, s.try("CREATE TABLE `"+name+"` (id bigint)"), erTooLongName, erWrongTableName, erInvalidCharacters)
	}
}
