;;;; inventory with threading
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
;=> {:value 41.75, :small ("doohickey" "widget"), :names ("thing" "widget" "doohickey"), :out (["gadget" {:qty 0, :price 10.0, :tags #{:electronic}}])}
;;;; pagination
(defn paginate [page size coll]
  (let [n (count coll) pages (int (Math/ceil (/ n (double size))))]
    {:items (->> coll (drop (* (dec page) size)) (take size) vec)
     :page page :pages pages
     :next (when (< page pages) (inc page))
     :prev (when (> page 1) (dec page))}))
(map #(paginate % 3 (range 1 9)) [1 2 3 4])
;=> ({:items [1 2 3], :page 1, :pages 3, :next 2, :prev nil} {:items [4 5 6], :page 2, :pages 3, :next 3, :prev 1} {:items [7 8], :page 3, :pages 3, :next nil, :prev 2} {:items [], :page 4, :pages 3, :next nil, :prev 3})
;;;; join two tables
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
;=> {:joined ({:name "Ann", :total 10} {:name "Ann", :total 5.5} {:name "Cat", :total 7}), :totals {"Ann" 15.5, "Cat" 7}, :without ("Bob"), :orphans ({:user 9, :total 1})}
;;;; top n per group
(def scores [{:team "red" :p "a" :s 5} {:team "blue" :p "b" :s 9} {:team "red" :p "c" :s 8} {:team "blue" :p "d" :s 1} {:team "red" :p "e" :s 6}])
(->> scores
     (group-by :team)
     (map (fn [[team rows]] [team (->> rows (sort-by :s >) (take 2) (mapv :p))]))
     (sort-by first)
     (into {}))
;=> {"blue" ["b" "d"], "red" ["c" "e"]}
;;;; expense audit
(def expenses
  [{:id "E1" :emp "ann" :cat :travel :amt 120.50 :date "2024-01-05" :receipt? true}
   {:id "E2" :emp "bob" :cat :meals :amt 45.0 :date "2024-01-09" :receipt? false}
   {:id "E3" :emp "ann" :cat :meals :amt 300 :date "2024-01-09" :receipt? true}
   {:id "E4" :emp "cyd" :cat :travel :amt 980.99 :date "2024-02-01" :receipt? true}
   {:id "E5" :emp "bob" :cat :meals :amt 45.0 :date "2024-01-09" :receipt? false}])
(def limits {:travel 500 :meals 100})
(defn violations [{:keys [cat amt receipt?] :as e}]
  (cond-> []
    (> amt (limits cat)) (conj :over-limit)
    (not receipt?) (conj :no-receipt)))
(def flagged (for [e expenses :let [vs (violations e)] :when (seq vs)] (assoc e :violations vs)))
(def dups (->> expenses (group-by (juxt :emp :cat :amt :date)) vals (filter next) (map #(map :id %))))
{:flagged (map (juxt :id :violations) flagged)
 :dups dups
 :by-emp (into (sorted-map) (map (fn [[k v]] [k {:n (count v) :total (reduce + (map :amt v))}])) (group-by :emp expenses))
 :by-month (reduce (fn [m {:keys [date amt]}] (update m (subs date 0 7) (fnil + 0) amt)) {} expenses)
 :worst (:id (last (sort-by :amt expenses)))
 :share (let [t (reduce + (map :amt expenses))] (into {} (for [[c es] (group-by :cat expenses)] [c (format "%.1f%%" (* 100 (/ (reduce + (map :amt es)) t)))])))}
;=> {:flagged (["E2" [:no-receipt]] ["E3" [:over-limit]] ["E4" [:over-limit]] ["E5" [:no-receipt]]), :dups (("E2" "E5")), :by-emp {"ann" {:n 2, :total 420.5}, "bob" {:n 2, :total 90.0}, "cyd" {:n 1, :total 980.99}}, :by-month {"2024-01" 510.5, "2024-02" 980.99}, :worst "E4", :share {:travel "73.9%", :meals "26.1%"}}
;;;; incident timeline
(def events [{:t 0 :svc "api" :lvl :info :msg "deploy v2"} {:t 12 :svc "api" :lvl :error :msg "timeout upstream db"} {:t 13 :svc "db" :lvl :warn :msg "slow query 3200ms"} {:t 15 :svc "api" :lvl :error :msg "timeout upstream db"} {:t 40 :svc "api" :lvl :info :msg "rollback v1"} {:t 41 :svc "db" :lvl :info :msg "ok 12ms"}])
(defn window [from to] (filter #(<= from (:t %) to) events))
(let [errors (filter (comp #{:error} :lvl) events)
      first-err (apply min (map :t errors))
      cause (->> (window (- first-err 15) first-err) (remove #(= :error (:lvl %))) last)
      gaps (map (fn [[a b]] (- (:t b) (:t a))) (partition 2 1 events))]
  {:cause (:msg cause) :gaps gaps :max-gap (apply max gaps)
   :counts (reduce (fn [acc {:keys [svc lvl]}] (update-in acc [svc lvl] (fnil inc 0))) {} events)
   :ms (keep #(some-> (re-find #"(\d+)ms" (:msg %)) second parse-long) events)
   :timeline (map #(format "%03d %-4s %s" (:t %) (:svc %) (name (:lvl %))) (take 3 events))
   :duration (- (:t (first (filter #(re-find #"rollback" (:msg %)) events))) first-err)
   :runs (map (fn [g] [(:svc (first g)) (count g)]) (partition-by :svc events))})
;=> {:cause "deploy v2", :gaps (12 1 2 25 1), :max-gap 25, :counts {"api" {:info 2, :error 2}, "db" {:warn 1, :info 1}}, :ms (3200 12), :timeline ("000 api  info" "012 api  error" "013 db   warn"), :duration 28, :runs (["api" 2] ["db" 1] ["api" 2] ["db" 1])}
;;;; student grades with nested data
(def students [{:name "Ann" :grades {:math [90 80] :art [70]}} {:name "Bob" :grades {:math [60] :art []}} {:name "Cat" :grades {}}])
(defn avg [xs] (when (seq xs) (/ (reduce + xs) (count xs) 1.0)))
(let [rows (for [{:keys [name grades]} students [subject gs] grades] {:name name :subject subject :avg (avg gs)})
      best (fn [s] (->> rows (filter #(and (= s (:subject %)) (:avg %))) (sort-by :avg >) first :name))]
  {:rows rows :best (map best [:math :art :gym])
   :overall (into {} (map (fn [{:keys [name grades]}] [name (avg (mapcat val grades))])) students)
   :matrix (for [{n :name g :grades} students] (into [n] (map #(count (get g % [])) [:math :art])))
   :pass (group-by (fn [{a :avg}] (cond (nil? a) :none (>= a 70) :pass :else :fail)) rows)
   :update (mapv #(update-in % [:grades :math] (fnil conj []) 100) students)})
;=> {:rows ({:name "Ann", :subject :math, :avg 85.0} {:name "Ann", :subject :art, :avg 70.0} {:name "Bob", :subject :math, :avg 60.0} {:name "Bob", :subject :art, :avg nil}), :best ("Ann" "Ann" nil), :overall {"Ann" 80.0, "Bob" 60.0, "Cat" nil}, :matrix (["Ann" 2 1] ["Bob" 1 0] ["Cat" 0 0]), :pass {:pass [{:name "Ann", :subject :math, :avg 85.0} {:name "Ann", :subject :art, :avg 70.0}], :fail [{:name "Bob", :subject :math, :avg 60.0}], :none [{:name "Bob", :subject :art, :avg nil}]}, :update [{:name "Ann", :grades {:math [90 80 100], :art [70]}} {:name "Bob", :grades {:math [60 100], :art []}} {:name "Cat", :grades {:math [100]}}]}
;;;; invoice cents
(def items [{:desc "Widget" :unit-cents 1999 :qty 3} {:desc "Gadget" :unit-cents 12550 :qty 2} {:desc "Thing" :unit-cents 5 :qty 1000}])
(defn cents->str [c] (str (quot c 100) "." (format "%02d" (rem c 100))))
(def rows (map (fn [{:keys [desc unit-cents qty]}] (let [t (* unit-cents qty)] [desc qty (cents->str unit-cents) (cents->str t) t])) items))
(doseq [[d q u t] rows] (println (format "%-10s|%5d|%10s|%12s" d q u t)))
(println (apply str (repeat 40 "-")))
(let [total (transduce (map last) + rows) vat (quot (+ (* total 20) 50) 100)]
  (println "TOTAL" (cents->str total) "VAT" (cents->str vat))
  {:total total :vat vat :gross (+ total vat)})
;out> Widget    |    3|     19.99|       59.97
;out> Gadget    |    2|    125.50|      251.00
;out> Thing     | 1000|      0.05|       50.00
;out> ----------------------------------------
;out> TOTAL 360.97 VAT 72.19
;=> {:total 36097, :vat 7219, :gross 43316}
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
;=> {:totals {"Bolt" 125, "Paint" 0, "UNKNOWN" 7}, :orphans [9], :unstocked #{2}, :by-cat {:hardware 125, :supplies 0}, :set-join #{{:id 1, :name "Bolt", :cat :hardware, :warehouse "N", :qty 100} {:id 1, :name "Bolt", :cat :hardware, :warehouse "S", :qty 25} {:id 3, :name "Paint", :cat :supplies, :warehouse "N", :qty 0}}}
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
;out> 1. Lions, 5 pts (+4)
;out> 2. Tigers, 4 pts (+1)
;out> 3. FC Awesome, 1 pt (-1)
;out> 4. Grouches, 0 pts (-4)
;=> [["Lions" 5 4] ["Tigers" 4 1] ["FC Awesome" 1 -1] ["Grouches" 0 -4]]
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
;=> {:totals {"a" 15.75, "b" 20.0}, :ids {"a" [1 3], "b" [2]}, :avg {"a" 7.875, "b" 20.0}, :items {:x 2, :y 1}, :parity {false [{:id 1, :cust "a", :total 10.5, :items [:x :y]} {:id 3, :cust "a", :total 5.25, :items []}], true [{:id 2, :cust "b", :total 20.0, :items [:x]}]}, :max {:id 2, :cust "b", :total 20.0, :items [:x]}, :min 3, :has #{"a" "b"}}
;;;; main report
(ns report.core
  (:require [clojure.string :as str]
            [clojure.set :as set])
  (:gen-class))

(def ^:private employees
  [{:id 1 :name "Alice" :manager nil :salary 150000}
   {:id 2 :name "Bob" :manager 1 :salary 100000}
   {:id 3 :name "Carol" :manager 1 :salary 110000}
   {:id 4 :name "Dave" :manager 2 :salary 80000}])

(defn- direct-reports [id]
  (filter #(= id (:manager %)) employees))

(defn org-chart
  "Builds the nested org chart below one employee."
  [{:keys [id name]}]
  (let [reports (direct-reports id)]
    (cond-> {:name name}
      (seq reports) (assoc :reports (mapv org-chart reports)))))

(defn chain [id]
  (->> (iterate (fn [i] (:manager (first (filter #(= i (:id %)) employees)))) id)
       (take-while some?)
       vec))

(defn -main [& args]
  (println "Report for" (count employees) "employees")
  (doseq [{:keys [name salary]} (sort-by :salary > employees)]
    (println (str (format "%-6s" name) " " (format "%,10d" salary))))
  (println "Total:" (reduce + (map :salary employees)))
  {:chart (org-chart (first employees))
   :chain (chain 4)
   :average (/ (reduce + (map :salary employees)) (count employees))})

(-main)
;out> Report for 4 employees
;out> Alice     150,000
;out> Carol     110,000
;out> Bob       100,000
;out> Dave       80,000
;out> Total: 440000
;=> {:chart {:name "Alice", :reports [{:name "Bob", :reports [{:name "Dave"}]} {:name "Carol"}]}, :chain [4 2 1], :average 110000}
;;;; shopping cart
(def catalog {:apple {:price 0.5 :cat :fruit} :bread {:price 2.25 :cat :bakery} :milk {:price 1.75 :cat :dairy}})
(defn add-item ([cart k] (add-item cart k 1)) ([cart k n] (update cart k (fnil + 0) n)))
(defn total [cart & {:keys [coupon tax] :or {tax 0.0}}]
  (let [sub (reduce-kv (fn [t k n] (+ t (* n (get-in catalog [k :price])))) 0 cart)
        sub (case coupon "HALF" (/ sub 2) "FIVE" (max 0 (- sub 5)) sub)]
    (* sub (inc tax))))
(let [cart (-> {} (add-item :apple 6) (add-item :bread) (add-item :milk 2) (add-item :apple))]
  [cart (total cart) (total cart :coupon "HALF") (total cart :coupon "FIVE" :tax 0.1) (into {} (for [[c ks] (group-by #(get-in catalog [% :cat]) (keys cart))] [c (map name ks)]))])
;=> [{:apple 7, :bread 1, :milk 2} 9.25 4.625 4.675000000000001 {:fruit ("apple"), :bakery ("bread"), :dairy ("milk")}]
;;;; meeting overlap
(defn parse-time [s] (let [[h m] (map #(Integer/parseInt %) (clojure.string/split s #":"))] (+ (* 60 h) m)))
(defn fmt [m] (format "%02d:%02d" (quot m 60) (mod m 60)))
(defn overlaps? [[a b] [c d]] (and (< a d) (< c b)))
(def meetings (map (fn [[t s e]] {:title t :range [(parse-time s) (parse-time e)]}) [["Standup" "09:00" "09:15"] ["Review" "09:10" "10:00"] ["Lunch" "12:00" "13:00"]]))
{:conflicts (for [[i a] (map-indexed vector meetings) b (drop (inc i) meetings) :when (overlaps? (:range a) (:range b))] [(:title a) (:title b)])
 :gaps (->> meetings (map :range) (sort) (partition 2 1) (keep (fn [[[_ e] [s _]]] (when (< e s) (str (fmt e) "-" (fmt s))))))
 :total (transduce (map (fn [{[s e] :range}] (- e s))) + meetings)}
;=> {:conflicts (["Standup" "Review"]), :gaps ("10:00-12:00"), :total 125}
;;;; exam grades
(def grades {"ann" [90 85 77] "bob" [60 70] "cy" []})
(defn mean [xs] (if (empty? xs) 0 (/ (apply + xs) (count xs))))
(defn letter [g] (cond (>= g 90) \A (>= g 80) \B (>= g 70) \C :else \F))
(into (sorted-map) (map (fn [[n gs]] [n {:mean (double (mean gs)) :letter (str (letter (mean gs))) :best (when (seq gs) (apply max gs)) :n (count gs)}])) grades)
;=> {"ann" {:mean 84.0, :letter "B", :best 90, :n 3}, "bob" {:mean 65.0, :letter "F", :best 70, :n 2}, "cy" {:mean 0.0, :letter "F", :best nil, :n 0}}
;;;; permissions
(def roles {:admin #{:read :write :delete} :editor #{:read :write} :viewer #{:read}})
(def users [{:name "a" :roles [:admin]} {:name "b" :roles [:viewer :editor]} {:name "c" :roles []}])
(defn perms [u] (reduce clojure.set/union #{} (map roles (:roles u))))
(defn can? [u p] (contains? (perms u) p))
{:matrix (into (sorted-map) (for [u users] [(:name u) (sort (perms u))])) :can-write (map :name (filter #(can? % :write) users)) :diff (clojure.set/difference (roles :admin) (roles :editor)) :common (apply clojure.set/intersection (vals roles)) :sub (clojure.set/subset? (roles :viewer) (roles :admin)) :inv (clojure.set/map-invert {:a 1 :b 2}) :sym (let [a #{1 2 3} b #{3 4}] (clojure.set/union (clojure.set/difference a b) (clojure.set/difference b a)))}
;=> {:matrix {"a" (:delete :read :write), "b" (:read :write), "c" ()}, :can-write ("a" "b"), :diff #{:delete}, :common #{:read}, :sub true, :inv {1 :a, 2 :b}, :sym #{1 2 4}}
;;;; pagination (2)
(defn page [xs n size] {:items (->> xs (drop (* (dec n) size)) (take size)) :page n :pages (long (Math/ceil (/ (count xs) (double size)))) :next? (< (* n size) (count xs))})
(map #(page (range 7) % 3) [1 3 4])
;=> ({:items (0 1 2), :page 1, :pages 3, :next? true} {:items (6), :page 3, :pages 3, :next? false} {:items (), :page 4, :pages 3, :next? false})
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
;=> [{:eng {:total 250, :names ["A" "B"], :skills #{:clj :js}, :max 150}, :ops {:total 90, :names ["C"], :skills #{:bash :js}, :max 90}} ([:eng 125] [:ops 90]) {:eng 150, :ops 90} ({:name "B", :dept :eng, :salary 150, :skills #{:clj}} {:name "A", :dept :eng, :salary 100, :skills #{:clj :js}} {:name "C", :dept :ops, :salary 90, :skills #{:bash :js}}) ([:clj 2] [:js 2] [:bash 1])]
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
;=> {:hi-c [9.0 10.0 7.3 11.5], :lo-c [3.89 5.28 nil 4.44], :range {"KSEA" [48.2 50.0], "KPDX" [45.1 52.7]}, :missing ("KPDX/2024-01-01"), :latest {"KSEA" "2024-01-02", "KPDX" "2024-01-03"}, :months #{"2024-01"}}
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
;=> {:stock {"A" [[3 3.0]], "B" [], "C" []}, :cogs 131.0, :errors [{:sku "B", :short 1} {:sku "C", :short 1}]}
;;;; duplicates keep first
(defn dedupe-by [f xs] (second (reduce (fn [[seen out] x] (let [k (f x)] (if (seen k) [seen out] [(conj seen k) (conj out x)]))) [#{} []] xs)))
(defn index-by [f xs] (into {} (map (juxt f identity)) xs))
(defn map-vals [f m] (into {} (for [[k v] m] [k (f v)])))
(defn find-first [p xs] (first (filter p xs)))
(defn positions [p xs] (keep-indexed #(when (p %2) %1) xs))
[(dedupe-by :k [{:k 1 :v 1} {:k 1 :v 2} {:k 2}]) (index-by :id [{:id 1} {:id 2}]) (map-vals inc {:a 1}) (find-first even? [1 3 4 6]) (positions #{:x} [:a :x :x]) (.indexOf [1 2 3] 2) (.indexOf [1 2 3] 9) (some #(when (= (:id %) 2) %) [{:id 1} {:id 2 :n "z"}])]
;=> [[{:k 1, :v 1} {:k 2}] {1 {:id 1}, 2 {:id 2}} {:a 2} 4 (1 2) 1 -1 {:id 2, :n "z"}]
;;;; stock profits
(defn max-profit [prices] (second (reduce (fn [[lo best] p] [(min lo p) (max best (- p lo))]) [(first prices) 0] prices)))
(defn sma [n xs] (map #(/ (reduce + %) (double n)) (partition n 1 xs)))
(defn ema [a xs] (reductions (fn [e x] (+ (* a x) (* (- 1 a) e))) (first xs) (rest xs)))
(defn returns [xs] (map (fn [[a b]] (- (/ b (double a)) 1)) (partition 2 1 xs)))
[(max-profit [7 1 5 3 6 4]) (sma 3 [1 2 3 4 5]) (ema 0.5 [10 20 30]) (returns [100 110 99]) (map #(format "%+.1f%%" (* 100 %)) (returns [100 110 99]))]
;=> [5 (2.0 3.0 4.0) (10 15.0 22.5) (0.10000000000000009 -0.09999999999999998) ("+10.0%" "-10.0%")]
;;;; election
(def ballots [["a" "b" "c"] ["b" "c" "a"] ["a" "c" "b"] ["c" "b" "a"] ["b" "a" "c"]])
(defn irv [bs] (loop [bs bs rounds []] (let [tally (frequencies (map first bs)) total (count bs) [top n] (first (sort-by (juxt (comp - val) key) tally))] (if (> (* 2 n) total) {:winner top :rounds (conj rounds tally)} (let [loser (key (first (sort-by (juxt val key) tally)))] (recur (map #(remove #{loser} %) bs) (conj rounds tally)))))))
(irv ballots)
;=> {:winner "b", :rounds [{"a" 2, "b" 2, "c" 1} {"a" 2, "b" 3}]}
;;;; sales pipeline
;; Typical "load, clean, aggregate, report" mission
(require '[clojure.string :as str])

(def raw "date,region,product,units,price
2024-01-03,North,Widget,10,2.50
2024-01-03,South,Gadget,3,10.00
2024-01-15,North,Gadget,1,10.00
2024-02-01,East,Widget,,2.50
2024-02-11,South,Widget,7,2.55
bad row
2024-02-28,North,Gizmo,2,99.99")

(defn parse-row [header line]
  (let [cells (str/split line #"," -1)]
    (when (= (count header) (count cells))
      (zipmap header cells))))

(defn coerce [{:keys [units price] :as row}]
  (assoc row
         :units (if (str/blank? units) 0 (Long/parseLong units))
         :price (Double/parseDouble price)))

(defn revenue [{:keys [units price]}] (* units price))

(let [[h & lines] (str/split-lines raw)
      header (map keyword (str/split h #","))
      rows (->> lines (keep #(parse-row header %)) (map coerce))
      by-month (group-by #(subs (:date %) 0 7) rows)]
  {:rows (count rows)
   :rejected (- (count lines) (count rows))
   :revenue-by-month (into (sorted-map) (for [[m rs] by-month] [m (reduce + (map revenue rs))]))
   :units-by-region (reduce (fn [m {:keys [region units]}] (update m region (fnil + 0) units)) {} rows)
   :best (-> (apply max-key revenue rows) (select-keys [:product :units]))
   :products (sort (set (map :product rows)))
   :formatted (mapv #(format "%s %-7s %8.2f" (:date %) (:product %) (revenue %)) rows)})
;=> {:rows 6, :rejected 1, :revenue-by-month {"2024-01" 65.0, "2024-02" 217.82999999999998}, :units-by-region {"North" 13, "South" 10, "East" 0}, :best {:product "Gizmo", :units 2}, :products ("Gadget" "Gizmo" "Widget"), :formatted ["2024-01-03 Widget     25.00" "2024-01-03 Gadget     30.00" "2024-01-15 Gadget     10.00" "2024-02-01 Widget      0.00" "2024-02-11 Widget     17.85" "2024-02-28 Gizmo     199.98"]}
;;;; pivot
(def rows [[:a :x 1] [:a :y 2] [:b :x 3] [:a :x 4]])
(def pivot (reduce (fn [m [r c v]] (update-in m [r c] (fnil + 0) v)) (sorted-map) rows))
(def cols (sort (distinct (map second rows))))
(println (str/join "\t" (cons "" (map name cols))))
(doseq [[r cells] pivot] (println (str/join "\t" (cons (name r) (map #(get cells % 0) cols)))))
{:pivot pivot :row-totals (update-vals pivot #(reduce + (vals %))) :col-totals (apply merge-with + (vals pivot))}
;out> 	x	y
;out> a	5	2
;out> b	3	0
;=> {:pivot {:a {:x 5, :y 2}, :b {:x 3}}, :row-totals {:a 7, :b 3}, :col-totals {:x 8, :y 2}}
;;;; survey
(def responses [{:q1 5 :q2 "yes" :q3 ["a" "b"]} {:q1 3 :q2 "no" :q3 []} {:q1 nil :q2 "yes" :q3 ["b"]} {:q2 "maybe" :q3 nil}])
(let [scores (keep :q1 responses)]
  {:n (count responses) :answered (count scores) :mean (/ (reduce + scores) (count scores)) :q2 (into (sorted-map) (frequencies (map :q2 responses))) :q3 (sort-by (juxt (comp - val) key) (frequencies (mapcat :q3 responses))) :pct-yes (format "%.1f%%" (* 100.0 (/ (count (filter (comp #{"yes"} :q2) responses)) (count responses)))) :missing (keep-indexed (fn [i r] (when (nil? (:q1 r)) i)) responses)})
;=> {:n 4, :answered 2, :mean 4, :q2 {"maybe" 1, "no" 1, "yes" 2}, :q3 (["b" 2] ["a" 1]), :pct-yes "50.0%", :missing (2 3)}
;;;; cohort retention
(def events [{:u 1 :m 0} {:u 1 :m 1} {:u 2 :m 0} {:u 3 :m 1} {:u 3 :m 2} {:u 1 :m 2}])
(def first-month (reduce (fn [acc {:keys [u m]}] (update acc u (fnil min m) m)) {} events))
(def table (reduce (fn [t {:keys [u m]}] (let [c (first-month u)] (update-in t [c (- m c)] (fnil conj #{}) u))) (sorted-map) events))
(into (sorted-map) (for [[c offs] table] [c (into (sorted-map) (for [[o us] offs] [o (/ (count us) (double (count (offs 0))))]))]))
;=> {0 {0 1.0, 1 0.5, 2 0.5}, 1 {0 1.0, 1 1.0}}
;;;; sessionize
(def clicks [[1 "a"] [5 "a"] [40 "a"] [2 "b"] [33 "b"] [41 "a"]])
(defn sessions [gap ts] (reduce (fn [acc t] (let [s (peek acc)] (if (and s (<= (- t (peek s)) gap)) (conj (pop acc) (conj s t)) (conj acc [t])))) [] (sort ts)))
(into (sorted-map) (map (fn [[u es]] [u (mapv (juxt first last count) (sessions 30 (map first es)))])) (group-by second clicks))
;=> {"a" [[1 5 2] [40 41 2]], "b" [[2 2 1] [33 33 1]]}
;;;; dedupe merge records
(def a [{:email "A@x.com" :name "Ann" :phone nil} {:email "b@x.com" :name nil :phone "1"}])
(def b [{:email "a@x.com" :name nil :phone "555"} {:email "c@x.com" :name "Cy" :phone "9"}])
(defn norm [r] (update r :email clojure.string/lower-case))
(->> (concat a b) (map norm) (group-by :email) (map (fn [[_ rs]] (apply merge-with (fn [x y] (or x y)) rs))) (sort-by :email))
;=> ({:email "a@x.com", :name "Ann", :phone "555"} {:email "b@x.com", :name nil, :phone "1"} {:email "c@x.com", :name "Cy", :phone "9"})
;;;; timeline merge
(defn merge-sorted [f & colls] (loop [cs (remove empty? (map seq colls)) out []] (if (empty? cs) out (let [m (apply min-key (comp f first) cs)] (recur (remove empty? (map #(if (identical? % m) (rest %) %) cs)) (conj out (first m)))))))
(merge-sorted :t [{:t 1 :e "a"} {:t 4 :e "b"}] [{:t 2 :e "c"}] [{:t 3 :e "d"} {:t 9 :e "e"}])
;=> [{:t 1, :e "a"} {:t 2, :e "c"} {:t 3, :e "d"} {:t 4, :e "b"} {:t 9, :e "e"}]
;;;; shift schedule
(def staff ["ann" "bob" "cy"])
(def days [:mon :tue :wed :thu :fri])
(let [plan (map vector days (cycle staff))]
  {:plan (into {} plan) :load (frequencies (map second plan)) :by-person (into (sorted-map) (map (fn [[p xs]] [p (mapv first xs)])) (group-by second plan)) :str (clojure.string/join "; " (map (fn [[d p]] (str (name d) "=" p)) plan))})
;=> {:plan {:mon "ann", :tue "bob", :wed "cy", :thu "ann", :fri "bob"}, :load {"ann" 2, "bob" 2, "cy" 1}, :by-person {"ann" [:mon :thu], "bob" [:tue :fri], "cy" [:wed]}, :str "mon=ann; tue=bob; wed=cy; thu=ann; fri=bob"}
;;;; recipe scale
(def recipe {:serves 4 :ingredients {:flour [200 :g] :eggs [2 :pc] :milk [0.5 :l]}})
(defn scale [{:keys [serves] :as r} n] (let [k (/ n (double serves))] (-> r (assoc :serves n) (update :ingredients update-vals (fn [[q u]] [(* q k) u])))))
[(scale recipe 6) (map (fn [[k [q u]]] (format "%s: %.1f%s" (name k) (double q) (name u))) (:ingredients (scale recipe 2)))]
;=> [{:serves 6, :ingredients {:flour [300.0 :g], :eggs [3.0 :pc], :milk [0.75 :l]}} ("flour: 100.0g" "eggs: 1.0pc" "milk: 0.3l")]
;;;; bill split
(def payments {"ann" 90 "bob" 30 "cy" 0})
(let [share (/ (reduce + (vals payments)) (count payments)) bal (update-vals payments #(- % share))]
  (loop [bal bal out []]
    (let [[d dv] (apply min-key val bal) [c cv] (apply max-key val bal)]
      (if (zero? cv) out (let [x (min (- dv) cv)] (recur (-> bal (update d + x) (update c - x)) (conj out [d c x])))))))
;=> [["cy" "ann" 40] ["bob" "ann" 10]]
;;;; group multi key
(def rows [{:y 2023 :q 1 :v 10} {:y 2023 :q 2 :v 20} {:y 2024 :q 1 :v 30} {:y 2023 :q 1 :v 5}])
[(into (sorted-map) (map (fn [[k vs]] [k (reduce + (map :v vs))])) (group-by (juxt :y :q) rows)) (reduce (fn [m {:keys [y q v]}] (update-in m [y q] (fnil + 0) v)) {} rows) (->> rows (group-by :y) (map (fn [[y rs]] [y (->> rs (group-by :q) (map (fn [[q xs]] [q (count xs)])) (into {}))])) (into {})) (partition-by :y rows) (sort-by (juxt (comp - :y) :q :v) rows) (map (juxt :y :q) (distinct (map #(select-keys % [:y :q]) rows)))]
;=> [{[2023 1] 15, [2023 2] 20, [2024 1] 30} {2023 {1 15, 2 20}, 2024 {1 30}} {2023 {1 2, 2 1}, 2024 {1 1}} (({:y 2023, :q 1, :v 10} {:y 2023, :q 2, :v 20}) ({:y 2024, :q 1, :v 30}) ({:y 2023, :q 1, :v 5})) ({:y 2024, :q 1, :v 30} {:y 2023, :q 1, :v 5} {:y 2023, :q 1, :v 10} {:y 2023, :q 2, :v 20}) ([2023 1] [2023 2] [2024 1])]
;;;; rank with ties
(defn rank [scores] (let [sorted (sort > (distinct (vals scores))) pos (zipmap sorted (range 1 100))] (into {} (map (fn [[k v]] [k (pos v)])) scores)))
(defn competition-rank [scores] (let [vs (sort > (vals scores))] (update-vals scores #(inc (.indexOf vs %)))))
[(rank {:a 10 :b 20 :c 10 :d 5}) (competition-rank {:a 10 :b 20 :c 10 :d 5})]
;=> [{:a 2, :b 1, :c 2, :d 3} {:a 2, :b 1, :c 2, :d 4}]
;;;; top n per group (2)
(->> [["x" 5] ["y" 3] ["x" 9] ["x" 7] ["y" 8] ["z" 1]] (group-by first) (map (fn [[k vs]] [k (->> vs (map second) (sort >) (take 2))])) (sort-by first) (into []))
;=> [["x" (9 7)] ["y" (8 3)] ["z" (1)]]
;;;; inventory report
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
;=> {:lines [["P-2" 80] ["P-3" 60] ["P-4" 6]], :total "229.70", :suppliers {:acme {:n 1, :cost "27.00"}, :paperco {:n 1, :cost "159.20"}, :unassigned {:n 1, :cost "43.50"}}, :most-urgent "Eraser"}
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
;=> [{:lots ({:qty 10, :cost 5} {:qty 5, :cost 6} {:qty 20, :cost 7}), :cogs 0} {:lots ({:qty 6, :cost 5} {:qty 5, :cost 6} {:qty 20, :cost 7}), :cogs 20} {:lots ({:qty 5, :cost 6} {:qty 20, :cost 7}), :cogs 50} {:lots ({:qty 3, :cost 6} {:qty 20, :cost 7}), :cogs 62} {:lots [], :cogs 220} {:lots [], :cogs 220, :short 5}]
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
;=> ({:user "a", :n 1, :pages ["/" "/p"], :length 12} {:user "a", :n 2, :pages ["/" "/q"], :length 5} {:user "b", :n 1, :pages ["/x" "/"], :length 15} {:user "b", :n 2, :pages ["/y"], :length 0})
;;;; pivot (2)
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
;out> {:region N, 1 15, 2 30, 3 0}
;out> {:region S, 1 20, 2 0, 3 7}
;=> ({:q 1, "N" 2, "S" 1} {:q 2, "N" 1, "S" 0} {:q 3, "N" 0, "S" 1})
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
;out> round 1 ([A 2] [B 2] [C 1])
;out> round 2 ([A 2] [B 3])
;=> ["B" {"A" 4, "B" 6, "C" 5}]
;;;; permissions by role with inheritance
(def roles {:guest {:can #{:read}} :user {:extends [:guest] :can #{:write}} :auditor {:extends [:guest] :can #{:audit}}
            :admin {:extends [:user :auditor] :can #{:delete}}})
(defn permissions [role]
  (let [{:keys [extends can]} (roles role)]
    (apply clojure.set/union can (map permissions extends))))
(defn allowed? [user action] (boolean (some #(contains? (permissions %) action) (:roles user))))
(let [users [{:name "g" :roles [:guest]} {:name "m" :roles [:user :auditor]} {:name "r" :roles [:admin]} {:name "x" :roles []}]]
  (into {} (for [u users] [(:name u) (vec (filter (partial allowed? u) [:read :write :audit :delete]))])))
;=> {"g" [:read], "m" [:read :write :audit], "r" [:read :write :audit :delete], "x" []}
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
;=> {1 ({:offset 0, :active 2, :rate "100%"} {:offset 1, :active 1, :rate "50%"} {:offset 2, :active 2, :rate "100%"}), 2 ({:offset 0, :active 1, :rate "100%"} {:offset 1, :active 1, :rate "100%"} {:offset 2, :active 0, :rate "0%"})}
;;;; pages
(def pages {nil {:rows [1 2 3] :next "p2"} "p2" {:rows [4 5] :next "p3"} "p3" {:rows [] :next nil}})
(defn fetch [token] (println "fetch" token) (pages token))
(let [all (into [] cat (iteration fetch :vf :rows :kf :next))
      until-four (transduce (comp cat (halt-when #{4} (fn [acc x] (conj acc [:stopped x])))) conj []
                            (map :rows (vals pages)))]
  {:all all :until-four until-four :pairs (sequence (map vector) all (rest all))})
;out> fetch nil
;out> fetch p2
;out> fetch p3
;=> {:all [1 2 3 4 5], :until-four [1 2 3 [:stopped 4]], :pairs ([1 2] [2 3] [3 4] [4 5])}
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
;=> {:inv {:apple 2, :pear 2, :fig 7}, :errors [["not enough" {:item :pear, :have 2, :want 5}] "unknown op :frob"]}
;;;; sorting by several keys, both ways
(def people [{:n "Al" :age 30 :city "X"} {:n "Bo" :age 25 :city "Y"} {:n "Cy" :age 30 :city "Y"} {:n "Di" :age nil :city "X"} {:n "Ed" :age 25 :city "X"}])
{:asc (map :n (sort-by (juxt :city :n) people))
 :desc (map :n (sort-by :n #(compare %2 %1) people))
 :mixed (map :n (sort (fn [a b] (let [c (compare (:age b) (:age a))] (if (zero? c) (compare (:n a) (:n b)) c))) people))
 :nil-first (map :n (sort-by :age people))
 :stable (map :n (sort-by :city people))
 :rank (into {} (map-indexed (fn [i p] [(:n p) (inc i)]) (reverse (sort-by (juxt (comp boolean :age) :age :n) people))))
 :comp (sort (comp - compare) [3 1 2]) :lt (sort > [3 1 2]) :strs (sort-by count ["ccc" "a" "bb" "b"])}
;=> {:asc ("Al" "Di" "Ed" "Bo" "Cy"), :desc ("Ed" "Di" "Cy" "Bo" "Al"), :mixed ("Al" "Cy" "Bo" "Ed" "Di"), :nil-first ("Di" "Bo" "Ed" "Al" "Cy"), :stable ("Al" "Di" "Ed" "Bo" "Cy"), :rank {"Cy" 1, "Al" 2, "Ed" 3, "Bo" 4, "Di" 5}, :comp (3 2 1), :lt (3 2 1), :strs ("a" "b" "bb" "ccc")}
;;;; group, aggregate, pivot
;data> {:rows [{:y 2023 :q "Q1" :amt 100} {:y 2023 :q "Q2" :amt 150} {:y 2024 :q "Q1" :amt 90} {:y 2024 :q "Q2" :amt nil} {:y 2024 :q "Q1" :amt 60}]}
(let [by (group-by (juxt :y :q) data/rows)
      sums (update-vals by #(reduce + (keep :amt %)))
      pivot (reduce-kv (fn [m [y q] v] (assoc-in m [y q] v)) (sorted-map) sums)]
  (doseq [[y qs] pivot] (println y (str/join " " (for [[q v] (sort qs)] (str q "=" v)))))
  {:sums sums :totals (into (sorted-map) (map (fn [[y qs]] [y (apply + (vals qs))])) pivot)
   :growth (let [t (fn [y] (reduce + (vals (pivot y))))] (format "%+.1f%%" (* 100.0 (/ (- (t 2024) (t 2023)) (t 2023)))))
   :missing (count (filter (comp nil? :amt) data/rows)) :best (key (apply max-key val sums))})
;out> 2023 Q1=100 Q2=150
;out> 2024 Q1=150 Q2=0
;=> {:sums {[2023 "Q1"] 100, [2023 "Q2"] 150, [2024 "Q1"] 150, [2024 "Q2"] 0}, :totals {2023 250, 2024 150}, :growth "-40.0%", :missing 1, :best [2024 "Q1"]}
;;;; counting by several things at once
(reduce (fn [acc {:keys [lang stars owner]}] (-> acc (update :n (fnil inc 0)) (update-in [:by-lang lang] (fnil conj []) stars) (update :owners (fnil conj #{}) owner) (update :max-stars (fnil max 0) stars)))
        {} [{:lang :clj :stars 5 :owner "a"} {:lang :js :stars 9 :owner "b"} {:lang :clj :stars 2 :owner "a"}])
;=> {:n 3, :by-lang {:clj [5 2], :js [9]}, :owners #{"a" "b"}, :max-stars 9}
;;;; quarterly report with nested destructuring and running totals
(def data [{:month 1 :items [{:sku "A" :qty 2 :price 10.0} {:sku "B" :qty 1 :price 5.5}]} {:month 2 :items []} {:month 4 :items [{:sku "A" :qty 3 :price 9.5}]}])
(defn quarter [m] (inc (quot (dec m) 3)))
(let [total (fn [{:keys [items]}] (reduce (fn [acc {:keys [qty price]}] (+ acc (* qty price))) 0.0 items))
      by-q (reduce (fn [m {:keys [month] :as d}] (update m (quarter month) (fnil + 0.0) (total d))) (sorted-map) data)]
  [by-q (reductions + (vals by-q)) (for [{:keys [month] [{:keys [sku]} & more] :items} data] [month sku (count more)]) (str/join "; " (map (fn [[q t]] (format "Q%d: $%,.2f" q t)) by-q))])
;=> [{1 25.5, 2 28.5} (25.5 54.0) ([1 "A" 1] [2 nil 0] [4 "A" 0]) "Q1: $25.50; Q2: $28.50"]
;;;; unique ids, dedupe by latest, upsert
(let [rows [{:id 1 :v "a" :at 3} {:id 2 :v "b" :at 1} {:id 1 :v "c" :at 5} {:id 2 :v "d" :at 0}]]
  {:latest (->> rows (group-by :id) vals (map #(apply max-key :at %)) (sort-by :id)) :index (into {} (map (juxt :id :v)) rows) :firsts (map first (vals (group-by :id rows)))
   :upsert (reduce (fn [m {:keys [id] :as r}] (if (> (:at r) (get-in m [id :at] -1)) (assoc m id r) m)) (sorted-map) rows) :seen (reduce (fn [[seen out] {:keys [id]}] (if (seen id) [seen out] [(conj seen id) (conj out id)])) [#{} []] rows) :dups (for [[id n] (frequencies (map :id rows)) :when (> n 1)] id)})
;=> {:latest ({:id 1, :v "c", :at 5} {:id 2, :v "b", :at 1}), :index {1 "c", 2 "d"}, :firsts ({:id 1, :v "a", :at 3} {:id 2, :v "b", :at 1}), :upsert {1 {:id 1, :v "c", :at 5}, 2 {:id 2, :v "b", :at 1}}, :seen [#{1 2} [1 2]], :dups (1 2)}
;;;; cohort retention (2)
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
;=> (["2024-01" 3 [100.0 33.3 66.7]] ["2024-02" 1 [100.0 100.0 0.0]] ["2024-03" 1 [100.0 0.0 0.0]])
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
;out> a        n=3 rate=66.7% revenue=40.49
;out> b        n=3 rate=66.7% revenue=52.25
;out> control  n=1 rate=0.0% revenue=0.00
;=> {:best :b, :table {:a {:n 3, :conversions 2, :revenue 40.49}, :b {:n 3, :conversions 2, :revenue 52.25}, :control {:n 1, :conversions 0, :revenue 0}}}
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
;=> {:flags {"bolt" {}, "gear" {:order 2, :warn "no supplier"}, "nut" {:order 100}, "washer" {:out-of-stock true, :order 40}}, :by-supplier {:unknown {"gear" 2}, :acme {"nut" 100}, :globex {"washer" 40}}, :units 142}
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
;=> [[["Zoe" "B"] ["Al" "F"] ["Ming" "N/A"] ["Bo" "A"]] ("Bo" "Zoe" "Al") {:name "Bo", :avg 97.5, :grade "A"} {"B" 1, "F" 1, "N/A" 1, "A" 1}]
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
;out>               Q1      Q2
;out> East           0      60
;out> North        125     150
;out> South         80      95
;out> Total        205     305
;=> {"North" {"Q1" 125, "Q2" 150}, "South" {"Q1" 80, "Q2" 95}, "East" {"Q2" 60}, :cols ("Q1" "Q2")}
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
;=> {:funnel [[:view 3] [:cart 2] [:pay 1]], :drops ({:from :view, :to :cart, :lost 1, :keep% 66.66666666666667} {:from :cart, :to :pay, :lost 1, :keep% 50.0}), :worst {:from :cart, :to :pay, :lost 1, :keep% 50.0}}
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
;out> ignoring coupon {:type :bogus}
;=> {:subtotal 19.5, :discounts [1.6500000000000001 1.5 0], :total 16.35, :text "Total: $16.35"}
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
;=> {:plurality {:a 2, :b 1, :c 2}, :runoff {:winner :c, :eliminated [:b]}, :borda {:a 4, :b 5, :c 6}}
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
;=> [{:ann 54, :bob -15, :cat -39} [{:from :cat, :to :ann, :amount 39} {:from :bob, :to :ann, :amount 15}] true]
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
;=> {:blue [["F" 9 1]], :green [["G" 1 1]], :red [["B" 12 1] ["C" 12 1]]}
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
;out> 1. lee  3-1 +12
;out> 2. kim  3-1 +10
;out> 3. zed  2-2 +0
;out> 4. abe  0-4 -20
;=> ({:n "lee", :w 3, :l 1, :pd 12} {:n "kim", :w 3, :l 1, :pd 10} {:n "zed", :w 2, :l 2, :pd 0} {:n "abe", :w 0, :l 4, :pd -20})
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
;=> {:conflicts #{#{1 2} #{3 5}}, :nights {101 7, 102 4}, :occupancy {1 {102 1}, 2 {102 2}, 3 {101 1, 102 1}, 4 {101 1}, 5 {101 2}, 6 {101 1}, 7 {101 1}, 8 {101 1}}}
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
;=> {:joined [{:oid 10, :name "Ann", :total 25} {:oid 11, :name "Ann", :total 15} {:oid 12, :name "Cyd", :total 60}], :by-city {"Oslo" 100}, :orphans #{9}, :cities #{{:city "Oslo"} {:city "Rome"}}, :renamed {:total 25, :order-id 10, :customer 1}}
;;;; permissions with role inheritance
(def roles {:guest {:can #{:read}} :user {:inherits [:guest] :can #{:comment}} :mod {:inherits [:user] :can #{:delete}} :admin {:inherits [:mod :auditor] :can #{:ban}} :auditor {:can #{:logs}}})
(defn perms [role] (let [{:keys [inherits can]} (roles role)] (reduce into (or can #{}) (map perms inherits))))
(defn allowed? [user action] (contains? (into #{} (mapcat perms) (:roles user)) action))
(defn why [role p] (some (fn path [r] (if (contains? (get-in roles [r :can]) p) [r] (when-let [q (some path (get-in roles [r :inherits]))] (cons r q)))) [role]))
[(sort (perms :admin)) (allowed? {:roles [:user]} :read) (allowed? {:roles [:user :auditor]} :ban) (why :admin :read) (why :guest :ban) (update-vals (into (sorted-map) roles) (comp count :can))]
;=> [(:ban :comment :delete :logs :read) true false (:admin :mod :user :guest) nil {:admin 1, :auditor 1, :guest 1, :mod 1, :user 1}]
;;;; recipe scaling
(def recipe {:serves 4 :items {:flour 250 :eggs 3 :milk 500}})
(defn scale [r n] (let [f (/ n (:serves r))] (-> r (assoc :serves n) (update :items update-vals #(* % f)))))
[(scale recipe 8) (scale recipe 6) (update (scale recipe 10) :items update-vals double)]
;=> [{:serves 8, :items {:flour 500, :eggs 6, :milk 1000}} {:serves 6, :items {:flour 375, :eggs 4.5, :milk 750}} {:serves 10, :items {:flour 625.0, :eggs 7.5, :milk 1250.0}}]
;clojure> [{:serves 8, :items {:flour 500, :eggs 6, :milk 1000}} {:serves 6, :items {:flour 375N, :eggs 9/2, :milk 750N}} {:serves 10, :items {:flour 625.0, :eggs 7.5, :milk 1250.0}}]
;deviation> no ratios or decimals
;;;; split bill by weights in cents
(defn split-cents [total ws] (let [s (reduce + ws) shares (map #(quot (* total %) s) ws) left (- total (reduce + shares))] (map-indexed (fn [i x] (if (< i left) (inc x) x)) shares)))
[(split-cents 1000 [1 1 1]) (split-cents 999 [2 3 5]) (map #(/ % 100.0) (split-cents 12345 [1 2])) (reduce + (split-cents 777 [3 1 9]))]
;=> [(334 333 333) (200 300 499) (41.15 82.3) 777]
;;;; group, sort, format a report into one string
(def tx [{:d "2024-01-15" :cat "food" :amt -12.5} {:d "2024-01-20" :cat "rent" :amt -800} {:d "2024-02-01" :cat "pay" :amt 2000} {:d "2024-02-03" :cat "food" :amt -30.25} {:d "2024-02-14" :cat "fun" :amt -45}])
(defn month [{:keys [d]}] (subs d 0 7))
(defn report [txs]
  (with-out-str
    (doseq [[m ts] (into (sorted-map) (group-by month txs))]
      (println m)
      (doseq [[c xs] (sort-by (comp (partial reduce +) (partial map :amt) val) (group-by :cat ts))]
        (println (format "  %-6s%10.2f" c (double (reduce + (map :amt xs))))))
      (println (format "  %-6s%,10.2f" "net" (double (transduce (map :amt) + ts)))))))
(let [r (report tx)] (print r) [(count (str/split-lines r)) (str/includes? r "1,924.75")])
;out> 2024-01
;out>   rent     -800.00
;out>   food      -12.50
;out>   net      -812.50
;out> 2024-02
;out>   fun       -45.00
;out>   food      -30.25
;out>   pay      2000.00
;out>   net     1,924.75
;out>
;=> [9 true]
;;;; pagination with lazy concat of pages
(def db (mapv (fn [i] {:id i :score (mod (* i 37) 101)}) (range 1 24)))
(defn page [n size] (->> db (sort-by (juxt (comp - :score) :id)) (drop (* (dec n) size)) (take size)))
(defn all-pages [size] (take-while seq (map #(page % size) (iterate inc 1))))
(let [ps (all-pages 10)] {:n (count ps) :sizes (map count ps) :first (mapv :id (first ps)) :last (mapv (juxt :id :score) (last ps)) :meta {:total (count db) :pages (int (Math/ceil (/ (count db) 10)))}})
;=> {:n 3, :sizes (10 10 3), :first [19 8 16 5 13 2 21 10 18 7], :last [[3 10] [22 6] [11 3]], :meta {:total 23, :pages 3}}
;;;; budget months with carry-over via reductions
(def months [[:jan 3000 2500] [:feb 3000 3400] [:mar 3000 3100] [:apr 3500 1000]])
(->> months
     (reductions (fn [{:keys [carry]} [m in out]] (let [b (+ carry (- in out))] {:month m :carry b :status (cond (neg? b) :red (< b 500) :tight :else :ok)})) {:carry 0})
     rest
     (map (juxt :month :carry :status))
     (partition-by peek)
     (mapv #(vector (last (first %)) (mapv first %))))
;=> [[:ok [:jan]] [:tight [:feb :mar]] [:ok [:apr]]]
;;;; stock trades profit windows
(def prices {"2024-01-02" 100 "2024-01-03" 105 "2024-01-04" 98 "2024-01-05" 110 "2024-01-08" 107})
(defn best-trade [ps]
  (let [days (sort (keys ps))]
    (->> (for [[i d1] (map-indexed vector days) d2 (drop (inc i) days)] {:buy d1 :sell d2 :profit (- (ps d2) (ps d1))})
         (apply max-key :profit))))
(defn kadane [xs] (second (reduce (fn [[cur best] x] (let [c (max x (+ cur x))] [c (max best c)])) [0 Long/MIN_VALUE] xs)))
(let [v (map val (sort prices)) changes (map - (rest v) v)]
  {:best (best-trade prices) :kadane (kadane changes) :changes changes :up (count (filter pos? changes)) :pct (map (fn [[a b]] (format "%+.2f%%" (* 100.0 (/ (- b a) a)))) (partition 2 1 v)) :streaks (map (juxt first count) (partition-by pos? changes))})
;=> {:best {:buy "2024-01-04", :sell "2024-01-05", :profit 12}, :kadane 12, :changes (5 -7 12 -3), :up 2, :pct ("+5.00%" "-6.67%" "+12.24%" "-2.73%"), :streaks ([5 1] [-7 1] [12 1] [-3 1])}
;;;; recipe shopping list and pantry
(def recipes {:pancakes {:flour 200 :milk 300 :egg 2} :omelette {:egg 3 :butter 10} :bread {:flour 500 :yeast 7}})
(def pantry {:flour 400 :egg 4 :milk 1000})
(defn need [plan] (apply merge-with + (map (fn [[r n]] (update-vals (recipes r) #(* n %))) plan)))
(defn missing [needed] (into (sorted-map) (keep (fn [[k n]] (let [d (- n (get pantry k 0))] (when (pos? d) [k d])))) needed))
(let [plan {:pancakes 2 :bread 1 :omelette 1} n (need plan)] {:need (into (sorted-map) n) :missing (missing n) :can-make (filter #(empty? (missing (recipes %))) (sort (keys recipes))) :text (str/join "; " (for [[k v] (missing n)] (str (name k) " x" v)))})
;=> {:need {:butter 10, :egg 7, :flour 900, :milk 600, :yeast 7}, :missing {:butter 10, :egg 3, :flour 500, :yeast 7}, :can-make (:pancakes), :text "butter x10; egg x3; flour x500; yeast x7"}
;;;;
(def orders
  [{:id 1 :customer "Ann" :total 120.5 :status :paid :items [{:sku "A" :qty 2} {:sku "B" :qty 1}]}
   {:id 2 :customer "Bob" :total 80 :status :open :items [{:sku "A" :qty 1}]}
   {:id 3 :customer "Ann" :total 45.25 :status :paid :items [{:sku "C" :qty 5}]}
   {:id 4 :customer "Cyd" :total 300 :status :cancelled :items []}])

(defn paid? [o] (= :paid (:status o)))

(let [paid (filter paid? orders)
      by-customer (group-by :customer paid)]
  {:count (count paid)
   :revenue (reduce + (map :total paid))
   :by-customer (into {} (for [[c os] by-customer] [c (reduce + (map :total os))]))})
;=> {:count 2, :revenue 165.75, :by-customer {"Ann" 165.75}}
;;;;
(def sales [{:region "N" :amount 10} {:region "S" :amount 20} {:region "N" :amount 30} {:region "E" :amount 5}])
(doseq [[region rows] (sort-by key (group-by :region sales))]
  (println (format "%-5s %6.2f %d" region (double (reduce + (map :amount rows))) (count rows))))
;out> E       5.00 1
;out> N      40.00 2
;out> S      20.00 1
;=> nil
;;;;
(def people [{:name "Al" :age 30 :dept :eng} {:name "Bo" :age 25 :dept :ops} {:name "Cy" :age 35 :dept :eng}])
(->> people (group-by :dept) (reduce-kv (fn [m k v] (assoc m k (/ (reduce + (map :age v)) (count v)))) {}))
;=> {:eng 32.5, :ops 25}
;clojure> {:eng 65/2, :ops 25}
;deviation> no ratios or decimals
;;;;
(def people [{:name "Al" :age 30} {:name "Bo" :age 25}])
(apply max-key :age people)
;=> {:name "Al", :age 30}
;;;;
(def inventory {:apples {:qty 5 :price 1.2} :pears {:qty 0 :price 2.5} :figs {:qty 12 :price 0.4}})
(->> inventory
     (remove (fn [[_ {:keys [qty]}]] (zero? qty)))
     (map (fn [[k {:keys [qty price]}]] [k (* qty price)]))
     (sort-by second >)
     (into []))
;=> [[:apples 6.0] [:figs 4.800000000000001]]
;;;;
(let [data {:users [{:id 1 :tags #{:a :b}} {:id 2 :tags #{:b}} {:id 3 :tags #{}}]}]
  (->> (:users data) (mapcat (fn [u] (map #(vector % (:id u)) (sort (:tags u))))) (reduce (fn [m [t id]] (update m t (fnil conj #{}) id)) {})))
;=> {:a #{1}, :b #{1 2}}
;;;;
(reduce (fn [{:keys [total n] :as acc} x] (assoc acc :total (+ total x) :n (inc n))) {:total 0 :n 0} [1 2 3 4])
;=> {:total 10, :n 4}
;;;;
(apply + (map (fn [{:keys [qty price] :or {price 0}}] (* qty price)) [{:qty 2 :price 3} {:qty 1}]))
;=> 6
;;;;
(let [tree {:v 1 :kids [{:v 2 :kids [{:v 4}]} {:v 3}]}]
  (letfn [(total [{:keys [v kids]}] (+ v (reduce + 0 (map total kids))))
          (depth [{:keys [kids]}] (inc (reduce max 0 (map depth kids))))]
    {:total (total tree) :depth (depth tree) :vals (map :v (tree-seq :kids :kids tree))}))
;=> {:total 10, :depth 3, :vals (1 2 4 3)}
;;;;
(-> {:user {:name "x" :emails ["a"]}} (update-in [:user :emails] conj "b") (assoc-in [:user :name] "y") :user)
;=> {:name "y", :emails ["a" "b"]}
;;;;
(doseq [{:keys [name score]} [{:name "A" :score 1} {:name "B" :score 2}] :when (> score 1)] (println name "scored" score))
;out> B scored 2
;=> nil
;;;;
;data> {:orders [{:id 1 :total 10.5 :tags ["x" "y"]} {:id 2 :total 20 :tags []}] :limit 15}
(->> data/orders (filter #(> (:total %) data/limit)) (mapv :id))
;=> [2]
;;;;
;data> {:employees [{:name "Ann" :dept "eng" :salary 100} {:name "Bob" :dept "ops" :salary 80} {:name "Cyd" :dept "eng" :salary 120}]}
(let [by-dept (group-by :dept data/employees)]
  (into {}
    (map (fn [[dept emps]]
      [dept {:headcount (count emps)
             :total (reduce + (map :salary emps))
             :top (:name (apply max-key :salary emps))}])
    by-dept)))
;=> {"eng" {:headcount 2, :total 220, :top "Cyd"}, "ops" {:headcount 1, :total 80, :top "Bob"}}
;;;;
(sort-by (juxt :dept (comp - :salary)) [{:dept "b" :salary 1} {:dept "a" :salary 1} {:dept "a" :salary 5}])
;=> ({:dept "a", :salary 5} {:dept "a", :salary 1} {:dept "b", :salary 1})
;;;;
(def events [{:user 1 :type :click :ts 10} {:user 2 :type :view :ts 12} {:user 1 :type :view :ts 15} {:user 1 :type :click :ts 20}])
(reduce (fn [acc {:keys [user type]}] (update-in acc [user type] (fnil inc 0))) {} events)
;=> {1 {:click 2, :view 1}, 2 {:view 1}}
;;;;
(def events [{:user 1 :ts 10} {:user 1 :ts 15} {:user 1 :ts 100} {:user 2 :ts 1}])
(for [[u es] (group-by :user events)
      :let [ts (sort (map :ts es)) gaps (map - (rest ts) ts)]
      :when (seq gaps)]
  {:user u :max-gap (apply max gaps) :sessions (inc (count (filter #(> % 30) gaps)))})
;=> ({:user 1, :max-gap 85, :sessions 2})
;;;;
(let [users {1 "Ann" 2 "Bob"} orders [{:u 1 :amt 5} {:u 2 :amt 7} {:u 1 :amt 1}]]
  (->> orders (map #(assoc % :name (users (:u %)))) (group-by :name) (map (fn [[n os]] {:name n :total (apply + (map :amt os))})) (sort-by :total >)))
;=> ({:name "Bob", :total 7} {:name "Ann", :total 6})
;;;;
(let [text "To be, or not to be: that is the question."
      words (re-seq #"\w+" (clojure.string/lower-case text))
      stop #{"to" "the" "is" "or"}]
  {:total (count words) :unique (count (distinct words)) :longest (apply max-key count words) :top (->> words (remove stop) frequencies (sort-by (fn [[w c]] [(- c) w])) (take 2))})
;=> {:total 10, :unique 8, :longest "question", :top (["be" 2] ["not" 1])}
;;;;
(mapv (fn [{:keys [price qty] :as item}] (assoc item :total (* price qty))) [{:price 2.5 :qty 2} {:price 1 :qty 3}])
;=> [{:price 2.5, :qty 2, :total 5.0} {:price 1, :qty 3, :total 3}]
;;;;
(let [items [{:n "a" :p 10} {:n "b" :p 20}] subtotal (transduce (map :p) + items) tax (* subtotal 0.08) total (+ subtotal tax)]
  {:subtotal subtotal :tax tax :total (format "%.2f" total)})
;=> {:subtotal 30, :tax 2.4, :total "32.40"}
;;;;
(let [data [{:d "2024-01-15" :v 3} {:d "2024-02-01" :v 4} {:d "2024-01-20" :v 5}]]
  (->> data (group-by #(subs (:d %) 0 7)) (map (fn [[m rs]] {:month m :sum (reduce + (map :v rs))})) (sort-by :month)))
;=> ({:month "2024-01", :sum 8} {:month "2024-02", :sum 4})
;;;;
(doseq [{:keys [dept people]} [{:dept :eng :people ["a" "b"]} {:dept :ops :people []}]
        p people]
  (println (name dept) p))
;out> eng a
;out> eng b
;=> nil
;;;;
(reductions (fn [bal {:keys [type amt]}] (if (= type :in) (+ bal amt) (- bal amt))) 0 [{:type :in :amt 10} {:type :out :amt 3}])
;=> (0 10 7)
;;;;
(defn template [s m] (clojure.string/replace s #"\{(\w+)\}" (fn [[_ k]] (str (get m (keyword k) "")))))
(template "Hi {name}, you owe {amt}{x}" {:name "Al" :amt 5})
;=> "Hi Al, you owe 5"
;;;;
(let [votes ["ann" "bob" "ann" "cat" "bob" "ann" nil ""]
      valid (remove #(or (nil? %) (clojure.string/blank? %)) votes)
      tally (frequencies valid)
      [winner n] (apply max-key val tally)
      total (count valid)]
  {:winner winner :share (/ (Math/round (* 1000.0 (/ n total))) 10.0) :ranking (map-indexed (fn [i [k v]] {:rank (inc i) :name k :votes v}) (sort-by (juxt (comp - val) key) tally)) :invalid (- (count votes) total)})
;=> {:winner "ann", :share 50.0, :ranking ({:rank 1, :name "ann", :votes 3} {:rank 2, :name "bob", :votes 2} {:rank 3, :name "cat", :votes 1}), :invalid 2}
;;;;
(def data {:users {"u1" {:name "Ann" :follows #{"u2" "u3"}} "u2" {:name "Bob" :follows #{"u1"}} "u3" {:name "Cat" :follows #{}}}})
(let [users (:users data)
      mutual (for [[a {fa :follows}] users b (sort fa) :when (and (contains? (get-in users [b :follows]) a) (neg? (compare a b)))] [a b])
      followers (reduce-kv (fn [m k {:keys [follows]}] (reduce #(update %1 %2 (fnil conj (sorted-set)) k) m follows)) (sorted-map) users)]
  [mutual followers (map (fn [[id f]] (str (get-in users [id :name]) ": " (clojure.string/join ", " (map #(get-in users [% :name]) f)))) followers)
   (into {} (map (fn [[k v]] [k (count (:follows v))])) users)])
;=> [(["u1" "u2"]) {"u1" #{"u2"}, "u2" #{"u1"}, "u3" #{"u1"}} ("Ann: Bob" "Bob: Ann" "Cat: Ann") {"u1" 2, "u2" 1, "u3" 0}]
;;;;
(def orders (mapv (fn [i] {:id i :cust (["a" "b" "c"] (mod i 3)) :total (* i 10.5) :day (inc (mod i 5))}) (range 1 11)))
(defn pivot [rows rk ck f] (reduce (fn [acc r] (update-in acc [(rk r) (ck r)] (fnil conj []) (f r))) (sorted-map) rows))
(let [p (pivot orders :cust :day :total)]
  [(update-vals p (fn [m] (into (sorted-map) (update-vals m #(reduce + %)))))
   (->> orders (partition-all 4) (map (comp (partial reduce +) (partial map :total))))
   (reduce (fn [[s n] {:keys [total]}] [(+ s total) (inc n)]) [0 0] orders)
   (take 2 (sort-by :total > orders)) (map :id (filter #(and (= "b" (:cust %)) (> (:total %) 30)) orders))
   (mapv (fn [[k v]] [k (count v) (apply max (map :total v))]) (sort-by key (group-by :cust orders)))
   (get-in p ["a" 4 0]) (some #(when (> (:total %) 90) (:id %)) orders) (every? (comp pos? :total) orders)])
;=> [{"a" {2 63.0, 4 31.5, 5 94.5}, "b" {1 105.0, 2 10.5, 3 73.5, 5 42.0}, "c" {1 52.5, 3 21.0, 4 84.0}} (105.0 273.0 199.5) [577.5 10] ({:id 10, :cust "b", :total 105.0, :day 1} {:id 9, :cust "a", :total 94.5, :day 5}) (4 7 10) [["a" 3 94.5] ["b" 4 105.0] ["c" 3 84.0]] 31.5 9 true]
;;;;
(def cart [{:sku "a" :qty 2 :price 9.99} {:sku "b" :qty 1 :price 24.5} {:sku "c" :qty 10 :price 0.5}])
(def discounts [{:if (fn [{:keys [qty]}] (>= qty 10)) :pct 10} {:if #(> (:price %) 20) :pct 5}])
(defn line-total [{:keys [qty price] :as line}]
  (let [gross (* qty price) pct (transduce (comp (filter #((:if %) line)) (map :pct)) + discounts)]
    (assoc line :gross gross :pct pct :net (- gross (* gross (/ pct 100.0))))))
(let [lines (map line-total cart) total (reduce + (map :net lines)) ship (condp > total 20 5.0 50 2.5 0)]
  (doseq [{:keys [sku qty net]} lines] (println (format "%-4s x%-3d %8.2f" sku qty net)))
  (println (format "%-9s %8.2f" "shipping" (double ship)))
  {:total (format "%.2f" (+ total ship)) :saved (reduce + (map #(- (:gross %) (:net %)) lines)) :max (:sku (apply max-key :net lines))})
;out> a    x2      19.98
;out> b    x1      23.28
;out> c    x10      4.50
;out> shipping      2.50
;=> {:total "50.25", :saved 1.7250000000000014, :max "b"}
;;;;
(def items (for [i (range 7)] {:id i}))
(defn page [coll {:keys [offset limit] :or {offset 0 limit 3}}]
  (let [total (count coll) data (->> coll (drop offset) (take limit) vec) nxt (+ offset limit)]
    (cond-> {:data (mapv :id data) :total total} (< nxt total) (assoc :next nxt) (pos? offset) (assoc :prev (max 0 (- offset limit))))))
(loop [offset 0 pages []] (let [{:keys [next] :as p} (page items {:offset offset})] (if next (recur next (conj pages p)) (conj pages p))))
;=> [{:data [0 1 2], :total 7, :next 3} {:data [3 4 5], :total 7, :next 6, :prev 0} {:data [6], :total 7, :prev 3}]
