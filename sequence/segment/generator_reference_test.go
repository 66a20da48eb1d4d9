package segment_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
)

// reference is what a generator without background does, written down plainly:
// one number at a time, under a lock, with a look at the clock for each call.
type reference struct {
	mu       sync.Mutex
	counters map[string]int64
	fetch    int64 // numbers
	ttl      time.Duration
	byDay    bool

	group       string
	first, last int64 // what is left
	expires     time.Duration
}

func (m *reference) next(r clock.Reading) segment.Grouped {
	m.mu.Lock()
	defer m.mu.Unlock()
	if day := r.Wall.Format("20060102"); m.byDay && day > m.group {
		m.group, m.last = day, m.first-1
	}
	if m.first > m.last || m.ttl > 0 && r.Monotonic >= m.expires {
		m.first = m.counters[m.group] + 1
		m.counters[m.group] += m.fetch
		m.last = m.counters[m.group]
		m.expires = r.Monotonic + m.ttl
	}
	m.first++
	return segment.Grouped{Value: m.first - 1, Group: m.group}
}

func TestGeneratorEqualsReference(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for i := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, i))
		f := newFake()
		c := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.Int64N(int64(100 * time.Hour)))))
		o := segment.Options{
			Mode: modes[random.IntN(3)], Step: 1 + random.Int64N(20), SafeDistance: 1 + random.Int64N(3),
			NoBackground: true, Clock: c,
		}
		m := &reference{counters: map[string]int64{}, fetch: o.Step, first: 1}
		if o.Mode == segment.Chain {
			m.fetch *= o.SafeDistance
		}
		if random.IntN(2) == 0 {
			o.TTL = time.Second + time.Duration(random.Int64N(int64(time.Hour)))
			m.ttl = o.TTL
		}
		if random.IntN(2) == 0 {
			o.Group.Period, m.byDay = segment.Day, true
		}
		g := newGenerator(t, f, o)
		var log []string
		for range 100 {
			switch random.IntN(6) {
			case 0:
				d := time.Duration(random.Int64N(int64(3 * time.Hour)))
				log = append(log, fmt.Sprintf("advance %v", d))
				c.Advance(d)
			case 1:
				d := time.Duration(random.Int64N(int64(60*time.Minute))) - 50*time.Minute
				log = append(log, fmt.Sprintf("step %v", d))
				c.Step(d)
				c.Advance(10 * time.Millisecond) // a step is noticed after that at the latest
			default:
				n := 1 + random.IntN(30)
				log = append(log, fmt.Sprintf("%d ids", n))
				r := c.Read()
				for range n {
					want := m.next(r)
					got := nextGrouped(t, g)
					got.Day = 0
					require.Equal(t, want, got, "schedule %d, options %+v:\n%q", i, o, log)
				}
			}
		}
	}
}
