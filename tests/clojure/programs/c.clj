;;;;
(require '[clojure.string :as s] '[clojure.set :as cset])
[(s/join "-" ["a" "b"]) (cset/union #{1} #{1}) (s/upper-case "x")]
;;;;
(ns report.core
  "Makes a report."
  (:require [clojure.string :as string]
            [clojure.walk :as w]
            [clojure.math :as m]))
[(string/trim " x ") (w/postwalk identity [1]) (m/sqrt 16) (m/round 2.5) (m/pow 2 3) (m/floor 2.7) (m/ceil 2.1)]
;;;;
(require '[clojure.string :refer [join split]])
(clojure.string/join "," (clojure.string/split "a b" #" "))
;;;;
(use 'clojure.set)
(clojure.set/difference #{1 2} #{2})
;;;;
(map math/cbrt [27 2.0 -8 0.001 1e300 1e-310 0.0])
;;;;
(let [{:keys [a] :as opts} (merge {:a 1 :b 2} {:b 3})] [a opts])
;;;;
(defn lookup [m & ks] (get-in m ks))
(lookup {:a {:b [10 20]}} :a :b 1)
;;;;
(let [m {:a [1 2 3]}] [(update m :a (partial map inc)) (update m :a #(reduce + %)) (update-in m [:a 0] + 10 20) (update m :b (fnil conj #{}) 1)])
;;;;
(let [g (group-by (juxt even? #(> % 3)) (range 8))] [(get g [true true]) (g [false false]) (count g)])
;;;;
(let [data [{:d "2024-01-15" :v 3} {:d "2024-02-01" :v 4} {:d "2024-01-20" :v 5}]]
  (->> data (group-by #(subs (:d %) 0 7)) (map (fn [[m rs]] {:month m :sum (reduce + (map :v rs))})) (sort-by :month)))
;;;;
(let [rows [{:a 3 :b "x"} {:a 1 :b "z"} {:a 1 :b "y"}]] (->> rows (sort-by (juxt :a :b)) (map (juxt :a :b))))
;;;;
(let [rows [{:a 3 :b "x"} {:a 1 :b "z"} {:a 2 :b "y"}]] (take 2 (sort-by :a > rows)))
;;;;
(let [rows [{:a 3} {:a 1}]] (reverse (sort-by :a rows)))
;;;;
(apply min-key #(Math/abs (- % 10)) [1 8 13 20])
;;;;
(reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} [[:a 1] [:b 2] [:a 3]])
;;;;
(reduce (fn [[evens odds] x] (if (even? x) [(conj evens x) odds] [evens (conj odds x)])) [[] []] (range 6))
;;;;
(let [[small big] ((juxt filter remove) #(< % 3) (range 6))] {:small small :big big})
;;;;
(let [sum (reduce + (vals {:a 1 :b 2})) n 2] (println "avg:" (/ sum n) "or" (float (/ sum n)) (double 1)))
;;;;
(println (map inc [1 2]) (filter odd? [1 2 3]) (range 3) (list 1 "a") (seq [1]) (rest [1 2]) (vec (range 2)))
;;;;
(println (str (vec (map inc [1 2]))) (str {:a [1 "b"]}) (pr-str "q\"uote\n") (str :k) (str nil) nil)
;;;;
(println "Total:" 12.50 "Rate:" 1e-3 "Big:" 1234567890123 "Neg:" -0.5 "Sci:" 1.5e10)
;;;;
(println (format "|%5s|%-5s|%05d|%+.2f|%x|%,d|%%|%c|%b|%10.3e|" "ab" "cd" 42 3.14159 255 1234567 \z true 12345.678))
;;;;
(doseq [[i line] (map-indexed vector ["a" "b"])] (println (str (inc i) ":") line))
;;;;
(doseq [{:keys [dept people]} [{:dept :eng :people ["a" "b"]} {:dept :ops :people []}]
        p people]
  (println (name dept) p))
;;;;
(let [out (for [i (range 1 4)] (apply str (repeat i "*")))] (doseq [l out] (println l)) (count out))
;;;;
(defn bar [n] (apply str (repeat n \#)))
(doseq [[k v] (sort-by val > {:a 3 :b 5})] (println (format "%-3s %s (%d)" (name k) (bar v) v)))
;;;;
(let [s "The rain in Spain"] {:words (clojure.string/split s #"\s+") :caps (re-seq #"[A-Z]\w*" s) :rev (clojure.string/join " " (reverse (clojure.string/split s #" "))) :acronym (apply str (map first (clojure.string/split s #" "))) :title (clojure.string/join " " (map clojure.string/capitalize (clojure.string/split s #" ")))})
;;;;
(let [email? #(boolean (re-matches #"[\w.+-]+@[\w-]+\.[a-z]{2,}" %))] (map email? ["a@b.co" "bad" "x.y+z@q-r.org"]))
;;;;
(let [kv (re-seq #"(\w+)=(\w+)" "a=1;b=2;c=x")] (into {} (map (fn [[_ k v]] [(keyword k) v]) kv)))
;;;;
(->> "hello world" (remove #{\space}) frequencies (filter (fn [[_ n]] (> n 1))) (map key) (apply str))
;;;;
(->> "hello" (map int) (map #(- % 96)) (reduce +))
;;;;
(apply str (map char [72 105]))
;;;;
(map #(Character/toUpperCase %) "abc")
;;;;
(let [s "abcdef"] [(apply str (take 3 s)) (apply str (partition-all 2 s)) (map #(apply str %) (partition 2 s)) (subs s 2) (.substring s 1) (clojure.string/join (reverse s))])
;;;;
(defn luhn? [s] (let [ds (map #(Character/digit % 10) (reverse s)) f (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d))] (zero? (mod (reduce + (map-indexed f ds)) 10))))
[(luhn? "79927398713") (luhn? "79927398710")]
;;;;
(defn digits [n] (map #(Character/getNumericValue %) (str n)))
[(digits 1234) (reduce + (digits 999)) (reduce #(+ (* 10 %1) %2) (digits 42))]
;;;;
(defn to-binary [n] (loop [n n acc ()] (if (zero? n) (apply str acc) (recur (quot n 2) (cons (rem n 2) acc)))))
[(to-binary 10) (Integer/toBinaryString 10) (Long/parseLong "1010" 2)]
;;;;
(let [xs [4 8 15 16 23 42] n (count xs) mean (/ (reduce + xs) n) var (/ (reduce + (map #(* (- % mean) (- % mean)) xs)) (dec n))]
  {:n n :mean mean :sd (format "%.4f" (Math/sqrt var)) :range (- (apply max xs) (apply min xs))})
;;;;
(let [xs [1 2 2 3 3 3]] (->> xs frequencies (sort-by val >) first first))
;;;;
(let [xs [10 20 30] ws [0.2 0.3 0.5]] (reduce + (map * xs ws)))
;;;;
(let [prices [100 110 99 120]] (map (fn [[a b]] (format "%.1f%%" (* 100.0 (/ (- b a) a)))) (partition 2 1 prices)))
;;;;
(reductions (fn [bal {:keys [type amt]}] (if (= type :in) (+ bal amt) (- bal amt))) 0 [{:type :in :amt 10} {:type :out :amt 3}])
;;;;
(reductions max [3 1 4 1 5])
;;;;
(let [v [1 2 3 4 5]] [(nth v 2) (v 0) (get v 10 :none) (first (filter #(> % 2) v)) (some #(when (> % 2) %) v) (.indexOf v 3) (.contains v 3) (last v) (take-last 2 v) (drop-last v) (drop-last 2 v)])
;;;;
(let [m {:a 1}] [(:a m) (m :a) (get m :a) (:b m 0) (find m :a) (contains? m :b) (assoc m :b 2) (key (first m)) (val (first m)) (keys m) (empty? m) (not-empty {})])
;;;;
(let [s #{:a :b}] [(s :a) (:a s) (contains? s :c) (count s) (conj s :a) (disj s :a) (get s :z :none)])
;;;;
(let [xs (list 1 2 3)] [(conj xs 0) (cons 0 xs) (first xs) (peek xs) (pop xs) (reverse xs) (into () xs) (list? xs) (seq? (map inc xs)) (vector? xs)])
;;;;
[(vec '(1 2)) (into [] '(1 2)) (into '() [1 2]) (into #{} [1 1]) (seq {:a 1}) (set "aab") (apply vector 1 [2]) (list* 1 2 [3 4]) (concat [1] '(2) #{3}) (vec {:a 1})]
;;;;
'(1 "two" :three (4 5) [6] {:k (7)} nil true)
;;;;
(let [ops {:add + :sub - :mul *}] (map (fn [[op a b]] ((ops op) a b)) [[:add 1 2] [:sub 5 3] [:mul 4 5]]))
;;;;
(defn rpn [tokens] (first (reduce (fn [st t] (if (number? t) (conj st t) (let [[b a & r] st] (conj r (t a b))))) '() tokens)))
(rpn [3 4 + 2 *])
;;;;
(defn tokenize [s] (map (fn [t] (if (re-matches #"-?\d+" t) (parse-long t) (keyword t))) (re-seq #"-?\d+|[a-z]+|[-+*/]" s)))
(tokenize "12 foo + 3")
;;;;
(let [board (vec (repeat 3 (vec (repeat 3 0))))] (-> board (assoc-in [1 1] :x) (update-in [0 0] inc)))
;;;;
(for [y (range 2)] (apply str (for [x (range 3)] (if (= x y) \# \.))))
;;;;
(let [grid ["#.#" "..#"]] (for [[y row] (map-indexed vector grid) [x c] (map-indexed vector row) :when (= c \#)] [x y]))
;;;;
(let [graph {:a {:b 1 :c 4} :b {:c 2 :d 5} :c {:d 1} :d {}}]
  (loop [dist {:a 0} seen #{}]
    (let [cands (remove (fn [[n _]] (seen n)) dist)]
      (if (empty? cands) (into (sorted-map) dist)
        (let [[n d] (apply min-key val cands)]
          (recur (reduce (fn [m [k w]] (update m k (fnil min Integer/MAX_VALUE) (+ d w))) dist (graph n)) (conj seen n)))))))
;;;;
(let [fib (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1]))] (take 10 fib))
;;;;
(let [tri (take 5 (iterate (fn [row] (mapv + (cons 0 row) (conj row 0))) [1]))] tri)
;;;;
(let [sieve (fn [n] (loop [cs (range 2 n) ps []] (if-let [p (first cs)] (recur (remove #(zero? (rem % p)) (rest cs)) (conj ps p)) ps)))] (sieve 30))
;;;;
(defn hanoi [n a b c] (if (zero? n) [] (concat (hanoi (dec n) a c b) [[a c]] (hanoi (dec n) b a c))))
[(count (hanoi 5 :a :b :c)) (hanoi 2 :a :b :c)]
;;;;
(let [memo (memoize (fn [x] (println "computing" x) (* x x)))] [(memo 3) (memo 3) (memo 4)])
;;;;
(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))))
(fib 40)
;;;;
(let [compose2 (fn [f g] #(f (g %)))] ((compose2 inc #(* 2 %)) 5))
;;;;
(let [xs [[:a 1] [:b 2]]] [(into {} xs) (map first xs) (map second xs) (apply concat xs) (flatten xs) (apply map vector xs) (mapv (fn [[k v]] {k v}) xs)])
;;;;
(map (fn [{n :name [x y] :pos :or {n "?"}}] [n x y]) [{:name "a" :pos [1 2]} {:pos [3]}])
;;;;
(let [f (fn [{:keys [a b] :or {a 1 b 2} :as m}] [a b m])] [(f {}) (f {:a nil}) (f nil) (f {:b 5 :c 6})])
;;;;
(let [{:keys [:a :x/b]} {:a 1 :x/b 2}] [a b])
;;;;
(let [{a 0 b 1} [:zero :one]] [a b])
;;;;
(if-let [x nil] :yes :no)
;;;;
(if-some [x false] [:got x] :no)
;;;;
(when-let [{:keys [a]} {:a 1}] a)
;;;;
(case "b" "a" 1 ("b" "c") 2 :other)
;;;;
(case 5 (1 2 3) :low (4 5 6) :mid :high)
;;;;
(case [1 2] [1 2] :match :no)
;;;;
(try (case :z :a 1) (catch IllegalArgumentException e :no-match) (finally (println "f")))
;;;;
(cond-> [] true (conj 1) (pos? 1) (conj 2) nil (conj 3))
;;;;
(as-> {:a 1} m (assoc m :b 2) (update m :a inc) (vals m) (apply + m))
;;;;
(-> [1 2 3] (conj 4) rest first inc (->> (range 0)))
;;;;
(some-> {:a {:b nil}} :a :b inc)
;;;;
(doto {:a 1} (println "debug"))
;;;;
(let [r (->> [1 2 3] (map (fn [x] (if (odd? x) {:odd x} {:even x}))) (apply merge-with vector))] r)
;;;;
(let [m1 {:a {:x 1}} m2 {:a {:y 2}}] [(merge m1 m2) (merge-with merge m1 m2) (merge-with into {:a [1]} {:a [2]}) (merge-with (fn [a b] (max a b)) {:a 1 :b 5} {:a 3})])
;;;;
(update-vals (group-by :t [{:t :a :v 1} {:t :b :v 2} {:t :a :v 3}]) #(map :v %))
;;;;
(into {} (map (fn [[k v]] [k (reduce + (map :v v))])) (group-by :t [{:t :a :v 1} {:t :a :v 3}]))
;;;;
(let [m {:a 1 :b 2}] [(map (fn [[k v]] [v k]) m) (zipmap (vals m) (keys m)) (clojure.set/map-invert m) (reduce-kv (fn [a k v] (+ a v)) 0 m) (filter (comp odd? val) m) (into {} (remove (comp odd? val) m)) (clojure.set/rename-keys m {:a :z})])
;;;;
(mapv #(select-keys % [:id :n]) [{:id 1 :n "a" :x 0} {:id 2}])
;;;;
(let [xs [{:id 1} {:id 2}] m (into {} (map (juxt :id identity) xs))] (get-in m [2 :id]))
;;;;
(partition-all 2 (range 5))
;;;;
(partition 2 3 (range 8))
;;;;
(map (partial apply +) (partition 2 (range 6)))
;;;;
(let [pages (partition-all 3 (range 7))] (map-indexed (fn [i p] {:page (inc i) :items (vec p)}) pages))
;;;;
(split-with #(not= % :sep) [1 2 :sep 3])
;;;;
(interpose :sep [1 2 3])
;;;;
(take 7 (cycle [:r :g :b]))
;;;;
(take 3 (repeatedly (fn [] 1)))
;;;;
(repeat 3 "x")
;;;;
(range 10 0 -3)
;;;;
(range 0 1 0.25)
;;;;
(tree-seq map? (comp seq :kids) {:n 1 :kids [{:n 2}]})
;;;;
(mapcat reverse [[1 2] [3 4]])
;;;;
(filter (every-pred number? pos?) [1 -1 nil "x" 2.5])
;;;;
(keep #(get {:a 1 :b 2} %) [:a :z :b])
;;;;
(remove (set [1 2]) [1 2 3 4])
;;;;
(not= 1 2)
;;;;
[(= [1 2] '(1 2)) (= #{1 2} #{2 1}) (= {:a 1} {:a 1}) (= 1 1 1) (< 1 2 3) (= nil false) (= "a" "a") (identical? :a :a) (= 1.0 1)]
;;;;
[(compare "a" "b") (compare [1 2] [1 3]) (compare nil 1) (compare :a :b) (sort ["b" "A" "a"]) (sort [[2 1] [1 2]]) (sort [nil 3 1]) (sort [:b :a])]
;;;;
[(max 1 2 3) (apply max [1 2]) (reduce max [4 9]) (min 1.5 2) (+ 1 2.0) (* 2 0.5) (- 5) (/ 6 3) (/ 1 2.0) (+) (*) (inc 1)]
;;;;
[(bit-and 12 10) (bit-or 12 10) (bit-xor 12 10) (bit-shift-left 1 5) (bit-not 5)]
;;;;
[(boolean nil) (true? 1) (false? false) (not nil) (and 1 nil 2) (or nil false 3) (and) (or)]
;;;;
(defn fact [n] (reduce *' (range 1 (inc n))))
(map fact [0 5 10 20])
;;;;
(try (reduce * (range 1 30)) (catch ArithmeticException e "overflow"))
;;;;
(defn make-account [balance] {:balance balance :history []})
(defn deposit [acc amt] (-> acc (update :balance + amt) (update :history conj [:deposit amt])))
(defn withdraw [{:keys [balance] :as acc} amt]
  (if (< balance amt) (throw (ex-info "Insufficient funds" {:balance balance :amt amt})) (-> acc (update :balance - amt) (update :history conj [:withdraw amt]))))
(let [acc (-> (make-account 100) (deposit 50) (withdraw 30))]
  [(:balance acc) (:history acc) (try (withdraw acc 1000) (catch clojure.lang.ExceptionInfo e (ex-data e)))])
;;;;
(defn retry [n f] (loop [i 1] (let [r (try {:ok (f i)} (catch Exception e {:err (ex-message e)}))] (if (or (:ok r) (= i n)) (assoc r :tries i) (recur (inc i))))))
[(retry 3 (fn [i] (if (< i 2) (throw (ex-info "no" {})) :done))) (retry 2 (fn [_] (throw (ex-info "never" {}))))]
;;;;
(let [schema {:name string? :age int?} check (fn [m] (into {} (for [[k p] schema :when (not (p (k m)))] [k :invalid])))] [(check {:name "x" :age 1}) (check {:name 1 :age "x"})])
;;;;
(defn to-query [m] (clojure.string/join "&" (for [[k v] (sort m)] (str (name k) "=" (clojure.string/replace (str v) " " "+")))))
(to-query {:q "a b" :page 2})
;;;;
(defn template [s m] (clojure.string/replace s #"\{(\w+)\}" (fn [[_ k]] (str (get m (keyword k) "")))))
(template "Hi {name}, you owe {amt}{x}" {:name "Al" :amt 5})
;;;;
(defn camel->kebab [s] (clojure.string/lower-case (clojure.string/replace s #"([a-z])([A-Z])" "$1-$2")))
(map camel->kebab ["fooBar" "aBcDe"])
;;;;
(defn wrap [s n] (loop [[w & ws] (clojure.string/split s #" ") line "" out []] (cond (nil? w) (conj out line) (empty? line) (recur ws w out) (<= (+ (count line) 1 (count w)) n) (recur ws (str line " " w) out) :else (recur ws w (conj out line)))))
(wrap "the quick brown fox jumps over" 10)
;;;;
(let [v1 [1 2 3] v2 [4 5 6]] (/ (reduce + (map * v1 v2)) (* (Math/sqrt (reduce + (map #(* % %) v1))) (Math/sqrt (reduce + (map #(* % %) v2))))))
;;;;
(let [a {:x 1 :y 2 :z 3} b {:x 1 :y 9 :w 0} ks (sort (distinct (concat (keys a) (keys b))))] (into (sorted-map) (for [k ks :let [va (get a k :none) vb (get b k :none)] :when (not= va vb)] [k [va vb]])))
;;;;
(let [intervals [[1 3] [2 6] [8 10] [9 12]]] (reduce (fn [acc [s e]] (let [[ls le] (peek acc)] (if (and le (<= s le)) (conj (pop acc) [ls (max le e)]) (conj acc [s e])))) [] (sort intervals)))
;;;;
(let [rle (fn [s] (mapcat (juxt count first) (partition-by identity s)))] (rle [1 1 2]))
;;;;
(let [ranked (map-indexed #(assoc %2 :rank (inc %1)) (sort-by (comp - :s) [{:n :a :s 5} {:n :b :s 9}]))] (map (juxt :rank :n) ranked))
;;;;
(let [q (conj (vec (rest [1 2 3])) 4)] q)
