package mongostore_test

import (
	"context"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/mongostore"
)

var (
	orders  = store.Key{Namespace: "shop", Name: "orders"}
	created = store.Key{Namespace: "shop", Name: "new"} // by a call under test
)

// callers are all methods, each called once: those that change something, and
// those that read.
type callers map[string]func(context.Context) error

func changes(s *mongostore.Store) callers {
	return callers{
		"create": func(ctx context.Context) error {
			_, err := s.Create(ctx, created, 7)
			return err
		},
		"allocate": func(ctx context.Context) error {
			_, err := s.Allocate(ctx, orders, 10)
			return err
		},
		"raise": func(ctx context.Context) error {
			_, err := s.Raise(ctx, orders, 1000)
			return err
		},
		"compare and set": func(ctx context.Context) error {
			return s.CompareAndSet(ctx, orders, []byte("old"), []byte("new"))
		},
		"compare and set, first": func(ctx context.Context) error {
			return s.CompareAndSet(ctx, created, nil, []byte("new"))
		},
	}
}

func reads(s *mongostore.Store) callers {
	return callers{
		"peek": func(ctx context.Context) error {
			_, err := s.Peek(ctx, orders)
			return err
		},
		"get": func(ctx context.Context) error {
			_, err := s.Get(ctx, orders)
			return err
		},
	}
}
