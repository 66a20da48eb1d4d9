package lease

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// DefaultTTL is how long a number stays with a process that has died.
const DefaultTTL = 10 * time.Second

// Options are the options of a lease. Space is required. Layout, Epoch and Unit are
// those of the ids, as in stamp.Options, with the same defaults.
type Options struct {
	// Space is a name for the ids: see [fence.Options].
	Space string

	Layout bits.Layout
	Epoch  time.Time
	Unit   time.Duration

	// Name makes the process one that comes back: the next one of this name gets
	// the same number. It is up to [fence.MaxOwner] bytes, and no two processes
	// that live at the same time may have it. Empty: any number will do.
	Name string
	// First and Last are the numbers to choose from. Both 0: all of the layout.
	First, Last uint64
	// TTL is how long the number stays with a process that has died: two windows of
	// the fence to store.MaxTTL. 0: [DefaultTTL], or two windows if that is more.
	TTL time.Duration
	// Fence has the options of the fence. Space, Owner and TTL are set by the lease.
	Fence fence.Options
}

// normal fills in what is left out.
func (o Options) normal() Options {
	preset := bits.Default()
	o.Layout = cmp.Or(o.Layout, preset.Layout)
	if o.Epoch.IsZero() {
		o.Epoch = preset.Timescale.Epoch
	}
	o.Unit = cmp.Or(o.Unit, preset.Timescale.Unit)
	if o.First == 0 && o.Last == 0 {
		o.Last = o.Layout.MaxNode()
	}
	o.TTL = cmp.Or(o.TTL, max(DefaultTTL, 2*cmp.Or(o.Fence.Window, fence.DefaultWindow)))
	return o
}

func (o Options) timescale() bits.Timescale { return bits.Timescale{Epoch: o.Epoch, Unit: o.Unit} }

// validate reports every violation at once.
func (o Options) validate() error {
	errs := []error{o.Layout.ValidateClock(), o.timescale().Validate()}
	violated := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if o.Layout.Node == 0 {
		violated("the layout %v has no node bits", o.Layout)
	}
	if most := o.Layout.MaxNode(); o.First > o.Last || o.Last > most {
		violated("numbers %d to %d, want a range within 0 to %d", o.First, o.Last, most)
	}
	if len(o.Name) > fence.MaxOwner {
		violated("name %.80q has %d bytes, want at most %d", o.Name, len(o.Name), fence.MaxOwner)
	}
	for field, set := range map[string]bool{"Space": o.Fence.Space != "", "Owner": o.Fence.Owner != "", "TTL": o.Fence.TTL != 0} {
		if set {
			violated("Fence.%s is set, want it in the lease's options", field)
		}
	}
	return errors.Join(errs...)
}

// fence returns the options of the lease's fence.
func (o Options) fence() fence.Options {
	f := o.Fence
	f.Space, f.Owner, f.TTL = o.Space, o.Name, o.TTL
	return f
}

// key is where the record of a number is.
func (o Options) key(number uint64) store.Key {
	return fence.Key(o.Space, fence.Format(o.Layout, o.timescale()), number)
}
