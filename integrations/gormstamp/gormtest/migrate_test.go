package gormtest

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"github.com/stampid/go-stamp/integrations/gormstamp"
	"github.com/stampid/go-stamp/stamp"
)

// Columns of ids are bigint and not counted up by the database, and a second
// migration finds nothing to change.
func TestAutoMigrate(t *testing.T) {
	type Plain struct {
		ID    stamp.ID
		Other *stamp.ID
	}
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		db, ran := recorded(db)
		migrate(t, db)
		require.NoError(t, db.AutoMigrate(&Plain{}))
		for model, columns := range map[any][]string{
			&Customer{}: {"id"},
			&Order{}:    {"id", "customer_id", "replaces_id"},
			&Profile{}:  {"customer_id"},
			&Plain{}:    {"id", "other"},
		} {
			types, err := db.Migrator().ColumnTypes(model)
			require.NoError(t, err)
			for _, name := range columns {
				found := false
				for _, column := range types {
					if column.Name() == name {
						found = true
						require.Contains(t, []string{"bigint", "int8"}, strings.ToLower(column.DatabaseTypeName()), name)
						counted, ok := column.AutoIncrement()
						require.False(t, ok && counted, name)
						_, ok = column.DefaultValue()
						require.False(t, ok, "%s has a default value", name)
					}
				}
				require.True(t, found, name)
			}
		}
		require.NotContains(t, strings.ToLower(strings.Join(ran.sql, "\n")), "serial")
		require.NotContains(t, strings.ToLower(strings.Join(ran.sql, "\n")), "auto_increment")

		ran.sql = nil
		migrate(t, db)
		require.NoError(t, db.AutoMigrate(&Plain{}))
		for _, statement := range ran.sql {
			require.NotRegexp(t, `(?i)^\s*(alter|create|drop)`, statement)
		}

		require.NoError(t, db.Create(&Plain{ID: math.MaxInt64}).Error)
		var got Plain
		require.NoError(t, db.First(&got).Error)
		require.Equal(t, Plain{ID: math.MaxInt64}, got)
	})
}

// GORM takes none of the fields for one that the database sets, so LastInsertId
// has nowhere to go.
func TestDatabaseSetsNoID(t *testing.T) {
	db := onMySQL(t, gormstamp.Options{})
	for _, model := range []any{&Customer{}, &Order{}, &Tag{}, &Profile{}} {
		stmt := &gorm.Statement{DB: db}
		require.NoError(t, stmt.Parse(model))
		require.Empty(t, stmt.Schema.FieldsWithDefaultDBValue)
		for _, f := range stmt.Schema.Fields {
			require.False(t, f.AutoIncrement, f.Name)
			if strings.HasSuffix(f.Name, "ID") {
				require.Equal(t, schema.DataType("bigint"), f.DataType)
			}
		}
	}
	// Also where the column counts up, as in a table from before.
	require.NoError(t, db.Migrator().CreateTable(&Tag{}))
	stmt := &gorm.Statement{DB: db}
	require.NoError(t, stmt.Parse(&Tag{}))
	require.NoError(t, db.Exec("alter table "+stmt.Table+" modify id bigint not null auto_increment").Error)
	rows := []Tag{{Name: "a"}, {Name: "b"}}
	require.NoError(t, db.Create(&rows).Error)
	var got []tagID
	require.NoError(t, db.Model(&Tag{}).Order("id").Pluck("id", &got).Error)
	require.Equal(t, []tagID{rows[0].ID, rows[1].ID}, got)
	requirePartition(t, tags.Config(), home, got[0].ID())
}
