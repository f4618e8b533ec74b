;;;; moving average and deltas
(def prices [10 12 11 15 14 18])
(defn moving-avg [n xs] (map #(/ (reduce + %) (double n)) (partition n 1 xs)))
(defn deltas [xs] (map - (rest xs) xs))
(defn pct [a b] (format "%.1f%%" (* 100.0 (/ (- b a) a))))
{:ma (moving-avg 3 prices)
 :deltas (deltas prices)
 :pcts (mapv (fn [[a b]] (pct a b)) (partition 2 1 prices))
 :running-max (reductions max prices)
 :up? (map pos? (deltas prices))
 :streaks (map (juxt first count) (partition-by identity (map pos? (deltas prices))))
 :cum (vec (reductions + prices))}
;=> {:ma (11.0 12.666666666666666 13.333333333333334 15.666666666666666), :deltas (2 -1 4 -1 4), :pcts ["20.0%" "-8.3%" "36.4%" "-6.7%" "28.6%"], :running-max (10 12 12 15 15 18), :up? (true false true false true), :streaks ([true 1] [false 1] [true 1] [false 1] [true 1]), :cum [10 22 33 48 62 80]}
;;;; number formatting again
[(str 1.0) (str 100.0) (str 1e7) (str 1.5e-5) (str 123456789.0) (str 0.1) (str -0.0) (str (* 1.0 100)) (str 1e100) (str 12345.678) (str 9999999.0) (str 0.00123) (str 1e-3) (str 3.0e10)
 (+ 0.1 0.2) (* 1.1 1.1) (- 0.3 0.1) (/ 10 4.0) (/ 9 3) (double 1) (float 2.5) (int 3.9) (long -3.9) (quot 17 5) (rem -17 5) (mod -17 5) (Math/round 2.5) (Math/round -2.5) (Math/round 2.4) (Math/floor 2.7) (Math/ceil 2.1) (Math/sqrt 16) (Math/pow 2 10) (Math/abs -5) (Math/max 1 2) (Math/abs -2.5)
 (max 1 2.0) (min 1.0 1) (inc 1.5) (dec 0) (+ 1 2.0) (* 2 0.5) (== 1 1.0) (= 1 1.0) (< 1 2 3) (> 3 2 2) (zero? 0.0) (pos? -1) (even? 0) (bit-and 12 10) (bit-or 12 3) (bit-xor 5 1) (bit-shift-left 1 10) (bit-shift-right 1024 3) (abs -7)]
;=> ["1.0" "100.0" "1.0E7" "1.5E-5" "1.23456789E8" "0.1" "-0.0" "100.0" "1.0E100" "12345.678" "9999999.0" "0.00123" "0.001" "3.0E10" 0.30000000000000004 1.2100000000000002 0.19999999999999998 2.5 3 1.0 2.5 3 -3 3 -2 3 3 -2 2 2.0 3.0 4.0 1024.0 5 2 2.5 2.0 1 2.5 -1 3.0 1.0 true false true false true false true 8 15 4 1024 128 7]
;;;; numbers third
[(+ 0.1 0.2) (* 1.1 1.1) (/ 10 4.0) (/ 9 3) (double 1) (float 2.5) (int 3.9) (long -3.9) (quot 17 5) (rem -17 5) (mod -17 5) (Math/round 2.5) (Math/round -2.5) (Math/floor 2.7) (Math/pow 2 10)
 (max 1 2.0) (min 1.0 1) (inc 1.5) (+ 1 2.0) (== 1 1.0) (< 1 2 3) (bit-and 12 10) (bit-xor 5 1) (bit-shift-left 1 10) (reduce + (map #(/ % 2.0) (range 5))) (apply max [3 1 2]) (/ 1.0 0) (/ -1.0 0) (Math/sqrt -1) (* 1.0 1e308 10) Double/MAX_VALUE Long/MAX_VALUE Integer/MAX_VALUE
 (/ (reduce + [1 2 3 4]) 4.0) (Math/log 1) (Math/exp 0) (Math/log10 1000) (Math/cbrt 27) (Math/signum -2.0) (Math/hypot 3 4) (quot 7.5 2) (rem 7.5 2) (mod -7.5 2) 1e3 1.5e300 0x1F 017 2r101 1N 36rZ]
;=> [0.30000000000000004 1.2100000000000002 2.5 3 1.0 2.5 3 -3 3 -2 3 3 -2 2.0 1024.0 2.0 1 2.5 3.0 true true 8 4 1024 5.0 3 ##Inf ##-Inf ##NaN ##Inf 1.7976931348623157E308 9223372036854775807 2147483647 2.5 0.0 1.0 3.0 3.0 -1.0 5.0 3.0 1.5 0.5 1000.0 1.5E300 31 15 5 1 35]
;clojure> [0.30000000000000004 1.2100000000000002 2.5 3 1.0 2.5 3 -3 3 -2 3 3 -2 2.0 1024.0 2.0 1 2.5 3.0 true true 8 4 1024 5.0 3 ##Inf ##-Inf ##NaN ##Inf 1.7976931348623157E308 9223372036854775807 2147483647 2.5 0.0 1.0 3.0 3.0 -1.0 5.0 3.0 1.5 0.5 1000.0 1.5E300 31 15 5 1N 35]
;deviation> no ratios or decimals
;;;; roman numerals and base conversion
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn roman [n] (loop [n n out ""] (if (zero? n) out (let [[v s] (first (filter #(<= (first %) n) numerals))] (recur (- n v) (str out s))))))
(defn unroman [s] (let [vs (map {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000} s)] (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vs (concat (rest vs) [nil])))))
(defn to-base [n b] (if (< n b) (str n) (str (to-base (quot n b) b) (rem n b))))
[(map roman [1 4 9 14 40 90 400 1994 2024]) (map unroman ["IV" "MCMXCIV"]) (to-base 10 2) (Integer/toString 255 16) (Long/toBinaryString 5) (Integer/parseInt "1010" 2) (Long/parseLong "ff" 16) (reduce #(+ (* 2 %1) %2) (map #(Character/digit % 2) "1011"))]
;=> [("I" "IV" "IX" "XIV" "XL" "XC" "CD" "MCMXCIV" "MMXXIV") (4 1994) "1010" "ff" "101" 10 255 11]
;;;; histogram with strings
(let [data [3 1 4 1 5 9 2 6 5 3 5]
      freq (into (sorted-map) (frequencies data))]
  (doseq [[k n] freq] (println (format "%2d | %-6s| %d" k (apply str (repeat n "*")) n)))
  {:mode (key (apply max-key val freq)) :median (nth (sort data) (quot (count data) 2)) :range (- (apply max data) (apply min data))
   :stddev (let [m (/ (reduce + data) (double (count data)))] (format "%.4f" (Math/sqrt (/ (reduce + (map #(Math/pow (- % m) 2) data)) (count data)))))
   :keys (keys freq) :bucket (group-by #(quot % 3) data) :first-dup (reduce (fn [seen x] (if (seen x) (reduced x) (conj seen x))) #{} data)})
;out>  1 | **    | 2
;out>  2 | *     | 1
;out>  3 | **    | 2
;out>  4 | *     | 1
;out>  5 | ***   | 3
;out>  6 | *     | 1
;out>  9 | *     | 1
;=> {:mode 5, :median 4, :range 8, :stddev "2.2563", :keys (1 2 3 4 5 6 9), :bucket {1 [3 4 5 5 3 5], 0 [1 1 2], 3 [9], 2 [6]}, :first-dup 1}
;;;; tax brackets, interest, rounding
(def brackets [[10000 0.1] [40000 0.2] [##Inf 0.4]])
(defn tax [income] (loop [[[cap rate] & more] brackets prev 0 total 0.0] (let [slice (- (min income cap) prev)] (if (<= income cap) (+ total (* slice rate)) (recur more cap (+ total (* slice rate)))))))
(defn compound [p r n] (reduce (fn [b _] (* b (+ 1 r))) p (range n)))
(defn round2 [x] (/ (Math/round (* x 100.0)) 100.0))
[(map tax [5000 10000 25000 100000]) (round2 (compound 1000 0.05 10)) (map round2 [1.005 2.675 1.0 -1.555]) (map #(Math/round (double %)) [0.5 1.5 -0.5 2.4999]) (format "%.2f" (compound 1000.0 0.05 10)) (int 2.99) (int -2.99) (Math/floor -2.5) (quot -7 2) (mod -7 2) (rem -7 2) (map #(/ % 4) [4 8 10.0]) (reduce + 0.0 [0.1 0.2 0.3]) (double 7) (* 1.0 7) (str (* 100 1.1)) (== 3 3.0) (max 1 2.5 2) (/ 22 7.0) (float 1.1)]
;=> [(500.0 1000.0 4000.0 31000.0) 1628.89 (1.0 2.68 1.0 -1.55) (1 2 0 2) "1628.89" 2 -2 -3.0 -3 1 -1 (1 2 2.5) 0.6000000000000001 7.0 7.0 "110.00000000000001" true 2.5 3.142857142857143 1.1]
;;;; invoice rounding
(defn round2 [x] (/ (Math/round (* x 100.0)) 100.0))
(def tax-rate 0.0825)
(def invoice
  {:id "INV-001"
   :customer {:name "Acme" :tier :gold}
   :lines [{:sku "A1" :qty 3 :price 19.99}
           {:sku "B2" :qty 10 :price 4.5}
           {:sku "C3" :qty 1 :price 249.0 :discount 0.1}]})
(defn line-total [{:keys [qty price discount] :or {discount 0}}]
  (round2 (* qty price (- 1 discount))))
(defn tier-discount [tier] (case tier :gold 0.05 :silver 0.02 0))
(let [subtotal (reduce + (map line-total (:lines invoice)))
      disc (round2 (* subtotal (tier-discount (get-in invoice [:customer :tier]))))
      taxable (- subtotal disc)
      tax (round2 (* taxable tax-rate))
      total (round2 (+ taxable tax))]
  {:lines (map (juxt :sku line-total) (:lines invoice))
   :subtotal (round2 subtotal) :discount disc :tax tax :total total
   :text (format "Total due for %s: $%,.2f" (get-in invoice [:customer :name]) total)})
;=> {:lines (["A1" 59.97] ["B2" 45.0] ["C3" 224.1]), :subtotal 329.07, :discount 16.45, :tax 25.79, :total 338.41, :text "Total due for Acme: $338.41"}
;;;; number printing
[1e10 1e-5 (+ 0.1 0.2) 1e7 1.0e6 123456789.123 0.001 0.0001 (/ 1.0 3) (double 5) (* 1.0 100) 1e21 1.5e300 (float 2.5) -0.0 (/ 10 2) (/ 10 4.0) (str 1e10) (str 1.0E-10) 100.0 12345678.9 (Math/sqrt 2) (Math/pow 2 10) (* 1.1 1.1) (- 0.3 0.1) 3.0e0 9007199254740993.0 (double 1234567) (double 12345678) 0.1e-2 5e-324 1.7976931348623157E308]
;=> [1.0E10 1.0E-5 0.30000000000000004 1.0E7 1000000.0 1.23456789123E8 0.001 1.0E-4 0.3333333333333333 5.0 100.0 1.0E21 1.5E300 2.5 -0.0 5 2.5 "1.0E10" "1.0E-10" 100.0 1.23456789E7 1.4142135623730951 1024.0 1.2100000000000002 0.19999999999999998 3.0 9.007199254740992E15 1234567.0 1.2345678E7 0.001 4.9E-324 1.7976931348623157E308]
;;;; integer division
[(quot 7 2) (quot -7 2) (rem -7 2) (mod -7 2) (mod 7 -2) (rem 7 -2) (mod -7.5 2) (quot 7.5 2) (mod 10 3.3) (Math/floorMod -7 3) (Math/floorDiv -7 2) (int 3.99) (int -3.99) (long 2.5) (Math/round 2.5) (Math/round -2.5) (Math/round 3.49) (Math/ceil 2.1) (Math/floor -2.1) (Math/abs -5) (max 1 2.0) (min 3 1 2) (Math/max 1 2) (Integer/parseInt "42") (Integer/parseInt "-7") (Long/parseLong "123") (parse-long "12") (parse-double "1.5") (bit-and 12 10) (bit-or 12 10) (bit-xor 12 10) (bit-shift-left 1 10) (bit-shift-right 1024 3) (bit-not 5) (bit-test 5 2) (Integer/toBinaryString 10) (Integer/toHexString 255) (Long/toString 255 2) (Integer/parseInt "ff" 16) (Long/parseLong "1010" 2)]
;=> [3 -3 -1 1 -1 1 0.5 3.0 0.10000000000000142 2 -4 3 -3 2 3 -2 3 3.0 -3.0 5 2.0 1 2 42 -7 123 12 1.5 8 14 6 1024 128 -6 true "1010" "ff" "11111111" 255 10]
;;;; nan and inf
[(/ 1.0 0) (/ -1.0 0) (Double/isNaN (/ 0.0 0.0)) (< 1 ##Inf) (max 1 ##Inf) (str ##Inf) (pr-str ##NaN) (= ##NaN ##NaN) (Double/isInfinite ##-Inf) (min ##Inf 5) (reduce min ##Inf [3 1 2]) (str (/ 0.0 0.0)) (infinite? ##Inf) (NaN? ##NaN) (> ##-Inf Long/MIN_VALUE)]
;=> [##Inf ##-Inf true true ##Inf "Infinity" "##NaN" false true 5 1 "NaN" true true false]
;;;; luhn and isbn
(defn isbn? [s] (let [ds (keep #(cond (Character/isDigit %) (Character/digit % 10) (= % \X) 10) s)] (and (= 10 (count ds)) (zero? (mod (apply + (map * ds (range 10 0 -1))) 11)))))
[(isbn? "3-598-21508-8") (isbn? "3-598-21507-X") (isbn? "3-598-21508-9")]
;=> [true true false]
;;;; histogram
(defn bar [n] (apply str (repeat n "*")))
(let [data [1 1 2 3 3 3 5] fr (frequencies data)]
  (doseq [i (range 1 6)] (println i (bar (get fr i 0))))
  (let [n (count data) mean (/ (reduce + data) (double n)) sorted (sort data)
        median (if (odd? n) (nth sorted (quot n 2)) (/ (+ (nth sorted (dec (quot n 2))) (nth sorted (quot n 2))) 2))
        variance (/ (reduce + (map #(Math/pow (- % mean) 2) data)) n)]
    {:mean mean :median median :mode (key (apply max-key val fr)) :sd (Math/sqrt variance) :range (- (apply max data) (apply min data))}))
;out> 1 **
;out> 2 *
;out> 3 ***
;out> 4
;out> 5 *
;=> {:mean 2.5714285714285716, :median 3, :mode 3, :sd 1.2936264483053452, :range 4}
;;;; stats percent
(defn percentile [p xs] (let [s (vec (sort xs)) idx (int (Math/ceil (* (/ p 100.0) (count s))))] (nth s (max 0 (dec idx)))))
(def temps [12.5 14.0 9.8 20.1 18.3 11.2])
{:p50 (percentile 50 temps) :p90 (percentile 90 temps) :norm (mapv #(/ (Math/round (* 100.0 (/ (- % 9.8) (- 20.1 9.8)))) 100.0) temps)
 :moving (map #(format "%.2f" (/ (reduce + %) 3)) (partition 3 1 temps)) :deltas (map - (rest temps) temps) :cum (reductions + temps)}
;=> {:p50 12.5, :p90 20.1, :norm [0.26 0.41 0.0 1.0 0.83 0.14], :moving ("12.10" "14.63" "16.07" "16.53"), :deltas (1.5 -4.199999999999999 10.3 -1.8000000000000007 -7.100000000000001), :cum (12.5 26.5 36.3 56.4 74.7 85.9)}
;;;; bigints
[(reduce *' (range 1 26)) (reduce * (map bigint (range 1 22))) (+' 9223372036854775807 1) (* 1N 5)]
;!> arithmetic_error
;clojure> [15511210043330985984000000N 51090942171709440000N 9223372036854775808N 5N]
;deviation> an error where Clojure goes on
;;;; overflow
(try (reduce * (range 1 26)) (catch ArithmeticException e :overflow))
;=> :overflow
;;;; gcd lcm
(defn gcd [a b] (if (zero? b) a (recur b (mod a b))))
(defn lcm [a b] (/ (* a b) (gcd a b)))
[(gcd 48 18) (reduce lcm (range 1 21)) (map #(apply gcd %) [[17 5] [100 75]])]
;=> [6 232792560 (1 25)]
;;;; perfect numbers
(defn divisors [n] (filter #(zero? (rem n %)) (range 1 n)))
(defn classify [n] (let [s (reduce + (divisors n))] (cond (= s n) :perfect (> s n) :abundant :else :deficient)))
(group-by classify (range 2 31))
;=> {:deficient [2 3 4 5 7 8 9 10 11 13 14 15 16 17 19 21 22 23 25 26 27 29], :perfect [6 28], :abundant [12 18 20 24 30]}
;;;; digits
(defn digits [n] (map #(Character/digit % 10) (str n)))
(defn digits2 [n] (loop [n n ds ()] (if (zero? n) ds (recur (quot n 10) (cons (rem n 10) ds)))))
[(digits 1234) (digits2 9075) (filter #(= % (reduce + (map (fn [d] (Math/pow d 3)) (digits %)))) [153 370 371 372]) (filter #(== % (reduce + (map (fn [d] (Math/pow d 3)) (digits %)))) [153 370 371 372]) (reduce #(+ (* 10 %1) %2) [1 2 3]) (Integer/toString 255 16) (Integer/parseInt (apply str (reverse (str 123))))]
;=> [(1 2 3 4) (9 0 7 5) () (153 370 371) 123 "ff" 321]
;;;; base conv
(defn to-base [n b] (if (zero? n) "0" (loop [n n s ""] (if (zero? n) s (recur (quot n b) (str (get "0123456789abcdef" (mod n b)) s))))))
(defn from-base [s b] (reduce (fn [acc c] (+ (* acc b) (Character/digit c b))) 0 s))
[(to-base 255 16) (to-base 10 2) (from-base "ff" 16) (from-base "777" 8) (map #(to-base % 2) (range 5))]
;=> ["ff" "1010" 255 511 ("0" "1" "10" "11" "100")]
;;;; currency exchange
(def rates {[:usd :eur] 0.9 [:eur :gbp] 0.85 [:gbp :usd] 1.3})
(defn convert [amt path] (reduce (fn [a pair] (* a (rates pair))) amt (partition 2 1 path)))
(let [final (convert 1000 [:usd :eur :gbp :usd])] [(format "%.2f" final) (Math/round final) (convert 10 [:usd :eur]) (get rates [:usd :jpy] :none)])
;=> ["994.50" 995 9.0 :none]
;;;; ratio mean
(defn mean [xs] (/ (apply + xs) (count xs)))
[(float (mean [1 2])) (int (mean [1 2])) (double (mean [1 2 5 5])) (mean [2 4]) (format "%.2f" (double (mean [1 2]))) (Math/round (double (mean [1 2]))) (< (mean [1 2]) 2) (Math/floor (mean [3 4])) (quot (apply + [1 2]) 2)]
;=> [1.5 1 3.25 3 "1.50" 2 true 3.0 1]
;;;; fib variants
(def fib-seq (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
(def fib-memo (memoize (fn [n] (if (< n 2) n (+ (fib-memo (- n 1)) (fib-memo (- n 2)))))))
(defn fib-loop [n] (loop [a 0 b 1 i n] (if (zero? i) a (recur b (+ a b) (dec i)))))
[(take 10 fib-seq) (fib-memo 50) (fib-loop 90) (last (take-while #(< % 1000) fib-seq)) (reduce + (filter even? (take-while #(< % 4000000) fib-seq))) (nth fib-seq 20) (some #(when (> % 100) %) fib-seq)]
;=> [(0 1 1 2 3 5 8 13 21 34) 12586269025 2880067194370816120 987 4613732 6765 144]
;;;; lazy fib
(def fibs (lazy-cat [0 1] (map + fibs (rest fibs))))
(take 10 fibs)
;!> undefined_symbol
;clojure> (0 1 1 2 3 5 8 13 21 34)
;deviation> a name deliberately absent
;;;; tokens state
(defn lex [s]
  (loop [cs (seq s) tok "" out []]
    (let [c (first cs) flush (fn [] (if (seq tok) (conj out tok) out))]
      (cond (nil? c) (flush)
            (Character/isWhitespace c) (recur (next cs) "" (flush))
            (#{\( \) \+ \*} c) (recur (next cs) "" (conj (flush) (str c)))
            :else (recur (next cs) (str tok c) out)))))
[(lex "(foo + 12)* x1") (lex "") (lex "  a  ")]
;=> [["(" "foo" "+" "12" ")" "*" "x1"] [] ["a"]]
;;;; hex dump
(map #(format "%02x %s %3d" (int %) (if (Character/isLetter %) % ".") (int %)) "Az~")
;=> ("41 A  65" "7a z 122" "7e . 126")
;;;; avg by double
(defn average [coll] (/ (reduce + coll) (count coll)))
(def scores {:math [80 85 91] :art [70 75] :bio [100 99 98 97 96 95 94]})
{:direct (double (/ (+ 80 85 92) 3)) :pct (* 100.0 (/ 2 7)) :thread (-> (/ 10 3) double) :by (into {} (for [[k v] scores] [k (format "%.2f" (double (average v)))])) :sevenths (double (/ 1 7)) :plus (+ 0.5 (/ 1 6)) :round (/ (Math/round (* 100.0 (/ 355 113))) 100.0) :float-sum (double (/ (+ 1.5 2.5 1) 3)) :neg (double (/ -5 3)) :big (double (/ 1000000 7)) :small (double (/ 1 3000))}
;=> {:direct 85.66666666666667, :pct 28.57142857142857, :thread 3.333333333333333, :by {:math "85.33", :art "72.50", :bio "97.00"}, :sevenths 0.1428571428571429, :plus 0.6666666666666667, :round 3.14, :float-sum 1.6666666666666667, :neg -1.666666666666667, :big 142857.1428571429, :small 3.333333333333333E-4}
;;;; luhn generator style
(defn luhn [n] (->> n str reverse (map #(Character/digit % 10)) (map * (cycle [1 2])) (map #(if (> % 9) (- % 9) %)) (reduce +) (#(mod % 10)) zero?))
(filter luhn [4539578763621486 79927398713 12345])
;=> (4539578763621486 79927398713)
;;;; binary strings
[(Integer/toString 10 2) (Long/toBinaryString 5) (format "%8s" (Integer/toBinaryString 5)) (clojure.string/replace (format "%8s" (Integer/toBinaryString 5)) " " "0") (reduce (fn [acc c] (+ (* 2 acc) (if (= c \1) 1 0))) 0 "1011") (Integer/parseInt "1011" 2) (count (filter #{\1} (Integer/toBinaryString 255))) (Long/bitCount 255) (bit-shift-left 1 4) (Integer/toOctalString 8) (map #(bit-and 1 (bit-shift-right 10 %)) (range 4)) (Long/parseLong "7f" 16) (Integer/toHexString 48879)]
;=> ["1010" "101" "     101" "00000101" 11 11 8 8 16 "10" (0 1 0 1) 127 "beef"]
;;;; number words
(def ones ["zero" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "eleven" "twelve" "thirteen" "fourteen" "fifteen" "sixteen" "seventeen" "eighteen" "nineteen"])
(def tens [nil nil "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])
(defn say [n] (cond (< n 20) (ones n) (< n 100) (str (tens (quot n 10)) (when (pos? (rem n 10)) (str "-" (ones (rem n 10))))) (< n 1000) (str (ones (quot n 100)) " hundred" (when (pos? (rem n 100)) (str " and " (say (rem n 100))))) :else (str (say (quot n 1000)) " thousand" (when (pos? (rem n 1000)) (str " " (say (rem n 1000)))))))
(map say [0 13 42 100 999 1234 20000])
;=> ("zero" "thirteen" "forty-two" "one hundred" "nine hundred and ninety-nine" "one thousand two hundred and thirty-four" "twenty thousand")
;;;; parse money
(defn parse-money [s] (let [[_ sign whole frac] (re-matches #"(-?)\$?([\d,]+)(?:\.(\d{1,2}))?" s)] (when whole (* (if (= sign "-") -1 1) (+ (* 100 (Long/parseLong (clojure.string/replace whole "," ""))) (if frac (Long/parseLong (format "%-2s" frac)) 0))))))
(defn parse-money2 [s] (some-> (re-matches #"(-?)\$?([\d,]+)(?:\.(\d\d))?" s) ((fn [[_ sign w f]] (* (if (= sign "-") -1 1) (+ (* 100 (parse-long (clojure.string/replace w #"," ""))) (or (some-> f parse-long) 0)))))))
[(map parse-money2 ["$1,234.56" "-12" "abc" "99.05"]) (parse-money "$10.25")]
;=> [(123456 -1200 nil 9905) 1025]
;;;; loan schedule
(defn payment [p rate n] (let [r (/ rate 12)] (/ (* p r) (- 1 (Math/pow (+ 1 r) (- n))))))
(defn schedule [p rate n] (let [pay (payment p rate n)] (loop [bal p i 1 out []] (if (> i n) out (let [int (* bal (/ rate 12)) prin (- pay int) nb (- bal prin)] (recur nb (inc i) (conj out [i (format "%.2f" int) (format "%.2f" prin) (format "%.2f" (Math/abs nb))])))))))
(schedule 1000.0 0.12 3)
;=> [[1 "10.00" "330.02" "669.98"] [2 "6.70" "333.32" "336.66"] [3 "3.37" "336.66" "0.00"]]
;;;; compound interest
(for [y (range 1 4)] (let [v (* 1000 (Math/pow 1.05 y))] [y (format "%.2f" v) (/ (Math/floor (* 100 v)) 100) (int v)]))
;=> ([1 "1050.00" 1050.0 1050] [2 "1102.50" 1102.5 1102] [3 "1157.63" 1157.62 1157])
;;;; tax brackets
(def brackets [[10000 0.1] [40000 0.2] [Double/POSITIVE_INFINITY 0.3]])
(defn tax [income] (loop [[[top rate] & more] brackets low 0 owed 0.0] (if (or (nil? top) (<= income low)) owed (recur more top (+ owed (* rate (- (min income top) low)))))))
(map (juxt identity tax) [0 5000 10000 25000 100000])
;=> ([0 0.0] [5000 500.0] [10000 1000.0] [25000 4000.0] [100000 25000.0])
;;;; double of division
(let [xs [3 5 9] n (count xs)]
  {:mean (double (/ (reduce + xs) n)) :pct (for [x xs] (* 100.0 (/ x (reduce + xs)))) :var (/ (reduce + (map #(Math/pow (- % (/ 17.0 3)) 2) xs)) n)
   :sd (Math/sqrt (/ 56 9)) :half (double (/ 7 2)) :third (double (/ 1 3)) :whole (double (/ 6 3)) :neg (double (/ -22 7)) :large (double (/ 123456789 1000)) :inv (* 1.0 (/ 1 7)) :round (/ (Math/round (* 10.0 (/ 22 7))) 10.0) :sub (- 1.0 (/ 5 9)) :div (/ (/ 10 3) 2.0) :pow (Math/pow (/ 4 3) 2) :str (str (double (/ 100 7)))})
;=> {:mean 5.666666666666667, :pct (17.64705882352941 29.411764705882348 52.94117647058824), :var 6.222222222222221, :sd 2.494438257849294, :half 3.5, :third 0.3333333333333333, :whole 2.0, :neg -3.142857142857143, :large 123456.789, :inv 0.1428571428571429, :round 3.1, :sub 0.4444444444444444, :div 1.6666666666666665, :pow 1.777777777777777, :str "14.28571428571429"}
;;;; interop numbers
[(Integer/valueOf 5) (Integer. "12") (Long. "7") (Double. "2.5") (Long/valueOf "8") (.intValue 3.7) (.doubleValue 3) (.longValue 9) (Integer/compare 1 2) (Long/compare 5 5) (Double/compare 1.5 0.5) (Integer/sum 1 2) (Long/max 3 4) (Integer/signum -5) (Math/signum -2.5) (Math/hypot 3 4) (Math/toDegrees Math/PI) (Math/log10 1000) (Math/log Math/E) (Math/cbrt 27) (Math/exp 0) (Math/floorMod -1 5) (Double/valueOf "3.25") (Boolean/parseBoolean "TRUE") (Boolean/valueOf "x") (Math/sin 0) (Math/atan2 1 1) (Double/toString 1.0) (Long/toHexString 255) (Integer/toBinaryString 5) (Integer/bitCount 255) (Long/numberOfTrailingZeros 8) (Math/addExact 1 2)]
;=> [5 12 7 2.5 8 3 3.0 9 -1 0 1 3 4 -1 -1.0 5.0 180.0 3.0 1.0 3.0 1.0 4 3.25 true false 0.0 0.7853981633974483 "1.0" "ff" "101" 8 3 3]
;;;; str of things no ratio
[(str 1.0) (str 1e3) (str 1e7) (str 123456.789) (str 0.1) (str -0.0) (str [1.5 "a" nil :k]) (str {:a nil}) (str #{}) (str nil) (str true) (str \a "b") (str :a/b) (pr-str "a\nb\t\"c\\") (pr-str :k nil 1.5) (pr-str {"k" [1]}) (print-str "a" 1) (str 100000000000) (str 1.23456789012345678) (str (/ 1.0 3)) (str 1e100) (str 12345678.0) (str 1.0E-4) (str 0.001) (str 1234567.0) (str 4.35) (str 2.675) (* 3 1.1) (+ 0.7 0.1) (/ 22 7.0)]
;=> ["1.0" "1000.0" "1.0E7" "123456.789" "0.1" "-0.0" "[1.5 \"a\" nil :k]" "{:a nil}" "#{}" "" "true" "ab" ":a/b" "\"a\\nb\\t\\\"c\\\\\"" ":k nil 1.5" "{\"k\" [1]}" "a 1" "100000000000" "1.2345678901234567" "0.3333333333333333" "1.0E100" "1.2345678E7" "1.0E-4" "0.001" "1234567.0" "4.35" "2.675" 3.3000000000000003 0.7999999999999999 3.142857142857143]
;;;; format rounding
(map #(format "%.2f" %) [0.125 0.135 2.675 1.005 -0.125 0.5 1e10 123.456 0.005 0.015 0.025 99.995 -1.5])
;=> ("0.13" "0.14" "2.68" "1.01" "-0.13" "0.50" "10000000000.00" "123.46" "0.01" "0.02" "0.03" "100.00" "-1.50")
;;;; format zero digits
[(format "%.0f" 0.5) (format "%.0f" 1.5) (format "%.0f" 2.5) (format "%.1f" 0.25) (format "%.1f" 0.35) (format "%5.1f|" 3.14159) (format "%-8.3f|" 3.14159) (format "%+.2f" 1.0) (format "%e" 0.00012345) (format "%.2e" 123456.0) (format "%g" 0.0001) (format "%,d" 1234567890) (format "%,d" -1234) (format "%08d" 42) (format "%+d" 5) (format "%x" 255) (format "%X" 255) (format "%#x" 255) (format "%o" 8) (format "%c" \a) (format "%b" nil) (format "%s" [1 2]) (format "%s" {:a 1}) (format "%10s|" :kw) (format "%-10s|" "ab") (format "%s" nil) (format "%d items" 3) (format "%2$s %1$s" "a" "b") (format "%5d%%" 50) (format "%03d" 7) (format "%s" 1e10) (format "%.3f" 1e-5) (format "%f" 1.5) (format "%,.3f" 9876543.21)]
;=> ["1" "2" "3" "0.3" "0.4" "  3.1|" "3.142   |" "+1.00" "1.234500e-04" "1.23e+05" "0.000100000" "1,234,567,890" "-1,234" "00000042" "+5" "ff" "FF" "0xff" "10" "a" "false" "[1 2]" "{:a 1}" "       :kw|" "ab        |" "null" "3 items" "b a" "   50%" "007" "1.0E10" "0.000" "1.500000" "9,876,543.210"]
;;;; numbers misc small
[(even? 0) (pos? 0) (zero? 0.0) (neg? -0.5) (number? 1) (integer? 1) (float? 1.0) (int? 1) (rational? 1) (== 1 1.0) (= 1 1.0) (not= 1 2) (< 1 2 3) (<= 1 1 2) (> 3 2 2) (compare 1 2) (max 1 2 3) (min 1.5 1) (abs -5) (+) (*) (- 5) (inc 1.5) (dec 0) (rem 5 3) (mod -5 3) (quot 5 3) (Math/pow 2 0.5) (int 5.9) (long 5.1) (double 5) (num 5) (short 5) (byte 5) (unchecked-add 1 2) (unchecked-inc 5) (bit-and 5 3) 0x1F 2r101 1e3 017 36rZ (+ 1 2.0) (* 2 0.5) (/ 9 3) (/ 9.0 2) (- 0.1 0.3)]
;=> [true false true true true true true true true true false true true true false -1 3 1 5 0 1 -5 2.5 -1 2 1 1 1.4142135623730951 5 5 5.0 5 5 5 3 6 1 31 5 1000.0 15 35 3.0 1.0 3 4.5 -0.19999999999999998]
;;;; moving window alert
(def temps [20 21 25 30 31 29 22 20])
(let [windows (partition 3 1 temps) avgs (map #(/ (apply + %) 3.0) windows)]
  {:avgs (map #(format "%.2f" %) avgs) :alerts (keep-indexed (fn [i a] (when (> a 28) {:window i :avg (Math/round a)})) avgs) :trend (map (fn [[a b]] (cond (< a b) :up (> a b) :down :else :flat)) (partition 2 1 temps)) :peaks (for [[a b c] windows :when (and (> b a) (> b c))] b) :runs (map (juxt first count) (partition-by identity (map #(if (> % 25) :hot :ok) temps)))})
;=> {:avgs ("22.00" "25.33" "28.67" "30.00" "27.33" "23.67"), :alerts ({:window 2, :avg 29} {:window 3, :avg 30}), :trend (:up :up :up :up :down :down :down), :peaks (31), :runs ([:ok 3] [:hot 3] [:ok 2])}
;;;; budget variance
(def budget {:rent 1000 :food 400 :fun 150})
(def actual {:rent 1000 :food 455.5 :travel 80})
(into (sorted-map) (for [k (distinct (concat (keys budget) (keys actual))) :let [b (get budget k 0) a (get actual k 0) d (- a b)]] [k {:budget b :actual a :diff d :flag (cond (zero? b) :unplanned (> d 0) :over (neg? d) :under :else :on-track) :pct (when (pos? b) (format "%+.1f%%" (* 100.0 (/ d b))))}]))
;=> {:food {:budget 400, :actual 455.5, :diff 55.5, :flag :over, :pct "+13.9%"}, :fun {:budget 150, :actual 0, :diff -150, :flag :under, :pct "-100.0%"}, :rent {:budget 1000, :actual 1000, :diff 0, :flag :on-track, :pct "+0.0%"}, :travel {:budget 0, :actual 80, :diff 80, :flag :unplanned, :pct nil}}
;;;; hex color
(defn parse-hex [s] (mapv #(Integer/parseInt (apply str %) 16) (partition 2 (subs s 1))))
(defn to-hex [rgb] (apply str "#" (map #(format "%02X" %) rgb)))
(defn blend [a b] (mapv #(quot (+ %1 %2) 2) a b))
[(parse-hex "#FF8000") (to-hex [0 128 255]) (to-hex (apply blend (map parse-hex ["#FFFFFF" "#000000"]))) (map #(bit-and 0xff (bit-shift-right 0xFF8040 %)) [16 8 0]) (bit-or (bit-shift-left 1 16) 5)]
;=> [[255 128 0] "#0080FF" "#7F7F7F" (255 128 64) 65541]
;;;; mean variance let
(let [xs [2 4 4 4 5 5 7 9] n (count xs) mean (/ (reduce + xs) n) var (/ (reduce + (map #(Math/pow (- % mean) 2) xs)) n)] {:mean mean :var var :sd (Math/sqrt var)})
;=> {:mean 5, :var 4.0, :sd 2.0}
;;;; mean variance floats
(defn mean [xs] (/ (reduce + xs) (double (count xs))))
(defn variance [xs] (let [m (mean xs)] (mean (map #(let [d (- % m)] (* d d)) xs))))
(defn std-dev [xs] (Math/sqrt (variance xs)))
(defn zscores [xs] (let [m (mean xs) s (std-dev xs)] (map #(/ (- % m) s) xs)))
(defn correlation [xs ys] (let [mx (mean xs) my (mean ys)] (/ (reduce + (map #(* (- %1 mx) (- %2 my)) xs ys)) (Math/sqrt (* (reduce + (map #(Math/pow (- % mx) 2) xs)) (reduce + (map #(Math/pow (- % my) 2) ys)))))))
(let [xs [3 7 8 12 20]] {:mean (mean xs) :var (variance xs) :sd (std-dev xs) :z (map #(format "%.3f" %) (zscores xs)) :corr (correlation xs [1 2 3 5 8])})
;=> {:mean 10.0, :var 33.2, :sd 5.761944116355173, :z ("-1.215" "-0.521" "-0.347" "0.347" "1.736"), :corr 0.9929535811255565}
;;;; regression
(let [pts [[1 2.1] [2 3.9] [3 6.2] [4 7.8]] n (count pts) sx (reduce + (map first pts)) sy (reduce + (map second pts)) sxy (reduce + (map (fn [[x y]] (* x y)) pts)) sxx (reduce + (map #(* (first %) (first %)) pts)) m (/ (- (* n sxy) (* sx sy)) (- (* n sxx) (* sx sx))) b (/ (- sy (* m sx)) n)] {:slope m :intercept b :predict (+ b (* m 5)) :fmt (format "y = %.3fx + %.3f" m b)})
;=> {:slope 1.9400000000000006, :intercept 0.14999999999999858, :predict 9.850000000000001, :fmt "y = 1.940x + 0.150"}
;;;; percentages
(let [counts {:a 3 :b 5 :c 9} total (reduce + (vals counts))]
  {:pct (update-vals counts #(double (/ (* 100 %) total))) :pct2 (into {} (for [[k v] counts] [k (* 100.0 (/ v total))])) :pct3 (into {} (for [[k v] counts] [k (/ (* 100.0 v) total)])) :r (into {} (map (fn [[k v]] [k (Math/round (* 100.0 (/ v total)))])) counts) :s (map (fn [[k v]] (format "%s %.1f%%" (name k) (* 100 (/ v (double total))))) counts) :d (map #(-> % (/ total) double) (vals counts)) :ratio (map #(double (/ % (apply max (vals counts)))) (vals counts))})
;=> {:pct {:a 17.64705882352941, :b 29.41176470588235, :c 52.94117647058824}, :pct2 {:a 17.64705882352941, :b 29.411764705882348, :c 52.94117647058824}, :pct3 {:a 17.647058823529413, :b 29.41176470588235, :c 52.94117647058823}, :r {:a 18, :b 29, :c 53}, :s ("a 17.6%" "b 29.4%" "c 52.9%"), :d (0.1764705882352941 0.2941176470588235 0.5294117647058824), :ratio (0.3333333333333333 0.5555555555555556 1.0)}
;;;; average each
(def grades {"ann" [90 85 78] "bob" [70 64] "cy" [100 91 83 77 65 51 49]})
(into (sorted-map) (for [[n gs] grades] [n {:avg (double (/ (apply + gs) (count gs))) :f (format "%.2f" (double (/ (apply + gs) (count gs)))) :r (Math/round (double (/ (apply + gs) (count gs)))) :ge80 (>= (/ (apply + gs) (count gs)) 80) :int (int (/ (apply + gs) (count gs))) :q (quot (apply + gs) (count gs))}]))
;=> {"ann" {:avg 84.33333333333333, :f "84.33", :r 84, :ge80 true, :int 84, :q 84}, "bob" {:avg 67.0, :f "67.00", :r 67, :ge80 false, :int 67, :q 67}, "cy" {:avg 73.71428571428571, :f "73.71", :r 74, :ge80 false, :int 73, :q 73}}
;;;; unit price
(map (fn [{:keys [total qty]}] (double (/ total qty))) [{:total 10 :qty 3} {:total 7 :qty 7} {:total 100 :qty 6} {:total 1 :qty 9} {:total 2.5 :qty 2}])
;=> (3.333333333333333 1.0 16.66666666666667 0.1111111111111111 1.25)
;;;; speed
(let [legs [{:km 100 :min 70} {:km 45 :min 33}]] {:each (map #(double (/ (:km %) (/ (:min %) 60.0))) legs) :avg (/ (reduce + (map :km legs)) (/ (reduce + (map :min legs)) 60.0)) :kph (double (/ (* 60 (reduce + (map :km legs))) (reduce + (map :min legs))))})
;=> {:each (85.71428571428571 81.81818181818181), :avg 84.46601941747574, :kph 84.46601941747574}
;;;; gpa
(def points {"A" 4.0 "A-" 3.7 "B+" 3.3 "B" 3.0})
(let [cs [["math" "A" 4] ["art" "B+" 3] ["bio" "A-" 3]] q (reduce + (map (fn [[_ g h]] (* (points g) h)) cs)) h (reduce + (map last cs))] [(/ q h) (format "%.2f" (/ q h)) q h])
;=> [3.7 "3.70" 37.0 10]
;;;; int checks on ratio
[(integer? (/ 6 3)) (== 2 (/ 6 3)) (= 2 (/ 6 3)) (zero? (mod 10 5)) (int (/ 7 2)) (long (/ -7 2)) (Math/round (double (/ 7 2))) (Math/floor (/ 7 2)) (Math/ceil (/ 7 2)) (< 3 (/ 7 2) 4) (compare (/ 7 2) 3) (max 1 (/ 3 2.0)) (pos? (/ 1 3)) (quot 7 2) (* 2 (/ 7 2.0)) (even? (/ 8 2)) (range 0 (/ 9 3)) (nth [:a :b :c] (/ 4 2)) (take (/ 6 2) (range 10)) (str (/ 8 4)) (+ (/ 1 2) (/ 1 2.0)) (Math/abs (/ -8 2)) (format "%d" (/ 8 2)) (format "%.1f" (double (/ 9 2)))]
;=> [true true true true 3 -3 4 3.0 4.0 true 1 1.5 true 3 7.0 true (0 1 2) :c (0 1 2) "2" 1.0 4 "4" "4.5"]
;;;; midpoints
(defn mid [[x1 y1] [x2 y2]] [(/ (+ x1 x2) 2) (/ (+ y1 y2) 2)])
(defn dist [[x1 y1] [x2 y2]] (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2))))
(defn area [pts] (/ (Math/abs (reduce + (map (fn [[x1 y1] [x2 y2]] (- (* x1 y2) (* x2 y1))) pts (rest (cycle pts))))) 2.0))
[(mid [0 0] [4 6]) (dist [0 0] [3 4]) (area [[0 0] [4 0] [4 3]]) (format "%.3f" (dist [1 1] [2 3])) (apply min-key #(dist [0 0] %) [[3 3] [1 2] [5 0]])]
;=> [[2 3] 5.0 6.0 "2.236" [1 2]]
;;;; newton sqrt
(defn sqrt-iter [g x] (if (< (Math/abs (- (* g g) x)) 0.00001) g (recur (/ (+ g (/ x g)) 2) x)))
[(sqrt-iter 1.0 2) (sqrt-iter 1.0 144) (format "%.4f" (sqrt-iter 1.0 10))]
;=> [1.4142156862745097 12.000000012408687 "3.1623"]
;;;; pi series
[(* 4 (reduce + (map #(/ (if (even? %) 1.0 -1.0) (inc (* 2 %))) (range 1000)))) (reduce + (map #(/ 1.0 (* % %)) (range 1 100))) (reduce + (map #(/ 1.0 (reduce * (range 1 (inc %)))) (range 15))) (Math/exp 1) (Math/pow (+ 1 (/ 1.0 1000)) 1000)]
;=> [3.140592653839794 1.6348839001848923 2.71828182845823 2.718281828459045 2.7169239322355936]
;;;; bisect
(defn bisect [f lo hi] (loop [lo lo hi hi n 0] (let [mid (/ (+ lo hi) 2.0)] (if (or (> n 50) (< (- hi lo) 1e-9)) [mid n] (if (pos? (* (f lo) (f mid))) (recur mid hi (inc n)) (recur lo mid (inc n)))))))
(let [[x n] (bisect #(- (* % % %) 2) 0.0 2.0)] [(format "%.6f" x) n])
;=> ["1.259921" 31]
;;;; integrate
(defn integrate [f a b n] (let [h (/ (- b a) (double n))] (* h (reduce + (map #(f (+ a (* h (+ % 0.5)))) (range n))))))
[(format "%.5f" (integrate #(* % %) 0 3 100)) (integrate identity 0 2 4)]
;=> ["8.99978" 2.0]
;;;; temperature table
(doseq [c (range 0 101 25)] (println (format "%5d°C = %6.1f°F" c (+ 32 (* c (/ 9 5.0))))))
;out>     0°C =   32.0°F
;out>    25°C =   77.0°F
;out>    50°C =  122.0°F
;out>    75°C =  167.0°F
;out>   100°C =  212.0°F
;=> nil
;;;; c to f
(map (fn [f] (format "%.1f" (double (* (- f 32) (/ 5 9))))) [32 212 100 0 -40])
;=> ("0.0" "100.0" "37.8" "-17.8" "-40.0")
;;;; math statics
[(Math/sqrt 16) (Math/pow 2 8) (Math/abs -2.5) (Math/ceil 1.2) (Math/floor -1.2) (Math/round 2.5) (Math/round 1.49) (Math/max 1 5) (Math/min 1.5 2.5) (Math/sin (/ Math/PI 2)) (Math/cos 0) (Math/tan 0.5) (Math/atan2 1 2) (Math/log 10) (Math/log10 50) (Math/exp 2) (Math/hypot 5 12) (Math/signum -3.0) (Math/toRadians 180) (Math/cbrt 8) (Math/floorDiv -7 2) (Math/floorMod -7 2) Math/PI Math/E (Math/rint 2.5) (Math/abs -7) (int (Math/ceil (/ 7 2))) (long (Math/floor 3.7)) (Math/sqrt -1) (Math/log 0) (Math/pow 0 0)]
;=> [4.0 256.0 2.5 2.0 -2.0 3 1 5 1.5 1.0 1.0 0.5463024898437905 0.4636476090008061 2.302585092994046 1.6989700043360187 7.38905609893065 13.0 -1.0 3.141592653589793 2.0 -4 1 3.141592653589793 2.718281828459045 2.0 7 4 3 ##NaN ##-Inf 1.0]
;;;; char math
[(char (+ (int \a) 2)) (- (int \9) (int \0)) (map #(- (int %) 48) "123") (reduce (fn [n c] (+ (* 10 n) (Character/digit c 10))) 0 "4521") (apply str (map #(char (+ 65 %)) (range 5))) (map char (range 97 100)) (int \newline) (Character/getNumericValue \9) (char 8364) (map (comp char inc int) "HAL") (sort-by int "hello") (Character/isLetterOrDigit \_) (Character/toString \a) (str \a) (= "a" (str \a)) (count (str \newline)) (apply max (map int "abc")) (some #{\b} "abc") (every? #(Character/isDigit %) "123") (clojure.string/join (reverse "abc")) (map str "ab") (first (sort "cab")) (frequencies "aab") (contains? (set "abc") \a) (.indexOf "abc" "c") (.indexOf "abc" (int \c)) ({\a 1} (first "abc")) (case (first "xyz") \x :ex \y :why :other) (compare "apple" "banana") (vec "hi") (subs "hello" 1 3) (apply str (interpose "-" "abc")) (nth "abc" 1) (last "abc") (butlast "abc") (take 2 "abc") (partition 2 "abcd") (map-indexed vector "ab") (distinct "aabb") (group-by identity "aab") (zipmap "abc" (range)) (remove #{\a} "banana") (filter #(Character/isUpperCase %) "aBcD")]
;=> ["c" 9 (1 2 3) 4521 "ABCDE" ("a" "b" "c") 10 9 "€" ("I" "B" "M") ("e" "h" "l" "l" "o") false "a" "a" true 1 99 "b" true "cba" ("a" "b") "a" {"a" 2, "b" 1} true 2 2 1 :ex -1 ["h" "i"] "el" "a-b-c" "b" "c" ("a" "b") ("a" "b") (("a" "b") ("c" "d")) ([0 "a"] [1 "b"]) ("a" "b") {"a" ["a" "a"], "b" ["b"]} {"a" 0, "b" 1, "c" 2} ("b" "n" "n") ("B" "D")]
;;;; polynomials
(defn poly+ [a b] (let [n (max (count a) (count b))] (mapv #(+ (nth a % 0) (nth b % 0)) (range n))))
(defn poly* [a b] (reduce poly+ [] (map-indexed (fn [i x] (into (vec (repeat i 0)) (map #(* x %) b))) a)))
(defn eval-poly [p x] (reduce (fn [acc c] (+ (* acc x) c)) 0 (rseq p)))
(defn show [p] (clojure.string/join " + " (keep-indexed (fn [i c] (when-not (zero? c) (case i 0 (str c) 1 (str c "x") (str c "x^" i)))) p)))
[(poly+ [1 2] [3 4 5]) (poly* [1 1] [1 -1]) (eval-poly [1 2 3] 2) (show [5 0 2]) (show (poly* [1 2] [1 2]))]
;=> [[4 6 5] [1 0 -1] 17 "5 + 2x^2" "1 + 4x + 4x^2"]
;;;; complex numbers
(defn c+ [[a b] [c d]] [(+ a c) (+ b d)]) (defn c* [[a b] [c d]] [(- (* a c) (* b d)) (+ (* a d) (* b c))]) (defn mag2 [[a b]] (+ (* a a) (* b b)))
(defn escape-time [c n] (loop [z [0 0] i 0] (if (or (= i n) (> (mag2 z) 4)) i (recur (c+ (c* z z) c) (inc i)))))
(doseq [y (range -1.0 1.1 0.5)] (println (apply str (for [x (range -2.0 0.6 0.25)] (if (= 20 (escape-time [x y] 20)) "#" ".")))))
(c* [1 2] [3 4])
;out> ........#..
;out> ......####.
;out> ##########.
;out> ......####.
;out> ........#..
;=> [-5 10]
;;;; range floats
[(range 0 1 0.25) (range 10 0 -3) (range 5 5) (range -3 3) (take 3 (range)) (range 1 2 0.3) (vec (range 0 10 5)) (count (range 0 1 0.1)) (reverse (range 3)) (reduce + (range 101)) (last (range 0 100 7)) (map #(/ % 4.0) (range 5)) (range 3.5)]
;=> [(0 0.25 0.5 0.75) (10 7 4 1) () (-3 -2 -1 0 1 2) (0 1 2) (1 1.3 1.6 1.9000000000000001) [0 5] 11 (2 1 0) 5050 98 (0.0 0.25 0.5 0.75 1.0) (0 1 2 3)]
;;;; cosine
(defn dot [a b] (reduce + (map * a b))) (defn norm [a] (Math/sqrt (dot a a))) (defn cosine [a b] (/ (dot a b) (* (norm a) (norm b))))
[(cosine [1 2 3] [2 4 6]) (format "%.4f" (cosine [1 0 1] [1 1 0])) (norm [3 4]) (map #(cosine [1 0] %) [[0 1] [1 0] [-1 0]])]
;=> [1.0 "0.5000" 5.0 (0.0 1.0 -1.0)]
;;;; double division in maps
(def m {:a [1 2 4] :b [10 20 25]})
[(update-vals m #(double (/ (reduce + %) (count %)))) (reduce-kv (fn [acc k v] (assoc acc k (double (/ (apply + v) (count v))))) {} m) (into {} (for [[k [x y z]] m] [k (double (/ (+ x y z) 3))])) (mapv (fn [[k v]] (-> (reduce + v) (/ (count v)) double)) m) (->> m vals (map #(/ (reduce + %) 3.0))) (map (fn [[_ v]] (/ (double (reduce + v)) (count v))) m)]
;=> [{:a 2.333333333333333, :b 18.33333333333333} {:a 2.333333333333333, :b 18.33333333333333} {:a 2.333333333333333, :b 18.33333333333333} [2.333333333333333 18.33333333333333] (2.3333333333333335 18.333333333333332) (2.3333333333333335 18.333333333333332)]
;;;; percent strings
(for [[a b] [[1 3] [2 3] [1 7] [5 8] [22 7] [1 1] [0 5]]] [(double (/ a b)) (* 100.0 (/ a b)) (format "%.1f%%" (* 100.0 (/ a b))) (format "%.3f" (double (/ a b))) (Math/round (* 100.0 (/ a b))) (int (* 100 (/ a (double b))))])
;=> ([0.3333333333333333 33.33333333333333 "33.3%" "0.333" 33 33] [0.6666666666666667 66.66666666666667 "66.7%" "0.667" 67 66] [0.1428571428571429 14.28571428571429 "14.3%" "0.143" 14 14] [0.625 62.5 "62.5%" "0.625" 63 62] [3.142857142857143 314.2857142857143 "314.3%" "3.143" 314 314] [1.0 100.0 "100.0%" "1.000" 100 100] [0.0 0.0 "0.0%" "0.000" 0 0])
;;;; sqrt of quotient
[(Math/sqrt (/ 10 3)) (Math/sqrt (/ 9 4)) (Math/pow (/ 1 3) 2) (Math/floor (/ 10 3)) (Math/ceil (/ 10 3)) (Math/log (/ 3 2)) (Math/exp (/ 1 3)) (- 1.0 (/ 1 3)) (+ (/ 2 3) 1.0) (* (/ 10 7) 0.5) (/ (/ 10 7) 0.5) (double (/ 10 7 3)) (double (- (/ 1 2))) (- (double (/ 7 9)) 0.5)]
;=> [1.8257418583505536 1.5 0.1111111111111111 3.0 4.0 0.4054651081081644 1.3956124250860895 0.6666666666666667 1.6666666666666667 0.7142857142857145 2.857142857142858 0.4761904761904762 -0.5 0.2777777777777778]
;;;; cm to inch
(map (fn [cm] (let [in (/ cm 2.54) ft (int (/ in 12))] (format "%d cm = %d'%.1f\"" cm ft (- in (* 12 ft))))) [150 180 200])
;=> ("150 cm = 4'11.1\"" "180 cm = 5'10.9\"" "200 cm = 6'6.7\"")
;;;; minutes avg
(let [times ["01:30" "02:45" "00:50"] secs (map (fn [t] (let [[m s] (map parse-long (clojure.string/split t #":"))] (+ (* 60 m) s))) times) avg (double (/ (reduce + secs) (count secs)))] [secs avg (format "%02d:%04.1f" (int (/ avg 60)) (mod avg 60))])
;=> [(90 165 50) 101.6666666666667 "01:41.7"]
;;;; inc histogram arrays
(defn histogram [bins lo hi xs] (let [w (/ (- hi lo) (double bins))] (reduce (fn [h x] (update h (min (dec bins) (int (/ (- x lo) w))) inc)) (vec (repeat bins 0)) xs)))
(let [h (histogram 4 0 8 [0 1 2 3.5 4 7.9 8])] (doseq [[i n] (map-indexed vector h)] (println (str i ": " (apply str (repeat n "#"))))) h)
;out> 0: ##
;out> 1: ##
;out> 2: #
;out> 3: ##
;=> [2 2 1 2]
;;;; outliers
(let [xs (sort [12 14 15 13 99 14 13 -40]) n (count xs) med (fn [ys] (let [c (count ys) h (quot c 2)] (if (odd? c) (nth ys h) (/ (+ (nth ys h) (nth ys (dec h))) 2.0)))) q1 (med (take (quot n 2) xs)) q3 (med (drop (- n (quot n 2)) xs)) iqr (- q3 q1)] {:q1 q1 :q3 q3 :iqr iqr :out (remove #(<= (- q1 (* 1.5 iqr)) % (+ q3 (* 1.5 iqr))) xs)})
;=> {:q1 12.5, :q3 14.5, :iqr 2.0, :out (-40 99)}
;;;; weighted
(let [items [[90 0.5] [80 0.3] [70 0.2]]] [(reduce + (map (partial apply *) items)) (/ (reduce + (map (fn [[v w]] (* v w)) items)) (reduce + (map second items))) (reduce (fn [a [v w]] (+ a (* v w))) 0 items)])
;=> [83.0 83.0 83.0]
;;;; exchange rounding
(map (fn [x] [(Math/round x) (long x) (Math/floor x) (Math/ceil x) (format "%.0f" x) (format "%.1f" x) (/ (Math/round (* x 10.0)) 10.0) (int x)]) [2.5 -2.5 0.05 1.25 -0.75 1e6 3.0])
;=> ([3 2 2.0 3.0 "3" "2.5" 2.5 2] [-2 -2 -3.0 -2.0 "-3" "-2.5" -2.5 -2] [0 0 0.0 1.0 "0" "0.1" 0.1 0] [1 1 1.0 2.0 "1" "1.3" 1.3 1] [-1 0 -1.0 -0.0 "-1" "-0.8" -0.7 0] [1000000 1000000 1000000.0 1000000.0 "1000000" "1000000.0" 1000000.0 1000000] [3 3 3.0 3.0 "3" "3.0" 3.0 3])
;;;; float accumulate no ratio
[(reduce + (repeat 10 0.1)) (* 10 0.1) (reduce + [0.1 0.2 0.3]) (reduce + [0.3 0.2 0.1]) (- 1.1 1) (* 1.15 100) (/ 1 3.0) (+ 1e16 1) (* 0.07 100) (== 0.3 (+ 0.1 0.2)) (rem 5.5 2) (mod -5.5 2) (quot 5.5 2) (max 1 1.5) (min -0.5 0) (reduce max [1 2.5 2]) (apply + 0.5 [1 2]) (sort [1 0.5 2]) (double (/ 1 4)) (str (* 1.0 1e15)) (str 123456789.0) (* 1000000 1000000) (* 1e6 1e6) (/ 1e9 1e3) (- 1e-3 1e-4) 1234567890123.456 (/ 2 3.0) (Math/pow 10 -2) (Math/pow 2 62) (long (Math/pow 2 53))]
;=> [0.9999999999999999 1.0 0.6000000000000001 0.6 0.10000000000000009 114.99999999999999 0.3333333333333333 1.0E16 7.000000000000001 false 1.5 0.5 2.0 1.5 -0.5 2.5 3.5 (0.5 1 2) 0.25 "1.0E15" "1.23456789E8" 1000000000000 1.0E12 1000000.0 9.0E-4 1.234567890123456E12 0.6666666666666666 0.01 4.611686018427388E18 9007199254740992]
;clojure> [0.9999999999999999 1.0 0.6000000000000001 0.6 0.10000000000000009 114.99999999999999 0.3333333333333333 1.0E16 7.000000000000001 false 1.5 0.5 2.0 1.5 -0.5 2.5 3.5 (0.5 1 2) 0.25 "1.0E15" "1.23456789E8" 1000000000000 1.0E12 1000000.0 9.0E-4 1.234567890123456E12 0.6666666666666666 0.01 4.61168601842
;deviation> fewest digits of a float (Java 17 prints more)
;;;; terse stats
(let [x [4 8 15 16 23 42] n (count x) s (apply + x)] {:n n :s s :m (/ s n) :v (double (/ (apply + (map #(* (- % 18) (- % 18)) x)) n)) :r (- (apply max x) (apply min x))})
;=> {:n 6, :s 108, :m 18, :v 151.6666666666667, :r 38}
;;;; reduce state tuple
(reduce (fn [[state buf out] c] (case state :text (if (= c \{) [:key "" (conj out buf)] [:text (str buf c) out]) :key (if (= c \}) [:text "" (conj out (keyword buf))] [:key (str buf c) out]))) [:text "" []] "Hi {name}, {n} left")
;=> [:text " left" ["Hi " :name ", " :n]]
;;;; invoice with tax brackets and discounts
(def brackets [[0 0.0] [1000 0.1] [5000 0.2] [10000 0.3]])
(defn tax [income]
  (let [bounds (map first brackets)
        rates (map second brackets)]
    (->> (map vector bounds (concat (rest bounds) [##Inf]) rates)
         (map (fn [[lo hi rate]] (* rate (max 0 (- (min income hi) lo)))))
         (reduce +))))
(defn line-total [{:keys [qty price discount] :or {discount 0}}]
  (* qty price (- 1 (/ discount 100.0))))
(let [lines [{:sku "A1" :qty 3 :price 9.99} {:sku "B2" :qty 1 :price 120 :discount 15} {:sku "C3" :qty 10 :price 0.5}]]
  (doseq [{:keys [sku] :as l} lines]
    (println (format "%-4s %8.2f" sku (line-total l))))
  (let [net (reduce + (map line-total lines))]
    (println (format "%-4s %8.2f" "sum" net))
    [(Math/round (* 100 net)) (mapv tax [500 1500 7000 20000])]))
;out> A1      29.97
;out> B2     102.00
;out> C3       5.00
;out> sum    136.97
;=> [13697 [0.0 50.0 800.0 4400.0]]
;;;; linear regression and moving average
(defn mean [xs] (/ (reduce + xs) (double (count xs))))
(defn regression [points]
  (let [xs (map first points) ys (map second points)
        mx (mean xs) my (mean ys)
        slope (/ (reduce + (map (fn [[x y]] (* (- x mx) (- y my))) points))
                 (reduce + (map #(Math/pow (- % mx) 2) xs)))]
    {:slope slope :intercept (- my (* slope mx))}))
(defn moving-average [n xs] (map mean (partition n 1 xs)))
(defn percentile [p xs]
  (let [v (vec (sort xs))]
    (nth v (int (Math/ceil (dec (* (/ p 100.0) (count v))))))))
(let [ys [2 4 5 4 5 7]]
  [(regression (map-indexed vector ys)) (moving-average 3 ys) (percentile 50 ys) (percentile 90 ys)])
;=> [{:slope 0.7714285714285715, :intercept 2.571428571428571} (3.6666666666666665 4.333333333333333 4.666666666666667 5.333333333333333) 4 7]
;;;; amortization
(defn payment [principal rate months]
  (let [r (/ rate 12.0)]
    (/ (* principal r) (- 1 (Math/pow (+ 1 r) (- months))))))
(defn schedule [principal rate months]
  (let [p (payment principal rate months) r (/ rate 12.0)]
    (->> {:n 0 :balance principal}
         (iterate (fn [{:keys [n balance]}]
                    (let [interest (* balance r)]
                      {:n (inc n) :interest interest :principal (- p interest) :balance (- balance (- p interest))})))
         (drop 1)
         (take months))))
(let [rows (schedule 1000 0.06 6)]
  (doseq [{:keys [n interest principal balance]} rows]
    (println (format "%2d %7.2f %8.2f %9.2f" n interest principal (abs balance))))
  (format "%.2f" (reduce + (map :interest rows))))
;out>  1    5.00   164.60    835.40
;out>  2    4.18   165.42    669.99
;out>  3    3.35   166.25    503.74
;out>  4    2.52   167.08    336.66
;out>  5    1.68   167.91    168.75
;out>  6    0.84   168.75      0.00
;=> "17.57"
;;;; luhn, isbn, parity
(defn digits [s] (keep #(parse-long (str %)) (filter #(Character/isDigit %) s)))
(defn luhn? [s]
  (let [ds (reverse (digits s))
        total (reduce + (map-indexed (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d)) ds))]
    (and (> (count ds) 1) (zero? (rem total 10)))))
(defn isbn10? [s]
  (let [cs (remove #{\-} s)]
    (and (= 10 (count cs))
         (zero? (mod (reduce + (map (fn [c w] (* w (if (= c \X) 10 (- (int c) 48)))) cs (range 10 0 -1))) 11)))))
[(map luhn? ["4539 3195 0343 6467" "8273 1232 7352 0569" "0"]) (map isbn10? ["3-598-21508-8" "3-598-21507-X" "3-598-21508-9"])]
;=> [(true false false) (true true false)]
;;;; number words (2)
(def small ["zero" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "eleven" "twelve" "thirteen" "fourteen"
            "fifteen" "sixteen" "seventeen" "eighteen" "nineteen"])
(def tens [nil nil "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])
(defn in-words [n]
  (cond
    (neg? n) (str "minus " (in-words (- n)))
    (< n 20) (small n)
    (< n 100) (str (tens (quot n 10)) (when (pos? (rem n 10)) (str "-" (small (rem n 10)))))
    (< n 1000) (str (small (quot n 100)) " hundred" (when (pos? (rem n 100)) (str " " (in-words (rem n 100)))))
    :else (str (in-words (quot n 1000)) " thousand" (when (pos? (rem n 1000)) (str " " (in-words (rem n 1000)))))))
(map in-words [0 7 13 20 42 100 115 999 1000 12345 -5])
;=> ("zero" "seven" "thirteen" "twenty" "forty-two" "one hundred" "one hundred fifteen" "nine hundred ninety-nine" "one thousand" "twelve thousand three hundred forty-five" "minus five")
;;;; temperature stations
(def readings "Hamburg;12.0\nBulawayo;8.9\nHamburg;34.2\nPalembang;38.8\nBulawayo;-1.5\nHamburg;-0.1")
(let [rows (for [line (clojure.string/split-lines readings)
                 :let [[city t] (clojure.string/split line #";")]]
             [city (Double/parseDouble t)])
      stats (reduce (fn [m [city t]]
                      (update m city (fn [{:keys [mn mx sum n] :or {mn t mx t sum 0 n 0}}]
                                       {:mn (min mn t) :mx (max mx t) :sum (+ sum t) :n (inc n)})))
                    (sorted-map) rows)]
  (println (str "{" (clojure.string/join ", " (for [[c {:keys [mn mx sum n]}] stats] (format "%s=%.1f/%.1f/%.1f" c mn (/ sum n) mx))) "}"))
  (update-vals stats :n))
;out> {Bulawayo=-1.5/3.7/8.9, Hamburg=-0.1/15.4/34.2, Palembang=38.8/38.8/38.8}
;=> {"Bulawayo" 2, "Hamburg" 3, "Palembang" 1}
;;;; string compression of numbers
(defn ranges [xs]
  (->> (sort (distinct xs))
       (map-indexed (fn [i x] [(- x i) x]))
       (partition-by first)
       (map (fn [g] (let [vs (map second g)] (if (= 1 (count vs)) (str (first vs)) (str (first vs) "-" (last vs))))))
       (clojure.string/join ",")))
(defn expand [s]
  (mapcat (fn [part] (let [[a b] (map parse-long (clojure.string/split part #"-"))] (if b (range a (inc b)) [a])))
          (clojure.string/split s #",")))
(let [xs [1 2 3 7 9 10 3]] [(ranges xs) (expand (ranges xs)) (ranges []) (= (expand "1-5,8") (concat (range 1 6) [8]))])
;=> ["1-3,7,9-10" (1 2 3 7 9 10) "" true]
;;;; means by group, as floats
(def scores [{:team "a" :n 5} {:team "a" :n 4} {:team "b" :n 7} {:team "a" :n 1} {:team "b" :n 8} {:team "c" :n 2}])
(let [overall (/ (reduce + (map :n scores)) (count scores))
      groups (group-by :team scores)]
  {:overall (double overall)
   :above (vec (sort (map :n (filter #(> (:n %) overall) scores))))
   :by-team (into (sorted-map)
                  (for [[team rows] groups
                        :let [mean (if (seq rows) (/ (reduce + (map :n rows)) (count rows)) 0)]]
                    [team {:mean (double mean) :percent (* 100.0 mean)}]))})
;=> {:overall 4.5, :above [5 7 8], :by-team {"a" {:mean 3.333333333333333, :percent 333.3333333333333}, "b" {:mean 7.5, :percent 750.0}, "c" {:mean 2.0, :percent 200.0}}}
;;;; binary, hex and bit tricks
{:bin (map #(Integer/toBinaryString %) [0 5 255]) :hex (map #(format "%04x" %) [10 255 4096]) :pop (map #(Long/bitCount %) [0 7 255])
 :parse [(Integer/parseInt "1011" 2) (Long/parseLong "ff" 16)] :xor (reduce bit-xor [5 3 5 7 3])
 :mask (bit-and 0xFF 0x1234) :shift [(bit-shift-left 1 10) (bit-shift-right -16 2)] :set (for [i (range 8) :when (bit-test 37 i)] i)
 :manual (loop [n 37 acc ()] (if (zero? n) (apply str acc) (recur (quot n 2) (conj acc (rem n 2)))))
 :gray (map #(bit-xor % (bit-shift-right % 1)) (range 8))}
;=> {:bin ("0" "101" "11111111"), :hex ("000a" "00ff" "1000"), :pop (0 3 8), :parse [11 255], :xor 7, :mask 52, :shift [1024 -4], :set (0 2 5), :manual "100101", :gray (0 1 3 2 6 7 5 4)}
;;;; pagination and sliding statistics
(def xs (vec (range 1 24)))
(defn page [coll n size] (->> coll (drop (* n size)) (take size) vec))
(defn moving-avg [k coll] (map #(/ (reduce + %) (double k)) (partition k 1 coll)))
{:pages (map #(page xs % 10) (range (Math/ceil (/ (count xs) 10.0)))) :avg (take 3 (moving-avg 4 xs))
 :all (map count (partition-all 7 xs)) :pad (last (partition 5 5 (repeat 0) xs)) :win (map #(apply - (reverse %)) (partition 2 1 [1 4 9 16]))
 :median (let [s (sort [5 3 8 1]) n (count s) m (quot n 2)] (if (odd? n) (nth s m) (/ (+ (nth s (dec m)) (nth s m)) 2)))
 :stddev (let [v [2 4 4 4 5 5 7 9] m (/ (reduce + v) (count v))] (Math/sqrt (/ (reduce + (map #(Math/pow (- % m) 2) v)) (count v))))}
;=> {:pages ([1 2 3 4 5 6 7 8 9 10] [11 12 13 14 15 16 17 18 19 20] [21 22 23]), :avg (2.5 3.5 4.5), :all (7 7 7 2), :pad (21 22 23 0 0), :win (3 5 7), :median 4, :stddev 2.0}
;;;; numeric towers
[(= 1 1.0) (== 1 1.0) (= 2 (/ 4 2)) (/ 9 3) (quot 9 2) (rem -9 2) (mod -9 2) (/ 1.0 3) (* 1.0 100) (+ 0.1 0.2) (- 5) (inc 1.5)
 (max 1 2.0) (min 1 1.5) (long 3.99) (int -3.99) (double 1) (Math/round 2.5) (Math/round -2.5) (Math/floor -2.5) (Math/abs -3)
 (str 1e3) (str 1.0e-10) (str 123456789012) (str 1.23e15) (zero? 0.0) (pos? 1e-9) (integer? 2.0) (float? 2.0) (number? nil) (== 3 3.0 3)
 (compare 1 1.0) (< 1 2 3) (< 1 3 2) (>= 3 3 2) (apply + (range 11)) (reduce * (range 1 11)) (Math/pow 2 10) (Math/sqrt 16) (rem 7.5 2) (mod -7.5 2)]
;=> [false true true 3 4 -1 1 0.3333333333333333 100.0 0.30000000000000004 -5 2.5 2.0 1 3 -3 1.0 3 -2 -3.0 3 "1000.0" "1.0E-10" "123456789012" "1.23E15" true true false true false true 0 true false true 55 3628800 1024.0 4.0 1.5 0.5]
;;;; number formatting table
(doseq [x [0 1 -1 1234567.891 0.005 1e10 -0.5]]
  (println (format "|%10.2f|%-12s|%e|%g|%,.1f|" (double x) (str x) (double x) (double x) (double x))))
(map #(format "%05d|%+d|%x|%o|%,d|%(d|% d" % % % % % % %) [42 -42 0 1000000])
;out> |      0.00|0           |0.000000e+00|0.00000|0.0|
;out> |      1.00|1           |1.000000e+00|1.00000|1.0|
;out> |     -1.00|-1          |-1.000000e+00|-1.00000|-1.0|
;out> |1234567.89|1234567.891 |1.234568e+06|1.23457e+06|1,234,567.9|
;out> |      0.01|0.005       |5.000000e-03|0.00500000|0.0|
;out> |10000000000.00|1.0E10      |1.000000e+10|1.00000e+10|10,000,000,000.0|
;out> |     -0.50|-0.5        |-5.000000e-01|-0.500000|-0.5|
;=> ("00042|+42|2a|52|42|42| 42" "-0042|-42|ffffffffffffffd6|1777777777777777777726|-42|(42)|-42" "00000|+0|0|0|0|0| 0" "1000000|+1000000|f4240|3641100|1,000,000|1000000| 1000000")
;;;; polynomial arithmetic and printing
(defn poly+ [a b] (let [n (max (count a) (count b)) pad #(concat % (repeat (- n (count %)) 0))] (mapv + (pad a) (pad b))))
(defn poly* [a b] (reduce (fn [acc [i x]] (poly+ acc (into (vec (repeat i 0)) (map #(* x %) b)))) [] (map-indexed vector a)))
(defn show [p] (let [ts (for [[i c] (reverse (map-indexed vector p)) :when (not (zero? c))] (str (cond (and (= 1 c) (pos? i)) "" (and (= -1 c) (pos? i)) "-" :else c) (case i 0 "" 1 "x" (str "x^" i))))] (if (seq ts) (str/replace (str/join " + " ts) "+ -" "- ") "0")))
(defn evaluate [p x] (reduce (fn [acc c] (+ c (* acc x))) 0 (reverse p)))
[(show [1 -2 1]) (show (poly* [1 1] [-1 1])) (show (poly+ [1 2] [0 -2 3])) (show []) (evaluate [1 2 3] 2) (map (partial evaluate [0 0 1]) (range 4))]
;=> ["x^2 - 2x + 1" "x^2 - 1" "3x^2 + 1" "0" 17 (0 1 4 9)]
;;;; percentile and histogram
(def samples [12 7 3 14 9 21 8 8 30 2 17 11])

(defn percentile
  "Nearest-rank percentile."
  [p xs]
  (let [s (vec (sort xs))
        rank (int (Math/ceil (* (/ p 100.0) (count s))))]
    (nth s (max 0 (dec rank)))))

(defn bucket [width x]
  (let [lo (* width (quot x width))] [lo (+ lo width)]))

(defn histogram [width xs]
  (->> xs (map (partial bucket width)) frequencies (into (sorted-map))))

(doseq [[[lo hi] n] (histogram 10 samples)]
  (println (str (format "%3d" lo) "-" (format "%-3d" hi) " " (apply str (repeat n "#")))))

{:p50 (percentile 50 samples)
 :p90 (percentile 90 samples)
 :p100 (percentile 100 samples)
 :mean (/ (reduce + samples) (double (count samples)))
 :var (let [m (/ (reduce + samples) (count samples))]
        (double (/ (reduce + (map #(let [d (- % m)] (* d d)) samples)) (count samples))))
 :hist (histogram 10 samples)}
;out>   0-10  ######
;out>  10-20  ####
;out>  20-30  #
;out>  30-40  #
;=> {:p50 9, :p90 21, :p100 30, :mean 11.833333333333334, :var 56.80555555555556, :hist {[0 10] 6, [10 20] 4, [20 30] 1, [30 40] 1}}
;;;; moving averages three ways
(def prices [10 11 12 11 15 14 18 20])
(defn sma [n xs] (map #(/ (reduce + %) (double n)) (partition n 1 xs)))
(defn ema [alpha xs]
  (reductions (fn [prev x] (+ (* alpha x) (* (- 1 alpha) prev))) xs))
(defn cumulative-avg [xs]
  (map-indexed (fn [i s] (/ s (inc i))) (reductions + xs)))
(defn signal [[a b]] (cond (< a b) :up (> a b) :down :else :flat))
{:sma (vec (sma 3 prices))
 :ema (map #(/ (Math/round (* % 1000)) 1000.0) (ema 0.5 prices))
 :cum (map double (cumulative-avg prices))
 :signals (frequencies (map signal (partition 2 1 prices)))
 :longest-run (->> (partition 2 1 prices) (map signal) (partition-by identity) (apply max-key count) first)
 :drawdown (->> (map - (reductions max prices) prices) (apply max))}
;=> {:sma [11.0 11.333333333333334 12.666666666666666 13.333333333333334 15.666666666666666 17.333333333333332], :ema (10.0 10.5 11.25 11.125 13.063 13.531 15.766 17.883), :cum (10.0 10.5 11.0 11.0 11.8 12.16666666666667 13.0 13.875), :signals {:up 5, :down 2}, :longest-run :up, :drawdown 1}
;clojure> !IllegalArgumentException: No matching method round found taking 1 args
;deviation> methods take what fits
;;;; sensor readings: outliers and gaps
(def readings
  [{:t 0 :v 20.1} {:t 10 :v 20.4} {:t 20 :v nil} {:t 30 :v 85.0} {:t 50 :v 20.2} {:t 60 :v 19.9}])
(defn mean [xs] (/ (reduce + xs) (count xs)))
(defn stddev [xs] (let [m (mean xs)] (Math/sqrt (mean (map #(Math/pow (- % m) 2) xs)))))
(defn fill-forward [rows]
  (rest (reductions (fn [prev {:keys [v] :as row}] (if (nil? v) (assoc row :v (:v prev) :filled true) row)) {} rows)))
(let [filled (fill-forward readings)
      vs (keep :v readings)
      m (mean vs) sd (stddev vs)
      z #(/ (- % m) sd)
      gaps (->> (map :t readings) (partition 2 1) (keep (fn [[a b]] (when (> (- b a) 10) [a b]))))]
  {:filled (filter :filled filled)
   :outliers (for [{:keys [t v]} readings :when (and v (> (abs (z v)) 1.5))] t)
   :gaps gaps
   :stats [(format "%.2f" m) (format "%.3f" sd)]})
;=> {:filled ({:t 20, :v 20.4, :filled true}), :outliers (30), :gaps ([30 50]), :stats ["33.12" "25.941"]}
;;;; budget variance report
(let [budget  {:rent 1200 :food 400 :fun 150 :travel 0}
      actual  {:rent 1200 :food 455.75 :fun 90 :gifts 35}
      all     (distinct (concat (keys budget) (keys actual)))
      row     (fn [k]
                (let [b (get budget k 0)
                      a (get actual k 0)
                      diff (- b a)]
                  {:category k :budget b :actual a :diff diff
                   :status (cond (neg? diff) :over (zero? diff) :even :else :under)}))
      rows    (map row all)]
  (println "Category   Budget   Actual     Diff")
  (println (apply str (repeat 36 \-)))
  (doseq [{:keys [category budget actual diff]} (sort-by (comp name :category) rows)]
    (println (format "%-9s %8.2f %8.2f %8.2f" (name category) (double budget) (double actual) (double diff))))
  {:statuses (into {} (map (juxt :category :status) rows))
   :net (reduce + (map :diff rows))})
;out> Category   Budget   Actual     Diff
;out> ------------------------------------
;out> food        400.00   455.75   -55.75
;out> fun         150.00    90.00    60.00
;out> gifts         0.00    35.00   -35.00
;out> rent       1200.00  1200.00     0.00
;out> travel        0.00     0.00     0.00
;=> {:statuses {:rent :even, :food :over, :fun :under, :travel :even, :gifts :over}, :net -30.75}
;;;; weighted scoring with defaults
(def weights {:speed 0.5 :cost 0.3 :quality 0.2})
(def vendors [{:id "v1" :speed 8 :cost 5} {:id "v2" :speed 6 :cost 9 :quality 7} {:id "v3"}])
(defn score [{:keys [speed cost quality] :or {speed 0 cost 0 quality 5}}]
  (+ (* speed (:speed weights)) (* cost (weights :cost)) (* quality (get weights :quality))))
(let [scored (map #(assoc % :score (score %)) vendors)
      ranked (reverse (sort-by :score scored))]
  [(map (juxt :id (comp #(format "%.2f" %) :score)) ranked)
   (map #(dissoc % :score) (take 1 ranked))
   (reduce (fn [best v] (if (> (:score v) (:score best)) v best)) ranked)])
;=> [(["v2" "7.10"] ["v1" "6.50"] ["v3" "1.00"]) ({:id "v2", :speed 6, :cost 9, :quality 7}) {:id "v2", :speed 6, :cost 9, :quality 7, :score 7.1}]
;;;; luhn and isbn checks
(defn luhn? [s]
  (let [ds (->> s (filter #(Character/isDigit %)) (map #(- (int %) (int \0))) reverse)
        doubled (map-indexed (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d)) ds)]
    (zero? (mod (apply + doubled) 10))))
(defn isbn10? [s]
  (and (re-matches #"\d-?\d{3}-?\d{5}-?[\dX]" s)
       (->> (clojure.string/replace s "-" "")
            (map #(if (= \X %) 10 (Character/getNumericValue %)))
            (map * (range 10 0 -1))
            (reduce +)
            (#(zero? (mod % 11))))))
[(map luhn? ["4539 3195 0343 6467" "8273 1232 7352 0569" "059"]) (map (comp boolean isbn10?) ["3-598-21508-8" "3-598-21508-9" "3-598-21507-X" "bad"])]
;=> [(true false true) (true false true false)]
;;;; base conversion both ways
(def alphabet "0123456789abcdefghijklmnopqrstuvwxyz")
(defn to-base [n b]
  (if (zero? n) "0"
    (loop [n n s ""] (if (zero? n) s (recur (quot n b) (str (nth alphabet (rem n b)) s))))))
(defn from-base [s b] (reduce (fn [acc c] (+ (* acc b) (.indexOf alphabet (str c)))) 0 s))
[(map #(to-base 255 %) [2 8 16 36]) (map #(from-base (to-base 123456 %) %) [2 7 16 36]) (Integer/toBinaryString 10) (Long/toHexString 48879) (Integer/parseInt "ff" 16) (Long/parseLong "-1010" 2) (Integer/toString 255 16) (format "%x %o %08d" 255 8 42)]
;=> [("11111111" "377" "ff" "73") (123456 123456 123456 123456) "1010" "beef" 255 -10 "ff" "ff 10 00000042"]
;;;; hex dump (2)
(defn hex-line [offset bs] (format "%08x  %-23s  |%s|" offset (str/join " " (map #(format "%02x" (int %)) bs)) (apply str (map #(if (<= 32 (int %) 126) % ".") bs))))
(doseq [[i chunk] (map-indexed vector (partition-all 8 "Hello,\tWorld!\n"))] (println (hex-line (* 8 i) chunk)))
(reduce (fn [h c] (mod (+ (* 31 h) (int c)) 1000000007)) 7 "Hello")
;out> 00000000  48 65 6c 6c 6f 2c 09 57  |Hello,.W|
;out> 00000008  6f 72 6c 64 21 0a        |orld!.|
;=> 270013707
;;;; plural, ordinals, number words
(defn ordinal [n] (str n (cond (<= 11 (mod n 100) 13) "th" :else (case (int (mod n 10)) 1 "st" 2 "nd" 3 "rd" "th"))))
(defn plural ([n s] (plural n s (str s "s"))) ([n s p] (str n " " (if (= 1 n) s p))))
(def ones (str/split "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen" #" "))
(def tens ["" "" "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])
(defn words [n]
  (cond (neg? n) (str "minus " (words (- n)))
        (< n 20) (ones n)
        (< n 100) (str (tens (quot n 10)) (when (pos? (rem n 10)) (str "-" (ones (rem n 10)))))
        (< n 1000) (str (ones (quot n 100)) " hundred" (when-not (zero? (rem n 100)) (str " and " (words (rem n 100)))))
        :else (let [[v w] (first (filter (fn [[v _]] (>= n v)) [[1000000 "million"] [1000 "thousand"]]))] (str (words (quot n v)) " " w (when (pos? (rem n v)) (str " " (words (rem n v))))))))
[(map ordinal [1 2 3 4 11 12 21 102 113]) (plural 1 "item") (plural 3 "box" "boxes") (map words [0 13 42 100 115 2024 1000001 -7])]
;=> [("1st" "2nd" "3rd" "4th" "11th" "12th" "21st" "102nd" "113th") "1 item" "3 boxes" ("zero" "thirteen" "forty-two" "one hundred" "one hundred and fifteen" "two thousand twenty-four" "one million one" "minus seven")]
;;;; ratio mean and variance across functions
(defn mean [xs] (/ (reduce + xs) (count xs)))
(defn variance [xs] (let [m (mean xs)] (/ (reduce + (map #(Math/pow (- % m) 2) xs)) (count xs))))
(defn sample-variance [xs] (let [m (mean xs)] (double (/ (reduce + (map (fn [x] (* (- x m) (- x m))) xs)) (dec (count xs))))))
(map (juxt (comp double mean) variance #(Math/sqrt (variance %)) sample-variance) [[1 2 3 4] [2 4 4 4 5 5 7 9] [1 1 2] [10 20 25 31]])
;=> ([2.5 1.25 1.118033988749895 1.666666666666667] [5.0 4.0 2.0 4.571428571428571] [1.333333333333333 0.22222222222222224 0.4714045207910317 0.3333333333333333] [21.5 59.25 7.697402159170326 79.0])
;;;; proportions and percentages
(def votes {:a 10 :b 7 :c 6})
(let [total (reduce + (vals votes))
      share (update-vals votes #(/ % total))]
  {:pct (update-vals share #(Math/round (* 100.0 %)))
   :exact (update-vals votes #(double (/ % total)))
   :sum (reduce + (vals share))
   :one (== 1 (reduce + (vals share)))
   :fmt (for [[k v] share] (format "%s: %.1f%%" (name k) (* 100.0 v)))
   :dbl (map double (vals share))})
;=> {:pct {:a 43, :b 30, :c 26}, :exact {:a 0.4347826086956522, :b 0.3043478260869565, :c 0.2608695652173913}, :sum 1, :one true, :fmt ("a: 43.5%" "b: 30.4%" "c: 26.1%"), :dbl (0.4347826086956522 0.3043478260869565 0.2608695652173913)}
;clojure> {:pct {:a 43, :b 30, :c 26}, :exact {:a 0.4347826086956522, :b 0.3043478260869565, :c 0.2608695652173913}, :sum 1N, :one true, :fmt ("a: 43.5%" "b: 30.4%" "c: 26.1%"), :dbl (0.4347826086956522 0.3043478260869565 0.2608695652173913)}
;deviation> no ratios or decimals
;;;; unit conversions in floats and ints
(defn c->f [c] (+ 32 (* c (/ 9 5))))
(defn f->c [f] (* (- f 32) (/ 5 9)))
(def km-per-mile 1.609344)
[(map c->f [0 100 -40]) (map (comp double f->c) [32 212 98.6]) (map #(* km-per-mile %) [1 26.2]) (format "%.2f" (/ 100 km-per-mile)) (int (f->c 212)) (long 3.99) (Math/round 2.5) (Math/round -2.5)]
;=> [(32 212 -40) (0.0 100.0 37.0) (1.609344 42.1648128) "62.14" 100 3 3 -2]
;clojure> [(32N 212N -40N) (0.0 100.0 37.0) (1.609344 42.1648128) "62.14" 100 3 3 -2]
;deviation> no ratios or decimals
;;;; averages per key, double at the end
(def scores [["math" 90] ["art" 71] ["math" 85] ["art" 80] ["math" 92] ["gym" 100]])
(let [by (reduce (fn [m [k v]] (update m k (fnil conj []) v)) {} scores)
      avg (fn [xs] (/ (apply + xs) (count xs)))
      avgs (into (sorted-map) (for [[k vs] by] [k (avg vs)]))]
  {:avgs (into {} (map (fn [[k v]] [k (double v)])) avgs)
   :rounded (into {} (map (fn [[k v]] [k (Math/round (double v))])) avgs)
   :overall (double (avg (map second scores)))
   :above (keys (filter #(> (val %) 80) avgs))
   :spread (double (- (apply max (vals avgs)) (apply min (vals avgs))))})
;=> {:avgs {"art" 75.5, "gym" 100.0, "math" 89.0}, :rounded {"art" 76, "gym" 100, "math" 89}, :overall 86.33333333333333, :above ("gym" "math"), :spread 24.5}
;;;; weighted mean, median, mode
(defn median [xs] (let [s (sort xs) n (count s) mid (quot n 2)] (if (odd? n) (nth s mid) (/ (+ (nth s mid) (nth s (dec mid))) 2))))
(defn modes [xs] (let [fs (frequencies xs) top (apply max (vals fs))] (sort (keys (filter #(= top (val %)) fs)))))
(defn weighted [ps] (/ (reduce + (map (fn [[x w]] (* x w)) ps)) (reduce + (map second ps))))
[(median [3 1 2]) (median [4 1 3 2]) (median [1 2 3 5]) (modes [1 2 2 3 3]) (double (weighted [[90 3] [80 2] [70 2]])) (float (median [1 2]))]
;=> [2 2.5 2.5 (2 3) 81.42857142857143 1.5]
;clojure> [2 5/2 5/2 (2 3) 81.42857142857143 1.5]
;deviation> no ratios or decimals
;;;; harmonic sums and continued fractions
(defn harmonic [n] (reduce + (map #(/ 1 %) (range 1 (inc n)))))
(defn cf [[a & more]] (if (seq more) (+ a (/ 1 (cf more))) a))
[(double (harmonic 10)) (double (cf [3 7 15 1])) (double (cf (repeat 20 1))) (harmonic 1) (reduce + [(/ 1 2) (/ 1 2)]) (* 3 (/ 1 3)) (/ 6 3) (= (/ 4 2) 2)]
;=> [2.928968253968254 3.141592920353982 1.618033998521803 1 1 1 2 true]
;clojure> [2.928968253968254 3.141592920353982 1.618033998521803 1 1N 1N 2 true]
;deviation> no ratios or decimals
;;;; loan amortization
(defn payment [p rate n] (let [r (/ rate 12 100)] (/ (* p r) (- 1 (Math/pow (+ 1 r) (- n))))))
(defn schedule [p rate n]
  (let [pay (payment p rate n) r (/ rate 1200.0)]
    (loop [bal p i 1 out []]
      (if (> i n) out
        (let [int* (* bal r) princ (- pay int*) bal' (- bal princ)]
          (recur bal' (inc i) (conj out [i (format "%.2f" int*) (format "%.2f" princ) (format "%.2f" (Math/abs bal'))])))))))
[(format "%.2f" (payment 10000 6 12)) (take 2 (schedule 1000 12 3)) (last (schedule 1000 12 3))]
;=> ["860.66" ([1 "10.00" "330.02" "669.98"] [2 "6.70" "333.32" "336.66"]) [3 "3.37" "336.66" "0.00"]]
;;;; integer arithmetic of negatives
(for [[a b] [[7 3] [-7 3] [7 -3] [-7 -3] [6 3]]] [(quot a b) (rem a b) (mod a b) (int (Math/floor (/ a b))) (Math/floorMod a b)])
;=> ([2 1 1 2 1] [-2 -1 2 -3 2] [-2 1 -2 -3 -2] [2 -1 -1 2 -1] [2 0 0 2 0])
;;;; gcd lcm and exact arithmetic
(defn gcd [a b] (if (zero? b) (Math/abs a) (recur b (mod a b))))
(defn lcm [a b] (/ (Math/abs (* a b)) (gcd a b)))
(defn egcd [a b] (if (zero? b) [a 1 0] (let [[g x y] (egcd b (mod a b))] [g y (- x (* (quot a b) y))])))
(defn modpow [b e m] (loop [b (mod b m) e e r 1] (if (zero? e) r (recur (mod (* b b) m) (quot e 2) (if (odd? e) (mod (* r b) m) r)))))
[(gcd 48 18) (reduce lcm (range 1 11)) (egcd 240 46) (modpow 3 200 13) (reduce gcd [12 18 24]) (gcd -4 6)]
;=> [6 2520 [2 -9 47] 9 6 2]
;;;; bit manipulation
(defn bits [n] (loop [n n out ()] (if (zero? n) (or (seq out) '(0)) (recur (bit-shift-right n 1) (conj out (bit-and n 1))))))
(defn popcount [n] (loop [n n c 0] (if (zero? n) c (recur (bit-and n (dec n)) (inc c)))))
(def flags {:read 1 :write 2 :exec 4})
(defn decode [n] (set (for [[k b] flags :when (pos? (bit-and n b))] k)))
(defn encode [ks] (reduce bit-or 0 (map flags ks)))
[(bits 10) (popcount 255) (decode 5) (encode [:write :exec]) (bit-xor 5 3) (bit-not 0) (bit-shift-left 1 10) (map #(if (bit-test 5 %) 1 0) (range 4)) (unsigned-bit-shift-right -1 60) (bit-and-not 7 2) (Long/bitCount 255)]
;=> [(1 0 1 0) 8 #{:read :exec} 6 6 -1 1024 (1 0 1 0) 15 5 8]
;;;; compound growth table
(defn growth [p r n] (take (inc n) (iterate #(* % (+ 1 r)) p)))
(doseq [[y v] (map-indexed vector (growth 1000.0 0.05 3))] (printf "%2d %10.2f%n" y v))
(let [years (count (take-while #(< % 2000) (growth 1000 0.07 100)))] {:double-after years :final (last (growth 1000 0.1 2)) :cagr (format "%.4f" (- (Math/pow (/ 2000 1000) (/ 1 years)) 1))})
;out>  0    1000.00
;out>  1    1050.00
;out>  2    1102.50
;out>  3    1157.63
;out>
;=> {:double-after 11, :final 1210.0, :cagr "0.0650"}
;;;; correlation and regression
(def pts [[1 2] [2 4] [3 5] [4 4] [5 5]])
(let [n (count pts) sx (apply + (map first pts)) sy (apply + (map second pts))
      sxy (apply + (map (fn [[x y]] (* x y)) pts)) sxx (apply + (map (fn [[x _]] (* x x)) pts)) syy (apply + (map (fn [[_ y]] (* y y)) pts))
      slope (/ (- (* n sxy) (* sx sy)) (- (* n sxx) (* sx sx)))
      icept (/ (- sy (* slope sx)) n)
      r (/ (- (* n sxy) (* sx sy)) (Math/sqrt (* (- (* n sxx) (* sx sx)) (- (* n syy) (* sy sy)))))]
  {:slope (double slope) :intercept (double icept) :r r :predict (mapv #(double (+ icept (* slope %))) [6 7])
   :sse (reduce + (map (fn [[x y]] (let [e (- y (+ icept (* slope x)))] (* e e))) pts))})
;=> {:slope 0.6, :intercept 2.2, :r 0.7745966692414834, :predict [5.8 6.4], :sse 2.4}
;clojure> {:slope 0.6, :intercept 2.2, :r 0.7745966692414834, :predict [5.8 6.4], :sse 12/5}
;deviation> no ratios or decimals
;;;; newton, bisection, integration
(defn newton [f f' x] (loop [x x i 0] (let [nx (- x (/ (f x) (f' x)))] (if (or (> i 50) (< (Math/abs (- nx x)) 1e-10)) nx (recur nx (inc i))))))
(defn bisect [f lo hi] (loop [lo lo hi hi n 0] (let [mid (/ (+ lo hi) 2.0)] (cond (= n 60) mid (pos? (* (f lo) (f mid))) (recur mid hi (inc n)) :else (recur lo mid (inc n))))))
(defn simpson [f a b n] (let [h (/ (- b a) (double n))] (* (/ h 3) (reduce + (map (fn [i] (* (cond (or (= i 0) (= i n)) 1 (odd? i) 4 :else 2) (f (+ a (* i h))))) (range (inc n)))))))
(map #(format "%.6f" %) [(newton #(- (* % % %) 2) #(* 3 % %) 1.0) (bisect #(- (* % %) 2) 0 2) (simpson #(* % %) 0 3 10) (simpson #(Math/sin %) 0 Math/PI 100)])
;=> ("1.259921" "1.414214" "9.000000" "2.000000")
;;;; descriptive statistics, helper functions
(defn mean [coll] (/ (reduce + coll) (count coll)))
(defn square [x] (* x x))
(defn variance [coll] (let [m (mean coll)] (mean (map #(square (- % m)) coll))))
(defn std-dev [coll] (Math/sqrt (variance coll)))
(let [data [4 8 15 16 23 42]]
  {:mean (double (mean data)) :variance (double (variance data)) :std (std-dev data) :z (mapv #(/ (- % (mean data)) (std-dev data)) data)})
;=> {:mean 18.0, :variance 151.6666666666667, :std 12.315302134607446, :z [-1.13679712011761 -0.81199794294115 -0.243599382882345 -0.16239958858823 0.405998971470575 1.94879506305876]}
;;;; covariance and correlation via helpers
(defn mean [xs] (/ (apply + xs) (count xs)))
(defn covariance [xs ys] (let [mx (mean xs) my (mean ys)] (mean (map (fn [x y] (* (- x mx) (- y my))) xs ys))))
(defn correlation [xs ys] (/ (covariance xs ys) (* (Math/sqrt (covariance xs xs)) (Math/sqrt (covariance ys ys)))))
(let [h [150 160 165 170 185] w [50 58 61 70 88]] [(correlation h w) (double (covariance h w)) (format "%.4f" (correlation h w))])
;=> [0.9885214862726455 148.6 "0.9885"]
;;;; grades with map of averages printed as double
(def grades {"Ann" [90 85 77] "Bob" [70 65 80 91] "Cy" [100]})
(defn average [xs] (/ (reduce + xs) (count xs)))
(doseq [[n gs] grades] (println n (double (average gs))))
(into {} (for [[n gs] grades] [n (-> gs average double)]))
;out> Ann 84.0
;out> Bob 76.5
;out> Cy 100.0
;=> {"Ann" 84.0, "Bob" 76.5, "Cy" 100.0}
;;;; percent of total with round
(def spend {:rent 1200 :food 433 :fun 127})
(let [total (apply + (vals spend))] (into {} (map (fn [[k v]] [k (-> v (/ total) (* 100) double Math/round)]) spend)))
;=> {:rent 68, :food 25, :fun 7}
;;;; percent with two decimals by scaling
(defn pct [part whole] (-> (/ part whole) (* 10000) double Math/round (/ 100.0)))
[(pct 1 3) (pct 2 3) (pct 5 7) (pct 127 1760) (pct 1 8)]
;=> [33.33 66.67 71.43 7.22 12.5]
;;;; ratio stored then converted
(def rows [{:clicks 13 :views 340} {:clicks 7 :views 93} {:clicks 0 :views 10}])
(let [with-ctr (map #(assoc % :ctr (/ (:clicks %) (:views %))) rows)]
  [(map #(double (:ctr %)) with-ctr) (map #(format "%.3f" (double (:ctr %))) with-ctr) (:ctr (last with-ctr)) (sort-by :ctr with-ctr) (> (:ctr (first with-ctr)) (:ctr (second with-ctr)))])
;=> [(0.03823529411764706 0.07526881720430108 0.0) ("0.038" "0.075" "0.000") 0 ({:clicks 0, :views 10, :ctr 0} {:clicks 13, :views 340, :ctr 0.03823529411764706} {:clicks 7, :views 93, :ctr 0.07526881720430108}) false]
;clojure> [(0.03823529411764706 0.07526881720430108 0.0) ("0.038" "0.075" "0.000") 0 ({:clicks 0, :views 10, :ctr 0} {:clicks 13, :views 340, :ctr 13/340} {:clicks 7, :views 93, :ctr 7/93}) false]
;deviation> no ratios or decimals
;;;; fractions sum to one
(let [parts [1 2 3] total (reduce + parts) fr (map #(/ % total) parts)] [(reduce + fr) (= 1 (reduce + fr)) (map double fr) (double (reduce * fr))])
;=> [1 true (0.1666666666666667 0.3333333333333333 0.5) 0.02777777777777778]
;clojure> [1N true (0.1666666666666667 0.3333333333333333 0.5) 0.02777777777777778]
;deviation> no ratios or decimals
;;;; bayes rule
(defn bayes [prior sens spec] (/ (* sens prior) (+ (* sens prior) (* (- 1 spec) (- 1 prior)))))
[(bayes 0.01 0.9 0.95) (double (bayes (/ 1 100) (/ 9 10) (/ 95 100)))]
;=> [0.15384615384615374 0.1538461538461538]
;;;; entropy and gini
(defn probs [xs] (let [n (count xs)] (map #(/ % n) (vals (frequencies xs)))))
(defn log2 [x] (/ (Math/log x) (Math/log 2)))
(defn entropy [xs] (- (reduce + (map #(* % (log2 %)) (probs xs)))))
(defn gini [xs] (- 1 (reduce + (map #(* % %) (probs xs)))))
[(entropy [:a :a :b :b]) (entropy [:a :b :c]) (double (gini [:a :a :b])) (double (gini [1 2 3 4 5 6])) (format "%.4f" (entropy "mississippi"))]
;=> [1.0 1.584962500721156 0.4444444444444444 0.8333333333333333 "1.8231"]
;;;; tf-idf raw floats
(def docs [["a" "b" "a"] ["b" "c"] ["a" "d" "d" "e"]])
(defn tf [t d] (/ (count (filter #{t} d)) (count d)))
(defn idf [t] (Math/log (/ (count docs) (count (filter #(some #{t} %) docs)))))
(for [d docs] (into (sorted-map) (for [t (distinct d)] [t (* (tf t d) (idf t))])))
;=> ({"a" 0.2703100720721096, "b" 0.13515503603605478} {"b" 0.2027325540540822, "c" 0.5493061443340549} {"a" 0.1013662770270411, "d" 0.5493061443340549, "e" 0.27465307216702745})
;;;; average speed legs
(def legs [{:km 120 :h 1.5} {:km 80 :h 2} {:km 33 :h 1}])
(let [total (reduce (fn [a l] (merge-with + a l)) legs) avg (/ (:km total) (:h total))] [avg (map #(/ (:km %) (:h %)) legs) (double (/ 80 3))])
;=> [51.77777777777778 (80.0 40 33) 26.66666666666667]
;;;; unit price comparison
(def offers [{:n "small" :price 3 :oz 7} {:n "big" :price 10 :oz 24} {:n "huge" :price 19 :oz 48}])
(defn unit [o] (/ (:price o) (:oz o)))
[(:n (apply min-key unit offers)) (map (comp double unit) offers) (map :n (sort-by unit offers)) (double (- (unit (first offers)) (unit (last offers))))]
;=> ["huge" (0.4285714285714286 0.4166666666666667 0.3958333333333333) ("huge" "big" "small") 0.03273809523809524]
;;;; midpoints and distances with ints
(defn midpoint [[x1 y1] [x2 y2]] [(/ (+ x1 x2) 2) (/ (+ y1 y2) 2)])
(defn distance [[x1 y1] [x2 y2]] (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2))))
(defn centroid [ps] (mapv #(/ % (count ps)) (apply map + ps)))
[(midpoint [0 0] [4 6]) (distance [0 0] [3 4]) (map double (centroid [[0 0] [1 1] [5 0]])) (distance (centroid [[0 0] [1 1] [5 0]]) [0 0]) (midpoint [0 0] [2 2])]
;=> [[2 3] 5.0 (2.0 0.3333333333333333) 2.0275875100994063 [1 1]]
;;;; polygon area and slopes
(defn area [ps] (/ (Math/abs (reduce + (map (fn [[x1 y1] [x2 y2]] (- (* x1 y2) (* x2 y1))) ps (rest (cycle ps))))) 2))
(defn slope [[x1 y1] [x2 y2]] (if (= x1 x2) :vertical (/ (- y2 y1) (- x2 x1))))
[(area [[0 0] [4 0] [4 3]]) (area [[0 0] [2 0] [2 2] [0 2]]) (double (slope [0 0] [3 1])) (slope [1 1] [1 5]) (slope [0 0] [2 4])]
;=> [6 4 0.3333333333333333 :vertical 2]
;;;; time series growth rates
(def rev [100 110 99 120])
(defn growth [[a b]] (/ (- b a) a))
(let [gs (map growth (partition 2 1 rev))] [(map double gs) (map #(format "%+.1f%%" (* 100.0 %)) gs) (double (/ (reduce + gs) (count gs))) (double (reduce * (map inc gs))) (apply max gs) (Math/pow (/ 120 100) (/ 1 3))])
;=> [(0.1 -0.1 0.2121212121212121) ("+10.0%" "-10.0%" "+21.2%") 0.0707070707070707 1.2 0.21212121212121213 1.0626585691826111]
;clojure> [(0.1 -0.1 0.2121212121212121) ("+10.0%" "-10.0%" "+21.2%") 0.0707070707070707 1.2 7/33 1.0626585691826111]
;deviation> no ratios or decimals
;;;; simple interest and effective rates
(defn eff [r n] (- (Math/pow (+ 1 (/ r n)) n) 1))
[(eff 0.12 12) (eff (/ 12 100) 12) (map #(double (* 1000 (/ % 100) 2)) [3 5 7]) (* 1000 (/ 5 100))]
;=> [0.12682503013196977 0.12682503013196977 (60.0 100.0 140.0) 50]
;clojure> [0.12682503013196977 0.12682503013196977 (60.0 100.0 140.0) 50N]
;deviation> no ratios or decimals
;;;; histogram widths from floats
(defn hist [n xs] (let [lo (apply min xs) hi (apply max xs) w (/ (- hi lo) n)] (frequencies (map #(min (dec n) (int (/ (- % lo) w))) xs))))
[(into (sorted-map) (hist 4 [1 2 2 3 5 7 8 9 10])) (into (sorted-map) (hist 3 [0.5 1.5 2.5 9.5])) (into (sorted-map) (hist 3 (range 1 12)))]
;=> [{0 4, 1 1, 2 1, 3 3} {0 3, 2 1} {0 4, 1 3, 2 4}]
;;;; batting averages
(def players [{:n "a" :h 31 :ab 97} {:n "b" :h 12 :ab 33} {:n "c" :h 5 :ab 11}])
(let [avg (fn [{:keys [h ab]}] (/ h ab))] [(map (comp #(format "%.3f" %) double avg) players) (:n (apply max-key avg players)) (float (avg (first players))) (let [t (apply merge-with + (map #(dissoc % :n) players))] (double (avg t)))])
;=> [("0.320" "0.364" "0.455") "c" 0.3195876288659794 0.3404255319148936]
;clojure> [("0.320" "0.364" "0.455") "c" 0.31958762 0.3404255319148936]
;deviation> float does not round
;;;; midrange, quartiles with interpolation
(defn quantile [q xs] (let [s (vec (sort xs)) pos (* q (dec (count s))) i (int (Math/floor pos)) frac (- pos i)] (if (zero? frac) (s i) (+ (s i) (* frac (- (s (inc i)) (s i)))))))
[(map #(quantile % [1 2 3 4 5 6 7 8]) [0.25 0.5 0.75]) (map #(double (quantile % [3 1 4 1 5])) [(/ 1 4) (/ 1 2) (/ 9 10)]) (quantile (/ 1 2) [1 2 3])]
;=> [(2.75 4.5 6.25) (1.0 3.0 4.6) 2]
;;;; numbers parse and sum with overflow guards
(defn safe-sum [xs] (try (reduce + xs) (catch ArithmeticException e :overflow)))
(defn parse [s] (try (Long/parseLong (str/trim s)) (catch NumberFormatException _ nil)))
(let [xs (map parse ["1" " 2 " "x" "9223372036854775807" ""])] [xs (safe-sum (remove nil? xs)) (safe-sum (take 2 xs)) (keep parse ["-5" "+6" "0x1F" "1e3"])])
;=> [(1 2 nil 9223372036854775807 nil) :overflow 3 (-5 6)]
;;;; probability tables and expected values as ratios to doubles
(def die (range 1 7))
(def two (frequencies (for [a die b die] (+ a b))))
(def total (reduce + (vals two)))
(let [p (fn [k] (/ (two k) total)) ev (reduce + (map (fn [[k n]] (/ (* k n) total)) two)) var (reduce + (map (fn [[k n]] (* (/ n total) (let [d (- k ev)] (* d d)))) two))]
  {:p7 (double (p 7)) :ev (double ev) :var (double var) :sd (Math/sqrt var) :at-least-10 (double (reduce + (map p [10 11 12]))) :table (into (sorted-map) (map (fn [[k n]] [k (format "%.4f" (double (/ n total)))]) two))})
;=> {:p7 0.1666666666666667, :ev 7.0, :var 5.833333333333333, :sd 2.41522945769824, :at-least-10 0.1666666666666667, :table {2 "0.0278", 3 "0.0556", 4 "0.0833", 5 "0.1111", 6 "0.1389", 7 "0.1667", 8 "0.1389", 9 "0.1111", 10 "0.0833", 11 "0.0556", 12 "0.0278"}}
;;;; budget shares with rounding to cents and remainder distribution
(defn allocate [cents weights]
  (let [total (reduce + weights)
        raw (map #(/ (* cents %) total) weights)
        floors (map #(long (Math/floor (double %))) raw)
        short (- cents (reduce + floors))
        order (->> (map-indexed (fn [i r] [i (- r (nth floors i))]) raw) (sort-by (juxt (comp - second) first)) (map first) (take short) set)]
    (map-indexed (fn [i f] (if (order i) (inc f) f)) floors)))
[(allocate 1000 [1 1 1]) (allocate 100 [3 3 1]) (allocate 9999 [50 30 20]) (map #(reduce + (allocate % [7 11 13])) [1 10 100])]
;=> [(334 333 333) (43 43 14) (4999 3000 2000) (1 10 100)]
;;;; linear interpolation and lookup tables
(def table (sorted-map 0 0.0 10 5.0 20 20.0 40 22.0))
(defn interp [x]
  (let [below (last (take-while #(<= (key %) x) table)) above (first (drop-while #(< (key %) x) table))]
    (cond (nil? below) (val above) (nil? above) (val below) (= below above) (val below)
          :else (let [[x0 y0] below [x1 y1] above t (/ (- x x0) (- x1 x0))] (+ y0 (* t (- y1 y0)))))))
(map interp [-5 0 5 13 20 33 99])
;=> (0.0 0.0 2.5 9.5 20.0 21.3 22.0)
;;;; exponential smoothing with trend, integers in
(defn holt [alpha beta xs]
  (reduce (fn [{:keys [level trend out]} x] (let [l (+ (* alpha x) (* (- 1 alpha) (+ level trend))) t (+ (* beta (- l level)) (* (- 1 beta) trend))] {:level l :trend t :out (conj out (+ l t))})) {:level (first xs) :trend (- (second xs) (first xs)) :out []} (rest xs)))
[(:out (holt 0.5 0.3 [10 12 13 12 15])) (map double (:out (holt (/ 1 2) (/ 1 4) [10 12 13 12 15])))]
;=> [[14.0 15.35 15.0225 16.355375000000002] (14.0 15.375 15.140625 16.505859375)]
;;;; ranks with averaged ties and spearman
(defn ranks [xs] (let [idx (group-by second (map-indexed (fn [i x] [(inc i) x]) (sort xs)))] (map (fn [x] (let [ps (map first (idx x))] (/ (reduce + ps) (count ps)))) xs)))
(defn pearson [a b] (let [n (count a) ma (/ (reduce + a) n) mb (/ (reduce + b) n) cov (reduce + (map #(* (- %1 ma) (- %2 mb)) a b)) sd (fn [xs m] (Math/sqrt (reduce + (map #(let [d (- % m)] (* d d)) xs))))] (/ cov (* (sd a ma) (sd b mb)))))
(let [x [10 20 20 40 50] y [1 3 2 5 4]] [(map double (ranks x)) (pearson (ranks x) (ranks y)) (pearson x y)])
;=> [(1.0 2.5 2.5 4.0 5.0) 0.872081599272381 0.8660254037844386]
;;;; chi square and gini from counts
(def observed {:a [20 30] :b [25 25]})
(let [rows (update-vals observed #(reduce + %)) cols (apply map + (vals observed)) n (reduce + cols)
      expected (into {} (for [[k r] rows] [k (map #(/ (* r %) n) cols)]))
      chi (reduce + (for [[k os] observed [o e] (map vector os (expected k))] (/ (* (- o e) (- o e)) e)))]
  {:expected (update-vals expected #(map double %)) :chi (double chi) :p-small (> chi 3.84)})
;=> {:expected {:a (22.5 27.5), :b (22.5 27.5)}, :chi 1.01010101010101, :p-small false}
;;;;
(defn average [xs] (if (empty? xs) 0 (/ (reduce + xs) (double (count xs)))))
(defn stats
  "Summary statistics of numbers."
  [xs]
  {:min (apply min xs) :max (apply max xs) :avg (average xs)})
(stats [3 1 4 1 5 9 2 6])
;=> {:min 1, :max 9, :avg 3.875}
;;;;
(let [xs (range 1 11)]
  {:evens (filter even? xs) :sum-sq (transduce (map #(* % %)) + xs) :parts (partition 3 xs) :all (partition-all 4 xs) :by (partition-by #(quot % 4) xs)})
;=> {:evens (2 4 6 8 10), :sum-sq 385, :parts ((1 2 3) (4 5 6) (7 8 9)), :all ((1 2 3 4) (5 6 7 8) (9 10)), :by ((1 2 3) (4 5 6 7) (8 9 10))}
;;;;
(defn- helper [x] (* x 2))
(def ^:private k 3)
(map (comp helper (partial + k)) [1 2 3])
;=> (8 10 12)
;;;;
(case (:type {:type :circle :r 2})
  :circle (let [r 2] (* Math/PI r r))
  :square 4
  :unknown)
;=> 12.566370614359172
;;;;
(clojure.walk/postwalk #(if (number? %) (inc %) %) {:a 1 :b [2 {:c 3}]})
;=> {:a 2, :b [3 {:c 4}]}
;;;;
(into [] (comp (filter odd?) (map #(* % %)) (take 3)) (range))
;=> [1 9 25]
;;;;
(let [scores {"Ann" [90 80] "Bob" [70]}]
  (update-vals scores (fn [v] (/ (apply + v) (count v)))))
;=> {"Ann" 85, "Bob" 70}
;;;;
(let [dist (fn [[x1 y1] [x2 y2]] (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2))))]
  (dist [0 0] [3 4]))
;=> 5.0
;;;;
(map (fn [n] (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 3)) "Fizz" (zero? (mod n 5)) "Buzz" :else n)) (range 1 16))
;=> (1 2 "Fizz" 4 "Buzz" "Fizz" 7 8 "Fizz" "Buzz" 11 "Fizz" 13 14 "FizzBuzz")
;;;;
(let [xs [1 2 3 4]] (double (/ (reduce + xs) (count xs))))
;=> 2.5
;;;;
(defn median [xs]
  (let [s (sort xs) n (count s) h (quot n 2)]
    (if (odd? n) (nth s h) (/ (+ (nth s h) (nth s (dec h))) 2.0))))
[(median [3 1 2]) (median [4 1 3 2])]
;=> [2 2.5]
;;;;
(Math/round (* 100 (/ 2 3.0)))
;=> 67
;;;;
(/ (Math/round (* 3.14159 100)) 100.0)
;=> 3.14
;;;;
[(int 3.7) (long 3.2) (Math/floor 3.7) (Math/ceil 3.2) (quot 7 2) (rem -7 2) (mod -7 2) (Math/abs -3)]
;=> [3 3 3.0 4.0 3 -1 1 3]
;;;;
(let [compose (comp str inc #(* 2 %))] (map compose [1 2 3]))
;=> ("3" "5" "7")
;;;;
(let [pipeline (apply comp (reverse [inc #(* 2 %) str]))] (pipeline 5))
;=> "12"
;;;;
(take 5 (iterate (fn [x] (if (even? x) (/ x 2) (inc (* 3 x)))) 7))
;=> (7 22 11 34 17)
;;;;
(take-while #(not= 1 %) (iterate (fn [x] (if (even? x) (/ x 2) (inc (* 3 x)))) 6))
;=> (6 3 10 5 16 8 4 2)
;;;;
(some->> [1 2 3] (filter even?) first (* 10))
;=> 20
;;;;
[(* 1.1 1.1) (+ 0.1 0.2) (/ 10 4.0) (/ 10 5) (- 5 7.5) (* 2 3.0) (reduce + [0.1 0.2 0.3]) (apply * [1.5 2])]
;=> [1.2100000000000002 0.30000000000000004 2.5 2 -2.5 6.0 0.6000000000000001 3.0]
;;;;
[(Math/sqrt 16) (Math/pow 2 10) (Math/abs -5.5) (Math/max 1 2) (Math/round 2.5) (Math/round -2.5) (Math/floor -1.5) (Math/log 1) (Math/log10 1000)]
;=> [4.0 1024.0 5.5 2 3 -2 -2.0 0.0 3.0]
;;;;
[(quot -7 2) (rem 7 -3) (mod -1 5) (max 1 2.0) (min 3 1 2) (inc 1.5) (dec 0) (== 1 1.0) (= 1 1.0) (compare 1 2)]
;=> [-3 1 4 2.0 1 2.5 -1 true false -1]
;;;;
[(even? 4) (odd? 3) (zero? 0.0) (pos? -1) (neg? -1) (number? 1) (integer? 1.0) (string? "x") (keyword? :a) (map? {}) (coll? []) (sequential? '(1)) (seq? [1]) (vector? [1]) (set? #{}) (fn? inc) (ifn? :a)]
;=> [true true true false true true false true true true true true false true true true true]
;;;;
(map (juxt identity #(* % %) (comp str inc)) [1 2])
;=> ([1 1 "2"] [2 4 "3"])
;;;;
(let [xs [1 2 3 4 5 6 7 8 9 10] p (fn [q] (nth (sort xs) (int (* q (dec (count xs))))))] (map p [0 0.25 0.5 0.9 1]))
;=> (1 3 5 9 10)
;;;;
(map #(/ (reduce + %) (count %)) (partition 3 1 [1.0 2.0 3.0 4.0 5.0]))
;=> (2.0 3.0 4.0)
;;;;
(for [i (range 3) :let [sq (* i i)] :when (even? sq) j (range i)] [i j sq])
;=> ([2 0 4] [2 1 4])
;;;;
(for [row [[1 2] [3 4]]] (for [x row] (* x 10)))
;=> ((10 20) (30 40))
;;;;
(->> (range 20) (filter even?) (map #(* % %)) (remove #(zero? (mod % 3))) (take 3) (into []))
;=> [4 16 64]
;;;;
(when-first [x [1 2 3]] (* x 10))
;=> 10
;;;;
(distinct (map #(mod % 3) (range 10)))
;=> (0 1 2)
;;;;
(let [x 1 x (+ x 1) x (* x 3)] x)
;=> 6
;;;;
(def a 1) (def b (+ a 1)) (defn f [] (* b 10)) (f)
;=> 20
;;;;
(map math/cbrt [27 2.0 -8 0.001 1e300 1e-310 0.0])
;=> (3.0 1.2599210498948732 -2.0 0.1 1.0E100 4.641588833612774E-104 0.0)
;;;;
(apply min-key #(Math/abs (- % 10)) [1 8 13 20])
;=> 8
;;;;
(defn to-binary [n] (loop [n n acc ()] (if (zero? n) (apply str acc) (recur (quot n 2) (cons (rem n 2) acc)))))
[(to-binary 10) (Integer/toBinaryString 10) (Long/parseLong "1010" 2)]
;=> ["1010" "1010" 10]
;;;;
(let [compose2 (fn [f g] #(f (g %)))] ((compose2 inc #(* 2 %)) 5))
;=> 11
;;;;
(let [m1 {:a {:x 1}} m2 {:a {:y 2}}] [(merge m1 m2) (merge-with merge m1 m2) (merge-with into {:a [1]} {:a [2]}) (merge-with (fn [a b] (max a b)) {:a 1 :b 5} {:a 3})])
;=> [{:a {:y 2}} {:a {:x 1, :y 2}} {:a [1 2]} {:a 3, :b 5}]
;;;;
(range 0 1 0.25)
;=> (0 0.25 0.5 0.75)
;;;;
[(max 1 2 3) (apply max [1 2]) (reduce max [4 9]) (min 1.5 2) (+ 1 2.0) (* 2 0.5) (- 5) (/ 6 3) (/ 1 2.0) (+) (*) (inc 1)]
;=> [3 2 9 1.5 3.0 1.0 -5 2 0.5 0 1 2]
;;;;
[(bit-and 12 10) (bit-or 12 10) (bit-xor 12 10) (bit-shift-left 1 5) (bit-not 5)]
;=> [8 14 6 32 -6]
;;;;
(let [v1 [1 2 3] v2 [4 5 6]] (/ (reduce + (map * v1 v2)) (* (Math/sqrt (reduce + (map #(* % %) v1))) (Math/sqrt (reduce + (map #(* % %) v2))))))
;=> 0.9746318461970762
;;;;
(let [a {:x 1 :y {:z [1 2 {:w 3}]}}]
  [(get-in a [:y :z 2 :w]) (assoc-in a [:y :z 2 :w] 4) (update-in a [:y :z] conj 5) (update-in a [:y :z 0] + 10) (get-in a [:q :r]) (get-in a []) (get-in a nil) (assoc-in {} [] 1) (update-in {} [:a] (fnil conj #{}) 1) (reduce (fn [m k] (assoc-in m [k :seen] true)) {} [:a :b]) (-> a (dissoc :x) (update :y dissoc :z)) (some-> a :y :z first inc) (let [{{[f & r] :z} :y} a] [f r]) (map (fn [[k v]] [k (coll? v)]) a) (tree-seq coll? #(if (map? %) (vals %) %) a) (flatten (vals (:y a))) (clojure.walk/postwalk #(if (number? %) (* 2 %) %) a) (= a (assoc a :x 1)) (merge a {:x nil}) (contains? (:y a) :z) (keys (:y a)) (into {} (for [[k v] a] [(name k) v])) (vec (mapcat (fn [[k v]] [k v]) {:p 1 :q 2}))])
;=> [3 {:x 1, :y {:z [1 2 {:w 4}]}} {:x 1, :y {:z [1 2 {:w 3} 5]}} {:x 1, :y {:z [11 2 {:w 3}]}} nil {:x 1, :y {:z [1 2 {:w 3}]}} {:x 1, :y {:z [1 2 {:w 3}]}} {nil 1} {:a #{1}} {:a {:seen true}, :b {:seen true}} {:y {}} 2 [1 (2 {:w 3})] ([:x false] [:y true]) ({:x 1, :y {:z [1 2 {:w 3}]}} 1 {:z [1 2 {:w 3}]} [1 2 {:w 3}] 1 2 {:w 3} 3) (1 2 {:w 3}) {:x 2, :y {:z [2 4 {:w 6}]}} true {:x nil, :y {:z [1 2 {:w 3}]}} true (:z) {"x" 1, "y" {:z [1 2 {:w 3}]}} [:p 1 :q 2]]
