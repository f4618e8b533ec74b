;;;; gpt style inventory report
;; Inventory report
;; Goal: find products that must be reordered and compute the total cost of the order.

(def products
  "All known products."
  [{:sku "P-1" :name "Pencil" :on-hand 120 :reorder-at 100 :cost 0.15 :supplier :acme}
   {:sku "P-2" :name "Notebook" :on-hand 20 :reorder-at 50 :cost 1.99 :supplier :paperco}
   {:sku "P-3" :name "Eraser" :on-hand 0 :reorder-at 30 :cost 0.45 :supplier :acme}
   {:sku "P-4" :name "Stapler" :on-hand 4 :reorder-at 5 :cost 7.25 :supplier nil}])

(defn needs-reorder?
  "True when stock is at or below the reorder point."
  [{:keys [on-hand reorder-at]}]
  (<= on-hand reorder-at))

(defn order-qty
  "Order up to twice the reorder point."
  [{:keys [on-hand reorder-at]}]
  (- (* 2 reorder-at) on-hand))

(def order-lines
  (for [p products
        :when (needs-reorder? p)
        :let [qty (order-qty p)]]
    (-> (select-keys p [:sku :supplier])
        (assoc :qty qty :cost (* qty (:cost p))))))

(def by-supplier (group-by #(or (:supplier %) :unassigned) order-lines))

;; Final answer
{:lines (mapv (juxt :sku :qty) order-lines)
 :total (format "%.2f" (reduce + (map :cost order-lines)))
 :suppliers (into (sorted-map) (for [[s ls] by-supplier] [s {:n (count ls) :cost (format "%.2f" (apply + (map :cost ls)))}]))
 :most-urgent (:name (apply min-key #(/ (:on-hand %) (double (:reorder-at %))) products))}
;;;; terse
(->> "3,1,4,1,5,9,2,6" (#(clojure.string/split % #",")) (map parse-long) (partition-all 3) (map (juxt first #(apply + %) count)) (into []))
;;;; terse stats
(let [x [4 8 15 16 23 42] n (count x) s (apply + x)] {:n n :s s :m (/ s n) :v (double (/ (apply + (map #(* (- % 18) (- % 18)) x)) n)) :r (- (apply max x) (apply min x))})
;;;; main with args
(ns app.main (:require [clojure.string :as str] [clojure.set :as set]))
(defn parse-args [args] (loop [[a b & more :as xs] args opts {:files []}] (cond (empty? xs) opts (= a "-v") (recur (rest xs) (assoc opts :verbose true)) (str/starts-with? a "--") (recur more (assoc opts (keyword (subs a 2)) b)) :else (recur (rest xs) (update opts :files conj a)))))
(defn -main [& args] (let [opts (parse-args args)] (when (:verbose opts) (println "verbose on")) (println "files:" (str/join ", " (:files opts))) opts))
(-main "-v" "a.txt" "--out" "x.json" "b.txt")
;;;; println report
(def scores {"Alice" [90 80] "Bob" [70] "Cleo" []})
(println "=== Report ===")
(doseq [[n xs] (sort scores) :let [avg (if (seq xs) (/ (reduce + xs) (double (count xs))) 0.0)]] (printf "%-8s %6.2f %s%n" n avg (cond (>= avg 80) "PASS" (pos? avg) "OK" :else "-")))
(println "Total:" (reduce + (mapcat val scores)))
(println "Best:" (key (apply max-key (fn [[_ xs]] (reduce + 0 xs)) scores)))
;;;; doseq nested when
(doseq [x (range 1 4) y (range x 4) :when (odd? (+ x y)) :let [p (* x y)]] (println x "*" y "=" p))
;;;; with-out-str report
(let [out (with-out-str (doseq [[i l] (map-indexed vector ["alpha" "beta"])] (println (format "%2d. %s" (inc i) l))))] {:text out :lines (count (clojure.string/split-lines out)) :chars (count out)})
;;;; reduce state tuple
(reduce (fn [[state buf out] c] (case state :text (if (= c \{) [:key "" (conj out buf)] [:text (str buf c) out]) :key (if (= c \}) [:text "" (conj out (keyword buf))] [:key (str buf c) out]))) [:text "" []] "Hi {name}, {n} left")
;;;; ledger with history
(defn post [ledger {:keys [from to amount memo] :or {memo "-"}}] (-> ledger (update-in [:balances from] (fnil - 0) amount) (update-in [:balances to] (fnil + 0) amount) (update :journal (fnil conj []) {:debit from :credit to :amount amount :memo memo})))
(let [l (reduce post {} [{:from :cash :to :rent :amount 500} {:from :sales :to :cash :amount 1200 :memo "inv 7"} {:from :cash :to :food :amount 42.5}])] {:balances (:balances l) :sum (reduce + (vals (:balances l))) :journal (map (juxt :debit :credit :memo) (:journal l)) :cash-moves (filter (fn [{:keys [debit credit]}] (#{debit credit} :cash)) (:journal l))})
;;;; dates as strings
(def events [{:on "2024-03-15" :what "launch"} {:on "2023-12-31" :what "party"} {:on "2024-03-02" :what "review"}])
{:sorted (map :what (sort-by :on events)) :months (into (sorted-map) (update-vals (group-by #(subs (:on %) 0 7) events) count)) :after (filterv #(pos? (compare (:on %) "2024-01-01")) events) :years (set (map #(parse-long (first (clojure.string/split (:on %) #"-"))) events)) :pretty (map (fn [{:keys [on]}] (let [[y m d] (clojure.string/split on #"-")] (str d "." m "." y))) events) :last (:what (last (sort-by :on events)))}
;;;; sets of maps
(let [a #{{:id 1} {:id 2}} b #{{:id 2} {:id 3}}] [(clojure.set/intersection a b) (count (clojure.set/union a b)) (contains? a {:id 1}) (map :id (sort-by :id (clojure.set/difference a b))) (= a (set (map (fn [i] {:id i}) [2 1])))])
;;;; update-vals chain
(-> {:a [3 1 2] :b [9 8]} (update-vals sort) (update-vals vec) (update-keys name) (update "a" conj 10) (->> (sort-by key) (map (fn [[k v]] [k (peek v) (first v)]))))
;;;; iterate until
(loop [{:keys [lo hi n] :as st} {:lo 0 :hi 1000 :n 0}] (let [mid (quot (+ lo hi) 2)] (cond (= mid 617) (assoc st :found mid) (< mid 617) (recur (assoc st :lo (inc mid) :n (inc n))) :else (recur (assoc st :hi (dec mid) :n (inc n))))))
;;;; text columns
(let [rows (map #(clojure.string/split % #"\s{2,}") (clojure.string/split-lines "name   qty  price\nfoo    10   1.50\nbarbaz  2    20.00")) [h & body] rows ks (map keyword h)] (mapv #(-> (zipmap ks %) (update :qty parse-long) (update :price parse-double)) body))
;;;; compare versions comparator
(defn cmp [a b] (let [ps (fn [s] (map parse-long (re-seq #"\d+" s))) [x y] [(ps a) (ps b)] n (max (count x) (count y)) pad (fn [c] (vec (take n (concat c (repeat 0)))))] (compare (pad x) (pad y))))
[(sort cmp ["1.10" "1.2.1" "1.2" "2"]) (cmp "1.0" "1") (first (sort (comp - cmp) ["0.1" "0.10" "0.9"])) (sort (fn [a b] (pos? (cmp a b))) ["1" "3" "2"])]
;;;; frequencies by bucket
(let [ages [3 17 25 34 41 68 90] label (fn [a] (condp > a 18 "minor" 35 "young" 65 "adult" "senior"))] [(frequencies (map label ages)) (map (fn [[k v]] [k (apply max v)]) (sort (group-by label ages))) (into (sorted-map) (map (fn [a] [(* 10 (quot a 10)) a])) ages)])
;;;; pipeline reductions
(let [deposits [100 -30 50 -200 10]] {:balances (reductions + 0 deposits) :low (apply min (reductions + deposits)) :first-neg (first (keep-indexed (fn [i b] (when (neg? b) i)) (reductions + deposits))) :pos (filter pos? deposits) :split (mapv #(reduce + %) ((juxt filter remove) pos? deposits))})
