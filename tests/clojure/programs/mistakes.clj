;;;; arity of own fn
(defn area [w h] (* w h))
(map area [1 2 3])
;;;; nil arithmetic from missing key
(def items [{:price 10 :qty 2} {:price 5}])
(reduce + (map (fn [{:keys [price qty]}] (* price qty)) items))
;;;; missing paren at end
(defn total [xs]
  (reduce + (map :price xs))
(total [{:price 1}])
;;;; extra paren inside
(let [x 1]]
  (inc x))
;;;; recur not tail
(defn fact [n] (if (zero? n) 1 (* n (recur (dec n)))))
(fact 5)
;;;; recur across try
(loop [n 3] (try (if (zero? n) :done (recur (dec n))) (catch Exception e :err)))
;;;; call a number
(let [xs [1 2 3]] (map (first xs) xs))
;;;; infix habit
(let [a 1 b 2] (if (a > b) a b))
;;;; keyword as index into vector via get
(get [10 20 30] :1)
;;;; nth on map
(nth {:a 1} 0)
;;;; get-in with keyword
(get-in {:a {:b 1}} :a)
;;;; near name
(str/joins ", " ["a" "b"])
;;;; near name bare
(grup-by odd? [1 2 3])
;;;; camelCase name
(groupBy odd? [1 2 3])
;;;; python habit
(len [1 2 3])
;;;; underscore habit
(sort_by first [[2] [1]])
;;;; string plus number
(+ "total: " 5)
;;;; string concat with plus
(reduce + ["a" "b"])
;;;; contains? on vector of values
[(contains? [1 2 3] 3) (contains? ["a" "b"] "a")]
;;;; contains? on list
(contains? '(1 2 3) 1)
;;;; sort mixed
(sort [3 "a" 1])
;;;; sort maps
(sort [{:a 2} {:a 1}])
;;;; sort with nils
(sort [3 nil 1])
;;;; conj on nil and string
[(conj nil 1) (conj nil 1 2)]
;;;; conj on string
(conj "abc" "d")
;;;; assoc on list
(assoc '(1 2 3) 0 :x)
;;;; assoc out of range
(assoc [1 2] 5 :x)
;;;; update nil inc
(update {:a 1} :b inc)
;;;; update-in missing
(update-in {} [:stats :count] inc)
;;;; wrong destructuring of map as vector
(let [[k v] {:a 1}] [k v])
;;;; wrong destructuring vector as map
(let [{:keys [a b]} [1 2]] [a b])
;;;; fn destructuring pair from map entry list
(map (fn [k v] [k v]) {:a 1 :b 2})
;;;; reduce with map entry args
(reduce (fn [acc k v] (assoc acc v k)) {} {:a 1 :b 2})
;;;; def in function
(defn f [x] (def y (* 2 x)) (+ y 1))
[(f 3) y]
;;;; immutable append expected
(def xs [1 2])
(conj xs 3)
(count xs)
;;;; doseq expects value
(let [r (doseq [x [1 2 3]] (* x x))] (first r))
;;;; for with side effect and no result
(for [x [1 2 3]] (println x))
;;;; let odd bindings
(let [a 1 b] (+ a b))
;;;; if with too many
(if true 1 2 3)
;;;; when without body value
(when (> 1 2) :yes)
;;;; cond without pairs
(cond (> 1 2) :a :else)
;;;; case with no default
(case :x :a 1 :b 2)
;;;; case with symbols or expressions
(let [k :a] (case 5 (inc 4) :five :other))
;;;; comparing strings with <
(filter #(< (:name %) "m") [{:name "ann"} {:name "zed"}])
;;;; parse nil
(Integer/parseInt nil)
;;;; parse bad
(Integer/parseInt "12px")
;;;; parse float as int
(Integer/parseInt "3.5")
;;;; parse blank
(map #(Integer/parseInt %) (str/split "1, 2,3" #","))
;;;; first of number
(first 5)
;;;; count number
(count 42)
;;;; map over number
(map inc 5)
;;;; apply without list
(apply + 1 2)
;;;; max of collection
(max [1 2 3])
;;;; max of empty
(apply max [])
;;;; reduce empty
(reduce max [])
;;;; min-key empty
(apply min-key :a [])
;;;; divide by zero average of empty
(let [xs []] (/ (reduce + xs) (count xs)))
;;;; get of nil chain and inc
(inc (get-in {:a {}} [:a :b :c]))
;;;; keyword called with too many
(:a {:a 1} 2 3)
;;;; map called wrong
({:a 1} :a :b :c)
;;;; vector called out of range
([1 2 3] 3)
;;;; string called
("abc" 0)
;;;; nil called
(let [handlers {:add +}] ((handlers :mul) 2 3))
;;;; #() nested
(map #(map #(* % %) %) [[1 2] [3]])
;;;; % outside
(map (* % 2) [1 2])
;;;; vector in #()
(map #([% (* % %)]) [1 2])
;;;; map in #()
(map #({:id %}) [1 2])
;;;; missing fn brackets
(defn add a b (+ a b))
;;;; defn missing params
(defn hello (println "hi"))
(hello)
;;;; defn docstring after params
(defn sq [x] "squares" (* x x))
(sq 4)
;;;; use before def
(println total)
(def total 5)
;;;; undefined local out of scope
(let [x 1] x)
(+ x 1)
;;;; throw string
(throw "bad")
;;;; throw map
(throw {:type :bad})
;;;; ex-info one arg
(throw (ex-info "bad"))
;;;; catch without class
(try (/ 1 0) (catch e (println e)))
;;;; format with wrong type
(format "%d" 3.5)
;;;; format with too few
(format "%s %s" 1)
;;;; format with a string for a number
(format "%.2f" "3.14159")
;;;; format int with %.2f
(format "%.2f" 3)
;;;; str/join args swapped
(str/join ["a" "b"] ",")
;;;; str/split args swapped
(str/split #"," "a,b")
;;;; str/split with string
(str/split "a,b" ",")
;;;; str/replace 2 args
(str/replace "abc" "b")
;;;; subs out of range
(subs "abc" 5)
;;;; str/includes? of nil
(str/includes? nil "a")
;;;; upper-case nil
(str/upper-case nil)
;;;; filter args swapped
(filter [1 2 3] odd?)
;;;; map args swapped
(map [1 2 3] inc)
;;;; reduce args swapped
(reduce [1 2 3] +)
;;;; reduce init last
(reduce + [1 2 3] 0)
;;;; sort-by args swapped
(sort-by [{:a 2} {:a 1}] :a)
;;;; sort-by keyword comparator last
(sort-by :a [{:a 1} {:a 2}] >)
;;;; group-by args swapped
(group-by [1 2] odd?)
;;;; take args swapped
(take [1 2 3] 2)
;;;; partition args swapped
(partition [1 2 3 4] 2)
;;;; repeat args swapped
(repeat "x" 3)
;;;; range with vector
(range [1 5])
;;;; infinite printed
(println (iterate inc 0))
;;;; infinite counted
(count (cycle [1 2]))
;;;; infinite reduce
(reduce + (range))
;;;; list literal as data
(let [xs (1 2 3)] (map inc xs))
;;;; let with parens
(let (x 1 y 2) (+ x y))
;;;; scheme let
(let ((x 1) (y 2)) (+ x y))
;;;; loop without recur bindings
(loop [i 0 acc []] (if (= i 3) acc (recur (inc i))))
;;;; set of duplicates literal
#{1 2 1}
;;;; map with odd forms
{:a 1 :b}
;;;; duplicate keys
{:a 1 :a 2}
;;;; boolean mistakes
[(if nil 1 2) (= true 1) (and 1 nil) (or false nil) (not 0) (True? true)]
;;;; return habit
(defn f [x] (return (* 2 x)))
(f 2)
;;;; set! habit
(def total 0)
(doseq [x [1 2]] (set! total (+ total x)))
total
;;;; def in loop
(def total 0)
(doseq [x [1 2 3]] (def total (+ total x)))
total
;;;; mutable java
(let [l (java.util.ArrayList.)] (.add l 1) (.size l))
;;;; string builder
(let [sb (StringBuilder.)] (.append sb "a") (.append sb 1) (.toString sb))
;;;; atom in loop
(let [a (atom [])] (doseq [i (range 3)] (swap! a conj i)) @a)
;;;; .length on vector
(.length [1 2 3])
;;;; .push
(.push [1 2] 3)
;;;; .size of vector
(.size [1 2 3])
;;;; unknown method
(.toUppercase "abc")
;;;; field
(.-length "abc")
;;;; Math wrong
(Math/sum [1 2])
;;;; Math/round of 2 args
(Math/round 3.14159 2)
;;;; Math/max of three
(Math/max 1 2 3)
;;;; unbalanced string
(println "hello)
;;;; quotes 'single'
(println 'hello world')
;;;; update-vals swapped
(update-vals inc {:a 1})
;;;; select-keys varargs
(select-keys {:a 1 :b 2} :a :b)
;;;; dissoc vector
(dissoc [1 2 3] 0)
;;;; merge-with without f
(merge-with {:a 1} {:a 2})
;;;; zipmap swapped arity
(zipmap [[:a 1] [:b 2]])
;;;; into args swapped
(into [[:a 1] [:b 2]] {})
;;;; into map from flat
(into {} [:a 1 :b 2])
;;;; hash-map odd
(hash-map :a 1 :b)
;;;; keys of vector
(keys [[:a 1]])
;;;; vals of list of pairs
(vals '([:a 1] [:b 2]))
;;;; key of vector
(map key [[:a 1]])
;;;; val of map
(val {:a 1})
;;;; empty? of number
(empty? 0)
;;;; nil? misuse
(filter nil? nil)
;;;; every? arg order
(every? [2 4] even?)
;;;; some with value
(some 3 [1 2 3])
;;;; some with set nil
(some #{nil false} [nil false])
;;;; not a function in comp
((comp :a "b") {:b 1})
;;;; partial with not fn
((partial 1 2) 3)
;;;; threading first vs last
(-> [1 2 3] (map inc) (reduce +))
;;;; threading last with assoc
(->> {:a 1} (assoc :b 2))
;;;; threading with lambda unwrapped
(-> 5 (fn [x] (* x 2)))
;;;; threading with #()
(-> 5 #(* % 2))
;;;; if-let two bindings
(if-let [a 1 b 2] (+ a b) 0)
;;;; when-let destructure nil
(when-let [{:keys [a]} nil] a)
;;;; defn shadow and call param
(defn f [list] (list 1 2))
(f [3 4])
;;;; shadowed count
(let [count 5] (count [1 2 3]))
;;;; shadowed name then used as fn
(defn greet [{:keys [name first]}] (str (first "abc") name))
(greet {:name "x" :first "y"})
;;;; missing quotes
(get {:a 1} a)
;;;; comparing with = chain of floats
(= 0.3 (+ 0.1 0.2))
;;;; char arithmetic
(+ \a 1)
;;;; string index
(get "abc" 1)
;;;; nested def of map fn key call
(let [m {"a" 1}] ("a" m))
;;;; destructure with too few
(let [[a b c] [1 2]] (+ a b c))
;;;; recursion too deep
(defn sum [n] (if (zero? n) 0 (+ n (sum (dec n)))))
(sum 100000)
;;;; infinite recursion
(defn f [x] (f (inc x)))
(f 0)
;;;; infinite loop
(loop [] (recur))
;;;; date interop
(java.time.LocalDate/of 2024 2 30)
;;;; namespaces
(clojure.math.combinatorics/combinations [1 2 3] 2)
;;;; unresolved alias
(ns x (:require [clojure.string :as s]))
(s/upper-case "abc")
;;;; refer all
(ns x (:require [clojure.string :refer :all]))
(upper-case "abc")
;;;; exit
(System/exit 0)
