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
;;;; text stats
(def text "The quick brown fox.\nJumps over the lazy dog!  The end?")
(let [words (re-seq #"[A-Za-z']+" text)
      sentences (map clojure.string/trim (re-seq #"[^.!?]+[.!?]" text))]
  {:words (count words) :unique (count (set (map clojure.string/lower-case words))) :sentences sentences
   :longest (apply max-key count words) :avg (format "%.3f" (/ (double (reduce + (map count words))) (count words)))
   :lengths (into (sorted-map) (group-by count words)) :initials (apply str (map first words)) :lines (count (clojure.string/split-lines text))
   :title (clojure.string/join " " (map clojure.string/capitalize words)) :vowels (count (filter #{\a \e \i \o \u} (clojure.string/lower-case text)))})
;;;; bank simulation reduce
(defn account [id] {:id id :balance 0 :history []})
(defn deposit [acct amt] (-> acct (update :balance + amt) (update :history conj [:deposit amt])))
(defn withdraw [{:keys [balance] :as acct} amt] (if (> amt balance) (update acct :history conj [:rejected amt]) (-> acct (update :balance - amt) (update :history conj [:withdraw amt]))))
(defn accrue [acct rate] (update acct :balance #(Math/round (* % (+ 1.0 rate)))))
(let [final (-> (account "x") (deposit 100) (withdraw 30) (withdraw 500) (accrue 0.05) (deposit 7))]
  (assoc final :summary (reduce (fn [m [k v]] (update m k (fnil + 0) v)) {} (:history final))))
;;;; shopping cart
(def catalog {:apple {:price 0.5 :cat :fruit} :bread {:price 2.25 :cat :bakery} :milk {:price 1.75 :cat :dairy}})
(defn add-item ([cart k] (add-item cart k 1)) ([cart k n] (update cart k (fnil + 0) n)))
(defn total [cart & {:keys [coupon tax] :or {tax 0.0}}]
  (let [sub (reduce-kv (fn [t k n] (+ t (* n (get-in catalog [k :price])))) 0 cart)
        sub (case coupon "HALF" (/ sub 2) "FIVE" (max 0 (- sub 5)) sub)]
    (* sub (inc tax))))
(let [cart (-> {} (add-item :apple 6) (add-item :bread) (add-item :milk 2) (add-item :apple))]
  [cart (total cart) (total cart :coupon "HALF") (total cart :coupon "FIVE" :tax 0.1) (into {} (for [[c ks] (group-by #(get-in catalog [% :cat]) (keys cart))] [c (map name ks)]))])
;;;; priority queue tasks
(def tasks [{:id :a :pri 2 :deps []} {:id :b :pri 1 :deps [:a]} {:id :c :pri 5 :deps []} {:id :d :pri 4 :deps [:b :c]}])
(defn schedule [tasks]
  (loop [done [] pending (set (map :id tasks))]
    (if (empty? pending) done
      (let [ready (->> tasks (filter #(and (pending (:id %)) (every? (set done) (:deps %)))) (sort-by (juxt (comp - :pri) :id)))]
        (if-let [t (first ready)] (recur (conj done (:id t)) (disj pending (:id t))) [:deadlock done])))))
(schedule tasks)
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
;;;; interval merge
(defn merge-intervals [xs]
  (reduce (fn [acc [s e]] (let [[ps pe] (peek acc)] (if (and pe (<= s pe)) (conj (pop acc) [ps (max pe e)]) (conj acc [s e])))) [] (sort xs)))
[(merge-intervals [[1 3] [8 10] [2 6] [15 18] [17 20]]) (merge-intervals []) (reduce + (map (fn [[a b]] (- b a)) (merge-intervals [[0 5] [3 7]])))]
;;;; meeting overlap
(defn parse-time [s] (let [[h m] (map #(Integer/parseInt %) (clojure.string/split s #":"))] (+ (* 60 h) m)))
(defn fmt [m] (format "%02d:%02d" (quot m 60) (mod m 60)))
(defn overlaps? [[a b] [c d]] (and (< a d) (< c b)))
(def meetings (map (fn [[t s e]] {:title t :range [(parse-time s) (parse-time e)]}) [["Standup" "09:00" "09:15"] ["Review" "09:10" "10:00"] ["Lunch" "12:00" "13:00"]]))
{:conflicts (for [[i a] (map-indexed vector meetings) b (drop (inc i) meetings) :when (overlaps? (:range a) (:range b))] [(:title a) (:title b)])
 :gaps (->> meetings (map :range) (sort) (partition 2 1) (keep (fn [[[_ e] [s _]]] (when (< e s) (str (fmt e) "-" (fmt s))))))
 :total (transduce (map (fn [{[s e] :range}] (- e s))) + meetings)}
;;;; trie
(defn add-word [trie w] (assoc-in trie (concat w [:end]) true))
(defn words-with-prefix [trie prefix]
  (letfn [(collect [node acc] (mapcat (fn [[k v]] (if (= k :end) [acc] (collect v (str acc k)))) node))]
    (sort (collect (get-in trie (seq prefix)) prefix))))
(let [t (reduce add-word {} ["car" "card" "care" "cat" "dog"])] [(words-with-prefix t "car") (words-with-prefix t "do") (words-with-prefix t "x") (get-in t [\c \a \t :end]) (count t)])
;;;; bst
(defn insert [tree v] (if (nil? tree) {:v v} (cond (< v (:v tree)) (update tree :l insert v) (> v (:v tree)) (update tree :r insert v) :else tree)))
(defn in-order [t] (when t (concat (in-order (:l t)) [(:v t)] (in-order (:r t)))))
(defn height [t] (if t (inc (max (height (:l t)) (height (:r t)))) 0))
(defn level-order [t] (loop [q [t] out []] (if-let [n (first q)] (recur (into (vec (rest q)) (filter some? [(:l n) (:r n)])) (conj out (:v n))) out)))
(let [t (reduce insert nil [5 2 8 1 9 3])] [(in-order t) (height t) (level-order t) t])
;;;; linked list vec
(defn rotate [n xs] (let [k (mod n (count xs))] (concat (drop k xs) (take k xs))))
(defn chunk-by-sum [limit xs] (reduce (fn [acc x] (let [cur (peek acc)] (if (<= (+ x (reduce + cur)) limit) (conj (pop acc) (conj cur x)) (conj acc [x])))) [[]] xs))
(defn insert-at [v i x] (into (conj (subvec v 0 i) x) (subvec v i)))
(defn remove-at [v i] (into (subvec v 0 i) (subvec v (inc i))))
[(rotate 2 [1 2 3 4 5]) (rotate -1 [1 2 3]) (chunk-by-sum 10 [3 4 5 6 1 9]) (insert-at [1 2 4] 2 3) (remove-at [1 2 3] 1) (vec (rseq [1 2 3])) (apply mapv vector [[1 2] [3 4]]) (nth [1 2] 5 :none) (peek [1 2]) (pop [1 2]) (subvec [1 2 3] 1) (assoc [1 2] 2 3) (update [1 2] 0 inc)]
;;;; josephus
(defn josephus [n k] (loop [xs (vec (range 1 (inc n))) i 0 out []] (if (= 1 (count xs)) {:survivor (first xs) :order out} (let [j (mod (+ i (dec k)) (count xs))] (recur (into (subvec xs 0 j) (subvec xs (inc j))) j (conj out (xs j)))))))
[(josephus 7 3) (:survivor (josephus 41 3))]
;;;; look and say
(defn look-say [s] (->> s (partition-by identity) (mapcat (juxt count first)) (apply str)))
(take 6 (iterate look-say "1"))
;;;; collatz longest
(defn collatz-len [n] (count (take-while #(> % 1) (iterate #(if (even? %) (/ % 2) (inc (* 3 %))) n))))
(apply max-key val (into {} (map (juxt identity collatz-len)) (range 1 100)))
;;;; pascal triangle print
(defn pascal [n] (take n (iterate #(map + (cons 0 %) (concat % [0])) [1])))
(doseq [row (pascal 5)] (println (apply str (repeat (- 5 (count row)) " ")) (clojure.string/join " " row)))
(last (pascal 8))
;;;; multiplication table
(doseq [i (range 1 4)]
  (println (clojure.string/join " " (for [j (range 1 6)] (format "%3d" (* i j))))))
;;;; ascii table
(def rows [{:name "Widget" :qty 5 :price 2.5} {:name "Gizmo long" :qty 100 :price 10.0}])
(defn col-width [k] (apply max (count (name k)) (map (comp count str k) rows)))
(defn pad [s n] (str s (apply str (repeat (- n (count s)) \space))))
(let [ks [:name :qty :price] ws (map col-width ks)]
  (println (clojure.string/join " | " (map #(pad (name %1) %2) ks ws)))
  (println (clojure.string/join "-+-" (map #(apply str (repeat % "-")) ws)))
  (doseq [r rows] (println (clojure.string/join " | " (map #(pad (str (r %1)) %2) ks ws))))
  ws)
;;;; currency exchange
(def rates {[:usd :eur] 0.9 [:eur :gbp] 0.85 [:gbp :usd] 1.3})
(defn convert [amt path] (reduce (fn [a pair] (* a (rates pair))) amt (partition 2 1 path)))
(let [final (convert 1000 [:usd :eur :gbp :usd])] [(format "%.2f" final) (Math/round final) (convert 10 [:usd :eur]) (get rates [:usd :jpy] :none)])
;;;; exam grades
(def grades {"ann" [90 85 77] "bob" [60 70] "cy" []})
(defn mean [xs] (if (empty? xs) 0 (/ (apply + xs) (count xs))))
(defn letter [g] (cond (>= g 90) \A (>= g 80) \B (>= g 70) \C :else \F))
(into (sorted-map) (map (fn [[n gs]] [n {:mean (double (mean gs)) :letter (str (letter (mean gs))) :best (when (seq gs) (apply max gs)) :n (count gs)}])) grades)
;;;; ratio mean
(defn mean [xs] (/ (apply + xs) (count xs)))
[(float (mean [1 2])) (int (mean [1 2])) (double (mean [1 2 5 5])) (mean [2 4]) (format "%.2f" (double (mean [1 2]))) (Math/round (double (mean [1 2]))) (< (mean [1 2]) 2) (Math/floor (mean [3 4])) (quot (apply + [1 2]) 2)]
;;;; matrix spiral transpose print
(def m (vec (for [r (range 3)] (vec (for [c (range 4)] (+ (* r 4) c))))))
[(get-in m [1 2]) (assoc-in m [0 0] :x) (update-in m [2 3] * 10) (mapv #(reduce + %) m) (apply map + m) (mapv (comp vec reverse) m) (flatten m) (map last m) (for [r m :when (even? (first r))] (second r)) (partition 2 (flatten m)) (reduce into [] m) (map-indexed (fn [i r] (nth r i)) m) (mapv #(mapv inc %) m) (count m) (every? vector? m) (some (fn [r] (some #(when (> % 6) %) r)) m)]
;;;; permissions
(def roles {:admin #{:read :write :delete} :editor #{:read :write} :viewer #{:read}})
(def users [{:name "a" :roles [:admin]} {:name "b" :roles [:viewer :editor]} {:name "c" :roles []}])
(defn perms [u] (reduce clojure.set/union #{} (map roles (:roles u))))
(defn can? [u p] (contains? (perms u) p))
{:matrix (into (sorted-map) (for [u users] [(:name u) (sort (perms u))])) :can-write (map :name (filter #(can? % :write) users)) :diff (clojure.set/difference (roles :admin) (roles :editor)) :common (apply clojure.set/intersection (vals roles)) :sub (clojure.set/subset? (roles :viewer) (roles :admin)) :inv (clojure.set/map-invert {:a 1 :b 2}) :sym (let [a #{1 2 3} b #{3 4}] (clojure.set/union (clojure.set/difference a b) (clojure.set/difference b a)))}
;;;; relational
(def emps #{{:eid 1 :n "A" :d 10} {:eid 2 :n "B" :d 20} {:eid 3 :n "C" :d 10}})
[(clojure.set/select #(= 10 (:d %)) emps) (clojure.set/project emps [:d]) (clojure.set/index emps [:d]) (clojure.set/rename-keys {:a 1 :b 2} {:a :x}) (clojure.set/superset? #{1 2} #{1}) (clojure.set/union #{1} [2]) (clojure.set/difference #{1 2 3} #{2}) (clojure.set/intersection #{1 2} #{2 3}) (sort-by :eid (clojure.set/select (comp odd? :eid) emps)) (update-vals (group-by :d emps) count)]
;;;; graph components
(def edges [[1 2] [2 3] [4 5] [6 6]])
(def adj (reduce (fn [g [a b]] (-> g (update a (fnil conj #{}) b) (update b (fnil conj #{}) a))) {} edges))
(defn component [g start] (loop [stack [start] seen #{}] (if-let [n (peek stack)] (if (seen n) (recur (pop stack) seen) (recur (into (pop stack) (g n)) (conj seen n))) seen)))
(loop [nodes (sort (keys adj)) comps []] (if (empty? nodes) comps (let [c (component adj (first nodes))] (recur (remove c nodes) (conj comps (sort c))))))
;;;; union find
(defn find-root [parents x] (let [p (parents x x)] (if (= p x) x (recur parents p))))
(defn union [parents [a b]] (let [ra (find-root parents a) rb (find-root parents b)] (if (= ra rb) parents (assoc parents ra rb))))
(defn kruskal [edges] (loop [[[w a b :as e] & es] (sort edges) p {} out []] (cond (nil? e) out (= (find-root p a) (find-root p b)) (recur es p out) :else (recur es (union p [a b]) (conj out e)))))
(let [mst (kruskal [[7 :a :d] [5 :a :b] [8 :b :c] [9 :b :d] [7 :b :e] [5 :c :e] [15 :d :e]])] {:mst mst :weight (reduce + (map first mst))})
;;;; floyd warshall
(def inf Long/MAX_VALUE)
(defn floyd [n edges]
  (let [init (into {} (for [i (range n) j (range n)] [[i j] (if (= i j) 0 (get edges [i j] inf))]))]
    (reduce (fn [d [k i j]] (let [a (d [i k]) b (d [k j])] (if (or (= a inf) (= b inf)) d (update d [i j] min (+ a b))))) init (for [k (range n) i (range n) j (range n)] [k i j]))))
(let [d (floyd 3 {[0 1] 4 [1 2] 1 [0 2] 9})] [(d [0 2]) (= inf (d [2 0])) (count d)])
;;;; n queens
(defn safe? [qs c] (let [r (count qs)] (not-any? (fn [[i q]] (or (= q c) (= (Math/abs (- q c)) (- r i)))) (map-indexed vector qs))))
(defn queens [n] (reduce (fn [boards _] (for [b boards c (range n) :when (safe? b c)] (conj b c))) [[]] (range n)))
[(count (queens 6)) (first (queens 6)) (queens 4)]
;;;; sudoku check
(def row-ok? #(= (set (range 1 5)) (set %)))
(def b [[1 2 3 4] [3 4 1 2] [2 1 4 3] [4 3 2 1]])
(defn blocks [b] (for [r [0 2] c [0 2]] (for [i [0 1] j [0 1]] (get-in b [(+ r i) (+ c j)]))))
[(every? row-ok? b) (every? row-ok? (apply map vector b)) (every? row-ok? (blocks b)) (blocks b)]
;;;; change making greedy
(defn change [amt coins] (second (reduce (fn [[left acc] c] [(rem left c) (if (>= left c) (assoc acc c (quot left c)) acc)]) [amt (sorted-map)] (sort > coins))))
(map #(change % [1 5 10 25]) [0 41 99])
;;;; fib variants
(def fib-seq (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
(def fib-memo (memoize (fn [n] (if (< n 2) n (+ (fib-memo (- n 1)) (fib-memo (- n 2)))))))
(defn fib-loop [n] (loop [a 0 b 1 i n] (if (zero? i) a (recur b (+ a b) (dec i)))))
[(take 10 fib-seq) (fib-memo 50) (fib-loop 90) (last (take-while #(< % 1000) fib-seq)) (reduce + (filter even? (take-while #(< % 4000000) fib-seq))) (nth fib-seq 20) (some #(when (> % 100) %) fib-seq)]
;;;; lazy seq def
(defn countdown [n] (lazy-seq (when (pos? n) (cons n (countdown (dec n))))))
(countdown 5)
;;;; lazy fib
(def fibs (lazy-cat [0 1] (map + fibs (rest fibs))))
(take 10 fibs)
;;;; subseq
(let [m (sorted-map 1 :a 5 :b 9 :c)] [(subseq m >= 5) (rsubseq m < 9) (first (subseq (sorted-set 1 3 5) > 2))])
;;;; meta
(let [v (with-meta [1 2] {:doc "x"})] [(meta v) (= v [1 2]) (meta (vary-meta v assoc :k 1))])
;;;; doto let forms
[(when-let [x (seq [])] :never) (if-some [x false] [:some x] :nil) (when-some [x nil] 1) (if-let [[a b] (seq [1 2])] (+ a b) 0) (when-first [x [9 8]] x) (let [x 1 x (+ x 1)] x) (doto {:a 1} (println)) (-> 5 (#(* % 2)) (- 1)) (->> (range 5) (map #(* % %)) (filter even?) (reduce +)) (-> {:a {:b 1}} :a :b inc str keyword) ((fn [{:keys [a]}] a) {:a 1}) (#(apply + %&) 1 2 3) (comment 1 2) #_ignored (let [_ 1] _) (do 1 2) (if nil 1) (and 1 nil 2) (or nil false 3) (not 0) (boolean "") (if-not false 1 2) (case "b" ("a" "b") 1 2) (cond-> 1 true inc false dec) (while false) (some-> nil inc)]
;;;; type checks
(map (fn [x] (cond (nil? x) :nil (string? x) :str (keyword? x) :kw (integer? x) :int (float? x) :float (boolean? x) :bool (map? x) :map (vector? x) :vec (set? x) :set (seq? x) :seq (fn? x) :fn :else :other)) [nil "a" :k 1 1.5 true {} [] #{} (list 1) inc (range 3) (map inc [1]) (first {:a 1})])
;;;; json-like printer
(defn to-json [x]
  (cond (nil? x) "null"
        (string? x) (str "\"" (clojure.string/escape x {\" "\\\"" \newline "\\n"}) "\"")
        (keyword? x) (to-json (name x))
        (map? x) (str "{" (clojure.string/join "," (map (fn [[k v]] (str (to-json k) ":" (to-json v))) x)) "}")
        (coll? x) (str "[" (clojure.string/join "," (map to-json x)) "]")
        :else (str x)))
(to-json {:a [1 2.5 nil true] "b" {:c "say \"hi\"\n"} :d '() :e #{1}})
;;;; xml render
(defn render [node]
  (if (vector? node)
    (let [[tag & body] node
          [attrs children] (if (map? (first body)) [(first body) (rest body)] [{} body])]
      (str "<" (name tag) (apply str (for [[k v] attrs] (format " %s=\"%s\"" (name k) v))) ">" (apply str (map render children)) "</" (name tag) ">"))
    (str node)))
(render [:ul {:class "list" :id 3} [:li "one"] [:li {:x :y} "two" [:b 2]] (when false [:li])])
;;;; query string
(defn parse-query [q] (into {} (for [p (clojure.string/split q #"&") :let [[k v] (clojure.string/split p #"=")]] [(keyword k) (or v "")])))
(defn build-query [m] (clojure.string/join "&" (map (fn [[k v]] (str (name k) "=" v)) (sort m))))
[(parse-query "a=1&b=two&c=") (build-query {:z 1 :a "x"}) (update-vals (parse-query "x=1&y=2") parse-long) (let [[_ proto host port path] (re-matches #"(\w+)://([^:/]+)(?::(\d+))?(/.*)?" "http://ex.com/p?q")] [proto host port path])]
;;;; wrap text
(defn wrap [width s]
  (->> (clojure.string/split s #"\s+")
       (reduce (fn [lines w] (let [l (peek lines)] (cond (nil? l) [w] (<= (+ (count l) 1 (count w)) width) (conj (pop lines) (str l " " w)) :else (conj lines w)))) [])
       (clojure.string/join "\n")))
(println (wrap 12 "the quick brown fox jumps over the lazy dog"))
;;;; diff
(defn diff [old new] {:added (into {} (remove (fn [[k]] (contains? old k)) new)) :removed (select-keys old (remove (set (keys new)) (keys old))) :changed (into {} (for [[k v] new :when (and (contains? old k) (not= v (old k)))] [k {:from (old k) :to v}]))})
(diff {:a 1 :b 2 :c 3} {:b 2 :c 4 :d nil})
;;;; flatten map
(defn flatten-map [m & [prefix]] (into {} (mapcat (fn [[k v]] (let [p (if prefix (str prefix "." (name k)) (name k))] (if (map? v) (flatten-map v p) [[p v]]))) m)))
(defn unflatten [m] (reduce-kv (fn [acc k v] (assoc-in acc (map keyword (clojure.string/split k #"\.")) v)) {} m))
(let [f (flatten-map {:a 1 :b {:c 2 :d {:e 3}} :x {}})] [f (unflatten f)])
;;;; pagination
(defn page [xs n size] {:items (->> xs (drop (* (dec n) size)) (take size)) :page n :pages (long (Math/ceil (/ (count xs) (double size)))) :next? (< (* n size) (count xs))})
(map #(page (range 7) % 3) [1 3 4])
;;;; cache lru
(defn lru [cap] {:cap cap :order [] :data {}})
(defn touch [c k] (update c :order #(conj (vec (remove #{k} %)) k)))
(defn put [c k v] (let [c (-> c (assoc-in [:data k] v) (touch k))] (if (> (count (:data c)) (:cap c)) (let [old (first (:order c))] (-> c (update :data dissoc old) (update :order subvec 1))) c)))
(defn fetch [c k] [(get-in c [:data k]) (if (contains? (:data c) k) (touch c k) c)])
(let [c (-> (lru 2) (put :a 1) (put :b 2)) [v c] (fetch c :a) c (put c :c 3)] [v c (first (fetch c :b))])
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
;;;; tokens state
(defn lex [s]
  (loop [cs (seq s) tok "" out []]
    (let [c (first cs) flush (fn [] (if (seq tok) (conj out tok) out))]
      (cond (nil? c) (flush)
            (Character/isWhitespace c) (recur (next cs) "" (flush))
            (#{\( \) \+ \*} c) (recur (next cs) "" (conj (flush) (str c)))
            :else (recur (next cs) (str tok c) out)))))
[(lex "(foo + 12)* x1") (lex "") (lex "  a  ")]
;;;; hex dump
(map #(format "%02x %s %3d" (int %) (if (Character/isLetter %) % ".") (int %)) "Az~")
;;;; checksum
[(reduce (fn [h c] (mod (+ (* 31 h) (int c)) 1000000007)) 7 "hello") (reduce bit-xor 0 (map int "hello")) (mod (reduce + (map-indexed (fn [i c] (* (inc i) (int c))) "abc")) 97) (hash "a") (bit-and 0xFF (bit-shift-right 0xABCD 8)) (format "%08x" (reduce #(bit-and 0xFFFFFFFF (+ (* 33 %1) (int %2))) 5381 "hi"))]
