package chaos

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// word is the size of a number in a log: 8 bytes, the lowest first.
const word = 8

// tick is how exact the times in a log are.
const tick = time.Millisecond

// Log is what one goroutine of one process was given, in order. A positive word
// is a number, a negative one the negated time, in microseconds since 1970, of
// the numbers that follow it.
type Log struct {
	file   *os.File
	buffer []byte
	marked time.Time
}

// CreateLog creates the log of a goroutine in a folder.
func CreateLog(folder string, s Source) (*Log, error) {
	file, err := os.OpenFile(filepath.Join(folder, s.file()), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &Log{file: file}, nil
}

// Append writes numbers, with one call to the system.
func (l *Log) Append(numbers ...int64) error {
	l.buffer = l.buffer[:0]
	if now := time.Now(); now.Sub(l.marked) >= tick {
		l.marked = now
		l.add(-now.UnixMicro())
	}
	for _, n := range numbers {
		l.add(n)
	}
	_, err := l.file.Write(l.buffer)
	return err
}

func (l *Log) add(n int64) { l.buffer = binary.LittleEndian.AppendUint64(l.buffer, uint64(n)) }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// Source is who was given a number: a goroutine of a process that was started
// for the Run-th time, all from 0.
type Source struct {
	Process, Run, Goroutine int
}

func (s Source) String() string {
	return fmt.Sprintf("process %d, start %d, goroutine %d", s.Process, s.Run, s.Goroutine)
}

const suffix = ".ids"

func (s Source) file() string {
	return fmt.Sprintf("p%d-g%d-r%d%s", s.Process, s.Goroutine, s.Run, suffix)
}

// compare puts the starts of a goroutine one after the other.
func (s Source) compare(o Source) int {
	return slices.Compare([]int{s.Process, s.Goroutine, s.Run}, []int{o.Process, o.Goroutine, o.Run})
}

// sources lists whose logs there are in a folder.
func sources(folder string) ([]Source, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []Source
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		var s Source
		if _, err := fmt.Sscanf(e.Name(), "p%d-g%d-r%d"+suffix, &s.Process, &s.Goroutine, &s.Run); err != nil || s.file() != e.Name() {
			return nil, fmt.Errorf("%q is not the name of a log", e.Name())
		}
		all = append(all, s)
	}
	slices.SortFunc(all, Source.compare)
	return all, nil
}

// readLog calls each with every number of a log and its time. A word that the
// process was killed in is left out.
func readLog(folder string, s Source, each func(n int64, at time.Time)) error {
	file, err := os.Open(filepath.Join(folder, s.file()))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if err := decode(file, each); err != nil {
		return fmt.Errorf("log of %v: %w", s, err)
	}
	return nil
}

// errZero says that a log has a number that no counter gives out, and that the
// negation of which is no time.
var errZero = errors.New("number 0")

func decode(r io.Reader, each func(n int64, at time.Time)) error {
	buffered := bufio.NewReaderSize(r, 1<<20)
	var b [word]byte
	var at time.Time
	for {
		if _, err := io.ReadFull(buffered, b[:]); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch n := int64(binary.LittleEndian.Uint64(b[:])); {
		case n == 0:
			return errZero
		case n < 0:
			at = time.UnixMicro(-n)
		default:
			each(n, at)
		}
	}
}
