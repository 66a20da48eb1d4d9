package gormtest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/glebarez/sqlite"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/stampid/go-stamp/integrations/gormstamp"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/stamp"
)

func TestCreate(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		one := Tag{Name: "one"}
		require.NoError(t, db.Create(&one).Error)
		require.True(t, one.ID.Valid())
		requirePartition(t, tags.Config(), home, one.ID.ID())
		in9 := db.WithContext(partition.NewContext(t.Context(), 9))
		slice := []Tag{{Name: "a"}, {ID: 77, Name: "b"}, {Name: "c"}}
		require.NoError(t, in9.Create(&slice).Error)
		requirePartition(t, tags.Config(), 9, slice[0].ID.ID())
		require.EqualValues(t, 77, slice[1].ID, "it had one")
		require.Greater(t, slice[2].ID, slice[0].ID)
		pointers := []*Tag{{Name: "d"}, {Name: "e"}}
		require.NoError(t, db.Create(pointers).Error)
		require.Greater(t, pointers[1].ID, pointers[0].ID)
		saved := Tag{Name: "saved"}
		require.NoError(t, db.Save(&saved).Error)
		saved.Name = "saved again"
		id := saved.ID
		require.NoError(t, db.Save(&saved).Error)
		require.Equal(t, id, saved.ID)
		found := Tag{}
		require.NoError(t, db.Where(Tag{Name: "first"}).FirstOrCreate(&found).Error)

		for _, want := range []Tag{one, slice[0], slice[1], slice[2], *pointers[0], *pointers[1], saved, found} {
			var got Tag
			require.NoError(t, db.First(&got, want.ID).Error)
			require.Equal(t, want, got)
		}
		require.EqualValues(t, 8, count[Tag](t, db))
		require.NoError(t, db.Model(&one).Update("name", "changed").Error)
		require.NoError(t, db.Delete(&Tag{}, []tagID{one.ID, saved.ID}).Error)
		require.EqualValues(t, 6, count[Tag](t, db))
	})
}

func TestCreateFromMaps(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		row := map[string]any{"Name": "a"}
		require.NoError(t, db.Model(&Tag{}).Create(row).Error)
		require.IsType(t, tagID(0), row["id"])
		rows := []map[string]any{{"name": "b"}, {"id": tagID(5), "name": "c"}, {"ID": tagID(6), "name": "d"}}
		require.NoError(t, db.Model(&Tag{}).Create(&rows).Error)
		require.EqualValues(t, 5, rows[1]["id"])
		require.NotContains(t, rows[2], "id")
		var got []tagID
		require.NoError(t, db.Model(&Tag{}).Order("name").Pluck("id", &got).Error)
		require.Equal(t, []tagID{row["id"].(tagID), rows[0]["id"].(tagID), 5, 6}, got)
	})
}

func TestCreateInBatches(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		rows := make([]Tag, 2500)
		require.NoError(t, db.CreateInBatches(rows, 1000).Error)
		var got []tagID
		require.NoError(t, db.Model(&Tag{}).Order("id").Pluck("id", &got).Error)
		require.Len(t, got, len(rows))
		for i, row := range rows {
			require.Equal(t, row.ID, got[i], "in the order of the rows")
		}
	})
}

// A plugin serves all goroutines.
func TestConcurrentCreates(t *testing.T) {
	const workers, rows = 4, 50
	db := onPostgres(t, gormstamp.Options{})
	migrate(t, db)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for range rows {
				if err := db.Create(&Tag{Name: "x"}).Error; err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, workers*rows, count[Tag](t, db))
}

// Without the transaction that GORM begins by default, ids are made first as well.
func TestWithoutTransaction(t *testing.T) {
	db := onSQLite(t, gormstamp.Options{})
	bare, err := gorm.Open(&sqlite.Dialector{Conn: pool(t, db)}, &gorm.Config{NamingStrategy: db.NamingStrategy, SkipDefaultTransaction: true})
	require.NoError(t, err)
	require.NoError(t, bare.Use(gormstamp.New(gormstamp.Options{})))
	migrate(t, db)
	tag := Tag{Name: "x"}
	require.NoError(t, bare.WithContext(db.Statement.Context).Create(&tag).Error)
	require.True(t, tag.ID.Valid())
}

// An upsert leaves the id of the row in the struct: the new one, or that of the
// row that was there.
func TestUpsert(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		first := Customer{Email: "ada@example.com", Name: "Ada"}
		require.NoError(t, db.Create(&first).Error)
		update := clause.OnConflict{Columns: []clause.Column{{Name: "email"}}, DoUpdates: clause.AssignmentColumns([]string{"name"})}
		again := []Customer{{Email: "bob@example.com", Name: "Bob"}, {Email: "ada@example.com", Name: "Ada L."}}
		require.NoError(t, db.Clauses(update).Create(&again).Error)
		require.Equal(t, first.ID, again[1].ID)
		var rows []Customer
		require.NoError(t, db.Order("email").Find(&rows).Error)
		require.Len(t, rows, 2)
		require.Equal(t, first.ID, rows[0].ID, "a row keeps its id")
		require.Equal(t, "Ada L.", rows[0].Name)
		require.Equal(t, again[0].ID, rows[1].ID)

		// By the id itself, and with nothing to do.
		require.NoError(t, db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&Customer{ID: first.ID, Email: "ada@example.com", Name: "A"}).Error)
		require.NoError(t, db.Clauses(clause.OnConflict{DoNothing: true}).Create(&Customer{Email: "ada@example.com"}).Error)
		require.EqualValues(t, 2, count[Customer](t, db))
		skipped := []Customer{{Email: "ada@example.com"}, {Email: "eve@example.com"}}
		ignored := db.Clauses(clause.OnConflict{DoNothing: true}).Create(&skipped)
		require.NoError(t, ignored.Error)
		require.EqualValues(t, 1, ignored.RowsAffected)
		var eve Customer
		require.NoError(t, db.First(&eve, "email = ?", "eve@example.com").Error)
		require.Equal(t, eve.ID, skipped[1].ID)
		require.NotEqual(t, eve.ID, skipped[0].ID)
		var got Customer
		require.NoError(t, db.First(&got, first.ID).Error)
		require.Equal(t, "A", got.Name)
	})
}

func TestTimeOfContext(t *testing.T) {
	type dated struct {
		ID   stamp.ID
		Name string
	}
	config := configOf("")
	db := onSQLite(t, gormstamp.Options{Config: config})
	require.NoError(t, db.Table("dated").AutoMigrate(&dated{}))
	at := epoch.Add(24 * time.Hour)
	for p := range uint64(2) {
		row := dated{Name: fmt.Sprint(p)}
		ctx := gormstamp.At(partition.NewContext(t.Context(), p), at)
		require.NoError(t, db.WithContext(ctx).Table("dated").Create(&row).Error)
		made, err := config.Time(row.ID)
		require.NoError(t, err)
		require.Equal(t, at, made.UTC())
		requirePartition(t, config, p, row.ID)
	}
	err := db.WithContext(gormstamp.At(t.Context(), at)).Table("dated").Create(&dated{}).Error
	require.ErrorIs(t, err, stamp.ErrNoPartition)
	err = db.WithContext(gormstamp.At(partition.NewContext(t.Context(), 16), at)).Table("dated").Create(&dated{}).Error
	require.ErrorIs(t, err, stamp.ErrOutOfRange)
}

// An id that can't be made is the statement's error, and no row is there: not
// those of associations either.
func TestErrors(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		db, ran := recorded(db.WithContext(t.Context())) // no partition
		for name, create := range map[string]*gorm.DB{
			"row":         db.Create(&Customer{Name: "x"}),
			"slice":       db.Create([]Customer{{ID: 5}, {}}),
			"map":         db.Model(&Customer{}).Create(map[string]any{"name": "x"}),
			"batches":     db.CreateInBatches([]Customer{{ID: 5}, {}}, 1),
			"association": db.Create(&Customer{ID: 5, Orders: []Order{{}}}),
			"selected":    db.Select("*").Create(&Customer{ID: 5, Orders: []Order{{}}}),
		} {
			if name == "selected" && create.Error == nil {
				continue // without its association
			}
			require.ErrorIs(t, create.Error, stamp.ErrNoPartition, name)
		}
		require.ErrorIs(t, db.WithContext(partition.NewContext(t.Context(), 16)).Create(&Tag{}).Error, stamp.ErrOutOfRange)
		for _, statement := range ran.sql {
			require.NotContains(t, statement, "orders", statement)
		}
		require.Zero(t, count[Order](t, db))
		require.Zero(t, count[Tag](t, db))
	})
}
