package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

const (
	// maxTenant is how long a tenant's name can be, in bytes.
	maxTenant = 1 << 16

	// maxPartitionBits leaves a bit for the sequence.
	maxPartitionBits = 62
)

type partitionCommand struct {
	Tenants []string `arg:"" optional:"" name:"tenant" help:"Tenants. Without any they are read from standard input, one a line."`
	Bits    *int     `placeholder:"N" help:"Bits of partition, 1 to 62, when the ids' layout doesn't matter."`
	Int     bool     `help:"Tenants are whole numbers, hashed as partition.OfInt does; the number 7 and the text 7 are two tenants."`
	JSON    bool     `name:"json" help:"Print an object per line."`

	layoutFlags
}

// Help is shown below the flags.
func (partitionCommand) Help() string {
	return `Prints the partition that a tenant's ids belong to, as partition.Of computes it, and with --layout
the ids of that partition, first and last, for a WHERE id BETWEEN first AND last.

    stamp partition --layout 4/41/6/12 acme       acme  11  6341068275337658368  6917529027641081855

Columns are separated by tabs. A line is the tenant as it stands, blanks and letter case count;
empty lines are skipped. JSON has the fields tenant (a string), partition, first and last
(strings too, as ids don't fit the numbers of JavaScript). Negative numbers come after a --:

    stamp partition --int --bits 4 -- -7`
}

// Run finds the partitions.
func (c *partitionCommand) Run(s *streams) error {
	layout, err := c.target()
	if err != nil {
		return err
	}
	width := layout.Partition
	if c.Bits != nil {
		width = *c.Bits
	}
	r := &stream{s: s, what: "tenants", limit: maxTenant}
	r.answer = func(dst, tenant []byte) ([]byte, error) {
		p, err := c.partition(tenant, width)
		if err != nil {
			return dst, err
		}
		a := partitionAnswer{Tenant: string(tenant), Partition: p}
		if c.Bits == nil {
			ids, err := layout.PartitionRange(p)
			if err != nil {
				return dst, err
			}
			a.First, a.Last = strconv.FormatInt(ids.First, 10), strconv.FormatInt(ids.Last, 10)
		}
		if c.JSON {
			return a.appendJSON(dst)
		}
		return a.appendLine(dst), nil
	}
	return r.run(c.Tenants)
}

// target is the layout, which means nothing when the bits alone are given. The
// error is one of usage.
func (c *partitionCommand) target() (bits.Layout, error) {
	layout, err := c.layout()
	switch {
	case err != nil:
		return layout, err
	case c.Bits == nil && layout.Partition == 0:
		return layout, &usageError{fmt.Errorf("the layout %v has no partition bits; name one that has with --layout, or --bits alone", layout)}
	case c.Bits == nil:
		return layout, nil
	case c.Layout != nil || c.Preset != "":
		return layout, &usageError{errors.New("--bits excludes --layout and --preset, which have the bits")}
	case *c.Bits < 1 || *c.Bits > maxPartitionBits:
		return layout, &usageError{fmt.Errorf("--bits %d, want 1 to %d", *c.Bits, maxPartitionBits)}
	}
	return layout, nil
}

func (c *partitionCommand) partition(tenant []byte, width int) (uint64, error) {
	if !c.Int {
		return partition.Of(tenant, width), nil
	}
	text := string(tenant)
	// One number has one text, as an id has: 07 and +7 are more likely names.
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
		return partition.OfInt(n, width), nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && strconv.FormatUint(n, 10) == text {
		return partition.OfInt(n, width), nil
	}
	return 0, fmt.Errorf("tenant %.128q is no whole number from -9223372036854775808 to 18446744073709551615", text)
}

// partitionAnswer is what is said about a tenant.
type partitionAnswer struct {
	Tenant    string `json:"tenant"`
	Partition uint64 `json:"partition"`
	First     string `json:"first,omitempty"` // with Last: none without a layout
	Last      string `json:"last,omitempty"`
}

func (a partitionAnswer) appendLine(dst []byte) []byte {
	dst = append(append(dst, a.Tenant...), '\t')
	dst = strconv.AppendUint(dst, a.Partition, 10)
	if a.First != "" {
		dst = append(append(dst, '\t'), a.First...)
		dst = append(append(dst, '\t'), a.Last...)
	}
	return append(dst, '\n')
}

func (a partitionAnswer) appendJSON(dst []byte) ([]byte, error) {
	if !utf8.ValidString(a.Tenant) {
		return dst, fmt.Errorf("tenant %.128q is not UTF-8, which JSON can't hold", a.Tenant)
	}
	line, err := json.Marshal(a)
	return append(append(dst, line...), '\n'), err
}
