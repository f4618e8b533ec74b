;;;; log levels
;; Analyze application logs
(ns log-analysis
  (:require [clojure.string :as str]))

(def raw-logs
  ["2024-03-01T10:00:01Z INFO  auth    user=alice action=login"
   "2024-03-01T10:00:05Z ERROR billing user=bob action=charge code=502"
   "2024-03-01T10:01:12Z WARN  auth    user=carol action=login retries=3"
   "2024-03-01T11:15:00Z ERROR billing user=alice action=refund code=500"
   "2024-03-01T11:20:30Z INFO  search  user=bob action=query"
   "malformed line"])

(def line-pattern #"^(\S+)\s+(INFO|WARN|ERROR)\s+(\w+)\s+(.*)$")

(defn parse-kvs [s]
  (->> (str/split s #"\s+")
       (map #(str/split % #"=" 2))
       (reduce (fn [m [k v]] (assoc m (keyword k) v)) {})))

(defn parse-line [line]
  (when-let [[_ ts level service kvs] (re-matches line-pattern line)]
    (merge {:ts ts :level (keyword (str/lower-case level)) :service service}
           (parse-kvs kvs))))

(let [parsed (keep parse-line raw-logs)
      by-level (group-by :level parsed)]
  {:total (count raw-logs)
   :parsed (count parsed)
   :malformed (- (count raw-logs) (count parsed))
   :counts (into (sorted-map) (map (fn [[k v]] [k (count v)])) by-level)
   :error-codes (mapv (comp parse-long :code) (:error by-level))
   :users (sort (distinct (map :user parsed)))
   :hours (into (sorted-map) (frequencies (map #(subs (:ts %) 11 13) parsed)))})
;;;; access log
(def lines
  ["10.0.0.1 - - [10/Oct/2023:13:55:36] \"GET /index.html HTTP/1.1\" 200 2326"
   "10.0.0.2 - - [10/Oct/2023:13:55:40] \"POST /api/login HTTP/1.1\" 401 128"
   "10.0.0.1 - - [10/Oct/2023:13:56:02] \"GET /api/items?id=4 HTTP/1.1\" 200 980"
   "10.0.0.3 - - [10/Oct/2023:13:57:11] \"GET /missing HTTP/1.1\" 404 0"
   "10.0.0.2 - - [10/Oct/2023:13:58:59] \"POST /api/login HTTP/1.1\" 200 512"])
(def re #"(\S+) - - \[([^\]]+)\] \"(\w+) (\S+) [^\"]*\" (\d{3}) (\d+)")
(def entries
  (for [l lines
        :let [[_ ip time method path status size] (re-find re l)]
        :when ip]
    {:ip ip :time time :method (keyword (.toLowerCase method)) :path path
     :status (Integer/parseInt status) :size (Long/parseLong size)}))
(defn status-class [s] (str (quot s 100) "xx"))
(let [total-bytes (reduce + (map :size entries))
      by-ip (reduce (fn [acc {:keys [ip size]}] (-> acc (update-in [ip :hits] (fnil inc 0)) (update-in [ip :bytes] (fnil + 0) size))) (sorted-map) entries)]
  (println "Total bytes:" total-bytes)
  (doseq [[ip {:keys [hits bytes]}] by-ip]
    (println (format "%-12s %3d %6d" ip hits bytes)))
  [(frequencies (map (comp status-class :status) entries))
   (map :path (filter #(>= (:status %) 400) entries))
   (distinct (map #(first (clojure.string/split (:path %) #"\?")) entries))])
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
;;;; invoice cents
(def items [{:desc "Widget" :unit-cents 1999 :qty 3} {:desc "Gadget" :unit-cents 12550 :qty 2} {:desc "Thing" :unit-cents 5 :qty 1000}])
(defn cents->str [c] (str (quot c 100) "." (format "%02d" (rem c 100))))
(def rows (map (fn [{:keys [desc unit-cents qty]}] (let [t (* unit-cents qty)] [desc qty (cents->str unit-cents) (cents->str t) t])) items))
(doseq [[d q u t] rows] (println (format "%-10s|%5d|%10s|%12s" d q u t)))
(println (apply str (repeat 40 "-")))
(let [total (transduce (map last) + rows) vat (quot (+ (* total 20) 50) 100)]
  (println "TOTAL" (cents->str total) "VAT" (cents->str vat))
  {:total total :vat vat :gross (+ total vat)})
;;;; inventory join
(def products [{:id 1 :name "Bolt" :cat :hardware} {:id 2 :name "Nut" :cat :hardware} {:id 3 :name "Paint" :cat :supplies}])
(def stock [{:product-id 1 :warehouse "N" :qty 100} {:product-id 1 :warehouse "S" :qty 25} {:product-id 3 :warehouse "N" :qty 0} {:product-id 9 :warehouse "S" :qty 7}])
(def by-id (into {} (map (juxt :id identity)) products))
(def joined (map #(merge % (select-keys (by-id (:product-id %)) [:name :cat])) stock))
{:totals (reduce (fn [m {:keys [name qty]}] (update m (or name "UNKNOWN") (fnil + 0) qty)) {} joined)
 :orphans (mapv :product-id (remove #(contains? by-id (:product-id %)) stock))
 :unstocked (clojure.set/difference (set (keys by-id)) (set (map :product-id stock)))
 :by-cat (->> joined (filter :cat) (group-by :cat) (map (fn [[c rs]] [c (apply + (map :qty rs))])) (into {}))
 :set-join (clojure.set/join (set products) (set (map #(clojure.set/rename-keys % {:product-id :id}) stock)))}
;;;; bfs
(def graph {:a #{:b :c} :b #{:d} :c #{:d :e} :d #{:f} :e #{:f} :f #{}})
(defn bfs [g start]
  (loop [queue (conj clojure.lang.PersistentQueue/EMPTY start) visited #{start} order []]
    (if (empty? queue)
      order
      (let [node (peek queue)
            nbrs (remove visited (sort (get g node)))]
        (recur (into (pop queue) nbrs) (into visited nbrs) (conj order node))))))
(bfs graph :a)
;;;; bfs vector queue
(def graph {"A" ["B" "C"] "B" ["A" "D" "E"] "C" ["A" "F"] "D" ["B"] "E" ["B" "F"] "F" ["C" "E"]})
(defn bfs [graph start goal]
  (loop [queue [[start]] visited #{start}]
    (when-let [path (first queue)]
      (let [node (peek path)]
        (if (= node goal)
          path
          (let [next-nodes (remove visited (graph node))]
            (recur (into (subvec queue 1) (map #(conj path %) next-nodes))
                   (into visited next-nodes))))))))
(defn dfs [graph start]
  (loop [stack (list start) visited #{} order []]
    (cond
      (empty? stack) order
      (visited (first stack)) (recur (rest stack) visited order)
      :else (let [n (first stack)]
              (recur (concat (graph n) (rest stack)) (conj visited n) (conj order n))))))
(defn reachable [g n] (loop [seen #{} frontier #{n}] (if (seq frontier) (recur (into seen frontier) (set (remove seen (mapcat g frontier)))) seen)))
{:path (bfs graph "A" "F") :none (bfs graph "A" "Z") :dfs (dfs graph "A") :reach (sort (reachable graph "D"))}
;;;; topological sort
(def deps {:app [:db :web] :web [:http :json] :db [:json] :http [] :json []})
(defn topo [deps]
  (letfn [(visit [[order seen] n]
            (if (seen n)
              [order seen]
              (let [[order seen] (reduce visit [order (conj seen n)] (deps n))]
                [(conj order n) seen])))]
    (first (reduce visit [[] #{}] (sort (keys deps))))))
(topo deps)
;;;; kahn
(defn kahn-sort [g]
  (let [nodes (into (set (keys g)) (mapcat val g))
        indeg (merge (zipmap nodes (repeat 0)) (frequencies (mapcat val g)))]
    (loop [indeg indeg
           ready (into (sorted-set) (for [[n d] indeg :when (zero? d)] n))
           out []]
      (if-let [n (first ready)]
        (let [[indeg' ready'] (reduce (fn [[i r] m]
                                        (let [i (update i m dec)]
                                          [i (if (zero? (i m)) (conj r m) r)]))
                                      [indeg (disj ready n)] (g n))]
          (recur indeg' ready' (conj out n)))
        (if (= (count out) (count nodes)) out :cycle)))))
[(kahn-sort {"shirt" ["tie" "belt"] "tie" ["jacket"] "pants" ["shoes" "belt"] "belt" ["jacket"] "socks" ["shoes"]})
 (kahn-sort {:a [:b] :b [:a]})]
;;;; dijkstra sorted-set
(def g {:a {:b 7 :c 9 :f 14} :b {:a 7 :c 10 :d 15} :c {:a 9 :b 10 :d 11 :f 2} :d {:b 15 :c 11 :e 6} :e {:d 6 :f 9} :f {:a 14 :c 2 :e 9}})
(defn dijkstra [g source]
  (loop [pq (sorted-set [0 source]) dist {source 0} prev {}]
    (if-let [[d u :as top] (first pq)]
      (if (> d (dist u))
        (recur (disj pq top) dist prev)
        (let [[pq dist prev]
              (reduce-kv (fn [[pq dist prev] v w]
                           (let [nd (+ d w)]
                             (if (< nd (get dist v Long/MAX_VALUE))
                               [(conj pq [nd v]) (assoc dist v nd) (assoc prev v u)]
                               [pq dist prev])))
                         [(disj pq top) dist prev] (g u))]
          (recur pq dist prev)))
      {:dist dist :prev prev})))
(defn path-to [prev target] (->> target (iterate prev) (take-while some?) reverse vec))
(let [{:keys [dist prev]} (dijkstra g :a)]
  {:dist (into (sorted-map) dist) :path (path-to prev :e)})
;;;; dijkstra min-key
(defn dijkstra [graph start]
  (loop [distances (assoc (zipmap (keys graph) (repeat Double/POSITIVE_INFINITY)) start 0)
         unvisited (set (keys graph))]
    (if (empty? unvisited)
      distances
      (let [current (apply min-key distances (sort unvisited))
            d (distances current)]
        (recur (reduce (fn [m [n w]] (update m n min (+ d w))) distances (graph current))
               (disj unvisited current))))))
(into (sorted-map) (dijkstra {"A" {"B" 1 "C" 4} "B" {"C" 2 "D" 6} "C" {"D" 3} "D" {} "X" {}} "A"))
;;;; csv
(require '[clojure.string :as str])
(def csv "id,name,dept,salary\n1,Ann,eng,120000\n2,Bob,eng,95000\n3,Cid,ops,70000\n4,Dee,,65000\n")
(defn parse-csv [s]
  (let [[header & rows] (map #(str/split % #"," -1) (str/split-lines s))
        ks (map keyword header)]
    (mapv (partial zipmap ks) rows)))
(defn clean [row] (-> row (update :id parse-long) (update :salary parse-long) (update :dept #(when-not (str/blank? %) %))))
(def people (map clean (parse-csv csv)))
(defn avg [xs] (when (seq xs) (double (/ (reduce + xs) (count xs)))))
{:first (first people)
 :avg-by-dept (into {} (for [[d ps] (group-by :dept people)] [d (avg (map :salary ps))]))
 :top (:name (apply max-key :salary people))
 :header (str/join "|" (map name (keys (first people))))
 :rt (= csv (str (str/join "\n" (cons "id,name,dept,salary" (for [{:keys [id name dept salary]} people] (str/join "," [id name (or dept "") salary])))) "\n"))}
;;;; csv quoted
(defn parse-fields [line]
  (loop [[c & more :as cs] (seq line) field "" fields [] quoted? false]
    (cond
      (empty? cs) (conj fields field)
      (and quoted? (= c \") (= (first more) \")) (recur (rest more) (str field \") fields true)
      (= c \") (recur more field fields (not quoted?))
      (and (= c \,) (not quoted?)) (recur more "" (conj fields field) false)
      :else (recur more (str field c) fields quoted?))))
(map parse-fields ["a,b,c" "1,\"x, y\",3" "\"he said \"\"hi\"\"\",2," ""])
;;;; key=value
(def config "host = localhost\nport=8080\n# comment\ndebug = true\nratio=0.75\n\nname = My App ")
(defn coerce [v]
  (cond (re-matches #"-?\d+" v) (Long/parseLong v)
        (re-matches #"-?\d+\.\d+" v) (Double/parseDouble v)
        (#{"true" "false"} v) (= v "true")
        :else v))
(->> (clojure.string/split-lines config)
     (map clojure.string/trim)
     (remove #(or (empty? %) (.startsWith % "#")))
     (map #(clojure.string/split % #"\s*=\s*" 2))
     (map (fn [[k v]] [(keyword k) (coerce v)]))
     (into (sorted-map)))
;;;; template
(require '[clojure.string :as string])
(defn render [template ctx]
  (string/replace template #"\{\{\s*([\w.]+)\s*\}\}"
                  (fn [[_ path]]
                    (str (get-in ctx (map keyword (string/split path #"\.")) "")))))
(render "Dear {{user.name}}, you have {{ count }} new {{thing}}{{missing}}. {{user.stats.score}}%"
        {:user {:name "Zed" :stats {:score 97.5}} :count 3 :thing "messages"})
;;;; roman
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn to-roman [n]
  (loop [n n, acc "", [[v s] & more :as all] numerals]
    (cond (zero? n) acc
          (>= n v) (recur (- n v) (str acc s) all)
          :else (recur n acc more))))
(defn from-roman [s]
  (let [vals (map {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000} s)]
    (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vals (concat (rest vals) [nil])))))
(let [ns [1 4 9 14 40 90 400 1994 2024 3999]]
  [(mapv to-roman ns) (= ns (map (comp from-roman to-roman) ns))])
;;;; caesar
(defn shift-char [k c]
  (cond
    (Character/isUpperCase c) (char (+ (int \A) (mod (+ (- (int c) (int \A)) k) 26)))
    (Character/isLowerCase c) (char (+ (int \a) (mod (+ (- (int c) (int \a)) k) 26)))
    :else c))
(defn caesar [k s] (apply str (map (partial shift-char k) s)))
(let [msg "Hello, World! xyz" enc (caesar 3 msg)]
  {:enc enc :dec (caesar -3 enc) :rot13 (caesar 13 msg) :same (= msg (caesar 26 msg))})
;;;; run-length
(defn rle [s] (->> s (partition-by identity) (map (fn [g] (str (when (> (count g) 1) (count g)) (first g)))) (apply str)))
(defn unrle [s] (->> (re-seq #"(\d*)(\D)" s) (mapcat (fn [[_ n c]] (repeat (if (empty? n) 1 (Integer/parseInt n)) c))) (apply str)))
(let [xs ["AAABBC" "" "WWWWWWWWWWWWBWWWWWWWWWWWWBBB" "abc"]]
  (for [x xs :let [e (rle x)]] [x e (= x (unrle e))]))
;;;; matrices
(defn transpose [m] (apply mapv vector m))
(defn mat-mul [a b]
  (let [bt (transpose b)]
    (mapv (fn [row] (mapv (fn [col] (reduce + (map * row col))) bt)) a)))
(defn identity-matrix [n] (vec (for [i (range n)] (vec (for [j (range n)] (if (= i j) 1 0))))))
(defn mat-pow [m n] (nth (iterate (partial mat-mul m) (identity-matrix (count m))) n))
(defn det [m]
  (if (= 1 (count m))
    (ffirst m)
    (reduce + (map-indexed (fn [j x]
                             (* (if (even? j) 1 -1) x
                                (det (mapv #(into (subvec % 0 j) (subvec % (inc j))) (rest m)))))
                           (first m)))))
{:t (transpose [[1 2 3] [4 5 6]])
 :mul (mat-mul [[1 2] [3 4]] [[5 6] [7 8]])
 :fib (get-in (mat-pow [[1 1] [1 0]] 30) [0 1])
 :det (det [[2 0 1] [1 3 2] [1 1 1]])
 :trace (apply + (map-indexed #(nth %2 %1) [[1 2] [3 4]]))}
;;;; sieve
(defn sieve [n]
  (loop [candidates (range 2 (inc n)) primes []]
    (if-let [p (first candidates)]
      (recur (remove #(zero? (mod % p)) (rest candidates)) (conj primes p))
      primes)))
(defn prime? [n] (and (> n 1) (not-any? #(zero? (rem n %)) (range 2 (inc (long (Math/sqrt n)))))))
(defn factors [n]
  (loop [n n d 2 acc []]
    (cond (= n 1) acc
          (zero? (mod n d)) (recur (quot n d) d (conj acc d))
          :else (recur n (inc d) acc))))
{:sieve (sieve 50) :primes (take 10 (filter prime? (iterate inc 2))) :factors (map (juxt identity factors) [12 97 360 1001]) :twin (filter (fn [[a b]] (= 2 (- b a))) (partition 2 1 (sieve 60)))}
;;;; sieve vector
(defn eratosthenes [limit]
  (let [flags (reduce (fn [v i]
                        (if (v i)
                          (reduce #(assoc %1 %2 false) v (range (* i i) (inc limit) i))
                          v))
                      (assoc (vec (repeat (inc limit) true)) 0 false 1 false)
                      (range 2 (inc (int (Math/sqrt limit)))))]
    (keep-indexed (fn [i p?] (when p? i)) flags)))
(let [ps (eratosthenes 100)] [(count ps) (last ps) (reduce + ps) (take-last 3 ps)])
;;;; lcs
(def lcs
  (memoize
   (fn [a b]
     (cond (or (empty? a) (empty? b)) ""
           (= (first a) (first b)) (str (first a) (lcs (rest a) (rest b)))
           :else (let [x (lcs (rest a) b) y (lcs a (rest b))]
                   (if (>= (count x) (count y)) x y))))))
[(lcs (seq "AGGTAB") (seq "GXTXAYB")) (lcs "nematode" "empty") (lcs "" "abc")]
;;;; edit distance
(def edit-distance
  (memoize
    (fn [s t]
      (cond
        (empty? s) (count t)
        (empty? t) (count s)
        (= (last s) (last t)) (edit-distance (butlast s) (butlast t))
        :else (inc (min (edit-distance (butlast s) t)
                        (edit-distance s (butlast t))
                        (edit-distance (butlast s) (butlast t))))))))
(map (partial apply edit-distance) [["kitten" "sitting"] ["flaw" "lawn"] ["" "abc"]])
;;;; knapsack
(def items [{:name "map" :weight 9 :value 150} {:name "compass" :weight 13 :value 35} {:name "water" :weight 153 :value 200} {:name "sandwich" :weight 50 :value 160} {:name "glucose" :weight 15 :value 60}])
(declare m-best)
(defn best [[{:keys [name weight value] :as item} & more] cap]
  (cond (nil? item) [0 []]
        (> weight cap) (m-best more cap)
        :else (let [[v0 _ :as skip] (m-best more cap)
                    [v1 taken] (m-best more (- cap weight))]
                (if (> (+ v1 value) v0) [(+ v1 value) (cons name taken)] skip))))
(def m-best (memoize best))
(best items 100)
;;;; coin change
(defn count-change [coins amount]
  (cond (zero? amount) 1
        (or (neg? amount) (empty? coins)) 0
        :else (+ (count-change coins (- amount (first coins))) (count-change (rest coins) amount))))
(defn min-coins [coins amount]
  (let [table (reduce (fn [t a]
                        (assoc t a (some->> coins
                                            (keep #(get t (- a %)))
                                            seq
                                            (apply min)
                                            inc)))
                      {0 0} (range 1 (inc amount)))]
    (table amount)))
[(count-change [50 25 10 5 1] 100) (min-coins [1 5 10 25] 63) (min-coins [5 7] 13) (min-coins [4 9] 22)]
;;;; state machine
(def transitions
  {:idle {:coin :ready}
   :ready {:push :idle :coin :ready :fail :broken}
   :broken {:repair :idle}})
(defn step [state event] (get-in transitions [state event] state))
(defn run
  ([events] (run :idle events))
  ([state [e & es]] (if e (recur (step state e) es) state)))
[(run [:coin :push :coin :fail :coin]) (reductions step :idle [:coin :push :push :coin :fail :repair]) (run :broken [])]
;;;; traffic light
(defn next-light
  "Returns the next state of the traffic light."
  [state]
  (case state
    :red :green
    :green :yellow
    :yellow :red
    (throw (ex-info "bad light" {:state state}))))
(defn simulate [n]
  (loop [i 0 light :red counts {} log []]
    (if (= i n)
      {:final light :counts counts :log log}
      (recur (inc i) (next-light light) (update counts light (fnil inc 0)) (conj log (name light))))))
[(simulate 7) (try (next-light :blue) (catch clojure.lang.ExceptionInfo e [(ex-message e) (ex-data e)]))]
;;;; standings
(def matches [["Lions" 3 "Tigers" 3] ["Lions" 1 "FC Awesome" 1] ["Tigers" 1 "FC Awesome" 0] ["Lions" 4 "Grouches" 0]])
(defn points [a b] (cond (> a b) 3 (= a b) 1 :else 0))
(def table
  (->> matches
       (mapcat (fn [[h hs a as]] [[h {:pts (points hs as) :gf hs :ga as :played 1}] [a {:pts (points as hs) :gf as :ga hs :played 1}]]))
       (reduce (fn [m [t r]] (update m t #(merge-with + % r))) {})
       (map (fn [[t {:keys [gf ga] :as r}]] (assoc r :team t :gd (- gf ga))))
       (sort-by (juxt (comp - :pts) (comp - :gd) :team))))
(doseq [[i {:keys [team pts gd]}] (map-indexed vector table)]
  (println (str (inc i) ". " team ", " pts " pt" (when (not= 1 pts) "s") " (" (if (pos? gd) "+" "") gd ")")))
(mapv (juxt :team :pts :gd) table)
;;;; calendar
(def days-in-month [31 28 31 30 31 30 31 31 30 31 30 31])
(defn leap? [y] (and (zero? (mod y 4)) (or (pos? (mod y 100)) (zero? (mod y 400)))))
(defn month-days [y m] (if (and (= m 2) (leap? y)) 29 (nth days-in-month (dec m))))
(defn day-of-year [date]
  (let [[y m d] (map parse-long (clojure.string/split date #"-"))]
    (+ d (reduce + (map #(month-days y %) (range 1 m))))))
(defn day-of-week [y m d]
  (let [t [0 3 2 5 0 3 5 1 4 6 2 4] y (if (< m 3) (dec y) y)]
    (nth ["Sun" "Mon" "Tue" "Wed" "Thu" "Fri" "Sat"]
         (mod (+ y (quot y 4) (- (quot y 100)) (quot y 400) (nth t (dec m)) d) 7))))
{:leap (filter leap? [1900 2000 2023 2024 2100])
 :doy (map day-of-year ["2024-01-01" "2024-03-01" "2023-12-31" "2024-12-31"])
 :dow (map #(apply day-of-week %) [[2024 1 1] [2000 2 29] [1999 12 31]])
 :months (for [m (range 1 13)] (format "%02d:%d" m (month-days 2024 m)))}
;;;; ledger
(def txs [{:type :deposit :acct "a" :amt 100} {:type :withdraw :acct "a" :amt 30} {:type :transfer :from "a" :to "b" :amt 50} {:type :withdraw :acct "b" :amt 75} {:type :bogus}])
(defn apply-tx [balances {:keys [type acct from to amt] :as tx}]
  (condp = type
    :deposit (update balances acct (fnil + 0) amt)
    :withdraw (if (>= (get balances acct 0) amt)
                (update balances acct - amt)
                (throw (ex-info "Insufficient funds" {:acct acct :needed (- amt (get balances acct 0))})))
    :transfer (-> balances (apply-tx {:type :withdraw :acct from :amt amt}) (apply-tx {:type :deposit :acct to :amt amt}))
    (throw (IllegalArgumentException. (str "unknown type " type)))))
(defn process [txs]
  (reduce (fn [{:keys [balances errors] :as st} [i tx]]
            (try
              (assoc st :balances (apply-tx balances tx))
              (catch clojure.lang.ExceptionInfo e
                (assoc st :errors (conj errors [i (.getMessage e) (ex-data e)])))
              (catch IllegalArgumentException e
                (assoc st :errors (conj errors [i (.getMessage e)])))))
          {:balances {} :errors []} (map-indexed vector txs)))
(process txs)
;;;; tree-seq
(def tree {:name "root" :size 0 :children [{:name "usr" :size 10 :children [{:name "bin" :size 40} {:name "lib" :size 100}]} {:name "etc" :size 5}]})
(defn total [{:keys [size children]}] (apply + size (map total children)))
(defn depth [n] (inc (apply max 0 (map depth (:children n)))))
(defn paths [prefix {:keys [name children]}]
  (let [p (str prefix "/" name)] (cons p (mapcat (partial paths p) children))))
(defn show [n indent] (str (apply str (repeat indent " ")) (:name n) "\n" (apply str (map #(show % (+ 2 indent)) (:children n)))))
(let [nodes (tree-seq :children :children tree)]
  {:names (map :name nodes) :total (total tree) :leaves (->> nodes (remove :children) (map :name)) :depth (depth tree) :paths (paths "" tree) :big (some #(when (> (:size %) 30) (:name %)) nodes) :shown (show tree 0)})
;;;; postwalk
(require '[clojure.walk :as walk])
(def doc {:title "x" :tags [:a nil :b] :nested {:n 1 :m nil :list '(1 2 3)} :set #{1}})
(defn strip-nils [x] (walk/postwalk (fn [f] (cond (map? f) (into {} (remove (comp nil? val)) f) (vector? f) (vec (remove nil? f)) :else f)) x))
[(strip-nils doc)
 (walk/postwalk #(if (number? %) (inc %) %) doc)
 (walk/prewalk #(if (keyword? %) (name %) %) {:a {:b [:c]}})
 (walk/keywordize-keys {"a" {"b" 1} "c" [{"d" 2}]})
 (walk/stringify-keys {:a {:b 1}})
 (walk/postwalk-replace {:x 1 :y 2} [:x [:y :z]])]
;;;; zipper by hand
(defn loc [tree] {:tree tree :path []})
(defn down [{:keys [tree path]}] (when (and (sequential? tree) (seq tree)) {:tree (first tree) :path (conj path {:left [] :right (vec (rest tree))})}))
(defn right [{:keys [tree path]}]
  (let [{:keys [left right]} (peek path)]
    (when (seq right)
      {:tree (first right) :path (conj (pop path) {:left (conj left tree) :right (vec (rest right))})})))
(defn up [{:keys [tree path]}] (when-let [{:keys [left right]} (peek path)] {:tree (into (conj left tree) right) :path (pop path)}))
(defn edit [z f & args] (apply update z :tree f args))
(defn root [z] (if-let [u (up z)] (recur u) (:tree z)))
(let [z (loc [1 [2 3] 4])]
  [(-> z down right down right (edit * 10) root) (-> z down right right :tree) (-> z down up :tree) (some-> z down down)])
;;;; nested updates
(def db {:users {1 {:name "A" :prefs {:theme "dark"} :tags #{:x}} 2 {:name "B"}} :meta {:version 1}})
(-> db
    (assoc-in [:users 3] {:name "C" :prefs {}})
    (update-in [:users 1 :prefs] assoc :lang "en" :size 12)
    (update-in [:users 2 :tags] (fnil conj #{}) :new)
    (update :meta (fn [m] (-> m (update :version inc) (assoc :dirty? true))))
    (update-in [:users 1] dissoc :name)
    (assoc-in [:a :b :c] 1)
    (update-in [:a :b] merge {:d 2}))
;;;; merge-with
(def q1 {:north {:sales 100 :returns 3} :south {:sales 80}})
(def q2 {:north {:sales 120} :east {:sales 50 :returns 1}})
(defn deep-merge-with [f & ms]
  (apply (fn m [& maps] (if (every? map? maps) (apply merge-with m maps) (apply f maps))) ms))
[(merge-with merge q1 q2) (deep-merge-with + q1 q2) (merge-with into {:a [1]} {:a [2] :b [3]} {:b [4]}) (merge-with - {:a 10} {:a 3} {:a 2}) (apply merge-with concat [{:k '(1)} {:k '(2 3)}])]
;;;; transducers
(def xf (comp (filter odd?) (map #(* % %)) (take 5)))
[(into [] xf (range)) (transduce xf + 0 (range 100)) (sequence (comp (map inc) (partition-all 2)) (range 5)) (into #{} (map #(mod % 3)) (range 10)) (into {} (map-indexed (fn [i x] [x i])) [:a :b :c]) (transduce (comp (mapcat identity) (dedupe)) conj [] [[1 1 2] [2 3]]) (into (sorted-map) (map (juxt identity #(* 10 %))) [3 1 2]) (into [] (comp (drop-while neg?) (take-while #(< % 4)) (interpose :x)) [-1 0 1 2 5 1])]
;;;; for comprehension
[(for [x (range 1 21) y (range x 21) z (range y 21) :when (= (* z z) (+ (* x x) (* y y)))] [x y z])
 (for [x (range 5) :while (< x 3) y [:a :b] :let [k (str x (name y))] :when (not= k "1a")] k)
 (for [[k vs] {:a [1 2] :b []} v vs] {k v})
 (for [i (range 3)] (for [j (range i)] [i j]))
 (for [{:keys [n tags]} [{:n 1 :tags ["p" "q"]} {:n 2}] t (or tags ["none"])] (str n t))]
;;;; destructuring
(let [[a [b & c] {:keys [d e] :or {e :dflt} :as m} & [f g :as rest*]] [1 [2 3 4] {:d 5} 6 7 8]
      {:strs [host port] :or {port "80"}} {"host" "h"}
      {x :x {:keys [y] [z1 z2] :zs} :inner} {:x 10 :inner {:y 20 :zs [30 40 50]}}
      {:keys [db/id user/name]} {:db/id 9 :user/name "nm"}
      [p :as v] "hello"]
  [a b c d e m f g rest* host port x y z1 z2 id name p v])
;;;; kwargs
(defn make-report [title & {:keys [width sep upper?] :or {width 20 sep "-" upper? false} :as opts}]
  (let [t (if upper? (.toUpperCase title) title)]
    {:lines [t (apply str (repeat width sep))] :opts opts}))
[(make-report "sales") (make-report "sales" :width 5 :sep "=") (make-report "x" {:upper? true :width 2})]
;;;; lazies
[(take 10 (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
 (take 7 (cycle [:r :g :b]))
 (take-while #(< % 1000) (iterate #(* 2 %) 1))
 (partition-by #(quot % 10) [1 5 11 12 25 31 38])
 (partition-all 3 (range 8)) (partition 3 (range 8)) (partition 2 1 [1 2 3 4]) (partition 3 3 [:pad] (range 7))
 (reductions + [1 2 3 4]) (reductions max [3 1 4 1 5 9 2])
 (split-with pos? [1 2 -1 3]) (split-at 2 [1 2 3 4]) (take-nth 3 (range 10))
 (interleave [:a :b :c] (range)) (zipmap [:x :y] [1 2]) (drop-last 2 [1 2 3 4]) (interpose ", " ["a" "b"])]
;;;; letfn
(letfn [(even*? [n] (if (zero? n) true (odd*? (dec n))))
        (odd*? [n] (if (zero? n) false (even*? (dec n))))
        (collatz [n] (if (= n 1) [1] (cons n (collatz (if (even*? n) (quot n 2) (inc (* 3 n)))))))]
  [(even*? 10) (odd*? 7) (collatz 6) (map (comp count collatz) [1 7 9])])
;;;; cond->
(defn build-query [{:keys [table fields where limit order]}]
  (cond-> (str "SELECT " (if (seq fields) (clojure.string/join ", " (map name fields)) "*") " FROM " (name table))
    where (str " WHERE " (clojure.string/join " AND " (map (fn [[k v]] (str (name k) " = " (pr-str v))) where)))
    order (str " ORDER BY " (name order))
    limit (str " LIMIT " limit)))
[(build-query {:table :users}) (build-query {:table :orders :fields [:id :total] :where {:status "open" :qty 3} :limit 10}) (build-query {:table :t :order :name})
 (cond->> [3 1 2] true (map inc) false (filter odd?) :always sort)
 (as-> {:a 1} $ (assoc $ :b 2) (keys $) (map name $) (clojure.string/join "-" $))
 (some-> {:a {:b " x "}} :a :b clojure.string/trim) (some-> {:a nil} :a :b) (some->> [1 2 3] (filter #(> % 5)) seq (reduce +))]
;;;; format flags
(println (format "|%5.2f|%05d|%-10s|%10s|%,d|%x|%X|%e|%+d|%%|%b|%c|%o|%08.3f|%s|%S|" 3.14159 42 "left" "right" 1234567 255 255 12345.678 7 true \z 8 2.5 nil "up"))
(println (format "%.0f %.1f %.3e %10.4f|%-8d|%3s|%2$s %1$s" 2.5 0.25 123456.789 2.0 42 "x"))
[(format "%5s|%-5s|%05d|%.2f" "ab" "cd" -42 1.005) (format "%,.2f" 1234567.891) (format "%(d" -5) (format "% d" 5) (format "%s %s %s" :k [1 "a"] {:a 1}) (format "%d%%" 50) (format "%6.2f%%" 12.345) (format "%x" -1) (format "%s" 1.0) (format "%10b|" true) (format "%.3s|" "abcdef") (format "%-6b|" false) (format "%h" "hello") (format "%n")]
;;;; strings
(require '[clojure.string :as s])
[(s/capitalize "hELLO wORLD") (s/split "a1b22c" #"\d+") (s/split "a,b,,c,," #",") (s/split "a,b,,c,," #"," -1) (s/join ", " [1 nil :k "s"]) (s/replace "hello" "l" "L") (s/replace "hello" #"l+" "<$0>") (s/replace "2024-01-02" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1") (s/replace "abc" #"[ac]" {"a" "1" "c" "3"}) (s/replace-first "aXbX" "X" "-") (s/reverse "abc") (s/index-of "hello" "l") (s/index-of "hello" "z") (s/last-index-of "hello" "l") (s/index-of "hello" "l" 3) (s/starts-with? "abc" "ab") (s/ends-with? "abc" "bc") (s/includes? "abc" "d") (s/blank? " \n") (s/trim "  x ") (s/triml "  x ") (s/trimr "  x ") (s/trim-newline "x\r\n") (s/split-lines "a\nb\r\nc\n") (s/upper-case "é") (s/lower-case "ABC") (s/escape "a<b" {\< "&lt;"}) (s/re-quote-replacement "$1")]
;;;; regex
[(re-find #"\d+" "abc123def45") (re-seq #"\d+" "a1b22c333") (re-find #"(\w+)@(\w+)\.com" "joe@site.com") (re-matches #"(\d{3})-(\d{4})" "555-1234") (re-matches #"\d+" "12a") (re-seq #"(\w)(\d)" "a1 b2 c3") (re-find #"(?i)HELLO" "say hello") (re-seq #"\b\w" "the quick brown") (re-find #"(a)|(b)" "b") (map second (re-seq #"<(\w+)>" "<a><bc>")) (clojure.string/replace "The Cat" #"(?<first>\w)(\w*)" "${first}.") (clojure.string/replace "snake_case_name" #"_(\w)" #(clojure.string/upper-case (second %))) (clojure.string/replace "camelCaseName" #"([A-Z])" (fn [[_ c]] (str "-" (.toLowerCase c)))) (re-seq #"[^,]+" "a,b,c") (count (re-seq #"(?m)^#" "# a\nb\n# c")) (re-find #"(?s)a.b" "a\nb") (re-pattern "a+") (re-find (re-pattern (str "x" "{2}")) "xxx")]
