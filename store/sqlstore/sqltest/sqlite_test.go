package sqltest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/sqlstore"
)

// fileVariable tells a child process which database to use.
const fileVariable = "SQLTEST_SQLITE_FILE"

const childAllocates = 100

// TestChild is what child processes run.
func TestChild(t *testing.T) {
	path := os.Getenv(fileVariable)
	if path == "" {
		t.Skip("runs in child processes of other tests")
	}
	s := sqliteStore(t, path, "&_pragma=busy_timeout(5000)")
	for range childAllocates {
		maxID, err := s.Allocate(t.Context(), orders, 1)
		require.NoError(t, err)
		fmt.Printf("max %d\n", maxID)
	}
}

func sqliteStore(t *testing.T, path, settings string) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.New(openSQLite(t, path, settings), sqlstore.Options{Dialect: sqlstore.SQLite})
	require.NoError(t, err)
	require.NoError(t, s.CreateTable(t.Context()))
	return s
}

func TestSQLiteProcesses(t *testing.T) {
	const processes = 2
	path := filepath.Join(t.TempDir(), "ids.db")
	s := sqliteStore(t, path, "")
	create(t, s, 0)
	self, err := os.Executable()
	require.NoError(t, err)
	printed := make(chan []int64)
	for range processes {
		cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestChild$")
		cmd.Env = append(os.Environ(), fileVariable+"="+path)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		go func() {
			var numbers []int64
			for lines := bufio.NewScanner(out); lines.Scan(); {
				var n int64
				if _, err := fmt.Sscanf(lines.Text(), "max %d", &n); err == nil {
					numbers = append(numbers, n)
				}
			}
			_ = cmd.Wait()
			printed <- numbers
		}()
	}
	seen := map[int64]bool{}
	for range processes {
		numbers := <-printed
		require.Len(t, numbers, childAllocates)
		require.IsIncreasing(t, numbers)
		for _, n := range numbers {
			require.False(t, seen[n], "%d was allocated twice", n)
			seen[n] = true
		}
	}
	requirePeek(t, s, processes*childAllocates)
}

// Another connection holds the database. Calls end with their contexts, whether
// SQLite waits or the store does, and without effect if it is known that there
// was none.
func TestSQLiteIsBusy(t *testing.T) {
	for name, settings := range map[string]string{"store waits": "", "SQLite waits": "&_pragma=busy_timeout(2000)"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ids.db")
			s := sqliteStore(t, path, settings)
			create(t, s, 0)
			holder, err := openSQLite(t, path, "").Conn(t.Context())
			require.NoError(t, err)
			defer func() { require.NoError(t, holder.Close()) }()
			_, err = holder.ExecContext(t.Context(), "begin immediate")
			require.NoError(t, err)

			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err = s.Allocate(ctx, orders, 10)
			require.ErrorIs(t, err, context.DeadlineExceeded)

			_, commitErr := holder.ExecContext(t.Context(), "commit")
			require.NoError(t, commitErr)
			maxID, allocateErr := s.Allocate(t.Context(), orders, 1)
			require.NoError(t, allocateErr)
			if !errors.Is(err, store.ErrUnknownOutcome) {
				require.EqualValues(t, 1, maxID)
			}
			require.Contains(t, []int64{1, 11}, maxID)
		})
	}
}
