module github.com/stampid/go-stamp/integrations/entstamp

go 1.26.0

require (
	entgo.io/ent v0.14.5
	github.com/stampid/go-stamp v0.0.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/google/uuid v1.3.0 // indirect
	github.com/jxskiss/base62 v1.1.0 // indirect
	github.com/sqids/sqids-go v0.4.1 // indirect
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4 // indirect
)

replace github.com/stampid/go-stamp => ../..
