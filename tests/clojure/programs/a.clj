;;;;
(def orders
  [{:id 1 :customer "Ann" :total 120.5 :status :paid :items [{:sku "A" :qty 2} {:sku "B" :qty 1}]}
   {:id 2 :customer "Bob" :total 80 :status :open :items [{:sku "A" :qty 1}]}
   {:id 3 :customer "Ann" :total 45.25 :status :paid :items [{:sku "C" :qty 5}]}
   {:id 4 :customer "Cyd" :total 300 :status :cancelled :items []}])

(defn paid? [o] (= :paid (:status o)))

(let [paid (filter paid? orders)
      by-customer (group-by :customer paid)]
  {:count (count paid)
   :revenue (reduce + (map :total paid))
   :by-customer (into {} (for [[c os] by-customer] [c (reduce + (map :total os))]))})
;;;;
(require '[clojure.string :as str])
(def text "the quick brown fox jumps over the lazy dog the end")
(->> (str/split text #"\s+")
     frequencies
     (sort-by (juxt (comp - val) key))
     (take 3))
;;;;
(def sales [{:region "N" :amount 10} {:region "S" :amount 20} {:region "N" :amount 30} {:region "E" :amount 5}])
(doseq [[region rows] (sort-by key (group-by :region sales))]
  (println (format "%-5s %6.2f %d" region (double (reduce + (map :amount rows))) (count rows))))
;;;;
(defn average [xs] (if (empty? xs) 0 (/ (reduce + xs) (double (count xs)))))
(defn stats
  "Summary statistics of numbers."
  [xs]
  {:min (apply min xs) :max (apply max xs) :avg (average xs)})
(stats [3 1 4 1 5 9 2 6])
;;;;
(loop [n 10 a 0 b 1 acc []]
  (if (zero? n) acc (recur (dec n) b (+ a b) (conj acc a))))
;;;;
(let [m {:a {:b {:c 42}}}]
  [(get-in m [:a :b :c]) (update-in m [:a :b :c] inc) (assoc-in m [:a :x] 1) (some-> m :a :b :c inc) (some-> m :z :b)])
;;;;
(def people [{:name "Al" :age 30 :dept :eng} {:name "Bo" :age 25 :dept :ops} {:name "Cy" :age 35 :dept :eng}])
(->> people (group-by :dept) (reduce-kv (fn [m k v] (assoc m k (/ (reduce + (map :age v)) (count v)))) {}))
;;;;
(def people [{:name "Al" :age 30} {:name "Bo" :age 25}])
(apply max-key :age people)
;;;;
(defn classify [n]
  (cond (neg? n) :negative (zero? n) :zero (< n 10) :small :else :large))
(mapv classify [-1 0 5 50])
;;;;
(defn describe
  ([x] (describe x "thing"))
  ([x label] (str label ": " x))
  ([x label & more] (str label ": " x " +" (count more))))
[(describe 1) (describe 1 "n") (describe 1 "n" 2 3)]
;;;;
(let [counter (reduce (fn [acc w] (update acc (count w) (fnil conj []) w)) {} ["a" "bb" "cc" "d" "eee"])]
  (doseq [[k v] (sort counter)] (println k "->" v))
  counter)
;;;;
(letfn [(fact [n] (if (<= n 1) 1 (* n (fact (dec n)))))
        (fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))]
  {:fact (fact 10) :fib (fib 15)})
;;;;
(try
  (throw (ex-info "Invalid order" {:id 42 :reason :missing}))
  (catch Exception e
    (println "Caught:" (ex-message e))
    (:id (ex-data e)))
  (finally (println "cleanup")))
;;;;
(try (/ 1 0) (catch ArithmeticException e (str "math: " (.getMessage e))))
;;;;
(into (sorted-map) (map (fn [[k v]] [k (count v)]) (group-by first ["apple" "avocado" "banana" "cherry" "blueberry"])))
;;;;
(let [xs (range 1 11)]
  {:evens (filter even? xs) :sum-sq (transduce (map #(* % %)) + xs) :parts (partition 3 xs) :all (partition-all 4 xs) :by (partition-by #(quot % 4) xs)})
;;;;
(let [[a b & rest :as all] [1 2 3 4] {:keys [x y] :or {y 10}} {:x 5}]
  [a b rest all x y])
;;;;
(defn parse-line [line]
  (let [[_ k v] (re-matches #"(\w+)=(\d+)" line)]
    (when k [(keyword k) (parse-long v)])))
(into {} (keep parse-line ["a=1" "b=22" "bad" "c=x"]))
;;;;
(def inventory {:apples {:qty 5 :price 1.2} :pears {:qty 0 :price 2.5} :figs {:qty 12 :price 0.4}})
(->> inventory
     (remove (fn [[_ {:keys [qty]}]] (zero? qty)))
     (map (fn [[k {:keys [qty price]}]] [k (* qty price)]))
     (sort-by second >)
     (into []))
;;;;
(merge-with + {:a 1 :b 2} {:b 3 :c 4} {:a 10})
;;;;
(println (clojure.string/join ", " (map-indexed (fn [i x] (str (inc i) "." x)) ["a" "b" "c"])))
;;;;
(as-> [1 2 3] $ (map inc $) (reduce + $) (* $ 2) (str "total " $))
;;;;
(cond-> {:name "x"} true (assoc :ok 1) false (assoc :no 1) (= 1 1) (update :ok inc))
;;;;
(let [data {:users [{:id 1 :tags #{:a :b}} {:id 2 :tags #{:b}} {:id 3 :tags #{}}]}]
  (->> (:users data) (mapcat (fn [u] (map #(vector % (:id u)) (sort (:tags u))))) (reduce (fn [m [t id]] (update m t (fnil conj #{}) id)) {})))
;;;;
(defn- helper [x] (* x 2))
(def ^:private k 3)
(map (comp helper (partial + k)) [1 2 3])
;;;;
(case (:type {:type :circle :r 2})
  :circle (let [r 2] (* Math/PI r r))
  :square 4
  :unknown)
;;;;
(let [words ["level" "hello" "noon" "racecar" "world"]]
  (filter #(= % (clojure.string/reverse %)) words))
;;;;
(let [words ["level" "hello" "noon"]]
  (filter #(= (seq %) (reverse %)) words))
;;;;
(for [x [1 2 3] y [:a :b] :when (odd? x)] [x y])
;;;;
(let [matrix [[1 2 3] [4 5 6]]]
  {:t (apply mapv vector matrix) :sums (map #(apply + %) matrix) :flat (flatten matrix)})
;;;;
(reduce (fn [{:keys [total n] :as acc} x] (assoc acc :total (+ total x) :n (inc n))) {:total 0 :n 0} [1 2 3 4])
;;;;
(reduce (fn [acc x] (if (> acc 20) (reduced acc) (+ acc x))) 0 (range 100))
;;;;
(let [s "Hello, World! 123"]
  {:up (clojure.string/upper-case s) :letters (apply str (filter #(Character/isLetter %) s)) :digits (re-seq #"\d" s) :vowels (count (filter #{\a \e \i \o \u} s))})
;;;;
(let [log ["2024-01-01 ERROR db down" "2024-01-01 INFO ok" "2024-01-02 ERROR net" "2024-01-02 WARN slow"]]
  (->> log
       (map #(clojure.string/split % #" " 3))
       (map #(zipmap [:date :level :msg] %))
       (group-by (juxt :date :level))
       (map (fn [[[d l] rows]] {:date d :level l :n (count rows) :msgs (mapv :msg rows)}))
       (sort-by (juxt :date :level))))
;;;;
(defn running-total [xs] (reductions + xs))
(zipmap ["jan" "feb" "mar"] (running-total [10 20 30]))
;;;;
(let [{:keys [a b] :as m} {:a 1 :b 2 :c 3}] (dissoc m :a))
;;;;
(let [f (fn [& {:keys [x y] :or {x 1 y 2}}] (+ x y))] [(f) (f :x 10) (f :x 10 :y 20)])
;;;;
(->> [5 3 8 1] (sort >) (map-indexed (fn [i x] {:rank (inc i) :v x})) (filter (comp odd? :rank)) vec)
;;;;
(str "a" 1 nil :k 2.50 [1 "x"] {:a "b"} (list 1 2) (map inc [1 2]))
;;;;
(pr-str {:a "x" :b [1 2.0 nil] :c '(1 "two" :three)})
;;;;
(println {:a "x" :b ["y" \z]} "str" nil [1 "two"] '(3 "four"))
(prn {:a "x"} "str" nil)
(print "no newline") (print " more")
;;;;
(dotimes [i 3] (println "row" i))
;;;;
(when-let [x (seq (filter even? [1 3 5]))] (first x))
;;;;
(if-let [[k v] (first {:a 1})] (str k "=" v) "none")
;;;;
(let [xs [1 2 3 4 5 6]] [(take-while #(< % 4) xs) (drop-while #(< % 4) xs) (split-at 2 xs) (split-with odd? xs) (take-nth 2 xs) (butlast xs) (take-last 2 xs)])
;;;;
(clojure.walk/postwalk #(if (number? %) (inc %) %) {:a 1 :b [2 {:c 3}]})
;;;;
(clojure.walk/keywordize-keys {"a" {"b" 1} "c" [{"d" 2}]})
;;;;
(let [a #{1 2 3} b #{2 3 4}]
  {:u (sort (clojure.set/union a b)) :i (sort (clojure.set/intersection a b)) :d (clojure.set/difference a b) :sub (clojure.set/subset? #{2} a)})
;;;;
(require '[clojure.set :as set])
(let [required #{:name :email :age} given (set (keys {:name "x" :age 3}))]
  (if (set/subset? required given) "ok" (str "missing: " (clojure.string/join ", " (map name (set/difference required given))))))
;;;;
(into [] (comp (filter odd?) (map #(* % %)) (take 3)) (range))
;;;;
(let [memo-fib (fn fib [n] (loop [i 0 a 0 b 1] (if (= i n) a (recur (inc i) b (+ a b)))))] (map memo-fib (range 10)))
;;;;
(format "%s has %d items costing $%.2f (%5.1f%%)" "Cart" 3 29.99 12.345)
;;;;
(let [rows [["id" "name"] ["1" "Ann"] ["2" "Bob"]] [header & body] rows]
  (map #(zipmap (map keyword header) %) body))
;;;;
(let [csv "id,name,score\n1,Ann,90\n2,Bob,85\n3,Cy,\n"
      lines (clojure.string/split-lines csv)
      header (map keyword (clojure.string/split (first lines) #","))]
  (mapv (fn [l] (zipmap header (clojure.string/split l #","))) (rest lines)))
;;;;
(let [scores {"Ann" [90 80] "Bob" [70]}]
  (update-vals scores (fn [v] (/ (apply + v) (count v)))))
;;;;
(apply + (map (fn [{:keys [qty price] :or {price 0}}] (* qty price)) [{:qty 2 :price 3} {:qty 1}]))
;;;;
(let [now 1700000000 events [{:t 1699999990} {:t 1699990000}]] (map #(- now (:t %)) events))
;;;;
(some #(when (> (:age %) 28) (:name %)) [{:name "A" :age 20} {:name "B" :age 30}])
;;;;
[(every? pos? [1 2]) (some neg? [1 -2]) (not-any? zero? [1]) (not-every? odd? [1 2]) (some #{3} [1 2 3])]
;;;;
(interleave [:a :b] [1 2])
;;;;
(apply hash-map [:a 1 :b 2])
;;;;
(let [tree {:v 1 :kids [{:v 2 :kids [{:v 4}]} {:v 3}]}]
  (letfn [(total [{:keys [v kids]}] (+ v (reduce + 0 (map total kids))))
          (depth [{:keys [kids]}] (inc (reduce max 0 (map depth kids))))]
    {:total (total tree) :depth (depth tree) :vals (map :v (tree-seq :kids :kids tree))}))
;;;;
(defn bin-search [v x]
  (loop [lo 0 hi (dec (count v))]
    (when (<= lo hi)
      (let [mid (quot (+ lo hi) 2) m (v mid)]
        (cond (= m x) mid (< m x) (recur (inc mid) hi) :else (recur lo (dec mid)))))))
[(bin-search [1 3 5 7] 5) (bin-search [1 3 5 7] 4)]
;;;;
(defn primes [n] (filter (fn [x] (not-any? #(zero? (mod x %)) (range 2 x))) (range 2 n)))
(primes 30)
;;;;
(let [dist (fn [[x1 y1] [x2 y2]] (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2))))]
  (dist [0 0] [3 4]))
;;;;
(map (fn [n] (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 3)) "Fizz" (zero? (mod n 5)) "Buzz" :else n)) (range 1 16))
;;;;
(let [v [3 1 2]] [(sort v) (sort > v) (reverse v) (sort-by - v) (vec (sort v)) (first (sort v)) (apply min v)])
;;;;
(condp = :b :a 1 :b 2 3)
;;;;
(condp some [1 2 3] #{4} :four #{2} :two :none)
;;;;
(let [x 5] (when (and (> x 1) (< x 10)) (println "in range") :yes))
;;;;
(mapcat (fn [[k vs]] (map #(vector k %) vs)) {:a [1 2] :b [3]})
;;;;
(->> {:a 3 :b 1 :c 2} (sort-by val) (map key))
;;;;
(->> {:a 3 :b 1 :c 2} (sort-by val >) first)
;;;;
(->> {:a 3 :b 1 :c 2} (apply max-key val) key)
;;;;
(select-keys {:a 1 :b 2 :c 3} [:a :c :z])
;;;;
(let [xs [1 2 3 4]] (double (/ (reduce + xs) (count xs))))
;;;;
(defn median [xs]
  (let [s (sort xs) n (count s) h (quot n 2)]
    (if (odd? n) (nth s h) (/ (+ (nth s h) (nth s (dec h))) 2.0))))
[(median [3 1 2]) (median [4 1 3 2])]
;;;;
(defn std-dev [xs]
  (let [n (count xs) mean (/ (reduce + xs) n) sq (map #(Math/pow (- % mean) 2) xs)]
    (Math/sqrt (/ (reduce + sq) n))))
(format "%.3f" (std-dev [2 4 4 4 5 5 7 9]))
;;;;
(let [pct (fn [part whole] (if (zero? whole) 0.0 (* 100.0 (/ part whole))))]
  [(pct 1 3) (pct 1 0) (format "%.1f%%" (pct 2 3))])
;;;;
(Math/round (* 100 (/ 2 3.0)))
;;;;
(/ (Math/round (* 3.14159 100)) 100.0)
;;;;
[(int 3.7) (long 3.2) (Math/floor 3.7) (Math/ceil 3.2) (quot 7 2) (rem -7 2) (mod -7 2) (Math/abs -3)]
;;;;
(assoc {:a 1} :b 2 :c {:d [1 2]})
;;;;
(-> {:user {:name "x" :emails ["a"]}} (update-in [:user :emails] conj "b") (assoc-in [:user :name] "y") :user)
;;;;
(reduce-kv (fn [acc i x] (if (even? i) (conj acc x) acc)) [] [:a :b :c :d])
;;;;
(keep-indexed (fn [i x] (when (odd? i) x)) [:a :b :c :d])
;;;;
(let [xs [1 nil 2 nil 3]] [(remove nil? xs) (keep identity xs) (filter some? xs) (count xs)])
;;;;
(let [m (zipmap (map keyword ["x" "y"]) (range))] (assoc m :sum (apply + (vals m))))
;;;;
(def config {:debug false :retries 3})
(let [{:keys [debug retries timeout] :or {timeout 30}} config] [debug retries timeout])
;;;;
(do (def counter 0) (def counter (inc counter)) counter)
;;;;
(let [compose (comp str inc #(* 2 %))] (map compose [1 2 3]))
;;;;
((juxt :a :b count) {:a 1 :b 2})
;;;;
(map #(%1 %2) [inc dec str] [1 2 3])
;;;;
(let [pipeline (apply comp (reverse [inc #(* 2 %) str]))] (pipeline 5))
;;;;
(let [s "a-b_c d"] [(clojure.string/replace s #"[-_ ]" "") (clojure.string/replace s "-" "+") (clojure.string/split s #"[-_ ]") (clojure.string/capitalize "hELLO") (clojure.string/trim "  x ") (clojure.string/blank? " ")])
;;;;
(clojure.string/replace "john smith" #"\b(\w)" (fn [[_ c]] (clojure.string/upper-case c)))
;;;;
(clojure.string/replace "2024-01-15" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1")
;;;;
(map (fn [s] (Integer/parseInt s)) (re-seq #"\d+" "a1b22c333"))
;;;;
(let [s "hello"] [(subs s 1 3) (first s) (last s) (nth s 1) (count s) (apply str (reverse s)) (str (first s)) (clojure.string/includes? s "ell") (.indexOf s "l")])
;;;;
(doseq [x [1 2] y [:a :b]] (println x y))
;;;;
(doseq [{:keys [name score]} [{:name "A" :score 1} {:name "B" :score 2}] :when (> score 1)] (println name "scored" score))
;;;;
(run! println ["a" "b"])
