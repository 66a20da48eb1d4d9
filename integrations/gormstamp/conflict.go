package gormstamp

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// returnID has an upsert return the ids of its rows: a row that was there before
// keeps its own, which isn't the one that was made.
//
// Only where each row is returned, and in order, does GORM know which is which. So
// not if a row may be left alone.
func returnID(stmt *gorm.Statement) {
	c, ok := stmt.Clauses["ON CONFLICT"]
	conflict, isConflict := c.Expression.(clause.OnConflict)
	if !ok || !isConflict || conflict.DoNothing || len(conflict.Where.Exprs) > 0 {
		return
	}
	if _, ok := stmt.Clauses["RETURNING"]; ok {
		return
	}
	var columns []clause.Column
	for _, f := range stmt.Schema.PrimaryFields {
		columns = append(columns, clause.Column{Name: f.DBName})
	}
	for _, f := range stmt.Schema.FieldsWithDefaultDBValue {
		if f.Readable && !f.PrimaryKey {
			columns = append(columns, clause.Column{Name: f.DBName})
		}
	}
	stmt.AddClause(clause.Returning{Columns: columns})
}
