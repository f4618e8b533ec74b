;;;;
;;; destructuring everywhere
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
;;;;
;;; for with everything
(for [x (range 1 6)
      :let [sq (* x x)]
      :when (odd? x)
      y [:a :b]
      :while (< sq 20)
      :let [label (str (name y) sq)]]
  [x y label])
;;;;
;;; doseq with modifiers, dotimes, while via loop
(doseq [i (range 5) :when (even? i) j "xy" :let [s (str i j)] :while (not= s "4y")]
  (println s))
(dotimes [n 3] (print n ""))
(println)
(doseq [[k v] (sort {:b 2 :a 1})] (println k "=>" v))
(doseq [{:keys [id tags]} [{:id 1 :tags [:x]} {:id 2}] t tags] (prn id t))
(run! (fn [x] (print (* x x) " ")) [1 2 3])
(println "done")
;;;;
;;; reduce with reduced, transduce early stop
(defn find-first [p xs] (reduce (fn [_ x] (when (p x) (reduced x))) nil xs))
[(find-first #(> % 3) [1 2 5 9]) (find-first neg? [1 2])
 (reduce (fn [acc x] (if (>= (count acc) 3) (reduced acc) (conj acc x))) [] (range 100))
 (reduce-kv (fn [_ k v] (if (= v 2) (reduced k) :none)) nil {:a 1 :b 2 :c 3})
 (reduce (fn [a b] (if (> b 3) (reduced (str "stop " a)) (+ a b))) [1 2 3 4 5])
 (reduce + (take-while #(< % 10) (iterate #(* 2 %) 1)))
 (let [r (reduced 5)] [(reduced? r) (unreduced r) (unreduced 6)])
 (reduce max [3 9 2]) (reduce min 0 [3 -1]) (reduce + []) (reduce * []) (reduce conj #{} [1 1 2])
 (reductions (fn [a x] (if (> a 5) (reduced :big) (+ a x))) 0 [1 2 3 4 5])]
;;;;
;;; threading in odd shapes
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
;;;;
;;; closures and higher order
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
;;;;
;;; letfn mutual recursion and multi arity
(defn sum-to ([n] (sum-to n 0)) ([n acc] (if (zero? n) acc (recur (dec n) (+ acc n)))))
(defn variadic ([] [:zero]) ([a] [:one a]) ([a b & more] [:many a b more]))
(letfn [(ev? [n] (if (zero? n) true (od? (dec n))))
        (od? [n] (if (zero? n) false (ev? (dec n))))]
  [(ev? 10) (od? 7) (filter ev? (range 6)) (sum-to 1000) (variadic) (variadic 1) (variadic 1 2) (variadic 1 2 3 4)
   ((fn loop-it [xs] (when (seq xs) (cons (first xs) (loop-it (nnext xs))))) [1 2 3 4 5])])
;;;;
;;; sorting in every way
(def people [{:n "Bob" :a 30 :c "x"} {:n "alice" :a 25 :c "y"} {:n "Carl" :a 30 :c "a"} {:n "Dee" :a nil :c "b"}])
[(map :n (sort-by :a people)) (map :n (sort-by (juxt :a :n) (remove (comp nil? :a) people)))
 (map :n (sort-by (comp clojure.string/lower-case :n) people))
 (map :n (sort-by :a (fn [x y] (compare y x)) people))
 (map :n (sort #(compare (:c %1) (:c %2)) people))
 (sort > [3 1 2]) (sort [3 1.5 2]) (sort ["b" "B" "a"]) (sort [:b :a]) (sort [[2 1] [1 2] [1]]) (sort-by count ["ccc" "a" "bb"])
 (sort-by val (frequencies "mississippi")) (sort-by (fn [[k v]] [(- v) k]) (frequencies "mississippi"))
 (reverse (sort [1 3 2])) (sort compare [2 1]) (sort (comp - compare) [1 2 3]) (sort-by identity > [1 3 2])
 (sort-by (juxt (comp - :a) :n) (filter :a people)) (into (sorted-map) {:b 1 :a 2}) (into (sorted-set) [3 1 2])
 (first (sort-by :a > (filter :a people))) (sort [nil 1]) (sort [true false true]) (sort []) (sort nil) (sort {:b 1 :a 2}) (sort "hello")]
;;;;
;;; set algebra
(require '[clojure.set :as set])
(let [a #{1 2 3 4} b #{3 4 5}]
  [(set/union a b) (set/intersection a b) (set/difference a b) (set/subset? #{1} a) (set/superset? a #{1 2})
   (set/union) (set/union a) (set/difference a b #{1}) (set/select odd? a) (set/map-invert {:a 1 :b 2})
   (set/rename-keys {:a 1 :b 2} {:a :x :c :y}) (sort (disj a 1 9)) (conj a 1 7) (contains? a 2) (a 2) (a 9) (get a 3 :no) (some a [9 4])
   (filter a [1 9 2]) (into #{} "aab") (set [1 1 2]) (= #{1 2} #{2 1}) (disj #{1} 1) (empty? #{}) (count #{1 2}) (map inc (sorted-set 2 1)) (set (map :x [{:x 1} {:x 1}]))
   (group-by #(contains? b %) (sort a)) (remove a (range 6)) (every? a [1 2]) (not-any? a [7 8]) (apply set/union [#{1} #{2} #{3}])
   (set/project #{{:a 1 :b 2} {:a 1 :b 3}} [:a]) (set/index #{{:k 1 :v 2}} [:k])])
;;;;
;;; number formatting again
[(str 1.0) (str 100.0) (str 1e7) (str 1.5e-5) (str 123456789.0) (str 0.1) (str -0.0) (str (* 1.0 100)) (str 1e100) (str 12345.678) (str 9999999.0) (str 0.00123) (str 1e-3) (str 3.0e10)
 (+ 0.1 0.2) (* 1.1 1.1) (- 0.3 0.1) (/ 10 4.0) (/ 9 3) (double 1) (float 2.5) (int 3.9) (long -3.9) (quot 17 5) (rem -17 5) (mod -17 5) (Math/round 2.5) (Math/round -2.5) (Math/round 2.4) (Math/floor 2.7) (Math/ceil 2.1) (Math/sqrt 16) (Math/pow 2 10) (Math/abs -5) (Math/max 1 2) (Math/abs -2.5)
 (max 1 2.0) (min 1.0 1) (inc 1.5) (dec 0) (+ 1 2.0) (* 2 0.5) (== 1 1.0) (= 1 1.0) (< 1 2 3) (> 3 2 2) (zero? 0.0) (pos? -1) (even? 0) (bit-and 12 10) (bit-or 12 3) (bit-xor 5 1) (bit-shift-left 1 10) (bit-shift-right 1024 3) (abs -7)]
;;;;
;;; numbers third
[(+ 0.1 0.2) (* 1.1 1.1) (/ 10 4.0) (/ 9 3) (double 1) (float 2.5) (int 3.9) (long -3.9) (quot 17 5) (rem -17 5) (mod -17 5) (Math/round 2.5) (Math/round -2.5) (Math/floor 2.7) (Math/pow 2 10)
 (max 1 2.0) (min 1.0 1) (inc 1.5) (+ 1 2.0) (== 1 1.0) (< 1 2 3) (bit-and 12 10) (bit-xor 5 1) (bit-shift-left 1 10) (reduce + (map #(/ % 2.0) (range 5))) (apply max [3 1 2]) (/ 1.0 0) (/ -1.0 0) (Math/sqrt -1) (* 1.0 1e308 10) Double/MAX_VALUE Long/MAX_VALUE Integer/MAX_VALUE
 (/ (reduce + [1 2 3 4]) 4.0) (Math/log 1) (Math/exp 0) (Math/log10 1000) (Math/cbrt 27) (Math/signum -2.0) (Math/hypot 3 4) (quot 7.5 2) (rem 7.5 2) (mod -7.5 2) 1e3 1.5e300 0x1F 017 2r101 1N 36rZ]
;;;;
;;; partitions and windows
[(partition 2 [1 2 3 4 5]) (partition 2 1 [1 2 3]) (partition 3 3 [:pad] [1 2 3 4]) (partition-all 2 [1 2 3]) (partition-by odd? [1 1 2 3 3]) (split-at 2 [1 2 3]) (split-with pos? [1 2 -1 3])
 (take-nth 2 (range 7)) (interleave [1 2] [:a :b]) (interpose :x [1 2 3]) (take-last 2 [1 2 3]) (drop-last [1 2 3]) (drop-last 2 [1 2 3]) (butlast [1]) (group-by even? (range 5)) (mapcat reverse [[1 2] [3]]) (flatten [1 [2 [3 nil]] '(4)]) (dedupe [1 1 2 1]) (distinct [1 2 1]) (zipmap [:a :b] [1 2]) (map vector [1 2] [3 4]) (keep #(when (odd? %) (* % %)) (range 5)) (keep-indexed #(when (odd? %1) %2) [:a :b :c]) (map-indexed vector [:a]) (rest []) (next [1]) (cons 0 [1]) (conj '(1) 0) (conj [1] 2) (into '() [1 2 3]) (concat [1] nil '(2))]
;;;;
;;; partitions second
[(partition 2 [1 2 3 4 5]) (partition 3 3 [:pad] [1 2 3 4]) (partition-all 2 [1 2 3]) (partition-all 2 1 [1 2 3]) (partition-by odd? [1 1 2 3 3]) (split-with pos? [1 2 -1 3]) (take-nth 2 (range 7))
 (take 5 (cycle [1 2])) (take 3 (repeat :x)) (repeat 2 :y) (take 3 (repeatedly (constantly 1))) (take 4 (iterate #(* 2 %) 1)) (drop 2 (range 5)) (nthrest [1 2 3] 2) (nthnext [1 2] 5) (last []) (first {}) (ffirst [[1]]) (second [1]) (nth [1 2] 1) (nth [1] 5 :none) (peek [1 2]) (pop [1 2]) (peek '(1 2)) (pop '(1 2)) (subvec [1 2 3 4] 1 3) (rseq [1 2 3]) (vec '(1 2)) (list* 1 2 [3 4]) (replace {1 :one} [1 2]) (reverse [1 2]) (empty [1]) (not-empty []) (seq []) (every? even? []) (some even? []) (apply + 1 2 [3 4])]
;;;;
;;; walks
(require '[clojure.walk :as w])
(let [d {:a [1 {:b 2}] :c #{3} "d" '(4 5)}]
  [(w/postwalk #(if (number? %) (inc %) %) d) (w/prewalk #(if (number? %) (- %) %) d) (w/keywordize-keys {"a" {"b" 1} 1 2}) (w/stringify-keys {:a {:b 1}})
   (w/postwalk-replace {1 :one :a :alpha} d) (w/prewalk-replace {[1 2] :pair} [[1 2] 3]) (w/walk inc #(apply + %) [1 2 3]) (w/walk first reverse [[1 2] [3 4]])
   (w/postwalk (fn [x] (if (map? x) (into {} (remove (comp nil? val) x)) x)) {:a nil :b {:c nil :d 1}})
   (let [n (w/postwalk #(if (vector? %) (vec (reverse %)) %) [1 [2 3]])] n)])
;;;;
;;; queue simulation with loop
(defn simulate [jobs workers]
  (loop [t 0 queue (vec jobs) running [] done []]
    (let [[finished still] ((juxt filter remove) #(<= (:end %) t) running)
          free (- workers (count still))
          starting (map #(assoc % :end (+ t (:len %))) (take free queue))
          queue (vec (drop free queue))
          running (into (vec still) starting)
          done (into done (map #(vector (:id %) (:end %)) finished))]
      (if (and (empty? queue) (empty? running))
        {:time t :done done}
        (recur (inc t) queue running done)))))
(simulate [{:id :a :len 3} {:id :b :len 1} {:id :c :len 2} {:id :d :len 2}] 2)
;;;;
;;; json-like printing
(defn to-json [x]
  (cond (nil? x) "null"
        (string? x) (str \" (clojure.string/escape x {\" "\\\"" \\ "\\\\" \newline "\\n"}) \")
        (keyword? x) (to-json (name x))
        (map? x) (str "{" (clojure.string/join "," (for [[k v] x] (str (to-json k) ":" (to-json v)))) "}")
        (coll? x) (str "[" (clojure.string/join "," (map to-json x)) "]")
        :else (str x)))
(println (to-json {:a 1 "b" [true nil 2.5 "q\"uote\n"] :c {:d '(1 2)}}))
(to-json [{:x #{1}} [] {}])
;;;;
;;; tokenizer and calculator
(defn tokenize [s] (map #(cond (re-matches #"\d+(\.\d+)?" %) (parse-double %) :else (keyword %)) (re-seq #"\d+(?:\.\d+)?|[-+*/()]" s)))
(def prec {:+ 1 :- 1 :* 2 :/ 2})
(defn to-rpn [tokens]
  (loop [[t & more :as ts] tokens out [] ops ()]
    (cond
      (empty? ts) (into out ops)
      (number? t) (recur more (conj out t) ops)
      (= t (keyword "(")) (recur more out (conj ops t))
      (= t (keyword ")")) (let [[a b] (split-with #(not= % (keyword "(")) ops)] (recur more (into out a) (rest b)))
      :else (let [[a b] (split-with #(and (prec %) (>= (prec %) (prec t))) ops)] (recur more (into out a) (conj b t))))))
(defn calc [s]
  (first (reduce (fn [st t] (if (number? t) (conj st t)
                              (let [[b a & r] st] (conj r (({:+ + :- - :* * :/ /} t) a b)))))
                 () (to-rpn (tokenize s)))))
(map calc ["1 + 2 * 3" "(1 + 2) * 3" "10 / 4 - 1" "2 * (3 + 4) * 5"])
;;;;
;;; roman numerals and base conversion
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn roman [n] (loop [n n out ""] (if (zero? n) out (let [[v s] (first (filter #(<= (first %) n) numerals))] (recur (- n v) (str out s))))))
(defn unroman [s] (let [vs (map {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000} s)] (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vs (concat (rest vs) [nil])))))
(defn to-base [n b] (if (< n b) (str n) (str (to-base (quot n b) b) (rem n b))))
[(map roman [1 4 9 14 40 90 400 1994 2024]) (map unroman ["IV" "MCMXCIV"]) (to-base 10 2) (Integer/toString 255 16) (Long/toBinaryString 5) (Integer/parseInt "1010" 2) (Long/parseLong "ff" 16) (reduce #(+ (* 2 %1) %2) (map #(Character/digit % 2) "1011"))]
;;;;
;;; histogram with strings
(let [data [3 1 4 1 5 9 2 6 5 3 5]
      freq (into (sorted-map) (frequencies data))]
  (doseq [[k n] freq] (println (format "%2d | %-6s| %d" k (apply str (repeat n "*")) n)))
  {:mode (key (apply max-key val freq)) :median (nth (sort data) (quot (count data) 2)) :range (- (apply max data) (apply min data))
   :stddev (let [m (/ (reduce + data) (double (count data)))] (format "%.4f" (Math/sqrt (/ (reduce + (map #(Math/pow (- % m) 2) data)) (count data)))))
   :keys (keys freq) :bucket (group-by #(quot % 3) data) :first-dup (reduce (fn [seen x] (if (seen x) (reduced x) (conj seen x))) #{} data)})
;;;;
;;; case with many kinds
(defn c [x] (case x 1 :int "a" :str :k :kw \c :char nil :nil [1 2] :vec {:a 1} :map #{1} :set (2 3) :two-three true :true 1.5 :dbl :default))
(map c [1 "a" :k \c nil [1 2] {:a 1} #{1} 2 3 true 1.5 1.0 'x false])
;;;;
;;; case without symbol
(defn c [x] (case x 1 :int "a" :str :k :kw nil :nil [1 2] :vec {:a 1} :map #{1} :set (2 3) :two-three true :true 1.5 :dbl ("x" "y") :xy :default))
(map c [1 "a" :k nil [1 2] {:a 1} #{1} 2 3 true 1.5 1.0 false "x" "y" "z" [1 2 3] '(1 2)])
;;;;
;;; when-let, if-let, if-some, when-first chains
(defn f [m] (if-let [x (:x m)] [:x x] (if-some [y (:y m)] [:y y] (when-let [[a b] (:ab m)] (when-first [z (:zs m)] [a b z])))))
[(map f [{:x 1} {:x nil :y false} {:ab [1 2] :zs [9]} {:ab [1 2] :zs []} {}])
 (when-some [x nil] 1) (when-some [x false] [x]) (if-not nil :a :b) (when-not true 1) (when (seq []) 1) (and) (or) (and 1 nil 2) (or nil false 3) (or nil false) (and 1 2)
 (if-let [{:keys [a]} {:a 1}] a :none) (when-let [s (seq [1 2])] (first s)) (not nil) (boolean 0) (if () :t :f) (if 0 :t :f) (if "" :t :f)]
;;;;
;;; maps: everything
[(assoc {:a 1} :b 2 :c 3) (dissoc {:a 1 :b 2} :a :z) (merge {:a 1} nil {:b 2} {:a 3}) (merge-with + {:a 1} {:a 2 :b 3} {:b 4}) (merge-with into {:a [1]} {:a [2]}) (update {:a 1} :b (fnil inc 0)) (update {:a 1} :a + 10 20) (get {:a nil} :a :d) (get nil :a) (get-in {:a [{:b 1}]} [:a 0 :b]) (find {:a 1} :a) (contains? {:a nil} :a) (select-keys {:a 1 :b 2} [:a :c]) (keys {}) (vals nil) (zipmap [:a :b] (range)) (into {} [[:a 1] {:b 2}]) (into {:a 1} {:b 2}) (reduce-kv (fn [m k v] (assoc m v k)) {} {:a 1}) (map first {:a 1}) (update-vals {:a 1 :b 2} inc) (update-keys {:a 1} name) (hash-map :a 1) (array-map :z 1 :y 2) (sorted-map :b 1 :a 2) (first (sorted-map 2 :b 1 :a)) (apply hash-map [:a 1]) (seq {:a 1}) ({:a 1} :a) ({:a 1} :b :d) (:a {:a 1}) (:b {:a 1} :d) (:a nil) (count {:a 1}) (empty {:a 1}) (= {:a 1 :b 2} {:b 2 :a 1}) (conj {:a 1} [:b 2]) (conj {:a 1} {:b 2} nil) (filter (comp odd? val) {:a 1 :b 2}) (into {} (filter (comp odd? val)) {:a 1 :b 2}) (map (fn [[k v]] (str k v)) {:a 1}) (some (fn [[k v]] (when (= v 2) k)) {:a 1 :b 2}) (group-by val {:a 1 :b 1}) (assoc-in {} [:a :b] 1) (assoc nil :a 1) (assoc [1 2] 1 :x) (update [1 2] 0 inc) (update-in {:a {:b 1}} [:a :b] * 5) (dissoc nil :a) (max-key :v {:v 1} {:v 3})]
