// Package pgxstamp teaches pgx to read and write ids natively: [stamp.ID],
// [stamp.Typed] and [stamp.NullTyped] as bigint, in PostgreSQL's binary format and
// without the detour through database/sql's interfaces.
//
// pgx reads and writes ids without this package too, since they implement those
// interfaces. What it adds:
//
//   - slices of ids are arrays of bigint in all query modes, also in those in which
//     the server doesn't tell pgx the types of parameters;
//   - an id that is a whole json or jsonb value is the text that it is within one,
//     "ord_03TWzQIO6AS", where pgx would write the number;
//   - no allocation for an id that is written or read in binary format.
//
// # Use
//
// A pool registers the types with each connection:
//
//	config, err := pgxpool.ParseConfig(url)
//	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
//		pgxstamp.Register(conn.TypeMap(), pgxstamp.TypeOf[orderKind](), pgxstamp.TypeOf[customerKind]())
//		return nil
//	}
//
// Kinds that aren't registered stay usable, by way of database/sql's interfaces.
//
// # Guarantees
//
//   - What is no id, or can't be one of the kind's layout, is neither written nor
//     read: 0, negative numbers, numbers above the layout. The error matches
//     stamp.ErrRange, but for CopyFrom, where pgx keeps its text only. A variable that an id was not read into is 0.
//   - NULL is read into [stamp.NullTyped] only; for the others it is stamp.ErrScan.
//   - Other Go types are read from and written to bigint as before.
//
// # Not guaranteed
//
//   - In the modes exec and simple protocol pgx doesn't know which parameter is JSON,
//     and an id alone is a number. There, give JSON as a string.
//   - Columns of another type than bigint, json and jsonb (and arrays of bigint) are
//     left to database/sql's interfaces. A text column isn't written to: store
//     id.String() there.
package pgxstamp
