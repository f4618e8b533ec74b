;;;; kw-args and variadics
(defn greet [greeting & {:keys [name punctuation] :or {name "you" punctuation "!"}}]
  (str greeting ", " name punctuation))
(defn stats [x & xs] {:first x :rest xs :n (inc (count xs))})
(defn opts [{:keys [a b] :as m :or {b 10}} & [flag & more]] [a b m flag more])
[(greet "Hi") (greet "Hi" :name "Bo") (greet "Hi" :punctuation "?" :name "Cy") (greet "Yo" {:name "Map"})
 (stats 1) (stats 1 2 3) (opts {:a 1}) (opts {:a 1 :b nil} :f 1 2) (apply stats [1 2 3]) (apply greet "x" [:name "y"])]
;=> ["Hi, you!" "Hi, Bo!" "Hi, Cy?" "Yo, Map!" {:first 1, :rest nil, :n 1} {:first 1, :rest (2 3), :n 3} [1 10 {:a 1} nil nil] [1 nil {:a 1, :b nil} :f (1 2)] {:first 1, :rest (2 3), :n 3} "x, y!"]
;;;; transducers whole
(let [xf (comp (remove nil?) (mapcat #(repeat % %)) (drop-while #(< % 2)))]
  [(into [] xf [1 nil 2 3]) (sequence xf [0 1 2]) (transduce xf conj [3]) (transduce xf (completing conj) [] [2])])
;=> [[2 2 3 3 3] (2 2) [3 3 3] [2 2]]
;;;; cond forms
(defn classify [n]
  (cond (neg? n) :negative (zero? n) :zero (< n 10) :small :else :large))
(defn describe [x]
  (cond-> {:value x}
    (number? x) (assoc :kind :number)
    (and (number? x) (even? x)) (assoc :even true)
    (string? x) (-> (assoc :kind :string) (assoc :len (count x)))
    (nil? x) (merge {:kind :nil})))
(defn day-type [d]
  (case d
    (:sat :sun) "weekend"
    (:mon :tue :wed :thu :fri) "weekday"
    "unknown"))
(defn grade [score]
  (condp <= score 90 "A" 80 "B" 70 "C" "F"))
[(map classify [-5 0 7 70]) (map describe [2 3 "abc" nil]) (map day-type [:sat :mon :x]) (map grade [95 85 75 5])
 (condp some [1 2 3] #{5 6} :five #{2} :>> inc :none)
 (cond->> (range 10) true (filter even?) false (map inc) :always (reduce +))]
;=> [(:negative :zero :small :large) ({:value 2, :kind :number, :even true} {:value 3, :kind :number} {:value "abc", :kind :string, :len 3} {:value nil, :kind :nil}) ("weekend" "weekday" "unknown") ("A" "B" "C" "F") 3 20]
;;;; destructuring everywhere
(defn f1 [[a [b & cs] :as all] {:keys [x y] {:keys [z]} :nested :as m}] [a b cs all x y z m])
(defn f2 [{[p q] :pair, n :n, :or {n 7}}] [p q n])
(let [[[k v] & others] (seq {:a 1 :b 2})
      {:strs [name age] :or {age 0}} {"name" "Al"}
      {a 0 c 2} [:zero :one :two]
      [x _ y] "xyz"
      {:keys [:p/q r]} {:p/q 1 :r 2}
      {:p/keys [q]} {:p/q 5}
      [& {:keys [opt] :or {opt :dflt}}] [:opt 3]]
  [k v others name age a c x y q r opt
   (f1 [1 [2 3 4]] {:x 1 :nested {:z 9}}) (f2 {:pair [1 2]}) (f2 {:pair nil :n nil})
   (for [[i {:keys [id]}] (map-indexed vector [{:id :p} {:id :q}])] [i id])
   (reduce (fn [{:keys [sum cnt]} x] {:sum (+ sum x) :cnt (inc cnt)}) {:sum 0 :cnt 0} [1 2 3])
   (loop [[h & t] [1 2 3] acc []] (if h (recur t (conj acc (* h h))) acc))
   ((fn [a & [b c :as more]] [a b c more]) 1 2)
   ((fn [& {:as opts}] opts) :a 1 :b 2)
   (let [{:keys [a] :as m :or {a 1}} nil] [a m])
   (map (fn [[k {:keys [v]}]] [k v]) {:x {:v 1}})])
;=> [:a 1 ([:b 2]) "Al" 0 :zero :two "x" "z" 5 2 3 [1 2 (3 4) [1 [2 3 4]] 1 nil 9 {:x 1, :nested {:z 9}}] [1 2 7] [nil nil nil] ([0 :p] [1 :q]) {:sum 6, :cnt 3} [1 4 9] [1 2 nil (2)] {:a 1, :b 2} [1 nil] ([:x 1])]
;;;; for with everything
(for [x (range 1 6)
      :let [sq (* x x)]
      :when (odd? x)
      y [:a :b]
      :while (< sq 20)
      :let [label (str (name y) sq)]]
  [x y label])
;=> ([1 :a "a1"] [1 :b "b1"] [3 :a "a9"] [3 :b "b9"])
;;;; doseq with modifiers, dotimes, while via loop
(doseq [i (range 5) :when (even? i) j "xy" :let [s (str i j)] :while (not= s "4y")]
  (println s))
(dotimes [n 3] (print n ""))
(println)
(doseq [[k v] (sort {:b 2 :a 1})] (println k "=>" v))
(doseq [{:keys [id tags]} [{:id 1 :tags [:x]} {:id 2}] t tags] (prn id t))
(run! (fn [x] (print (* x x) " ")) [1 2 3])
(println "done")
;out> 0x
;out> 0y
;out> 2x
;out> 2y
;out> 4x
;out> 0 1 2
;out> :a => 1
;out> :b => 2
;out> 1 :x
;out> 1  4  9  done
;=> nil
;;;; reduce with reduced, transduce early stop
(defn find-first [p xs] (reduce (fn [_ x] (when (p x) (reduced x))) nil xs))
[(find-first #(> % 3) [1 2 5 9]) (find-first neg? [1 2])
 (reduce (fn [acc x] (if (>= (count acc) 3) (reduced acc) (conj acc x))) [] (range 100))
 (reduce-kv (fn [_ k v] (if (= v 2) (reduced k) :none)) nil {:a 1 :b 2 :c 3})
 (reduce (fn [a b] (if (> b 3) (reduced (str "stop " a)) (+ a b))) [1 2 3 4 5])
 (reduce + (take-while #(< % 10) (iterate #(* 2 %) 1)))
 (let [r (reduced 5)] [(reduced? r) (unreduced r) (unreduced 6)])
 (reduce max [3 9 2]) (reduce min 0 [3 -1]) (reduce + []) (reduce * []) (reduce conj #{} [1 1 2])
 (reductions (fn [a x] (if (> a 5) (reduced :big) (+ a x))) 0 [1 2 3 4 5])]
;=> [5 nil [0 1 2] :b "stop 6" 15 [true 5 6] 9 -1 0 1 #{1 2} (0 1 3 6 :big)]
;;;; threading in odd shapes
[(-> {:a {:b [1 2 3]}} :a :b (nth 1) inc)
 (-> 5 (- 3) (/ 2.0) str)
 (->> (range 10) (filter even?) (map #(* % %)) (reduce +))
 (-> [1 2 3] (conj 4) (->> (map inc) (filter odd?)) vec)
 (as-> [1 2 3] $ (map inc $) (apply + $) (str "sum=" $))
 (some-> {:a {:b nil}} :a :b inc)
 (some-> "42" parse-long inc)
 (some->> [1 2 nil] (remove nil?) seq (apply +))
 (some->> nil (map inc))
 (cond-> [] true (conj 1) false (conj 2) (= 1 1) (conj 3))
 (cond->> [1 2 3] (even? 2) (map inc) nil (map dec))
 (-> "a,b" (clojure.string/split #",") first keyword)
 (-> {} (assoc :x 1) (update :x inc) (cond-> true (assoc :y 2)) (dissoc :z))
 (->> {:a 1 :b 2} (map (fn [[k v]] {k (* v 10)})) (apply merge))
 (-> 3 (as-> n (* n n)) (#(+ % 1)) ((fn [x] (* 2 x))))
 (->> [3 1 2] (sort-by -) first (* 2))
 (doto [1 2] (-> count))]
;=> [3 "1.0" 120 [3 5] "sum=9" nil 43 3 nil [1 3] (2 3 4) :a {:x 2, :y 2} {:a 10, :b 20} 20 6 [1 2]]
;;;; closures and higher order
(defn make-counter [start step] (let [f (fn f [n])] (fn [n] (+ start (* n step)))))
(defn compose-all [& fs] (apply comp (reverse fs)))
(defn curry2 [f] (fn [a] (fn [b] (f a b))))
(defn retry [n f] (loop [i 0] (let [r (f i)] (cond r [:ok i r] (< i n) (recur (inc i)) :else [:failed i]))))
(def add3 (partial + 3))
(def pipeline (compose-all inc #(* 2 %) str))
[(add3 4) (pipeline 4) (((curry2 -) 10) 3) (retry 3 #(when (= % 2) :yes)) (retry 1 (constantly nil))
 ((juxt :a :b count) {:a 1 :b 2}) ((complement even?) 3) ((every-pred odd? pos?) 3 5 -1) ((some-fn :a :b) {:b 2})
 ((fnil inc 0) nil) ((fnil + 1 2) nil nil 5) (map (juxt identity str) [1 2]) ((comp) 5) ((partial str "a") "b" "c")
 (apply map + [[1 2] [10 20]]) (mapv #(%1 %2) [inc dec str] [1 2 3]) (let [m (memoize (fn [x] (println "calc" x) (* x x)))] [(m 3) (m 3)])
 (#(apply + %&) 1 2 3) (map #(vector %2 %1) [1 2] [:a :b]) ((fn ([] :none) ([x] x) ([x & xs] [x xs])) 1 2 3)]
;out> calc 3
;=> [7 "10" 7 [:ok 2 :yes] [:failed 1] [1 2 2] true false 2 1 8 ([1 "1"] [2 "2"]) 5 "abc" (11 22) [2 1 "3"] [9 9] 6 ([:a 1] [:b 2]) [1 (2 3)]]
;;;; letfn mutual recursion and multi arity
(defn sum-to ([n] (sum-to n 0)) ([n acc] (if (zero? n) acc (recur (dec n) (+ acc n)))))
(defn variadic ([] [:zero]) ([a] [:one a]) ([a b & more] [:many a b more]))
(letfn [(ev? [n] (if (zero? n) true (od? (dec n))))
        (od? [n] (if (zero? n) false (ev? (dec n))))]
  [(ev? 10) (od? 7) (filter ev? (range 6)) (sum-to 1000) (variadic) (variadic 1) (variadic 1 2) (variadic 1 2 3 4)
   ((fn loop-it [xs] (when (seq xs) (cons (first xs) (loop-it (nnext xs))))) [1 2 3 4 5])])
;=> [true true (0 2 4) 500500 [:zero] [:one 1] [:many 1 2 nil] [:many 1 2 (3 4)] (1 3 5)]
;;;; case with many kinds
(defn c [x] (case x 1 :int "a" :str :k :kw \c :char nil :nil [1 2] :vec {:a 1} :map #{1} :set (2 3) :two-three true :true 1.5 :dbl :default))
(map c [1 "a" :k \c nil [1 2] {:a 1} #{1} 2 3 true 1.5 1.0 'x false])
;!> invalid_form
;clojure> (:int :str :kw :char :nil :vec :map :set :two-three :two-three :true :dbl :default :default :default)
;deviation> no macros, mutable state, symbols
;;;; case without symbol
(defn c [x] (case x 1 :int "a" :str :k :kw nil :nil [1 2] :vec {:a 1} :map #{1} :set (2 3) :two-three true :true 1.5 :dbl ("x" "y") :xy :default))
(map c [1 "a" :k nil [1 2] {:a 1} #{1} 2 3 true 1.5 1.0 false "x" "y" "z" [1 2 3] '(1 2)])
;=> (:int :str :kw :nil :vec :map :set :two-three :two-three :true :dbl :default :default :xy :xy :default :default :vec)
;;;; when-let, if-let, if-some, when-first chains
(defn f [m] (if-let [x (:x m)] [:x x] (if-some [y (:y m)] [:y y] (when-let [[a b] (:ab m)] (when-first [z (:zs m)] [a b z])))))
[(map f [{:x 1} {:x nil :y false} {:ab [1 2] :zs [9]} {:ab [1 2] :zs []} {}])
 (when-some [x nil] 1) (when-some [x false] [x]) (if-not nil :a :b) (when-not true 1) (when (seq []) 1) (and) (or) (and 1 nil 2) (or nil false 3) (or nil false) (and 1 2)
 (if-let [{:keys [a]} {:a 1}] a :none) (when-let [s (seq [1 2])] (first s)) (not nil) (boolean 0) (if () :t :f) (if 0 :t :f) (if "" :t :f)]
;=> [([:x 1] [:y false] [1 2 9] nil nil) nil [false] :a nil nil true nil nil 3 false 2 1 1 true true :t :t :t]
;;;; lazy and infinite
(defn fibs [] (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
(defn primes [] (filter (fn [n] (not-any? #(zero? (mod n %)) (range 2 n))) (iterate inc 2)))
[(take 10 (fibs)) (take-while #(< % 50) (fibs)) (take 5 (drop 5 (fibs))) (first (drop-while #(< % 100) (fibs))) (take 5 (primes)) (nth (fibs) 20) (take 3 (map vector (range) (cycle [:a :b]))) (zipmap [:a :b :c] (range)) (map list (range) "abc") (take 5 (interleave (range) (repeat :x))) (second (iterate inc 5)) (take 3 (remove even? (range))) (take 2 (partition 3 (range))) (take 4 (map-indexed (fn [i x] (* i x)) (range))) (apply + (take 5 (repeat 2))) (take 3 (mapcat #(list % %) (range))) (some #(when (> % 10) %) (range)) (take 5 (concat [1 2] (range))) (take 3 (keep #(when (odd? %) %) (range))) (take 2 (partition-by even? (range 5))) (first (filter #(> (* % %) 200) (range))) (take 3 (reductions + (range))) (take 3 (distinct (cycle [1 2 3]))) (take-nth 3 (range 10)) (into [] (take 3) (range)) (sequence (comp (filter odd?) (take 2)) (range)) (transduce (comp (map inc) (take 3)) + (range)) (let [[a b & more] (range)] [a b (first more)]) (take 3 (rest (range))) (first (next (range))) (ffirst (partition 2 (range))) (empty? (range)) (nth (cycle [1 2 3]) 100) (take 3 (interpose 0 (range))) (take 3 (drop 2 (cycle [1 2 3]))) (take 3 (tree-seq (constantly true) (fn [x] [(inc x)]) 0))]
;!> tick_limit_exceeded
;clojure> [(0 1 1 2 3 5 8 13 21 34) (0 1 1 2 3 5 8 13 21 34) (5 8 13 21 34) 144 (2 3 5 7 11) 6765 ([0 :a] [1 :b] [2 :a]) {:a 0, :b 1, :c 2} ((0 \a) (1 \b) (2 \c)) (0 :x 1 :x 2) 6 (1 3 5) ((0 1 2) (3 4 5)) (0 1 4 9) 10 (0 0 1) 11 (1 2 0 1 2) (1 3 5) ((0) (1)) 15 (0 1 3) (1 2 3) (0 3 6 9) [0 1 2] (1 3) 6 [0 1 2
;deviation> a limit is exceeded
;;;; lazy that are common
(defn fibs [] (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
[(take 10 (fibs)) (take-while #(< % 50) (fibs)) (take 5 (drop 5 (fibs))) (first (drop-while #(< % 100) (fibs))) (nth (fibs) 20) (take 3 (map vector (range) (cycle [:a :b]))) (zipmap [:a :b :c] (range)) (map list (range) "abc") (second (iterate inc 5)) (take 3 (remove even? (range))) (apply + (take 5 (repeat 2))) (first (filter #(> (* % %) 200) (range))) (into [] (take 3) (range)) (sequence (comp (filter odd?) (take 2)) (range)) (transduce (comp (map inc) (take 3)) + (range)) (let [[a b] (range)] [a b]) (take 3 (rest (range))) (first (next (range))) (nth (cycle [1 2 3]) 100) (take 3 (drop 2 (cycle [1 2 3]))) (map #(* %1 %2) (range) [5 5 5]) (map-indexed (fn [i x] [i x]) (take 2 (repeat :z))) (take 5 (map + (range) (range))) (mapv vector [:a :b] (iterate inc 1)) (interleave [:a :b] (range)) (take 2 (map inc (filter odd? (range))))]
;=> [(0 1 1 2 3 5 8 13 21 34) (0 1 1 2 3 5 8 13 21 34) (5 8 13 21 34) 144 6765 ([0 :a] [1 :b] [2 :a]) {:a 0, :b 1, :c 2} ((0 "a") (1 "b") (2 "c")) 6 (1 3 5) 10 15 [0 1 2] (1 3) 6 [0 1] (1 2 3) 1 2 (3 1 2) (0 5 10) ([0 :z] [1 :z]) (0 2 4 6 8) [[:a 1] [:b 2]] (:a 0 :b 1) (2 4)]
;;;; postwalk
(require '[clojure.walk :as walk])
(def doc {:title "x" :tags [:a nil :b] :nested {:n 1 :m nil :list '(1 2 3)} :set #{1}})
(defn strip-nils [x] (walk/postwalk (fn [f] (cond (map? f) (into {} (remove (comp nil? val)) f) (vector? f) (vec (remove nil? f)) :else f)) x))
[(strip-nils doc)
 (walk/postwalk #(if (number? %) (inc %) %) doc)
 (walk/prewalk #(if (keyword? %) (name %) %) {:a {:b [:c]}})
 (walk/keywordize-keys {"a" {"b" 1} "c" [{"d" 2}]})
 (walk/stringify-keys {:a {:b 1}})
 (walk/postwalk-replace {:x 1 :y 2} [:x [:y :z]])]
;!> type_error
;;;; transducers
(def xf (comp (filter odd?) (map #(* % %)) (take 5)))
[(into [] xf (range)) (transduce xf + 0 (range 100)) (sequence (comp (map inc) (partition-all 2)) (range 5)) (into #{} (map #(mod % 3)) (range 10)) (into {} (map-indexed (fn [i x] [x i])) [:a :b :c]) (transduce (comp (mapcat identity) (dedupe)) conj [] [[1 1 2] [2 3]]) (into (sorted-map) (map (juxt identity #(* 10 %))) [3 1 2]) (into [] (comp (drop-while neg?) (take-while #(< % 4)) (interpose :x)) [-1 0 1 2 5 1])]
;=> [[1 9 25 49 81] 165 ([1 2] [3 4] [5]) #{0 1 2} {:a 0, :b 1, :c 2} [1 2 3] {1 10, 2 20, 3 30} [0 :x 1 :x 2]]
;;;; for comprehension
[(for [x (range 1 21) y (range x 21) z (range y 21) :when (= (* z z) (+ (* x x) (* y y)))] [x y z])
 (for [x (range 5) :while (< x 3) y [:a :b] :let [k (str x (name y))] :when (not= k "1a")] k)
 (for [[k vs] {:a [1 2] :b []} v vs] {k v})
 (for [i (range 3)] (for [j (range i)] [i j]))
 (for [{:keys [n tags]} [{:n 1 :tags ["p" "q"]} {:n 2}] t (or tags ["none"])] (str n t))]
;=> [([3 4 5] [5 12 13] [6 8 10] [8 15 17] [9 12 15] [12 16 20]) ("0a" "0b" "1b" "2a" "2b") ({:a 1} {:a 2}) (() ([1 0]) ([2 0] [2 1])) ("1p" "1q" "2none")]
;;;; destructuring
(let [[a [b & c] {:keys [d e] :or {e :dflt} :as m} & [f g :as rest*]] [1 [2 3 4] {:d 5} 6 7 8]
      {:strs [host port] :or {port "80"}} {"host" "h"}
      {x :x {:keys [y] [z1 z2] :zs} :inner} {:x 10 :inner {:y 20 :zs [30 40 50]}}
      {:keys [db/id user/name]} {:db/id 9 :user/name "nm"}
      [p :as v] "hello"]
  [a b c d e m f g rest* host port x y z1 z2 id name p v])
;=> [1 2 (3 4) 5 :dflt {:d 5} 6 7 (6 7 8) "h" "80" 10 20 30 40 9 "nm" "h" "hello"]
;;;; kwargs
(defn make-report [title & {:keys [width sep upper?] :or {width 20 sep "-" upper? false} :as opts}]
  (let [t (if upper? (.toUpperCase title) title)]
    {:lines [t (apply str (repeat width sep))] :opts opts}))
[(make-report "sales") (make-report "sales" :width 5 :sep "=") (make-report "x" {:upper? true :width 2})]
;=> [{:lines ["sales" "--------------------"], :opts nil} {:lines ["sales" "====="], :opts {:width 5, :sep "="}} {:lines ["X" "--"], :opts {:upper? true, :width 2}}]
;;;; lazies
[(take 10 (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
 (take 7 (cycle [:r :g :b]))
 (take-while #(< % 1000) (iterate #(* 2 %) 1))
 (partition-by #(quot % 10) [1 5 11 12 25 31 38])
 (partition-all 3 (range 8)) (partition 3 (range 8)) (partition 2 1 [1 2 3 4]) (partition 3 3 [:pad] (range 7))
 (reductions + [1 2 3 4]) (reductions max [3 1 4 1 5 9 2])
 (split-with pos? [1 2 -1 3]) (split-at 2 [1 2 3 4]) (take-nth 3 (range 10))
 (interleave [:a :b :c] (range)) (zipmap [:x :y] [1 2]) (drop-last 2 [1 2 3 4]) (interpose ", " ["a" "b"])]
;=> [(0 1 1 2 3 5 8 13 21 34) (:r :g :b :r :g :b :r) (1 2 4 8 16 32 64 128 256 512) ((1 5) (11 12) (25) (31 38)) ((0 1 2) (3 4 5) (6 7)) ((0 1 2) (3 4 5)) ((1 2) (2 3) (3 4)) ((0 1 2) (3 4 5) (6 :pad)) (1 3 6 10) (3 3 4 4 5 9 9) [(1 2) (-1 3)] [(1 2) (3 4)] (0 3 6 9) (:a 0 :b 1 :c 2) {:x 1, :y 2} (1 2) ("a" ", " "b")]
;;;; letfn
(letfn [(even*? [n] (if (zero? n) true (odd*? (dec n))))
        (odd*? [n] (if (zero? n) false (even*? (dec n))))
        (collatz [n] (if (= n 1) [1] (cons n (collatz (if (even*? n) (quot n 2) (inc (* 3 n)))))))]
  [(even*? 10) (odd*? 7) (collatz 6) (map (comp count collatz) [1 7 9])])
;=> [true true (6 3 10 5 16 8 4 2 1) (1 17 20)]
;;;; cond->
(defn build-query [{:keys [table fields where limit order]}]
  (cond-> (str "SELECT " (if (seq fields) (clojure.string/join ", " (map name fields)) "*") " FROM " (name table))
    where (str " WHERE " (clojure.string/join " AND " (map (fn [[k v]] (str (name k) " = " (pr-str v))) where)))
    order (str " ORDER BY " (name order))
    limit (str " LIMIT " limit)))
[(build-query {:table :users}) (build-query {:table :orders :fields [:id :total] :where {:status "open" :qty 3} :limit 10}) (build-query {:table :t :order :name})
 (cond->> [3 1 2] true (map inc) false (filter odd?) :always sort)
 (as-> {:a 1} $ (assoc $ :b 2) (keys $) (map name $) (clojure.string/join "-" $))
 (some-> {:a {:b " x "}} :a :b clojure.string/trim) (some-> {:a nil} :a :b) (some->> [1 2 3] (filter #(> % 5)) seq (reduce +))]
;=> ["SELECT * FROM users" "SELECT id, total FROM orders WHERE status = \"open\" AND qty = 3 LIMIT 10" "SELECT * FROM t ORDER BY name" (2 3 4) "a-b" "x" nil nil]
;;;; sort comparators
(def people [{:name "Ann" :age 31 :dept "eng"} {:name "bob" :age 25 :dept "ops"} {:name "Cy" :age 31 :dept "eng"} {:name "Di" :age 19 :dept "ops"}])
{:age-desc (map :name (sort-by :age > people))
 :multi (map :name (sort-by (juxt :dept (comp - :age) :name) people))
 :cmp (map :name (sort (fn [a b] (let [c (compare (:dept b) (:dept a))] (if (zero? c) (compare (:age a) (:age b)) c))) people))
 :ci (sort-by clojure.string/lower-case (map :name people))
 :rev (sort #(compare %2 %1) [3 1 2])
 :gt (sort > [3 1 2])
 :strs (sort ["b" "B" "a" "A" "aa"])
 :kws (sort [:b :a :c/d])
 :vecs (sort [[2 1] [1 2] [1] [1 1]])
 :by-count (sort-by count ["aaa" "b" "cc" "d"])
 :reversed (reverse (sort-by :age people))
 :map (sort {:b 2 :a 1})
 :by-val (sort-by val > {:b 2 :a 1 :c 3})
 :by-val-key (sort-by (juxt (comp - val) key) {:b 2 :a 2 :c 3})
 :bools (sort [true false true]) :nils (sort [3 nil 1])}
;=> {:age-desc ("Ann" "Cy" "bob" "Di"), :multi ("Ann" "Cy" "bob" "Di"), :cmp ("Di" "bob" "Ann" "Cy"), :ci ("Ann" "bob" "Cy" "Di"), :rev (3 2 1), :gt (3 2 1), :strs ("A" "B" "a" "aa" "b"), :kws (:a :b :c/d), :vecs ([1] [1 1] [1 2] [2 1]), :by-count ("b" "d" "cc" "aaa"), :reversed ({:name "Cy", :age 31, :dept "eng"} {:name "Ann", :age 31, :dept "eng"} {:name "bob", :age 25, :dept "ops"} {:name "Di", :age 19, :dept "ops"}), :map ([:a 1] [:b 2]), :by-val ([:c 3] [:b 2] [:a 1]), :by-val-key ([:c 3] [:a 2] [:b 2]), :bools (false true true), :nils (nil 1 3)}
;;;; kw funcs
[(keyword "a") (keyword "ns" "n") (name :a/b) (namespace :a/b) (namespace :a) (name "s") (str :k) (subs (str :kw) 1) (keyword (str "x" 1)) (:a {:a 1}) (:z {:a 1} :default) ({:a 1} :a) ({:a 1} :z 0) (#{1 2} 2) (#{1 2} 3) ([10 20] 1) (map :a [{:a 1} {:b 2}]) (map {:a 1 :b 2} [:a :b :c]) (filter #{:a} [:a :b :a]) (some #{2 3} [1 2 3]) (remove nil? [1 nil 2]) (keep {:a 1} [:a :b]) (apply + 1 2 [3 4]) (comp) ((comp inc #(* 2 %)) 5) ((partial + 10) 5) ((juxt inc dec) 5) ((complement even?) 3) ((fnil inc 0) nil) (every? even? [2 4]) (not-any? odd? [2 4]) (apply max [1 5 3]) (identity 3) ((constantly 5) 1 2)]
;=> [:a :ns/n "b" "a" nil "s" ":k" "kw" :x1 1 :default 1 0 2 nil 20 (1 nil) (1 2 nil) (:a :a) 2 (1 2) (1) 10 #<builtin> 11 15 [6 4] true 1 true true 5 3 5]
;;;; quicksort
(defn qsort [[p & xs]] (if p (concat (qsort (filter #(< % p) xs)) [p] (qsort (remove #(< % p) xs))) []))
(defn merge-sorted [a b] (loop [a a b b out []] (cond (empty? a) (into out b) (empty? b) (into out a) (<= (first a) (first b)) (recur (rest a) b (conj out (first a))) :else (recur a (rest b) (conj out (first b))))))
(defn msort [xs] (if (<= (count xs) 1) xs (let [[l r] (split-at (quot (count xs) 2) xs)] (merge-sorted (msort l) (msort r)))))
(defn bubble [v] (loop [v v n (count v)] (if (<= n 1) v (recur (reduce (fn [v i] (if (> (v i) (v (inc i))) (assoc v i (v (inc i)) (inc i) (v i)) v)) v (range (dec n))) (dec n)))))
(defn insert [sorted x] (let [[a b] (split-with #(< % x) sorted)] (concat a [x] b)))
[(qsort [3 1 4 1 5 9 2 6]) (msort [3 1 4 1 5 9 2 6]) (bubble [3 1 2]) (reduce insert [] [3 1 2])]
;=> [(1 1 2 3 4 5 6 9) [1 1 2 3 4 5 6 9] [1 2 3] (1 2 3)]
;;;; scrabble
(def scores (into {} (for [[n letters] {1 "AEIOULNRST" 2 "DG" 3 "BCMP" 4 "FHVWY" 5 "K" 8 "JX" 10 "QZ"} l letters] [l n])))
(defn score [w] (transduce (map #(get scores % 0)) + (clojure.string/upper-case w)))
(sort-by val > (zipmap ["cabbage" "quiz" "zoo"] (map score ["cabbage" "quiz" "zoo"])))
;=> (["quiz" 22] ["cabbage" 14] ["zoo" 12])
;;;; fizzbuzz
(map #(condp (fn [d n] (zero? (mod n d))) % 15 "FizzBuzz" 5 "Buzz" 3 "Fizz" %) (range 1 16))
;=> (1 2 "Fizz" 4 "Buzz" "Fizz" 7 8 "Fizz" "Buzz" 11 "Fizz" 13 14 "FizzBuzz")
;;;; fizzbuzz cond
(doseq [n (range 1 16)]
  (println (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 3)) "Fizz" (zero? (mod n 5)) "Buzz" :else n)))
;out> 1
;out> 2
;out> Fizz
;out> 4
;out> Buzz
;out> Fizz
;out> 7
;out> 8
;out> Fizz
;out> Buzz
;out> 11
;out> Fizz
;out> 13
;out> 14
;out> FizzBuzz
;=> nil
;;;; multimethod
(defmulti area :shape)
(defmethod area :circle [{:keys [r]}] (* Math/PI r r))
(defmethod area :rect [{:keys [w h]}] (* w h))
(defmethod area :default [_] 0)
(map area [{:shape :circle :r 1} {:shape :rect :w 2 :h 3} {:shape :blob}])
;!> invalid_form
;clojure> (3.141592653589793 6 0)
;deviation> no macros, mutable state, symbols
;;;; record
(defrecord Point [x y])
(let [p (->Point 1 2)] [(:x p) (assoc p :x 10) (map->Point {:x 3 :y 4})])
;!> invalid_form
;clojure> [1 #user.Point{:x 10, :y 2} #user.Point{:x 3, :y 4}]
;deviation> no macros, mutable state, symbols
;;;; lazy seq def
(defn countdown [n] (lazy-seq (when (pos? n) (cons n (countdown (dec n))))))
(countdown 5)
;=> (5 4 3 2 1)
;;;; subseq
(let [m (sorted-map 1 :a 5 :b 9 :c)] [(subseq m >= 5) (rsubseq m < 9) (first (subseq (sorted-set 1 3 5) > 2))])
;!> undefined_symbol
;clojure> [([5 :b] [9 :c]) ([5 :b] [1 :a]) 3]
;deviation> a name deliberately absent
;;;; meta
(let [v (with-meta [1 2] {:doc "x"})] [(meta v) (= v [1 2]) (meta (vary-meta v assoc :k 1))])
;!> undefined_symbol
;clojure> [{:doc "x"} true {:doc "x", :k 1}]
;deviation> a name deliberately absent
;;;; doto let forms
[(when-let [x (seq [])] :never) (if-some [x false] [:some x] :nil) (when-some [x nil] 1) (if-let [[a b] (seq [1 2])] (+ a b) 0) (when-first [x [9 8]] x) (let [x 1 x (+ x 1)] x) (doto {:a 1} (println)) (-> 5 (#(* % 2)) (- 1)) (->> (range 5) (map #(* % %)) (filter even?) (reduce +)) (-> {:a {:b 1}} :a :b inc str keyword) ((fn [{:keys [a]}] a) {:a 1}) (#(apply + %&) 1 2 3) (comment 1 2) #_ignored (let [_ 1] _) (do 1 2) (if nil 1) (and 1 nil 2) (or nil false 3) (not 0) (boolean "") (if-not false 1 2) (case "b" ("a" "b") 1 2) (cond-> 1 true inc false dec) (while false) (some-> nil inc)]
;out> {:a 1}
;=> [nil [:some false] nil 3 9 2 {:a 1} 9 20 :2 1 6 nil 1 2 nil nil 3 false true 1 1 2 nil nil]
;;;; type checks
(map (fn [x] (cond (nil? x) :nil (string? x) :str (keyword? x) :kw (integer? x) :int (float? x) :float (boolean? x) :bool (map? x) :map (vector? x) :vec (set? x) :set (seq? x) :seq (fn? x) :fn :else :other)) [nil "a" :k 1 1.5 true {} [] #{} (list 1) inc (range 3) (map inc [1]) (first {:a 1})])
;=> (:nil :str :kw :int :float :bool :map :vec :set :seq :fn :seq :seq :vec)
;;;; password rules
(def rules [[:length #(>= (count %) 8)] [:digit #(some (fn [c] (Character/isDigit c)) %)] [:upper #(re-find #"[A-Z]" %)] [:no-space #(not (clojure.string/includes? % " "))]])
(defn check [pw] (let [failed (for [[n f] rules :when (not (f pw))] n)] (if (empty? failed) :ok (vec failed))))
(map check ["Passw0rd1" "short" "all lower 1" "NODIGITSHERE"])
;=> (:ok [:length :digit :upper] [:upper :no-space] [:digit])
;;;; loop accumulators
(loop [[x & xs] [3 -1 4 -1 5 -9 2 6] sum 0 mx Long/MIN_VALUE mn Long/MAX_VALUE negs [] i 0]
  (if (nil? x)
    {:sum sum :max mx :min mn :negs negs :n i}
    (recur xs (+ sum x) (max mx x) (min mn x) (if (neg? x) (conj negs [i x]) negs) (inc i))))
;=> {:sum 9, :max 6, :min -9, :negs [[1 -1] [3 -1] [5 -9]], :n 8}
;;;; pipeline of fns
(def pipeline [[:trim clojure.string/trim] [:lower clojure.string/lower-case] [:words #(clojure.string/split % #"\s+")] [:count count]])
(defn run-pipeline [x] (reductions (fn [[_ v] [n f]] [n (f v)]) [:input x] pipeline))
[(run-pipeline "  Hello Big WORLD ") ((apply comp (reverse (map second pipeline))) " a b ") (reduce #(%2 %1) 5 [inc #(* % 2) str])]
;=> [([:input "  Hello Big WORLD "] [:trim "Hello Big WORLD"] [:lower "hello big world"] [:words ["hello" "big" "world"]] [:count 3]) 2 "12"]
;;;; church / closures
(defn make-counter [start step] (fn [n] (+ start (* step n))))
(defn compose [& fs] (reduce (fn [f g] (fn [& args] (f (apply g args)))) fs))
(defn curry [f] (fn [a] (fn [b] (f a b))))
(def add-tax (partial * 1.2))
[(map (make-counter 10 5) (range 4)) ((compose inc #(* 2 %) +) 1 2 3) (((curry +) 1) 2) (map (comp #(format "%.2f" %) add-tax) [10 20.5]) (let [fs (for [i (range 3)] (fn [x] (* i x)))] (map #(% 10) fs)) ((every-pred pos? even?) 4) ((some-fn :a :b) {:b 2}) (map (fnil inc 0) [1 nil]) (apply (juxt + - * max) [2 3])]
;=> [(10 15 20 25) 13 3 ("12.00" "24.60") (0 10 20) true 2 (2 1) [5 -1 6 3]]
;;;; iterate stable
(defn fixpoint [f x] (let [y (f x)] (if (= x y) x (recur f y))))
(defn newton [n] (->> (iterate #(/ (+ % (/ n %)) 2.0) 1.0) (partition 2 1) (drop-while (fn [[a b]] (> (Math/abs (- a b)) 1e-9))) ffirst))
[(fixpoint #(quot (+ % 10) 2) 0) (format "%.6f" (newton 2)) (first (drop-while #(< % 100) (iterate #(* % 3) 1))) (take 5 (iterate (partial * -2) 1))]
;=> [9 "1.414214" 243 (1 -2 4 -8 16)]
;;;; type hints
(defn ^:private hyp ^double [^double a ^double b] (Math/sqrt (+ (* a a) (* b b))))
(def ^:const max-n 10)
(def ^{:doc "limit" :dynamic false} limit 5)
(defn clamp [^long x] (cond (< x 0) 0 (> x max-n) max-n :else x))
[(hyp 3 4) (map clamp [-5 5 50]) limit (let [^String s "abc"] (.length s)) (#(.toUpperCase ^String %) "x")]
;=> [5.0 (0 5 10) 5 3 "X"]
;;;; keyword fns
[(name :foo/bar) (namespace :foo/bar) (keyword "foo" "bar") (keyword "x y") (keyword? :a) (map name [:a :b]) (sort (map name [:b :a])) (into {} (map (fn [[k v]] [(keyword k) v])) {"a" 1}) (reduce-kv (fn [m k v] (assoc m (name k) v)) {} {:a 1}) (str (name :x) "-" 1) (= :a (keyword "a")) (compare :a :b) (get {:a {:b 1}} :a) ((juxt :a :b) {:a 1 :b 2}) (mapv :a [{:a 1} nil {}]) (:a nil) (:a nil 1) (get nil :a) (get [1 2] 1) (get "ab" 1) (get #{:a} :a) (find {:a 1} :a) (contains? {:a nil} :a) (some? (:a {:a false})) (select-keys {:a 1 :b 2} [:a :z]) (keys {}) (vals nil) (merge {:a 1} nil {:b 2}) (merge nil nil) (dissoc {:a 1} :a :b) (assoc nil :a 1) (update {} :a (fnil inc 0)) (update-in {} [:a :b] (fnil conj []) 1) (get-in {:a [1 {:b 2}]} [:a 1 :b]) (get-in {} [:x] :d) (assoc-in {} [:a 0] 1)]
;=> ["bar" "foo" :foo/bar :x y true ("a" "b") ("a" "b") {:a 1} {"a" 1} "x-1" true -1 {:b 1} [1 2] [1 nil nil] nil 1 nil 2 "b" :a [:a 1] true true {:a 1} nil nil {:a 1, :b 2} nil {} {:a 1} {:a 1} {:a {:b [1]}} 2 :d {:a {0 1}}]
;;;; instance checks
[(instance? String "a") (instance? Long 1) (instance? Number 1.5) (instance? clojure.lang.Keyword :a) (instance? java.util.Map {})]
;=> [true true true true true]
;;;; threading mix
(-> {:items [{:n "a" :p 10 :q 2} {:n "b" :p 5 :q 0}]}
    (update :items (partial filterv (comp pos? :q)))
    (as-> o (assoc o :total (->> o :items (map #(* (:p %) (:q %))) (reduce +))))
    (cond-> true (assoc :checked true))
    (doto (-> :total println))
    ((juxt :total :checked (comp count :items))))
;out> 20
;=> [20 true 1]
;;;; anonymous in threading
[(->> [1 2 3] (map #(* % %)) (#(reduce + %)) (- 20)) (-> 3 ((fn [x] (* x 2))) (- 1)) (->> (range 10) (filter #(and (odd? %) (> % 3))) (mapv (fn [x] {:x x}))) (-> "a,b" (clojure.string/split #",") (->> (map keyword))) (some->> nil (map inc)) (->> {:a 1 :b 2} (map (fn [[k v]] [k (inc v)])) (into {})) (-> [] (conj 1) (conj 2) seq) (->> "hello" (map int) (apply max)) (-> 10 (/ 4) double) (->> [3 1 2] sort reverse (take 2) vec)]
;=> [6 5 [{:x 5} {:x 7} {:x 9}] (:a :b) nil {:a 2, :b 3} (1 2) 111 2.5 [3 2]]
;;;; vec functions
[(vec nil) (vec {:a 1}) (vector) (vec (range 3)) (assoc [] 0 :a) (subvec [1 2 3 4] 1 3) (mapv vector [1 2] [3 4]) (into [1] [2]) (pop [1 2]) (peek []) (rseq [1 2]) (nth [1 2] 1) (get [1 2] 5) (get [1 2] 5 :d) (contains? [1 2] 1) (.indexOf [:a :b] :b) (replace {1 :one} [1 2]) (update [1 2] 1 + 5) (reduce-kv (fn [a i v] (+ a (* i v))) 0 [1 2 3]) (vec (repeat 2 [])) (vec (for [i (range 2)] (vec (range i)))) (filterv even? [1 2]) (last [1 2]) (count [nil]) (empty? []) (seq []) (every? pos? []) (some nil? [nil]) (compare [1 2] [1 3]) (= [1 2] '(1 2)) (sort-by second [[1 2] [2 1]]) (apply max [1 2]) (map first [[1] [2]]) (first (sort > [1 3 2]))]
;=> [[] [[:a 1]] [] [0 1 2] [:a] [2 3] [[1 3] [2 4]] [1 2] [1] nil (2 1) 2 nil :d true 1 [:one 2] [1 7] 8 [[] []] [[] [0]] [2] 2 1 true nil true true -1 true ([2 1] [1 2]) 2 (1 2) 3]
;;;; when-let chains
(defn find-user [id] (get {1 {:name "A" :mgr 2} 2 {:name "B"}} id))
[(when-let [u (find-user 1)] (when-let [m (find-user (:mgr u))] (:name m))) (if-let [u (find-user 9)] u :none) (some-> (find-user 1) :mgr find-user :name) (if-some [m (:mgr (find-user 2))] m :top) (when-some [x 0] (inc x)) (if-let [{:keys [name]} (find-user 2)] (str "Hi " name) "?") (or (:mgr (find-user 2)) 0) (and (find-user 1) true)]
;=> ["B" :none "B" :top 1 "Hi B" 0 true]
;;;; shadowing
(let [name "x" count 3 first :f map {:a 1} list [1] str "s" key :k val 1] [name count first (map :a) list str key val])
;=> ["x" 3 :f 1 [1] "s" :k 1]
;;;; trampolines and mutual
(declare odd-t?) (defn even-t? [n] (if (zero? n) true #(odd-t? (dec n)))) (defn odd-t? [n] (if (zero? n) false #(even-t? (dec n))))
[(trampoline even-t? 1000) (trampoline odd-t? 7)]
;=> [true true]
;;;; memo fib map
(defn fib-with [memo n] (if-let [v (memo n)] [memo v] (let [[m a] (fib-with memo (- n 1)) [m b] (fib-with m (- n 2)) v (+ a b)] [(assoc m n v) v])))
(second (fib-with {0 0 1 1} 60))
;=> 1548008755920
;;;; dotimes accumulate out
(with-out-str (dotimes [i 3] (print (str i (if (< i 2) "," "")))))
;=> "0,1,2"
;;;; refer imports
(ns my.app (:require [clojure.string :refer [join split upper-case blank?]] [clojure.set :refer [union difference]] [clojure.walk :as w]))
[(join "," [1 2]) (split "a b" #" ") (upper-case "x") (blank? "") (union #{1} #{2}) (difference #{1 2} #{2}) (w/postwalk identity [1])]
;=> ["1,2" ["a" "b"] "X" true #{1 2} #{1} [1]]
;;;; require multi
(require '[clojure.string :as str] '[clojure.set :as set] '[clojure.edn :as edn])
[(str/join "," (sort (set/union #{3} #{1 2}))) (str/split "k1=v1;k2=v2" #"[=;]") (apply hash-map (str/split "k1=v1" #"=")) (str/replace "x.y.z" "." "/") (str/split "1.2.3" #"\.") (str/join (interpose "," "abc"))]
;=> ["1,2,3" ["k1" "v1" "k2" "v2"] {"k1" "v1"} "x/y/z" ["1" "2" "3"] "a,b,c"]
;;;; schema migrate
(def v1 [{:full_name "Ann Lee" :dob "1990-05-01"} {:full_name "Bo" :dob nil}])
(defn migrate [{:keys [full_name dob]}] (let [[f l] (clojure.string/split full_name #"\s+" 2)] (cond-> {:first f} l (assoc :last l) dob (assoc :year (Integer/parseInt (subs dob 0 4))))))
(map migrate v1)
;=> ({:first "Ann", :last "Lee", :year 1990} {:first "Bo"})
;;;; ip utils
(defn ip->int [s] (reduce (fn [acc p] (+ (* acc 256) (parse-long p))) 0 (clojure.string/split s #"\.")))
(defn int->ip [n] (clojure.string/join "." (map #(bit-and 255 (bit-shift-right n %)) [24 16 8 0])))
(defn in-cidr? [ip cidr] (let [[net bits] (clojure.string/split cidr #"/") mask (- 32 (parse-long bits))] (= (bit-shift-right (ip->int ip) mask) (bit-shift-right (ip->int net) mask))))
[(ip->int "192.168.1.10") (int->ip 3232235786) (in-cidr? "10.1.2.3" "10.0.0.0/8") (in-cidr? "11.1.2.3" "10.0.0.0/8") (every? #(<= 0 (parse-long %) 255) (re-seq #"\d+" "1.2.3.256"))]
;=> [3232235786 "192.168.1.10" true false false]
;;;; comp & transduce stats
(def xf (comp (filter :active) (map :score) (remove nil?) (map double)))
(let [users [{:active true :score 10} {:active false :score 5} {:active true :score nil} {:active true :score 7}]]
  [(into [] xf users) (transduce xf + users) (transduce xf (fn ([] [0 0]) ([[s n]] (/ s n)) ([[s n] x] [(+ s x) (inc n)])) users) (transduce xf max ##-Inf users) (sequence (comp (map inc) (filter even?)) [1 2 3]) (eduction (map inc) [1 2])]
;!> parse_error
;;;; transduce completing
[(transduce (map inc) (completing conj) [] [1 2]) (transduce (comp (map inc) (take 2)) conj [1 2 3]) (transduce (map str) str "" [1 2 3]) (into [] (comp cat (map inc)) [[1] [2 3]]) (into [] (mapcat range) [1 2 3]) (into [] (keep #(when (odd? %) (* % %))) (range 6)) (into [] (partition-by odd?) [1 3 2 4 5]) (into [] (take-nth 2) (range 5)) (transduce (halt-when neg?) conj [] [1 -2 3])]
;=> [[2 3] [2 3] "123" [2 3 4] [0 0 1 0 1 2] [1 9 25] [[1 3] [2 4] [5]] [0 2 4] -2]
;;;; transduce plain
[(transduce (comp (map inc) (take 2)) conj [1 2 3]) (transduce (map str) str "" [1 2 3]) (into [] (comp cat (map inc)) [[1] [2 3]]) (into [] (mapcat range) [1 2 3]) (into [] (keep #(when (odd? %) (* % %))) (range 6)) (into [] (partition-by odd?) [1 3 2 4 5]) (into [] (take-nth 2) (range 5)) (into {} (comp (filter (comp even? val)) (map (fn [[k v]] [k (* v v)]))) {:a 1 :b 2}) (into () (map inc) [1 2 3]) (into (sorted-set) (map -) [1 2 3]) (into [] (distinct) [1 1 2]) (into [] (map-indexed vector) "ab")]
;=> [[2 3] "123" [2 3 4] [0 0 1 0 1 2] [1 9 25] [[1 3] [2 4] [5]] [0 2 4] {:b 4} (4 3 2) #{-3 -2 -1} [1 2] [[0 "a"] [1 "b"]]]
;;;; boxed ctor
[(Integer. "42") (Long. "9") (Double. "1.5") (+ (Integer. "1") 2) (map #(Integer. %) ["1" "2"]) (String. "abc") (Integer/valueOf "7") (.toString (Integer. "5")) (try (Integer. "x") (catch NumberFormatException e :nfe))]
;=> [42 9 1.5 3 (1 2) "abc" 7 "5" :nfe]
;;;; java method threading no array
[(-> "  Hello " .trim .toLowerCase (.replace "l" "L")) (map #(.length %) ["a" "bb"]) (.. "a-b" (toUpperCase) (replace "-" "_")) (->> ["b" "a"] (map #(.concat % "!")) sort) (.indexOf "hello" "l" 3) (.substring "hello" 1 3) (.charAt "abc" 0) (.isEmpty "") (.contains "abc" "b") (Character/isDigit (.charAt "a1" 1)) (.compareTo "a" "c") (seq (.split "a,b" ",")) (String/valueOf 3.5) (Long/toString 5) (.equals :a :a) (.hashCode 5) (first (.split "k=v" "=")) (.toString [1 2]) (.size [1 2]) (.get {:a 1} :a) (.containsKey {:a 1} :a) (.contains [1 2] 2) (.indexOf [:a :b] :b) (.length (str 12345)) (.startsWith "abc" "b" 1) (.endsWith "x.clj" ".clj") (.toUpperCase (name :k)) (.getName :k) (.replaceFirst "aXbX" "X" "-") (.lastIndexOf "a.b.c" ".") (.codePointAt "A" 0) (.matches "a1" "\\w\\d")]
;=> ["heLLo" (1 2) "A_B" ("a!" "b!") 3 "el" "a" true true true -2 ("a" "b") "3.5" "5" true 5 "k" "[1 2]" 2 1 true true 1 5 true true "K" "k" "a-bX" 3 65 true]
;;;; simplify
(defn simplify [e] (if (vector? e) (let [[op a b] (mapv simplify e)] (cond (and (= op :+) (= a 0)) b (and (= op :+) (= b 0)) a (and (= op :*) (or (= a 0) (= b 0))) 0 (and (= op :*) (= a 1)) b (and (= op :*) (= b 1)) a (every? number? [a b]) ((op {:+ + :* *}) a b) :else [op a b])) e))
(defn derive-x [e] (cond (number? e) 0 (= e :x) 1 :else (let [[op a b] e] (case op :+ [:+ (derive-x a) (derive-x b)] :* [:+ [:* (derive-x a) b] [:* a (derive-x b)]]))))
[(simplify [:+ 0 [:* 1 :x]]) (simplify (derive-x [:* :x :x])) (simplify [:* [:+ 1 2] 4]) (derive-x [:+ :x 3])]
;=> [:x [:+ :x :x] 12 [:+ 1 0]]
;;;; defaults and config
(def defaults {:port 80 :host "localhost" :opts {:tls false :retries 3}})
(defn configure [& {:keys [port host] :or {port 8080 host (:host defaults)} :as args}] (merge defaults args {:port port :url (str "http://" host ":" port)}))
[(configure) (configure :port 1 :debug true) (select-keys (configure {:host "h"}) [:url :port])]
;=> [{:port 8080, :host "localhost", :opts {:tls false, :retries 3}, :url "http://localhost:8080"} {:port 1, :host "localhost", :opts {:tls false, :retries 3}, :debug true, :url "http://localhost:1"} {:url "http://h:8080", :port 8080}]
;;;; variadic
(defn avg ([] 0) ([x] x) ([x & xs] (/ (apply + x xs) (inc (count xs)))))
(defn log [level fmt & args] (str "[" (name level) "] " (apply format fmt args)))
(defn compose-all [& [f & fs]] (if f (reduce (fn [a b] #(b (a %))) f fs) identity))
[(avg) (avg 4) (avg 1 2 3) (log :warn "%s=%d" "x" 5) ((compose-all inc #(* 2 %) str) 3) ((compose-all) 7) (apply avg [2 4]) ((fn [& {:keys [a]}] a) :a 1) ((fn [x & _] x) 1 2)]
;=> [0 4 2 "[warn] x=5" "8" 7 3 1 1]
;;;; multi arity recursion
(defn sum-digits ([n] (sum-digits n 0)) ([n acc] (if (zero? n) acc (recur (quot n 10) (+ acc (rem n 10))))))
(defn power ([b e] (power b e 1)) ([b e acc] (if (zero? e) acc (recur b (dec e) (* acc b)))))
(defn rev ([xs] (rev xs ())) ([[x & more :as xs] acc] (if (empty? xs) acc (recur more (conj acc x)))))
(defn gcd [a b] (if (zero? b) a (recur b (rem a b))))
(defn ack [m n] (cond (zero? m) (inc n) (zero? n) (ack (dec m) 1) :else (ack (dec m) (ack m (dec n)))))
[(sum-digits 98765) (power 2 40) (rev [1 2 3]) (gcd 1071 462) (ack 2 3)]
;=> [35 1099511627776 (3 2 1) 21 9]
;;;; destructure deep
(let [{[{:keys [a] :as m1} & others] :items {:keys [x y] :or {y 100}} :pos :keys [id] :or {id :none}} {:items [{:a 1 :b 2} {:a 3} {:a 5}] :pos {:x 10}}
      [[p q] [r [s]]] [[1 2] [3 [4]]]
      {:strs [name] :syms []} {"name" "n"}
      [first-char second-char & others2] "hello"
      {a1 0 b1 1} [:zero :one]
      [_ _ third] (range)]
  [a m1 (map :a others) x y id p q r s name first-char second-char others2 a1 b1 third])
;=> [1 {:a 1, :b 2} (3 5) 10 100 :none 1 2 3 4 "n" "h" "e" ("l" "l" "o") :zero :one 2]
;;;; loop destructuring
(loop [[[k v] & more] (seq {:a 1 :b 2 :c 3}) acc {}] (if k (recur more (assoc acc v k)) acc))
;=> {1 :a, 2 :b, 3 :c}
;;;; name shadow param
(defn greet [{:keys [name count] :or {count 1}}] (str name "x" count))
(defn stats [list] (let [max (apply max list) min (apply min list)] {:max max :min min :range (- max min)}))
[(greet {:name "A"}) (stats [3 1 2]) (let [keys [:a] vals [1]] (zipmap keys vals)) ((fn [map] (:x map)) {:x 1})]
;=> ["Ax1" {:max 3, :min 1, :range 2} {:a 1} 1]
;;;; predicates combos
(let [valid? (every-pred string? not-empty #(re-matches #"[a-z]+" %)) any-kw? (some-fn keyword? #(and (string? %) (.startsWith % ":")))] [(map (comp boolean valid?) ["abc" "" "A1"]) (map (comp boolean any-kw?) [:a ":b" "c" 1]) ((complement valid?) "x") (remove valid? ["ok" "NO"]) (filter (comp even? count) ["a" "bb"]) (every? (partial < 0) [1 2]) (not-every? even? [2 3]) (some (partial re-find #"z") ["az" "b"]) (filter identity [nil 1 false 2]) (keep not-empty ["" "a"])])
;=> [(true false false) (true true false false) false ("NO") ("bb") true true "z" (1 2) ("a")]
;;;; running balance
(let [txs [["2024-01-03" -20.5] ["2024-01-01" 100.0] ["2024-01-02" 50.25]] sorted (sort-by first txs)] (map (fn [[d a] b] {:date d :amount a :balance b}) sorted (rest (reductions + 0 (map second sorted)))))
;=> ({:date "2024-01-01", :amount 100.0, :balance 100.0} {:date "2024-01-02", :amount 50.25, :balance 150.25} {:date "2024-01-03", :amount -20.5, :balance 129.75})
;;;; own helper names
(defn sum [xs] (reduce + xs)) (defn avg [xs] (/ (sum xs) (double (count xs)))) (defn zip [a b] (map vector a b)) (defn pluck [k rows] (map k rows))
(defn round [n x] (let [f (Math/pow 10 n)] (/ (Math/round (* f x)) f))) (defn pow [b e] (reduce * (repeat e b))) (defn floor [x] (long (Math/floor x)))
(defn combinations [xs n] (if (zero? n) [[]] (for [[i x] (map-indexed vector xs) c (combinations (drop (inc i) xs) (dec n))] (cons x c))))
(defn extract [re s] (second (re-find re s))) (defn entries [m] (sort (map vec m))) (defn distinct-by [f xs] (map first (vals (group-by f xs)))) (defn join [& xs] (apply str xs))
[(sum [1 2 3]) (avg [1 2]) (zip [1 2] [3 4]) (pluck :a [{:a 1}]) (round 2 3.14159) (pow 2 10) (floor 2.7) (combinations [1 2 3] 2) (extract #"k=(\w+)" "k=v") (entries {:b 1 :a 2}) (distinct-by odd? [1 2 3]) (join 1 2)]
;=> [6 1.5 ([1 3] [2 4]) (1) 3.14 1024 2 ((1 2) (1 3) (2 3)) "v" ([:a 2] [:b 1]) (1 2) "12"]
;;;; declared first
(declare sum avg)
(defn report [xs] (str "sum=" (sum xs) " avg=" (avg xs)))
(defn sum [xs] (apply + xs))
(defn avg [xs] (/ (sum xs) (count xs)))
(report [2 4 6])
;=> "sum=12 avg=4"
;;;; own core names
(defn max-by [f xs] (apply max-key f xs)) (defn min-by [f xs] (apply min-key f xs)) (defn index-by [f xs] (zipmap (map f xs) xs)) (defn sum-by [f xs] (transduce (map f) + xs)) (defn avg-by [f xs] (/ (sum-by f xs) (count xs)))
(def rows [{:id 1 :v 10} {:id 2 :v 30}])
[(max-by :v rows) (min-by :v rows) (index-by :id rows) (sum-by :v rows) (avg-by :v rows)]
;=> [{:id 2, :v 30} {:id 1, :v 10} {1 {:id 1, :v 10}, 2 {:id 2, :v 30}} 40 20]
;;;; symbols with marks
(let [x' 1 x'' 2 a->b {:k 1} ok? true go! 5 *e* 3 -neg -1 _u 9 a-b 4 α 7 <= 8 n# 6] [x' x'' a->b ok? go! *e* -neg _u a-b α <= n#])
;=> [1 2 {:k 1} true 5 3 -1 9 4 7 8 6]
;;;; arrows names
(defn ->point [x y] {:x x :y y}) (defn cents->dollars [c] (/ c 100.0)) (defn row->map [[k v]] {k v}) (defn valid?! [x] (boolean x)) (def ^:dynamic *limit* 10) (def +tax+ 0.2) (defn <=> [a b] (compare a b))
[(->point 1 2) (cents->dollars 1999) (map row->map {:a 1}) (valid?! nil) *limit* (* 10 +tax+) (sort <=> [3 1 2])]
;=> [{:x 1, :y 2} 19.99 ({:a 1}) false 10 2.0 (1 2 3)]
;;;; call as name
(def registry {:add + :mul * :neg -})
(defn call [op & args] (if-let [f (registry op)] (apply f args) (throw (ex-info "unknown op" {:op op}))))
[(call :add 1 2 3) (call :mul 4 5) (call :neg 7) (try (call :pow 2) (catch Exception e (:op (ex-data e)))) (map #(apply call %) [[:add 1 1] [:mul 3 3]])]
;=> [6 20 -7 :pow (2 9)]
;;;; new-ish names
(let [future [1 2] locking :l call inc new-items [3]] [(concat future new-items) locking (call 1)])
;=> [(1 2 3) :l 2]
;;;; memo keyword string
(def prices {"apple" 1.2 "pear" 0.8})
[(get prices "apple") (prices "pear") (get prices "kiwi" 0) (reduce + (map prices ["apple" "pear"])) (update prices "apple" * 2) (sort-by val prices) (contains? prices "fig")]
;=> [1.2 0.8 0 2.0 {"apple" 2.4, "pear" 0.8} (["pear" 0.8] ["apple" 1.2]) false]
;;;; boxes in pipelines
(->> ["10" "x" "30" nil "4.5"] (map #(try (Integer/parseInt %) (catch NumberFormatException _ :bad) (catch Exception _ :worse))) (group-by #(cond (number? %) :num :else %)) (into (sorted-map)))
;=> {:bad [:bad :bad :bad], :num [10 30]}
;;;; interop static fn refs
[(map #(Math/abs %) [-1 2]) (map #(Integer/parseInt %) ["1" "2"]) (sort-by #(Math/abs %) [-3 1 2]) (mapv #(Character/toUpperCase %) "ab") (apply str (map #(Character/toLowerCase %) "AB")) (reduce #(Math/max %1 %2) [1 5 3]) (map (fn [^String s] (.length s)) ["a" "bb"]) (map (memfn toUpperCase) ["a"]) (filter #(.startsWith % "a") ["ab" "b"]) (map #(.indexOf "abc" %) ["a" "c" "z"]) (map #(String/valueOf %) [1 :a]) (sort #(.compareTo %1 %2) ["b" "a"])]
;=> [(1 2) (1 2) (1 2 -3) ["A" "B"] "ab" 5 (1 2) ("A") ("ab") (0 2 -1) ("1" ":a") ("a" "b")]
;;;; case forms
(defn f [x] (case x 1 :one (2 3) :few "s" :str :k :kw nil :nil \c :char [1 2] :vec true :yes :other))
(map f [1 2 3 "s" :k nil \c [1 2] true 99])
;=> (:one :few :few :str :kw :nil :char :vec :yes :other)
;;;; condp forms
(defn g [x] (condp = x 1 :one 2 :two :many)) (defn h [x] (condp < x 100 :big 10 :mid :small)) (defn k [s] (condp #(clojure.string/starts-with? %2 %1) s "http:" :plain "https:" :tls :none)) (defn j [x] (condp some [x] #{1 2} :>> inc #{3} :three :no))
[(map g [1 2 3]) (map h [500 50 5]) (map k ["http://a" "https://a" "ftp"]) (map j [1 3 9])]
;=> [(:one :two :many) (:big :mid :small) (:plain :tls :none) (2 :three :no)]
;;;; comment forms
(comment (this is (ignored)))
#_(def ignored (+ 1 "x"))
(def x #_2 3)
[x #_(nope) 4 (comment 1) {:a 1 #_#_:b 2}]
;=> [3 4 nil {:a 1}]
;;;; swap two and rotations
(let [v [1 2 3 4] swap (fn [v i j] (assoc v i (v j) j (v i)))] [(swap v 0 3) (reduce (fn [v i] (swap v i (- 3 i))) v [0 1]) (vec (concat (drop 1 v) (take 1 v))) (let [[a b] [1 2] [a b] [b a]] [a b]) (into [] (reverse v)) (apply vector (sort-by - v)) (vec (take 4 (drop 2 (cycle v))))])
;=> [[4 2 3 1] [4 3 2 1] [2 3 4 1] [2 1] [4 3 2 1] [4 3 2 1] [3 4 1 2]]
;;;; terse
(->> "3,1,4,1,5,9,2,6" (#(clojure.string/split % #",")) (map parse-long) (partition-all 3) (map (juxt first #(apply + %) count)) (into []))
;=> [[3 8 3] [1 15 3] [2 8 2]]
;;;; main with args
(ns app.main (:require [clojure.string :as str] [clojure.set :as set]))
(defn parse-args [args] (loop [[a b & more :as xs] args opts {:files []}] (cond (empty? xs) opts (= a "-v") (recur (rest xs) (assoc opts :verbose true)) (str/starts-with? a "--") (recur more (assoc opts (keyword (subs a 2)) b)) :else (recur (rest xs) (update opts :files conj a)))))
(defn -main [& args] (let [opts (parse-args args)] (when (:verbose opts) (println "verbose on")) (println "files:" (str/join ", " (:files opts))) opts))
(-main "-v" "a.txt" "--out" "x.json" "b.txt")
;out> verbose on
;out> files: a.txt, b.txt
;=> {:files ["a.txt" "b.txt"], :verbose true, :out "x.json"}
;;;; iterate until
(loop [{:keys [lo hi n] :as st} {:lo 0 :hi 1000 :n 0}] (let [mid (quot (+ lo hi) 2)] (cond (= mid 617) (assoc st :found mid) (< mid 617) (recur (assoc st :lo (inc mid) :n (inc n))) :else (recur (assoc st :hi (dec mid) :n (inc n))))))
;=> {:lo 610, :hi 624, :n 6, :found 617}
;;;; frequencies by bucket
(let [ages [3 17 25 34 41 68 90] label (fn [a] (condp > a 18 "minor" 35 "young" 65 "adult" "senior"))] [(frequencies (map label ages)) (map (fn [[k v]] [k (apply max v)]) (sort (group-by label ages))) (into (sorted-map) (map (fn [a] [(* 10 (quot a 10)) a])) ages)])
;=> [{"minor" 2, "young" 2, "adult" 1, "senior" 2} (["adult" 41] ["minor" 17] ["senior" 90] ["young" 34]) {0 3, 10 17, 20 25, 30 34, 40 41, 60 68, 90 90}]
;;;; pipeline reductions
(let [deposits [100 -30 50 -200 10]] {:balances (reductions + 0 deposits) :low (apply min (reductions + deposits)) :first-neg (first (keep-indexed (fn [i b] (when (neg? b) i)) (reductions + deposits))) :pos (filter pos? deposits) :split (mapv #(reduce + %) ((juxt filter remove) pos? deposits))})
;=> {:balances (0 100 70 120 -80 -70), :low -80, :first-neg 3, :pos (100 50 10), :split [160 -230]}
;;;; days between and leap years by hand
(defn leap? [y] (and (zero? (mod y 4)) (or (pos? (mod y 100)) (zero? (mod y 400)))))
(def month-days [31 28 31 30 31 30 31 31 30 31 30 31])
(defn day-of-year [[y m d]] (+ d (reduce + (take (dec m) month-days)) (if (and (leap? y) (> m 2)) 1 0)))
(defn parse-date [s] (mapv parse-long (rest (re-matches #"(\d{4})-(\d{2})-(\d{2})" s))))
(defn epoch [[y _ _ :as date]] (+ (* 365 y) (quot (dec y) 4) (- (quot (dec y) 100)) (quot (dec y) 400) (day-of-year date)))
(let [dates (map parse-date ["2024-02-28" "2024-03-01" "2023-12-31" "2000-01-01"])]
  {:leaps (filter leap? [1900 2000 2023 2024]) :doy (map day-of-year dates)
   :gaps (map (fn [[a b]] (- (epoch b) (epoch a))) (partition 2 1 dates))
   :fmt (map (fn [[y m d]] (format "%02d/%02d/%d" d m y)) dates)})
;=> {:leaps (2000 2024), :doy (59 61 365 1), :gaps (2 -61 -8765), :fmt ("28/02/2024" "01/03/2024" "31/12/2023" "01/01/2000")}
;;;; transducer pipeline over log lines
(def lines ["12:00 INFO start" "12:01 WARN disk 91%" "12:02 ERROR disk full" "12:03 INFO retry" "12:04 ERROR timeout after 30s" "12:05 WARN cpu 75%"])
(def parse (map #(zipmap [:time :level :message] (rest (re-find #"(\S+) (\S+) (.*)" %)))))
(def problems (comp parse (remove (comp #{"INFO"} :level)) (map-indexed (fn [i m] (assoc m :n i)))))
{:all (into [] problems lines)
 :levels (transduce (comp parse (map :level)) (fn ([] {}) ([acc] (into (sorted-map) acc)) ([acc l] (update acc l (fnil inc 0)))) lines)
 :first-two (sequence (comp problems (take 2) (map :message)) lines)

 :digits (into #{} (comp parse (keep #(re-find #"\d+" (:message %))) (map parse-long)) lines)}
;=> {:all [{:time "12:01", :level "WARN", :message "disk 91%", :n 0} {:time "12:02", :level "ERROR", :message "disk full", :n 1} {:time "12:04", :level "ERROR", :message "timeout after 30s", :n 2} {:time "12:05", :level "WARN", :message "cpu 75%", :n 3}], :levels {"ERROR" 2, "INFO" 2, "WARN" 2}, :first-two ("disk 91%" "disk full"), :digits #{91 30 75}}
;;;; shapes by case dispatch
(defn area [{:keys [shape] :as s}]
  (case shape
    :circle (* Math/PI (Math/pow (:r s) 2))
    (:rect :square) (let [{:keys [w h] :or {h w}} s] (* w h))
    :triangle (let [[a b c] (:sides s) p (/ (+ a b c) 2.0)] (Math/sqrt (* p (- p a) (- p b) (- p c))))
    (throw (ex-info (str "no area for " shape) {:shape shape}))))
(let [shapes [{:shape :circle :r 1.5} {:shape :rect :w 2 :h 3} {:shape :square :w 4} {:shape :triangle :sides [3 4 5]} {:shape :blob}]]
  (for [s shapes]
    [(:shape s) (try (format "%.3f" (double (area s))) (catch Exception e (str "error: " (.getMessage e))))]))
;=> ([:circle "7.069"] [:rect "6.000"] [:square "16.000"] [:triangle "6.000"] [:blob "error: no area for :blob"])
;;;; destructuring everywhere (2)
(defn f [[a [b & cs] :as all] {:keys [x y] {:strs [deep]} :nested :or {y 20} :as opts} & {:keys [flag] :or {flag :none}}]
  {:a a :b b :cs cs :all (count all) :x x :y y :deep deep :opts (sort (map name (keys opts))) :flag flag})
(let [{[p q] :point :keys [label] :or {label "none"}} {:point [1 2]}
      [h & [h2 & t]] (range 5)
      {:keys [a.b/c d]} {:a.b/c 1 :d 2}]
  [(f [1 [2 3 4]] {:x 10 :nested {"deep" :yes}}) (f [nil nil] nil :flag true)
   p q label h h2 t c d
   (for [[k [v1 v2]] {:m [1 2] :n [3 4]}] [k (+ v1 v2)])
   (reduce (fn [acc {:keys [id] [s e] :span}] (assoc acc id (- e s))) {} [{:id :i :span [1 5]} {:id :j :span [2 3]}])
   (loop [[x & xs] [1 2 3] acc ()] (if x (recur xs (conj acc x)) acc))])
;=> [{:a 1, :b 2, :cs (3 4), :all 2, :x 10, :y 20, :deep :yes, :opts ("nested" "x"), :flag :none} {:a nil, :b nil, :cs nil, :all 2, :x nil, :y 20, :deep nil, :opts (), :flag true} 1 2 "none" 0 1 (2 3 4) 1 2 ([:m 3] [:n 7]) {:i 4, :j 1} (3 2 1)]
;;;; dispatch table of closures
(def ops {"+" + "-" - "*" * "/" / "^" (fn [a b] (reduce * (repeat b a)))})
(defn rpn [s]
  (reduce (fn [stack t]
            (if-let [op (ops t)]
              (let [[b a & more] stack] (conj more (op a b)))
              (conj stack (parse-long t))))
          () (str/split s #"\s+")))
(map (comp first rpn) ["3 4 + 2 *" "2 3 ^" "10 2 8 * + 3 -" "8 2 /"])
;=> (14 8 23 4)
;;;; side effects in order
(defn tell [x] (println "eval" x) x)
(let [m {(tell :a) (tell 1) (tell :b) (tell 2)} v [(tell 3) (tell 4)] f (fn [& xs] (apply + xs))]
  (println "call") (println (f (tell 5) (tell 6)))
  (and (tell true) (tell nil) (tell :never)) (or (tell nil) (tell :yes) (tell :never))
  (cond (tell false) 1 (tell :c) (tell 2) :else (tell 3))
  (-> (tell 1) (+ (tell 2)) (* (tell 3)))
  (doseq [x [1 2] y [:p :q] :when (not (and (= x 1) (= y :q)))] (println x y))
  [m v (if-let [x (tell nil)] :t (tell :e)) (when-some [x (tell false)] [x])])
;out> eval :a
;out> eval 1
;out> eval :b
;out> eval 2
;out> eval 3
;out> eval 4
;out> call
;out> eval 5
;out> eval 6
;out> 11
;out> eval true
;out> eval nil
;out> eval nil
;out> eval :yes
;out> eval false
;out> eval :c
;out> eval 2
;out> eval 1
;out> eval 2
;out> eval 3
;out> 1 :p
;out> 2 :p
;out> 2 :q
;out> eval nil
;out> eval :e
;out> eval false
;=> [{:a 1, :b 2} [3 4] :e [false]]
;;;; shadowing builtins everywhere
(defn summarize [name count & [max]] (let [first (subs name 0 1) str (str/upper-case name) map {:n count}] (merge map {:first first :str str :max max})))
(let [list [3 1 2] sort (sort list) vec #(conj [] %) key :k val 2 {:keys [type class]} {:type :t :class :c} [rest next] [:r :n]]
  [(summarize "abc" 3) (summarize "x" 0 9) sort (vec 1) {key val} type class rest next (for [range (range 2)] range) (let [inc dec] (inc 1)) ((fn [str] (str "a")) keyword)])
;=> [{:n 3, :first "a", :str "ABC", :max nil} {:n 0, :first "x", :str "X", :max 9} (1 2 3) [1] {:k 2} :t :c :r :n (0 1) 0 :a]
;;;; recur through when-let, cond, case, and variadics
(defn sum-to [& [x & xs]] (if x (+ x (apply sum-to xs)) 0))
(defn count-down [n & acc] (if (zero? n) acc (recur (dec n) (cons n acc))))
(defn walk-list [s] (loop [s s out []] (if-let [[x & more] (seq s)] (case x :skip (recur (next more) out) :stop out (recur more (conj out x))) out)))
(defn gcd [a b] (if (zero? b) a (recur b (rem a b))))
[(sum-to 1 2 3) (count-down 4) (walk-list [1 :skip 2 3 :stop 4]) (gcd 48 36) (loop [i 0 s #{}] (when-let [n (and (< i 50) (mod (* i i) 7))] (if (and (> i 10) (s n)) [i s] (recur (inc i) (conj s n)))))]
;=> [6 (1 2 3 4) [1 3] 12 [11 #{0 1 4 2}]]
;;;; laziness that shows in results only
(let [evens (filter even? (range)) sq (map #(* % %) evens) fib (map first (iterate (fn [[a b]] [b (+' a b)]) [0 1]))]
  [(take 5 sq) (first (drop-while #(< % 1000) sq)) (nth fib 50) (take-while #(< % 30) fib) (some #(when (> % 100) %) fib) (->> (range) (partition 3) (map #(apply + %)) (take 3)) (take 4 (interleave (range) (cycle [:x :y])))
   (zipmap [:a :b :c] (iterate #(* 2 %) 1)) (take 3 (repeatedly (constantly 7))) (second (split-with #(< % 3) (range 6))) (map vector (range) "abc") (take 2 (remove odd? (map inc (range)))) (take 3 (partition-by #(quot % 3) (range))) (reduce (fn [a x] (if (> a 20) (reduced a) (+ a x))) (range))])
;=> [(0 4 16 36 64) 1024 12586269025 (0 1 1 2 3 5 8 13 21) 144 (3 12 21) (0 :x 1 :y) {:a 1, :b 2, :c 4} (7 7 7) (3 4 5) ([0 "a"] [1 "b"] [2 "c"]) (2 4) ((0 1 2) (3 4 5) (6 7 8)) 21]
;;;; higher order composition
(def pipeline (comp (partial map str/capitalize) (partial remove str/blank?) #(str/split % #"\s*,\s*") str/trim))
(def stats (juxt count #(apply min %) #(apply max %) #(/ (reduce + %) (count %))))
(def safe-div (fnil / 1 1))
[(pipeline " ann, bob ,,cy ") (stats [3 1 4 4]) (safe-div nil 4) ((some-fn :a :b) {:b 2}) ((every-pred pos? even?) 2 4) ((complement nil?) 1) ((comp) 5) (map (comp inc :v) [{:v 1}]) (((fn [a] (fn [b] (* a b))) 3) 4) (apply (partial + 1) 2 [3]) ((memoize +) 1 2) (reduce #(%2 %1) 5 [inc str keyword]) (map #(%1 10) [inc dec -]) (trampoline (fn f [n] (if (pos? n) #(f (dec n)) :done)) 20) ((constantly 1) 2 3)]
;=> [("Ann" "Bob" "Cy") [4 1 4 3] 0.25 2 true true 5 (2) 12 6 3 :6 (11 9 -10) :done 1]
;clojure> [("Ann" "Bob" "Cy") [4 1 4 3] 1/4 2 true true 5 (2) 12 6 3 :6 (11 9 -10) :done 1]
;deviation> functions and classes print otherwise
;;;; multi-line transducer with stateful parts
(let [xf (comp (map #(update % :amt (fnil + 0) 0)) (filter (comp pos? :amt)) (partition-by :d) (map (fn [p] {:d (:d (first p)) :n (count p) :sum (reduce + (map :amt p))})) (take-while #(< (:sum %) 100)))]
  [(into [] xf [{:d 1 :amt 5} {:d 1 :amt 6} {:d 2} {:d 2 :amt 7} {:d 1 :amt 1} {:d 3 :amt 200} {:d 4 :amt 1}])
   (transduce (comp (drop 1) (take-nth 2) (dedupe)) conj [9 9 1 1 2 3 2 3]) (sequence (interpose :x) [1 2 3]) (into #{} (comp cat (distinct)) [[1 2] [2 3]]) (transduce (keep-indexed (fn [i x] (when (odd? i) x))) str "" "abcdef") (into (sorted-map) (map (juxt identity count)) ["b" "aa"])])
;=> [[{:d 1, :n 2, :sum 11} {:d 2, :n 1, :sum 7} {:d 1, :n 1, :sum 1}] [9 1 3] (1 :x 2 :x 3) #{1 2 3} "bdf" {"aa" 2, "b" 1}]
;;;; metadata, docstrings, private, type hints and conditions
(defn ^{:private true :doc "x"} add "Adds two" {:added "1.0"} ^long [^long a ^long b] (+ a b))
(defn- half [^double x] (/ x 2))
(def ^:const limit 10)
(def ^{:doc "text"} greeting "doc" "hi")
(defn checked [x] {:pre [(number? x)] :post [(pos? %)]} (* x x))
(defn documented "Several arities" ([] (documented 1)) ([x] (* x limit)))
[(add 1 2) (half 5) limit greeting (checked 3) (documented) (documented 2) (#'add 3 4) (map #'inc [1 2]) (let [^String s "abc"] (.length s)) ((fn named ^long [^long n] (if (zero? n) 0 (named (dec n)))) 5)]
;=> [3 2.5 10 "hi" 9 10 20 7 (2 3) 3 0]
;;;; pipeline of results, either style
(defn ok [v] [:ok v])
(defn err [m] [:err m])
(defn bind [[tag v :as r] f] (if (= tag :ok) (f v) r))
(defn parse-age [s] (if-let [n (parse-long s)] (ok n) (err (str "not a number: " (pr-str s)))))
(defn check-age [n] (cond (neg? n) (err "negative") (> n 150) (err "too old") :else (ok n)))
(map #(-> (parse-age %) (bind check-age) (bind (comp ok inc))) ["41" "-3" "999" "abc" ""])
;=> ([:ok 42] [:err "negative"] [:err "too old"] [:err "not a number: \"abc\""] [:err "not a number: \"\""])
;;;; closures keep what they saw
(let [x 1 f (fn [] x) x 2 g (fn [] x) hs (for [x [10 20]] (let [y (inc x)] #(+ x y %))) [h1 h2] hs] [(f) (g) (h1 1) (h2 1) (map #(% 0) hs) ((fn [x] (let [x (* x x)] (fn [y] (+ x y)))) 3) (((fn [x] (let [x (* x x)] (fn [y] (+ x y)))) 3) 1)])
;=> [1 2 22 42 (21 41) #fn[y] 10]
;;;; closures keep what they saw, results alone
(let [x 1 f (fn [] x) x 2 g (fn [] x) hs (for [x [10 20]] (let [y (inc x)] #(+ x y %))) [h1 h2] hs] [(f) (g) (h1 1) (h2 1) (map #(% 0) hs) (((fn [x] (let [x (* x x)] (fn [y] (+ x y)))) 3) 1)])
;=> [1 2 22 42 (21 41) 10]
;;;; apply, partial, variadic sums
(defn avg ([] 0) ([x] x) ([x & xs] (/ (apply + x xs) (double (inc (count xs))))))
(defn tag [t & body] (let [[attrs body] (if (map? (first body)) [(first body) (rest body)] [{} body])] (str "<" t (apply str (mapcat (fn [[k v]] [" " (name k) "='" v "'"]) attrs)) ">" (str/join body) "</" t ">")))
[(avg) (avg 4) (avg 1 2 3 4) (apply avg (range 1 6)) (tag "p" "a" "b") (tag "a" {:href "x"} (tag "b" 1)) (apply tag "i" (map str (range 3))) (apply max 3 [9 2]) (apply str (interpose "," [1 2])) (apply concat [[1] [2 3]]) (apply map list [[1 2] [3 4]]) (apply merge-with + [{:a 1} {:a 2}]) (apply assoc {} [:a 1 :b 2]) (apply = [1 1 1]) (apply < [1 2 2])]
;=> [0 4 2.5 3.0 "<p>ab</p>" "<a href='x'><b>1</b></a>" "<i>012</i>" 9 "1,2" (1 2 3) ((1 3) (2 4)) {:a 3} {:a 1, :b 2} true false]
;;;; destructuring galore
(defn f1 [{:keys [a b] :or {a 10 b 20} :as m}] [a b m])
(defn f2 [& {:keys [x y] :or {y :dflt}}] [x y])
(defn f3 [[a [b & bs] {:keys [c] [d] :ds}] & more] {:a a :b b :bs bs :c c :d d :more more})
(defn f4 [{{:keys [city] {:keys [lat lon]} :geo} :address n :name :or {n "anon"}}] [n city lat lon])
(let [[x _ y :as all] "hey"
      {:strs [k] :keys [:q] s :s/t} {"k" 1 :q 2 :s/t 3}
      {a 0 z 2} [:zero :one :two]
      [[h & t] & rst] [[1 2 3] 4 5]
      {:user/keys [id email]} {:user/id 7 :user/email "e@x"}]
  [(f1 {:a 1}) (f1 nil) (f2 :x 1) (f2 :y 2 :x 3) (f3 [1 [2 3 4] {:c 5 :ds [6]}] 7 8)
   (f4 {:address {:city "Rome" :geo {:lat 41.9 :lon 12.5}}}) [x y all] [k q s] [a z] [h t rst] [id email]])
;=> [[1 20 {:a 1}] [10 20 nil] [1 :dflt] [3 2] {:a 1, :b 2, :bs (3 4), :c 5, :d 6, :more (7 8)} ["anon" "Rome" 41.9 12.5] ["h" "y" "hey"] [1 2 3] [:zero :two] [1 (2 3) (4 5)] [7 "e@x"]]
;;;; loop destructuring and interleaved lists
(defn merge-sorted [xs ys]
  (loop [[x & xt :as xs] (seq xs) [y & yt :as ys] (seq ys) out []]
    (cond (and (nil? xs) (nil? ys)) out
          (nil? xs) (into out ys)
          (nil? ys) (into out xs)
          (<= x y) (recur xt ys (conj out x))
          :else (recur xs yt (conj out y)))))
(defn msort [xs] (if (< (count xs) 2) (vec xs) (apply merge-sorted (map msort (split-at (quot (count xs) 2) xs)))))
[(merge-sorted [1 4 6] '(2 3 9 10)) (merge-sorted [] [1]) (msort [5 2 9 1 5 6 -3]) (msort ())]
;=> [[1 2 3 4 6 9 10] [1] [-3 1 2 5 5 6 9] []]
;;;; function pipelines without state
(def safe-inc (fnil inc 0))
(def stats (juxt count #(reduce + %) #(apply min %) #(apply max %)))
(def valid? (every-pred number? pos? even?))
(def lookup (some-fn :nick :name (constantly "?")))
(def pipeline (comp (partial str/join ",") (partial map (comp str/capitalize str/trim)) #(str/split % #";")))
[(safe-inc nil) (stats [3 1 2]) (filter valid? [2 -2 3 "4" 8]) (map lookup [{:nick "N" :name "M"} {:name "M"} {}])
 (pipeline " ann; bob ;cy") (map (complement #{1 2}) [1 3]) ((apply comp (repeat 3 inc)) 0) (reduce #(%2 %1) 5 [inc str keyword])
 (apply map + [[1 2] [10 20]]) ((partial format "%s-%s" 1) 2) (map #((juxt quot rem) 17 %) [3 5])]
;=> [1 [3 6 1 3] (2 8) ("N" "M" "?") "Ann,Bob,Cy" (false true) 3 :6 (11 22) "1-2" ([5 2] [3 2])]
;;;; transducers composed and stateful
(def xf (comp (filter odd?) (map #(* % %)) (take-while #(< % 200)) (partition-all 3)))
(def clean (comp (map str/trim) (remove str/blank?) (distinct)))
[(into [] xf (range 100)) (sequence (comp (dedupe) (map-indexed vector)) [1 1 2 2 1]) (transduce (comp (mapcat range) (remove zero?)) + 0 [1 2 3 4])
 (into #{} clean [" a" "b " "" "a"]) (into {} (map (juxt identity count)) ["x" "yy"]) (transduce (map count) max 0 ["a" "ccc" "bb"])
 (into (sorted-map) (comp (partition-by odd?) (map-indexed (fn [i g] [i (count g)]))) [1 3 2 4 6 5]) (sequence (interpose :sep) [1 2 3]) (transduce (comp (take-nth 2) (keep #(when (> % 2) (str %)))) str "" (range 9))]
;=> [[[1 9 25] [49 81 121] [169]] ([0 1] [1 2] [2 1]) 10 #{"a" "b"} {"x" 1, "yy" 2} 3 {0 2, 1 3, 2 1} (1 :sep 2 :sep 3) "468"]
;;;; mixed comparisons and equality
[(= 1 1.0) (== 1 1.0) (= [1 2] '(1 2)) (= {:a 1} {:a 1.0}) (compare "a" "b") (compare [1 2] [1 3]) (compare nil 1) (sort [3 1 2.5]) (sort-by - [1 3 2]) (max 1 2.0) (min 1 2.0) (= #{1 2} #{2 1}) (identical? :a :a) (not= 1 2 1) (< 1 2 3) (<= 1 1 2) (apply < [3 2]) (compare :b :a) (= nil false) (zero? 0.0)]
;=> [false true true false -1 -1 -1 (1 2.5 3) (3 2 1) 2.0 1 true true true true true false 1 false true]
;;;; multi-arity with variadic and apply
(defn sum-of
  "Sums with options."
  ([] 0)
  ([x] x)
  ([x y] (+ x y))
  ([x y & more] (reduce sum-of (sum-of x y) more)))
(defn describe [label & {:keys [unit precision] :or {unit "" precision 1}}]
  (fn [n] (str label ": " (format (str "%." precision "f") (double n)) unit)))
[(sum-of) (sum-of 1) (sum-of 1 2) (sum-of 1 2 3 4) (apply sum-of (range 10)) ((describe "len" :unit "cm" :precision 2) 3.14159) ((describe "n") 2)
 (map (fn [& args] (count args)) [1 2] [3 4]) ((fn ([a] [:one a]) ([a & r] [:many a r])) 1 2 3)]
;=> [0 1 3 10 45 "len: 3.14cm" "n: 2.0" (2 2) [:many 1 (2 3)]]
;;;; tricky core: case fallthrough values, if-some, when-first, some->
(defn f [x] (case x (1 2 3) :small ("a" "b") :str nil :nil [1 2] :vec {:k 1} :map :else))
[(map f [2 "b" nil [1 2] {:k 1} 99 '(1 2)]) (if-some [x false] [:some x] :none) (when-first [x [nil 1]] [:first x]) (some-> {:a {:b 5}} :a :b inc) (some-> {:a nil} :a :b inc) (some->> [1 2] (map inc) (reduce +)) (cond-> 1 true inc false (* 100) :always (+ 5)) (cond->> [1 2 3] true (map inc) false (filter odd?)) (as-> 5 x (+ x 1) (* x x)) (-> 5 (- 3) (/ 2)) (->> 5 (- 3)) (doto 5 inc) (if-let [[a b] [1 2]] (+ a b)) (when-let [x (seq [])] x) (and 1 2) (or nil false 3) (not= 1 2) (condp = 3 1 :a 3 :b) (condp some [1 2] #{5} :five #{2} :two :none) (when-not false 1 2) (if-not true 1 2)]
;=> [(:small :str :nil :vec :map :else :vec) [:some false] [:first nil] 6 nil 5 7 (2 3 4) 36 1 -2 5 3 nil 2 3 true :b :two 2 2]
;;;; iterate with destructured state and halt
(defn collatz-stats [n] (let [s (take-while #(> % 1) (iterate #(if (even? %) (quot % 2) (inc (* 3 %))) n))] {:n n :steps (count s) :peak (reduce max 1 s)}))
(defn digits [n] (map #(Character/digit % 10) (str n)))
(defn happy? [n] (loop [n n seen #{}] (cond (= n 1) true (seen n) false :else (recur (reduce + (map #(* % %) (digits n))) (conj seen n)))))
(defn narcissistic? [n] (let [ds (digits n) k (count ds)] (== n (reduce + (map #(Math/pow % k) ds)))))
(defn kaprekar [n] (->> (iterate (fn [x] (let [ds (sort (digits x)) pad (concat (repeat (- 4 (count ds)) 0) ds) num #(Long/parseLong (apply str %))] (- (num (reverse (sort pad))) (num (sort pad))))) n) (take-while #(not= 6174 %)) count))
[(map collatz-stats [1 7 27]) (filter happy? (range 1 32)) (filter narcissistic? (range 100 500)) (map kaprekar [3524 2111]) (reduce + (digits 98765))]
;=> [({:n 1, :steps 0, :peak 1} {:n 7, :steps 16, :peak 52} {:n 27, :steps 111, :peak 9232}) (1 7 10 13 19 23 28 31) (153 370 371 407) (3 5) 35]
;;;; threading every way
(defn normalize [s] (-> s str/trim str/lower-case (str/replace #"\s+" " ")))
[(-> {:a {:b [1 2 3]}} :a :b (nth 1) inc str keyword)
 (->> (range 10) (filter odd?) (map #(* % %)) (take-while #(< % 50)) (into []) (apply +))
 (as-> [3 1 2] $ (sort $) (vec $) (conj $ 4) (mapv (partial * 2) $))
 (some-> "  Hello   World " normalize (str/split #" ") last)
 (some->> nil (map inc)) (cond-> {:n 5} true (assoc :t 1) (> 3 5) (assoc :no 1) :else (update :n inc))
 (-> 10 (/ 4) double (* 2) int) (->> [[:a 1] [:b 2]] (into {}) (reduce-kv (fn [a k v] (assoc a v k)) {})) (-> "a,b" (str/split #",") (->> (map str/upper-case) (str/join "-")))
 (doto {:a 1} (-> :a println)) (-> [1 2 3] (->> (map inc)) vec (conj 9)) (-> 5 ((fn [x] (* x x)))) (->> 5 (#(+ % 1)))]
;out> 1
;=> [:3 84 [2 4 6 8] "world" nil {:n 6, :t 1} 5 {1 :a, 2 :b} "A-B" {:a 1} [2 3 4 9] 25 6]
;;;;
(defn classify [n]
  (cond (neg? n) :negative (zero? n) :zero (< n 10) :small :else :large))
(mapv classify [-1 0 5 50])
;=> [:negative :zero :small :large]
;;;;
(let [[a b & rest :as all] [1 2 3 4] {:keys [x y] :or {y 10}} {:x 5}]
  [a b rest all x y])
;=> [1 2 (3 4) [1 2 3 4] 5 10]
;;;;
(cond-> {:name "x"} true (assoc :ok 1) false (assoc :no 1) (= 1 1) (update :ok inc))
;=> {:name "x", :ok 2}
;;;;
(for [x [1 2 3] y [:a :b] :when (odd? x)] [x y])
;=> ([1 :a] [1 :b] [3 :a] [3 :b])
;;;;
(reduce (fn [acc x] (if (> acc 20) (reduced acc) (+ acc x))) 0 (range 100))
;=> 21
;;;;
(defn running-total [xs] (reductions + xs))
(zipmap ["jan" "feb" "mar"] (running-total [10 20 30]))
;=> {"jan" 10, "feb" 30, "mar" 60}
;;;;
(let [{:keys [a b] :as m} {:a 1 :b 2 :c 3}] (dissoc m :a))
;=> {:b 2, :c 3}
;;;;
(let [f (fn [& {:keys [x y] :or {x 1 y 2}}] (+ x y))] [(f) (f :x 10) (f :x 10 :y 20)])
;=> [3 12 30]
;;;;
(->> [5 3 8 1] (sort >) (map-indexed (fn [i x] {:rank (inc i) :v x})) (filter (comp odd? :rank)) vec)
;=> [{:rank 1, :v 8} {:rank 3, :v 3}]
;;;;
(when-let [x (seq (filter even? [1 3 5]))] (first x))
;=> nil
;;;;
(some #(when (> (:age %) 28) (:name %)) [{:name "A" :age 20} {:name "B" :age 30}])
;=> "B"
;;;;
(condp = :b :a 1 :b 2 3)
;=> 2
;;;;
(condp some [1 2 3] #{4} :four #{2} :two :none)
;=> :two
;;;;
(mapcat (fn [[k vs]] (map #(vector k %) vs)) {:a [1 2] :b [3]})
;=> ([:a 1] [:a 2] [:b 3])
;;;;
(->> {:a 3 :b 1 :c 2} (sort-by val) (map key))
;=> (:b :c :a)
;;;;
(->> {:a 3 :b 1 :c 2} (sort-by val >) first)
;=> [:a 3]
;;;;
(->> {:a 3 :b 1 :c 2} (apply max-key val) key)
;=> :a
;;;;
(reduce-kv (fn [acc i x] (if (even? i) (conj acc x) acc)) [] [:a :b :c :d])
;=> [:a :c]
;;;;
(keep-indexed (fn [i x] (when (odd? i) x)) [:a :b :c :d])
;=> (:b :d)
;;;;
(def config {:debug false :retries 3})
(let [{:keys [debug retries timeout] :or {timeout 30}} config] [debug retries timeout])
;=> [false 3 30]
;;;;
(do (def counter 0) (def counter (inc counter)) counter)
;=> 1
;;;;
((juxt :a :b count) {:a 1 :b 2})
;=> [1 2 2]
;;;;
(def xs '(3 1 2))
[(conj xs 0) (first xs) (rest xs) (cons 9 xs) (into xs [7 8]) (peek xs) (pop xs) (list? xs) (vec xs) (count xs) (nth xs 1)]
;=> [(0 3 1 2) 3 (1 2) (9 3 1 2) (8 7 3 1 2) 3 (1 2) true [3 1 2] 3 1]
;;;;
(let [stack (-> '() (conj 1) (conj 2) (conj 3))] [(peek stack) (pop stack) stack])
;=> [3 (2 1) (3 2 1)]
;;;;
(let [{[a [b c]] :pts {:keys [x]} :o :as m} {:pts [1 [2 3]] :o {:x 9}}] [a b c x (keys m)])
;=> [1 2 3 9 (:pts :o)]
;;;;
(sort (fn [[a b] [c d]] (if (= a c) (compare d b) (compare a c))) [[1 2] [0 1] [1 5]])
;=> ([0 1] [1 5] [1 2])
;;;;
(map (fn [[a b]] (- b a)) (partition 2 1 [1 3 6 10]))
;=> (2 3 4)
;;;;
(->> [1 1 2 3 3 3] (partition-by identity) (map (juxt first count)))
;=> ([1 2] [2 1] [3 3])
;;;;
(frequencies (map #(cond (< % 10) :low (< % 100) :mid :else :high) [1 20 300 5 50]))
;=> {:low 2, :mid 2, :high 1}
;;;;
(defn pivot [rows row-key col-key val-key]
  (reduce (fn [m r] (assoc-in m [(row-key r) (col-key r)] (val-key r))) {} rows))
(pivot [{:m "jan" :p "a" :v 1} {:m "jan" :p "b" :v 2} {:m "feb" :p "a" :v 3}] :m :p :v)
;=> {"jan" {"a" 1, "b" 2}, "feb" {"a" 3}}
;;;;
(let [data [{:k "a" :v 1} {:k "b" :v nil} {:k "c"}]] [(keep :v data) (map :v data) (filter :v data) (remove (comp nil? :v) data) (reduce + (map #(or (:v %) 0) data)) (map #(get % :v :missing) data)])
;=> [(1) (1 nil nil) ({:k "a", :v 1}) ({:k "a", :v 1}) 1 (1 nil :missing)]
;;;;
(cond->> [1 2 3] true (map inc) false (filter odd?) :always (reduce +))
;=> 9
;;;;
(let [x nil] [(or x :default) (and x 1) (if-some [y x] y :none) (when-some [y 0] y) (nil? x) (some? x) (boolean x)])
;=> [:default nil :none 0 true false false]
;;;;
(defn deep-merge [& ms] (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
(deep-merge {:a {:b 1 :c 2}} {:a {:c 3 :d 4}} {:e 5})
;=> {:a {:b 1, :c 3, :d 4}, :e 5}
;;;;
(defonce cache {:a 1})
(:a cache)
;=> 1
;;;;
(let [add (fn [a] (fn [b] (+ a b))) add5 (add 5)] (map add5 [1 2]))
;=> (6 7)
;;;;
(let [f (partial map inc) g (complement even?)] [(f [1 2]) (filter g [1 2 3]) ((comp not zero?) 1) ((constantly 5) :x)])
;=> [(2 3) (1 3) true 5]
;;;;
((fnil + 0 0) nil 5)
;=> 5
;;;;
((every-pred pos? even?) 4 6)
;=> true
;;;;
((some-fn :a :b) {:b 2})
;=> 2
;;;;
(reduce (fn [best x] (if (or (nil? best) (> (:s x) (:s best))) x best)) nil [{:s 1} {:s 9} {:s 3}])
;=> {:s 9}
;;;;
(loop [m {:a 1 :b 2} acc []] (if (seq m) (let [[k v] (first m)] (recur (rest m) (conj acc k v))) acc))
;=> [:a 1 :b 2]
;;;;
(let [[x y :as p] [1 2] [_ _ z] [1 2 3] [a [b]] [1 [2]] {:strs [n]} {"n" 5} [h & t] "abc"] [x y p z a b n h t])
;=> [1 2 [1 2] 3 1 2 5 "a" ("b" "c")]
;;;;
(-> {:a 1} (assoc :b 2) (update :a inc) (dissoc :b) (merge {:c 3}) (select-keys [:a :c]) vals (->> (reduce +)))
;=> 5
;;;;
(if-not (= 1 2) :diff :same)
;=> :diff
;;;;
(into {} (map (juxt :id identity)) [{:id 1 :n "a"} {:id 2 :n "b"}])
;=> {1 {:id 1, :n "a"}, 2 {:id 2, :n "b"}}
;;;;
(into {} (filter (fn [[k v]] (> v 1))) {:a 1 :b 2 :c 3})
;=> {:b 2, :c 3}
;;;;
(reduce-kv (fn [m k v] (if (nil? v) m (assoc m k v))) {} {:a 1 :b nil})
;=> {:a 1}
;;;;
(let [xf (comp (map :v) (filter some?) (map inc))] [(into [] xf [{:v 1} {} {:v 3}]) (transduce xf + 0 [{:v 1} {:v 2}]) (sequence xf [{:v 9}])])
;=> [[2 4] 5 (10)]
;;;;
(let [grade (fn [s] (condp <= s 90 "A" 80 "B" 70 "C" "F"))] (map grade [95 85 72 10]))
;=> ("A" "B" "C" "F")
;;;;
(defn f [x] x) #'f
;=> #'f
;;;;
(declare odd-n?)
(defn even-n? [n] (if (zero? n) true (odd-n? (dec n))))
(defn odd-n? [n] (if (zero? n) false (even-n? (dec n))))
[(even-n? 10) (odd-n? 7)]
;=> [true true]
;;;;
(defn summarize [& {:keys [rows key-fn] :or {key-fn identity}}] (frequencies (map key-fn rows)))
(summarize :rows [1 2 3 4] :key-fn even?)
;=> {false 2, true 2}
;;;;
(let [f (fn ([] 0) ([x] x) ([x y & zs] (apply + x y zs)))] [(f) (f 1) (f 1 2) (f 1 2 3 4)])
;=> [0 1 3 10]
;;;;
(clojure.walk/prewalk (fn [x] (if (and (map? x) (:drop x)) nil x)) {:a {:drop true} :b {:c 1}})
;=> {:a nil, :b {:c 1}}
;;;;
[(last [1 2 3]) (second [1 2]) (ffirst [[1]]) (nth [1 2] 1) (rest []) (next [1]) (first []) (empty? nil) (seq []) (not-empty [])]
;=> [3 2 1 2 () nil nil true nil nil]
;;;;
[(conj nil 1) (conj [] 1 2) (conj {} [:a 1]) (conj #{} 1) (cons 1 nil) (concat) (list) (vector) (hash-map) (set [1 1])]
;=> [(1) [1 2] {:a 1} #{1} (1) () () [] {} #{1}]
;;;;
(let [{:keys [a] :as opts} (merge {:a 1 :b 2} {:b 3})] [a opts])
;=> [1 {:a 1, :b 3}]
;;;;
(defn lookup [m & ks] (get-in m ks))
(lookup {:a {:b [10 20]}} :a :b 1)
;=> 20
;;;;
(let [m {:a [1 2 3]}] [(update m :a (partial map inc)) (update m :a #(reduce + %)) (update-in m [:a 0] + 10 20) (update m :b (fnil conj #{}) 1)])
;=> [{:a (2 3 4)} {:a 6} {:a [31 2 3]} {:a [1 2 3], :b #{1}}]
;;;;
(let [g (group-by (juxt even? #(> % 3)) (range 8))] [(get g [true true]) (g [false false]) (count g)])
;=> [[4 6] [1 3] 4]
;;;;
(let [rows [{:a 3 :b "x"} {:a 1 :b "z"} {:a 1 :b "y"}]] (->> rows (sort-by (juxt :a :b)) (map (juxt :a :b))))
;=> ([1 "y"] [1 "z"] [3 "x"])
;;;;
(reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} [[:a 1] [:b 2] [:a 3]])
;=> {:a 4, :b 2}
;;;;
(reduce (fn [[evens odds] x] (if (even? x) [(conj evens x) odds] [evens (conj odds x)])) [[] []] (range 6))
;=> [[0 2 4] [1 3 5]]
;;;;
(let [[small big] ((juxt filter remove) #(< % 3) (range 6))] {:small small :big big})
;=> {:small (0 1 2), :big (3 4 5)}
;;;;
(->> "hello world" (remove #{\space}) frequencies (filter (fn [[_ n]] (> n 1))) (map key) (apply str))
;=> "lo"
;;;;
(let [xs [1 2 2 3 3 3]] (->> xs frequencies (sort-by val >) first first))
;=> 3
;;;;
(reductions max [3 1 4 1 5])
;=> (3 3 4 4 5)
;;;;
(let [v [1 2 3 4 5]] [(nth v 2) (v 0) (get v 10 :none) (first (filter #(> % 2) v)) (some #(when (> % 2) %) v) (.indexOf v 3) (.contains v 3) (last v) (take-last 2 v) (drop-last v) (drop-last 2 v)])
;=> [3 1 :none 3 3 2 true 5 (4 5) (1 2 3 4) (1 2 3)]
;;;;
(let [xs (list 1 2 3)] [(conj xs 0) (cons 0 xs) (first xs) (peek xs) (pop xs) (reverse xs) (into () xs) (list? xs) (seq? (map inc xs)) (vector? xs)])
;=> [(0 1 2 3) (0 1 2 3) 1 1 (2 3) (3 2 1) (3 2 1) true true false]
;;;;
(let [ops {:add + :sub - :mul *}] (map (fn [[op a b]] ((ops op) a b)) [[:add 1 2] [:sub 5 3] [:mul 4 5]]))
;=> (3 2 20)
;;;;
(let [grid ["#.#" "..#"]] (for [[y row] (map-indexed vector grid) [x c] (map-indexed vector row) :when (= c \#)] [x y]))
;=> ([0 0] [2 0] [2 1])
;;;;
(let [xs [[:a 1] [:b 2]]] [(into {} xs) (map first xs) (map second xs) (apply concat xs) (flatten xs) (apply map vector xs) (mapv (fn [[k v]] {k v}) xs)])
;=> [{:a 1, :b 2} (:a :b) (1 2) (:a 1 :b 2) (:a 1 :b 2) ([:a :b] [1 2]) [{:a 1} {:b 2}]]
;;;;
(map (fn [{n :name [x y] :pos :or {n "?"}}] [n x y]) [{:name "a" :pos [1 2]} {:pos [3]}])
;=> (["a" 1 2] ["?" 3 nil])
;;;;
(let [f (fn [{:keys [a b] :or {a 1 b 2} :as m}] [a b m])] [(f {}) (f {:a nil}) (f nil) (f {:b 5 :c 6})])
;=> [[1 2 {}] [nil 2 {:a nil}] [1 2 nil] [1 5 {:b 5, :c 6}]]
;;;;
(let [{:keys [:a :x/b]} {:a 1 :x/b 2}] [a b])
;=> [1 2]
;;;;
(let [{a 0 b 1} [:zero :one]] [a b])
;=> [:zero :one]
;;;;
(if-let [x nil] :yes :no)
;=> :no
;;;;
(if-some [x false] [:got x] :no)
;=> [:got false]
;;;;
(when-let [{:keys [a]} {:a 1}] a)
;=> 1
;;;;
(case "b" "a" 1 ("b" "c") 2 :other)
;=> 2
;;;;
(case 5 (1 2 3) :low (4 5 6) :mid :high)
;=> :mid
;;;;
(case [1 2] [1 2] :match :no)
;=> :match
;;;;
(cond-> [] true (conj 1) (pos? 1) (conj 2) nil (conj 3))
;=> [1 2]
;;;;
(-> [1 2 3] (conj 4) rest first inc (->> (range 0)))
;=> (0 1 2)
;;;;
(let [r (->> [1 2 3] (map (fn [x] (if (odd? x) {:odd x} {:even x}))) (apply merge-with vector))] r)
;=> {:odd [1 3], :even 2}
;;;;
(into {} (map (fn [[k v]] [k (reduce + (map :v v))])) (group-by :t [{:t :a :v 1} {:t :a :v 3}]))
;=> {:a 4}
;;;;
(let [m {:a 1 :b 2}] [(map (fn [[k v]] [v k]) m) (zipmap (vals m) (keys m)) (clojure.set/map-invert m) (reduce-kv (fn [a k v] (+ a v)) 0 m) (filter (comp odd? val) m) (into {} (remove (comp odd? val) m)) (clojure.set/rename-keys m {:a :z})])
;=> [([1 :a] [2 :b]) {1 :a, 2 :b} {1 :a, 2 :b} 3 ([:a 1]) {:b 2} {:b 2, :z 1}]
;;;;
(let [xs [{:id 1} {:id 2}] m (into {} (map (juxt :id identity) xs))] (get-in m [2 :id]))
;=> 2
;;;;
(map (partial apply +) (partition 2 (range 6)))
;=> (1 5 9)
;;;;
(let [pages (partition-all 3 (range 7))] (map-indexed (fn [i p] {:page (inc i) :items (vec p)}) pages))
;=> ({:page 1, :items [0 1 2]} {:page 2, :items [3 4 5]} {:page 3, :items [6]})
;;;;
(take 3 (repeatedly (fn [] 1)))
;=> (1 1 1)
;;;;
(tree-seq map? (comp seq :kids) {:n 1 :kids [{:n 2}]})
;=> ({:n 1, :kids [{:n 2}]} {:n 2})
;;;;
(filter (every-pred number? pos?) [1 -1 nil "x" 2.5])
;=> (1 2.5)
;;;;
[(boolean nil) (true? 1) (false? false) (not nil) (and 1 nil 2) (or nil false 3) (and) (or)]
;=> [false false true true nil 3 true nil]
;;;;
(defn fact [n] (reduce *' (range 1 (inc n))))
(map fact [0 5 10 20])
;=> (1 120 3628800 2432902008176640000)
;;;;
(let [schema {:name string? :age int?} check (fn [m] (into {} (for [[k p] schema :when (not (p (k m)))] [k :invalid])))] [(check {:name "x" :age 1}) (check {:name 1 :age "x"})])
;=> [{} {:name :invalid, :age :invalid}]
;;;;
(let [a {:x 1 :y 2 :z 3} b {:x 1 :y 9 :w 0} ks (sort (distinct (concat (keys a) (keys b))))] (into (sorted-map) (for [k ks :let [va (get a k :none) vb (get b k :none)] :when (not= va vb)] [k [va vb]])))
;=> {:w [:none 0], :y [2 9], :z [3 :none]}
;;;;
(let [rle (fn [s] (mapcat (juxt count first) (partition-by identity s)))] (rle [1 1 2]))
;=> (2 1 1 2)
;;;;
(let [ranked (map-indexed #(assoc %2 :rank (inc %1)) (sort-by (comp - :s) [{:n :a :s 5} {:n :b :s 9}]))] (map (juxt :rank :n) ranked))
;=> ([1 :b] [2 :a])
;;;;
(def schema {:name string? :age (every-pred int? pos?) :tags (some-fn nil? (partial every? keyword?))})
(defn check [m] (reduce-kv (fn [errs k pred] (if (pred (get m k)) errs (conj errs k))) [] schema))
(map check [{:name "a" :age 1} {:name nil :age 0 :tags ["x"]} {:name "b" :age 2 :tags [:a :b]} {}])
;=> ([] [:name :age :tags] [] [:name :age])
;;;;
(let [xs [5 3 8 1]
      indexed (map-indexed vector xs)
      [min-i min-v] (apply min-key second indexed)
      swap (fn [v i j] (assoc v i (v j) j (v i)))
      bubble (fn [v] (reduce (fn [v i] (reduce (fn [v j] (if (> (v j) (v (inc j))) (swap v j (inc j)) v)) v (range (- (count v) i 1)))) v (range (count v))))]
  [min-i min-v (swap xs 0 3) (bubble xs) (keep-indexed (fn [i x] (when (> x 4) i)) xs) (.indexOf xs 8) (first (keep-indexed #(when (= %2 1) %1) xs)) (reduce (fn [m [i x]] (assoc m x i)) {} indexed) (zipmap xs (range)) (take-while pos? (map - xs (rest xs))) (map max xs (rest xs)) (subvec xs 1) (replace {5 :five} xs) (mapv #(if (even? %) :e :o) xs) (assoc xs 4 9) (update xs 0 inc) (vec (remove #{3} xs)) (into [] (comp (filter odd?) (map inc)) xs) (peek xs) (pop xs) (rseq xs) (contains? xs 3) (get xs 9 :none) (xs 0) (nth xs 1) (apply max xs) (sort-by - xs) (split-at 2 xs) (conj xs 7 6)])
;=> [3 1 [1 3 8 5] [1 3 5 8] (0 2) 2 3 {5 0, 3 1, 8 2, 1 3} {5 0, 3 1, 8 2, 1 3} (2) (5 8 8) [3 8 1] [:five 3 8 1] [:o :o :e :o] [5 3 8 1 9] [6 3 8 1] [5 8 1] [6 4 2] 1 [5 3 8] (1 8 3 5) true :none 5 3 8 (8 5 3 1) [(5 3) (8 1)] [5 3 8 1 7 6]]
;;;;
(defn process [items & {:keys [limit sort-key desc? where] :or {limit 10 sort-key :id where identity}}]
  (cond->> items
    where (filter where)
    true (sort-by sort-key)
    desc? reverse
    limit (take limit)
    :always (mapv #(select-keys % [:id :v]))))
(def items [{:id 3 :v 1} {:id 1 :v 5 :x 0} {:id 2 :v 3}])
[(process items) (process items :limit 1) (process items :sort-key :v :desc? true) (process items :where #(> (:v %) 2) :limit nil) (apply process items [:desc? true :limit 2])]
;=> [[{:id 1, :v 5} {:id 2, :v 3} {:id 3, :v 1}] [{:id 1, :v 5}] [{:id 1, :v 5} {:id 2, :v 3} {:id 3, :v 1}] [{:id 1, :v 5} {:id 2, :v 3}] [{:id 3, :v 1} {:id 2, :v 3}]]
;;;;
(defn paths-to [pred x] (cond (pred x) [[]] (map? x) (for [[k v] x p (paths-to pred v)] (cons k p)) (sequential? x) (for [[i v] (map-indexed vector x) p (paths-to pred v)] (cons i p)) :else nil))
(paths-to #(= 3 %) {:a [1 3 {:b 3}] :c 3 :d {:e [[3]]}})
;=> ((:a 1) (:a 2 :b) (:c) (:d :e 0 0))
;;;;
(let [f (fn [x & {:keys [a b] :or {a 1 b (inc a)} :as o}] [x a b o])
      g (fn [{:keys [x y] :or {y 9}}] (+ x y))
      h (fn [[a b :as v] {c :c} & [d]] [a b v c d])]
  [(f 0) (f 0 :a 5) (f 0 :b 2 :z 1) (g {:x 1}) (g {:x 1 :y 2}) (h [1 2 3] {:c 4}) (h nil nil 5) ((fn [& [x y :as all]] [x y all]) 1) ((fn [& xs] xs)) (apply (fn [a & b] [a b]) 1 [2 3]) (let [[a :as b] "hi"] [a b]) (let [{:keys [a/b c]} {:a/b 1 :c 2}] [b c]) (let [[[x]] [[5]]] x) (let [{[a] :k} {:k [7]}] a) (for [[a & b] [[1 2] [3]]] [a b]) (let [x 1 {:keys [x]} {:x 2}] x) (let [[a b] {:k :v}] [a b])])
;!> destructure_error
;;;;
(let [f (fn [x & {:keys [a b] :or {a 1 b 5} :as o}] [x a b o])
      g (fn [{:keys [x y] :or {y 9}}] (+ x y))
      h (fn [[a b :as v] {c :c} & [d]] [a b v c d])]
  [(f 0) (f 0 :a 5) (f 0 :b 2 :z 1) (g {:x 1}) (g {:x 1 :y 2}) (h [1 2 3] {:c 4}) (h nil nil 5) ((fn [& [x y :as all]] [x y all]) 1) ((fn [& xs] xs)) (apply (fn [a & b] [a b]) 1 [2 3]) (let [[a :as b] "hi"] [a b]) (let [{:keys [a/b c]} {:a/b 1 :c 2}] [b c]) (let [[[x]] [[5]]] x) (let [{[a] :k} {:k [7]}] a) (for [[a & b] [[1 2] [3]]] [a b]) (let [x 1 {:keys [x]} {:x 2}] x)])
;=> [[0 1 5 nil] [0 5 5 {:a 5}] [0 1 2 {:b 2, :z 1}] 10 3 [1 2 [1 2 3] 4 nil] [nil nil nil nil 5] [1 nil (1)] nil [1 (2 3)] ["h" "hi"] [1 2] 5 7 ([1 (2)] [3 nil]) 2]
;;;; a regex prints as it is written
#"a\\b\"c"
;=> #"a\\b\"c"
;;;; functions print opaquely
[(constantly 1) (some-fn :a)]
;=> [#<builtin> #<builtin>]
