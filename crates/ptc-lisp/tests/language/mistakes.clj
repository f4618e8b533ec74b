(sort-by [3 1 2] first)
;!> type_error sort-by: expected a collection, got function #<builtin>. Arguments look swapped; use (sort-by key coll)
(filter [1 2] odd?)
;!> type_error filter: expected a collection, got function #<builtin>. Arguments look swapped; use (filter f coll)
(map [1 2] inc)
;!> type_error map: expected a collection, got function #<builtin>. Arguments look swapped; use (map f coll)
(reduce [1 2] +)
;!> type_error reduce: expected a collection, got function #<builtin>. Arguments look swapped; use (reduce f coll)
(group-by [{:a 1}] :a)
;!> type_error group-by: expected a collection, got keyword :a. Arguments look swapped; use (group-by key coll)
(some [1 2] odd?)
;!> type_error some: expected a collection, got function #<builtin>. Arguments look swapped; use (some f coll)
(update-vals inc {:a 1})
;!> type_error update-vals: expected a map, got function #<builtin>. Arguments look swapped; use (update-vals map f)
(pluck :a {:a 1})
;!> type_error pluck: expected a collection of maps, got map {:a 1}. For a single map use (get map key)
(includes? [1 2] 1)
;!> type_error includes?: expected a string to look for, got number 1. For items of a collection use (some #{x} coll)
(contains? "abc" "a")
;!> type_error contains?: expected an index, got string "a". To look for text use (includes? string text)
(max [1 2])
;!> type_error max: expected a number, got vector [1 2]. Use (apply max coll)
(+ 1 nil)
;!> type_error +: expected a number, got nil
(+ "1" 2)
;!> type_error +: expected a number, got string "1"
(< "a" "b")
;!> type_error <: expected a number, got string "a"
(map 5 [1 2])
;!> not_callable cannot call number 5 as a function
(:a {:a 1} 2 3)
;!> arity_error Wrong number of arguments to :a: expected 1 or 2, got 3
([1 2] 5)
;!> type_error vector: expected an index below 2, got number 5
(nth {:a 1} 0)
;!> type_error nth: expected a vector, a list or a string, got map {:a 1}
(get-in {:a 1} :a)
;!> type_error get-in: expected a collection, got keyword :a. Use (get map key), or a path such as [:a :b]
(assoc {:a 1} :b)
;!> arity_error Wrong number of arguments to assoc: expected 3+, got 2
(assoc '(1 2) 0 :x)
;!> type_error assoc: expected a map, a vector or nil, got vector (1 2). This is a list; (vec coll) makes a vector of it
(conj 5 1)
;!> type_error conj: expected a collection, got number 5
(let [x] x)
;!> invalid_form Invalid let: bindings must be a vector with an even number of forms. 'x' has no value at line 1, column 1
(let (x 1) x)
;!> invalid_form Invalid let: bindings must be a vector with an even number of forms. Write [name value name value] at line 1, column 1
(defn f x (inc x))
;!> invalid_form Invalid defn: expected a vector of parameters at line 1, column 9
(fn [x &] x)
;!> invalid_form Invalid fn: & must be followed by exactly one pattern at line 1, column 5
(if true)
;!> invalid_arity Wrong number of arguments to if: expected 2 or 3, got 1 at line 1, column 1
(cond 1)
;!> invalid_form Invalid cond: needs an even number of forms at line 1, column 1
(loop [i 0] (+ 1 (recur (inc i))))
;!> invalid_form recur must be in tail position at line 1, column 18
(loop [i 0] (recur))
;!> invalid_arity Wrong number of arguments to recur: expected 1, got 0 at line 1, column 13
(prnt 1)
;!> undefined_symbol undefined symbol 'prnt'. Did you mean 'print'?
(select_keys {:a 1} [:a])
;!> undefined_symbol undefined symbol 'select_keys'. Did you mean 'select-keys'?
(str/joins "," [1])
;!> invalid_form 'str/joins' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. Did you mean 'str/join'? at line 1, column 2
(.toUppercase "a")
;!> undefined_symbol undefined symbol '.toUppercase'. Did you mean '.toUpperCase'?
@x
;!> parse_error Dereference '@' is not supported. mutable state is not available; use def, reduce or loop at line 1, column 1
(defmacro m [x] x)
;!> invalid_form 'defmacro' is not supported: macros do not exist; write a function with defn at line 1, column 1
("a" 1)
;!> not_callable cannot call string "a" as a function
(int "12")
;!> type_error int: expected a number, got string "12"
(let [[a b] 5] a)
;!> destructure_error cannot destructure number 5 as a sequence
#(+ % #(inc %))
;!> invalid_form Nested #() are not allowed at line 1, column 7
(map #(vector %1 %2) [1 2])
;!> arity_error Wrong number of arguments to fn: expected 2, got 1
(filter (where :x =) [])
;!> invalid_where_form Invalid where: expected (where field) or (where field op value), op one of = not= > < >= <= in includes at line 1, column 9
(re-find "(" "a")
;!> regex_error Invalid regex "(": unclosed group
(format "%d" "x")
;!> type_error format: expected an integer for %d, got string "x"
(format "%d")
;!> type_error format: no argument for '%d'
(read-string "1")
;!> undefined_symbol undefined symbol 'read-string'. text is not read as code; use parse-long, parse-double, edn/read-string or json/parse-string
(with-meta [1] {})
;!> undefined_symbol undefined symbol 'with-meta'. values have no metadata; keep it in a map
(set/add #{} 1)
;!> invalid_form 'set/add' does not exist. Functions in clojure.set: difference, index, intersection, join, map-invert, project, rename, rename-keys, select, subset?, superset?, union. use conj at line 1, column 2
(try (/ 1 0) (catch e 1))
;!> invalid_form Invalid try: expected (catch Class name body…) or (finally body…) at line 1, column 14
(defn f [x] (g x)
;!> parse_error Unexpected end of input: unclosed '(' opened at line 1, column 1
[1 2)
;!> parse_error Unexpected ')'. '[' opened at line 1, column 1 needs ']' at line 1, column 5
{:a}
;!> parse_error Map literal needs an even number of forms, got 1 at line 1, column 1
(compare 1 "a")
;!> type_error cannot compare number 1 with string "a"
(Integer/parseInt "x")
;!> type_error Integer/parseInt: expected a string that shows an integer, got string "x"
(LocalDate/parse "2024-13-01")
;!> type_error LocalDate/parse: expected a date such as "2024-05-01", got string "2024-13-01"
(StringBuilder.)
;!> undefined_symbol undefined symbol 'StringBuilder.'. strings do not change; use str, join or reduce
(re-groups 1)
;!> undefined_symbol undefined symbol 're-groups'. use re-find, or re-seq for all matches
(aget [1] 0)
;!> undefined_symbol undefined symbol 'aget'. arrays do not exist; use vectors with nth, assoc and count
(do (recur) (let [x] x) (if))
;!> invalid_form recur must be in tail position at line 1, column 5
;!> Invalid let: bindings must be a vector with an even number of forms. 'x' has no value at line 1, column 13
;!> Wrong number of arguments to if: expected 2 or 3, got 0 at line 1, column 25
;; Options that JSON libraries take, other than for keywords as keys.
(json/parse-string "{\"a\": 1}" false)
;!> arity_error Wrong number of arguments to json/parse-string: expected 1, got 2. keys become keywords; use (json/parse-string text)
(json/parse-string "{\"a\": 1}" str)
;!> arity_error Wrong number of arguments to json/parse-string: expected 1, got 2. keys become keywords; use (json/parse-string text)
(json/generate-string {:a 1} {:pretty true})
;!> arity_error Wrong number of arguments to json/generate-string: expected 1, got 2. there are no options; use (json/generate-string value)
(json/read-string "{\"a\": 1}" :key-fn keyword)
;!> invalid_form 'json/read-string' does not exist. Functions in json: generate-string, parse, parse-lines, parse-string. keys become keywords; use (json/parse-string text) at line 1, column 2
(clojure.data.json/read-str "{}" :key-fn str)
;!> arity_error Wrong number of arguments to json/parse-string: expected 1, got 3. keys become keywords; use (json/parse-string text)
(cheshire.core/parse-string "{}" false)
;!> arity_error Wrong number of arguments to json/parse-string: expected 1, got 2. keys become keywords; use (json/parse-string text)
(let [count 5] (count [1 2 3]))
;!> not_callable cannot call number 5 as a function. 'count' is a local here, which hides the function; give it another name
(defn pair [list] (list 1 2)) (pair [3 4])
;!> arity_error Wrong number of arguments to vector [3 4]: expected 1, got 2. 'list' is a local here, which hides the function; give it another name
(let [f 5] (f 1))
;!> not_callable cannot call number 5 as a function
(let [max (fn [a] a)] (max 1 2))
;!> arity_error Wrong number of arguments to fn: expected 1, got 2
(map (fn [k v] [k v]) {:a 1})
;!> arity_error Wrong number of arguments to fn: expected 2, got 1. For a pair as one argument write (fn [[a b]] …)
(reduce (fn [acc k v] (assoc acc v k)) {} {:a 1})
;!> arity_error Wrong number of arguments to fn: expected 3, got 2. For a pair as second argument write (fn [acc [k v]] …), or use reduce-kv
(map (fn [a b] a) [1])
;!> arity_error Wrong number of arguments to fn: expected 2, got 1
(update {:a 1} :b inc)
;!> type_error inc: expected a number, got nil. Nothing stands there yet; use (fnil inc 0)
(update-in {} [:stats :count] + 5)
;!> type_error +: expected a number, got nil. Nothing stands there yet; use (fnil + 0)
(update {:a "1"} :a inc)
;!> type_error inc: expected a number, got string "1"
(update {} :a #(+ % 1))
;!> type_error +: expected a number, got nil
(split #"," "a,b")
;!> type_error split: expected a string, got regex #",". Arguments look swapped; use (split text separator)
(repeat "x" 3)
;!> type_error repeat: expected a number, got string "x". Arguments look swapped; use (repeat n x)
(-> 5 (fn [x] (* x 2)))
;!> invalid_form Invalid fn: expected a vector of parameters. To thread into a function write ((fn [x] …)) at line 1, column 5
(update '(1 2) 0 str)
;!> type_error update: expected a map, a vector or nil, got vector (1 2). This is a list; (vec coll) makes a vector of it
(dissoc-in {:a {:b 1}} [:a :b])
;!> undefined_symbol undefined symbol 'dissoc-in'. use (update-in map path dissoc key)
(enumerate ["a"])
;!> undefined_symbol undefined symbol 'enumerate'. use (map-indexed vector coll)
(deep-merge {:a 1} {:b 2})
;!> undefined_symbol undefined symbol 'deep-merge'. use (merge-with merge a b)
(transpose [[1 2] [3 4]])
;!> undefined_symbol undefined symbol 'transpose'. use (apply map vector rows)
(.fooBar "x")
;!> undefined_symbol undefined symbol '.fooBar'. The nearest methods are .format, .concat, .after
(let [m {:a 1}] (m))
;!> arity_error Wrong number of arguments to map {:a 1}: expected 1 or 2, got 0
(update [1 2 3] "0" inc)
;!> type_error update: expected an index from 0 to 3, got string "0"
(def f [x] (inc x))
;!> invalid_form Invalid def: expected a docstring between name and value. A function is defined by (defn f […] …) at line 1, column 8
(def f "doc" [x] (inc x))
;!> invalid_arity Wrong number of arguments to def: expected 1 to 3, got 4. A function is defined by (defn name [parameters] body) at line 1, column 1
(str/replace "a" "b")
;!> type_error replace: expected a map of replacements, got string "a". For text write (str/replace text match replacement)
(catch Exception e 1)
;!> invalid_form 'catch' is not supported: it stands at the end of try: (try … (catch Exception e …)) at line 1, column 1
(edn/read-string "{:a")
;!> type_error edn/read-string: expected text that shows data, got string "{:a". Unexpected end of input: unclosed '{' opened at line 1, column 1
(edn/read-string "(a b)")
;!> type_error edn/read-string: expected text that shows data, got string "(a b)". Symbols and tagged literals are no data
::a/b
;!> parse_error Keyword ':a/b' has an alias. Write ':a/b' with one colon at line 1, column 1
1/0
;!> parse_error Invalid number '1/0'. Both parts must fit in 64 bits, and the second must not be 0 at line 1, column 1
`(a b)
;!> parse_error Syntax quote '`' is not supported. Write the form itself, or quote data with ' at line 1, column 1
(sorted-map-by (fn [a b] (compare (count a) (count b))) "a" 1)
;!> type_error sorted-map-by: expected <, > or #(compare %2 %1) as comparator, got function #fn[a b]. For other orders use (sort-by key comparator coll)
(instance? "String" 1)
;!> type_error instance?: expected the name of a class, got string "String"
(contains? (lazy-seq [1]) 1)
;!> infinite_sequence cannot realise an unbounded sequence; use (take n …)
(DateTimeFormatter/ofPattern "yyyy-qq")
;!> type_error DateTimeFormatter/ofPattern: expected a pattern such as "yyyy-MM-dd", got string "yyyy-qq". 'qq' has no meaning; letters are yyyy MM MMM MMMM dd HH hh mm ss SSS a EEE EEEE
(.format (LocalDate/of 2024 5 1) (DateTimeFormatter/ofPattern "HH:mm"))
;!> type_error .format: expected a datetime, since the pattern has a time, got date "2024-05-01"
(LocalDate/parse "2024-13-01" (DateTimeFormatter/ofPattern "yyyy-MM-dd"))
;!> type_error LocalDate/parse: expected a text that fits the pattern yyyy-MM-dd, got string "2024-13-01"
(LocalDateTime/of 2024 5 1 25 0)
;!> type_error LocalDateTime/of: expected an integer from 0 to 23, got number 25
(ZonedDateTime/parse "2024-05-01T07:30:00+02:00")
;!> invalid_form unknown namespace 'ZonedDateTime' in ZonedDateTime/parse. Use tool/ for tools, data/ for input data, user/ for your definitions. use LocalDateTime/parse or Instant/parse; times are UTC at line 1, column 2
