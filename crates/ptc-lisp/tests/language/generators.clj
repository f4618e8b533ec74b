[(take 3 (range)) (take 2 (repeat :x)) (take 3 (iterate #(* 2 %) 1)) (take 4 (cycle [1 2])) (take-while #(< % 3) (range)) (first (range)) (second (range)) (nth (range) 5)]
;=> [(0 1 2) (:x :x) (1 2 4) (1 2 1 2) (0 1 2) 0 1 5]
[(take 2 (drop 3 (range))) (take 2 (rest (range))) (take 2 (map inc (range))) (take 2 (filter odd? (range))) (take 2 (map-indexed vector (repeat :a)))]
;=> [(3 4) (1 2) (1 2) (1 3) ([0 :a] [1 :a])]
[(map vector (range) [:a :b]) (mapv + [1 2] (range)) (zip [:x] (range)) (interleave [:a :b] (range)) (zipmap [:a :b] (range))]
;=> [([0 :a] [1 :b]) [1 3] ([:x 0]) (:a 0 :b 1) {:a 0, :b 1}]
(let [[a b] (range)] [a b])
;=> [0 1]
[(into [] (take 3) (range)) (sequence (comp (filter even?) (take 2)) (range))]
;=> [[0 1 2] (0 2)]
[(cycle []) (repeat 3 1) (repeat -1 1) (take 0 (range)) (repeatedly 2 (constantly 7))]
;=> [() (1 1 1) () () (7 7)]
(count (range))
;!> infinite_sequence cannot realise an unbounded sequence; use (take n …)
(println (range))
;!> infinite_sequence cannot realise an unbounded sequence; use (take n …)
(return (range))
;!> infinite_sequence cannot realise an unbounded sequence; use (take n …)
(reduce + (range))
;!> infinite_sequence cannot realise an unbounded sequence; use (take n …)
(map vector (range) (range))
;!> infinite_sequence cannot realise an unbounded sequence; use (take n …)
(into [] (map inc) (range))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (into [] (map inc) (range)); bound the loop, recursion or sequence that runs it
((map inc) 1)
;=> #<builtin>
;; What lazy-seq gives may end; it is a list where it leaves the program, at any depth.
(defn down [n] (lazy-seq (when (pos? n) (cons n (down (dec n))))))
;=> #'down
[(down 2) {:a [(down 1)]} (str (down 2)) (with-out-str (print [(down 2)])) (json/generate-string {:a (down 2)})]
;=> [(2 1) {:a [(1)]} "(2 1)" "[(2 1)]" "{\"a\":[2,1]}"]
(do (println (down 2)) (pprint (down 2)) (return {:rows (down 2)}))
;out> (2 1)
;out> (2 1)
;return> {:rows (2 1)}
;; Its body runs each time that it is read; doall makes a list of it.
(let [s (lazy-seq (println "read") [1 2])] [(first s) (count s)])
;out> read
;out> read
;=> [1 2]
(let [s (doall (lazy-seq (println "read") [1 2]))] [(first s) (count s)])
;out> read
;=> [1 2]
(lazy-seq (range))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(defn endless [] (lazy-seq (endless)))
;=> #'endless
(endless)
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(count (lazy-seq (range)))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (count (lazy-seq (range))); bound the loop, recursion or sequence that runs it
(first (lazy-seq 5))
;!> type_error lazy-seq: expected a collection, got number 5
