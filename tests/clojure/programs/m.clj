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
;;;; pivot
(def rows [[:a :x 1] [:a :y 2] [:b :x 3] [:a :x 4]])
(def pivot (reduce (fn [m [r c v]] (update-in m [r c] (fnil + 0) v)) (sorted-map) rows))
(def cols (sort (distinct (map second rows))))
(println (str/join "\t" (cons "" (map name cols))))
(doseq [[r cells] pivot] (println (str/join "\t" (cons (name r) (map #(get cells % 0) cols)))))
{:pivot pivot :row-totals (update-vals pivot #(reduce + (vals %))) :col-totals (apply merge-with + (vals pivot))}
;;;; survey
(def responses [{:q1 5 :q2 "yes" :q3 ["a" "b"]} {:q1 3 :q2 "no" :q3 []} {:q1 nil :q2 "yes" :q3 ["b"]} {:q2 "maybe" :q3 nil}])
(let [scores (keep :q1 responses)]
  {:n (count responses) :answered (count scores) :mean (/ (reduce + scores) (count scores)) :q2 (into (sorted-map) (frequencies (map :q2 responses))) :q3 (sort-by (juxt (comp - val) key) (frequencies (mapcat :q3 responses))) :pct-yes (format "%.1f%%" (* 100.0 (/ (count (filter (comp #{"yes"} :q2) responses)) (count responses)))) :missing (keep-indexed (fn [i r] (when (nil? (:q1 r)) i)) responses)})
;;;; cohort retention
(def events [{:u 1 :m 0} {:u 1 :m 1} {:u 2 :m 0} {:u 3 :m 1} {:u 3 :m 2} {:u 1 :m 2}])
(def first-month (reduce (fn [acc {:keys [u m]}] (update acc u (fnil min m) m)) {} events))
(def table (reduce (fn [t {:keys [u m]}] (let [c (first-month u)] (update-in t [c (- m c)] (fnil conj #{}) u))) (sorted-map) events))
(into (sorted-map) (for [[c offs] table] [c (into (sorted-map) (for [[o us] offs] [o (/ (count us) (double (count (offs 0))))]))]))
;;;; sessionize
(def clicks [[1 "a"] [5 "a"] [40 "a"] [2 "b"] [33 "b"] [41 "a"]])
(defn sessions [gap ts] (reduce (fn [acc t] (let [s (peek acc)] (if (and s (<= (- t (peek s)) gap)) (conj (pop acc) (conj s t)) (conj acc [t])))) [] (sort ts)))
(into (sorted-map) (map (fn [[u es]] [u (mapv (juxt first last count) (sessions 30 (map first es)))])) (group-by second clicks))
;;;; moving window alert
(def temps [20 21 25 30 31 29 22 20])
(let [windows (partition 3 1 temps) avgs (map #(/ (apply + %) 3.0) windows)]
  {:avgs (map #(format "%.2f" %) avgs) :alerts (keep-indexed (fn [i a] (when (> a 28) {:window i :avg (Math/round a)})) avgs) :trend (map (fn [[a b]] (cond (< a b) :up (> a b) :down :else :flat)) (partition 2 1 temps)) :peaks (for [[a b c] windows :when (and (> b a) (> b c))] b) :runs (map (juxt first count) (partition-by identity (map #(if (> % 25) :hot :ok) temps)))})
;;;; log bucket
(defn bucket [ms] (cond (< ms 100) :fast (< ms 500) :ok (< ms 1000) :slow :else :terrible))
(def lat [12 480 99 100 1500 700 730 3])
(let [g (group-by bucket lat) order [:fast :ok :slow :terrible]]
  (doseq [b order :let [xs (get g b)]] (println (format "%-9s %3d %s" (name b) (count xs) (apply str (repeat (count xs) \#)))))
  {:pcts (for [p [50 90 99]] (nth (sort lat) (min (dec (count lat)) (int (* (/ p 100.0) (count lat)))))) :counts (map (comp count g) order) :max (apply max lat)})
;;;; dedupe merge records
(def a [{:email "A@x.com" :name "Ann" :phone nil} {:email "b@x.com" :name nil :phone "1"}])
(def b [{:email "a@x.com" :name nil :phone "555"} {:email "c@x.com" :name "Cy" :phone "9"}])
(defn norm [r] (update r :email clojure.string/lower-case))
(->> (concat a b) (map norm) (group-by :email) (map (fn [[_ rs]] (apply merge-with (fn [x y] (or x y)) rs))) (sort-by :email))
;;;; nested json walk
(def order {:id "o1" :lines [{:sku "a" :qty 2 :price {:amount 5 :cur "EUR"}} {:sku "b" :qty 1 :price {:amount 20 :cur "EUR"}}] :shipping {:address {:lines ["x" "y"] :zip "1000"} :cost 4.5}})
(defn paths [x] (cond (map? x) (mapcat (fn [[k v]] (map #(cons k %) (paths v))) x) (sequential? x) (mapcat (fn [i v] (map #(cons i %) (paths v))) (range) x) :else [[]]))
[(map vec (paths order)) (map #(get-in order %) (paths order)) (reduce + (for [{q :qty {a :amount} :price} (:lines order)] (* q a))) (->> order :lines (map (comp :cur :price)) set) (update-in order [:lines 1 :qty] inc) (get-in order [:shipping :address :lines 1])]
;;;; schema migrate
(def v1 [{:full_name "Ann Lee" :dob "1990-05-01"} {:full_name "Bo" :dob nil}])
(defn migrate [{:keys [full_name dob]}] (let [[f l] (clojure.string/split full_name #"\s+" 2)] (cond-> {:first f} l (assoc :last l) dob (assoc :year (Integer/parseInt (subs dob 0 4))))))
(map migrate v1)
;;;; access control matrix
(def grants [["ann" :read "doc1"] ["ann" :write "doc1"] ["bob" :read "doc1"] ["bob" :read "doc2"]])
(def acl (reduce (fn [m [u p d]] (update-in m [u d] (fnil conj (sorted-set)) p)) (sorted-map) grants))
(defn allowed? [u p d] (contains? (get-in acl [u d] #{}) p))
[acl (allowed? "ann" :write "doc1") (allowed? "bob" :write "doc1") (allowed? "zed" :read "x") (into (sorted-map) (map (fn [[u ds]] [u (count ds)])) acl) (for [[u ds] acl [d ps] ds p ps] (str u ":" d ":" (name p)))]
;;;; timeline merge
(defn merge-sorted [f & colls] (loop [cs (remove empty? (map seq colls)) out []] (if (empty? cs) out (let [m (apply min-key (comp f first) cs)] (recur (remove empty? (map #(if (identical? % m) (rest %) %) cs)) (conj out (first m)))))))
(merge-sorted :t [{:t 1 :e "a"} {:t 4 :e "b"}] [{:t 2 :e "c"}] [{:t 3 :e "d"} {:t 9 :e "e"}])
;;;; budget variance
(def budget {:rent 1000 :food 400 :fun 150})
(def actual {:rent 1000 :food 455.5 :travel 80})
(into (sorted-map) (for [k (distinct (concat (keys budget) (keys actual))) :let [b (get budget k 0) a (get actual k 0) d (- a b)]] [k {:budget b :actual a :diff d :flag (cond (zero? b) :unplanned (> d 0) :over (neg? d) :under :else :on-track) :pct (when (pos? b) (format "%+.1f%%" (* 100.0 (/ d b))))}]))
;;;; shift schedule
(def staff ["ann" "bob" "cy"])
(def days [:mon :tue :wed :thu :fri])
(let [plan (map vector days (cycle staff))]
  {:plan (into {} plan) :load (frequencies (map second plan)) :by-person (into (sorted-map) (map (fn [[p xs]] [p (mapv first xs)])) (group-by second plan)) :str (clojure.string/join "; " (map (fn [[d p]] (str (name d) "=" p)) plan))})
;;;; seating
(def seats ["L.LL" "LL#L" "#..L"])
(defn adj [g r c] (for [dr [-1 0 1] dc [-1 0 1] :when (not (and (zero? dr) (zero? dc)))] (get-in g [(+ r dr) (+ c dc)])))
(defn step [g] (vec (map-indexed (fn [r row] (apply str (map-indexed (fn [c ch] (let [n (count (filter #{\#} (adj g r c)))] (cond (and (= ch \L) (zero? n)) \# (and (= ch \#) (>= n 4)) \L :else ch))) row))) g)))
[(take 3 (iterate step seats)) (count (filter #{\#} (apply concat (nth (iterate step seats) 4))))]
;;;; advent depth
(def depths [199 200 208 210 200 207 240 269 260 263])
[(count (filter (partial apply <) (partition 2 1 depths))) (->> depths (partition 3 1) (map (partial reduce +)) (partition 2 1) (filter (fn [[a b]] (< a b))) count)]
;;;; advent moves
(def cmds "forward 5\ndown 5\nforward 8\nup 3\ndown 8\nforward 2")
(let [{:keys [h d]} (reduce (fn [st line] (let [[op n] (clojure.string/split line #" ") n (parse-long n)] (case op "forward" (update st :h + n) "down" (update st :d + n) "up" (update st :d - n)))) {:h 0 :d 0} (clojure.string/split-lines cmds))] (* h d))
;;;; advent bits
(def report ["00100" "11110" "10110" "10111" "10101"])
(let [cols (apply map vector report) most (map #(key (apply max-key val (frequencies %))) cols) g (Integer/parseInt (apply str most) 2) e (Integer/parseInt (apply str (map {\0 \1 \1 \0} most)) 2)] [g e (* g e)])
;;;; advent vents
(defn pts [[x1 y1 x2 y2]] (let [dx (Integer/signum (- x2 x1)) dy (Integer/signum (- y2 y1)) n (max (Math/abs (- x2 x1)) (Math/abs (- y2 y1)))] (for [i (range (inc n))] [(+ x1 (* i dx)) (+ y1 (* i dy))])))
(->> "0,9 -> 5,9\n8,0 -> 0,8\n9,4 -> 3,4\n2,2 -> 2,1" clojure.string/split-lines (map #(mapv parse-long (re-seq #"\d+" %))) (mapcat pts) frequencies vals (filter #(> % 1)) count)
;;;; advent stacks
(def moves ["move 1 from 2 to 1" "move 3 from 1 to 3"])
(defn run [stacks line] (let [[n f t] (map parse-long (re-seq #"\d+" line))] (-> stacks (update f #(drop n %)) (update t #(into (apply list %) (take n (stacks f)))))))
(let [end (reduce run {1 '("N" "Z") 2 '("D" "C" "M") 3 '("P")} moves)] [(into (sorted-map) end) (apply str (map (comp first end) [1 2 3]))])
;;;; advent dirs
(def log ["$ cd /" "dir a" "14848514 b.txt" "$ cd a" "29116 f" "2557 g" "$ cd .." "62596 h"])
(defn exec [{:keys [cwd] :as st} line]
  (condp re-find line
    #"^\$ cd \.\.$" (update st :cwd pop)
    #"^\$ cd (.+)$" :>> (fn [[_ d]] (update st :cwd conj d))
    #"^(\d+) " :>> (fn [[_ n]] (reduce (fn [s p] (update-in s [:sizes p] (fnil + 0) (parse-long n))) st (rest (reductions conj [] cwd))))
    st))
(:sizes (reduce exec {:cwd [] :sizes {}} log))
;;;; priority chars
(defn prio [c] (let [n (int c)] (if (>= n 97) (- n 96) (- n 38))))
(for [s ["vJrwpWtwJgWrhcsFMMfFFhFp" "PmmdzqPrVvPwwTWBwg"]] (let [[a b] (split-at (/ (count s) 2) s) common (first (clojure.set/intersection (set a) (set b)))] [common (prio common)]))
;;;; hex color
(defn parse-hex [s] (mapv #(Integer/parseInt (apply str %) 16) (partition 2 (subs s 1))))
(defn to-hex [rgb] (apply str "#" (map #(format "%02X" %) rgb)))
(defn blend [a b] (mapv #(quot (+ %1 %2) 2) a b))
[(parse-hex "#FF8000") (to-hex [0 128 255]) (to-hex (apply blend (map parse-hex ["#FFFFFF" "#000000"]))) (map #(bit-and 0xff (bit-shift-right 0xFF8040 %)) [16 8 0]) (bit-or (bit-shift-left 1 16) 5)]
;;;; ip utils
(defn ip->int [s] (reduce (fn [acc p] (+ (* acc 256) (parse-long p))) 0 (clojure.string/split s #"\.")))
(defn int->ip [n] (clojure.string/join "." (map #(bit-and 255 (bit-shift-right n %)) [24 16 8 0])))
(defn in-cidr? [ip cidr] (let [[net bits] (clojure.string/split cidr #"/") mask (- 32 (parse-long bits))] (= (bit-shift-right (ip->int ip) mask) (bit-shift-right (ip->int net) mask))))
[(ip->int "192.168.1.10") (int->ip 3232235786) (in-cidr? "10.1.2.3" "10.0.0.0/8") (in-cidr? "11.1.2.3" "10.0.0.0/8") (every? #(<= 0 (parse-long %) 255) (re-seq #"\d+" "1.2.3.256"))]
;;;; unit conversion graph
(def conv {[:km :m] 1000 [:m :cm] 100 [:cm :mm] 10})
(def graph (reduce (fn [g [[a b] f]] (-> g (assoc-in [a b] f) (assoc-in [b a] (/ 1.0 f)))) {} conv))
(defn convert [v from to] (loop [[[u x] & q] [[from v]] seen #{from}] (cond (nil? u) nil (= u to) x :else (let [ns (remove (comp seen key) (graph u))] (recur (concat q (map (fn [[n f]] [n (* x f)]) ns)) (into seen (map key) ns))))))
[(convert 2 :km :cm) (convert 5 :mm :m) (convert 1 :km :furlong)]
;;;; recipe scale
(def recipe {:serves 4 :ingredients {:flour [200 :g] :eggs [2 :pc] :milk [0.5 :l]}})
(defn scale [{:keys [serves] :as r} n] (let [k (/ n (double serves))] (-> r (assoc :serves n) (update :ingredients update-vals (fn [[q u]] [(* q k) u])))))
[(scale recipe 6) (map (fn [[k [q u]]] (format "%s: %.1f%s" (name k) (double q) (name u))) (:ingredients (scale recipe 2)))]
;;;; genealogy
(def parent-of {"bob" ["al" "amy"] "cat" ["bob" "bea"] "dan" ["cat" "carl"] "eve" ["bob"]})
(defn ancestors-of [p] (tree-seq parent-of parent-of p))
(defn gen [p a] (loop [level [p] n 0] (cond (empty? level) nil (some #{a} level) n :else (recur (mapcat parent-of level) (inc n)))))
(defn siblings [p] (sort (for [[c ps] parent-of :when (and (not= c p) (some (set (parent-of p)) ps))] c)))
[(rest (ancestors-of "dan")) (gen "dan" "al") (gen "dan" "zed") (siblings "cat") (into (sorted-map) (apply merge-with into (for [[c ps] parent-of p ps] {p [c]})))]
;;;; bill split
(def payments {"ann" 90 "bob" 30 "cy" 0})
(let [share (/ (reduce + (vals payments)) (count payments)) bal (update-vals payments #(- % share))]
  (loop [bal bal out []]
    (let [[d dv] (apply min-key val bal) [c cv] (apply max-key val bal)]
      (if (zero? cv) out (let [x (min (- dv) cv)] (recur (-> bal (update d + x) (update c - x)) (conj out [d c x])))))))
;;;; lottery deterministic lcg
(defn lcg [seed] (mod (+ (* 1103515245 seed) 12345) 2147483648))
(defn rnd-seq [seed n] (map #(mod % n) (rest (iterate lcg seed))))
(defn shuffle-with [seed xs] (map second (sort-by first (map vector (rest (iterate lcg seed)) xs))))
[(take 5 (rnd-seq 42 100)) (shuffle-with 7 [:a :b :c :d]) (take 3 (distinct (rnd-seq 1 6)))]
;;;; state machine with loop text
(defn strip-comments [s]
  (loop [[c n :as cs] (seq s) state :code out ""]
    (if (empty? cs) out
      (case state
        :code (cond (and (= c \/) (= n \*)) (recur (drop 2 cs) :block out) (and (= c \/) (= n \/)) (recur (drop 2 cs) :line out) :else (recur (rest cs) :code (str out c)))
        :block (if (and (= c \*) (= n \/)) (recur (drop 2 cs) :code out) (recur (rest cs) :block out))
        :line (if (= c \newline) (recur cs :code out) (recur (rest cs) :line out))))))
(strip-comments "a /* b */ c // d\ne")
;;;; bracket depth profile
(let [s "(a(b)((c)))" ds (reductions (fn [d c] (case c \( (inc d) \) (dec d) d)) 0 s)] [(apply max ds) (last ds) (rest ds) (frequencies ds) (map-indexed (fn [i c] (if (= c \() i nil)) s)])
;;;; tournament rounds
(defn rounds [teams] (let [n (count teams) [f & r] teams] (for [i (range (dec n))] (let [rot (take (dec n) (drop i (cycle r))) line (cons f rot)] (map vector (take (/ n 2) line) (reverse (drop (/ n 2) line)))))))
(rounds [:a :b :c :d])
;;;; elo
(defn expected [a b] (/ 1.0 (+ 1 (Math/pow 10 (/ (- b a) 400.0)))))
(defn update-elo [ratings [w l]] (let [e (expected (ratings w) (ratings l)) d (Math/round (* 32 (- 1 e)))] (-> ratings (update w + d) (update l - d))))
(reduce update-elo {"a" 1500 "b" 1500 "c" 1600} [["a" "b"] ["a" "c"] ["c" "b"]])
;;;; text adventure
(def world {:hall {:north :kitchen :items #{:lamp}} :kitchen {:south :hall :items #{}}})
(defn act [{:keys [room inv world] :as st} [verb arg]]
  (case verb
    :go (if-let [r (get-in world [room arg])] (assoc st :room r) (assoc st :msg (str "no exit " (name arg))))
    :take (if (get-in world [room :items arg]) (-> st (update :inv conj arg) (update-in [:world room :items] disj arg)) (assoc st :msg "nothing"))
    :look (assoc st :msg (str "You are in " (name room) ". " (clojure.string/join ", " (map name (sort (keys (dissoc (world room) :items)))))))))
(select-keys (reduce act {:room :hall :inv [] :world world} [[:take :lamp] [:take :gold] [:go :north] [:go :north] [:look]]) [:room :inv :msg])
;;;; simple vm
(defn run [prog] (loop [pc 0 stack [] out [] steps 0] (if (or (>= pc (count prog)) (> steps 100)) {:stack stack :out out :steps steps} (let [[op arg] (nth prog pc) nxt (inc pc) s (inc steps)] (case op :push (recur nxt (conj stack arg) out s) :add (recur nxt (conj (pop (pop stack)) (+ (peek stack) (peek (pop stack)))) out s) :mul (recur nxt (conj (pop (pop stack)) (* (peek stack) (peek (pop stack)))) out s) :dup (recur nxt (conj stack (peek stack)) out s) :print (recur nxt (pop stack) (conj out (peek stack)) s) :jnz (recur (if (zero? (peek stack)) nxt arg) stack out s) :dec (recur nxt (conj (pop stack) (dec (peek stack))) out s) (throw (ex-info "bad op" {:op op})))))))
[(run [[:push 2] [:push 3] [:add] [:dup] [:mul] [:print]]) (run [[:push 3] [:dup] [:print] [:dec] [:jnz 1]]) (try (run [[:nope]]) (catch Exception e (ex-data e)))]
;;;; lens like
(defn over [path f m] (update-in m path f)) (defn over-all [k f m] (update m k (partial mapv f)))
(->> {:a {:b 1} :xs [{:n 1} {:n 2}]} (over [:a :b] inc) (over-all :xs #(update % :n * 10)))
;;;; comp & transduce stats
(def xf (comp (filter :active) (map :score) (remove nil?) (map double)))
(let [users [{:active true :score 10} {:active false :score 5} {:active true :score nil} {:active true :score 7}]]
  [(into [] xf users) (transduce xf + users) (transduce xf (fn ([] [0 0]) ([[s n]] (/ s n)) ([[s n] x] [(+ s x) (inc n)])) users) (transduce xf max ##-Inf users) (sequence (comp (map inc) (filter even?)) [1 2 3]) (eduction (map inc) [1 2])]
;;;; transduce completing
[(transduce (map inc) (completing conj) [] [1 2]) (transduce (comp (map inc) (take 2)) conj [1 2 3]) (transduce (map str) str "" [1 2 3]) (into [] (comp cat (map inc)) [[1] [2 3]]) (into [] (mapcat range) [1 2 3]) (into [] (keep #(when (odd? %) (* % %))) (range 6)) (into [] (partition-by odd?) [1 3 2 4 5]) (into [] (take-nth 2) (range 5)) (transduce (halt-when neg?) conj [] [1 -2 3])]
;;;; transduce plain
[(transduce (comp (map inc) (take 2)) conj [1 2 3]) (transduce (map str) str "" [1 2 3]) (into [] (comp cat (map inc)) [[1] [2 3]]) (into [] (mapcat range) [1 2 3]) (into [] (keep #(when (odd? %) (* % %))) (range 6)) (into [] (partition-by odd?) [1 3 2 4 5]) (into [] (take-nth 2) (range 5)) (into {} (comp (filter (comp even? val)) (map (fn [[k v]] [k (* v v)]))) {:a 1 :b 2}) (into () (map inc) [1 2 3]) (into (sorted-set) (map -) [1 2 3]) (into [] (distinct) [1 1 2]) (into [] (map-indexed vector) "ab")]
