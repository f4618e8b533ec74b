;;;; parse numbers with messages
(defn parse [s] (try {:ok (Integer/parseInt s)} (catch NumberFormatException e {:error (.getMessage e)})))
(doseq [s ["42" "x1" "" "3.5"]] (println s "->" (parse s)))
[(map (comp some? :ok parse) ["1" "a"]) (try (Long/parseLong "12a") (catch Exception e (str "Error: " (ex-message e)))) (try (Double/parseDouble "abc") (catch Exception e (.getMessage e)))
 (try (/ 5 0) (catch Exception e (str "caught: " (.getMessage e)))) (try (throw (ex-info "Order invalid" {:order 7 :reasons [:no-items]})) (catch Exception e (str (.getMessage e) " " (:order (ex-data e)) " " (pr-str (:reasons (ex-data e))))))]
;;;; pipeline of results, either style
(defn ok [v] [:ok v])
(defn err [m] [:err m])
(defn bind [[tag v :as r] f] (if (= tag :ok) (f v) r))
(defn parse-age [s] (if-let [n (parse-long s)] (ok n) (err (str "not a number: " (pr-str s)))))
(defn check-age [n] (cond (neg? n) (err "negative") (> n 150) (err "too old") :else (ok n)))
(map #(-> (parse-age %) (bind check-age) (bind (comp ok inc))) ["41" "-3" "999" "abc" ""])
;;;; multi-level sort and rank with ties
(def scores [["ann" 90] ["bob" 85] ["cy" 90] ["di" 70] ["ed" 85]])
(let [sorted (sort-by (juxt (comp - second) first) scores)
      ranks (loop [[[n s] & more] sorted i 1 prev nil rank 0 out []]
              (if n (let [r (if (= s prev) rank i)] (recur more (inc i) s r (conj out [r n s]))) out))]
  (doseq [[r n s] ranks] (println (format "%2d. %-5s %3d" r n s)))
  {:ranks ranks :groups (->> ranks (partition-by first) (map (fn [g] (map second g)))) :top (->> sorted (take-while #(= (second %) (second (first sorted)))) (map first))})
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
;;;; turtle graphics, command parsing
(def dirs {:n [0 1] :e [1 0] :s [0 -1] :w [-1 0]})
(def right {:n :e :e :s :s :w :w :n})
(def left (set/map-invert right))
(defn exec [{:keys [dir] :as t} [cmd arg]]
  (case cmd "F" (update t :pos #(mapv + % (map (partial * arg) (dirs dir)))) "R" (nth (iterate #(update % :dir right) t) arg) "L" (nth (iterate #(update % :dir left) t) arg)))
(let [cmds (map (fn [[_ c n]] [c (Long/parseLong n)]) (re-seq #"([FRL])(\d+)" "F10R1F5L2F3R1F1"))]
  (reductions exec {:pos [0 0] :dir :n} cmds))
;;;; text adventure as state machine over a list of inputs
(def world {:hall {:exits {:north :library} :items #{:lamp}} :library {:exits {:south :hall} :items #{:book :pen}}})
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
;;;; polynomial arithmetic and printing
(defn poly+ [a b] (let [n (max (count a) (count b)) pad #(concat % (repeat (- n (count %)) 0))] (mapv + (pad a) (pad b))))
(defn poly* [a b] (reduce (fn [acc [i x]] (poly+ acc (into (vec (repeat i 0)) (map #(* x %) b)))) [] (map-indexed vector a)))
(defn show [p] (let [ts (for [[i c] (reverse (map-indexed vector p)) :when (not (zero? c))] (str (cond (and (= 1 c) (pos? i)) "" (and (= -1 c) (pos? i)) "-" :else c) (case i 0 "" 1 "x" (str "x^" i))))] (if (seq ts) (str/replace (str/join " + " ts) "+ -" "- ") "0")))
(defn evaluate [p x] (reduce (fn [acc c] (+ c (* acc x))) 0 (reverse p)))
[(show [1 -2 1]) (show (poly* [1 1] [-1 1])) (show (poly+ [1 2] [0 -2 3])) (show []) (evaluate [1 2 3] 2) (map (partial evaluate [0 0 1]) (range 4))]
;;;; trie of words
(defn add-word [trie w] (assoc-in trie (concat (map str w) [:end]) true))
(defn words-under [trie prefix] (mapcat (fn [[k v]] (if (= k :end) [prefix] (words-under v (str prefix k)))) (sort-by (comp str key) trie)))
(let [t (reduce add-word {} ["tea" "ten" "to" "inn" "in"])] [(words-under (get-in t ["t" "e"]) "te") (sort (words-under t "")) (get-in t ["i" "n" :end]) (count (get t "t"))])
;;;; huffman codes by a sorted list
(defn huffman [s]
  (loop [ns (sort-by (juxt first (comp str second)) (map (fn [[c n]] [n (str c)]) (frequencies s)))]
    (if (next ns) (let [[[n1 a] [n2 b] & more] ns] (recur (sort-by (juxt first (comp str second)) (conj more [(+ n1 n2) [a b]])))) (second (first ns)))))
(defn codes [t prefix] (if (vector? t) (merge (codes (first t) (str prefix 0)) (codes (second t) (str prefix 1))) {t prefix}))
(let [c (codes (huffman "abracadabra") "")] [(into (sorted-map) c) (count (apply str (map (comp c str) "abracadabra")))])
;;;; simple regex tokens to ast to value with let forms
(defn tokenize [s] (re-seq #"\d+|[a-z]+|[()=+*-]" s))
(defn parse [[t & ts]] (if (= t "(") (loop [ts ts items []] (if (= (first ts) ")") [items (rest ts)] (let [[item more] (parse ts)] (recur more (conj items item))))) [(or (parse-long t) (keyword t)) ts]))
(defn run [env x] (cond (number? x) x (keyword? x) (or (env x) (throw (ex-info (str "unbound " (name x)) {:name x}))) :else (let [[op a b c] x] (case op :let (run (assoc env a (run env b)) c) :if (run env (if (zero? (run env a)) c b)) (apply ({:+ + :* * :- -} op) (map (partial run env) (rest x)))))))
(for [s ["(+ 1 (* 2 3))" "(let x 5 (* x x))" "(if (- 1 1) 10 20)" "(+ y 1)"]] (try (run {} (first (parse (tokenize s)))) (catch clojure.lang.ExceptionInfo e [(ex-message e) (ex-data e)])))
;;;; simulation with a linear congruential generator
(defn lcg [x] (mod (+ (* 1103515245 x) 12345) 2147483648))
(def rolls (map #(inc (mod (quot % 65536) 6)) (rest (iterate lcg 42))))
(let [xs (take 60 rolls) f (into (sorted-map) (frequencies xs))] (doseq [[k v] f] (println k (apply str (repeat v "#")))) {:first (take 10 xs) :mean (format "%.3f" (/ (reduce + xs) 60.0)) :runs (apply max (map count (partition-by identity xs))) :first-six (count (take-while #(not= 6 %) xs))})
;;;; quarterly report with nested destructuring and running totals
(def data [{:month 1 :items [{:sku "A" :qty 2 :price 10.0} {:sku "B" :qty 1 :price 5.5}]} {:month 2 :items []} {:month 4 :items [{:sku "A" :qty 3 :price 9.5}]}])
(defn quarter [m] (inc (quot (dec m) 3)))
(let [total (fn [{:keys [items]}] (reduce (fn [acc {:keys [qty price]}] (+ acc (* qty price))) 0.0 items))
      by-q (reduce (fn [m {:keys [month] :as d}] (update m (quarter month) (fnil + 0.0) (total d))) (sorted-map) data)]
  [by-q (reductions + (vals by-q)) (for [{:keys [month] [{:keys [sku]} & more] :items} data] [month sku (count more)]) (str/join "; " (map (fn [[q t]] (format "Q%d: $%,.2f" q t)) by-q))])
;;;; graph components, degrees, cycles
(def edges [[1 2] [2 3] [4 5] [6 6]])
(def adj (reduce (fn [m [a b]] (-> m (update a (fnil conj (sorted-set)) b) (update b (fnil conj (sorted-set)) a))) (sorted-map) edges))
(defn component [start] (loop [seen #{} todo [start]] (if-let [x (peek todo)] (if (seen x) (recur seen (pop todo)) (recur (conj seen x) (into (pop todo) (adj x)))) seen)))
(defn components [] (loop [left (set (keys adj)) out []] (if-let [x (first (sort left))] (let [c (component x)] (recur (set/difference left c) (conj out (vec (sort c))))) out)))
{:adj adj :components (components) :degree (update-vals adj count) :isolated (for [[k v] adj :when (= v #{k})] k)}
;;;; doseq, for and letfn with shadowed names inside closures
;;;; closures keep what they saw
(let [x 1 f (fn [] x) x 2 g (fn [] x) hs (for [x [10 20]] (let [y (inc x)] #(+ x y %))) [h1 h2] hs] [(f) (g) (h1 1) (h2 1) (map #(% 0) hs) ((fn [x] (let [x (* x x)] (fn [y] (+ x y)))) 3) (((fn [x] (let [x (* x x)] (fn [y] (+ x y)))) 3) 1)])
;;;; closures keep what they saw, results alone
(let [x 1 f (fn [] x) x 2 g (fn [] x) hs (for [x [10 20]] (let [y (inc x)] #(+ x y %))) [h1 h2] hs] [(f) (g) (h1 1) (h2 1) (map #(% 0) hs) (((fn [x] (let [x (* x x)] (fn [y] (+ x y)))) 3) 1)])
;;;; apply, partial, variadic sums
(defn avg ([] 0) ([x] x) ([x & xs] (/ (apply + x xs) (double (inc (count xs))))))
(defn tag [t & body] (let [[attrs body] (if (map? (first body)) [(first body) (rest body)] [{} body])] (str "<" t (apply str (mapcat (fn [[k v]] [" " (name k) "='" v "'"]) attrs)) ">" (str/join body) "</" t ">")))
[(avg) (avg 4) (avg 1 2 3 4) (apply avg (range 1 6)) (tag "p" "a" "b") (tag "a" {:href "x"} (tag "b" 1)) (apply tag "i" (map str (range 3))) (apply max 3 [9 2]) (apply str (interpose "," [1 2])) (apply concat [[1] [2 3]]) (apply map list [[1 2] [3 4]]) (apply merge-with + [{:a 1} {:a 2}]) (apply assoc {} [:a 1 :b 2]) (apply = [1 1 1]) (apply < [1 2 2])]
;;;; time strings without a library
(defn secs [s] (let [parts (map parse-long (str/split s #":"))] (reduce (fn [acc p] (+ (* 60 acc) p)) 0 parts)))
(defn human [n] (let [[h r] ((juxt quot rem) n 3600) [m s] ((juxt quot rem) r 60)] (str/join " " (keep (fn [[v u]] (when (pos? v) (str v u))) [[h "h"] [m "m"] [s "s"]]))))
(map (juxt identity secs (comp human secs)) ["1:02:03" "59" "10:00" "0:0:1"])
;;;; unique ids, dedupe by latest, upsert
(let [rows [{:id 1 :v "a" :at 3} {:id 2 :v "b" :at 1} {:id 1 :v "c" :at 5} {:id 2 :v "d" :at 0}]]
  {:latest (->> rows (group-by :id) vals (map #(apply max-key :at %)) (sort-by :id)) :index (into {} (map (juxt :id :v)) rows) :firsts (map first (vals (group-by :id rows)))
   :upsert (reduce (fn [m {:keys [id] :as r}] (if (> (:at r) (get-in m [id :at] -1)) (assoc m id r) m)) (sorted-map) rows) :seen (reduce (fn [[seen out] {:keys [id]}] (if (seen id) [seen out] [(conj seen id) (conj out id)])) [#{} []] rows) :dups (for [[id n] (frequencies (map :id rows)) :when (> n 1)] id)})
