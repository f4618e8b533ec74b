;;;; bank accounts with ex-info and ledger
(ns bank
  "A tiny bank."
  (:require [clojure.string :as string]))
(def ^:private initial {:alice 100 :bob 50})
(defn- check-funds! [accounts id amount]
  (when-not (contains? accounts id) (throw (ex-info "No such account" {:type :not-found :id id})))
  (when (< (get accounts id) amount) (throw (ex-info "Insufficient funds" {:type :funds :id id :short (- amount (accounts id))}))))
(defn transfer [accounts {:keys [from to amount]}]
  (when-not (pos? amount) (throw (IllegalArgumentException. (str "Bad amount: " amount))))
  (check-funds! accounts from amount)
  (check-funds! accounts to 0)
  (-> accounts (update from - amount) (update to + amount)))
(defn run-all [accounts txs]
  (reduce (fn [{:keys [accounts] :as acc} tx]
            (try
              (-> acc (assoc :accounts (transfer accounts tx)) (update :ok inc))
              (catch clojure.lang.ExceptionInfo e
                (update acc :errors conj (assoc (ex-data e) :msg (ex-message e))))
              (catch IllegalArgumentException e
                (update acc :errors conj {:type :bad :msg (.getMessage e)}))
              (finally (println "processed" (:from tx) "->" (:to tx)))))
          {:accounts accounts :ok 0 :errors []}
          txs))
(run-all initial [{:from :alice :to :bob :amount 30} {:from :bob :to :carol :amount 5} {:from :bob :to :alice :amount 500} {:from :alice :to :bob :amount -1}])
;;;; traffic light machine as data with iterate
(def machine {:green {:next :yellow :secs 3} :yellow {:next :red :secs 1} :red {:next :green :secs 2}})
(defn tick [{:keys [light left] :as s}]
  (if (> left 1)
    (update s :left dec)
    (let [n (get-in machine [light :next])] {:light n :left (get-in machine [n :secs])})))
(let [states (take 8 (iterate tick {:light :green :left 3}))]
  {:seq (map :light states)
   :runs (->> states (map :light) (partition-by identity) (map (juxt first count)))
   :period (->> (iterate tick {:light :red :left 2}) rest (take-while #(not= % {:light :red :left 2})) count inc)})
;;;; order workflow with allowed transitions
(def transitions {:new #{:paid :cancelled} :paid #{:shipped :refunded} :shipped #{:delivered} :delivered #{} :cancelled #{}})
(defn advance [order to]
  (let [from (:status order)]
    (if (get-in transitions [from to])
      (-> order (assoc :status to) (update :history (fnil conj []) [from to]))
      (reduced (assoc order :error (format "%s -> %s not allowed" (name from) (name to)))))))
(let [run (partial reduce advance {:id 1 :status :new})]
  [(run [:paid :shipped :delivered])
   (run [:paid :cancelled :shipped])
   (run [])
   (sort (for [[from tos] transitions :when (empty? tos)] from))])
;;;; stack vm with condp and loop
(def program [[:push 5] [:push 3] [:add] [:dup] [:mul] [:jz 8] [:print] [:halt] [:push 0]])
(defn run [prog]
  (loop [pc 0 stack [] out [] steps 0]
    (let [[op arg] (get prog pc)
          [b a] ((juxt peek (comp peek #(if (seq %) (pop %) %))) stack)]
      (if (> steps 100)
        :runaway
        (condp = op
          :push (recur (inc pc) (conj stack arg) out (inc steps))
          :add (recur (inc pc) (conj (pop (pop stack)) (+ a b)) out (inc steps))
          :mul (recur (inc pc) (conj (pop (pop stack)) (* a b)) out (inc steps))
          :dup (recur (inc pc) (conj stack b) out (inc steps))
          :jz (if (zero? b) (recur arg (pop stack) out (inc steps)) (recur (inc pc) stack out (inc steps)))
          :print (recur (inc pc) (pop stack) (conj out b) (inc steps))
          :halt {:out out :stack stack :steps steps}
          (throw (ex-info "bad op" {:op op :pc pc})))))))
[(run program) (run [[:push 1] [:jz 0] [:halt]]) (try (run [[:nope]]) (catch Exception e (ex-data e)))]
;;;; elevator simulation
(defn step [{:keys [floor dir requests] :as e}]
  (cond
    (empty? requests) (assoc e :dir :idle)
    (requests floor) (-> e (update :requests disj floor) (update :stops conj floor))
    :else (let [above (filter #(> % floor) requests) below (filter #(< % floor) requests)
                dir (cond (and (= dir :up) (seq above)) :up (and (= dir :down) (seq below)) :down (seq above) :up :else :down)]
            (-> e (assoc :dir dir) (update :floor (if (= dir :up) inc dec))))))
(let [states (take-while #(not= :idle (:dir %)) (iterate step {:floor 3 :dir :up :requests #{5 1 4} :stops []}))
      end (last states)]
  [(count states) (:stops (step end)) (mapv :floor states) (:dir end)])
;;;; vending machine multi arity
(def stock {:cola {:price 150 :n 2} :chips {:price 100 :n 0}})
(defn make ([] (make stock)) ([s] {:stock s :credit 0 :log []}))
(defn insert ([m coin] (insert m coin 1)) ([m coin times] (update m :credit + (* coin times))))
(defn change [amount] (loop [a amount [c & cs] [100 50 25 10] out []] (cond (zero? a) out (nil? c) (conj out [:lost a]) :else (recur (rem a c) cs (cond-> out (pos? (quot a c)) (conj [c (quot a c)]))))))
(defn buy [{:keys [stock credit] :as m} item]
  (if-let [{:keys [price n]} (stock item)]
    (cond (zero? n) (update m :log conj [:sold-out item])
          (< credit price) (update m :log conj [:need (- price credit)])
          :else (-> m (update-in [:stock item :n] dec) (assoc :credit 0) (update :log conj [:ok item (change (- credit price))])))
    (update m :log conj [:unknown item])))
(-> (make) (insert 100) (buy :cola) (insert 25 3) (buy :cola) (buy :chips) (buy :gum) (select-keys [:log :credit]))
;;;; walk: keywordize, strip nils, collect
(require '[clojure.walk :as w :refer [postwalk prewalk]])
(def doc {"id" 1 "tags" ["a" nil "b"] "meta" {"created" nil "by" {"name" "Al" "age" 30}} "scores" '(1 2 3)})
(defn strip-nils [x] (postwalk (fn [n] (cond (map? n) (into {} (remove (comp nil? val)) n) (vector? n) (filterv some? n) :else n)) x))
(defn depth [x] (if (coll? x) (inc (reduce max 0 (map depth (if (map? x) (vals x) x)))) 0))
(let [k (w/keywordize-keys doc)]
  {:k k :clean (strip-nils k) :depth (depth doc)
   :inc (prewalk #(if (number? %) (inc %) %) (select-keys k [:id :scores]))
   :strings (filter string? (tree-seq coll? #(if (map? %) (vals %) %) k))
   :back (= doc (w/stringify-keys k))})
;;;; flatten nested map to dotted paths and back
(defn flatten-paths
  ([m] (flatten-paths [] m))
  ([prefix m] (reduce-kv (fn [acc k v] (let [p (conj prefix k)] (if (and (map? v) (seq v)) (merge acc (flatten-paths p v)) (assoc acc p v)))) {} m)))
(defn unflatten [m] (reduce (fn [acc [p v]] (assoc-in acc p v)) {} m))
(def conf {:db {:host "h" :port 5432 :opts {:ssl true}} :debug false :empty {}})
(let [flat (flatten-paths conf)]
  [(into (sorted-map) (map (fn [[p v]] [(clojure.string/join "." (map name p)) v])) flat)
   (= conf (unflatten flat))
   (get-in conf (first (filter #(= :ssl (peek %)) (keys flat))))])
;;;; deep merge and config layers
(defn deep-merge [& ms]
  (apply merge-with (fn [a b] (if (and (map? a) (map? b)) (deep-merge a b) b)) ms))
(def defaults {:server {:port 80 :hosts ["a"]} :log {:level :info}})
(def env {:server {:port 8080} :log {:level :debug :file "x.log"}})
(def cli {:server {:hosts ["b" "c"]} :verbose true})
[(deep-merge defaults env cli) (deep-merge) (deep-merge defaults nil) (reduce deep-merge [{:a {:b 1}} {:a {:c 2}} {:a 5}])]
;;;; diff without auto keywords
(defn map-diff [a b]
  (let [ka (set (keys a)) kb (set (keys b))]
    {:added (select-keys b (clojure.set/difference kb ka))
     :removed (select-keys a (clojure.set/difference ka kb))
     :changed (into {} (for [k (clojure.set/intersection ka kb) :when (not= (a k) (b k))] [k [(a k) (b k)]]))}))
[(map-diff {:a 1 :b 2 :c nil} {:b 3 :c nil :d 4}) (clojure.data/diff {:a 1 :b {:c 2}} {:a 1 :b {:c 3 :d 4}})]
;;;; destructuring galore
(defn f1 [{:keys [a b] :or {a 10 b 20} :as m}] [a b m])
(defn f2 [& {:keys [x y] :or {y :dflt}}] [x y])
(defn f3 [[a [b & bs] {:keys [c] [d] :ds}] & more] {:a a :b b :bs bs :c c :d d :more more})
(defn f4 [{{:keys [city] {:keys [lat lon]} :geo} :address n :name :or {n "anon"}}] [n city lat lon])
(let [[x _ y :as all] "hey"
      {:strs [k] :keys [:q] s :s/t} {"k" 1 :q 2 :s/t 3}
      {a 0 z 2} [:zero :one :two]
      [[h & t] & rst] [[1 2 3] 4 5]
      {:user/keys [id email]} {:user/id 7 :user/email "e@x"}]
  [(f1 {:a 1}) (f1 nil) (f2 :x 1) (f2 :y 2 :x 3) (f3 [1 [2 3 4] {:c 5 :ds [6]}] 7 8)
   (f4 {:address {:city "Rome" :geo {:lat 41.9 :lon 12.5}}}) [x y all] [k q s] [a z] [h t rst] [id email]])
;;;; loop destructuring and interleaved lists
(defn merge-sorted [xs ys]
  (loop [[x & xt :as xs] (seq xs) [y & yt :as ys] (seq ys) out []]
    (cond (and (nil? xs) (nil? ys)) out
          (nil? xs) (into out ys)
          (nil? ys) (into out xs)
          (<= x y) (recur xt ys (conj out x))
          :else (recur xs yt (conj out y)))))
(defn msort [xs] (if (< (count xs) 2) (vec xs) (apply merge-sorted (map msort (split-at (quot (count xs) 2) xs)))))
[(merge-sorted [1 4 6] '(2 3 9 10)) (merge-sorted [] [1]) (msort [5 2 9 1 5 6 -3]) (msort ())]
;;;; function pipelines without state
(def safe-inc (fnil inc 0))
(def stats (juxt count #(reduce + %) #(apply min %) #(apply max %)))
(def valid? (every-pred number? pos? even?))
(def lookup (some-fn :nick :name (constantly "?")))
(def pipeline (comp (partial str/join ",") (partial map (comp str/capitalize str/trim)) #(str/split % #";")))
[(safe-inc nil) (stats [3 1 2]) (filter valid? [2 -2 3 "4" 8]) (map lookup [{:nick "N" :name "M"} {:name "M"} {}])
 (pipeline " ann; bob ;cy") (map (complement #{1 2}) [1 3]) ((apply comp (repeat 3 inc)) 0) (reduce #(%2 %1) 5 [inc str keyword])
 (apply map + [[1 2] [10 20]]) ((partial format "%s-%s" 1) 2) (map #((juxt quot rem) 17 %) [3 5])]
;;;; lazy sequences of every kind
(def fibs (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
(def triangles (reductions + (rest (range))))
(def collatz (fn [n] (concat (take-while #(not= 1 %) (iterate #(if (even? %) (/ % 2) (inc (* 3 %))) n)) [1])))
{:fib (take 12 fibs) :tri (take 6 triangles) :collatz (collatz 6)
 :cyc (take 7 (cycle [:a :b :c])) :inter (take 5 (interleave (range) (repeat :x)))
 :first-big (first (drop-while #(< % 1000) fibs)) :longest (apply max-key (comp count collatz) (range 1 20))
 :pairs (take 4 (for [a (range 1 10) b (range a 10) :when (= 10 (+ a b))] [a b])) :nth (nth fibs 50)}
;;;; transducers composed and stateful
(def xf (comp (filter odd?) (map #(* % %)) (take-while #(< % 200)) (partition-all 3)))
(def clean (comp (map str/trim) (remove str/blank?) (distinct)))
[(into [] xf (range 100)) (sequence (comp (dedupe) (map-indexed vector)) [1 1 2 2 1]) (transduce (comp (mapcat range) (remove zero?)) + 0 [1 2 3 4])
 (into #{} clean [" a" "b " "" "a"]) (into {} (map (juxt identity count)) ["x" "yy"]) (transduce (map count) max 0 ["a" "ccc" "bb"])
 (into (sorted-map) (comp (partition-by odd?) (map-indexed (fn [i g] [i (count g)]))) [1 3 2 4 6 5]) (sequence (interpose :sep) [1 2 3]) (transduce (comp (take-nth 2) (keep #(when (> % 2) (str %)))) str "" (range 9))]
;;;; sorted collections and ranges
(def m (into (sorted-map) {"pear" 3 "apple" 7 "fig" 1}))
(def s (sorted-set 5 1 9 3))
[(first m) (last s) (keys m) (rseq (vec s)) (take-while #(< % 6) s) (assoc m "banana" 2) (dissoc m "fig") (conj s 4) (disj s 9) (contains? s 3) (get m "kiwi" 0) (reduce-kv (fn [a k v] (+ a v)) 0 m) (map (fn [[k v]] (str k v)) m) (into s [0 100]) (s 5) (m "fig")]
;;;; matrix of namespaced keys and keyword functions
(def users [{:user/id 1 :user/name "A" :role/level 3} {:user/id 2 :user/name "B"}])
[(map :user/name users) (map (comp name key) (first users)) (map namespace (keys (first users))) (group-by #(contains? % :role/level) users)
 (into {} (map (fn [[k v]] [(keyword (name k)) v])) (first users)) (keyword "user" "id") (= :user/id (keyword "user/id")) (select-keys (first users) [:user/id]) (sort (keys (first users)))]
;;;; scheduling: earliest deadline and interval partitioning
(def jobs [{:id :a :start 1 :end 4 :w 5} {:id :b :start 3 :end 5 :w 1} {:id :c :start 0 :end 6 :w 8} {:id :d :start 4 :end 7 :w 4} {:id :e :start 6 :end 10 :w 6}])
(defn greedy [js] (:picked (reduce (fn [{:keys [free] :as acc} {:keys [id start end]}] (if (>= start free) (-> acc (assoc :free end) (update :picked conj id)) acc)) {:free 0 :picked []} (sort-by :end js))))
(defn weighted [js]
  (let [js (vec (sort-by :end js))
        prev (fn [i] (last (filter #(<= (:end (js %)) (:start (js i))) (range i))))
        best (reduce (fn [dp i] (let [take-it (+ (:w (js i)) (if-let [p (prev i)] (dp p) 0))] (conj dp (max take-it (if (pos? i) (dp (dec i)) 0))))) [] (range (count js)))]
    (peek best)))
(defn rooms [js] (->> js (mapcat (fn [{:keys [start end]}] [[start 1] [end -1]])) (sort-by (juxt first second)) (reductions (fn [n [_ d]] (+ n d)) 0) (apply max)))
{:greedy (greedy jobs) :weighted (weighted jobs) :rooms (rooms jobs) :timeline (into (sorted-map) (for [t (range 0 10 2)] [t (set (map :id (filter #(and (<= (:start %) t) (< t (:end %))) jobs)))]))}
;;;; round robin cpu scheduler
(defn rr [procs q]
  (loop [queue (into clojure.lang.PersistentQueue/EMPTY procs) t 0 trace [] done {}]
    (if-let [[id left] (peek queue)]
      (let [run (min q left) t' (+ t run) left' (- left run)]
        (recur (cond-> (pop queue) (pos? left') (conj [id left'])) t' (conj trace [id t t']) (cond-> done (zero? left') (assoc id t'))))
      {:trace trace :done done :avg (/ (reduce + (vals done)) (double (count done)))})))
(rr [[:p1 5] [:p2 3] [:p3 1]] 2)
;;;; round robin tournament by circle method
(defn rounds [teams]
  (let [ts (cond-> (vec teams) (odd? (count teams)) (conj :bye)) n (count ts) half (quot n 2)]
    (for [r (range (dec n))
          :let [[h & more] ts rot (take (dec n) (drop r (cycle more))) all (cons h rot)]]
      (->> (map vector (take half all) (reverse (drop half all))) (remove #(some #{:bye} %)) vec))))
(let [rs (rounds [:a :b :c :d :e])] {:rounds rs :games (count (apply concat rs)) :unique (count (set (map set (apply concat rs)))) :per-team (frequencies (flatten rs))})
;;;; parking lot with spots as a map
(def lot {:small {1 nil 2 nil} :large {10 nil}})
(defn fits [size] (case size :moto [:small :large] :car [:small :large] :truck [:large]))
(defn free-spot [lot kind] (some (fn [[n v]] (when (nil? v) n)) (sort-by key (get lot kind))))
(defn park [lot {:keys [plate size]}]
  (if-let [[kind n] (first (for [k (fits size) :let [n (free-spot lot k)] :when n] [k n]))]
    [(assoc-in lot [kind n] plate) [:parked plate kind n]]
    [lot [:full plate]]))
(defn leave [lot plate]
  (if-let [[kind n] (first (for [[k spots] lot [n p] spots :when (= p plate)] [k n]))]
    [(assoc-in lot [kind n] nil) [:left plate]]
    [lot [:unknown plate]]))
(let [cmds [[:park {:plate "A" :size :car}] [:park {:plate "T" :size :truck}] [:park {:plate "B" :size :moto}] [:park {:plate "C" :size :car}] [:leave "A"] [:park {:plate "C" :size :car}] [:leave "Z"]]]
  (reduce (fn [[lot log] [cmd arg]] (let [[lot msg] ((case cmd :park park :leave leave) lot arg)] [lot (conj log msg)])) [lot []] cmds))
;;;; library loans with fines
(def catalog {:b1 {:title "SICP" :copies 1} :b2 {:title "Joy" :copies 2}})
(defn checkout [{:keys [books loans] :as lib} who id day]
  (cond
    (nil? (books id)) (throw (ex-info "Unknown book" {:id id}))
    (zero? (get-in books [id :copies])) (throw (ex-info "Not available" {:id id :title (get-in books [id :title])}))
    (>= (count (filter #(= who (:who %)) loans)) 2) (throw (ex-info "Too many" {:who who}))
    :else (-> lib (update-in [:books id :copies] dec) (update :loans conj {:who who :id id :due (+ day 14)}))))
(defn give-back [{:keys [loans] :as lib} who id day]
  (let [{:keys [due] :as loan} (first (filter #(= [who id] ((juxt :who :id) %)) loans))]
    (-> lib (update-in [:books id :copies] inc) (assoc :loans (filterv #(not= loan %) loans))
        (cond-> (> day due) (update-in [:fines who] (fnil + 0) (* 0.25 (- day due)))))))
(defn safe [lib f & args] (try (apply f lib args) (catch Exception e (update lib :errors (fnil conj []) [(ex-message e) (ex-data e)]))))
(-> {:books catalog :loans []} (safe checkout :ann :b1 0) (safe checkout :bob :b1 1) (safe checkout :ann :b2 2) (safe checkout :ann :b2 3) (safe checkout :ann :b9 3) (safe give-back :ann :b1 20) (dissoc :books))
;;;; priority queue via sorted-map of queues
(defn enq [pq p x] (update pq p (fnil conj []) x))
(defn deq [pq] (when-let [[p [x & more]] (first pq)] [x (if more (assoc pq p (vec more)) (dissoc pq p))]))
(let [pq (-> (sorted-map) (enq 5 :low) (enq 1 :urgent) (enq 3 :mid) (enq 1 :urgent2))]
  [(count pq) (loop [pq pq out []] (if-let [[x pq] (deq pq)] (recur pq (conj out x)) out)) (first (deq pq)) (keys pq) (deq (sorted-map))])
;;;; event loop with timers as sorted set
(defn run [events horizon]
  (loop [q (into (sorted-set) events) log []]
    (let [[t id every :as ev] (first q)]
      (if (or (nil? ev) (> t horizon)) log
        (recur (cond-> (disj q ev) every (conj [(+ t every) id every])) (conj log [t id]))))))
(run [[0 :a 3] [2 :b 5] [4 :once]] 10)
;;;; rate limiter sliding window
(defn allow? [{:keys [limit window hits] :as st} now]
  (let [recent (filterv #(> % (- now window)) hits)]
    (if (< (count recent) limit) [(assoc st :hits (conj recent now)) true] [(assoc st :hits recent) false])))
(second (reduce (fn [[st out] t] (let [[st ok] (allow? st t)] [st (conj out [t ok])])) [{:limit 2 :window 10 :hits []} []] [1 2 3 11 12 13 22]))
;;;; circuit breaker
(defn call [{:keys [state fails opened-at] :as cb} now f]
  (if (and (= state :open) (< (- now opened-at) 5))
    [cb :rejected]
    (try
      (let [v (f)] [(assoc cb :state :closed :fails 0) v])
      (catch Exception e
        (let [fails (inc fails)]
          [(cond-> (assoc cb :fails fails) (>= fails 2) (assoc :state :open :opened-at now)) [:error (.getMessage e)]])))))
(let [ok (constantly :ok) bad #(throw (RuntimeException. "boom"))]
  (->> [[0 ok] [1 bad] [2 bad] [3 ok] [6 ok] [8 ok]]
       (reductions (fn [[cb _] [t f]] (call cb t f)) [{:state :closed :fails 0} nil])
       rest (map (fn [[cb r]] [(:state cb) r]))))
;;;; tree folding with zippers by hand
(def tree {:v 1 :kids [{:v 2 :kids [{:v 4} {:v 5}]} {:v 3 :kids [{:v 6}]}]})
(defn tree-map [f t] (-> t (update :v f) (cond-> (:kids t) (update :kids (partial mapv #(tree-map f %))))))
(defn tree-fold [f t] (f (:v t) (map (partial tree-fold f) (:kids t))))
(defn levels [t] (->> [t] (iterate #(mapcat :kids %)) (take-while seq) (map #(map :v %))))
(defn draw [t depth] (println (str (apply str (repeat depth "  ")) "- " (:v t))) (doseq [k (:kids t)] (draw k (inc depth))))
(draw tree 0)
[(tree-fold (fn [v ks] (apply + v ks)) tree) (tree-fold (fn [_ ks] (inc (apply max 0 ks))) tree) (levels tree) (map :v (tree-seq :kids :kids (tree-map #(* 10 %) tree))) (get-in tree [:kids 0 :kids 1 :v])]
;;;; org chart from parent ids
(def emps [{:id 1 :name "CEO" :boss nil :pay 300} {:id 2 :name "CTO" :boss 1 :pay 200} {:id 3 :name "Dev" :boss 2 :pay 100} {:id 4 :name "CFO" :boss 1 :pay 190} {:id 5 :name "QA" :boss 2 :pay 90}])
(def by-boss (group-by :boss emps))
(def by-id (into {} (map (juxt :id identity)) emps))
(defn build [{:keys [id name]}] (let [rs (map build (by-boss id))] (cond-> {:name name} (seq rs) (assoc :reports (vec rs)))))
(defn cost [{:keys [id pay]}] (reduce + pay (map cost (by-boss id))))
(defn chain [id] (->> (by-id id) (iterate (comp by-id :boss)) (take-while some?) (mapv :name)))
{:tree (build (first (by-boss nil))) :cost (into {} (map (juxt :name cost)) emps) :chain (chain 5) :depth (apply max (map (comp count chain :id) emps)) :managers (sort (keep (comp :name by-id) (keys by-boss)))}
;;;; permissions with role inheritance
(def roles {:guest {:can #{:read}} :user {:inherits [:guest] :can #{:comment}} :mod {:inherits [:user] :can #{:delete}} :admin {:inherits [:mod :auditor] :can #{:ban}} :auditor {:can #{:logs}}})
(defn perms [role] (let [{:keys [inherits can]} (roles role)] (reduce into (or can #{}) (map perms inherits))))
(defn allowed? [user action] (contains? (into #{} (mapcat perms) (:roles user)) action))
(defn why [role p] (some (fn path [r] (if (contains? (get-in roles [r :can]) p) [r] (when-let [q (some path (get-in roles [r :inherits]))] (cons r q)))) [role]))
[(sort (perms :admin)) (allowed? {:roles [:user]} :read) (allowed? {:roles [:user :auditor]} :ban) (why :admin :read) (why :guest :ban) (update-vals (into (sorted-map) roles) (comp count :can))]
;;;; elo ratings
(defn expected [a b] (/ 1.0 (+ 1 (Math/pow 10 (/ (- b a) 400.0)))))
(defn play [ratings [w l]]
  (let [e (expected (ratings w) (ratings l)) d (* 32 (- 1 e))]
    (-> ratings (update w + d) (update l - d))))
(let [rs (reductions play {:a 1000 :b 1000 :c 1000} [[:a :b] [:b :c] [:a :c]])]
  [(map (fn [r] (update-vals r #(Math/round (double %)))) rs) (key (apply max-key val (last rs))) (Math/round (reduce + (vals (last rs))))])
;;;; poker hand ranks
(def order (zipmap "23456789TJQKA" (range 2 15)))
(defn parse [h] (map (fn [[r s]] {:r (order r) :s s}) (str/split h #" ")))
(defn classify [h]
  (let [cs (parse h) rs (sort > (map :r cs)) groups (sort-by (fn [[r n]] [(- n) (- r)]) (frequencies rs))
        shape (map second groups) flush (apply = (map :s cs)) straight (or (= rs [14 5 4 3 2]) (= rs (range (first rs) (- (first rs) 5) -1)))]
    [(cond (and flush straight) :straight-flush (= shape [4 1]) :four (= shape [3 2]) :full-house flush :flush straight :straight (= shape [3 1 1]) :three (= shape [2 2 1]) :two-pair (= shape [2 1 1 1]) :pair :else :high-card)
     (map first groups)]))
(map classify ["TH JH QH KH AH" "2C 2D 2H 2S 9D" "3C 3D 3H 7S 7D" "AH 2D 3C 4S 5H" "9H 9D 4C 4S KH" "2H 7H 9H JH KH" "AS KD 9C 5H 3D"])
;;;; blackjack values
(defn card-value [c] (condp contains? c #{"J" "Q" "K"} 10 #{"A"} 11 (Integer/parseInt c)))
(defn score [hand]
  (loop [total (reduce + (map card-value hand)) aces (count (filter #{"A"} hand))]
    (if (and (> total 21) (pos? aces)) (recur (- total 10) (dec aces)) total)))
(defn outcome [p d] (let [ps (score p) ds (score d)] (cond (> ps 21) :bust (> ds 21) :win (= ps ds) :push (> ps ds) :win :else :lose)))
[(map score [["A" "K"] ["A" "A" "9"] ["10" "5" "9"] ["A" "A" "A" "A"]]) (outcome ["10" "9"] ["10" "8"]) (outcome ["10" "9" "5"] ["2" "3"]) (outcome ["A" "K"] ["A" "Q"])]
;;;; mastermind scoring
(defn score [secret guess]
  (let [black (count (filter true? (map = secret guess)))
        common (reduce + (vals (merge-with min (select-keys (frequencies secret) (distinct guess)) (select-keys (frequencies guess) (distinct secret)))))]
    {:black black :white (- common black)}))
(defn consistent [pool history] (filter (fn [c] (every? (fn [[g s]] (= s (score c g))) history)) pool))
(let [pool (for [a (range 1 4) b (range 1 4) c (range 1 4)] [a b c]) secret [2 1 3] guesses [[1 1 2] [3 1 2] [2 1 3]]]
  [(map #(score secret %) guesses) (count (consistent pool [[[1 1 2] (score secret [1 1 2])]])) (consistent pool (map (juxt identity #(score secret %)) (take 2 guesses)))])
;;;; connect four winner
(def board ["......." "......." "...R..." "..RY..." ".RYY..." "RYYRR.."])
(defn at [r c] (let [v (get-in board [r c])] (when-not (= v \.) v)))
(defn line [[r c] [dr dc]] (map (fn [i] (at (+ r (* i dr)) (+ c (* i dc)))) (range 4)))
(defn winner [] (first (for [r (range 6) c (range 7) d [[0 1] [1 0] [1 1] [1 -1]] :let [l (line [r c] d)] :when (and (first l) (apply = l))] {:who (str (first l)) :from [r c] :dir d})))
[(winner) (map #(count (remove #{\.} %)) board) (for [c (range 7) :when (not (at 0 c))] c)]
;;;; snakes and ladders with fixed dice
(def jumps {3 22 5 8 11 26 20 29 27 1 21 9 17 4 19 7})
(defn move [pos die] (let [p (+ pos die)] (if (> p 30) pos (get jumps p p))))
(let [dice [3 4 6 2 5 1 6 4 3 5 6 1 2 1]
      path (reductions (fn [p d] (let [n (move p d)] (if (= n 30) (reduced :won) n))) 0 dice)]
  {:path path :visits (into (sorted-map) (frequencies (filter number? path))) :end (last path)})
;;;; langton ant and rule 110
(defn ant [{:keys [pos dir black]}]
  (let [turn (if (black pos) -1 1) dir (mod (+ dir turn) 4) black (if (black pos) (disj black pos) (conj black pos))]
    {:pos (mapv + pos ([[0 -1] [1 0] [0 1] [-1 0]] dir)) :dir dir :black black}))
(defn rule [n cells] (let [bits (zipmap (for [a [1 1 1 1 0 0 0 0] ] a) (range))] (mapv (fn [[a b c]] (if (bit-test n (+ (* 4 a) (* 2 b) c)) 1 0)) (partition 3 1 (concat [0] cells [0])))))
(let [end (nth (iterate ant {:pos [0 0] :dir 0 :black #{}}) 100)]
  (doseq [row (take 6 (iterate (partial rule 110) [0 0 0 0 0 0 0 0 0 1]))] (println (str/join (map [" " "#"] row))))
  [(count (:black end)) (:pos end)])
;;;; bowling with frames
(defn frames [rolls]
  (loop [[a b c :as rs] rolls n 1 out []]
    (cond (empty? rs) out (= n 10) (conj out (vec rs))
          (= 10 a) (recur (rest rs) (inc n) (conj out [a]))
          :else (recur (drop 2 rs) (inc n) (conj out [a b])))))
(defn score [rolls] (loop [rs rolls n 0 total 0] (if (= n 10) total (let [[a b c] rs] (cond (= a 10) (recur (next rs) (inc n) (+ total a b c)) (= 10 (+ a b)) (recur (nnext rs) (inc n) (+ total a b c)) :else (recur (nnext rs) (inc n) (+ total a b)))))))
[(score (repeat 12 10)) (score (repeat 20 4)) (score (concat [5 5 3] (repeat 17 0))) (frames [10 3 6 5 5 0 0 0 0 0 0 0 0 0 0 0 0 10 1 2]) (try (score [1 2]) (catch NullPointerException e :incomplete))]
;;;; dungeon: fold commands with multi-way dispatch map
(def handlers
  {:move (fn [s [dir n]] (update s :pos (fn [[x y]] (case dir :n [x (+ y n)] :s [x (- y n)] :e [(+ x n) y] :w [(- x n) y]))))
   :pick (fn [s [item]] (update s :bag (fnil conj #{}) item))
   :drop (fn [s [item]] (update s :bag disj item))
   :undo (fn [s _] (or (peek (:history s)) s))})
(defn exec [s [cmd & args]]
  (if-let [h (handlers cmd)]
    (let [s' (h s args)] (if (= cmd :undo) s' (update s' :history (fnil conj []) (dissoc s :history))))
    (update s :errors (fnil conj []) (str "unknown: " (name cmd)))))
(-> (reduce exec {:pos [0 0]} [[:move :n 3] [:pick :key] [:move :e 2] [:undo] [:fly :up] [:drop :key] [:pick :map]]) (dissoc :history))
