// Package cli is what the commands of this repository have in common: how they
// write, and how they end. It is of the standard library only, since it belongs to
// the root module.
package cli
