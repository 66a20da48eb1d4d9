// Hello makes ids, writes them as text, and reads one back.
package main

import (
	"fmt"
	"log"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/stamp"
)

var orders = stamp.MustConfig(stamp.Options{Node: node.Static(3), Codec: encode.Base62, Prefix: "ord_"})

func main() {
	id, err := stamp.Next("orders", orders)
	if err != nil {
		log.Fatal(err)
	}
	text, _ := orders.Encode(id)
	back, _ := orders.Decode(text)
	made, _ := orders.Time(back)
	fmt.Println(id, text, made)
}
