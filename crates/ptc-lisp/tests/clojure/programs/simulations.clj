;;;; state machine
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
;=> {:final :idle, :trace (:idle :running :paused :paused :running :error :error :idle), :ignored [[:paused :bogus] [:error :start]], :reachable (:error :idle :paused :running)}
;;;; bank account simulation
(defn apply-tx [{:keys [balance] :as acct} {:keys [type amount]}]
  (case type
    :deposit (-> acct (update :balance + amount) (update :log conj [:ok type amount]))
    :withdraw (if (> amount balance)
                (update acct :log conj [:declined type amount])
                (-> acct (update :balance - amount) (update :log conj [:ok type amount])))
    (update acct :log conj [:unknown type])))
(reduce apply-tx {:balance 100 :log []}
        [{:type :deposit :amount 50} {:type :withdraw :amount 500} {:type :withdraw :amount 30} {:type :fee}])
;=> {:balance 120, :log [[:ok :deposit 50] [:declined :withdraw 500] [:ok :withdraw 30] [:unknown :fee]]}
;;;; queue simulation with loop
(defn simulate [jobs workers]
  (loop [t 0 queue (vec jobs) running [] done []]
    (let [[finished still] ((juxt filter remove) #(<= (:end %) t) running)
          free (- workers (count still))
          starting (map #(assoc % :end (+ t (:len %))) (take free queue))
          queue (vec (drop free queue))
          running (into (vec still) starting)
          done (into done (map #(vector (:id %) (:end %)) finished))]
      (if (and (empty? queue) (empty? running))
        {:time t :done done}
        (recur (inc t) queue running done)))))
(simulate [{:id :a :len 3} {:id :b :len 1} {:id :c :len 2} {:id :d :len 2}] 2)
;=> {:time 5, :done [[:b 1] [:a 3] [:c 3] [:d 5]]}
;;;; LRU cache simulation with reduce
(defn touch [{:keys [order store cap] :as c} [op k v]]
  (case op
    :put (let [order (conj (vec (remove #{k} order)) k)
               evict (when (> (count order) cap) (first order))]
           (-> c (assoc :order (if evict (subvec order 1) order)) (update :store assoc k v) (cond-> evict (update :store dissoc evict))))
    :get (if (contains? store k)
           (-> c (update :hits inc) (assoc :order (conj (vec (remove #{k} order)) k)))
           (update c :misses inc))))
(-> (reduce touch {:order [] :store {} :cap 2 :hits 0 :misses 0} [[:put :a 1] [:put :b 2] [:get :a] [:put :c 3] [:get :b] [:get :a]])
    (update :store (partial into (sorted-map))))
;=> {:order [:c :a], :store {:a 1, :c 3}, :cap 2, :hits 2, :misses 1}
;;;; game of life
(defn neighbours [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn neighbours2 [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not (and (zero? dx) (zero? dy)))] [(+ x dx) (+ y dy)]))
(defn life-step [cells] (set (for [[c n] (frequencies (mapcat neighbours2 cells)) :when (or (= n 3) (and (= n 2) (cells c)))] c)))
(let [blinker #{[0 1] [1 1] [2 1]}]
  [(count (neighbours [0 0])) (sort (life-step blinker)) (= blinker (life-step (life-step blinker)))
   (sort (nth (iterate life-step #{[1 0] [2 1] [0 2] [1 2] [2 2]}) 4))])
;=> [8 ([1 0] [1 1] [1 2]) true ([1 3] [2 1] [2 3] [3 2] [3 3])]
;;;; stack machine
(defn run [program]
  (loop [pc 0 stack [] out []]
    (if-let [[op arg] (get program pc)]
      (let [a (peek stack) b (peek (pop (if (empty? stack) [nil nil] (if (next stack) stack (into [nil] stack)))))]
        (case op
          :push (recur (inc pc) (conj stack arg) out)
          :add (recur (inc pc) (conj (pop (pop stack)) (+ b a)) out)
          :mul (recur (inc pc) (conj (pop (pop stack)) (* b a)) out)
          :dup (recur (inc pc) (conj stack a) out)
          :jz (recur (if (zero? a) arg (inc pc)) (pop stack) out)
          :jmp (recur arg stack out)
          :print (recur (inc pc) (pop stack) (conj out a))
          :halt {:out out :stack stack}
          [:error op pc]))
      {:out out :stack stack :end pc})))
[(run [[:push 2] [:push 3] [:add] [:dup] [:mul] [:print]]) (run [[:push 0] [:jz 3] [:halt] [:push 9] [:halt]]) (run [[:bogus]])]
;=> [{:out [25], :stack [], :end 6} {:out [], :stack [9]} [:error :bogus 0]]
;;;; state machine (2)
(def transitions
  {:idle {:coin :ready}
   :ready {:push :idle :coin :ready :fail :broken}
   :broken {:repair :idle}})
(defn step [state event] (get-in transitions [state event] state))
(defn run
  ([events] (run :idle events))
  ([state [e & es]] (if e (recur (step state e) es) state)))
[(run [:coin :push :coin :fail :coin]) (reductions step :idle [:coin :push :push :coin :fail :repair]) (run :broken [])]
;=> [:broken (:idle :ready :idle :idle :ready :broken :idle) :broken]
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
;=> [{:final :green, :counts {:red 3, :green 2, :yellow 2}, :log ["red" "green" "yellow" "red" "green" "yellow" "red"]} ["bad light" {:state :blue}]]
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
;=> {:balances {"a" 20, "b" 50}, :errors [[3 "Insufficient funds" {:acct "b", :needed 25}] [4 "unknown type :bogus"]]}
;;;; game of life (2)
(defn neighbours [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn step [cells] (set (for [[loc n] (frequencies (mapcat neighbours cells)) :when (or (= n 3) (and (= n 2) (cells loc)))] loc)))
(defn render [cells w h] (clojure.string/join "\n" (for [y (range h)] (apply str (for [x (range w)] (if (cells [x y]) \# \.))))))
(let [blinker #{[1 0] [1 1] [1 2]} gens (take 3 (iterate step blinker))]
  (println (render (second gens) 3 3))
  (map sort gens))
;out> ...
;out> ###
;out> ...
;=> (([1 0] [1 1] [1 2]) ([0 1] [1 1] [2 1]) ([1 0] [1 1] [1 2]))
;;;; tic tac toe
(def board [[:x :o :x] [:o :x :o] [:o :x :x]])
(defn winner [b]
  (let [lines (concat b (apply map vector b) [(map-indexed #(get %2 %1) b) (map-indexed #(get %2 (- 2 %1)) b)])]
    (some (fn [l] (when (and (apply = l) (first l)) (first l))) lines)))
[(winner board) (winner [[nil nil nil] [:o :o :o] [:x :x nil]]) (winner (vec (repeat 3 (vec (repeat 3 nil)))))]
;=> [:x :o nil]
;;;; grid walk
(def grid ["..#." "...." "#..S"])
(defn find-char [g c] (first (for [[r row] (map-indexed vector g) [col ch] (map-indexed vector row) :when (= ch c)] [r col])))
(defn open? [g [r c]] (let [ch (get-in g [r c])] (and ch (not= ch \#))))
(defn moves [g [r c]] (filter #(open? g %) [[(dec r) c] [(inc r) c] [r (dec c)] [r (inc c)]]))
(defn flood [g start] (loop [seen #{start} frontier [start] d 0 dists {start 0}] (let [nxt (distinct (remove seen (mapcat #(moves g %) frontier)))] (if (empty? nxt) dists (recur (into seen nxt) nxt (inc d) (into dists (map #(vector % (inc d))) nxt))))))
(let [s (find-char grid \S) d (flood grid s)] {:start s :count (count d) :far (apply max (vals d)) :top (d [0 0])})
;=> {:start [2 3], :count 10, :far 5, :top 5}
;;;; robot
(def dirs [:n :e :s :w])
(def deltas {:n [0 1] :e [1 0] :s [0 -1] :w [-1 0]})
(defn turn [d n] (dirs (mod (+ (.indexOf dirs d) n) 4)))
(defn exec [{:keys [dir] :as r} c]
  (case c
    \L (update r :dir turn -1)
    \R (update r :dir turn 1)
    \A (update r :pos (partial mapv +) (deltas dir))))
(reduce exec {:pos [7 3] :dir :n} "RAALAL")
;=> {:pos [9 4], :dir :w}
;;;; bowling
(defn score [rolls]
  (loop [frame 1 [a b c & _ :as rs] rolls total 0]
    (cond (> frame 10) total
          (= a 10) (recur (inc frame) (rest rs) (+ total 10 b c))
          (= 10 (+ a b)) (recur (inc frame) (drop 2 rs) (+ total 10 c))
          :else (recur (inc frame) (drop 2 rs) (+ total a b)))))
[(score (repeat 12 10)) (score (repeat 20 1)) (score (concat [5 5 3] (repeat 17 0)))]
;=> [300 20 16]
;;;; atom ledger
(def balance (atom 100))
(swap! balance - 30)
(swap! balance + 5)
@balance
;!> parse_error
;clojure> 75
;deviation> no macros, mutable state, symbols
;;;; bank simulation reduce
(defn account [id] {:id id :balance 0 :history []})
(defn deposit [acct amt] (-> acct (update :balance + amt) (update :history conj [:deposit amt])))
(defn withdraw [{:keys [balance] :as acct} amt] (if (> amt balance) (update acct :history conj [:rejected amt]) (-> acct (update :balance - amt) (update :history conj [:withdraw amt]))))
(defn accrue [acct rate] (update acct :balance #(Math/round (* % (+ 1.0 rate)))))
(let [final (-> (account "x") (deposit 100) (withdraw 30) (withdraw 500) (accrue 0.05) (deposit 7))]
  (assoc final :summary (reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} (:history final))))
;=> {:id "x", :balance 81, :history [[:deposit 100] [:withdraw 30] [:rejected 500] [:deposit 7]], :summary {:deposit 107, :withdraw 30, :rejected 500}}
;;;; priority queue tasks
(def tasks [{:id :a :pri 2 :deps []} {:id :b :pri 1 :deps [:a]} {:id :c :pri 5 :deps []} {:id :d :pri 4 :deps [:b :c]}])
(defn schedule [tasks]
  (loop [done [] pending (set (map :id tasks))]
    (if (empty? pending) done
      (let [ready (->> tasks (filter #(and (pending (:id %)) (every? (set done) (:deps %)))) (sort-by (juxt (comp - :pri) :id)))]
        (if-let [t (first ready)] (recur (conj done (:id t)) (disj pending (:id t))) [:deadlock done])))))
(schedule tasks)
;=> [:c :a :b :d]
;;;; event sourcing
(def events [[:created {:id 1 :owner "z"}] [:item-added {:sku "a" :qty 2}] [:item-added {:sku "b" :qty 1}] [:item-removed {:sku "a"}] [:paid {:amount 9.99}]])
(defn apply-event [state [type payload]]
  (case type
    :created (merge state payload {:status :open :items {}})
    :item-added (assoc-in state [:items (:sku payload)] (:qty payload))
    :item-removed (update state :items dissoc (:sku payload))
    (:paid :refunded) (assoc state :status type :amount (:amount payload))
    state))
{:final (reduce apply-event nil events) :steps (map #(count (:items %)) (reductions apply-event {} events)) :statuses (dedupe (keep :status (reductions apply-event {} events)))}
;=> {:final {:id 1, :owner "z", :status :paid, :items {"b" 1}, :amount 9.99}, :steps (0 0 1 2 1 1), :statuses (:open :paid)}
;;;; josephus
(defn josephus [n k] (loop [xs (vec (range 1 (inc n))) i 0 out []] (if (= 1 (count xs)) {:survivor (first xs) :order out} (let [j (mod (+ i (dec k)) (count xs))] (recur (into (subvec xs 0 j) (subvec xs (inc j))) j (conj out (xs j)))))))
[(josephus 7 3) (:survivor (josephus 41 3))]
;=> [{:survivor 4, :order [3 6 2 7 5 1]} 31]
;;;; sudoku check
(def row-ok? #(= (set (range 1 5)) (set %)))
(def b [[1 2 3 4] [3 4 1 2] [2 1 4 3] [4 3 2 1]])
(defn blocks [b] (for [r [0 2] c [0 2]] (for [i [0 1] j [0 1]] (get-in b [(+ r i) (+ c j)]))))
[(every? row-ok? b) (every? row-ok? (apply map vector b)) (every? row-ok? (blocks b)) (blocks b)]
;=> [true true true ((1 2 3 4) (3 4 1 2) (2 1 4 3) (4 3 2 1))]
;;;; cache lru
(defn lru [cap] {:cap cap :order [] :data {}})
(defn touch [c k] (update c :order #(conj (vec (remove #{k} %)) k)))
(defn put [c k v] (let [c (-> c (assoc-in [:data k] v) (touch k))] (if (> (count (:data c)) (:cap c)) (let [old (first (:order c))] (-> c (update :data dissoc old) (update :order subvec 1))) c)))
(defn fetch [c k] [(get-in c [:data k]) (if (contains? (:data c) k) (touch c k) c)])
(let [c (-> (lru 2) (put :a 1) (put :b 2)) [v c] (fetch c :a) c (put c :c 3)] [v c (first (fetch c :b))])
;=> [1 {:cap 2, :order [:a :c], :data {:a 1, :c 3}} nil]
;;;; vending fsm
(defn vend [{:keys [credit stock] :as m} [op arg]]
  (condp = op
    :insert (update m :credit + arg)
    :select (let [{:keys [price qty]} (get stock arg)]
              (cond (nil? price) (assoc m :msg "unknown")
                    (zero? qty) (assoc m :msg "sold out")
                    (< credit price) (assoc m :msg (format "need %d more" (- price credit)))
                    :else (-> m (update-in [:stock arg :qty] dec) (update :credit - price) (assoc :msg (str "vend " (name arg))))))
    :refund (assoc m :credit 0 :msg (str "refund " credit))))
(map (juxt :credit :msg) (reductions vend {:credit 0 :stock {:cola {:price 150 :qty 1}}} [[:insert 100] [:select :cola] [:insert 100] [:select :cola] [:select :cola] [:select :gum] [:refund]]))
;=> ([0 nil] [100 nil] [100 "need 50 more"] [200 "need 50 more"] [50 "vend cola"] [50 "sold out"] [50 "unknown"] [0 "refund 50"])
;;;; elevator
(defn travel [floors] (reduce (fn [{:keys [pos dist log]} f] {:pos f :dist (+ dist (Math/abs (- f pos))) :log (conj log (cond (> f pos) (str "up " (- f pos)) (< f pos) (str "down " (- pos f)) :else "stay"))}) {:pos 0 :dist 0 :log []} floors))
(travel [3 1 1 7])
;=> {:pos 7, :dist 11, :log ["up 3" "down 2" "stay" "up 6"]}
;;;; parking lot
(def lot (into (sorted-map) (for [l [1 2] s [:a :b]] [[l s] nil])))
(defn park [lot car] (if-let [slot (some (fn [[k v]] (when (nil? v) k)) lot)] [(assoc lot slot car) slot] [lot :full]))
(let [[lot log] (reduce (fn [[lot log] c] (let [[l s] (park lot c)] [l (conj log [c s])])) [lot []] ["c1" "c2" "c3" "c4" "c5"])] {:log log :lot (vals lot) :freed (first (keys (filter (comp nil? val) (assoc lot [1 :b] nil))))})
;=> {:log [["c1" [1 :a]] ["c2" [1 :b]] ["c3" [2 :a]] ["c4" [2 :b]] ["c5" :full]], :lot ("c1" "c2" "c3" "c4"), :freed [1 :b]}
;;;; chess knight
(defn knight [[x y]] (for [[dx dy] [[1 2] [2 1] [-1 2] [-2 1] [1 -2] [2 -1] [-1 -2] [-2 -1]] :let [p [(+ x dx) (+ y dy)]] :when (every? #(<= 0 % 7) p)] p))
(defn min-moves [from to] (loop [frontier #{from} seen #{from} n 0] (if (frontier to) n (let [nxt (set (remove seen (mapcat knight frontier)))] (recur nxt (into seen nxt) (inc n))))))
[(sort (knight [0 0])) (min-moves [0 0] [7 7]) (count (knight [3 3]))]
;=> [([1 2] [2 1]) 6 8]
;;;; poker
(def ranks (zipmap "23456789TJQKA" (range 2 15)))
(defn classify [hand] (let [cards (clojure.string/split hand #" ") rs (map (comp ranks first) cards) ss (map second cards) groups (sort > (vals (frequencies rs))) flush? (apply = ss) sorted (sort rs) straight? (and (= 5 (count (set rs))) (= 4 (- (last sorted) (first sorted))))] (cond (and flush? straight?) :straight-flush (= groups [4 1]) :four (= groups [3 2]) :full-house flush? :flush straight? :straight (= (first groups) 3) :three (= groups [2 2 1]) :two-pair (= (first groups) 2) :pair :else [:high (apply max rs)])))
(map classify ["TH JH QH KH AH" "2H 2D 2S 3C 3D" "2H 3H 9H JH KH" "2H 3D 4S 5C 6D" "2H 2D 3S 3C 6D" "2H 4D 9S KC 6D"])
;=> (:straight-flush :full-house :flush :straight :two-pair [:high 13])
;;;; queue simulation
(defn simulate [arrivals service] (:out (reduce (fn [{:keys [free out]} a] (let [start (max free a) end (+ start service)] {:free end :out (conj out {:arrive a :wait (- start a) :done end})})) {:free 0 :out []} arrivals)))
(let [r (simulate [0 1 2 10] 3)] {:log r :avg-wait (/ (reduce + (map :wait r)) (double (count r))) :max (apply max (map :wait r)) :idle (reduce + (map (fn [[a b]] (max 0 (- (:arrive b) (:done a)))) (partition 2 1 r)))})
;=> {:log [{:arrive 0, :wait 0, :done 3} {:arrive 1, :wait 2, :done 6} {:arrive 2, :wait 4, :done 9} {:arrive 10, :wait 0, :done 13}], :avg-wait 1.5, :max 4, :idle 1}
;;;; round robin
(defn rr [quantum procs] (loop [q (vec procs) t 0 done []] (if-let [[n left] (first q)] (let [used (min quantum left) t (+ t used)] (if (= used left) (recur (subvec q 1) t (conj done [n t])) (recur (conj (subvec q 1) [n (- left used)]) t done))) done)))
(rr 2 [[:a 5] [:b 2] [:c 3]])
;=> [[:b 4] [:c 9] [:a 10]]
;;;; queue sim
(import '(clojure.lang PersistentQueue))
(defn hot-potato [names n]
  (loop [q (into PersistentQueue/EMPTY names) i 1 out []]
    (cond (= 1 (count q)) {:winner (peek q) :out out}
          (= i n) (recur (pop q) 1 (conj out (peek q)))
          :else (recur (conj (pop q) (peek q)) (inc i) out))))
(hot-potato ["a" "b" "c" "d" "e"] 3)
;=> {:winner "d", :out ["c" "a" "e" "b"]}
;;;; queue bfs grid
(def grid ["S.#" "..#" "#.E"])
(def cells (into {} (for [[y row] (map-indexed vector grid) [x c] (map-indexed vector row)] [[x y] c])))
(defn locate [ch] (some (fn [[p c]] (when (= c ch) p)) cells))
(defn bfs []
  (loop [q (conj clojure.lang.PersistentQueue/EMPTY [(locate \S) 0]) seen #{(locate \S)}]
    (when-let [[[x y :as p] d] (peek q)]
      (if (= \E (cells p)) d
        (let [ns (for [[dx dy] [[0 1] [1 0] [0 -1] [-1 0]] :let [n [(+ x dx) (+ y dy)]] :when (and (contains? cells n) (not= \# (cells n)) (not (seen n)))] n)]
          (recur (into (pop q) (map #(vector % (inc d)) ns)) (into seen ns)))))))
(bfs)
;=> 4
;;;; seating
(def seats ["L.LL" "LL#L" "#..L"])
(defn adj [g r c] (for [dr [-1 0 1] dc [-1 0 1] :when (not (and (zero? dr) (zero? dc)))] (get-in g [(+ r dr) (+ c dc)])))
(defn step [g] (vec (map-indexed (fn [r row] (apply str (map-indexed (fn [c ch] (let [n (count (filter #{\#} (adj g r c)))] (cond (and (= ch \L) (zero? n)) \# (and (= ch \#) (>= n 4)) \L :else ch))) row))) g)))
[(take 3 (iterate step seats)) (count (filter #{\#} (apply concat (nth (iterate step seats) 4))))]
;=> [(["L.LL" "LL#L" "#..L"] ["#.LL" "LL#L" "#..L"] ["#.LL" "LL#L" "#..L"]) 3]
;;;; advent depth
(def depths [199 200 208 210 200 207 240 269 260 263])
[(count (filter (partial apply <) (partition 2 1 depths))) (->> depths (partition 3 1) (map (partial reduce +)) (partition 2 1) (filter (fn [[a b]] (< a b))) count)]
;=> [7 5]
;;;; advent moves
(def cmds "forward 5\ndown 5\nforward 8\nup 3\ndown 8\nforward 2")
(let [{:keys [h d]} (reduce (fn [st line] (let [[op n] (clojure.string/split line #" ") n (parse-long n)] (case op "forward" (update st :h + n) "down" (update st :d + n) "up" (update st :d - n)))) {:h 0 :d 0} (clojure.string/split-lines cmds))] (* h d))
;=> 150
;;;; advent bits
(def report ["00100" "11110" "10110" "10111" "10101"])
(let [cols (apply map vector report) most (map #(key (apply max-key val (frequencies %))) cols) g (Integer/parseInt (apply str most) 2) e (Integer/parseInt (apply str (map {\0 \1 \1 \0} most)) 2)] [g e (* g e)])
;=> [22 9 198]
;;;; advent vents
(defn pts [[x1 y1 x2 y2]] (let [dx (Integer/signum (- x2 x1)) dy (Integer/signum (- y2 y1)) n (max (Math/abs (- x2 x1)) (Math/abs (- y2 y1)))] (for [i (range (inc n))] [(+ x1 (* i dx)) (+ y1 (* i dy))])))
(->> "0,9 -> 5,9\n8,0 -> 0,8\n9,4 -> 3,4\n2,2 -> 2,1" clojure.string/split-lines (map #(mapv parse-long (re-seq #"\d+" %))) (mapcat pts) frequencies vals (filter #(> % 1)) count)
;=> 1
;;;; advent stacks
(def moves ["move 1 from 2 to 1" "move 3 from 1 to 3"])
(defn run [stacks line] (let [[n f t] (map parse-long (re-seq #"\d+" line))] (-> stacks (update f #(drop n %)) (update t #(into (apply list %) (take n (stacks f)))))))
(let [end (reduce run {1 '("N" "Z") 2 '("D" "C" "M") 3 '("P")} moves)] [(into (sorted-map) end) (apply str (map (comp first end) [1 2 3]))])
;=> [{1 (), 2 ("C" "M"), 3 ("Z" "N" "D" "P")} "CZ"]
;;;; advent dirs
(def log ["$ cd /" "dir a" "14848514 b.txt" "$ cd a" "29116 f" "2557 g" "$ cd .." "62596 h"])
(defn exec [{:keys [cwd] :as st} line]
  (condp re-find line
    #"^\$ cd \.\.$" (update st :cwd pop)
    #"^\$ cd (.+)$" :>> (fn [[_ d]] (update st :cwd conj d))
    #"^(\d+) " :>> (fn [[_ n]] (reduce (fn [s p] (update-in s [:sizes p] (fnil + 0) (parse-long n))) st (rest (reductions conj [] cwd))))
    st))
(:sizes (reduce exec {:cwd [] :sizes {}} log))
;=> {["/"] 14942783, ["/" "a"] 31673}
;;;; lottery deterministic lcg
(defn lcg [seed] (mod (+ (* 1103515245 seed) 12345) 2147483648))
(defn rnd-seq [seed n] (map #(mod % n) (rest (iterate lcg seed))))
(defn shuffle-with [seed xs] (map second (sort-by first (map vector (rest (iterate lcg seed)) xs))))
[(take 5 (rnd-seq 42 100)) (shuffle-with 7 [:a :b :c :d]) (take 3 (distinct (rnd-seq 1 6)))]
;=> [(27 64 53 6 35) (:b :c :a :d) (0 3 4)]
;;;; state machine with loop text
(defn strip-comments [s]
  (loop [[c n :as cs] (seq s) state :code out ""]
    (if (empty? cs) out
      (case state
        :code (cond (and (= c \/) (= n \*)) (recur (drop 2 cs) :block out) (and (= c \/) (= n \/)) (recur (drop 2 cs) :line out) :else (recur (rest cs) :code (str out c)))
        :block (if (and (= c \*) (= n \/)) (recur (drop 2 cs) :code out) (recur (rest cs) :block out))
        :line (if (= c \newline) (recur cs :code out) (recur (rest cs) :line out))))))
(strip-comments "a /* b */ c // d\ne")
;=> "a  c \ne"
;;;; tournament rounds
(defn rounds [teams] (let [n (count teams) [f & r] teams] (for [i (range (dec n))] (let [rot (take (dec n) (drop i (cycle r))) line (cons f rot)] (map vector (take (/ n 2) line) (reverse (drop (/ n 2) line)))))))
(rounds [:a :b :c :d])
;=> (([:a :d] [:b :c]) ([:a :b] [:c :d]) ([:a :c] [:d :b]))
;;;; elo
(defn expected [a b] (/ 1.0 (+ 1 (Math/pow 10 (/ (- b a) 400.0)))))
(defn update-elo [ratings [w l]] (let [e (expected (ratings w) (ratings l)) d (Math/round (* 32 (- 1 e)))] (-> ratings (update w + d) (update l - d))))
(reduce update-elo {"a" 1500 "b" 1500 "c" 1600} [["a" "b"] ["a" "c"] ["c" "b"]])
;=> {"a" 1536, "b" 1472, "c" 1592}
;;;; text adventure
(def world {:hall {:north :kitchen :items #{:lamp}} :kitchen {:south :hall :items #{}}})
(defn act [{:keys [room inv world] :as st} [verb arg]]
  (case verb
    :go (if-let [r (get-in world [room arg])] (assoc st :room r) (assoc st :msg (str "no exit " (name arg))))
    :take (if (get-in world [room :items arg]) (-> st (update :inv conj arg) (update-in [:world room :items] disj arg)) (assoc st :msg "nothing"))
    :look (assoc st :msg (str "You are in " (name room) ". " (clojure.string/join ", " (map name (sort (keys (dissoc (world room) :items)))))))))
(select-keys (reduce act {:room :hall :inv [] :world world} [[:take :lamp] [:take :gold] [:go :north] [:go :north] [:look]]) [:room :inv :msg])
;=> {:room :kitchen, :inv [:lamp], :msg "You are in kitchen. south"}
;;;; simple vm
(defn run [prog] (loop [pc 0 stack [] out [] steps 0] (if (or (>= pc (count prog)) (> steps 100)) {:stack stack :out out :steps steps} (let [[op arg] (nth prog pc) nxt (inc pc) s (inc steps)] (case op :push (recur nxt (conj stack arg) out s) :add (recur nxt (conj (pop (pop stack)) (+ (peek stack) (peek (pop stack)))) out s) :mul (recur nxt (conj (pop (pop stack)) (* (peek stack) (peek (pop stack)))) out s) :dup (recur nxt (conj stack (peek stack)) out s) :print (recur nxt (pop stack) (conj out (peek stack)) s) :jnz (recur (if (zero? (peek stack)) nxt arg) stack out s) :dec (recur nxt (conj (pop stack) (dec (peek stack))) out s) (throw (ex-info "bad op" {:op op})))))))
[(run [[:push 2] [:push 3] [:add] [:dup] [:mul] [:print]]) (run [[:push 3] [:dup] [:print] [:dec] [:jnz 1]]) (try (run [[:nope]]) (catch Exception e (ex-data e)))]
;=> [{:stack [], :out [25], :steps 6} {:stack [0], :out [3 2 1], :steps 13} {:op :nope}]
;;;; queue task
(require '[clojure.string :as str])
(defn process [commands]
  (reduce (fn [{:keys [q out] :as st} cmd]
            (let [[op arg] (str/split cmd #" ")]
              (case op
                "push" (update st :q conj arg)
                "pop" (if-let [x (peek q)] (-> st (update :q pop) (update :out conj x)) (update st :out conj :empty))
                "size" (update st :out conj (count q)))))
          {:q clojure.lang.PersistentQueue/EMPTY :out []} commands))
(let [{:keys [q out]} (process ["push a" "push b" "pop" "size" "push c" "pop" "pop" "pop"])] [(seq q) out])
;=> [nil ["a" 1 "b" "c" :empty]]
;;;; queue moving sum
(defn moving [n xs] (loop [q clojure.lang.PersistentQueue/EMPTY s 0 [x & more :as xs] xs out []] (if (empty? xs) out (let [q (conj q x) s (+ s x) full? (> (count q) n)] (recur (if full? (pop q) q) (if full? (- s (peek q)) s) more (conj out (if full? (- s (peek q)) s)))))))
(moving 3 [1 2 3 4 5])
;=> [1 3 6 9 12]
;;;; queue josephus
(defn josephus [n k] (loop [q (into clojure.lang.PersistentQueue/EMPTY (range 1 (inc n))) i 1 out []] (cond (empty? q) out (= i k) (recur (pop q) 1 (conj out (peek q))) :else (recur (conj (pop q) (peek q)) (inc i) out))))
(josephus 7 3)
;=> [3 6 2 7 5 1 4]
;;;; vectors as queue list stack
(let [stack (-> () (conj 1) (conj 2) (conj 3)) v (-> [] (conj 1) (conj 2))] [(peek stack) (pop stack) stack (peek v) (pop v) (first v) (subvec v 1) (rest v) (cons 0 v) (conj (rest v) :x) (conj (vec (rest v)) :x) (into stack [4 5]) (list* 1 2 [3 4]) (empty stack) (empty v) (conj nil 1 2) (peek nil) (pop '(1)) (concat v stack) (last stack) (nth stack 1)])
;=> [3 (2 1) (3 2 1) 2 [1] 1 [2] (2) (0 1 2) (:x 2) [2 :x] (5 4 3 2 1) (1 2 3 4) () [] (2 1) nil () (1 2 3 2 1) 1 2]
;;;; queue producer consumer
(defn tick [{:keys [q t done] :as s}] (let [q (if (zero? (mod t 2)) (conj q t) q) s (assoc s :q q :t (inc t))] (if (and (seq q) (zero? (mod t 3))) (-> s (update :q pop) (assoc :done (conj done [t (peek q)]))) s)))
(let [{:keys [q done]} (nth (iterate tick {:q clojure.lang.PersistentQueue/EMPTY :t 0 :done []}) 10)] [(vec q) done (count q)])
;=> [[8] [[0 0] [3 2] [6 4] [9 6]] 1]
;;;; queue word ladder
(defn neighbors [dict w] (filter #(= 1 (count (filter false? (map = w %)))) dict))
(defn ladder [dict from to] (loop [q (conj clojure.lang.PersistentQueue/EMPTY [from]) seen #{from}] (if-let [path (peek q)] (if (= (peek path) to) path (let [ns (remove seen (neighbors dict (peek path)))] (recur (into (pop q) (map #(conj path %)) ns) (into seen ns)))) nil)))
[(ladder ["hot" "dot" "dog" "lot" "log" "cog"] "hot" "cog") (ladder ["hot" "xyz"] "hot" "xyz")]
;=> [["hot" "dot" "dog" "cog"] nil]
;;;; queue into map update
(-> {:jobs {}} (update-in [:jobs :hi] (fnil conj clojure.lang.PersistentQueue/EMPTY) 1) (update-in [:jobs :hi] conj 2) (update-in [:jobs :hi] pop) (get-in [:jobs :hi]) first)
;=> 2
;;;; ledger with history
(defn post [ledger {:keys [from to amount memo] :or {memo "-"}}] (-> ledger (update-in [:balances from] (fnil - 0) amount) (update-in [:balances to] (fnil + 0) amount) (update :journal (fnil conj []) {:debit from :credit to :amount amount :memo memo})))
(let [l (reduce post {} [{:from :cash :to :rent :amount 500} {:from :sales :to :cash :amount 1200 :memo "inv 7"} {:from :cash :to :food :amount 42.5}])] {:balances (:balances l) :sum (reduce + (vals (:balances l))) :journal (map (juxt :debit :credit :memo) (:journal l)) :cash-moves (filter (fn [{:keys [debit credit]}] (#{debit credit} :cash)) (:journal l))})
;=> {:balances {:cash 657.5, :rent 500, :sales -1200, :food 42.5}, :sum 0.0, :journal ([:cash :rent "-"] [:sales :cash "inv 7"] [:cash :food "-"]), :cash-moves ({:debit :cash, :credit :rent, :amount 500, :memo "-"} {:debit :sales, :credit :cash, :amount 1200, :memo "inv 7"} {:debit :cash, :credit :food, :amount 42.5, :memo "-"})}
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
;=> {:final {1 {:owner "Ann", :balance 20, :history [[:in 100] [:out 30]]}, 2 {:owner "Bob", :balance 50, :history [], :closed? true}, :rejected [{:type :withdrawn, :id 2, :amount 80}], :unknown 1}, :balances ({} {1 0} {1 100} {1 100, 2 0} {1 70, 2 0} {1 20, 2 50} {1 20, 2 50} {1 20, 2 50} {1 20, 2 50})}
;;;; game of life (3)
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
;out> .....
;out> ..#..
;out> ...#.
;out> .###.
;out> .....
;=> [(5 5 5 5 5) true]
;;;; bowling (2)
(defn score [rolls]
  (loop [frame 1 [a b c :as rolls] rolls total 0]
    (cond
      (or (> frame 10) (empty? rolls)) total
      (= 10 a) (recur (inc frame) (rest rolls) (+ total 10 (or b 0) (or c 0)))
      (= 10 (+ a (or b 0))) (recur (inc frame) (drop 2 rolls) (+ total 10 (or c 0)))
      :else (recur (inc frame) (drop 2 rolls) (+ total a (or b 0))))))
(map score [(repeat 12 10) (repeat 20 4) (cons 5 (repeat 20 5)) [10 3 6] (take 21 (cycle [9 1]))])
;=> (300 80 150 28 190)
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
;=> [:straight-flush :four :full-house :flush :straight :two-pair [:high 12]]
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
;=> ({:state :idle, :log [:beep :return-coin :drop-item]} {:state :idle, :log []} {:state :broken, :log [[:bad :kick]]})
;;;; sudoku check and bingo
(def grid (for [r (range 9)] (for [c (range 9)] (inc (mod (+ (* 3 r) (quot r 3) c) 9)))))
(defn boxes [g]
  (for [r (range 0 9 3) c (range 0 9 3)]
    (for [dr (range 3) dc (range 3)] (nth (nth g (+ r dr)) (+ c dc)))))
(defn valid? [g]
  (every? #(= (set %) (set (range 1 10))) (concat g (apply map list g) (boxes g))))
(let [broken (assoc-in (mapv vec grid) [0 0] 9)]
  [(valid? grid) (valid? broken) (first grid) (nth (boxes grid) 4)])
;=> [true false (1 2 3 4 5 6 7 8 9) (5 6 7 8 9 1 2 3 4)]
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
;=> {:a 1, :order [:a :c], :keys (:a :c), :miss nil}
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
;out> 1. A 3 2-0-1 -1  6
;out> 2. C 3 1-2-0 +3  5
;out> 3. B 3 0-2-1 -1  2
;out> 4. D 3 0-2-1 -1  2
;=> ["A" "C" "B" "D"]
;;;; rate limits and windows
(def requests (for [[u t] [["a" 1] ["a" 2] ["b" 2] ["a" 3] ["a" 11] ["b" 4] ["a" 12] ["a" 13] ["a" 14]]] {:user u :t t}))
(defn allow [{:keys [seen] :as state} {:keys [user t] :as r} limit window]
  (let [recent (filter #(> % (- t window)) (get seen user))
        ok? (< (count recent) limit)]
    (-> state
        (assoc-in [:seen user] (cond-> (vec recent) ok? (conj t)))
        (update (if ok? :allowed :denied) (fnil conj []) [user t]))))
(select-keys (reduce #(allow %1 %2 3 10) {:seen {}} requests) [:allowed :denied])
;=> {:allowed [["a" 1] ["a" 2] ["b" 2] ["a" 3] ["a" 11] ["b" 4] ["a" 12] ["a" 13]], :denied [["a" 14]]}
;;;; stack machine (2)
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
;out> out: 20
;=> {:stack (), :env {:x 25}, :steps 11}
;;;; elevator and grid walk
(def moves {\U [0 1] \D [0 -1] \L [-1 0] \R [1 0]})
(defn walk [path]
  (reductions (fn [pos c] (mapv + pos (moves c [0 0]))) [0 0] path))
(let [trail (walk "UURRDDLLX")
      [xs ys] (apply map vector trail)]
  {:trail (vec trail) :end (last trail) :revisits (->> trail frequencies (filter (fn [[_ n]] (> n 1))) (into {}))
   :box [[(apply min xs) (apply min ys)] [(apply max xs) (apply max ys)]]
   :distance (apply + (map #(Math/abs %) (last trail)))})
;=> {:trail [[0 0] [0 1] [0 2] [1 2] [2 2] [2 1] [2 0] [1 0] [0 0] [0 0]], :end [0 0], :revisits {[0 0] 3}, :box [[0 0] [2 2]], :distance 0}
;;;; traffic light state machine with timers
(def transitions {:green {:next :yellow :for 3} :yellow {:next :red :for 1} :red {:next :green :for 2}})
(loop [tick 0 state :green left (get-in transitions [:green :for]) log []]
  (cond
    (= tick 10) (do (println (str/join " " (map name log))) (frequencies log))
    (zero? left) (let [nxt (get-in transitions [state :next])]
                   (recur tick nxt (get-in transitions [nxt :for]) log))
    :else (recur (inc tick) state (dec left) (conj log state))))
;out> green green green yellow red red green green green yellow
;=> {:green 6, :yellow 2, :red 2}
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
;=> [{:balance 120, :history [150 120]} {:balance 5, :history [5], :halted {:type :withdraw, :amount 6, :short 1}} (0 1 3 6 10 15 :over)]
;;;; tic tac toe winner
(def boards [[:x :o :x nil :x :o :o nil :x] [:x :x :o :o :o :x :x :o nil] [:o :o :o :x :x nil nil nil nil]])
(def win-lines (concat (partition 3 (range 9)) (apply map list (partition 3 (range 9))) [[0 4 8] [2 4 6]]))
(defn winner [b] (some (fn [l] (let [[a & more] (map b l)] (when (and a (every? #{a} more)) a))) win-lines))
(defn show [b] (str/join "\n" (map #(str/join " " (map (fn [c] (if c (name c) ".")) %)) (partition 3 b))))
(doseq [b boards] (println (show b)) (println "winner:" (or (some-> (winner b) name str/upper-case) "none")) (println))
(map winner boards)
;out> x o x
;out> . x o
;out> o . x
;out> winner: X
;out>
;out> x x o
;out> o o x
;out> x o .
;out> winner: none
;out>
;out> o o o
;out> x x .
;out> . . .
;out> winner: O
;out>
;=> (:x nil :o)
;;;; event sourcing with multi-arity and nested defaults
(defn apply-all ([events] (apply-all {} events)) ([state events] (reduce (fn [s {:keys [type] :as e}] (case type :created (assoc s (:id e) (-> e (dissoc :type :id) (assoc :version 1))) :renamed (-> s (assoc-in [(:id e) :name] (:name e)) (update-in [(:id e) :version] inc)) :deleted (dissoc s (:id e)) s)) state events)))
(let [s (apply-all [{:type :created :id 1 :name "a" :tags #{:x}} {:type :created :id 2 :name "b"} {:type :renamed :id 1 :name "A"} {:type :noop}])]
  [s (apply-all s [{:type :deleted :id 2}]) (get-in s [1 :tags]) (keys s) (vals (update-vals s :version))])
;=> [{1 {:name "A", :tags #{:x}, :version 2}, 2 {:name "b", :version 1}} {1 {:name "A", :tags #{:x}, :version 2}} #{:x} (1 2) (2 1)]
;;;; bowling score
(defn score [rolls]
  (loop [frame 1 [a b c :as rs] rolls total 0]
    (cond (= frame 11) total
          (= a 10) (recur (inc frame) (rest rs) (+ total a b c))
          (= 10 (+ a b)) (recur (inc frame) (drop 2 rs) (+ total 10 c))
          :else (recur (inc frame) (drop 2 rs) (+ total a b)))))
(map score [(repeat 12 10) (repeat 21 5) [10 7 3 9 0 10 0 8 8 2 0 6 10 10 10 8 1]])
;=> (300 150 167)
;;;; game of life (4)
(defn step [cells] (set (for [[loc n] (frequencies (for [[x y] cells dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)])) :when (or (= n 3) (and (= n 2) (cells loc)))] loc)))
(defn draw [cells] (str/join "\n" (for [y (range 5)] (apply str (for [x (range 5)] (if (cells [x y]) "#" "."))))))
(let [glider #{[1 0] [2 1] [0 2] [1 2] [2 2]}]
  (doseq [[i g] (map-indexed vector (take 3 (iterate step glider)))] (println "gen" i) (println (draw g)))
  (sort (nth (iterate step glider) 4)))
;out> gen 0
;out> .#...
;out> ..#..
;out> ###..
;out> .....
;out> .....
;out> gen 1
;out> .....
;out> #.#..
;out> .##..
;out> .#...
;out> .....
;out> gen 2
;out> .....
;out> ..#..
;out> #.#..
;out> .##..
;out> .....
;=> ([1 3] [2 1] [2 3] [3 2] [3 3])
;;;; LRU cache as data
(defn cache [n] {:n n :m {} :order []})
(defn touch [c k] (update c :order #(conj (filterv (complement #{k}) %) k)))
(defn put [{:keys [n] :as c} k v]
  (let [c (-> c (assoc-in [:m k] v) (touch k))]
    (if (> (count (:m c)) n)
      (let [[old & keep] (:order c)] (-> c (update :m dissoc old) (assoc :order (vec keep))))
      c)))
(defn fetch [c k] (if (contains? (:m c) k) [(get-in c [:m k]) (touch c k)] [nil c]))
(let [c (-> (cache 2) (put :a 1) (put :b 2)) [v c2] (fetch c :a) c3 (put c2 :c 3) [miss _] (fetch c3 :b)] [v (:order c2) (:m c3) miss])
;=> [1 [:b :a] {:a 1, :c 3} nil]
;;;; turtle graphics, command parsing
(def dirs {:n [0 1] :e [1 0] :s [0 -1] :w [-1 0]})
(def right {:n :e :e :s :s :w :w :n})
(def left (set/map-invert right))
(defn exec [{:keys [dir] :as t} [cmd arg]]
  (case cmd "F" (update t :pos #(mapv + % (map (partial * arg) (dirs dir)))) "R" (nth (iterate #(update % :dir right) t) arg) "L" (nth (iterate #(update % :dir left) t) arg)))
(let [cmds (map (fn [[_ c n]] [c (Long/parseLong n)]) (re-seq #"([FRL])(\d+)" "F10R1F5L2F3R1F1"))]
  (reductions exec {:pos [0 0] :dir :n} cmds))
;=> ({:pos [0 0], :dir :n} {:pos [0 10], :dir :n} {:pos [0 10], :dir :e} {:pos [5 10], :dir :e} {:pos [5 10], :dir :w} {:pos [2 10], :dir :w} {:pos [2 10], :dir :n} {:pos [2 11], :dir :n})
;;;; text adventure as state machine over a list of inputs
(def world {:hall {:exits {:north :library} :items #{:lamp}} :library {:exits {:south :hall} :items #{:book :pen}}})
;=> #'world
;;;; text adventure without multimethods
(def world {:hall {:exits {:north :library} :items #{:lamp}} :library {:exits {:south :hall} :items #{:book}}})
(defn act [{:keys [at bag rooms] :as s} line]
  (let [[verb obj] (map keyword (str/split line #"\s+"))]
    (case verb
      :go (if-let [to (get-in rooms [at :exits obj])] (assoc s :at to :say (str "You are in the " (name to))) (assoc s :say "You can't go there"))
      :take (if (contains? (get-in rooms [at :items]) obj) (-> s (update-in [:rooms at :items] disj obj) (update :bag conj obj) (assoc :say (str "Taken: " (name obj)))) (assoc s :say "No such thing"))
      :look (assoc s :say (str/join ", " (sort (map name (get-in rooms [at :items])))))
      (assoc s :say (str "What is '" line "'?")))))
(let [states (rest (reductions act {:at :hall :bag [] :rooms world} ["look" "take lamp" "take sword" "go north" "take book" "look" "go up" "dance"]))]
  (run! (comp println :say) states) (-> states last (select-keys [:at :bag])))
;out> lamp
;out> Taken: lamp
;out> No such thing
;out> You are in the library
;out> Taken: book
;out>
;out> You can't go there
;out> What is 'dance'?
;=> {:at :library, :bag [:lamp :book]}
;;;; simulation with a linear congruential generator
(defn lcg [x] (mod (+ (* 1103515245 x) 12345) 2147483648))
(def rolls (map #(inc (mod (quot % 65536) 6)) (rest (iterate lcg 42))))
(let [xs (take 60 rolls) f (into (sorted-map) (frequencies xs))] (doseq [[k v] f] (println k (apply str (repeat v "#")))) {:first (take 10 xs) :mean (format "%.3f" (/ (reduce + xs) 60.0)) :runs (apply max (map count (partition-by identity xs))) :first-six (count (take-while #(not= 6 %) xs))})
;out> 1 ##########
;out> 2 #########
;out> 3 ########
;out> 4 ##############
;out> 5 ######
;out> 6 #############
;=> {:first (2 6 6 4 3 2 4 5 2 2), :mean "3.600", :runs 3, :first-six 1}
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
;=> {:total 180.0, :bad (:jpy), :error ["Unknown currency" {:currency :jpy}], :in-eur "90.91"}
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
;=> {:valid true, :candidates (1 2 4), :counts (3 4 3 3 4 3 3 4 3), :broken false}
;;;; game of life with sets and neighbours via for
(defn neighbours [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn step [cells] (set (for [[loc n] (frequencies (mapcat neighbours cells)) :when (or (= n 3) (and (= n 2) (cells loc)))] loc)))
(defn render [cells w h] (for [y (range h)] (apply str (for [x (range w)] (if (cells [x y]) "#" ".")))))
(let [glider #{[1 0] [2 1] [0 2] [1 2] [2 2]} gens (take 5 (iterate step glider))]
  (doseq [[i g] (map-indexed vector gens)] (println "gen" i) (run! println (render g 5 5)))
  (map (comp vec sort) gens))
;out> gen 0
;out> .#...
;out> ..#..
;out> ###..
;out> .....
;out> .....
;out> gen 1
;out> .....
;out> #.#..
;out> .##..
;out> .#...
;out> .....
;out> gen 2
;out> .....
;out> ..#..
;out> #.#..
;out> .##..
;out> .....
;out> gen 3
;out> .....
;out> .#...
;out> ..##.
;out> .##..
;out> .....
;out> gen 4
;out> .....
;out> ..#..
;out> ...#.
;out> .###.
;out> .....
;=> ([[0 2] [1 0] [1 2] [2 1] [2 2]] [[0 1] [1 2] [1 3] [2 1] [2 2]] [[0 2] [1 3] [2 1] [2 2] [2 3]] [[1 1] [1 3] [2 2] [2 3] [3 2]] [[1 3] [2 1] [2 3] [3 2] [3 3]])
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
;=> [nil [1 2 3 5 7] 2 1 :x]
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
;=> {:seq (:green :green :green :yellow :red :red :green :green), :runs ([:green 3] [:yellow 1] [:red 2] [:green 2]), :period 6}
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
;=> [{:id 1, :status :delivered, :history [[:new :paid] [:paid :shipped] [:shipped :delivered]]} {:id 1, :status :paid, :history [[:new :paid]], :error "paid -> cancelled not allowed"} {:id 1, :status :new} (:cancelled :delivered)]
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
;=> [{:out [64], :stack [], :steps 7} {:out [], :stack [1], :steps 2} {:op :nope, :pc 0}]
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
;=> [10 [4 5 1] [3 4 4 5 5 4 3 2 1 1] :down]
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
;=> {:log [[:need 50] [:ok :cola [[25 1]]] [:sold-out :chips] [:unknown :gum]], :credit 0}
;;;; round robin cpu scheduler
(defn rr [procs q]
  (loop [queue (into clojure.lang.PersistentQueue/EMPTY procs) t 0 trace [] done {}]
    (if-let [[id left] (peek queue)]
      (let [run (min q left) t' (+ t run) left' (- left run)]
        (recur (cond-> (pop queue) (pos? left') (conj [id left'])) t' (conj trace [id t t']) (cond-> done (zero? left') (assoc id t'))))
      {:trace trace :done done :avg (/ (reduce + (vals done)) (double (count done)))})))
(rr [[:p1 5] [:p2 3] [:p3 1]] 2)
;=> {:trace [[:p1 0 2] [:p2 2 4] [:p3 4 5] [:p1 5 7] [:p2 7 8] [:p1 8 9]], :done {:p3 5, :p2 8, :p1 9}, :avg 7.333333333333333}
;;;; round robin tournament by circle method
(defn rounds [teams]
  (let [ts (cond-> (vec teams) (odd? (count teams)) (conj :bye)) n (count ts) half (quot n 2)]
    (for [r (range (dec n))
          :let [[h & more] ts rot (take (dec n) (drop r (cycle more))) all (cons h rot)]]
      (->> (map vector (take half all) (reverse (drop half all))) (remove #(some #{:bye} %)) vec))))
(let [rs (rounds [:a :b :c :d :e])] {:rounds rs :games (count (apply concat rs)) :unique (count (set (map set (apply concat rs)))) :per-team (frequencies (flatten rs))})
;=> {:rounds ([[:b :e] [:c :d]] [[:a :b] [:d :e]] [[:a :c] [:d :b]] [[:a :d] [:e :c]] [[:a :e] [:b :c]]), :games 10, :unique 10, :per-team {:b 4, :e 4, :c 4, :d 4, :a 4}}
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
;=> [{:small {1 "C", 2 "B"}, :large {10 "T"}} [[:parked "A" :small 1] [:parked "T" :large 10] [:parked "B" :small 2] [:full "C"] [:left "A"] [:parked "C" :small 1] [:unknown "Z"]]]
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
;=> {:loans [{:who :ann, :id :b2, :due 16}], :errors [["Not available" {:id :b1, :title "SICP"}] ["Too many" {:who :ann}] ["Unknown book" {:id :b9}]], :fines {:ann 1.5}}
;;;; priority queue via sorted-map of queues
(defn enq [pq p x] (update pq p (fnil conj []) x))
(defn deq [pq] (when-let [[p [x & more]] (first pq)] [x (if more (assoc pq p (vec more)) (dissoc pq p))]))
(let [pq (-> (sorted-map) (enq 5 :low) (enq 1 :urgent) (enq 3 :mid) (enq 1 :urgent2))]
  [(count pq) (loop [pq pq out []] (if-let [[x pq] (deq pq)] (recur pq (conj out x)) out)) (first (deq pq)) (keys pq) (deq (sorted-map))])
;=> [3 [:urgent :urgent2 :mid :low] :urgent (1 3 5) nil]
;;;; event loop with timers as sorted set
(defn run [events horizon]
  (loop [q (into (sorted-set) events) log []]
    (let [[t id every :as ev] (first q)]
      (if (or (nil? ev) (> t horizon)) log
        (recur (cond-> (disj q ev) every (conj [(+ t every) id every])) (conj log [t id]))))))
(run [[0 :a 3] [2 :b 5] [4 :once]] 10)
;=> [[4 :once] [0 :a] [2 :b] [3 :a] [6 :a] [7 :b] [9 :a]]
;;;; rate limiter sliding window
(defn allow? [{:keys [limit window hits] :as st} now]
  (let [recent (filterv #(> % (- now window)) hits)]
    (if (< (count recent) limit) [(assoc st :hits (conj recent now)) true] [(assoc st :hits recent) false])))
(second (reduce (fn [[st out] t] (let [[st ok] (allow? st t)] [st (conj out [t ok])])) [{:limit 2 :window 10 :hits []} []] [1 2 3 11 12 13 22]))
;=> [[1 true] [2 true] [3 false] [11 true] [12 true] [13 false] [22 true]]
;;;; elo ratings
(defn expected [a b] (/ 1.0 (+ 1 (Math/pow 10 (/ (- b a) 400.0)))))
(defn play [ratings [w l]]
  (let [e (expected (ratings w) (ratings l)) d (* 32 (- 1 e))]
    (-> ratings (update w + d) (update l - d))))
(let [rs (reductions play {:a 1000 :b 1000 :c 1000} [[:a :b] [:b :c] [:a :c]])]
  [(map (fn [r] (update-vals r #(Math/round (double %)))) rs) (key (apply max-key val (last rs))) (Math/round (reduce + (vals (last rs))))])
;=> [({:a 1000, :b 1000, :c 1000} {:a 1016, :b 984, :c 1000} {:a 1016, :b 1001, :c 983} {:a 1030, :b 1001, :c 969}) :a 3000]
;;;; poker hand ranks
(def order (zipmap "23456789TJQKA" (range 2 15)))
(defn parse [h] (map (fn [[r s]] {:r (order r) :s s}) (str/split h #" ")))
(defn classify [h]
  (let [cs (parse h) rs (sort > (map :r cs)) groups (sort-by (fn [[r n]] [(- n) (- r)]) (frequencies rs))
        shape (map second groups) flush (apply = (map :s cs)) straight (or (= rs [14 5 4 3 2]) (= rs (range (first rs) (- (first rs) 5) -1)))]
    [(cond (and flush straight) :straight-flush (= shape [4 1]) :four (= shape [3 2]) :full-house flush :flush straight :straight (= shape [3 1 1]) :three (= shape [2 2 1]) :two-pair (= shape [2 1 1 1]) :pair :else :high-card)
     (map first groups)]))
(map classify ["TH JH QH KH AH" "2C 2D 2H 2S 9D" "3C 3D 3H 7S 7D" "AH 2D 3C 4S 5H" "9H 9D 4C 4S KH" "2H 7H 9H JH KH" "AS KD 9C 5H 3D"])
;=> ([:straight-flush (14 13 12 11 10)] [:four (2 9)] [:full-house (3 7)] [:straight (14 5 4 3 2)] [:two-pair (9 4 13)] [:flush (13 11 9 7 2)] [:high-card (14 13 9 5 3)])
;;;; blackjack values
(defn card-value [c] (condp contains? c #{"J" "Q" "K"} 10 #{"A"} 11 (Integer/parseInt c)))
(defn score [hand]
  (loop [total (reduce + (map card-value hand)) aces (count (filter #{"A"} hand))]
    (if (and (> total 21) (pos? aces)) (recur (- total 10) (dec aces)) total)))
(defn outcome [p d] (let [ps (score p) ds (score d)] (cond (> ps 21) :bust (> ds 21) :win (= ps ds) :push (> ps ds) :win :else :lose)))
[(map score [["A" "K"] ["A" "A" "9"] ["10" "5" "9"] ["A" "A" "A" "A"]]) (outcome ["10" "9"] ["10" "8"]) (outcome ["10" "9" "5"] ["2" "3"]) (outcome ["A" "K"] ["A" "Q"])]
;=> [(21 21 24 14) :win :bust :push]
;;;; mastermind scoring
(defn score [secret guess]
  (let [black (count (filter true? (map = secret guess)))
        common (reduce + (vals (merge-with min (select-keys (frequencies secret) (distinct guess)) (select-keys (frequencies guess) (distinct secret)))))]
    {:black black :white (- common black)}))
(defn consistent [pool history] (filter (fn [c] (every? (fn [[g s]] (= s (score c g))) history)) pool))
(let [pool (for [a (range 1 4) b (range 1 4) c (range 1 4)] [a b c]) secret [2 1 3] guesses [[1 1 2] [3 1 2] [2 1 3]]]
  [(map #(score secret %) guesses) (count (consistent pool [[[1 1 2] (score secret [1 1 2])]])) (consistent pool (map (juxt identity #(score secret %)) (take 2 guesses)))])
;=> [({:black 1, :white 1} {:black 1, :white 2} {:black 3, :white 0}) 4 ([2 1 3])]
;;;; connect four winner
(def board ["......." "......." "...R..." "..RY..." ".RYY..." "RYYRR.."])
(defn at [r c] (let [v (get-in board [r c])] (when-not (= v \.) v)))
(defn line [[r c] [dr dc]] (map (fn [i] (at (+ r (* i dr)) (+ c (* i dc)))) (range 4)))
(defn winner [] (first (for [r (range 6) c (range 7) d [[0 1] [1 0] [1 1] [1 -1]] :let [l (line [r c] d)] :when (and (first l) (apply = l))] {:who (str (first l)) :from [r c] :dir d})))
[(winner) (map #(count (remove #{\.} %)) board) (for [c (range 7) :when (not (at 0 c))] c)]
;=> [{:who "R", :from [2 3], :dir [1 -1]} (0 0 1 2 3 5) (0 1 2 3 4 5 6)]
;;;; snakes and ladders with fixed dice
(def jumps {3 22 5 8 11 26 20 29 27 1 21 9 17 4 19 7})
(defn move [pos die] (let [p (+ pos die)] (if (> p 30) pos (get jumps p p))))
(let [dice [3 4 6 2 5 1 6 4 3 5 6 1 2 1]
      path (reductions (fn [p d] (let [n (move p d)] (if (= n 30) (reduced :won) n))) 0 dice)]
  {:path path :visits (into (sorted-map) (frequencies (filter number? path))) :end (last path)})
;=> {:path (0 22 26 26 28 28 29 29 29 29 29 29 :won), :visits {0 1, 22 1, 26 2, 28 2, 29 6}, :end :won}
;;;; langton ant and rule 110
(defn ant [{:keys [pos dir black]}]
  (let [turn (if (black pos) -1 1) dir (mod (+ dir turn) 4) black (if (black pos) (disj black pos) (conj black pos))]
    {:pos (mapv + pos ([[0 -1] [1 0] [0 1] [-1 0]] dir)) :dir dir :black black}))
(defn rule [n cells] (let [bits (zipmap (for [a [1 1 1 1 0 0 0 0] ] a) (range))] (mapv (fn [[a b c]] (if (bit-test n (+ (* 4 a) (* 2 b) c)) 1 0)) (partition 3 1 (concat [0] cells [0])))))
(let [end (nth (iterate ant {:pos [0 0] :dir 0 :black #{}}) 100)]
  (doseq [row (take 6 (iterate (partial rule 110) [0 0 0 0 0 0 0 0 0 1]))] (println (str/join (map [" " "#"] row))))
  [(count (:black end)) (:pos end)])
;out>          #
;out>         ##
;out>        ###
;out>       ## #
;out>      #####
;out>     ##   #
;=> [20 [0 -2]]
;;;; bowling with frames
(defn frames [rolls]
  (loop [[a b c :as rs] rolls n 1 out []]
    (cond (empty? rs) out (= n 10) (conj out (vec rs))
          (= 10 a) (recur (rest rs) (inc n) (conj out [a]))
          :else (recur (drop 2 rs) (inc n) (conj out [a b])))))
(defn score [rolls] (loop [rs rolls n 0 total 0] (if (= n 10) total (let [[a b c] rs] (cond (= a 10) (recur (next rs) (inc n) (+ total a b c)) (= 10 (+ a b)) (recur (nnext rs) (inc n) (+ total a b c)) :else (recur (nnext rs) (inc n) (+ total a b)))))))
[(score (repeat 12 10)) (score (repeat 20 4)) (score (concat [5 5 3] (repeat 17 0))) (frames [10 3 6 5 5 0 0 0 0 0 0 0 0 0 0 0 0 10 1 2]) (try (score [1 2]) (catch NullPointerException e :incomplete))]
;=> [300 80 16 [[10] [3 6] [5 5] [0 0] [0 0] [0 0] [0 0] [0 0] [0 0] [10 1 2]] :incomplete]
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
;=> {:pos [0 3], :bag #{:map}, :errors ["unknown: fly"]}
;;;; stack and queue semantics of vector, list, queue
(let [v [1 2 3] l '(1 2 3) q (into clojure.lang.PersistentQueue/EMPTY [1 2 3])]
  {:peek [(peek v) (peek l) (peek q)] :pop [(pop v) (pop l) (vec (pop q))] :conj [(conj v 0) (conj l 0) (vec (conj q 0))] :into [(into [] l) (into () v)] :cons [(cons 0 v) (cons 0 l)] :types [(vector? v) (list? l) (vector? (rest v)) (seq? (map inc v)) (list? (reverse v))] :rev [(reverse v) (rseq v)] :nthrest [(nthrest v 2) (nthnext v 3)] :subvec (subvec v 1) :empty [(empty v) (empty l) (empty {:a 1}) (empty "x")]})
;=> {:peek [3 1 1], :pop [[1 2] (2 3) [2 3]], :conj [[1 2 3 0] (0 1 2 3) [1 2 3 0]], :into [[1 2 3] (3 2 1)], :cons [(0 1 2 3) (0 1 2 3)], :types [true true false true true], :rev [(3 2 1) (3 2 1)], :nthrest [(3) nil], :subvec [2 3], :empty [[] () {} nil]}
;;;; seats in a theatre
(def rows 4) (def cols 6)
(def taken #{[0 2] [0 3] [1 0] [1 1] [1 2] [2 5] [3 3]})
(defn free [r] (for [c (range cols) :when (not (taken [r c]))] c))
(defn runs [xs] (->> xs (map-indexed (fn [i x] [(- x i) x])) (partition-by first) (mapv (partial mapv second))))
(defn best-for [n] (->> (for [r (range rows) run (runs (free r)) :when (>= (count run) n) s (partition n 1 run)] {:row r :seats (vec s) :dist (+ (* 2 r) (reduce + (map #(Math/abs (- (/ (dec cols) 2.0) %)) s)))}) (sort-by (juxt :dist :row)) first))
(doseq [r (range rows)] (println (str (char (+ 65 r)) " " (str/join (for [c (range cols)] (if (taken [r c]) "x" "."))))))
[(map (comp runs free) (range rows)) (best-for 3) (best-for 4) (best-for 7) (- (* rows cols) (count taken))]
;out> A ..xx..
;out> B xxx...
;out> C .....x
;out> D ...x..
;=> [([[0 1] [4 5]] [[3 4 5]] [[0 1 2 3 4]] [[0 1 2] [4 5]]) {:row 1, :seats [3 4 5], :dist 6.5} {:row 2, :seats [1 2 3 4], :dist 8.0} nil 17]
;;;; message bus with handlers and topics wildcard
(defn topic-match? [pattern topic] (let [p (str/split pattern #"\.") t (str/split topic #"\.")] (and (= (count p) (count t)) (every? true? (map #(or (= %1 "*") (= %1 %2)) p t)))))
(def subs* [["orders.*" :audit] ["orders.created" :email] ["*.failed" :pager]])
(defn route [topic] (mapv second (filter #(topic-match? (first %) topic) subs*)))
(let [msgs ["orders.created" "orders.failed" "users.created"]] {:routes (zipmap msgs (map route msgs)) :load (frequencies (mapcat route msgs))})
;=> {:routes {"orders.created" [:audit :email], "orders.failed" [:audit :pager], "users.created" []}, :load {:audit 2, :email 1, :pager 1}}
;;;; undo redo editor
(def empty-doc {:text "" :undo () :redo ()})
(defn edit [d f] (-> d (assoc :undo (cons (:text d) (:undo d)) :redo ()) (update :text f)))
(defn undo [{:keys [text undo redo] :as d}] (if-let [[t & more] (seq undo)] (assoc d :text t :undo more :redo (cons text redo)) d))
(defn redo [{:keys [text undo redo] :as d}] (if (seq redo) (assoc d :text (first redo) :redo (rest redo) :undo (cons text undo)) d))
(let [ops [#(edit % (fn [s] (str s "hello"))) #(edit % (fn [s] (str s " world"))) undo undo undo redo #(edit % str/upper-case) redo]]
  (map :text (reductions #(%2 %1) empty-doc ops)))
;=> ("" "hello" "hello world" "hello" "" "" "hello" "HELLO" "HELLO")
;;;;
(defn balanced? [s]
  (let [pairs {\) \( \] \[ \} \{}]
    (empty?
      (reduce (fn [stack c]
                (cond (#{\( \[ \{} c) (conj stack c)
                      (pairs c) (if (= (peek stack) (pairs c)) (pop stack) (reduced [:bad]))
                      :else stack))
              [] s))))
(map balanced? ["(a[b]{c})" "(]" "((" ""])
;=> (true false false true)
;;;;
(def board [[:x :o :x] [:o :x :o] [:o :x :x]])
(let [lines (concat board (apply map vector board) [(map #(get-in board [% %]) (range 3)) (map #(get-in board [% (- 2 %)]) (range 3))])]
  (first (keep (fn [l] (when (apply = l) (first l))) lines)))
;=> :x
;;;;
(let [account {:balance 100} txs [[:deposit 50] [:withdraw 30] [:withdraw 500] [:fee 5]]]
  (reduce (fn [{:keys [balance] :as acc} [op amt]]
            (case op
              :deposit (update acc :balance + amt)
              (:withdraw :fee) (if (> amt balance) (update acc :rejected (fnil conj []) [op amt]) (update acc :balance - amt))))
          account txs))
;=> {:balance 115, :rejected [[:withdraw 500]]}
;;;;
(let [stock {"A" 5 "B" 0}] (for [[sku qty] stock] {:sku sku :state (cond (zero? qty) "out" (< qty 10) "low" :else "ok")}))
;=> ({:sku "A", :state "low"} {:sku "B", :state "out"})
;;;;
(let [board (vec (repeat 3 (vec (repeat 3 0))))] (-> board (assoc-in [1 1] :x) (update-in [0 0] inc)))
;=> [[1 0 0] [0 :x 0] [0 0 0]]
;;;;
(defn simulate [n seed] (take n (iterate (fn [x] (mod (+ (* 1103515245 x) 12345) 2147483648)) seed)))
(let [xs (map #(mod % 100) (rest (simulate 11 42)))
      mean (/ (reduce + xs) (count xs) 1.0)
      var (/ (reduce + (map #(let [d (- % mean)] (* d d)) xs)) (count xs))
      sorted (vec (sort xs))
      pct (fn [p] (sorted (min (dec (count sorted)) (int (* p (count sorted))))))]
  {:xs xs :mean mean :var var :sd (format "%.3f" (Math/sqrt var)) :p50 (pct 0.5) :p90 (pct 0.9) :hist (into (sorted-map) (frequencies (map #(quot % 25) xs)))})
;=> {:xs (27 64 53 6 35 32 33 66 59 52), :mean 42.7, :var 331.61, :sd "18.210", :p50 52, :p90 66, :hist {0 1, 1 4, 2 5}}
