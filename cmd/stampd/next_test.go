package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNextIsOnAFileOfSQLite(t *testing.T) {
	m := newMachine(t)
	code, out, message := m.run(t, "next", "-n", "5", "order")
	require.Zero(t, code)
	require.Equal(t, "1\n2\n3\n4\n5\n", out)
	require.Equal(t, "stampd: made sqlite:ids.db, a new store\n", message)
	require.FileExists(t, m.folder+"/ids.db")

	code, out, message = m.run(t, "next", "--store", "sqlite:ids.db", "-n", "500", "order")
	require.Zero(t, code)
	requireRange(t, numbers(t, out), 6, 505)
	require.Empty(t, message, "nothing is dropped")

	require.Equal(t, "1\n", m.done(t, "next", "invoice"), "another counter")
	require.Equal(t, "1\n", m.done(t, "next", "--namespace", "shop", "order"), "another namespace")
	require.Equal(t, "506\n", m.done(t, "next", "order"))
}

func TestNextOnEachStore(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		out := m.done(t, "next", "--store", address, "--create", "-n", "500", "order")
		requireRange(t, numbers(t, out), 1, 500)
		require.EqualValues(t, 500, peek(t, address, "order"))

		outputs := []string{out}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				code, out, message := m.run(t, "next", "--store", address, "-n", "1000", "--step", "100", "order")
				if code != 0 || message != "" {
					t.Errorf("exit code %d: %s", code, message)
				}
				mu.Lock()
				defer mu.Unlock()
				outputs = append(outputs, out)
			})
		}
		wg.Wait()
		requireRange(t, numbers(t, outputs...), 1, 4500)
	})
}

// Without the table there is nothing, and nothing is made unasked.
func TestNextMakesNothingUnasked(t *testing.T) {
	m := newMachine(t)
	for _, address := range []string{"file:ids", "sqlite:a.db"} {
		code, out, message := m.run(t, "next", "--audit", address, "order")
		require.Equal(t, exitFailed, code)
		require.Empty(t, out)
		require.Contains(t, message, "--create makes it")
	}
	everywhere(t, func(t *testing.T, m machine, address string) {
		if !strings.Contains(address, "table=") {
			return
		}
		code, out, message := m.run(t, "next", "--store", address, "order")
		require.Equal(t, exitFailed, code)
		require.Empty(t, out)
		require.Contains(t, message, "the store isn't made yet")
		require.Contains(t, message, "; --create makes it\n")
	})
}

func TestNextInEachMode(t *testing.T) {
	m := newMachine(t)
	last := int64(0)
	for _, mode := range []string{"sync", "double-buffer", "chain"} {
		code, out, message := m.run(t, "next", "--mode", mode, "-n", "30000", "--step", "7", "-q", "order")
		require.Zero(t, code, message)
		require.Empty(t, message)
		found := numbers(t, out)
		requireRange(t, found, last+1, last+30000)
		last = peek(t, "sqlite:"+m.folder+"/ids.db", "order")
	}
}

// What a step leaves over is said.
func TestNextSaysWhatItDrops(t *testing.T) {
	m := newMachine(t)
	code, out, message := m.run(t, "next", "--step", "1000", "-n", "5", "order")
	require.Zero(t, code)
	requireRange(t, numbers(t, out), 1, 5)
	require.Contains(t, message, "stampd: 995 reserved numbers were not printed, and are dropped\n")
	require.Equal(t, "1001\n", m.done(t, "next", "order"))

	// Steps of equal size leave less than one number for each.
	code, out, message = m.run(t, "next", "-n", "25001", "order")
	require.Zero(t, code)
	requireRange(t, numbers(t, out), 1002, 26002)
	require.Equal(t, "stampd: 1 reserved numbers were not printed, and are dropped\n", message)
}

func TestNextOffset(t *testing.T) {
	m := newMachine(t)
	require.Equal(t, "101\n102\n", m.done(t, "next", "--offset", "100", "-n", "2", "order"))
	require.Equal(t, "103\n", m.done(t, "next", "--offset", "500", "order"), "only when it is made")
}

// The last numbers there are, and none after them.
func TestNextAtTheEnd(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		out := m.done(t, "next", "--store", address, "--create", "--offset", "9223372036854775800", "-n", "7", "order")
		requireRange(t, numbers(t, out), 9223372036854775801, 9223372036854775807)
		code, out, message := m.run(t, "next", "--store", address, "order")
		require.Equal(t, exitFailed, code)
		require.Empty(t, out)
		require.Contains(t, message, "exhausted")
	})
}

func TestNextGroupsAndForms(t *testing.T) {
	m := newMachine(t)
	zone, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	// Midnight may pass between two lines: then this is tried again.
	for range 2 {
		day := time.Now().In(zone).Format("20060102")
		name := "order" + strconv.FormatInt(time.Now().UnixNano(), 36)
		next := func(args ...string) string {
			return m.done(t, append(strings.Fields("next --group day --zone Asia/Shanghai "+name), args...)...)
		}
		outputs := []string{
			next("-n", "2"),
			next("--prefix", "BIZ-", "--pad", "8"),
			next("--prefix", "BIZ-", "--pad", "8", "--group-first"),
			next("--delimiter", "/", "--suffix", "!"),
			next("--base", "radix62"),
			next("--base", "radix36", "--pad", "4"),
			next("--base", "radix36", "--unpadded", "-n", "3"),
			next("--json", "--prefix", `"\`),
		}
		at := peek(t, "sqlite:"+m.folder+"/ids.db", name+"@"+day)
		if time.Now().In(zone).Format("20060102") != day {
			continue
		}
		require.Equal(t, []string{
			day + "-1\n" + day + "-2\n",
			"BIZ-" + day + "-00000003\n",
			day + "-BIZ-00000004\n",
			day + "/5!\n",
			day + "-00000000006\n",
			day + "-0007\n",
			day + "-8\n" + day + "-9\n" + day + "-A\n",
			`{"id":"11","group":"` + day + `","text":"\"\\` + day + `-11"}` + "\n",
		}, outputs)
		require.EqualValues(t, 11, at)
		var line struct{ ID, Group, Text string }
		require.NoError(t, json.Unmarshal([]byte(outputs[7]), &line))
		require.Equal(t, `"\`+day+"-11", line.Text)
		return
	}
	t.Fatal("midnight came twice")
}

func TestNextGroupsByMonthAndYear(t *testing.T) {
	m := newMachine(t)
	now := time.Now().UTC()
	for period, layout := range map[string]string{"year": "2006", "month": "200601"} {
		require.Equal(t, now.Format(layout)+"-1\n", m.done(t, "next", "--group", period, period))
	}
	require.Equal(t, now.Format("2006.01.02")+"-1\n", m.done(t, "next", "--group", "day", "--group-layout", "2006.01.02", "dotted"))
}

func TestNextPartitions(t *testing.T) {
	m := newMachine(t)
	for range 2 {
		m.done(t, "next", "-n", "3", "--partition", "7", "order")
		m.done(t, "next", "-n", "5", "--partition", "8", "order")
	}
	m.done(t, "next", "order")
	file := "sqlite:" + m.folder + "/ids.db"
	require.EqualValues(t, 6, peek(t, file, "order#7"))
	require.EqualValues(t, 10, peek(t, file, "order#8"))
	require.EqualValues(t, 1, peek(t, file, "order"))
}

// A number that has no text ends it, after all that have one.
func TestNextBeyondTheWidth(t *testing.T) {
	m := newMachine(t)
	code, out, message := m.run(t, "next", "--base", "radix36", "--pad", "1", "-n", "40", "order")
	require.Equal(t, exitFailed, code)
	require.Len(t, out, 2*35)
	require.True(t, strings.HasSuffix(out, "Y\nZ\n"))
	require.Contains(t, message, "stampd: 5 reserved numbers were not printed, and are dropped\n")
	require.Contains(t, message, "36")
}

func TestNextUsage(t *testing.T) {
	requireUsage(t, "next", map[string]string{
		"":                                            "<name>",
		"order invoice":                               "invoice",
		"order -n 0":                                  "-n 0",
		"order --count=-1":                            "-n -1",
		"order -n 9223372036854775808":                "9223372036854775808",
		"order --step 0":                              "--step 0 is below 1",
		"order --step=-5":                             "--step -5 is below 1",
		"order --offset=-1":                           "--offset -1 is below 0",
		"order --mode fast":                           `no mode "fast"; there are sync, double-buffer, chain`,
		"order --group hour":                          `no period "hour"; there are year, month, day`,
		"order --zone UTC":                            "need a --group",
		"order --group-layout 2006":                   "need a --group",
		"order --group day --zone Mars/Olympus":       "Mars/Olympus",
		"order --group day --group-layout 2006":       "doesn't give each day a name of its own",
		"order --group day --group-layout 0102":       "doesn't give each day a name of its own",
		"order --group day --delimiter 2":             "delimiter",
		"order --group day --group-layout 2006-01-02": "delimiter",
		"order --base base64":                         `no base "base64"; there are decimal, radix36, radix62`,
		"order --pad 20":                              "width 20 is outside 0 to 19",
		"order --base radix62 --pad 12":               "width 12 is outside 0 to 11",
		"order --base radix36 --pad 1 --offset 35":    "36",
		"order --unpadded":                            "unpadded decimal",
		"order --delimiter /":                         "need a group",
		"order --group-first":                         "need a group",
		"order --prefix \x01":                         "byte 0x01",
		"order --namespace=":                          "empty namespace",
		"order --partition -1":                        "-1",
		"a@b":                                         "has a @ or #",
		"a#1":                                         "has a @ or #",
		"order --partition 1 --namespace a@b":         "has a @ or #",
		"__share__ --partition 1":                     "__share__",
		"order --timeout 0s":                          "--timeout 0s isn't above 0",
		"order --store oracle://h/db":                 "unknown kind",
		"order --audit oracle://h/db":                 "unknown kind",
		"order --store file:a --audit file:a":         "--audit is the store itself",
		"order --what":                                "--what",
	})
}

// Names that a store can't hold are refused by it, before it is asked.
func TestNamesThatStoresRefuse(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		m.done(t, "next", "--store", address, "--create", "order")
		hostile := []string{strings.Repeat("x", 2000), "a\xffb", "a\nb"}
		if strings.HasPrefix(address, "http") {
			hostile = append(hostile, "a/b", "..")
		}
		for _, name := range hostile {
			for _, command := range []string{"next", "status"} {
				code, out, message := m.run(t, command, "--store", address, name)
				if name == "a\nb" {
					// A name like any other, for those that can hold it, but not for a
					// terminal.
					require.Contains(t, []int{exitDone, exitUsage}, code)
				} else {
					require.Equal(t, exitUsage, code, message)
					require.Empty(t, out)
				}
				require.NotContains(t, out+message, "a\nb")
				require.Regexp(t, `\A[\x20-\x7e\n…]*\z`, out+message)
			}
		}
	})
}

// Arguments come from anywhere, and what a message repeats of them must not reach
// a terminal as a command.
func TestMessagesHaveNoControlCharacters(t *testing.T) {
	for _, args := range [][]string{
		{"next", "--\x1b[31m"},
		{"next", "order", "--store", "\x1b]0;title\a"},
		{"next", "order", "--store", "sqlite:\x1b[2J/x.db"},
		{"next", "order", "--store", "postgres://\x1b[2J/x.db"},
		{"\x1b[2J"},
		{"status", "--namespace", "\u009b31m", "--store", "memory:", "\x1b[2J"},
	} {
		s, out, message := inMemory("")
		run(args, s)
		require.Regexp(t, `\A[\x20-\x7e\n…]*\z`, out.String()+message.String(), "%q", args)
	}
}

func TestVersion(t *testing.T) {
	m := newMachine(t)
	for _, args := range []string{"version", "--version", "next --version"} {
		require.Regexp(t, `^stampd \S+ \(go\S+, \w+/\w+\)\n$`, m.done(t, strings.Fields(args)...))
	}
}

func TestHelpNamesWhatThereIs(t *testing.T) {
	m := newMachine(t)
	help := m.done(t)
	require.Equal(t, help, m.done(t, "--help"))
	for _, want := range []string{"next", "status", "recover", "serve", "version", "Exit codes", "STAMPD_STORE"} {
		require.Contains(t, help, want)
	}
	for _, command := range []string{"next", "status", "recover", "serve"} {
		require.Contains(t, m.done(t, command, "--help"), fmt.Sprintf("stampd %s", command))
	}
}
