;;;;
;;; log analysis
(def log-lines
  ["2024-03-01T10:00:00 INFO  [web-1] GET /api/users 200 12ms"
   "2024-03-01T10:00:01 WARN  [web-2] GET /api/orders 404 3ms"
   "2024-03-01T10:00:02 ERROR [web-1] POST /api/orders 500 140ms"
   "malformed line"
   "2024-03-01T10:00:05 INFO  [web-1] GET /api/users 200 9ms"])
(def line-re #"^(\S+)\s+(INFO|WARN|ERROR)\s+\[([^\]]+)\]\s+(\w+)\s+(\S+)\s+(\d{3})\s+(\d+)ms$")
(defn parse-line [line]
  (when-let [[_ ts level host verb path status ms] (re-matches line-re line)]
    {:ts ts :level (keyword (clojure.string/lower-case level)) :host host
     :request {:method verb :path path} :status (Long/parseLong status) :ms (parse-long ms)}))
(let [parsed (keep parse-line log-lines)
      by-path (group-by (comp :path :request) parsed)]
  {:total (count log-lines)
   :unparsed (remove parse-line log-lines)
   :levels (frequencies (map :level parsed))
   :paths (into (sorted-map)
                (for [[path rows] by-path
                      :let [times (map :ms rows)]]
                  [path {:n (count rows) :avg (double (/ (reduce + times) (count times))) :max (apply max times)}]))
   :slowest (:ts (apply max-key :ms parsed))})
;;;;
;;; inventory with threading
(def stock {"widget" {:qty 10 :price 2.5 :tags #{:small :metal}}
            "gadget" {:qty 0 :price 10.0 :tags #{:electronic}}
            "doohickey" {:qty 3 :price 7.25 :tags #{:small :electronic}}})
(defn total-value [inventory]
  (reduce-kv (fn [acc _ {:keys [qty price]}] (+ acc (* qty price))) 0 inventory))
(defn tagged [inventory tag]
  (->> inventory
       (filter (fn [[_ v]] (contains? (:tags v) tag)))
       (map key)
       sort))
(-> stock
    (assoc "thing" {:qty 5 :price 1.0 :tags #{}})
    (update-in ["widget" :qty] - 4)
    (dissoc "gadget")
    (as-> s {:value (total-value s)
             :small (tagged s :small)
             :names (sort-by (juxt count identity) (keys s))
             :out (filter (comp zero? :qty val) stock)}))
;;;;
;;; recursive tree sums
(def tree {:name "root" :size 1
           :children [{:name "a" :size 2 :children []}
                      {:name "b" :size 3
                       :children [{:name "c" :size 4} {:name "d" :size 5 :children nil}]}]})
(defn total [{:keys [size children] :or {size 0}}]
  (apply + size (map total children)))
(defn paths
  ([node] (paths [] node))
  ([prefix {:keys [name children]}]
   (let [here (conj prefix name)]
     (cons (clojure.string/join "/" here) (mapcat (partial paths here) children)))))
(defn depth [{:keys [children]}] (inc (reduce max 0 (map depth children))))
[(total tree) (paths tree) (depth tree)
 (map :name (tree-seq (comp seq :children) :children tree))
 (clojure.walk/postwalk (fn [x] (if (and (map? x) (:size x)) (update x :size * 10) x)) tree)]
;;;;
;;; pagination
(defn paginate [page size coll]
  (let [n (count coll) pages (int (Math/ceil (/ n (double size))))]
    {:items (->> coll (drop (* (dec page) size)) (take size) vec)
     :page page :pages pages
     :next (when (< page pages) (inc page))
     :prev (when (> page 1) (dec page))}))
(map #(paginate % 3 (range 1 9)) [1 2 3 4])
;;;;
;;; moving average and deltas
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
;;;;
;;; join two tables
(def users [{:id 1 :name "Ann"} {:id 2 :name "Bob"} {:id 3 :name "Cat"}])
(def orders [{:user 1 :total 10} {:user 1 :total 5.5} {:user 3 :total 7} {:user 9 :total 1}])
(let [by-id (into {} (map (juxt :id identity)) users)
      joined (for [{:keys [user total]} orders
                   :let [{:keys [name]} (by-id user)]
                   :when name]
               {:name name :total total})
      totals (reduce (fn [m {:keys [name total]}] (update m name (fnil + 0) total)) {} joined)]
  {:joined joined
   :totals totals
   :without (map :name (remove #(contains? totals (:name %)) users))
   :orphans (remove (comp by-id :user) orders)})
;;;;
;;; string processing
(require '[clojure.string :as s])
(defn slugify [t]
  (-> t s/lower-case (s/replace #"[^a-z0-9]+" "-") (s/replace #"^-|-$" "")))
(defn title-case [t] (s/join " " (map s/capitalize (s/split t #"\s+"))))
(defn camel->kebab [t] (s/lower-case (s/replace t #"([a-z])([A-Z])" "$1-$2")))
(defn kebab->camel [t]
  (let [[h & r] (s/split t #"-")] (apply str h (map s/capitalize r))))
(defn abbreviate [n t] (if (> (count t) n) (str (subs t 0 (- n 3)) "...") t))
[(slugify "  Hello, World! It's 2024 ") (title-case "the QUICK brown fox")
 (camel->kebab "someLongName") (kebab->camel "some-long-name")
 (abbreviate 10 "a fairly long text") (abbreviate 10 "short")
 (s/replace "2024-01-15" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1")
 (s/replace "a1b22" #"\d+" #(str "<" (* 2 (parse-long %)) ">"))
 (s/replace "k=v;x=y" #"(\w)=(\w)" (fn [[_ k v]] (str v "=" k)))
 (map s/trim (s/split " a , b ,, c " #","))
 (s/split "a.b.c" #"\." 2)]
;;;;
;;; word counting with ties
(def text "It was the best of times, it was the worst of times; it was the age of wisdom...")
(->> (re-seq #"[a-z]+" (clojure.string/lower-case text))
     frequencies
     (sort-by (fn [[w n]] [(- n) w]))
     (take 5)
     (map (fn [[w n]] (str w ":" n)))
     (clojure.string/join ", "))
;;;;
;;; state machine
(def transitions
  {:idle {:start :running}
   :running {:pause :paused, :stop :idle, :fail :error}
   :paused {:resume :running, :stop :idle}
   :error {:reset :idle}})
(defn step [state event]
  (get-in transitions [state event] state))
(def events [:start :pause :bogus :resume :fail :start :reset])
{:final (reduce step :idle events)
 :trace (reductions step :idle events)
 :ignored (->> (map vector (reductions step :idle events) events)
               (remove (fn [[s e]] (contains? (transitions s) e)))
               (into []))
 :reachable (loop [seen #{} todo [:idle]]
              (if-let [s (first todo)]
                (recur (conj seen s) (into (subvec (vec todo) 1) (remove seen (vals (transitions s)))))
                (sort seen)))}
;;;;
;;; matrix
(defn transpose [m] (apply mapv vector m))
(defn mmul [a b] (let [bt (transpose b)] (mapv (fn [row] (mapv #(reduce + (map * row %)) bt)) a)))
(def a [[1 2] [3 4]])
(def identity-matrix [[1 0] [0 1]])
{:t (transpose [[1 2 3] [4 5 6]])
 :mul (mmul a a)
 :id? (= a (mmul a identity-matrix))
 :diag (map-indexed (fn [i row] (nth row i)) a)
 :pow (nth (iterate (partial mmul a) a) 3)
 :flat (vec (flatten a))
 :rows (for [[i row] (map-indexed vector a) [j x] (map-indexed vector row) :when (not= i j)] [i j x])}
;;;;
;;; caesar and rle
(defn shift-char [n c]
  (let [code (int c)]
    (cond
      (<= 97 code 122) (char (+ 97 (mod (+ n (- code 97)) 26)))
      (<= 65 code 90) (char (+ 65 (mod (+ n (- code 65)) 26)))
      :else c)))
(defn caesar [n s] (apply str (map (partial shift-char n) s)))
(defn rle [s] (->> s (partition-by identity) (map (fn [g] (str (count g) (first g)))) (apply str)))
(defn unrle [s] (apply str (mapcat (fn [[_ n c]] (repeat (parse-long n) c)) (re-seq #"(\d+)(\D)" s))))
[(caesar 3 "Hello, xyz!") (caesar -3 (caesar 3 "Round Trip")) (rle "aaabccd") (unrle "3a1b2c1d")
 (= "wwwb" (unrle (rle "wwwb")))]
;;;;
;;; primes several ways
(defn prime? [n] (and (> n 1) (not-any? #(zero? (rem n %)) (range 2 (inc (long (Math/sqrt n)))))))
(defn sieve [n]
  (loop [candidates (range 2 n) found []]
    (if-let [p (first candidates)]
      (recur (remove #(zero? (mod % p)) (rest candidates)) (conj found p))
      found)))
(defn factors [n]
  (loop [n n d 2 acc []]
    (cond (= n 1) acc
          (zero? (rem n d)) (recur (quot n d) d (conj acc d))
          :else (recur n (inc d) acc))))
[(filter prime? (range 30)) (sieve 30) (map factors [12 97 360]) (frequencies (factors 360))
 (take 5 (filter prime? (iterate inc 100)))]
;;;;
;;; validating records
(def validators
  {:name [[string? "must be a string"] [#(<= 1 (count %) 10) "must have 1 to 10 characters"]]
   :age [[int? "must be an integer"] [#(<= 0 % 150) "must be from 0 to 150"]]
   :email [[#(re-matches #"[^@\s]+@[^@\s]+\.\w+" (str %)) "must be an address"]]})
(defn validate [record]
  (into {}
        (for [[field checks] validators
              :let [value (get record field)
                    problems (reduce (fn [acc [ok? msg]] (if (ok? value) acc (reduced (conj acc msg)))) [] checks)]
              :when (seq problems)]
          [field problems])))
(map validate [{:name "Ann" :age 30 :email "a@b.co"}
               {:name "" :age 200 :email "nope"}
               {:name 5 :age "x" :email nil}])
;;;;
;;; kw-args and variadics
(defn greet [greeting & {:keys [name punctuation] :or {name "you" punctuation "!"}}]
  (str greeting ", " name punctuation))
(defn stats [x & xs] {:first x :rest xs :n (inc (count xs))})
(defn opts [{:keys [a b] :as m :or {b 10}} & [flag & more]] [a b m flag more])
[(greet "Hi") (greet "Hi" :name "Bo") (greet "Hi" :punctuation "?" :name "Cy") (greet "Yo" {:name "Map"})
 (stats 1) (stats 1 2 3) (opts {:a 1}) (opts {:a 1 :b nil} :f 1 2) (apply stats [1 2 3]) (apply greet "x" [:name "y"])]
;;;;
;;; transducers whole
(let [xf (comp (remove nil?) (mapcat #(repeat % %)) (drop-while #(< % 2)))]
  [(into [] xf [1 nil 2 3]) (sequence xf [0 1 2]) (transduce xf conj [3]) (transduce xf (completing conj) [] [2])])
;;;;
;;; cond forms
(defn classify [n]
  (cond (neg? n) :negative (zero? n) :zero (< n 10) :small :else :large))
(defn describe [x]
  (cond-> {:value x}
    (number? x) (assoc :kind :number)
    (and (number? x) (even? x)) (assoc :even true)
    (string? x) (-> (assoc :kind :string) (assoc :len (count x)))
    (nil? x) (merge {:kind :nil})))
(defn day-type [d]
  (case d
    (:sat :sun) "weekend"
    (:mon :tue :wed :thu :fri) "weekday"
    "unknown"))
(defn grade [score]
  (condp <= score 90 "A" 80 "B" 70 "C" "F"))
[(map classify [-5 0 7 70]) (map describe [2 3 "abc" nil]) (map day-type [:sat :mon :x]) (map grade [95 85 75 5])
 (condp some [1 2 3] #{5 6} :five #{2} :>> inc :none)
 (cond->> (range 10) true (filter even?) false (map inc) :always (reduce +))]
;;;;
;;; nested updates
(def config {:db {:host "localhost" :ports [5432 5433]} :features #{:a} :limits {:max 10}})
[(update-in config [:db :ports] conj 5434)
 (update-in config [:db :ports 0] inc)
 (assoc-in config [:db :pool :size] 5)
 (update config :features conj :b :c)
 (update-in config [:limits :max] + 5 10)
 (get-in config [:db :ports 1])
 (get-in config [:db :missing :deep] :default)
 (reduce (fn [c [path v]] (assoc-in c path v)) config {[:db :host] "db" [:limits :min] 1})
 (update config :limits dissoc :max)
 (merge-with (fn [a b] (if (map? a) (merge a b) b)) config {:db {:host "x"} :limits {:min 0}})
 (select-keys config [:db :nope])
 (update-in {} [:a :b] (fnil conj []) 1)]
;;;;
;;; deep merge
(defn deep-merge [& maps]
  (letfn [(m [a b] (if (and (map? a) (map? b)) (merge-with m a b) b))]
    (reduce m {} maps)))
(deep-merge {:a {:b 1 :c {:d 2}} :x [1]} {:a {:c {:e 3}} :x [2]} nil {:a {:b nil}})
;;;;
;;; flatten map to paths and back
(defn flatten-map
  ([m] (flatten-map [] m))
  ([prefix m]
   (reduce-kv (fn [acc k v]
                (let [path (conj prefix k)]
                  (if (and (map? v) (seq v)) (merge acc (flatten-map path v)) (assoc acc path v))))
              {} m)))
(defn unflatten [m] (reduce-kv assoc-in {} m))
(let [m {:a {:b 1 :c {:d [1 2]}} :e {} :f nil} flat (flatten-map m)]
  [flat (= m (unflatten flat)) (into {} (map (fn [[k v]] [(clojure.string/join "." (map name k)) v]) flat))])
;;;;
;;; top n per group
(def scores [{:team "red" :p "a" :s 5} {:team "blue" :p "b" :s 9} {:team "red" :p "c" :s 8} {:team "blue" :p "d" :s 1} {:team "red" :p "e" :s 6}])
(->> scores
     (group-by :team)
     (map (fn [[team rows]] [team (->> rows (sort-by :s >) (take 2) (mapv :p))]))
     (sort-by first)
     (into {}))
;;;;
;;; csv parsing and rendering
(def csv "name,qty,price\napple,3,1.25\npear,,2.0\nfig,10,0.5\n")
(defn parse-csv [text]
  (let [[header & lines] (clojure.string/split-lines text)
        ks (map keyword (clojure.string/split header #","))]
    (map #(zipmap ks (clojure.string/split % #"," -1)) lines)))
(let [rows (parse-csv csv)
      typed (map #(-> % (update :qty parse-long) (update :price parse-double)) rows)]
  {:rows rows
   :total (reduce + (for [{:keys [qty price]} typed :when qty] (* qty price)))
   :missing (map :name (filter (comp nil? :qty) typed))
   :out (clojure.string/join "\n" (for [r typed] (clojure.string/join ";" (map #(if (nil? %) "" %) (vals r)))))})
;;;;
;;; printing tables
(def data [["Name" "Qty" "Price"] ["Apple" 3 1.5] ["Banana" 12 0.25]])
(let [widths (apply map (fn [& cells] (apply max (map (comp count str) cells))) data)]
  (doseq [row data]
    (println (clojure.string/join " | " (map (fn [w c] (format (str "%-" w "s") (str c))) widths row))))
  (println (apply str (repeat 20 "-")))
  (doseq [[n q p] (rest data)] (printf "%-8s%5d%8.2f%n" n q p))
  (println (reduce + (map #(* (% 1) (% 2)) (rest data)))))
;;;;
;;; println of everything
(println nil true 1 1.0 -0.5 1e10 1.0E-5 "s" \c :k 'sym [1 "a" \b nil] '(1 2) {:a "x" "b" :y} #{1})
(prn nil true 1 1.0 "s\n\"q\"" \c \space \newline :k [1 "a" \b nil] {:a "x"})
(println (str [1 "a" \b :c nil] {:a "b"} nil :x \y 1.50))
(print "no newline") (print " more") (println)
(pr "x" [\a "b"]) (newline)
(println (pr-str {:a [1 2.0 "three"]}) (str "a" nil "b") (str) (str nil))
(println (map inc [1 2]) (filter odd? [1 2]) (range 3) (vec (range 3)) (seq {:a 1}))
(println 100000000 12345678901 1234567.0 12345678.0 0.001 0.0001 123456789.123 1e21 1e-7 (/ 1.0 3))
(println "tab\there" ["nested \"q\" \\"] (first {:a 1}) (keys {:a 1}) (vals {:a 1}))
;;;;
;;; bank account simulation
(defn apply-tx [{:keys [balance] :as acct} {:keys [type amount]}]
  (case type
    :deposit (-> acct (update :balance + amount) (update :log conj [:ok type amount]))
    :withdraw (if (> amount balance)
                (update acct :log conj [:declined type amount])
                (-> acct (update :balance - amount) (update :log conj [:ok type amount])))
    (update acct :log conj [:unknown type])))
(reduce apply-tx {:balance 100 :log []}
        [{:type :deposit :amount 50} {:type :withdraw :amount 500} {:type :withdraw :amount 30} {:type :fee}])
;;;;
;;; dates as strings
(def entries [{:d "2024-01-31" :v 1} {:d "2024-02-01" :v 2} {:d "2023-12-31" :v 3} {:d "2024-01-02" :v 4}])
(defn ym [d] (subs d 0 7))
(let [parse (fn [d] (mapv parse-long (clojure.string/split d #"-")))
      sorted (sort-by :d entries)]
  {:by-month (into (sorted-map) (update-vals (group-by (comp ym :d) entries) #(reduce + (map :v %))))
   :latest (last sorted)
   :parsed (map (comp parse :d) sorted)
   :compare (map (fn [[a b]] (compare (:d a) (:d b))) (partition 2 1 entries))
   :years (distinct (map #(first (parse (:d %))) entries))
   :desc (map :d (sort-by :d #(compare %2 %1) entries))
   :quarter (map #(let [[y m] (parse (:d %))] (str y "-Q" (inc (quot (dec m) 3)))) sorted)})
;;;;
;;; graph search
(def graph {:a [:b :c] :b [:d] :c [:d :e] :d [:f] :e [:f] :f []})
(defn bfs [g start goal]
  (loop [queue [[start]] seen #{start}]
    (when-let [path (first queue)]
      (let [node (peek path)]
        (if (= node goal)
          path
          (let [nexts (remove seen (g node))]
            (recur (into (vec (rest queue)) (map #(conj path %) nexts)) (into seen nexts))))))))
(defn dfs [g node] (letfn [(go [seen n] (if (some #{n} seen) seen (reduce go (conj seen n) (g n))))] (go [] node)))
(defn topo [g]
  (loop [g g out []]
    (if (empty? g) out
      (let [targets (set (mapcat val g))
            free (sort (remove targets (keys g)))]
        (recur (apply dissoc g free) (into out free))))))
{:bfs (bfs graph :a :f) :none (bfs graph :f :a) :dfs (dfs graph :a) :topo (topo graph)
 :in-degree (frequencies (mapcat val graph))
 :edges (count (for [[_ vs] graph v vs] v))}
;;;;
;;; memo fib and collatz
(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))))
(defn collatz [n] (take-while #(not= 1 %) (iterate #(if (even? %) (quot % 2) (inc (* 3 %))) n)))
(defn gcd [a b] (if (zero? b) a (recur b (mod a b))))
[(map fib (range 15)) (fib 50) (collatz 6) (apply max-key (comp count collatz) (range 1 20)) (reduce gcd [48 36 120])
 (take 10 (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
 (last (take 5 (iterate #(* 2 %) 1)))]
;;;;
;;; error handling
(defn safe-div [a b] (try (/ a b) (catch ArithmeticException e {:error (.getMessage e)})))
(defn check [x] (if (neg? x) (throw (ex-info "negative" {:x x})) x))
[(safe-div 10 2) (safe-div 1 0)
 (try (check -1) (catch Exception e [(ex-message e) (ex-data e)]))
 (try (check 1) (catch Exception e :never) (finally :ignored))
 (try (throw (Exception. "plain")) (catch Exception e (ex-message e)))
 (map #(try (Integer/parseInt %) (catch NumberFormatException _ nil)) ["1" "x" "3"])
 (try (reduce (fn [a x] (if (= x :bad) (throw (ex-info "bad item" {:at a})) (conj a x))) [] [1 2 :bad 3])
      (catch Exception e (:at (ex-data e))))]
