package main

import (
	"time"

	"github.com/bwmarrin/snowflake"
	"github.com/sony/sonyflake/v2"
)

// newBwmarrin makes a node. The widths are package-level variables, which
// NewNode copies.
func newBwmarrin(name string, nodeBits, stepBits uint8) *subject {
	oldNode, oldStep := snowflake.NodeBits, snowflake.StepBits
	defer func() { snowflake.NodeBits, snowflake.StepBits = oldNode, oldStep }()
	snowflake.NodeBits, snowflake.StepBits = nodeBits, stepBits
	n := must(snowflake.NewNode(0))
	return shared(name, func(count int) (uint64, error) {
		var id snowflake.ID
		for range count {
			id = n.Generate()
		}
		return uint64(id), nil
	})
}

// sonyUnit is sonyflake's default unit. A shorter one has no use here: with 30
// bits of sequence no unit is ever used up.
const sonyUnit = 10 * time.Millisecond

func newSonyflake(name string, sequenceBits, machineBits int) *subject {
	sf := must(sonyflake.New(sonyflake.Settings{
		BitsSequence: sequenceBits, BitsMachineID: machineBits,
		TimeUnit: sonyUnit, StartTime: recent(),
		MachineID: func() (int, error) { return 1, nil },
	}))
	s := shared(name, func(n int) (uint64, error) {
		var id int64
		var err error
		for range n {
			if id, err = sf.NextID(); err != nil {
				return 0, err
			}
		}
		return uint64(id), nil
	})
	if sequenceBits < 16 {
		s.quota = 1 << sequenceBits
	}
	return s
}
