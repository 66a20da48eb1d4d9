package encode_test

import (
	"errors"
	"fmt"

	"github.com/stampid/go-stamp/encode"
)

func ExampleNewText() {
	orders, err := encode.NewText(encode.Base62, "ord_", 63)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := orders.Encode(295913926632165376)
	fmt.Println(text, err)
	n, err := orders.Decode(text)
	fmt.Println(n, err)
	// Output:
	// ord_0LrHucXALbs <nil>
	// 295913926632165376 <nil>
}

func ExampleText_Decode() {
	orders, err := encode.NewText(encode.Base62, "ord_", 63)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"usr_0LrHucXALbs", "ord_LrHucXALbs", "ord_zzzzzzzzzzz"} {
		_, err := orders.Decode(text)
		switch {
		case errors.Is(err, encode.ErrPrefix):
			fmt.Println("another kind of id:", text)
		case errors.Is(err, encode.ErrSyntax):
			var typed *encode.Error
			errors.As(err, &typed)
			fmt.Println("no id, see byte", typed.Pos)
		case errors.Is(err, encode.ErrRange):
			fmt.Println(err)
		}
	}
	// Output:
	// another kind of id: usr_0LrHucXALbs
	// no id, see byte 14
	// encode: base62 text "ord_zzzzzzzzzzz" is outside 1 to 9223372036854775807
}

func ExampleText_Append() {
	users, err := encode.NewText(encode.Base58, "usr_", 63)
	if err != nil {
		fmt.Println(err)
		return
	}
	line, err := users.Append([]byte("user="), 139546474327455)
	fmt.Println(string(line), err)
	// Output: user=usr_1126Cef5kPx <nil>
}

// The same number in every form.
func ExampleStandard() {
	for _, codec := range []encode.Standard{
		encode.Base62, encode.Base58, encode.Base36, encode.Base36Lower, encode.Base32, encode.Hex,
		encode.Decimal, encode.DecimalPadded, encode.Base62Compact, encode.Base58Compact,
	} {
		coder, err := codec.Coder(63)
		if err != nil {
			fmt.Println(err)
			return
		}
		text, err := coder.Append(nil, 139546474327455)
		fmt.Printf("%-15s %-19s sorts=%v %v\n", codec.Name(), text, coder.Sorts(), err)
	}
	// Output:
	// base62          000dcnDt6Eh         sorts=true <nil>
	// base58          1126Cef5kPx         sorts=true <nil>
	// base36          0001DGQRJTXGF       sorts=true <nil>
	// base36-lower    0001dgqrjtxgf       sorts=true <nil>
	// base32          0003yxas0gbcz       sorts=true <nil>
	// hex             00007eeab2082d9f    sorts=true <nil>
	// decimal         139546474327455     sorts=false <nil>
	// decimal-padded  0000139546474327455 sorts=true <nil>
	// base62-compact  dcnDt6Eh            sorts=false <nil>
	// base58-compact  26Cef5kPx           sorts=false <nil>
}

// For ids that JavaScript's numbers hold exactly, texts are shorter.
func ExampleCodec() {
	for _, codec := range []encode.Codec{encode.Base62, encode.Base58, encode.Base36, encode.Base32} {
		coder, err := codec.Coder(53)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(codec.Name(), coder.Width())
	}
	// Output:
	// base62 9
	// base58 10
	// base36 11
	// base32 11
}

func ExampleNewSqids() {
	codec, err := encode.NewSqids(encode.SqidsOptions{MinLength: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	links, err := encode.NewText(codec, "", 63)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := links.Encode(42)
	fmt.Println(text, err)
	n, err := links.Decode(text)
	fmt.Println(n, err)
	// Output:
	// JgaEBgzn <nil>
	// 42 <nil>
}
