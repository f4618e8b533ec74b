;;;; error pipeline no auto keyword
(defn fail! [field msg] (throw (ex-info msg {:field field :type :validation})))
(defn check-id [{:keys [id] :as o}] (if (pos-int? id) o (fail! :id "id must be positive")))
(defn check-lines [{:keys [lines] :as o}] (if (seq lines) o (fail! :lines "no lines")))
(defn validate [o] (try {:ok (-> o check-id check-lines)} (catch clojure.lang.ExceptionInfo e {:err (ex-message e) :field (:field (ex-data e))}) (catch Exception e {:err "unexpected"})))
(map validate [{:id 1 :lines [1]} {:id 0} {:id 2 :lines []} {}])
;;;; collect errors reduce
(defn parse-line [line]
  (let [[k v :as parts] (clojure.string/split line #"=")]
    (when (not= 2 (count parts)) (throw (ex-info "malformed" {:line line})))
    [(keyword k) (Long/parseLong v)]))
(reduce (fn [{:keys [ok bad] :as acc} [n line]]
          (try (update acc :ok conj (parse-line line))
               (catch NumberFormatException _ (update acc :bad conj [n :not-a-number]))
               (catch clojure.lang.ExceptionInfo e (update acc :bad conj [n (ex-message e) (ex-data e)]))))
        {:ok [] :bad []}
        (map-indexed (fn [i l] [(inc i) l]) ["a=1" "b=x" "c" "d=4=5" "e=5"]))
;;;; try-parse helpers
(defn try-int [s] (try (Integer/parseInt s) (catch Exception _ nil)))
(defn try-double [s] (try (Double/parseDouble s) (catch NumberFormatException _ ##NaN) (catch NullPointerException _ nil)))
(defn parse-cell [s] (or (try-int s) (let [d (try-double s)] (when-not (or (nil? d) (Double/isNaN d)) d)) s))
[(map parse-cell ["1" "2.5" "abc" "" "-7" "1e3" "0x1F" " 5"]) (map try-int ["12" nil "1.0"])]
;;;; resource log
(def log-lines (with-out-str
  (try (println "open") (println "read") (throw (RuntimeException. "disk"))
       (catch RuntimeException e (println "error:" (.getMessage e)))
       (finally (println "close")))))
(clojure.string/split-lines log-lines)
;;;; circuit breaker
(defn call [{:keys [fails state] :as b} f]
  (if (= state :open) [(assoc b :rejected (inc (get b :rejected 0))) :rejected]
    (try (let [r (f)] [(assoc b :fails 0) r])
         (catch ArithmeticException e (let [n (inc fails)] [(assoc b :fails n :state (if (>= n 2) :open :closed)) :failed])))))
(reduce (fn [[b out] f] (let [[b r] (call b f)] [b (conj out r)])) [{:fails 0 :state :closed} []] [#(/ 4 2) #(/ 1 0) #(inc 1) #(/ 1 0) #(quot 1 0) #(+ 1 1)])
;;;; saga plain kw
(def steps [{:name :reserve :run #(assoc % :reserved true) :undo #(dissoc % :reserved)} {:name :charge :run #(if (> (:amount %) 100) (throw (ex-info "limit" {:max 100})) (assoc % :charged true)) :undo #(dissoc % :charged)}])
(defn run-saga [ctx] (loop [ctx ctx [s & more] steps done ()] (if-not s {:ctx ctx :status :done} (let [r (try ((:run s) ctx) (catch Exception e {:error (ex-message e) :info (ex-data e)}))] (if (:error r) {:ctx (reduce (fn [c d] ((:undo d) c)) ctx done) :status :failed :at (:name s) :why r} (recur r more (conj done s)))))))
[(run-saga {:amount 50}) (run-saga {:amount 500})]
;;;; assertion catch
[(try (assert (pos? -1) "must be positive") (catch AssertionError e :assert)) (try (assert (pos? 1)) (catch AssertionError e :no))]
;;;; pre conditions
(defn discount [price pct] {:pre [(number? price) (<= 0 pct 100)]} (* price (- 1 (/ pct 100.0))))
[(discount 200 25) (discount 80 0) (discount 19.99 50)]
;;;; throw in lazy map
(try (doall (map #(if (= % 3) (throw (ex-info "three" {:n %})) (* % %)) (range 5))) (catch Exception e [(ex-message e) (:n (ex-data e))]))
;;;; ex-info in reduce
(defn withdraw [balances [acct amt]] (let [b (get balances acct)] (cond (nil? b) (throw (ex-info (format "no account %s" (name acct)) {:acct acct})) (< b amt) (throw (ex-info (format "%s short by %.2f" (name acct) (double (- amt b))) {:acct acct :short (- amt b)})) :else (update balances acct - amt))))
(map (fn [txs] (try (reduce withdraw {:a 100 :b 50} txs) (catch clojure.lang.ExceptionInfo e (assoc (ex-data e) :msg (.getMessage e))))) [[[:a 30] [:b 50]] [[:a 130]] [[:z 1]]])
;;;; mean variance let
(let [xs [2 4 4 4 5 5 7 9] n (count xs) mean (/ (reduce + xs) n) var (/ (reduce + (map #(Math/pow (- % mean) 2) xs)) n)] {:mean mean :var var :sd (Math/sqrt var)})
;;;; mean variance floats
(defn mean [xs] (/ (reduce + xs) (double (count xs))))
(defn variance [xs] (let [m (mean xs)] (mean (map #(let [d (- % m)] (* d d)) xs))))
(defn std-dev [xs] (Math/sqrt (variance xs)))
(defn zscores [xs] (let [m (mean xs) s (std-dev xs)] (map #(/ (- % m) s) xs)))
(defn correlation [xs ys] (let [mx (mean xs) my (mean ys)] (/ (reduce + (map #(* (- %1 mx) (- %2 my)) xs ys)) (Math/sqrt (* (reduce + (map #(Math/pow (- % mx) 2) xs)) (reduce + (map #(Math/pow (- % my) 2) ys)))))))
(let [xs [3 7 8 12 20]] {:mean (mean xs) :var (variance xs) :sd (std-dev xs) :z (map #(format "%.3f" %) (zscores xs)) :corr (correlation xs [1 2 3 5 8])})
;;;; regression
(let [pts [[1 2.1] [2 3.9] [3 6.2] [4 7.8]] n (count pts) sx (reduce + (map first pts)) sy (reduce + (map second pts)) sxy (reduce + (map (fn [[x y]] (* x y)) pts)) sxx (reduce + (map #(* (first %) (first %)) pts)) m (/ (- (* n sxy) (* sx sy)) (- (* n sxx) (* sx sx))) b (/ (- sy (* m sx)) n)] {:slope m :intercept b :predict (+ b (* m 5)) :fmt (format "y = %.3fx + %.3f" m b)})
;;;; percentages
(let [counts {:a 3 :b 5 :c 9} total (reduce + (vals counts))]
  {:pct (update-vals counts #(double (/ (* 100 %) total))) :pct2 (into {} (for [[k v] counts] [k (* 100.0 (/ v total))])) :pct3 (into {} (for [[k v] counts] [k (/ (* 100.0 v) total)])) :r (into {} (map (fn [[k v]] [k (Math/round (* 100.0 (/ v total)))])) counts) :s (map (fn [[k v]] (format "%s %.1f%%" (name k) (* 100 (/ v (double total))))) counts) :d (map #(-> % (/ total) double) (vals counts)) :ratio (map #(double (/ % (apply max (vals counts)))) (vals counts))})
;;;; average each
(def grades {"ann" [90 85 78] "bob" [70 64] "cy" [100 91 83 77 65 51 49]})
(into (sorted-map) (for [[n gs] grades] [n {:avg (double (/ (apply + gs) (count gs))) :f (format "%.2f" (double (/ (apply + gs) (count gs)))) :r (Math/round (double (/ (apply + gs) (count gs)))) :ge80 (>= (/ (apply + gs) (count gs)) 80) :int (int (/ (apply + gs) (count gs))) :q (quot (apply + gs) (count gs))}]))
;;;; unit price
(map (fn [{:keys [total qty]}] (double (/ total qty))) [{:total 10 :qty 3} {:total 7 :qty 7} {:total 100 :qty 6} {:total 1 :qty 9} {:total 2.5 :qty 2}])
;;;; speed
(let [legs [{:km 100 :min 70} {:km 45 :min 33}]] {:each (map #(double (/ (:km %) (/ (:min %) 60.0))) legs) :avg (/ (reduce + (map :km legs)) (/ (reduce + (map :min legs)) 60.0)) :kph (double (/ (* 60 (reduce + (map :km legs))) (reduce + (map :min legs))))})
;;;; gpa
(def points {"A" 4.0 "A-" 3.7 "B+" 3.3 "B" 3.0})
(let [cs [["math" "A" 4] ["art" "B+" 3] ["bio" "A-" 3]] q (reduce + (map (fn [[_ g h]] (* (points g) h)) cs)) h (reduce + (map last cs))] [(/ q h) (format "%.2f" (/ q h)) q h])
;;;; int checks on ratio
[(integer? (/ 6 3)) (== 2 (/ 6 3)) (= 2 (/ 6 3)) (zero? (mod 10 5)) (int (/ 7 2)) (long (/ -7 2)) (Math/round (double (/ 7 2))) (Math/floor (/ 7 2)) (Math/ceil (/ 7 2)) (< 3 (/ 7 2) 4) (compare (/ 7 2) 3) (max 1 (/ 3 2.0)) (pos? (/ 1 3)) (quot 7 2) (* 2 (/ 7 2.0)) (even? (/ 8 2)) (range 0 (/ 9 3)) (nth [:a :b :c] (/ 4 2)) (take (/ 6 2) (range 10)) (str (/ 8 4)) (+ (/ 1 2) (/ 1 2.0)) (Math/abs (/ -8 2)) (format "%d" (/ 8 2)) (format "%.1f" (double (/ 9 2)))]
;;;; midpoints
(defn mid [[x1 y1] [x2 y2]] [(/ (+ x1 x2) 2) (/ (+ y1 y2) 2)])
(defn dist [[x1 y1] [x2 y2]] (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2))))
(defn area [pts] (/ (Math/abs (reduce + (map (fn [[x1 y1] [x2 y2]] (- (* x1 y2) (* x2 y1))) pts (rest (cycle pts))))) 2.0))
[(mid [0 0] [4 6]) (dist [0 0] [3 4]) (area [[0 0] [4 0] [4 3]]) (format "%.3f" (dist [1 1] [2 3])) (apply min-key #(dist [0 0] %) [[3 3] [1 2] [5 0]])]
;;;; newton sqrt
(defn sqrt-iter [g x] (if (< (Math/abs (- (* g g) x)) 0.00001) g (recur (/ (+ g (/ x g)) 2) x)))
[(sqrt-iter 1.0 2) (sqrt-iter 1.0 144) (format "%.4f" (sqrt-iter 1.0 10))]
;;;; pi series
[(* 4 (reduce + (map #(/ (if (even? %) 1.0 -1.0) (inc (* 2 %))) (range 1000)))) (reduce + (map #(/ 1.0 (* % %)) (range 1 100))) (reduce + (map #(/ 1.0 (reduce * (range 1 (inc %)))) (range 15))) (Math/exp 1) (Math/pow (+ 1 (/ 1.0 1000)) 1000)]
;;;; bisect
(defn bisect [f lo hi] (loop [lo lo hi hi n 0] (let [mid (/ (+ lo hi) 2.0)] (if (or (> n 50) (< (- hi lo) 1e-9)) [mid n] (if (pos? (* (f lo) (f mid))) (recur mid hi (inc n)) (recur lo mid (inc n)))))))
(let [[x n] (bisect #(- (* % % %) 2) 0.0 2.0)] [(format "%.6f" x) n])
;;;; integrate
(defn integrate [f a b n] (let [h (/ (- b a) (double n))] (* h (reduce + (map #(f (+ a (* h (+ % 0.5)))) (range n))))))
[(format "%.5f" (integrate #(* % %) 0 3 100)) (integrate identity 0 2 4)]
;;;; temperature table
(doseq [c (range 0 101 25)] (println (format "%5d°C = %6.1f°F" c (+ 32 (* c (/ 9 5.0))))))
;;;; c to f
(map (fn [f] (format "%.1f" (double (* (- f 32) (/ 5 9))))) [32 212 100 0 -40])
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
;;;; queue level order
(def tree {:v 1 :kids [{:v 2 :kids [{:v 4} {:v 5}]} {:v 3 :kids [{:v 6}]}]})
(defn levels [t] (loop [q (conj clojure.lang.PersistentQueue/EMPTY [t 0]) out (sorted-map)] (if (empty? q) (vec (vals out)) (let [[n d] (peek q)] (recur (into (pop q) (map #(vector % (inc d)) (:kids n))) (update out d (fnil conj []) (:v n)))))))
(levels tree)
;;;; queue kahn
(defn topo [g] (let [indeg (reduce (fn [m t] (update m t (fnil inc 0))) (zipmap (keys g) (repeat 0)) (mapcat val g))] (loop [q (into clojure.lang.PersistentQueue/EMPTY (sort (keep (fn [[k v]] (when (zero? v) k)) indeg))) in indeg out []] (if-let [n (peek q)] (let [in' (reduce #(update %1 %2 dec) in (g n)) ready (filter #(zero? (in' %)) (g n))] (recur (into (pop q) ready) in' (conj out n))) (when (= (count out) (count in)) out)))))
[(topo {:a [:b :c] :b [:d] :c [:d] :d []}) (topo {:a [:b] :b [:a]})]
;;;; queue moving sum
(defn moving [n xs] (loop [q clojure.lang.PersistentQueue/EMPTY s 0 [x & more :as xs] xs out []] (if (empty? xs) out (let [q (conj q x) s (+ s x) full? (> (count q) n)] (recur (if full? (pop q) q) (if full? (- s (peek q)) s) more (conj out (if full? (- s (peek q)) s)))))))
(moving 3 [1 2 3 4 5])
;;;; queue as value
(let [st {:waiting (into clojure.lang.PersistentQueue/EMPTY [:a :b :c]) :served []} serve (fn [{:keys [waiting] :as s}] (if (seq waiting) (-> s (update :served conj (peek waiting)) (update :waiting pop)) s)) states (iterate serve st)] [(map :served (take 5 states)) (map (comp count :waiting) (take 5 states)) (vec (:waiting (second states))) (for [x (:waiting st)] (name x)) (reduce str (map name (:waiting st))) (apply vector (:waiting st)) (into #{} (:waiting st)) (contains? (set (:waiting st)) :b)])
;;;; queue josephus
(defn josephus [n k] (loop [q (into clojure.lang.PersistentQueue/EMPTY (range 1 (inc n))) i 1 out []] (cond (empty? q) out (= i k) (recur (pop q) 1 (conj out (peek q))) :else (recur (conj (pop q) (peek q)) (inc i) out))))
(josephus 7 3)
;;;; vectors as queue list stack
(let [stack (-> () (conj 1) (conj 2) (conj 3)) v (-> [] (conj 1) (conj 2))] [(peek stack) (pop stack) stack (peek v) (pop v) (first v) (subvec v 1) (rest v) (cons 0 v) (conj (rest v) :x) (conj (vec (rest v)) :x) (into stack [4 5]) (list* 1 2 [3 4]) (empty stack) (empty v) (conj nil 1 2) (peek nil) (pop '(1)) (concat v stack) (last stack) (nth stack 1)])
;;;; boxed ctor
[(Integer. "42") (Long. "9") (Double. "1.5") (+ (Integer. "1") 2) (map #(Integer. %) ["1" "2"]) (String. "abc") (Integer/valueOf "7") (.toString (Integer. "5")) (try (Integer. "x") (catch NumberFormatException e :nfe))]
;;;; java method threading no array
[(-> "  Hello " .trim .toLowerCase (.replace "l" "L")) (map #(.length %) ["a" "bb"]) (.. "a-b" (toUpperCase) (replace "-" "_")) (->> ["b" "a"] (map #(.concat % "!")) sort) (.indexOf "hello" "l" 3) (.substring "hello" 1 3) (.charAt "abc" 0) (.isEmpty "") (.contains "abc" "b") (Character/isDigit (.charAt "a1" 1)) (.compareTo "a" "c") (seq (.split "a,b" ",")) (String/valueOf 3.5) (Long/toString 5) (.equals :a :a) (.hashCode 5) (first (.split "k=v" "=")) (.toString [1 2]) (.size [1 2]) (.get {:a 1} :a) (.containsKey {:a 1} :a) (.contains [1 2] 2) (.indexOf [:a :b] :b) (.length (str 12345)) (.startsWith "abc" "b" 1) (.endsWith "x.clj" ".clj") (.toUpperCase (name :k)) (.getName :k) (.replaceFirst "aXbX" "X" "-") (.lastIndexOf "a.b.c" ".") (.codePointAt "A" 0) (.matches "a1" "\\w\\d")]
;;;; dates java time
(import '(java.time LocalDate) '(java.time.temporal ChronoUnit))
(let [d (LocalDate/parse "2024-02-28")] [(str (.plusDays d 2)) (.getYear d) (.getMonthValue d) (.getDayOfMonth d) (str (.getDayOfWeek d)) (.isLeapYear d) (.between ChronoUnit/DAYS d (LocalDate/parse "2024-03-10")) (str (.withDayOfMonth d 1)) (.isBefore d (LocalDate/of 2024 3 1)) (.lengthOfMonth d) (str (.plusMonths (LocalDate/of 2024 1 31) 1)) (.getDayOfYear d) (.toEpochDay d) (compare d (LocalDate/parse "2024-01-01")) (map str (take 3 (iterate #(.plusWeeks % 1) d)))])
;;;; math statics
[(Math/sqrt 16) (Math/pow 2 8) (Math/abs -2.5) (Math/ceil 1.2) (Math/floor -1.2) (Math/round 2.5) (Math/round 1.49) (Math/max 1 5) (Math/min 1.5 2.5) (Math/sin (/ Math/PI 2)) (Math/cos 0) (Math/tan 0.5) (Math/atan2 1 2) (Math/log 10) (Math/log10 50) (Math/exp 2) (Math/hypot 5 12) (Math/signum -3.0) (Math/toRadians 180) (Math/cbrt 8) (Math/floorDiv -7 2) (Math/floorMod -7 2) Math/PI Math/E (Math/rint 2.5) (Math/abs -7) (int (Math/ceil (/ 7 2))) (long (Math/floor 3.7)) (Math/sqrt -1) (Math/log 0) (Math/pow 0 0)]
;;;; char math
[(char (+ (int \a) 2)) (- (int \9) (int \0)) (map #(- (int %) 48) "123") (reduce (fn [n c] (+ (* 10 n) (Character/digit c 10))) 0 "4521") (apply str (map #(char (+ 65 %)) (range 5))) (map char (range 97 100)) (int \newline) (Character/getNumericValue \9) (char 8364) (map (comp char inc int) "HAL") (sort-by int "hello") (Character/isLetterOrDigit \_) (Character/toString \a) (str \a) (= "a" (str \a)) (count (str \newline)) (apply max (map int "abc")) (some #{\b} "abc") (every? #(Character/isDigit %) "123") (clojure.string/join (reverse "abc")) (map str "ab") (first (sort "cab")) (frequencies "aab") (contains? (set "abc") \a) (.indexOf "abc" "c") (.indexOf "abc" (int \c)) ({\a 1} (first "abc")) (case (first "xyz") \x :ex \y :why :other) (compare "apple" "banana") (vec "hi") (subs "hello" 1 3) (apply str (interpose "-" "abc")) (nth "abc" 1) (last "abc") (butlast "abc") (take 2 "abc") (partition 2 "abcd") (map-indexed vector "ab") (distinct "aabb") (group-by identity "aab") (zipmap "abc" (range)) (remove #{\a} "banana") (filter #(Character/isUpperCase %) "aBcD")]
;;;; str join lists
(clojure.string/join "\n" (for [[k vs] (sort {:b [1 2] :a []})] (str (name k) ": " (if (seq vs) (clojure.string/join ", " vs) "(none)"))))
;;;; println seqs
(println "list:" (list 1 2 3) "vec:" [1 2] "map:" {:a 1} "set:" #{1} "nil:" nil "str:" "x" "kw:" :k)
(println "lazy:" (map inc [1 2]) (filter even? [1 2]))
(println "nested:" [{:a (map inc [1])} '(1 (2))] (seq {:a 1}) (first {:a 1}))
(println (apply str (interpose ", " (map #(str "<" % ">") [1 2 3]))))
(println 1.0 1.5e10 0.1 100 -5 true false \a)
(println (sort-by val {:a 2 :b 1}) (keys {:a 1}) (vals {:a 1}))
(println)
(println "" "x" "")
(println (str "a" nil "b" 1 :c [nil]))
(prn "s" :k [\a "q"] {:s "v"})
