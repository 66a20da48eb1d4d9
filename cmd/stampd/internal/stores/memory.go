package stores

import (
	"context"

	"github.com/stampid/go-stamp/store"
)

func memoryScheme() scheme {
	return scheme{names: []string{"memory"}, form: "memory:", open: openMemory}
}

func openMemory(_ context.Context, t *target, _ Options) (*Store, error) {
	if t.rest().String() != "memory:" {
		return nil, t.wrong("write memory:")
	}
	return opened(store.NewMemory(), closeFunc(nothing)), nil
}
