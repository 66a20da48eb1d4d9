package main

import "slices"

// Spread is the median of some measurements and its quartiles.
type Spread struct {
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	Count  int     `json:"count"` // measurements; with 0 there is no median
}

func spread(values []float64) Spread {
	v := slices.Sorted(slices.Values(values))
	return Spread{quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75), len(v)}
}

// quantile interpolates between the neighbours of a place in sorted values. It
// is 0 without values.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	place := q * float64(len(sorted)-1)
	low := int(place)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (place-float64(low))*(sorted[high]-sorted[low])
}

// ratios divides element by element.
func ratios(numerators, denominators []float64) []float64 {
	r := make([]float64, len(numerators))
	for i := range r {
		r[i] = numerators[i] / denominators[i]
	}
	return r
}
