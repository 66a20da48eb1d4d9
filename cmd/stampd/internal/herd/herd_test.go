package herd

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

func TestMain(m *testing.M) {
	servers.RunChild()
	os.Exit(m.Run())
}

func TestLoad(t *testing.T) {
	r := newRecorder(350 * time.Millisecond)
	failed := errors.New("no")
	for at, err := range map[time.Duration]error{
		0: nil, 1: failed, Window - 1: nil, // the first window
		Window:         failed,
		2 * Window:     nil,
		3*Window + 49:  nil,
		4*Window + 100: nil, // after the length
	} {
		r.note(r.begun.Add(at), err)
	}
	load := r.counts()
	require.Equal(t, Load{{2, 1}, {0, 1}, {1, 0}, {1, 0}}, load)
	require.Equal(t, 3, load.Peak())
	require.InDelta(t, 1.5, load.Mean(), 0)
	require.Equal(t, load[1:3], load.Between(Window/2, 3*Window))
	require.Equal(t, load[2:], load.Between(2*Window, time.Hour))
	require.Zero(t, load.Between(time.Hour, 2*time.Hour).Peak())
	require.Zero(t, Load(nil).Mean())
}

// While the store is away nothing is served, and afterwards all instances are, with
// the randomness and without it.
func TestRun(t *testing.T) {
	t.Parallel()
	server, err := servers.Start(t.Context(), "proxy", servers.Options{Folder: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	for name, inStep := range map[string]bool{"jitter": false, "in step": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const instances, back = 20, 500 * time.Millisecond
			load, err := Run(t.Context(), server, Scene{
				Instances: instances, Step: 50, Rate: 100, Back: back, Length: 2 * time.Second, InStep: inStep, Seed: 1,
			})
			require.NoError(t, err)
			require.Len(t, load, 20)
			served, failed := 0, 0
			for i, c := range load {
				if i < int(back/Window)-1 {
					require.Zero(t, c.Served, load)
				}
				served += c.Served
				failed += c.Failed
			}
			require.GreaterOrEqual(t, served, instances, load)
			require.GreaterOrEqual(t, failed, instances, load)
		})
	}
}

func TestDraw(t *testing.T) {
	scenes := []Played{
		{Scene{Title: "a < b & c", Instances: 20, Length: time.Second, Gone: 0, Back: 500 * time.Millisecond}, Load{{0, 20}, {1, 2}, {}, {}, {}, {}, {5, 0}, {3, 0}, {1, 0}, {1, 0}}},
		{Scene{Title: "second", Instances: 20, Length: 2 * time.Second}, Load{{10, 0}, {2, 0}}},
	}
	var svg bytes.Buffer
	require.NoError(t, Draw(&svg, "title", scenes))
	decoder := xml.NewDecoder(bytes.NewReader(svg.Bytes()))
	var texts []string
	bars := map[string]int{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, svg.String())
		switch token := token.(type) {
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.StartElement:
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Name.Local] = a.Value
			}
			bars[attributes["stroke"]] += strings.Count(attributes["d"], "M")
		}
	}
	require.Contains(t, texts, "a < b & c")
	require.Equal(t, 5+2, bars[servedColour])
	require.Equal(t, 2, bars[failedColour])

	var table strings.Builder
	require.NoError(t, Table(&table, scenes[:1]))
	require.Contains(t, table.String(), "| a < b & c | 5 | 1.0 | 5.0 |\n")
}
