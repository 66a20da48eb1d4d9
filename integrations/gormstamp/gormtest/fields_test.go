package gormtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/stampid/go-stamp/integrations/gormstamp"
	"github.com/stampid/go-stamp/stamp"
)

// Account and AccountSummary are two models of one table.
type Account struct {
	ID   stamp.ID
	Name string
}

// AccountSummary has the same table as Account.
type AccountSummary struct {
	ID   stamp.ID
	Note string
}

// Two models on one table draw on one sequence, whatever names the table has. Two
// tables have one each.
func TestPlainIDsShareTheSequenceOfTheTable(t *testing.T) {
	// With a clock that stands still, two sequences make the same ids.
	at := epoch.Add(time.Hour)
	config := configOf("")
	each(t, gormstamp.Options{Config: config}, func(t *testing.T, db *gorm.DB) {
		db = db.WithContext(gormstamp.At(db.Statement.Context, at))
		stmt := &gorm.Statement{DB: db}
		require.NoError(t, stmt.Parse(&Account{}))
		require.NoError(t, db.AutoMigrate(&Account{}))
		require.NoError(t, db.Table(stmt.Table).AutoMigrate(&AccountSummary{}))
		qualified := map[string]string{"postgres": "public.", "sqlite": "main."}[db.Name()] + stmt.Table
		var ids []stamp.ID
		for range 2 {
			a, b, c := Account{}, AccountSummary{}, Account{}
			require.NoError(t, db.Create(&a).Error)
			require.NoError(t, db.Table(stmt.Table).Create(&b).Error)
			require.NoError(t, db.Table(qualified).Create(&c).Error)
			ids = append(ids, a.ID, b.ID, c.ID)
		}
		for i := range ids[1:] {
			require.Equal(t, ids[i]+1, ids[i+1], "of one sequence")
		}
		other := Account{}
		require.NoError(t, db.Table(stmt.Table+"_2").AutoMigrate(&Account{}))
		require.NoError(t, db.Table(stmt.Table+"_2").Create(&other).Error)
		require.Equal(t, ids[0], other.ID, "of another sequence")
		elsewhere := Account{}
		require.NoError(t, db.Session(&gorm.Session{DryRun: true}).Table("elsewhere."+stmt.Table).Create(&elsewhere).Error)
		require.Equal(t, ids[0], elsewhere.ID, "of the table in another schema")
	})
}

func TestTags(t *testing.T) {
	type Tagged struct {
		Key    string `gorm:"primaryKey;size:20"`
		Serial orderID
		Public orderID   `gorm:"stamp"`
		Named  stamp.ID  `gorm:"stamp:tagged"`
		Plain  stamp.ID  `gorm:"stamp"`
		Ptr    *stamp.ID `gorm:"stamp:pointers"`
		Left   *stamp.ID
	}
	type Off struct {
		ID   tagID `gorm:"stamp:-"`
		Name string
	}
	each(t, gormstamp.Options{Config: configOf("")}, func(t *testing.T, db *gorm.DB) {
		require.NoError(t, db.AutoMigrate(&Tagged{}, &Off{}))
		row := Tagged{Key: "a", Serial: 7}
		require.NoError(t, db.Create(&row).Error)
		require.EqualValues(t, 7, row.Serial)
		require.True(t, row.Public.Valid())
		require.True(t, row.Named.Valid())
		require.True(t, row.Plain.Valid())
		require.True(t, row.Ptr.Valid())
		require.Nil(t, row.Left)
		var got Tagged
		require.NoError(t, db.First(&got).Error)
		require.Equal(t, row, got)
		require.ErrorIs(t, db.Create(&Tagged{Key: "b"}).Error, stamp.ErrRange, "no key, no tag, no id")
		require.ErrorIs(t, db.Create(&Off{Name: "x"}).Error, stamp.ErrRange)
		require.Zero(t, count[Off](t, db))
	})
}

func TestBadTags(t *testing.T) {
	type WrongType struct {
		ID    orderID
		Count int `gorm:"stamp"`
	}
	type Null struct {
		ID  orderID
		Ref stamp.NullTyped[orderKind] `gorm:"stamp"`
	}
	type NamedKind struct {
		ID orderID `gorm:"stamp:orders"`
	}
	type Unconfigured struct {
		ID stamp.ID `gorm:"stamp"`
	}
	db := onSQLite(t, gormstamp.Options{})
	for want, model := range map[string]any{
		"Count of WrongType: int is neither": &WrongType{},
		"Ref of Null":                        &Null{},
		`the tag names "orders"`:             &NamedKind{},
		"Options.Config isn't set":           &Unconfigured{},
	} {
		require.NoError(t, db.AutoMigrate(model))
		err := db.Create(model).Error
		require.ErrorIs(t, err, gormstamp.ErrField)
		require.ErrorContains(t, err, want)
	}
	// Without a tag, and without a configuration, a plain key is its owner's.
	require.NoError(t, db.AutoMigrate(&Account{}))
	require.NoError(t, db.Create(&Account{ID: 5}).Error)
	require.ErrorIs(t, db.Create(&Account{}).Error, stamp.ErrRange)
}

func TestOptions(t *testing.T) {
	db := onSQLite(t, gormstamp.Options{})
	require.ErrorIs(t, gormstamp.New(gormstamp.Options{Timeout: -1}).Initialize(db), gormstamp.ErrOptions)
	require.ErrorIs(t, db.Use(gormstamp.New(gormstamp.Options{})), gorm.ErrRegistered)
}
