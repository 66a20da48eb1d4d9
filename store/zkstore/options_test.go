package zkstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/zkstore"
)

func TestOptions(t *testing.T) {
	const names = ", want names that ZooKeeper takes, each after a slash"
	conn := dial(t, address())
	for name, tt := range map[string]struct {
		options zkstore.Options
		want    []string
	}{
		"zero value":     {zkstore.Options{}, nil},
		"all":            {zkstore.Options{Chroot: "/apps/shop", Prefix: "/ids/all", ACL: zk.WorldACL(zk.PermRead)}, nil},
		"no slash":       {zkstore.Options{Chroot: "apps", Prefix: "ids"}, []string{`chroot is "apps"` + names, `prefix is "ids"` + names}},
		"slash at end":   {zkstore.Options{Chroot: "/apps/", Prefix: "/"}, []string{`chroot is "/apps/"` + names, `prefix is "/"` + names}},
		"two slashes":    {zkstore.Options{Prefix: "/a//b"}, []string{`prefix is "/a//b"` + names}},
		"dots":           {zkstore.Options{Chroot: "/a/..", Prefix: "/./b"}, []string{`chroot is "/a/.."` + names, `prefix is "/./b"` + names}},
		"control":        {zkstore.Options{Prefix: "/a\n"}, []string{`prefix is "/a\n"` + names}},
		"NUL":            {zkstore.Options{Prefix: "/\x00"}, []string{`prefix is "/\x00"` + names}},
		"not UTF-8":      {zkstore.Options{Prefix: "/\xff"}, []string{`prefix is "/\xff", want at most 256 bytes of UTF-8`}},
		"too long":       {zkstore.Options{Prefix: "/" + strings.Repeat("x", 256)}, []string{`prefix is "/` + strings.Repeat("x", 255) + `", want at most 256 bytes of UTF-8`}},
		"ZooKeeper's":    {zkstore.Options{Prefix: "/zookeeper"}, []string{`"/zookeeper" is ZooKeeper's own`}},
		"below that":     {zkstore.Options{Chroot: "/zookeeper", Prefix: "/a"}, []string{`"/zookeeper/a" is ZooKeeper's own`}},
		"beside that":    {zkstore.Options{Prefix: "/zookeepers"}, nil},
		"not at the top": {zkstore.Options{Chroot: "/a", Prefix: "/zookeeper"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := zkstore.New(conn, tt.options)
			if tt.want == nil {
				require.NoError(t, err)
				require.NotNil(t, s)
				return
			}
			require.ErrorIs(t, err, zkstore.ErrPath)
			want := "zkstore: invalid path: " + strings.Join(tt.want, "\nzkstore: invalid path: ")
			require.EqualError(t, err, want)
		})
	}
	_, err := zkstore.New(nil, zkstore.Options{Prefix: "x"})
	require.ErrorIs(t, err, zkstore.ErrClient)
	require.ErrorIs(t, err, zkstore.ErrPath, "all that is wrong is reported")
}

func TestParseConnectString(t *testing.T) {
	for s, want := range map[string]struct {
		servers []string
		chroot  string
	}{
		"zk1":                        {[]string{"zk1:2181"}, ""},
		"zk1:2182":                   {[]string{"zk1:2182"}, ""},
		"zk1/":                       {[]string{"zk1:2181"}, ""},
		"a:1, b,c:65535/apps/shop":   {[]string{"a:1", "b:2181", "c:65535"}, "/apps/shop"},
		"[::1]:2182,[fe80::1],::1/x": {[]string{"[::1]:2182", "[fe80::1]:2181", "[::1]:2181"}, "/x"},
	} {
		servers, chroot, err := zkstore.ParseConnectString(s)
		require.NoError(t, err, s)
		require.Equal(t, want.servers, servers, s)
		require.Equal(t, want.chroot, chroot, s)
	}
	for _, s := range []string{"", ",", "a,", "/apps", ":2181", "a:", "a:0", "a:65536", "a:b", "a:1:2", "a:-1", "[ 0", "a b", "[a]b", "1:2:3:z", "a/b//c", "a/b/", "a/..", "a/\n"} {
		_, _, err := zkstore.ParseConnectString(s)
		require.ErrorIs(t, err, zkstore.ErrConnectString, "%q", s)
	}
}

func FuzzParseConnectString(f *testing.F) {
	f.Add("a:1, b,c:65535/apps/shop")
	f.Add("[::1]:2182,::1/x")
	f.Fuzz(func(t *testing.T, s string) {
		servers, chroot, err := zkstore.ParseConnectString(s)
		if err != nil {
			require.ErrorIs(t, err, zkstore.ErrConnectString)
			return
		}
		again, sameRoot, err := zkstore.ParseConnectString(strings.Join(servers, ",") + chroot)
		require.NoError(t, err)
		require.Equal(t, servers, again)
		require.Equal(t, chroot, sameRoot)
	})
}

func ExampleNew() {
	servers, chroot, err := zkstore.ParseConnectString("127.0.0.1,127.0.0.1:2182/apps/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(servers, chroot)
	conn, _, err := zk.Connect(servers, 10*time.Second, zk.WithLogInfo(false), zk.WithLogger(silent{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	counters, err := zkstore.New(conn, zkstore.Options{Chroot: chroot})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = counters.Allocate(context.Background(), store.Key{Namespace: "shop"}, 0)
	fmt.Println(err)
	// Output:
	// [127.0.0.1:2181 127.0.0.1:2182] /apps/shop
	// store: name is "", want 1 character or more
	// store: n is 0, want 1 to 9223372036854775807
}
