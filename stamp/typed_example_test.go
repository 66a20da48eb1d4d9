package stamp_test

import (
	"encoding/json"
	"fmt"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/stamp"
)

var invoices = stamp.MustGenerator("invoices", stamp.MustConfig(stamp.Options{
	Node:   node.Static(3),
	Codec:  encode.Base62,
	Prefix: "inv_",
}))

type invoiceKind struct{}

func (invoiceKind) Stamp() *stamp.Generator { return invoices }

// InvoiceID is an id of an invoice. No other id can be passed as one.
type InvoiceID = stamp.Typed[invoiceKind]

// A type of ids is a kind and its generator. A new one is made by
// stamp.New[invoiceKind](ctx).
func ExampleTyped() {
	type Invoice struct {
		ID    InvoiceID                    `json:"id"`
		Voids stamp.NullTyped[invoiceKind] `json:"voids"`
	}
	text, err := json.Marshal(Invoice{ID: 47059303273693184})
	fmt.Println(string(text), err)

	var read Invoice
	err = json.Unmarshal([]byte(`{"id": "inv_03TWzQIO6AS", "voids": "inv_03TWzQIO6AT"}`), &read)
	fmt.Println(int64(read.ID), read.Voids, err)

	_, err = stamp.ParseTyped[invoiceKind]("ord_03TWzQIO6AS")
	fmt.Println(err)
	// Output:
	// {"id":"inv_03TWzQIO6AS","voids":null} <nil>
	// 47059303273693184 inv_03TWzQIO6AT <nil>
	// encode: text "ord_03TWzQIO6AS" lacks the prefix "inv_"
}

func ExampleTypes() {
	types, err := stamp.NewTypes(
		stamp.Type{Name: "invoice", Config: invoices.Config()},
		stamp.Type{Name: "order", Config: orders.Config()},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, id, err := types.Decode("inv_03TWzQIO6AS")
	fmt.Println(found.Name, id, err)
	_, _, err = types.Decode("usr_03TWzQIO6AS")
	fmt.Println(err)
	// Output:
	// invoice 47059303273693184 <nil>
	// stamp: "usr_03TWzQIO6AS" is an id of none of the types invoice, order
}
