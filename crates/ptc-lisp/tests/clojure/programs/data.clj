;;;; recursive tree sums
(def tree {:name "root" :size 1
           :children [{:name "a" :size 2 :children []}
                      {:name "b" :size 3
                       :children [{:name "c" :size 4} {:name "d" :size 5 :children nil}]}]})
(defn total [{:keys [size children] :or {size 0}}]
  (apply + size (map total children)))
(defn paths
  ([node] (paths [] node))
  ([prefix {:keys [name children]}]
   (let [here (conj prefix name)]
     (cons (clojure.string/join "/" here) (mapcat (partial paths here) children)))))
(defn depth [{:keys [children]}] (inc (reduce max 0 (map depth children))))
[(total tree) (paths tree) (depth tree)
 (map :name (tree-seq (comp seq :children) :children tree))
 (clojure.walk/postwalk (fn [x] (if (and (map? x) (:size x)) (update x :size * 10) x)) tree)]
;=> [15 ("root" "root/a" "root/b" "root/b/c" "root/b/d") 3 ("root" "a" "b" "c" "d") {:name "root", :size 10, :children [{:name "a", :size 20, :children []} {:name "b", :size 30, :children [{:name "c", :size 40} {:name "d", :size 50, :children nil}]}]}]
;;;; nested updates
(def config {:db {:host "localhost" :ports [5432 5433]} :features #{:a} :limits {:max 10}})
[(update-in config [:db :ports] conj 5434)
 (update-in config [:db :ports 0] inc)
 (assoc-in config [:db :pool :size] 5)
 (update config :features conj :b :c)
 (update-in config [:limits :max] + 5 10)
 (get-in config [:db :ports 1])
 (get-in config [:db :missing :deep] :default)
 (reduce (fn [c [path v]] (assoc-in c path v)) config {[:db :host] "db" [:limits :min] 1})
 (update config :limits dissoc :max)
 (merge-with (fn [a b] (if (map? a) (merge a b) b)) config {:db {:host "x"} :limits {:min 0}})
 (select-keys config [:db :nope])
 (update-in {} [:a :b] (fnil conj []) 1)]
;=> [{:db {:host "localhost", :ports [5432 5433 5434]}, :features #{:a}, :limits {:max 10}} {:db {:host "localhost", :ports [5433 5433]}, :features #{:a}, :limits {:max 10}} {:db {:host "localhost", :ports [5432 5433], :pool {:size 5}}, :features #{:a}, :limits {:max 10}} {:db {:host "localhost", :ports [5432 5433]}, :features #{:a :b :c}, :limits {:max 10}} {:db {:host "localhost", :ports [5432 5433]}, :features #{:a}, :limits {:max 25}} 5433 :default {:db {:host "db", :ports [5432 5433]}, :features #{:a}, :limits {:max 10, :min 1}} {:db {:host "localhost", :ports [5432 5433]}, :features #{:a}, :limits {}} {:db {:host "x", :ports [5432 5433]}, :features #{:a}, :limits {:max 10, :min 0}} {:db {:host "localhost", :ports [5432 5433]}} {:a {:b [1]}}]
;;;; deep merge
(defn deep-merge [& maps]
  (letfn [(m [a b] (if (and (map? a) (map? b)) (merge-with m a b) b))]
    (reduce m {} maps)))
(deep-merge {:a {:b 1 :c {:d 2}} :x [1]} {:a {:c {:e 3}} :x [2]} nil {:a {:b nil}})
;=> {:a {:b nil}}
;;;; flatten map to paths and back
(defn flatten-map
  ([m] (flatten-map [] m))
  ([prefix m]
   (reduce-kv (fn [acc k v]
                (let [path (conj prefix k)]
                  (if (and (map? v) (seq v)) (merge acc (flatten-map path v)) (assoc acc path v))))
              {} m)))
(defn unflatten [m] (reduce-kv assoc-in {} m))
(let [m {:a {:b 1 :c {:d [1 2]}} :e {} :f nil} flat (flatten-map m)]
  [flat (= m (unflatten flat)) (into {} (map (fn [[k v]] [(clojure.string/join "." (map name k)) v]) flat))])
;=> [{[:a :b] 1, [:a :c :d] [1 2], [:e] {}, [:f] nil} true {"a.b" 1, "a.c.d" [1 2], "e" {}, "f" nil}]
;;;; sorting in every way
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
;=> [("Dee" "alice" "Bob" "Carl") ("alice" "Bob" "Carl") ("alice" "Bob" "Carl" "Dee") ("Bob" "Carl" "alice" "Dee") ("Carl" "Dee" "Bob" "alice") (3 2 1) (1.5 2 3) ("B" "a" "b") (:a :b) ([1] [1 2] [2 1]) ("a" "bb" "ccc") (["m" 1] ["p" 2] ["i" 4] ["s" 4]) (["i" 4] ["s" 4] ["p" 2] ["m" 1]) (3 2 1) (1 2) (3 2 1) (3 2 1) ({:n "Bob", :a 30, :c "x"} {:n "Carl", :a 30, :c "a"} {:n "alice", :a 25, :c "y"}) {:a 2, :b 1} #{1 2 3} {:n "Bob", :a 30, :c "x"} (nil 1) (false true true) () () ([:a 2] [:b 1]) ("e" "h" "l" "l" "o")]
;;;; set algebra
(require '[clojure.set :as set])
(let [a #{1 2 3 4} b #{3 4 5}]
  [(set/union a b) (set/intersection a b) (set/difference a b) (set/subset? #{1} a) (set/superset? a #{1 2})
   (set/union) (set/union a) (set/difference a b #{1}) (set/select odd? a) (set/map-invert {:a 1 :b 2})
   (set/rename-keys {:a 1 :b 2} {:a :x :c :y}) (sort (disj a 1 9)) (conj a 1 7) (contains? a 2) (a 2) (a 9) (get a 3 :no) (some a [9 4])
   (filter a [1 9 2]) (into #{} "aab") (set [1 1 2]) (= #{1 2} #{2 1}) (disj #{1} 1) (empty? #{}) (count #{1 2}) (map inc (sorted-set 2 1)) (set (map :x [{:x 1} {:x 1}]))
   (group-by #(contains? b %) (sort a)) (remove a (range 6)) (every? a [1 2]) (not-any? a [7 8]) (apply set/union [#{1} #{2} #{3}])
   (set/project #{{:a 1 :b 2} {:a 1 :b 3}} [:a]) (set/index #{{:k 1 :v 2}} [:k])])
;=> [#{1 2 3 4 5} #{3 4} #{1 2} true true #{} #{1 2 3 4} #{2} #{1 3} {1 :a, 2 :b} {:b 2, :x 1} (2 3 4) #{1 2 3 4 7} true 2 nil 3 4 (1 2) #{"a" "b"} #{1 2} true #{} true 2 (2 3) #{1} {false [1 2], true [3 4]} (0 5) true true #{1 2 3} #{{:a 1}} {{:k 1} #{{:k 1, :v 2}}}]
;;;; partitions and windows
[(partition 2 [1 2 3 4 5]) (partition 2 1 [1 2 3]) (partition 3 3 [:pad] [1 2 3 4]) (partition-all 2 [1 2 3]) (partition-by odd? [1 1 2 3 3]) (split-at 2 [1 2 3]) (split-with pos? [1 2 -1 3])
 (take-nth 2 (range 7)) (interleave [1 2] [:a :b]) (interpose :x [1 2 3]) (take-last 2 [1 2 3]) (drop-last [1 2 3]) (drop-last 2 [1 2 3]) (butlast [1]) (group-by even? (range 5)) (mapcat reverse [[1 2] [3]]) (flatten [1 [2 [3 nil]] '(4)]) (dedupe [1 1 2 1]) (distinct [1 2 1]) (zipmap [:a :b] [1 2]) (map vector [1 2] [3 4]) (keep #(when (odd? %) (* % %)) (range 5)) (keep-indexed #(when (odd? %1) %2) [:a :b :c]) (map-indexed vector [:a]) (rest []) (next [1]) (cons 0 [1]) (conj '(1) 0) (conj [1] 2) (into '() [1 2 3]) (concat [1] nil '(2))]
;=> [((1 2) (3 4)) ((1 2) (2 3)) ((1 2 3) (4 :pad)) ((1 2) (3)) ((1 1) (2) (3 3)) [(1 2) (3)] [(1 2) (-1 3)] (0 2 4 6) (1 :a 2 :b) (1 :x 2 :x 3) (2 3) (1 2) (1) nil {true [0 2 4], false [1 3]} (2 1 3) (1 2 3 nil 4) (1 2 1) (1 2) {:a 1, :b 2} ([1 3] [2 4]) (1 9) (:b) ([0 :a]) () nil (0 1) (0 1) [1 2] (3 2 1) (1 2)]
;;;; partitions second
[(partition 2 [1 2 3 4 5]) (partition 3 3 [:pad] [1 2 3 4]) (partition-all 2 [1 2 3]) (partition-all 2 1 [1 2 3]) (partition-by odd? [1 1 2 3 3]) (split-with pos? [1 2 -1 3]) (take-nth 2 (range 7))
 (take 5 (cycle [1 2])) (take 3 (repeat :x)) (repeat 2 :y) (take 3 (repeatedly (constantly 1))) (take 4 (iterate #(* 2 %) 1)) (drop 2 (range 5)) (nthrest [1 2 3] 2) (nthnext [1 2] 5) (last []) (first {}) (ffirst [[1]]) (second [1]) (nth [1 2] 1) (nth [1] 5 :none) (peek [1 2]) (pop [1 2]) (peek '(1 2)) (pop '(1 2)) (subvec [1 2 3 4] 1 3) (rseq [1 2 3]) (vec '(1 2)) (list* 1 2 [3 4]) (replace {1 :one} [1 2]) (reverse [1 2]) (empty [1]) (not-empty []) (seq []) (every? even? []) (some even? []) (apply + 1 2 [3 4])]
;=> [((1 2) (3 4)) ((1 2 3) (4 :pad)) ((1 2) (3)) ((1 2) (2 3) (3)) ((1 1) (2) (3 3)) [(1 2) (-1 3)] (0 2 4 6) (1 2 1 2 1) (:x :x :x) (:y :y) (1 1 1) (1 2 4 8) (2 3 4) (3) nil nil nil 1 nil 2 :none 2 [1] 1 (2) [2 3] (3 2 1) [1 2] (1 2 3 4) [:one 2] (2 1) [] nil nil true nil 10]
;;;; walks
(require '[clojure.walk :as w])
(let [d {:a [1 {:b 2}] :c #{3} "d" '(4 5)}]
  [(w/postwalk #(if (number? %) (inc %) %) d) (w/prewalk #(if (number? %) (- %) %) d) (w/keywordize-keys {"a" {"b" 1} 1 2}) (w/stringify-keys {:a {:b 1}})
   (w/postwalk-replace {1 :one :a :alpha} d) (w/prewalk-replace {[1 2] :pair} [[1 2] 3]) (w/walk inc #(apply + %) [1 2 3]) (w/walk first reverse [[1 2] [3 4]])
   (w/postwalk (fn [x] (if (map? x) (into {} (remove (comp nil? val) x)) x)) {:a nil :b {:c nil :d 1}})
   (let [n (w/postwalk #(if (vector? %) (vec (reverse %)) %) [1 [2 3]])] n)])
;=> [{:a [2 {:b 3}], :c #{4}, "d" (5 6)} {:a [-1 {:b -2}], :c #{-3}, "d" (-4 -5)} {:a {:b 1}, 1 2} {"a" {"b" 1}} {:alpha [:one {:b 2}], :c #{3}, "d" (4 5)} [:pair 3] 9 (3 1) {:b {:d 1}} [[3 2] 1]]
;;;; maps: everything
[(assoc {:a 1} :b 2 :c 3) (dissoc {:a 1 :b 2} :a :z) (merge {:a 1} nil {:b 2} {:a 3}) (merge-with + {:a 1} {:a 2 :b 3} {:b 4}) (merge-with into {:a [1]} {:a [2]}) (update {:a 1} :b (fnil inc 0)) (update {:a 1} :a + 10 20) (get {:a nil} :a :d) (get nil :a) (get-in {:a [{:b 1}]} [:a 0 :b]) (find {:a 1} :a) (contains? {:a nil} :a) (select-keys {:a 1 :b 2} [:a :c]) (keys {}) (vals nil) (zipmap [:a :b] (range)) (into {} [[:a 1] {:b 2}]) (into {:a 1} {:b 2}) (reduce-kv (fn [m k v] (assoc m v k)) {} {:a 1}) (map first {:a 1}) (update-vals {:a 1 :b 2} inc) (update-keys {:a 1} name) (hash-map :a 1) (array-map :z 1 :y 2) (sorted-map :b 1 :a 2) (first (sorted-map 2 :b 1 :a)) (apply hash-map [:a 1]) (seq {:a 1}) ({:a 1} :a) ({:a 1} :b :d) (:a {:a 1}) (:b {:a 1} :d) (:a nil) (count {:a 1}) (empty {:a 1}) (= {:a 1 :b 2} {:b 2 :a 1}) (conj {:a 1} [:b 2]) (conj {:a 1} {:b 2} nil) (filter (comp odd? val) {:a 1 :b 2}) (into {} (filter (comp odd? val)) {:a 1 :b 2}) (map (fn [[k v]] (str k v)) {:a 1}) (some (fn [[k v]] (when (= v 2) k)) {:a 1 :b 2}) (group-by val {:a 1 :b 1}) (assoc-in {} [:a :b] 1) (assoc nil :a 1) (assoc [1 2] 1 :x) (update [1 2] 0 inc) (update-in {:a {:b 1}} [:a :b] * 5) (dissoc nil :a) (max-key :v {:v 1} {:v 3})]
;=> [{:a 1, :b 2, :c 3} {:b 2} {:a 3, :b 2} {:a 3, :b 7} {:a [1 2]} {:a 1, :b 1} {:a 31} nil nil 1 [:a 1] true {:a 1} nil nil {:a 0, :b 1} {:a 1, :b 2} {:a 1, :b 2} {1 :a} (:a) {:a 2, :b 3} {"a" 1} {:a 1} {:z 1, :y 2} {:a 2, :b 1} [1 :a] {:a 1} ([:a 1]) 1 :d 1 :d nil 1 {} true {:a 1, :b 2} {:a 1, :b 2} ([:a 1]) {:a 1} (":a1") :b {1 [[:a 1] [:b 1]]} {:a {:b 1}} {:a 1} [1 :x] [2 2] {:a {:b 5}} nil {:v 3}]
;;;; diffing two maps
(defn diff-maps [a b]
  (let [ks (into (sorted-set) (concat (keys a) (keys b)))]
    (reduce (fn [acc k]
              (let [in-a (contains? a k) in-b (contains? b k) va (get a k) vb (get b k)]
                (cond
                  (not in-a) (assoc-in acc [:added k] vb)
                  (not in-b) (assoc-in acc [:removed k] va)
                  (and (map? va) (map? vb)) (let [d (diff-maps va vb)] (if (empty? d) acc (assoc-in acc [:nested k] d)))
                  (not= va vb) (assoc-in acc [:changed k] [va vb])
                  :else acc)))
            {} ks)))
(diff-maps {:a 1 :b {:x 1 :y 2} :c [1 2] :d nil} {:a 1 :b {:x 1 :y 3} :c '(1 2) :e false})
;=> {:nested {:b {:changed {:y [2 3]}}}, :removed {:d nil}, :added {:e false}}
;;;; nested anonymous functions and shadowing
(let [x 1 f (fn [x] (let [x (* x 2)] (fn [y] (+ x y))))
      map-fn (fn [map] (get map :a)) count 5 name "n" str-fn str]
  [((f 3) 4) (map-fn {:a 1}) count name (str-fn 1) (let [x x y x] [x y]) ((fn [first] first) 9)
   (let [[x x2] [x (inc x)]] [x x2]) (loop [x x n 0] (if (> x 100) n (recur (* x 3) (inc n)))) (for [x [x 2]] x)
   (reduce (fn [acc x] (let [acc (conj acc x)] acc)) [] [1 2]) (map (fn [{:keys [x] :or {x 7}}] x) [{:x 1} {}]) ((fn [{x :y}] x) {:y 3})])
;=> [10 1 5 "n" "1" [1 1] 9 [1 2] 5 (1 2) [1 2] (1 7) 3]
;;;; key=value
(def config "host = localhost\nport=8080\n# comment\ndebug = true\nratio=0.75\n\nname = My App ")
(defn coerce [v]
  (cond (re-matches #"-?\d+" v) (Long/parseLong v)
        (re-matches #"-?\d+\.\d+" v) (Double/parseDouble v)
        (#{"true" "false"} v) (= v "true")
        :else v))
(->> (clojure.string/split-lines config)
     (map clojure.string/trim)
     (remove #(or (empty? %) (.startsWith % "#")))
     (map #(clojure.string/split % #"\s*=\s*" 2))
     (map (fn [[k v]] [(keyword k) (coerce v)]))
     (into (sorted-map)))
;=> {:debug true, :host "localhost", :name "My App", :port 8080, :ratio 0.75}
;;;; tree-seq
(def tree {:name "root" :size 0 :children [{:name "usr" :size 10 :children [{:name "bin" :size 40} {:name "lib" :size 100}]} {:name "etc" :size 5}]})
(defn total [{:keys [size children]}] (apply + size (map total children)))
(defn depth [n] (inc (apply max 0 (map depth (:children n)))))
(defn paths [prefix {:keys [name children]}]
  (let [p (str prefix "/" name)] (cons p (mapcat (partial paths p) children))))
(defn show [n indent] (str (apply str (repeat indent " ")) (:name n) "\n" (apply str (map #(show % (+ 2 indent)) (:children n)))))
(let [nodes (tree-seq :children :children tree)]
  {:names (map :name nodes) :total (total tree) :leaves (->> nodes (remove :children) (map :name)) :depth (depth tree) :paths (paths "" tree) :big (some #(when (> (:size %) 30) (:name %)) nodes) :shown (show tree 0)})
;=> {:names ("root" "usr" "bin" "lib" "etc"), :total 155, :leaves ("bin" "lib" "etc"), :depth 3, :paths ("/root" "/root/usr" "/root/usr/bin" "/root/usr/lib" "/root/etc"), :big "bin", :shown "root\n  usr\n    bin\n    lib\n  etc\n"}
;;;; zipper by hand
(defn loc [tree] {:tree tree :path []})
(defn down [{:keys [tree path]}] (when (and (sequential? tree) (seq tree)) {:tree (first tree) :path (conj path {:left [] :right (vec (rest tree))})}))
(defn right [{:keys [tree path]}]
  (let [{:keys [left right]} (peek path)]
    (when (seq right)
      {:tree (first right) :path (conj (pop path) {:left (conj left tree) :right (vec (rest right))})})))
(defn up [{:keys [tree path]}] (when-let [{:keys [left right]} (peek path)] {:tree (into (conj left tree) right) :path (pop path)}))
(defn edit [z f & args] (apply update z :tree f args))
(defn root [z] (if-let [u (up z)] (recur u) (:tree z)))
(let [z (loc [1 [2 3] 4])]
  [(-> z down right down right (edit * 10) root) (-> z down right right :tree) (-> z down up :tree) (some-> z down down)])
;=> [[1 [2 30] 4] 4 [1 [2 3] 4] nil]
;;;; nested updates (2)
(def db {:users {1 {:name "A" :prefs {:theme "dark"} :tags #{:x}} 2 {:name "B"}} :meta {:version 1}})
(-> db
    (assoc-in [:users 3] {:name "C" :prefs {}})
    (update-in [:users 1 :prefs] assoc :lang "en" :size 12)
    (update-in [:users 2 :tags] (fnil conj #{}) :new)
    (update :meta (fn [m] (-> m (update :version inc) (assoc :dirty? true))))
    (update-in [:users 1] dissoc :name)
    (assoc-in [:a :b :c] 1)
    (update-in [:a :b] merge {:d 2}))
;=> {:users {1 {:prefs {:theme "dark", :lang "en", :size 12}, :tags #{:x}}, 2 {:name "B", :tags #{:new}}, 3 {:name "C", :prefs {}}}, :meta {:version 2, :dirty? true}, :a {:b {:c 1, :d 2}}}
;;;; merge-with
(def q1 {:north {:sales 100 :returns 3} :south {:sales 80}})
(def q2 {:north {:sales 120} :east {:sales 50 :returns 1}})
(defn deep-merge-with [f & ms]
  (apply (fn m [& maps] (if (every? map? maps) (apply merge-with m maps) (apply f maps))) ms))
[(merge-with merge q1 q2) (deep-merge-with + q1 q2) (merge-with into {:a [1]} {:a [2] :b [3]} {:b [4]}) (merge-with - {:a 10} {:a 3} {:a 2}) (apply merge-with concat [{:k '(1)} {:k '(2 3)}])]
;=> [{:north {:sales 120, :returns 3}, :south {:sales 80}, :east {:sales 50, :returns 1}} {:north {:sales 220, :returns 3}, :south {:sales 80}, :east {:sales 50, :returns 1}} {:a [1 2], :b [3 4]} {:a 5} {:k (1 2 3)}]
;;;; sorted map
(def m (into (sorted-map) {:c 3 :a 1 :b 2}))
[(first m) (last m) (keys m) (vals m) (assoc m :aa 0) (dissoc m :a) (reduce-kv (fn [a k v] (str a (name k) v)) "" m) (into (sorted-set) [3 1 2 3]) (first (sorted-set 5 4)) (rseq m) (into (sorted-map) (group-by count ["a" "bb" "c"])) (sorted-map "z" 1 "y" 2) (conj (sorted-set 1 3) 2) (disj (sorted-set 1 3) 1) (map key m) (merge m {:z 26}) (get m :b) (contains? m :q) (m :c) (into {} (filter (comp odd? val)) m)]
;=> [[:a 1] [:c 3] (:a :b :c) (1 2 3) {:a 1, :aa 0, :b 2, :c 3} {:b 2, :c 3} "a1b2c3" #{1 2 3} 4 ([:c 3] [:b 2] [:a 1]) {1 ["a" "c"], 2 ["bb"]} {"y" 2, "z" 1} #{1 2 3} #{3} (:a :b :c) {:a 1, :b 2, :c 3, :z 26} 2 false 3 {:a 1, :c 3}]
;;;; linked list vec
(defn rotate [n xs] (let [k (mod n (count xs))] (concat (drop k xs) (take k xs))))
(defn chunk-by-sum [limit xs] (reduce (fn [acc x] (let [cur (peek acc)] (if (<= (+ x (reduce + cur)) limit) (conj (pop acc) (conj cur x)) (conj acc [x])))) [[]] xs))
(defn insert-at [v i x] (into (conj (subvec v 0 i) x) (subvec v i)))
(defn remove-at [v i] (into (subvec v 0 i) (subvec v (inc i))))
[(rotate 2 [1 2 3 4 5]) (rotate -1 [1 2 3]) (chunk-by-sum 10 [3 4 5 6 1 9]) (insert-at [1 2 4] 2 3) (remove-at [1 2 3] 1) (vec (rseq [1 2 3])) (apply mapv vector [[1 2] [3 4]]) (nth [1 2] 5 :none) (peek [1 2]) (pop [1 2]) (subvec [1 2 3] 1) (assoc [1 2] 2 3) (update [1 2] 0 inc)]
;=> [(3 4 5 1 2) (3 1 2) [[3 4] [5] [6 1] [9]] [1 2 3 4] [1 3] [3 2 1] [[1 3] [2 4]] :none 2 [1] [2 3] [1 2 3] [2 2]]
;;;; relational
(def emps #{{:eid 1 :n "A" :d 10} {:eid 2 :n "B" :d 20} {:eid 3 :n "C" :d 10}})
[(clojure.set/select #(= 10 (:d %)) emps) (clojure.set/project emps [:d]) (clojure.set/index emps [:d]) (clojure.set/rename-keys {:a 1 :b 2} {:a :x}) (clojure.set/superset? #{1 2} #{1}) (clojure.set/union #{1} [2]) (clojure.set/difference #{1 2 3} #{2}) (clojure.set/intersection #{1 2} #{2 3}) (sort-by :eid (clojure.set/select (comp odd? :eid) emps)) (update-vals (group-by :d emps) count)]
;=> [#{{:eid 1, :n "A", :d 10} {:eid 3, :n "C", :d 10}} #{{:d 10} {:d 20}} {{:d 10} #{{:eid 1, :n "A", :d 10} {:eid 3, :n "C", :d 10}}, {:d 20} #{{:eid 2, :n "B", :d 20}}} {:b 2, :x 1} true #{1 2} #{1 3} #{2} ({:eid 1, :n "A", :d 10} {:eid 3, :n "C", :d 10}) {10 2, 20 1}]
;;;; diff
(defn diff [old new] {:added (into {} (remove (fn [[k]] (contains? old k)) new)) :removed (select-keys old (remove (set (keys new)) (keys old))) :changed (into {} (for [[k v] new :when (and (contains? old k) (not= v (old k)))] [k {:from (old k) :to v}]))})
(diff {:a 1 :b 2 :c 3} {:b 2 :c 4 :d nil})
;=> {:added {:d nil}, :removed {:a 1}, :changed {:c {:from 3, :to 4}}}
;;;; flatten map
(defn flatten-map [m & [prefix]] (into {} (mapcat (fn [[k v]] (let [p (if prefix (str prefix "." (name k)) (name k))] (if (map? v) (flatten-map v p) [[p v]]))) m)))
(defn unflatten [m] (reduce-kv (fn [acc k v] (assoc-in acc (map keyword (clojure.string/split k #"\.")) v)) {} m))
(let [f (flatten-map {:a 1 :b {:c 2 :d {:e 3}} :x {}})] [f (unflatten f)])
;=> [{"a" 1, "b.c" 2, "b.d.e" 3} {:a 1, :b {:c 2, :d {:e 3}}}]
;;;; set ops puzzles
(let [a #{1 2 3 4} b (set (range 3 7))]
  {:u (sort (clojure.set/union a b)) :i (sort (clojure.set/intersection a b)) :d (sort (clojure.set/difference a b)) :sub (clojure.set/subset? #{1} a) :in (filter a [0 1 2]) :conj (sort (conj a 9 9)) :disj (sort (disj a 1 2)) :into (sort (into a [7 8])) :jaccard (/ (count (clojure.set/intersection a b)) (double (count (clojure.set/union a b)))) :pairs (count (for [x a y b :when (< x y)] [x y])) :eq (= #{1 2} #{2 1}) :nested (contains? #{[1 2]} [1 2]) :empty? (empty? (clojure.set/intersection #{1} #{2})) :dups (let [xs [1 2 1 3 2]] (sort (keys (filter #(> (val %) 1) (frequencies xs))))) :dist (apply distinct? [1 2 1])})
;=> {:u (1 2 3 4 5 6), :i (3 4), :d (1 2), :sub true, :in (1 2), :conj (1 2 3 4 9), :disj (3 4), :into (1 2 3 4 7 8), :jaccard 0.3333333333333333, :pairs 13, :eq true, :nested true, :empty? true, :dups (1 2), :dist false}
;;;; zip / transposes
[(map vector [1 2 3] [:a :b :c] ["x" "y"]) (apply map list [[1 2] [3 4]]) (mapv + [1 2] [10 20] [100 200]) (map-indexed (fn [i x] (str i x)) [:a :b]) (zipmap [:a :b :c] (range)) (interleave [1 2] [:a :b]) (into {} (map vec (partition 2 [:a 1 :b 2]))) (apply hash-map [:a 1]) (partition 2 (interleave "ab" "cd")) (map (fn [[a b]] (+ a b)) (partition 2 1 [1 2 4 8])) (apply mapv (fn [& xs] (apply max xs)) [[1 5] [3 2]]) (reduce (fn [m [k v]] (update m k (fnil conj []) v)) {} [[:a 1] [:b 2] [:a 3]]) (map #(%1 %2) [inc dec str] [1 2 3]) ((apply juxt [:a :b]) {:a 1 :b 2})]
;=> [([1 :a "x"] [2 :b "y"]) ((1 3) (2 4)) [111 222] ("0:a" "1:b") {:a 0, :b 1, :c 2} (1 :a 2 :b) {:a 1, :b 2} {:a 1} (("a" "c") ("b" "d")) (3 6 12) [3 5] {:a [1 3], :b [2]} (2 1 "3") [1 2]]
;;;; recursion tree map
(def fs {:name "/" :children [{:name "a" :size 10} {:name "b" :children [{:name "c" :size 5} {:name "d" :size 7}]}]})
(defn size [{s :size cs :children}] (if cs (transduce (map size) + cs) s))
(defn annotate [n] (let [n (if (:children n) (update n :children #(mapv annotate %)) n)] (assoc n :total (size n))))
(defn find-path [n target] (if (= (:name n) target) [(:name n)] (some #(when-let [p (find-path % target)] (into [(:name n)] p)) (:children n))))
[(annotate fs) (find-path fs "d") (find-path fs "zzz") (map :name (filter #(and (:size %) (> (:size %) 6)) (tree-seq :children :children fs)))]
;=> [{:name "/", :children [{:name "a", :size 10, :total 10} {:name "b", :children [{:name "c", :size 5, :total 5} {:name "d", :size 7, :total 7}], :total 12}], :total 22} ["/" "b" "d"] nil ("a" "d")]
;;;; queue ops
(let [q (reduce conj clojure.lang.PersistentQueue/EMPTY (range 5)) q2 (-> q pop pop (conj :x))]
  [(vec q) (peek q2) (seq q2) (count q2) (empty? q2) (map inc (pop q)) (first q) (into [] (rest q)) (peek (pop (pop (pop (pop (pop q)))))) (= q [0 1 2 3 4]) (reduce + q) (some #{3} q) (last q) (nil? (seq (pop (conj clojure.lang.PersistentQueue/EMPTY 1))))])
;=> [[0 1 2 3 4] 2 (2 3 4 :x) 4 false (2 3 4 5) 0 [1 2 3 4] nil true 10 3 4 true]
;;;; partition idioms
[(partition-all 2 [1 2 3]) (map vec (partition 2 1 [1 2 3])) (partition 2 2 [0] [1 2 3]) (partition 3 1 (range 5)) (partition-by even? [1 3 2 4 5]) (split-with #(< % 3) [1 2 3 1]) (take-last 2 [1 2 3]) (drop-last [1 2]) (butlast [1 2 3]) (nthrest [1 2 3] 1) (nthnext [1] 1) (take-nth 2 (range 6)) (keep-indexed #(when (odd? %1) %2) [:a :b :c :d]) (map-indexed vector "ab") (distinct [1 1 2 1]) (dedupe [1 1 2 1]) (interleave [1 2] [3 4] [5 6]) (flatten [1 [2 [3 nil]] '(4)]) (mapcat reverse [[1 2] [3]]) (group-by odd? (range 5)) (reductions conj [] [1 2]) (reduce (fn [a x] (if (> a 5) (reduced a) (+ a x))) (range 100)) (some even? [1 3]) (not-empty []) (not-empty [1]) (cons 0 [1]) (conj [1] 2 3) (conj '(1) 2 3) (concat [1] nil [2])]
;=> [((1 2) (3)) ([1 2] [2 3]) ((1 2) (3 0)) ((0 1 2) (1 2 3) (2 3 4)) ((1 3) (2 4) (5)) [(1 2) (3 1)] (2 3) (1) (1 2) (2 3) nil (0 2 4) (:b :d) ([0 "a"] [1 "b"]) (1 2) (1 2 1) (1 3 5 2 4 6) (1 2 3 nil 4) (2 1 3) {false [0 2 4], true [1 3]} ([] [1] [1 2]) 6 nil nil [1] (0 1) [1 2 3] (3 2 1) (1 2)]
;;;; let over lambda with map named args
(defn process [{:keys [items discount] {:keys [city zip] :or {zip "00000"}} :address [a & more] :tags :as order}] [(count items) discount city zip a more (keys order)])
(process {:items [1 2] :discount 0.1 :address {:city "X"} :tags ["t1" "t2" "t3"]})
;=> [2 0.1 "X" "00000" "t1" ("t2" "t3") (:items :discount :address :tags)]
;;;; reduce with reduced map
(reduce (fn [{:keys [sum n] :as acc} x] (if (neg? x) (reduced (assoc acc :stopped-at x)) (assoc acc :sum (+ sum x) :n (inc n)))) {:sum 0 :n 0} [1 2 3 -1 5])
;=> {:sum 6, :n 3, :stopped-at -1}
;;;; set ordering as input
(let [s #{3 1 2}] [(sort s) (apply max s) (count s) (contains? s 1) (reduce + s) (= s #{1 2 3}) (into (sorted-set) s) (disj s 3) (set (map inc s)) (every? s [1 2]) (some s [5 3]) (map s [1 9])])
;=> [(1 2 3) 3 3 true 6 true #{1 2 3} #{1 2} #{4 2 3} true 3 (1 nil)]
;;;; genealogy
(def parent-of {"bob" ["al" "amy"] "cat" ["bob" "bea"] "dan" ["cat" "carl"] "eve" ["bob"]})
(defn ancestors-of [p] (tree-seq parent-of parent-of p))
(defn gen [p a] (loop [level [p] n 0] (cond (empty? level) nil (some #{a} level) n :else (recur (mapcat parent-of level) (inc n)))))
(defn siblings [p] (sort (for [[c ps] parent-of :when (and (not= c p) (some (set (parent-of p)) ps))] c)))
[(rest (ancestors-of "dan")) (gen "dan" "al") (gen "dan" "zed") (siblings "cat") (into (sorted-map) (apply merge-with into (for [[c ps] parent-of p ps] {p [c]})))]
;=> [("cat" "bob" "al" "amy" "bea" "carl") 3 nil ("eve") {"al" ["bob"], "amy" ["bob"], "bea" ["cat"], "bob" ["cat" "eve"], "carl" ["dan"], "cat" ["dan"]}]
;;;; lens like
(defn over [path f m] (update-in m path f)) (defn over-all [k f m] (update m k (partial mapv f)))
(->> {:a {:b 1} :xs [{:n 1} {:n 2}]} (over [:a :b] inc) (over-all :xs #(update % :n * 10)))
;=> {:a {:b 2}, :xs [{:n 10} {:n 20}]}
;;;; queue as value
(let [st {:waiting (into clojure.lang.PersistentQueue/EMPTY [:a :b :c]) :served []} serve (fn [{:keys [waiting] :as s}] (if (seq waiting) (-> s (update :served conj (peek waiting)) (update :waiting pop)) s)) states (iterate serve st)] [(map :served (take 5 states)) (map (comp count :waiting) (take 5 states)) (vec (:waiting (second states))) (for [x (:waiting st)] (name x)) (reduce str (map name (:waiting st))) (apply vector (:waiting st)) (into #{} (:waiting st)) (contains? (set (:waiting st)) :b)])
;=> [([] [:a] [:a :b] [:a :b :c] [:a :b :c]) (3 2 1 0 0) [:b :c] ("a" "b" "c") "abc" [:a :b :c] #{:a :b :c} true]
;;;; update nested vectors
(let [g (vec (repeat 3 (vec (repeat 3 \.)))) put (fn [g [r c] m] (assoc-in g [r c] m)) g (-> g (put [1 1] \X) (put [0 2] \O))] (println (clojure.string/join "\n" (map #(apply str %) g))) [(map #(apply str %) g) (get-in g [1 1]) (for [[r row] (map-indexed vector g) [c x] (map-indexed vector row) :when (not= x \.)] [r c (str x)]) (count (filter #{\.} (flatten g)))])
;out> ..O
;out> .X.
;out> ...
;=> [("..O" ".X." "...") "X" ([0 2 "O"] [1 1 "X"]) 7]
;;;; merge deep
(defn deep-merge [& ms] (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
(deep-merge {:a {:b 1 :c {:d 1}} :x 1} {:a {:c {:e 2} :b 9}} {:x nil :y [1]})
;=> {:a {:b 9, :c {:d 1, :e 2}}, :x nil, :y [1]}
;;;; for destructuring nested
(for [{:keys [name scores]} [{:name "a" :scores {:m 1 :e 2}} {:name "b" :scores {:m 3}}] [subj sc] scores :let [label (str name "/" (clojure.core/name subj))] :when (odd? sc)] [label sc])
;=> (["a/m" 1] ["b/m" 3])
;;;; keys with namespaces
(let [m {:user/name "A" :user/age 3 :order/id 7}] [(:user/name m) (let [{:user/keys [name age] :order/keys [id]} m] [name age id]) (group-by namespace (keys m)) (into {} (map (fn [[k v]] [(keyword (name k)) v])) m) (sort (keys m)) (str :user/name) (keyword "user" "x") (= :user/name (keyword "user/name"))])
;=> ["A" ["A" 3 7] {"user" [:user/name :user/age], "order" [:order/id]} {:name "A", :age 3, :id 7} (:order/id :user/age :user/name) ":user/name" :user/x true]
;;;; nested defs and lets
(def config (let [base {:a 1} extra (assoc base :b 2)] (merge base extra)))
(def lookup (memoize (fn [k] (get config k :missing))))
(defn outer [x] (let [inner (fn [y] (+ x y)) twice (comp inner inner)] (twice 1)))
[(lookup :b) (lookup :z) (outer 10) config (let [x 1] (let [x (inc x) y x] [x y])) (do (def z 5) (inc z))]
;=> [2 :missing 21 {:a 1, :b 2} [2 2] 6]
;;;; assoc patterns
[(reduce #(assoc %1 %2 (count %2)) {} ["a" "bb"]) (apply assoc {} [:a 1 :b 2]) (assoc {:a 1} :b 2 :c 3) (into {} [[:a 1]]) (conj {:a 1} [:b 2] {:c 3}) (merge-with + {:a 1} {:a 2} {:a 3}) (reduce merge [{:a 1} {:b 2}]) (zipmap [:a :b] (repeat 0)) (apply dissoc {:a 1 :b 2 :c 3} [:a :b]) (update {:a 1} :a + 10 100) (update {:n nil} :n (fnil inc 5)) (assoc-in {} [:a :b :c] 1) (update-in {:a {:b [1]}} [:a :b] conj 2) (get-in {:a [{:b 1}]} [:a 0 :b]) (reduce-kv (fn [m k v] (if (pos? v) (assoc m k v) m)) {} {:a 1 :b -1}) (filter val {:a nil :b 1}) (into {} (remove (comp nil? val) {:a nil :b 1})) (map key {:a 1}) (some (fn [[k v]] (when (= v 2) k)) {:a 1 :b 2}) (sort-by key {:b 1 :a 2}) (first (sort-by val > {:b 1 :a 2})) (not-empty {}) (find {:a nil} :a) (contains? {:a nil} :a) (get {:a nil} :a :d) (vals (select-keys {:a 1 :b 2 :c 3} [:c :a])) (hash-map :a 1) (array-map :z 1 :a 2)]
;=> [{"a" 1, "bb" 2} {:a 1, :b 2} {:a 1, :b 2, :c 3} {:a 1} {:a 1, :b 2, :c 3} {:a 6} {:a 1, :b 2} {:a 0, :b 0} {:c 3} {:a 111} {:n 6} {:a {:b {:c 1}}} {:a {:b [1 2]}} 1 {:a 1} ([:b 1]) {:b 1} (:a) :b ([:a 2] [:b 1]) [:a 2] nil [:a nil] true nil (3 1) {:a 1} {:z 1, :a 2}]
;;;; walk numbers
(require '[clojure.walk :refer [postwalk prewalk]])
[(postwalk #(if (and (vector? %) (= :sum (first %))) (reduce + (rest %)) %) [:sum 1 [:sum 2 3] 4]) (prewalk #(if (map? %) (dissoc % :secret) %) {:a {:secret 1 :b 2} :secret 0}) (postwalk #(if (string? %) (clojure.string/upper-case %) %) {"k" ["v" {:x "y"}]}) (count (filter number? (tree-seq coll? seq {:a [1 2 {:b 3}]}))) (postwalk (fn [x] (if (map-entry? x) x x)) {:a 1})]
;=> [10 {:a {:b 2}} {"K" ["V" {:x "Y"}]} 3 {:a 1}]
;;;; tree fold
(defn fold-tree [f init t] (if (coll? t) (reduce #(fold-tree f %1 %2) init t) (f init t)))
(defn depth [t] (if (sequential? t) (inc (reduce max 0 (map depth t))) 0))
(defn map-tree [f t] (if (sequential? t) (mapv #(map-tree f %) t) (f t)))
[(fold-tree + 0 [1 [2 [3 4]] 5]) (fold-tree conj [] '(1 (2 (3)))) (depth [1 [2 [3]]]) (map-tree inc [1 [2 [3]]]) (flatten [1 [2 [3]]]) (count (flatten [1 [2 [3]]]))]
;=> [15 [1 2 3] 3 [2 [3 [4]]] (1 2 3) 3]
;;;; data as name
(def data [{:k "a" :n 1} {:k "b" :n 2}])
(def tool :hammer)
(defn user [n] {:user n})
[(map :k data) (first data) (reduce + (map :n data)) tool (user "x") (let [data {:x 1}] (:x data))]
;=> [("a" "b") {:k "a", :n 1} 3 :hammer {:user "x"} 1]
;;;; queue destructure
(let [q (into clojure.lang.PersistentQueue/EMPTY [1 2 3]) [a & more] q] [a more (map inc q) (filter odd? q) (apply max q) (vec (concat q [4])) (sort > q) (reduce conj () q) (every? pos? q) (nth q 1) (str (first q)) (rest q) (next q) (last q) (butlast q) (into () q) (set q) (zipmap q [:a :b :c]) (interleave q q) (= (seq q) '(1 2 3)) (empty? q) (distinct q) (take 2 q) (drop 1 q) (partition 2 q) (reverse q)])
;=> [1 (2 3) (2 3 4) (1 3) 3 [1 2 3 4] (3 2 1) (3 2 1) true 2 "1" (2 3) (2 3) 3 (1 2) (3 2 1) #{1 2 3} {1 :a, 2 :b, 3 :c} (1 1 2 2 3 3) true false (1 2 3) (1 2) (2 3) ((1 2)) (3 2 1)]
;;;; doseq nested when
(doseq [x (range 1 4) y (range x 4) :when (odd? (+ x y)) :let [p (* x y)]] (println x "*" y "=" p))
;out> 1 * 2 = 2
;out> 2 * 3 = 6
;=> nil
;;;; sets of maps
(let [a #{{:id 1} {:id 2}} b #{{:id 2} {:id 3}}] [(clojure.set/intersection a b) (count (clojure.set/union a b)) (contains? a {:id 1}) (map :id (sort-by :id (clojure.set/difference a b))) (= a (set (map (fn [i] {:id i}) [2 1])))])
;=> [#{{:id 2}} 3 true (1) true]
;;;; update-vals chain
(-> {:a [3 1 2] :b [9 8]} (update-vals sort) (update-vals vec) (update-keys name) (update "a" conj 10) (->> (sort-by key) (map (fn [[k v]] [k (peek v) (first v)]))))
;=> (["a" 10 1] ["b" 9 8])
;;;; diff of maps
(defn diff [a b]
  (let [ks (into (sorted-set) (concat (keys a) (keys b)))]
    (reduce (fn [acc k]
              (let [in-a (contains? a k) in-b (contains? b k) x (get a k) y (get b k)]
                (cond (and in-a in-b (= x y)) acc
                      (and in-a in-b (map? x) (map? y)) (assoc acc k (diff x y))
                      (and in-a in-b) (assoc acc k {:- x :+ y})
                      in-a (assoc acc k {:- x})
                      :else (assoc acc k {:+ y}))))
            {} ks)))
[(diff {:a 1 :b {:c 2 :d 3} :e nil} {:a 1 :b {:c 5} :f [1]}) (diff {} {}) (diff {:x 1} {:x 1.0})]
;=> [{:b {:c {:- 2, :+ 5}, :d {:- 3}}, :e {:- nil}, :f {:+ [1]}} {} {:x {:- 1, :+ 1.0}}]
;;;; inheritance of settings
(defn deep-merge [& ms]
  (if (every? #(or (map? %) (nil? %)) ms) (apply merge-with deep-merge ms) (last ms)))
(def settings [{:ui {:theme :light :font {:size 12 :family "Mono"}} :flags #{:a}} {:ui {:font {:size 14}} :flags #{:b}} nil {:ui {:theme :dark} :extra [1 2]}])
(defn paths [m]
  (mapcat (fn [[k v]] (if (and (map? v) (seq v)) (map #(cons k %) (paths v)) [[k]])) m))
(let [m (apply deep-merge settings)]
  [m (sort-by str (map vec (paths m))) (into {} (map (juxt #(clojure.string/join "." (map name %)) #(get-in m %)) (paths m)))])
;=> [{:ui {:theme :dark, :font {:size 14, :family "Mono"}}, :flags #{:b}, :extra [1 2]} ([:extra] [:flags] [:ui :font :family] [:ui :font :size] [:ui :theme]) {"ui.theme" :dark, "ui.font.size" 14, "ui.font.family" "Mono", "flags" #{:b}, "extra" [1 2]}]
;;;; nested update of an organisation
(def org {:name "Acme" :teams {:eng {:lead "Ann" :members ["Bo" "Cy"] :budget 1000} :ops {:lead "Di" :members [] :budget 500}}})
(-> org
    (update-in [:teams :eng :members] conj "Ed")
    (update-in [:teams :ops :budget] * 1.1)
    (assoc-in [:teams :hr] {:lead nil :members nil :budget 0})
    (update :teams #(reduce-kv (fn [m k v] (assoc m k (assoc v :size (count (:members v)) :key (name k)))) {} %))
    (update-in [:teams :hr :members] (fnil conj #{}) "Flo")
    (dissoc :name)
    (update :teams (fn [ts] (into (sorted-map) (filter (comp pos? :size val)) ts))))
;=> {:teams {:eng {:lead "Ann", :members ["Bo" "Cy" "Ed"], :budget 1000, :size 3, :key "eng"}}}
;;;; letfn with mutual recursion over a tree
(def tree {:v 1 :kids [{:v 2 :kids [{:v 4 :kids []}]} {:v 3 :kids [{:v 5} {:v 6}]}]})
(letfn [(depth [{:keys [kids]}] (inc (deepest kids)))
        (deepest [kids] (if (seq kids) (apply max (map depth kids)) 0))
        (render ([t] (render t 0)) ([{:keys [v kids]} n] (str (apply str (repeat n "  ")) v "\n" (str/join (map #(render % (inc n)) kids)))))]
  (print (render tree))
  {:depth (depth tree) :sum (reduce + (map :v (tree-seq :kids :kids tree))) :leaves (map :v (remove (comp seq :kids) (tree-seq :kids :kids tree)))})
;out> 1
;out>   2
;out>     4
;out>   3
;out>     5
;out>     6
;out>
;=> {:depth 3, :sum 21, :leaves (4 5 6)}
;;;; diff of two maps, with keywords that read
(defn diff [a b] (let [ks (sort (distinct (concat (keys a) (keys b))))] (into {} (for [k ks :let [x (get a k :none) y (get b k :none)] :when (not= x y)] [k (cond (= x :none) [:added y] (= y :none) [:removed x] (and (map? x) (map? y)) (diff x y) :else [:changed x y])]))))
(diff {:a 1 :b {:c 2 :d 3} :e nil} {:a 1 :b {:c 5 :d 3} :f false})
;=> {:b {:c [:changed 2 5]}, :e [:removed nil], :f [:added false]}
;;;; recursion over nested data with walk and tree-seq
(def doc {:title "T" :sections [{:title "S1" :body ["p1" {:link "x" :text "l"}]} {:title "S2" :sections [{:title "S2.1" :body []}]}]})
(letfn [(toc [d n] (cons (str (apply str (repeat n "-")) (:title d)) (mapcat #(toc % (inc n)) (:sections d))))]
  {:toc (toc doc 0) :links (keep :link (filter map? (tree-seq coll? seq doc))) :strs (count (filter string? (tree-seq coll? seq doc)))
   :up (walk/postwalk #(if (and (map? %) (:title %)) (update % :title str/upper-case) %) doc) :ks (sort (distinct (filter keyword? (flatten (walk/prewalk #(if (map? %) (seq %) %) doc)))))})
;=> {:toc ("T" "-S1" "-S2" "--S2.1"), :links ("x"), :strs 7, :up {:title "T", :sections [{:title "S1", :body ["p1" {:link "x", :text "l"}]} {:title "S2", :sections [{:title "S2.1", :body []}]}]}, :ks (:body :link :sections :text :title)}
;;;; sets and relations
(let [emps #{{:id 1 :name "A" :dept 10} {:id 2 :name "B" :dept 20} {:id 3 :name "C" :dept 10}} depts #{{:dept 10 :dname "Eng"} {:dept 20 :dname "Ops"}}]
  [(sort-by :id (set/join emps depts)) (sort-by :id (set/join emps (set/rename depts {:dept :d}) {:dept :d})) (set/project emps [:dept]) (into {} (map (fn [[k v]] [(:dept k) (count v)])) (set/index emps [:dept])) (set/select #(> (:id %) 1) emps) (set/map-invert {:a 1 :b 2}) (set/subset? #{1} #{1 2}) (set/rename #{{:a 1}} {:a :z})])
;=> [({:dept 10, :dname "Eng", :id 1, :name "A"} {:dept 20, :dname "Ops", :id 2, :name "B"} {:dept 10, :dname "Eng", :id 3, :name "C"}) ({:dname "Eng", :d 10, :id 1, :name "A", :dept 10} {:dname "Ops", :d 20, :id 2, :name "B", :dept 20} {:dname "Eng", :d 10, :id 3, :name "C", :dept 10}) #{{:dept 10} {:dept 20}} {10 2, 20 1} #{{:id 2, :name "B", :dept 20} {:id 3, :name "C", :dept 10}} {1 :a, 2 :b} true #{{:z 1}}]
;;;; merge deep (2)
(defn deep-merge [& ms] (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
[(deep-merge {:a {:b 1 :c {:d 2}} :x 1} {:a {:c {:e 3} :b 9}} {:x nil}) (merge-with + {:a 1} {:a 2 :b 3} {:b 4}) (merge-with into {:a [1]} {:a #{2}}) (merge {:a 1} nil {:b 2}) (merge) (merge nil nil) (merge-with conj {:a []} {:a 1}) (apply merge-with (comp vec flatten vector) [{:k 1} {:k 2} {:k 3}])]
;=> [{:a {:b 9, :c {:d 2, :e 3}}, :x nil} {:a 3, :b 7} {:a [1 2]} {:a 1, :b 2} nil nil {:a [1]} {:k [1 2 3]}]
;;;; walk: keywordize, strip nils, collect
(require '[clojure.walk :as w :refer [postwalk prewalk]])
(def doc {"id" 1 "tags" ["a" nil "b"] "meta" {"created" nil "by" {"name" "Al" "age" 30}} "scores" '(1 2 3)})
(defn strip-nils [x] (postwalk (fn [n] (cond (map? n) (into {} (remove (comp nil? val)) n) (vector? n) (filterv some? n) :else n)) x))
(defn depth [x] (if (coll? x) (inc (reduce max 0 (map depth (if (map? x) (vals x) x)))) 0))
(let [k (w/keywordize-keys doc)]
  {:k k :clean (strip-nils k) :depth (depth doc)
   :inc (prewalk #(if (number? %) (inc %) %) (select-keys k [:id :scores]))
   :strings (filter string? (tree-seq coll? #(if (map? %) (vals %) %) k))
   :back (= doc (w/stringify-keys k))})
;!> type_error
;;;; flatten nested map to dotted paths and back
(defn flatten-paths
  ([m] (flatten-paths [] m))
  ([prefix m] (reduce-kv (fn [acc k v] (let [p (conj prefix k)] (if (and (map? v) (seq v)) (merge acc (flatten-paths p v)) (assoc acc p v)))) {} m)))
(defn unflatten [m] (reduce (fn [acc [p v]] (assoc-in acc p v)) {} m))
(def conf {:db {:host "h" :port 5432 :opts {:ssl true}} :debug false :empty {}})
(let [flat (flatten-paths conf)]
  [(into (sorted-map) (map (fn [[p v]] [(clojure.string/join "." (map name p)) v])) flat)
   (= conf (unflatten flat))
   (get-in conf (first (filter #(= :ssl (peek %)) (keys flat))))])
;=> [{"db.host" "h", "db.opts.ssl" true, "db.port" 5432, "debug" false, "empty" {}} true true]
;;;; deep merge and config layers
(defn deep-merge [& ms]
  (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
(def defaults {:server {:port 80 :hosts ["a"]} :log {:level :info}})
(def env {:server {:port 8080} :log {:level :debug :file "x.log"}})
(def cli {:server {:hosts ["b" "c"]} :verbose true})
[(deep-merge defaults env cli) (deep-merge) (deep-merge defaults nil) (reduce deep-merge [{:a {:b 1}} {:a {:c 2}} {:a 5}])]
;=> [{:server {:port 8080, :hosts ["b" "c"]}, :log {:level :debug, :file "x.log"}, :verbose true} nil {:server {:port 80, :hosts ["a"]}, :log {:level :info}} {:a 5}]
;;;; diff without auto keywords
(defn map-diff [a b]
  (let [ka (set (keys a)) kb (set (keys b))]
    {:added (select-keys b (clojure.set/difference kb ka))
     :removed (select-keys a (clojure.set/difference ka kb))
     :changed (into {} (for [k (clojure.set/intersection ka kb) :when (not= (a k) (b k))] [k [(a k) (b k)]]))}))
[(map-diff {:a 1 :b 2 :c nil} {:b 3 :c nil :d 4}) (clojure.data/diff {:a 1 :b {:c 2}} {:a 1 :b {:c 3 :d 4}})]
;!> invalid_form
;;;; lazy sequences of every kind
(def fibs (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
(def triangles (reductions + (rest (range))))
(def collatz (fn [n] (concat (take-while #(not= 1 %) (iterate #(if (even? %) (/ % 2) (inc (* 3 %))) n)) [1])))
{:fib (take 12 fibs) :tri (take 6 triangles) :collatz (collatz 6)
 :cyc (take 7 (cycle [:a :b :c])) :inter (take 5 (interleave (range) (repeat :x)))
 :first-big (first (drop-while #(< % 1000) fibs)) :longest (apply max-key (comp count collatz) (range 1 20))
 :pairs (take 4 (for [a (range 1 10) b (range a 10) :when (= 10 (+ a b))] [a b])) :nth (nth fibs 50)}
;=> {:fib (0 1 1 2 3 5 8 13 21 34 55 89), :tri (1 3 6 10 15 21), :collatz (6 3 10 5 16 8 4 2 1), :cyc (:a :b :c :a :b :c :a), :inter (0 :x 1 :x 2), :first-big 1597, :longest 19, :pairs ([1 9] [2 8] [3 7] [4 6]), :nth 12586269025}
;;;; sorted collections and ranges
(def m (into (sorted-map) {"pear" 3 "apple" 7 "fig" 1}))
(def s (sorted-set 5 1 9 3))
[(first m) (last s) (keys m) (rseq (vec s)) (take-while #(< % 6) s) (assoc m "banana" 2) (dissoc m "fig") (conj s 4) (disj s 9) (contains? s 3) (get m "kiwi" 0) (reduce-kv (fn [a k v] (+ a v)) 0 m) (map (fn [[k v]] (str k v)) m) (into s [0 100]) (s 5) (m "fig")]
;=> [["apple" 7] 9 ("apple" "fig" "pear") (9 5 3 1) (1 3 5) {"apple" 7, "banana" 2, "fig" 1, "pear" 3} {"apple" 7, "pear" 3} #{1 3 4 5 9} #{1 3 5} true 0 11 ("apple7" "fig1" "pear3") #{0 1 3 5 9 100} 5 1]
;;;; matrix of namespaced keys and keyword functions
(def users [{:user/id 1 :user/name "A" :role/level 3} {:user/id 2 :user/name "B"}])
[(map :user/name users) (map (comp name key) (first users)) (map namespace (keys (first users))) (group-by #(contains? % :role/level) users)
 (into {} (map (fn [[k v]] [(keyword (name k)) v])) (first users)) (keyword "user" "id") (= :user/id (keyword "user/id")) (select-keys (first users) [:user/id]) (sort (keys (first users)))]
;=> [("A" "B") ("id" "name" "level") ("user" "user" "role") {true [{:user/id 1, :user/name "A", :role/level 3}], false [{:user/id 2, :user/name "B"}]} {:id 1, :name "A", :level 3} :user/id true {:user/id 1} (:role/level :user/id :user/name)]
;;;; tree folding with zippers by hand
(def tree {:v 1 :kids [{:v 2 :kids [{:v 4} {:v 5}]} {:v 3 :kids [{:v 6}]}]})
(defn tree-map [f t] (-> t (update :v f) (cond-> (:kids t) (update :kids (partial mapv #(tree-map f %))))))
(defn tree-fold [f t] (f (:v t) (map (partial tree-fold f) (:kids t))))
(defn levels [t] (->> [t] (iterate #(mapcat :kids %)) (take-while seq) (map #(map :v %))))
(defn draw [t depth] (println (str (apply str (repeat depth "  ")) "- " (:v t))) (doseq [k (:kids t)] (draw k (inc depth))))
(draw tree 0)
[(tree-fold (fn [v ks] (apply + v ks)) tree) (tree-fold (fn [_ ks] (inc (apply max 0 ks))) tree) (levels tree) (map :v (tree-seq :kids :kids (tree-map #(* 10 %) tree))) (get-in tree [:kids 0 :kids 1 :v])]
;out> - 1
;out>   - 2
;out>     - 4
;out>     - 5
;out>   - 3
;out>     - 6
;=> [21 3 ((1) (2 3) (4 5 6)) (10 20 40 50 30 60) 5]
;;;; org chart from parent ids
(def emps [{:id 1 :name "CEO" :boss nil :pay 300} {:id 2 :name "CTO" :boss 1 :pay 200} {:id 3 :name "Dev" :boss 2 :pay 100} {:id 4 :name "CFO" :boss 1 :pay 190} {:id 5 :name "QA" :boss 2 :pay 90}])
(def by-boss (group-by :boss emps))
(def by-id (into {} (map (juxt :id identity)) emps))
(defn build [{:keys [id name]}] (let [rs (map build (by-boss id))] (cond-> {:name name} (seq rs) (assoc :reports (vec rs)))))
(defn cost [{:keys [id pay]}] (reduce + pay (map cost (by-boss id))))
(defn chain [id] (->> (by-id id) (iterate (comp by-id :boss)) (take-while some?) (mapv :name)))
{:tree (build (first (by-boss nil))) :cost (into {} (map (juxt :name cost)) emps) :chain (chain 5) :depth (apply max (map (comp count chain :id) emps)) :managers (sort (keep (comp :name by-id) (keys by-boss)))}
;=> {:tree {:name "CEO", :reports [{:name "CTO", :reports [{:name "Dev"} {:name "QA"}]} {:name "CFO"}]}, :cost {"CEO" 880, "CTO" 390, "Dev" 100, "CFO" 190, "QA" 90}, :chain ["QA" "CTO" "CEO"], :depth 3, :managers ("CEO" "CTO")}
;;;; hand-written assoc lists and mutual recursion with declare
(declare my-odd?)
(defn my-even? [n] (if (zero? n) true (my-odd? (dec n))))
(defn my-odd? [n] (if (zero? n) false (my-even? (dec n))))
(defn lookup [alist k & [default]] (let [[[_ v]] (filter (fn [[k' _]] (= k k')) alist)] (if (some? v) v default)))
(letfn [(hanoi [n a b c] (when (pos? n) (concat (hanoi (dec n) a c b) [[a b]] (hanoi (dec n) c b a))))
        (ack [m n] (cond (zero? m) (inc n) (zero? n) (ack (dec m) 1) :else (ack (dec m) (ack m (dec n)))))]
  {:even (map my-even? [0 7 10]) :lookup [(lookup [[:a 1] [:b 2]] :b) (lookup [[:a 1]] :z) (lookup [] :z 0)] :hanoi (hanoi 3 :l :r :m) :ack (ack 2 3)})
;=> {:even (true false true), :lookup [2 nil 0], :hanoi ([:l :r] [:l :m] [:r :m] [:l :r] [:m :l] [:m :r] [:l :r]), :ack 9}
;;;; sets in depth
(let [a #{1 2 3} b #{3 4}]
  [(set/union a b) (set/intersection a b) (set/difference a b) (set/subset? #{1} a) (set/superset? a #{1 2}) (a 2) (a 9) (contains? a nil) (conj a 1) (disj a 1 2) (set/select even? a) (set/map-invert {:a 1 :b 2}) (set (map #(mod % 3) (range 10))) (sort (into a b)) (empty? (set/intersection #{1} #{2})) (= #{1 2} (sorted-set 2 1)) (every? a [1 2]) (some b a) (count (into #{} "mississippi")) (disj #{} 1)])
;=> [#{1 2 3 4} #{3} #{1 2} true true 2 nil false #{1 2 3} #{3} #{2} {1 :a, 2 :b} #{0 1 2} (1 2 3 4) true true true 3 4 #{}]
;;;; set relations join
(let [emp #{{:emp 1 :name "A" :dept 10} {:emp 2 :name "B" :dept 20} {:emp 3 :name "C" :dept 30}} dept #{{:dept 10 :title "Eng"} {:dept 20 :title "Ops"}}]
  [(sort-by :emp (map (fn [e] (merge e (first (filter #(= (:dept e) (:dept %)) dept)))) emp)) (set/project emp [:name]) (set/rename-keys {:a 1} {:a :b}) (update-vals (group-by :dept emp) count) (set/index dept [:dept])])
;=> [({:emp 1, :name "A", :dept 10, :title "Eng"} {:emp 2, :name "B", :dept 20, :title "Ops"} {:emp 3, :name "C", :dept 30}) #{{:name "A"} {:name "B"} {:name "C"}} {:b 1} {10 1, 20 1, 30 1} {{:dept 10} #{{:dept 10, :title "Eng"}}, {:dept 20} #{{:dept 20, :title "Ops"}}}]
;;;; map functions in depth
(let [m {:a 1 :b 2 :c 3}]
  [(reduce-kv (fn [acc k v] (assoc acc v k)) {} m) (into {} (filter (comp odd? val)) m) (into {} (map (fn [[k v]] [k (* v v)])) m) (zipmap (keys m) (map inc (vals m))) (apply dissoc m [:a :b]) (merge-with + m {:a 10 :d 4}) (merge-with into {:x [1]} {:x [2] :y [3]}) (select-keys m [:a :z]) (find m :b) (find m :q) (get m :q :none) (update m :a + 100) (update m :z (fnil conj []) 1) (assoc-in {} [:p :q] 1) (get-in {:p [{:q 5}]} [:p 0 :q]) (update-in {:p {:q 1}} [:p :q] * 7) (dissoc (assoc m :d 4) :a) (map key m) (some (fn [[k v]] (when (= v 2) k)) m) (sort-by val > m) (first (sort m)) (seq {}) (count m) (contains? m :a) (every? (fn [[_ v]] (pos? v)) m) (apply hash-map [:x 1]) (key (first m)) (update-keys m name) (apply max-key val m) (min-key m :a :b) (not-empty {}) (reduce (fn [a [k v]] (+ a v)) 0 m) (mapcat identity {:k 1}) (into [] {:k 1}) (frequencies (vals {:a 1 :b 1}))])
;=> [{1 :a, 2 :b, 3 :c} {:a 1, :c 3} {:a 1, :b 4, :c 9} {:a 2, :b 3, :c 4} {:c 3} {:a 11, :b 2, :c 3, :d 4} {:x [1 2], :y [3]} {:a 1} [:b 2] nil :none {:a 101, :b 2, :c 3} {:a 1, :b 2, :c 3, :z [1]} {:p {:q 1}} 5 {:p {:q 7}} {:b 2, :c 3, :d 4} (:a :b :c) :b ([:c 3] [:b 2] [:a 1]) [:a 1] nil 3 true true {:x 1} :a {"a" 1, "b" 2, "c" 3} [:c 3] :a nil 6 (:k 1) [[:k 1]] {1 2}]
;;;; sequence functions in depth
(let [xs [5 3 8 1]]
  [(partition 2 xs) (partition 3 xs) (partition 3 1 xs) (partition 3 3 [:pad] xs) (partition-all 3 xs) (partition-by odd? xs) (split-at 1 xs) (split-with odd? xs) (take-last 2 xs) (drop-last xs) (butlast xs) (interpose 0 xs) (interleave xs [:a :b]) (reductions max xs) (map-indexed vector xs) (keep-indexed #(when (odd? %1) %2) xs) (zipmap [:a :b] xs) (take-nth 2 xs) (distinct [1 1 2 1]) (dedupe [1 1 2 1]) (flatten [1 [2 [3 nil]] '(4)]) (mapcat #(repeat % %) [1 2]) (group-by even? xs) (frequencies [:a :b :a]) (some #(when (> % 4) %) xs) (every? pos? xs) (not-any? neg? xs) (not-every? odd? xs) (sort > xs) (sort-by - xs) (reverse xs) (rseq xs) (last xs) (nth xs 2) (nth xs 9 :none) (rest [1]) (next [1]) (ffirst [[1]]) (second xs) (cons 1 nil) (concat xs [1] nil '(2)) (apply map vector [[1 2] [3 4]]) (iterate inc 1)] )
;=> [((5 3) (8 1)) ((5 3 8)) ((5 3 8) (3 8 1)) ((5 3 8) (1 :pad)) ((5 3 8) (1)) ((5 3) (8) (1)) [(5) (3 8 1)] [(5 3) (8 1)] (8 1) (5 3 8) (5 3 8) (5 0 3 0 8 0 1) (5 :a 3 :b) (5 5 8 8) ([0 5] [1 3] [2 8] [3 1]) (3 1) {:a 5, :b 3} (5 8) (1 2) (1 2 1) (1 2 3 nil 4) (1 2 2) {false [5 3 1], true [8]} {:a 2, :b 1} 5 true true true (8 5 3 1) (8 5 3 1) (1 8 3 5) (1 8 3 5) 1 8 :none () nil 1 3 (1) (5 3 8 1 1 2) ([1 3] [2 4]) #<generator>]
;clojure> [((5 3) (8 1)) ((5 3 8)) ((5 3 8) (3 8 1)) ((5 3 8) (1 :pad)) ((5 3 8) (1)) ((5 3) (8) (1)) [(5) (3 8 1)] [(5 3) (8 1)] (8 1) (5 3 8) (5 3 8) (5 0 3 0 8 0 1) (5 :a 3 :b) (5 5 8 8) ([0 5] [1 3] [2 8] [3 1]) (3 1) {:a 5, :b 3} (5 8) (1 2) (1 2 1) (1 2 3 nil 4) (1 2 2) {false [5 3 1], true [8]} {:a 2,
;deviation> the comparison cuts long values
;;;; sequence functions in depth, all finite
(let [xs [5 3 8 1]]
  [(partition 3 3 [:pad] xs) (split-with odd? xs) (take-last 2 xs) (drop-last xs) (interpose 0 xs) (interleave xs [:a :b]) (keep-indexed #(when (odd? %1) %2) xs) (take-nth 2 xs) (dedupe [1 1 2 1]) (flatten [1 [2 [3 nil]] '(4)]) (mapcat #(repeat % %) [1 2]) (rseq xs) (nth xs 9 :none) (rest [1]) (next [1]) (cons 1 nil) (concat xs [1] nil '(2)) (replace {5 :five} xs) (replace [:a :b] [0 1 2]) (reduce conj () xs) (take-while odd? xs) (drop-while odd? xs) (max-key - 1 2) (tree-seq vector? seq [1 [2]]) (sequence nil) (cycle []) (repeat 2 :x) (range 5 0 -2) (range 0 1 0.25) (lazy-cat [1] [2])])
;!> undefined_symbol
;clojure> [((5 3 8) (1 :pad)) [(5 3) (8 1)] (8 1) (5 3 8) (5 0 3 0 8 0 1) (5 :a 3 :b) (3 1) (5 8) (1 2 1) (1 2 3 nil 4) (1 2 2) (1 8 3 5) :none () nil (1) (5 3 8 1 1 2) [:five 3 8 1] [:a :b 2] (1 8 3 5) (5 3) (8 1) 1 ([1 [2]] 1 [2] 2) () () (:x :x) (5 3 1) (0 0.25 0.5 0.75) (1 2)]
;deviation> a name deliberately absent
;;;; typed records as maps with constructors and predicates
(defn ->point [x y] {:type :point :x x :y y})
(defn ->circle [center r] {:type :circle :center center :r r})
(defn ->rect [p w h] {:type :rect :origin p :w w :h h})
(def area-fns {:circle (fn [{:keys [r]}] (* Math/PI r r)) :rect (fn [{:keys [w h]}] (* w h)) :point (constantly 0)})
(defn area [{:keys [type] :as shape}] (if-let [f (get area-fns type)] (f shape) (throw (ex-info (str "No area for " type) {:shape shape}))))
(defn translate [shape dx dy]
  (case (:type shape)
    :point (-> shape (update :x + dx) (update :y + dy))
    :circle (update shape :center translate dx dy)
    :rect (update shape :origin translate dx dy)))
(let [shapes [(->point 1 2) (->circle (->point 0 0) 2) (->rect (->point -1 -1) 3 4)]]
  {:areas (mapv #(format "%.2f" (double (area %))) shapes) :moved (map #(translate % 1 1) shapes) :biggest (:type (apply max-key area shapes)) :err (try (area {:type :blob}) (catch Exception e (.getMessage e)))})
;=> {:areas ["0.00" "12.57" "12.00"], :moved ({:type :point, :x 2, :y 3} {:type :circle, :center {:type :point, :x 1, :y 1}, :r 2} {:type :rect, :origin {:type :point, :x 0, :y 0}, :w 3, :h 4}), :biggest :circle, :err "No area for :blob"}
;;;;
(loop [n 10 a 0 b 1 acc []]
  (if (zero? n) acc (recur (dec n) b (+ a b) (conj acc a))))
;=> [0 1 1 2 3 5 8 13 21 34]
;;;;
(let [m {:a {:b {:c 42}}}]
  [(get-in m [:a :b :c]) (update-in m [:a :b :c] inc) (assoc-in m [:a :x] 1) (some-> m :a :b :c inc) (some-> m :z :b)])
;=> [42 {:a {:b {:c 43}}} {:a {:b {:c 42}, :x 1}} 43 nil]
;;;;
(merge-with + {:a 1 :b 2} {:b 3 :c 4} {:a 10})
;=> {:a 11, :b 5, :c 4}
;;;;
(let [xs [1 2 3 4 5 6]] [(take-while #(< % 4) xs) (drop-while #(< % 4) xs) (split-at 2 xs) (split-with odd? xs) (take-nth 2 xs) (butlast xs) (take-last 2 xs)])
;=> [(1 2 3) (4 5 6) [(1 2) (3 4 5 6)] [(1) (2 3 4 5 6)] (1 3 5) (1 2 3 4 5) (5 6)]
;;;;
(clojure.walk/keywordize-keys {"a" {"b" 1} "c" [{"d" 2}]})
;=> {:a {:b 1}, :c [{:d 2}]}
;;;;
(let [a #{1 2 3} b #{2 3 4}]
  {:u (sort (clojure.set/union a b)) :i (sort (clojure.set/intersection a b)) :d (clojure.set/difference a b) :sub (clojure.set/subset? #{2} a)})
;=> {:u (1 2 3 4), :i (2 3), :d #{1}, :sub true}
;;;;
(let [now 1700000000 events [{:t 1699999990} {:t 1699990000}]] (map #(- now (:t %)) events))
;=> (10 10000)
;;;;
[(every? pos? [1 2]) (some neg? [1 -2]) (not-any? zero? [1]) (not-every? odd? [1 2]) (some #{3} [1 2 3])]
;=> [true true true true 3]
;;;;
(interleave [:a :b] [1 2])
;=> (:a 1 :b 2)
;;;;
(apply hash-map [:a 1 :b 2])
;=> {:a 1, :b 2}
;;;;
(let [v [3 1 2]] [(sort v) (sort > v) (reverse v) (sort-by - v) (vec (sort v)) (first (sort v)) (apply min v)])
;=> [(1 2 3) (3 2 1) (2 1 3) (3 2 1) [1 2 3] 1 1]
;;;;
(select-keys {:a 1 :b 2 :c 3} [:a :c :z])
;=> {:a 1, :c 3}
;;;;
(assoc {:a 1} :b 2 :c {:d [1 2]})
;=> {:a 1, :b 2, :c {:d [1 2]}}
;;;;
(let [xs [1 nil 2 nil 3]] [(remove nil? xs) (keep identity xs) (filter some? xs) (count xs)])
;=> [(1 2 3) (1 2 3) (1 2 3) 5]
;;;;
(let [m (zipmap (map keyword ["x" "y"]) (range))] (assoc m :sum (apply + (vals m))))
;=> {:x 0, :y 1, :sum 1}
;;;;
(map #(%1 %2) [inc dec str] [1 2 3])
;=> (2 1 "3")
;;;;
(let [m {:b 1 :a 2}] [(keys m) (vals m) (sort (keys m)) (map first m) (into [] m) (seq m) (first m) (count m) (contains? m :a) (m :b) (:c m :none) (get m :z)])
;=> [(:b :a) (1 2) (:a :b) (:b :a) [[:b 1] [:a 2]] ([:b 1] [:a 2]) [:b 1] 2 true 1 :none nil]
;;;;
(let [v (vec (range 5))] [(assoc v 1 :x) (subvec v 1 3) (conj v 9) (pop v) (peek v) (v 2) (get v 99) (nth v 2 nil) (update v 0 inc) (rseq v) (into [] (reverse v)) (vec (concat v [1]))])
;=> [[0 :x 2 3 4] [1 2] [0 1 2 3 4 9] [0 1 2 3] 4 2 nil 2 [1 1 2 3 4] (4 3 2 1 0) [4 3 2 1 0] [0 1 2 3 4 1]]
;;;;
(sort #(compare (:n %2) (:n %1)) [{:n 1} {:n 3} {:n 2}])
;=> ({:n 3} {:n 2} {:n 1})
;;;;
(sort-by :name #(compare %2 %1) [{:name "a"} {:name "c"} {:name "b"}])
;=> ({:name "c"} {:name "b"} {:name "a"})
;;;;
(map vector [:a :b :c] (range) (cycle [true false]))
;=> ([:a 0 true] [:b 1 false] [:c 2 true])
;;;;
(partition 2 1 [1 3 6 10])
;=> ((1 3) (3 6) (6 10))
;;;;
(partition 3 3 [:pad] [1 2 3 4])
;=> ((1 2 3) (4 :pad))
;;;;
(let [left [{:id 1 :n "a"} {:id 2 :n "b"}] right [{:id 1 :v 10} {:id 1 :v 20}] idx (group-by :id right)]
  (for [l left r (get idx (:id l) [nil])] (merge l r)))
;=> ({:id 1, :n "a", :v 10} {:id 1, :n "a", :v 20} {:id 2, :n "b"})
;;;;
(clojure.set/index #{{:a 1 :b 2}} [:a])
;=> {{:a 1} #{{:a 1, :b 2}}}
;;;;
(let [a [1 2 3] b [4 5 6]] {:dot (reduce + (map * a b)) :zip (map vector a b) :zipmap (zipmap a b) :inter (interleave a b) :cat (concat a b)})
;=> {:dot 32, :zip ([1 4] [2 5] [3 6]), :zipmap {1 4, 2 5, 3 6}, :inter (1 4 2 5 3 6), :cat (1 2 3 4 5 6)}
;;;;
(apply str (interpose ", " ["a" "b" "c"]))
;=> "a, b, c"
;;;;
(apply map vector [[1 2 3] [:a :b :c]])
;=> ([1 :a] [2 :b] [3 :c])
;;;;
(let [m (into (sorted-map) {:z 1 :a 2 :m 3})] [m (first m) (keys m) (assoc m :b 0)])
;=> [{:a 2, :m 3, :z 1} [:a 2] (:a :m :z) {:a 2, :b 0, :m 3, :z 1}]
;;;;
(let [xs [5 3 9]] {:max (apply max xs) :idx (.indexOf xs 9) :min-by (first (sort-by identity xs)) :argmax (key (apply max-key val (zipmap (range) xs)))})
;=> {:max 9, :idx 2, :min-by 3, :argmax 2}
;;;;
(loop [[x & xs] [1 2 3] acc 0] (if x (recur xs (+ acc x)) acc))
;=> 6
;;;;
(vec (for [x (range 10) :while (< x 4)] x))
;=> [0 1 2 3]
;;;;
(dedupe [1 1 2 2 1])
;=> (1 2 1)
;;;;
(replace {1 :one 2 :two} [1 2 3 1])
;=> [:one :two 3 :one]
;;;;
(map-indexed vector "abc")
;=> ([0 "a"] [1 "b"] [2 "c"])
;;;;
(zipmap "abc" (range))
;=> {"a" 0, "b" 1, "c" 2}
;;;;
(group-by count ["a" "bb" "cc" "ddd"])
;=> {1 ["a"], 2 ["bb" "cc"], 3 ["ddd"]}
;;;;
(reduce into [] [[1] [2 3] []])
;=> [1 2 3]
;;;;
(update-keys {"a" 1 "b" 2} keyword)
;=> {:a 1, :b 2}
;;;;
(apply merge-with into [{:a [1]} {:a [2] :b [3]}])
;=> {:a [1 2], :b [3]}
;;;;
(let [nested [[1 [2 3]] [4 [5 6]]]] (for [[a [b c]] nested] (+ a b c)))
;=> (6 15)
;;;;
(clojure.walk/stringify-keys {:a {:b 1}})
;=> {"a" {"b" 1}}
;;;;
(reverse (sort-by count ["aaa" "b" "cc"]))
;=> ("aaa" "cc" "b")
;;;;
(use 'clojure.set)
(clojure.set/difference #{1 2} #{2})
;=> #{1}
;clojure> !IllegalStateException: join already refers to: #'clojure.string/join in namespace: user
;deviation> library functions have bare names
;;;;
(let [rows [{:a 3 :b "x"} {:a 1 :b "z"} {:a 2 :b "y"}]] (take 2 (sort-by :a > rows)))
;=> ({:a 3, :b "x"} {:a 2, :b "y"})
;;;;
(let [rows [{:a 3} {:a 1}]] (reverse (sort-by :a rows)))
;=> ({:a 3} {:a 1})
;;;;
(apply str (map char [72 105]))
;=> "Hi"
;;;;
(let [xs [10 20 30] ws [0.2 0.3 0.5]] (reduce + (map * xs ws)))
;=> 23.0
;;;;
(let [m {:a 1}] [(:a m) (m :a) (get m :a) (:b m 0) (find m :a) (contains? m :b) (assoc m :b 2) (key (first m)) (val (first m)) (keys m) (empty? m) (not-empty {})])
;=> [1 1 1 0 [:a 1] false {:a 1, :b 2} :a 1 (:a) false nil]
;;;;
(let [s #{:a :b}] [(s :a) (:a s) (contains? s :c) (count s) (conj s :a) (disj s :a) (get s :z :none)])
;=> [:a :a false 2 #{:a :b} #{:b} :none]
;;;;
[(vec '(1 2)) (into [] '(1 2)) (into '() [1 2]) (into #{} [1 1]) (seq {:a 1}) (set "aab") (apply vector 1 [2]) (list* 1 2 [3 4]) (concat [1] '(2) #{3}) (vec {:a 1})]
;=> [[1 2] [1 2] (2 1) #{1} ([:a 1]) #{"a" "b"} [1 2] (1 2 3 4) (1 2 3) [[:a 1]]]
;;;;
'(1 "two" :three (4 5) [6] {:k (7)} nil true)
;=> (1 "two" :three (4 5) [6] {:k (7)} nil true)
;;;;
(for [y (range 2)] (apply str (for [x (range 3)] (if (= x y) \# \.))))
;=> ("#.." ".#.")
;;;;
(as-> {:a 1} m (assoc m :b 2) (update m :a inc) (vals m) (apply + m))
;=> 4
;;;;
(some-> {:a {:b nil}} :a :b inc)
;=> nil
;;;;
(update-vals (group-by :t [{:t :a :v 1} {:t :b :v 2} {:t :a :v 3}]) #(map :v %))
;=> {:a (1 3), :b (2)}
;;;;
(mapv #(select-keys % [:id :n]) [{:id 1 :n "a" :x 0} {:id 2}])
;=> [{:id 1, :n "a"} {:id 2}]
;;;;
(partition-all 2 (range 5))
;=> ((0 1) (2 3) (4))
;;;;
(partition 2 3 (range 8))
;=> ((0 1) (3 4) (6 7))
;;;;
(split-with #(not= % :sep) [1 2 :sep 3])
;=> [(1 2) (:sep 3)]
;;;;
(interpose :sep [1 2 3])
;=> (1 :sep 2 :sep 3)
;;;;
(take 7 (cycle [:r :g :b]))
;=> (:r :g :b :r :g :b :r)
;;;;
(repeat 3 "x")
;=> ("x" "x" "x")
;;;;
(range 10 0 -3)
;=> (10 7 4 1)
;;;;
(mapcat reverse [[1 2] [3 4]])
;=> (2 1 4 3)
;;;;
(keep #(get {:a 1 :b 2} %) [:a :z :b])
;=> (1 2)
;;;;
(remove (set [1 2]) [1 2 3 4])
;=> (3 4)
;;;;
(not= 1 2)
;=> true
;;;;
[(= [1 2] '(1 2)) (= #{1 2} #{2 1}) (= {:a 1} {:a 1}) (= 1 1 1) (< 1 2 3) (= nil false) (= "a" "a") (identical? :a :a) (= 1.0 1)]
;=> [true true true true true false true true false]
;;;;
[(compare "a" "b") (compare [1 2] [1 3]) (compare nil 1) (compare :a :b) (sort ["b" "A" "a"]) (sort [[2 1] [1 2]]) (sort [nil 3 1]) (sort [:b :a])]
;=> [-1 -1 -1 -1 ("A" "a" "b") ([1 2] [2 1]) (nil 1 3) (:a :b)]
;;;;
(let [q (conj (vec (rest [1 2 3])) 4)] q)
;=> [2 3 4]
