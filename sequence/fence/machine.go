package fence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// machineID is a digest of what the system says that it is, and "unknown" if it
// says nothing: in many containers only the lock file tells folders apart. A
// host name wouldn't do, which changes with each start of a container. It is a
// digest since the systems ask not to show the text.
func machineID() (string, error) {
	text, err := rawMachineID()
	if err != nil {
		return "", err
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return "unknown", nil
	}
	hash := sha256.Sum256(append([]byte("go-stamp fence\n"), text...))
	return hex.EncodeToString(hash[:8]), nil
}
