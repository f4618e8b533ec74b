;;;; cohort retention
(ns retention.core
  (:require [clojure.string :as str]
            [clojure.set :as set]))

(def visits
  [{:user "u1" :month "2024-01"} {:user "u2" :month "2024-01"} {:user "u3" :month "2024-01"}
   {:user "u1" :month "2024-02"} {:user "u4" :month "2024-02"} {:user "u3" :month "2024-03"}
   {:user "u1" :month "2024-03"} {:user "u4" :month "2024-03"} {:user "u5" :month "2024-03"}])

(defn month-index [^String m]
  (let [[y mo] (map #(Integer/parseInt %) (str/split m #"-"))]
    (+ (* 12 y) (dec mo))))

(def first-seen
  (->> visits
       (group-by :user)
       (map (fn [[u vs]] [u (apply min (map (comp month-index :month) vs))]))
       (into {})))

(defn- pct [n d]
  (if (zero? d) 0.0 (/ (Math/round (* 1000.0 (/ (double n) d))) 10.0)))

(let [cohorts (reduce (fn [acc {:keys [user month]}]
                        (let [c (first-seen user)]
                          (update-in acc [c (- (month-index month) c)] (fnil conj #{}) user)))
                      (sorted-map)
                      visits)]
  (for [[c offsets] cohorts
        :let [size (count (get offsets 0))]]
    [(format "%04d-%02d" (quot c 12) (inc (mod c 12)))
     size
     (mapv (fn [i] (pct (count (get offsets i #{})) size)) (range 3))]))
;;;; ab test summary
(def results
  [{:variant :a :converted? true :amount 30.5} {:variant :b :converted? false}
   {:variant :a :converted? false} {:variant :b :converted? true :amount 12.25}
   {:variant :b :converted? true :amount 40} {:variant :a :converted? true :amount 9.99}
   {:variant :control :converted? false}])

(defn summarize [rows]
  (let [n (count rows)
        wins (filter :converted? rows)
        revenue (transduce (comp (filter :converted?) (map #(:amount % 0))) + rows)]
    {:n n
     :conversions (count wins)
     :rate (when (pos? n) (double (/ (count wins) n)))
     :revenue revenue
     :arpu (some-> revenue (/ n) double)}))

(let [by (-> (group-by :variant results) (update-vals summarize))
      best (key (apply max-key (comp :rate val) by))]
  (doseq [[v {:keys [n rate revenue]}] (sort-by key by)]
    (println (format "%-8s n=%d rate=%.1f%% revenue=%.2f" (name v) n (* 100 rate) (double revenue))))
  {:best best :table (into (sorted-map) (map (fn [[k v]] [k (select-keys v [:n :conversions :revenue])])) by)})
;;;; inventory reorder with cond-> and thresholds
(def inventory
  {"bolt"   {:qty 120 :min 100 :lot 50 :supplier :acme}
   "nut"    {:qty 20 :min 100 :lot 50 :supplier :acme}
   "washer" {:qty 0 :min 30 :lot 40 :supplier :globex}
   "gear"   {:qty 3 :min 5 :lot 1 :supplier nil}})

(defn reorder-qty [{:keys [qty min lot]}]
  (loop [q qty, ordered 0]
    (if (>= q min)
      ordered
      (recur (+ q lot) (+ ordered lot)))))

(defn flag [item]
  (cond-> item
    (zero? (:qty item)) (assoc :out-of-stock true)
    (< (:qty item) (:min item)) (assoc :order (reorder-qty item))
    (nil? (:supplier item)) (-> (dissoc :supplier) (assoc :warn "no supplier"))))

(let [flagged (into (sorted-map) (map (fn [[k v]] [k (flag v)])) inventory)
      orders (for [[n {:keys [order supplier]}] flagged :when order] {:item n :order order :from (or supplier :unknown)})]
  {:flags (update-vals flagged #(select-keys % [:out-of-stock :order :warn]))
   :by-supplier (reduce (fn [m {:keys [item order from]}] (assoc-in m [from item] order)) {} orders)
   :units (reduce + 0 (map :order orders))})
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
;;;; grade book with letfn
(def students [{:name "Zoe" :scores [88 92 79]} {:name "Al" :scores [61 58]} {:name "Ming" :scores []} {:name "Bo" :scores [100 95 98 97]}])
(letfn [(mean [xs] (when (seq xs) (/ (apply + xs) (count xs) 1.0)))
        (letter [avg] (condp <= avg 90 "A" 80 "B" 70 "C" 60 "D" "F"))
        (describe [{:keys [name scores]}]
          (if-let [m (mean scores)]
            {:name name :avg m :grade (letter m)}
            {:name name :grade "N/A"}))]
  (let [rows (map describe students)
        graded (filter :avg rows)]
    [(mapv (juxt :name :grade) rows)
     (map :name (sort-by :avg > graded))
     (apply max-key :avg graded)
     (frequencies (map :grade rows))]))
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
;;;; pivot table
(def sales
  [{:region "North" :q "Q1" :amt 100} {:region "South" :q "Q1" :amt 80}
   {:region "North" :q "Q2" :amt 150} {:region "East" :q "Q2" :amt 60}
   {:region "South" :q "Q2" :amt 95} {:region "North" :q "Q1" :amt 25}])
(defn pivot [rows r c v]
  (reduce (fn [t row] (update-in t [(r row) (c row)] (fnil + 0) (v row))) {} rows))
(let [p (pivot sales :region :q :amt)
      cols (sort (distinct (map :q sales)))
      header (apply str (format "%-8s" "") (map #(format "%8s" %) cols))]
  (println header)
  (doseq [r (sort (keys p))]
    (println (apply str (format "%-8s" r) (map #(format "%8d" (get-in p [r %] 0)) cols))))
  (println (apply str (format "%-8s" "Total") (for [c cols] (format "%8d" (reduce + (map #(get % c 0) (vals p)))))))
  (assoc p :cols cols))
;;;; funnel analysis
(def events
  '({:u 1 :e :view} {:u 1 :e :cart} {:u 2 :e :view} {:u 3 :e :view} {:u 1 :e :pay}
    {:u 3 :e :cart} {:u 4 :e :cart} {:u 2 :e :view}))
(def steps [:view :cart :pay])
(defn users-at [e] (into #{} (comp (filter #(= e (:e %))) (map :u)) events))
(defn funnel []
  (loop [[s & more] steps, alive nil, out []]
    (if-not s
      out
      (let [us (users-at s)
            alive (if alive (clojure.set/intersection alive us) us)]
        (recur more alive (conj out [s (count alive)]))))))
(let [f (funnel)
      drops (map (fn [[[a n] [b m]]] {:from a :to b :lost (- n m) :keep% (* 100.0 (/ m n))}) (partition 2 1 f))]
  {:funnel f :drops drops :worst (apply max-key :lost drops)})
;;;; cart with coupons
(def catalog {:apple {:price 0.5 :category :fruit} :bread {:price 2.25 :category :bakery} :milk {:price 1.2 :category :dairy} :cake {:price 12.0 :category :bakery}})
(def cart {:apple 6 :bread 2 :cake 1})
(def coupons [{:type :percent :category :bakery :value 10} {:type :flat :min 10 :value 1.5} {:type :bogus}])
(defn subtotal [cart]
  (reduce-kv (fn [acc item qty] (+ acc (* qty (get-in catalog [item :price])))) 0 cart))
(defn category-total [cart cat]
  (->> cart (filter (fn [[item _]] (= cat (get-in catalog [item :category])))) (into {}) subtotal))
(defn discount [cart total {:keys [type category value min] :as coupon}]
  (case type
    :percent (* (category-total cart category) (/ value 100.0))
    :flat (if (>= total min) value 0)
    (do (println "ignoring coupon" (pr-str coupon)) 0)))
(let [total (subtotal cart)
      ds (map (partial discount cart total) coupons)]
  {:subtotal total :discounts (vec ds) :total (- total (reduce + ds))
   :text (format "Total: $%,.2f" (- total (apply + ds)))})
;;;; timesheet parse and overtime
(require '[clojure.string :as str])
(def raw "mon 09:00-17:30
tue 08:45-18:00
wed 10:00-15:15
thu 09:00-21:00
fri off")
(defn mins [hhmm] (let [[h m] (map #(Long/parseLong %) (str/split hhmm #":"))] (+ (* 60 h) m)))
(defn parse [line]
  (let [[_ day from to] (re-find #"^(\w{3}) (\d\d:\d\d)-(\d\d:\d\d)$" line)]
    (if day
      {:day (keyword day) :worked (- (mins to) (mins from))}
      {:day (keyword (first (str/split line #" "))) :worked 0})))
(defn hhmm [m] (format "%d:%02d" (quot m 60) (rem m 60)))
(let [days (map parse (str/split-lines raw))
      total (transduce (map :worked) + 0 days)
      overtime (transduce (map #(max 0 (- (:worked %) 480))) + 0 days)]
  {:days (map (juxt :day (comp hhmm :worked)) days)
   :total (hhmm total)
   :overtime (hhmm overtime)
   :off (->> days (filter (comp zero? :worked)) (mapv :day))})
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
;;;; elections: plurality, runoff, borda
(def ballots [[:a :b :c] [:a :c :b] [:b :c :a] [:c :b :a] [:c :b :a]])
(defn plurality [bs] (frequencies (map first bs)))
(defn eliminate [bs]
  (let [tally (merge (zipmap (distinct (flatten bs)) (repeat 0)) (plurality bs))
        loser (first (apply min-key second (sort tally)))]
    [loser (map #(remove #{loser} %) bs)]))
(defn runoff [bs]
  (loop [bs bs out []]
    (let [[winner n] (apply max-key val (plurality bs))]
      (if (or (> n (/ (count bs) 2)) (= 1 (count (first bs))))
        {:winner winner :eliminated out}
        (let [[loser bs'] (eliminate bs)]
          (recur bs' (conj out loser)))))))
(defn borda [bs]
  (apply merge-with + (for [b bs] (zipmap b (range (dec (count b)) -1 -1)))))
{:plurality (plurality ballots) :runoff (runoff ballots) :borda (into (sorted-map) (borda ballots))}
;;;; expense splitting
(def expenses [{:paid-by :ann :amount 90 :for [:ann :bob :cat]} {:paid-by :bob :amount 30 :for [:bob :cat]} {:paid-by :cat :amount 12 :for [:ann :cat]}])
(defn balances [es]
  (reduce (fn [m {:keys [paid-by amount for]}]
            (let [share (/ amount (count for))]
              (reduce #(update %1 %2 (fnil - 0) share)
                      (update m paid-by (fnil + 0) amount)
                      for)))
          {} es))
(defn settle [bal]
  (loop [bal bal moves []]
    (let [[debtor d] (apply min-key val bal) [creditor c] (apply max-key val bal)
          amt (min (- d) c)]
      (if (zero? amt)
        moves
        (recur (-> bal (update debtor + amt) (update creditor - amt))
               (conj moves {:from debtor :to creditor :amount amt}))))))
(let [b (balances expenses)] [b (settle b) (zero? (reduce + (vals b)))])
;;;; top-n per group with ties
(def rows (map (partial zipmap [:team :player :pts])
               [[:red "A" 10] [:red "B" 12] [:red "C" 12] [:blue "D" 5] [:blue "E" 5] [:blue "F" 9] [:green "G" 1]]))
(defn rank-dense [rows]
  (->> (group-by :pts rows)
       (sort-by key >)
       (map-indexed (fn [i [_ rs]] (map #(assoc % :rank (inc i)) rs)))
       (apply concat)))
(defn top [n rows] (filter #(<= (:rank %) n) (rank-dense rows)))
(into (sorted-map) (for [[team rs] (group-by :team rows)] [team (mapv (juxt :player :pts :rank) (top 1 rs))]))
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
;;;; multi-currency ledger
(def rates {:usd 1 :eur 1.1 :gbp 1.25})
(defn convert
  ([amount from] (convert amount from :usd))
  ([amount from to]
   (if-let [r (rates from)]
     (/ (* amount r) (rates to))
     (throw (ex-info "Unknown currency" {:currency from})))))
(def txs [{:amt 100 :cur :usd} {:amt 50 :cur :eur} {:amt 20 :cur :gbp} {:amt 5 :cur :jpy}])
(let [{good true bad false} (group-by #(contains? rates (:cur %)) txs)]
  {:total (reduce + (map #(convert (:amt %) (:cur %)) good))
   :bad (map :cur bad)
   :error (try (doall (map #(convert (:amt %) (:cur %)) bad))
               (catch clojure.lang.ExceptionInfo e [(ex-message e) (ex-data e)]))
   :in-eur (format "%.2f" (convert 100 :usd :eur))})
;;;; leaderboard with sort-by juxt and comparator
(def players [{:n "kim" :w 3 :l 1 :pd 10} {:n "lee" :w 3 :l 1 :pd 12} {:n "abe" :w 0 :l 4 :pd -20} {:n "zed" :w 2 :l 2 :pd 0}])
(defn win-pct [{:keys [w l]}] (/ w (+ w l)))
(->> players
     (sort-by (juxt (comp - win-pct) (comp - :pd) :n))
     (map-indexed (fn [i {:keys [n w l pd]}]
                    (format "%d. %-4s %d-%d %+d" (inc i) n w l pd)))
     (clojure.string/join "\n")
     println)
(sort (fn [a b] (compare [(:l a) (:n b)] [(:l b) (:n a)])) players)
;;;; hotel bookings overlap
(def bookings [{:id 1 :room 101 :from 3 :to 6} {:id 2 :room 101 :from 5 :to 8} {:id 3 :room 102 :from 1 :to 4} {:id 4 :room 101 :from 8 :to 9} {:id 5 :room 102 :from 2 :to 3}])
(defn overlap? [a b] (and (< (:from a) (:to b)) (< (:from b) (:to a))))
(defn conflicts [bs]
  (for [[_ group] (group-by :room bs)
        a group
        b group
        :when (and (< (:id a) (:id b)) (overlap? a b))]
    #{(:id a) (:id b)}))
(defn occupancy [bs]
  (reduce (fn [m {:keys [room from to]}]
            (reduce #(update-in %1 [%2 room] (fnil inc 0)) m (range from to)))
          (sorted-map) bs))
{:conflicts (set (conflicts bookings))
 :nights (into {} (map (fn [[r bs]] [r (reduce + (map #(- (:to %) (:from %)) bs))]) (group-by :room bookings)))
 :occupancy (occupancy bookings)}
;;;; join two tables then aggregate
(def customers #{{:cid 1 :name "Ann" :city "Oslo"} {:cid 2 :name "Bob" :city "Rome"} {:cid 3 :name "Cyd" :city "Oslo"}})
(def orders #{{:oid 10 :cid 1 :total 25} {:oid 11 :cid 1 :total 15} {:oid 12 :cid 3 :total 60} {:oid 13 :cid 9 :total 99}})
(let [idx (clojure.set/index customers [:cid])
      joined (for [o (sort-by :oid orders)
                   :let [c (first (get idx {:cid (:cid o)}))]
                   :when c]
               (merge c o))
      by-city (reduce (fn [m {:keys [city total]}] (update m city (fnil + 0) total)) (sorted-map) joined)
      orphans (clojure.set/difference (set (map :cid orders)) (set (map :cid customers)))]
  {:joined (mapv #(select-keys % [:oid :name :total]) joined)
   :by-city by-city
   :orphans orphans
   :cities (clojure.set/project customers [:city])
   :renamed (clojure.set/rename-keys (first (sort-by :oid orders)) {:oid :order-id :cid :customer})})
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
;;;; union find with path compression in maps
(defn make-sets [xs] {:parent (zipmap xs xs) :rank (zipmap xs (repeat 0))})
(defn find-root [{:keys [parent]} x]
  (loop [x x]
    (let [p (get parent x)]
      (if (= p x) x (recur p)))))
(defn union [{:keys [rank] :as ds} a b]
  (let [ra (find-root ds a) rb (find-root ds b)]
    (cond
      (= ra rb) ds
      (< (rank ra) (rank rb)) (assoc-in ds [:parent ra] rb)
      (> (rank ra) (rank rb)) (assoc-in ds [:parent rb] ra)
      :else (-> ds (assoc-in [:parent rb] ra) (update-in [:rank ra] inc)))))
(defn kruskal [nodes edges]
  (loop [ds (make-sets nodes) [[w a b :as e] & more] (sort edges) mst [] total 0]
    (cond
      (nil? e) {:mst mst :total total}
      (= (find-root ds a) (find-root ds b)) (recur ds more mst total)
      :else (recur (union ds a b) more (conj mst [a b]) (+ total w)))))
(kruskal [:a :b :c :d :e] [[4 :a :b] [1 :b :c] [3 :a :c] [7 :c :d] [2 :d :e] [9 :a :e]])
;;;; bfs shortest path with path reconstruction in a queue of paths
(def graph {:a #{:b :c} :b #{:a :d} :c #{:a :d :e} :d #{:b :c :f} :e #{:c} :f #{:d}})
(defn shortest [g start goal]
  (loop [q (conj clojure.lang.PersistentQueue/EMPTY [start]) seen #{start}]
    (when-let [path (peek q)]
      (let [node (last path)]
        (if (= node goal)
          path
          (let [ns (sort (remove seen (g node)))]
            (recur (into (pop q) (map (partial conj path) ns)) (into seen ns))))))))
[(shortest graph :a :f) (shortest graph :e :b) (shortest graph :a :zzz)]
;;;; bfs layers with frontier sets
(def edges [[1 2] [1 3] [2 4] [3 4] [4 5] [6 7]])
(def adj (reduce (fn [m [a b]] (-> m (update a (fnil conj (sorted-set)) b) (update b (fnil conj (sorted-set)) a))) {} edges))
(defn layers [start]
  (->> {:frontier #{start} :seen #{start}}
       (iterate (fn [{:keys [frontier seen]}]
                  (let [nxt (into #{} (comp (mapcat adj) (remove seen)) frontier)]
                    {:frontier nxt :seen (into seen nxt)})))
       (map :frontier)
       (take-while seq)
       (mapv sort)))
{:from-1 (layers 1) :from-6 (layers 6) :ecc (into (sorted-map) (map (fn [n] [n (dec (count (layers n)))]) (keys adj)))}
;;;; dfs with cycle detection and colors
(def deps {:app [:db :web] :web [:json :log] :db [:log] :json [] :log []})
(defn visit [{:keys [color order] :as st} g n]
  (case (get color n :white)
    :black st
    :gray (throw (ex-info (str "cycle at " n) {:node n}))
    :white (let [st (assoc-in st [:color n] :gray)
                 st (reduce #(visit %1 g %2) st (g n))]
             (-> st (assoc-in [:color n] :black) (update :order conj n)))))
(defn topo [g] (:order (reduce #(visit %1 g %2) {:color {} :order []} (keys g))))
[(topo deps)
 (try (topo (assoc deps :log [:app]))
      (catch Exception e {:msg (.getMessage e) :data (ex-data e)}))]
;;;; dijkstra with sorted-set priority
(defn dijkstra [graph source]
  (loop [dist (assoc (zipmap (keys graph) (repeat ##Inf)) source 0)
         pq (sorted-set [0 source])
         done #{}]
    (if (empty? pq)
      dist
      (let [[d u :as top] (first pq)
            pq (disj pq top)]
        (if (done u)
          (recur dist pq done)
          (let [[dist pq] (reduce-kv (fn [[dist pq] v w]
                                       (let [nd (+ d w)]
                                         (if (< nd (dist v))
                                           [(assoc dist v nd) (conj pq [nd v])]
                                           [dist pq])))
                                     [dist pq]
                                     (graph u))]
            (recur dist pq (conj done u))))))))
(dijkstra {"A" {"B" 4 "C" 1} "B" {"D" 1} "C" {"B" 2 "D" 5} "D" {} "E" {"A" 1}} "A")
;;;; knapsack 0/1 table with backtracking
(defn knapsack [items cap]
  (let [table (reductions
                (fn [row [_ w v]]
                  (mapv (fn [c] (if (>= c w) (max (row c) (+ v (row (- c w)))) (row c))) (range (inc cap))))
                (vec (repeat (inc cap) 0))
                items)
        picks (loop [i (count items) c cap chosen ()]
                (if (zero? i)
                  chosen
                  (let [[nm w _] (nth items (dec i))]
                    (if (= (get-in (vec table) [i c]) (get-in (vec table) [(dec i) c]))
                      (recur (dec i) c chosen)
                      (recur (dec i) (- c w) (cons nm chosen))))))]
    {:best (peek (last table)) :picks picks :rows (count table)}))
(knapsack [[:map 9 150] [:compass 13 35] [:water 153 200] [:sandwich 50 160] [:tin 68 45]] 100)
;;;; longest common subsequence memoized with letfn
(defn lcs [a b]
  (let [mem (memoize (fn [self i j]
                       (cond
                         (or (= i (count a)) (= j (count b))) ""
                         (= (nth a i) (nth b j)) (str (nth a i) (self self (inc i) (inc j)))
                         :else (let [x (self self (inc i) j) y (self self i (inc j))]
                                 (if (>= (count x) (count y)) x y)))))]
    (mem mem 0 0)))
[(lcs "AGGTAB" "GXTXAYB") (lcs "" "abc") (lcs "nematode" "empty")]
;;;; edit distance grid printed
(defn edit-distance [s t]
  (let [first-row (vec (range (inc (count t))))]
    (reduce
      (fn [rows [i c]]
        (let [prev (peek rows)]
          (conj rows
                (reduce (fn [row [j d]]
                          (conj row (min (inc (peek row))
                                         (inc (nth prev (inc j)))
                                         (+ (nth prev j) (if (= c d) 0 1)))))
                        [(inc i)]
                        (map-indexed vector t)))))
      [first-row]
      (map-indexed vector s))))
(let [g (edit-distance "kitten" "sitting")]
  (doseq [row g] (println (clojure.string/join " " row)))
  {:distance (-> g peek peek) :size [(count g) (count (first g))]})
;;;; coin change: count ways and fewest coins
(defn ways [coins amount]
  (peek (reduce (fn [tbl coin]
                  (reduce (fn [t i] (if (>= i coin) (update t i + (t (- i coin))) t)) tbl (range (inc amount))))
                (into [1] (repeat amount 0))
                coins)))
(defn fewest [coins amount]
  (loop [a 1 best {0 []}]
    (if (> a amount)
      (best amount)
      (let [options (keep (fn [c] (some-> (best (- a c)) (conj c))) coins)]
        (recur (inc a) (if (seq options) (assoc best a (apply min-key count options)) best))))))
{:ways (map (partial ways [1 2 5 10]) [1 5 10 23]) :fewest (fewest [1 5 10 25] 63) :none (fewest [5 10] 7)}
;;;; matrix chain and transpose with apply map
(def m [[1 2 3] [4 5 6]])
(defn transpose [m] (apply mapv vector m))
(defn mmul [a b] (for [row a] (for [col (transpose b)] (reduce + (map * row col)))))
(defn identity-matrix [n] (mapv (fn [i] (mapv #(if (= i %) 1 0) (range n))) (range n)))
(defn power [m n] (cond (zero? n) (identity-matrix (count m)) (even? n) (let [h (power m (/ n 2))] (mmul h h)) :else (mmul m (power m (dec n)))))
(defn det [m] (if (= 1 (count m)) (ffirst m) (reduce + (map-indexed (fn [i x] (* (if (even? i) 1 -1) x (det (mapv #(into (subvec % 0 i) (subvec % (inc i))) (rest m))))) (first m)))))
[(transpose m) (mmul m (transpose m)) (power [[1 1] [1 0]] 10) (det [[2 0 1] [1 3 2] [1 1 4]]) (map (partial reduce +) m)]
;;;; spiral and rotate
(defn spiral [m] (when (seq m) (concat (first m) (spiral (reverse (apply map vector (rest m)))))))
(defn rotate [m] (vec (apply map (comp vec reverse vector) m)))
(defn diagonals [m] [(map-indexed #(nth %2 %1) m) (map-indexed #(nth %2 (- (count m) 1 %1)) m)])
(let [m (mapv vec (partition 3 (range 1 10)))]
  [(spiral m) (rotate m) (diagonals m) (take 4 (iterate rotate [[1 2] [3 4]]))])
;;;; n queens by for comprehension
(defn safe? [queens col]
  (let [row (count queens)]
    (not-any? (fn [[r c]] (or (= c col) (= (Math/abs (- row r)) (Math/abs (- col c)))))
              (map-indexed vector queens))))
(defn queens [n k]
  (if (zero? k)
    [[]]
    (for [qs (queens n (dec k)) col (range n) :when (safe? qs col)] (conj qs col))))
(defn board [qs] (map (fn [c] (apply str (map #(if (= c %) \Q \.) (range (count qs))))) qs))
(run! println (board (first (queens 6 6))))
(mapv #(count (queens % %)) (range 1 7))
;;;; sudoku validator
(def grid ["53..7...." "6..195..." ".98....6." "8...6...3" "4..8.3..1" "7...2...6" ".6....28." "...419..5" "....8..79"])
(defn digits [s] (map #(Character/digit % 10) (remove #{\.} s)))
(defn rows [g] (map digits g))
(defn cols [g] (map digits (apply map str g)))
(defn boxes [g] (for [r (range 0 9 3) c (range 0 9 3)] (digits (mapcat #(subs (nth g %) c (+ c 3)) (range r (+ r 3))))))
(defn ok? [xs] (or (empty? xs) (apply distinct? xs)))
(defn candidates [g r c]
  (sort (clojure.set/difference (set (range 1 10)) (set (nth (rows g) r)) (set (nth (cols g) c)) (set (nth (boxes g) (+ (* 3 (quot r 3)) (quot c 3)))))))
{:valid (every? ok? (concat (rows grid) (cols grid) (boxes grid)))
 :candidates (candidates grid 0 2)
 :counts (map count (rows grid))
 :broken (every? ok? (rows (assoc grid 0 "55.......")))}
;;;; game of life with sets and neighbours via for
(defn neighbours [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn step [cells] (set (for [[loc n] (frequencies (mapcat neighbours cells)) :when (or (= n 3) (and (= n 2) (cells loc)))] loc)))
(defn render [cells w h] (for [y (range h)] (apply str (for [x (range w)] (if (cells [x y]) "#" ".")))))
(let [glider #{[1 0] [2 1] [0 2] [1 2] [2 2]} gens (take 5 (iterate step glider))]
  (doseq [[i g] (map-indexed vector gens)] (println "gen" i) (run! println (render g 5 5)))
  (map (comp vec sort) gens))
;;;; tic tac toe minimax
(def lines [[0 1 2] [3 4 5] [6 7 8] [0 3 6] [1 4 7] [2 5 8] [0 4 8] [2 4 6]])
(defn winner [b] (some (fn [l] (let [[x & more :as vs] (map b l)] (when (and x (apply = vs)) x))) lines))
(defn moves [b] (keep-indexed (fn [i v] (when (nil? v) i)) b))
(defn other [p] (if (= p :x) :o :x))
(defn value [b me turn]
  (if-let [w (winner b)] (if (= w me) 1 -1)
    (if-let [ms (seq (moves b))]
      (apply (if (= turn me) max min) (map #(value (assoc b % turn) me (other turn)) ms))
      0)))
(defn best [b me] (apply max-key #(value (assoc b % me) me (other me)) (reverse (moves b))))
(let [b [:x nil nil nil :o nil :o nil :x]]
  [(winner b) (vec (moves b)) (best b :x) (best b :o) (winner [:x :x :x nil nil nil nil nil nil])])
;;;; sieve variants
(defn sieve-a [n]
  (loop [[p & more :as xs] (range 2 (inc n)) acc []]
    (cond (nil? p) acc
          (> (* p p) n) (into acc xs)
          :else (recur (remove #(zero? (mod % p)) more) (conj acc p)))))
(defn sieve-b [n]
  (let [composite (into #{} (for [i (range 2 (inc (Math/sqrt n))) j (range (* i i) (inc n) i)] j))]
    (remove composite (range 2 (inc n)))))
(defn prime? [n] (and (> n 1) (not-any? #(zero? (rem n %)) (take-while #(<= (* % %) n) (iterate inc 2)))))
(defn factors [n] (loop [n n f 2 out []] (cond (= n 1) out (zero? (rem n f)) (recur (quot n f) f (conj out f)) :else (recur n (inc f) out))))
[(sieve-a 30) (sieve-b 30) (filter prime? (range 30)) (= (sieve-a 100) (sieve-b 100)) (factors 360) (frequencies (factors 5040)) (take 5 (filter prime? (iterate inc 100)))]
;;;; permutations combinations powerset
(defn perms [xs] (if (empty? xs) '(()) (for [x xs p (perms (disj xs x))] (cons x p))))
(defn combos [k [x & more :as xs]] (cond (zero? k) '(()) (empty? xs) () :else (concat (map #(cons x %) (combos (dec k) more)) (combos k more))))
(defn powerset [xs] (reduce (fn [ps x] (into ps (map #(conj % x)) ps)) [#{}] xs))
(defn cartesian [& cs] (reduce (fn [acc c] (for [a acc x c] (conj a x))) [[]] cs))
{:perms (sort (map vec (perms #{1 2 3}))) :combos (combos 2 [:a :b :c :d]) :power (map (comp vec sort) (powerset [1 2 3])) :cart (cartesian [1 2] [:x] "ab")}
;;;; binary search tree with assoc-in free recursion
(defn insert [{:keys [v l r] :as t} x] (cond (nil? t) {:v x} (< x v) (assoc t :l (insert l x)) (> x v) (assoc t :r (insert r x)) :else t))
(defn in-order [{:keys [v l r] :as t}] (if t (lazy-cat (in-order l) [v] (in-order r)) []))
(defn height [t] (if t (inc (max (height (:l t)) (height (:r t)))) 0))
(let [t (reduce insert nil [5 3 8 1 4 9 7])] [(height t) (get-in t [:l :r :v]) (:v t)])
;;;; bst ordered walk without laziness
(defn insert [t x]
  (if-let [{:keys [v left right]} t]
    (case (compare x v)
      0 t
      -1 {:v v :left (insert left x) :right right}
      1 {:v v :left left :right (insert right x)})
    {:v x :left nil :right nil}))
(defn walk-in [t] (when t (concat (walk-in (:left t)) [(:v t)] (walk-in (:right t)))))
(defn depth [t] (if (nil? t) 0 (inc (apply max (map depth ((juxt :left :right) t))))))
(defn paths [t] (letfn [(go [t p] (when t (let [p (conj p (:v t))] (if (or (:left t) (:right t)) (concat (go (:left t) p) (go (:right t) p)) [p]))))] (go t [])))
(let [t (reduce insert nil [50 30 70 20 40 60 80 30])]
  {:sorted (walk-in t) :depth (depth t) :paths (paths t) :leftmost (->> t (iterate :left) (take-while some?) last :v)})
;;;; heap as a vector
(defn swap [v i j] (assoc v i (v j) j (v i)))
(defn sift-up [h i] (let [p (quot (dec i) 2)] (if (and (pos? i) (< (h i) (h p))) (recur (swap h i p) p) h)))
(defn sift-down [h i]
  (let [n (count h) l (inc (* 2 i)) r (inc l)
        m (cond-> i (and (< l n) (< (h l) (h i))) (do l))
        m (if (and (< r n) (< (h r) (h m))) r m)]
    (if (= m i) h (recur (swap h i m) m))))
(defn push [h x] (sift-up (conj h x) (count h)))
(defn pop-min [h] (if (= 1 (count h)) [(h 0) []] [(h 0) (sift-down (assoc (pop h) 0 (peek h)) 0)]))
(let [h (reduce push [] [9 4 7 1 8 2])] (loop [h h out []] (if (empty? h) out (let [[x h] (pop-min h)] (recur h (conj out x))))))
;;;; floyd warshall with reduce over triples
(def w {[:a :b] 3 [:b :c] -2 [:a :c] 4 [:c :d] 2 [:d :a] 1})
(let [nodes (sort (distinct (mapcat key w)))
      start (merge w (into {} (for [n nodes] [[n n] 0])))
      d (reduce (fn [d [k i j]]
                  (let [via (+ (d [i k] ##Inf) (d [k j] ##Inf))]
                    (if (< via (d [i j] ##Inf)) (assoc d [i j] via) d)))
                start
                (for [k nodes i nodes j nodes] [k i j]))]
  (into (sorted-map) (for [i nodes] [i (mapv #(d [i %]) nodes)])))
;;;; subset sum and partition with reduced
(defn subset-sum? [xs target] (reduce (fn [sums x] (let [sums (into sums (map #(+ % x)) sums)] (if (sums target) (reduced true) sums))) #{0} xs))
(defn partition-equal [xs] (let [total (apply + xs)] (and (even? total) (true? (subset-sum? xs (/ total 2))))))
[(subset-sum? [3 34 4 12 5 2] 9) (partition-equal [1 5 11 5]) (partition-equal [1 2 3 5]) (set? (subset-sum? [1 2] 100))]
;;;; maze solver on strings
(def maze ["S.#....." "..#.##.#" ".##..#.." "....#..E"])
(defn at [[r c]] (get-in maze [r c]))
(def cells (for [r (range (count maze)) c (range (count (first maze)))] [r c]))
(defn locate [ch] (first (filter #(= ch (at %)) cells)))
(defn open [[r c]] (filter #(and (at %) (not= \# (at %))) [[(dec r) c] [(inc r) c] [r (dec c)] [r (inc c)]]))
(defn solve []
  (loop [frontier [(locate \S)] came {(locate \S) nil}]
    (cond
      (some #(= \E (at %)) frontier) (reverse (take-while some? (iterate came (locate \E))))
      (empty? frontier) nil
      :else (let [steps (for [p frontier n (open p) :when (not (contains? came n))] [n p])
                  came' (reduce (fn [m [n p]] (if (contains? m n) m (assoc m n p))) came steps)]
              (recur (distinct (map first steps)) came')))))
(let [p (solve)] {:length (dec (count p)) :path p :marked (map-indexed (fn [r line] (apply str (map-indexed (fn [c ch] (if (and (= ch \.) (some #{[r c]} p)) \* ch)) line))) maze)})
