package stores

import (
	"context"

	"github.com/stampid/go-stamp/store/proxystore"
)

func proxyScheme() scheme {
	return scheme{names: []string{"http", "https"}, form: "http://host:8080", open: openProxy}
}

func openProxy(_ context.Context, t *target, _ Options) (*Store, error) {
	if err := t.none(); err != nil {
		return nil, err
	}
	s, err := proxystore.NewClient(proxystore.ClientOptions{URL: t.rest().String()})
	if err != nil {
		return nil, t.wrong("%v", err)
	}
	return opened(s, closeFunc(nothing)), nil
}
