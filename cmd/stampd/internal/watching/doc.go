// Package watching is what stampd watch shows: figures of many sources, each asked
// again and again by itself, so that one that hangs or fails stops no other.
//
// A source is a program that serves package watch's report, or a counter in a
// store. What is known of a [Row] depends on that. The [Board] keeps the last
// figures of each, and its rows are sorted by what ends first. View turns rows into
// a table for a terminal, into lines of text, or into JSON.
package watching
