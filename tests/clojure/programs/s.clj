;;;; sales report as aligned text
;data> {:sales [{:region "North" :product "Widget" :units 12 :price 9.99} {:region "South" :product "Gadget" :units 3 :price 24.5} {:region "North" :product "Gadget" :units 7 :price 24.5} {:region "East" :product "Widget" :units 30 :price 9.49}]}
(defn revenue [{:keys [units price]}] (* units price))
(defn line [& cols] (apply format "%-10s|%8s|%12s" (map str cols)))
(let [by-region (group-by :region data/sales)
      rows (for [[region sales] (sort-by key by-region)]
             {:region region :units (reduce + (map :units sales)) :revenue (reduce + (map revenue sales))})
      total (transduce (map :revenue) + rows)]
  (println (line "Region" "Units" "Revenue"))
  (println (str/join (repeat 32 "-")))
  (doseq [{:keys [region units revenue]} rows]
    (println (line region units (format "%.2f" revenue))))
  (println (line "TOTAL" (apply + (map :units rows)) (format "%,.2f" total)))
  {:rows (mapv #(update % :revenue (fn [r] (/ (Math/round (* 100.0 r)) 100.0))) rows)
   :best (:region (apply max-key :revenue rows))})
;;;; ini file parser
(def text "[server]\nhost = example.org\nport = 8080\n\n; comment\n[client]\nretries=3\nverbose = true\nname = \"a b\"")
(defn parse-value [s]
  (cond
    (re-matches #"-?\d+" s) (parse-long s)
    (#{"true" "false"} s) (parse-boolean s)
    (re-matches #"\".*\"" s) (subs s 1 (dec (count s)))
    :else s))
(->> (str/split-lines text)
     (map str/trim)
     (remove #(or (str/blank? %) (str/starts-with? % ";")))
     (reduce (fn [{:keys [section] :as acc} line]
               (if-let [[_ name] (re-find #"^\[(.+)\]$" line)]
                 (assoc acc :section (keyword name))
                 (let [[k v] (map str/trim (str/split line #"=" 2))]
                   (assoc-in acc [:config section (keyword k)] (parse-value v)))))
             {:section nil :config {}})
     :config)
;;;; traffic light state machine with timers
(def transitions {:green {:next :yellow :for 3} :yellow {:next :red :for 1} :red {:next :green :for 2}})
(loop [tick 0 state :green left (get-in transitions [:green :for]) log []]
  (cond
    (= tick 10) (do (println (str/join " " (map name log))) (frequencies log))
    (zero? left) (let [nxt (get-in transitions [state :next])]
                   (recur tick nxt (get-in transitions [nxt :for]) log))
    :else (recur (inc tick) state (dec left) (conj log state))))
;;;; matrix product, transpose, determinant, power
(defn transpose [m] (apply mapv vector m))
(defn mul [a b] (let [cols (transpose b)] (mapv (fn [row] (mapv #(reduce + (map * row %)) cols)) a)))
(defn det [m]
  (if (= 1 (count m))
    (ffirst m)
    (reduce + (map-indexed (fn [i x]
                             (* (if (even? i) 1 -1) x
                                (det (mapv #(into (subvec % 0 i) (subvec % (inc i))) (rest m)))))
                           (first m)))))
(defn power [m n] (reduce mul (repeat n m)))
(let [m [[1 2] [3 4]]]
  {:t (transpose [[1 2 3] [4 5 6]]) :mul (mul m [[0 1] [1 0]]) :det (det [[2 0 1] [1 3 2] [1 1 1]])
   :fib (-> [[1 1] [1 0]] (power 30) first second)
   :trace (reduce + (map-indexed #(nth %2 %1) m))})
;;;; breadth first search in a maze
(def maze ["S.#....." "..#.###." ".#..#..." ".##.#.#." "......#E"])
(defn cell [[r c]] (get-in maze [r c]))
(defn find-cell [ch] (first (for [r (range (count maze)) c (range (count (first maze))) :when (= (str (cell [r c])) ch)] [r c])))
(defn neighbours [[r c]]
  (for [[dr dc] [[0 1] [1 0] [0 -1] [-1 0]]
        :let [p [(+ r dr) (+ c dc)] x (some-> (cell p) str)]
        :when (and x (not= x "#"))] p))
(let [start (find-cell "S") goal (find-cell "E")]
  (loop [queue (conj clojure.lang.PersistentQueue/EMPTY start) came {start nil}]
    (if-let [p (peek queue)]
      (if (= p goal)
        (let [path (take-while identity (iterate came p))] {:length (dec (count path)) :first-steps (take 3 (reverse path))})
        (let [new (remove #(contains? came %) (neighbours p))]
          (recur (into (pop queue) new) (into came (map #(vector % p) new)))))
      :no-path)))
;;;; days between and leap years by hand
(defn leap? [y] (and (zero? (mod y 4)) (or (pos? (mod y 100)) (zero? (mod y 400)))))
(def month-days [31 28 31 30 31 30 31 31 30 31 30 31])
(defn day-of-year [[y m d]] (+ d (reduce + (take (dec m) month-days)) (if (and (leap? y) (> m 2)) 1 0)))
(defn parse-date [s] (mapv parse-long (rest (re-matches #"(\d{4})-(\d{2})-(\d{2})" s))))
(defn epoch [[y _ _ :as date]] (+ (* 365 y) (quot (dec y) 4) (- (quot (dec y) 100)) (quot (dec y) 400) (day-of-year date)))
(let [dates (map parse-date ["2024-02-28" "2024-03-01" "2023-12-31" "2000-01-01"])]
  {:leaps (filter leap? [1900 2000 2023 2024]) :doy (map day-of-year dates)
   :gaps (map (fn [[a b]] (- (epoch b) (epoch a))) (partition 2 1 dates))
   :fmt (map (fn [[y m d]] (format "%02d/%02d/%d" d m y)) dates)})
;;;; nested update of an organisation
(def org {:name "Acme" :teams {:eng {:lead "Ann" :members ["Bo" "Cy"] :budget 1000} :ops {:lead "Di" :members [] :budget 500}}})
(-> org
    (update-in [:teams :eng :members] conj "Ed")
    (update-in [:teams :ops :budget] * 1.1)
    (assoc-in [:teams :hr] {:lead nil :members nil :budget 0})
    (update :teams #(reduce-kv (fn [m k v] (assoc m k (assoc v :size (count (:members v)) :key (name k)))) {} %))
    (update-in [:teams :hr :members] (fnil conj #{}) "Flo")
    (dissoc :name)
    (update :teams (fn [ts] (into (sorted-map) (filter (comp pos? :size val)) ts))))
;;;; transducer pipeline over log lines
(def lines ["12:00 INFO start" "12:01 WARN disk 91%" "12:02 ERROR disk full" "12:03 INFO retry" "12:04 ERROR timeout after 30s" "12:05 WARN cpu 75%"])
(def parse (map #(zipmap [:time :level :message] (rest (re-find #"(\S+) (\S+) (.*)" %)))))
(def problems (comp parse (remove (comp #{"INFO"} :level)) (map-indexed (fn [i m] (assoc m :n i)))))
{:all (into [] problems lines)
 :levels (transduce (comp parse (map :level)) (fn ([] {}) ([acc] (into (sorted-map) acc)) ([acc l] (update acc l (fnil inc 0)))) lines)
 :first-two (sequence (comp problems (take 2) (map :message)) lines)

 :digits (into #{} (comp parse (keep #(re-find #"\d+" (:message %))) (map parse-long)) lines)}
;;;; shapes by case dispatch
(defn area [{:keys [shape] :as s}]
  (case shape
    :circle (* Math/PI (Math/pow (:r s) 2))
    (:rect :square) (let [{:keys [w h] :or {h w}} s] (* w h))
    :triangle (let [[a b c] (:sides s) p (/ (+ a b c) 2.0)] (Math/sqrt (* p (- p a) (- p b) (- p c))))
    (throw (ex-info (str "no area for " shape) {:shape shape}))))
(let [shapes [{:shape :circle :r 1.5} {:shape :rect :w 2 :h 3} {:shape :square :w 4} {:shape :triangle :sides [3 4 5]} {:shape :blob}]]
  (for [s shapes]
    [(:shape s) (try (format "%.3f" (double (area s))) (catch Exception e (str "error: " (.getMessage e))))]))
;;;; run length encoding both ways
(defn encode [s] (apply str (mapcat (fn [run] [(count run) (first run)]) (partition-by identity s))))
(defn decode [s] (apply str (mapcat (fn [[_ n c]] (repeat (parse-long n) c)) (re-seq #"(\d+)(\D)" s))))
(let [s "aaabccddddde" e (encode s)]
  [e (decode e) (= s (decode e)) (map (juxt first count) (partition-by identity s)) (encode "")])
;;;; errors inside nested tries with finally
(defn risky [n]
  (try
    (println "enter" n)
    (cond (zero? n) (throw (ex-info "zero" {:n n}))
          (neg? n) (/ n 0)
          :else (* n 10))
    (catch ArithmeticException e (println "arith:" (.getMessage e)) :arith)
    (finally (println "leave" n))))
[(risky 1) (risky -1)
 (try (risky 0) (catch clojure.lang.ExceptionInfo e (assoc (ex-data e) :msg (ex-message e))))
 (try (try (throw (ex-info "in" {:a 1})) (catch Exception e (throw (ex-info "out" (merge (ex-data e) {:b 2}) e))))
      (catch Exception e [(ex-message e) (ex-data e) (ex-message (ex-cause e))]))]
;;;; lazy primes, collatz, hailstone maxima
(def primes ((fn sieve [] (filter (fn [n] (every? #(pos? (rem n %)) (take-while #(<= (* % %) n) (cons 2 (range 3 n 2))))) (iterate inc 2)))))
(defn collatz [n] (take-while #(not= 1 %) (iterate #(if (even? %) (/ % 2) (inc (* 3 %))) n)))
{:primes (take 12 primes) :sum (reduce + (take-while #(< % 100) primes))
 :collatz (collatz 6) :longest (apply max-key (comp count collatz) (range 1 30))
 :cycle (take 7 (drop 2 (cycle [:a :b :c])))
 :twins (take 4 (filter (fn [[a b]] (= 2 (- b a))) (partition 2 1 (take 50 primes))))}
;;;; memoized paths and edit distance
(def paths (memoize (fn [r c] (if (or (zero? r) (zero? c)) 1 (+ (paths (dec r) c) (paths r (dec c)))))))
(defn levenshtein [a b]
  (let [a (vec a) b (vec b)
        d (memoize (fn [d* i j] nil))]
    (letfn [(step [prev ca]
              (reduce (fn [row [j cb]]
                        (conj row (min (inc (peek row)) (inc (nth prev (inc j))) (+ (nth prev j) (if (= ca cb) 0 1)))))
                      [(inc (first prev))] (map-indexed vector b)))]
      (peek (reduce step (vec (range (inc (count b)))) a)))))
[(paths 8 8) (levenshtein "kitten" "sitting") (levenshtein "" "abc") (map #(levenshtein "flaw" %) ["lawn" "flaw" "claw"])]
;;;; letfn with mutual recursion over a tree
(def tree {:v 1 :kids [{:v 2 :kids [{:v 4 :kids []}]} {:v 3 :kids [{:v 5} {:v 6}]}]})
(letfn [(depth [{:keys [kids]}] (inc (deepest kids)))
        (deepest [kids] (if (seq kids) (apply max (map depth kids)) 0))
        (render ([t] (render t 0)) ([{:keys [v kids]} n] (str (apply str (repeat n "  ")) v "\n" (str/join (map #(render % (inc n)) kids)))))]
  (print (render tree))
  {:depth (depth tree) :sum (reduce + (map :v (tree-seq :kids :kids tree))) :leaves (map :v (remove (comp seq :kids) (tree-seq :kids :kids tree)))})
;;;; destructuring everywhere
(defn f [[a [b & cs] :as all] {:keys [x y] {:strs [deep]} :nested :or {y 20} :as opts} & {:keys [flag] :or {flag :none}}]
  {:a a :b b :cs cs :all (count all) :x x :y y :deep deep :opts (sort (map name (keys opts))) :flag flag})
(let [{[p q] :point :keys [label] :or {label "none"}} {:point [1 2]}
      [h & [h2 & t]] (range 5)
      {:keys [a.b/c d]} {:a.b/c 1 :d 2}]
  [(f [1 [2 3 4]] {:x 10 :nested {"deep" :yes}}) (f [nil nil] nil :flag true)
   p q label h h2 t c d
   (for [[k [v1 v2]] {:m [1 2] :n [3 4]}] [k (+ v1 v2)])
   (reduce (fn [acc {:keys [id] [s e] :span}] (assoc acc id (- e s))) {} [{:id :i :span [1 5]} {:id :j :span [2 3]}])
   (loop [[x & xs] [1 2 3] acc ()] (if x (recur xs (conj acc x)) acc))])
;;;; word statistics
;data> {:text "The quick brown fox. The lazy dog! The end? No, the fox again."}
(let [words (->> data/text str/lower-case (re-seq #"[a-z]+"))
      freq (frequencies words)
      top (->> freq (sort-by (fn [[w n]] [(- n) w])) (take 3))]
  (doseq [[w n] top] (println (format "%-6s %s" w (str/join (repeat n "*")))))
  {:top top :unique (count freq) :longest (last (sort-by (juxt count identity) words))
   :sentences (count (str/split data/text #"[.!?]\s*")) :by-length (into (sorted-map) (update-vals (group-by count (distinct words)) sort))
   :caps (str/join " " (map str/capitalize (take 4 words))) :avg (double (/ (reduce + (map count words)) (count words)))})
;;;; inventory with reduce and validation
(def events [[:add :apple 5] [:add :pear 2] [:remove :apple 3] [:remove :pear 5] [:set :fig 7] [:frob :x 1]])
(defn apply-event [inv [op item n :as ev]]
  (case op
    :add (update inv item (fnil + 0) n)
    :set (assoc inv item n)
    :remove (let [have (get inv item 0)]
              (if (< have n)
                (throw (ex-info "not enough" {:item item :have have :want n}))
                (assoc inv item (- have n))))
    (throw (IllegalArgumentException. (str "unknown op " op)))))
(reduce (fn [state ev]
          (try (update state :inv apply-event ev)
               (catch clojure.lang.ExceptionInfo e (update state :errors conj [(ex-message e) (ex-data e)]))
               (catch IllegalArgumentException e (update state :errors conj (.getMessage e)))))
        {:inv {} :errors []} events)
;;;; sorting by several keys, both ways
(def people [{:n "Al" :age 30 :city "X"} {:n "Bo" :age 25 :city "Y"} {:n "Cy" :age 30 :city "Y"} {:n "Di" :age nil :city "X"} {:n "Ed" :age 25 :city "X"}])
{:asc (map :n (sort-by (juxt :city :n) people))
 :desc (map :n (sort-by :n #(compare %2 %1) people))
 :mixed (map :n (sort (fn [a b] (let [c (compare (:age b) (:age a))] (if (zero? c) (compare (:n a) (:n b)) c))) people))
 :nil-first (map :n (sort-by :age people))
 :stable (map :n (sort-by :city people))
 :rank (into {} (map-indexed (fn [i p] [(:n p) (inc i)]) (reverse (sort-by (juxt (comp boolean :age) :age :n) people))))
 :comp (sort (comp - compare) [3 1 2]) :lt (sort > [3 1 2]) :strs (sort-by count ["ccc" "a" "bb" "b"])}
;;;; bank simulation with reduced
(defn run [start txs]
  (reduce (fn [{:keys [balance] :as acc} {:keys [type amount]}]
            (let [b ((case type :deposit + :withdraw -) balance amount)]
              (if (neg? b)
                (reduced (assoc acc :halted {:type type :amount amount :short (- b)}))
                (-> acc (assoc :balance b) (update :history conj b)))))
          {:balance start :history []} txs))
[(run 100 [{:type :deposit :amount 50} {:type :withdraw :amount 30}])
 (run 10 [{:type :withdraw :amount 5} {:type :withdraw :amount 6} {:type :deposit :amount 100}])
 (reductions (fn [a x] (if (> a 10) (reduced :over) (+ a x))) 0 (range 1 10))]
;;;; caesar, vigenere, palindromes, anagrams
(defn shift [n c] (let [i (int c)] (cond (<= 97 i 122) (char (+ 97 (mod (+ (- i 97) n) 26))) (<= 65 i 90) (char (+ 65 (mod (+ (- i 65) n) 26))) :else c)))
(defn caesar [n s] (apply str (map (partial shift n) s)))
(defn vigenere [k s] (apply str (map (fn [c kc] (shift (- (int kc) 97) c)) s (cycle k))))
(defn palindrome? [s] (let [t (filter #(Character/isLetter %) (str/lower-case s))] (= t (reverse t))))
{:c (caesar 3 "Hello, Xyz") :d (caesar -3 (caesar 3 "abc")) :v (vigenere "key" "attack") :p (map palindrome? ["A man, a plan" "Never odd or even"])
 :ana (->> ["listen" "silent" "enlist" "google" "gogole"] (group-by sort) vals (filter next) (sort-by first))
 :freq (->> "mississippi" frequencies (sort-by (juxt (comp - val) key)) (map (fn [[c n]] (str c n))))
 :digits (map #(Character/digit % 10) "2024") :sum (reduce + (map #(- (int %) (int \0)) "2024"))}
;;;; binary, hex and bit tricks
{:bin (map #(Integer/toBinaryString %) [0 5 255]) :hex (map #(format "%04x" %) [10 255 4096]) :pop (map #(Long/bitCount %) [0 7 255])
 :parse [(Integer/parseInt "1011" 2) (Long/parseLong "ff" 16)] :xor (reduce bit-xor [5 3 5 7 3])
 :mask (bit-and 0xFF 0x1234) :shift [(bit-shift-left 1 10) (bit-shift-right -16 2)] :set (for [i (range 8) :when (bit-test 37 i)] i)
 :manual (loop [n 37 acc ()] (if (zero? n) (apply str acc) (recur (quot n 2) (conj acc (rem n 2)))))
 :gray (map #(bit-xor % (bit-shift-right % 1)) (range 8))}
;;;; tic tac toe winner
(def boards [[:x :o :x nil :x :o :o nil :x] [:x :x :o :o :o :x :x :o nil] [:o :o :o :x :x nil nil nil nil]])
(def win-lines (concat (partition 3 (range 9)) (apply map list (partition 3 (range 9))) [[0 4 8] [2 4 6]]))
(defn winner [b] (some (fn [l] (let [[a & more] (map b l)] (when (and a (every? #{a} more)) a))) win-lines))
(defn show [b] (str/join "\n" (map #(str/join " " (map (fn [c] (if c (name c) ".")) %)) (partition 3 b))))
(doseq [b boards] (println (show b)) (println "winner:" (or (some-> (winner b) name str/upper-case) "none")) (println))
(map winner boards)
;;;; string builder with reduce, interleave, indent
(defn html [x]
  (cond
    (string? x) x
    (number? x) (str x)
    (vector? x) (let [[tag & body] x
                      [attrs body] (if (map? (first body)) [(first body) (rest body)] [nil body])]
                  (str "<" (name tag) (apply str (for [[k v] attrs] (str " " (name k) "=\"" v "\""))) ">"
                       (apply str (map html body)) "</" (name tag) ">"))
    (sequential? x) (apply str (map html x))
    (nil? x) ""))
(html [:ul {:class "list" :id 1} (for [i (range 3)] [:li {:n i} "item " i (when (odd? i) [:b "!"])])])
;;;; pagination and sliding statistics
(def xs (vec (range 1 24)))
(defn page [coll n size] (->> coll (drop (* n size)) (take size) vec))
(defn moving-avg [k coll] (map #(/ (reduce + %) (double k)) (partition k 1 coll)))
{:pages (map #(page xs % 10) (range (Math/ceil (/ (count xs) 10.0)))) :avg (take 3 (moving-avg 4 xs))
 :all (map count (partition-all 7 xs)) :pad (last (partition 5 5 (repeat 0) xs)) :win (map #(apply - (reverse %)) (partition 2 1 [1 4 9 16]))
 :median (let [s (sort [5 3 8 1]) n (count s) m (quot n 2)] (if (odd? n) (nth s m) (/ (+ (nth s (dec m)) (nth s m)) 2)))
 :stddev (let [v [2 4 4 4 5 5 7 9] m (/ (reduce + v) (count v))] (Math/sqrt (/ (reduce + (map #(Math/pow (- % m) 2) v)) (count v))))}
;;;; csv to maps, types, totals, back to csv
(def csv "id,name,qty,price\n1,Nut,100,0.05\n2,\"Bolt, long\",20,0.5\n3,Gear,,12")
(defn split-csv [line] (map #(str/replace % #"^\"|\"$" "") (re-seq #"\"[^\"]*\"|[^,]+" line)))
(let [[header & rows] (str/split-lines csv)
      ks (map keyword (str/split header #","))]
  {:ks ks :n (count rows) :cells (map split-csv rows)
   :simple (map #(zipmap ks (str/split % #",")) (remove #(str/includes? % "\"") rows))
   :back (str/join "\n" (cons (str/join "," (map name ks)) (map #(str/join "," %) [[1 "a" nil 2.0]])))})
;;;; dependency order with cycle check
(defn topo [deps]
  (loop [deps deps order []]
    (if (empty? deps)
      order
      (let [ready (sort (for [[k ds] deps :when (empty? ds)] k))]
        (if (empty? ready)
          (throw (ex-info "cycle" {:left (set (keys deps))}))
          (recur (reduce-kv (fn [m k ds] (if (some #{k} ready) m (assoc m k (reduce disj ds ready)))) {} deps)
                 (into order ready)))))))
[(topo {:a #{} :b #{:a} :c #{:a :b} :d #{}})
 (try (topo {:a #{:b} :b #{:a}}) (catch Exception e [(.getMessage e) (:left (ex-data e))]))]
;;;; json-like pretty printer
(defn pp ([x] (pp x 0))
  ([x n]
   (let [pad (apply str (repeat (* 2 n) \space))]
     (cond
       (map? x) (str "{\n" (str/join ",\n" (for [[k v] (sort x)] (str pad "  " (name k) ": " (pp v (inc n))))) "\n" pad "}")
       (sequential? x) (str "[" (str/join ", " (map #(pp % n) x)) "]")
       (string? x) (pr-str x)
       (nil? x) "null"
       :else (str x)))))
(println (pp {:b [1 2 {:z nil}] :a {:k "v\"q" :f 1.50 :t true}}))
;;;; numeric towers
[(= 1 1.0) (== 1 1.0) (= 2 (/ 4 2)) (/ 9 3) (quot 9 2) (rem -9 2) (mod -9 2) (/ 1.0 3) (* 1.0 100) (+ 0.1 0.2) (- 5) (inc 1.5)
 (max 1 2.0) (min 1 1.5) (long 3.99) (int -3.99) (double 1) (Math/round 2.5) (Math/round -2.5) (Math/floor -2.5) (Math/abs -3)
 (str 1e3) (str 1.0e-10) (str 123456789012) (str 1.23e15) (zero? 0.0) (pos? 1e-9) (integer? 2.0) (float? 2.0) (number? nil) (== 3 3.0 3)
 (compare 1 1.0) (< 1 2 3) (< 1 3 2) (>= 3 3 2) (apply + (range 11)) (reduce * (range 1 11)) (Math/pow 2 10) (Math/sqrt 16) (rem 7.5 2) (mod -7.5 2)]
;;;; printing of everything
(println nil true 1 1.0 "s" :k [1 "a" nil] '(1 "b") {:a "x" :b nil} #{:z})
(prn nil true 1 1.0 "s" :k [1 "a" nil] '(1 "b") {:a "x" :b nil} #{:z})
(println (str nil) (str [nil "a"]) (str {:k "v"}) (str '("a")) (pr-str "a\nb") (pr-str 'nil))
(print "a" "b") (print \newline) (println) (pr "x" ["a"])
(newline)
[(str "a" nil 1 :b) (str) (str nil nil) (apply str [1 nil "x"]) (pr-str) (pr-str 1 "a") (str 1.0 1e100 -0.0) (str ##Inf ##-Inf ##NaN) (str (/ 1.0 3)) (pr-str {:a {:b [1 {:c "d"}]}}) (str :a/b) (name :a/b) (str true)]
;;;; dispatch table of closures
(def ops {"+" + "-" - "*" * "/" / "^" (fn [a b] (reduce * (repeat b a)))})
(defn rpn [s]
  (reduce (fn [stack t]
            (if-let [op (ops t)]
              (let [[b a & more] stack] (conj more (op a b)))
              (conj stack (parse-long t))))
          () (str/split s #"\s+")))
(map (comp first rpn) ["3 4 + 2 *" "2 3 ^" "10 2 8 * + 3 -" "8 2 /"])
