package partition

import "strings"

// https://dev.mysql.com/doc/refman/8.4/en/alter-table-partition-operations.html

// mysqlPartitionBy is bounded: a table has at most maxMySQLPartitions.
func (d *DDL) mysqlPartitionBy() string {
	var b strings.Builder
	b.WriteString("PARTITION BY RANGE (" + d.column + ") (")
	separator := ""
	for s := range d.Spans() {
		b.WriteString(separator + d.mysqlDefinition(s))
		separator = ", "
	}
	b.WriteString(")")
	return b.String()
}

func (d *DDL) mysqlDefinition(s Span) string {
	end := d.end(s)
	if end != maxValue {
		end = "(" + end + ")"
	}
	return withOptions("PARTITION "+d.quotedName(s)+" VALUES LESS THAN "+end, d.table.Options)
}

func (d *DDL) mysqlUp() string { return d.mysqlAlter(d.mysqlPartitionBy()) }

func (d *DDL) mysqlDown() string { return d.mysqlAlter("REMOVE PARTITIONING") }

func (d *DDL) mysqlAdd(s Span) string {
	return d.mysqlAlter("ADD PARTITION (" + d.mysqlDefinition(s) + ")")
}

func (d *DDL) mysqlDrop(s Span) string {
	return d.mysqlAlter("DROP PARTITION " + d.quotedName(s))
}

func (d *DDL) mysqlAlter(operation string) string { return "ALTER TABLE " + d.quoted + " " + operation }
