;;;;
;data> {:orders [{:id 1 :total 10.5 :tags ["x" "y"]} {:id 2 :total 20 :tags []}] :limit 15}
(->> data/orders (filter #(> (:total %) data/limit)) (mapv :id))
;;;;
;data> {:employees [{:name "Ann" :dept "eng" :salary 100} {:name "Bob" :dept "ops" :salary 80} {:name "Cyd" :dept "eng" :salary 120}]}
(let [by-dept (group-by :dept data/employees)]
  (into {}
    (map (fn [[dept emps]]
      [dept {:headcount (count emps)
             :total (reduce + (map :salary emps))
             :top (:name (apply max-key :salary emps))}])
    by-dept)))
;;;;
(ns my.report (:require [clojure.string :as str] [clojure.set :as set]))
(defn slug [s] (-> s str/lower-case (str/replace #"[^a-z0-9]+" "-") (str/replace #"^-|-$" "")))
(map slug ["Hello, World!" "  A  b " "x"])
;;;;
(def xs '(3 1 2))
[(conj xs 0) (first xs) (rest xs) (cons 9 xs) (into xs [7 8]) (peek xs) (pop xs) (list? xs) (vec xs) (count xs) (nth xs 1)]
;;;;
(let [stack (-> '() (conj 1) (conj 2) (conj 3))] [(peek stack) (pop stack) stack])
;;;;
(defn balanced? [s]
  (let [pairs {\) \( \] \[ \} \{}]
    (empty?
      (reduce (fn [stack c]
                (cond (#{\( \[ \{} c) (conj stack c)
                      (pairs c) (if (= (peek stack) (pairs c)) (pop stack) (reduced [:bad]))
                      :else stack))
              [] s))))
(map balanced? ["(a[b]{c})" "(]" "((" ""])
;;;;
(defn caesar [s n]
  (apply str (map (fn [c] (cond (Character/isUpperCase c) (char (+ 65 (mod (+ n (- (int c) 65)) 26)))
                                (Character/isLowerCase c) (char (+ 97 (mod (+ n (- (int c) 97)) 26)))
                                :else c)) s)))
(caesar "Hello, World" 3)
;;;;
(defn roman [n]
  (loop [n n [[v s] & more :as all] [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]] acc ""]
    (cond (zero? n) acc (>= n v) (recur (- n v) all (str acc s)) :else (recur n more acc))))
(map roman [1994 2024 9])
;;;;
(let [m {:b 1 :a 2}] [(keys m) (vals m) (sort (keys m)) (map first m) (into [] m) (seq m) (first m) (count m) (contains? m :a) (m :b) (:c m :none) (get m :z)])
;;;;
(let [{[a [b c]] :pts {:keys [x]} :o :as m} {:pts [1 [2 3]] :o {:x 9}}] [a b c x (keys m)])
;;;;
(defn process [{:keys [id items] {:keys [city]} :address :or {items []}}] (str id ":" (count items) "@" city))
(map process [{:id 1 :items [1 2] :address {:city "Oslo"}} {:id 2 :address {}}])
;;;;
(let [v (vec (range 5))] [(assoc v 1 :x) (subvec v 1 3) (conj v 9) (pop v) (peek v) (v 2) (get v 99) (nth v 2 nil) (update v 0 inc) (rseq v) (into [] (reverse v)) (vec (concat v [1]))])
;;;;
(sort-by (juxt :dept (comp - :salary)) [{:dept "b" :salary 1} {:dept "a" :salary 1} {:dept "a" :salary 5}])
;;;;
(sort #(compare (:n %2) (:n %1)) [{:n 1} {:n 3} {:n 2}])
;;;;
(sort-by :name #(compare %2 %1) [{:name "a"} {:name "c"} {:name "b"}])
;;;;
(sort (fn [[a b] [c d]] (if (= a c) (compare d b) (compare a c))) [[1 2] [0 1] [1 5]])
;;;;
(map vector [:a :b :c] (range) (cycle [true false]))
;;;;
(take 5 (iterate (fn [x] (if (even? x) (/ x 2) (inc (* 3 x)))) 7))
;;;;
(take-while #(not= 1 %) (iterate (fn [x] (if (even? x) (/ x 2) (inc (* 3 x)))) 6))
;;;;
(defn collatz [n] (loop [n n steps 0] (if (= n 1) steps (recur (if (even? n) (quot n 2) (inc (* 3 n))) (inc steps)))))
(apply max-key second (map (juxt identity collatz) (range 1 30)))
;;;;
(let [gcd (fn [a b] (if (zero? b) a (recur b (mod a b))))] [(gcd 48 18) (reduce gcd [24 36 60])])
;;;;
(partition 2 1 [1 3 6 10])
;;;;
(map (fn [[a b]] (- b a)) (partition 2 1 [1 3 6 10]))
;;;;
(partition 3 3 [:pad] [1 2 3 4])
;;;;
(->> [1 1 2 3 3 3] (partition-by identity) (map (juxt first count)))
;;;;
(->> "aaabccd" (partition-by identity) (map #(str (first %) (count %))) (apply str))
;;;;
(frequencies (map #(cond (< % 10) :low (< % 100) :mid :else :high) [1 20 300 5 50]))
;;;;
(let [f (frequencies "mississippi")] (sort-by (fn [[c n]] [(- n) c]) f))
;;;;
(def events [{:user 1 :type :click :ts 10} {:user 2 :type :view :ts 12} {:user 1 :type :view :ts 15} {:user 1 :type :click :ts 20}])
(reduce (fn [acc {:keys [user type]}] (update-in acc [user type] (fnil inc 0))) {} events)
;;;;
(def events [{:user 1 :ts 10} {:user 1 :ts 15} {:user 1 :ts 100} {:user 2 :ts 1}])
(for [[u es] (group-by :user events)
      :let [ts (sort (map :ts es)) gaps (map - (rest ts) ts)]
      :when (seq gaps)]
  {:user u :max-gap (apply max gaps) :sessions (inc (count (filter #(> % 30) gaps)))})
;;;;
(let [left [{:id 1 :n "a"} {:id 2 :n "b"}] right [{:id 1 :v 10} {:id 1 :v 20}] idx (group-by :id right)]
  (for [l left r (get idx (:id l) [nil])] (merge l r)))
;;;;
(clojure.set/index #{{:a 1 :b 2}} [:a])
;;;;
(let [users {1 "Ann" 2 "Bob"} orders [{:u 1 :amt 5} {:u 2 :amt 7} {:u 1 :amt 1}]]
  (->> orders (map #(assoc % :name (users (:u %)))) (group-by :name) (map (fn [[n os]] {:name n :total (apply + (map :amt os))})) (sort-by :total >)))
;;;;
(defn pivot [rows row-key col-key val-key]
  (reduce (fn [m r] (assoc-in m [(row-key r) (col-key r)] (val-key r))) {} rows))
(pivot [{:m "jan" :p "a" :v 1} {:m "jan" :p "b" :v 2} {:m "feb" :p "a" :v 3}] :m :p :v)
;;;;
(let [data [{:k "a" :v 1} {:k "b" :v nil} {:k "c"}]] [(keep :v data) (map :v data) (filter :v data) (remove (comp nil? :v) data) (reduce + (map #(or (:v %) 0) data)) (map #(get % :v :missing) data)])
;;;;
(some->> [1 2 3] (filter even?) first (* 10))
;;;;
(cond->> [1 2 3] true (map inc) false (filter odd?) :always (reduce +))
;;;;
(let [x nil] [(or x :default) (and x 1) (if-some [y x] y :none) (when-some [y 0] y) (nil? x) (some? x) (boolean x)])
;;;;
(defn safe-div [a b] (try (/ a b) (catch ArithmeticException _ nil) (catch Exception e :other)))
[(safe-div 4 2) (safe-div 1 0)]
;;;;
(try (throw (Exception. "boom")) (catch Exception e (.getMessage e)))
;;;;
(try (throw (IllegalArgumentException. "bad arg")) (catch IllegalArgumentException e (str "IAE " (ex-message e))))
;;;;
(try (Integer/parseInt "abc") (catch NumberFormatException e :nan))
;;;;
(try (assert (= 1 2) "math broke") (catch AssertionError e (.getMessage e)))
;;;;
(try (ex-data (try (throw (ex-info "inner" {:a 1})) (catch Exception e (throw (ex-info "outer" {:cause (ex-data e)} e))))) (catch Exception e [(ex-message e) (ex-data e)]))
;;;;
(let [r (try {:ok (inc 1)} (catch Exception e {:err (ex-message e)}))] (if-let [v (:ok r)] v :failed))
;;;;
(defn validate [{:keys [name age]}]
  (cond-> []
    (clojure.string/blank? name) (conj "name required")
    (not (and (int? age) (pos? age))) (conj "age must be positive")))
[(validate {:name "x" :age 3}) (validate {:name " "}) (validate {:name "y" :age -1})]
;;;;
(let [lines ["GET /a 200 12ms" "POST /b 500 100ms" "GET /a 200 8ms"]
      parsed (for [l lines :let [[_ m p s t] (re-find #"^(\w+) (\S+) (\d{3}) (\d+)ms$" l)]] {:method m :path p :status (Integer/parseInt s) :ms (Long/parseLong t)})]
  (->> parsed (group-by :path) (map (fn [[p rs]] [p {:n (count rs) :avg (/ (reduce + (map :ms rs)) (count rs)) :errors (count (filter #(>= (:status %) 500) rs))}])) (into (sorted-map))))
;;;;
(println (format "%-10s|%8s|%5s" "Name" "Amount" "Pct"))
(doseq [{:keys [n a p]} [{:n "Rent" :a 1200.5 :p 0.333} {:n "Food" :a 300.0 :p 0.0833}]]
  (println (format "%-10s|%8.2f|%4.1f%%" n a (* 100 p))))
(println (apply str (repeat 20 "-")))
;;;;
(printf "%d items, %s\n" 3 "ok")
(println "done")
;;;;
(let [title "Report" line (clojure.string/join (repeat 6 "="))] (println title) (println line) (println (str "Total: " 10 "\n" "Avg: " 2.5)))
;;;;
(prn "a" 'b-not :c [1 "x"])
;;;;
(print "a" 1 :k nil) (newline) (println) (println "x" "" "y") (pr "q" \c) (prn)
;;;;
(let [s (str [1 2] '(3 4) #{5} {:a 6} "x" :k nil true 1.0 1e10 1/2)] s)
;;;;
[(str 1.0) (str 100000000.0) (str 1.0E-5) (str (/ 1.0 3)) (str 1e7) (str 123456.789) (str -0.0) (str (float 0.5))]
;;;;
[(* 1.1 1.1) (+ 0.1 0.2) (/ 10 4.0) (/ 10 5) (- 5 7.5) (* 2 3.0) (reduce + [0.1 0.2 0.3]) (apply * [1.5 2])]
;;;;
[(Math/sqrt 16) (Math/pow 2 10) (Math/abs -5.5) (Math/max 1 2) (Math/round 2.5) (Math/round -2.5) (Math/floor -1.5) (Math/log 1) (Math/log10 1000)]
;;;;
[(quot -7 2) (rem 7 -3) (mod -1 5) (max 1 2.0) (min 3 1 2) (inc 1.5) (dec 0) (== 1 1.0) (= 1 1.0) (compare 1 2)]
;;;;
[(even? 4) (odd? 3) (zero? 0.0) (pos? -1) (neg? -1) (number? 1) (integer? 1.0) (string? "x") (keyword? :a) (map? {}) (coll? []) (sequential? '(1)) (seq? [1]) (vector? [1]) (set? #{}) (fn? inc) (ifn? :a)]
;;;;
[(name :abc) (keyword "x") (keyword "my key") (str :a) (name "s") (namespace :a/b) (name :a/b) (subs (str :abc) 1)]
;;;;
[(re-find #"\d+" "ab12cd34") (re-seq #"[a-z]+" "ab12cd") (re-matches #"\d+" "12x") (re-find #"(\d)(\w)" "a1b") (re-seq #"(\w)=(\d)" "a=1,b=2") (re-pattern "x+")]
;;;;
(clojure.string/join "\n" (map #(str "- " %) ["a" "b"]))
;;;;
[(clojure.string/split "a,b,,c,," #",") (clojure.string/split "a b" #" " 2) (clojure.string/split-lines "a\nb\r\nc") (clojure.string/split "" #",") (clojure.string/split "abc" #"")]
;;;;
[(clojure.string/index-of "hello" "l") (clojure.string/last-index-of "hello" "l") (clojure.string/starts-with? "hello" "he") (clojure.string/ends-with? "hello" "lo") (clojure.string/triml "  x ") (clojure.string/trimr " x  ")]
;;;;
(let [a [1 2 3] b [4 5 6]] {:dot (reduce + (map * a b)) :zip (map vector a b) :zipmap (zipmap a b) :inter (interleave a b) :cat (concat a b)})
;;;;
(defn transpose [m] (apply map list m))
(transpose [[1 2] [3 4] [5 6]])
;;;;
(defn mat-mul [a b] (mapv (fn [row] (mapv (fn [col] (reduce + (map * row col))) (apply mapv vector b))) a))
(mat-mul [[1 2] [3 4]] [[5 6] [7 8]])
;;;;
(defn qsort [[p & xs]] (if (nil? p) [] (concat (qsort (filter #(< % p) xs)) [p] (qsort (remove #(< % p) xs)))))
(qsort [3 6 1 8 2 9 2])
;;;;
(defn permutations [xs] (if (empty? xs) '(()) (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(permutations [1 2 3])
;;;;
(defn powerset [s] (reduce (fn [acc x] (into acc (map #(conj % x) acc))) [[]] s))
(powerset [1 2 3])
;;;;
(defn flatten-map [m prefix] (reduce-kv (fn [acc k v] (let [p (if prefix (str prefix "." (name k)) (name k))] (if (map? v) (merge acc (flatten-map v p)) (assoc acc p v)))) {} m))
(flatten-map {:a 1 :b {:c 2 :d {:e 3}}} nil)
;;;;
(defn deep-merge [& ms] (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
(deep-merge {:a {:b 1 :c 2}} {:a {:c 3 :d 4}} {:e 5})
;;;;
(defn bfs [graph start]
  (loop [queue [start] seen #{start} order []]
    (if-let [n (first queue)]
      (let [next-nodes (remove seen (graph n))]
        (recur (into (vec (rest queue)) next-nodes) (into seen next-nodes) (conj order n)))
      order)))
(bfs {:a [:b :c] :b [:d] :c [:d] :d []} :a)
;;;;
(defn topo [deps] (loop [left deps out []] (if (empty? left) out (let [ready (sort (for [[k ds] left :when (every? (set out) ds)] k))] (if (empty? ready) :cycle (recur (apply dissoc left ready) (into out ready)))))))
[(topo {:a [] :b [:a] :c [:a :b]}) (topo {:x [:y] :y [:x]})]
;;;;
(def board [[:x :o :x] [:o :x :o] [:o :x :x]])
(let [lines (concat board (apply map vector board) [(map #(get-in board [% %]) (range 3)) (map #(get-in board [% (- 2 %)]) (range 3))])]
  (first (keep (fn [l] (when (apply = l) (first l))) lines)))
;;;;
(let [account {:balance 100} txs [[:deposit 50] [:withdraw 30] [:withdraw 500] [:fee 5]]]
  (reduce (fn [{:keys [balance] :as acc} [op amt]]
            (case op
              :deposit (update acc :balance + amt)
              (:withdraw :fee) (if (> amt balance) (update acc :rejected (fnil conj []) [op amt]) (update acc :balance - amt))))
          account txs))
;;;;
(def ^{:doc "limit"} limit 3)
(defn ^:private take-limit "Takes." {:added "1.0"} [xs] (take limit xs))
(take-limit (range 10))
;;;;
(defonce cache {:a 1})
(:a cache)
;;;;
(let [add (fn [a] (fn [b] (+ a b))) add5 (add 5)] (map add5 [1 2]))
;;;;
(let [f (partial map inc) g (complement even?)] [(f [1 2]) (filter g [1 2 3]) ((comp not zero?) 1) ((constantly 5) :x)])
;;;;
((fnil + 0 0) nil 5)
;;;;
((every-pred pos? even?) 4 6)
;;;;
((some-fn :a :b) {:b 2})
;;;;
(map (juxt identity #(* % %) (comp str inc)) [1 2])
;;;;
(apply str (interpose ", " ["a" "b" "c"]))
;;;;
(apply map vector [[1 2 3] [:a :b :c]])
;;;;
(let [m (into (sorted-map) {:z 1 :a 2 :m 3})] [m (first m) (keys m) (assoc m :b 0)])
;;;;
[(sorted-set 3 1 2) (into (sorted-set) "hello") (first (sorted-set 5 4)) (conj (sorted-set 1) 0) (disj #{1 2} 1)]
;;;;
(reduce (fn [best x] (if (or (nil? best) (> (:s x) (:s best))) x best)) nil [{:s 1} {:s 9} {:s 3}])
;;;;
(let [xs [5 3 9]] {:max (apply max xs) :idx (.indexOf xs 9) :min-by (first (sort-by identity xs)) :argmax (key (apply max-key val (zipmap (range) xs)))})
;;;;
(let [xs [1 2 3 4 5 6 7 8 9 10] p (fn [q] (nth (sort xs) (int (* q (dec (count xs))))))] (map p [0 0.25 0.5 0.9 1]))
;;;;
(map #(/ (reduce + %) (count %)) (partition 3 1 [1.0 2.0 3.0 4.0 5.0]))
;;;;
(loop [[x & xs] [1 2 3] acc 0] (if x (recur xs (+ acc x)) acc))
;;;;
(loop [m {:a 1 :b 2} acc []] (if (seq m) (let [[k v] (first m)] (recur (rest m) (conj acc k v))) acc))
;;;;
(let [[x y :as p] [1 2] [_ _ z] [1 2 3] [a [b]] [1 [2]] {:strs [n]} {"n" 5} [h & t] "abc"] [x y p z a b n h t])
;;;;
(for [i (range 3) :let [sq (* i i)] :when (even? sq) j (range i)] [i j sq])
;;;;
(for [row [[1 2] [3 4]]] (for [x row] (* x 10)))
;;;;
(vec (for [x (range 10) :while (< x 4)] x))
;;;;
(-> "  Hello World  " clojure.string/trim clojure.string/lower-case (clojure.string/split #" ") first keyword)
;;;;
(-> {:a 1} (assoc :b 2) (update :a inc) (dissoc :b) (merge {:c 3}) (select-keys [:a :c]) vals (->> (reduce +)))
;;;;
(->> (range 20) (filter even?) (map #(* % %)) (remove #(zero? (mod % 3))) (take 3) (into []))
;;;;
(let [text "To be, or not to be: that is the question."
      words (re-seq #"\w+" (clojure.string/lower-case text))
      stop #{"to" "the" "is" "or"}]
  {:total (count words) :unique (count (distinct words)) :longest (apply max-key count words) :top (->> words (remove stop) frequencies (sort-by (fn [[w c]] [(- c) w])) (take 2))})
;;;;
(.toUpperCase "abc")
;;;;
[(.length "abc") (.substring "hello" 1 3) (.startsWith "abc" "a") (.contains "abc" "b") (.replace "aXa" "X" "-") (.trim " x ") (.indexOf "abc" "c") (.charAt "abc" 1) (.isEmpty "") (.equals "a" "a") (.endsWith "abc" "c")]
;;;;
(if (and (seq [1]) (not (empty? [1]))) "has" "none")
;;;;
(when-not (contains? #{:a} :b) "absent")
;;;;
(if-not (= 1 2) :diff :same)
;;;;
(when-first [x [1 2 3]] (* x 10))
;;;;
(while false (println "never"))
;;;;
(distinct (map #(mod % 3) (range 10)))
;;;;
(dedupe [1 1 2 2 1])
;;;;
(replace {1 :one 2 :two} [1 2 3 1])
;;;;
(map-indexed vector "abc")
;;;;
(zipmap "abc" (range))
;;;;
(group-by count ["a" "bb" "cc" "ddd"])
;;;;
(reduce into [] [[1] [2 3] []])
;;;;
(into {} (map (juxt :id identity)) [{:id 1 :n "a"} {:id 2 :n "b"}])
;;;;
(into {} (filter (fn [[k v]] (> v 1))) {:a 1 :b 2 :c 3})
;;;;
(update-keys {"a" 1 "b" 2} keyword)
;;;;
(reduce-kv (fn [m k v] (if (nil? v) m (assoc m k v))) {} {:a 1 :b nil})
;;;;
(let [xf (comp (map :v) (filter some?) (map inc))] [(into [] xf [{:v 1} {} {:v 3}]) (transduce xf + 0 [{:v 1} {:v 2}]) (sequence xf [{:v 9}])])
;;;;
(apply merge-with into [{:a [1]} {:a [2] :b [3]}])
;;;;
(let [stock {"A" 5 "B" 0}] (for [[sku qty] stock] {:sku sku :state (cond (zero? qty) "out" (< qty 10) "low" :else "ok")}))
;;;;
(mapv (fn [{:keys [price qty] :as item}] (assoc item :total (* price qty))) [{:price 2.5 :qty 2} {:price 1 :qty 3}])
;;;;
(let [items [{:n "a" :p 10} {:n "b" :p 20}] subtotal (transduce (map :p) + items) tax (* subtotal 0.08) total (+ subtotal tax)]
  {:subtotal subtotal :tax tax :total (format "%.2f" total)})
;;;;
(let [grade (fn [s] (condp <= s 90 "A" 80 "B" 70 "C" "F"))] (map grade [95 85 72 10]))
;;;;
(doall (map println [1 2 3]))
;;;;
(mapv #(do (println "processing" %) (* 2 %)) [1 2])
;;;;
(let [x 1 x (+ x 1) x (* x 3)] x)
;;;;
(def a 1) (def b (+ a 1)) (defn f [] (* b 10)) (f)
;;;;
(defn f [x] x) #'f
;;;;
(declare odd-n?)
(defn even-n? [n] (if (zero? n) true (odd-n? (dec n))))
(defn odd-n? [n] (if (zero? n) false (even-n? (dec n))))
[(even-n? 10) (odd-n? 7)]
;;;;
(comment (println "x")) 
;;;;
#_(println "skipped") [1 #_2 3]
;;;;
(let [point {:x 1 :y 2}] (let [{:keys [x y z] :or {z 0}} point] (str x "," y "," z)))
;;;;
(let [nested [[1 [2 3]] [4 [5 6]]]] (for [[a [b c]] nested] (+ a b c)))
;;;;
(defn summarize [& {:keys [rows key-fn] :or {key-fn identity}}] (frequencies (map key-fn rows)))
(summarize :rows [1 2 3 4] :key-fn even?)
;;;;
(let [f (fn ([] 0) ([x] x) ([x y & zs] (apply + x y zs)))] [(f) (f 1) (f 1 2) (f 1 2 3 4)])
;;;;
(clojure.walk/prewalk (fn [x] (if (and (map? x) (:drop x)) nil x)) {:a {:drop true} :b {:c 1}})
;;;;
(clojure.walk/stringify-keys {:a {:b 1}})
;;;;
(map (fn [[k v]] (str (name k) "=" v)) {:a 1 :b 2})
;;;;
(clojure.string/join "&" (map (fn [[k v]] (str (name k) "=" v)) {:a 1 :b "x"}))
;;;;
(reverse (sort-by count ["aaa" "b" "cc"]))
;;;;
[(last [1 2 3]) (second [1 2]) (ffirst [[1]]) (nth [1 2] 1) (rest []) (next [1]) (first []) (empty? nil) (seq []) (not-empty [])]
;;;;
[(conj nil 1) (conj [] 1 2) (conj {} [:a 1]) (conj #{} 1) (cons 1 nil) (concat) (list) (vector) (hash-map) (set [1 1])]
;;;;
[(get nil :a) (get-in {} [:a :b] 0) (assoc nil :a 1) (update nil :a (fnil inc 0)) (merge nil {:a 1}) (dissoc nil :a) (count nil) (first nil) (reduce + nil) (map inc nil) (str nil)]
