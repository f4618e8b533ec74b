;;;; sort comparators
(def people [{:name "Ann" :age 31 :dept "eng"} {:name "bob" :age 25 :dept "ops"} {:name "Cy" :age 31 :dept "eng"} {:name "Di" :age 19 :dept "ops"}])
{:age-desc (map :name (sort-by :age > people))
 :multi (map :name (sort-by (juxt :dept (comp - :age) :name) people))
 :cmp (map :name (sort (fn [a b] (let [c (compare (:dept b) (:dept a))] (if (zero? c) (compare (:age a) (:age b)) c))) people))
 :ci (sort-by clojure.string/lower-case (map :name people))
 :rev (sort #(compare %2 %1) [3 1 2])
 :gt (sort > [3 1 2])
 :strs (sort ["b" "B" "a" "A" "aa"])
 :kws (sort [:b :a :c/d])
 :vecs (sort [[2 1] [1 2] [1] [1 1]])
 :by-count (sort-by count ["aaa" "b" "cc" "d"])
 :reversed (reverse (sort-by :age people))
 :map (sort {:b 2 :a 1})
 :by-val (sort-by val > {:b 2 :a 1 :c 3})
 :by-val-key (sort-by (juxt (comp - val) key) {:b 2 :a 2 :c 3})
 :bools (sort [true false true]) :nils (sort [3 nil 1])}
;;;; sorted map
(def m (into (sorted-map) {:c 3 :a 1 :b 2}))
[(first m) (last m) (keys m) (vals m) (assoc m :aa 0) (dissoc m :a) (reduce-kv (fn [a k v] (str a (name k) v)) "" m) (into (sorted-set) [3 1 2 3]) (first (sorted-set 5 4)) (rseq m) (into (sorted-map) (group-by count ["a" "bb" "c"])) (sorted-map "z" 1 "y" 2) (conj (sorted-set 1 3) 2) (disj (sorted-set 1 3) 1) (map key m) (merge m {:z 26}) (get m :b) (contains? m :q) (m :c) (into {} (filter (comp odd? val)) m)]
;;;; group-by
(def orders [{:id 1 :cust "a" :total 10.5 :items [:x :y]} {:id 2 :cust "b" :total 20.0 :items [:x]} {:id 3 :cust "a" :total 5.25 :items []}])
(let [by (group-by :cust orders)]
  {:totals (into (sorted-map) (map (fn [[k os]] [k (reduce + (map :total os))])) by)
   :ids (reduce-kv #(assoc %1 %2 (mapv :id %3)) {} by)
   :avg (into {} (for [[k os] by] [k (/ (apply + (map :total os)) (count os))]))
   :items (frequencies (mapcat :items orders))
   :parity (group-by (comp boolean even? :id) orders)
   :max (apply max-key :total orders)
   :min (:id (apply min-key :total orders))
   :has (set (map :cust (filter (comp seq :items) orders)))})
;;;; number printing
[1e10 1e-5 (+ 0.1 0.2) 1e7 1.0e6 123456789.123 0.001 0.0001 (/ 1.0 3) (double 5) (* 1.0 100) 1e21 1.5e300 (float 2.5) -0.0 (/ 10 2) (/ 10 4.0) (str 1e10) (str 1.0E-10) 100.0 12345678.9 (Math/sqrt 2) (Math/pow 2 10) (* 1.1 1.1) (- 0.3 0.1) 3.0e0 9007199254740993.0 (double 1234567) (double 12345678) 0.1e-2 5e-324 1.7976931348623157E308]
;;;; integer division
[(quot 7 2) (quot -7 2) (rem -7 2) (mod -7 2) (mod 7 -2) (rem 7 -2) (mod -7.5 2) (quot 7.5 2) (mod 10 3.3) (Math/floorMod -7 3) (Math/floorDiv -7 2) (int 3.99) (int -3.99) (long 2.5) (Math/round 2.5) (Math/round -2.5) (Math/round 3.49) (Math/ceil 2.1) (Math/floor -2.1) (Math/abs -5) (max 1 2.0) (min 3 1 2) (Math/max 1 2) (Integer/parseInt "42") (Integer/parseInt "-7") (Long/parseLong "123") (parse-long "12") (parse-double "1.5") (bit-and 12 10) (bit-or 12 10) (bit-xor 12 10) (bit-shift-left 1 10) (bit-shift-right 1024 3) (bit-not 5) (bit-test 5 2) (Integer/toBinaryString 10) (Integer/toHexString 255) (Long/toString 255 2) (Integer/parseInt "ff" 16) (Long/parseLong "1010" 2)]
;;;; nan and inf
[(/ 1.0 0) (/ -1.0 0) (Double/isNaN (/ 0.0 0.0)) (< 1 ##Inf) (max 1 ##Inf) (str ##Inf) (pr-str ##NaN) (= ##NaN ##NaN) (Double/isInfinite ##-Inf) (min ##Inf 5) (reduce min ##Inf [3 1 2]) (str (/ 0.0 0.0)) (infinite? ##Inf) (NaN? ##NaN) (> ##-Inf Long/MIN_VALUE)]
;;;; exceptions
(defn safe-div [a b]
  (try
    (/ a b)
    (catch ArithmeticException e
      (str "error: " (.getMessage e)))
    (finally
      (println "done" a b))))
(defn validate [{:keys [age] :as p}]
  (cond (nil? age) (throw (ex-info "age missing" {:type :validation :field :age :value p}))
        (neg? age) (throw (IllegalArgumentException. "negative age"))
        :else (assoc p :valid true)))
(defn attempt [p] (try {:ok (validate p)} (catch clojure.lang.ExceptionInfo e {:error (ex-message e) :data (:type (ex-data e))}) (catch Exception e {:error (.getMessage e)})))
[(safe-div 6 3) (safe-div 1 0) (attempt {:age 3}) (attempt {}) (attempt {:age -1})
 (try (Integer/parseInt "abc") (catch NumberFormatException e :nfe))
 (try (throw (Exception. "boom")) (catch Exception e (ex-message e)))
 (try (throw (RuntimeException. "rt")) (catch RuntimeException e (str "caught " (.getMessage e))))
 (ex-data (try (throw (ex-info "m" {:a 1})) (catch Exception e e)))]
;;;; nested try
(defn risky [n] (if (odd? n) (throw (ex-info (str "odd " n) {:n n})) n))
(defn with-retry [f max-tries]
  (loop [attempt 1 errors []]
    (let [result (try {:value (f attempt)} (catch Exception e {:error (ex-message e)}))]
      (cond (contains? result :value) (assoc result :attempts attempt :errors errors)
            (>= attempt max-tries) {:failed errors}
            :else (recur (inc attempt) (conj errors (:error result)))))))
[(with-retry risky 3) (with-retry #(risky (dec (* 2 %))) 2)
 (try (try (risky 1) (catch Exception e (throw (ex-info "wrapped" {:cause-msg (ex-message e)} e)))) (catch Exception e [(ex-message e) (ex-data e) (ex-message (ex-cause e))]))
 (mapv #(try (risky %) (catch Exception e (-> e ex-data :n -))) (range 5))]
;;;; assert pre post
(defn area "Area of a rectangle" [w h] {:pre [(pos? w) (pos? h)] :post [(pos? %)]} (* w h))
(defn greet ([] (greet "World")) ([n] (greet n "Hello")) ([n g & more] (apply str g ", " n "!" more)))
[(area 3 4) (greet) (greet "Bob") (greet "Bob" "Hi" " How" " are you?") ((fn [x & [y]] [x y]) 1) ((fn fact [n] (if (< n 2) 1 (* n (fact (dec n))))) 10)]
;;;; with-out-str
(def out (with-out-str (println "a" 1 :k) (print "no newline") (println) (prn "quoted" \c nil) (doseq [i (range 3)] (print i ""))))
[out (count (clojure.string/split-lines out)) (with-out-str (pr [1 "a" \b])) (with-out-str (newline)) (with-out-str (print nil true [nil "x"]))]
;;;; println values
(println [1 "a" :b nil true \c 2.5 {:k "v"} #{1} '(1 2)])
(prn [1 "a" :b nil true 2.5 {:k "v"}])
(println "multi" :args nil "x" 1.0 [] {} #{} ())
(println (map inc [1 2 3]) (range 3) (filter odd? [1 2 3]))
(println {:a 1, "b" [1 2], :c {:d "e"}})
(println (str nil) (str :a) (str [1 "a"]) (str {:a "b"}) (str '(1 "x")) (str 1.0 2 "c" \d))
(print "a") (print "b\n") (println (pr-str "q\"uote\n"))
(println)
(doseq [[k v] {:x 1 :y 2}] (println k "=>" v))
(dotimes [i 3] (println "i:" i))
(run! println [1 2])
(println (format "%-8s%8.2f" "total" 12.5))
(println (clojure.string/join "\n" (map #(str "- " %) ["a" "b"])))
:done
;;;; kw funcs
[(keyword "a") (keyword "ns" "n") (name :a/b) (namespace :a/b) (namespace :a) (name "s") (str :k) (subs (str :kw) 1) (keyword (str "x" 1)) (:a {:a 1}) (:z {:a 1} :default) ({:a 1} :a) ({:a 1} :z 0) (#{1 2} 2) (#{1 2} 3) ([10 20] 1) (map :a [{:a 1} {:b 2}]) (map {:a 1 :b 2} [:a :b :c]) (filter #{:a} [:a :b :a]) (some #{2 3} [1 2 3]) (remove nil? [1 nil 2]) (keep {:a 1} [:a :b]) (apply + 1 2 [3 4]) (comp) ((comp inc #(* 2 %)) 5) ((partial + 10) 5) ((juxt inc dec) 5) ((complement even?) 3) ((fnil inc 0) nil) (every? even? [2 4]) (not-any? odd? [2 4]) (apply max [1 5 3]) (identity 3) ((constantly 5) 1 2)]
;;;; chars
[(int \a) (char 97) (Character/isDigit \5) (Character/isLetter \x) (str \a \b) (map int "AZ") (apply str (map char [72 105])) (Character/getNumericValue \7) (- (int \7) (int \0)) (first "abc") (= \a (first "abc")) (frequencies "hello") (sort "hello") (apply str (sort "hello")) (apply str (reverse "hello")) (map #(Character/toUpperCase %) "abc") (char (+ 1 (int \a))) (contains? #{\a \e} \e) (Character/isWhitespace \space) (clojure.string/join (map str "abc")) (str (nth "hello" 1)) (get "hello" 0) (vec "abc") (set "aab") (count "héllo") (seq "ab") (Character/isUpperCase \A) (.charAt "abc" 1) (group-by #(Character/isLetter %) "a1b2") (zipmap "ab" [1 2]) (compare \a \b) (hash-map \a 1)]
;;;; word freq
(def text "It was the best of times, it was the worst of times; it was the age of wisdom...")
(->> (re-seq #"\w+" (clojure.string/lower-case text))
     (remove #{"the" "of"})
     frequencies
     (sort-by (fn [[w n]] [(- n) w]))
     (take 4)
     (map (fn [[w n]] (format "%s: %d" w n))))
;;;; anagrams
(def words ["listen" "silent" "enlist" "google" "elgoog" "abc"])
{:groups (->> words (group-by sort) vals (filter #(> (count %) 1)) (map sort) (sort-by first))
 :keyed (->> words (group-by #(apply str (sort %))) (into (sorted-map)))
 :pal (filter #(= (seq %) (reverse %)) ["level" "abc" "noon"])
 :longest (reduce (fn [a b] (if (> (count b) (count a)) b a)) words)
 :vowels (into {} (map (juxt identity #(count (filter (set "aeiou") %)))) words)
 :caps (map clojure.string/capitalize words)}
;;;; pig latin
(defn pig [w] (let [[_ lead tail] (re-matches #"([^aeiou]*)(.*)" w)] (if (empty? lead) (str w "way") (str tail lead "ay"))))
(clojure.string/join " " (map pig (clojure.string/split "the quick brown apple fox" #" ")))
;;;; balanced
(def pairs {\) \( \] \[ \} \{})
(defn balanced? [s]
  (loop [[c & cs] s stack ()]
    (cond (nil? c) (empty? stack)
          (#{\( \[ \{} c) (recur cs (conj stack c))
          (contains? pairs c) (if (= (peek stack) (pairs c)) (recur cs (pop stack)) false)
          :else (recur cs stack))))
(mapv (juxt identity balanced?) ["()" "([]{})" "(]" "((" "" "a(b)c"])
;;;; rpn
(def ops {"+" + "-" - "*" * "/" /})
(defn rpn [s]
  (peek (reduce (fn [stack tok]
                  (if-let [f (ops tok)]
                    (let [b (peek stack) a (peek (pop stack))]
                      (conj (pop (pop stack)) (f a b)))
                    (conj stack (parse-long tok))))
                [] (clojure.string/split s #"\s+"))))
(map rpn ["3 4 + 2 *" "5 1 2 + 4 * + 3 -" "8 2 /" "7"])
;;;; tokenizer
(defn tokenize [s] (re-seq #"\d+\.?\d*|[-+*/()]" s))
(defn parse-expr [tokens]
  (letfn [(factor [[t & ts]]
            (if (= t "(")
              (let [[v [_ & r]] (expr ts)] [v r])
              [(Double/parseDouble t) ts]))
          (term [ts]
            (loop [[l [op & r :as all]] (factor ts)]
              (if (#{"*" "/"} op)
                (let [[v rst] (factor r)] (recur [((if (= op "*") * /) l v) rst]))
                [l all])))
          (expr [ts]
            (loop [[l [op & r :as all]] (term ts)]
              (if (#{"+" "-"} op)
                (let [[v rst] (term r)] (recur [((if (= op "+") + -) l v) rst]))
                [l all])))]
    (first (expr tokens))))
(map (comp parse-expr tokenize) ["1 + 2 * 3" "(1+2)*3" "10/4-1" "2*(3+4)*5"])
;;;; hanoi
(defn hanoi [n from to via] (when (pos? n) (concat (hanoi (dec n) from via to) [[from to]] (hanoi (dec n) via to from))))
[(hanoi 2 :a :c :b) (count (hanoi 8 :a :c :b))]
;;;; permutations
(defn permutations [xs] (if (empty? xs) '(()) (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(defn powerset [xs] (reduce (fn [acc x] (into acc (map #(conj % x) acc))) [#{}] xs))
(defn combos [n xs] (cond (zero? n) [[]] (empty? xs) [] :else (concat (map #(cons (first xs) %) (combos (dec n) (rest xs))) (combos n (rest xs)))))
[(permutations [1 2 3]) (powerset [:a :b]) (combos 2 [1 2 3 4]) (count (combos 3 (range 10))) (for [a [1 2] b [:x :y]] [a b])]
;;;; quicksort
(defn qsort [[p & xs]] (if p (concat (qsort (filter #(< % p) xs)) [p] (qsort (remove #(< % p) xs))) []))
(defn merge-sorted [a b] (loop [a a b b out []] (cond (empty? a) (into out b) (empty? b) (into out a) (<= (first a) (first b)) (recur (rest a) b (conj out (first a))) :else (recur a (rest b) (conj out (first b))))))
(defn msort [xs] (if (<= (count xs) 1) xs (let [[l r] (split-at (quot (count xs) 2) xs)] (merge-sorted (msort l) (msort r)))))
(defn bubble [v] (loop [v v n (count v)] (if (<= n 1) v (recur (reduce (fn [v i] (if (> (v i) (v (inc i))) (assoc v i (v (inc i)) (inc i) (v i)) v)) v (range (dec n))) (dec n)))))
(defn insert [sorted x] (let [[a b] (split-with #(< % x) sorted)] (concat a [x] b)))
[(qsort [3 1 4 1 5 9 2 6]) (msort [3 1 4 1 5 9 2 6]) (bubble [3 1 2]) (reduce insert [] [3 1 2])]
;;;; binary search
(defn bsearch [v x] (loop [lo 0 hi (dec (count v))] (if (> lo hi) -1 (let [mid (quot (+ lo hi) 2) m (nth v mid)] (cond (= m x) mid (< m x) (recur (inc mid) hi) :else (recur lo (dec mid)))))))
(map (partial bsearch [1 3 5 7 9 11]) [1 7 11 4 12])
;;;; game of life
(defn neighbours [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn step [cells] (set (for [[loc n] (frequencies (mapcat neighbours cells)) :when (or (= n 3) (and (= n 2) (cells loc)))] loc)))
(defn render [cells w h] (clojure.string/join "\n" (for [y (range h)] (apply str (for [x (range w)] (if (cells [x y]) \# \.))))))
(let [blinker #{[1 0] [1 1] [1 2]} gens (take 3 (iterate step blinker))]
  (println (render (second gens) 3 3))
  (map sort gens))
;;;; tic tac toe
(def board [[:x :o :x] [:o :x :o] [:o :x :x]])
(defn winner [b]
  (let [lines (concat b (apply map vector b) [(map-indexed #(get %2 %1) b) (map-indexed #(get %2 (- 2 %1)) b)])]
    (some (fn [l] (when (and (apply = l) (first l)) (first l))) lines)))
[(winner board) (winner [[nil nil nil] [:o :o :o] [:x :x nil]]) (winner (vec (repeat 3 (vec (repeat 3 nil)))))]
;;;; grid walk
(def grid ["..#." "...." "#..S"])
(defn find-char [g c] (first (for [[r row] (map-indexed vector g) [col ch] (map-indexed vector row) :when (= ch c)] [r col])))
(defn open? [g [r c]] (let [ch (get-in g [r c])] (and ch (not= ch \#))))
(defn moves [g [r c]] (filter #(open? g %) [[(dec r) c] [(inc r) c] [r (dec c)] [r (inc c)]]))
(defn flood [g start] (loop [seen #{start} frontier [start] d 0 dists {start 0}] (let [nxt (distinct (remove seen (mapcat #(moves g %) frontier)))] (if (empty? nxt) dists (recur (into seen nxt) nxt (inc d) (into dists (map #(vector % (inc d))) nxt))))))
(let [s (find-char grid \S) d (flood grid s)] {:start s :count (count d) :far (apply max (vals d)) :top (d [0 0])})
;;;; robot
(def dirs [:n :e :s :w])
(def deltas {:n [0 1] :e [1 0] :s [0 -1] :w [-1 0]})
(defn turn [d n] (dirs (mod (+ (.indexOf dirs d) n) 4)))
(defn exec [{:keys [dir] :as r} c]
  (case c
    \L (update r :dir turn -1)
    \R (update r :dir turn 1)
    \A (update r :pos (partial mapv +) (deltas dir))))
(reduce exec {:pos [7 3] :dir :n} "RAALAL")
;;;; scrabble
(def scores (into {} (for [[n letters] {1 "AEIOULNRST" 2 "DG" 3 "BCMP" 4 "FHVWY" 5 "K" 8 "JX" 10 "QZ"} l letters] [l n])))
(defn score [w] (transduce (map #(get scores % 0)) + (clojure.string/upper-case w)))
(sort-by val > (zipmap ["cabbage" "quiz" "zoo"] (map score ["cabbage" "quiz" "zoo"])))
;;;; bowling
(defn score [rolls]
  (loop [frame 1 [a b c & _ :as rs] rolls total 0]
    (cond (> frame 10) total
          (= a 10) (recur (inc frame) (rest rs) (+ total 10 b c))
          (= 10 (+ a b)) (recur (inc frame) (drop 2 rs) (+ total 10 c))
          :else (recur (inc frame) (drop 2 rs) (+ total a b)))))
[(score (repeat 12 10)) (score (repeat 20 1)) (score (concat [5 5 3] (repeat 17 0)))]
;;;; luhn and isbn
(defn isbn? [s] (let [ds (keep #(cond (Character/isDigit %) (Character/digit % 10) (= % \X) 10) s)] (and (= 10 (count ds)) (zero? (mod (apply + (map * ds (range 10 0 -1))) 11)))))
[(isbn? "3-598-21508-8") (isbn? "3-598-21507-X") (isbn? "3-598-21508-9")]
;;;; phone
(defn clean [s] (let [d (apply str (filter #(Character/isDigit %) s))] (cond (= 10 (count d)) d (and (= 11 (count d)) (= \1 (first d))) (subs d 1) :else nil)))
(map clean ["(223) 456-7890" "1 223 456 7890" "123" "223.456.7890"])
;;;; histogram
(defn bar [n] (apply str (repeat n "*")))
(let [data [1 1 2 3 3 3 5] fr (frequencies data)]
  (doseq [i (range 1 6)] (println i (bar (get fr i 0))))
  (let [n (count data) mean (/ (reduce + data) (double n)) sorted (sort data)
        median (if (odd? n) (nth sorted (quot n 2)) (/ (+ (nth sorted (dec (quot n 2))) (nth sorted (quot n 2))) 2))
        variance (/ (reduce + (map #(Math/pow (- % mean) 2) data)) n)]
    {:mean mean :median median :mode (key (apply max-key val fr)) :sd (Math/sqrt variance) :range (- (apply max data) (apply min data))}))
;;;; stats percent
(defn percentile [p xs] (let [s (vec (sort xs)) idx (int (Math/ceil (* (/ p 100.0) (count s))))] (nth s (max 0 (dec idx)))))
(def temps [12.5 14.0 9.8 20.1 18.3 11.2])
{:p50 (percentile 50 temps) :p90 (percentile 90 temps) :norm (mapv #(/ (Math/round (* 100.0 (/ (- % 9.8) (- 20.1 9.8)))) 100.0) temps)
 :moving (map #(format "%.2f" (/ (reduce + %) 3)) (partition 3 1 temps)) :deltas (map - (rest temps) temps) :cum (reductions + temps)}
;;;; bigints
[(reduce *' (range 1 26)) (reduce * (map bigint (range 1 22))) (+' 9223372036854775807 1) (* 1N 5)]
;;;; overflow
(try (reduce * (range 1 26)) (catch ArithmeticException e :overflow))
;;;; gcd lcm
(defn gcd [a b] (if (zero? b) a (recur b (mod a b))))
(defn lcm [a b] (/ (* a b) (gcd a b)))
[(gcd 48 18) (reduce lcm (range 1 21)) (map #(apply gcd %) [[17 5] [100 75]])]
;;;; perfect numbers
(defn divisors [n] (filter #(zero? (rem n %)) (range 1 n)))
(defn classify [n] (let [s (reduce + (divisors n))] (cond (= s n) :perfect (> s n) :abundant :else :deficient)))
(group-by classify (range 2 31))
;;;; digits
(defn digits [n] (map #(Character/digit % 10) (str n)))
(defn digits2 [n] (loop [n n ds ()] (if (zero? n) ds (recur (quot n 10) (cons (rem n 10) ds)))))
[(digits 1234) (digits2 9075) (filter #(= % (reduce + (map (fn [d] (Math/pow d 3)) (digits %)))) [153 370 371 372]) (filter #(== % (reduce + (map (fn [d] (Math/pow d 3)) (digits %)))) [153 370 371 372]) (reduce #(+ (* 10 %1) %2) [1 2 3]) (Integer/toString 255 16) (Integer/parseInt (apply str (reverse (str 123))))]
;;;; base conv
(defn to-base [n b] (if (zero? n) "0" (loop [n n s ""] (if (zero? n) s (recur (quot n b) (str (get "0123456789abcdef" (mod n b)) s))))))
(defn from-base [s b] (reduce (fn [acc c] (+ (* acc b) (Character/digit c b))) 0 s))
[(to-base 255 16) (to-base 10 2) (from-base "ff" 16) (from-base "777" 8) (map #(to-base % 2) (range 5))]
;;;; fizzbuzz
(map #(condp (fn [d n] (zero? (mod n d))) % 15 "FizzBuzz" 5 "Buzz" 3 "Fizz" %) (range 1 16))
;;;; fizzbuzz cond
(doseq [n (range 1 16)]
  (println (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 3)) "Fizz" (zero? (mod n 5)) "Buzz" :else n)))
;;;; multimethod
(defmulti area :shape)
(defmethod area :circle [{:keys [r]}] (* Math/PI r r))
(defmethod area :rect [{:keys [w h]}] (* w h))
(defmethod area :default [_] 0)
(map area [{:shape :circle :r 1} {:shape :rect :w 2 :h 3} {:shape :blob}])
;;;; record
(defrecord Point [x y])
(let [p (->Point 1 2)] [(:x p) (assoc p :x 10) (map->Point {:x 3 :y 4})])
;;;; atom ledger
(def balance (atom 100))
(swap! balance - 30)
(swap! balance + 5)
@balance
