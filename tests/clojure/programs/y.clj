;;;; ratio mean and variance across functions
(defn mean [xs] (/ (reduce + xs) (count xs)))
(defn variance [xs] (let [m (mean xs)] (/ (reduce + (map #(Math/pow (- % m) 2) xs)) (count xs))))
(defn sample-variance [xs] (let [m (mean xs)] (double (/ (reduce + (map (fn [x] (* (- x m) (- x m))) xs)) (dec (count xs))))))
(map (juxt (comp double mean) variance #(Math/sqrt (variance %)) sample-variance) [[1 2 3 4] [2 4 4 4 5 5 7 9] [1 1 2] [10 20 25 31]])
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
;;;; unit conversions in floats and ints
(defn c->f [c] (+ 32 (* c (/ 9 5))))
(defn f->c [f] (* (- f 32) (/ 5 9)))
(def km-per-mile 1.609344)
[(map c->f [0 100 -40]) (map (comp double f->c) [32 212 98.6]) (map #(* km-per-mile %) [1 26.2]) (format "%.2f" (/ 100 km-per-mile)) (int (f->c 212)) (long 3.99) (Math/round 2.5) (Math/round -2.5)]
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
;;;; weighted mean, median, mode
(defn median [xs] (let [s (sort xs) n (count s) mid (quot n 2)] (if (odd? n) (nth s mid) (/ (+ (nth s mid) (nth s (dec mid))) 2))))
(defn modes [xs] (let [fs (frequencies xs) top (apply max (vals fs))] (sort (keys (filter #(= top (val %)) fs)))))
(defn weighted [ps] (/ (reduce + (map (fn [[x w]] (* x w)) ps)) (reduce + (map second ps))))
[(median [3 1 2]) (median [4 1 3 2]) (median [1 2 3 5]) (modes [1 2 2 3 3]) (double (weighted [[90 3] [80 2] [70 2]])) (float (median [1 2]))]
;;;; harmonic sums and continued fractions
(defn harmonic [n] (reduce + (map #(/ 1 %) (range 1 (inc n)))))
(defn cf [[a & more]] (if (seq more) (+ a (/ 1 (cf more))) a))
[(double (harmonic 10)) (double (cf [3 7 15 1])) (double (cf (repeat 20 1))) (harmonic 1) (reduce + [(/ 1 2) (/ 1 2)]) (* 3 (/ 1 3)) (/ 6 3) (= (/ 4 2) 2)]
;;;; loan amortization
(defn payment [p rate n] (let [r (/ rate 12 100)] (/ (* p r) (- 1 (Math/pow (+ 1 r) (- n))))))
(defn schedule [p rate n]
  (let [pay (payment p rate n) r (/ rate 1200.0)]
    (loop [bal p i 1 out []]
      (if (> i n) out
        (let [int* (* bal r) princ (- pay int*) bal' (- bal princ)]
          (recur bal' (inc i) (conj out [i (format "%.2f" int*) (format "%.2f" princ) (format "%.2f" (Math/abs bal'))])))))))
[(format "%.2f" (payment 10000 6 12)) (take 2 (schedule 1000 12 3)) (last (schedule 1000 12 3))]
;;;; integer arithmetic of negatives
(for [[a b] [[7 3] [-7 3] [7 -3] [-7 -3] [6 3]]] [(quot a b) (rem a b) (mod a b) (int (Math/floor (/ a b))) (Math/floorMod a b)])
;;;; gcd lcm and exact arithmetic
(defn gcd [a b] (if (zero? b) (Math/abs a) (recur b (mod a b))))
(defn lcm [a b] (/ (Math/abs (* a b)) (gcd a b)))
(defn egcd [a b] (if (zero? b) [a 1 0] (let [[g x y] (egcd b (mod a b))] [g y (- x (* (quot a b) y))])))
(defn modpow [b e m] (loop [b (mod b m) e e r 1] (if (zero? e) r (recur (mod (* b b) m) (quot e 2) (if (odd? e) (mod (* r b) m) r)))))
[(gcd 48 18) (reduce lcm (range 1 11)) (egcd 240 46) (modpow 3 200 13) (reduce gcd [12 18 24]) (gcd -4 6)]
;;;; bit manipulation
(defn bits [n] (loop [n n out ()] (if (zero? n) (or (seq out) '(0)) (recur (bit-shift-right n 1) (conj out (bit-and n 1))))))
(defn popcount [n] (loop [n n c 0] (if (zero? n) c (recur (bit-and n (dec n)) (inc c)))))
(def flags {:read 1 :write 2 :exec 4})
(defn decode [n] (set (for [[k b] flags :when (pos? (bit-and n b))] k)))
(defn encode [ks] (reduce bit-or 0 (map flags ks)))
[(bits 10) (popcount 255) (decode 5) (encode [:write :exec]) (bit-xor 5 3) (bit-not 0) (bit-shift-left 1 10) (map #(if (bit-test 5 %) 1 0) (range 4)) (unsigned-bit-shift-right -1 60) (bit-and-not 7 2) (Long/bitCount 255)]
;;;; mixed comparisons and equality
[(= 1 1.0) (== 1 1.0) (= [1 2] '(1 2)) (= {:a 1} {:a 1.0}) (compare "a" "b") (compare [1 2] [1 3]) (compare nil 1) (sort [3 1 2.5]) (sort-by - [1 3 2]) (max 1 2.0) (min 1 2.0) (= #{1 2} #{2 1}) (identical? :a :a) (not= 1 2 1) (< 1 2 3) (<= 1 1 2) (apply < [3 2]) (compare :b :a) (= nil false) (zero? 0.0)]
;;;; compound growth table
(defn growth [p r n] (take (inc n) (iterate #(* % (+ 1 r)) p)))
(doseq [[y v] (map-indexed vector (growth 1000.0 0.05 3))] (printf "%2d %10.2f%n" y v))
(let [years (count (take-while #(< % 2000) (growth 1000 0.07 100)))] {:double-after years :final (last (growth 1000 0.1 2)) :cagr (format "%.4f" (- (Math/pow (/ 2000 1000) (/ 1 years)) 1))})
;;;; correlation and regression
(def pts [[1 2] [2 4] [3 5] [4 4] [5 5]])
(let [n (count pts) sx (apply + (map first pts)) sy (apply + (map second pts))
      sxy (apply + (map (fn [[x y]] (* x y)) pts)) sxx (apply + (map (fn [[x _]] (* x x)) pts)) syy (apply + (map (fn [[_ y]] (* y y)) pts))
      slope (/ (- (* n sxy) (* sx sy)) (- (* n sxx) (* sx sx)))
      icept (/ (- sy (* slope sx)) n)
      r (/ (- (* n sxy) (* sx sy)) (Math/sqrt (* (- (* n sxx) (* sx sx)) (- (* n syy) (* sy sy)))))]
  {:slope (double slope) :intercept (double icept) :r r :predict (mapv #(double (+ icept (* slope %))) [6 7])
   :sse (reduce + (map (fn [[x y]] (let [e (- y (+ icept (* slope x)))] (* e e))) pts))})
;;;; k-means in one dimension
(defn mean [xs] (/ (reduce + xs) (count xs)))
(defn assign [centers xs] (group-by (fn [x] (apply min-key #(Math/abs (double (- x %))) centers)) xs))
(defn step [xs centers] (sort (map mean (vals (assign centers xs)))))
(let [xs [1 2 3 10 11 12 50 51] [final] (first (filter (fn [[a b]] (= a b)) (partition 2 1 (iterate (partial step xs) [1 10 12]))))]
  [(map double final) (map sort (vals (sort-by key (assign final xs))))])
;;;; newton, bisection, integration
(defn newton [f f' x] (loop [x x i 0] (let [nx (- x (/ (f x) (f' x)))] (if (or (> i 50) (< (Math/abs (- nx x)) 1e-10)) nx (recur nx (inc i))))))
(defn bisect [f lo hi] (loop [lo lo hi hi n 0] (let [mid (/ (+ lo hi) 2.0)] (cond (= n 60) mid (pos? (* (f lo) (f mid))) (recur mid hi (inc n)) :else (recur lo mid (inc n))))))
(defn simpson [f a b n] (let [h (/ (- b a) (double n))] (* (/ h 3) (reduce + (map (fn [i] (* (cond (or (= i 0) (= i n)) 1 (odd? i) 4 :else 2) (f (+ a (* i h))))) (range (inc n)))))))
(map #(format "%.6f" %) [(newton #(- (* % % %) 2) #(* 3 % %) 1.0) (bisect #(- (* % %) 2) 0 2) (simpson #(* % %) 0 3 10) (simpson #(Math/sin %) 0 Math/PI 100)])
;;;; descriptive statistics, helper functions
(defn mean [coll] (/ (reduce + coll) (count coll)))
(defn square [x] (* x x))
(defn variance [coll] (let [m (mean coll)] (mean (map #(square (- % m)) coll))))
(defn std-dev [coll] (Math/sqrt (variance coll)))
(let [data [4 8 15 16 23 42]]
  {:mean (double (mean data)) :variance (double (variance data)) :std (std-dev data) :z (mapv #(/ (- % (mean data)) (std-dev data)) data)})
;;;; covariance and correlation via helpers
(defn mean [xs] (/ (apply + xs) (count xs)))
(defn covariance [xs ys] (let [mx (mean xs) my (mean ys)] (mean (map (fn [x y] (* (- x mx) (- y my))) xs ys))))
(defn correlation [xs ys] (/ (covariance xs ys) (* (Math/sqrt (covariance xs xs)) (Math/sqrt (covariance ys ys)))))
(let [h [150 160 165 170 185] w [50 58 61 70 88]] [(correlation h w) (double (covariance h w)) (format "%.4f" (correlation h w))])
;;;; grades with map of averages printed as double
(def grades {"Ann" [90 85 77] "Bob" [70 65 80 91] "Cy" [100]})
(defn average [xs] (/ (reduce + xs) (count xs)))
(doseq [[n gs] grades] (println n (double (average gs))))
(into {} (for [[n gs] grades] [n (-> gs average double)]))
;;;; percent of total with round
(def spend {:rent 1200 :food 433 :fun 127})
(let [total (apply + (vals spend))] (into {} (map (fn [[k v]] [k (-> v (/ total) (* 100) double Math/round)]) spend)))
;;;; percent with two decimals by scaling
(defn pct [part whole] (-> (/ part whole) (* 10000) double Math/round (/ 100.0)))
[(pct 1 3) (pct 2 3) (pct 5 7) (pct 127 1760) (pct 1 8)]
;;;; ratio stored then converted
(def rows [{:clicks 13 :views 340} {:clicks 7 :views 93} {:clicks 0 :views 10}])
(let [with-ctr (map #(assoc % :ctr (/ (:clicks %) (:views %))) rows)]
  [(map #(double (:ctr %)) with-ctr) (map #(format "%.3f" (double (:ctr %))) with-ctr) (:ctr (last with-ctr)) (sort-by :ctr with-ctr) (> (:ctr (first with-ctr)) (:ctr (second with-ctr)))])
;;;; fractions sum to one
(let [parts [1 2 3] total (reduce + parts) fr (map #(/ % total) parts)] [(reduce + fr) (= 1 (reduce + fr)) (map double fr) (double (reduce * fr))])
;;;; bayes rule
(defn bayes [prior sens spec] (/ (* sens prior) (+ (* sens prior) (* (- 1 spec) (- 1 prior)))))
[(bayes 0.01 0.9 0.95) (double (bayes (/ 1 100) (/ 9 10) (/ 95 100)))]
;;;; entropy and gini
(defn probs [xs] (let [n (count xs)] (map #(/ % n) (vals (frequencies xs)))))
(defn log2 [x] (/ (Math/log x) (Math/log 2)))
(defn entropy [xs] (- (reduce + (map #(* % (log2 %)) (probs xs)))))
(defn gini [xs] (- 1 (reduce + (map #(* % %) (probs xs)))))
[(entropy [:a :a :b :b]) (entropy [:a :b :c]) (double (gini [:a :a :b])) (double (gini [1 2 3 4 5 6])) (format "%.4f" (entropy "mississippi"))]
;;;; tf-idf with logs of quotients
(def docs [["a" "b" "a"] ["b" "c"] ["a" "d" "d" "e"]])
(defn tf [t d] (/ (count (filter #{t} d)) (count d)))
(defn idf [t] (Math/log (/ (count docs) (count (filter #(some #{t} %) docs)))))
(defn tfidf [t d] (* (tf t d) (idf t)))
(for [d docs] (into (sorted-map) (for [t (distinct d)] [t (format "%.4f" (tfidf t d))])))
;;;; tf-idf raw floats
(def docs [["a" "b" "a"] ["b" "c"] ["a" "d" "d" "e"]])
(defn tf [t d] (/ (count (filter #{t} d)) (count d)))
(defn idf [t] (Math/log (/ (count docs) (count (filter #(some #{t} %) docs)))))
(for [d docs] (into (sorted-map) (for [t (distinct d)] [t (* (tf t d) (idf t))])))
;;;; average speed legs
(def legs [{:km 120 :h 1.5} {:km 80 :h 2} {:km 33 :h 1}])
(let [total (reduce (fn [a l] (merge-with + a l)) legs) avg (/ (:km total) (:h total))] [avg (map #(/ (:km %) (:h %)) legs) (double (/ 80 3))])
;;;; unit price comparison
(def offers [{:n "small" :price 3 :oz 7} {:n "big" :price 10 :oz 24} {:n "huge" :price 19 :oz 48}])
(defn unit [o] (/ (:price o) (:oz o)))
[(:n (apply min-key unit offers)) (map (comp double unit) offers) (map :n (sort-by unit offers)) (double (- (unit (first offers)) (unit (last offers))))]
;;;; midpoints and distances with ints
(defn midpoint [[x1 y1] [x2 y2]] [(/ (+ x1 x2) 2) (/ (+ y1 y2) 2)])
(defn distance [[x1 y1] [x2 y2]] (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2))))
(defn centroid [ps] (mapv #(/ % (count ps)) (apply map + ps)))
[(midpoint [0 0] [4 6]) (distance [0 0] [3 4]) (map double (centroid [[0 0] [1 1] [5 0]])) (distance (centroid [[0 0] [1 1] [5 0]]) [0 0]) (midpoint [0 0] [2 2])]
;;;; polygon area and slopes
(defn area [ps] (/ (Math/abs (reduce + (map (fn [[x1 y1] [x2 y2]] (- (* x1 y2) (* x2 y1))) ps (rest (cycle ps))))) 2))
(defn slope [[x1 y1] [x2 y2]] (if (= x1 x2) :vertical (/ (- y2 y1) (- x2 x1))))
[(area [[0 0] [4 0] [4 3]]) (area [[0 0] [2 0] [2 2] [0 2]]) (double (slope [0 0] [3 1])) (slope [1 1] [1 5]) (slope [0 0] [2 4])]
;;;; gaussian elimination exact then double
(defn solve [rows]
  (let [n (count rows)
        reduced (reduce (fn [m i]
                          (let [p (first (filter #(not (zero? (get-in m [% i]))) (range i n)))
                                m (assoc m i (m p) p (m i))
                                pr (mapv #(/ % (get-in m [i i])) (m i))]
                            (mapv (fn [j row] (if (= j i) pr (mapv - row (map #(* (row i) %) pr)))) (range n) m)))
                        (mapv vec rows) (range n))]
    (mapv (comp double peek) reduced)))
[(solve [[2 1 5] [1 -3 -1]]) (solve [[1 1 1 6] [0 2 5 -4] [2 5 -1 27]]) (solve [[3 2 1] [7 5 2]])]
;;;; markov chain stationary by power iteration
(def P [[(/ 9 10) (/ 1 10)] [(/ 1 2) (/ 1 2)]])
(defn step [v] (mapv (fn [col] (reduce + (map * v col))) (apply map vector P)))
(map (partial mapv double) (take 4 (iterate step [1 0])))
;;;; recipe scaling
(def recipe {:serves 4 :items {:flour 250 :eggs 3 :milk 500}})
(defn scale [r n] (let [f (/ n (:serves r))] (-> r (assoc :serves n) (update :items update-vals #(* % f)))))
[(scale recipe 8) (scale recipe 6) (update (scale recipe 10) :items update-vals double)]
;;;; split bill by weights in cents
(defn split-cents [total ws] (let [s (reduce + ws) shares (map #(quot (* total %) s) ws) left (- total (reduce + shares))] (map-indexed (fn [i x] (if (< i left) (inc x) x)) shares)))
[(split-cents 1000 [1 1 1]) (split-cents 999 [2 3 5]) (map #(/ % 100.0) (split-cents 12345 [1 2])) (reduce + (split-cents 777 [3 1 9]))]
;;;; time series growth rates
(def rev [100 110 99 120])
(defn growth [[a b]] (/ (- b a) a))
(let [gs (map growth (partition 2 1 rev))] [(map double gs) (map #(format "%+.1f%%" (* 100.0 %)) gs) (double (/ (reduce + gs) (count gs))) (double (reduce * (map inc gs))) (apply max gs) (Math/pow (/ 120 100) (/ 1 3))])
;;;; simple interest and effective rates
(defn eff [r n] (- (Math/pow (+ 1 (/ r n)) n) 1))
[(eff 0.12 12) (eff (/ 12 100) 12) (map #(double (* 1000 (/ % 100) 2)) [3 5 7]) (* 1000 (/ 5 100))]
;;;; histogram widths from floats
(defn hist [n xs] (let [lo (apply min xs) hi (apply max xs) w (/ (- hi lo) n)] (frequencies (map #(min (dec n) (int (/ (- % lo) w))) xs))))
[(into (sorted-map) (hist 4 [1 2 2 3 5 7 8 9 10])) (into (sorted-map) (hist 3 [0.5 1.5 2.5 9.5])) (into (sorted-map) (hist 3 (range 1 12)))]
;;;; batting averages
(def players [{:n "a" :h 31 :ab 97} {:n "b" :h 12 :ab 33} {:n "c" :h 5 :ab 11}])
(let [avg (fn [{:keys [h ab]}] (/ h ab))] [(map (comp #(format "%.3f" %) double avg) players) (:n (apply max-key avg players)) (float (avg (first players))) (let [t (apply merge-with + (map #(dissoc % :n) players))] (double (avg t)))])
;;;; midrange, quartiles with interpolation
(defn quantile [q xs] (let [s (vec (sort xs)) pos (* q (dec (count s))) i (int (Math/floor pos)) frac (- pos i)] (if (zero? frac) (s i) (+ (s i) (* frac (- (s (inc i)) (s i)))))))
[(map #(quantile % [1 2 3 4 5 6 7 8]) [0.25 0.5 0.75]) (map #(double (quantile % [3 1 4 1 5])) [(/ 1 4) (/ 1 2) (/ 9 10)]) (quantile (/ 1 2) [1 2 3])]
