package filestore_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/filestore"
	"github.com/stampid/go-stamp/store/storetest"
)

var orders = store.Key{Namespace: "shop", Name: "orders"}

func open(t *testing.T, path string) *filestore.Store {
	t.Helper()
	s, err := filestore.New(path)
	require.NoError(t, err)
	return s
}

func TestConformance(t *testing.T) {
	dir := t.TempDir()
	storetest.Run(t, func(t *testing.T) store.Counters { return open(t, dir) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return open(t, dir) })
	storetest.RunExpiring(t, func(t *testing.T) store.Expiring { return open(t, dir) })
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	_, err := filestore.New(filepath.Join(dir, "missing"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = filestore.New(file)
	require.ErrorContains(t, err, file)
	open(t, dir)
}

// Reading makes no file but the lock.
func TestReadingWritesNothing(t *testing.T) {
	dir := t.TempDir()
	_, err := open(t, dir).Peek(t.Context(), orders)
	require.ErrorIs(t, err, store.ErrNoCounter)
	value, err := open(t, dir).Get(t.Context(), orders)
	require.NoError(t, err)
	require.Nil(t, value)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "counters.lock", entries[0].Name())
}

func TestWorkingDirectoryMayChange(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s := open(t, ".")
	t.Chdir(t.TempDir())
	_, err := s.Create(t.Context(), orders, 5)
	require.NoError(t, err)
	maxID, err := open(t, dir).Peek(t.Context(), orders)
	require.NoError(t, err)
	require.Equal(t, int64(5), maxID)
}

func TestLimits(t *testing.T) {
	s := open(t, t.TempDir())
	key := store.Key{Namespace: "n", Name: strings.Repeat("x", filestore.MaxKey-2)}
	_, err := s.Create(t.Context(), key, 0)
	require.NoError(t, err)
	require.NoError(t, s.CompareAndSet(t.Context(), key, nil, make([]byte, filestore.MaxValue)))
	require.ErrorIs(t, s.CompareAndSet(t.Context(), key, nil, make([]byte, filestore.MaxValue+1)), store.ErrInvalid)
	key.Name += "x"
	_, err = s.Create(t.Context(), key, 0)
	require.ErrorIs(t, err, store.ErrInvalid)
}

// A corrupt file is refused by all methods and left alone. So is one of a newer
// version.
func TestCorruptFile(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	_, err := s.Create(t.Context(), orders, 5)
	require.NoError(t, err)
	path := filepath.Join(dir, "counters.txt")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		data string
		want error
	}{
		"empty":     {"", filestore.ErrCorrupt},
		"truncated": {string(whole[:len(whole)-1]), filestore.ErrCorrupt},
		"edited":    {strings.Replace(string(whole), " 5\n", " 4\n", 1), filestore.ErrCorrupt},
		"newer":     {strings.Replace(string(whole), "store 1", "store 2", 1), filestore.ErrVersion},
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, string(whole), tt.data)
			require.NoError(t, os.WriteFile(path, []byte(tt.data), 0o600))
			ctx := t.Context()
			_, createErr := s.Create(ctx, orders, 1)
			_, allocateErr := s.Allocate(ctx, orders, 1)
			_, peekErr := s.Peek(ctx, orders)
			_, raiseErr := s.Raise(ctx, orders, 1)
			_, getErr := s.Get(ctx, orders)
			for _, err := range []error{
				createErr, allocateErr, peekErr, raiseErr, getErr, s.CompareAndSet(ctx, orders, nil, []byte("x")),
			} {
				require.ErrorIs(t, err, tt.want)
				require.ErrorContains(t, err, path)
				require.NotErrorIs(t, err, store.ErrUnknownOutcome)
			}
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, tt.data, string(after))
		})
	}
}

// What a process left that died while it wrote is no part of the store.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "counters.new"), []byte(strings.Repeat("x", 1000)), 0o600))
	s := open(t, dir)
	_, err := s.Create(t.Context(), orders, 5)
	require.NoError(t, err)
	maxID, err := s.Allocate(t.Context(), orders, 1)
	require.NoError(t, err)
	require.Equal(t, int64(6), maxID)
	require.NoFileExists(t, filepath.Join(dir, "counters.new"))
}

func ExampleNew() {
	dir, err := os.MkdirTemp("", "filestore")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()

	ctx := context.Background()
	counters, err := filestore.New(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	created, err := counters.Create(ctx, orders, 1000)
	fmt.Println(created, err)
	maxID, err := counters.Allocate(ctx, orders, 10)
	fmt.Println(maxID, err)
	// Output:
	// true <nil>
	// 1010 <nil>
}
