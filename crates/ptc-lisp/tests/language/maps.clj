; Reading.
(get {:a 1} :a)
;=> 1
[(get {:a nil} :a 7) (get {} :a 7) (get nil :a 7) (get 5 :a 7) (get [1 2] 1) (get [1 2] 2 :none) (get "abc" 1)]
;=> [nil 7 7 7 2 :none "b"]
[(get '(1 2) 0) (get #{:x} :x) (get #{:x} :y) (get (map inc [1 2]) 0)]
;=> [nil :x nil nil]
[({:a 1} :a) ({:a 1} :b 2) (:a {:a 1}) (:b {:a 1} 2) (:a nil) (:a [1]) (:a #{:a})]
;=> [1 2 1 2 nil nil :a]
(get-in {:a {:b [10 20]}} [:a :b 1])
;=> 20
[(get-in {:a nil} [:a :b] :none) (get-in {:a nil} [:a] :none) (get-in {:a 1} []) (get-in {:a 1} nil) (get-in nil [:a])]
;=> [:none nil {:a 1} {:a 1} nil]
(get-in {:a 1} :a)
;!> type_error get-in: expected a collection, got keyword :a. Use (get map key), or a path such as [:a :b]
[(find {:a 1} :a) (find {:a 1} :b) (find [5 6] 1) (find nil :a)]
;=> [[:a 1] nil [1 6] nil]
[(select-keys {:a 1 :b 2} [:b :z]) (select-keys nil [:a]) (select-keys [7 8 9] [0 2]) (select-keys {:a 1} nil)]
;=> [{:b 2} {} {0 7, 2 9} {}]
(select-keys {:a 1} :a)
;!> type_error select-keys: expected a collection, got keyword :a. Use a vector of keys

; Keys find other spellings; the exact one wins.
[(:max-price {"max_price" 5}) (get {:max_price 5} "max-price") (get {:n 1 "n" 2} "n") (get-in {"a" {:b 1}} [:a "b"])]
;=> [5 5 2 1]
(update {"hits" 1} :hits inc)
;=> {"hits" 2}
(assoc {"hits" 1} :hits 2)
;=> {"hits" 1, :hits 2}
(assoc-in {"a" {"b" 1}} [:a :b] 2)
;=> {"a" {"b" 2}}
(select-keys {"n" 5} [:n])
;=> {:n 5}
(find {"n" 5} :n)
;=> ["n" 5]

; Keys and values.
[(keys {:b 1 :a 2}) (vals {:b 1 :a 2}) (keys {}) (vals nil) (keys []) (keys "")]
;=> [(:b :a) (1 2) nil nil nil nil]
(keys [1])
;!> type_error keys: expected a map, got vector [1]
(keys (filter (fn [[_ v]] (odd? v)) {:a 1 :b 2 :c 3}))
;=> (:a :c)
(vals (sort-by val > {:a 1 :b 3 :c 2}))
;=> (3 2 1)
[(key (first {:a 1})) (val (first {:a 1}))]
;=> [:a 1]
(key 5)
;!> type_error key: expected a [key value] pair, got number 5
(entries {:b 1 "c" 2 3 4 nil 5})
;=> ([3 4] [nil 5] [:b 1] ["c" 2])

; Writing.
[(assoc nil :a 1) (assoc {:a 1} :a 2 :b 3) (assoc [1 2] 2 3) (assoc [1 2] 0 9) (assoc {} nil nil)]
;=> [{:a 1} {:a 2, :b 3} [1 2 3] [9 2] {nil nil}]
(assoc [1 2] 5 3)
;!> type_error assoc: expected an index from 0 to 2, got number 5
(assoc [1 2] :a 3)
;!> type_error assoc: expected an index from 0 to 2, got keyword :a
(assoc (list 1 2) 0 3)
;!> type_error assoc: expected a map, a vector or nil, got vector (1 2). This is a list; (vec coll) makes a vector of it
(assoc {} :a 1 :b)
;!> arity_error Wrong number of arguments to assoc: expected an odd number, got 4
(assoc {:a 1})
;!> arity_error Wrong number of arguments to assoc: expected 3+, got 1
[(assoc-in nil [:a :b] 1) (assoc-in [[1]] [0 1] 2) (assoc-in {:a 1} [] 2) (assoc-in {} [:a 0] 1)]
;=> [{:a {:b 1}} [[1 2]] {:a 1, nil 2} {:a {0 1}}]
(assoc-in {:a 5} [:a :b] 1)
;!> type_error assoc-in: expected a map, a vector or nil, got number 5
[(dissoc {:a 1 :b 2 :c 3} :a :c :z) (dissoc nil :a) (dissoc {:a 1})]
;=> [{:b 2} nil {:a 1}]
(dissoc [1 2] 0)
;!> type_error dissoc: expected a map or nil, got vector [1 2]
[(update {:a 1} :a inc) (update {} :a (fnil inc 0)) (update {:a 1} :a + 10 100) (update [1 2] 0 inc) (update nil :a vector)]
;=> [{:a 2} {:a 1} {:a 111} [2 2] {:a [nil]}]
(update {} :a inc)
;!> type_error inc: expected a number, got nil. Nothing stands there yet; use (fnil inc 0)
[(update-in {:a {:b 1}} [:a :b] + 5) (update-in {} [:a :b] (fnil conj []) 1) (update-in [{:n 1}] [0 :n] inc)]
;=> [{:a {:b 6}} {:a {:b [1]}} [{:n 2}]]
(update-in {:a 1} [] (constantly 2))
;=> {:a 1, nil 2}
(keys (assoc (dissoc {:a 1 :b 2} :a) :a 3))
;=> (:b :a)
(let [before {:a [1]} after (update before :a conj 2)] [before after])
;=> [{:a [1]} {:a [1 2]}]

; Combining.
[(merge) (merge nil nil) (merge nil {:a 1}) (merge {:a 1} nil {:b 2} {:a 3}) (merge {:a 1} [:b 2]) (merge {})]
;=> [nil nil {:a 1} {:a 3, :b 2} {:a 1, :b 2} {}]
(merge {:a 1} 5)
;!> type_error merge: expected a map, got number 5
(merge [1 2] 3)
;!> type_error merge: expected maps, got vector [1 2]
[(merge-with + {:a 1} {:a 2 :b 3} {:a 10}) (merge-with into {:a [1]} {:a [2]}) (merge-with + nil {:a 1}) (merge-with +)]
;=> [{:a 13, :b 3} {:a [1 2]} {:a 1} nil]
(into {} (map (fn [[k v]] [v k]) {:a 1 :b 2}))
;=> {1 :a, 2 :b}

; Making.
[(zipmap [:a :b :c] [1 2]) (zipmap nil [1]) (zipmap "ab" [1 2]) (zipmap [:a :a] [1 2])]
;=> [{:a 1, :b 2} {} {"a" 1, "b" 2} {:a 2}]
(zipmap [:a :b] (range))
;=> {:a 0, :b 1}
[(hash-map) (hash-map :z 1 :a 2) (array-map :a 1 :b 2 :a 3)]
;=> [{} {:z 1, :a 2} {:a 3, :b 2}]
(hash-map :a)
;!> arity_error Wrong number of arguments to hash-map: expected an even number, got 1
[(update-vals {:a 1 :b 2} inc) (update-vals nil inc) (update-vals [1 2] inc) (update-keys {:a 1} name) (update-keys {1 :a 2 :b} odd?)]
;=> [{:a 2, :b 3} {} [2 3] {"a" 1} {true :a, false :b}]
(update-vals inc {:a 1})
;!> type_error update-vals: expected a map, got function #<builtin>. Arguments look swapped; use (update-vals map f)

; Sorted.
[(sorted-map :b 1 :a 2) (assoc (sorted-map 2 :b) 1 :a) (merge (sorted-map :b 1) {:a 2}) (sorted-map 1.5 :x 1 :y nil :z)]
;=> [{:a 2, :b 1} {1 :a, 2 :b} {:a 2, :b 1} {nil :z, 1 :y, 1.5 :x}]
(sorted-map :a 1 "b" 2)
;!> type_error cannot compare string "b" with keyword :a
[(= (sorted-map :a 1) {:a 1}) (sorted? (assoc (sorted-map) :a 1)) (first (sorted-map :b 1 :a 2)) (dissoc (sorted-map :a 1 :b 2) :a)]
;=> [true true [:a 2] {:b 2}]
(reduce (fn [m i] (assoc m i (* i i))) {} (range 12))
;=> {0 0, 1 1, 2 4, 3 9, 4 16, 5 25, 6 36, 7 49, 8 64, 9 81, 10 100, 11 121}
[(= {1 :a} {1.0 :a}) (get {1 :a} 1.0) (get {[1 2] :v} '(1 2)) (get {nil :n} nil)]
;=> [false nil :v :n]

;; Large maps: keys that differ in their high bits are found without long probes, which would cost ticks.
(count (into {} (map (fn [k] [(bit-shift-left k 20) 0]) (range 100000))))
;=> 100000
;ticks> 300000
;; A map that is filled at one end and emptied at the other.
(loop [queue {} k 0] (if (= k 50000) (take 2 queue) (recur (dissoc (assoc queue k 0) (- k 50)) (inc k))))
;=> ([49950 0] [49951 0])
;; The first entry is found at once however many were removed; else this takes minutes.
(loop [left (zipmap (range 150000) (range)) n 0] (if-let [[k] (first left)] (recur (dissoc left k) (inc n)) n))
;=> 150000
