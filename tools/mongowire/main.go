package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"

	"github.com/stampid/go-stamp/tools/mongowire/relay"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:27017", "`address` to answer at")
	data := flag.String("data", "", "`folder` of the data, made if it isn't there")
	sync := flag.Bool("sync", false, "sync each change to the disk before it is acknowledged")
	flag.Parse()
	if err := checkArgs(*data, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mongowire:", err)
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", *listen)
	if err == nil {
		err = serve(ctx, listener, files{*data, *sync}, loggers{relay: stderr(slog.LevelWarn), backend: stderr(slog.LevelError)})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mongowire:", err)
		os.Exit(1)
	}
}

// loggers are two, since FerretDB warns of each error that it answers with.
type loggers struct{ relay, backend *slog.Logger }

func stderr(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
}

func checkArgs(data string, rest []string) error {
	switch {
	case data == "":
		return errors.New("-data is missing")
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	return nil
}

// files say where data is, and whether it is synced.
type files struct {
	folder string
	sync   bool
}

// serve runs the server until ctx ends, and closes listener.
func serve(ctx context.Context, listener net.Listener, data files, log loggers) error {
	defer func() { _ = listener.Close() }()
	backend, err := startBackend(data, log.backend)
	if err != nil {
		return err
	}
	defer backend.stop()
	r := relay.New(listener, backend.dial, log.relay)
	ended := context.AfterFunc(ctx, func() { _ = r.Close() })
	defer ended()
	return r.Serve()
}

// backend is FerretDB, which only the relay reaches.
type backend struct {
	socket string
	cancel context.CancelFunc
	done   chan struct{}
}

func startBackend(data files, log *slog.Logger) (*backend, error) {
	var err error
	if data.folder, err = filepath.Abs(data.folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(data.folder, 0o755); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mongowire") // the path of a socket must be short
	if err != nil {
		return nil, err
	}
	b := &backend{socket: filepath.Join(folder, "ferretdb.sock"), done: make(chan struct{})}
	db, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{Unix: b.socket},
		Logger:    log,
		Handler:   "sqlite",
		SQLiteURL: data.url(),
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	go func() {
		defer close(b.done)
		_ = db.Run(ctx) // it says nothing but nil
		_ = os.RemoveAll(folder)
	}()
	return b, nil
}

// url names the folder of SQLite's databases.
func (f files) url() string {
	pragma := "synchronous(off)"
	if f.sync {
		pragma = "synchronous(full)"
	}
	query := url.Values{"_pragma": {pragma}}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: f.folder + "/", RawQuery: query.Encode()}).String()
}

func (b *backend) dial() (net.Conn, error) { return net.Dial("unix", b.socket) }

// stop ends FerretDB. Its clients must have left, else it waits for them.
func (b *backend) stop() {
	b.cancel()
	<-b.done
}
