# Every target works on all modules of go.work.

FUZZTIME ?= 10s
BENCH    ?= .
RACE     ?= work
CHAOS    ?= 10m
KILLS    ?= 0

TOOLS   := bin/.built
MODULES  = $(shell go list -m -f '{{.Dir}}')
# What users import, in contrast to the commands.
LIBRARIES = $(filter-out $(CURDIR)/cmd/%,$(MODULES))
COMMANDS  = $(filter $(CURDIR)/cmd/%,$(MODULES))

.DEFAULT_GOAL := help
.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: ## run all tests
	go test -timeout 20m work
	go test -tags purego ./clock/... ./sequence

# qemu-user on amd64 lets a load overtake the store of another word before it, as
# no arm64 processor may with Go's atomics. So it can't run the test that a lowered
# ceiling is seen.
.PHONY: test-arm64
test-arm64: ## run the tests of clocks and sequences for arm64, by qemu-user
	GOARCH=arm64 go vet ./...
	GOARCH=arm64 go test -short -skip TestLoweredCeilingStopsEveryClaim -exec qemu-aarch64 ./clock/... ./sequence ./stamp

.PHONY: race
race: ## run the tests of RACE (all) with the race detector, in their short form
	go test -race -short -timeout 20m $(RACE)

.PHONY: test-mongowire
test-mongowire: ## run the tests of tools/mongowire, which make services builds
	cd tools/mongowire && GOWORK=off go test . && GOWORK=off go test -race ./relay

.PHONY: fuzz
fuzz: ## run every fuzz target, one after the other, each for FUZZTIME (10s)
	@tools/fuzz $(FUZZTIME) $(MODULES)

.PHONY: bench
bench: ## run the benchmarks that match BENCH (all)
	go test -run '^$$' -bench '$(BENCH)' -benchmem work

.PHONY: bench-compare
bench-compare: ## compare with floors and other libraries; BENCHFLAGS='-rounds 50 -only targets/'
	cd benchmarks && go run . $(BENCHFLAGS)

.PHONY: prefetch-table
prefetch-table: ## write docs/prefetch-table.md: adaptive prefetch against fixed, in virtual time
	go test ./sequence/segment -run '^TestPrefetchTable$$' -count 1 -write-prefetch-table

.PHONY: chaos
chaos: ## look for duplicates while servers, processes and clocks are broken, CHAOS (10m) for each of SOURCES; STORES, IDS of each, SEED
	cd cmd/stampd && go run ./internal/chaos/run -for $(CHAOS) -kills $(KILLS) $(if $(SOURCES),-sources $(SOURCES)) $(if $(IDS),-ids $(IDS)) $(if $(STORES),-stores $(STORES)) $(if $(SEED),-seed $(SEED))

.PHONY: herd
herd: ## draw the load on STORE (postgres) of 200 instances at once, as docs/herd.svg; 3 minutes
	cd cmd/stampd && go run ./internal/herd/run -store $(or $(STORE),postgres) -o $(CURDIR)/docs/herd.svg

.PHONY: model
model: ## check the protocol of the fence exhaustively, and that each of its rules is needed (spin, cc)
	docs/model/check

.PHONY: services
services: ## start the servers that the tests use, installing what is missing
	@scripts/services

.PHONY: lint
lint: fmt-check $(TOOLS) ## check format, vet and golangci-lint, which runs staticcheck
	go vet work
	@set -e; for dir in $(MODULES); do \
		echo "golangci-lint in $$dir"; \
		(cd "$$dir" && "$(CURDIR)/bin/golangci-lint" run --allow-parallel-runners ./...); \
	done
	cd tools/mongowire && GOWORK=off go vet ./... && GOWORK=off "$(CURDIR)/bin/golangci-lint" run --allow-parallel-runners ./...

.PHONY: fmt
fmt: $(TOOLS) ## format all files with gofumpt
	bin/gofumpt -w .

.PHONY: fmt-check
fmt-check: $(TOOLS)
	@files=$$(bin/gofumpt -l .); if [ -n "$$files" ]; then \
		echo "not formatted, run make fmt:"; echo "$$files"; exit 1; fi

.PHONY: cover
cover: ## write cover.out and print the coverage of each function
	go test -coverprofile=cover.out -coverpkg=github.com/stampid/go-stamp/... work
	go tool cover -func=cover.out

.PHONY: tidy
tidy: ## run go mod tidy in every module
	@set -e; for dir in $(LIBRARIES); do echo "tidy $$dir"; (cd "$$dir" && GOWORK=off go mod tidy); done
	@set -e; for dir in $(COMMANDS); do echo "tidy $$dir"; tools/tidy-command "$$dir"; \
		mv "$$dir/dev.mod" "$$dir/go.mod"; mv "$$dir/dev.sum" "$$dir/go.sum"; done

.PHONY: tools
tools: $(TOOLS) ## build the pinned tools into bin

$(TOOLS): tools/go.mod tools/go.sum
	@mkdir -p bin
	cd tools && GOWORK=off go build -o ../bin/ tool
	@touch $@

.PHONY: release-check
release-check: fmt-check ## check what must hold before a version is tagged
	@tools/release-check $(LIBRARIES) -- $(COMMANDS)
