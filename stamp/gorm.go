package stamp

// GormDataType tells GORM the type of the column. Without it, GORM would take a
// primary key for one that the database counts up.
func (ID) GormDataType() string { return "bigint" }

// GormDataType tells GORM the type of the column, as [ID.GormDataType].
func (Typed[K]) GormDataType() string { return "bigint" }

// GormDataType tells GORM the type of the column, as [ID.GormDataType].
func (NullTyped[K]) GormDataType() string { return "bigint" }
