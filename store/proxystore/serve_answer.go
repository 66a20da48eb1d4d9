package proxystore

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/stampid/go-stamp/store"
)

// maxMessage is how much of an error's text is sent.
const maxMessage = 4 << 10

// serverAnswer is what a handler writes.
type serverAnswer struct {
	status      int
	header      [2]string // one more header, if any
	contentType string
	body        []byte
	report      bool // the operator should know
}

func numberAnswer(n int64) serverAnswer {
	return serverAnswer{status: http.StatusOK, contentType: "application/json", body: strconv.AppendInt(nil, n, 10)}
}

// errorAnswer returns the form of an error. What may have had its effect comes
// first: no other meaning of an error outweighs that.
func errorAnswer(err error) serverAnswer {
	wrongMethod := (*methodError)(nil)
	tooLarge := (*http.MaxBytesError)(nil)
	var a serverAnswer
	var code string
	switch {
	case errors.Is(err, store.ErrUnknownOutcome):
		a.status, code, a.report = http.StatusInternalServerError, codeUnknown, true
	case errors.Is(err, errNoPath), errors.Is(err, errors.ErrUnsupported):
		a.status = http.StatusNotFound
	case errors.As(err, &wrongMethod):
		a.status, a.header = http.StatusMethodNotAllowed, [2]string{"Allow", wrongMethod.allow()}
	case errors.As(err, &tooLarge):
		a.status = http.StatusRequestEntityTooLarge
	case errors.Is(err, store.ErrInvalid):
		a.status = http.StatusBadRequest
	case errors.Is(err, store.ErrNoCounter):
		a.status, code = http.StatusInternalServerError, codeNoCounter
	case errors.Is(err, store.ErrExhausted):
		a.status, code = http.StatusInternalServerError, codeExhausted
	case errors.Is(err, store.ErrConflict):
		a.status, code = http.StatusConflict, codeConflict
	default:
		a.status, code, a.report = http.StatusInternalServerError, codeFailed, true
	}
	if code == "" {
		code = strconv.Itoa(a.status)
	}
	a.contentType = "application/json"
	// Two strings always have a JSON form.
	a.body, _ = json.Marshal(errorBody{Code: code, Msg: excerpt(err.Error(), maxMessage)})
	return a
}

// write sends the answer. That the client has gone changes nothing: what was
// done is done.
func (a serverAnswer) write(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Cache-Control", "no-store") // an old max id is a wrong one
	header.Set("X-Content-Type-Options", "nosniff")
	if a.header[0] != "" {
		header.Set(a.header[0], a.header[1])
	}
	if a.contentType != "" {
		header.Set("Content-Type", a.contentType)
	}
	if a.status != http.StatusNoContent {
		header.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}
