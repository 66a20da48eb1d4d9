package gormstamp

import (
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/stampid/go-stamp/stamp"
)

// ErrOptions is matched by errors about options that are out of range.
var ErrOptions = errors.New("gormstamp: invalid options")

// How long an id may take without Options.Timeout.
const defaultTimeout = 5 * time.Second

// Options of the plugin. The zero value makes typed ids.
type Options struct {
	// Config makes the ids of fields of type stamp.ID. Without it, such primary
	// keys are left alone, and a tag that asks for an id is an error.
	Config *stamp.Config

	// Schema is where tables without a schema in their name lie: it begins the
	// names of the sequences of Config. Empty means public for PostgreSQL, main
	// for SQLite, and none for others.
	Schema string

	// Timeout is how long making one id may take, if the statement's context
	// allows more. 0 means 5 s.
	Timeout time.Duration
}

// Plugin is a [gorm.Plugin]. It is safe for concurrent use.
type Plugin struct{ options Options }

// New makes a plugin for [gorm.DB.Use].
func New(options Options) *Plugin { return &Plugin{options} }

// Name implements [gorm.Plugin].
func (*Plugin) Name() string { return "gormstamp" }

// Initialize implements [gorm.Plugin]. The error is [ErrOptions] for options that
// are out of range, and GORM's for a second plugin of this kind.
func (p *Plugin) Initialize(db *gorm.DB) error {
	if p.options.Timeout < 0 {
		return fmt.Errorf("%w: timeout is %s, want 0 or more", ErrOptions, p.options.Timeout)
	}
	m := &maker{options: p.options}
	if m.options.Timeout == 0 {
		m.options.Timeout = defaultTimeout
	}
	if m.options.Schema == "" {
		m.options.Schema = map[string]string{"postgres": "public", "sqlite": "main"}[db.Name()]
	}
	// Before the transaction of the statement takes a connection, and also where
	// there is none to be before of.
	return db.Callback().Create().Before("*").Register("gormstamp:create", m.create)
}
