// Package ntpwatch tells how far the system clock is off, by asking NTP
// servers. It is never where the time of an id comes from, and it sets no
// clock; that is the operating system's business.
//
//	watch, err := ntpwatch.New(ntpwatch.Options{
//		Servers:   []string{"ntp1.example", "ntp2.example", "ntp3.example"},
//		MaxOffset: 500 * time.Millisecond,
//		OnEvent:   func(e ntpwatch.Event) { telemetry.Emit(nil, telemetry.ClockOffset(e)) },
//	})
//	…
//	if err := watch.Check(ctx); err != nil { // before the first id
//		return err
//	}
//	go watch.Run(ctx) // while the program runs
//
// # Guarantees
//
// An offset is right to within its Bound if its server is honest. Of three or
// more servers a minority may lie. A kiss of death is heeded: RATE halves the
// rate at which the server is asked, DENY and RSTR end it for the life of the
// Watch. A call ends when its context ends, and leaves no goroutine behind.
//
// # Limits
//
// Packets aren't authenticated: who can change what is on the network can
// change the result. A measurement says nothing about the time after it.
// Offsets are cut to 146 years.
//
// The package is apart from clock, because it links package net and a module
// for the protocol. Programs that make ids without it don't.
package ntpwatch
