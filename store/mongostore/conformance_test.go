package mongostore_test

import (
	"testing"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

func TestConformance(t *testing.T) {
	o := newDatabase(t, connect(t))
	storetest.Run(t, func(t *testing.T) store.Counters { return newStore(t, connect(t), o) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return newStore(t, connect(t), o) })
}
