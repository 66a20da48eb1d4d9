module github.com/stampid/go-stamp

go 1.26.0

require (
	github.com/beevik/ntp v1.6.0
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/jxskiss/base62 v1.1.0
	github.com/sqids/sqids-go v0.4.1
	github.com/stretchr/testify v1.12.1
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.59.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
