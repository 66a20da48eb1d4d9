package relay

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// newMessage makes one with a body that holds flags first if it has any.
func newMessage(id, answers, kind uint32, body []byte) message {
	m := make(message, 0, headerSize+len(body))
	for _, field := range []uint32{uint32(headerSize + len(body)), id, answers, kind} {
		m = binary.LittleEndian.AppendUint32(m, field)
	}
	return append(m, body...)
}

// withFlags is a message of kindMsg.
func withFlags(id, answers, flags uint32, text string) message {
	return newMessage(id, answers, kindMsg, append(binary.LittleEndian.AppendUint32(nil, flags), text...))
}

func TestReadMessage(t *testing.T) {
	whole := withFlags(7, 0, 0, "hello")
	withLength := func(length uint32) message {
		m := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(m, length)
		return m
	}
	for name, tt := range map[string]struct {
		sent []byte
		want string
	}{
		"whole":             {whole, ""},
		"and another":       {append(bytes.Clone(whole), whole...), ""},
		"only a header":     {newMessage(7, 0, kindQuery, nil), ""},
		"nothing":           {nil, "EOF"},
		"half a header":     {whole[:8], "unexpected EOF"},
		"no body":           {whole[:headerSize], "unexpected EOF"},
		"half a body":       {whole[:headerSize+2], "unexpected EOF"},
		"length 0":          {withLength(0), "relay: message refused: its length is 0, want 16 to 48000000"},
		"length 15":         {withLength(15), "relay: message refused: its length is 15, want 16 to 48000000"},
		"too long":          {withLength(48_000_001), "relay: message refused: its length is 48000001, want 16 to 48000000"},
		"negative":          {withLength(1 << 31), "relay: message refused: its length is 2147483648, want 16 to 48000000"},
		"no room for flags": {newMessage(7, 0, kindMsg, []byte("abc")), "relay: message refused: its length is 19, want at least 20 for its kind"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := readMessage(bytes.NewReader(tt.sent))
			if tt.want != "" {
				require.EqualError(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, message(tt.sent[:len(m)]), m)
		})
	}
}

func TestRequest(t *testing.T) {
	for name, tt := range map[string]struct {
		sent        message
		wantsAnswer bool
		passedOn    message
		want        string
	}{
		"message":       {withFlags(7, 0, 0, "a"), true, withFlags(7, 0, 0, "a"), ""},
		"no answer":     {withFlags(7, 0, moreToCome, "a"), false, withFlags(7, 0, 0, "a"), ""},
		"many answers":  {withFlags(7, 0, exhaustAllowed, "a"), true, withFlags(7, 0, 0, "a"), ""},
		"unknown flags": {withFlags(7, 0, 1<<20|1<<2, "a"), true, withFlags(7, 0, 1<<20|1<<2, "a"), ""},
		"query":         {newMessage(7, 0, kindQuery, []byte("a")), true, newMessage(7, 0, kindQuery, []byte("a")), ""},
		"checksum":      {withFlags(7, 0, checksumPresent, "a"), false, nil, "relay: message refused: it has a checksum"},
		"compressed":    {newMessage(7, 0, 2012, []byte("abcdefghi")), false, nil, "relay: message refused: its kind is 2012, want 2004 or 2013"},
		"old insert":    {newMessage(7, 0, 2002, []byte("a")), false, nil, "relay: message refused: its kind is 2002, want 2004 or 2013"},
		"an answer":     {newMessage(7, 0, kindReply, []byte("a")), false, nil, "relay: message refused: its kind is 1, want 2004 or 2013"},
	} {
		t.Run(name, func(t *testing.T) {
			wantsAnswer, err := tt.sent.request()
			if tt.want != "" {
				require.EqualError(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.wantsAnswer, wantsAnswer)
			require.Equal(t, tt.passedOn, tt.sent)
		})
	}
}

func TestAnswerTo(t *testing.T) {
	request := withFlags(7, 0, 0, "a")
	for name, tt := range map[string]struct {
		answer message
		want   string
	}{
		"message":      {withFlags(1, 7, 0, "b"), ""},
		"reply":        {newMessage(1, 7, kindReply, []byte("b")), ""},
		"of another":   {withFlags(1, 8, 0, "b"), "relay: message refused: it answers request 8, want 7"},
		"more to come": {withFlags(1, 7, moreToCome, "b"), "relay: message refused: more answers are to come, want one"},
		"compressed":   {newMessage(1, 7, 2012, []byte("b")), "relay: message refused: its kind is 2012, want 1 or 2013"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tt.answer.answerTo(request); tt.want != "" {
				require.EqualError(t, err, tt.want)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// What is read is what was sent, and nothing but two flags changes.
func FuzzReadMessage(f *testing.F) {
	f.Add([]byte(withFlags(7, 0, moreToCome|exhaustAllowed, "a")))
	f.Add([]byte(newMessage(7, 0, kindQuery, []byte("a"))))
	f.Add([]byte("short"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		r := bytes.NewReader(sent)
		m, err := readMessage(r)
		if err != nil {
			return
		}
		require.Equal(t, sent[:len(m)], []byte(m))
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, len(sent), len(m)+len(rest))
		before := bytes.Clone([]byte(m))
		if _, err := m.request(); err != nil {
			require.Equal(t, before, []byte(m))
			return
		}
		require.Zero(t, m.flags()&(moreToCome|exhaustAllowed))
		if m.kind() == kindMsg {
			flags := binary.LittleEndian.Uint32(before[headerSize:]) &^ (moreToCome | exhaustAllowed)
			binary.LittleEndian.PutUint32(before[headerSize:], flags)
		}
		require.Equal(t, before, []byte(m))
	})
}
