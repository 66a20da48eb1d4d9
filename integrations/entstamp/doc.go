// Package entstamp gives schemas of ent ids of a kind ([stamp.Typed]): as primary
// keys, which a hook makes when rows are created, and as fields of edges.
//
// ent writes the names of types into the code that it generates, and can't write
// that of a generic type. So give the type a name, in a package of its own beside
// the kind, for schemas and generated code to import:
//
//	package kinds
//
//	type OrderKind struct{}
//
//	func (OrderKind) Stamp() *stamp.Generator { return orders }
//
//	type OrderID = stamp.Typed[OrderKind]
//
// (not in a package ids: generated code has variables of that name), and name it in
// the schema:
//
//	func (Order) Mixin() []ent.Mixin {
//		return []ent.Mixin{entstamp.Mixin[kinds.OrderKind]{GoType: "OrderID"}}
//	}
//
//	func (Order) Fields() []ent.Field {
//		return []ent.Field{
//			entstamp.Field[kinds.CustomerKind](field.Int64("customer_id"), "CustomerID"),
//		}
//	}
//
// # Why a hook
//
// Functions for the default values of fields have no context, and with it no
// partition. The hook has that of Save: the partition is what the configuration's
// partition function finds there. Generated hooks need the import of the generated
// package runtime, without which ent refuses to create rows.
//
// # Guarantees
//
//   - Each row that is created, alone or in bulk, gets an id, unless the program has
//     set one. If an id can't be made, the error is Save's and nothing is inserted.
//   - The column is bigint (integer in SQLite) and not counted up by the database.
//   - What is no id of the kind's layout is neither written nor read.
//
// # Not guaranteed
//
//   - Within a transaction, a store of counters on the same pool waits for a
//     connection that the transaction may hold, until the context ends. Give it a
//     pool of its own.
//   - After an upsert, ent gives the row's own id only as its documentation of
//     OnConflict says.
package entstamp
