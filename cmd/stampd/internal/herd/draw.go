package herd

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// Played is a scene and what came of it.
type Played struct {
	Scene Scene
	Load  Load
}

// Normal is what a window has when nothing happens any more: the mean of the last
// quarter of the scene.
func (p Played) Normal() float64 {
	return p.Load.Between(p.Scene.Length*3/4, p.Scene.Length).Mean()
}

// Peak is the most calls of a window from the instant on when the store is there.
func (p Played) Peak() int {
	return p.Load.Between(p.Scene.Back, p.Scene.Length).Peak()
}

// Measures of a drawing, in its own units.
const (
	margin      = 50
	plotWidth   = 840
	plotHeight  = 90
	panelHeight = plotHeight + 60
)

// Colours of a drawing, legible for those who can't tell red from green.
const (
	servedColour = "#0072b2"
	failedColour = "#d55e00"
	awayColour   = "#e8e8e8"
)

// Draw writes an SVG with a panel for each scene, all on the same scales: bars
// for the calls of each window, those that failed on top, and grey behind them
// while the store is away.
func Draw(w io.Writer, title string, scenes []Played) error {
	var length time.Duration
	most := 1
	for _, p := range scenes {
		length = max(length, p.Scene.Length)
		most = max(most, p.Load.Peak())
	}
	d := drawing{second: plotWidth / length.Seconds(), call: plotHeight / float64(most), most: most}
	height := 50 + len(scenes)*panelHeight
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`, plotWidth+2*margin, height)
	d.add(`<rect width="100%%" height="100%%" fill="white"/>`)
	d.text(margin, 22, "start", title)
	d.text(margin, 40, "start", fmt.Sprintf("calls to the store in each %v: blue served, orange failed; grey: the store is away", Window))
	for i, p := range scenes {
		d.panel(p, float64(50+i*panelHeight+28))
	}
	d.add(`</svg>`)
	_, err := io.WriteString(w, d.svg.String())
	return err
}

// drawing is an SVG under way.
type drawing struct {
	svg          strings.Builder
	second, call float64 // their size
	most         int     // calls of a window
}

func (d *drawing) add(format string, args ...any) {
	fmt.Fprintf(&d.svg, format+"\n", args...)
}

// text writes what needn't be free of what is special in XML.
func (d *drawing) text(x, y float64, anchor, text string) {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(text)) // a builder doesn't fail
	d.add(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, escaped.String())
}

func (d *drawing) panel(p Played, top float64) {
	bottom := top + plotHeight
	d.text(margin, top-8, "start", p.Scene.Title)
	if away := p.Scene.Back - p.Scene.Gone; away > 0 {
		d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`,
			margin+p.Scene.Gone.Seconds()*d.second, top, away.Seconds()*d.second, plotHeight, awayColour)
	}
	d.bars(p.Load, bottom, servedColour, func(c Count) (int, int) { return 0, c.Served })
	d.bars(p.Load, bottom, failedColour, func(c Count) (int, int) { return c.Served, c.Calls() })
	d.add(`<path d="M%d %.1fV%.1fH%.1f" stroke="black" fill="none"/>`, margin, top, bottom, margin+p.Scene.Length.Seconds()*d.second)
	d.text(margin-6, top+10, "end", fmt.Sprint(d.most))
	d.text(margin-6, bottom, "end", "0")
	const tick = 5 * time.Second
	for at := time.Duration(0); at <= p.Scene.Length; at += tick {
		x := margin + at.Seconds()*d.second
		d.add(`<path d="M%.1f %.1fv4" stroke="black"/>`, x, bottom)
		d.text(x, bottom+16, "middle", fmt.Sprintf("%.0f s", at.Seconds()))
	}
}

// bars draws one for each window, between two counts of its calls.
func (d *drawing) bars(load Load, bottom float64, colour string, of func(Count) (low, high int)) {
	var path strings.Builder
	for i, c := range load {
		if low, high := of(c); high > low {
			x := margin + (float64(i)+0.5)*Window.Seconds()*d.second
			fmt.Fprintf(&path, "M%.1f %.1fV%.1f", x, bottom-float64(low)*d.call, bottom-float64(high)*d.call)
		}
	}
	if path.Len() > 0 {
		d.add(`<path d="%s" stroke="%s" stroke-width="%.2f"/>`, path.String(), colour, math.Max(1, Window.Seconds()*d.second))
	}
}

// Table writes a table in Markdown, with a line for each scene.
func Table(w io.Writer, scenes []Played) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| %v instances | most calls in %v, with the store there | in normal running, mean | peak ÷ mean |\n|---|---|---|---|\n", scenes[0].Scene.Instances, Window)
	for _, p := range scenes {
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.1f |\n", p.Scene.Title, p.Peak(), p.Normal(), float64(p.Peak())/p.Normal())
	}
	_, err := io.WriteString(w, b.String())
	return err
}
