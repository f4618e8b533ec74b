;;;; dept salaries
(def employees [{:name "A" :dept :eng :salary 100 :skills #{:clj :js}} {:name "B" :dept :eng :salary 150 :skills #{:clj}} {:name "C" :dept :ops :salary 90 :skills #{:bash :js}}])
(def summary
  (reduce (fn [acc {:keys [dept salary skills name]}]
            (-> acc
                (update-in [dept :total] (fnil + 0) salary)
                (update-in [dept :names] (fnil conj []) name)
                (update-in [dept :skills] (fnil into (sorted-set)) skills)
                (update-in [dept :max] (fnil max 0) salary)))
          {} employees))
[summary (map (fn [[d {:keys [total names]}]] [d (/ total (count names))]) summary) (reduce-kv (fn [m k v] (assoc m k (:max v))) {} summary) (sort-by (comp - :salary) employees) (->> employees (mapcat :skills) frequencies (sort-by (juxt (comp - second) (comp name first))))]
;;;; avg by double
(defn average [coll] (/ (reduce + coll) (count coll)))
(def scores {:math [80 85 91] :art [70 75] :bio [100 99 98 97 96 95 94]})
{:direct (double (/ (+ 80 85 92) 3)) :pct (* 100.0 (/ 2 7)) :thread (-> (/ 10 3) double) :by (into {} (for [[k v] scores] [k (format "%.2f" (double (average v)))])) :sevenths (double (/ 1 7)) :plus (+ 0.5 (/ 1 6)) :round (/ (Math/round (* 100.0 (/ 355 113))) 100.0) :float-sum (double (/ (+ 1.5 2.5 1) 3)) :neg (double (/ -5 3)) :big (double (/ 1000000 7)) :small (double (/ 1 3000))}
;;;; weather
(def readings
  [{:station "KSEA" :date "2024-01-01" :hi 48.2 :lo 39.0} {:station "KSEA" :date "2024-01-02" :hi 50.0 :lo 41.5}
   {:station "KPDX" :date "2024-01-01" :hi 45.1 :lo nil} {:station "KPDX" :date "2024-01-03" :hi 52.7 :lo 40.0}])
(defn f->c [f] (when f (-> f (- 32) (* 5) (/ 9))))
(defn round-to [n x] (when x (let [p (Math/pow 10 n)] (/ (Math/round (* x p)) p))))
{:hi-c (mapv (comp (partial round-to 1) f->c :hi) readings)
 :lo-c (mapv (comp (partial round-to 2) f->c :lo) readings)
 :range (into {} (map (fn [[s rs]] [s (let [his (map :hi rs)] [(apply min his) (apply max his)])])) (group-by :station readings))
 :missing (for [{:keys [station date lo]} readings :when (nil? lo)] (str station "/" date))
 :latest (update-vals (group-by :station readings) #(:date (last (sort-by :date %))))
 :months (set (map #(subs % 0 7) (map :date readings)))}
;;;; date diff
(defn days-from-civil [y m d]
  (let [y (if (<= m 2) (dec y) y) era (quot (if (>= y 0) y (- y 399)) 400) yoe (- y (* era 400))
        doy (+ (quot (+ (* 153 (+ m (if (> m 2) -3 9))) 2) 5) (dec d)) doe (+ (* yoe 365) (quot yoe 4) (- (quot yoe 100)) doy)]
    (+ (* era 146097) doe -719468)))
(defn parse-date [s] (mapv #(Integer/parseInt %) (rest (re-matches #"(\d{4})-(\d{2})-(\d{2})" s))))
(defn days-between [a b] (- (apply days-from-civil (parse-date b)) (apply days-from-civil (parse-date a))))
[(days-between "2024-01-01" "2024-12-25") (days-between "1970-01-01" "2000-01-01") (days-between "2024-03-01" "2024-02-28") (sort (fn [a b] (compare (parse-date a) (parse-date b))) ["2024-10-01" "2023-12-31" "2024-02-30"]) (sort ["2024-10-01" "2023-12-31"])]
;;;; time zones format
(defn hms [secs] (let [h (quot secs 3600) m (quot (mod secs 3600) 60) s (mod secs 60)] (format "%02d:%02d:%02d" h m s)))
(defn human [secs] (let [units [["d" 86400] ["h" 3600] ["m" 60] ["s" 1]]] (->> (reduce (fn [[left out] [u n]] (let [q (quot left n)] [(- left (* q n)) (if (pos? q) (conj out (str q u)) out)])) [secs []] units) second (clojure.string/join " "))))
(mapv (juxt hms human) [0 59 3661 86400 100000])
;;;; inventory transactions
(def txns [[:in "A" 10 2.5] [:in "A" 5 3.0] [:out "A" 12] [:in "B" 1 100.0] [:out "B" 2] [:out "C" 1]])
(defn fifo-out [lots qty]
  (loop [lots lots qty qty cost 0]
    (cond (zero? qty) {:lots lots :cost cost}
          (empty? lots) {:lots [] :cost cost :short qty}
          :else (let [[n p] (first lots) used (min n qty)]
                  (recur (if (= used n) (vec (rest lots)) (assoc lots 0 [(- n used) p])) (- qty used) (+ cost (* used p)))))))
(reduce (fn [{:keys [stock cogs errors] :as st} [op sku qty price]]
          (case op
            :in (update-in st [:stock sku] (fnil conj []) [qty price])
            :out (let [{:keys [lots cost short]} (fifo-out (get stock sku []) qty)]
                   (cond-> (-> st (assoc-in [:stock sku] lots) (update :cogs + cost))
                     short (update :errors conj {:sku sku :short short})))))
        {:stock {} :cogs 0 :errors []} txns)
;;;; parse ini
(def ini "[server]\nhost=a.b\nport=80\n\n; note\n[client]\nretries=3\n")
(defn parse-ini [s]
  (:data (reduce (fn [{:keys [section] :as acc} line]
            (condp re-matches line
              #"\s*(;.*)?" acc
              #"\[(.+)\]" :>> (fn [[_ n]] (assoc acc :section (keyword n)))
              #"(\w+)\s*=\s*(.*)" :>> (fn [[_ k v]] (assoc-in acc [:data section (keyword k)] v))
              (update acc :errors (fnil conj []) line)))
          {} (clojure.string/split-lines s))))
(parse-ini ini)
;;;; markdown table
(def md "| name | qty |\n|------|-----|\n| nut  | 3   |\n| bolt | 12  |")
(defn parse-table [s] (let [[h _ & rs] (map (fn [l] (map clojure.string/trim (rest (clojure.string/split l #"\|")))) (clojure.string/split-lines s)) ks (map keyword h)] (map #(zipmap ks %) rs)))
(let [rows (parse-table md)] [rows (transduce (map (comp parse-long :qty)) + rows) (sort-by :name rows)])
;;;; semver
(defn parse-v [s] (mapv parse-long (clojure.string/split s #"\.")))
(defn bump [v part] (let [[a b c] (parse-v v)] (clojure.string/join "." (case part :major [(inc a) 0 0] :minor [a (inc b) 0] :patch [a b (inc c)]))))
[(sort-by parse-v ["1.10.0" "1.2.0" "1.2.10" "0.9.9"]) (map #(bump "1.2.3" %) [:major :minor :patch]) (compare (parse-v "1.0.0") (parse-v "1.0.1")) (last (sort-by parse-v ["2.0.0" "10.0.0"])) (max-key (comp first parse-v) "1.0.0" "3.0.0")]
;;;; email validation
(def re #"(?i)^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$")
(defn mask [e] (let [[u d] (clojure.string/split e #"@")] (str (subs u 0 1) (apply str (repeat (dec (count u)) "*")) "@" d)))
[(map #(boolean (re-find re %)) ["a@b.co" "bad" "X.Y+z@Sub.Domain.ORG" "a@b"]) (mask "alice@x.com") (frequencies (map #(second (re-find #"@(.+)$" %)) ["a@x" "b@y" "c@x"])) (re-matches #"(\w+)\.(\w+)@.*" "joe.doe@x.y") (clojure.string/replace "call 555-1234 or 555-9999" #"\d{3}-(\d{4})" "XXX-$1")]
;;;; password rules
(def rules [[:length #(>= (count %) 8)] [:digit #(some (fn [c] (Character/isDigit c)) %)] [:upper #(re-find #"[A-Z]" %)] [:no-space #(not (clojure.string/includes? % " "))]])
(defn check [pw] (let [failed (for [[n f] rules :when (not (f pw))] n)] (if (empty? failed) :ok (vec failed))))
(map check ["Passw0rd1" "short" "all lower 1" "NODIGITSHERE"])
;;;; luhn generator style
(defn luhn [n] (->> n str reverse (map #(Character/digit % 10)) (map * (cycle [1 2])) (map #(if (> % 9) (- % 9) %)) (reduce +) (#(mod % 10)) zero?))
(filter luhn [4539578763621486 79927398713 12345])
;;;; vigenere
(defn vig [f key text] (apply str (map (fn [c k] (char (+ 97 (mod (f (- (int c) 97) (- (int k) 97)) 26)))) text (cycle key))))
(let [e (vig + "lemon" "attackatdawn")] [e (vig - "lemon" e)])
;;;; morse
(def morse {\S "..." \O "---" \E "." \T "-"})
(def rev (clojure.set/map-invert morse))
(let [enc (clojure.string/join " " (map morse "SOS"))] [enc (apply str (map rev (clojure.string/split enc #" "))) (clojure.string/join " / " (map (fn [w] (clojure.string/join " " (map morse w))) (clojure.string/split "SO TOE" #" ")))])
;;;; binary strings
[(Integer/toString 10 2) (Long/toBinaryString 5) (format "%8s" (Integer/toBinaryString 5)) (clojure.string/replace (format "%8s" (Integer/toBinaryString 5)) " " "0") (reduce (fn [acc c] (+ (* 2 acc) (if (= c \1) 1 0))) 0 "1011") (Integer/parseInt "1011" 2) (count (filter #{\1} (Integer/toBinaryString 255))) (Long/bitCount 255) (bit-shift-left 1 4) (Integer/toOctalString 8) (map #(bit-and 1 (bit-shift-right 10 %)) (range 4)) (Long/parseLong "7f" 16) (Integer/toHexString 48879)]
;;;; set ops puzzles
(let [a #{1 2 3 4} b (set (range 3 7))]
  {:u (sort (clojure.set/union a b)) :i (sort (clojure.set/intersection a b)) :d (sort (clojure.set/difference a b)) :sub (clojure.set/subset? #{1} a) :in (filter a [0 1 2]) :conj (sort (conj a 9 9)) :disj (sort (disj a 1 2)) :into (sort (into a [7 8])) :jaccard (/ (count (clojure.set/intersection a b)) (double (count (clojure.set/union a b)))) :pairs (count (for [x a y b :when (< x y)] [x y])) :eq (= #{1 2} #{2 1}) :nested (contains? #{[1 2]} [1 2]) :empty? (empty? (clojure.set/intersection #{1} #{2})) :dups (let [xs [1 2 1 3 2]] (sort (keys (filter #(> (val %) 1) (frequencies xs))))) :dist (apply distinct? [1 2 1])})
;;;; duplicates keep first
(defn dedupe-by [f xs] (second (reduce (fn [[seen out] x] (let [k (f x)] (if (seen k) [seen out] [(conj seen k) (conj out x)]))) [#{} []] xs)))
(defn index-by [f xs] (into {} (map (juxt f identity)) xs))
(defn map-vals [f m] (into {} (for [[k v] m] [k (f v)])))
(defn find-first [p xs] (first (filter p xs)))
(defn positions [p xs] (keep-indexed #(when (p %2) %1) xs))
[(dedupe-by :k [{:k 1 :v 1} {:k 1 :v 2} {:k 2}]) (index-by :id [{:id 1} {:id 2}]) (map-vals inc {:a 1}) (find-first even? [1 3 4 6]) (positions #{:x} [:a :x :x]) (.indexOf [1 2 3] 2) (.indexOf [1 2 3] 9) (some #(when (= (:id %) 2) %) [{:id 1} {:id 2 :n "z"}])]
;;;; zip / transposes
[(map vector [1 2 3] [:a :b :c] ["x" "y"]) (apply map list [[1 2] [3 4]]) (mapv + [1 2] [10 20] [100 200]) (map-indexed (fn [i x] (str i x)) [:a :b]) (zipmap [:a :b :c] (range)) (interleave [1 2] [:a :b]) (into {} (map vec (partition 2 [:a 1 :b 2]))) (apply hash-map [:a 1]) (partition 2 (interleave "ab" "cd")) (map (fn [[a b]] (+ a b)) (partition 2 1 [1 2 4 8])) (apply mapv (fn [& xs] (apply max xs)) [[1 5] [3 2]]) (reduce (fn [m [k v]] (update m k (fnil conj []) v)) {} [[:a 1] [:b 2] [:a 3]]) (map #(%1 %2) [inc dec str] [1 2 3]) ((apply juxt [:a :b]) {:a 1 :b 2})]
;;;; loop accumulators
(loop [[x & xs] [3 -1 4 -1 5 -9 2 6] sum 0 mx Long/MIN_VALUE mn Long/MAX_VALUE negs [] i 0]
  (if (nil? x)
    {:sum sum :max mx :min mn :negs negs :n i}
    (recur xs (+ sum x) (max mx x) (min mn x) (if (neg? x) (conj negs [i x]) negs) (inc i))))
;;;; kadane
(defn max-sub [xs] (reduce max (reductions (fn [acc x] (max x (+ acc x))) xs)))
(defn max-sub-range [xs] (loop [i 0 cur 0 start 0 best {:sum Double/NEGATIVE_INFINITY}] (if (= i (count xs)) best (let [x (nth xs i) [cur start] (if (pos? cur) [(+ cur x) start] [x i])] (recur (inc i) cur start (if (> cur (:sum best)) {:sum cur :from start :to i} best))))))
[(max-sub [-2 1 -3 4 -1 2 1 -5 4]) (max-sub-range [-2 1 -3 4 -1 2 1 -5 4]) (max-sub [-3 -1])]
;;;; two sum & sliding
(defn two-sum [xs t] (reduce (fn [seen [i x]] (if-let [j (seen (- t x))] (reduced [j i]) (assoc seen x i))) {} (map-indexed vector xs)))
(defn window-max [k xs] (map #(apply max %) (partition k 1 xs)))
(defn longest-unique [s] (loop [i 0 start 0 seen {} best ""] (if (= i (count s)) best (let [c (nth s i) start (if (>= (get seen c -1) start) (inc (seen c)) start) cand (subs s start (inc i))] (recur (inc i) start (assoc seen c i) (if (> (count cand) (count best)) cand best))))))
[(two-sum [2 7 11 15] 26) (two-sum [1 2] 9) (window-max 3 [1 3 -1 -3 5 3]) (map longest-unique ["abcabcbb" "bbbb" "" "pwwkew"])]
;;;; lis
(defn lis [xs] (apply max-key count (reduce (fn [acc x] (conj acc (conj (apply max-key count [] (filter #(or (empty? %) (< (peek %) x)) acc)) x))) [[]] xs)))
(lis [10 9 2 5 3 7 101 18])
;;;; dp grid paths
(defn paths [r c] (last (reduce (fn [row _] (vec (reductions + row))) (vec (repeat c 1)) (range (dec r)))))
(defn min-path [g] (let [add (fn [prev row] (reduce (fn [acc [i x]] (conj acc (+ x (cond (and (nil? prev) (zero? i)) 0 (nil? prev) (peek acc) (zero? i) (prev 0) :else (min (prev i) (peek acc)))))) [] (map-indexed vector row)))] (peek (reduce add nil g))))
[(paths 3 7) (min-path [[1 3 1] [1 5 1] [4 2 1]])]
;;;; subset sum
(defn subset-sum [[x & xs :as all] t] (cond (zero? t) () (or (empty? all) (neg? t)) nil :else (if-let [s (subset-sum xs (- t x))] (cons x s) (subset-sum xs t))))
[(subset-sum [3 34 4 12 5 2] 9) (subset-sum [1 2] 10) (subset-sum [5] 0)]
;;;; text justify
(defn center [w s] (let [pad (- w (count s)) l (quot pad 2)] (str (apply str (repeat l \space)) s (apply str (repeat (- pad l) \space)))))
(defn left [w s] (format (str "%-" w "s") s))
(defn right [w s] (format (str "%" w "s") s))
(doseq [s ["a" "abc" "abcdefg"]] (println (str "[" (center 7 s) "][" (left 7 s) "][" (right 7 s) "]")))
;;;; accumulate string builder
(defn spaces [n] (apply str (repeat n " ")))
(defn diamond [c] (let [n (- (int c) 65) row (fn [i] (let [ch (char (+ 65 i)) out (spaces (- n i))] (if (zero? i) (str out ch out) (str out ch (spaces (dec (* 2 i))) ch out)))) top (map row (range (inc n)))] (clojure.string/join "\n" (concat top (rest (reverse top))))))
(println (diamond \C))
(clojure.string/split-lines (diamond \B))
;;;; number words
(def ones ["zero" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "eleven" "twelve" "thirteen" "fourteen" "fifteen" "sixteen" "seventeen" "eighteen" "nineteen"])
(def tens [nil nil "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])
(defn say [n] (cond (< n 20) (ones n) (< n 100) (str (tens (quot n 10)) (when (pos? (rem n 10)) (str "-" (ones (rem n 10))))) (< n 1000) (str (ones (quot n 100)) " hundred" (when (pos? (rem n 100)) (str " and " (say (rem n 100))))) :else (str (say (quot n 1000)) " thousand" (when (pos? (rem n 1000)) (str " " (say (rem n 1000)))))))
(map say [0 13 42 100 999 1234 20000])
;;;; parse money
(defn parse-money [s] (let [[_ sign whole frac] (re-matches #"(-?)\$?([\d,]+)(?:\.(\d{1,2}))?" s)] (when whole (* (if (= sign "-") -1 1) (+ (* 100 (Long/parseLong (clojure.string/replace whole "," ""))) (if frac (Long/parseLong (format "%-2s" frac)) 0))))))
(defn parse-money2 [s] (some-> (re-matches #"(-?)\$?([\d,]+)(?:\.(\d\d))?" s) ((fn [[_ sign w f]] (* (if (= sign "-") -1 1) (+ (* 100 (parse-long (clojure.string/replace w #"," ""))) (or (some-> f parse-long) 0)))))))
[(map parse-money2 ["$1,234.56" "-12" "abc" "99.05"]) (parse-money "$10.25")]
;;;; stock profits
(defn max-profit [prices] (second (reduce (fn [[lo best] p] [(min lo p) (max best (- p lo))]) [(first prices) 0] prices)))
(defn sma [n xs] (map #(/ (reduce + %) (double n)) (partition n 1 xs)))
(defn ema [a xs] (reductions (fn [e x] (+ (* a x) (* (- 1 a) e))) (first xs) (rest xs)))
(defn returns [xs] (map (fn [[a b]] (- (/ b (double a)) 1)) (partition 2 1 xs)))
[(max-profit [7 1 5 3 6 4]) (sma 3 [1 2 3 4 5]) (ema 0.5 [10 20 30]) (returns [100 110 99]) (map #(format "%+.1f%%" (* 100 %)) (returns [100 110 99]))]
;;;; loan schedule
(defn payment [p rate n] (let [r (/ rate 12)] (/ (* p r) (- 1 (Math/pow (+ 1 r) (- n))))))
(defn schedule [p rate n] (let [pay (payment p rate n)] (loop [bal p i 1 out []] (if (> i n) out (let [int (* bal (/ rate 12)) prin (- pay int) nb (- bal prin)] (recur nb (inc i) (conj out [i (format "%.2f" int) (format "%.2f" prin) (format "%.2f" (Math/abs nb))])))))))
(schedule 1000.0 0.12 3)
;;;; compound interest
(for [y (range 1 4)] (let [v (* 1000 (Math/pow 1.05 y))] [y (format "%.2f" v) (/ (Math/floor (* 100 v)) 100) (int v)]))
;;;; tax brackets
(def brackets [[10000 0.1] [40000 0.2] [Double/POSITIVE_INFINITY 0.3]])
(defn tax [income] (loop [[[top rate] & more] brackets low 0 owed 0.0] (if (or (nil? top) (<= income low)) owed (recur more top (+ owed (* rate (- (min income top) low)))))))
(map (juxt identity tax) [0 5000 10000 25000 100000])
;;;; election
(def ballots [["a" "b" "c"] ["b" "c" "a"] ["a" "c" "b"] ["c" "b" "a"] ["b" "a" "c"]])
(defn irv [bs] (loop [bs bs rounds []] (let [tally (frequencies (map first bs)) total (count bs) [top n] (first (sort-by (juxt (comp - val) key) tally))] (if (> (* 2 n) total) {:winner top :rounds (conj rounds tally)} (let [loser (key (first (sort-by (juxt val key) tally)))] (recur (map #(remove #{loser} %) bs) (conj rounds tally)))))))
(irv ballots)
;;;; elevator
(defn travel [floors] (reduce (fn [{:keys [pos dist log]} f] {:pos f :dist (+ dist (Math/abs (- f pos))) :log (conj log (cond (> f pos) (str "up " (- f pos)) (< f pos) (str "down " (- pos f)) :else "stay"))}) {:pos 0 :dist 0 :log []} floors))
(travel [3 1 1 7])
;;;; parking lot
(def lot (into (sorted-map) (for [l [1 2] s [:a :b]] [[l s] nil])))
(defn park [lot car] (if-let [slot (some (fn [[k v]] (when (nil? v) k)) lot)] [(assoc lot slot car) slot] [lot :full]))
(let [[lot log] (reduce (fn [[lot log] c] (let [[l s] (park lot c)] [l (conj log [c s])])) [lot []] ["c1" "c2" "c3" "c4" "c5"])] {:log log :lot (vals lot) :freed (first (keys (filter (comp nil? val) (assoc lot [1 :b] nil))))})
;;;; chess knight
(defn knight [[x y]] (for [[dx dy] [[1 2] [2 1] [-1 2] [-2 1] [1 -2] [2 -1] [-1 -2] [-2 -1]] :let [p [(+ x dx) (+ y dy)]] :when (every? #(<= 0 % 7) p)] p))
(defn min-moves [from to] (loop [frontier #{from} seen #{from} n 0] (if (frontier to) n (let [nxt (set (remove seen (mapcat knight frontier)))] (recur nxt (into seen nxt) (inc n))))))
[(sort (knight [0 0])) (min-moves [0 0] [7 7]) (count (knight [3 3]))]
;;;; poker
(def ranks (zipmap "23456789TJQKA" (range 2 15)))
(defn classify [hand] (let [cards (clojure.string/split hand #" ") rs (map (comp ranks first) cards) ss (map second cards) groups (sort > (vals (frequencies rs))) flush? (apply = ss) sorted (sort rs) straight? (and (= 5 (count (set rs))) (= 4 (- (last sorted) (first sorted))))] (cond (and flush? straight?) :straight-flush (= groups [4 1]) :four (= groups [3 2]) :full-house flush? :flush straight? :straight (= (first groups) 3) :three (= groups [2 2 1]) :two-pair (= (first groups) 2) :pair :else [:high (apply max rs)])))
(map classify ["TH JH QH KH AH" "2H 2D 2S 3C 3D" "2H 3H 9H JH KH" "2H 3D 4S 5C 6D" "2H 2D 3S 3C 6D" "2H 4D 9S KC 6D"])
;;;; recursion tree map
(def fs {:name "/" :children [{:name "a" :size 10} {:name "b" :children [{:name "c" :size 5} {:name "d" :size 7}]}]})
(defn size [{s :size cs :children}] (if cs (transduce (map size) + cs) s))
(defn annotate [n] (let [n (if (:children n) (update n :children #(mapv annotate %)) n)] (assoc n :total (size n))))
(defn find-path [n target] (if (= (:name n) target) [(:name n)] (some #(when-let [p (find-path % target)] (into [(:name n)] p)) (:children n))))
[(annotate fs) (find-path fs "d") (find-path fs "zzz") (map :name (filter #(and (:size %) (> (:size %) 6)) (tree-seq :children :children fs)))]
;;;; data validation
(def schema {:name [string? "must be string"] :age [#(and (int? %) (<= 0 % 150)) "must be 0-150"] :email [#(and (string? %) (re-find #"@" %)) "invalid"]})
(defn validate [m] (let [errs (into (sorted-map) (keep (fn [[k [p msg]]] (when-not (p (get m k)) [k msg]))) schema)] (if (seq errs) {:valid? false :errors errs} {:valid? true})))
(mapv validate [{:name "A" :age 3 :email "a@b"} {:name 1 :age 200} {}])
;;;; pipeline of fns
(def pipeline [[:trim clojure.string/trim] [:lower clojure.string/lower-case] [:words #(clojure.string/split % #"\s+")] [:count count]])
(defn run-pipeline [x] (reductions (fn [[_ v] [n f]] [n (f v)]) [:input x] pipeline))
[(run-pipeline "  Hello Big WORLD ") ((apply comp (reverse (map second pipeline))) " a b ") (reduce #(%2 %1) 5 [inc #(* % 2) str])]
;;;; church / closures
(defn make-counter [start step] (fn [n] (+ start (* step n))))
(defn compose [& fs] (reduce (fn [f g] (fn [& args] (f (apply g args)))) fs))
(defn curry [f] (fn [a] (fn [b] (f a b))))
(def add-tax (partial * 1.2))
[(map (make-counter 10 5) (range 4)) ((compose inc #(* 2 %) +) 1 2 3) (((curry +) 1) 2) (map (comp #(format "%.2f" %) add-tax) [10 20.5]) (let [fs (for [i (range 3)] (fn [x] (* i x)))] (map #(% 10) fs)) ((every-pred pos? even?) 4) ((some-fn :a :b) {:b 2}) (map (fnil inc 0) [1 nil]) (apply (juxt + - * max) [2 3])]
;;;; iterate stable
(defn fixpoint [f x] (let [y (f x)] (if (= x y) x (recur f y))))
(defn newton [n] (->> (iterate #(/ (+ % (/ n %)) 2.0) 1.0) (partition 2 1) (drop-while (fn [[a b]] (> (Math/abs (- a b)) 1e-9))) ffirst))
[(fixpoint #(quot (+ % 10) 2) 0) (format "%.6f" (newton 2)) (first (drop-while #(< % 100) (iterate #(* % 3) 1))) (take 5 (iterate (partial * -2) 1))]
;;;; queue simulation
(defn simulate [arrivals service] (:out (reduce (fn [{:keys [free out]} a] (let [start (max free a) end (+ start service)] {:free end :out (conj out {:arrive a :wait (- start a) :done end})})) {:free 0 :out []} arrivals)))
(let [r (simulate [0 1 2 10] 3)] {:log r :avg-wait (/ (reduce + (map :wait r)) (double (count r))) :max (apply max (map :wait r)) :idle (reduce + (map (fn [[a b]] (max 0 (- (:arrive b) (:done a)))) (partition 2 1 r)))})
;;;; round robin
(defn rr [quantum procs] (loop [q (vec procs) t 0 done []] (if-let [[n left] (first q)] (let [used (min quantum left) t (+ t used)] (if (= used left) (recur (subvec q 1) t (conj done [n t])) (recur (conj (subvec q 1) [n (- left used)]) t done))) done)))
(rr 2 [[:a 5] [:b 2] [:c 3]])
;;;; sparse matrix
(def a {[0 0] 1 [1 2] 3}) (def b {[0 0] 2 [2 1] 5})
(defn mul [a b] (reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} (for [[[i k] x] a [[k2 j] y] b :when (= k k2)] [[i j] (* x y)])))
[(mul a b) (merge-with + a b) (into (sorted-map) (map (fn [[[i j] v]] [[j i] v])) a) (get a [9 9] 0)]
