;;;; matrix
(defn transpose [m] (apply mapv vector m))
(defn mmul [a b] (let [bt (transpose b)] (mapv (fn [row] (mapv #(reduce + (map * row %)) bt)) a)))
(def a [[1 2] [3 4]])
(def identity-matrix [[1 0] [0 1]])
{:t (transpose [[1 2 3] [4 5 6]])
 :mul (mmul a a)
 :id? (= a (mmul a identity-matrix))
 :diag (map-indexed (fn [i row] (nth row i)) a)
 :pow (nth (iterate (partial mmul a) a) 3)
 :flat (vec (flatten a))
 :rows (for [[i row] (map-indexed vector a) [j x] (map-indexed vector row) :when (not= i j)] [i j x])}
;=> {:t [[1 4] [2 5] [3 6]], :mul [[7 10] [15 22]], :id? true, :diag (1 4), :pow [[199 290] [435 634]], :flat [1 2 3 4], :rows ([0 1 2] [1 0 3])}
;;;; primes several ways
(defn prime? [n] (and (> n 1) (not-any? #(zero? (rem n %)) (range 2 (inc (long (Math/sqrt n)))))))
(defn sieve [n]
  (loop [candidates (range 2 n) found []]
    (if-let [p (first candidates)]
      (recur (remove #(zero? (mod % p)) (rest candidates)) (conj found p))
      found)))
(defn factors [n]
  (loop [n n d 2 acc []]
    (cond (= n 1) acc
          (zero? (rem n d)) (recur (quot n d) d (conj acc d))
          :else (recur n (inc d) acc))))
[(filter prime? (range 30)) (sieve 30) (map factors [12 97 360]) (frequencies (factors 360))
 (take 5 (filter prime? (iterate inc 100)))]
;=> [(2 3 5 7 11 13 17 19 23 29) [2 3 5 7 11 13 17 19 23 29] ([2 2 3] [97] [2 2 2 3 3 5]) {2 3, 3 2, 5 1} (101 103 107 109 113)]
;;;; graph search
(def graph {:a [:b :c] :b [:d] :c [:d :e] :d [:f] :e [:f] :f []})
(defn bfs [g start goal]
  (loop [queue [[start]] seen #{start}]
    (when-let [path (first queue)]
      (let [node (peek path)]
        (if (= node goal)
          path
          (let [nexts (remove seen (g node))]
            (recur (into (vec (rest queue)) (map #(conj path %) nexts)) (into seen nexts))))))))
(defn dfs [g node] (letfn [(go [seen n] (if (some #{n} seen) seen (reduce go (conj seen n) (g n))))] (go [] node)))
(defn topo [g]
  (loop [g g out []]
    (if (empty? g) out
      (let [targets (set (mapcat val g))
            free (sort (remove targets (keys g)))]
        (recur (apply dissoc g free) (into out free))))))
{:bfs (bfs graph :a :f) :none (bfs graph :f :a) :dfs (dfs graph :a) :topo (topo graph)
 :in-degree (frequencies (mapcat val graph))
 :edges (count (for [[_ vs] graph v vs] v))}
;=> {:bfs [:a :b :d :f], :none nil, :dfs [:a :b :d :f :c :e], :topo [:a :b :c :d :e :f], :in-degree {:b 1, :c 1, :d 2, :e 1, :f 2}, :edges 7}
;;;; memo fib and collatz
(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))))
(defn collatz [n] (take-while #(not= 1 %) (iterate #(if (even? %) (quot % 2) (inc (* 3 %))) n)))
(defn gcd [a b] (if (zero? b) a (recur b (mod a b))))
[(map fib (range 15)) (fib 50) (collatz 6) (apply max-key (comp count collatz) (range 1 20)) (reduce gcd [48 36 120])
 (take 10 (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
 (last (take 5 (iterate #(* 2 %) 1)))]
;=> [(0 1 1 2 3 5 8 13 21 34 55 89 144 233 377) 12586269025 (6 3 10 5 16 8 4 2) 19 12 (0 1 1 2 3 5 8 13 21 34) 16]
;;;; permutations, combinations, powerset
(defn permutations [xs] (if (empty? xs) '(()) (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(defn combos [n xs] (cond (zero? n) '(()) (empty? xs) () :else (concat (map #(cons (first xs) %) (combos (dec n) (rest xs))) (combos n (rest xs)))))
(defn powerset [xs] (reduce (fn [acc x] (into acc (map #(conj % x) acc))) [[]] xs))
(defn cartesian [& colls] (reduce (fn [acc c] (for [a acc x c] (conj a x))) [[]] colls))
[(permutations [1 2 3]) (combos 2 [:a :b :c]) (powerset [1 2 3]) (cartesian [1 2] [:a] "xy") (count (permutations (range 5)))]
;=> [((1 2 3) (1 3 2) (2 1 3) (2 3 1) (3 1 2) (3 2 1)) ((:a :b) (:a :c) (:b :c)) [[] [1] [2] [1 2] [3] [1 3] [2 3] [1 2 3]] ([1 :a "x"] [1 :a "y"] [2 :a "x"] [2 :a "y"]) 120]
;;;; binary search, quicksort, mergesort
(defn bsearch [v x] (loop [lo 0 hi (dec (count v))] (when (<= lo hi) (let [mid (quot (+ lo hi) 2) m (v mid)] (cond (= m x) mid (< m x) (recur (inc mid) hi) :else (recur lo (dec mid)))))))
(defn qsort [[p & xs :as all]] (if (empty? all) [] (let [{small true big false} (group-by #(< % p) xs)] (concat (qsort small) [p] (qsort big)))))
(defn merge-seqs [a b] (cond (empty? a) b (empty? b) a (<= (first a) (first b)) (cons (first a) (merge-seqs (rest a) b)) :else (cons (first b) (merge-seqs a (rest b)))))
(defn msort [xs] (if (<= (count xs) 1) xs (let [[a b] (split-at (quot (count xs) 2) xs)] (merge-seqs (msort a) (msort b)))))
[(bsearch [1 3 5 7 9] 7) (bsearch [1 3 5] 4) (qsort [3 1 4 1 5 9 2 6]) (msort [3 1 4 1 5 9 2 6]) (= (sort [5 2 8]) (qsort [5 2 8]) (msort [5 2 8]))]
;=> [3 nil (1 1 2 3 4 5 6 9) (1 1 2 3 4 5 6 9) true]
;;;; binary tree insert and traverse
(defn insert [t x] (cond (nil? t) {:v x} (< x (:v t)) (update t :l insert x) (> x (:v t)) (update t :r insert x) :else t))
(defn in-order [{:keys [l v r] :as t}] (when t (concat (in-order l) [v] (in-order r))))
(defn height [t] (if t (inc (max (height (:l t)) (height (:r t)))) 0))
(defn bfs-levels [t] (loop [level [t] out []] (if (empty? level) out (recur (keep identity (mapcat (juxt :l :r) level)) (conj out (map :v level))))))
(let [t (reduce insert nil [5 2 8 1 9 3 5])] [(in-order t) (height t) (bfs-levels t) (:v (:l t)) (get-in t [:r :r :v]) (count (tree-seq map? #(keep % [:l :r]) t))])
;=> [(1 2 3 5 8 9) 3 [(5) (2 8) (1 3 9)] 2 9 6]
;;;; dijkstra 2
(def edges [[:a :b 4] [:a :c 1] [:c :b 2] [:b :d 5] [:c :d 8] [:e :f 1]])
(def g (reduce (fn [m [u v w]] (-> m (assoc-in [u v] w) (assoc-in [v u] w))) {} edges))
(defn dijkstra [g src]
  (loop [dist {src 0} done #{}]
    (let [cands (remove (comp done key) dist)]
      (if (empty? cands) dist
        (let [[u d] (apply min-key val cands)]
          (recur (reduce (fn [ds [v w]] (update ds v (fnil min ##Inf) (+ d w))) dist (g u)) (conj done u)))))))
(into (sorted-map) (dijkstra g :a))
;=> {:a 0, :b 3, :c 1, :d 8}
;;;; bfs
(def graph {:a #{:b :c} :b #{:d} :c #{:d :e} :d #{:f} :e #{:f} :f #{}})
(defn bfs [g start]
  (loop [queue (conj clojure.lang.PersistentQueue/EMPTY start) visited #{start} order []]
    (if (empty? queue)
      order
      (let [node (peek queue)
            nbrs (remove visited (sort (get g node)))]
        (recur (into (pop queue) nbrs) (into visited nbrs) (conj order node))))))
(bfs graph :a)
;=> [:a :b :c :d :e :f]
;;;; bfs vector queue
(def graph {"A" ["B" "C"] "B" ["A" "D" "E"] "C" ["A" "F"] "D" ["B"] "E" ["B" "F"] "F" ["C" "E"]})
(defn bfs [graph start goal]
  (loop [queue [[start]] visited #{start}]
    (when-let [path (first queue)]
      (let [node (peek path)]
        (if (= node goal)
          path
          (let [next-nodes (remove visited (graph node))]
            (recur (into (subvec queue 1) (map #(conj path %) next-nodes))
                   (into visited next-nodes))))))))
(defn dfs [graph start]
  (loop [stack (list start) visited #{} order []]
    (cond
      (empty? stack) order
      (visited (first stack)) (recur (rest stack) visited order)
      :else (let [n (first stack)]
              (recur (concat (graph n) (rest stack)) (conj visited n) (conj order n))))))
(defn reachable [g n] (loop [seen #{} frontier #{n}] (if (seq frontier) (recur (into seen frontier) (set (remove seen (mapcat g frontier)))) seen)))
{:path (bfs graph "A" "F") :none (bfs graph "A" "Z") :dfs (dfs graph "A") :reach (sort (reachable graph "D"))}
;=> {:path ["A" "C" "F"], :none nil, :dfs ["A" "B" "D" "E" "F" "C"], :reach ("A" "B" "C" "D" "E" "F")}
;;;; topological sort
(def deps {:app [:db :web] :web [:http :json] :db [:json] :http [] :json []})
(defn topo [deps]
  (letfn [(visit [[order seen] n]
            (if (seen n)
              [order seen]
              (let [[order seen] (reduce visit [order (conj seen n)] (deps n))]
                [(conj order n) seen])))]
    (first (reduce visit [[] #{}] (sort (keys deps))))))
(topo deps)
;=> [:json :db :http :web :app]
;;;; kahn
(defn kahn-sort [g]
  (let [nodes (into (set (keys g)) (mapcat val g))
        indeg (merge (zipmap nodes (repeat 0)) (frequencies (mapcat val g)))]
    (loop [indeg indeg
           ready (into (sorted-set) (for [[n d] indeg :when (zero? d)] n))
           out []]
      (if-let [n (first ready)]
        (let [[indeg' ready'] (reduce (fn [[i r] m]
                                        (let [i (update i m dec)]
                                          [i (if (zero? (i m)) (conj r m) r)]))
                                      [indeg (disj ready n)] (g n))]
          (recur indeg' ready' (conj out n)))
        (if (= (count out) (count nodes)) out :cycle)))))
[(kahn-sort {"shirt" ["tie" "belt"] "tie" ["jacket"] "pants" ["shoes" "belt"] "belt" ["jacket"] "socks" ["shoes"]})
 (kahn-sort {:a [:b] :b [:a]})]
;=> [["pants" "shirt" "belt" "socks" "shoes" "tie" "jacket"] :cycle]
;;;; dijkstra sorted-set
(def g {:a {:b 7 :c 9 :f 14} :b {:a 7 :c 10 :d 15} :c {:a 9 :b 10 :d 11 :f 2} :d {:b 15 :c 11 :e 6} :e {:d 6 :f 9} :f {:a 14 :c 2 :e 9}})
(defn dijkstra [g source]
  (loop [pq (sorted-set [0 source]) dist {source 0} prev {}]
    (if-let [[d u :as top] (first pq)]
      (if (> d (dist u))
        (recur (disj pq top) dist prev)
        (let [[pq dist prev]
              (reduce-kv (fn [[pq dist prev] v w]
                           (let [nd (+ d w)]
                             (if (< nd (get dist v Long/MAX_VALUE))
                               [(conj pq [nd v]) (assoc dist v nd) (assoc prev v u)]
                               [pq dist prev])))
                         [(disj pq top) dist prev] (g u))]
          (recur pq dist prev)))
      {:dist dist :prev prev})))
(defn path-to [prev target] (->> target (iterate prev) (take-while some?) reverse vec))
(let [{:keys [dist prev]} (dijkstra g :a)]
  {:dist (into (sorted-map) dist) :path (path-to prev :e)})
;=> {:dist {:a 0, :b 7, :c 9, :d 20, :e 20, :f 11}, :path [:a :c :f :e]}
;;;; dijkstra min-key
(defn dijkstra [graph start]
  (loop [distances (assoc (zipmap (keys graph) (repeat Double/POSITIVE_INFINITY)) start 0)
         unvisited (set (keys graph))]
    (if (empty? unvisited)
      distances
      (let [current (apply min-key distances (sort unvisited))
            d (distances current)]
        (recur (reduce (fn [m [n w]] (update m n min (+ d w))) distances (graph current))
               (disj unvisited current))))))
(into (sorted-map) (dijkstra {"A" {"B" 1 "C" 4} "B" {"C" 2 "D" 6} "C" {"D" 3} "D" {} "X" {}} "A"))
;=> {"A" 0, "B" 1, "C" 3, "D" 6, "X" ##Inf}
;;;; matrices
(defn transpose [m] (apply mapv vector m))
(defn mat-mul [a b]
  (let [bt (transpose b)]
    (mapv (fn [row] (mapv (fn [col] (reduce + (map * row col))) bt)) a)))
(defn identity-matrix [n] (vec (for [i (range n)] (vec (for [j (range n)] (if (= i j) 1 0))))))
(defn mat-pow [m n] (nth (iterate (partial mat-mul m) (identity-matrix (count m))) n))
(defn det [m]
  (if (= 1 (count m))
    (ffirst m)
    (reduce + (map-indexed (fn [j x]
                             (* (if (even? j) 1 -1) x
                                (det (mapv #(into (subvec % 0 j) (subvec % (inc j))) (rest m)))))
                           (first m)))))
{:t (transpose [[1 2 3] [4 5 6]])
 :mul (mat-mul [[1 2] [3 4]] [[5 6] [7 8]])
 :fib (get-in (mat-pow [[1 1] [1 0]] 30) [0 1])
 :det (det [[2 0 1] [1 3 2] [1 1 1]])
 :trace (apply + (map-indexed #(nth %2 %1) [[1 2] [3 4]]))}
;=> {:t [[1 4] [2 5] [3 6]], :mul [[19 22] [43 50]], :fib 832040, :det 0, :trace 5}
;;;; sieve
(defn sieve [n]
  (loop [candidates (range 2 (inc n)) primes []]
    (if-let [p (first candidates)]
      (recur (remove #(zero? (mod % p)) (rest candidates)) (conj primes p))
      primes)))
(defn prime? [n] (and (> n 1) (not-any? #(zero? (rem n %)) (range 2 (inc (long (Math/sqrt n)))))))
(defn factors [n]
  (loop [n n d 2 acc []]
    (cond (= n 1) acc
          (zero? (mod n d)) (recur (quot n d) d (conj acc d))
          :else (recur n (inc d) acc))))
{:sieve (sieve 50) :primes (take 10 (filter prime? (iterate inc 2))) :factors (map (juxt identity factors) [12 97 360 1001]) :twin (filter (fn [[a b]] (= 2 (- b a))) (partition 2 1 (sieve 60)))}
;=> {:sieve [2 3 5 7 11 13 17 19 23 29 31 37 41 43 47], :primes (2 3 5 7 11 13 17 19 23 29), :factors ([12 [2 2 3]] [97 [97]] [360 [2 2 2 3 3 5]] [1001 [7 11 13]]), :twin ((3 5) (5 7) (11 13) (17 19) (29 31) (41 43))}
;;;; sieve vector
(defn eratosthenes [limit]
  (let [flags (reduce (fn [v i]
                        (if (v i)
                          (reduce #(assoc %1 %2 false) v (range (* i i) (inc limit) i))
                          v))
                      (assoc (vec (repeat (inc limit) true)) 0 false 1 false)
                      (range 2 (inc (int (Math/sqrt limit)))))]
    (keep-indexed (fn [i p?] (when p? i)) flags)))
(let [ps (eratosthenes 100)] [(count ps) (last ps) (reduce + ps) (take-last 3 ps)])
;=> [25 97 1060 (83 89 97)]
;;;; lcs
(def lcs
  (memoize
   (fn [a b]
     (cond (or (empty? a) (empty? b)) ""
           (= (first a) (first b)) (str (first a) (lcs (rest a) (rest b)))
           :else (let [x (lcs (rest a) b) y (lcs a (rest b))]
                   (if (>= (count x) (count y)) x y))))))
[(lcs (seq "AGGTAB") (seq "GXTXAYB")) (lcs "nematode" "empty") (lcs "" "abc")]
;=> ["GTAB" "emt" ""]
;;;; edit distance
(def edit-distance
  (memoize
    (fn [s t]
      (cond
        (empty? s) (count t)
        (empty? t) (count s)
        (= (last s) (last t)) (edit-distance (butlast s) (butlast t))
        :else (inc (min (edit-distance (butlast s) t)
                        (edit-distance s (butlast t))
                        (edit-distance (butlast s) (butlast t))))))))
(map (partial apply edit-distance) [["kitten" "sitting"] ["flaw" "lawn"] ["" "abc"]])
;=> (3 2 3)
;;;; knapsack
(def items [{:name "map" :weight 9 :value 150} {:name "compass" :weight 13 :value 35} {:name "water" :weight 153 :value 200} {:name "sandwich" :weight 50 :value 160} {:name "glucose" :weight 15 :value 60}])
(declare m-best)
(defn best [[{:keys [name weight value] :as item} & more] cap]
  (cond (nil? item) [0 []]
        (> weight cap) (m-best more cap)
        :else (let [[v0 _ :as skip] (m-best more cap)
                    [v1 taken] (m-best more (- cap weight))]
                (if (> (+ v1 value) v0) [(+ v1 value) (cons name taken)] skip))))
(def m-best (memoize best))
(best items 100)
;=> [405 ("map" "compass" "sandwich" "glucose")]
;;;; coin change
(defn count-change [coins amount]
  (cond (zero? amount) 1
        (or (neg? amount) (empty? coins)) 0
        :else (+ (count-change coins (- amount (first coins))) (count-change (rest coins) amount))))
(defn min-coins [coins amount]
  (let [table (reduce (fn [t a]
                        (assoc t a (some->> coins
                                            (keep #(get t (- a %)))
                                            seq
                                            (apply min)
                                            inc)))
                      {0 0} (range 1 (inc amount)))]
    (table amount)))
[(count-change [50 25 10 5 1] 100) (min-coins [1 5 10 25] 63) (min-coins [5 7] 13) (min-coins [4 9] 22)]
;=> [292 6 nil 3]
;;;; hanoi
(defn hanoi [n from to via] (when (pos? n) (concat (hanoi (dec n) from via to) [[from to]] (hanoi (dec n) via to from))))
[(hanoi 2 :a :c :b) (count (hanoi 8 :a :c :b))]
;=> [([:a :b] [:a :c] [:b :c]) 255]
;;;; permutations
(defn permutations [xs] (if (empty? xs) '(()) (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(defn powerset [xs] (reduce (fn [acc x] (into acc (map #(conj % x) acc))) [#{}] xs))
(defn combos [n xs] (cond (zero? n) [[]] (empty? xs) [] :else (concat (map #(cons (first xs) %) (combos (dec n) (rest xs))) (combos n (rest xs)))))
[(permutations [1 2 3]) (powerset [:a :b]) (combos 2 [1 2 3 4]) (count (combos 3 (range 10))) (for [a [1 2] b [:x :y]] [a b])]
;=> [((1 2 3) (1 3 2) (2 1 3) (2 3 1) (3 1 2) (3 2 1)) [#{} #{:a} #{:b} #{:a :b}] ((1 2) (1 3) (1 4) (2 3) (2 4) (3 4)) 120 ([1 :x] [1 :y] [2 :x] [2 :y])]
;;;; binary search
(defn bsearch [v x] (loop [lo 0 hi (dec (count v))] (if (> lo hi) -1 (let [mid (quot (+ lo hi) 2) m (nth v mid)] (cond (= m x) mid (< m x) (recur (inc mid) hi) :else (recur lo (dec mid)))))))
(map (partial bsearch [1 3 5 7 9 11]) [1 7 11 4 12])
;=> (0 3 5 -1 -1)
;;;; interval merge
(defn merge-intervals [xs]
  (reduce (fn [acc [s e]] (let [[ps pe] (peek acc)] (if (and pe (<= s pe)) (conj (pop acc) [ps (max pe e)]) (conj acc [s e])))) [] (sort xs)))
[(merge-intervals [[1 3] [8 10] [2 6] [15 18] [17 20]]) (merge-intervals []) (reduce + (map (fn [[a b]] (- b a)) (merge-intervals [[0 5] [3 7]])))]
;=> [[[1 6] [8 10] [15 20]] [] 7]
;;;; trie
(defn add-word [trie w] (assoc-in trie (concat w [:end]) true))
(defn words-with-prefix [trie prefix]
  (letfn [(collect [node acc] (mapcat (fn [[k v]] (if (= k :end) [acc] (collect v (str acc k)))) node))]
    (sort (collect (get-in trie (seq prefix)) prefix))))
(let [t (reduce add-word {} ["car" "card" "care" "cat" "dog"])] [(words-with-prefix t "car") (words-with-prefix t "do") (words-with-prefix t "x") (get-in t [\c \a \t :end]) (count t)])
;=> [("car" "card" "care") ("dog") () true 2]
;;;; bst
(defn insert [tree v] (if (nil? tree) {:v v} (cond (< v (:v tree)) (update tree :l insert v) (> v (:v tree)) (update tree :r insert v) :else tree)))
(defn in-order [t] (when t (concat (in-order (:l t)) [(:v t)] (in-order (:r t)))))
(defn height [t] (if t (inc (max (height (:l t)) (height (:r t)))) 0))
(defn level-order [t] (loop [q [t] out []] (if-let [n (first q)] (recur (into (vec (rest q)) (filter some? [(:l n) (:r n)])) (conj out (:v n))) out)))
(let [t (reduce insert nil [5 2 8 1 9 3])] [(in-order t) (height t) (level-order t) t])
;=> [(1 2 3 5 8 9) 3 [5 2 8 1 3 9] {:v 5, :l {:v 2, :l {:v 1}, :r {:v 3}}, :r {:v 8, :r {:v 9}}}]
;;;; collatz longest
(defn collatz-len [n] (count (take-while #(> % 1) (iterate #(if (even? %) (/ % 2) (inc (* 3 %))) n))))
(apply max-key val (into {} (map (juxt identity collatz-len)) (range 1 100)))
;=> [97 118]
;;;; pascal triangle print
(defn pascal [n] (take n (iterate #(map + (cons 0 %) (concat % [0])) [1])))
(doseq [row (pascal 5)] (println (apply str (repeat (- 5 (count row)) " ")) (clojure.string/join " " row)))
(last (pascal 8))
;out>      1
;out>     1 1
;out>    1 2 1
;out>   1 3 3 1
;out>  1 4 6 4 1
;=> (1 7 21 35 35 21 7 1)
;;;; matrix spiral transpose print
(def m (vec (for [r (range 3)] (vec (for [c (range 4)] (+ (* r 4) c))))))
[(get-in m [1 2]) (assoc-in m [0 0] :x) (update-in m [2 3] * 10) (mapv #(reduce + %) m) (apply map + m) (mapv (comp vec reverse) m) (flatten m) (map last m) (for [r m :when (even? (first r))] (second r)) (partition 2 (flatten m)) (reduce into [] m) (map-indexed (fn [i r] (nth r i)) m) (mapv #(mapv inc %) m) (count m) (every? vector? m) (some (fn [r] (some #(when (> % 6) %) r)) m)]
;=> [6 [[:x 1 2 3] [4 5 6 7] [8 9 10 11]] [[0 1 2 3] [4 5 6 7] [8 9 10 110]] [6 22 38] (12 15 18 21) [[3 2 1 0] [7 6 5 4] [11 10 9 8]] (0 1 2 3 4 5 6 7 8 9 10 11) (3 7 11) (1 5 9) ((0 1) (2 3) (4 5) (6 7) (8 9) (10 11)) [0 1 2 3 4 5 6 7 8 9 10 11] (0 5 10) [[1 2 3 4] [5 6 7 8] [9 10 11 12]] 3 true 7]
;;;; graph components
(def edges [[1 2] [2 3] [4 5] [6 6]])
(def adj (reduce (fn [g [a b]] (-> g (update a (fnil conj #{}) b) (update b (fnil conj #{}) a))) {} edges))
(defn component [g start] (loop [stack [start] seen #{}] (if-let [n (peek stack)] (if (seen n) (recur (pop stack) seen) (recur (into (pop stack) (g n)) (conj seen n))) seen)))
(loop [nodes (sort (keys adj)) comps []] (if (empty? nodes) comps (let [c (component adj (first nodes))] (recur (remove c nodes) (conj comps (sort c))))))
;=> [(1 2 3) (4 5) (6)]
;;;; union find
(defn find-root [parents x] (let [p (parents x x)] (if (= p x) x (recur parents p))))
(defn union [parents [a b]] (let [ra (find-root parents a) rb (find-root parents b)] (if (= ra rb) parents (assoc parents ra rb))))
(defn kruskal [edges] (loop [[[w a b :as e] & es] (sort edges) p {} out []] (cond (nil? e) out (= (find-root p a) (find-root p b)) (recur es p out) :else (recur es (union p [a b]) (conj out e)))))
(let [mst (kruskal [[7 :a :d] [5 :a :b] [8 :b :c] [9 :b :d] [7 :b :e] [5 :c :e] [15 :d :e]])] {:mst mst :weight (reduce + (map first mst))})
;=> {:mst [[5 :a :b] [5 :c :e] [7 :a :d] [7 :b :e]], :weight 24}
;;;; floyd warshall
(def inf Long/MAX_VALUE)
(defn floyd [n edges]
  (let [init (into {} (for [i (range n) j (range n)] [[i j] (if (= i j) 0 (get edges [i j] inf))]))]
    (reduce (fn [d [k i j]] (let [a (d [i k]) b (d [k j])] (if (or (= a inf) (= b inf)) d (update d [i j] min (+ a b))))) init (for [k (range n) i (range n) j (range n)] [k i j]))))
(let [d (floyd 3 {[0 1] 4 [1 2] 1 [0 2] 9})] [(d [0 2]) (= inf (d [2 0])) (count d)])
;=> [5 true 9]
;;;; n queens
(defn safe? [qs c] (let [r (count qs)] (not-any? (fn [[i q]] (or (= q c) (= (Math/abs (- q c)) (- r i)))) (map-indexed vector qs))))
(defn queens [n] (reduce (fn [boards _] (for [b boards c (range n) :when (safe? b c)] (conj b c))) [[]] (range n)))
[(count (queens 6)) (first (queens 6)) (queens 4)]
;=> [4 [1 3 5 0 2 4] ([1 3 0 2] [2 0 3 1])]
;;;; change making greedy
(defn change [amt coins] (second (reduce (fn [[left acc] c] [(rem left c) (if (>= left c) (assoc acc c (quot left c)) acc)]) [amt (sorted-map)] (sort > coins))))
(map #(change % [1 5 10 25]) [0 41 99])
;=> ({} {1 1, 5 1, 10 1, 25 1} {1 4, 10 2, 25 3})
;;;; checksum
[(reduce (fn [h c] (mod (+ (* 31 h) (int c)) 1000000007)) 7 "hello") (reduce bit-xor 0 (map int "hello")) (mod (reduce + (map-indexed (fn [i c] (* (inc i) (int c))) "abc")) 97) (hash "a") (bit-and 0xFF (bit-shift-right 0xABCD 8)) (format "%08x" (reduce #(bit-and 0xFFFFFFFF (+ (* 33 %1) (int %2))) 5381 "hi"))]
;=> [299566379 98 8 1455541201 171 "00597816"]
;;;; kadane
(defn max-sub [xs] (reduce max (reductions (fn [acc x] (max x (+ acc x))) xs)))
(defn max-sub-range [xs] (loop [i 0 cur 0 start 0 best {:sum Double/NEGATIVE_INFINITY}] (if (= i (count xs)) best (let [x (nth xs i) [cur start] (if (pos? cur) [(+ cur x) start] [x i])] (recur (inc i) cur start (if (> cur (:sum best)) {:sum cur :from start :to i} best))))))
[(max-sub [-2 1 -3 4 -1 2 1 -5 4]) (max-sub-range [-2 1 -3 4 -1 2 1 -5 4]) (max-sub [-3 -1])]
;=> [6 {:sum 6, :from 3, :to 6} -1]
;;;; two sum & sliding
(defn two-sum [xs t] (reduce (fn [seen [i x]] (if-let [j (seen (- t x))] (reduced [j i]) (assoc seen x i))) {} (map-indexed vector xs)))
(defn window-max [k xs] (map #(apply max %) (partition k 1 xs)))
(defn longest-unique [s] (loop [i 0 start 0 seen {} best ""] (if (= i (count s)) best (let [c (nth s i) start (if (>= (get seen c -1) start) (inc (seen c)) start) cand (subs s start (inc i))] (recur (inc i) start (assoc seen c i) (if (> (count cand) (count best)) cand best))))))
[(two-sum [2 7 11 15] 26) (two-sum [1 2] 9) (window-max 3 [1 3 -1 -3 5 3]) (map longest-unique ["abcabcbb" "bbbb" "" "pwwkew"])]
;=> [[2 3] {1 0, 2 1} (3 3 5 5) ("abc" "b" "" "wke")]
;;;; lis
(defn lis [xs] (apply max-key count (reduce (fn [acc x] (conj acc (conj (apply max-key count [] (filter #(or (empty? %) (< (peek %) x)) acc)) x))) [[]] xs)))
(lis [10 9 2 5 3 7 101 18])
;=> [2 3 7 18]
;;;; dp grid paths
(defn paths [r c] (last (reduce (fn [row _] (vec (reductions + row))) (vec (repeat c 1)) (range (dec r)))))
(defn min-path [g] (let [add (fn [prev row] (reduce (fn [acc [i x]] (conj acc (+ x (cond (and (nil? prev) (zero? i)) 0 (nil? prev) (peek acc) (zero? i) (prev 0) :else (min (prev i) (peek acc)))))) [] (map-indexed vector row)))] (peek (reduce add nil g))))
[(paths 3 7) (min-path [[1 3 1] [1 5 1] [4 2 1]])]
;=> [28 7]
;;;; subset sum
(defn subset-sum [[x & xs :as all] t] (cond (zero? t) () (or (empty? all) (neg? t)) nil :else (if-let [s (subset-sum xs (- t x))] (cons x s) (subset-sum xs t))))
[(subset-sum [3 34 4 12 5 2] 9) (subset-sum [1 2] 10) (subset-sum [5] 0)]
;=> [(3 4 2) nil ()]
;;;; sparse matrix
(def a {[0 0] 1 [1 2] 3}) (def b {[0 0] 2 [2 1] 5})
(defn mul [a b] (reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} (for [[[i k] x] a [[k2 j] y] b :when (= k k2)] [[i j] (* x y)])))
[(mul a b) (merge-with + a b) (into (sorted-map) (map (fn [[[i j] v]] [[j i] v])) a) (get a [9 9] 0)]
;=> [{[0 0] 2, [1 1] 15} {[0 0] 3, [1 2] 3, [2 1] 5} {[0 0] 1, [2 1] 3} 0]
;;;; access control matrix
(def grants [["ann" :read "doc1"] ["ann" :write "doc1"] ["bob" :read "doc1"] ["bob" :read "doc2"]])
(def acl (reduce (fn [m [u p d]] (update-in m [u d] (fnil conj (sorted-set)) p)) (sorted-map) grants))
(defn allowed? [u p d] (contains? (get-in acl [u d] #{}) p))
[acl (allowed? "ann" :write "doc1") (allowed? "bob" :write "doc1") (allowed? "zed" :read "x") (into (sorted-map) (map (fn [[u ds]] [u (count ds)])) acl) (for [[u ds] acl [d ps] ds p ps] (str u ":" d ":" (name p)))]
;=> [{"ann" {"doc1" #{:read :write}}, "bob" {"doc1" #{:read}, "doc2" #{:read}}} true false false {"ann" 1, "bob" 2} ("ann:doc1:read" "ann:doc1:write" "bob:doc1:read" "bob:doc2:read")]
;;;; priority chars
(defn prio [c] (let [n (int c)] (if (>= n 97) (- n 96) (- n 38))))
(for [s ["vJrwpWtwJgWrhcsFMMfFFhFp" "PmmdzqPrVvPwwTWBwg"]] (let [[a b] (split-at (/ (count s) 2) s) common (first (clojure.set/intersection (set a) (set b)))] [common (prio common)]))
;=> (["p" 16] ["P" 42])
;;;; unit conversion graph
(def conv {[:km :m] 1000 [:m :cm] 100 [:cm :mm] 10})
(def graph (reduce (fn [g [[a b] f]] (-> g (assoc-in [a b] f) (assoc-in [b a] (/ 1.0 f)))) {} conv))
(defn convert [v from to] (loop [[[u x] & q] [[from v]] seen #{from}] (cond (nil? u) nil (= u to) x :else (let [ns (remove (comp seen key) (graph u))] (recur (concat q (map (fn [[n f]] [n (* x f)]) ns)) (into seen (map key) ns))))))
[(convert 2 :km :cm) (convert 5 :mm :m) (convert 1 :km :furlong)]
;=> [200000 0.005 nil]
;;;; queue level order
(def tree {:v 1 :kids [{:v 2 :kids [{:v 4} {:v 5}]} {:v 3 :kids [{:v 6}]}]})
(defn levels [t] (loop [q (conj clojure.lang.PersistentQueue/EMPTY [t 0]) out (sorted-map)] (if (empty? q) (vec (vals out)) (let [[n d] (peek q)] (recur (into (pop q) (map #(vector % (inc d)) (:kids n))) (update out d (fnil conj []) (:v n)))))))
(levels tree)
;=> [[1] [2 3] [4 5 6]]
;;;; queue kahn
(defn topo [g] (let [indeg (reduce (fn [m t] (update m t (fnil inc 0))) (zipmap (keys g) (repeat 0)) (mapcat val g))] (loop [q (into clojure.lang.PersistentQueue/EMPTY (sort (keep (fn [[k v]] (when (zero? v) k)) indeg))) in indeg out []] (if-let [n (peek q)] (let [in' (reduce #(update %1 %2 dec) in (g n)) ready (filter #(zero? (in' %)) (g n))] (recur (into (pop q) ready) in' (conj out n))) (when (= (count out) (count in)) out)))))
[(topo {:a [:b :c] :b [:d] :c [:d] :d []}) (topo {:a [:b] :b [:a]})]
;=> [[:a :b :c :d] nil]
;;;; kmeans 1d
(defn assign [cs xs] (group-by (fn [x] (apply min-key #(Math/abs (- x %)) cs)) xs))
(defn step [cs xs] (sort (map (fn [[_ g]] (/ (reduce + g) (double (count g)))) (assign cs xs))))
(let [xs [1.0 2.0 3.0 10.0 11.0 12.0]] [(take 3 (iterate #(step % xs) [1.0 2.0])) (into (sorted-map) (assign [2.0 11.0] xs))])
;=> [([1.0 2.0] (1.0 7.6) (2.0 11.0)) {2.0 [1.0 2.0 3.0], 11.0 [10.0 11.0 12.0]}]
;;;; knn
(def pts [[[1 1] :a] [[2 1] :a] [[8 8] :b] [[9 8] :b] [[1 2] :a]])
(defn d2 [p q] (reduce + (map #(* (- %1 %2) (- %1 %2)) p q)))
(defn knn [k p] (->> pts (sort-by #(d2 p (first %))) (take k) (map second) frequencies (apply max-key val) key))
[(knn 3 [2 2]) (knn 3 [7 7]) (map #(d2 [0 0] (first %)) pts)]
;=> [:a :b (2 5 128 145 5)]
;;;; markov
(let [ws (clojure.string/split "the cat the dog the cat sat" #" ") chain (reduce (fn [m [a b]] (update-in m [a b] (fnil inc 0))) {} (partition 2 1 ws))] [chain (into (sorted-map) (for [[w nx] chain] [w (key (apply max-key val (sort nx)))])) (into {} (for [[w nx] chain :let [t (reduce + (vals nx))]] [w (update-vals nx #(/ % (double t)))])) (take 5 (iterate #(some-> (chain %) sort first key) "dog"))])
;=> [{"the" {"cat" 2, "dog" 1}, "cat" {"the" 1, "sat" 1}, "dog" {"the" 1}} {"cat" "the", "dog" "the", "the" "cat"} {"the" {"cat" 0.6666666666666666, "dog" 0.3333333333333333}, "cat" {"the" 0.5, "sat" 0.5}, "dog" {"the" 1.0}} ("dog" "the" "cat" "sat" nil)]
;;;; path utils
(defn normalize [p] (loop [[s & more :as ss] (remove #{"" "."} (clojure.string/split p #"/")) out []] (if (empty? ss) (str "/" (clojure.string/join "/" out)) (recur more (if (= s "..") (if (seq out) (pop out) out) (conj out s))))))
(defn ext [f] (when-let [i (clojure.string/last-index-of f ".")] (subs f (inc i))))
[(map normalize ["/a/b/../c" "/../x" "a//b/./c/" "/"]) (map ext ["a.txt" "b" "c.tar.gz"]) (group-by ext ["x.a" "y.b" "z.a" "q"])]
;=> [("/a/c" "/x" "/a/b/c" "/") ("txt" nil "gz") {"a" ["x.a" "z.a"], "b" ["y.b"], nil ["q"]}]
;;;; huffman
(defn build [freqs] (loop [ns (sort-by (juxt :w :id) (map-indexed (fn [i [c w]] {:w w :c c :id (str c)}) freqs))] (if (= 1 (count ns)) (first ns) (let [[a b & more] ns] (recur (sort-by (juxt :w :id) (conj more {:w (+ (:w a) (:w b)) :l a :r b :id (str (:id a) (:id b))})))))))
(defn codes [{:keys [c l r]} pre] (if c {c pre} (merge (codes l (str pre "0")) (codes r (str pre "1")))))
(let [s "abracadabra" cs (codes (build (sort (frequencies s))) "")] [(into (sorted-map) cs) (apply str (map cs s)) (reduce + (map (comp count cs) s))])
;=> [{"a" "0", "b" "110", "c" "1110", "d" "1111", "r" "10"} "01101001110011110110100" 23]
;;;; lru etc with sorted
(let [m (into (sorted-map) (map (fn [x] [(* x x) x])) (range -3 4))] [m (first m) (key (last m)) (take-while #(< (key %) 5) m) (drop-while #(< (key %) 5) m) (count m) (vals m) (into [] (rseq (vec m))) (reduce-kv + 0 m) (dissoc m 0) (get m 4) (contains? m 5) (apply + (keys m)) (map (fn [[k v]] (+ k v)) m) (update m 9 inc) (empty? (sorted-map)) (= m (into {} m)) (sorted? m)])
;=> [{0 0, 1 1, 4 2, 9 3} [0 0] 9 ([0 0] [1 1] [4 2]) ([9 3]) 4 (0 1 2 3) [[9 3] [4 2] [1 1] [0 0]] 20 {1 1, 4 2, 9 3} 2 false 14 (0 2 6 12) {0 0, 1 1, 4 2, 9 4} true true true]
;;;; selection sort
(defn sel-sort [xs] (loop [xs xs out []] (if (empty? xs) out (let [m (apply min xs) [a b] (split-with #(not= m %) xs)] (recur (concat a (rest b)) (conj out m))))))
(defn counting-sort [xs] (let [f (frequencies xs)] (mapcat #(repeat (f % 0) %) (range (apply min xs) (inc (apply max xs))))))
(defn radix-sort [xs] (reduce (fn [xs d] (mapcat val (into (sorted-map) (group-by #(mod (quot % d) 10) xs)))) xs [1 10 100]))
[(sel-sort [3 1 2 1]) (counting-sort [3 1 2 1]) (radix-sort [170 45 75 90 802 24 2 66])]
;=> [[1 1 2 3] (1 1 2 3) (2 24 45 66 75 90 170 802)]
;;;; heap via vector
(defn sift-up [h i] (let [p (quot (dec i) 2)] (if (and (pos? i) (< (h i) (h p))) (recur (assoc h i (h p) p (h i)) p) h)))
(defn push [h x] (sift-up (conj h x) (count h)))
(defn sift-down [h i] (let [l (inc (* 2 i)) r (inc l) n (count h) m (cond-> i (and (< l n) (< (h l) (h i))) (do l)) m (if (and (< r n) (< (h r) (h m))) r m)] (if (= m i) h (recur (assoc h i (h m) m (h i)) m))))
(defn pop-min [h] [(first h) (if (= 1 (count h)) [] (sift-down (assoc (pop h) 0 (peek h)) 0))])
(loop [h (reduce push [] [5 3 8 1 9 2]) out []] (if (empty? h) out (let [[x h] (pop-min h)] (recur h (conj out x)))))
;=> [1 2 3 5 8 9]
;;;; astar
(def walls #{[1 0] [1 1] [1 2]})
(defn h [[x y] [a b]] (+ (Math/abs (- a x)) (Math/abs (- b y))))
(defn astar [start goal n] (loop [open (sorted-set [(h start goal) 0 start]) g {start 0} came {}] (if-let [[_ cost cur :as top] (first open)] (if (= cur goal) {:cost cost :path (reverse (take-while some? (iterate came goal)))} (let [ns (for [[dx dy] [[0 1] [1 0] [0 -1] [-1 0]] :let [[x y :as p] [(+ (first cur) dx) (+ (second cur) dy)]] :when (and (< -1 x n) (< -1 y n) (not (walls p)) (< (inc cost) (get g p ##Inf)))] p)] (recur (into (disj open top) (map (fn [p] [(+ 1 cost (h p goal)) (inc cost) p])) ns) (into g (map #(vector % (inc cost))) ns) (into came (map #(vector % cur)) ns)))) nil)))
(astar [0 0] [2 0] 4)
;=> {:cost 8, :path ([0 0] [0 1] [0 2] [0 3] [1 3] [2 3] [2 2] [2 1] [2 0])}
;;;; bellman ford
(defn relax [dist [u v w]] (let [d (+ (dist u) w)] (if (< d (dist v)) (assoc dist v d) dist)))
(defn bellman [nodes edges s] (let [init (assoc (zipmap nodes (repeat ##Inf)) s 0) dist (nth (iterate #(reduce relax % edges) init) (dec (count nodes)))] (if (= dist (reduce relax dist edges)) (into (sorted-map) dist) :negative-cycle)))
[(bellman [:a :b :c :d] [[:a :b 4] [:a :c 5] [:c :b -3] [:b :d 2]] :a) (bellman [:a :b] [[:a :b -1] [:b :a -1]] :a) (bellman [:a :b :z] [[:a :b 2]] :a)]
;=> [{:a 0, :b 2, :c 5, :d 4} :negative-cycle {:a 0, :b 2, :z ##Inf}]
;;;; prim
(defn prim [edges start] (loop [seen #{start} mst []] (let [cands (for [[a b w] edges :let [in (filter seen [a b])] :when (= 1 (count in))] [w a b])] (if (empty? cands) mst (let [[w a b :as e] (first (sort cands))] (recur (conj seen a b) (conj mst e)))))))
(prim [[:a :b 2] [:b :c 3] [:a :c 1] [:c :d 4]] :a)
;=> [[1 :a :c] [2 :a :b] [4 :c :d]]
;;;; cycle detection and scc
(defn has-cycle? [g] (letfn [(visit [path n] (cond (some #{n} path) true :else (some #(visit (conj path n) %) (g n))))] (boolean (some #(visit [] %) (keys g)))))
(defn reach [g n] (loop [s #{} [x & xs] [n]] (cond (nil? x) s (s x) (recur s xs) :else (recur (conj s x) (concat xs (g x))))))
(defn sccs [g] (let [r (into {} (map (fn [n] [n (reach g n)])) (keys g))] (set (map (fn [n] (set (filter #(and ((r n) %) ((r %) n)) (keys g)))) (keys g)))))
[(map has-cycle? [{:a [:b] :b [:a]} {:a [:b] :b []}]) (sccs {:a [:b] :b [:c] :c [:a] :d [:c]})]
;=> [(true false) #{#{:a :b :c} #{:d}}]
;;;; bipartite coloring
(defn color [g] (reduce (fn [cs n] (let [used (set (keep cs (g n)))] (assoc cs n (first (remove used (range)))))) {} (sort (keys g))))
(color {:a [:b :c] :b [:a :c] :c [:a :b :d] :d [:c]})
;=> {:a 0, :b 1, :c 2, :d 0}
;;;; matrix det inverse
(let [[[a b] [c d]] [[4 7] [2 6]] det (- (* a d) (* b c))] [det (mapv (fn [r] (mapv #(/ % (double det)) r)) [[d (- b)] [(- c) a]])])
;=> [10 [[0.6 -0.7] [-0.2 0.4]]]
;;;; gauss
(defn solve [m] (let [n (count m)] (loop [m (mapv #(mapv double %) m) i 0] (if (= i n) (mapv peek m) (let [p (first (filter #(not (zero? (get-in m [% i]))) (range i n))) m (assoc m i (m p) p (m i)) row (mapv #(/ % (get-in m [i i])) (m i))] (recur (vec (map-indexed (fn [j r] (if (= i j) row (mapv - r (map #(* % (r i)) row)))) m)) (inc i)))))))
(solve [[2 1 -1 8] [-3 -1 2 -11] [-2 1 2 -3]])
;=> [2.0 3.0 -1.0]
;;;; nim grundy
(def grundy (memoize (fn [n] (let [opts (set (map #(grundy (- n %)) (filter #(<= % n) [1 3 4])))] (first (remove opts (range)))))))
(map grundy (range 12))
;=> (0 1 0 1 2 3 2 0 1 0 1 2)
;;;; catalan partitions
(def catalan (memoize (fn [n] (if (zero? n) 1 (reduce + (for [i (range n)] (* (catalan i) (catalan (- n i 1)))))))))
(defn partitions [n m] (cond (zero? n) [[]] (or (neg? n) (zero? m)) [] :else (concat (map #(cons m %) (partitions (- n m) m)) (partitions n (dec m)))))
[(map catalan (range 10)) (partitions 4 4) (count (partitions 10 10))]
;=> [(1 1 2 5 14 42 132 429 1430 4862) ((4) (3 1) (2 2) (2 1 1) (1 1 1 1)) 42]
;;;; gray code
(defn gray [n] (if (zero? n) [""] (let [g (gray (dec n))] (concat (map #(str "0" %) g) (map #(str "1" %) (reverse g))))))
[(gray 3) (map #(Integer/toBinaryString (bit-xor % (bit-shift-right % 1))) (range 4))]
;=> [("000" "001" "011" "010" "110" "111" "101" "100") ("0" "1" "11" "10")]
;;;; dijkstra with a sorted set
(def graph {:a {:b 7 :c 9 :f 14} :b {:a 7 :c 10 :d 15} :c {:a 9 :b 10 :d 11 :f 2}
            :d {:b 15 :c 11 :e 6} :e {:d 6 :f 9} :f {:a 14 :c 2 :e 9}})
(defn dijkstra [g src]
  (loop [frontier (sorted-set [0 src]) dist {src 0} prev {}]
    (if-let [[d u :as best] (first frontier)]
      (let [better (for [[v w] (g u)
                         :let [alt (+ d w)]
                         :when (< alt (get dist v ##Inf))]
                     [v alt])]
        (recur (into (disj frontier best) (map (fn [[v alt]] [alt v]) better))
               (into dist better)
               (into prev (map (fn [[v _]] [v u]) better))))
      {:dist dist :prev prev})))
(defn path [prev to] (reverse (take-while some? (iterate prev to))))
(let [{:keys [dist prev]} (dijkstra graph :a)]
  [(into (sorted-map) dist) (path prev :e)])
;=> [{:a 0, :b 7, :c 9, :d 20, :e 20, :f 11} (:a :c :f :e)]
;;;; merging intervals
(defn merge-intervals [xs]
  (reduce (fn [acc [s e]]
            (let [[ps pe] (peek acc)]
              (if (and pe (<= s pe))
                (conj (pop acc) [ps (max pe e)])
                (conj acc [s e]))))
          []
          (sort-by first xs)))
(let [meetings [[9 10] [13 15] [9.5 11] [14 14.5] [16 17]]
      busy (merge-intervals meetings)
      gaps (->> busy (partition 2 1) (map (fn [[[_ e] [s _]]] [e s])) (remove (fn [[a b]] (= a b))))]
  {:busy busy :free gaps :total (reduce + (map (fn [[a b]] (- b a)) busy))})
;=> {:busy [[9 11] [13 15] [16 17]], :free ([11 13] [15 16]), :total 5}
;;;; levenshtein by rows
(defn levenshtein [a b]
  (peek
   (reduce
    (fn [prev [i ca]]
      (reduce
       (fn [row [j cb]]
         (conj row (min (inc (peek row))
                        (inc (nth prev (inc j)))
                        (+ (nth prev j) (if (= ca cb) 0 1)))))
       [(inc i)]
       (map-indexed vector b)))
    (vec (range (inc (count b))))
    (map-indexed vector a))))
(for [[a b] [["kitten" "sitting"] ["" "abc"] ["flaw" "lawn"] ["same" "same"]]]
  [a b (levenshtein a b)])
;=> (["kitten" "sitting" 3] ["" "abc" 3] ["flaw" "lawn" 2] ["same" "same" 0])
;;;; topological sort with cycles
(defn topo [deps]
  (loop [deps (into (sorted-map) (map (fn [[k v]] [k (set v)]) deps)) out []]
    (if (empty? deps)
      {:order out}
      (let [ready (for [[k v] deps :when (empty? v)] k)]
        (if (empty? ready)
          {:cycle (vec (keys deps)) :done out}
          (recur (into (sorted-map)
                       (for [[k v] (apply dissoc deps ready)] [k (reduce disj v ready)]))
                 (into out ready)))))))
[(topo {:app [:db :web] :db [:log] :web [:log :http] :log [] :http []})
 (topo {:a [:b] :b [:c] :c [:a] :d []})]
;=> [{:order [:http :log :db :web :app]} {:cycle [:a :b :c], :done [:d]}]
;;;; trie (2)
(defn trie-add [trie word] (assoc-in trie (concat word [:end]) true))
(defn trie-words [trie prefix]
  (let [node (get-in trie (seq prefix))]
    (letfn [(walk [node path]
              (concat (when (:end node) [(apply str path)])
                      (mapcat (fn [[c child]] (walk child (conj path c)))
                              (sort-by key (dissoc node :end)))))]
      (if node (walk node (vec prefix)) []))))
(let [t (reduce trie-add {} ["car" "card" "care" "cat" "dog"])]
  (map #(trie-words t %) ["car" "ca" "d" "x"]))
;=> (("car" "card" "care") ("car" "card" "care" "cat") ("dog") [])
;;;; permutations, subsets, change
(defn permutations [xs]
  (if (empty? xs) [[]] (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(defn subsets [xs]
  (reduce (fn [acc x] (concat acc (map #(conj % x) acc))) [[]] xs))
(def change
  (memoize (fn [amount coins]
             (cond (zero? amount) 1
                   (or (neg? amount) (empty? coins)) 0
                   :else (+ (change (- amount (first coins)) coins) (change amount (rest coins)))))))
[(permutations [1 2 3]) (subsets [:a :b :c]) (change 100 [50 25 10 5 1])]
;=> [((1 2 3) (1 3 2) (2 1 3) (2 3 1) (3 1 2) (3 2 1)) ([] [:a] [:b] [:a :b] [:c] [:a :c] [:b :c] [:a :b :c]) 292]
;;;; matrix (2)
(defn transpose [m] (apply mapv vector m))
(defn mat* [a b] (mapv (fn [row] (mapv (fn [col] (reduce + (map * row col))) (transpose b))) a))
(defn identity-matrix [n] (mapv (fn [i] (mapv #(if (= i %) 1 0) (range n))) (range n)))
(defn mat-pow [m n]
  (cond (zero? n) (identity-matrix (count m))
        (even? n) (let [h (mat-pow m (quot n 2))] (mat* h h))
        :else (mat* m (mat-pow m (dec n)))))
(defn det [[[a b] [c d]]] (- (* a d) (* b c)))
(defn spiral [[row & more]] (concat row (when more (spiral (reverse (transpose more))))))
[(mat-pow [[1 1] [1 0]] 30) (det [[3 8] [4 6]]) (transpose [[1 2 3] [4 5 6]]) (spiral [[1 2 3] [4 5 6] [7 8 9]])]
;=> [[[1346269 832040] [832040 514229]] -14 [[1 4] [2 5] [3 6]] (1 2 3 6 9 8 7 4 5)]
;;;; n queens and pascal
(defn safe? [queens col]
  (every? (fn [[i q]] (and (not= q col) (not= (inc i) (abs (- q col))))) (map-indexed vector queens)))
(defn queens [n]
  (letfn [(place [k qs] (if (zero? k) [qs] (mapcat #(place (dec k) (cons % qs)) (filter (partial safe? qs) (range n)))))]
    (place n ())))
(defn pascal [n] (take n (iterate (fn [row] (vec (map + (cons 0 row) (conj row 0)))) [1])))
[(count (queens 6)) (first (queens 6)) (map count (map queens (range 1 6))) (last (pascal 7))]
;=> [4 (4 2 0 5 3 1) (1 0 0 2 10) [1 6 15 20 15 6 1]]
;;;; knapsack by reduce
(defn knapsack [capacity items]
  (peek
   (reduce (fn [best {:keys [weight value]}]
             (vec (map-indexed (fn [w v] (if (>= w weight) (max v (+ value (nth best (- w weight)))) v)) best)))
           (vec (repeat (inc capacity) 0))
           items)))
(map #(knapsack % [{:weight 5 :value 10} {:weight 4 :value 40} {:weight 6 :value 30} {:weight 4 :value 50}]) [0 4 8 10 19])
;=> (0 50 90 90 130)
;;;; prime factors, perfect numbers, collatz
(defn factors [n]
  (loop [n n d 2 out []]
    (cond (= n 1) out
          (> (* d d) n) (conj out n)
          (zero? (rem n d)) (recur (quot n d) d (conj out d))
          :else (recur n (inc d) out))))
(defn divisors [n] (filter #(zero? (mod n %)) (range 1 n)))
(defn classify [n] (let [s (apply + (divisors n))] (case (compare s n) 0 :perfect -1 :deficient 1 :abundant)))
{:factors (mapv factors [1 2 12 97 360 1001]) :perfect (filter #(= :perfect (classify %)) (range 2 500))
 :kinds (frequencies (map classify (range 1 50)))
 :collatz (apply max-key second (map (juxt identity #(count (take-while (complement #{1}) (iterate (fn [n] (if (even? n) (/ n 2) (inc (* 3 n)))) %)))) (range 1 30)))}
;=> {:factors [[] [2] [2 2 3] [97] [2 2 2 3 3 5] [7 11 13]], :perfect (6 28 496), :kinds {:deficient 38, :perfect 2, :abundant 9}, :collatz [27 111]}
;;;; bin packing and scheduling
(defn first-fit [capacity sizes]
  (reduce (fn [bins s]
            (if-let [i (first (keep-indexed (fn [i b] (when (<= (+ s (reduce + b)) capacity) i)) bins))]
              (update bins i conj s)
              (conj bins [s])))
          [] sizes))
(defn assign [workers jobs]
  (reduce (fn [load {:keys [id hours]}]
            (let [w (key (apply min-key (comp :hours val) (reverse (sort-by key load))))]
              (-> load (update-in [w :hours] + hours) (update-in [w :jobs] conj id))))
          (zipmap workers (repeat {:hours 0 :jobs []}))
          (sort-by (comp - :hours) jobs)))
[(first-fit 10 [5 7 5 2 4 2 5 1 6]) (first-fit 10 (sort > [5 7 5 2 4 2 5 1 6]))
 (assign [:x :y] [{:id 1 :hours 3} {:id 2 :hours 5} {:id 3 :hours 4} {:id 4 :hours 1}])]
;=> [[[5 5] [7 2 1] [4 2] [5] [6]] [[7 2 1] [6 4] [5 5] [5 2]] {:x {:hours 6, :jobs [2 4]}, :y {:hours 7, :jobs [3 1]}}]
;;;; markov chain, greedy
(def text "one fish two fish red fish blue fish one fish")
(def chain (reduce (fn [m [a b]] (update-in m [a b] (fnil inc 0))) {} (partition 2 1 (clojure.string/split text #" "))))
(defn follow [word n]
  (take n (iterate (fn [w] (when-let [nexts (get chain w)] (key (first (sort-by (fn [[w c]] [(- c) w]) nexts))))) word)))
[(into (sorted-map) (map (fn [[k v]] [k (into (sorted-map) v)])) chain) (follow "two" 6) (clojure.string/join " " (remove nil? (follow "blue" 4)))]
;=> [{"blue" {"fish" 1}, "fish" {"blue" 1, "one" 1, "red" 1, "two" 1}, "one" {"fish" 2}, "red" {"fish" 1}, "two" {"fish" 1}} ("two" "fish" "blue" "fish" "blue" "fish") "blue fish blue fish"]
;;;; flattening and grouping by paths
(def files ["src/a.clj" "src/core/b.clj" "test/a_test.clj" "README.md" "src/core/c.clj"])
(defn add [t path] (update-in t (butlast path) (fnil assoc {}) (last path) :file))
(let [t (reduce (fn [t f] (assoc-in t (clojure.string/split f #"/") :file)) {} files)
      sizes (into {} (map (fn [f] [f (count f)])) files)
      exts (group-by #(last (clojure.string/split % #"\.")) files)]
  {:tree t :dirs (count (filter map? (tree-seq map? vals t))) :exts (update-vals exts count)
   :by-dir (reduce-kv (fn [m f n] (update m (or (second (re-find #"^([^/]+)/" f)) ".") (fnil + 0) n)) (sorted-map) sizes)})
;=> {:tree {"src" {"a.clj" :file, "core" {"b.clj" :file, "c.clj" :file}}, "test" {"a_test.clj" :file}, "README.md" :file}, :dirs 4, :exts {"clj" 4, "md" 1}, :by-dir {"." 9, "src" 37, "test" 15}}
;;;; gray codes, bits, hex
(defn gray [n] (bit-xor n (bit-shift-right n 1)))
(defn bits [n width] (apply str (map #(if (bit-test n %) 1 0) (range (dec width) -1 -1))))
(defn popcount [n] (count (filter #(bit-test n %) (range 64))))
(defn hex->rgb [h] (mapv #(Integer/parseInt % 16) (re-seq #"[0-9a-fA-F]{2}" h)))
(defn rgb->hex [rgb] (apply format "#%02x%02x%02x" rgb))
[(map #(bits (gray %) 3) (range 8)) (map popcount [0 255 -1 1024]) (hex->rgb "#FFa07A") (rgb->hex [255 160 122])
 (bits (bit-and-not 15 5) 4) (Long/toBinaryString (bit-or 1 8)) (reduce bit-xor [1 2 3 2 1])]
;=> [("000" "001" "011" "010" "110" "111" "101" "100") (0 8 64 1) [255 160 122] "#ffa07a" "1010" "1001" 3]
;;;; matrix product, transpose, determinant, power
(defn transpose [m] (apply mapv vector m))
(defn mul [a b] (let [cols (transpose b)] (mapv (fn [row] (mapv #(reduce + (map * row %)) cols)) a)))
(defn det [m]
  (if (= 1 (count m))
    (ffirst m)
    (reduce + (map-indexed (fn [i x]
                             (* (if (even? i) 1 -1) x
                                (det (mapv #(into (subvec % 0 i) (subvec % (inc i))) (rest m)))))
                           (first m)))))
(defn power [m n] (reduce mul (repeat n m)))
(let [m [[1 2] [3 4]]]
  {:t (transpose [[1 2 3] [4 5 6]]) :mul (mul m [[0 1] [1 0]]) :det (det [[2 0 1] [1 3 2] [1 1 1]])
   :fib (-> [[1 1] [1 0]] (power 30) first second)
   :trace (reduce + (map-indexed #(nth %2 %1) m))})
;=> {:t [[1 4] [2 5] [3 6]], :mul [[2 1] [4 3]], :det 0, :fib 832040, :trace 5}
;;;; breadth first search in a maze
(def maze ["S.#....." "..#.###." ".#..#..." ".##.#.#." "......#E"])
(defn cell [[r c]] (get-in maze [r c]))
(defn find-cell [ch] (first (for [r (range (count maze)) c (range (count (first maze))) :when (= (str (cell [r c])) ch)] [r c])))
(defn neighbours [[r c]]
  (for [[dr dc] [[0 1] [1 0] [0 -1] [-1 0]]
        :let [p [(+ r dr) (+ c dc)] x (some-> (cell p) str)]
        :when (and x (not= x "#"))] p))
(let [start (find-cell "S") goal (find-cell "E")]
  (loop [queue (conj clojure.lang.PersistentQueue/EMPTY start) came {start nil}]
    (if-let [p (peek queue)]
      (if (= p goal)
        (let [path (take-while identity (iterate came p))] {:length (dec (count path)) :first-steps (take 3 (reverse path))})
        (let [new (remove #(contains? came %) (neighbours p))]
          (recur (into (pop queue) new) (into came (map #(vector % p) new)))))
      :no-path)))
;=> {:length 15, :first-steps ([0 0] [1 0] [2 0])}
;;;; lazy primes, collatz, hailstone maxima
(def primes ((fn sieve [] (filter (fn [n] (every? #(pos? (rem n %)) (take-while #(<= (* % %) n) (cons 2 (range 3 n 2))))) (iterate inc 2)))))
(defn collatz [n] (take-while #(not= 1 %) (iterate #(if (even? %) (/ % 2) (inc (* 3 %))) n)))
{:primes (take 12 primes) :sum (reduce + (take-while #(< % 100) primes))
 :collatz (collatz 6) :longest (apply max-key (comp count collatz) (range 1 30))
 :cycle (take 7 (drop 2 (cycle [:a :b :c])))
 :twins (take 4 (filter (fn [[a b]] (= 2 (- b a))) (partition 2 1 (take 50 primes))))}
;=> {:primes (2 3 5 7 11 13 17 19 23 29 31 37), :sum 1060, :collatz (6 3 10 5 16 8 4 2), :longest 27, :cycle (:c :a :b :c :a :b :c), :twins ((3 5) (5 7) (11 13) (17 19))}
;;;; memoized paths and edit distance
(def paths (memoize (fn [r c] (if (or (zero? r) (zero? c)) 1 (+ (paths (dec r) c) (paths r (dec c)))))))
(defn levenshtein [a b]
  (let [a (vec a) b (vec b)
        d (memoize (fn [d* i j] nil))]
    (letfn [(step [prev ca]
              (reduce (fn [row [j cb]]
                        (conj row (min (inc (peek row)) (inc (nth prev (inc j))) (+ (nth prev j) (if (= ca cb) 0 1)))))
                      [(inc (first prev))] (map-indexed vector b)))]
      (peek (reduce step (vec (range (inc (count b)))) a)))))
[(paths 8 8) (levenshtein "kitten" "sitting") (levenshtein "" "abc") (map #(levenshtein "flaw" %) ["lawn" "flaw" "claw"])]
;=> [12870 3 3 (2 0 1)]
;;;; dependency order with cycle check
(defn topo [deps]
  (loop [deps deps order []]
    (if (empty? deps)
      order
      (let [ready (sort (for [[k ds] deps :when (empty? ds)] k))]
        (if (empty? ready)
          (throw (ex-info "cycle" {:left (set (keys deps))}))
          (recur (reduce-kv (fn [m k ds] (if (some #{k} ready) m (assoc m k (reduce disj ds ready)))) {} deps)
                 (into order ready)))))))
[(topo {:a #{} :b #{:a} :c #{:a :b} :d #{}})
 (try (topo {:a #{:b} :b #{:a}}) (catch Exception e [(.getMessage e) (:left (ex-data e))]))]
;=> [[:a :d :b :c] ["cycle" #{:a :b}]]
;;;; knapsack by dynamic programming
(defn knapsack [items cap]
  (peek (reduce (fn [row {:keys [w v]}] (mapv (fn [c] (max (row c) (if (>= c w) (+ v (row (- c w))) 0))) (range (inc cap)))) (vec (repeat (inc cap) 0)) items)))
(knapsack [{:w 1 :v 1} {:w 3 :v 4} {:w 4 :v 5} {:w 5 :v 7}] 7)
;=> 9
;;;; n queens with for and every?
(defn safe? [qs c] (every? true? (map-indexed (fn [i q] (and (not= q c) (not= (inc i) (Math/abs (- q c))))) qs)))
(defn queens ([n] (queens n n)) ([n k] (if (zero? k) [()] (for [qs (queens n (dec k)) c (range n) :when (safe? qs c)] (cons c qs)))))
[(count (queens 6)) (first (queens 8)) (map count (map queens [1 2 3 4]))]
;=> [4 (3 1 6 2 5 7 4 0) (1 0 0 2)]
;;;; permutations, subsets, powerset, cartesian
(defn perms [xs] (if (empty? xs) [[]] (for [x xs p (perms (remove #{x} xs))] (cons x p))))
(defn powerset [xs] (reduce (fn [acc x] (into acc (map #(conj % x)) acc)) [#{}] xs))
(defn cart [& colls] (reduce (fn [acc c] (for [a acc x c] (conj a x))) [[]] colls))
(defn choose [k xs] (cond (zero? k) [[]] (empty? xs) [] :else (concat (map #(cons (first xs) %) (choose (dec k) (rest xs))) (choose k (rest xs)))))
[(perms [1 2 3]) (map sort (powerset [1 2 3])) (cart [1 2] [:a :b] ["x"]) (choose 2 [1 2 3 4]) (count (perms (range 5)))]
;=> [((1 2 3) (1 3 2) (2 1 3) (2 3 1) (3 1 2) (3 2 1)) (() (1) (2) (1 2) (3) (1 3) (2 3) (1 2 3)) ([1 :a "x"] [1 :b "x"] [2 :a "x"] [2 :b "x"]) ((1 2) (1 3) (1 4) (2 3) (2 4) (3 4)) 120]
;;;; priority of meetings by minutes
(defn mins [t] (let [[h m] (map parse-long (str/split t #":"))] (+ (* 60 h) m)))
(defn hhmm [n] (format "%02d:%02d" (quot n 60) (mod n 60)))
(let [ms [["09:00" "10:30" "plan"] ["10:00" "11:00" "sync"] ["13:15" "13:45" "1:1"]]
      evs (sort-by (juxt first second) (mapcat (fn [[s e _]] [[(mins s) 1] [(mins e) -1]]) ms))]
  {:total (hhmm (reduce (fn [acc [s e]] (+ acc (- (mins e) (mins s)))) 0 ms))
   :peak (apply max (reductions + (map second evs)))
   :overlaps (for [[s1 e1 a] ms [s2 e2 b] ms :when (and (neg? (compare a b)) (< (mins s1) (mins e2)) (< (mins s2) (mins e1)))] [a b])
   :plus (map #(hhmm (mod (+ 90 (mins %)) 1440)) ["23:00" "09:15"])})
;=> {:total "03:00", :peak 2, :overlaps (["plan" "sync"]), :plus ("00:30" "10:45")}
;;;; tree building from parent ids
(def nodes [{:id 1 :parent nil :n "root"} {:id 2 :parent 1 :n "a"} {:id 3 :parent 1 :n "b"} {:id 4 :parent 2 :n "c"}])
(defn build [by-parent id] (for [{:keys [id n]} (by-parent id)] (cond-> {:n n} (by-parent id) (assoc :kids (build by-parent id)))))
(defn paths [prefix {:keys [n kids]}] (let [p (conj prefix n)] (cons (str/join "/" p) (mapcat #(paths p %) kids))))
(let [[root :as forest] (build (group-by :parent nodes) nil)] [forest (paths [] root) (walk/postwalk #(if (string? %) (keyword %) %) root)])
;=> [({:n "root", :kids ({:n "a", :kids ({:n "c"})} {:n "b"})}) ("root" "root/a" "root/a/c" "root/b") {:n :root, :kids ({:n :a, :kids ({:n :c})} {:n :b})}]
;;;; binary search, bubble, quick, merge sort, insertion
(defn bsearch [v x] (loop [lo 0 hi (dec (count v))] (when (<= lo hi) (let [m (quot (+ lo hi) 2) y (v m)] (cond (= x y) m (< x y) (recur lo (dec m)) :else (recur (inc m) hi))))))
(defn qsort [[p & xs :as all]] (if (seq all) (let [{small true large false} (group-by #(< % p) xs)] (concat (qsort small) [p] (qsort large))) ()))
(defn msort [xs] (if (< (count xs) 2) xs (let [[a b] (split-at (quot (count xs) 2) xs)] (loop [a (msort a) b (msort b) out []] (cond (empty? a) (into out b) (empty? b) (into out a) (<= (first a) (first b)) (recur (rest a) b (conj out (first a))) :else (recur a (rest b) (conj out (first b))))))))
(defn isort [xs] (reduce (fn [s x] (let [[lo hi] (split-with #(<= % x) s)] (concat lo [x] hi))) [] xs))
(let [xs [5 3 9 1 5 0 -2]] [(qsort xs) (msort xs) (isort xs) (map #(bsearch [1 3 5 7] %) [1 7 4]) (sort xs) (= (qsort xs) (msort xs) (isort xs))])
;=> [(-2 0 1 3 5 5 9) [-2 0 1 3 5 5 9] (-2 0 1 3 5 5 9) (0 3 nil) (-2 0 1 3 5 5 9) true]
;;;; matrix spiral, rotate, diagonal
(defn rotate [m] (apply mapv (fn [& col] (vec (reverse col))) m))
(defn spiral [m] (when (seq m) (concat (first m) (spiral (reverse (apply map vector (rest m)))))))
(defn spiral-2 [m] (loop [m m out []] (if (empty? m) out (recur (when (seq (rest m)) (reverse (apply map list (rest m)))) (into out (first m))))))
(let [m [[1 2 3] [4 5 6] [7 8 9]]] [(rotate m) (spiral-2 m) (map get m (range)) (map-indexed (fn [i r] (r (- 2 i))) m) (= m (nth (iterate rotate m) 4)) (apply map + m) (map #(apply + %) m) (mapv #(mapv (partial * 2) %) m) (get-in m [1 1]) (assoc-in m [0 0] :x) (update-in m [2 2] inc) (vec (for [i (range 3)] (vec (for [j (range 3)] (* i j)))))])
;=> [[[7 4 1] [8 5 2] [9 6 3]] [1 2 3 6 9 8 7 4 5] (1 5 9) (3 5 7) true (12 15 18) (6 15 24) [[2 4 6] [8 10 12] [14 16 18]] 5 [[:x 2 3] [4 5 6] [7 8 9]] [[1 2 3] [4 5 6] [7 8 10]] [[0 0 0] [0 1 2] [0 2 4]]]
;;;; multi-level sort and rank with ties
(def scores [["ann" 90] ["bob" 85] ["cy" 90] ["di" 70] ["ed" 85]])
(let [sorted (sort-by (juxt (comp - second) first) scores)
      ranks (loop [[[n s] & more] sorted i 1 prev nil rank 0 out []]
              (if n (let [r (if (= s prev) rank i)] (recur more (inc i) s r (conj out [r n s]))) out))]
  (doseq [[r n s] ranks] (println (format "%2d. %-5s %3d" r n s)))
  {:ranks ranks :groups (->> ranks (partition-by first) (map (fn [g] (map second g)))) :top (->> sorted (take-while #(= (second %) (second (first sorted)))) (map first))})
;out>  1. ann    90
;out>  1. cy     90
;out>  3. bob    85
;out>  3. ed     85
;out>  5. di     70
;=> {:ranks [[1 "ann" 90] [1 "cy" 90] [3 "bob" 85] [3 "ed" 85] [5 "di" 70]], :groups (("ann" "cy") ("bob" "ed") ("di")), :top ("ann" "cy")}
;;;; trie of words
(defn add-word [trie w] (assoc-in trie (concat (map str w) [:end]) true))
(defn words-under [trie prefix] (mapcat (fn [[k v]] (if (= k :end) [prefix] (words-under v (str prefix k)))) (sort-by (comp str key) trie)))
(let [t (reduce add-word {} ["tea" "ten" "to" "inn" "in"])] [(words-under (get-in t ["t" "e"]) "te") (sort (words-under t "")) (get-in t ["i" "n" :end]) (count (get t "t"))])
;=> [("tea" "ten") ("in" "inn" "tea" "ten" "to") true 2]
;;;; huffman codes by a sorted list
(defn huffman [s]
  (loop [ns (sort-by (juxt first (comp str second)) (map (fn [[c n]] [n (str c)]) (frequencies s)))]
    (if (next ns) (let [[[n1 a] [n2 b] & more] ns] (recur (sort-by (juxt first (comp str second)) (conj more [(+ n1 n2) [a b]])))) (second (first ns)))))
(defn codes [t prefix] (if (vector? t) (merge (codes (first t) (str prefix 0)) (codes (second t) (str prefix 1))) {t prefix}))
(let [c (codes (huffman "abracadabra") "")] [(into (sorted-map) c) (count (apply str (map (comp c str) "abracadabra")))])
;=> [{"a" "0", "b" "111", "c" "1100", "d" "1101", "r" "10"} 23]
;;;; graph components, degrees, cycles
(def edges [[1 2] [2 3] [4 5] [6 6]])
(def adj (reduce (fn [m [a b]] (-> m (update a (fnil conj (sorted-set)) b) (update b (fnil conj (sorted-set)) a))) (sorted-map) edges))
(defn component [start] (loop [seen #{} todo [start]] (if-let [x (peek todo)] (if (seen x) (recur seen (pop todo)) (recur (conj seen x) (into (pop todo) (adj x)))) seen)))
(defn components [] (loop [left (set (keys adj)) out []] (if-let [x (first (sort left))] (let [c (component x)] (recur (set/difference left c) (conj out (vec (sort c))))) out)))
{:adj adj :components (components) :degree (update-vals adj count) :isolated (for [[k v] adj :when (= v #{k})] k)}
;=> {:adj {1 #{2}, 2 #{1 3}, 3 #{2}, 4 #{5}, 5 #{4}, 6 #{6}}, :components [[1 2 3] [4 5] [6]], :degree {1 1, 2 2, 3 1, 4 1, 5 1, 6 1}, :isolated (6)}
;;;; union find with path compression in maps
(defn make-sets [xs] {:parent (zipmap xs xs) :rank (zipmap xs (repeat 0))})
(defn find-root [{:keys [parent]} x]
  (loop [x x]
    (let [p (get parent x)]
      (if (= p x) x (recur p)))))
(defn union [{:keys [rank] :as ds} a b]
  (let [ra (find-root ds a) rb (find-root ds b)]
    (cond
      (= ra rb) ds
      (< (rank ra) (rank rb)) (assoc-in ds [:parent ra] rb)
      (> (rank ra) (rank rb)) (assoc-in ds [:parent rb] ra)
      :else (-> ds (assoc-in [:parent rb] ra) (update-in [:rank ra] inc)))))
(defn kruskal [nodes edges]
  (loop [ds (make-sets nodes) [[w a b :as e] & more] (sort edges) mst [] total 0]
    (cond
      (nil? e) {:mst mst :total total}
      (= (find-root ds a) (find-root ds b)) (recur ds more mst total)
      :else (recur (union ds a b) more (conj mst [a b]) (+ total w)))))
(kruskal [:a :b :c :d :e] [[4 :a :b] [1 :b :c] [3 :a :c] [7 :c :d] [2 :d :e] [9 :a :e]])
;=> {:mst [[:b :c] [:d :e] [:a :c] [:c :d]], :total 13}
;;;; bfs shortest path with path reconstruction in a queue of paths
(def graph {:a #{:b :c} :b #{:a :d} :c #{:a :d :e} :d #{:b :c :f} :e #{:c} :f #{:d}})
(defn shortest [g start goal]
  (loop [q (conj clojure.lang.PersistentQueue/EMPTY [start]) seen #{start}]
    (when-let [path (peek q)]
      (let [node (last path)]
        (if (= node goal)
          path
          (let [ns (sort (remove seen (g node)))]
            (recur (into (pop q) (map (partial conj path) ns)) (into seen ns))))))))
[(shortest graph :a :f) (shortest graph :e :b) (shortest graph :a :zzz)]
;=> [[:a :b :d :f] [:e :c :a :b] nil]
;;;; bfs layers with frontier sets
(def edges [[1 2] [1 3] [2 4] [3 4] [4 5] [6 7]])
(def adj (reduce (fn [m [a b]] (-> m (update a (fnil conj (sorted-set)) b) (update b (fnil conj (sorted-set)) a))) {} edges))
(defn layers [start]
  (->> {:frontier #{start} :seen #{start}}
       (iterate (fn [{:keys [frontier seen]}]
                  (let [nxt (into #{} (comp (mapcat adj) (remove seen)) frontier)]
                    {:frontier nxt :seen (into seen nxt)})))
       (map :frontier)
       (take-while seq)
       (mapv sort)))
{:from-1 (layers 1) :from-6 (layers 6) :ecc (into (sorted-map) (map (fn [n] [n (dec (count (layers n)))]) (keys adj)))}
;=> {:from-1 [(1) (2 3) (4) (5)], :from-6 [(6) (7)], :ecc {1 3, 2 2, 3 2, 4 2, 5 3, 6 1, 7 1}}
;;;; dfs with cycle detection and colors
(def deps {:app [:db :web] :web [:json :log] :db [:log] :json [] :log []})
(defn visit [{:keys [color order] :as st} g n]
  (case (get color n :white)
    :black st
    :gray (throw (ex-info (str "cycle at " n) {:node n}))
    :white (let [st (assoc-in st [:color n] :gray)
                 st (reduce #(visit %1 g %2) st (g n))]
             (-> st (assoc-in [:color n] :black) (update :order conj n)))))
(defn topo [g] (:order (reduce #(visit %1 g %2) {:color {} :order []} (keys g))))
[(topo deps)
 (try (topo (assoc deps :log [:app]))
      (catch Exception e {:msg (.getMessage e) :data (ex-data e)}))]
;=> [[:log :db :json :web :app] {:msg "cycle at :app", :data {:node :app}}]
;;;; dijkstra with sorted-set priority
(defn dijkstra [graph source]
  (loop [dist (assoc (zipmap (keys graph) (repeat ##Inf)) source 0)
         pq (sorted-set [0 source])
         done #{}]
    (if (empty? pq)
      dist
      (let [[d u :as top] (first pq)
            pq (disj pq top)]
        (if (done u)
          (recur dist pq done)
          (let [[dist pq] (reduce-kv (fn [[dist pq] v w]
                                       (let [nd (+ d w)]
                                         (if (< nd (dist v))
                                           [(assoc dist v nd) (conj pq [nd v])]
                                           [dist pq])))
                                     [dist pq]
                                     (graph u))]
            (recur dist pq (conj done u))))))))
(dijkstra {"A" {"B" 4 "C" 1} "B" {"D" 1} "C" {"B" 2 "D" 5} "D" {} "E" {"A" 1}} "A")
;=> {"A" 0, "B" 3, "C" 1, "D" 4, "E" ##Inf}
;;;; knapsack 0/1 table with backtracking
(defn knapsack [items cap]
  (let [table (reductions
                (fn [row [_ w v]]
                  (mapv (fn [c] (if (>= c w) (max (row c) (+ v (row (- c w)))) (row c))) (range (inc cap))))
                (vec (repeat (inc cap) 0))
                items)
        picks (loop [i (count items) c cap chosen ()]
                (if (zero? i)
                  chosen
                  (let [[nm w _] (nth items (dec i))]
                    (if (= (get-in (vec table) [i c]) (get-in (vec table) [(dec i) c]))
                      (recur (dec i) c chosen)
                      (recur (dec i) (- c w) (cons nm chosen))))))]
    {:best (peek (last table)) :picks picks :rows (count table)}))
(knapsack [[:map 9 150] [:compass 13 35] [:water 153 200] [:sandwich 50 160] [:tin 68 45]] 100)
;=> {:best 345, :picks (:map :compass :sandwich), :rows 6}
;;;; longest common subsequence memoized with letfn
(defn lcs [a b]
  (let [mem (memoize (fn [self i j]
                       (cond
                         (or (= i (count a)) (= j (count b))) ""
                         (= (nth a i) (nth b j)) (str (nth a i) (self self (inc i) (inc j)))
                         :else (let [x (self self (inc i) j) y (self self i (inc j))]
                                 (if (>= (count x) (count y)) x y)))))]
    (mem mem 0 0)))
[(lcs "AGGTAB" "GXTXAYB") (lcs "" "abc") (lcs "nematode" "empty")]
;=> ["GTAB" "" "emt"]
;;;; edit distance grid printed
(defn edit-distance [s t]
  (let [first-row (vec (range (inc (count t))))]
    (reduce
      (fn [rows [i c]]
        (let [prev (peek rows)]
          (conj rows
                (reduce (fn [row [j d]]
                          (conj row (min (inc (peek row))
                                         (inc (nth prev (inc j)))
                                         (+ (nth prev j) (if (= c d) 0 1)))))
                        [(inc i)]
                        (map-indexed vector t)))))
      [first-row]
      (map-indexed vector s))))
(let [g (edit-distance "kitten" "sitting")]
  (doseq [row g] (println (clojure.string/join " " row)))
  {:distance (-> g peek peek) :size [(count g) (count (first g))]})
;out> 0 1 2 3 4 5 6 7
;out> 1 1 2 3 4 5 6 7
;out> 2 2 1 2 3 4 5 6
;out> 3 3 2 1 2 3 4 5
;out> 4 4 3 2 1 2 3 4
;out> 5 5 4 3 2 2 3 4
;out> 6 6 5 4 3 3 2 3
;=> {:distance 3, :size [7 8]}
;;;; coin change: count ways and fewest coins
(defn ways [coins amount]
  (peek (reduce (fn [tbl coin]
                  (reduce (fn [t i] (if (>= i coin) (update t i + (t (- i coin))) t)) tbl (range (inc amount))))
                (into [1] (repeat amount 0))
                coins)))
(defn fewest [coins amount]
  (loop [a 1 best {0 []}]
    (if (> a amount)
      (best amount)
      (let [options (keep (fn [c] (some-> (best (- a c)) (conj c))) coins)]
        (recur (inc a) (if (seq options) (assoc best a (apply min-key count options)) best))))))
{:ways (map (partial ways [1 2 5 10]) [1 5 10 23]) :fewest (fewest [1 5 10 25] 63) :none (fewest [5 10] 7)}
;=> {:ways (1 4 11 52), :fewest [1 1 1 10 25 25], :none nil}
;;;; matrix chain and transpose with apply map
(def m [[1 2 3] [4 5 6]])
(defn transpose [m] (apply mapv vector m))
(defn mmul [a b] (for [row a] (for [col (transpose b)] (reduce + (map * row col)))))
(defn identity-matrix [n] (mapv (fn [i] (mapv #(if (= i %) 1 0) (range n))) (range n)))
(defn power [m n] (cond (zero? n) (identity-matrix (count m)) (even? n) (let [h (power m (/ n 2))] (mmul h h)) :else (mmul m (power m (dec n)))))
(defn det [m] (if (= 1 (count m)) (ffirst m) (reduce + (map-indexed (fn [i x] (* (if (even? i) 1 -1) x (det (mapv #(into (subvec % 0 i) (subvec % (inc i))) (rest m))))) (first m)))))
[(transpose m) (mmul m (transpose m)) (power [[1 1] [1 0]] 10) (det [[2 0 1] [1 3 2] [1 1 4]]) (map (partial reduce +) m)]
;=> [[[1 4] [2 5] [3 6]] ((14 32) (32 77)) ((89 55) (55 34)) 18 (6 15)]
;;;; spiral and rotate
(defn spiral [m] (when (seq m) (concat (first m) (spiral (reverse (apply map vector (rest m)))))))
(defn rotate [m] (vec (apply map (comp vec reverse vector) m)))
(defn diagonals [m] [(map-indexed #(nth %2 %1) m) (map-indexed #(nth %2 (- (count m) 1 %1)) m)])
(let [m (mapv vec (partition 3 (range 1 10)))]
  [(spiral m) (rotate m) (diagonals m) (take 4 (iterate rotate [[1 2] [3 4]]))])
;!> type_error
;;;; n queens by for comprehension
(defn safe? [queens col]
  (let [row (count queens)]
    (not-any? (fn [[r c]] (or (= c col) (= (Math/abs (- row r)) (Math/abs (- col c)))))
              (map-indexed vector queens))))
(defn queens [n k]
  (if (zero? k)
    [[]]
    (for [qs (queens n (dec k)) col (range n) :when (safe? qs col)] (conj qs col))))
(defn board [qs] (map (fn [c] (apply str (map #(if (= c %) \Q \.) (range (count qs))))) qs))
(run! println (board (first (queens 6 6))))
(mapv #(count (queens % %)) (range 1 7))
;out> .Q....
;out> ...Q..
;out> .....Q
;out> Q.....
;out> ..Q...
;out> ....Q.
;=> [1 0 0 2 10 4]
;;;; sieve variants
(defn sieve-a [n]
  (loop [[p & more :as xs] (range 2 (inc n)) acc []]
    (cond (nil? p) acc
          (> (* p p) n) (into acc xs)
          :else (recur (remove #(zero? (mod % p)) more) (conj acc p)))))
(defn sieve-b [n]
  (let [composite (into #{} (for [i (range 2 (inc (Math/sqrt n))) j (range (* i i) (inc n) i)] j))]
    (remove composite (range 2 (inc n)))))
(defn prime? [n] (and (> n 1) (not-any? #(zero? (rem n %)) (take-while #(<= (* % %) n) (iterate inc 2)))))
(defn factors [n] (loop [n n f 2 out []] (cond (= n 1) out (zero? (rem n f)) (recur (quot n f) f (conj out f)) :else (recur n (inc f) out))))
[(sieve-a 30) (sieve-b 30) (filter prime? (range 30)) (= (sieve-a 100) (sieve-b 100)) (factors 360) (frequencies (factors 5040)) (take 5 (filter prime? (iterate inc 100)))]
;=> [[2 3 5 7 11 13 17 19 23 29] (2 3 5 7 11 13 17 19 23 29) (2 3 5 7 11 13 17 19 23 29) true [2 2 2 3 3 5] {2 4, 3 2, 5 1, 7 1} (101 103 107 109 113)]
;;;; permutations combinations powerset
(defn perms [xs] (if (empty? xs) '(()) (for [x xs p (perms (disj xs x))] (cons x p))))
(defn combos [k [x & more :as xs]] (cond (zero? k) '(()) (empty? xs) () :else (concat (map #(cons x %) (combos (dec k) more)) (combos k more))))
(defn powerset [xs] (reduce (fn [ps x] (into ps (map #(conj % x)) ps)) [#{}] xs))
(defn cartesian [& cs] (reduce (fn [acc c] (for [a acc x c] (conj a x))) [[]] cs))
{:perms (sort (map vec (perms #{1 2 3}))) :combos (combos 2 [:a :b :c :d]) :power (map (comp vec sort) (powerset [1 2 3])) :cart (cartesian [1 2] [:x] "ab")}
;=> {:perms ([1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 1 2] [3 2 1]), :combos ((:a :b) (:a :c) (:a :d) (:b :c) (:b :d) (:c :d)), :power ([] [1] [2] [1 2] [3] [1 3] [2 3] [1 2 3]), :cart ([1 :x "a"] [1 :x "b"] [2 :x "a"] [2 :x "b"])}
;;;; binary search tree with assoc-in free recursion
(defn insert [{:keys [v l r] :as t} x] (cond (nil? t) {:v x} (< x v) (assoc t :l (insert l x)) (> x v) (assoc t :r (insert r x)) :else t))
(defn in-order [{:keys [v l r] :as t}] (if t (lazy-cat (in-order l) [v] (in-order r)) []))
(defn height [t] (if t (inc (max (height (:l t)) (height (:r t)))) 0))
(let [t (reduce insert nil [5 3 8 1 4 9 7])] [(height t) (get-in t [:l :r :v]) (:v t)])
;=> [3 4 5]
;;;; bst ordered walk without laziness
(defn insert [t x]
  (if-let [{:keys [v left right]} t]
    (case (compare x v)
      0 t
      -1 {:v v :left (insert left x) :right right}
      1 {:v v :left left :right (insert right x)})
    {:v x :left nil :right nil}))
(defn walk-in [t] (when t (concat (walk-in (:left t)) [(:v t)] (walk-in (:right t)))))
(defn depth [t] (if (nil? t) 0 (inc (apply max (map depth ((juxt :left :right) t))))))
(defn paths [t] (letfn [(go [t p] (when t (let [p (conj p (:v t))] (if (or (:left t) (:right t)) (concat (go (:left t) p) (go (:right t) p)) [p]))))] (go t [])))
(let [t (reduce insert nil [50 30 70 20 40 60 80 30])]
  {:sorted (walk-in t) :depth (depth t) :paths (paths t) :leftmost (->> t (iterate :left) (take-while some?) last :v)})
;=> {:sorted (20 30 40 50 60 70 80), :depth 3, :paths ([50 30 20] [50 30 40] [50 70 60] [50 70 80]), :leftmost 20}
;;;; heap as a vector
(defn swap [v i j] (assoc v i (v j) j (v i)))
(defn sift-up [h i] (let [p (quot (dec i) 2)] (if (and (pos? i) (< (h i) (h p))) (recur (swap h i p) p) h)))
(defn sift-down [h i]
  (let [n (count h) l (inc (* 2 i)) r (inc l)
        m (cond-> i (and (< l n) (< (h l) (h i))) (do l))
        m (if (and (< r n) (< (h r) (h m))) r m)]
    (if (= m i) h (recur (swap h i m) m))))
(defn push [h x] (sift-up (conj h x) (count h)))
(defn pop-min [h] (if (= 1 (count h)) [(h 0) []] [(h 0) (sift-down (assoc (pop h) 0 (peek h)) 0)]))
(let [h (reduce push [] [9 4 7 1 8 2])] (loop [h h out []] (if (empty? h) out (let [[x h] (pop-min h)] (recur h (conj out x))))))
;=> [1 2 4 7 8 9]
;;;; floyd warshall with reduce over triples
(def w {[:a :b] 3 [:b :c] -2 [:a :c] 4 [:c :d] 2 [:d :a] 1})
(let [nodes (sort (distinct (mapcat key w)))
      start (merge w (into {} (for [n nodes] [[n n] 0])))
      d (reduce (fn [d [k i j]]
                  (let [via (+ (d [i k] ##Inf) (d [k j] ##Inf))]
                    (if (< via (d [i j] ##Inf)) (assoc d [i j] via) d)))
                start
                (for [k nodes i nodes j nodes] [k i j]))]
  (into (sorted-map) (for [i nodes] [i (mapv #(d [i %]) nodes)])))
;=> {:a [0 3 1 3], :b [1 0 -2 0], :c [3 6 0 2], :d [1 4 2 0]}
;;;; subset sum and partition with reduced
(defn subset-sum? [xs target] (reduce (fn [sums x] (let [sums (into sums (map #(+ % x)) sums)] (if (sums target) (reduced true) sums))) #{0} xs))
(defn partition-equal [xs] (let [total (apply + xs)] (and (even? total) (true? (subset-sum? xs (/ total 2))))))
[(subset-sum? [3 34 4 12 5 2] 9) (partition-equal [1 5 11 5]) (partition-equal [1 2 3 5]) (set? (subset-sum? [1 2] 100))]
;=> [true true false true]
;;;; maze solver on strings
(def maze ["S.#....." "..#.##.#" ".##..#.." "....#..E"])
(defn at [[r c]] (get-in maze [r c]))
(def cells (for [r (range (count maze)) c (range (count (first maze)))] [r c]))
(defn locate [ch] (first (filter #(= ch (at %)) cells)))
(defn open [[r c]] (filter #(and (at %) (not= \# (at %))) [[(dec r) c] [(inc r) c] [r (dec c)] [r (inc c)]]))
(defn solve []
  (loop [frontier [(locate \S)] came {(locate \S) nil}]
    (cond
      (some #(= \E (at %)) frontier) (reverse (take-while some? (iterate came (locate \E))))
      (empty? frontier) nil
      :else (let [steps (for [p frontier n (open p) :when (not (contains? came n))] [n p])
                  came' (reduce (fn [m [n p]] (if (contains? m n) m (assoc m n p))) came steps)]
              (recur (distinct (map first steps)) came')))))
(let [p (solve)] {:length (dec (count p)) :path p :marked (map-indexed (fn [r line] (apply str (map-indexed (fn [c ch] (if (and (= ch \.) (some #{[r c]} p)) \* ch)) line))) maze)})
;=> {:length 16, :path ([0 0] [1 0] [2 0] [3 0] [3 1] [3 2] [3 3] [2 3] [1 3] [0 3] [0 4] [0 5] [0 6] [1 6] [2 6] [3 6] [3 7]), :marked ("S.#****." "*.#*##*#" "*##*.#*." "****#.*E")}
;;;; checksum algorithms
(defn adler32 [s] (let [[a b] (reduce (fn [[a b] c] (let [a (mod (+ a (int c)) 65521)] [a (mod (+ b a) 65521)])) [1 0] s)] (bit-or (bit-shift-left b 16) a)))
(defn fletcher [s] (reduce (fn [[a b] c] (let [a (rem (+ a (int c)) 255)] [a (rem (+ b a) 255)])) [0 0] s))
(defn crc8 [s] (reduce (fn [crc c] (nth (iterate (fn [x] (if (bit-test x 7) (bit-and 0xff (bit-xor 0x07 (bit-shift-left x 1))) (bit-and 0xff (bit-shift-left x 1)))) (bit-xor crc (int c))) 8)) 0 s))
(defn java-hash [s] (reduce (fn [h c] (unchecked-int (+ (* 31 h) (int c)))) 0 s))
[(Long/toHexString (adler32 "Wikipedia")) (fletcher "abcde") (crc8 "123456789") (java-hash "hello world") (.hashCode "hello world") (hash "a")]
;=> ["11e60398" [240 200] 244 1794106052 1794106052 1455541201]
;;;; text diff by line with LCS
(defn lcs [a b] (if (or (empty? a) (empty? b)) [] (if (= (first a) (first b)) (cons (first a) (lcs (rest a) (rest b))) (let [x (lcs (rest a) b) y (lcs a (rest b))] (if (>= (count x) (count y)) x y)))))
(defn diff [a b]
  (loop [a a b b c (lcs a b) out []]
    (cond
      (and (seq c) (= (first a) (first c)) (= (first b) (first c))) (recur (rest a) (rest b) (rest c) (conj out (str "  " (first c))))
      (and (seq a) (not= (first a) (first c))) (recur (rest a) b c (conj out (str "- " (first a))))
      (seq b) (recur a (rest b) c (conj out (str "+ " (first b))))
      :else out)))
(diff ["a" "b" "c" "d"] ["a" "x" "c" "d" "e"])
;=> ["  a" "- b" "+ x" "  c" "  d" "+ e"]
;;;; scheduling: earliest deadline and interval partitioning
(def jobs [{:id :a :start 1 :end 4 :w 5} {:id :b :start 3 :end 5 :w 1} {:id :c :start 0 :end 6 :w 8} {:id :d :start 4 :end 7 :w 4} {:id :e :start 6 :end 10 :w 6}])
(defn greedy [js] (:picked (reduce (fn [{:keys [free] :as acc} {:keys [id start end]}] (if (>= start free) (-> acc (assoc :free end) (update :picked conj id)) acc)) {:free 0 :picked []} (sort-by :end js))))
(defn weighted [js]
  (let [js (vec (sort-by :end js))
        prev (fn [i] (last (filter #(<= (:end (js %)) (:start (js i))) (range i))))
        best (reduce (fn [dp i] (let [take-it (+ (:w (js i)) (if-let [p (prev i)] (dp p) 0))] (conj dp (max take-it (if (pos? i) (dp (dec i)) 0))))) [] (range (count js)))]
    (peek best)))
(defn rooms [js] (->> js (mapcat (fn [{:keys [start end]}] [[start 1] [end -1]])) (sort-by (juxt first second)) (reductions (fn [n [_ d]] (+ n d)) 0) (apply max)))
{:greedy (greedy jobs) :weighted (weighted jobs) :rooms (rooms jobs) :timeline (into (sorted-map) (for [t (range 0 10 2)] [t (set (map :id (filter #(and (<= (:start %) t) (< t (:end %))) jobs)))]))}
;=> {:greedy [:a :d], :weighted 14, :rooms 3, :timeline {0 #{:c}, 2 #{:a :c}, 4 #{:b :c :d}, 6 #{:d :e}, 8 #{:e}}}
;;;; k-means in one dimension
(defn mean [xs] (/ (reduce + xs) (count xs)))
(defn assign [centers xs] (group-by (fn [x] (apply min-key #(Math/abs (double (- x %))) centers)) xs))
(defn step [xs centers] (sort (map mean (vals (assign centers xs)))))
(let [xs [1 2 3 10 11 12 50 51] [final] (first (filter (fn [[a b]] (= a b)) (partition 2 1 (iterate (partial step xs) [1 10 12]))))]
  [(map double final) (map sort (vals (sort-by key (assign final xs))))])
;=> [(2.0 11.0 50.5) ((1 2 3) (10 11 12) (50 51))]
;;;; gaussian elimination exact then double
(defn solve [rows]
  (let [n (count rows)
        reduced (reduce (fn [m i]
                          (let [p (first (filter #(not (zero? (get-in m [% i]))) (range i n)))
                                m (assoc m i (m p) p (m i))
                                pr (mapv #(/ % (get-in m [i i])) (m i))]
                            (mapv (fn [j row] (if (= j i) pr (mapv - row (map #(* (row i) %) pr)))) (range n) m)))
                        (mapv vec rows) (range n))]
    (mapv (comp double peek) reduced)))
[(solve [[2 1 5] [1 -3 -1]]) (solve [[1 1 1 6] [0 2 5 -4] [2 5 -1 27]]) (solve [[3 2 1] [7 5 2]])]
;=> [[2.0 1.0] [5.0 3.0 -2.0] [1.0 -1.0]]
;;;; markov chain stationary by power iteration
(def P [[(/ 9 10) (/ 1 10)] [(/ 1 2) (/ 1 2)]])
(defn step [v] (mapv (fn [col] (reduce + (map * v col))) (apply map vector P)))
(map (partial mapv double) (take 4 (iterate step [1 0])))
;=> ([1.0 0.0] [0.9 0.1] [0.86 0.14] [0.844 0.156])
;;;; merging timelines and gaps
(def a [{:t 1 :v :a1} {:t 4 :v :a4} {:t 9 :v :a9}]) (def b [{:t 2 :v :b2} {:t 4 :v :b4}])
(let [all (sort-by (juxt :t (comp name :v)) (concat a b)) as-of (fn [t] (:v (last (take-while #(<= (:t %) t) all))))]
  {:merged (mapv :v all) :as-of (mapv as-of [0 3 4 100]) :gaps (keep (fn [[x y]] (let [g (- (:t y) (:t x))] (when (> g 1) {:from (:t x) :gap g}))) (partition 2 1 all)) :dups (->> all (group-by :t) (filter #(next (val %))) (into {}) keys)})
;=> {:merged [:a1 :b2 :a4 :b4 :a9], :as-of [nil :b2 :b4 :a9], :gaps ({:from 2, :gap 2} {:from 4, :gap 5}), :dups (4)}
;;;; k nearest neighbours and confusion matrix
(def train [[[1 1] :a] [[1 2] :a] [[8 8] :b] [[9 8] :b] [[5 5] :a]])
(defn dist2 [p q] (reduce + (map (fn [a b] (let [d (- a b)] (* d d))) p q)))
(defn classify [k p] (->> train (sort-by (comp (partial dist2 p) first)) (take k) (map second) frequencies (sort-by (juxt (comp - val) key)) ffirst))
(let [tests [[[2 2] :a] [[7 7] :b] [[6 5] :b]] preds (map (fn [[p y]] [y (classify 3 p)]) tests)]
  {:preds preds :confusion (frequencies preds) :accuracy (/ (count (filter (partial apply =) preds)) (double (count preds)))})
;=> {:preds ([:a :a] [:b :b] [:b :b]), :confusion {[:a :a] 1, [:b :b] 2}, :accuracy 1.0}
;;;; perceptron with integer weights
(def data [[[0 0] 0] [[0 1] 0] [[1 0] 0] [[1 1] 1]])
(defn predict [[w0 & ws] xs] (if (>= (apply + w0 (map * ws xs)) 0) 1 0))
(defn train-epoch [w] (reduce (fn [w [xs y]] (let [e (- y (predict w xs))] (mapv + w (map #(* e %) (cons 1 xs))))) w data))
(let [ws (iterate train-epoch [0 0 0]) stable (first (first (filter (fn [[a b]] (= a b)) (partition 2 1 ws))))] [stable (map (comp (partial predict stable) first) data) (count (take-while #(not= stable %) ws))])
;=> [[-3 2 1] (0 0 0 1) 5]
;;;; matrix statistics and printing with cl-like columns
(def m [[1 2 3] [4 5 6] [7 8 10]])
(defn col-sums [m] (apply map + m))
(defn trace [m] (reduce + (map-indexed (fn [i r] (r i)) m)))
(defn minor [m i j] (vec (for [[r row] (map-indexed vector m) :when (not= r i)] (vec (for [[c v] (map-indexed vector row) :when (not= c j)] v)))))
(defn det [m] (if (= 1 (count m)) (get-in m [0 0]) (reduce + (for [j (range (count m))] (* (if (even? j) 1 -1) (get-in m [0 j]) (det (minor m 0 j)))))))
(defn inverse [m] (let [d (det m) n (count m)] (apply mapv vector (for [i (range n)] (for [j (range n)] (* (if (even? (+ i j)) 1 -1) (/ (det (minor m i j)) d)))))))
(doseq [r m] (println (apply format "%3d|%3d|%3d" r)))
{:sums (col-sums m) :trace (trace m) :det (det m) :inv (map (partial map double) (inverse m)) :id (= [[1.0 0.0 0.0] [0.0 1.0 0.0] [0.0 0.0 1.0]] (vec (for [r m] (vec (for [c (apply map vector (inverse m))] (double (reduce + (map * r c))))))))}
;out>   1|  2|  3
;out>   4|  5|  6
;out>   7|  8| 10
;=> {:sums (12 15 19), :trace 16, :det -3, :inv ((-0.6666666666666667 -1.333333333333333 1.0) (-0.6666666666666667 3.666666666666667 -2.0) (1.0 -2.0 1.0)), :id true}
;;;;
(letfn [(fact [n] (if (<= n 1) 1 (* n (fact (dec n)))))
        (fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))]
  {:fact (fact 10) :fib (fib 15)})
;=> {:fact 3628800, :fib 610}
;;;;
(let [matrix [[1 2 3] [4 5 6]]]
  {:t (apply mapv vector matrix) :sums (map #(apply + %) matrix) :flat (flatten matrix)})
;=> {:t [[1 4] [2 5] [3 6]], :sums (6 15), :flat (1 2 3 4 5 6)}
;;;;
(let [memo-fib (fn fib [n] (loop [i 0 a 0 b 1] (if (= i n) a (recur (inc i) b (+ a b)))))] (map memo-fib (range 10)))
;=> (0 1 1 2 3 5 8 13 21 34)
;;;;
(defn bin-search [v x]
  (loop [lo 0 hi (dec (count v))]
    (when (<= lo hi)
      (let [mid (quot (+ lo hi) 2) m (v mid)]
        (cond (= m x) mid (< m x) (recur (inc mid) hi) :else (recur lo (dec mid)))))))
[(bin-search [1 3 5 7] 5) (bin-search [1 3 5 7] 4)]
;=> [2 nil]
;;;;
(defn primes [n] (filter (fn [x] (not-any? #(zero? (mod x %)) (range 2 x))) (range 2 n)))
(primes 30)
;=> (2 3 5 7 11 13 17 19 23 29)
;;;;
(defn collatz [n] (loop [n n steps 0] (if (= n 1) steps (recur (if (even? n) (quot n 2) (inc (* 3 n))) (inc steps)))))
(apply max-key second (map (juxt identity collatz) (range 1 30)))
;=> [27 111]
;;;;
(let [gcd (fn [a b] (if (zero? b) a (recur b (mod a b))))] [(gcd 48 18) (reduce gcd [24 36 60])])
;=> [6 12]
;;;;
(defn transpose [m] (apply map list m))
(transpose [[1 2] [3 4] [5 6]])
;=> ((1 3 5) (2 4 6))
;;;;
(defn mat-mul [a b] (mapv (fn [row] (mapv (fn [col] (reduce + (map * row col))) (apply mapv vector b))) a))
(mat-mul [[1 2] [3 4]] [[5 6] [7 8]])
;=> [[19 22] [43 50]]
;;;;
(defn qsort [[p & xs]] (if (nil? p) [] (concat (qsort (filter #(< % p) xs)) [p] (qsort (remove #(< % p) xs)))))
(qsort [3 6 1 8 2 9 2])
;=> (1 2 2 3 6 8 9)
;;;;
(defn permutations [xs] (if (empty? xs) '(()) (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(permutations [1 2 3])
;=> ((1 2 3) (1 3 2) (2 1 3) (2 3 1) (3 1 2) (3 2 1))
;;;;
(defn powerset [s] (reduce (fn [acc x] (into acc (map #(conj % x) acc))) [[]] s))
(powerset [1 2 3])
;=> [[] [1] [2] [1 2] [3] [1 3] [2 3] [1 2 3]]
;;;;
(defn bfs [graph start]
  (loop [queue [start] seen #{start} order []]
    (if-let [n (first queue)]
      (let [next-nodes (remove seen (graph n))]
        (recur (into (vec (rest queue)) next-nodes) (into seen next-nodes) (conj order n)))
      order)))
(bfs {:a [:b :c] :b [:d] :c [:d] :d []} :a)
;=> [:a :b :c :d]
;;;;
(defn topo [deps] (loop [left deps out []] (if (empty? left) out (let [ready (sort (for [[k ds] left :when (every? (set out) ds)] k))] (if (empty? ready) :cycle (recur (apply dissoc left ready) (into out ready)))))))
[(topo {:a [] :b [:a] :c [:a :b]}) (topo {:x [:y] :y [:x]})]
;=> [[:a :b :c] :cycle]
;;;;
(defn rpn [tokens] (first (reduce (fn [st t] (if (number? t) (conj st t) (let [[b a & r] st] (conj r (t a b))))) '() tokens)))
(rpn [3 4 + 2 *])
;=> 14
;;;;
(let [graph {:a {:b 1 :c 4} :b {:c 2 :d 5} :c {:d 1} :d {}}]
  (loop [dist {:a 0} seen #{}]
    (let [cands (remove (fn [[n _]] (seen n)) dist)]
      (if (empty? cands) (into (sorted-map) dist)
        (let [[n d] (apply min-key val cands)]
          (recur (reduce (fn [m [k w]] (update m k (fnil min Integer/MAX_VALUE) (+ d w))) dist (graph n)) (conj seen n)))))))
;=> {:a 0, :b 1, :c 3, :d 4}
;;;;
(let [fib (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1]))] (take 10 fib))
;=> (0 1 1 2 3 5 8 13 21 34)
;;;;
(let [tri (take 5 (iterate (fn [row] (mapv + (cons 0 row) (conj row 0))) [1]))] tri)
;=> ([1] [1 1] [1 2 1] [1 3 3 1] [1 4 6 4 1])
;;;;
(let [sieve (fn [n] (loop [cs (range 2 n) ps []] (if-let [p (first cs)] (recur (remove #(zero? (rem % p)) (rest cs)) (conj ps p)) ps)))] (sieve 30))
;=> [2 3 5 7 11 13 17 19 23 29]
;;;;
(defn hanoi [n a b c] (if (zero? n) [] (concat (hanoi (dec n) a c b) [[a c]] (hanoi (dec n) b a c))))
[(count (hanoi 5 :a :b :c)) (hanoi 2 :a :b :c)]
;=> [31 ([:a :b] [:a :c] [:b :c])]
;;;;
(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))))
(fib 40)
;=> 102334155
;;;;
(let [intervals [[1 3] [2 6] [8 10] [9 12]]] (reduce (fn [acc [s e]] (let [[ls le] (peek acc)] (if (and le (<= s le)) (conj (pop acc) [ls (max le e)]) (conj acc [s e])))) [] (sort intervals)))
;=> [[1 6] [8 12]]
;;;;
(defn spiral [m] (when (seq m) (concat (first m) (spiral (reverse (apply map vector (rest m)))))))
(defn rotate [m] (apply map (comp vec reverse list) m))
(defn pascal [n] (take n (iterate (fn [row] (mapv + (cons 0 row) (conj (vec row) 0))) [1])))
(defn diagonal [m] (map-indexed #(nth %2 %1) m))
(let [m [[1 2 3] [4 5 6] [7 8 9]]] [(spiral m) (rotate m) (pascal 5) (diagonal m) (apply mapv vector m) (map (partial apply +) m) (reduce (partial mapv +) m) (for [r m] (apply max r)) (every? #(= 3 (count %)) m)])
;!> type_error
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
;=> [9 "GTAB"]
;;;;
(defn levenshtein [a b]
  (peek (reduce (fn [prev [i ca]]
                  (reduce (fn [row [j cb]] (conj row (min (inc (peek row)) (inc (nth prev (inc j))) (+ (nth prev j) (if (= ca cb) 0 1)))))
                          [(inc i)] (map-indexed vector b)))
                (vec (range (inc (count b)))) (map-indexed vector a))))
(for [[a b] [["kitten" "sitting"] ["" "abc"] ["flaw" "lawn"] ["same" "same"]]] [a b (levenshtein a b)])
;=> (["kitten" "sitting" 3] ["" "abc" 3] ["flaw" "lawn" 2] ["same" "same" 0])
;;;;
(defn fizz [n] (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 5)) "Buzz" (zero? (mod n 3)) "Fizz" :else n))
(defn collatz-len [n] (loop [n n c 1] (if (= 1 n) c (recur (if (even? n) (/ n 2) (inc (* 3 n))) (inc c)))))
(defn perfect? [n] (= n (reduce + (filter #(zero? (rem n %)) (range 1 n)))))
(defn digits [n] (map #(- (int %) (int \0)) (str n)))
(defn armstrong? [n] (let [ds (digits n) k (count ds)] (== n (reduce + (map #(Math/pow % k) ds)))))
[(map fizz (range 1 16)) (apply max-key collatz-len (range 1 30)) (filter perfect? (range 2 500)) (digits 1234) (filter armstrong? (range 100 500)) (reduce * (range 1 11)) (map #(Integer/toBinaryString %) (range 5)) (reverse (digits 120)) (apply + (digits 999)) (= (digits 121) (reverse (digits 121)))]
;=> [(1 2 "Fizz" 4 "Buzz" "Fizz" 7 8 "Fizz" "Buzz" 11 "Fizz" 13 14 "FizzBuzz") 27 (6 28 496) (1 2 3 4) (153 370 371 407) 3628800 ("0" "1" "10" "11" "100") (0 2 1) 27 true]
;;;;
(defn tree-insert [tree path] (if-let [[p & more] (seq path)] (update tree p (fnil tree-insert {}) more) tree))
(defn render ([t] (render t 0)) ([t depth] (mapcat (fn [[k v]] (cons (str (apply str (repeat depth "  ")) k) (render v (inc depth)))) (sort-by key t))))
(let [t (reduce tree-insert {} (map #(clojure.string/split % #"/") ["usr/bin/x" "usr/lib" "etc/conf" "usr/bin/y"]))]
  (println (clojure.string/join "\n" (render t)))
  t)
;out> etc
;out>   conf
;out> usr
;out>   bin
;out>     x
;out>     y
;out>   lib
;=> {"usr" {"bin" {"x" {}, "y" {}}, "lib" {}}, "etc" {"conf" {}}}
;;;;
(defn hanoi [n from to via] (if (zero? n) [] (concat (hanoi (dec n) from via to) [[from to]] (hanoi (dec n) via to from))))
(defn queens [n] (let [safe? (fn [qs c] (every? (fn [[i q]] (and (not= q c) (not= (inc i) (Math/abs (- q c))))) (map-indexed vector (reverse qs))))] (loop [k 0 sols [[]]] (if (= k n) sols (recur (inc k) (for [qs sols c (range n) :when (safe? qs c)] (conj qs c)))))))
(defn gray [n] (if (zero? n) [""] (let [g (gray (dec n))] (concat (map #(str "0" %) g) (map #(str "1" %) (reverse g))))))
[(hanoi 2 :a :c :b) (count (hanoi 5 1 3 2)) (queens 4) (count (queens 6)) (gray 3)]
;=> [([:a :b] [:a :c] [:b :c]) 31 ([1 3 0 2] [2 0 3 1]) 4 ("000" "001" "011" "010" "110" "111" "101" "100")]
