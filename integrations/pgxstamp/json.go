package pgxstamp

import (
	"bytes"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgtype"
)

// jsonCodec is that of json or jsonb, for ids and what base is for.
type jsonCodec struct {
	pgtype.Codec
	known known
}

func (c *jsonCodec) parts() (pgtype.Codec, known) { return c.Codec, c.known }

// PlanEncode implements [pgtype.Codec].
func (c *jsonCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if f := c.known.written(value); f != nil {
		return writeJSON{f, c.Codec.PlanEncode(m, oid, format, json.RawMessage{})}
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

// PlanScan implements [pgtype.Codec].
func (c *jsonCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if c.known.read(target) != nil {
		return readJSON{c.Codec.PlanScan(m, oid, format, new([]byte))}
	}
	return c.Codec.PlanScan(m, oid, format, target)
}

type writeJSON struct {
	form form
	raw  pgtype.EncodePlan
}

// Encode implements [pgtype.EncodePlan]. A missing id is NULL, not JSON's null.
func (p writeJSON) Encode(value any, buf []byte) ([]byte, error) {
	if _, present, err := p.form.number(value); err != nil || !present {
		return nil, err
	}
	text, err := value.(json.Marshaler).MarshalJSON()
	if err != nil {
		return nil, err
	}
	return p.raw.Encode(json.RawMessage(text), buf)
}

type readJSON struct{ raw pgtype.ScanPlan }

// Scan implements [pgtype.ScanPlan]. It takes JSON's null for NULL, where
// encoding/json would leave what was read before.
func (p readJSON) Scan(src []byte, dst any) error {
	var text []byte
	if err := p.raw.Scan(src, &text); err != nil {
		return err
	}
	id := dst.(target)
	if text = bytes.TrimSpace(text); len(text) == 0 || string(text) == "null" {
		return id.Scan(nil)
	}
	return id.UnmarshalJSON(text)
}
