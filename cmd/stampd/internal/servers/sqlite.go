package servers

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
)

// sqlite is a file of SQLite.
func sqlite() Kind {
	return Kind{
		Name:   "sqlite",
		url:    func(s *Server, _ string) string { return "sqlite:" + s.database() },
		backup: backupSQLite, restore: restoreSQLite, hold: holdSQLite,
	}
}

// database is the path of SQLite's file.
func (s *Server) database() string { return filepath.Join(s.data(), "ids.db") }

// openDatabase opens SQLite's file with one connection, which is what attach is
// for. Transactions lock the file.
func (s *Server) openDatabase() (*sql.DB, error) {
	path := (&url.URL{Path: s.database()}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=rw&_pragma=busy_timeout(60000)&_txlock=immediate")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func backupSQLite(ctx context.Context, s *Server, path string) error {
	db, err := s.openDatabase()
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "vacuum into ?", path)
	return errors.Join(err, db.Close())
}

// restoreSQLite replaces what is in the tables, since processes that have the
// file open would not notice that there is another one of its name.
func restoreSQLite(ctx context.Context, s *Server, path string) error {
	db, err := s.openDatabase()
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(ctx, "attach ? as old", path); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, table := range []string{"cosid", "cosid_record"} {
		_, err1 := tx.ExecContext(ctx, "delete from main."+table)
		_, err2 := tx.ExecContext(ctx, "insert into main."+table+" select * from old."+table)
		if err := errors.Join(err1, err2); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

func holdSQLite(ctx context.Context, s *Server) (release func() error, err error) {
	db, err := s.openDatabase()
	if err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func() error { return errors.Join(tx.Rollback(), db.Close()) }, nil
}
