[((fn [x] (inc x)) 1) (#(+ %1 %2) 1 2) (#(* 2 %) 4) (#(vector %& %) 1 2 3) (#(do 7))]
;=> [2 3 8 [(2 3) 1] 7]
[(#([% 1]) 5) (#(42)) ((fn f [n] (if (< n 2) 1 (* n (f (dec n))))) 5)]
;=> [[5 1] 42 120]
((fn [x] x))
;!> arity_error Wrong number of arguments to fn: expected 1, got 0
(#(+ 1 #(+ 2 %)))
;!> invalid_form Nested #() are not allowed at line 1, column 8
(+ % 1)
;!> invalid_placeholder Placeholder '%' is only allowed inside #() at line 1, column 4
[((comp inc #(* 2 %)) 5) ((comp) 1) ((partial + 1 2) 3) ((complement odd?) 1) ((juxt inc dec) 5) ((constantly 1) 2 3)]
;=> [11 1 6 false [6 4] 1]
[((fnil + 0) nil 5) ((every-pred odd? pos?) 3 5) ((some-fn :a :b) {:b 2}) (apply + 1 [2 3]) (apply max [1 9 3]) (identity 5)]
;=> [5 true 2 6 9 5]
(apply + 1 2)
;!> type_error apply: expected a collection, got number 2
[(map {:a 1 :b 2} [:a :b]) (filter #{1 2} [1 3 2]) (map [:x :y] [1 0]) (map :n [{:n 1} {}])]
;=> [(1 2) (1 2) (:y :x) (1 nil)]
(5 1)
;!> not_callable cannot call number 5 as a function
("a" 1)
;!> not_callable cannot call string "a" as a function
(nil)
;!> not_callable cannot call nil as a function
([1 2] 5)
;!> type_error vector: expected an index below 2, got number 5
(:a)
;!> arity_error Wrong number of arguments to :a: expected 1 or 2, got 0
(let [f (memoize (fn [x] (println "computing" x) (* x x)))] [(f 3) (f 3)])
;out> computing 3
;=> [9 9]
[inc (comp inc dec) (fn [a & b] a) #(+ % 1) :k map]
;=> [#<builtin> #<builtin> #fn[a & b] #fn[%1] :k #<builtin>]
(let [f (let [k 10] (fn [x] (+ x k)))] (map f [1 2]))
;=> (11 12)
[(reduce (fn [acc x] (if (> x 2) (reduced acc) (+ acc x))) 0 [1 2 3 4]) (unreduced (reduced 1)) (reduced? 1)]
;=> [3 1 false]
