(def rows [{:sku "A" :qty 7 :bin {:zone :x}} {:sku "B" :qty 0 :bin {:zone "y"} :tags ["old" "red"]} {"sku" "C" :max_price 2.0}])
;=> #'rows
(map :sku (filter (where :qty) rows))
;=> ("A" "B")
(map :sku (filter (where :qty > 0) rows))
;=> ("A")
[(count (filter (where :max-price = 2) rows)) (count (filter (where "sku" not= "A") rows)) (count (filter (where :qty = nil) rows))]
;=> [1 2 1]
(map :sku (filter (where [:bin :zone] in [:x "y"]) rows))
;=> ("A" "B")
[(count (filter (where :tags includes "red") rows)) (count (filter (where :sku includes :A) rows)) (count (filter (where :sku > "A") rows)) (count (filter (where :sku > 5) rows))]
;=> [1 1 2 0]
(map :sku (filter (all-of (where :qty >= 0) (none-of (where [:bin :zone] = :x))) rows))
;=> ("B")
[((all-of) 1) ((any-of) 1) ((none-of) 1) ((any-of odd? even?) 1)]
;=> [true false true true]
((where :a) 5)
;=> false
(where :a ~= 1)
;!> parse_error Unquote '~' is not supported at line 1, column 11
(where :a like 1)
;!> invalid_where_form Invalid where: expected (where field) or (where field op value), op one of = not= > < >= <= in includes at line 1, column 1
(where)
;!> invalid_where_form Invalid where: expected (where field) or (where field op value), op one of = not= > < >= <= in includes at line 1, column 1
(map (where [0] = 1) [[1] [2] {0 1}])
;=> (true false true)
