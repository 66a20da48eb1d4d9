package zkstore

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-zookeeper/zk"
)

// DefaultPrefix is the node under which CosId has its counters.
const DefaultPrefix = "/cosid"

// maxPath is the length of the longest chroot or prefix, in bytes.
const maxPath = 256

// Options are the settings of a store. The zero value shares its counters with
// Java programs whose connect string has no chroot.
type Options struct {
	// Chroot is the node that all paths begin at, such as "/apps/shop": the end
	// of a Java client's connect string, or a slash and the namespace of a
	// Curator client. Empty: none. It is created with the first counter.
	Chroot string
	// Prefix is the path below Chroot under which the counters are. Records are
	// beside it, under Prefix + "-records". Empty: [DefaultPrefix], the only
	// one that CosId has. Stores of different prefixes have nothing in common.
	Prefix string
	// ACL is given to the nodes that the store creates, those above a counter
	// included. Empty: anyone may do anything, as Curator has it.
	ACL []zk.ACL
}

// roots returns the nodes under which counters and records are.
func (o Options) roots() (counters, records string, err error) {
	prefix := cmp.Or(o.Prefix, DefaultPrefix)
	counters = o.Chroot + prefix
	if o.Chroot != "" {
		err = checkPath("chroot", o.Chroot)
	}
	err = errors.Join(err, checkPath("prefix", prefix))
	if err == nil && (counters == "/zookeeper" || strings.HasPrefix(counters, "/zookeeper/")) {
		err = fmt.Errorf("%w: %q is ZooKeeper's own", ErrPath, counters)
	}
	return counters, counters + "-records", err
}

func checkPath(what, path string) error {
	if len(path) > maxPath || !utf8.ValidString(path) {
		return fmt.Errorf("%w: %s is %.*q, want at most %d bytes of UTF-8", ErrPath, what, maxPath, path, maxPath)
	}
	rest, ok := strings.CutPrefix(path, "/")
	for element := range strings.SplitSeq(rest, "/") {
		ok = ok && element != "" && element != "." && element != ".." && !strings.ContainsFunc(element, isForbidden)
	}
	if !ok {
		return fmt.Errorf("%w: %s is %q, want names that ZooKeeper takes, each after a slash", ErrPath, what, path)
	}
	return nil
}
