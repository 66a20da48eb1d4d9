package store

// Key names a counter or a record: CosId's "{namespace}.{name}", in two parts
// because some stores keep them apart. Neither may be empty. Keys with the same
// [Key.String] may or may not be the same counter, so don't use two of them.
type Key struct{ Namespace, Name string }

// String is namespace and name with a dot between.
func (k Key) String() string { return k.Namespace + "." + k.Name }
