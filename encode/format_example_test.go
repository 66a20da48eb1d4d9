package encode_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/encode"
)

// Order numbers that are counted anew each day.
func ExampleNewFormat() {
	orders, err := encode.NewFormat(encode.FormatOptions{Prefix: "BIZ-", Group: true, Width: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := orders.Encode(encode.Fields{Group: "20260101", Number: 1})
	fmt.Println(text, err)
	fields, err := orders.Decode(text)
	fmt.Println(fields.Group, fields.Number, err)

	// A number without its group isn't unique, so it isn't written.
	_, err = orders.Encode(encode.Fields{Number: 1})
	fmt.Println(errors.Is(err, encode.ErrGroup), err)
	// Output:
	// BIZ-20260101-00000001 <nil>
	// 20260101 1 <nil>
	// true encode: wrong group: number 1 has none
}

// The parts of a number, one after the other.
func ExampleFormatOptions() {
	fields := encode.Fields{
		Number: 295913926632165376,
		Time:   time.UnixMilli(1647754577924),
		Node:   5,
	}
	zone := time.FixedZone("UTC+8", 8*60*60)
	for _, options := range []encode.FormatOptions{
		{},
		{Width: 19},
		{Base: encode.Radix36},
		{Base: encode.Radix62},
		{Base: encode.Radix62, Unpadded: true},
		{Base: encode.Radix62, Prefix: "T-", Suffix: "-CN"},
		{Base: encode.Radix62, Prefix: "T-", Date: "20060102", Zone: zone},
		{Base: encode.Radix62, Prefix: "T-", Date: "20060102", Zone: zone, LeadFirst: true},
		{Base: encode.Radix62, Prefix: "T-", Date: "200601", Zone: zone, Undelimited: true},
		{Base: encode.Readable, Zone: zone},
	} {
		format, err := encode.NewFormat(options)
		if err != nil {
			fmt.Println(err)
			return
		}
		text, err := format.Encode(fields)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text)
	}
	// Output:
	// 295913926632165376
	// 0295913926632165376
	// 028XOQD7HM874
	// 0LrHucXALbs
	// LrHucXALbs
	// T-0LrHucXALbs-CN
	// T-20220320-0LrHucXALbs
	// 20220320-T-0LrHucXALbs
	// T-2022030LrHucXALbs
	// 20220320133617924-5-0
}

// A text from outside can carry a date that isn't that of its number. Whoever
// knows the layout derives the time from the number and encodes again.
func ExampleFormat_Decode() {
	tickets, err := encode.NewFormat(encode.FormatOptions{Base: encode.Radix62, Date: "20060102"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"20220320-0LrHucXALbs", "20220321-0LrHucXALbs"} {
		fields, err := tickets.Decode(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		// CosId's default layout: milliseconds above 22 bits.
		fields.Time = time.UnixMilli(1577203200000 + int64(fields.Number>>22))
		again, err := tickets.Encode(fields)
		fmt.Println(text, again == text, err)
	}
	// Output:
	// 20220320-0LrHucXALbs true <nil>
	// 20220321-0LrHucXALbs false <nil>
}

func ExampleFormat_Append() {
	readable, err := encode.NewFormat(encode.FormatOptions{Base: encode.Readable})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := time.Date(2026, time.July, 23, 21, 43, 0, 0, time.UTC)
	line, err := readable.Append([]byte("order="), encode.Fields{Time: at, Node: 3, Sequence: 17})
	fmt.Println(string(line), err)
	// Output: order=20260723214300000-3-17 <nil>
}
