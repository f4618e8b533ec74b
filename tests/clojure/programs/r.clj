;;;; tokenizer and parser of arithmetic
(defn tokenize [s]
  (map (fn [t] (if (re-matches #"\d+(\.\d+)?" t) (parse-double t) t))
       (re-seq #"\d+(?:\.\d+)?|[-+*/()]" s)))
(declare parse-expr)
(defn parse-factor [[t & more]]
  (cond
    (number? t) [t more]
    (= t "(") (let [[v [close & rest-tokens]] (parse-expr more)]
                (assert (= close ")") "missing )")
                [v rest-tokens])
    (= t "-") (let [[v r] (parse-factor more)] [(- v) r])
    :else (throw (ex-info "unexpected token" {:token t}))))
(defn parse-term [tokens]
  (loop [[v ts] (parse-factor tokens)]
    (case (first ts)
      "*" (let [[r ts2] (parse-factor (rest ts))] (recur [(* v r) ts2]))
      "/" (let [[r ts2] (parse-factor (rest ts))] (recur [(/ v r) ts2]))
      [v ts])))
(defn parse-expr [tokens]
  (loop [[v ts] (parse-term tokens)]
    (case (first ts)
      "+" (let [[r ts2] (parse-term (rest ts))] (recur [(+ v r) ts2]))
      "-" (let [[r ts2] (parse-term (rest ts))] (recur [(- v r) ts2]))
      [v ts])))
(for [s ["1 + 2 * 3" "(1 + 2) * 3" "10 / 4 - 1" "-(2 - 5) * 2" "2 * )"]]
  [s (try (first (parse-expr (tokenize s)))
          (catch clojure.lang.ExceptionInfo e [(ex-message e) (ex-data e)]))])
;;;; dijkstra with a sorted set
(def graph {:a {:b 7 :c 9 :f 14} :b {:a 7 :c 10 :d 15} :c {:a 9 :b 10 :d 11 :f 2}
            :d {:b 15 :c 11 :e 6} :e {:d 6 :f 9} :f {:a 14 :c 2 :e 9}})
(defn dijkstra [g src]
  (loop [frontier (sorted-set [0 src]) dist {src 0} prev {}]
    (if-let [[d u :as best] (first frontier)]
      (let [better (for [[v w] (g u)
                         :let [alt (+ d w)]
                         :when (< alt (get dist v ##Inf))]
                     [v alt])]
        (recur (into (disj frontier best) (map (fn [[v alt]] [alt v]) better))
               (into dist better)
               (into prev (map (fn [[v _]] [v u]) better))))
      {:dist dist :prev prev})))
(defn path [prev to] (reverse (take-while some? (iterate prev to))))
(let [{:keys [dist prev]} (dijkstra graph :a)]
  [(into (sorted-map) dist) (path prev :e)])
;;;; merging intervals
(defn merge-intervals [xs]
  (reduce (fn [acc [s e]]
            (let [[ps pe] (peek acc)]
              (if (and pe (<= s pe))
                (conj (pop acc) [ps (max pe e)])
                (conj acc [s e]))))
          []
          (sort-by first xs)))
(let [meetings [[9 10] [13 15] [9.5 11] [14 14.5] [16 17]]
      busy (merge-intervals meetings)
      gaps (->> busy (partition 2 1) (map (fn [[[_ e] [s _]]] [e s])) (remove (fn [[a b]] (= a b))))]
  {:busy busy :free gaps :total (reduce + (map (fn [[a b]] (- b a)) busy))})
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
;;;; event sourcing of accounts
(def events
  [{:type :opened :id 1 :owner "Ann"} {:type :deposited :id 1 :amount 100} {:type :opened :id 2 :owner "Bob"}
   {:type :withdrawn :id 1 :amount 30} {:type :transferred :from 1 :to 2 :amount 50} {:type :withdrawn :id 2 :amount 80}
   {:type :closed :id 2} {:type :audited}])
(defn apply-event [state {:keys [type id amount owner from to] :as event}]
  (condp = type
    :opened (assoc state id {:owner owner :balance 0 :history []})
    :deposited (-> state (update-in [id :balance] + amount) (update-in [id :history] conj [:in amount]))
    :withdrawn (if (< (get-in state [id :balance]) amount)
                 (update state :rejected (fnil conj []) event)
                 (-> state (update-in [id :balance] - amount) (update-in [id :history] conj [:out amount])))
    :transferred (-> state (update-in [from :balance] - amount) (update-in [to :balance] + amount))
    :closed (assoc-in state [id :closed?] true)
    (update state :unknown (fnil inc 0))))
(let [states (reductions apply-event {} events)]
  {:final (last states)
   :balances (map (fn [s] (into {} (for [[k v] s :when (number? k)] [k (:balance v)]))) states)})
;;;; inventory, first in first out
(defn take-stock [lots wanted]
  (loop [[{:keys [qty cost] :as lot} & more] lots wanted wanted cogs 0]
    (cond
      (zero? wanted) {:lots (if lot (cons lot more) []) :cogs cogs}
      (nil? lot) {:lots [] :cogs cogs :short wanted}
      (<= qty wanted) (recur more (- wanted qty) (+ cogs (* qty cost)))
      :else {:lots (cons (assoc lot :qty (- qty wanted)) more) :cogs (+ cogs (* wanted cost))})))
(let [lots [{:qty 10 :cost 5} {:qty 5 :cost 6} {:qty 20 :cost 7}]]
  (mapv (partial take-stock lots) [0 4 10 12 35 40]))
;;;; roman numerals both ways
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn to-roman [n]
  (loop [n n [[v s] & more :as all] numerals out ""]
    (cond (zero? n) out
          (>= n v) (recur (- n v) all (str out s))
          :else (recur n more out))))
(defn from-roman [s]
  (let [value (into {} (for [[v s] numerals :when (= 1 (count s))] [s v]))
        vs (map (comp value str) s)]
    (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vs (concat (rest vs) [nil])))))
[(map to-roman [1 4 9 14 40 90 400 1994 2024])
 (every? (fn [n] (= n (from-roman (to-roman n)))) (range 1 200))]
;;;; levenshtein by rows
(defn levenshtein [a b]
  (peek
   (reduce
    (fn [prev [i ca]]
      (reduce
       (fn [row [j cb]]
         (conj row (min (inc (peek row))
                        (inc (nth prev (inc j)))
                        (+ (nth prev j) (if (= ca cb) 0 1)))))
       [(inc i)]
       (map-indexed vector b)))
    (vec (range (inc (count b))))
    (map-indexed vector a))))
(for [[a b] [["kitten" "sitting"] ["" "abc"] ["flaw" "lawn"] ["same" "same"]]]
  [a b (levenshtein a b)])
;;;; markdown table
(require '[clojure.string :as str])
(defn table [headers rows]
  (let [cells (cons (map name headers) (map (fn [r] (map #(str (get r % "")) headers)) rows))
        widths (apply map (fn [& col] (apply max (map count col))) cells)
        line (fn [row] (str "| " (str/join " | " (map (fn [w c] (format (str "%-" w "s") c)) widths row)) " |"))
        rule (str "|" (str/join "|" (map (fn [w] (apply str (repeat (+ 2 w) "-"))) widths)) "|")]
    (str/join "\n" (list* (line (first cells)) rule (map line (rest cells))))))
(println (table [:name :qty :note] [{:name "bolt" :qty 120} {:name "nut" :qty 7 :note "rare"}]))
;;;; sessions of visits
(def visits [{:user "a" :t 0 :page "/"} {:user "b" :t 5 :page "/x"} {:user "a" :t 12 :page "/p"} {:user "a" :t 50 :page "/"}
             {:user "b" :t 20 :page "/"} {:user "a" :t 55 :page "/q"} {:user "b" :t 90 :page "/y"}])
(defn sessions [gap vs]
  (let [vs (sort-by :t vs)]
    (reduce (fn [acc v]
              (if (and (seq acc) (<= (- (:t v) (:t (peek (peek acc)))) gap))
                (conj (pop acc) (conj (peek acc) v))
                (conj acc [v])))
            [] vs)))
(->> visits
     (group-by :user)
     (mapcat (fn [[u vs]]
               (map-indexed (fn [i s] {:user u :n (inc i) :pages (mapv :page s) :length (- (:t (last s)) (:t (first s)))})
                            (sessions 30 vs))))
     (sort-by (juxt :user :n)))
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
;;;; inverted index and ranking
(require '[clojure.string :as string])
(def docs {1 "the cat sat on the mat" 2 "the dog chased the cat" 3 "dogs and cats living together"})
(defn words [s] (string/split (string/lower-case s) #"\W+"))
(def index
  (reduce-kv (fn [idx id text]
               (reduce (fn [idx w] (update-in idx [w id] (fnil inc 0))) idx (words text)))
             {} docs))
(defn search [query]
  (->> (words query)
       (map #(get index % {}))
       (apply merge-with +)
       (sort-by (fn [[id score]] [(- score) id]))
       (map first)))
{:cat (search "cat") :the-dog (search "the dog") :none (search "zebra")
 :terms (count index) :top (take 3 (sort-by (fn [[w ds]] [(- (reduce + (vals ds))) w]) index))}
;;;; game of life
(defn neighbours [[x y]]
  (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn step [cells]
  (set (for [[loc n] (frequencies (mapcat neighbours cells))
             :when (or (= n 3) (and (= n 2) (cells loc)))]
         loc)))
(defn render [cells w h]
  (doseq [y (range h)]
    (println (apply str (for [x (range w)] (if (cells [x y]) "#" "."))))))
(let [glider #{[1 0] [2 1] [0 2] [1 2] [2 2]}
      gens (iterate step glider)]
  (render (nth gens 4) 5 5)
  [(map count (take 5 gens)) (= (set (map (fn [[x y]] [(inc x) (inc y)]) glider)) (nth gens 4))])
;;;; topological sort with cycles
(defn topo [deps]
  (loop [deps (into (sorted-map) (map (fn [[k v]] [k (set v)]) deps)) out []]
    (if (empty? deps)
      {:order out}
      (let [ready (for [[k v] deps :when (empty? v)] k)]
        (if (empty? ready)
          {:cycle (vec (keys deps)) :done out}
          (recur (into (sorted-map)
                       (for [[k v] (apply dissoc deps ready)] [k (reduce disj v ready)]))
                 (into out ready)))))))
[(topo {:app [:db :web] :db [:log] :web [:log :http] :log [] :http []})
 (topo {:a [:b] :b [:c] :c [:a] :d []})]
;;;; bowling
(defn score [rolls]
  (loop [frame 1 [a b c :as rolls] rolls total 0]
    (cond
      (or (> frame 10) (empty? rolls)) total
      (= 10 a) (recur (inc frame) (rest rolls) (+ total 10 (or b 0) (or c 0)))
      (= 10 (+ a (or b 0))) (recur (inc frame) (drop 2 rolls) (+ total 10 (or c 0)))
      :else (recur (inc frame) (drop 2 rolls) (+ total a (or b 0))))))
(map score [(repeat 12 10) (repeat 20 4) (cons 5 (repeat 20 5)) [10 3 6] (take 21 (cycle [9 1]))])
;;;; poker hands
(def ranks (zipmap "23456789TJQKA" (range 2 15)))
(defn parse-hand [s] (map (fn [[r suit]] [(ranks r) suit]) (clojure.string/split s #" ")))
(defn rank-hand [s]
  (let [cards (parse-hand s)
        rs (sort > (map first cards))
        counts (sort > (vals (frequencies rs)))
        flush? (apply = (map second cards))
        straight? (and (apply distinct? rs) (= 4 (- (first rs) (last rs))))]
    (cond
      (and flush? straight?) :straight-flush
      (= counts [4 1]) :four
      (= counts [3 2]) :full-house
      flush? :flush
      straight? :straight
      (= counts [3 1 1]) :three
      (= counts [2 2 1]) :two-pair
      (= counts [2 1 1 1]) :pair
      :else [:high (first rs)])))
(mapv rank-hand ["2H 3H 4H 5H 6H" "AS AD AC AH KD" "KS KD 2C 2D 2H" "2C 9C KC JC 4C" "9D TC JH QS KD" "2H 2D 5C 5S 9H" "7H 8D 2C QS 3H"])
;;;; templates
(require '[clojure.string :as str])
(defn render [template ctx]
  (str/replace template #"\{\{\s*([\w.]+)(?:\|(\w+))?\s*\}\}"
               (fn [[whole path filter-name]]
                 (let [v (get-in ctx (map keyword (str/split path #"\.")))
                       f (case filter-name "upper" str/upper-case "len" (comp str count) nil str)]
                   (if (nil? v) (str "<" whole ">") (f v))))))
(render "Dear {{user.name|upper}}, you have {{ items|len }} items: {{items}}. {{missing}} {{user.age}}"
        {:user {:name "Ann" :age 30} :items ["a" "b"]})
;;;; parsing logs
(require '[clojure.string :as str])
(def log "2024-05-01T10:00:00 INFO  [api] GET /users 200 12ms
2024-05-01T10:00:01 ERROR [db] timeout after 5000ms
2024-05-01T10:00:02 INFO  [api] POST /users 201 48ms

garbage line
2024-05-01T10:01:00 WARN  [api] GET /slow 200 1200ms")
(def line-re #"(\S+)T(\S+)\s+(INFO|WARN|ERROR)\s+\[(\w+)\]\s+(.*)")
(defn parse-line [line]
  (when-let [[_ date time level component message] (re-matches line-re line)]
    (cond-> {:date date :time time :level (keyword (str/lower-case level)) :component component :message message}
      (re-find #"\d+ms" message) (assoc :ms (parse-long (second (re-find #"(\d+)ms" message)))))))
(let [entries (keep parse-line (str/split-lines log))]
  {:n (count entries)
   :by-level (frequencies (map :level entries))
   :slowest (apply max-key :ms entries)
   :api-mean (let [ms (->> entries (filter #(= "api" (:component %))) (map :ms))] (/ (apply + ms) (count ms)))
   :methods (->> entries (keep #(re-find #"^(GET|POST) (\S+)" (:message %))) (map rest) (group-by first))})
;;;; pivot
(def sales [{:region "N" :q 1 :amt 10} {:region "S" :q 1 :amt 20} {:region "N" :q 2 :amt 30} {:region "N" :q 1 :amt 5} {:region "S" :q 3 :amt 7}])
(defn pivot [rows row-key col-key value agg]
  (let [cols (sort (distinct (map col-key rows)))
        groups (group-by (juxt row-key col-key) rows)]
    (for [r (sort (distinct (map row-key rows)))]
      (into (array-map row-key r)
            (for [c cols] [c (agg (map value (groups [r c])))])))))
(let [sum (partial reduce + 0)]
  (doseq [row (pivot sales :region :q :amt sum)] (println row))
  (pivot sales :q :region :amt count))
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
;;;; trie
(defn trie-add [trie word] (assoc-in trie (concat word [:end]) true))
(defn trie-words [trie prefix]
  (let [node (get-in trie (seq prefix))]
    (letfn [(walk [node path]
              (concat (when (:end node) [(apply str path)])
                      (mapcat (fn [[c child]] (walk child (conj path c)))
                              (sort-by key (dissoc node :end)))))]
      (if node (walk node (vec prefix)) []))))
(let [t (reduce trie-add {} ["car" "card" "care" "cat" "dog"])]
  (map #(trie-words t %) ["car" "ca" "d" "x"]))
;;;; permutations, subsets, change
(defn permutations [xs]
  (if (empty? xs) [[]] (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(defn subsets [xs]
  (reduce (fn [acc x] (concat acc (map #(conj % x) acc))) [[]] xs))
(def change
  (memoize (fn [amount coins]
             (cond (zero? amount) 1
                   (or (neg? amount) (empty? coins)) 0
                   :else (+ (change (- amount (first coins)) coins) (change amount (rest coins)))))))
[(permutations [1 2 3]) (subsets [:a :b :c]) (change 100 [50 25 10 5 1])]
;;;; ranked votes
(def ballots [["A" "B" "C"] ["A" "C" "B"] ["B" "C" "A"] ["B" "C" "A"] ["C" "B" "A"]])
(defn instant-runoff [ballots]
  (loop [ballots ballots round 1]
    (let [votes (frequencies (map first ballots))
          [leader n] (apply max-key val (sort votes))
          losers (let [least (apply min (vals votes))] (set (for [[k v] votes :when (= v least)] k)))]
      (println "round" round (sort-by key votes))
      (if (or (> n (/ (count ballots) 2)) (= (set (keys votes)) losers))
        leader
        (recur (->> ballots (map #(remove losers %)) (filter seq)) (inc round))))))
(defn borda [ballots]
  (apply merge-with + (for [b ballots] (zipmap b (range (dec (count b)) -1 -1)))))
[(instant-runoff ballots) (into (sorted-map) (borda ballots))]
;;;; run length and caesar
(defn rle [s] (apply str (mapcat (fn [g] [(count g) (first g)]) (partition-by identity s))))
(defn unrle [s] (apply str (mapcat (fn [[_ n c]] (repeat (parse-long n) c)) (re-seq #"(\d+)(\D)" s))))
(defn shift [n c]
  (let [base (cond (Character/isUpperCase c) (int \A) (Character/isLowerCase c) (int \a))]
    (if base (char (+ base (mod (+ n (- (int c) base)) 26))) c)))
(defn caesar [n s] (apply str (map (partial shift n) s)))
(let [s "WWWWBBBWWC"]
  [(rle s) (= s (unrle (rle s))) (caesar 3 "Hello, World!") (caesar -3 (caesar 3 "xyz ABC"))])
;;;; matrix
(defn transpose [m] (apply mapv vector m))
(defn mat* [a b] (mapv (fn [row] (mapv (fn [col] (reduce + (map * row col))) (transpose b))) a))
(defn identity-matrix [n] (mapv (fn [i] (mapv #(if (= i %) 1 0) (range n))) (range n)))
(defn mat-pow [m n]
  (cond (zero? n) (identity-matrix (count m))
        (even? n) (let [h (mat-pow m (quot n 2))] (mat* h h))
        :else (mat* m (mat-pow m (dec n)))))
(defn det [[[a b] [c d]]] (- (* a d) (* b c)))
(defn spiral [[row & more]] (concat row (when more (spiral (reverse (transpose more))))))
[(mat-pow [[1 1] [1 0]] 30) (det [[3 8] [4 6]]) (transpose [[1 2 3] [4 5 6]]) (spiral [[1 2 3] [4 5 6] [7 8 9]])]
;;;; vending machine as a table
(def machine
  {[:idle :coin] [:ready nil] [:ready :coin] [:ready :return-coin] [:ready :press] [:idle :drop-item] [:idle :press] [:idle :beep]})
(defn run-machine [inputs]
  (reduce (fn [{:keys [state log]} input]
            (if-some [[next-state action] (machine [state input])]
              {:state next-state :log (cond-> log action (conj action))}
              (reduced {:state :broken :log (conj log [:bad input])})))
          {:state :idle :log []}
          inputs))
(map run-machine [[:press :coin :coin :press] [] [:coin :kick :press]])
;;;; schema validation
(def schema {:name [string? "must be text"] :age [(every-pred int? #(<= 0 % 150)) "must be an age"]
             :email [#(re-matches #"[^@\s]+@[^@\s]+\.\w+" (str %)) "must be an address"]})
(defn validate [m]
  (let [errors (for [[k [ok? message]] schema
                     :let [v (get m k :missing)]
                     :when (or (= v :missing) (not (ok? v)))]
                 [k (if (= v :missing) "is required" message)])]
    (if (seq errors) {:errors (into {} errors)} {:ok m})))
(mapv validate [{:name "Al" :age 30 :email "al@x.org"} {:name 5 :age -1} {:name "B" :age 200 :email "b@"}])
;;;; n queens and pascal
(defn safe? [queens col]
  (every? (fn [[i q]] (and (not= q col) (not= (inc i) (abs (- q col))))) (map-indexed vector queens)))
(defn queens [n]
  (letfn [(place [k qs] (if (zero? k) [qs] (mapcat #(place (dec k) (cons % qs)) (filter (partial safe? qs) (range n)))))]
    (place n ())))
(defn pascal [n] (take n (iterate (fn [row] (vec (map + (cons 0 row) (conj row 0)))) [1])))
[(count (queens 6)) (first (queens 6)) (map count (map queens (range 1 6))) (last (pascal 7))]
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
;;;; permissions by role with inheritance
(def roles {:guest {:can #{:read}} :user {:extends [:guest] :can #{:write}} :auditor {:extends [:guest] :can #{:audit}}
            :admin {:extends [:user :auditor] :can #{:delete}}})
(defn permissions [role]
  (let [{:keys [extends can]} (roles role)]
    (apply clojure.set/union can (map permissions extends))))
(defn allowed? [user action] (boolean (some #(contains? (permissions %) action) (:roles user))))
(let [users [{:name "g" :roles [:guest]} {:name "m" :roles [:user :auditor]} {:name "r" :roles [:admin]} {:name "x" :roles []}]]
  (into {} (for [u users] [(:name u) (vec (filter (partial allowed? u) [:read :write :audit :delete]))])))
;;;; csv with quotes
(defn parse-csv-line [line]
  (loop [[c & more] (seq line) field [] fields [] quoted? false]
    (cond
      (nil? c) (conj fields (apply str field))
      (and quoted? (= c \") (= \" (first more))) (recur (rest more) (conj field \") fields true)
      (= c \") (recur more field fields (not quoted?))
      (and (= c \,) (not quoted?)) (recur more [] (conj fields (apply str field)) false)
      :else (recur more (conj field c) fields quoted?))))
(let [lines ["id,name,note" "1,\"Smith, J\",\"said \"\"hi\"\"\"" "2,Lee," "3,,x"]
      [header & rows] (map parse-csv-line lines)]
  (map #(into {} (remove (comp empty? val)) (zipmap (map keyword header) %)) rows))
;;;; dates of a project
(import '[java.time LocalDate])
(def tasks [{:id :a :days 3} {:id :b :days 5 :after [:a]} {:id :c :days 2 :after [:a]} {:id :d :days 1 :after [:b :c]}])
(defn finish [by-id id]
  (let [{:keys [days after]} (by-id id)]
    (+ days (apply max 0 (map (partial finish by-id) after)))))
(let [by-id (zipmap (map :id tasks) tasks)
      start (LocalDate/parse "2024-02-26")]
  (for [{:keys [id days]} tasks
        :let [end (finish by-id id)]]
    [id (str (.plusDays start (- end days))) (str (.plusDays start end)) (.getDayOfMonth (.plusDays start end))]))
;;;; sudoku check and bingo
(def grid (for [r (range 9)] (for [c (range 9)] (inc (mod (+ (* 3 r) (quot r 3) c) 9)))))
(defn boxes [g]
  (for [r (range 0 9 3) c (range 0 9 3)]
    (for [dr (range 3) dc (range 3)] (nth (nth g (+ r dr)) (+ c dc)))))
(defn valid? [g]
  (every? #(= (set %) (set (range 1 10))) (concat g (apply map list g) (boxes g))))
(let [broken (assoc-in (mapv vec grid) [0 0] 9)]
  [(valid? grid) (valid? broken) (first grid) (nth (boxes grid) 4)])
;;;; word wrap and justify
(require '[clojure.string :as str])
(defn wrap [width text]
  (reduce (fn [lines w]
            (let [l (peek lines)]
              (if (and l (<= (+ (count l) 1 (count w)) width))
                (conj (pop lines) (str l " " w))
                (conj lines w))))
          [] (str/split text #"\s+")))
(defn center [width s]
  (let [pad (quot (- width (count s)) 2)]
    (str (str/join (repeat pad " ")) s)))
(let [lines (wrap 18 "It was the best of times, it was the worst of times, it was the age of wisdom")]
  (doseq [l lines] (println (center 20 l)))
  (mapv count lines))
;;;; lru cache as a value
(defn cache [n] {:limit n :order [] :items {}})
(defn touch [c k] (update c :order #(conj (vec (remove #{k} %)) k)))
(defn lookup [c k] (if (contains? (:items c) k) [(touch c k) (get-in c [:items k])] [c nil]))
(defn store [{:keys [limit] :as c} k v]
  (let [{:keys [order] :as c} (-> c (assoc-in [:items k] v) (touch k))]
    (if (> (count order) limit)
      (-> c (update :items dissoc (first order)) (assoc :order (vec (rest order))))
      c)))
(let [c (-> (cache 2) (store :a 1) (store :b 2))
      [c a] (lookup c :a)
      c (store c :c 3)]
  {:a a :order (:order c) :keys (sort (keys (:items c))) :miss (second (lookup c :b))})
;;;; knapsack by reduce
(defn knapsack [capacity items]
  (peek
   (reduce (fn [best {:keys [weight value]}]
             (vec (map-indexed (fn [w v] (if (>= w weight) (max v (+ value (nth best (- w weight)))) v)) best)))
           (vec (repeat (inc capacity) 0))
           items)))
(map #(knapsack % [{:weight 5 :value 10} {:weight 4 :value 40} {:weight 6 :value 30} {:weight 4 :value 50}]) [0 4 8 10 19])
;;;; json-like printing
(defn to-json [x]
  (cond
    (nil? x) "null"
    (map? x) (str "{" (clojure.string/join "," (for [[k v] x] (str (to-json (name k)) ":" (to-json v)))) "}")
    (coll? x) (str "[" (clojure.string/join "," (map to-json x)) "]")
    (keyword? x) (to-json (name x))
    (string? x) (pr-str x)
    :else (str x)))
(println (to-json {:a [1 2.5 nil true] :b {:c "q\"x" :d :kw} :e []}))
;;;; rounds of a tournament
(def teams ["A" "B" "C" "D"])
(def results [["A" 2 "B" 1] ["C" 0 "D" 0] ["A" 0 "C" 3] ["B" 1 "D" 1] ["A" 1 "D" 0] ["B" 2 "C" 2]])
(def blank {:p 0 :w 0 :d 0 :l 0 :gf 0 :ga 0 :pts 0})
(defn add-result [table [h hg a ag]]
  (let [update-team (fn [t team gf ga]
                      (update t team (fn [r]
                                       (-> (merge-with + (or r blank) {:p 1 :gf gf :ga ga})
                                           (update (cond (> gf ga) :w (= gf ga) :d :else :l) inc)
                                           (update :pts + (cond (> gf ga) 3 (= gf ga) 1 :else 0))))))]
    (-> table (update-team h hg ag) (update-team a ag hg))))
(let [table (reduce add-result {} results)
      sorted (sort-by (fn [[team {:keys [pts gf ga]}]] [(- pts) (- ga gf) team]) table)]
  (doseq [[i [team {:keys [p w d l pts gf ga]}]] (map-indexed vector sorted)]
    (println (format "%d. %s %d %d-%d-%d %+d %2d" (inc i) team p w d l (- gf ga) pts)))
  (mapv first sorted))
;;;; anagrams and palindromes
(def words ["listen" "silent" "enlist" "google" "elgoog" "abc" "level" "Noon"])
(let [groups (->> words (group-by #(sort (clojure.string/lower-case %))) vals (filter #(> (count %) 1)))
      palindrome? (fn [w] (let [w (clojure.string/lower-case w)] (= (seq w) (reverse w))))]
  {:anagrams (sort-by (comp - count) groups) :palindromes (filterv palindrome? words)
   :longest (apply max-key count words) :initials (sort (set (map first words)))})
;;;; prime factors, perfect numbers, collatz
(defn factors [n]
  (loop [n n d 2 out []]
    (cond (= n 1) out
          (> (* d d) n) (conj out n)
          (zero? (rem n d)) (recur (quot n d) d (conj out d))
          :else (recur n (inc d) out))))
(defn divisors [n] (filter #(zero? (mod n %)) (range 1 n)))
(defn classify [n] (let [s (apply + (divisors n))] (case (compare s n) 0 :perfect -1 :deficient 1 :abundant)))
{:factors (mapv factors [1 2 12 97 360 1001]) :perfect (filter #(= :perfect (classify %)) (range 2 500))
 :kinds (frequencies (map classify (range 1 50)))
 :collatz (apply max-key second (map (juxt identity #(count (take-while (complement #{1}) (iterate (fn [n] (if (even? n) (/ n 2) (inc (* 3 n)))) %)))) (range 1 30)))}
;;;; number words
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
;;;; bin packing and scheduling
(defn first-fit [capacity sizes]
  (reduce (fn [bins s]
            (if-let [i (first (keep-indexed (fn [i b] (when (<= (+ s (reduce + b)) capacity) i)) bins))]
              (update bins i conj s)
              (conj bins [s])))
          [] sizes))
(defn assign [workers jobs]
  (reduce (fn [load {:keys [id hours]}]
            (let [w (key (apply min-key (comp :hours val) (reverse (sort-by key load))))]
              (-> load (update-in [w :hours] + hours) (update-in [w :jobs] conj id))))
          (zipmap workers (repeat {:hours 0 :jobs []}))
          (sort-by (comp - :hours) jobs)))
[(first-fit 10 [5 7 5 2 4 2 5 1 6]) (first-fit 10 (sort > [5 7 5 2 4 2 5 1 6]))
 (assign [:x :y] [{:id 1 :hours 3} {:id 2 :hours 5} {:id 3 :hours 4} {:id 4 :hours 1}])]
;;;; nested comments
(def comments [{:id 1 :parent nil :text "a"} {:id 2 :parent 1 :text "b"} {:id 3 :parent 1 :text "c"} {:id 4 :parent 2 :text "d"} {:id 5 :parent nil :text "e"}])
(defn tree [rows parent]
  (for [{:keys [id text]} rows :when (= parent (:parent (first (filter #(= id (:id %)) rows))))]
    {:text text :replies (tree rows id)}))
(defn show [nodes depth]
  (doseq [{:keys [text replies]} nodes]
    (println (str (apply str (repeat (* 2 depth) " ")) "- " text))
    (show replies (inc depth))))
(let [t (tree comments nil)]
  (show t 0)
  {:depth ((fn depth [ns] (if (empty? ns) 0 (inc (apply max (map (comp depth :replies) ns))))) t)
   :texts (map :text (tree-seq map? :replies {:text "root" :replies t}))})
;;;; retry with backoff
(defn flaky [fail-times] (fn [attempt] (if (< attempt fail-times) (throw (ex-info "down" {:attempt attempt})) {:ok attempt})))
(defn retry [f limit]
  (loop [attempt 0 waits []]
    (let [result (try (f attempt) (catch Exception e {:error (ex-message e) :at (:attempt (ex-data e))}))]
      (cond (:ok result) {:result result :waits waits}
            (= attempt (dec limit)) {:gave-up result :waits waits}
            :else (recur (inc attempt) (conj waits (bit-shift-left 100 attempt)))))))
(map #(retry (flaky %) 4) [0 2 5])
;;;; diff of maps
(defn diff [a b]
  (let [ks (into (sorted-set) (concat (keys a) (keys b)))]
    (reduce (fn [acc k]
              (let [in-a (contains? a k) in-b (contains? b k) x (get a k) y (get b k)]
                (cond (and in-a in-b (= x y)) acc
                      (and in-a in-b (map? x) (map? y)) (assoc acc k (diff x y))
                      (and in-a in-b) (assoc acc k {:- x :+ y})
                      in-a (assoc acc k {:- x})
                      :else (assoc acc k {:+ y}))))
            {} ks)))
[(diff {:a 1 :b {:c 2 :d 3} :e nil} {:a 1 :b {:c 5} :f [1]}) (diff {} {}) (diff {:x 1} {:x 1.0})]
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
;;;; inheritance of settings
(defn deep-merge [& ms]
  (if (every? #(or (map? %) (nil? %)) ms) (apply merge-with deep-merge ms) (last ms)))
(def settings [{:ui {:theme :light :font {:size 12 :family "Mono"}} :flags #{:a}} {:ui {:font {:size 14}} :flags #{:b}} nil {:ui {:theme :dark} :extra [1 2]}])
(defn paths [m]
  (mapcat (fn [[k v]] (if (and (map? v) (seq v)) (map #(cons k %) (paths v)) [[k]])) m))
(let [m (apply deep-merge settings)]
  [m (sort-by str (map vec (paths m))) (into {} (map (juxt #(clojure.string/join "." (map name %)) #(get-in m %)) (paths m)))])
;;;; markov chain, greedy
(def text "one fish two fish red fish blue fish one fish")
(def chain (reduce (fn [m [a b]] (update-in m [a b] (fnil inc 0))) {} (partition 2 1 (clojure.string/split text #" "))))
(defn follow [word n]
  (take n (iterate (fn [w] (when-let [nexts (get chain w)] (key (first (sort-by (fn [[w c]] [(- c) w]) nexts))))) word)))
[(into (sorted-map) (map (fn [[k v]] [k (into (sorted-map) v)])) chain) (follow "two" 6) (clojure.string/join " " (remove nil? (follow "blue" 4)))]
;;;; flattening and grouping by paths
(def files ["src/a.clj" "src/core/b.clj" "test/a_test.clj" "README.md" "src/core/c.clj"])
(defn add [t path] (update-in t (butlast path) (fnil assoc {}) (last path) :file))
(let [t (reduce (fn [t f] (assoc-in t (clojure.string/split f #"/") :file)) {} files)
      sizes (into {} (map (fn [f] [f (count f)])) files)
      exts (group-by #(last (clojure.string/split % #"\.")) files)]
  {:tree t :dirs (count (filter map? (tree-seq map? vals t))) :exts (update-vals exts count)
   :by-dir (reduce-kv (fn [m f n] (update m (or (second (re-find #"^([^/]+)/" f)) ".") (fnil + 0) n)) (sorted-map) sizes)})
;;;; gray codes, bits, hex
(defn gray [n] (bit-xor n (bit-shift-right n 1)))
(defn bits [n width] (apply str (map #(if (bit-test n %) 1 0) (range (dec width) -1 -1))))
(defn popcount [n] (count (filter #(bit-test n %) (range 64))))
(defn hex->rgb [h] (mapv #(Integer/parseInt % 16) (re-seq #"[0-9a-fA-F]{2}" h)))
(defn rgb->hex [rgb] (apply format "#%02x%02x%02x" rgb))
[(map #(bits (gray %) 3) (range 8)) (map popcount [0 255 -1 1024]) (hex->rgb "#FFa07A") (rgb->hex [255 160 122])
 (bits (bit-and-not 15 5) 4) (Long/toBinaryString (bit-or 1 8)) (reduce bit-xor [1 2 3 2 1])]
;;;; rate limits and windows
(def requests (for [[u t] [["a" 1] ["a" 2] ["b" 2] ["a" 3] ["a" 11] ["b" 4] ["a" 12] ["a" 13] ["a" 14]]] {:user u :t t}))
(defn allow [{:keys [seen] :as state} {:keys [user t] :as r} limit window]
  (let [recent (filter #(> % (- t window)) (get seen user))
        ok? (< (count recent) limit)]
    (-> state
        (assoc-in [:seen user] (cond-> (vec recent) ok? (conj t)))
        (update (if ok? :allowed :denied) (fnil conj []) [user t]))))
(select-keys (reduce #(allow %1 %2 3 10) {:seen {}} requests) [:allowed :denied])
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
;;;; stack machine
(def program [[:push 2] [:push 3] [:add] [:dup] [:mul] [:store :x] [:load :x] [:push 5] [:sub] [:jump-if-zero 100] [:print] [:halt] [:push 99]])
(defn run [program]
  (loop [pc 0 stack () env {} steps 0]
    (let [[op arg] (get program pc [:halt]) [a b & more] stack]
      (if (> steps 100)
        :too-long
        (case op
          :push (recur (inc pc) (conj stack arg) env (inc steps))
          :add (recur (inc pc) (conj more (+ b a)) env (inc steps))
          :sub (recur (inc pc) (conj more (- b a)) env (inc steps))
          :mul (recur (inc pc) (conj more (* b a)) env (inc steps))
          :dup (recur (inc pc) (conj stack a) env (inc steps))
          :store (recur (inc pc) (rest stack) (assoc env arg a) (inc steps))
          :load (recur (inc pc) (conj stack (env arg)) env (inc steps))
          :jump-if-zero (recur (if (zero? a) arg (inc pc)) stack env (inc steps))
          :print (do (println "out:" a) (recur (inc pc) (rest stack) env (inc steps)))
          :halt {:stack stack :env env :steps steps})))))
(run program)
;;;; customer cohorts
(def orders [{:c 1 :month 1 :amt 10} {:c 2 :month 1 :amt 20} {:c 1 :month 2 :amt 5} {:c 3 :month 2 :amt 8} {:c 2 :month 3 :amt 1} {:c 3 :month 3 :amt 2} {:c 1 :month 3 :amt 4}])
(let [first-month (update-vals (group-by :c orders) #(apply min (map :month %)))
      cohorts (group-by (comp first-month :c) orders)]
  (into (sorted-map)
        (for [[m os] cohorts
              :let [size (count (distinct (map :c os)))]]
          [m (for [offset (range 3)
                   :let [active (->> os (filter #(= (+ m offset) (:month %))) (map :c) distinct count)]]
               {:offset offset :active active :rate (format "%.0f%%" (* 100.0 (/ active size)))})])))
;;;; text statistics
(def text "The rain in Spain stays mainly in the plain. In Hartford, Hereford and Hampshire, hurricanes hardly ever happen!")
(let [sentences (clojure.string/split text #"[.!?]\s*")
      words (map clojure.string/lower-case (re-seq #"[A-Za-z']+" text))
      freq (frequencies words)]
  {:sentences (count sentences) :words (count words) :unique (count freq)
   :mean-length (format "%.2f" (double (/ (reduce + (map count words)) (count words))))
   :top (->> freq (sort-by (fn [[w n]] [(- n) w])) (take 2) (into []))
   :h-words (->> words (filter #(clojure.string/starts-with? % "h")) sort distinct)
   :letters (->> text (filter #(Character/isLetter %)) (map #(Character/toLowerCase %)) frequencies (sort-by (juxt (comp - val) (comp str key))) (take 3) (mapv (fn [[c n]] [(str c) n])))
   :title (clojure.string/join " " (map clojure.string/capitalize (take 4 words)))})
;;;; elevator and grid walk
(def moves {\U [0 1] \D [0 -1] \L [-1 0] \R [1 0]})
(defn walk [path]
  (reductions (fn [pos c] (mapv + pos (moves c [0 0]))) [0 0] path))
(let [trail (walk "UURRDDLLX")
      [xs ys] (apply map vector trail)]
  {:trail (vec trail) :end (last trail) :revisits (->> trail frequencies (filter (fn [[_ n]] (> n 1))) (into {}))
   :box [[(apply min xs) (apply min ys)] [(apply max xs) (apply max ys)]]
   :distance (apply + (map #(Math/abs %) (last trail)))})
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
;;;; settings from text
(require '[clojure.edn :as edn] '[clojure.string :as str])
(def text "port = 8080\nhosts = [\"a\" \"b\"]\n# comment\nlimits = {:cpu 2 :mem 0.5}\nbroken = [1 2\nname = \"x = y\"")
(defn read-value [s] (try (edn/read-string s) (catch Exception _ :unreadable)))
(let [settings (->> (str/split-lines text)
                    (remove #(str/starts-with? % "#"))
                    (map #(str/split % #"\s*=\s*" 2))
                    (map (fn [[k v]] [(keyword k) (read-value v)]))
                    (into {}))]
  [settings (get-in settings [:limits :mem]) (mapv count ((juxt :hosts :name) settings))])
;;;; pages
(def pages {nil {:rows [1 2 3] :next "p2"} "p2" {:rows [4 5] :next "p3"} "p3" {:rows [] :next nil}})
(defn fetch [token] (println "fetch" token) (pages token))
(let [all (into [] cat (iteration fetch :vf :rows :kf :next))
      until-four (transduce (comp cat (halt-when #{4} (fn [acc x] (conj acc [:stopped x])))) conj []
                            (map :rows (vals pages)))]
  {:all all :until-four until-four :pairs (sequence (map vector) all (rest all))})
;;;; errors by layer
(defn parse [s] (try (Integer/parseInt s) (catch ArithmeticException _ :never)))
(defn ratio [a b] (try (/ (parse a) (parse b)) (catch NumberFormatException e [:not-a-number])))
(defn report [a b]
  (try
    {:ok (ratio a b)}
    (catch ArithmeticException e {:error (ex-message e)})
    (finally (println "did" a b))))
(mapv (partial apply report) [["6" "3"] ["x" "3"] ["6" "0"]])
