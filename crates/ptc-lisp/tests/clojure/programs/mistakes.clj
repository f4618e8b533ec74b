;;;; arity of own fn
(defn area [w h] (* w h))
(map area [1 2 3])
;!> arity_error
;;;; nil arithmetic from missing key
(def items [{:price 10 :qty 2} {:price 5}])
(reduce + (map (fn [{:keys [price qty]}] (* price qty)) items))
;!> type_error
;;;; missing paren at end
(defn total [xs]
  (reduce + (map :price xs))
(total [{:price 1}])
;!> parse_error
;;;; extra paren inside
(let [x 1]]
  (inc x))
;!> parse_error
;;;; recur not tail
(defn fact [n] (if (zero? n) 1 (* n (recur (dec n)))))
(fact 5)
;!> invalid_form
;;;; recur across try
(loop [n 3] (try (if (zero? n) :done (recur (dec n))) (catch Exception e :err)))
;!> invalid_form
;;;; call a number
(let [xs [1 2 3]] (map (first xs) xs))
;!> not_callable
;;;; infix habit
(let [a 1 b 2] (if (a > b) a b))
;!> not_callable
;;;; keyword as index into vector via get
(get [10 20 30] :1)
;=> nil
;;;; nth on map
(nth {:a 1} 0)
;!> type_error
;;;; get-in with keyword
(get-in {:a {:b 1}} :a)
;!> type_error
;;;; near name
(str/joins ", " ["a" "b"])
;!> invalid_form
;;;; near name bare
(grup-by odd? [1 2 3])
;!> undefined_symbol
;;;; camelCase name
(groupBy odd? [1 2 3])
;!> undefined_symbol
;;;; python habit
(len [1 2 3])
;!> undefined_symbol
;;;; underscore habit
(sort_by first [[2] [1]])
;!> undefined_symbol
;;;; string plus number
(+ "total: " 5)
;!> type_error
;;;; string concat with plus
(reduce + ["a" "b"])
;!> type_error
;;;; contains? on vector of values
[(contains? [1 2 3] 3) (contains? ["a" "b"] "a")]
;=> [false true]
;clojure> [false false]
;deviation> contains? on a vector
;;;; contains? on list
(contains? '(1 2 3) 1)
;!> type_error
;;;; sort mixed
(sort [3 "a" 1])
;!> type_error
;;;; sort maps
(sort [{:a 2} {:a 1}])
;!> type_error
;;;; sort with nils
(sort [3 nil 1])
;=> (nil 1 3)
;;;; conj on nil and string
[(conj nil 1) (conj nil 1 2)]
;=> [(1) (2 1)]
;;;; conj on string
(conj "abc" "d")
;!> type_error
;;;; assoc on list
(assoc '(1 2 3) 0 :x)
;!> type_error
;;;; assoc out of range
(assoc [1 2] 5 :x)
;!> type_error
;;;; update nil inc
(update {:a 1} :b inc)
;!> type_error
;;;; update-in missing
(update-in {} [:stats :count] inc)
;!> type_error
;;;; wrong destructuring of map as vector
(let [[k v] {:a 1}] [k v])
;!> destructure_error
;;;; wrong destructuring vector as map
(let [{:keys [a b]} [1 2]] [a b])
;=> [nil nil]
;;;; fn destructuring pair from map entry list
(map (fn [k v] [k v]) {:a 1 :b 2})
;!> arity_error
;;;; reduce with map entry args
(reduce (fn [acc k v] (assoc acc v k)) {} {:a 1 :b 2})
;!> arity_error
;;;; def in function
(defn f [x] (def y (* 2 x)) (+ y 1))
[(f 3) y]
;=> [7 6]
;;;; immutable append expected
(def xs [1 2])
(conj xs 3)
(count xs)
;=> 2
;;;; doseq expects value
(let [r (doseq [x [1 2 3]] (* x x))] (first r))
;=> nil
;;;; for with side effect and no result
(for [x [1 2 3]] (println x))
;out> 1
;out> 2
;out> 3
;=> (nil nil nil)
;clojure> (1
;deviation> eager lists: prints come before
;;;; let odd bindings
(let [a 1 b] (+ a b))
;!> invalid_form
;;;; if with too many
(if true 1 2 3)
;!> invalid_arity
;;;; when without body value
(when (> 1 2) :yes)
;=> nil
;;;; cond without pairs
(cond (> 1 2) :a :else)
;!> invalid_form
;;;; case with no default
(case :x :a 1 :b 2)
;=> nil
;clojure> !IllegalArgumentException: No matching clause: :x
;deviation> allowed here: case, condp without match
;;;; case with symbols or expressions
(let [k :a] (case 5 (inc 4) :five :other))
;!> invalid_form
;clojure> :other
;deviation> constants of case are literals
;;;; comparing strings with <
(filter #(< (:name %) "m") [{:name "ann"} {:name "zed"}])
;!> type_error
;;;; parse nil
(Integer/parseInt nil)
;!> type_error
;;;; parse bad
(Integer/parseInt "12px")
;!> type_error
;;;; parse float as int
(Integer/parseInt "3.5")
;!> type_error
;;;; parse blank
(map #(Integer/parseInt %) (str/split "1, 2,3" #","))
;!> type_error
;;;; first of number
(first 5)
;!> type_error
;;;; count number
(count 42)
;!> type_error
;;;; map over number
(map inc 5)
;!> type_error
;;;; apply without list
(apply + 1 2)
;!> type_error
;;;; max of collection
(max [1 2 3])
;!> type_error
;clojure> [1 2 3]
;deviation> max and min take numbers only
;;;; max of empty
(apply max [])
;!> arity_error
;;;; reduce empty
(reduce max [])
;!> arity_error
;;;; min-key empty
(apply min-key :a [])
;!> arity_error
;;;; divide by zero average of empty
(let [xs []] (/ (reduce + xs) (count xs)))
;!> arithmetic_error
;;;; get of nil chain and inc
(inc (get-in {:a {}} [:a :b :c]))
;!> type_error
;;;; keyword called with too many
(:a {:a 1} 2 3)
;!> arity_error
;;;; map called wrong
({:a 1} :a :b :c)
;!> arity_error
;;;; vector called out of range
([1 2 3] 3)
;!> type_error
;;;; string called
("abc" 0)
;!> not_callable
;;;; nil called
(let [handlers {:add +}] ((handlers :mul) 2 3))
;!> not_callable
;;;; #() nested
(map #(map #(* % %) %) [[1 2] [3]])
;!> invalid_form
;;;; % outside
(map (* % 2) [1 2])
;!> invalid_placeholder
;;;; vector in #()
(map #([% (* % %)]) [1 2])
;=> ([1 1] [2 4])
;clojure> !ArityException: Wrong number of args (0) passed to: clojure.lang.PersistentVector
;deviation> a short function of a form that is no call
;;;; map in #()
(map #({:id %}) [1 2])
;=> ({:id 1} {:id 2})
;clojure> !ArityException: Wrong number of args (0) passed to: clojure.lang.PersistentArrayMap
;deviation> a short function of a form that is no call
;;;; missing fn brackets
(defn add a b (+ a b))
;!> invalid_form
;;;; defn missing params
(defn hello (println "hi"))
(hello)
;!> invalid_form
;;;; defn docstring after params
(defn sq [x] "squares" (* x x))
(sq 4)
;=> 16
;;;; use before def
(println total)
(def total 5)
;!> undefined_symbol
;;;; undefined local out of scope
(let [x 1] x)
(+ x 1)
;!> undefined_symbol
;;;; throw string
(throw "bad")
;!> thrown
;;;; throw map
(throw {:type :bad})
;!> thrown
;;;; ex-info one arg
(throw (ex-info "bad"))
;!> arity_error
;;;; catch without class
(try (/ 1 0) (catch e (println e)))
;!> invalid_form
;;;; format with wrong type
(format "%d" 3.5)
;!> type_error
;;;; format with too few
(format "%s %s" 1)
;!> type_error
;;;; format with a string for a number
(format "%.2f" "3.14159")
;!> type_error
;;;; format int with %.2f
(format "%.2f" 3)
;=> "3.00"
;clojure> !IllegalFormatConversionException: f != java.lang.Long
;deviation> allowed here: format
;;;; str/join args swapped
(str/join ["a" "b"] ",")
;=> ","
;;;; str/split args swapped
(str/split #"," "a,b")
;!> type_error
;;;; str/split with string
(str/split "a,b" ",")
;=> ["a" "b"]
;clojure> !ClassCastException: class java.lang.String cannot be cast to class java.util.regex.Pattern (java.lang.String and java.util.regex.Pattern are in module java.base of loader 'bootstrap')
;deviation> allowed here: string separators
;;;; str/replace 2 args
(str/replace "abc" "b")
;!> type_error
;;;; subs out of range
(subs "abc" 5)
;=> ""
;clojure> !StringIndexOutOfBoundsException: begin 5, end 3, length 3
;deviation> allowed here: subs, subvec, pop
;;;; str/includes? of nil
(str/includes? nil "a")
;!> type_error
;;;; upper-case nil
(str/upper-case nil)
;!> type_error
;;;; filter args swapped
(filter [1 2 3] odd?)
;!> type_error
;;;; map args swapped
(map [1 2 3] inc)
;!> type_error
;;;; reduce args swapped
(reduce [1 2 3] +)
;!> type_error
;;;; reduce init last
(reduce + [1 2 3] 0)
;!> type_error
;;;; sort-by args swapped
(sort-by [{:a 2} {:a 1}] :a)
;!> type_error
;;;; sort-by keyword comparator last
(sort-by :a [{:a 1} {:a 2}] >)
;!> type_error
;;;; group-by args swapped
(group-by [1 2] odd?)
;!> type_error
;;;; take args swapped
(take [1 2 3] 2)
;!> type_error
;;;; partition args swapped
(partition [1 2 3 4] 2)
;!> type_error
;;;; repeat args swapped
(repeat "x" 3)
;!> type_error
;;;; range with vector
(range [1 5])
;!> type_error
;;;; infinite printed
(println (iterate inc 0))
;!> infinite_sequence
;;;; infinite counted
(count (cycle [1 2]))
;!> infinite_sequence
;;;; infinite reduce
(reduce + (range))
;!> infinite_sequence
;;;; list literal as data
(let [xs (1 2 3)] (map inc xs))
;!> not_callable
;;;; let with parens
(let (x 1 y 2) (+ x y))
;!> invalid_form
;;;; scheme let
(let ((x 1) (y 2)) (+ x y))
;!> invalid_form
;;;; loop without recur bindings
(loop [i 0 acc []] (if (= i 3) acc (recur (inc i))))
;!> invalid_arity
;;;; set of duplicates literal
#{1 2 1}
;!> parse_error
;;;; map with odd forms
{:a 1 :b}
;!> parse_error
;;;; duplicate keys
{:a 1 :a 2}
;!> parse_error
;;;; boolean mistakes
[(if nil 1 2) (= true 1) (and 1 nil) (or false nil) (not 0) (True? true)]
;!> undefined_symbol
;;;; return habit
(defn f [x] (return (* 2 x)))
(f 2)
;=> 4
;clojure> !RuntimeException: Unable to resolve symbol: return in this context
;deviation> a name or form that Clojure has not
;;;; set! habit
(def total 0)
(doseq [x [1 2]] (set! total (+ total x)))
total
;!> invalid_form
;;;; def in loop
(def total 0)
(doseq [x [1 2 3]] (def total (+ total x)))
total
;=> 6
;;;; mutable java
(let [l (java.util.ArrayList.)] (.add l 1) (.size l))
;!> undefined_symbol
;clojure> 1
;deviation> no objects of Java
;;;; string builder
(let [sb (StringBuilder.)] (.append sb "a") (.append sb 1) (.toString sb))
;!> undefined_symbol
;clojure> "a1"
;deviation> no objects of Java
;;;; atom in loop
(let [a (atom [])] (doseq [i (range 3)] (swap! a conj i)) @a)
;!> parse_error
;clojure> [0 1 2]
;deviation> no macros, mutable state, symbols
;;;; .length on vector
(.length [1 2 3])
;=> 3
;;;; .push
(.push [1 2] 3)
;!> undefined_symbol
;;;; .size of vector
(.size [1 2 3])
;=> 3
;;;; unknown method
(.toUppercase "abc")
;!> undefined_symbol
;;;; field
(.-length "abc")
;!> undefined_symbol
;;;; Math wrong
(Math/sum [1 2])
;=> 3
;clojure> !IllegalArgumentException: No matching method sum found taking 1 args for class java.lang.Math
;deviation> methods take what fits
;;;; Math/round of 2 args
(Math/round 3.14159 2)
;!> arity_error
;;;; Math/max of three
(Math/max 1 2 3)
;!> arity_error
;;;; unbalanced string
(println "hello)
;!> parse_error
;;;; quotes 'single'
(println 'hello world')
;!> invalid_form
;;;; update-vals swapped
(update-vals inc {:a 1})
;!> type_error
;;;; select-keys varargs
(select-keys {:a 1 :b 2} :a :b)
;!> arity_error
;;;; dissoc vector
(dissoc [1 2 3] 0)
;!> type_error
;;;; merge-with without f
(merge-with {:a 1} {:a 2})
;=> {:a 2}
;;;; zipmap swapped arity
(zipmap [[:a 1] [:b 2]])
;!> arity_error
;;;; into args swapped
(into [[:a 1] [:b 2]] {})
;=> [[:a 1] [:b 2]]
;;;; into map from flat
(into {} [:a 1 :b 2])
;!> type_error
;;;; hash-map odd
(hash-map :a 1 :b)
;!> arity_error
;;;; keys of vector
(keys [[:a 1]])
;!> type_error
;;;; vals of list of pairs
(vals '([:a 1] [:b 2]))
;=> (1 2)
;clojure> !ClassCastException: class clojure.lang.PersistentVector cannot be cast to class java.util.Map$Entry (clojure.lang.PersistentVector is in unnamed module of loader 'app'; java.util.Map$Entry is in module java.base of loader 'bootstrap')
;deviation> key and val of any pair
;;;; key of vector
(map key [[:a 1]])
;=> (:a)
;clojure> !ClassCastException: class clojure.lang.PersistentVector cannot be cast to class java.util.Map$Entry (clojure.lang.PersistentVector is in unnamed module of loader 'app'; java.util.Map$Entry is in module java.base of loader 'bootstrap')
;deviation> key and val of any pair
;;;; val of map
(val {:a 1})
;!> type_error
;;;; empty? of number
(empty? 0)
;!> type_error
;;;; nil? misuse
(filter nil? nil)
;=> ()
;;;; every? arg order
(every? [2 4] even?)
;!> type_error
;;;; some with value
(some 3 [1 2 3])
;!> not_callable
;;;; some with set nil
(some #{nil false} [nil false])
;=> nil
;;;; not a function in comp
((comp :a "b") {:b 1})
;!> not_callable
;;;; partial with not fn
((partial 1 2) 3)
;!> not_callable
;;;; threading first vs last
(-> [1 2 3] (map inc) (reduce +))
;!> type_error
;;;; threading last with assoc
(->> {:a 1} (assoc :b 2))
;!> type_error
;;;; threading with lambda unwrapped
(-> 5 (fn [x] (* x 2)))
;!> invalid_form
;;;; threading with #()
(-> 5 #(* % 2))
;=> 10
;clojure> !ClassCastException: class java.lang.Long cannot be cast to class clojure.lang.ISeq (java.lang.Long is in module java.base of loader 'bootstrap'; clojure.lang.ISeq is in unnamed module of loader 'app')
;deviation> :asc, :desc, find with a predicate, a short function as a step
;;;; if-let two bindings
(if-let [a 1 b 2] (+ a b) 0)
;!> invalid_form
;;;; when-let destructure nil
(when-let [{:keys [a]} nil] a)
;=> nil
;;;; defn shadow and call param
(defn f [list] (list 1 2))
(f [3 4])
;!> arity_error
;;;; shadowed count
(let [count 5] (count [1 2 3]))
;!> not_callable
;;;; shadowed name then used as fn
(defn greet [{:keys [name first]}] (str (first "abc") name))
(greet {:name "x" :first "y"})
;!> not_callable
;;;; missing quotes
(get {:a 1} a)
;!> undefined_symbol
;;;; comparing with = chain of floats
(= 0.3 (+ 0.1 0.2))
;=> false
;;;; char arithmetic
(+ \a 1)
;!> type_error
;;;; string index
(get "abc" 1)
;=> "b"
;;;; nested def of map fn key call
(let [m {"a" 1}] ("a" m))
;!> not_callable
;;;; destructure with too few
(let [[a b c] [1 2]] (+ a b c))
;!> type_error
;;;; recursion too deep
(defn sum [n] (if (zero? n) 0 (+ n (sum (dec n)))))
(sum 100000)
;!> depth_exceeded
;clojure> 5000050000
;deviation> a limit is exceeded
;;;; infinite recursion
(defn f [x] (f (inc x)))
(f 0)
;!> tick_limit_exceeded
;;;; infinite loop
(loop [] (recur))
;!> tick_limit_exceeded
;;;; date interop
(java.time.LocalDate/of 2024 2 30)
;!> type_error
;;;; namespaces
(clojure.math.combinatorics/combinations [1 2 3] 2)
;!> invalid_form
;;;; unresolved alias
(ns x (:require [clojure.string :as s]))
(s/upper-case "abc")
;=> "ABC"
;;;; refer all
(ns x (:require [clojure.string :refer :all]))
(upper-case "abc")
;=> "ABC"
;;;; exit
(System/exit 0)
;!> invalid_form
;;;; average of strings from csv without parse
(let [rows (map #(str/split % #",") ["a,1" "b,2"])] (/ (reduce + (map second rows)) (count rows)))
;!> type_error
;;;; filter on map expecting map
(filter (fn [k v] (> v 1)) {:a 1 :b 2})
;!> arity_error
;;;; filter map entry with key fn then get
(:b (filter #(> (val %) 1) {:a 1 :b 2}))
;=> nil
;;;; map over map then lookup
(:a (map (fn [[k v]] [k (inc v)]) {:a 1}))
;=> nil
;;;; sort-by desc with - on strings
(sort-by (comp - :name) [{:name "a"} {:name "b"}])
;!> type_error
;;;; sort > on strings
(sort > ["a" "b"])
;!> type_error
;;;; reverse of string expects string
(str/upper-case (reverse "abc"))
;=> "(\"C\" \"B\" \"A\")"
;clojure> "(\\C \\B \\A)"
;deviation> characters print as strings
;;;; str of lazy map
(str "Result: " (map inc [1 2]))
;=> "Result: (2 3)"
;clojure> "Result: clojure.lang.LazySeq…"
;deviation> eager lists print their items
;;;; join missing
(str "a" ["b" "c"])
;=> "a[\"b\" \"c\"]"
;;;; nested get misuse
(get {:a {:b 1}} [:a :b])
;=> nil
;;;; keyword on list of maps
(:price [{:price 1} {:price 2}])
;=> nil
;;;; assoc on nil path in vector
(assoc-in {} [:items 0 :name] "x")
;=> {:items {0 {:name "x"}}}
;;;; update vector by index out of range
(update [1 2 3] 5 inc)
;!> type_error
;;;; nth negative
(nth [1 2 3] -1)
;=> nil
;clojure> !IndexOutOfBoundsException:
;deviation> allowed here: nth out of range
;;;; last index like python
(get [1 2 3] -1)
;=> nil
;;;; slice
(subvec [1 2 3] 1 10)
;=> [2 3]
;clojure> !IndexOutOfBoundsException:
;deviation> allowed here: subs, subvec, pop
;;;; comparing keyword with string
(filter #(= (:status %) "active") [{:status :active} {:status "active"}])
;=> ({:status "active"})
;;;; and/or returning value confusion
(if (and 0 "") :truthy :falsy)
;=> :truthy
;;;; empty vector truthy
(if [] :truthy :falsy)
;=> :truthy
;;;; not empty check
(when (not-empty []) :x)
;=> nil
;;;; let rebind as mutation
(let [total 0] (doseq [x [1 2 3]] (let [total (+ total x)] total)) total)
;=> 0
;;;; loop forgetting accumulators
(loop [xs [1 2 3] acc 0] (if (empty? xs) acc (recur (rest xs) acc)))
;=> 0
;;;; when-let with and
(when-let [x (and true nil)] x)
;=> nil
;;;; defn with default arg
(defn greet [name "World"] (str "Hi " name))
(greet)
;!> invalid_form
;;;; keyword args called with map
(defn f [& {:keys [a b]}] [a b])
[(f :a 1 :b 2) (f {:a 1 :b 2})]
;=> [[1 2] [1 2]]
;;;; destructure & keys wrong
(defn f [{:keys a b}] [a b])
(f {:a 1})
;!> parse_error
;;;; let destructure missing brackets
(let [{keys [a b]} {:a 1}] a)
;!> invalid_form
;;;; or default misuse
(let [{:keys [a] :or {:a 5}} {}] a)
;=> 5
;clojure> !ExceptionInfo: Call to clojure.core/let did not conform to spec.
;deviation> :or defaults evaluated only when needed
;;;; as misuse
(let [[a b :as] [1 2]] a)
;!> invalid_form
;;;; rest misuse
(let [[a & b c] [1 2 3]] a)
;!> invalid_form
;;;; fn literal with two params named
(map #(+ %1 %2) [1 2] [3 4])
;=> (4 6)
;;;; fn literal % and args
(reduce #(+ % %2) [1 2 3])
;=> 6
;;;; partial order
(map (partial - 10) [1 2])
;=> (9 8)
;;;; comp order
((comp str inc) 5)
;=> "6"
;;;; apply str with sep
(apply str ", " ["a" "b"])
;=> ", ab"
;;;; interpose string
(apply str (interpose ", " ["a" "b"]))
;=> "a, b"
;;;; reduce with conj on list
(reduce conj '() [1 2 3])
;=> (3 2 1)
;;;; into list
(into '() [1 2 3])
;=> (3 2 1)
;;;; distinct by
(distinct-by :a [{:a 1} {:a 1}])
;=> ({:a 1})
;clojure> !RuntimeException: Unable to resolve symbol: distinct-by in this context
;deviation> a name or form that Clojure has not
;;;; sum
(sum [1 2 3])
;=> 6
;clojure> !RuntimeException: Unable to resolve symbol: sum in this context
;deviation> a name or form that Clojure has not
;;;; avg
(average [1 2 3])
;!> undefined_symbol
;;;; map-vals
(map-vals inc {:a 1})
;!> undefined_symbol
;;;; flatten map
(flatten {:a [1 2]})
;=> ()
;;;; concat string
(concat "ab" "cd")
;=> ("a" "b" "c" "d")
;;;; count digits
(count (str 12345))
;=> 5
;;;; range inclusive
(range 1 5)
;=> (1 2 3 4)
;;;; max by wrong
(max-by :a [{:a 1} {:a 2}])
;=> {:a 2}
;clojure> !RuntimeException: Unable to resolve symbol: max-by in this context
;deviation> a name or form that Clojure has not
;;;; max-key with coll
(max-key :a [{:a 1} {:a 2}])
;=> [{:a 1} {:a 2}]
;;;; sort map by value
(sort-by val {:a 2 :b 1})
;=> ([:b 1] [:a 2])
;;;; sort-by second >
(sort-by second > {:a 2 :b 3})
;=> ([:b 3] [:a 2])
;;;; group-by then count
(map count (group-by odd? [1 2 3]))
;=> (2 2)
;;;; frequencies sort
(sort-by (comp - second) (frequencies [1 1 2]))
;=> ([1 2] [2 1])
;;;; zip
(zip [1 2] [3 4])
;=> ([1 3] [2 4])
;clojure> !RuntimeException: Unable to resolve symbol: zip in this context
;deviation> a name or form that Clojure has not
;;;; enumerate
(enumerate ["a" "b"])
;!> undefined_symbol
;;;; dict
(dict [[:a 1]])
;!> undefined_symbol
;;;; printf missing arg
(printf "%s %d\n" "a")
;!> type_error
;;;; format %i
(format "%i" 5)
;!> type_error
;;;; format with float to %d
(format "%d" (/ 10 2))
;=> "5"
;;;; format with ratio
(format "%.2f" (/ 10 3))
;=> "3.33"
;clojure> !IllegalFormatConversionException: f != clojure.lang.Ratio
;deviation> allowed here: format
;;;; round decimals
(Math/round (/ 10 3))
;=> 3
;clojure> !IllegalArgumentException: No matching method round found taking 1 args
;deviation> methods take what fits
;;;; math on int division
(int (/ 7 2))
;=> 3
;;;; floor returns double
(Math/floor 3.7)
;=> 3.0
;;;; pow int
(Math/pow 2 3)
;=> 8.0
;;;; sqrt of negative
(Math/sqrt -1)
;=> ##NaN
;;;; mod float
(mod 5.5 2)
;=> 1.5
;;;; parse with spaces
(parse-long " 42 ")
;=> nil
;;;; parse money
(parse-double "$12.50")
;=> nil
;;;; nil string
(str/trim nil)
;!> type_error
;;;; str/blank? of number
(str/blank? 5)
;!> type_error
;;;; starts-with keyword
(str/starts-with? :abc ":a")
;=> true
;;;; str/join on map
(str/join "," {:a 1})
;=> "[:a 1]"
;;;; str/split nil
(str/split nil #",")
;!> type_error
;;;; regex with string
(re-find "\\d+" "a1")
;=> "1"
;clojure> !ClassCastException: class java.lang.String cannot be cast to class java.util.regex.Pattern (java.lang.String and java.util.regex.Pattern are in module java.base of loader 'bootstrap')
;deviation> allowed here: regex functions
;;;; re-matches partial
(re-matches #"\d+" "a1")
;=> nil
;;;; re-seq groups
(map first (re-seq #"(\w)(\d)" "a1 b2"))
;=> ("a1" "b2")
;;;; bad escape
(println "C:\path")
;out> C:\path
;=> nil
;clojure> !ReaderException: java.lang.RuntimeException: Unsupported escape character: \p
;deviation> a string keeps an unknown escape
;;;; lookahead
(re-find #"foo(?=bar)" "foobar")
;!> regex_error
;clojure> "foo"
;deviation> a linear regex engine
;;;; backreference
(re-find #"(\w)\1" "hello")
;!> regex_error
;clojure> ["ll" "l"]
;deviation> a linear regex engine
;;;; unclosed map
{:a 1 :b {:c 2}
;!> parse_error
;;;; commas and colons json style
{"a": 1, "b": 2}
;!> parse_error
;;;; equals json
{a: 1}
;!> parse_error
;;;; assignment
(x = 5)
;!> undefined_symbol
;;;; return keyword
return 5
;!> undefined_symbol
;;;; if then else
(if true then 1 else 2)
;!> invalid_arity
;;;; elif
(cond (= 1 2) :a :elif (= 1 1) :b)
;!> invalid_form
;;;; for loop python
(for x in [1 2 3] (println x))
;!> invalid_form
;;;; for without brackets
(for (x [1 2]) x)
;!> invalid_form
;;;; lambda
(lambda (x) (* x 2))
;!> undefined_symbol
;;;; fn arrow
(map (x => x * 2) [1 2])
;!> undefined_symbol
;;;; null
(if (= null nil) 1 2)
;!> undefined_symbol
;;;; undefined
(= undefined nil)
;!> undefined_symbol
;;;; true? misuse
(filter true? [1 true "a"])
;=> (true)
;;;; throw new
(throw (new Exception "x"))
;!> invalid_form
;;;; throw keyword
(throw :bad)
;!> thrown
;;;; try without catch
(try (/ 1 0))
;!> arithmetic_error
;;;; catch all keyword
(try (/ 1 0) (catch :default e e))
;=> {:kind :arithmetic_error, :message "Divide by zero", :data nil}
;clojure> !IllegalArgumentException: Unable to resolve classname: :default
;deviation> the first catch gets every error
;;;; catch JS style
(try (/ 1 0) (catch (e) 1))
;!> invalid_form
;;;; ex-data on plain
(try (/ 1 0) (catch Exception e (ex-data e)))
;=> nil
;;;; ex-message of string
(ex-message "x")
;=> nil
;;;; finally value
(try 1 (finally 2))
;=> 1
;;;; doseq with index
(doseq [[i x] (map-indexed vector [:a :b])] (println i x))
;out> 0 :a
;out> 1 :b
;=> nil
;;;; while without mutation
(let [i 0] (while (< i 3) (println i) (inc i)))
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;out> 0
;!> memory_exceeded
;;;; deep recursion mutual
(defn a [n] (if (zero? n) :ok (a (dec n))))
(a 5000)
;=> :ok
;;;; set as fn on missing false
(#{false} false)
;=> false
;;;; contains? on string index
(contains? "abc" 1)
;=> true
;;;; contains? nil
(contains? nil :a)
;=> false
;;;; some on map
(some :a {:a 1})
;=> nil
;;;; every? on nil
(every? odd? nil)
;=> true
;;;; apply max on map vals nil
(apply max (vals {}))
;!> arity_error
;;;; merge-with on nested
(merge-with merge {:a {:x 1}} {:a {:y 2}})
;=> {:a {:x 1, :y 2}}
;;;; update-in with wrong path type
(update-in {:a 1} :a inc)
;!> type_error
;;;; assoc-in on number
(assoc-in {:a 1} [:a :b] 2)
;!> type_error
;;;; get-in through number
(get-in {:a 1} [:a :b])
;=> nil
;;;; dissoc-in
(dissoc-in {:a {:b 1}} [:a :b])
;!> undefined_symbol
;;;; keys on nil
(keys nil)
;=> nil
;;;; conj map wrong
(conj {:a 1} [:b])
;!> type_error
;;;; conj map flat
(conj {:a 1} :b 2)
;!> type_error
;;;; into set nested
(into #{} [[1 2] [1 2]])
;=> #{[1 2]}
;;;; disj vector
(disj [1 2] 1)
;!> type_error
;;;; union vectors
(set/union [1 2] [2 3])
;=> #{1 2 3}
;clojure> [1 2 2 3]
;deviation> set operations convert vectors
;;;; pop empty
(pop [])
;=> nil
;clojure> !IllegalStateException: Can't pop empty vector
;deviation> allowed here: subs, subvec, pop
;;;; peek seq
(peek (map inc [1 2]))
;=> 2
;clojure> !ClassCastException: class clojure.lang.LazySeq cannot be cast to class clojure.lang.IPersistentStack (clojure.lang.LazySeq and clojure.lang.IPersistentStack are in unnamed module of loader 'app')
;deviation> allowed here: rseq, peek, pop of lists
;;;; rest on string
(apply str (rest "abc"))
;=> "bc"
;;;; char compare
(= "a" (first "abc"))
;=> true
;clojure> false
;deviation> a character is a string
;;;; int of char digit
(map #(- (int %) 48) "123")
;=> (1 2 3)
;;;; parse char
(map #(Integer/parseInt %) "123")
;=> (1 2 3)
;clojure> !ClassCastException: class java.lang.Character cannot be cast to class java.lang.String (java.lang.Character and java.lang.String are in module java.base of loader 'bootstrap')
;deviation> a character is a string
;;;; parse char str
(map #(Integer/parseInt (str %)) "123")
;=> (1 2 3)
;;;; case on char
(map #(case % \a 1 \b 2 0) "abc")
;=> (1 2 0)
;;;; case on string char
(map #(case % "a" 1 "b" 2 0) ["a" "b"])
;=> (1 2)
