package segment

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"
)

// ruled makes a zone that has nothing but a rule for all years, as the small form
// of the time zone database has it for the years to come.
func ruled(t *testing.T, rule string) *time.Location {
	t.Helper()
	block := "TZif2" + strings.Repeat("\x00", 15) +
		strings.Repeat("\x00", 16) + "\x00\x00\x00\x01" + "\x00\x00\x00\x04" + // one type, four characters
		"\x00\x00\x0e\x10\x00\x00" + "STD\x00" // an hour
	zone, err := time.LoadLocationFromTZData(rule, []byte(block+block+"\n"+rule+"\n"))
	require.NoError(t, err)
	return zone
}

// The end of a group is the first instant of a later one, in zones that skip
// hours, midnights and days, or have some of them twice.
func TestGroupsEndWhereTheNextBegins(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	from := time.Date(1840, 1, 1, 0, 0, 0, 0, time.UTC).Unix() // the date line was moved since
	to := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	zones := []*time.Location{ruled(t, "STD-1DST,M3.5.0,M10.5.0/3"), ruled(t, "STD-1DST,M9.5.0,M4.1.0/0")}
	for _, name := range []string{
		"UTC", "Africa/Cairo", "Africa/Casablanca", "America/Havana", "America/Juneau", "America/Metlakatla",
		"America/Santiago", "America/Sao_Paulo", "America/St_Johns", "Antarctica/Casey", "Asia/Amman", "Asia/Beirut",
		"Asia/Gaza", "Asia/Kathmandu", "Asia/Manila", "Asia/Pyongyang", "Asia/Tehran", "Atlantic/Azores",
		"Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Pacific/Apia", "Pacific/Fakaofo", "Pacific/Guam",
		"Pacific/Kiritimati", "Pacific/Kwajalein",
	} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		zones = append(zones, zone)
	}
	for _, zone := range zones {
		name := zone.String()
		var changes []time.Time
		for at := time.Unix(from, 0); ; {
			at = changeAfter(at.In(zone))
			if at.IsZero() || at.Unix() > to {
				break
			}
			changes = append(changes, at)
		}
		for _, period := range []Period{Day, Month, Year} {
			c := &calendar{period: period, layout: period.layout(), zone: zone}
			first := func(t time.Time) time.Time { // of its period
				day, _ := period.days(t.In(zone).Date())
				return day
			}
			for range 1000 {
				at := time.Unix(from+random.Int64N(to-from), random.Int64N(1e9))
				if len(changes) > 0 && random.IntN(2) == 0 { // or close to a change
					at = changes[random.IntN(len(changes))].Add(time.Duration(random.Int64N(int64(72*time.Hour))) - 48*time.Hour)
				}
				g := c.at(at)
				require.Equal(t, first(at), time.Unix(g.day*secondsOfDay, 0).UTC(), "%v in %v", at, name)
				require.Equal(t, first(at).Format(c.layout), g.name)
				require.True(t, g.end.After(at), "%v in %v: ends at %v", at, name, g.end)
				require.True(t, first(g.end).After(first(at)), "%v in %v: %v is no later group", at, name, g.end)
				for _, before := range []time.Time{g.end.Add(-1), at.Add(time.Duration(random.Int64N(int64(g.end.Sub(at)))))} {
					require.False(t, first(before).After(first(at)), "%v in %v: %v is later than before %v", at, name, before, g.end)
				}
			}
		}
	}
}
