;;;; evaluator
(declare evaluate)
(defn eval-args [env args] (map #(evaluate env %) args))
(defn evaluate [env expr]
  (cond (number? expr) expr
        (keyword? expr) (get env expr)
        (vector? expr) (let [[op & args] expr]
                         (case op
                           :let (let [[k v body] args] (evaluate (assoc env k (evaluate env v)) body))
                           :if (let [[t a b] args] (evaluate env (if (evaluate env t) a b)))
                           :fn (let [[ps body] args] (fn [& vs] (evaluate (merge env (zipmap ps vs)) body)))
                           :call (let [[f & xs] (eval-args env args)] (apply f xs))
                           (apply (get {:+ + :- - :* * :< < := =} op) (eval-args env args))))))
[(evaluate {} [:+ 1 [:* 2 3]]) (evaluate {:x 5} [:if [:< :x 10] [:+ :x 1] 0]) (evaluate {} [:let :sq [:fn [:n] [:* :n :n]] [:call :sq 7]])]
;;;; eval named
(defn eval [[op a b :as e] env] (cond (number? e) e) )
:defined
;;;; simplify
(defn simplify [e] (if (vector? e) (let [[op a b] (mapv simplify e)] (cond (and (= op :+) (= a 0)) b (and (= op :+) (= b 0)) a (and (= op :*) (or (= a 0) (= b 0))) 0 (and (= op :*) (= a 1)) b (and (= op :*) (= b 1)) a (every? number? [a b]) ((op {:+ + :* *}) a b) :else [op a b])) e))
(defn derive-x [e] (cond (number? e) 0 (= e :x) 1 :else (let [[op a b] e] (case op :+ [:+ (derive-x a) (derive-x b)] :* [:+ [:* (derive-x a) b] [:* a (derive-x b)]]))))
[(simplify [:+ 0 [:* 1 :x]]) (simplify (derive-x [:* :x :x])) (simplify [:* [:+ 1 2] 4]) (derive-x [:+ :x 3])]
;;;; polynomials
(defn poly+ [a b] (let [n (max (count a) (count b))] (mapv #(+ (nth a % 0) (nth b % 0)) (range n))))
(defn poly* [a b] (reduce poly+ [] (map-indexed (fn [i x] (into (vec (repeat i 0)) (map #(* x %) b))) a)))
(defn eval-poly [p x] (reduce (fn [acc c] (+ (* acc x) c)) 0 (rseq p)))
(defn show [p] (clojure.string/join " + " (keep-indexed (fn [i c] (when-not (zero? c) (case i 0 (str c) 1 (str c "x") (str c "x^" i)))) p)))
[(poly+ [1 2] [3 4 5]) (poly* [1 1] [1 -1]) (eval-poly [1 2 3] 2) (show [5 0 2]) (show (poly* [1 2] [1 2]))]
;;;; complex numbers
(defn c+ [[a b] [c d]] [(+ a c) (+ b d)]) (defn c* [[a b] [c d]] [(- (* a c) (* b d)) (+ (* a d) (* b c))]) (defn mag2 [[a b]] (+ (* a a) (* b b)))
(defn escape-time [c n] (loop [z [0 0] i 0] (if (or (= i n) (> (mag2 z) 4)) i (recur (c+ (c* z z) c) (inc i)))))
(doseq [y (range -1.0 1.1 0.5)] (println (apply str (for [x (range -2.0 0.6 0.25)] (if (= 20 (escape-time [x y] 20)) "#" ".")))))
(c* [1 2] [3 4])
;;;; range floats
[(range 0 1 0.25) (range 10 0 -3) (range 5 5) (range -3 3) (take 3 (range)) (range 1 2 0.3) (vec (range 0 10 5)) (count (range 0 1 0.1)) (reverse (range 3)) (reduce + (range 101)) (last (range 0 100 7)) (map #(/ % 4.0) (range 5)) (range 3.5)]
;;;; update nested vectors
(let [g (vec (repeat 3 (vec (repeat 3 \.)))) put (fn [g [r c] m] (assoc-in g [r c] m)) g (-> g (put [1 1] \X) (put [0 2] \O))] (println (clojure.string/join "\n" (map #(apply str %) g))) [(map #(apply str %) g) (get-in g [1 1]) (for [[r row] (map-indexed vector g) [c x] (map-indexed vector row) :when (not= x \.)] [r c (str x)]) (count (filter #{\.} (flatten g)))])
;;;; merge deep
(defn deep-merge [& ms] (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
(deep-merge {:a {:b 1 :c {:d 1}} :x 1} {:a {:c {:e 2} :b 9}} {:x nil :y [1]})
;;;; defaults and config
(def defaults {:port 80 :host "localhost" :opts {:tls false :retries 3}})
(defn configure [& {:keys [port host] :or {port 8080 host (:host defaults)} :as args}] (merge defaults args {:port port :url (str "http://" host ":" port)}))
[(configure) (configure :port 1 :debug true) (select-keys (configure {:host "h"}) [:url :port])]
;;;; variadic
(defn avg ([] 0) ([x] x) ([x & xs] (/ (apply + x xs) (inc (count xs)))))
(defn log [level fmt & args] (str "[" (name level) "] " (apply format fmt args)))
(defn compose-all [& [f & fs]] (if f (reduce (fn [a b] #(b (a %))) f fs) identity))
[(avg) (avg 4) (avg 1 2 3) (log :warn "%s=%d" "x" 5) ((compose-all inc #(* 2 %) str) 3) ((compose-all) 7) (apply avg [2 4]) ((fn [& {:keys [a]}] a) :a 1) ((fn [x & _] x) 1 2)]
;;;; multi arity recursion
(defn sum-digits ([n] (sum-digits n 0)) ([n acc] (if (zero? n) acc (recur (quot n 10) (+ acc (rem n 10))))))
(defn power ([b e] (power b e 1)) ([b e acc] (if (zero? e) acc (recur b (dec e) (* acc b)))))
(defn rev ([xs] (rev xs ())) ([[x & more :as xs] acc] (if (empty? xs) acc (recur more (conj acc x)))))
(defn gcd [a b] (if (zero? b) a (recur b (rem a b))))
(defn ack [m n] (cond (zero? m) (inc n) (zero? n) (ack (dec m) 1) :else (ack (dec m) (ack m (dec n)))))
[(sum-digits 98765) (power 2 40) (rev [1 2 3]) (gcd 1071 462) (ack 2 3)]
;;;; destructure deep
(let [{[{:keys [a] :as m1} & others] :items {:keys [x y] :or {y 100}} :pos :keys [id] :or {id :none}} {:items [{:a 1 :b 2} {:a 3} {:a 5}] :pos {:x 10}}
      [[p q] [r [s]]] [[1 2] [3 [4]]]
      {:strs [name] :syms []} {"name" "n"}
      [first-char second-char & others2] "hello"
      {a1 0 b1 1} [:zero :one]
      [_ _ third] (range)]
  [a m1 (map :a others) x y id p q r s name first-char second-char others2 a1 b1 third])
;;;; loop destructuring
(loop [[[k v] & more] (seq {:a 1 :b 2 :c 3}) acc {}] (if k (recur more (assoc acc v k)) acc))
;;;; for destructuring nested
(for [{:keys [name scores]} [{:name "a" :scores {:m 1 :e 2}} {:name "b" :scores {:m 3}}] [subj sc] scores :let [label (str name "/" (clojure.core/name subj))] :when (odd? sc)] [label sc])
;;;; name shadow param
(defn greet [{:keys [name count] :or {count 1}}] (str name "x" count))
(defn stats [list] (let [max (apply max list) min (apply min list)] {:max max :min min :range (- max min)}))
[(greet {:name "A"}) (stats [3 1 2]) (let [keys [:a] vals [1]] (zipmap keys vals)) ((fn [map] (:x map)) {:x 1})]
;;;; keys with namespaces
(let [m {:user/name "A" :user/age 3 :order/id 7}] [(:user/name m) (let [{:user/keys [name age] :order/keys [id]} m] [name age id]) (group-by namespace (keys m)) (into {} (map (fn [[k v]] [(keyword (name k)) v])) m) (sort (keys m)) (str :user/name) (keyword "user" "x") (= :user/name (keyword "user/name"))])
;;;; nested defs and lets
(def config (let [base {:a 1} extra (assoc base :b 2)] (merge base extra)))
(def lookup (memoize (fn [k] (get config k :missing))))
(defn outer [x] (let [inner (fn [y] (+ x y)) twice (comp inner inner)] (twice 1)))
[(lookup :b) (lookup :z) (outer 10) config (let [x 1] (let [x (inc x) y x] [x y])) (do (def z 5) (inc z))]
;;;; predicates combos
(let [valid? (every-pred string? not-empty #(re-matches #"[a-z]+" %)) any-kw? (some-fn keyword? #(and (string? %) (.startsWith % ":")))] [(map (comp boolean valid?) ["abc" "" "A1"]) (map (comp boolean any-kw?) [:a ":b" "c" 1]) ((complement valid?) "x") (remove valid? ["ok" "NO"]) (filter (comp even? count) ["a" "bb"]) (every? (partial < 0) [1 2]) (not-every? even? [2 3]) (some (partial re-find #"z") ["az" "b"]) (filter identity [nil 1 false 2]) (keep not-empty ["" "a"])])
;;;; group multi key
(def rows [{:y 2023 :q 1 :v 10} {:y 2023 :q 2 :v 20} {:y 2024 :q 1 :v 30} {:y 2023 :q 1 :v 5}])
[(into (sorted-map) (map (fn [[k vs]] [k (reduce + (map :v vs))])) (group-by (juxt :y :q) rows)) (reduce (fn [m {:keys [y q v]}] (update-in m [y q] (fnil + 0) v)) {} rows) (->> rows (group-by :y) (map (fn [[y rs]] [y (->> rs (group-by :q) (map (fn [[q xs]] [q (count xs)])) (into {}))])) (into {})) (partition-by :y rows) (sort-by (juxt (comp - :y) :q :v) rows) (map (juxt :y :q) (distinct (map #(select-keys % [:y :q]) rows)))]
;;;; rank with ties
(defn rank [scores] (let [sorted (sort > (distinct (vals scores))) pos (zipmap sorted (range 1 100))] (into {} (map (fn [[k v]] [k (pos v)])) scores)))
(defn competition-rank [scores] (let [vs (sort > (vals scores))] (update-vals scores #(inc (.indexOf vs %)))))
[(rank {:a 10 :b 20 :c 10 :d 5}) (competition-rank {:a 10 :b 20 :c 10 :d 5})]
;;;; top n per group
(->> [["x" 5] ["y" 3] ["x" 9] ["x" 7] ["y" 8] ["z" 1]] (group-by first) (map (fn [[k vs]] [k (->> vs (map second) (sort >) (take 2))])) (sort-by first) (into []))
;;;; running balance
(let [txs [["2024-01-03" -20.5] ["2024-01-01" 100.0] ["2024-01-02" 50.25]] sorted (sort-by first txs)] (map (fn [[d a] b] {:date d :amount a :balance b}) sorted (rest (reductions + 0 (map second sorted)))))
;;;; inverted index
(def docs {1 "the cat sat" 2 "the dog sat down" 3 "a cat and a dog"})
(def index (reduce-kv (fn [idx id text] (reduce (fn [i w] (update i w (fnil conj (sorted-set)) id)) idx (clojure.string/split text #"\s+"))) (sorted-map) docs))
(defn search [& terms] (apply clojure.set/intersection (map #(get index % #{}) terms)))
{:terms (count index) :cat (index "cat") :both (search "cat" "dog") :none (search "cat" "xyz") :top (take 3 (sort-by (fn [[w ids]] [(- (count ids)) w]) index)) :tf (into {} (for [[id t] docs] [id (apply max (vals (frequencies (clojure.string/split t #" "))))]))}
;;;; tf idf
(let [docs [["a" "b" "a"] ["b" "c"] ["a" "c" "c" "d"]] n (count docs) df (frequencies (mapcat distinct docs)) idf (update-vals df #(Math/log (/ n (double %)))) tfidf (fn [d] (into (sorted-map) (map (fn [[t c]] [t (format "%.4f" (* (/ c (double (count d))) (idf t)))])) (frequencies d)))] (map tfidf docs))
;;;; cosine
(defn dot [a b] (reduce + (map * a b))) (defn norm [a] (Math/sqrt (dot a a))) (defn cosine [a b] (/ (dot a b) (* (norm a) (norm b))))
[(cosine [1 2 3] [2 4 6]) (format "%.4f" (cosine [1 0 1] [1 1 0])) (norm [3 4]) (map #(cosine [1 0] %) [[0 1] [1 0] [-1 0]])]
;;;; kmeans 1d
(defn assign [cs xs] (group-by (fn [x] (apply min-key #(Math/abs (- x %)) cs)) xs))
(defn step [cs xs] (sort (map (fn [[_ g]] (/ (reduce + g) (double (count g)))) (assign cs xs))))
(let [xs [1.0 2.0 3.0 10.0 11.0 12.0]] [(take 3 (iterate #(step % xs) [1.0 2.0])) (into (sorted-map) (assign [2.0 11.0] xs))])
;;;; knn
(def pts [[[1 1] :a] [[2 1] :a] [[8 8] :b] [[9 8] :b] [[1 2] :a]])
(defn d2 [p q] (reduce + (map #(* (- %1 %2) (- %1 %2)) p q)))
(defn knn [k p] (->> pts (sort-by #(d2 p (first %))) (take k) (map second) frequencies (apply max-key val) key))
[(knn 3 [2 2]) (knn 3 [7 7]) (map #(d2 [0 0] (first %)) pts)]
;;;; markov
(let [ws (clojure.string/split "the cat the dog the cat sat" #" ") chain (reduce (fn [m [a b]] (update-in m [a b] (fnil inc 0))) {} (partition 2 1 ws))] [chain (into (sorted-map) (for [[w nx] chain] [w (key (apply max-key val (sort nx)))])) (into {} (for [[w nx] chain :let [t (reduce + (vals nx))]] [w (update-vals nx #(/ % (double t)))])) (take 5 (iterate #(some-> (chain %) sort first key) "dog"))])
;;;; ngrams
(defn ngrams [n s] (map #(apply str %) (partition n 1 s)))
[(ngrams 2 "hello") (frequencies (ngrams 1 "aab")) (->> (ngrams 2 "banana") frequencies (sort-by (juxt (comp - val) key))) (let [a (set (ngrams 2 "night")) b (set (ngrams 2 "nacht"))] (/ (* 2.0 (count (clojure.set/intersection a b))) (+ (count a) (count b))))]
;;;; soundex-ish
(def codes {\b 1 \f 1 \p 1 \v 1 \c 2 \g 2 \j 2 \k 2 \q 2 \s 2 \x 2 \z 2 \d 3 \t 3 \l 4 \m 5 \n 5 \r 6})
(defn soundex [w] (let [w (clojure.string/lower-case w) cs (->> w (map codes) dedupe rest (remove nil?) (take 3))] (apply str (.toUpperCase (subs w 0 1)) (take 3 (concat cs (repeat 0))))))
(map soundex ["Robert" "Rupert" "Ashcraft" "Tymczak" "A"])
;;;; glob matching
(defn glob->re [g] (re-pattern (str "^" (clojure.string/replace (clojure.string/replace g "." "\\.") "*" ".*") "$")))
(for [g ["*.clj" "a*" "*"]] [g (filter #(re-matches (glob->re g) %) ["a.clj" "b.txt" "abc" "xclj"])])
;;;; path utils
(defn normalize [p] (loop [[s & more :as ss] (remove #{"" "."} (clojure.string/split p #"/")) out []] (if (empty? ss) (str "/" (clojure.string/join "/" out)) (recur more (if (= s "..") (if (seq out) (pop out) out) (conj out s))))))
(defn ext [f] (when-let [i (clojure.string/last-index-of f ".")] (subs f (inc i))))
[(map normalize ["/a/b/../c" "/../x" "a//b/./c/" "/"]) (map ext ["a.txt" "b" "c.tar.gz"]) (group-by ext ["x.a" "y.b" "z.a" "q"])]
;;;; camel kebab
(defn kebab [s] (-> s (clojure.string/replace #"([a-z0-9])([A-Z])" "$1-$2") (clojure.string/replace #"[_\s]+" "-") clojure.string/lower-case))
(defn camel [s] (clojure.string/replace s #"-(\w)" (fn [[_ c]] (clojure.string/upper-case c))))
(defn title [s] (->> (clojure.string/split s #"[-_ ]") (map clojure.string/capitalize) (clojure.string/join " ")))
[(map kebab ["fooBar" "HelloWorldAgain" "snake_case here"]) (map camel ["foo-bar-baz" "x"]) (title "some-kebab_name here") (into {} (map (fn [[k v]] [(keyword (camel (name k))) v])) {:first-name 1 :last-name 2})]
;;;; slugify truncate
(defn slug [s] (-> s clojure.string/lower-case (clojure.string/replace #"[^a-z0-9]+" "-") (clojure.string/replace #"^-|-$" "")))
(defn truncate [s n] (if (> (count s) n) (str (subs s 0 (- n 3)) "...") s))
(defn plural [n w] (str n " " w (when (not= n 1) "s")))
[(slug "  Hello, World! It's 2024 ") (truncate "The quick brown fox" 10) (truncate "short" 10) (map #(plural % "item") [0 1 2])]
;;;; html escape
(defn esc [s] (clojure.string/escape s {\< "&lt;" \> "&gt;" \& "&amp;"}))
(defn unesc [s] (reduce (fn [s [a b]] (clojure.string/replace s a b)) s [["&lt;" "<"] ["&gt;" ">"] ["&amp;" "&"]]))
[(esc "<a & b>") (unesc (esc "<a & b>")) (clojure.string/replace "a<b>c</b>" #"<[^>]+>" "") (map second (re-seq #"href=\"([^\"]+)\"" "<a href=\"x\"><a href=\"y\">"))]
;;;; sprintf table
(let [rows [["Apple" 3 1.25] ["Kiwi" 12 0.5]] line (fn [[n q p]] (format "%-10s|%4d|%8.2f|%9.2f" n q p (* q p)))] (doseq [r rows] (println (line r))) (println (format "%-10s|%4d|%8s|%9.2f" "TOTAL" (reduce + (map second rows)) "" (reduce + (map (fn [[_ q p]] (* q p)) rows)))))
;;;; fixed width parse
(map (fn [l] {:id (parse-long (clojure.string/trim (subs l 0 4))) :name (clojure.string/trimr (subs l 4 12)) :amt (parse-double (clojure.string/trim (subs l 12)))}) ["0001Widget    12.50" "  42Gizmo      3.00"])
;;;; assoc patterns
[(reduce #(assoc %1 %2 (count %2)) {} ["a" "bb"]) (apply assoc {} [:a 1 :b 2]) (assoc {:a 1} :b 2 :c 3) (into {} [[:a 1]]) (conj {:a 1} [:b 2] {:c 3}) (merge-with + {:a 1} {:a 2} {:a 3}) (reduce merge [{:a 1} {:b 2}]) (zipmap [:a :b] (repeat 0)) (apply dissoc {:a 1 :b 2 :c 3} [:a :b]) (update {:a 1} :a + 10 100) (update {:n nil} :n (fnil inc 5)) (assoc-in {} [:a :b :c] 1) (update-in {:a {:b [1]}} [:a :b] conj 2) (get-in {:a [{:b 1}]} [:a 0 :b]) (reduce-kv (fn [m k v] (if (pos? v) (assoc m k v) m)) {} {:a 1 :b -1}) (filter val {:a nil :b 1}) (into {} (remove (comp nil? val) {:a nil :b 1})) (map key {:a 1}) (some (fn [[k v]] (when (= v 2) k)) {:a 1 :b 2}) (sort-by key {:b 1 :a 2}) (first (sort-by val > {:b 1 :a 2})) (not-empty {}) (find {:a nil} :a) (contains? {:a nil} :a) (get {:a nil} :a :d) (vals (select-keys {:a 1 :b 2 :c 3} [:c :a])) (hash-map :a 1) (array-map :z 1 :a 2)]
;;;; walk numbers
(require '[clojure.walk :refer [postwalk prewalk]])
[(postwalk #(if (and (vector? %) (= :sum (first %))) (reduce + (rest %)) %) [:sum 1 [:sum 2 3] 4]) (prewalk #(if (map? %) (dissoc % :secret) %) {:a {:secret 1 :b 2} :secret 0}) (postwalk #(if (string? %) (clojure.string/upper-case %) %) {"k" ["v" {:x "y"}]}) (count (filter number? (tree-seq coll? seq {:a [1 2 {:b 3}]}))) (postwalk (fn [x] (if (map-entry? x) x x)) {:a 1})]
;;;; tree fold
(defn fold-tree [f init t] (if (coll? t) (reduce #(fold-tree f %1 %2) init t) (f init t)))
(defn depth [t] (if (sequential? t) (inc (reduce max 0 (map depth t))) 0))
(defn map-tree [f t] (if (sequential? t) (mapv #(map-tree f %) t) (f t)))
[(fold-tree + 0 [1 [2 [3 4]] 5]) (fold-tree conj [] '(1 (2 (3)))) (depth [1 [2 [3]]]) (map-tree inc [1 [2 [3]]]) (flatten [1 [2 [3]]]) (count (flatten [1 [2 [3]]]))]
;;;; huffman
(defn build [freqs] (loop [ns (sort-by (juxt :w :id) (map-indexed (fn [i [c w]] {:w w :c c :id (str c)}) freqs))] (if (= 1 (count ns)) (first ns) (let [[a b & more] ns] (recur (sort-by (juxt :w :id) (conj more {:w (+ (:w a) (:w b)) :l a :r b :id (str (:id a) (:id b))})))))))
(defn codes [{:keys [c l r]} pre] (if c {c pre} (merge (codes l (str pre "0")) (codes r (str pre "1")))))
(let [s "abracadabra" cs (codes (build (sort (frequencies s))) "")] [(into (sorted-map) cs) (apply str (map cs s)) (reduce + (map (comp count cs) s))])
;;;; lru etc with sorted
(let [m (into (sorted-map) (map (fn [x] [(* x x) x])) (range -3 4))] [m (first m) (key (last m)) (take-while #(< (key %) 5) m) (drop-while #(< (key %) 5) m) (count m) (vals m) (into [] (rseq (vec m))) (reduce-kv + 0 m) (dissoc m 0) (get m 4) (contains? m 5) (apply + (keys m)) (map (fn [[k v]] (+ k v)) m) (update m 9 inc) (empty? (sorted-map)) (= m (into {} m)) (sorted? m)])
