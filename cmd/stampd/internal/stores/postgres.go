package stores

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
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
		// The error begins with the URL, whose passwords it masks as well as it can.
		_, why, found := strings.Cut(err.Error(), "`: ")
		if !found {
			why = "the driver can't read it"
		}
		return nil, t.wrong("%s", why)
	}
	return openSQL(ctx, t, stdlib.OpenDB(*config), tables, o.Create, postgresNoTable)
}

func postgresNoTable(err error) bool {
	const undefinedTable = "42P01"
	refused := (*pgconn.PgError)(nil)
	return errors.As(err, &refused) && refused.Code == undefinedTable
}
