;;;; catch by class
(defn classify [f]
  (try
    (f)
    (catch ArithmeticException e :arithmetic)
    (catch NumberFormatException e :number-format)
    (catch NullPointerException e :null)
    (catch ClassCastException e :cast)
    (catch IndexOutOfBoundsException e :index)
    (catch IllegalStateException e :state)
    (catch IllegalArgumentException e :argument)
    (catch clojure.lang.ExceptionInfo e [:info (ex-message e) (ex-data e)])
    (catch RuntimeException e :runtime)
    (catch Exception e :exception)
    (catch AssertionError e :assertion)
    (catch Throwable t :throwable)))
(mapv classify
  [#(/ 1 0) #(Integer/parseInt "x1") #(Long/parseLong "") #(Double/parseDouble "1.2.3") #(+ 1 nil) #(inc "a")
   #(nth [1 2] 0) #([1 2] 5) #(throw (ex-info "bad" {:code 1})) #(throw (ex-info "empty" {})) #(throw (RuntimeException. "r"))
   #(throw (Exception. "e")) #(throw (IllegalStateException. "s")) #(throw (IllegalArgumentException. "a")) #(assert (= 1 2)) #(throw (Error. "x"))
   #(throw (UnsupportedOperationException. "u")) #(throw (Throwable. "t")) #((fn [x] x)) #(mod 5 0) #(throw (NumberFormatException. "n")) #(throw (AssertionError. "m")) #(:ok {:ok 1})])
;;;; validation errors info first
(defn parse-age [s]
  (let [n (try (Integer/parseInt s) (catch NumberFormatException e (throw (ex-info "not a number" {:input s}))))]
    (if (neg? n) (throw (IllegalArgumentException. (str "negative: " n))) n)))
(defn safe [s]
  (try {:ok (parse-age s)}
    (catch clojure.lang.ExceptionInfo e {:error (.getMessage e) :data (ex-data e)})
    (catch IllegalArgumentException e {:error (ex-message e) :data (ex-data e)})
    (finally nil)))
(map safe ["42" "abc" "-3"])
;;;; retry
(defn flaky [n] (cond (< n 2) (throw (IllegalStateException. (str "try " n))) (= n 2) (throw (ex-info "almost" {:n n})) :else (* n 100)))
(loop [n 0 log []]
  (let [[status v] (try [:ok (flaky n)]
                        (catch clojure.lang.ExceptionInfo e [:info (:n (ex-data e))])
                        (catch Exception e [:err (.getMessage e)]))]
    (if (= status :ok) {:result v :log log} (recur (inc n) (conj log [status v])))))
;;;; ex-data of plain
(mapv (fn [f] (try (f) (catch Exception e {:msg (ex-message e) :data (ex-data e) :info? (some? (ex-data e))})))
      [#(throw (Exception. "plain")) #(throw (ex-info "rich" {:a 1})) #(throw (RuntimeException. "rt")) #(throw (IllegalArgumentException. "ia"))])
;;;; finally order
(defn work [x] (try (println "start" x) (when (odd? x) (throw (ex-info "odd!" {:x x}))) (println "ok" x) :ok (catch Exception e (println "caught" (ex-message e)) :failed) (finally (println "end" x))))
(mapv work [1 2])
;;;; nested rethrow
(try
  (try (throw (IllegalArgumentException. "inner"))
       (catch IllegalArgumentException e (println "again") (throw e))
       (finally (println "cleanup")))
  (catch Exception e (str "outer " (.getMessage e))))
;;;; cause chain
(let [e (try (try (/ 1 0) (catch ArithmeticException e (throw (ex-info "calc failed" {:op :div} e)))) (catch Exception e e))]
  [(ex-message e) (ex-data e) (ex-message (ex-cause e)) (some? (.getCause e)) (.getMessage (.getCause e))])
;;;; queue sim
(import '(clojure.lang PersistentQueue))
(defn hot-potato [names n]
  (loop [q (into PersistentQueue/EMPTY names) i 1 out []]
    (cond (= 1 (count q)) {:winner (peek q) :out out}
          (= i n) (recur (pop q) 1 (conj out (peek q)))
          :else (recur (conj (pop q) (peek q)) (inc i) out))))
(hot-potato ["a" "b" "c" "d" "e"] 3)
;;;; queue bfs grid
(def grid ["S.#" "..#" "#.E"])
(def cells (into {} (for [[y row] (map-indexed vector grid) [x c] (map-indexed vector row)] [[x y] c])))
(defn locate [ch] (some (fn [[p c]] (when (= c ch) p)) cells))
(defn bfs []
  (loop [q (conj clojure.lang.PersistentQueue/EMPTY [(locate \S) 0]) seen #{(locate \S)}]
    (when-let [[[x y :as p] d] (peek q)]
      (if (= \E (cells p)) d
        (let [ns (for [[dx dy] [[0 1] [1 0] [0 -1] [-1 0]] :let [n [(+ x dx) (+ y dy)]] :when (and (contains? cells n) (not= \# (cells n)) (not (seen n)))] n)]
          (recur (into (pop q) (map #(vector % (inc d)) ns)) (into seen ns)))))))
(bfs)
;;;; queue ops
(let [q (reduce conj clojure.lang.PersistentQueue/EMPTY (range 5)) q2 (-> q pop pop (conj :x))]
  [(vec q) (peek q2) (seq q2) (count q2) (empty? q2) (map inc (pop q)) (first q) (into [] (rest q)) (peek (pop (pop (pop (pop (pop q)))))) (= q [0 1 2 3 4]) (reduce + q) (some #{3} q) (last q) (nil? (seq (pop (conj clojure.lang.PersistentQueue/EMPTY 1))))])
;;;; double of division
(let [xs [3 5 9] n (count xs)]
  {:mean (double (/ (reduce + xs) n)) :pct (for [x xs] (* 100.0 (/ x (reduce + xs)))) :var (/ (reduce + (map #(Math/pow (- % (/ 17.0 3)) 2) xs)) n)
   :sd (Math/sqrt (/ 56 9)) :half (double (/ 7 2)) :third (double (/ 1 3)) :whole (double (/ 6 3)) :neg (double (/ -22 7)) :large (double (/ 123456789 1000)) :inv (* 1.0 (/ 1 7)) :round (/ (Math/round (* 10.0 (/ 22 7))) 10.0) :sub (- 1.0 (/ 5 9)) :div (/ (/ 10 3) 2.0) :pow (Math/pow (/ 4 3) 2) :str (str (double (/ 100 7)))})
;;;; type hints
(defn ^:private hyp ^double [^double a ^double b] (Math/sqrt (+ (* a a) (* b b))))
(def ^:const max-n 10)
(def ^{:doc "limit" :dynamic false} limit 5)
(defn clamp [^long x] (cond (< x 0) 0 (> x max-n) max-n :else x))
[(hyp 3 4) (map clamp [-5 5 50]) limit (let [^String s "abc"] (.length s)) (#(.toUpperCase ^String %) "x")]
;;;; interop strings
(let [s "Hello, World"]
  [(.toUpperCase s) (.substring s 7) (.substring s 0 5) (.indexOf s "World") (.indexOf s "zzz") (.contains s "lo,") (.startsWith s "He") (.endsWith s "ld") (.replace s "l" "L") (.length s) (.charAt s 4) (.trim "  x ") (.isEmpty "") (vec (.split s ", ")) (.concat "a" "b") (.equals "a" "a") (.equalsIgnoreCase "Ab" "aB") (.compareTo "a" "b") (.lastIndexOf s "o") (.toString 12) (.repeat "ab" 3) (.isBlank " ") (.strip " a ") (String/valueOf 5) (.hashCode "ab") (String/join "-" ["a" "b"]) (.matches "abc" "[a-c]+") (.replaceAll "a1b2" "\\d" "#")])
;;;; interop numbers
[(Integer/valueOf 5) (Integer. "12") (Long. "7") (Double. "2.5") (Long/valueOf "8") (.intValue 3.7) (.doubleValue 3) (.longValue 9) (Integer/compare 1 2) (Long/compare 5 5) (Double/compare 1.5 0.5) (Integer/sum 1 2) (Long/max 3 4) (Integer/signum -5) (Math/signum -2.5) (Math/hypot 3 4) (Math/toDegrees Math/PI) (Math/log10 1000) (Math/log Math/E) (Math/cbrt 27) (Math/exp 0) (Math/floorMod -1 5) (Double/valueOf "3.25") (Boolean/parseBoolean "TRUE") (Boolean/valueOf "x") (Math/sin 0) (Math/atan2 1 1) (Double/toString 1.0) (Long/toHexString 255) (Integer/toBinaryString 5) (Integer/bitCount 255) (Long/numberOfTrailingZeros 8) (Math/addExact 1 2)]
;;;; partition idioms
[(partition-all 2 [1 2 3]) (map vec (partition 2 1 [1 2 3])) (partition 2 2 [0] [1 2 3]) (partition 3 1 (range 5)) (partition-by even? [1 3 2 4 5]) (split-with #(< % 3) [1 2 3 1]) (take-last 2 [1 2 3]) (drop-last [1 2]) (butlast [1 2 3]) (nthrest [1 2 3] 1) (nthnext [1] 1) (take-nth 2 (range 6)) (keep-indexed #(when (odd? %1) %2) [:a :b :c :d]) (map-indexed vector "ab") (distinct [1 1 2 1]) (dedupe [1 1 2 1]) (interleave [1 2] [3 4] [5 6]) (flatten [1 [2 [3 nil]] '(4)]) (mapcat reverse [[1 2] [3]]) (group-by odd? (range 5)) (reductions conj [] [1 2]) (reduce (fn [a x] (if (> a 5) (reduced a) (+ a x))) (range 100)) (some even? [1 3]) (not-empty []) (not-empty [1]) (cons 0 [1]) (conj [1] 2 3) (conj '(1) 2 3) (concat [1] nil [2])]
;;;; list vs vector printing
[(map inc [1 2]) (mapv inc [1 2]) (vec (map inc [1])) (list 1 2) (seq [1 2]) (rest [1 2]) (filter odd? [1]) (range 3) (reverse [1 2]) (sort [2 1]) (keys {:a 1}) (vals {:a 1}) (concat [1] [2]) (conj (map inc [1]) 0) (conj [1] 0) (into () [1 2]) (into [] '(1 2)) (cons 1 nil) (take 2 [1 2 3]) (first {:a 1}) (seq {:a 1}) (seq "ab") (seq []) (rest []) (next [1]) (repeat 2 :x) (interpose 0 [1 2]) (apply list [1]) (sort-by - [1 2]) (subvec [1 2 3] 1) (split-at 1 [1 2]) (group-by even? [1 2]) (partition 2 [1 2 3 4]) (zipmap [:a] [1]) (frequencies [1 1]) (str (list)) (pr-str '()) (vector 1 2) (set [1]) (hash-map) (sorted-set) (list)]
;;;; str of things no ratio
[(str 1.0) (str 1e3) (str 1e7) (str 123456.789) (str 0.1) (str -0.0) (str [1.5 "a" nil :k]) (str {:a nil}) (str #{}) (str nil) (str true) (str \a "b") (str :a/b) (pr-str "a\nb\t\"c\\") (pr-str :k nil 1.5) (pr-str {"k" [1]}) (print-str "a" 1) (str 100000000000) (str 1.23456789012345678) (str (/ 1.0 3)) (str 1e100) (str 12345678.0) (str 1.0E-4) (str 0.001) (str 1234567.0) (str 4.35) (str 2.675) (* 3 1.1) (+ 0.7 0.1) (/ 22 7.0)]
;;;; format rounding
(map #(format "%.2f" %) [0.125 0.135 2.675 1.005 -0.125 0.5 1e10 123.456 0.005 0.015 0.025 99.995 -1.5])
;;;; format zero digits
[(format "%.0f" 0.5) (format "%.0f" 1.5) (format "%.0f" 2.5) (format "%.1f" 0.25) (format "%.1f" 0.35) (format "%5.1f|" 3.14159) (format "%-8.3f|" 3.14159) (format "%+.2f" 1.0) (format "%e" 0.00012345) (format "%.2e" 123456.0) (format "%g" 0.0001) (format "%,d" 1234567890) (format "%,d" -1234) (format "%08d" 42) (format "%+d" 5) (format "%x" 255) (format "%X" 255) (format "%#x" 255) (format "%o" 8) (format "%c" \a) (format "%b" nil) (format "%s" [1 2]) (format "%s" {:a 1}) (format "%10s|" :kw) (format "%-10s|" "ab") (format "%s" nil) (format "%d items" 3) (format "%2$s %1$s" "a" "b") (format "%5d%%" 50) (format "%03d" 7) (format "%s" 1e10) (format "%.3f" 1e-5) (format "%f" 1.5) (format "%,.3f" 9876543.21)]
;;;; keyword fns
[(name :foo/bar) (namespace :foo/bar) (keyword "foo" "bar") (keyword "x y") (keyword? :a) (map name [:a :b]) (sort (map name [:b :a])) (into {} (map (fn [[k v]] [(keyword k) v])) {"a" 1}) (reduce-kv (fn [m k v] (assoc m (name k) v)) {} {:a 1}) (str (name :x) "-" 1) (= :a (keyword "a")) (compare :a :b) (get {:a {:b 1}} :a) ((juxt :a :b) {:a 1 :b 2}) (mapv :a [{:a 1} nil {}]) (:a nil) (:a nil 1) (get nil :a) (get [1 2] 1) (get "ab" 1) (get #{:a} :a) (find {:a 1} :a) (contains? {:a nil} :a) (some? (:a {:a false})) (select-keys {:a 1 :b 2} [:a :z]) (keys {}) (vals nil) (merge {:a 1} nil {:b 2}) (merge nil nil) (dissoc {:a 1} :a :b) (assoc nil :a 1) (update {} :a (fnil inc 0)) (update-in {} [:a :b] (fnil conj []) 1) (get-in {:a [1 {:b 2}]} [:a 1 :b]) (get-in {} [:x] :d) (assoc-in {} [:a 0] 1)]
;;;; map printing order small
(def m {:z 1 :a 2 :m 3})
[(keys m) (vals m) (map (fn [[k v]] (str k v)) m) (assoc m :b 9) (into {} (map (fn [[k v]] [v k])) m) (reduce-kv (fn [acc k v] (conj acc [k v])) [] m) (zipmap (keys m) (map inc (vals m))) (merge m {:a 0 :c 7}) (dissoc m :z) (select-keys m [:m :z]) (str m) (seq m) (first m) (last m) (update-vals m str) (update-keys m name) (apply concat m) (mapcat identity m) (sort m) (sort-by val m) (apply max-key val m) (filter (fn [[_ v]] (> v 1)) m) (into (sorted-map) m) (frequencies (vals m)) (group-by val m) (count m) (empty m)]
;;;; instance checks
[(instance? String "a") (instance? Long 1) (instance? Number 1.5) (instance? clojure.lang.Keyword :a) (instance? java.util.Map {})]
;;;; threading mix
(-> {:items [{:n "a" :p 10 :q 2} {:n "b" :p 5 :q 0}]}
    (update :items (partial filterv (comp pos? :q)))
    (as-> o (assoc o :total (->> o :items (map #(* (:p %) (:q %))) (reduce +))))
    (cond-> true (assoc :checked true))
    (doto (-> :total println))
    ((juxt :total :checked (comp count :items))))
;;;; anonymous in threading
[(->> [1 2 3] (map #(* % %)) (#(reduce + %)) (- 20)) (-> 3 ((fn [x] (* x 2))) (- 1)) (->> (range 10) (filter #(and (odd? %) (> % 3))) (mapv (fn [x] {:x x}))) (-> "a,b" (clojure.string/split #",") (->> (map keyword))) (some->> nil (map inc)) (->> {:a 1 :b 2} (map (fn [[k v]] [k (inc v)])) (into {})) (-> [] (conj 1) (conj 2) seq) (->> "hello" (map int) (apply max)) (-> 10 (/ 4) double) (->> [3 1 2] sort reverse (take 2) vec)]
;;;; vec functions
[(vec nil) (vec {:a 1}) (vector) (vec (range 3)) (assoc [] 0 :a) (subvec [1 2 3 4] 1 3) (mapv vector [1 2] [3 4]) (into [1] [2]) (pop [1 2]) (peek []) (rseq [1 2]) (nth [1 2] 1) (get [1 2] 5) (get [1 2] 5 :d) (contains? [1 2] 1) (.indexOf [:a :b] :b) (replace {1 :one} [1 2]) (update [1 2] 1 + 5) (reduce-kv (fn [a i v] (+ a (* i v))) 0 [1 2 3]) (vec (repeat 2 [])) (vec (for [i (range 2)] (vec (range i)))) (filterv even? [1 2]) (last [1 2]) (count [nil]) (empty? []) (seq []) (every? pos? []) (some nil? [nil]) (compare [1 2] [1 3]) (= [1 2] '(1 2)) (sort-by second [[1 2] [2 1]]) (apply max [1 2]) (map first [[1] [2]]) (first (sort > [1 3 2]))]
;;;; numbers misc small
[(even? 0) (pos? 0) (zero? 0.0) (neg? -0.5) (number? 1) (integer? 1) (float? 1.0) (int? 1) (rational? 1) (== 1 1.0) (= 1 1.0) (not= 1 2) (< 1 2 3) (<= 1 1 2) (> 3 2 2) (compare 1 2) (max 1 2 3) (min 1.5 1) (abs -5) (+) (*) (- 5) (inc 1.5) (dec 0) (rem 5 3) (mod -5 3) (quot 5 3) (Math/pow 2 0.5) (int 5.9) (long 5.1) (double 5) (num 5) (short 5) (byte 5) (unchecked-add 1 2) (unchecked-inc 5) (bit-and 5 3) 0x1F 2r101 1e3 017 36rZ (+ 1 2.0) (* 2 0.5) (/ 9 3) (/ 9.0 2) (- 0.1 0.3)]
;;;; when-let chains
(defn find-user [id] (get {1 {:name "A" :mgr 2} 2 {:name "B"}} id))
[(when-let [u (find-user 1)] (when-let [m (find-user (:mgr u))] (:name m))) (if-let [u (find-user 9)] u :none) (some-> (find-user 1) :mgr find-user :name) (if-some [m (:mgr (find-user 2))] m :top) (when-some [x 0] (inc x)) (if-let [{:keys [name]} (find-user 2)] (str "Hi " name) "?") (or (:mgr (find-user 2)) 0) (and (find-user 1) true)]
;;;; shadowing
(let [name "x" count 3 first :f map {:a 1} list [1] str "s" key :k val 1] [name count first (map :a) list str key val])
;;;; let over lambda with map named args
(defn process [{:keys [items discount] {:keys [city zip] :or {zip "00000"}} :address [a & more] :tags :as order}] [(count items) discount city zip a more (keys order)])
(process {:items [1 2] :discount 0.1 :address {:city "X"} :tags ["t1" "t2" "t3"]})
;;;; reduce with reduced map
(reduce (fn [{:keys [sum n] :as acc} x] (if (neg? x) (reduced (assoc acc :stopped-at x)) (assoc acc :sum (+ sum x) :n (inc n)))) {:sum 0 :n 0} [1 2 3 -1 5])
;;;; trampolines and mutual
(declare odd-t?) (defn even-t? [n] (if (zero? n) true #(odd-t? (dec n)))) (defn odd-t? [n] (if (zero? n) false #(even-t? (dec n))))
[(trampoline even-t? 1000) (trampoline odd-t? 7)]
;;;; memo fib map
(defn fib-with [memo n] (if-let [v (memo n)] [memo v] (let [[m a] (fib-with memo (- n 1)) [m b] (fib-with m (- n 2)) v (+ a b)] [(assoc m n v) v])))
(second (fib-with {0 0 1 1} 60))
;;;; set ordering as input
(let [s #{3 1 2}] [(sort s) (apply max s) (count s) (contains? s 1) (reduce + s) (= s #{1 2 3}) (into (sorted-set) s) (disj s 3) (set (map inc s)) (every? s [1 2]) (some s [5 3]) (map s [1 9])])
;;;; dotimes accumulate out
(with-out-str (dotimes [i 3] (print (str i (if (< i 2) "," "")))))
;;;; printf
(printf "%s has %d items costing $%.2f%n" "Cart" 3 29.99)
(printf "%-5s|%5s|\n" "ab" "cd")
(print "x" "y") (println) (prn {:a "b"} [1 \c]) (println [nil "s" {:k "v"}] #{:a}) (pr "q") (newline) (println "é" \newline "end")
;;;; pprint
(require '[clojure.pprint :refer [pprint print-table cl-format]])
(pprint {:a 1 :b [1 2 3]})
(print-table [{:name "a" :n 1} {:name "bb" :n 22}])
(print-table [:n] [{:name "a" :n 1}])
;;;; refer imports
(ns my.app (:require [clojure.string :refer [join split upper-case blank?]] [clojure.set :refer [union difference]] [clojure.walk :as w]))
[(join "," [1 2]) (split "a b" #" ") (upper-case "x") (blank? "") (union #{1} #{2}) (difference #{1 2} #{2}) (w/postwalk identity [1])]
;;;; use string
(use '[clojure.string :only [join]])
(join "-" (map inc [1 2]))
;;;; require multi
(require '[clojure.string :as str] '[clojure.set :as set] '[clojure.edn :as edn])
[(str/join "," (sort (set/union #{3} #{1 2}))) (str/split "k1=v1;k2=v2" #"[=;]") (apply hash-map (str/split "k1=v1" #"=")) (str/replace "x.y.z" "." "/") (str/split "1.2.3" #"\.") (str/join (interpose "," "abc"))]
;;;; split edge cases
(require '[clojure.string :as str])
[(str/split "" #",") (str/split "a" #",") (str/split ",a" #",") (str/split "abc" #"") (str/split "a  b" #" ") (str/split "a1b2" #"\d" 2) (str/split "2024-01-15" #"-") (str/split-lines "") (str/split-lines "a\n\nb") (str/join []) (str/join "," []) (str/replace "aaa" "a" "b") (str/replace "a.b" #"\." "") (str/replace "abc" #"b" (fn [m] (str "[" m "]"))) (str/trim "\t x \n") (str/capitalize "") (str/upper-case "ß") (str/index-of "abc" \b) (str/includes? "abc" "") (str/starts-with? "" "") (str/replace "a\\b" "\\" "/") (str/split "a|b" #"\|") (str/split "a\tb" #"\t") (str/split " a b " #"\s+") (str/blank? nil) (str/reverse "") (str/replace "x1y22" #"\d+" #(str (* 2 (parse-long %)))) (str/lower-case "ÀB") (str/triml "\n a") (str/replace-first "a-b-c" #"-" "+") (str/escape "a&b" {\& "&amp;"})]
