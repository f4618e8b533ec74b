;;;;
(def rows [{:id 1 :s "a" :n nil} {:id 2 :s nil :n 3.5} {:id 3 :s "" :n 0}])
(letfn [(clean [row] (into {} (filter (fn [[_ v]] (some? v))) row))
        (show [v] (cond (nil? v) "-" (and (string? v) (empty? v)) "(empty)" (float? v) (format "%.1f" v) :else (str v)))]
  {:clean (map clean rows)
   :shown (mapv (fn [r] (mapv (comp show r) [:id :s :n])) rows)
   :cols (apply merge-with into (map #(update-vals % vector) rows))
   :nils (frequencies (for [r rows [k v] r :when (nil? v)] k))})
;;;;
(defn group-consecutive [xs]
  (reduce (fn [acc x]
            (let [run (peek acc)]
              (if (and run (= (inc (peek run)) x))
                (conj (pop acc) (conj run x))
                (conj acc [x]))))
          [] xs))
(defn ranges [xs] (map (fn [run] (if (next run) (str (first run) "-" (peek run)) (str (first run)))) (group-consecutive xs)))
[(group-consecutive [1 2 3 7 8 10]) (clojure.string/join "," (ranges (sort (distinct [8 1 2 3 7 10 2]))))]
;;;;
(let [votes ["ann" "bob" "ann" "cat" "bob" "ann" nil ""]
      valid (remove #(or (nil? %) (clojure.string/blank? %)) votes)
      tally (frequencies valid)
      [winner n] (apply max-key val tally)
      total (count valid)]
  {:winner winner :share (/ (Math/round (* 1000.0 (/ n total))) 10.0) :ranking (map-indexed (fn [i [k v]] {:rank (inc i) :name k :votes v}) (sort-by (juxt (comp - val) key) tally)) :invalid (- (count votes) total)})
;;;;
(def data {:users {"u1" {:name "Ann" :follows #{"u2" "u3"}} "u2" {:name "Bob" :follows #{"u1"}} "u3" {:name "Cat" :follows #{}}}})
(let [users (:users data)
      mutual (for [[a {fa :follows}] users b (sort fa) :when (and (contains? (get-in users [b :follows]) a) (neg? (compare a b)))] [a b])
      followers (reduce-kv (fn [m k {:keys [follows]}] (reduce #(update %1 %2 (fnil conj (sorted-set)) k) m follows)) (sorted-map) users)]
  [mutual followers (map (fn [[id f]] (str (get-in users [id :name]) ": " (clojure.string/join ", " (map #(get-in users [% :name]) f)))) followers)
   (into {} (map (fn [[k v]] [k (count (:follows v))])) users)])
;;;;
(defn luhn? [s]
  (let [digits (map #(Character/digit % 10) (filter #(Character/isDigit %) s))
        summed (map-indexed (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d)) (reverse digits))]
    (and (seq digits) (zero? (mod (reduce + summed) 10)))))
[(luhn? "4539 1488 0343 6467") (luhn? "8273 1232 7352 0569") (luhn? "")]
;;;;
(defn spiral [m] (when (seq m) (concat (first m) (spiral (reverse (apply map vector (rest m)))))))
(defn rotate [m] (apply map (comp vec reverse list) m))
(defn pascal [n] (take n (iterate (fn [row] (mapv + (cons 0 row) (conj (vec row) 0))) [1])))
(defn diagonal [m] (map-indexed #(nth %2 %1) m))
(let [m [[1 2 3] [4 5 6] [7 8 9]]] [(spiral m) (rotate m) (pascal 5) (diagonal m) (apply mapv vector m) (map (partial apply +) m) (reduce (partial mapv +) m) (for [r m] (apply max r)) (every? #(= 3 (count %)) m)])
;;;;
(defn parse-duration [s]
  (->> (re-seq #"(\d+)\s*([hms])" s)
       (map (fn [[_ n u]] (* (parse-long n) ({"h" 3600 "m" 60 "s" 1} u))))
       (reduce + 0)))
(defn fmt-duration [n]
  (let [[h m s] [(quot n 3600) (quot (rem n 3600) 60) (rem n 60)]]
    (->> [[h "h"] [m "m"] [s "s"]] (drop-while (comp zero? first)) (map (fn [[x u]] (str x u))) (clojure.string/join " "))))
(map (juxt parse-duration (comp fmt-duration parse-duration)) ["1h 30m" "45s" "2h5s" "" "90m"])
;;;;
(def schema {:name string? :age (every-pred int? pos?) :tags (some-fn nil? (partial every? keyword?))})
(defn check [m] (reduce-kv (fn [errs k pred] (if (pred (get m k)) errs (conj errs k))) [] schema))
(map check [{:name "a" :age 1} {:name nil :age 0 :tags ["x"]} {:name "b" :age 2 :tags [:a :b]} {}])
;;;;
(defn knapsack [items cap]
  (reduce (fn [best {:keys [w v]}]
            (reduce (fn [b c] (if (>= c w) (assoc b c (max (get best c) (+ v (get best (- c w))))) b)) best (range cap 0 -1)))
          (vec (repeat (inc cap) 0)) items))
(defn lcs [a b]
  (let [m (count a) n (count b)]
    (loop [i 0 prev (vec (repeat (inc n) ""))]
      (if (= i m) (peek prev)
        (recur (inc i)
               (reduce (fn [row j] (conj row (if (= (nth a i) (nth b j)) (str (prev j) (nth a i)) (let [x (peek row) y (prev (inc j))] (if (> (count x) (count y)) x y))))) [""] (range n)))))))
[(peek (knapsack [{:w 1 :v 1} {:w 3 :v 4} {:w 4 :v 5} {:w 5 :v 7}] 7)) (lcs "AGGTAB" "GXTXAYB")]
;;;;
(defn levenshtein [a b]
  (peek (reduce (fn [prev [i ca]]
                  (reduce (fn [row [j cb]] (conj row (min (inc (peek row)) (inc (nth prev (inc j))) (+ (nth prev j) (if (= ca cb) 0 1)))))
                          [(inc i)] (map-indexed vector b)))
                (vec (range (inc (count b)))) (map-indexed vector a))))
(for [[a b] [["kitten" "sitting"] ["" "abc"] ["flaw" "lawn"] ["same" "same"]]] [a b (levenshtein a b)])
;;;;
(def text "# Title\n\nSome *bold* text and `code`.\n\n- item 1\n- item 2\n\n## Sub\nMore.")
(defn classify [line] (condp re-matches line #"^(#+)\s+(.*)" :>> (fn [[_ h t]] [:heading (count h) t]) #"^-\s+(.*)" :>> (fn [[_ t]] [:item t]) #"" [:blank] [:para line]))
(let [lines (map classify (clojure.string/split-lines text))]
  {:toc (for [[k n t] lines :when (= k :heading)] (str (apply str (repeat (* 2 (dec n)) " ")) "- " t))
   :counts (frequencies (map first lines))
   :blocks (->> lines (partition-by first) (remove #(= :blank (ffirst %))) (map (juxt ffirst count)))
   :html (clojure.string/replace "Some *bold* and `code`" #"\*(.+?)\*|`(.+?)`" (fn [[_ b c]] (if b (str "<b>" b "</b>") (str "<code>" c "</code>"))))})
;;;;
(defn ->money [cents] (let [s (format "%03d" (Math/abs cents)) [d c] (split-at (- (count s) 2) s)] (str (when (neg? cents) "-") "$" (apply str d) "." (apply str c))))
(defn split-bill [total n] (let [base (quot total n) extra (rem total n)] (map #(if (< % extra) (inc base) base) (range n))))
[(map ->money [0 5 99 100 123456 -250]) (split-bill 1000 3) (map ->money (split-bill 1001 4)) (reduce + (split-bill 1001 4))]
;;;;
(let [m (sorted-map "b" 2 "a" 1 "c" 3) s (sorted-set 5 1 3)]
  [(first m) (last m) (keys m) (assoc m "aa" 9) (dissoc m "b") (into m {"z" 26}) (map val m) (reduce-kv (fn [a k v] (str a k v)) "" m) (conj s 2) (disj s 3) (first s) (contains? s 5) (get m "q" :none) (rseq [1 2]) (merge m {"a" 0}) (update m "a" inc) (seq s) (vec s) (filter odd? s) (into (sorted-set) (map #(mod % 3) s)) (sort-by val > m) (zipmap (keys m) (reverse (vals m))) (= m {"a" 1 "b" 2 "c" 3}) (select-keys m ["a"]) (into {} m) (count m) (map-indexed vector m) (group-by (comp even? val) m)])
;;;;
(def orders (mapv (fn [i] {:id i :cust (["a" "b" "c"] (mod i 3)) :total (* i 10.5) :day (inc (mod i 5))}) (range 1 11)))
(defn pivot [rows rk ck f] (reduce (fn [acc r] (update-in acc [(rk r) (ck r)] (fnil conj []) (f r))) (sorted-map) rows))
(let [p (pivot orders :cust :day :total)]
  [(update-vals p (fn [m] (into (sorted-map) (update-vals m #(reduce + %)))))
   (->> orders (partition-all 4) (map (comp (partial reduce +) (partial map :total))))
   (reduce (fn [[s n] {:keys [total]}] [(+ s total) (inc n)]) [0 0] orders)
   (take 2 (sort-by :total > orders)) (map :id (filter #(and (= "b" (:cust %)) (> (:total %) 30)) orders))
   (mapv (fn [[k v]] [k (count v) (apply max (map :total v))]) (sort-by key (group-by :cust orders)))
   (get-in p ["a" 4 0]) (some #(when (> (:total %) 90) (:id %)) orders) (every? (comp pos? :total) orders)])
;;;;
(defn fizz [n] (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 5)) "Buzz" (zero? (mod n 3)) "Fizz" :else n))
(defn collatz-len [n] (loop [n n c 1] (if (= 1 n) c (recur (if (even? n) (/ n 2) (inc (* 3 n))) (inc c)))))
(defn perfect? [n] (= n (reduce + (filter #(zero? (rem n %)) (range 1 n)))))
(defn digits [n] (map #(- (int %) (int \0)) (str n)))
(defn armstrong? [n] (let [ds (digits n) k (count ds)] (== n (reduce + (map #(Math/pow % k) ds)))))
[(map fizz (range 1 16)) (apply max-key collatz-len (range 1 30)) (filter perfect? (range 2 500)) (digits 1234) (filter armstrong? (range 100 500)) (reduce * (range 1 11)) (map #(Integer/toBinaryString %) (range 5)) (reverse (digits 120)) (apply + (digits 999)) (= (digits 121) (reverse (digits 121)))]
;;;;
(defn tree-insert [tree path] (if-let [[p & more] (seq path)] (update tree p (fnil tree-insert {}) more) tree))
(defn render ([t] (render t 0)) ([t depth] (mapcat (fn [[k v]] (cons (str (apply str (repeat depth "  ")) k) (render v (inc depth)))) (sort-by key t))))
(let [t (reduce tree-insert {} (map #(clojure.string/split % #"/") ["usr/bin/x" "usr/lib" "etc/conf" "usr/bin/y"]))]
  (println (clojure.string/join "\n" (render t)))
  t)
;;;;
(let [xs [5 3 8 1]
      indexed (map-indexed vector xs)
      [min-i min-v] (apply min-key second indexed)
      swap (fn [v i j] (assoc v i (v j) j (v i)))
      bubble (fn [v] (reduce (fn [v i] (reduce (fn [v j] (if (> (v j) (v (inc j))) (swap v j (inc j)) v)) v (range (- (count v) i 1)))) v (range (count v))))]
  [min-i min-v (swap xs 0 3) (bubble xs) (keep-indexed (fn [i x] (when (> x 4) i)) xs) (.indexOf xs 8) (first (keep-indexed #(when (= %2 1) %1) xs)) (reduce (fn [m [i x]] (assoc m x i)) {} indexed) (zipmap xs (range)) (take-while pos? (map - xs (rest xs))) (map max xs (rest xs)) (subvec xs 1) (replace {5 :five} xs) (mapv #(if (even? %) :e :o) xs) (assoc xs 4 9) (update xs 0 inc) (vec (remove #{3} xs)) (into [] (comp (filter odd?) (map inc)) xs) (peek xs) (pop xs) (rseq xs) (contains? xs 3) (get xs 9 :none) (xs 0) (nth xs 1) (apply max xs) (sort-by - xs) (split-at 2 xs) (conj xs 7 6)])
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
;;;;
(defn interpret [expr env]
  (cond (number? expr) expr
        (keyword? expr) (get env expr)
        (vector? expr) (let [[op & args] expr]
                         (case op
                           :let (let [[k v body] args] (interpret body (assoc env k (interpret v env))))
                           :if (let [[t a b] args] (if (interpret t env) (interpret a env) (interpret b env)))
                           :fn (let [[p body] args] (fn [x] (interpret body (assoc env p x))))
                           :call (let [[f x] (map #(interpret % env) args)] (f x))
                           (apply ({:+ + :* * :- - :< <} op) (map #(interpret % env) args))))
        :else (throw (ex-info "bad expr" {:expr expr}))))
[(interpret [:+ 1 [:* 2 3]] {}) (interpret [:let :x 5 [:* :x :x]] {}) (interpret [:if [:< 1 2] 10 20] {}) (interpret [:call [:fn :y [:+ :y :z]] 4] {:z 6}) (try (interpret "s" {}) (catch Exception e [(ex-message e) (:expr (ex-data e))]))]
;;;;
(let [s "The Quick brown fox"
      words (clojure.string/split s #" ")]
  [(map count words) (clojure.string/join "_" (map clojure.string/lower-case words)) (apply str (map first words)) (filter #(re-find #"^[A-Z]" %) words) (re-seq #"[aeiou]" s) (count (re-seq #"\b\w" s)) (clojure.string/replace s #"(\w+) (\w+)" "$2 $1") (clojure.string/replace s #"\w+" clojure.string/reverse) (re-find #"q\w+" s) (re-find #"(?i)q\w+" s) (re-matches #".*fox" s) (re-matches #"fox" s) (subs s (inc (.indexOf s " "))) (.toUpperCase s) (.contains s "fox") (.startsWith s "The") (.lastIndexOf s "o") (map str (seq "abc")) (sort-by count words) (group-by count words) (reduce str (reverse s)) (clojure.string/index-of s "fox") (apply str (remove #{\o} s)) (apply str (filter #(Character/isUpperCase %) s)) (map int "AZ") (char 65) (str \a \b) (= "a" (str \a)) (first "abc") (vec "ab") (frequencies (clojure.string/lower-case "Aab")) (.charAt "abc" 1) (compare "apple" "banana") (distinct (clojure.string/lower-case s)) (every? string? words) (zipmap words (map count words)) (interleave words (range)) (clojure.string/split "a1b22c" #"\d+") (clojure.string/split "k: v" #":\s*") (re-seq #"(\w)(\w)" "abcd") (.replace "a.b" "." "-")])
;;;;
(defn simulate [n seed] (take n (iterate (fn [x] (mod (+ (* 1103515245 x) 12345) 2147483648)) seed)))
(let [xs (map #(mod % 100) (rest (simulate 11 42)))
      mean (/ (reduce + xs) (count xs) 1.0)
      var (/ (reduce + (map #(let [d (- % mean)] (* d d)) xs)) (count xs))
      sorted (vec (sort xs))
      pct (fn [p] (sorted (min (dec (count sorted)) (int (* p (count sorted))))))]
  {:xs xs :mean mean :var var :sd (format "%.3f" (Math/sqrt var)) :p50 (pct 0.5) :p90 (pct 0.9) :hist (into (sorted-map) (frequencies (map #(quot % 25) xs)))})
;;;;
(def cart [{:sku "a" :qty 2 :price 9.99} {:sku "b" :qty 1 :price 24.5} {:sku "c" :qty 10 :price 0.5}])
(def discounts [{:if (fn [{:keys [qty]}] (>= qty 10)) :pct 10} {:if #(> (:price %) 20) :pct 5}])
(defn line-total [{:keys [qty price] :as line}]
  (let [gross (* qty price) pct (transduce (comp (filter #((:if %) line)) (map :pct)) + discounts)]
    (assoc line :gross gross :pct pct :net (- gross (* gross (/ pct 100.0))))))
(let [lines (map line-total cart) total (reduce + (map :net lines)) ship (condp > total 20 5.0 50 2.5 0)]
  (doseq [{:keys [sku qty net]} lines] (println (format "%-4s x%-3d %8.2f" sku qty net)))
  (println (format "%-9s %8.2f" "shipping" (double ship)))
  {:total (format "%.2f" (+ total ship)) :saved (reduce + (map #(- (:gross %) (:net %)) lines)) :max (:sku (apply max-key :net lines))})
;;;;
(let [a {:x 1 :y {:z [1 2 {:w 3}]}}]
  [(get-in a [:y :z 2 :w]) (assoc-in a [:y :z 2 :w] 4) (update-in a [:y :z] conj 5) (update-in a [:y :z 0] + 10) (get-in a [:q :r]) (get-in a []) (get-in a nil) (assoc-in {} [] 1) (update-in {} [:a] (fnil conj #{}) 1) (reduce (fn [m k] (assoc-in m [k :seen] true)) {} [:a :b]) (-> a (dissoc :x) (update :y dissoc :z)) (some-> a :y :z first inc) (let [{{[f & r] :z} :y} a] [f r]) (map (fn [[k v]] [k (coll? v)]) a) (tree-seq coll? #(if (map? %) (vals %) %) a) (flatten (vals (:y a))) (clojure.walk/postwalk #(if (number? %) (* 2 %) %) a) (= a (assoc a :x 1)) (merge a {:x nil}) (contains? (:y a) :z) (keys (:y a)) (into {} (for [[k v] a] [(name k) v])) (vec (mapcat (fn [[k v]] [k v]) {:p 1 :q 2}))])
;;;;
(defn paths-to [pred x] (cond (pred x) [[]] (map? x) (for [[k v] x p (paths-to pred v)] (cons k p)) (sequential? x) (for [[i v] (map-indexed vector x) p (paths-to pred v)] (cons i p)) :else nil))
(paths-to #(= 3 %) {:a [1 3 {:b 3}] :c 3 :d {:e [[3]]}})
;;;;
(def items (for [i (range 7)] {:id i}))
(defn page [coll {:keys [offset limit] :or {offset 0 limit 3}}]
  (let [total (count coll) data (->> coll (drop offset) (take limit) vec) nxt (+ offset limit)]
    (cond-> {:data (mapv :id data) :total total} (< nxt total) (assoc :next nxt) (pos? offset) (assoc :prev (max 0 (- offset limit))))))
(loop [offset 0 pages []] (let [{:keys [next] :as p} (page items {:offset offset})] (if next (recur next (conj pages p)) (conj pages p))))
;;;;
(defn run-length [xs] (map (juxt first count) (partition-by identity xs)))
(defn chunk-by-sum [limit xs] (loop [[x & more :as xs] xs cur [] sum 0 out []] (cond (empty? xs) (if (seq cur) (conj out cur) out) (> (+ sum x) limit) (recur more [x] x (conj out cur)) :else (recur more (conj cur x) (+ sum x) out))))
(defn sessions [gap ts] (reduce (fn [acc t] (if (and (seq acc) (<= (- t (peek (peek acc))) gap)) (conj (pop acc) (conj (peek acc) t)) (conj acc [t]))) [] (sort ts)))
[(run-length "aabccc") (chunk-by-sum 10 [4 5 3 8 2 1]) (sessions 5 [30 1 3 12 14 31 8]) (map count (sessions 1 [])) (->> [1 2 4 7 8] (partition 2 1) (map (fn [[a b]] (- b a))))]
;;;;
(let [m {:b 2 :a 1}]
  (println m (pr-str m) (str m))
  (println (sort m) (into (sorted-map) m) (seq m) (vals m))
  (prn (map (fn [[k v]] [k (* 2 v)]) m) (set (keys m)) [nil true])
  (println (str "x=" (:a m) ", y=" (get m :zz "none")))
  (printf "%s has %d entries (%.1f%%)\n" (str m) (count m) 12.345)
  (print 1 2) (print "\n") (println [1 [2 "three"] #{4}])
  (pr "a" \b :c 1.0 nil) (prn) (println (interpose "," [1 2]) (list "a" nil)))
;;;;
(def tests [["add" #(= 3 (+ 1 2))] ["sub" #(= 1 (- 2 1))] ["fail" #(= 1 2)] ["boom" #(throw (ex-info "boom" {:code 7}))]])
(let [results (for [[name f] tests] (try {:name name :ok (boolean (f))} (catch Exception e {:name name :error (ex-message e) :code (:code (ex-data e))})))
      {passed true failed false} (group-by #(true? (:ok %)) results)]
  {:passed (mapv :name passed) :failed (mapv (juxt :name :error :code) failed) :summary (format "%d/%d" (count passed) (count results))})
;;;;
(let [f (fn [x & {:keys [a b] :or {a 1 b (inc a)} :as o}] [x a b o])
      g (fn [{:keys [x y] :or {y 9}}] (+ x y))
      h (fn [[a b :as v] {c :c} & [d]] [a b v c d])]
  [(f 0) (f 0 :a 5) (f 0 :b 2 :z 1) (g {:x 1}) (g {:x 1 :y 2}) (h [1 2 3] {:c 4}) (h nil nil 5) ((fn [& [x y :as all]] [x y all]) 1) ((fn [& xs] xs)) (apply (fn [a & b] [a b]) 1 [2 3]) (let [[a :as b] "hi"] [a b]) (let [{:keys [a/b c]} {:a/b 1 :c 2}] [b c]) (let [[[x]] [[5]]] x) (let [{[a] :k} {:k [7]}] a) (for [[a & b] [[1 2] [3]]] [a b]) (let [x 1 {:keys [x]} {:x 2}] x) (let [[a b] {:k :v}] [a b])])
;;;;
(let [f (fn [x & {:keys [a b] :or {a 1 b 5} :as o}] [x a b o])
      g (fn [{:keys [x y] :or {y 9}}] (+ x y))
      h (fn [[a b :as v] {c :c} & [d]] [a b v c d])]
  [(f 0) (f 0 :a 5) (f 0 :b 2 :z 1) (g {:x 1}) (g {:x 1 :y 2}) (h [1 2 3] {:c 4}) (h nil nil 5) ((fn [& [x y :as all]] [x y all]) 1) ((fn [& xs] xs)) (apply (fn [a & b] [a b]) 1 [2 3]) (let [[a :as b] "hi"] [a b]) (let [{:keys [a/b c]} {:a/b 1 :c 2}] [b c]) (let [[[x]] [[5]]] x) (let [{[a] :k} {:k [7]}] a) (for [[a & b] [[1 2] [3]]] [a b]) (let [x 1 {:keys [x]} {:x 2}] x)])
;;;;
(def prices {"AAPL" [100 102 99] "GOOG" [50 55 60] "X" []})
(defn pct-change [[a & more]] (when (and a (seq more)) (-> (last more) (- a) (/ a) (* 100.0))))
(let [changes (into {} (map (juxt key (comp pct-change val))) prices)
      known (filter val changes)
      [best worst] [(apply max-key val known) (apply min-key val known)]]
  {:changes changes :best (key best) :worst (first worst) :avg (/ (transduce (map val) + known) (count known)) :none (keys (remove val changes)) :table (for [[k v] (sort-by (comp - (fnil identity -1e9) val) changes)] (str k " " (if v (format "%+.2f" v) "n/a")))})
;;;;
;;;;
(defn hanoi [n from to via] (if (zero? n) [] (concat (hanoi (dec n) from via to) [[from to]] (hanoi (dec n) via to from))))
(defn queens [n] (let [safe? (fn [qs c] (every? (fn [[i q]] (and (not= q c) (not= (inc i) (Math/abs (- q c))))) (map-indexed vector (reverse qs))))] (loop [k 0 sols [[]]] (if (= k n) sols (recur (inc k) (for [qs sols c (range n) :when (safe? qs c)] (conj qs c)))))))
(defn gray [n] (if (zero? n) [""] (let [g (gray (dec n))] (concat (map #(str "0" %) g) (map #(str "1" %) (reverse g))))))
[(hanoi 2 :a :c :b) (count (hanoi 5 1 3 2)) (queens 4) (count (queens 6)) (gray 3)]
;;;;
(require '[clojure.string :as str] '[clojure.set :as set])
(def emails ["Ann <ann@x.com>" "bob@y.org" "bad" "C. D. <cd@x.com>"])
(let [parse (fn [s] (or (some->> s (re-matches #"(.+?)\s*<(.+)>") rest (zipmap [:name :email])) (when (str/includes? s "@") {:email s})))
      parsed (map parse emails)
      domains (->> parsed (keep :email) (map #(second (str/split % #"@"))) frequencies)]
  [parsed domains (set/difference (set (keys domains)) #{"x.com"}) (map #(-> % :email (str/split #"[@.]")) (remove nil? parsed)) (sort-by (juxt (comp nil? :name) :name) (remove nil? parsed)) (str/join "; " (for [{:keys [name email]} parsed :when email] (str (when name (str name " ")) "<" email ">")))])
;;;;
(let [ts [3661 59 86400 0] pad #(if (< % 10) (str "0" %) (str %))
      hms (fn [t] (str/join ":" (map pad [(quot t 3600) (mod (quot t 60) 60) (mod t 60)])))
      leap? (fn [y] (or (zero? (mod y 400)) (and (zero? (mod y 4)) (pos? (mod y 100)))))
      dim (fn [y m] (case m 2 (if (leap? y) 29 28) (4 6 9 11) 30 31))
      day-num (fn [y m d] (+ d (reduce + (map #(dim y %) (range 1 m)))))
      zeller (fn [y m d] (let [[y m] (if (< m 3) [(dec y) (+ m 12)] [y m]) k (mod y 100) j (quot y 100)] (mod (+ d (quot (* 13 (inc m)) 5) k (quot k 4) (quot j 4) (* 5 j)) 7)))]
  [(map hms ts) (filter leap? [1900 2000 2023 2024]) (map #(dim 2024 %) (range 1 13)) (day-num 2024 3 1) (["Sat" "Sun" "Mon" "Tue" "Wed" "Thu" "Fri"] (zeller 2024 1 15)) (format "%04d-%02d-%02d" 2024 1 5) (map parse-long (re-seq #"\d+" "2024-01-05T10:20"))])
;;;;
;;;;
(defn area [{:keys [shape r w h] :as s}] (case shape :circle (* Math/PI r r) :rect (* w h) (throw (ex-info (str "unknown shape " shape) s))))
(let [shapes [{:shape :circle :r 1} {:shape :rect :w 2 :h 3} {:shape :blob}]]
  (for [s shapes] (try (format "%.3f" (double (area s))) (catch clojure.lang.ExceptionInfo e (str "E:" (ex-message e) (:shape (ex-data e)))))))
;;;;
(let [xs (range 20)]
  [(->> xs (partition 5) (map (partial reduce +))) (reduce (fn [[e o] x] (if (even? x) [(conj e x) o] [e (conj o x)])) [[] []] xs) ((juxt filter remove) even? xs) (group-by #(mod % 3) xs) (split-with #(< % 7) xs) (take-last 3 xs) (drop-last 17 xs) (nth xs 4) (last xs) (apply + xs) (reduce - xs) (map (fn [a b] (* a b)) xs (drop 15 xs)) (mapcat (fn [x] (repeat x x)) (range 4)) (reductions * (range 1 6)) (interleave (range 3) "abc") (zipmap "ab" xs) (distinct (map #(mod % 4) xs)) (sort-by #(mod % 5) (take 10 xs)) (some #{15} xs) (not-any? neg? xs) (take-nth 6 xs) (butlast (take 4 xs)) (partition-by #(quot % 8) xs) (filterv odd? (take 5 xs)) (into #{} (take 3 xs)) (dedupe (map #(quot % 7) xs)) (rest (take 2 xs)) (count (filter even? xs)) (max-key #(mod % 7) 3 13 20) (keep #(when (> % 17) (str %)) xs) (second xs) (vec (take 2 xs)) (list* 1 2 (take 2 xs)) (cons -1 (take 2 xs)) (concat (take 2 xs) [:x]) (flatten [1 (take 2 xs) [[2]]]) (empty? (drop 20 xs)) (seq (drop 20 xs)) (range 5 0 -2) (range 0 1 0.25) (range 3 3)])
