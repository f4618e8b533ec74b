;;;; ns header with refer and rename, config validation
(ns app.config
  (:require [clojure.string :as str :refer [blank? join]]
            [clojure.set :refer [difference subset?]]
            [clojure.walk :refer [postwalk]]))

(def required #{:host :port :mode})
(def ^:const max-port 65535)
(def ^{:doc "known modes"} modes #{:dev :prod})

(defn- valid-port? [p] (and (int? p) (<= 1 p max-port)))

(defn validate
  "Returns [:ok cfg] or [:error msgs]."
  [{:keys [host port mode] :as cfg}]
  (let [missing (difference required (set (keys cfg)))
        errs (cond-> []
               (seq missing) (conj (str "missing: " (join ", " (sort (map name missing)))))
               (and host (blank? host)) (conj "host is blank")
               (and port (not (valid-port? port))) (conj (str "bad port " port))
               (and mode (not (modes mode))) (conj (str "bad mode " mode)))]
    (if (empty? errs) [:ok cfg] [:error errs])))

(comment
  (validate {}))

#_(println "ignored")

(mapv validate [{:host "h" :port 80 :mode :dev} {:host " " :port 99999} {:mode :test :host "x" :port nil} {}])
;;;; multi-arity with variadic and apply
(defn sum-of
  "Sums with options."
  ([] 0)
  ([x] x)
  ([x y] (+ x y))
  ([x y & more] (reduce sum-of (sum-of x y) more)))
(defn describe [label & {:keys [unit precision] :or {unit "" precision 1}}]
  (fn [n] (str label ": " (format (str "%." precision "f") (double n)) unit)))
[(sum-of) (sum-of 1) (sum-of 1 2) (sum-of 1 2 3 4) (apply sum-of (range 10)) ((describe "len" :unit "cm" :precision 2) 3.14159) ((describe "n") 2)
 (map (fn [& args] (count args)) [1 2] [3 4]) ((fn ([a] [:one a]) ([a & r] [:many a r])) 1 2 3)]
;;;; hand-written assoc lists and mutual recursion with declare
(declare my-odd?)
(defn my-even? [n] (if (zero? n) true (my-odd? (dec n))))
(defn my-odd? [n] (if (zero? n) false (my-even? (dec n))))
(defn lookup [alist k & [default]] (let [[[_ v]] (filter (fn [[k' _]] (= k k')) alist)] (if (some? v) v default)))
(letfn [(hanoi [n a b c] (when (pos? n) (concat (hanoi (dec n) a c b) [[a b]] (hanoi (dec n) c b a))))
        (ack [m n] (cond (zero? m) (inc n) (zero? n) (ack (dec m) 1) :else (ack (dec m) (ack m (dec n)))))]
  {:even (map my-even? [0 7 10]) :lookup [(lookup [[:a 1] [:b 2]] :b) (lookup [[:a 1]] :z) (lookup [] :z 0)] :hanoi (hanoi 3 :l :r :m) :ack (ack 2 3)})
;;;; try/finally order and rethrow
(defn step [n]
  (try
    (println "start" n)
    (when (odd? n) (throw (ex-info "odd!" {:n n})))
    (* n 10)
    (catch clojure.lang.ExceptionInfo e
      (println "caught" (ex-message e))
      (if (= 3 (:n (ex-data e))) (throw (ex-info "fatal" {:cause-n 3} e)) :recovered))
    (finally (println "done" n))))
[(step 1) (step 2) (try (step 3) (catch Exception e [(ex-message e) (ex-data e) (ex-message (ex-cause e))]))]
;;;; errors by class hierarchy
(defn classify [f]
  (try (f) :fine
    (catch ArithmeticException e :arith)
    (catch NumberFormatException e :number)
    (catch ClassCastException e :cast)
    (catch NullPointerException e :npe)
    (catch IndexOutOfBoundsException e :index)
    (catch clojure.lang.ExceptionInfo e (:type (ex-data e) :info))
    (catch IllegalArgumentException e :illegal)
    (catch Exception e [:other (.getMessage e)])))
(map classify [#(/ 1 0) #(Integer/parseInt "x") #(+ 1 "a") #(+ 1 nil) #(.substring "abc" 5) #(throw (ex-info "x" {:type :mine})) #(throw (ex-info "x" {})) #(throw (IllegalArgumentException. "bad")) #(throw (Exception. "plain")) #(nth [1 2] 1) #(throw (RuntimeException. "rt"))])
;;;; validation pipeline with reduce and reduced
(def rules [[:name string? "name must be text"] [:age #(and (int? %) (<= 0 % 150)) "age out of range"] [:email #(re-matches #".+@.+\..+" (str %)) "email invalid"]])
(defn check-all [m] (reduce (fn [errs [k ok? msg]] (if (ok? (get m k)) errs (assoc errs k msg))) {} rules))
(defn first-error [m] (reduce (fn [_ [k ok? msg]] (if (ok? (k m)) nil (reduced [k msg]))) nil rules))
(map (juxt check-all first-error) [{:name "A" :age 5 :email "a@b.co"} {:name 1 :age 200 :email "a"} {}])
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
;;;; stack and queue semantics of vector, list, queue
(let [v [1 2 3] l '(1 2 3) q (into clojure.lang.PersistentQueue/EMPTY [1 2 3])]
  {:peek [(peek v) (peek l) (peek q)] :pop [(pop v) (pop l) (vec (pop q))] :conj [(conj v 0) (conj l 0) (vec (conj q 0))] :into [(into [] l) (into () v)] :cons [(cons 0 v) (cons 0 l)] :types [(vector? v) (list? l) (vector? (rest v)) (seq? (map inc v)) (list? (reverse v))] :rev [(reverse v) (rseq v)] :nthrest [(nthrest v 2) (nthnext v 3)] :subvec (subvec v 1) :empty [(empty v) (empty l) (empty {:a 1}) (empty "x")]})
;;;; sets in depth
(let [a #{1 2 3} b #{3 4}]
  [(set/union a b) (set/intersection a b) (set/difference a b) (set/subset? #{1} a) (set/superset? a #{1 2}) (a 2) (a 9) (contains? a nil) (conj a 1) (disj a 1 2) (set/select even? a) (set/map-invert {:a 1 :b 2}) (set (map #(mod % 3) (range 10))) (sort (into a b)) (empty? (set/intersection #{1} #{2})) (= #{1 2} (sorted-set 2 1)) (every? a [1 2]) (some b a) (count (into #{} "mississippi")) (disj #{} 1)])
;;;; set relations join
(let [emp #{{:emp 1 :name "A" :dept 10} {:emp 2 :name "B" :dept 20} {:emp 3 :name "C" :dept 30}} dept #{{:dept 10 :title "Eng"} {:dept 20 :title "Ops"}}]
  [(sort-by :emp (map (fn [e] (merge e (first (filter #(= (:dept e) (:dept %)) dept)))) emp)) (set/project emp [:name]) (set/rename-keys {:a 1} {:a :b}) (update-vals (group-by :dept emp) count) (set/index dept [:dept])])
;;;; map functions in depth
(let [m {:a 1 :b 2 :c 3}]
  [(reduce-kv (fn [acc k v] (assoc acc v k)) {} m) (into {} (filter (comp odd? val)) m) (into {} (map (fn [[k v]] [k (* v v)])) m) (zipmap (keys m) (map inc (vals m))) (apply dissoc m [:a :b]) (merge-with + m {:a 10 :d 4}) (merge-with into {:x [1]} {:x [2] :y [3]}) (select-keys m [:a :z]) (find m :b) (find m :q) (get m :q :none) (update m :a + 100) (update m :z (fnil conj []) 1) (assoc-in {} [:p :q] 1) (get-in {:p [{:q 5}]} [:p 0 :q]) (update-in {:p {:q 1}} [:p :q] * 7) (dissoc (assoc m :d 4) :a) (map key m) (some (fn [[k v]] (when (= v 2) k)) m) (sort-by val > m) (first (sort m)) (seq {}) (count m) (contains? m :a) (every? (fn [[_ v]] (pos? v)) m) (apply hash-map [:x 1]) (key (first m)) (update-keys m name) (apply max-key val m) (min-key m :a :b) (not-empty {}) (reduce (fn [a [k v]] (+ a v)) 0 m) (mapcat identity {:k 1}) (into [] {:k 1}) (frequencies (vals {:a 1 :b 1}))])
;;;; sequence functions in depth
(let [xs [5 3 8 1]]
  [(partition 2 xs) (partition 3 xs) (partition 3 1 xs) (partition 3 3 [:pad] xs) (partition-all 3 xs) (partition-by odd? xs) (split-at 1 xs) (split-with odd? xs) (take-last 2 xs) (drop-last xs) (butlast xs) (interpose 0 xs) (interleave xs [:a :b]) (reductions max xs) (map-indexed vector xs) (keep-indexed #(when (odd? %1) %2) xs) (zipmap [:a :b] xs) (take-nth 2 xs) (distinct [1 1 2 1]) (dedupe [1 1 2 1]) (flatten [1 [2 [3 nil]] '(4)]) (mapcat #(repeat % %) [1 2]) (group-by even? xs) (frequencies [:a :b :a]) (some #(when (> % 4) %) xs) (every? pos? xs) (not-any? neg? xs) (not-every? odd? xs) (sort > xs) (sort-by - xs) (reverse xs) (rseq xs) (last xs) (nth xs 2) (nth xs 9 :none) (rest [1]) (next [1]) (ffirst [[1]]) (second xs) (cons 1 nil) (concat xs [1] nil '(2)) (apply map vector [[1 2] [3 4]]) (iterate inc 1)] )
;;;; sequence functions in depth, all finite
(let [xs [5 3 8 1]]
  [(partition 3 3 [:pad] xs) (split-with odd? xs) (take-last 2 xs) (drop-last xs) (interpose 0 xs) (interleave xs [:a :b]) (keep-indexed #(when (odd? %1) %2) xs) (take-nth 2 xs) (dedupe [1 1 2 1]) (flatten [1 [2 [3 nil]] '(4)]) (mapcat #(repeat % %) [1 2]) (rseq xs) (nth xs 9 :none) (rest [1]) (next [1]) (cons 1 nil) (concat xs [1] nil '(2)) (replace {5 :five} xs) (replace [:a :b] [0 1 2]) (reduce conj () xs) (take-while odd? xs) (drop-while odd? xs) (max-key - 1 2) (tree-seq vector? seq [1 [2]]) (sequence nil) (cycle []) (repeat 2 :x) (range 5 0 -2) (range 0 1 0.25) (lazy-cat [1] [2])])
;;;; tricky core: case fallthrough values, if-some, when-first, some->
(defn f [x] (case x (1 2 3) :small ("a" "b") :str nil :nil [1 2] :vec {:k 1} :map :else))
[(map f [2 "b" nil [1 2] {:k 1} 99 '(1 2)]) (if-some [x false] [:some x] :none) (when-first [x [nil 1]] [:first x]) (some-> {:a {:b 5}} :a :b inc) (some-> {:a nil} :a :b inc) (some->> [1 2] (map inc) (reduce +)) (cond-> 1 true inc false (* 100) :always (+ 5)) (cond->> [1 2 3] true (map inc) false (filter odd?)) (as-> 5 x (+ x 1) (* x x)) (-> 5 (- 3) (/ 2)) (->> 5 (- 3)) (doto 5 inc) (if-let [[a b] [1 2]] (+ a b)) (when-let [x (seq [])] x) (and 1 2) (or nil false 3) (not= 1 2) (condp = 3 1 :a 3 :b) (condp some [1 2] #{5} :five #{2} :two :none) (when-not false 1 2) (if-not true 1 2)]
;;;; gpt-5 style: typed records as maps with constructors and predicates
(defn ->point [x y] {:type :point :x x :y y})
(defn ->circle [center r] {:type :circle :center center :r r})
(defn ->rect [p w h] {:type :rect :origin p :w w :h h})
(def area-fns {:circle (fn [{:keys [r]}] (* Math/PI r r)) :rect (fn [{:keys [w h]}] (* w h)) :point (constantly 0)})
(defn area [{:keys [type] :as shape}] (if-let [f (get area-fns type)] (f shape) (throw (ex-info (str "No area for " type) {:shape shape}))))
(defn translate [shape dx dy]
  (case (:type shape)
    :point (-> shape (update :x + dx) (update :y + dy))
    :circle (update shape :center translate dx dy)
    :rect (update shape :origin translate dx dy)))
(let [shapes [(->point 1 2) (->circle (->point 0 0) 2) (->rect (->point -1 -1) 3 4)]]
  {:areas (mapv #(format "%.2f" (double (area %))) shapes) :moved (map #(translate % 1 1) shapes) :biggest (:type (apply max-key area shapes)) :err (try (area {:type :blob}) (catch Exception e (.getMessage e)))})
;;;; pagination with lazy concat of pages
(def db (mapv (fn [i] {:id i :score (mod (* i 37) 101)}) (range 1 24)))
(defn page [n size] (->> db (sort-by (juxt (comp - :score) :id)) (drop (* (dec n) size)) (take size)))
(defn all-pages [size] (take-while seq (map #(page % size) (iterate inc 1))))
(let [ps (all-pages 10)] {:n (count ps) :sizes (map count ps) :first (mapv :id (first ps)) :last (mapv (juxt :id :score) (last ps)) :meta {:total (count db) :pages (int (Math/ceil (/ (count db) 10)))}})
;;;; iterate with destructured state and halt
(defn collatz-stats [n] (let [s (take-while #(> % 1) (iterate #(if (even? %) (quot % 2) (inc (* 3 %))) n))] {:n n :steps (count s) :peak (reduce max 1 s)}))
(defn digits [n] (map #(Character/digit % 10) (str n)))
(defn happy? [n] (loop [n n seen #{}] (cond (= n 1) true (seen n) false :else (recur (reduce + (map #(* % %) (digits n))) (conj seen n)))))
(defn narcissistic? [n] (let [ds (digits n) k (count ds)] (== n (reduce + (map #(Math/pow % k) ds)))))
(defn kaprekar [n] (->> (iterate (fn [x] (let [ds (sort (digits x)) pad (concat (repeat (- 4 (count ds)) 0) ds) num #(Long/parseLong (apply str %))] (- (num (reverse (sort pad))) (num (sort pad))))) n) (take-while #(not= 6174 %)) count))
[(map collatz-stats [1 7 27]) (filter happy? (range 1 32)) (filter narcissistic? (range 100 500)) (map kaprekar [3524 2111]) (reduce + (digits 98765))]
;;;; budget months with carry-over via reductions
(def months [[:jan 3000 2500] [:feb 3000 3400] [:mar 3000 3100] [:apr 3500 1000]])
(->> months
     (reductions (fn [{:keys [carry]} [m in out]] (let [b (+ carry (- in out))] {:month m :carry b :status (cond (neg? b) :red (< b 500) :tight :else :ok)})) {:carry 0})
     rest
     (map (juxt :month :carry :status))
     (partition-by peek)
     (mapv #(vector (last (first %)) (mapv first %))))
;;;; seats in a theatre
(def rows 4) (def cols 6)
(def taken #{[0 2] [0 3] [1 0] [1 1] [1 2] [2 5] [3 3]})
(defn free [r] (for [c (range cols) :when (not (taken [r c]))] c))
(defn runs [xs] (->> xs (map-indexed (fn [i x] [(- x i) x])) (partition-by first) (mapv (partial mapv second))))
(defn best-for [n] (->> (for [r (range rows) run (runs (free r)) :when (>= (count run) n) s (partition n 1 run)] {:row r :seats (vec s) :dist (+ (* 2 r) (reduce + (map #(Math/abs (- (/ (dec cols) 2.0) %)) s)))}) (sort-by (juxt :dist :row)) first))
(doseq [r (range rows)] (println (str (char (+ 65 r)) " " (str/join (for [c (range cols)] (if (taken [r c]) "x" "."))))))
[(map (comp runs free) (range rows)) (best-for 3) (best-for 4) (best-for 7) (- (* rows cols) (count taken))]
;;;; stock trades profit windows
(def prices {"2024-01-02" 100 "2024-01-03" 105 "2024-01-04" 98 "2024-01-05" 110 "2024-01-08" 107})
(defn best-trade [ps]
  (let [days (sort (keys ps))]
    (->> (for [[i d1] (map-indexed vector days) d2 (drop (inc i) days)] {:buy d1 :sell d2 :profit (- (ps d2) (ps d1))})
         (apply max-key :profit))))
(defn kadane [xs] (second (reduce (fn [[cur best] x] (let [c (max x (+ cur x))] [c (max best c)])) [0 Long/MIN_VALUE] xs)))
(let [v (map val (sort prices)) changes (map - (rest v) v)]
  {:best (best-trade prices) :kadane (kadane changes) :changes changes :up (count (filter pos? changes)) :pct (map (fn [[a b]] (format "%+.2f%%" (* 100.0 (/ (- b a) a)))) (partition 2 1 v)) :streaks (map (juxt first count) (partition-by pos? changes))})
;;;; merging timelines and gaps
(def a [{:t 1 :v :a1} {:t 4 :v :a4} {:t 9 :v :a9}]) (def b [{:t 2 :v :b2} {:t 4 :v :b4}])
(let [all (sort-by (juxt :t (comp name :v)) (concat a b)) as-of (fn [t] (:v (last (take-while #(<= (:t %) t) all))))]
  {:merged (mapv :v all) :as-of (mapv as-of [0 3 4 100]) :gaps (keep (fn [[x y]] (let [g (- (:t y) (:t x))] (when (> g 1) {:from (:t x) :gap g}))) (partition 2 1 all)) :dups (->> all (group-by :t) (filter #(next (val %))) (into {}) keys)})
;;;; recipe shopping list and pantry
(def recipes {:pancakes {:flour 200 :milk 300 :egg 2} :omelette {:egg 3 :butter 10} :bread {:flour 500 :yeast 7}})
(def pantry {:flour 400 :egg 4 :milk 1000})
(defn need [plan] (apply merge-with + (map (fn [[r n]] (update-vals (recipes r) #(* n %))) plan)))
(defn missing [needed] (into (sorted-map) (keep (fn [[k n]] (let [d (- n (get pantry k 0))] (when (pos? d) [k d])))) needed))
(let [plan {:pancakes 2 :bread 1 :omelette 1} n (need plan)] {:need (into (sorted-map) n) :missing (missing n) :can-make (filter #(empty? (missing (recipes %))) (sort (keys recipes))) :text (str/join "; " (for [[k v] (missing n)] (str (name k) " x" v)))})
;;;; markdown table of contents with numbering
(def doc "# Intro\ntext\n## Setup\n### Linux\n### Mac\n## Usage\n# Reference\n## API")
(defn headings [s] (for [l (str/split-lines s) :let [[_ h t] (re-matches #"(#+) (.+)" l)] :when h] [(count h) t]))
(defn number [hs] (rest (reductions (fn [[nums _] [lvl t]] (let [nums (vec (take lvl (concat nums (repeat 0))))] [(update nums (dec lvl) inc) t])) [[] nil] hs)))
(doseq [[nums t] (number (headings doc))] (println (str (apply str (repeat (* 2 (dec (count nums))) " ")) (str/join "." nums) " " t)))
(mapv (fn [[n t]] [(str/join "." n) (-> t str/lower-case keyword)]) (number (headings doc)))
;;;; spell checker with edit-1 candidates
(def dict #{"cat" "cart" "car" "care" "bat" "at" "chat"})
(def letters (map str "abcdefghijklmnopqrstuvwxyz"))
(defn edits [w]
  (let [splits (for [i (range (inc (count w)))] [(subs w 0 i) (subs w i)])]
    (set (concat (for [[a b] splits :when (seq b)] (str a (subs b 1)))
                 (for [[a b] splits :when (> (count b) 1)] (str a (nth b 1) (nth b 0) (subs b 2)))
                 (for [[a b] splits :when (seq b) c letters] (str a c (subs b 1)))
                 (for [[a b] splits c letters] (str a c b))))))
(defn suggest [w] (if (dict w) [:ok] (sort (filter dict (edits w)))))
(into {} (map (juxt identity suggest)) ["cat" "cta" "crat" "zzz" "ca"])
;;;; k nearest neighbours and confusion matrix
(def train [[[1 1] :a] [[1 2] :a] [[8 8] :b] [[9 8] :b] [[5 5] :a]])
(defn dist2 [p q] (reduce + (map (fn [a b] (let [d (- a b)] (* d d))) p q)))
(defn classify [k p] (->> train (sort-by (comp (partial dist2 p) first)) (take k) (map second) frequencies (sort-by (juxt (comp - val) key)) ffirst))
(let [tests [[[2 2] :a] [[7 7] :b] [[6 5] :b]] preds (map (fn [[p y]] [y (classify 3 p)]) tests)]
  {:preds preds :confusion (frequencies preds) :accuracy (/ (count (filter (partial apply =) preds)) (double (count preds)))})
;;;; perceptron with integer weights
(def data [[[0 0] 0] [[0 1] 0] [[1 0] 0] [[1 1] 1]])
(defn predict [[w0 & ws] xs] (if (>= (apply + w0 (map * ws xs)) 0) 1 0))
(defn train-epoch [w] (reduce (fn [w [xs y]] (let [e (- y (predict w xs))] (mapv + w (map #(* e %) (cons 1 xs))))) w data))
(let [ws (iterate train-epoch [0 0 0]) stable (first (first (filter (fn [[a b]] (= a b)) (partition 2 1 ws))))] [stable (map (comp (partial predict stable) first) data) (count (take-while #(not= stable %) ws))])
;;;; message bus with handlers and topics wildcard
(defn topic-match? [pattern topic] (let [p (str/split pattern #"\.") t (str/split topic #"\.")] (and (= (count p) (count t)) (every? true? (map #(or (= %1 "*") (= %1 %2)) p t)))))
(def subs* [["orders.*" :audit] ["orders.created" :email] ["*.failed" :pager]])
(defn route [topic] (mapv second (filter #(topic-match? (first %) topic) subs*)))
(let [msgs ["orders.created" "orders.failed" "users.created"]] {:routes (zipmap msgs (map route msgs)) :load (frequencies (mapcat route msgs))})
;;;; undo redo editor
(def empty-doc {:text "" :undo () :redo ()})
(defn edit [d f] (-> d (assoc :undo (cons (:text d) (:undo d)) :redo ()) (update :text f)))
(defn undo [{:keys [text undo redo] :as d}] (if-let [[t & more] (seq undo)] (assoc d :text t :undo more :redo (cons text redo)) d))
(defn redo [{:keys [text undo redo] :as d}] (if (seq redo) (assoc d :text (first redo) :redo (rest redo) :undo (cons text undo)) d))
(let [ops [#(edit % (fn [s] (str s "hello"))) #(edit % (fn [s] (str s " world"))) undo undo undo redo #(edit % str/upper-case) redo]]
  (map :text (reductions #(%2 %1) empty-doc ops)))
;;;; deep ex-info handling with retries and backoff log
(defn flaky [fails] (fn [attempt] (if (< attempt fails) (throw (ex-info (str "attempt " attempt " failed") {:attempt attempt :retry? (< attempt 3)})) {:ok attempt})))
(defn with-retry [f max-tries]
  (loop [n 0 waits []]
    (let [r (try {:value (f n)} (catch Exception e {:error e}))]
      (cond
        (:value r) (assoc (:value r) :waits waits)
        (and (< (inc n) max-tries) (:retry? (ex-data (:error r)))) (recur (inc n) (conj waits (bit-shift-left 100 n)))
        :else {:gave-up (ex-message (:error r)) :waits waits}))))
[(with-retry (flaky 0) 3) (with-retry (flaky 2) 5) (with-retry (flaky 9) 2) (with-retry (flaky 9) 10)]
;;;; resource cleanup order with nested finally
(def log [])
(defn record [x] (def log (conj log x)))
(defn use-resource [n f] (record [:open n]) (try (f n) (finally (record [:close n]))))
(try (use-resource :a (fn [a] (use-resource :b (fn [b] (record [:work a b]) (/ 1 0))))) (catch ArithmeticException e (record [:caught (.getMessage e)])))
log
;;;; numbers parse and sum with overflow guards
(defn safe-sum [xs] (try (reduce + xs) (catch ArithmeticException e :overflow)))
(defn parse [s] (try (Long/parseLong (str/trim s)) (catch NumberFormatException _ nil)))
(let [xs (map parse ["1" " 2 " "x" "9223372036854775807" ""])] [xs (safe-sum (remove nil? xs)) (safe-sum (take 2 xs)) (keep parse ["-5" "+6" "0x1F" "1e3"])])
;;;; threading every way
(defn normalize [s] (-> s str/trim str/lower-case (str/replace #"\s+" " ")))
[(-> {:a {:b [1 2 3]}} :a :b (nth 1) inc str keyword)
 (->> (range 10) (filter odd?) (map #(* % %)) (take-while #(< % 50)) (into []) (apply +))
 (as-> [3 1 2] $ (sort $) (vec $) (conj $ 4) (mapv (partial * 2) $))
 (some-> "  Hello   World " normalize (str/split #" ") last)
 (some->> nil (map inc)) (cond-> {:n 5} true (assoc :t 1) (> 3 5) (assoc :no 1) :else (update :n inc))
 (-> 10 (/ 4) double (* 2) int) (->> [[:a 1] [:b 2]] (into {}) (reduce-kv (fn [a k v] (assoc a v k)) {})) (-> "a,b" (str/split #",") (->> (map str/upper-case) (str/join "-")))
 (doto {:a 1} (-> :a println)) (-> [1 2 3] (->> (map inc)) vec (conj 9)) (-> 5 ((fn [x] (* x x)))) (->> 5 (#(+ % 1)))]
;;;; state machine lexer with loop and case on chars
(defn lex [s]
  (loop [[c & cs :as all] (seq s) state :start buf "" out []]
    (case state
      :start (cond (nil? c) out
                   (Character/isDigit c) (recur cs :num (str c) out)
                   (Character/isLetter c) (recur cs :word (str c) out)
                   (Character/isWhitespace c) (recur cs :start "" out)
                   (= c \") (recur cs :string "" out)
                   :else (recur cs :start "" (conj out [:punct (str c)])))
      :num (if (and c (or (Character/isDigit c) (= c \.))) (recur cs :num (str buf c) out) (recur all :start "" (conj out [:num (if (str/includes? buf ".") (parse-double buf) (parse-long buf))])))
      :word (if (and c (Character/isLetterOrDigit c)) (recur cs :word (str buf c) out) (recur all :start "" (conj out [:word (keyword buf)])))
      :string (cond (nil? c) (conj out [:error buf]) (= c \") (recur cs :start "" (conj out [:string buf])) :else (recur cs :string (str buf c) out)))))
[(lex "x1 = 3.14 + y*(42)") (lex "say \"hi there\" now") (lex "\"open") (lex "")]
;;;; matrix statistics and printing with cl-like columns
(def m [[1 2 3] [4 5 6] [7 8 10]])
(defn col-sums [m] (apply map + m))
(defn trace [m] (reduce + (map-indexed (fn [i r] (r i)) m)))
(defn minor [m i j] (vec (for [[r row] (map-indexed vector m) :when (not= r i)] (vec (for [[c v] (map-indexed vector row) :when (not= c j)] v)))))
(defn det [m] (if (= 1 (count m)) (get-in m [0 0]) (reduce + (for [j (range (count m))] (* (if (even? j) 1 -1) (get-in m [0 j]) (det (minor m 0 j)))))))
(defn inverse [m] (let [d (det m) n (count m)] (apply mapv vector (for [i (range n)] (for [j (range n)] (* (if (even? (+ i j)) 1 -1) (/ (det (minor m i j)) d)))))))
(doseq [r m] (println (apply format "%3d|%3d|%3d" r)))
{:sums (col-sums m) :trace (trace m) :det (det m) :inv (map (partial map double) (inverse m)) :id (= [[1.0 0.0 0.0] [0.0 1.0 0.0] [0.0 0.0 1.0]] (vec (for [r m] (vec (for [c (apply map vector (inverse m))] (double (reduce + (map * r c))))))))}
;;;; probability tables and expected values as ratios to doubles
(def die (range 1 7))
(def two (frequencies (for [a die b die] (+ a b))))
(def total (reduce + (vals two)))
(let [p (fn [k] (/ (two k) total)) ev (reduce + (map (fn [[k n]] (/ (* k n) total)) two)) var (reduce + (map (fn [[k n]] (* (/ n total) (let [d (- k ev)] (* d d)))) two))]
  {:p7 (double (p 7)) :ev (double ev) :var (double var) :sd (Math/sqrt var) :at-least-10 (double (reduce + (map p [10 11 12]))) :table (into (sorted-map) (map (fn [[k n]] [k (format "%.4f" (double (/ n total)))]) two))})
;;;; budget shares with rounding to cents and remainder distribution
(defn allocate [cents weights]
  (let [total (reduce + weights)
        raw (map #(/ (* cents %) total) weights)
        floors (map #(long (Math/floor (double %))) raw)
        short (- cents (reduce + floors))
        order (->> (map-indexed (fn [i r] [i (- r (nth floors i))]) raw) (sort-by (juxt (comp - second) first)) (map first) (take short) set)]
    (map-indexed (fn [i f] (if (order i) (inc f) f)) floors)))
[(allocate 1000 [1 1 1]) (allocate 100 [3 3 1]) (allocate 9999 [50 30 20]) (map #(reduce + (allocate % [7 11 13])) [1 10 100])]
;;;; linear interpolation and lookup tables
(def table (sorted-map 0 0.0 10 5.0 20 20.0 40 22.0))
(defn interp [x]
  (let [below (last (take-while #(<= (key %) x) table)) above (first (drop-while #(< (key %) x) table))]
    (cond (nil? below) (val above) (nil? above) (val below) (= below above) (val below)
          :else (let [[x0 y0] below [x1 y1] above t (/ (- x x0) (- x1 x0))] (+ y0 (* t (- y1 y0)))))))
(map interp [-5 0 5 13 20 33 99])
;;;; exponential smoothing with trend, integers in
(defn holt [alpha beta xs]
  (reduce (fn [{:keys [level trend out]} x] (let [l (+ (* alpha x) (* (- 1 alpha) (+ level trend))) t (+ (* beta (- l level)) (* (- 1 beta) trend))] {:level l :trend t :out (conj out (+ l t))})) {:level (first xs) :trend (- (second xs) (first xs)) :out []} (rest xs)))
[(:out (holt 0.5 0.3 [10 12 13 12 15])) (map double (:out (holt (/ 1 2) (/ 1 4) [10 12 13 12 15])))]
;;;; ranks with averaged ties and spearman
(defn ranks [xs] (let [idx (group-by second (map-indexed (fn [i x] [(inc i) x]) (sort xs)))] (map (fn [x] (let [ps (map first (idx x))] (/ (reduce + ps) (count ps)))) xs)))
(defn pearson [a b] (let [n (count a) ma (/ (reduce + a) n) mb (/ (reduce + b) n) cov (reduce + (map #(* (- %1 ma) (- %2 mb)) a b)) sd (fn [xs m] (Math/sqrt (reduce + (map #(let [d (- % m)] (* d d)) xs))))] (/ cov (* (sd a ma) (sd b mb)))))
(let [x [10 20 20 40 50] y [1 3 2 5 4]] [(map double (ranks x)) (pearson (ranks x) (ranks y)) (pearson x y)])
;;;; chi square and gini from counts
(def observed {:a [20 30] :b [25 25]})
(let [rows (update-vals observed #(reduce + %)) cols (apply map + (vals observed)) n (reduce + cols)
      expected (into {} (for [[k r] rows] [k (map #(/ (* r %) n) cols)]))
      chi (reduce + (for [[k os] observed [o e] (map vector os (expected k))] (/ (* (- o e) (- o e)) e)))]
  {:expected (update-vals expected #(map double %)) :chi (double chi) :p-small (> chi 3.84)})
