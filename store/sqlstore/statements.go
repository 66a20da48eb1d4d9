package sqlstore

import "strings"

// statements are the texts for one pair of tables. The comment of each says
// what its parameters are.
type statements struct {
	createCounters, createRecords string

	create   string // name, start
	allocate string // n, name, the highest value that has room for n
	peek     string // name
	raise    string // to, name, to

	get    string // name
	left   string // name
	insert string // name, content, milliseconds to live
	update string // content, milliseconds to live, name, old content

	autocommit string // asks whether each statement is committed; empty: it is
}

// newStatements needs options that withDefaults allows.
func newStatements(o Options) statements {
	s := templates(o.Dialect)
	names := strings.NewReplacer("{counters}", o.Dialect.quote(o.Table), "{records}", o.Dialect.quote(o.RecordTable))
	for _, text := range []*string{
		&s.createCounters, &s.createRecords, &s.create, &s.allocate, &s.peek, &s.raise, &s.get, &s.left, &s.insert, &s.update,
	} {
		*text = names.Replace(*text)
	}
	return s
}

// templates have {counters} and {records} for the tables.
func templates(d Dialect) statements {
	switch d {
	case PostgreSQL:
		return postgres()
	case MySQL:
		return mysql()
	default:
		return sqlite()
	}
}

func postgres() statements {
	const (
		now   = `floor(extract(epoch from clock_timestamp()))::bigint`
		milli = `floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
	)
	return statements{
		createCounters: `create table if not exists {counters} (
	name varchar(100) not null primary key,
	last_max_id bigint not null default 0,
	last_fetch_time bigint not null
)`,
		createRecords: `create table if not exists {records} (
	name varchar(255) not null primary key,
	content bytea not null,
	writes bigint not null,
	expires bigint not null default 0
)`,
		create: `insert into {counters} (name, last_max_id, last_fetch_time)` +
			` values ($1, $2::bigint, ` + now + `) on conflict do nothing`,
		allocate: `update {counters} set last_max_id = last_max_id + $1::bigint, last_fetch_time = ` + now +
			` where name = $2 and last_max_id <= $3::bigint returning last_max_id`,
		peek:   `select last_max_id from {counters} where name = $1`,
		raise:  `update {counters} set last_max_id = $1::bigint where name = $2 and last_max_id < $3::bigint`,
		get:    `select content from {records} where name = $1`,
		left:   `select content, expires - ` + milli + ` from {records} where name = $1`,
		insert: `insert into {records} (name, content, writes, expires) values ($1, $2::bytea, 1, ` + milli + ` + $3::bigint) on conflict do nothing`,
		update: `update {records} set content = $1::bytea, writes = writes + 1, expires = ` + milli + ` + $2::bigint where name = $3 and content = $4::bytea`,
	}
}

// Where a session doesn't commit by itself, the writes do nothing: they would be
// undone when the connection ends, after their numbers were given out.
//
// Inserts tell of a row that was there by the insert id, which is 1 then, and
// else 0. The number of affected rows depends on a setting of the client, and
// "insert ignore" ignores more than that. For the same reason an update changes
// its row always, which for records is what the column writes is for.
func mysql() statements {
	// Session time zones don't matter to it.
	const milli = `timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000`
	const present = ` on duplicate key update name = if(last_insert_id(1) = 1, name, name)`
	return statements{
		createCounters: `create table if not exists {counters} (
	name varchar(100) character set utf8mb4 collate utf8mb4_bin not null primary key,
	last_max_id bigint not null default 0,
	last_fetch_time bigint not null
) engine = InnoDB`,
		createRecords: `create table if not exists {records} (
	name varbinary(255) not null primary key,
	content blob not null,
	writes bigint not null,
	expires bigint not null default 0
) engine = InnoDB`,
		create: `insert into {counters} (name, last_max_id, last_fetch_time)` +
			` select ?, ?, unix_timestamp() from dual where @@autocommit = 1` + present,
		allocate: `update {counters} set last_max_id = last_insert_id(last_max_id + ?), last_fetch_time = unix_timestamp()` +
			` where name = ? and last_max_id <= ? and @@autocommit = 1`,
		peek:  `select last_max_id from {counters} where name = ?`,
		raise: `update {counters} set last_max_id = ? where name = ? and last_max_id < ? and @@autocommit = 1`,
		get:   `select content from {records} where name = ?`,
		left:  `select content, expires - ` + milli + ` from {records} where name = ?`,
		insert: `insert into {records} (name, content, writes, expires)` +
			` select ?, ?, 1, ` + milli + ` + ? from dual where @@autocommit = 1` + present,
		update: `update {records} set content = ?, writes = writes + 1, expires = ` + milli + ` + ?` +
			` where name = ? and content = ? and @@autocommit = 1`,
		autocommit: `select @@autocommit`,
	}
}

func sqlite() statements {
	const (
		now   = `cast(strftime('%s', 'now') as integer)`
		milli = `cast((julianday('now') - 2440587.5) * 86400000 as integer)`
	)
	return statements{
		createCounters: postgres().createCounters,
		createRecords: `create table if not exists {records} (
	name varchar(255) not null primary key,
	content blob not null,
	writes bigint not null,
	expires bigint not null default 0
)`,
		create: `insert into {counters} (name, last_max_id, last_fetch_time)` +
			` values (?, ?, ` + now + `) on conflict do nothing`,
		allocate: `update {counters} set last_max_id = last_max_id + ?, last_fetch_time = ` + now +
			` where name = ? and last_max_id <= ? returning last_max_id`,
		peek:   `select last_max_id from {counters} where name = ?`,
		raise:  `update {counters} set last_max_id = ? where name = ? and last_max_id < ?`,
		get:    `select content from {records} where name = ?`,
		left:   `select content, expires - ` + milli + ` from {records} where name = ?`,
		insert: `insert into {records} (name, content, writes, expires) values (?, ?, 1, ` + milli + ` + ?) on conflict do nothing`,
		update: `update {records} set content = ?, writes = writes + 1, expires = ` + milli + ` + ? where name = ? and content = ?`,
	}
}
