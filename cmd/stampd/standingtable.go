package main

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// none stands for a number that isn't there.
const none = "-"

func standingTable(found []standing, audited bool) *cli.Table {
	var t cli.Table
	head := []string{"counter", "stands at", ""}
	if audited {
		head = []string{"counter", "stands at", "audit mark", ""}
	}
	t.Add(head...)
	for _, at := range found {
		cells := []string{at.Counter.String(), none}
		if !at.Missing {
			cells[1] = strconv.FormatInt(at.MaxID, 10)
		}
		if audited {
			mark := none
			if at.Mark > 0 {
				mark = strconv.FormatInt(at.Mark, 10)
			}
			cells = append(cells, mark)
		}
		t.Add(append(cells, at.state())...)
	}
	return &t
}

// writeStandings writes a line of JSON for each.
func writeStandings(w io.Writer, found []standing) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, at := range found {
		if err := encoder.Encode(at); err != nil {
			return err
		}
	}
	return nil
}
