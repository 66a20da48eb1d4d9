package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/store"
)

// copyFile is how a backup is made, and restored.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, text, 0o600))
}

// A backup that is put back: next refuses, status tells, recover raises, and next
// goes on above all that was printed.
func TestRestoredBackup(t *testing.T) {
	for _, audit := range []string{"sqlite:audit.db", "file:audit"} {
		t.Run(audit, func(t *testing.T) {
			m := newMachine(t)
			file, backup := filepath.Join(m.folder, "ids.db"), filepath.Join(m.folder, "backup.db")
			next := func(args ...string) []string {
				return append([]string{"next", "--audit", audit, "order"}, args...)
			}
			outputs := []string{m.done(t, next("--create", "-n", "100")...)}
			copyFile(t, file, backup)
			outputs = append(outputs, m.done(t, next("-n", "250")...))

			copyFile(t, backup, file)
			require.NoError(t, os.RemoveAll(file+"-wal"))
			code, out, message := m.run(t, next("-n", "5")...)
			require.Equal(t, exitLost, code)
			require.Empty(t, out)
			require.Contains(t, message, "store was rolled back")
			require.Contains(t, message, "350", "the mark")
			require.Contains(t, message, "stampd recover")

			code, out, message = m.run(t, "status", "--audit", audit, "order")
			require.Equal(t, exitLost, code)
			require.Regexp(t, `default\.order\s+10[05]\s+350  LOST 2\d\d\n`, out)
			require.Contains(t, message, "stampd recover")

			recovery := []string{"recover", "--audit", audit, "--instances", "2", "--step", "100", "--prefetch-distance", "10", "order", "--yes"}
			out = m.done(t, recovery...)
			require.Regexp(t, `default\.order\s+10[05]\s+350\s+2000\s+2350\n`, out)
			require.Contains(t, out, "default.order stands at 2350\n")
			out = m.done(t, recovery...)
			require.Contains(t, out, "stays where it is")
			require.Contains(t, out, "default.order stands at 2350\n", "again is no more")

			outputs = append(outputs, m.done(t, next("-n", "50")...))
			found := numbers(t, outputs...)
			requireRange(t, found[:350], 1, 350)
			requireRange(t, found[350:], 2351, 2400)
			out = m.done(t, "status", "--audit", audit, "order")
			require.Regexp(t, `default\.order\s+2400\s+2400  ok\n`, out)
		})
	}
}

// The same on each store, where a lowered or vanished counter stands for the
// backup, and with the marks in each store.
func TestLostCounters(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		audit := "sqlite:audit.db"
		m.done(t, "next", "--store", address, "--create", "--audit", audit, "-n", "100", "order")
		m.done(t, "next", "--store", audit, "--offset", "70", "lost")

		code, out, message := m.run(t, "next", "--store", address, "--audit", audit, "lost")
		require.Equal(t, exitLost, code, "a counter that is missing, but was in use")
		require.Empty(t, out)
		require.Contains(t, message, "is missing")
		code, out, _ = m.run(t, "status", "--store", address, "--audit", audit, "order", "lost", "never")
		require.Equal(t, exitLost, code)
		require.Regexp(t, `counter\s+stands at\s+audit mark\n`+
			`default\.order\s+100\s+100  ok\n`+
			`default\.lost\s+-\s+71  LOST\n`+
			`default\.never\s+-\s+-  not there\n`, out)

		out = m.done(t, "recover", "--store", address, "--audit", audit, "--instances", "1", "--yes", "lost", "order")
		require.Contains(t, out, "default.lost stands at 100071\n")
		require.Contains(t, out, "default.order stands at 100100\n")
		require.Equal(t, "100072\n", m.done(t, "next", "--store", address, "--audit", audit, "lost"))
		require.Equal(t, "100101\n", m.done(t, "next", "--store", address, "--audit", audit, "order"))
	})
}

// The marks can be in any store.
func TestAuditsOfEachKind(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, audit string) {
		m.done(t, "next", "--audit", audit, "--create", "-n", "1000", "--step", "100", "order")
		require.EqualValues(t, 1000, peek(t, audit, "order"))
		require.NoError(t, os.Remove(filepath.Join(m.folder, "ids.db")))
		code, out, _ := m.run(t, "next", "--audit", audit, "order")
		require.Equal(t, exitLost, code)
		require.Empty(t, out)
		code, out, _ = m.run(t, "status", "--audit", audit, "--json", "order")
		require.Equal(t, exitLost, code)
		require.JSONEq(t, `{"counter":"default.order","max_id":null,"mark":"1000","lost":true}`, out)
	})
}

// Without an audit that answers nothing is printed.
func TestAnAuditThatIsDown(t *testing.T) {
	m := newMachine(t)
	code, out, message := m.run(t, "next", "--audit", "http://u:s3cret@127.0.0.1:1", "order")
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	require.Contains(t, message, "audit: ")
	require.NotContains(t, message, "s3cret")
	require.NoFileExists(t, filepath.Join(m.folder, "ids.db"), "the store is made last")
}

// recovering runs recover on a terminal, in this process.
func recovering(t *testing.T, answer string, args ...string) (code int, out, message string) {
	t.Helper()
	s, stdout, stderr := inMemory(answer)
	s.inIsTerminal = true
	code = run(append([]string{"recover"}, args...), s)
	return code, stdout.String(), stderr.String()
}

func TestRecoverAsks(t *testing.T) {
	folder := t.TempDir()
	address := "sqlite:" + folder + "/ids.db"
	s, err := stores.Open(t.Context(), address, stores.Options{Create: true})
	require.NoError(t, err)
	key := store.Key{Namespace: "default", Name: "order"}
	_, err = s.Create(t.Context(), key, 7)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	args := []string{"--store", address, "--start", "1000", "--all-stopped", "order", "new"}

	for _, answer := range []string{"", "\n", "n\n", "no\n", "yep\n", strings.Repeat("y", 200)} {
		code, out, message := recovering(t, answer, args...)
		require.Equal(t, exitFailed, code, answer)
		require.Regexp(t, `default\.order\s+7\s+-\s+-\s+1000\ndefault\.new\s+-\s+-\s+-\s+1000  to be made\n`, out)
		require.Contains(t, out, "? [y/N] ")
		require.Contains(t, message, "not confirmed, nothing was changed")
		require.EqualValues(t, 7, peek(t, address, "order"))
	}
	for _, answer := range []string{"y\n", "Yes\n"} {
		code, out, message := recovering(t, answer, args...)
		require.Zero(t, code, message)
		require.Contains(t, out, "default.order stands at 1000\ndefault.new stands at 1000\n")
		require.EqualValues(t, 1000, peek(t, address, "order"))
		require.EqualValues(t, 1000, peek(t, address, "new"))
	}
	code, out, _ := recovering(t, "", "--store", address, "--start", "500", "--all-stopped", "--yes", "order")
	require.Zero(t, code)
	require.Contains(t, out, "stays where it is")
	require.EqualValues(t, 1000, peek(t, address, "order"), "never lower")
}

// One that can't be planned keeps all others from being changed.
func TestRecoverDoesAllOrNothing(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "--create", "--audit", "file:audit", "order")
	code, out, message := m.run(t, "recover", "--audit", "file:audit", "--instances", "1", "--yes", "order", "unmarked")
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	require.Contains(t, message, `no audit mark of "default.unmarked", so Start must be chosen; without a mark it takes --start and --all-stopped`)
	require.EqualValues(t, 1, peek(t, "sqlite:"+m.folder+"/ids.db", "order"))

	code, _, message = m.run(t, "recover", "--audit", "file:audit", "--instances", "1", "--yes", "--start", "50", "unmarked")
	require.Equal(t, exitFailed, code)
	require.Contains(t, message, "all instances must be stopped")
	require.Contains(t, m.done(t, "recover", "--audit", "file:audit", "--instances", "1", "--yes", "--start", "50", "--all-stopped", "unmarked"), "stands at 50")
	require.Equal(t, "51\n", m.done(t, "next", "--audit", "file:audit", "unmarked"))

	// A gap that reaches beyond the largest number.
	code, _, message = m.run(t, "recover", "--audit", "file:audit", "--yes", "order",
		"--instances", "9223372036854775807", "--step", "9223372036854775807")
	require.Equal(t, exitFailed, code)
	require.Contains(t, message, "are above 9223372036854775807 together")
}

// A store that is gone altogether is made anew, if that is asked for.
func TestRecoverMakesWhatIsGone(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		m.done(t, "next", "--create", "--audit", "file:audit", "--offset", "5", "order")
		args := []string{"recover", "--store", address, "--audit", "file:audit", "--instances", "1", "--yes", "order"}
		if code, _, message := m.run(t, args...); code != 0 {
			require.Equal(t, exitFailed, code)
			require.Contains(t, message, "; --create makes it")
			require.Contains(t, m.done(t, append(args, "--create")...), "stands at 100006\n")
		}
		require.EqualValues(t, 100006, peek(t, address, "order"))
	})
}

func TestRecoverUsage(t *testing.T) {
	requireUsage(t, "recover", map[string]string{
		"":                                "<names>",
		"order":                           "neither --audit nor --start",
		"order --yes":                     "all that uses the counter must be stopped, which --all-stopped confirms",
		"order --start 5":                 "--all-stopped confirms",
		"order --start 5 --all-stopped":   "confirm with --yes",
		"order --audit file:a":            "no --instances: how many processes",
		"order --start=-5":                "--start -5 is below 0",
		"order --instances=-1":            "--instances -1 is below 0",
		"order --step 0":                  "--step 0 is below 1",
		"order --prefetch-distance 0":     "--prefetch-distance 0 is below 1",
		"order --audit oracle://h":        "unknown kind",
		"order --store x --audit x --yes": "--audit is the store itself",
	})
}
