[(if true 1) (if nil 1) (if 0 1 2) (if-not false 1 2) (when 1 2 3) (when nil 1) (when-not nil 1)]
;=> [1 nil 1 1 3 nil 1]
(if)
;!> invalid_arity Wrong number of arguments to if: expected 2 or 3, got 0 at line 1, column 1
[(cond) (cond false 1) (cond nil 1 :else 2) (cond 1 2 3 4)]
;=> [nil nil 2 2]
[(and) (and 1 2) (and nil 1) (or) (or nil false) (or nil 3)]
;=> [true 2 nil nil false 3]
[(case 2 1 :one (2 3) :some :other) (case :x :y 1) (case [1 2] [1 2] :pair) (case nil nil :nil)]
;=> [:some nil :pair :nil]
[(condp = 2 1 :one 2 :two :none) (condp some [1 2] #{3} :>> inc #{2} :>> inc) (condp = 5 1 :one)]
;=> [:two 3 nil]
(let [a 1 b (+ a 1) [c d] [a b]] [a b c d])
;=> [1 2 1 2]
(let [a])
;!> invalid_form Invalid let: bindings must be a vector with an even number of forms. 'a' has no value at line 1, column 1
[(if-let [x 1] x :none) (if-let [x nil] x :none) (when-let [x 5] (inc x)) (if-some [x false] [x] :none) (when-some [x nil] 1)]
;=> [1 :none 6 [false] nil]
[(when-first [x [1 2]] x) (when-first [x []] 1) (do) (do 1 2)]
;=> [1 nil nil 2]
[(-> 5 inc (- 2)) (->> [1 2] (map inc) (reduce +)) (as-> 1 x (+ x 1) [x x]) (cond-> 1 true inc false (* 10)) (some-> {:a nil} :a inc)]
;=> [4 5 [2 2] 2 nil]
(loop [i 0 acc []] (if (< i 3) (recur (inc i) (conj acc i)) acc))
;=> [0 1 2]
(loop [i 0] (inc (recur 1)))
;!> invalid_form recur must be in tail position at line 1, column 18
[(for [x [1 2] y [:a :b]] [x y]) (for [x (range 6) :when (odd? x) :let [y (* x x)] :while (< y 20)] y)]
;=> [([1 :a] [1 :b] [2 :a] [2 :b]) (1 9)]
(doseq [x [1 2] y "ab"] (println x y))
;out> 1 a
;out> 1 b
;out> 2 a
;out> 2 b
;=> nil
(dotimes [i 2] (print i))
;out> 01
;=> nil
(letfn [(even* [n] (if (zero? n) true (odd* (dec n)))) (odd* [n] (if (zero? n) false (even* (dec n))))] (even* 10))
;=> true
[(try (throw "x") (catch Exception e (:message e))) (try 1 (finally 2)) (try (/ 1 0) (catch ArithmeticException e (:kind e)))]
;=> ["x" 1 :arithmetic_error]
(throw (ex-info "broken" {:code 7}))
;!> thrown broken
(try (throw (ex-info "broken" {:code 7})) (catch Exception e [(ex-message e) (ex-data e)]))
;=> ["broken" {:code 7}]
(assert (= 1 2))
;!> assertion_failed Assert failed: (= 1 2)
(lazy-seq [1])
;=> (1)
(ns my.app (:require [clojure.string :as str]))
;=> nil
(do (println "before") (return 7) (println "never"))
;out> before
;return> 7
(->> [1 2] (map inc) fail)
;fail> (2 3)
[(doto {:a 1} (assoc :b 2)) (some->> [1 2] (map inc) first) (cond->> [1] true (map inc))]
;=> [{:a 1} 2 (2)]
