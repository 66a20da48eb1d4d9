package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const (
	progressEvery = 100 * time.Millisecond
	progressWidth = 32
	clearLine     = "\r\x1b[K"
)

// rest is how many bytes a file has left to read; 0 for what is no file, such as
// a pipe, whose size nobody knows.
func rest(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return max(info.Size()-at, 0)
}

// watched returns what to read standard input from, and what to call in the
// end. Reading it draws a bar, if somebody sees it and the size is known.
func (s *streams) watched() (r io.Reader, done func()) {
	if !s.progress || s.inSize == 0 {
		return s.in, func() {}
	}
	p := &progress{Reader: s.in, out: s.err, size: s.inSize, now: s.now, begun: s.now()}
	p.drawn = p.begun
	s.err = p
	return p, func() {
		p.clear()
		s.err = p.out
	}
}

// progress draws a bar while it is read, and takes it away for a message that
// is written. It is for one goroutine.
type progress struct {
	io.Reader
	out         io.Writer
	read, size  int64
	now         func() time.Time
	begun       time.Time
	drawn       time.Time // when the bar was last
	isOnDisplay bool
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.read += int64(n)
	if now := p.now(); now.Sub(p.drawn) >= progressEvery {
		p.drawn = now
		p.draw(now.Sub(p.begun))
	}
	return n, err
}

// Write writes a message in place of the bar, which comes back below it.
func (p *progress) Write(message []byte) (int, error) {
	p.clear()
	return p.out.Write(message)
}

func (p *progress) draw(elapsed time.Duration) {
	part := min(float64(p.read)/float64(p.size), 1) // files can grow
	full := int(part * progressWidth)
	left := time.Duration(float64(elapsed) * (1/max(part, 1e-9) - 1)).Round(time.Second)
	_, _ = fmt.Fprintf(p.out, clearLine+"%3.0f %% %s%s %.1f of %.1f MB, %v left", part*100,
		strings.Repeat("█", full), strings.Repeat("░", progressWidth-full), float64(p.read)/1e6, float64(p.size)/1e6, left)
	p.isOnDisplay = true
}

func (p *progress) clear() {
	if p.isOnDisplay {
		_, _ = io.WriteString(p.out, clearLine)
		p.isOnDisplay = false
	}
}
