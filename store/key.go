package store

// Key names a counter or a record: CosId's "{namespace}.{name}", in two parts
// because some stores keep them apart.
type Key struct{ Namespace, Name string }

// String is namespace and name with a dot between.
func (k Key) String() string { return k.Namespace + "." + k.Name }
