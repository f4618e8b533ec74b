;data> {:stock [{:sku "A" :qty 7}] :status "open" "max_price" 9 :count 5}
;tools> status find-stock broken
data/stock
;=> [{:sku "A", :qty 7}]
;; NS-005, PRE-002
[data/max-price max-price stock]
;=> [9 9 [{:sku "A", :qty 7}]]
;; NS-007, S3-13, AMB-001
status
;!> ambiguous_reference Symbol 'status' exists in both tool/ and data/ namespaces. Use explicit namespace.
;; AMB-010: nobody asks which one is meant until the name is read
(if false status :fine)
;=> :fine
;; NS-001, NS-009
[data/status (tool/status)]
;=> ["open" {}]
;; NS-006, S3-14: builtins come last
count
;=> 5
;; NS-006, NS-009
(let [stock 1] [stock data/stock])
;=> [1 [{:sku "A", :qty 7}]]
;; NS-006: nil is a value
(let [stock nil] stock)
;=> nil
;; NS-002
(def data/stock 2)
;!> invalid_form Invalid def: expected a name without namespace at line 2, column 6
(def stock 2)
;=> #'stock
;; NS-002, NS-009, S3-14
[stock data/stock user/stock]
;=> [2 [{:sku "A", :qty 7}] 2]
;; S3-13
data/missing
;!> data_not_found data/missing is not defined. Available data: count, max_price, status, stock
;; S3-13
(tool/missing 1)
;!> tool_not_found Unknown tool: missing. Available tools: broken, find-stock, status
;; S3-13
user/missing
;!> undefined_symbol undefined symbol 'missing'
;; NS-004
(find-stock "A")
;=> ["A"]
[tool/find-stock find-stock]
;=> [#<tool find-stock> #<tool find-stock>]
[(clojure.core/inc 1) (core/map inc [1]) (clojure.string/trim " a ") (str/count "abc") (Math/floor 1.5) (clojure.core/let [x 1] x)]
;=> [2 (2) "a" 3 1.0 1]
(let [tool 1 data 2 user 3] [tool data user])
;=> [1 2 3]
(let [if 5 first 6] [first (if true 1 2)])
;=> [6 1]
(let [when 5] (when 1))
;!> not_callable cannot call number 5 as a function
