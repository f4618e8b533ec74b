;;;; event sourcing with multi-arity and nested defaults
(defn apply-all ([events] (apply-all {} events)) ([state events] (reduce (fn [s {:keys [type] :as e}] (case type :created (assoc s (:id e) (-> e (dissoc :type :id) (assoc :version 1))) :renamed (-> s (assoc-in [(:id e) :name] (:name e)) (update-in [(:id e) :version] inc)) :deleted (dissoc s (:id e)) s)) state events)))
(let [s (apply-all [{:type :created :id 1 :name "a" :tags #{:x}} {:type :created :id 2 :name "b"} {:type :renamed :id 1 :name "A"} {:type :noop}])]
  [s (apply-all s [{:type :deleted :id 2}]) (get-in s [1 :tags]) (keys s) (vals (update-vals s :version))])
;;;; bowling score
(defn score [rolls]
  (loop [frame 1 [a b c :as rs] rolls total 0]
    (cond (= frame 11) total
          (= a 10) (recur (inc frame) (rest rs) (+ total a b c))
          (= 10 (+ a b)) (recur (inc frame) (drop 2 rs) (+ total 10 c))
          :else (recur (inc frame) (drop 2 rs) (+ total a b)))))
(map score [(repeat 12 10) (repeat 21 5) [10 7 3 9 0 10 0 8 8 2 0 6 10 10 10 8 1]])
;;;; roman numerals both ways
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn to-roman [n] (loop [n n [[v s] & more :as all] numerals out ""] (cond (zero? n) out (>= n v) (recur (- n v) all (str out s)) :else (recur n more out))))
(defn from-roman [s] (let [vs (map (into {} (map (fn [[v k]] [k v])) numerals) (map str s))] (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vs (concat (rest vs) [nil])))))
(map (juxt to-roman (comp from-roman to-roman)) [1 4 9 14 40 90 400 1994 2024 3999])
;;;; knapsack by dynamic programming
(defn knapsack [items cap]
  (peek (reduce (fn [row {:keys [w v]}] (mapv (fn [c] (max (row c) (if (>= c w) (+ v (row (- c w))) 0))) (range (inc cap)))) (vec (repeat (inc cap) 0)) items)))
(knapsack [{:w 1 :v 1} {:w 3 :v 4} {:w 4 :v 5} {:w 5 :v 7}] 7)
;;;; game of life
(defn step [cells] (set (for [[loc n] (frequencies (for [[x y] cells dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)])) :when (or (= n 3) (and (= n 2) (cells loc)))] loc)))
(defn draw [cells] (str/join "\n" (for [y (range 5)] (apply str (for [x (range 5)] (if (cells [x y]) "#" "."))))))
(let [glider #{[1 0] [2 1] [0 2] [1 2] [2 2]}]
  (doseq [[i g] (map-indexed vector (take 3 (iterate step glider)))] (println "gen" i) (println (draw g)))
  (sort (nth (iterate step glider) 4)))
;;;; n queens with for and every?
(defn safe? [qs c] (every? true? (map-indexed (fn [i q] (and (not= q c) (not= (inc i) (Math/abs (- q c))))) qs)))
(defn queens ([n] (queens n n)) ([n k] (if (zero? k) [()] (for [qs (queens n (dec k)) c (range n) :when (safe? qs c)] (cons c qs)))))
[(count (queens 6)) (first (queens 8)) (map count (map queens [1 2 3 4]))]
;;;; permutations, subsets, powerset, cartesian
(defn perms [xs] (if (empty? xs) [[]] (for [x xs p (perms (remove #{x} xs))] (cons x p))))
(defn powerset [xs] (reduce (fn [acc x] (into acc (map #(conj % x)) acc)) [#{}] xs))
(defn cart [& colls] (reduce (fn [acc c] (for [a acc x c] (conj a x))) [[]] colls))
(defn choose [k xs] (cond (zero? k) [[]] (empty? xs) [] :else (concat (map #(cons (first xs) %) (choose (dec k) (rest xs))) (choose k (rest xs)))))
[(perms [1 2 3]) (map sort (powerset [1 2 3])) (cart [1 2] [:a :b] ["x"]) (choose 2 [1 2 3 4]) (count (perms (range 5)))]
;;;; balanced brackets with positions
(def pairs {")" "(" "]" "[" "}" "{"})
(defn check [s]
  (let [opens (set (vals pairs))]
    (loop [[[i c] & more] (map-indexed vector (map str s)) stack []]
      (cond (nil? c) (if-let [[j o] (peek stack)] [:unclosed o j] :ok)
            (opens c) (recur more (conj stack [i c]))
            (pairs c) (if (= (pairs c) (second (peek stack))) (recur more (pop stack)) [:unexpected c i])
            :else (recur more stack)))))
(map check ["(a[b]{c})" "(a" "a)" "([)]" ""])
;;;; priority of meetings by minutes
(defn mins [t] (let [[h m] (map parse-long (str/split t #":"))] (+ (* 60 h) m)))
(defn hhmm [n] (format "%02d:%02d" (quot n 60) (mod n 60)))
(let [ms [["09:00" "10:30" "plan"] ["10:00" "11:00" "sync"] ["13:15" "13:45" "1:1"]]
      evs (sort-by (juxt first second) (mapcat (fn [[s e _]] [[(mins s) 1] [(mins e) -1]]) ms))]
  {:total (hhmm (reduce (fn [acc [s e]] (+ acc (- (mins e) (mins s)))) 0 ms))
   :peak (apply max (reductions + (map second evs)))
   :overlaps (for [[s1 e1 a] ms [s2 e2 b] ms :when (and (neg? (compare a b)) (< (mins s1) (mins e2)) (< (mins s2) (mins e1)))] [a b])
   :plus (map #(hhmm (mod (+ 90 (mins %)) 1440)) ["23:00" "09:15"])})
;;;; group, aggregate, pivot
;data> {:rows [{:y 2023 :q "Q1" :amt 100} {:y 2023 :q "Q2" :amt 150} {:y 2024 :q "Q1" :amt 90} {:y 2024 :q "Q2" :amt nil} {:y 2024 :q "Q1" :amt 60}]}
(let [by (group-by (juxt :y :q) data/rows)
      sums (update-vals by #(reduce + (keep :amt %)))
      pivot (reduce-kv (fn [m [y q] v] (assoc-in m [y q] v)) (sorted-map) sums)]
  (doseq [[y qs] pivot] (println y (str/join " " (for [[q v] (sort qs)] (str q "=" v)))))
  {:sums sums :totals (into (sorted-map) (map (fn [[y qs]] [y (apply + (vals qs))])) pivot)
   :growth (let [t (fn [y] (reduce + (vals (pivot y))))] (format "%+.1f%%" (* 100.0 (/ (- (t 2024) (t 2023)) (t 2023)))))
   :missing (count (filter (comp nil? :amt) data/rows)) :best (key (apply max-key val sums))})
;;;; tree building from parent ids
(def nodes [{:id 1 :parent nil :n "root"} {:id 2 :parent 1 :n "a"} {:id 3 :parent 1 :n "b"} {:id 4 :parent 2 :n "c"}])
(defn build [by-parent id] (for [{:keys [id n]} (by-parent id)] (cond-> {:n n} (by-parent id) (assoc :kids (build by-parent id)))))
(defn paths [prefix {:keys [n kids]}] (let [p (conj prefix n)] (cons (str/join "/" p) (mapcat #(paths p %) kids))))
(let [[root :as forest] (build (group-by :parent nodes) nil)] [forest (paths [] root) (walk/postwalk #(if (string? %) (keyword %) %) root)])
;;;; diff of two maps, with keywords that read
(defn diff [a b] (let [ks (sort (distinct (concat (keys a) (keys b))))] (into {} (for [k ks :let [x (get a k :none) y (get b k :none)] :when (not= x y)] [k (cond (= x :none) [:added y] (= y :none) [:removed x] (and (map? x) (map? y)) (diff x y) :else [:changed x y])]))))
(diff {:a 1 :b {:c 2 :d 3} :e nil} {:a 1 :b {:c 5 :d 3} :f false})
;;;; validation collecting errors
(def rules {:name [[string? "must be text"] [not-empty "must not be empty"]] :age [[int? "must be a whole number"] [#(and (int? %) (<= 0 % 150)) "out of range"]] :email [[#(some->> % (re-matches #"[^@\s]+@[^@\s]+\.\w+")) "is no address"]]})
(defn validate [m] (reduce-kv (fn [errs k checks] (let [bad (for [[ok? msg] checks :when (not (ok? (k m)))] msg)] (cond-> errs (seq bad) (assoc k (vec bad))))) {} rules))
(map validate [{:name "Al" :age 30 :email "al@x.org"} {:name "" :age 200 :email "nope"} {:name nil :age "x"}])
;;;; retry with a counter in loop
(defn flaky [n] (if (< n 3) (throw (ex-info (str "attempt " n) {:n n})) {:ok n}))
(defn retry [f max] (loop [i 1 log []] (let [r (try {:value (f i)} (catch Exception e {:error (ex-message e) :data (ex-data e)}))] (cond (:value r) (assoc r :log log) (= i max) (assoc r :log log) :else (recur (inc i) (conj log (:error r)))))))
[(retry flaky 5) (retry flaky 2)]
;;;; side effects in order
(defn tell [x] (println "eval" x) x)
(let [m {(tell :a) (tell 1) (tell :b) (tell 2)} v [(tell 3) (tell 4)] f (fn [& xs] (apply + xs))]
  (println "call") (println (f (tell 5) (tell 6)))
  (and (tell true) (tell nil) (tell :never)) (or (tell nil) (tell :yes) (tell :never))
  (cond (tell false) 1 (tell :c) (tell 2) :else (tell 3))
  (-> (tell 1) (+ (tell 2)) (* (tell 3)))
  (doseq [x [1 2] y [:p :q] :when (not (and (= x 1) (= y :q)))] (println x y))
  [m v (if-let [x (tell nil)] :t (tell :e)) (when-some [x (tell false)] [x])])
;;;; number formatting table
(doseq [x [0 1 -1 1234567.891 0.005 1e10 -0.5]]
  (println (format "|%10.2f|%-12s|%e|%g|%,.1f|" (double x) (str x) (double x) (double x) (double x))))
(map #(format "%05d|%+d|%x|%o|%,d|%(d|% d" % % % % % % %) [42 -42 0 1000000])
;;;; recursion over nested data with walk and tree-seq
(def doc {:title "T" :sections [{:title "S1" :body ["p1" {:link "x" :text "l"}]} {:title "S2" :sections [{:title "S2.1" :body []}]}]})
(letfn [(toc [d n] (cons (str (apply str (repeat n "-")) (:title d)) (mapcat #(toc % (inc n)) (:sections d))))]
  {:toc (toc doc 0) :links (keep :link (filter map? (tree-seq coll? seq doc))) :strs (count (filter string? (tree-seq coll? seq doc)))
   :up (walk/postwalk #(if (and (map? %) (:title %)) (update % :title str/upper-case) %) doc) :ks (sort (distinct (filter keyword? (flatten (walk/prewalk #(if (map? %) (seq %) %) doc)))))})
;;;; shadowing builtins everywhere
(defn summarize [name count & [max]] (let [first (subs name 0 1) str (str/upper-case name) map {:n count}] (merge map {:first first :str str :max max})))
(let [list [3 1 2] sort (sort list) vec #(conj [] %) key :k val 2 {:keys [type class]} {:type :t :class :c} [rest next] [:r :n]]
  [(summarize "abc" 3) (summarize "x" 0 9) sort (vec 1) {key val} type class rest next (for [range (range 2)] range) (let [inc dec] (inc 1)) ((fn [str] (str "a")) keyword)])
;;;; recur through when-let, cond, case, and variadics
(defn sum-to [& [x & xs]] (if x (+ x (apply sum-to xs)) 0))
(defn count-down [n & acc] (if (zero? n) acc (recur (dec n) (cons n acc))))
(defn walk-list [s] (loop [s s out []] (if-let [[x & more] (seq s)] (case x :skip (recur (next more) out) :stop out (recur more (conj out x))) out)))
(defn gcd [a b] (if (zero? b) a (recur b (rem a b))))
[(sum-to 1 2 3) (count-down 4) (walk-list [1 :skip 2 3 :stop 4]) (gcd 48 36) (loop [i 0 s #{}] (when-let [n (and (< i 50) (mod (* i i) 7))] (if (and (> i 10) (s n)) [i s] (recur (inc i) (conj s n)))))]
;;;; laziness that shows in results only
(let [evens (filter even? (range)) sq (map #(* % %) evens) fib (map first (iterate (fn [[a b]] [b (+' a b)]) [0 1]))]
  [(take 5 sq) (first (drop-while #(< % 1000) sq)) (nth fib 50) (take-while #(< % 30) fib) (some #(when (> % 100) %) fib) (->> (range) (partition 3) (map #(apply + %)) (take 3)) (take 4 (interleave (range) (cycle [:x :y])))
   (zipmap [:a :b :c] (iterate #(* 2 %) 1)) (take 3 (repeatedly (constantly 7))) (second (split-with #(< % 3) (range 6))) (map vector (range) "abc") (take 2 (remove odd? (map inc (range)))) (take 3 (partition-by #(quot % 3) (range))) (reduce (fn [a x] (if (> a 20) (reduced a) (+ a x))) (range))])
;;;; higher order composition
(def pipeline (comp (partial map str/capitalize) (partial remove str/blank?) #(str/split % #"\s*,\s*") str/trim))
(def stats (juxt count #(apply min %) #(apply max %) #(/ (reduce + %) (count %))))
(def safe-div (fnil / 1 1))
[(pipeline " ann, bob ,,cy ") (stats [3 1 4 4]) (safe-div nil 4) ((some-fn :a :b) {:b 2}) ((every-pred pos? even?) 2 4) ((complement nil?) 1) ((comp) 5) (map (comp inc :v) [{:v 1}]) (((fn [a] (fn [b] (* a b))) 3) 4) (apply (partial + 1) 2 [3]) ((memoize +) 1 2) (reduce #(%2 %1) 5 [inc str keyword]) (map #(%1 10) [inc dec -]) (trampoline (fn f [n] (if (pos? n) #(f (dec n)) :done)) 20) ((constantly 1) 2 3)]
;;;; sets and relations
(let [emps #{{:id 1 :name "A" :dept 10} {:id 2 :name "B" :dept 20} {:id 3 :name "C" :dept 10}} depts #{{:dept 10 :dname "Eng"} {:dept 20 :dname "Ops"}}]
  [(sort-by :id (set/join emps depts)) (sort-by :id (set/join emps (set/rename depts {:dept :d}) {:dept :d})) (set/project emps [:dept]) (into {} (map (fn [[k v]] [(:dept k) (count v)])) (set/index emps [:dept])) (set/select #(> (:id %) 1) emps) (set/map-invert {:a 1 :b 2}) (set/subset? #{1} #{1 2}) (set/rename #{{:a 1}} {:a :z})])
;;;; text wrapping and justification
(def text "The quick brown fox jumps over the lazy dog and runs away")
(defn wrap [w s] (reduce (fn [lines word] (let [l (peek lines)] (if (and l (<= (+ (count l) 1 (count word)) w)) (conj (pop lines) (str l " " word)) (conj lines word)))) [] (str/split s #" ")))
(defn pad [w s] (str s (apply str (repeat (- w (count s)) "."))))
(defn center [w s] (let [n (- w (count s)) l (quot n 2)] (str (str/join (repeat l " ")) s (str/join (repeat (- n l) " ")))))
(doseq [l (wrap 16 text)] (println (str "|" (pad 16 l) "|" (center 18 l) "|")))
(map count (wrap 16 text))
;;;; date arithmetic with LocalDate
(let [d (java.time.LocalDate/parse "2024-01-31")]
  (map str [(.plusDays d 1) (.plusMonths d 1) (.plusYears d 1) (.minusDays d 31) (.withDayOfMonth d 1) (.getYear d) (.getMonthValue d) (.getDayOfMonth d) (.isLeapYear d) (.lengthOfMonth d) (.isBefore d (java.time.LocalDate/of 2024 2 1)) (.getDayOfWeek d) (.until d (java.time.LocalDate/of 2024 3 1) java.time.temporal.ChronoUnit/DAYS) (.between java.time.temporal.ChronoUnit/DAYS d (java.time.LocalDate/parse "2024-12-25")) (.toEpochDay d) (.getDayOfYear d) (.plusWeeks d 2)]))
;;;; counting by several things at once
(reduce (fn [acc {:keys [lang stars owner]}] (-> acc (update :n (fnil inc 0)) (update-in [:by-lang lang] (fnil conj []) stars) (update :owners (fnil conj #{}) owner) (update :max-stars (fnil max 0) stars)))
        {} [{:lang :clj :stars 5 :owner "a"} {:lang :js :stars 9 :owner "b"} {:lang :clj :stars 2 :owner "a"}])
;;;; merge deep
(defn deep-merge [& ms] (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
[(deep-merge {:a {:b 1 :c {:d 2}} :x 1} {:a {:c {:e 3} :b 9}} {:x nil}) (merge-with + {:a 1} {:a 2 :b 3} {:b 4}) (merge-with into {:a [1]} {:a #{2}}) (merge {:a 1} nil {:b 2}) (merge) (merge nil nil) (merge-with conj {:a []} {:a 1}) (apply merge-with (comp vec flatten vector) [{:k 1} {:k 2} {:k 3}])]
;;;; binary search, bubble, quick, merge sort, insertion
(defn bsearch [v x] (loop [lo 0 hi (dec (count v))] (when (<= lo hi) (let [m (quot (+ lo hi) 2) y (v m)] (cond (= x y) m (< x y) (recur lo (dec m)) :else (recur (inc m) hi))))))
(defn qsort [[p & xs :as all]] (if (seq all) (let [{small true large false} (group-by #(< % p) xs)] (concat (qsort small) [p] (qsort large))) ()))
(defn msort [xs] (if (< (count xs) 2) xs (let [[a b] (split-at (quot (count xs) 2) xs)] (loop [a (msort a) b (msort b) out []] (cond (empty? a) (into out b) (empty? b) (into out a) (<= (first a) (first b)) (recur (rest a) b (conj out (first a))) :else (recur a (rest b) (conj out (first b))))))))
(defn isort [xs] (reduce (fn [s x] (let [[lo hi] (split-with #(<= % x) s)] (concat lo [x] hi))) [] xs))
(let [xs [5 3 9 1 5 0 -2]] [(qsort xs) (msort xs) (isort xs) (map #(bsearch [1 3 5 7] %) [1 7 4]) (sort xs) (= (qsort xs) (msort xs) (isort xs))])
;;;; exceptions of many kinds, which catch gets them
(defn kind [f] (try (f) (catch ArithmeticException _ :arith) (catch NumberFormatException _ :nfe) (catch clojure.lang.ExceptionInfo e [:info (ex-data e)]) (catch IllegalArgumentException _ :iae) (catch NullPointerException _ :npe) (catch ClassCastException _ :cce) (catch Exception _ :other) (finally nil)))
(map kind [#(/ 1 0) #(Long/parseLong "z") #(throw (ex-info "x" {:a 1})) #(throw (IllegalArgumentException. "q")) #(+ nil 1) #(inc "a") #(throw (Exception. "e")) #(nth [1 2] 0) #(throw (IllegalStateException. "s")) #(:a nil) #(mod 5 0) #(Double/parseDouble "p") #(assoc [1] 5 :x) #(first 5) #(count 5) #(even? 1)])
;;;; matrix spiral, rotate, diagonal
(defn rotate [m] (apply mapv (fn [& col] (vec (reverse col))) m))
(defn spiral [m] (when (seq m) (concat (first m) (spiral (reverse (apply map vector (rest m)))))))
(defn spiral-2 [m] (loop [m m out []] (if (empty? m) out (recur (when (seq (rest m)) (reverse (apply map list (rest m)))) (into out (first m))))))
(let [m [[1 2 3] [4 5 6] [7 8 9]]] [(rotate m) (spiral-2 m) (map get m (range)) (map-indexed (fn [i r] (r (- 2 i))) m) (= m (nth (iterate rotate m) 4)) (apply map + m) (map #(apply + %) m) (mapv #(mapv (partial * 2) %) m) (get-in m [1 1]) (assoc-in m [0 0] :x) (update-in m [2 2] inc) (vec (for [i (range 3)] (vec (for [j (range 3)] (* i j)))))])
;;;; string predicates and odd calls
[(str/split "a,b,,c,," #",") (str/split "a,b,,c,," #"," -1) (str/split "" #",") (str/split "abc" #"") (str/replace "aXbX" "X" "$1") (str/replace "a.b" "." "\\") (str/replace "hello" #"l+" #(str "<" % ">")) (str/replace "2024-05" #"(\d+)-(\d+)" "$2/$1") (str/replace-first "aaa" "a" "b") (str/index-of "hello" "l") (str/last-index-of "hello" "l") (str/index-of "hello" "z") (re-find #"(\w)(\d)?" "a") (re-matches #"a" "ab") (re-seq #"(\w)=(\d)" "a=1,b=2") (str/trim "\t x \n") (str/triml " x ") (str/trim-newline "x\r\n") (subs "hello" 2) (str/reverse "abc") (str/join "-" [1 nil "a" :b]) (str/includes? "abc" "") (neg? (compare "a" "B")) (str/capitalize "éa") (.toUpperCase "ß") (str/blank? nil) (str/starts-with? "abc" "ab") (name :x/y) (keyword "a b") (str/escape "a<b" {\< "&lt;"}) (str/split-lines "a\r\nb\n\nc\n") (apply str (reverse "héllo")) (seq "ab") (map str/upper-case ["a" "b"]) (.indexOf "abc" "c") (.substring "hello" 1 3) (.contains "abc" "b") (.charAt "abc" 1) (.length "abc") (.startsWith "abc" "a") (count "日本")]
;;;; multi-line transducer with stateful parts
(let [xf (comp (map #(update % :amt (fnil + 0) 0)) (filter (comp pos? :amt)) (partition-by :d) (map (fn [p] {:d (:d (first p)) :n (count p) :sum (reduce + (map :amt p))})) (take-while #(< (:sum %) 100)))]
  [(into [] xf [{:d 1 :amt 5} {:d 1 :amt 6} {:d 2} {:d 2 :amt 7} {:d 1 :amt 1} {:d 3 :amt 200} {:d 4 :amt 1}])
   (transduce (comp (drop 1) (take-nth 2) (dedupe)) conj [9 9 1 1 2 3 2 3]) (sequence (interpose :x) [1 2 3]) (into #{} (comp cat (distinct)) [[1 2] [2 3]]) (transduce (keep-indexed (fn [i x] (when (odd? i) x))) str "" "abcdef") (into (sorted-map) (map (juxt identity count)) ["b" "aa"])])
;;;; metadata, docstrings, private, type hints and conditions
(defn ^{:private true :doc "x"} add "Adds two" {:added "1.0"} ^long [^long a ^long b] (+ a b))
(defn- half [^double x] (/ x 2))
(def ^:const limit 10)
(def ^{:doc "text"} greeting "doc" "hi")
(defn checked [x] {:pre [(number? x)] :post [(pos? %)]} (* x x))
(defn documented "Several arities" ([] (documented 1)) ([x] (* x limit)))
[(add 1 2) (half 5) limit greeting (checked 3) (documented) (documented 2) (#'add 3 4) (map #'inc [1 2]) (let [^String s "abc"] (.length s)) ((fn named ^long [^long n] (if (zero? n) 0 (named (dec n)))) 5)]
