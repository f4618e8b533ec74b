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
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
((map inc) 1)
;=> #<builtin>
