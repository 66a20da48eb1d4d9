package clockchaos

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

	"github.com/stampid/go-stamp/stamp"
)

// Block is a run of ids without a gap that a goroutine was given, the first to the
// last.
type Block struct {
	Sequence    uint16
	Holder      uint16 // of the process, counted from 0
	First, Last int64
	At          time.Time // when it was noted, to a microsecond
}

// size is that of a block in a log: sequence, holder, how many ids, the first of
// them and the time in microseconds since 1970, each the lowest byte first.
const size = 2 + 2 + 4 + 8 + 8

// appendTo appends the block as it stands in a log.
func (b Block) appendTo(text []byte) []byte {
	text = binary.LittleEndian.AppendUint16(text, b.Sequence)
	text = binary.LittleEndian.AppendUint16(text, b.Holder)
	text = binary.LittleEndian.AppendUint32(text, uint32(b.Last-b.First+1))
	text = binary.LittleEndian.AppendUint64(text, uint64(b.First))
	return binary.LittleEndian.AppendUint64(text, uint64(b.At.UnixMicro()))
}

// errBlock says that a log has a block that can't be.
var errBlock = errors.New("a block without ids, or one beyond the largest number")

func readBlock(text []byte) (Block, error) {
	b := Block{
		Sequence: binary.LittleEndian.Uint16(text), Holder: binary.LittleEndian.Uint16(text[2:]),
		First: int64(binary.LittleEndian.Uint64(text[8:])), At: time.UnixMicro(int64(binary.LittleEndian.Uint64(text[16:]))),
	}
	count := int64(binary.LittleEndian.Uint32(text[4:]))
	b.Last = b.First + count - 1
	if count == 0 || b.Last < b.First {
		return b, errBlock
	}
	return b, nil
}

// Log is what one goroutine of one process was given, in order.
type Log struct {
	file   *os.File
	buffer []byte
}

// CreateLog creates the log of a goroutine in a folder.
func CreateLog(folder string, s Source) (*Log, error) {
	file, err := os.OpenFile(filepath.Join(folder, s.file()), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &Log{file: file}, nil
}

// Append writes ids of a sequence, with one call to the system.
func (l *Log) Append(sequence, holder int, ids ...stamp.ID) error {
	l.buffer = l.buffer[:0]
	now := time.Now()
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && ids[n] == ids[n-1]+1 {
			n++
		}
		b := Block{uint16(sequence), uint16(holder), int64(ids[0]), int64(ids[n-1]), now}
		l.buffer = b.appendTo(l.buffer)
		ids = ids[n:]
	}
	_, err := l.file.Write(l.buffer)
	return err
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// Source is who was given ids: a goroutine of a process that has a node and was
// started for the Run-th time. All but nodes count from 0.
type Source struct {
	Node                    uint64
	Process, Run, Goroutine int
}

func (s Source) String() string {
	return fmt.Sprintf("process %d, start %d, goroutine %d, node %d", s.Process, s.Run, s.Goroutine, s.Node)
}

const (
	suffix   = ".ids"
	fileName = "n%d-p%d-g%d-r%d" + suffix
)

func (s Source) file() string { return fmt.Sprintf(fileName, s.Node, s.Process, s.Goroutine, s.Run) }

// compare puts the starts of a goroutine one after the other.
func (s Source) compare(o Source) int {
	return slices.Compare([]int{int(s.Node), s.Process, s.Goroutine, s.Run}, []int{int(o.Node), o.Process, o.Goroutine, o.Run})
}

// isRestartOf tells whether both are one goroutine of one process.
func (s Source) isRestartOf(o Source) bool {
	return s.Node == o.Node && s.Process == o.Process && s.Goroutine == o.Goroutine
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
		_, err := fmt.Sscanf(e.Name(), fileName, &s.Node, &s.Process, &s.Goroutine, &s.Run)
		if err != nil || s.file() != e.Name() {
			return nil, fmt.Errorf("%q is not the name of a log", e.Name())
		}
		all = append(all, s)
	}
	slices.SortFunc(all, Source.compare)
	return all, nil
}

// readLog calls each with every block of a log. One that the process was killed in
// is left out.
func readLog(folder string, s Source, each func(Block)) error {
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

func decode(r io.Reader, each func(Block)) error {
	buffered := bufio.NewReaderSize(r, 1<<20)
	var text [size]byte
	for {
		if _, err := io.ReadFull(buffered, text[:]); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		} else if err != nil {
			return err
		}
		b, err := readBlock(text[:])
		if err != nil {
			return err
		}
		each(b)
	}
}
