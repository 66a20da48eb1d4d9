// Package lint holds tests of the repository itself: which package may import
// which, what the root module may require, and what a program that imports the
// library links.
package lint
