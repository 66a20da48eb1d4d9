// Package lines reads text line by line in bounded memory, whatever the length
// of its lines.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrTooLong says that a line is above the limit. See [TooLongError].
var ErrTooLong = errors.New("lines: line too long")

// TooLongError matches [ErrTooLong].
type TooLongError struct {
	Length uint64 // in bytes, without the line feed
	Limit  int
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("%d bytes, want at most %d", e.Length, e.Limit)
}

// Is reports whether target is [ErrTooLong].
func (e *TooLongError) Is(target error) bool { return target == ErrTooLong }

// Reader reads lines. It is for one goroutine.
type Reader struct {
	r      *bufio.Reader
	limit  int
	number uint64
}

// NewReader makes a reader of lines of up to limit bytes.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, max(1<<16, limit+2)), limit: limit}
}

// Number returns the number of the line that Next returned last, from 1.
func (r *Reader) Number() uint64 { return r.number }

// Buffered tells whether another Next can do without reading: whether a whole
// line is at hand.
func (r *Reader) Buffered() bool {
	held, _ := r.r.Peek(r.r.Buffered()) // can't fail
	return bytes.IndexByte(held, '\n') >= 0
}

// Next returns the next line without its end, "\n" or "\r\n". It is valid until
// the following call. A last line needs no end. The error is [ErrTooLong] for a
// line above the limit, which is skipped, then io.EOF, or what the source said.
func (r *Reader) Next() ([]byte, error) {
	line, err := r.r.ReadSlice('\n')
	if err == io.EOF && len(line) == 0 {
		return nil, io.EOF
	}
	r.number++
	length := uint64(len(line))
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.r.ReadSlice('\n')
		length += uint64(len(line))
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line, length = line[:n-1], length-1
	}
	if length > uint64(r.limit) {
		return nil, &TooLongError{Length: length, Limit: r.limit}
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, nil
}
