[(+) (*) (+ 1 2.0) (- 5) (- 5 2 1) (/ 10 4) (/ 10 5) (/ 2) (/ 1.0 0) (* 2 3 4)]
;=> [0 1 3.0 -5 2 2.5 2 0.5 ##Inf 24]
(/ 1 0)
;!> arithmetic_error Divide by zero
(+ 9223372036854775807 1)
;!> arithmetic_error integer overflow
(+ 1 nil)
;!> type_error +: expected a number, got nil
(+ 1 "2")
;!> type_error +: expected a number, got string "2"
[(quot 7 -2) (rem 7 -2) (mod 7 -2) (mod -7 2) (quot 7.5 2) (rem 7.5 2)]
;=> [-3 1 -1 1 3.0 1.5]
(mod 5 0)
;!> arithmetic_error Divide by zero
[(max 1 2.0 3) (min 1 1.0) (max 1 ##NaN) (abs -2.5) (inc 1.5) (dec 0)]
;=> [3 1.0 ##NaN 2.5 2.5 -1]
[(floor -1.5) (ceil 1.2) (trunc -1.7) (round 2.5) (round -2.5) (round 3.14159 2) (Math/floor -1.5) (Math/round -2.5)]
;=> [-2 2 -1 3 -3 3.14 -2.0 -2]
[(sqrt 9) (pow 2 10) (Math/pow 2 0.5) (Math/sqrt -1) (Math/abs -3) (Math/signum -2.0)]
;=> [3.0 1024.0 1.4142135623730951 ##NaN 3 -1.0]
[(int 3.9) (int -3.9) (int \A) (long 2.5) (double 3) (float 1.5)]
;=> [3 -3 65 2 3.0 1.5]
(int "abc")
;!> type_error int: expected a number, got string "abc"
(int ##NaN)
;!> arithmetic_error cannot convert NaN to an integer
[(bit-and 12 10) (bit-or 12 10) (bit-xor 12 10) (bit-shift-left 1 10) (bit-not 0) (bit-test 5 2) (unsigned-bit-shift-right -1 60)]
;=> [8 14 6 1024 -1 true 15]
[(= 1 1.0) (== 1 1.0) (= 0.0 -0.0) (= ##NaN ##NaN) (< 1 2 3) (< 1 3 2) (>= 2 2 1) (not= 1 2)]
;=> [false true true false true false true true]
(< 1 "2")
;!> type_error <: expected a number, got string "2"
[(compare 1 2) (compare "a" "b") (compare nil 1) (compare [1 2] [1 3]) (compare :b :a) (compare 1 1.0)]
;=> [-1 -1 -1 -1 1 0]
(compare 1 "a")
;!> type_error cannot compare number 1 with string "a"
[0.1 (+ 0.1 0.2) 1e7 1e-3 1e-4 123456.789 -0.0 1e21 100.0]
;=> [0.1 0.30000000000000004 1.0E7 0.001 1.0E-4 123456.789 -0.0 1.0E21 100.0]
[(even? 4) (odd? 3) (zero? 0.0) (pos? -1) (neg? -0.5) (even? "x") (zero? nil)]
;=> [true true true false true false false]
[(sum [1 2 nil 3.5]) (avg [1 2 3]) (sum []) (avg []) (sum-by :n [{:n 1} {:n 2}]) (max-by :n [{:n 1} {:n 5}]) (max-key count "a" "bbb")]
;=> [6.5 2.0 0 nil 3 {:n 5} "bbb"]
[POSITIVE_INFINITY NEGATIVE_INFINITY NaN]
;=> [##Inf ##-Inf ##NaN]
(Math/scalb 1.5 2)
;=> 6.0
(get {0.5 :half} (/ 1 2))
;=> :half
[(float? (/ 1 3)) (= 0.5 (/ 1 2)) (str (/ 5 3)) (hash-set 0.5 (/ 1 2))]
;=> [true true "1.6666666666666667" #{0.5}]

;; A quotient knows its dividend and divisor to the last digit.
(for [above [-9223372036854775808 -9223372036854775807 -12345678901 -1 7 9007199254740993 9223372036854775807]
      below [-9223372036854775808 -3 2 1000003 9223372036854775807]
      :when (not= above (* below (/ above below)))]
  [above below])
;=> ()
;; What grows too large is a plain float.
(let [least (/ 1 9223372036854775807)] [(* least least) (= (+ least least) (/ 2 9223372036854775807))])
;=> [1.1754943508222865E-38 true]
(- (/ -9223372036854775808 3) (/ 9223372036854775807 2))
;=> -7.686143364045647E18
