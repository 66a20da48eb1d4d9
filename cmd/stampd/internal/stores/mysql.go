package stores

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"net"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/stampid/go-stamp/store/sqlstore"
)

func mysqlScheme() scheme {
	return scheme{
		names: []string{"mysql", "mariadb"},
		form:  "mysql://user:password@host:3306/db",
		open:  openMySQL,
	}
}

func openMySQL(ctx context.Context, t *target, o Options) (*Store, error) {
	tables, err := t.tables(sqlstore.MySQL)
	if err != nil {
		return nil, err
	}
	config, err := t.mysqlConfig()
	if err != nil {
		return nil, err
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, t.wrong("%s", reason(err))
	}
	return openSQL(ctx, t, sql.OpenDB(connector), tables, o.Create, mysqlNoTable)
}

func mysqlNoTable(err error) bool {
	const noSuchTable = 1146
	refused := (*mysql.MySQLError)(nil)
	return errors.As(err, &refused) && refused.Number == noSuchTable
}

// mysqlConfig makes the driver's settings of a URL, which the driver has no form
// for. Parameters are the driver's own.
func (t *target) mysqlConfig() (*mysql.Config, error) {
	name := strings.TrimPrefix(t.url.Path, "/")
	if t.url.Hostname() == "" || name == "" || strings.Contains(name, "/") {
		return nil, t.wrong("it needs a host and the name of a database; write %s", t.form)
	}
	if !t.query.Has("interpolateParams") {
		t.query.Set("interpolateParams", "true") // one exchange a call instead of two
	}
	config, err := mysql.ParseDSN("/?" + t.query.Encode())
	if err != nil {
		return nil, t.wrong("%s", reason(err))
	}
	config.Net, config.Addr = "tcp", net.JoinHostPort(t.url.Hostname(), cmp.Or(t.url.Port(), "3306"))
	config.DBName = name
	config.Logger = &mysql.NopLogger{} // what matters is in the errors
	config.User = t.url.User.Username()
	config.Passwd, _ = t.url.User.Password()
	return config, nil
}
