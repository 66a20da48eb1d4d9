package stamp_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

func TestIDFromJSON(t *testing.T) {
	for text, want := range map[string]stamp.ID{
		`"1"`:                   1,
		`1`:                     1,
		`"9223372036854775807"`: math.MaxInt64,
		`9223372036854775807`:   math.MaxInt64, // exact: no float64 in between
		`9007199254740993`:      1<<53 + 1,
		` 5 `:                   5, // blanks around the value are JSON's
	} {
		var id stamp.ID
		require.NoError(t, json.Unmarshal([]byte(text), &id), text)
		require.Equal(t, want, id, text)
	}
}

func TestIDRefusesJSON(t *testing.T) {
	for _, text := range []string{
		`0`, `"0"`, `-1`, `"-1"`, `-0`, `1.0`, `"1.0"`, `1e3`, `1E3`, `"1e3"`, `1.5`,
		`9223372036854775808`, `"9223372036854775808"`, `18446744073709551617`, `1e400`,
		`"01"`, `"+1"`, `""`, `" 1"`, `"1 "`, `"\u0031"`, `"1\n"`, `"null"`, `"\"1\""`, `"١"`,
		`true`, `false`, `[]`, `[1]`, `["1"]`, `{}`, `{"1":1}`,
	} {
		id := stamp.ID(7)
		require.Error(t, json.Unmarshal([]byte(text), &id), text)
		require.Zero(t, id, text)
	}
	// Called without the JSON package, on what isn't JSON.
	for _, text := range []string{``, `"`, `""`, `"1`, `1"`, `'1'`, ` 1`, `nul`} {
		id := stamp.ID(7)
		require.ErrorIs(t, id.UnmarshalJSON([]byte(text)), stamp.ErrSyntax, "%q", text)
		require.Zero(t, id)
	}
	var id stamp.ID
	require.ErrorIs(t, json.Unmarshal([]byte(`9223372036854775808`), &id), stamp.ErrRange)
	require.ErrorIs(t, json.Unmarshal([]byte(`[]`), &id), stamp.ErrSyntax)
}

func TestIDToJSON(t *testing.T) {
	text, err := json.Marshal(stamp.ID(math.MaxInt64))
	require.NoError(t, err)
	require.Equal(t, `"9223372036854775807"`, string(text))
	for _, id := range []stamp.ID{0, -1} {
		_, err := json.Marshal(id)
		require.ErrorIs(t, err, stamp.ErrRange)
		_, err = json.Marshal(map[stamp.ID]int{id: 1})
		require.Error(t, err)
	}
}

func TestIDInJSONNull(t *testing.T) {
	id := stamp.ID(7)
	require.NoError(t, json.Unmarshal([]byte(`null`), &id))
	require.EqualValues(t, 7, id, "as types without a null do")
	pointer := &id
	require.NoError(t, json.Unmarshal([]byte(`null`), &pointer))
	require.Nil(t, pointer)
	text, err := json.Marshal(pointer)
	require.NoError(t, err)
	require.Equal(t, `null`, string(text))
}

func TestIDInJSONStructures(t *testing.T) {
	type order struct {
		ID     stamp.ID           `json:"id"`
		Parent stamp.ID           `json:"parent,omitzero"`
		Ref    *stamp.ID          `json:"ref"`
		Lines  []stamp.ID         `json:"lines"`
		Count  map[stamp.ID]uint8 `json:"count"`
	}
	ref := stamp.ID(4)
	for want, o := range map[string]order{
		`{"id":"1","ref":null,"lines":null,"count":null}`:                            {ID: 1},
		`{"id":"1","parent":"3","ref":"4","lines":["5","6"],"count":{"10":2,"7":1}}`: {ID: 1, Parent: 3, Ref: &ref, Lines: []stamp.ID{5, 6}, Count: map[stamp.ID]uint8{7: 1, 10: 2}},
	} {
		text, err := json.Marshal(o)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
		var back order
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, o, back)
	}
	_, err := json.Marshal(order{})
	require.ErrorIs(t, err, stamp.ErrRange, "a required id that is missing is noticed")
	require.Error(t, json.Unmarshal([]byte(`{"count":{"01":1}}`), new(order)))
}
