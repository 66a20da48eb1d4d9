package ntpwatch

import (
	"bytes"
	"time"
)

// Kiss codes that ask for something: RFC 5905, section 7.4. All others have
// "no protocol significance", and a reply with one is only useless.
const (
	kissRate     = "RATE"
	kissDeny     = "DENY"
	kissRestrict = "RSTR"
)

// maxPause is the longest interval that NTP knows, 2^17 s.
const maxPause = 1 << 17 * time.Second

// Where things are in a packet: RFC 5905, section 7.3.
const (
	packetSize     = 48
	packetMode     = 0 // low three bits
	packetStratum  = 1
	packetKiss     = 12
	packetOrigin   = 24
	packetTransmit = 40

	modeMask   = 7
	modeServer = 4
)

// kissFinder is an extension of the NTP library that looks at the packets. The
// library looks at the times first, which a server may leave empty in a kiss
// of death, and would not say that it was one.
type kissFinder struct {
	sent []byte // the random transmit time of the query, which a reply repeats
}

// ProcessQuery remembers what the reply must repeat.
func (k *kissFinder) ProcessQuery(query *bytes.Buffer) error {
	k.sent = bytes.Clone(query.Bytes()[packetTransmit:packetSize])
	return nil
}

// ProcessResponse returns a *KissError for a kiss of death. What doesn't
// repeat the query's time isn't from the server: anybody could silence it.
func (k *kissFinder) ProcessResponse(reply []byte) error {
	if len(reply) < packetSize || reply[packetMode]&modeMask != modeServer || reply[packetStratum] != 0 ||
		!bytes.Equal(reply[packetOrigin:packetOrigin+len(k.sent)], k.sent) {
		return nil
	}
	return &KissError{Code: string(reply[packetKiss : packetKiss+4])}
}
