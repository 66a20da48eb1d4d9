module github.com/stampid/go-stamp/integrations/gormstamp

go 1.26.0

require (
	github.com/stampid/go-stamp v0.0.0
	gorm.io/gorm v1.31.2
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.5 // indirect
	github.com/jxskiss/base62 v1.1.0 // indirect
	github.com/sqids/sqids-go v0.4.1 // indirect
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4 // indirect
	golang.org/x/text v0.29.0 // indirect
)

replace github.com/stampid/go-stamp => ../..
