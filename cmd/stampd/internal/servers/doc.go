// Package servers starts private servers of shared stores, each in a folder and
// on a loopback port of its own, and treats them badly: kills them without
// notice, freezes them, puts an old backup in their place. Settings are those
// that make a commit durable, as the stores' documentation asks for.
//
//	s, err := servers.Start(ctx, "redis", servers.Options{Folder: t.TempDir()})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	counters, err := stores.Open(ctx, s.URL(), stores.Options{})
//
// A new kind is a file with a function that returns a [Kind], and a line in
// [Kinds]. Stores without a server, a folder or a file, are kinds too: what would
// be done to the server doesn't do anything to them.
//
// It is for tests and for the chaos program. A program that starts the proxy
// calls [RunChild] at the beginning of its main, a test in TestMain: the proxy is
// the program itself in another process.
package servers
