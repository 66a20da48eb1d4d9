package bits_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
)

func Example() {
	layout := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	scale := bits.Timescale{
		Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Unit:  time.Millisecond,
	}
	if err := errors.Join(layout.Validate(), scale.Validate()); err != nil {
		fmt.Println(err)
		return
	}

	made := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	id, err := layout.Pack(bits.Parts{Partition: 9, Time: uint64(scale.Units(made)), Node: 3, Sequence: 17})
	if err != nil {
		fmt.Println(err)
		return
	}
	parts, err := layout.Unpack(id)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(id)
	fmt.Println(parts.Partition, parts.Node, parts.Sequence, scale.Time(parts.Time))
	// Output:
	// 5193661861060423697
	// 9 3 17 2026-09-01 12:00:00 +0000 UTC
}

func ExampleLayout_Unpack() {
	cosid, _ := bits.PresetByName("cosid")
	parts, err := cosid.Layout.Unpack(295913926632165376)
	if err != nil {
		fmt.Println(err)
		return
	}
	shanghai := time.FixedZone("Asia/Shanghai", 8*60*60)
	fmt.Println(parts.Node, parts.Sequence, cosid.Timescale.Time(parts.Time).In(shanghai))
	// Output: 5 0 2022-03-20 13:36:17.924 +0800 Asia/Shanghai
}

func ExampleLayout_Validate() {
	err := bits.Layout{Partition: -1, Time: 41, Node: 7, Sequence: 15}.Validate()
	fmt.Println(err)
	// Output:
	// bits: partition has -1 bits, want 0 to 62
	// bits: widths add up to 62 bits, want exactly 63 or 53
}

func ExampleLayout_PartitionRange() {
	layout := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	r, err := layout.PartitionRange(15)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("WHERE id BETWEEN %d AND %d\n", r.First, r.Last)
	// Output: WHERE id BETWEEN 8646911284551352320 AND 9223372036854775807
}

func ExampleLayout_TimeRange() {
	d := bits.Default()
	day := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)

	// UnitsCeil at both ends makes the half-open day of units that begin in it.
	first := d.Timescale.UnitsCeil(day)
	last := d.Timescale.UnitsCeil(day.AddDate(0, 0, 1)) - 1
	r, err := d.Layout.TimeRange(0, uint64(first), uint64(last))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r)
	// Output: [14167603937280000, 14529991802879999]
}
