package mongostore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/mongostore"
)

func TestNewChecksOptions(t *testing.T) {
	client := newClient(t, "mongodb://127.0.0.1:1")
	const (
		database   = "mongostore: Database is %s, want at most 63 bytes of UTF-8 without any of `/\\. \"$*<>:|?` and NUL"
		collection = `mongostore: %s is %s, want at most 128 bytes of UTF-8 without "$" and NUL that don't begin with "." or "system."`
	)
	long := strings.Repeat("x", 200)
	for name, tt := range map[string]struct {
		options mongostore.Options
		want    []string
	}{
		"defaults":                {mongostore.Options{}, nil},
		"longest":                 {mongostore.Options{Database: long[:63], Collection: long[:128], RecordCollection: "r"}, nil},
		"dot":                     {mongostore.Options{Collection: "ids.counters"}, nil},
		"other letters":           {mongostore.Options{Database: "ids-é", Collection: "счётчики"}, nil},
		"database with a dot":     {mongostore.Options{Database: "a.b"}, []string{fmt.Sprintf(database, `"a.b"`)}},
		"database with NUL":       {mongostore.Options{Database: "a\x00"}, []string{fmt.Sprintf(database, `"a\x00"`)}},
		"database too long":       {mongostore.Options{Database: long[:64]}, []string{fmt.Sprintf(database, `"`+long[:64]+`"`)}},
		"database, very long":     {mongostore.Options{Database: long}, []string{fmt.Sprintf(database, `"`+long[:128]+`"`)}},
		"dollar":                  {mongostore.Options{Collection: "$a", RecordCollection: "r"}, []string{fmt.Sprintf(collection, "Collection", `"$a"`)}},
		"system":                  {mongostore.Options{RecordCollection: "system.users"}, []string{fmt.Sprintf(collection, "RecordCollection", `"system.users"`)}},
		"begins with a dot":       {mongostore.Options{RecordCollection: ".a"}, []string{fmt.Sprintf(collection, "RecordCollection", `".a"`)}},
		"not UTF-8":               {mongostore.Options{RecordCollection: "a\xff"}, []string{fmt.Sprintf(collection, "RecordCollection", `"a\xff"`)}},
		"collection too long":     {mongostore.Options{Collection: long[:129], RecordCollection: "r"}, []string{fmt.Sprintf(collection, "Collection", `"`+long[:128]+`"`)}},
		"no room for the default": {mongostore.Options{Collection: long[:125]}, []string{fmt.Sprintf(collection, "RecordCollection", `"`+long[:125]+`_re"`)}},
		"one for both":            {mongostore.Options{Collection: "a", RecordCollection: "a"}, []string{`mongostore: RecordCollection is "a", want another one than Collection`}},
		"all": {mongostore.Options{Database: "a.", Collection: "$", RecordCollection: "$"}, []string{
			fmt.Sprintf(database, `"a."`), fmt.Sprintf(collection, "Collection", `"$"`), fmt.Sprintf(collection, "RecordCollection", `"$"`),
			`mongostore: RecordCollection is "$", want another one than Collection`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := mongostore.New(client, tt.options)
			if tt.want == nil {
				require.NoError(t, err)
				require.NotNil(t, s)
				return
			}
			require.EqualError(t, err, strings.Join(tt.want, "\n"))
			require.ErrorIs(t, err, mongostore.ErrOptions)
			var option *mongostore.OptionError
			require.ErrorAs(t, err, &option)
		})
	}
	_, err := mongostore.New(nil, mongostore.Options{Database: "a.b"})
	require.EqualError(t, err, "mongostore: client is nil, want one\n"+fmt.Sprintf(database, `"a.b"`))
}

// Two stores with different collections have nothing in common, and each makes its
// collections itself.
func TestCollections(t *testing.T) {
	ctx, client := t.Context(), connect(t)
	o := newDatabase(t, client)
	first := newStore(t, client, o)
	o.Collection, o.RecordCollection = "ids.counters", "ids.records"
	second := newStore(t, client, o)
	_, err := first.Create(ctx, orders, 5)
	require.NoError(t, err)
	_, err = second.Peek(ctx, orders)
	require.ErrorIs(t, err, store.ErrNoCounter)
	created, err := second.Create(ctx, orders, 7)
	require.NoError(t, err)
	require.True(t, created)
	require.NoError(t, second.CompareAndSet(ctx, orders, nil, []byte("a")))
	names, err := client.Database(o.Database).ListCollectionNames(ctx, map[string]any{})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"cosid", "ids.counters", "ids.records"}, names)
}

// The password in a URI isn't in errors about it.
func TestURIErrors(t *testing.T) {
	for _, uri := range []string{
		"", "http://me:secret@h", "mongodb://me:secret@", "mongodb://me:sec/ret@h", "mongodb://me:secret@h:port", "mongodb://me:secret%zz@h",
		"mongodb://me:secret@h/\x7f", "mongodb://me:secret@h/?w=-1", "mongodb://me:secret@h/?maxPoolSize=x", "mongodb://me:secret@h1,h2/?directConnection=true",
		"mongodb://me:secret@h/?readPreference=nearby", "mongodb://me:secret@h/?compressors=none;", "mongodb+srv://me:secret@h1,h2",
		"mongodb://me:secret@h/?tls=maybe", "mongodb://me:secret@h/?authMechanism=NONE",
	} {
		client, err := mongostore.NewClient(uri)
		if err == nil {
			require.NoError(t, client.Disconnect(context.Background()))
			t.Logf("%q is a URI to the driver", uri)
			continue
		}
		require.ErrorIs(t, err, mongostore.ErrOptions, uri)
		require.NotContains(t, err.Error(), "secret")
		require.NotContains(t, err.Error(), "sec/ret")
	}
}

func ExampleNew() {
	_, err := mongostore.NewClient("http://127.0.0.1")
	fmt.Println(err)

	client, err := mongostore.NewClient("mongodb://127.0.0.1:27017/?replicaSet=rs0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = client.Disconnect(context.Background()) }()
	counters, err := mongostore.New(client, mongostore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = counters.Allocate(context.Background(), store.Key{Namespace: "shop"}, 0)
	fmt.Println(err)
	// Output:
	// mongostore: invalid options: URI: error parsing uri: scheme must be "mongodb" or "mongodb+srv"
	// store: name is "", want 1 character or more
	// store: n is 0, want 1 to 9223372036854775807
}
