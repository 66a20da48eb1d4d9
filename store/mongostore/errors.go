package mongostore

import (
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

var (
	// ErrOptions says that a store can't be made of a client and options. See
	// [OptionError].
	ErrOptions = errors.New("mongostore: invalid options")
	// ErrNotCounter says that the document of a counter has a lastMaxId that
	// isn't an int64 or int32 of 0 or more. It is left as it is.
	ErrNotCounter = errors.New("mongostore: not a counter")
	// ErrNotRecord says that the document of a record has no bytes in it. It is
	// left as it is.
	ErrNotRecord = errors.New("mongostore: not a record")
)

// verdict is what an error says about the effect of a command that was sent at
// most once.
type verdict int

const (
	unknown verdict = iota // it may or may not have taken place
	refused                // it didn't, and the same again would be refused too
	again                  // it didn't, and is worth another try
)

// judge tells what err, of RunCommand, says.
func judge(err error) verdict {
	var write mongo.WriteException
	var answer mongo.CommandError
	switch {
	case errors.As(err, &write) && write.WriteConcernError != nil:
		return unknown // the change is there, and may be gone after a failover
	case wasNotSent(err), wasNotExecuted(err):
		return refused
	case errors.As(err, &write) && len(write.WriteErrors) == 1:
		return judgeCode(write.WriteErrors[0].Code)
	case errors.As(err, &answer):
		return judgeCode(int(answer.Code))
	}
	return unknown
}

// wasNotSent tells whether err shows that a command never left. The driver says
// so by types of its packages below x.
func wasNotSent(err error) bool {
	var selection topology.ServerSelectionError // there is no primary
	var queue topology.WaitQueueTimeoutError    // all connections are in use
	var pool driver.RetryablePoolError          // the pool is paused after another call's failure
	return errors.Is(err, mongo.ErrClientDisconnected) ||
		errors.Is(err, driver.ErrDeadlineWouldBeExceeded) ||
		errors.As(err, &selection) ||
		errors.As(err, &queue) ||
		errors.As(err, &pool)
}

// wasNotExecuted tells whether err has a label by which an overloaded server says
// that it turned a command away, or the driver that it couldn't connect.
// https://www.mongodb.com/docs/atlas/overload-errors/
func wasNotExecuted(err error) bool {
	var labeled mongo.LabeledError
	return errors.As(err, &labeled) && (labeled.HasErrorLabel("RetryableError") || labeled.HasErrorLabel("NoWritesPerformed"))
}

// judgeCode judges an error that a server answered with. Those by which it says
// that a command was interrupted are unknown: it may have been at its end.
// https://www.mongodb.com/docs/manual/reference/error-codes/
func judgeCode(code int) verdict {
	notPrimary := []int{
		10107, // NotWritablePrimary
		10058, // LegacyNotPrimary
		13435, // NotPrimaryNoSecondaryOk
	}
	never := []int{
		2,     // BadValue
		9,     // FailedToParse
		13,    // Unauthorized
		14,    // TypeMismatch
		18,    // AuthenticationFailed
		20,    // IllegalOperation
		26,    // NamespaceNotFound
		28,    // PathNotViable
		59,    // CommandNotFound
		61,    // ShardKeyNotFound
		66,    // ImmutableField
		72,    // InvalidOptions
		73,    // InvalidNamespace
		115,   // CommandNotSupported
		121,   // DocumentValidationFailure
		166,   // CommandNotSupportedOnView
		238,   // NotImplemented
		322,   // APIVersionError
		323,   // APIStrictError
		11000, // DuplicateKey
	}
	switch {
	case slices.Contains(notPrimary, code):
		return again
	case slices.Contains(never, code):
		return refused
	}
	return unknown
}
