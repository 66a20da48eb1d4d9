package gormstamp

import (
	"regexp"
	"strings"

	"gorm.io/gorm"
)

// sequenceID names the sequence of a column.
func (m *maker) sequenceID(table, column string) string {
	if m.options.Schema != "" && !strings.Contains(table, ".") {
		table = m.options.Schema + "." + table
	}
	return table + "." + column
}

// tableOf is where a statement's rows go. The name that the statement keeps for
// itself lacks the schema that was given to DB.Table, and what it writes is quoted.
func tableOf(stmt *gorm.Statement) string {
	if stmt.TableExpr != nil && len(stmt.TableExpr.Vars) == 0 {
		if name := unquoted.Replace(stmt.TableExpr.SQL); plainName.MatchString(name) {
			return name
		}
	}
	return stmt.Table
}

var (
	unquoted  = strings.NewReplacer("`", "", `"`, "", "[", "", "]", "")
	plainName = regexp.MustCompile(`^[^\s()]+$`)
)
