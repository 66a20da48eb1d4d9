package chaos

import (
	"fmt"
	"strings"
	"time"
)

// maxExamples is how many duplicates and how many falls are told with all about
// them. They are all counted.
const maxExamples = 20

// Verdict is what a check has found.
type Verdict struct {
	Logs     int
	Numbers  int64 // that were given out, each time counted
	Lowest   int64
	Highest  int64
	Repeated int64 // how often a number was given out that had been before
	Falls    int64 // how often a goroutine was given a number that wasn't above its last
	// Duplicates and Disorder are the first of them.
	Duplicates []Duplicate
	Disorder   []Fall
}

// Duplicate is a number that was given out more than once.
type Duplicate struct {
	Number int64
	Given  []Giving
}

// Giving is one time that a number was given out.
type Giving struct {
	To Source
	At time.Time // to a millisecond
}

// Fall is a number that isn't above the one that the same goroutine was given
// before.
type Fall struct {
	To           Source
	At           time.Time
	Before, Next int64
}

func (d Duplicate) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d was given out %d times:", d.Number, len(d.Given))
	for _, g := range d.Given {
		fmt.Fprintf(&b, "\n    to %v at %s", g.To, g.At.UTC().Format("15:04:05.000"))
	}
	return b.String()
}

func (f Fall) String() string {
	return fmt.Sprintf("%v got %d after %d at %s", f.To, f.Next, f.Before, f.At.UTC().Format("15:04:05.000"))
}

// Check reads the logs of a folder. It is exact, and takes a bit of memory for
// each number between the lowest and the highest, rounded up to pages.
func Check(folder string) (Verdict, error) {
	logs, err := sources(folder)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Logs: len(logs)}
	var seen set
	repeated := map[int64]int{} // index in v.Duplicates
	var last int64
	for i, s := range logs {
		if i == 0 || logs[i-1].Process != s.Process || logs[i-1].Goroutine != s.Goroutine {
			last = 0
		}
		err := readLog(folder, s, func(n int64, at time.Time) {
			if v.Numbers == 0 || n < v.Lowest {
				v.Lowest = n
			}
			v.Numbers++
			v.Highest = max(v.Highest, n)
			if n <= last {
				v.fall(Fall{To: s, At: at, Before: last, Next: n})
			}
			last = n
			if !seen.add(n) {
				v.Repeated++
				if _, known := repeated[n]; !known && len(repeated) < maxExamples {
					repeated[n] = len(v.Duplicates)
					v.Duplicates = append(v.Duplicates, Duplicate{Number: n})
				}
			}
		})
		if err != nil {
			return v, err
		}
	}
	if len(repeated) == 0 {
		return v, nil
	}
	return v, v.findOrigins(folder, logs, repeated)
}

func (v *Verdict) fall(f Fall) {
	v.Falls++
	if len(v.Disorder) < maxExamples {
		v.Disorder = append(v.Disorder, f)
	}
}

// findOrigins reads all logs again, for whom the duplicates were given to.
func (v *Verdict) findOrigins(folder string, logs []Source, repeated map[int64]int) error {
	for _, s := range logs {
		err := readLog(folder, s, func(n int64, at time.Time) {
			if i, ok := repeated[n]; ok {
				v.Duplicates[i].Given = append(v.Duplicates[i].Given, Giving{To: s, At: at})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
