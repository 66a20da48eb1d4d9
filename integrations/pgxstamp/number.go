package pgxstamp

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgtype"
)

// numberCodec is that of bigint, for ids and what base is for.
type numberCodec struct {
	pgtype.Codec
	known known
}

func (c *numberCodec) parts() (pgtype.Codec, known) { return c.Codec, c.known }

// PlanEncode implements [pgtype.Codec].
func (c *numberCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if f := c.known.written(value); f != nil {
		return writeNumber{f, format}
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

// PlanScan implements [pgtype.Codec].
func (c *numberCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if f := c.known.read(target); f != nil {
		return readNumber{f, format}
	}
	return c.Codec.PlanScan(m, oid, format, target)
}

type writeNumber struct {
	form   form
	format int16
}

// Encode implements [pgtype.EncodePlan].
func (p writeNumber) Encode(value any, buf []byte) ([]byte, error) {
	n, present, err := p.form.number(value)
	switch {
	case err != nil || !present:
		return nil, err
	case p.format == pgtype.BinaryFormatCode:
		return binary.BigEndian.AppendUint64(buf, uint64(n)), nil
	default:
		return strconv.AppendInt(buf, n, 10), nil
	}
}

type readNumber struct {
	form   form
	format int16
}

// Scan implements [pgtype.ScanPlan].
func (p readNumber) Scan(src []byte, dst any) error {
	n, err := p.number(src)
	if src == nil || err != nil {
		// It sets dst to zero, and refuses what isn't NULL where it may not be.
		if refused := dst.(target).Scan(nil); err == nil {
			err = refused
		}
		return err
	}
	return p.form.keep(dst, n)
}

func (p readNumber) number(src []byte) (int64, error) {
	switch {
	case src == nil:
		return 0, nil
	case p.format != pgtype.BinaryFormatCode:
		return strconv.ParseInt(string(src), 10, 64)
	case len(src) != 8:
		return 0, fmt.Errorf("pgxstamp: bigint of %d bytes, want 8", len(src))
	default:
		return int64(binary.BigEndian.Uint64(src)), nil
	}
}
