;;;; own helper names
(defn sum [xs] (reduce + xs)) (defn avg [xs] (/ (sum xs) (double (count xs)))) (defn zip [a b] (map vector a b)) (defn pluck [k rows] (map k rows))
(defn round [n x] (let [f (Math/pow 10 n)] (/ (Math/round (* f x)) f))) (defn pow [b e] (reduce * (repeat e b))) (defn floor [x] (long (Math/floor x)))
(defn combinations [xs n] (if (zero? n) [[]] (for [[i x] (map-indexed vector xs) c (combinations (drop (inc i) xs) (dec n))] (cons x c))))
(defn extract [re s] (second (re-find re s))) (defn entries [m] (sort (map vec m))) (defn distinct-by [f xs] (map first (vals (group-by f xs)))) (defn join [& xs] (apply str xs))
[(sum [1 2 3]) (avg [1 2]) (zip [1 2] [3 4]) (pluck :a [{:a 1}]) (round 2 3.14159) (pow 2 10) (floor 2.7) (combinations [1 2 3] 2) (extract #"k=(\w+)" "k=v") (entries {:b 1 :a 2}) (distinct-by odd? [1 2 3]) (join 1 2)]
;;;; declared first
(declare sum avg)
(defn report [xs] (str "sum=" (sum xs) " avg=" (avg xs)))
(defn sum [xs] (apply + xs))
(defn avg [xs] (/ (sum xs) (count xs)))
(report [2 4 6])
;;;; own core names
(defn max-by [f xs] (apply max-key f xs)) (defn min-by [f xs] (apply min-key f xs)) (defn index-by [f xs] (zipmap (map f xs) xs)) (defn sum-by [f xs] (transduce (map f) + xs)) (defn avg-by [f xs] (/ (sum-by f xs) (count xs)))
(def rows [{:id 1 :v 10} {:id 2 :v 30}])
[(max-by :v rows) (min-by :v rows) (index-by :id rows) (sum-by :v rows) (avg-by :v rows)]
;;;; symbols with marks
(let [x' 1 x'' 2 a->b {:k 1} ok? true go! 5 *e* 3 -neg -1 _u 9 a-b 4 α 7 <= 8 n# 6] [x' x'' a->b ok? go! *e* -neg _u a-b α <= n#])
;;;; arrows names
(defn ->point [x y] {:x x :y y}) (defn cents->dollars [c] (/ c 100.0)) (defn row->map [[k v]] {k v}) (defn valid?! [x] (boolean x)) (def ^:dynamic *limit* 10) (def +tax+ 0.2) (defn <=> [a b] (compare a b))
[(->point 1 2) (cents->dollars 1999) (map row->map {:a 1}) (valid?! nil) *limit* (* 10 +tax+) (sort <=> [3 1 2])]
;;;; call as name
(def registry {:add + :mul * :neg -})
(defn call [op & args] (if-let [f (registry op)] (apply f args) (throw (ex-info "unknown op" {:op op}))))
[(call :add 1 2 3) (call :mul 4 5) (call :neg 7) (try (call :pow 2) (catch Exception e (:op (ex-data e)))) (map #(apply call %) [[:add 1 1] [:mul 3 3]])]
;;;; new-ish names
(let [future [1 2] locking :l call inc new-items [3]] [(concat future new-items) locking (call 1)])
;;;; data as name
(def data [{:k "a" :n 1} {:k "b" :n 2}])
(def tool :hammer)
(defn user [n] {:user n})
[(map :k data) (first data) (reduce + (map :n data)) tool (user "x") (let [data {:x 1}] (:x data))]
;;;; memo keyword string
(def prices {"apple" 1.2 "pear" 0.8})
[(get prices "apple") (prices "pear") (get prices "kiwi" 0) (reduce + (map prices ["apple" "pear"])) (update prices "apple" * 2) (sort-by val prices) (contains? prices "fig")]
;;;; several catches by op
(defn run [op a b]
  (try
    (case op
      "add" (+ a b)
      "div" (/ a b)
      "parse" (Integer/parseInt (str a b))
      "nth" (nth [1 2 3] 1)
      (throw (IllegalArgumentException. (str "Unknown op: " op))))
    (catch ArithmeticException e (str "math: " (.getMessage e)))
    (catch NumberFormatException e "not a number")
    (catch IllegalArgumentException e (.getMessage e))
    (catch Exception e (str "other: " (.getMessage e)))))
(map #(apply run %) [["add" 1 2] ["div" 1 0] ["div" 9 3] ["parse" 4 2] ["parse" "x" 1] ["pow" 1 1] ["nth" 0 0]])
;;;; info vs other
(defn fetch [id] (cond (nil? id) (throw (NullPointerException. "id")) (neg? id) (throw (ex-info "negative" {:id id :status 400})) (> id 100) (throw (ex-info "not found" {:id id :status 404})) (= id 13) (throw (IllegalStateException. "unlucky")) :else {:id id}))
(defn handle [id] (try (assoc (fetch id) :status 200) (catch clojure.lang.ExceptionInfo e (let [{:keys [status id]} (ex-data e)] {:status status :msg (str (ex-message e) " " id)})) (catch IllegalStateException e {:status 409 :msg (ex-message e)}) (catch Throwable t {:status 500 :msg (.getMessage t)}) (finally (print "."))))
(mapv handle [1 -5 101 13 nil])
;;;; error in order catch first wide
[(try (/ 1 0) (catch Exception e :wide) (catch ArithmeticException e :narrow)) (try (throw (ex-info "x" {})) (catch RuntimeException e :rt) (catch Exception e :ex)) (try (Integer/parseInt "") (catch IllegalArgumentException e :iae) (catch NumberFormatException e :nfe)) (try :fine (catch Exception e :no) (finally :ignored)) (try (throw (Error. "e")) (catch Exception e :ex) (catch Error e :err))]
;;;; nested try with binding
(defn step [n] (try (if (zero? (mod n 3)) (throw (ex-info "fizz" {:n n})) n) (catch ArithmeticException e :never) (catch clojure.lang.ExceptionInfo e (str (ex-message e) (:n (ex-data e))))))
[(mapv step (range 1 7)) (let [x 5 r (try (let [y (/ x 0)] y) (catch ArithmeticException e (* x 2)))] (+ r x)) (reduce (fn [acc x] (try (+ acc (/ 12 x)) (catch ArithmeticException _ acc))) 0 [1 0 2 0 3])]
;;;; captured in catch branches
(let [a [1 2] b {:k 1}] [(try (conj a (/ 1 0)) (catch NullPointerException e (conj a :n)) (catch ArithmeticException e (conj a :m (:k b)))) a b (try (assoc b :x (throw (ex-info "q" {:a a}))) (catch ArithmeticException e a) (catch Exception e (assoc b :from (:a (ex-data e)))))])
;;;; loop retry with recur outside try
(loop [n 0 acc []] (let [r (try (if (< n 3) (throw (ex-info "again" {:n n})) (* n 10)) (catch clojure.lang.ExceptionInfo e (:n (ex-data e))))] (if (= r n) (recur (inc n) (conj acc r)) {:result r :acc acc})))
;;;; messages
(map (fn [f] (try (f) (catch Exception e (ex-message e)))) [#(throw (ex-info "a" {})) #(throw (Exception. "b")) #(throw (IllegalArgumentException. (str "c" 1))) #(/ 5 0) #(throw (RuntimeException. "d" (Exception. "inner"))) #(mod 3 0)])
;;;; cause walk
(let [e (ex-info "top" {:l 0} (ex-info "mid" {:l 1} (Exception. "root")))] [(map ex-message (take-while some? (iterate ex-cause e))) (keep (comp :l ex-data) (take-while some? (iterate ex-cause e))) (.getMessage (.getCause e)) (:l (.getData e))])
;;;; double division in maps
(def m {:a [1 2 4] :b [10 20 25]})
[(update-vals m #(double (/ (reduce + %) (count %)))) (reduce-kv (fn [acc k v] (assoc acc k (double (/ (apply + v) (count v))))) {} m) (into {} (for [[k [x y z]] m] [k (double (/ (+ x y z) 3))])) (mapv (fn [[k v]] (-> (reduce + v) (/ (count v)) double)) m) (->> m vals (map #(/ (reduce + %) 3.0))) (map (fn [[_ v]] (/ (double (reduce + v)) (count v))) m)]
;;;; percent strings
(for [[a b] [[1 3] [2 3] [1 7] [5 8] [22 7] [1 1] [0 5]]] [(double (/ a b)) (* 100.0 (/ a b)) (format "%.1f%%" (* 100.0 (/ a b))) (format "%.3f" (double (/ a b))) (Math/round (* 100.0 (/ a b))) (int (* 100 (/ a (double b))))])
;;;; sqrt of quotient
[(Math/sqrt (/ 10 3)) (Math/sqrt (/ 9 4)) (Math/pow (/ 1 3) 2) (Math/floor (/ 10 3)) (Math/ceil (/ 10 3)) (Math/log (/ 3 2)) (Math/exp (/ 1 3)) (- 1.0 (/ 1 3)) (+ (/ 2 3) 1.0) (* (/ 10 7) 0.5) (/ (/ 10 7) 0.5) (double (/ 10 7 3)) (double (- (/ 1 2))) (- (double (/ 7 9)) 0.5)]
;;;; cm to inch
(map (fn [cm] (let [in (/ cm 2.54) ft (int (/ in 12))] (format "%d cm = %d'%.1f\"" cm ft (- in (* 12 ft))))) [150 180 200])
;;;; minutes avg
(let [times ["01:30" "02:45" "00:50"] secs (map (fn [t] (let [[m s] (map parse-long (clojure.string/split t #":"))] (+ (* 60 m) s))) times) avg (double (/ (reduce + secs) (count secs)))] [secs avg (format "%02d:%04.1f" (int (/ avg 60)) (mod avg 60))])
;;;; queue producer consumer
(defn tick [{:keys [q t done] :as s}] (let [q (if (zero? (mod t 2)) (conj q t) q) s (assoc s :q q :t (inc t))] (if (and (seq q) (zero? (mod t 3))) (-> s (update :q pop) (assoc :done (conj done [t (peek q)]))) s)))
(let [{:keys [q done]} (nth (iterate tick {:q clojure.lang.PersistentQueue/EMPTY :t 0 :done []}) 10)] [(vec q) done (count q)])
;;;; queue word ladder
(defn neighbors [dict w] (filter #(= 1 (count (filter false? (map = w %)))) dict))
(defn ladder [dict from to] (loop [q (conj clojure.lang.PersistentQueue/EMPTY [from]) seen #{from}] (if-let [path (peek q)] (if (= (peek path) to) path (let [ns (remove seen (neighbors dict (peek path)))] (recur (into (pop q) (map #(conj path %)) ns) (into seen ns)))) nil)))
[(ladder ["hot" "dot" "dog" "lot" "log" "cog"] "hot" "cog") (ladder ["hot" "xyz"] "hot" "xyz")]
;;;; queue into map update
(-> {:jobs {}} (update-in [:jobs :hi] (fnil conj clojure.lang.PersistentQueue/EMPTY) 1) (update-in [:jobs :hi] conj 2) (update-in [:jobs :hi] pop) (get-in [:jobs :hi]) first)
;;;; queue destructure
(let [q (into clojure.lang.PersistentQueue/EMPTY [1 2 3]) [a & more] q] [a more (map inc q) (filter odd? q) (apply max q) (vec (concat q [4])) (sort > q) (reduce conj () q) (every? pos? q) (nth q 1) (str (first q)) (rest q) (next q) (last q) (butlast q) (into () q) (set q) (zipmap q [:a :b :c]) (interleave q q) (= (seq q) '(1 2 3)) (empty? q) (distinct q) (take 2 q) (drop 1 q) (partition 2 q) (reverse q)])
;;;; inc histogram arrays
(defn histogram [bins lo hi xs] (let [w (/ (- hi lo) (double bins))] (reduce (fn [h x] (update h (min (dec bins) (int (/ (- x lo) w))) inc)) (vec (repeat bins 0)) xs)))
(let [h (histogram 4 0 8 [0 1 2 3.5 4 7.9 8])] (doseq [[i n] (map-indexed vector h)] (println (str i ": " (apply str (repeat n "#"))))) h)
;;;; outliers
(let [xs (sort [12 14 15 13 99 14 13 -40]) n (count xs) med (fn [ys] (let [c (count ys) h (quot c 2)] (if (odd? c) (nth ys h) (/ (+ (nth ys h) (nth ys (dec h))) 2.0)))) q1 (med (take (quot n 2) xs)) q3 (med (drop (- n (quot n 2)) xs)) iqr (- q3 q1)] {:q1 q1 :q3 q3 :iqr iqr :out (remove #(<= (- q1 (* 1.5 iqr)) % (+ q3 (* 1.5 iqr))) xs)})
;;;; weighted
(let [items [[90 0.5] [80 0.3] [70 0.2]]] [(reduce + (map (partial apply *) items)) (/ (reduce + (map (fn [[v w]] (* v w)) items)) (reduce + (map second items))) (reduce (fn [a [v w]] (+ a (* v w))) 0 items)])
;;;; exchange rounding
(map (fn [x] [(Math/round x) (long x) (Math/floor x) (Math/ceil x) (format "%.0f" x) (format "%.1f" x) (/ (Math/round (* x 10.0)) 10.0) (int x)]) [2.5 -2.5 0.05 1.25 -0.75 1e6 3.0])
;;;; float accumulate no ratio
[(reduce + (repeat 10 0.1)) (* 10 0.1) (reduce + [0.1 0.2 0.3]) (reduce + [0.3 0.2 0.1]) (- 1.1 1) (* 1.15 100) (/ 1 3.0) (+ 1e16 1) (* 0.07 100) (== 0.3 (+ 0.1 0.2)) (rem 5.5 2) (mod -5.5 2) (quot 5.5 2) (max 1 1.5) (min -0.5 0) (reduce max [1 2.5 2]) (apply + 0.5 [1 2]) (sort [1 0.5 2]) (double (/ 1 4)) (str (* 1.0 1e15)) (str 123456789.0) (* 1000000 1000000) (* 1e6 1e6) (/ 1e9 1e3) (- 1e-3 1e-4) 1234567890123.456 (/ 2 3.0) (Math/pow 10 -2) (Math/pow 2 62) (long (Math/pow 2 53))]
;;;; boxes in pipelines
(->> ["10" "x" "30" nil "4.5"] (map #(try (Integer/parseInt %) (catch NumberFormatException _ :bad) (catch Exception _ :worse))) (group-by #(cond (number? %) :num :else %)) (into (sorted-map)))
;;;; interop static fn refs
[(map #(Math/abs %) [-1 2]) (map #(Integer/parseInt %) ["1" "2"]) (sort-by #(Math/abs %) [-3 1 2]) (mapv #(Character/toUpperCase %) "ab") (apply str (map #(Character/toLowerCase %) "AB")) (reduce #(Math/max %1 %2) [1 5 3]) (map (fn [^String s] (.length s)) ["a" "bb"]) (map (memfn toUpperCase) ["a"]) (filter #(.startsWith % "a") ["ab" "b"]) (map #(.indexOf "abc" %) ["a" "c" "z"]) (map #(String/valueOf %) [1 :a]) (sort #(.compareTo %1 %2) ["b" "a"])]
;;;; case forms
(defn f [x] (case x 1 :one (2 3) :few "s" :str :k :kw nil :nil \c :char [1 2] :vec true :yes :other))
(map f [1 2 3 "s" :k nil \c [1 2] true 99])
;;;; condp forms
(defn g [x] (condp = x 1 :one 2 :two :many)) (defn h [x] (condp < x 100 :big 10 :mid :small)) (defn k [s] (condp #(clojure.string/starts-with? %2 %1) s "http:" :plain "https:" :tls :none)) (defn j [x] (condp some [x] #{1 2} :>> inc #{3} :three :no))
[(map g [1 2 3]) (map h [500 50 5]) (map k ["http://a" "https://a" "ftp"]) (map j [1 3 9])]
;;;; comment forms
(comment (this is (ignored)))
#_(def ignored (+ 1 "x"))
(def x #_2 3)
[x #_(nope) 4 (comment 1) {:a 1 #_#_:b 2}]
;;;; strings multi line
(def s "line one
line two\twith tab
  \"quoted\"")
[(count s) (clojure.string/split-lines s) (pr-str "tab\there") (str "uni\u00e9" "\\") (count "a\nb") (map count (clojure.string/split-lines s))]
;;;; unicode
[(count "naïve café") (clojure.string/upper-case "straße é") (reverse "añb") (map str "äb") (clojure.string/capitalize "éa") (re-seq #"\w+" "café au") (re-seq #"\p{L}+" "café au") (sort ["é" "e" "z" "a"]) (subs "日本語" 1) (format "%-5s|" "é") (.indexOf "日本語" "語") (int \é) (clojure.string/replace "ñandú" "ñ" "n")]
;;;; swap two and rotations
(let [v [1 2 3 4] swap (fn [v i j] (assoc v i (v j) j (v i)))] [(swap v 0 3) (reduce (fn [v i] (swap v i (- 3 i))) v [0 1]) (vec (concat (drop 1 v) (take 1 v))) (let [[a b] [1 2] [a b] [b a]] [a b]) (into [] (reverse v)) (apply vector (sort-by - v)) (vec (take 4 (drop 2 (cycle v))))])
;;;; selection sort
(defn sel-sort [xs] (loop [xs xs out []] (if (empty? xs) out (let [m (apply min xs) [a b] (split-with #(not= m %) xs)] (recur (concat a (rest b)) (conj out m))))))
(defn counting-sort [xs] (let [f (frequencies xs)] (mapcat #(repeat (f % 0) %) (range (apply min xs) (inc (apply max xs))))))
(defn radix-sort [xs] (reduce (fn [xs d] (mapcat val (into (sorted-map) (group-by #(mod (quot % d) 10) xs)))) xs [1 10 100]))
[(sel-sort [3 1 2 1]) (counting-sort [3 1 2 1]) (radix-sort [170 45 75 90 802 24 2 66])]
;;;; heap via vector
(defn sift-up [h i] (let [p (quot (dec i) 2)] (if (and (pos? i) (< (h i) (h p))) (recur (assoc h i (h p) p (h i)) p) h)))
(defn push [h x] (sift-up (conj h x) (count h)))
(defn sift-down [h i] (let [l (inc (* 2 i)) r (inc l) n (count h) m (cond-> i (and (< l n) (< (h l) (h i))) (do l)) m (if (and (< r n) (< (h r) (h m))) r m)] (if (= m i) h (recur (assoc h i (h m) m (h i)) m))))
(defn pop-min [h] [(first h) (if (= 1 (count h)) [] (sift-down (assoc (pop h) 0 (peek h)) 0))])
(loop [h (reduce push [] [5 3 8 1 9 2]) out []] (if (empty? h) out (let [[x h] (pop-min h)] (recur h (conj out x)))))
;;;; astar
(def walls #{[1 0] [1 1] [1 2]})
(defn h [[x y] [a b]] (+ (Math/abs (- a x)) (Math/abs (- b y))))
(defn astar [start goal n] (loop [open (sorted-set [(h start goal) 0 start]) g {start 0} came {}] (if-let [[_ cost cur :as top] (first open)] (if (= cur goal) {:cost cost :path (reverse (take-while some? (iterate came goal)))} (let [ns (for [[dx dy] [[0 1] [1 0] [0 -1] [-1 0]] :let [[x y :as p] [(+ (first cur) dx) (+ (second cur) dy)]] :when (and (< -1 x n) (< -1 y n) (not (walls p)) (< (inc cost) (get g p ##Inf)))] p)] (recur (into (disj open top) (map (fn [p] [(+ 1 cost (h p goal)) (inc cost) p])) ns) (into g (map #(vector % (inc cost))) ns) (into came (map #(vector % cur)) ns)))) nil)))
(astar [0 0] [2 0] 4)
;;;; bellman ford
(defn relax [dist [u v w]] (let [d (+ (dist u) w)] (if (< d (dist v)) (assoc dist v d) dist)))
(defn bellman [nodes edges s] (let [init (assoc (zipmap nodes (repeat ##Inf)) s 0) dist (nth (iterate #(reduce relax % edges) init) (dec (count nodes)))] (if (= dist (reduce relax dist edges)) (into (sorted-map) dist) :negative-cycle)))
[(bellman [:a :b :c :d] [[:a :b 4] [:a :c 5] [:c :b -3] [:b :d 2]] :a) (bellman [:a :b] [[:a :b -1] [:b :a -1]] :a) (bellman [:a :b :z] [[:a :b 2]] :a)]
;;;; prim
(defn prim [edges start] (loop [seen #{start} mst []] (let [cands (for [[a b w] edges :let [in (filter seen [a b])] :when (= 1 (count in))] [w a b])] (if (empty? cands) mst (let [[w a b :as e] (first (sort cands))] (recur (conj seen a b) (conj mst e)))))))
(prim [[:a :b 2] [:b :c 3] [:a :c 1] [:c :d 4]] :a)
;;;; cycle detection and scc
(defn has-cycle? [g] (letfn [(visit [path n] (cond (some #{n} path) true :else (some #(visit (conj path n) %) (g n))))] (boolean (some #(visit [] %) (keys g)))))
(defn reach [g n] (loop [s #{} [x & xs] [n]] (cond (nil? x) s (s x) (recur s xs) :else (recur (conj s x) (concat xs (g x))))))
(defn sccs [g] (let [r (into {} (map (fn [n] [n (reach g n)])) (keys g))] (set (map (fn [n] (set (filter #(and ((r n) %) ((r %) n)) (keys g)))) (keys g)))))
[(map has-cycle? [{:a [:b] :b [:a]} {:a [:b] :b []}]) (sccs {:a [:b] :b [:c] :c [:a] :d [:c]})]
;;;; bipartite coloring
(defn color [g] (reduce (fn [cs n] (let [used (set (keep cs (g n)))] (assoc cs n (first (remove used (range)))))) {} (sort (keys g))))
(color {:a [:b :c] :b [:a :c] :c [:a :b :d] :d [:c]})
;;;; matrix det inverse
(let [[[a b] [c d]] [[4 7] [2 6]] det (- (* a d) (* b c))] [det (mapv (fn [r] (mapv #(/ % (double det)) r)) [[d (- b)] [(- c) a]])])
;;;; gauss
(defn solve [m] (let [n (count m)] (loop [m (mapv #(mapv double %) m) i 0] (if (= i n) (mapv peek m) (let [p (first (filter #(not (zero? (get-in m [% i]))) (range i n))) m (assoc m i (m p) p (m i)) row (mapv #(/ % (get-in m [i i])) (m i))] (recur (vec (map-indexed (fn [j r] (if (= i j) row (mapv - r (map #(* % (r i)) row)))) m)) (inc i)))))))
(solve [[2 1 -1 8] [-3 -1 2 -11] [-2 1 2 -3]])
;;;; nim grundy
(def grundy (memoize (fn [n] (let [opts (set (map #(grundy (- n %)) (filter #(<= % n) [1 3 4])))] (first (remove opts (range)))))))
(map grundy (range 12))
;;;; catalan partitions
(def catalan (memoize (fn [n] (if (zero? n) 1 (reduce + (for [i (range n)] (* (catalan i) (catalan (- n i 1)))))))))
(defn partitions [n m] (cond (zero? n) [[]] (or (neg? n) (zero? m)) [] :else (concat (map #(cons m %) (partitions (- n m) m)) (partitions n (dec m)))))
[(map catalan (range 10)) (partitions 4 4) (count (partitions 10 10))]
;;;; gray code
(defn gray [n] (if (zero? n) [""] (let [g (gray (dec n))] (concat (map #(str "0" %) g) (map #(str "1" %) (reverse g))))))
[(gray 3) (map #(Integer/toBinaryString (bit-xor % (bit-shift-right % 1))) (range 4))]
