package main

import (
	"bufio"
	"crypto/rand"
	mathrand "math/rand/v2"

	gofrs "github.com/gofrs/uuid/v5"
	google "github.com/google/uuid"
	"github.com/oklog/ulid/v2"
	"github.com/rs/xid"
	"github.com/segmentio/ksuid"
	"go.jetify.com/typeid"
)

func newXID() *subject {
	return shared("xid", func(n int) (uint64, error) {
		var id xid.ID
		for range n {
			id = xid.New()
		}
		return digest(id[:]), nil
	})
}

// newKSUID is ksuid.New, with the package's source of random bits: secure, or
// FastRander, its fast one.
func newKSUID(fast bool) *subject {
	s := shared("ksuid", func(n int) (uint64, error) {
		var id ksuid.KSUID
		for range n {
			id = ksuid.New()
		}
		return digest(id[:]), nil
	})
	s.prepare = func() { ksuid.SetRand(nil) }
	if fast {
		s.name = "ksuid, FastRander"
		s.prepare = func() { ksuid.SetRand(ksuid.FastRander) }
	}
	return s
}

// newULIDMake is ulid.Make, which locks one monotonic entropy.
func newULIDMake() *subject {
	return shared("ulid.Make", func(n int) (uint64, error) {
		var id ulid.ULID
		for range n {
			id = ulid.Make()
		}
		return digest(id[:]), nil
	})
}

// newULIDOwn gives each goroutine a monotonic entropy, which needs no lock.
func newULIDOwn() *subject {
	return &subject{name: "ulid, own monotonic entropy", worker: func(int) work {
		var key [32]byte
		must(rand.Read(key[:]))
		entropy := ulid.Monotonic(mathrand.NewChaCha8(key), 0)
		return func(n int) (uint64, error) {
			var id ulid.ULID
			var err error
			for range n {
				if id, err = ulid.New(ulid.Now(), entropy); err != nil {
					return 0, err
				}
			}
			return digest(id[:]), nil
		}
	}}
}

func newGoogleUUID(pool bool) *subject {
	s := shared("google/uuid v7", func(n int) (uint64, error) {
		var id google.UUID
		var err error
		for range n {
			if id, err = google.NewV7(); err != nil {
				return 0, err
			}
		}
		return digest(id[:]), nil
	})
	s.prepare = google.DisableRandPool
	if pool {
		s.name = "google/uuid v7, pooled"
		s.prepare = google.EnableRandPool
	}
	return s
}

func newGofrsUUID() *subject {
	return shared("gofrs/uuid v7", func(n int) (uint64, error) {
		var id gofrs.UUID
		var err error
		for range n {
			if id, err = gofrs.NewV7(); err != nil {
				return 0, err
			}
		}
		return digest(id[:]), nil
	})
}

// newGofrsOwn gives each goroutine a Gen that reads the system's random bits
// through a buffer.
func newGofrsOwn() *subject {
	return &subject{name: "gofrs/uuid v7, own buffered Gen", worker: func(int) work {
		g := gofrs.NewGenWithOptions(gofrs.WithRandomReader(bufio.NewReader(rand.Reader)))
		return func(n int) (uint64, error) {
			var id gofrs.UUID
			var err error
			for range n {
				if id, err = g.NewV7(); err != nil {
					return 0, err
				}
			}
			return digest(id[:]), nil
		}
	}}
}

type orderPrefix struct{}

func (orderPrefix) Prefix() string { return "ord" }

type orderID struct{ typeid.TypeID[orderPrefix] }

func newTypeID() *subject {
	s := shared("typeid", func(n int) (uint64, error) {
		var text string
		for range n {
			id, err := typeid.New[orderID]()
			if err != nil {
				return 0, err
			}
			text = id.String()
		}
		return digest([]byte(text)), nil
	})
	s.garbage = true
	return s
}
