package stores

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/stampid/go-stamp/store/sqlstore"
)

func postgresScheme() scheme {
	return scheme{
		names: []string{"postgres", "postgresql"},
		form:  "postgres://user:password@host:5432/db",
		open:  openPostgres,
	}
}

func openPostgres(ctx context.Context, t *target, o Options) (*Store, error) {
	tables, err := t.tables(sqlstore.PostgreSQL)
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(t.rest().String())
	if err != nil {
		return nil, t.wrong("%s", reason(err))
	}
	return openSQL(ctx, t, stdlib.OpenDB(*config), tables, o)
}
