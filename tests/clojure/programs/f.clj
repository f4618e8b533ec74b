;;;;
;;; expense audit
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
;;;;
;;; incident timeline
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
;;;;
;;; text wrap and justify
(defn wrap [width text]
  (->> (clojure.string/split text #"\s+")
       (reduce (fn [lines word]
                 (let [line (peek lines)
                       joined (if (empty? line) word (str line " " word))]
                   (if (<= (count joined) width)
                     (conj (pop lines) joined)
                     (conj lines word))))
               [""])))
(defn pad-right [n s] (apply str s (repeat (- n (count s)) " ")))
(defn center [n s] (let [gap (- n (count s)) l (quot gap 2)] (str (apply str (repeat l \space)) s (apply str (repeat (- gap l) \space)))))
(doseq [l (wrap 20 "The quick brown fox jumps over the lazy dog and runs away")]
  (println (str "|" (pad-right 20 l) "|")))
[(center 9 "abc") (map count (wrap 10 "a bb ccc dddd eeeee ffffff"))]
;;;;
;;; diffing two maps
(defn diff-maps [a b]
  (let [ks (into (sorted-set) (concat (keys a) (keys b)))]
    (reduce (fn [acc k]
              (let [in-a (contains? a k) in-b (contains? b k) va (get a k) vb (get b k)]
                (cond
                  (not in-a) (assoc-in acc [:added k] vb)
                  (not in-b) (assoc-in acc [:removed k] va)
                  (and (map? va) (map? vb)) (let [d (diff-maps va vb)] (if (empty? d) acc (assoc-in acc [:nested k] d)))
                  (not= va vb) (assoc-in acc [:changed k] [va vb])
                  :else acc)))
            {} ks)))
(diff-maps {:a 1 :b {:x 1 :y 2} :c [1 2] :d nil} {:a 1 :b {:x 1 :y 3} :c '(1 2) :e false})
;;;;
;;; LRU cache simulation with reduce
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
;;;;
;;; game of life
(defn neighbours [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)] [(+ x dx) (+ y dy)]))
(defn neighbours2 [[x y]] (for [dx [-1 0 1] dy [-1 0 1] :when (not (and (zero? dx) (zero? dy)))] [(+ x dx) (+ y dy)]))
(defn life-step [cells] (set (for [[c n] (frequencies (mapcat neighbours2 cells)) :when (or (= n 3) (and (= n 2) (cells c)))] c)))
(let [blinker #{[0 1] [1 1] [2 1]}]
  [(count (neighbours [0 0])) (sort (life-step blinker)) (= blinker (life-step (life-step blinker)))
   (sort (nth (iterate life-step #{[1 0] [2 1] [0 2] [1 2] [2 2]}) 4))])
;;;;
;;; permutations, combinations, powerset
(defn permutations [xs] (if (empty? xs) '(()) (for [x xs p (permutations (remove #{x} xs))] (cons x p))))
(defn combos [n xs] (cond (zero? n) '(()) (empty? xs) () :else (concat (map #(cons (first xs) %) (combos (dec n) (rest xs))) (combos n (rest xs)))))
(defn powerset [xs] (reduce (fn [acc x] (into acc (map #(conj % x) acc))) [[]] xs))
(defn cartesian [& colls] (reduce (fn [acc c] (for [a acc x c] (conj a x))) [[]] colls))
[(permutations [1 2 3]) (combos 2 [:a :b :c]) (powerset [1 2 3]) (cartesian [1 2] [:a] "xy") (count (permutations (range 5)))]
;;;;
;;; binary search, quicksort, mergesort
(defn bsearch [v x] (loop [lo 0 hi (dec (count v))] (when (<= lo hi) (let [mid (quot (+ lo hi) 2) m (v mid)] (cond (= m x) mid (< m x) (recur (inc mid) hi) :else (recur lo (dec mid)))))))
(defn qsort [[p & xs :as all]] (if (empty? all) [] (let [{small true big false} (group-by #(< % p) xs)] (concat (qsort small) [p] (qsort big)))))
(defn merge-seqs [a b] (cond (empty? a) b (empty? b) a (<= (first a) (first b)) (cons (first a) (merge-seqs (rest a) b)) :else (cons (first b) (merge-seqs a (rest b)))))
(defn msort [xs] (if (<= (count xs) 1) xs (let [[a b] (split-at (quot (count xs) 2) xs)] (merge-seqs (msort a) (msort b)))))
[(bsearch [1 3 5 7 9] 7) (bsearch [1 3 5] 4) (qsort [3 1 4 1 5 9 2 6]) (msort [3 1 4 1 5 9 2 6]) (= (sort [5 2 8]) (qsort [5 2 8]) (msort [5 2 8]))]
;;;;
;;; parsing key=value configs
(def config-text "# comment\nhost = example.com\nport=8080\n\n[section a]\ndebug= true\nratio =0.75\nlist = a, b ,c\n")
(defn coerce [s] (cond (re-matches #"-?\d+" s) (parse-long s) (re-matches #"-?\d*\.\d+" s) (parse-double s) (#{"true" "false"} s) (= s "true") (clojure.string/includes? s ",") (mapv clojure.string/trim (clojure.string/split s #",")) :else s))
(->> (clojure.string/split-lines config-text)
     (map clojure.string/trim)
     (remove #(or (clojure.string/blank? %) (clojure.string/starts-with? % "#")))
     (reduce (fn [{:keys [section] :as st} line]
               (if-let [[_ s] (re-matches #"\[(.+)\]" line)]
                 (assoc st :section (keyword (clojure.string/replace s " " "-")))
                 (let [[k v] (map clojure.string/trim (clojure.string/split line #"=" 2))]
                   (assoc-in st [:data section (keyword k)] (coerce v)))))
             {:section :default :data {}})
     :data)
;;;;
;;; url query parsing and building
(defn parse-query [q] (into {} (map (fn [p] (let [[k v] (clojure.string/split p #"=" 2)] [(keyword k) (or v "")])) (clojure.string/split q #"&"))))
(defn build-query [m] (clojure.string/join "&" (for [[k v] (sort-by key m)] (str (name k) "=" (if (keyword? v) (name v) v)))))
(defn parse-url [u] (zipmap [:all :scheme :host :port :path :query] (re-matches #"(\w+)://([^:/]+)(?::(\d+))?(/[^?]*)?(?:\?(.*))?" u)))
[(parse-query "a=1&b=x=y&c") (build-query {:b 2 :a :k :c "s"}) (parse-url "http://ex.com:80/p/q?x=1") (dissoc (parse-url "https://ex.com") :all) (re-find #"(\d+)-(\d+)" "tel 555-1234") (re-seq #"(\w)(\d)" "a1b2")]
;;;;
;;; student grades with nested data
(def students [{:name "Ann" :grades {:math [90 80] :art [70]}} {:name "Bob" :grades {:math [60] :art []}} {:name "Cat" :grades {}}])
(defn avg [xs] (when (seq xs) (/ (reduce + xs) (count xs) 1.0)))
(let [rows (for [{:keys [name grades]} students [subject gs] grades] {:name name :subject subject :avg (avg gs)})
      best (fn [s] (->> rows (filter #(and (= s (:subject %)) (:avg %))) (sort-by :avg >) first :name))]
  {:rows rows :best (map best [:math :art :gym])
   :overall (into {} (map (fn [{:keys [name grades]}] [name (avg (mapcat val grades))])) students)
   :matrix (for [{n :name g :grades} students] (into [n] (map #(count (get g % [])) [:math :art])))
   :pass (group-by (fn [{a :avg}] (cond (nil? a) :none (>= a 70) :pass :else :fail)) rows)
   :update (mapv #(update-in % [:grades :math] (fnil conj []) 100) students)})
;;;;
;;; stack machine
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
;;;;
;;; string builder style
(let [sb (reduce (fn [acc [i w]] (str acc (when (pos? i) ", ") (inc i) ". " w)) "" (map-indexed vector ["one" "two"]))
      box (fn [s] (let [l (apply str (repeat (+ 2 (count s)) "-"))] (str "+" l "+\n| " s " |\n+" l "+")))]
  (println (box "hi"))
  (println (clojure.string/join "\n" (map #(apply str (repeat % "*")) (range 1 4))))
  (println (apply str (interleave "abc" (repeat "-"))))
  [sb (clojure.string/replace "Hello" #"[aeiou]" {"e" "3" "o" "0"}) (clojure.string/replace "a.b.c" "." "") (clojure.string/replace-first "aaa" "a" "b") (clojure.string/index-of "hello" "l") (clojure.string/last-index-of "hello" "l") (clojure.string/index-of "hello" "z") (subs "hello" 1 3) (clojure.string/trim "  x ") (clojure.string/triml "  x ") (clojure.string/trimr " x  ") (clojure.string/trim-newline "x\n\n") (clojure.string/upper-case "aé") (clojure.string/capitalize "hELLO") (clojure.string/reverse "abc") (clojure.string/blank? " \t") (clojure.string/starts-with? "abc" "ab") (clojure.string/ends-with? "abc" "bc") (clojure.string/includes? "abc" "") (clojure.string/escape "a&b" {\& "&amp;"}) (clojure.string/split "a1b2" #"\d") (clojure.string/split "" #",") (clojure.string/split "a,b,,," #",") (clojure.string/split "a,b,,," #"," -1) (clojure.string/split-lines "a\r\nb\n\nc\n") (clojure.string/join [1 2 3]) (clojure.string/join "-" []) (clojure.string/join "," [nil 1 "a" :b])])
;;;;
;;; lazy and infinite
(defn fibs [] (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
(defn primes [] (filter (fn [n] (not-any? #(zero? (mod n %)) (range 2 n))) (iterate inc 2)))
[(take 10 (fibs)) (take-while #(< % 50) (fibs)) (take 5 (drop 5 (fibs))) (first (drop-while #(< % 100) (fibs))) (take 5 (primes)) (nth (fibs) 20) (take 3 (map vector (range) (cycle [:a :b]))) (zipmap [:a :b :c] (range)) (map list (range) "abc") (take 5 (interleave (range) (repeat :x))) (second (iterate inc 5)) (take 3 (remove even? (range))) (take 2 (partition 3 (range))) (take 4 (map-indexed (fn [i x] (* i x)) (range))) (apply + (take 5 (repeat 2))) (take 3 (mapcat #(list % %) (range))) (some #(when (> % 10) %) (range)) (take 5 (concat [1 2] (range))) (take 3 (keep #(when (odd? %) %) (range))) (take 2 (partition-by even? (range 5))) (first (filter #(> (* % %) 200) (range))) (take 3 (reductions + (range))) (take 3 (distinct (cycle [1 2 3]))) (take-nth 3 (range 10)) (into [] (take 3) (range)) (sequence (comp (filter odd?) (take 2)) (range)) (transduce (comp (map inc) (take 3)) + (range)) (let [[a b & more] (range)] [a b (first more)]) (take 3 (rest (range))) (first (next (range))) (ffirst (partition 2 (range))) (empty? (range)) (nth (cycle [1 2 3]) 100) (take 3 (interpose 0 (range))) (take 3 (drop 2 (cycle [1 2 3]))) (take 3 (tree-seq (constantly true) (fn [x] [(inc x)]) 0))]
;;;;
;;; lazy that are common
(defn fibs [] (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
[(take 10 (fibs)) (take-while #(< % 50) (fibs)) (take 5 (drop 5 (fibs))) (first (drop-while #(< % 100) (fibs))) (nth (fibs) 20) (take 3 (map vector (range) (cycle [:a :b]))) (zipmap [:a :b :c] (range)) (map list (range) "abc") (second (iterate inc 5)) (take 3 (remove even? (range))) (apply + (take 5 (repeat 2))) (first (filter #(> (* % %) 200) (range))) (into [] (take 3) (range)) (sequence (comp (filter odd?) (take 2)) (range)) (transduce (comp (map inc) (take 3)) + (range)) (let [[a b] (range)] [a b]) (take 3 (rest (range))) (first (next (range))) (nth (cycle [1 2 3]) 100) (take 3 (drop 2 (cycle [1 2 3]))) (map #(* %1 %2) (range) [5 5 5]) (map-indexed (fn [i x] [i x]) (take 2 (repeat :z))) (take 5 (map + (range) (range))) (mapv vector [:a :b] (iterate inc 1)) (interleave [:a :b] (range)) (take 2 (map inc (filter odd? (range))))]
;;;;
;;; edge printing
(println {:a nil, :b [nil], "k" \c} [] {} #{} () "" [""] [nil] '(nil))
(prn {:a "x\ty" :b #"re\d" :c 'quoted})
(println (list) (vector) (hash-map) (set nil) (seq []) (vec nil))
(println 1.0 -1.0 0.0 1e6 1e7 123456.789 1.0E-4 (float 0.1) (/ 1 3.0) 1e15 100000000000000000000.0)
(println "multi" "args" :and 'syms [:a "b" \c])
(pr-str "a\\b\"c\n\t\r" \a \newline \space [\tab] :k/w 1.50 -0.0 [1, 2,, 3])
;;;;
;;; edge printing again
(println {:a nil, :b [nil], "k" "c"} [] {} #{} () "" [""] [nil] '(nil))
(prn {:a "x\ty" :b #"re\d"} [:x/y ##Inf ##NaN] {[1 2] {3 4}} #{:one})
(println (list) (vector) (hash-map) (set nil) (seq []) (vec nil) (str nil) (pr-str nil) (str true false) (str [nil "a" :b 1.0 [2]]))
(println 1.0 -1.0 0.0 1e6 1e7 123456.789 1.0E-4 (/ 1 3.0) 1e15 100000000000000000000.0 1.1e-10 4.9E-324)
(prn "é" "☃" "tab\t" "nul" "bs\\" "q\"" "\u0041")
(println (str "a" 1 :b [1 "x"] {:k "v"} nil 2.5 true) (str (list 1 "a")) (str #{"x"}) (str '(nil)) (str (map inc [1])))
(print-str "a" [1 "b"] nil)
;;;;
;;; nested anonymous functions and shadowing
(let [x 1 f (fn [x] (let [x (* x 2)] (fn [y] (+ x y))))
      map-fn (fn [map] (get map :a)) count 5 name "n" str-fn str]
  [((f 3) 4) (map-fn {:a 1}) count name (str-fn 1) (let [x x y x] [x y]) ((fn [first] first) 9)
   (let [[x x2] [x (inc x)]] [x x2]) (loop [x x n 0] (if (> x 100) n (recur (* x 3) (inc n)))) (for [x [x 2]] x)
   (reduce (fn [acc x] (let [acc (conj acc x)] acc)) [] [1 2]) (map (fn [{:keys [x] :or {x 7}}] x) [{:x 1} {}]) ((fn [{x :y}] x) {:y 3})])
;;;;
;;; binary tree insert and traverse
(defn insert [t x] (cond (nil? t) {:v x} (< x (:v t)) (update t :l insert x) (> x (:v t)) (update t :r insert x) :else t))
(defn in-order [{:keys [l v r] :as t}] (when t (concat (in-order l) [v] (in-order r))))
(defn height [t] (if t (inc (max (height (:l t)) (height (:r t)))) 0))
(defn bfs-levels [t] (loop [level [t] out []] (if (empty? level) out (recur (keep identity (mapcat (juxt :l :r) level)) (conj out (map :v level))))))
(let [t (reduce insert nil [5 2 8 1 9 3 5])] [(in-order t) (height t) (bfs-levels t) (:v (:l t)) (get-in t [:r :r :v]) (count (tree-seq map? #(keep % [:l :r]) t))])
;;;;
;;; dijkstra 2
(def edges [[:a :b 4] [:a :c 1] [:c :b 2] [:b :d 5] [:c :d 8] [:e :f 1]])
(def g (reduce (fn [m [u v w]] (-> m (assoc-in [u v] w) (assoc-in [v u] w))) {} edges))
(defn dijkstra [g src]
  (loop [dist {src 0} done #{}]
    (let [cands (remove (comp done key) dist)]
      (if (empty? cands) dist
        (let [[u d] (apply min-key val cands)]
          (recur (reduce (fn [ds [v w]] (update ds v (fnil min ##Inf) (+ d w))) dist (g u)) (conj done u)))))))
(into (sorted-map) (dijkstra g :a))
;;;;
;;; tax brackets, interest, rounding
(def brackets [[10000 0.1] [40000 0.2] [##Inf 0.4]])
(defn tax [income] (loop [[[cap rate] & more] brackets prev 0 total 0.0] (let [slice (- (min income cap) prev)] (if (<= income cap) (+ total (* slice rate)) (recur more cap (+ total (* slice rate)))))))
(defn compound [p r n] (reduce (fn [b _] (* b (+ 1 r))) p (range n)))
(defn round2 [x] (/ (Math/round (* x 100.0)) 100.0))
[(map tax [5000 10000 25000 100000]) (round2 (compound 1000 0.05 10)) (map round2 [1.005 2.675 1.0 -1.555]) (map #(Math/round (double %)) [0.5 1.5 -0.5 2.4999]) (format "%.2f" (compound 1000.0 0.05 10)) (int 2.99) (int -2.99) (Math/floor -2.5) (quot -7 2) (mod -7 2) (rem -7 2) (map #(/ % 4) [4 8 10.0]) (reduce + 0.0 [0.1 0.2 0.3]) (double 7) (* 1.0 7) (str (* 100 1.1)) (== 3 3.0) (max 1 2.5 2) (/ 22 7.0) (float 1.1)]
