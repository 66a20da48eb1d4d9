// Package storetest tells whether a store keeps the contract of package store,
// and makes stores fail on purpose. It is for tests only.
//
// [Run] and [RunRecords] are what the stores of this module pass. Run them on
// your own, from a test of it:
//
//	func TestConformance(t *testing.T) {
//		dir := t.TempDir()
//		storetest.Run(t, func(t *testing.T) store.Counters {
//			counters, err := filestore.New(dir)
//			require.NoError(t, err)
//			return counters
//		})
//	}
//
// They make new counters and records with keys of their own, in namespaces that
// begin with "conformance-", and remove none. They take one server that other
// tests use as well, and some hundred calls.
//
// What they can't show: that a store keeps what it has stored when its power
// fails, or that it says [store.ErrUnknownOutcome] where a connection breaks.
//
// [Faulty] and [FaultyRecords] wrap a store. They fail, hang, lose requests and
// replies, go back to an earlier state and forget counters, as a [Plan] says:
//
//	counters := storetest.NewFaulty(store.NewMemory(),
//		storetest.Script(storetest.OpAllocate, storetest.Fault{}, storetest.Fault{Kind: storetest.LoseReply}))
//
// Here the first Allocate works, and of the second the reply is lost.
package storetest
