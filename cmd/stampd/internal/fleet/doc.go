// Package fleet runs workers, each of them the program itself in another process,
// and treats them badly: kills them without notice, freezes them, starts them
// again.
//
// A worker is told its task as JSON, and tells how far it is as lines of JSON on
// its standard output; the fleet adds those up over all starts. It ends when its
// standard input does. What a worker does is a function of the package that has
// the fleet:
//
//	func main() {
//		fleet.RunChild("SHOP_TASK", work) // doesn't return in a worker's process
//		workers := fleet.New[Progress]("SHOP_TASK", 4, func(process, run int) any {
//			return Task{Process: process, Run: run}
//		})
//		defer workers.KillAll()
//		err := workers.StartAll()
//		…
//	}
//
// It is for tests and for the chaos program.
package fleet
