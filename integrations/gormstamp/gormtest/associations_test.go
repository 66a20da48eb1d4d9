package gormtest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/stampid/go-stamp/integrations/gormstamp"
	"github.com/stampid/go-stamp/stamp"
)

// Belongs to, has one, has many, many to many, and a table that refers to itself.
func TestAssociations(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		urgent := &Tag{Name: "urgent"}
		ada := Customer{
			Email: "ada@example.com", Profile: &Profile{Text: "p"},
			Orders: []Order{{Note: "1", Tags: []*Tag{urgent}}, {Note: "2", Tags: []*Tag{urgent, {Name: "gift"}}}},
		}
		require.NoError(t, db.Create(&ada).Error)
		second := ada.Orders[1]
		replacement := Order{
			CustomerID: ada.ID, Replaces: &Order{CustomerID: ada.ID, Note: "3"},
			Note: "4", Tags: []*Tag{second.Tags[1]},
		}
		require.NoError(t, db.Create(&replacement).Error)
		bobs := Order{Customer: &Customer{Email: "bob@example.com"}, Note: "5"}
		require.NoError(t, db.Create(&bobs).Error)
		require.Equal(t, bobs.Customer.ID, bobs.CustomerID)

		var got Customer
		require.NoError(t, db.Preload("Profile").Preload("Orders", func(db *gorm.DB) *gorm.DB { return db.Order("note") }).
			Preload("Orders.Tags", func(db *gorm.DB) *gorm.DB { return db.Order("id") }).First(&got, ada.ID).Error)
		require.Equal(t, ada.ID, got.Profile.CustomerID, "a key that is a foreign key is not made")
		require.Len(t, got.Orders, 4)
		require.Equal(t, ada.Orders[0].ID, got.Orders[0].ID)
		require.Equal(t, urgent.ID, got.Orders[0].Tags[0].ID)
		require.Len(t, got.Orders[1].Tags, 2)
		require.Equal(t, stamp.NullOf(replacement.Replaces.ID), got.Orders[3].ReplacesID)
		require.Equal(t, stamp.NullTyped[orderKind]{}, got.Orders[2].ReplacesID)
		require.EqualValues(t, 2, count[Tag](t, db))
		require.EqualValues(t, 5, count[Order](t, db))

		require.ErrorIs(t, db.Create(&Profile{Text: "nobody's"}).Error, stamp.ErrRange)

		// What is added to a row later.
		require.NoError(t, db.Model(&bobs).Association("Tags").Append(&Tag{Name: "late"}))
		require.EqualValues(t, 1, db.Model(&bobs).Association("Tags").Count())
		require.NoError(t, db.Session(&gorm.Session{FullSaveAssociations: true}).Save(&Order{
			ID: bobs.ID, CustomerID: bobs.CustomerID, Tags: []*Tag{{Name: "later"}},
		}).Error)
		require.EqualValues(t, 2, db.Model(&bobs).Association("Tags").Count())
	})
}

// Two rows that share a new customer, and rows that refer to each other.
func TestSharedAssociation(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		ada := &Customer{Email: "ada@example.com"}
		rows := []Order{{Customer: ada}, {Customer: ada}}
		require.NoError(t, db.Create(&rows).Error)
		require.EqualValues(t, 1, count[Customer](t, db))
		require.Equal(t, []customerID{ada.ID, ada.ID}, []customerID{rows[0].CustomerID, rows[1].CustomerID})

		bob := &Customer{Email: "bob@example.com"}
		bob.Orders = []Order{{Customer: bob}}
		require.NoError(t, db.Create(bob).Error)
		require.EqualValues(t, 3, count[Order](t, db))
	})
}

// What isn't created keeps having no id.
func TestOmittedAssociation(t *testing.T) {
	each(t, gormstamp.Options{}, func(t *testing.T, db *gorm.DB) {
		migrate(t, db)
		for _, db := range []*gorm.DB{db.Omit("Orders"), db.Omit(clause.Associations), db.Select("ID", "Email")} {
			row := Customer{Orders: []Order{{Note: "x"}}}
			row.Email = string(rune('a' + count[Customer](t, db.Session(&gorm.Session{NewDB: true}))))
			require.NoError(t, db.Create(&row).Error)
			require.True(t, row.ID.Valid())
			require.Zero(t, row.Orders[0].ID)
		}
		require.Zero(t, count[Order](t, db))
	})
}

// All ids are there before the first statement.
func TestIDsBeforeTheTransaction(t *testing.T) {
	db := onSQLite(t, gormstamp.Options{})
	migrate(t, db)
	var seen []any
	require.NoError(t, db.Callback().Create().After("gormstamp:create").Before("gorm:begin_transaction").
		Register("test", func(db *gorm.DB) {
			if c, ok := db.Statement.Dest.(*Customer); ok && seen == nil {
				seen = []any{c.ID.Valid(), c.Orders[0].ID.Valid(), c.Orders[0].Tags[0].ID.Valid()}
			}
		}))
	require.NoError(t, db.Create(&Customer{Orders: []Order{{Tags: []*Tag{{}}}}}).Error)
	require.Equal(t, []any{true, true, true}, seen)
}
