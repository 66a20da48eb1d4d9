package partition

// https://www.postgresql.org/docs/current/sql-createtable.html and, for DETACH
// PARTITION, https://www.postgresql.org/docs/current/sql-altertable.html.

func (d *DDL) postgresPartitionBy() string { return "PARTITION BY RANGE (" + d.column + ")" }

func (d *DDL) postgresCreate(s Span) string {
	create := "CREATE TABLE "
	if d.table.IfNotExists {
		create += "IF NOT EXISTS "
	}
	return withOptions(create+d.postgresName(s)+" PARTITION OF "+d.quoted+
		" FOR VALUES FROM ("+d.first(s)+") TO ("+d.end(s)+")", d.table.Options)
}

func (d *DDL) postgresDrop(s Span) string {
	drop := "DROP TABLE "
	if d.table.IfNotExists {
		drop += "IF EXISTS "
	}
	return drop + d.postgresName(s)
}

func (d *DDL) postgresDetach(s Span) string {
	return "ALTER TABLE " + d.quoted + " DETACH PARTITION " + d.postgresName(s)
}

// postgresName is in the schema of the table: an unqualified partition would go
// to the first schema of the connection's search path instead.
func (d *DDL) postgresName(s Span) string { return d.inSchema(d.table.partitionName(s)) }
