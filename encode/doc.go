// Package encode writes numbers as text and reads them back, one text per
// number.
package encode
