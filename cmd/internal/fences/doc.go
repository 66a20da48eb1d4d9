// Package fences shows and resets the records that fences and leases of node
// numbers keep, for the commands: stamp does it in a folder, stampd in any store.
//
// Structs of flags have the tags of package kong, which isn't linked here.
package fences
