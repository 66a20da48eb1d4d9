package sqltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lib/pq"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/stamp"
)

// order is a row, and what programs elsewhere see of it.
type order struct {
	ID       orderID                    `json:"id"`
	Customer customerID                 `json:"customer"`
	Replaces stamp.NullTyped[orderKind] `json:"replaces"`
	Plain    stamp.ID                   `json:"plain"`
}

// A column of JSON holds ids as texts, which a condition finds.
func TestJSONColumn(t *testing.T) {
	for name, tt := range map[string]struct {
		open         func(t *testing.T) database
		column, text string
	}{
		"pgx":    {func(t *testing.T) database { return onPostgres(t, "pgx") }, "jsonb", "doc->>'%s'"},
		"pq":     {func(t *testing.T) database { return onPostgres(t, "postgres") }, "jsonb", "doc->>'%s'"},
		"MySQL":  {func(t *testing.T) database { return onMySQL(t, false) }, "json", "json_value(doc, '$.%s')"},
		"SQLite": {onSQLite, "text", "json_extract(doc, '$.%s')"},
	} {
		t.Run(name, func(t *testing.T) {
			d := tt.open(t)
			d.exec(t, "create table orders (id bigint primary key, doc "+tt.column+")")
			want := order{ID: newID[orderKind](t, last), Customer: newID[customerKind](t, last), Plain: 1<<53 + 1}
			want.Replaces = stamp.NullOf(newID[orderKind](t, last))
			doc, err := json.Marshal(want)
			require.NoError(t, err)
			d.exec(t, "insert into orders values (?, ?)", want.ID, string(doc))

			where := "select doc from orders where " + fmt.Sprintf(tt.text, "id") + " = ? and " + fmt.Sprintf(tt.text, "plain") + " = ?"
			var stored []byte
			require.NoError(t, d.row(t, where, want.ID.String(), want.Plain.String()).Scan(&stored))
			var read order
			require.NoError(t, json.Unmarshal(stored, &read))
			require.Equal(t, want, read)
		})
	}
}

// Slices as one parameter: pgx takes them as they are, lib/pq in its array.
func TestAnyOfASlice(t *testing.T) {
	for driver, array := range map[string]func(any) any{
		"pgx":      func(ids any) any { return ids },
		"postgres": func(ids any) any { return pq.Array(ids) },
	} {
		t.Run(driver, func(t *testing.T) {
			d := onPostgres(t, driver)
			d.createTables(t)
			ids := []customerID{newID[customerKind](t, 1), newID[customerKind](t, 5), newID[customerKind](t, last)}
			plain := []stamp.ID{ids[0].ID(), ids[2].ID()}
			for _, id := range ids {
				d.exec(t, "insert into customers (id, name) values (?, 'x')", id)
			}
			query := "select id from customers where id = any(?) order by id"
			require.Equal(t, ids[1:], column[customerID](t, d, query, array(ids[1:])))
			require.Equal(t, plain, column[stamp.ID](t, d, query, array(plain)))
			require.Empty(t, column[stamp.ID](t, d, query, array([]stamp.ID{})))
			_, err := d.QueryContext(t.Context(), d.statement(query), array([]customerID{ids[0], 0}))
			require.ErrorContains(t, err, "0 is no id")
		})
	}
}

// handler keeps orders in a table: POST / makes one for the customer in its
// body, GET /{id} returns one.
func handler(t *testing.T, d database) http.Handler {
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, o order) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(o); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		var o order
		err := json.NewDecoder(r.Body).Decode(&o)
		if err == nil {
			o.ID, err = stamp.New[orderKind](partition.NewContext(r.Context(), last))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		d.exec(t, "insert into orders (id, customer_id, replaces) values (?, ?, ?)", o.ID, o.Customer, o.Replaces)
		answer(w, o)
	})
	mux.HandleFunc("GET /{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := stamp.ParseTyped[orderKind](r.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		o := order{Plain: id.ID()}
		row := d.row(t, "select id, customer_id, replaces from orders where id = ?", id)
		if err := row.Scan(&o.ID, &o.Customer, &o.Replaces); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		answer(w, o)
	})
	return mux
}

// From a client's JSON to a row and back by the text of the id.
func TestHTTP(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		d.createTables(t)
		server := httptest.NewServer(handler(t, d))
		defer server.Close()
		ask := func(method, path, body string) (int, []byte) {
			t.Helper()
			request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
			require.NoError(t, err)
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			var text bytes.Buffer
			_, err = text.ReadFrom(response.Body)
			require.NoError(t, errors.Join(err, response.Body.Close()))
			return response.StatusCode, text.Bytes()
		}
		customer := newID[customerKind](t, last)
		d.exec(t, "insert into customers (id, name) values (?, 'x')", customer)

		status, text := ask("POST", "/", `{"customer": "`+customer.String()+`", "replaces": null, "plain": "1"}`)
		require.Equal(t, http.StatusOK, status, "%s", text)
		var made order
		require.NoError(t, json.Unmarshal(text, &made))
		require.Contains(t, string(text), `"id":"ord_`)
		require.Contains(t, string(text), `"replaces":null`)
		require.Equal(t, customer, made.Customer)

		status, text = ask("GET", "/"+made.ID.String(), "")
		require.Equal(t, http.StatusOK, status)
		var read order
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, order{ID: made.ID, Customer: customer, Plain: made.ID.ID()}, read)

		for _, body := range []string{`{"customer": "` + made.ID.String() + `"}`, `{"customer": 5}`, `{"customer": "cus_zzzzzzzzzzz"}`, `{"plain": 1.0}`} {
			status, _ = ask("POST", "/", body)
			require.Equal(t, http.StatusBadRequest, status, body)
		}
		status, _ = ask("GET", "/"+customer.String(), "")
		require.Equal(t, http.StatusBadRequest, status, "a customer's id is no order's")
		require.Equal(t, []int64{1}, column[int64](t, d, "select count(*) from orders"))
	})
}
