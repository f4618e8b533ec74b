(let [[a b & r :as all] [1 2 3 4]] [a b r all])
;=> [1 2 (3 4) [1 2 3 4]]
(let [[a b & r] [1]] [a b r])
;=> [1 nil nil]
(let [[a [b c]] [1 [2 3]] [x y] "hi" [z] nil] [a b c x y z])
;=> [1 2 3 "h" "i" nil]
(let [[a] {:k 1}] a)
;!> destructure_error cannot destructure map {:k 1} as a sequence
(let [[a] #{1}] a)
;!> destructure_error cannot destructure set #{1} as a sequence
(let [{:keys [a b] :or {b 2} :as m} {:a 1}] [a b m])
;=> [1 2 {:a 1}]
(let [{a :x {b :y} :z} {:x 1 :z {:y 2}}] [a b])
;=> [1 2]
(let [{:strs [s] :keys [:k n/q]} {"s" 1 :k 2 :n/q 3}] [s k q])
;=> [1 2 3]
(let [{:keys [max-price]} {"max_price" 9}] max-price)
;=> 9
(let [{:keys [a] :or {a 5}} {:a nil}] a)
;=> nil
(let [{:keys [a b] :or {b (inc a)}} {:a 1}] [a b])
;=> [1 2]
(let [{:keys [a]} nil {:keys [b]} 5 {x 0} [7]] [a b x])
;=> [nil nil 7]
((fn [x & {:keys [k] :or {k 3}}] [x k]) 1 :k 2)
;=> [1 2]
((fn [{:keys [a]} [b]] [a b]) {:a 1} [2])
;=> [1 2]
(for [[k v] {:a 1 :b 2}] [v k])
;=> ([1 :a] [2 :b])
(let [[a &] [1]] a)
;!> invalid_form Invalid binding: & must be followed by exactly one pattern at line 1, column 10
(let [[_ _ x] [1 2 3]] x)
;=> 3
(loop [[x & more] [1 2 3] sum 0] (if x (recur more (+ sum x)) sum))
;=> 6
(let [[a b] (map inc [1 2])] [a b])
;=> [2 3]
(let [[a b] (range)] [a b])
;=> [0 1]
(let [x [1]] (for [{:keys [a] :or {a x}} [{} {:a 2} {}]] a))
;=> ([1] 2 [1])
