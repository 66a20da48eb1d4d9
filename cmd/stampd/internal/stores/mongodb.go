package stores

import (
	"context"
	"errors"

	"github.com/stampid/go-stamp/store/mongostore"
)

func mongodbScheme() scheme {
	return scheme{
		names: []string{"mongodb", "mongodb+srv"},
		form:  "mongodb://user:password@host:27017/?replicaSet=rs0",
		open:  openMongoDB,
	}
}

func openMongoDB(_ context.Context, t *target, _ Options) (*Store, error) {
	var o mongostore.Options
	for name, field := range map[string]*string{
		"database": &o.Database, "collection": &o.Collection, "record_collection": &o.RecordCollection,
	} {
		value, err := t.take(name)
		if err != nil {
			return nil, err
		}
		*field = value
	}
	if t.url.Hostname() == "" {
		return nil, t.wrong("it has no host; write %s", t.form)
	}
	client, err := mongostore.NewClient(t.rest().String())
	if err != nil {
		return nil, t.wrong("%s", reason(err))
	}
	closer := closeFunc(func() error { return client.Disconnect(context.Background()) })
	s, err := mongostore.New(client, o)
	if err != nil {
		return nil, errors.Join(t.wrong("%v", err), closer())
	}
	return opened(s, closer), nil
}
