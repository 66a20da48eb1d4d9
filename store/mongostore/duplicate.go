package mongostore

import (
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

// idIndex is the index of _id, which each collection has.
const idIndex = "_id_"

// IsDuplicate tells whether err is MongoDB's refusal of a document because a
// unique index has its value already (E11000).
//
// It knows the errors of the driver's inserts, updates, findAndModify and bulk
// writes, and finds them anywhere in a tree of wrapped and joined errors. All others
// are none, among them violations of a collection's validation.
//
// Whether it is an alarm depends on the index: see [DuplicateKey].
func IsDuplicate(err error) bool {
	_, ok := DuplicateKey(err)
	return ok
}

// DuplicateKey is [IsDuplicate], and names the index: "_id_" for _id. Only that of
// the id means that an id was made twice: a second account with one e-mail address
// violates a unique index too. Of several errors of a bulk write it is the first.
//
// The index is empty when it isn't told. Also an insert that was repeated after
// its answer was lost violates the index, with an id made once.
func DuplicateKey(err error) (index string, ok bool) {
	for _, e := range serverErrors(err) {
		if !mongo.IsDuplicateKeyError(e) {
			continue
		}
		// "E11000 duplicate key error collection: shop.orders index: _id_ dup key: …"
		_, rest, _ := strings.Cut(e.Error(), " index: ")
		index, _, found := strings.Cut(rest, " dup key: ")
		if !found {
			index = ""
		}
		return index, true
	}
	return "", false
}

// serverErrors returns the errors of servers' answers in a tree of wrapped and
// joined ones. It isn't errors.As that finds them, since that stops at the first.
func serverErrors(err error) (found []error) {
	switch e := err.(type) { //nolint:errorlint // the cases below unwrap
	case mongo.WriteException:
		for _, w := range e.WriteErrors {
			found = append(found, w)
		}
	case mongo.BulkWriteException:
		for _, w := range e.WriteErrors {
			found = append(found, w.WriteError)
		}
	case mongo.ClientBulkWriteException:
		for _, i := range slices.Sorted(maps.Keys(e.WriteErrors)) {
			found = append(found, e.WriteErrors[i])
		}
	case mongo.ServerError:
		found = append(found, e)
	case interface{ Unwrap() error }:
		found = serverErrors(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, below := range e.Unwrap() {
			found = append(found, serverErrors(below)...)
		}
	}
	return found
}
