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
;;;; average of strings from csv without parse
(let [rows (map #(str/split % #",") ["a,1" "b,2"])] (/ (reduce + (map second rows)) (count rows)))
;;;; filter on map expecting map
(filter (fn [k v] (> v 1)) {:a 1 :b 2})
;;;; filter map entry with key fn then get
(:b (filter #(> (val %) 1) {:a 1 :b 2}))
;;;; map over map then lookup
(:a (map (fn [[k v]] [k (inc v)]) {:a 1}))
;;;; sort-by desc with - on strings
(sort-by (comp - :name) [{:name "a"} {:name "b"}])
;;;; sort > on strings
(sort > ["a" "b"])
;;;; reverse of string expects string
(str/upper-case (reverse "abc"))
;;;; str of lazy map
(str "Result: " (map inc [1 2]))
;;;; join missing
(str "a" ["b" "c"])
;;;; nested get misuse
(get {:a {:b 1}} [:a :b])
;;;; keyword on list of maps
(:price [{:price 1} {:price 2}])
;;;; assoc on nil path in vector
(assoc-in {} [:items 0 :name] "x")
;;;; update vector by index out of range
(update [1 2 3] 5 inc)
;;;; nth negative
(nth [1 2 3] -1)
;;;; last index like python
(get [1 2 3] -1)
;;;; slice
(subvec [1 2 3] 1 10)
;;;; comparing keyword with string
(filter #(= (:status %) "active") [{:status :active} {:status "active"}])
;;;; and/or returning value confusion
(if (and 0 "") :truthy :falsy)
;;;; empty vector truthy
(if [] :truthy :falsy)
;;;; not empty check
(when (not-empty []) :x)
;;;; let rebind as mutation
(let [total 0] (doseq [x [1 2 3]] (let [total (+ total x)] total)) total)
;;;; loop forgetting accumulators
(loop [xs [1 2 3] acc 0] (if (empty? xs) acc (recur (rest xs) acc)))
;;;; when-let with and
(when-let [x (and true nil)] x)
;;;; defn with default arg
(defn greet [name "World"] (str "Hi " name))
(greet)
;;;; keyword args called with map
(defn f [& {:keys [a b]}] [a b])
[(f :a 1 :b 2) (f {:a 1 :b 2})]
;;;; destructure & keys wrong
(defn f [{:keys a b}] [a b])
(f {:a 1})
;;;; let destructure missing brackets
(let [{keys [a b]} {:a 1}] a)
;;;; or default misuse
(let [{:keys [a] :or {:a 5}} {}] a)
;;;; as misuse
(let [[a b :as] [1 2]] a)
;;;; rest misuse
(let [[a & b c] [1 2 3]] a)
;;;; fn literal with two params named
(map #(+ %1 %2) [1 2] [3 4])
;;;; fn literal % and args
(reduce #(+ % %2) [1 2 3])
;;;; partial order
(map (partial - 10) [1 2])
;;;; comp order
((comp str inc) 5)
;;;; apply str with sep
(apply str ", " ["a" "b"])
;;;; interpose string
(apply str (interpose ", " ["a" "b"]))
;;;; reduce with conj on list
(reduce conj '() [1 2 3])
;;;; into list
(into '() [1 2 3])
;;;; distinct by
(distinct-by :a [{:a 1} {:a 1}])
;;;; sum
(sum [1 2 3])
;;;; avg
(average [1 2 3])
;;;; map-vals
(map-vals inc {:a 1})
;;;; flatten map
(flatten {:a [1 2]})
;;;; concat string
(concat "ab" "cd")
;;;; count digits
(count (str 12345))
;;;; range inclusive
(range 1 5)
;;;; max by wrong
(max-by :a [{:a 1} {:a 2}])
;;;; max-key with coll
(max-key :a [{:a 1} {:a 2}])
;;;; sort map by value
(sort-by val {:a 2 :b 1})
;;;; sort-by second >
(sort-by second > {:a 2 :b 3})
;;;; group-by then count
(map count (group-by odd? [1 2 3]))
;;;; frequencies sort
(sort-by (comp - second) (frequencies [1 1 2]))
;;;; zip
(zip [1 2] [3 4])
;;;; enumerate
(enumerate ["a" "b"])
;;;; dict
(dict [[:a 1]])
;;;; printf missing arg
(printf "%s %d\n" "a")
;;;; format %i
(format "%i" 5)
;;;; format with float to %d
(format "%d" (/ 10 2))
;;;; format with ratio
(format "%.2f" (/ 10 3))
;;;; round decimals
(Math/round (/ 10 3))
;;;; math on int division
(int (/ 7 2))
;;;; floor returns double
(Math/floor 3.7)
;;;; pow int
(Math/pow 2 3)
;;;; sqrt of negative
(Math/sqrt -1)
;;;; mod float
(mod 5.5 2)
;;;; parse with spaces
(parse-long " 42 ")
;;;; parse money
(parse-double "$12.50")
;;;; nil string
(str/trim nil)
;;;; str/blank? of number
(str/blank? 5)
;;;; starts-with keyword
(str/starts-with? :abc ":a")
;;;; str/join on map
(str/join "," {:a 1})
;;;; str/split nil
(str/split nil #",")
;;;; regex with string
(re-find "\\d+" "a1")
;;;; re-matches partial
(re-matches #"\d+" "a1")
;;;; re-seq groups
(map first (re-seq #"(\w)(\d)" "a1 b2"))
;;;; bad escape
(println "C:\path")
;;;; lookahead
(re-find #"foo(?=bar)" "foobar")
;;;; backreference
(re-find #"(\w)\1" "hello")
;;;; unclosed map
{:a 1 :b {:c 2}
;;;; commas and colons json style
{"a": 1, "b": 2}
;;;; equals json
{a: 1}
;;;; assignment
(x = 5)
;;;; return keyword
return 5
;;;; if then else
(if true then 1 else 2)
;;;; elif
(cond (= 1 2) :a :elif (= 1 1) :b)
;;;; for loop python
(for x in [1 2 3] (println x))
;;;; for without brackets
(for (x [1 2]) x)
;;;; lambda
(lambda (x) (* x 2))
;;;; fn arrow
(map (x => x * 2) [1 2])
;;;; null
(if (= null nil) 1 2)
;;;; undefined
(= undefined nil)
;;;; true? misuse
(filter true? [1 true "a"])
;;;; throw new
(throw (new Exception "x"))
;;;; throw keyword
(throw :bad)
;;;; try without catch
(try (/ 1 0))
;;;; catch all keyword
(try (/ 1 0) (catch :default e e))
;;;; catch JS style
(try (/ 1 0) (catch (e) 1))
;;;; ex-data on plain
(try (/ 1 0) (catch Exception e (ex-data e)))
;;;; ex-message of string
(ex-message "x")
;;;; finally value
(try 1 (finally 2))
;;;; doseq with index
(doseq [[i x] (map-indexed vector [:a :b])] (println i x))
;;;; while without mutation
(let [i 0] (while (< i 3) (println i) (inc i)))
;;;; deep recursion mutual
(defn a [n] (if (zero? n) :ok (a (dec n))))
(a 5000)
;;;; set as fn on missing false
(#{false} false)
;;;; contains? on string index
(contains? "abc" 1)
;;;; contains? nil
(contains? nil :a)
;;;; some on map
(some :a {:a 1})
;;;; every? on nil
(every? odd? nil)
;;;; apply max on map vals nil
(apply max (vals {}))
;;;; merge-with on nested
(merge-with merge {:a {:x 1}} {:a {:y 2}})
;;;; update-in with wrong path type
(update-in {:a 1} :a inc)
;;;; assoc-in on number
(assoc-in {:a 1} [:a :b] 2)
;;;; get-in through number
(get-in {:a 1} [:a :b])
;;;; dissoc-in
(dissoc-in {:a {:b 1}} [:a :b])
;;;; keys on nil
(keys nil)
;;;; conj map wrong
(conj {:a 1} [:b])
;;;; conj map flat
(conj {:a 1} :b 2)
;;;; into set nested
(into #{} [[1 2] [1 2]])
;;;; disj vector
(disj [1 2] 1)
;;;; union vectors
(set/union [1 2] [2 3])
;;;; pop empty
(pop [])
;;;; peek seq
(peek (map inc [1 2]))
;;;; rest on string
(apply str (rest "abc"))
;;;; char compare
(= "a" (first "abc"))
;;;; int of char digit
(map #(- (int %) 48) "123")
;;;; parse char
(map #(Integer/parseInt %) "123")
;;;; parse char str
(map #(Integer/parseInt (str %)) "123")
;;;; case on char
(map #(case % \a 1 \b 2 0) "abc")
;;;; case on string char
(map #(case % "a" 1 "b" 2 0) ["a" "b"])
