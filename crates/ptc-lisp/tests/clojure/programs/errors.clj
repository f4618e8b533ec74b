;;;; validating records
(def validators
  {:name [[string? "must be a string"] [#(<= 1 (count %) 10) "must have 1 to 10 characters"]]
   :age [[int? "must be an integer"] [#(<= 0 % 150) "must be from 0 to 150"]]
   :email [[#(re-matches #"[^@\s]+@[^@\s]+\.\w+" (str %)) "must be an address"]]})
(defn validate [record]
  (into {}
        (for [[field checks] validators
              :let [value (get record field)
                    problems (reduce (fn [acc [ok? msg]] (if (ok? value) acc (reduced (conj acc msg)))) [] checks)]
              :when (seq problems)]
          [field problems])))
(map validate [{:name "Ann" :age 30 :email "a@b.co"}
               {:name "" :age 200 :email "nope"}
               {:name 5 :age "x" :email nil}])
;=> ({} {:name ["must have 1 to 10 characters"], :age ["must be from 0 to 150"], :email ["must be an address"]} {:name ["must be a string"], :age ["must be an integer"], :email ["must be an address"]})
;;;; error handling
(defn safe-div [a b] (try (/ a b) (catch ArithmeticException e {:error (.getMessage e)})))
(defn check [x] (if (neg? x) (throw (ex-info "negative" {:x x})) x))
[(safe-div 10 2) (safe-div 1 0)
 (try (check -1) (catch Exception e [(ex-message e) (ex-data e)]))
 (try (check 1) (catch Exception e :never) (finally :ignored))
 (try (throw (Exception. "plain")) (catch Exception e (ex-message e)))
 (map #(try (Integer/parseInt %) (catch NumberFormatException _ nil)) ["1" "x" "3"])
 (try (reduce (fn [a x] (if (= x :bad) (throw (ex-info "bad item" {:at a})) (conj a x))) [] [1 2 :bad 3])
      (catch Exception e (:at (ex-data e))))]
;=> [5 {:error "Divide by zero"} ["negative" {:x -1}] 1 "plain" (1 nil 3) [1 2]]
;;;; exceptions
(defn safe-div [a b]
  (try
    (/ a b)
    (catch ArithmeticException e
      (str "error: " (.getMessage e)))
    (finally
      (println "done" a b))))
(defn validate [{:keys [age] :as p}]
  (cond (nil? age) (throw (ex-info "age missing" {:type :validation :field :age :value p}))
        (neg? age) (throw (IllegalArgumentException. "negative age"))
        :else (assoc p :valid true)))
(defn attempt [p] (try {:ok (validate p)} (catch clojure.lang.ExceptionInfo e {:error (ex-message e) :data (:type (ex-data e))}) (catch Exception e {:error (.getMessage e)})))
[(safe-div 6 3) (safe-div 1 0) (attempt {:age 3}) (attempt {}) (attempt {:age -1})
 (try (Integer/parseInt "abc") (catch NumberFormatException e :nfe))
 (try (throw (Exception. "boom")) (catch Exception e (ex-message e)))
 (try (throw (RuntimeException. "rt")) (catch RuntimeException e (str "caught " (.getMessage e))))
 (ex-data (try (throw (ex-info "m" {:a 1})) (catch Exception e e)))]
;out> done 6 3
;out> done 1 0
;=> [2 "error: Divide by zero" {:ok {:age 3, :valid true}} {:error "age missing", :data :validation} {:error "negative age"} :nfe "boom" "caught rt" {:a 1}]
;;;; nested try
(defn risky [n] (if (odd? n) (throw (ex-info (str "odd " n) {:n n})) n))
(defn with-retry [f max-tries]
  (loop [attempt 1 errors []]
    (let [result (try {:value (f attempt)} (catch Exception e {:error (ex-message e)}))]
      (cond (contains? result :value) (assoc result :attempts attempt :errors errors)
            (>= attempt max-tries) {:failed errors}
            :else (recur (inc attempt) (conj errors (:error result)))))))
[(with-retry risky 3) (with-retry #(risky (dec (* 2 %))) 2)
 (try (try (risky 1) (catch Exception e (throw (ex-info "wrapped" {:cause-msg (ex-message e)} e)))) (catch Exception e [(ex-message e) (ex-data e) (ex-message (ex-cause e))]))
 (mapv #(try (risky %) (catch Exception e (-> e ex-data :n -))) (range 5))]
;=> [{:value 2, :attempts 2, :errors ["odd 1"]} {:failed ["odd 1"]} ["wrapped" {:cause-msg "odd 1"} "odd 1"] [0 -1 2 -3 4]]
;;;; assert pre post
(defn area "Area of a rectangle" [w h] {:pre [(pos? w) (pos? h)] :post [(pos? %)]} (* w h))
(defn greet ([] (greet "World")) ([n] (greet n "Hello")) ([n g & more] (apply str g ", " n "!" more)))
[(area 3 4) (greet) (greet "Bob") (greet "Bob" "Hi" " How" " are you?") ((fn [x & [y]] [x y]) 1) ((fn fact [n] (if (< n 2) 1 (* n (fact (dec n))))) 10)]
;=> [12 "Hello, World!" "Hello, Bob!" "Hi, Bob! How are you?" [1 nil] 3628800]
;;;; email validation
(def re #"(?i)^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$")
(defn mask [e] (let [[u d] (clojure.string/split e #"@")] (str (subs u 0 1) (apply str (repeat (dec (count u)) "*")) "@" d)))
[(map #(boolean (re-find re %)) ["a@b.co" "bad" "X.Y+z@Sub.Domain.ORG" "a@b"]) (mask "alice@x.com") (frequencies (map #(second (re-find #"@(.+)$" %)) ["a@x" "b@y" "c@x"])) (re-matches #"(\w+)\.(\w+)@.*" "joe.doe@x.y") (clojure.string/replace "call 555-1234 or 555-9999" #"\d{3}-(\d{4})" "XXX-$1")]
;=> [(true false true false) "a****@x.com" {"x" 2, "y" 1} ["joe.doe@x.y" "joe" "doe"] "call XXX-1234 or XXX-9999"]
;;;; data validation
(def schema {:name [string? "must be string"] :age [#(and (int? %) (<= 0 % 150)) "must be 0-150"] :email [#(and (string? %) (re-find #"@" %)) "invalid"]})
(defn validate [m] (let [errs (into (sorted-map) (keep (fn [[k [p msg]]] (when-not (p (get m k)) [k msg]))) schema)] (if (seq errs) {:valid? false :errors errs} {:valid? true})))
(mapv validate [{:name "A" :age 3 :email "a@b"} {:name 1 :age 200} {}])
;=> [{:valid? true} {:valid? false, :errors {:age "must be 0-150", :email "invalid", :name "must be string"}} {:valid? false, :errors {:age "must be 0-150", :email "invalid", :name "must be string"}}]
;;;; catch by class
(defn classify [f]
  (try
    (f)
    (catch ArithmeticException e :arithmetic)
    (catch NumberFormatException e :number-format)
    (catch NullPointerException e :null)
    (catch ClassCastException e :cast)
    (catch IndexOutOfBoundsException e :index)
    (catch IllegalStateException e :state)
    (catch IllegalArgumentException e :argument)
    (catch clojure.lang.ExceptionInfo e [:info (ex-message e) (ex-data e)])
    (catch RuntimeException e :runtime)
    (catch Exception e :exception)
    (catch AssertionError e :assertion)
    (catch Throwable t :throwable)))
(mapv classify
  [#(/ 1 0) #(Integer/parseInt "x1") #(Long/parseLong "") #(Double/parseDouble "1.2.3") #(+ 1 nil) #(inc "a")
   #(nth [1 2] 0) #([1 2] 5) #(throw (ex-info "bad" {:code 1})) #(throw (ex-info "empty" {})) #(throw (RuntimeException. "r"))
   #(throw (Exception. "e")) #(throw (IllegalStateException. "s")) #(throw (IllegalArgumentException. "a")) #(assert (= 1 2)) #(throw (Error. "x"))
   #(throw (UnsupportedOperationException. "u")) #(throw (Throwable. "t")) #((fn [x] x)) #(mod 5 0) #(throw (NumberFormatException. "n")) #(throw (AssertionError. "m")) #(:ok {:ok 1})])
;=> [:arithmetic :number-format :number-format :number-format :null :cast 1 :index [:info "bad" {:code 1}] [:info "empty" {}] :runtime :exception :state :argument :assertion :throwable :runtime :throwable :argument :arithmetic :number-format :assertion 1]
;;;; validation errors info first
(defn parse-age [s]
  (let [n (try (Integer/parseInt s) (catch NumberFormatException e (throw (ex-info "not a number" {:input s}))))]
    (if (neg? n) (throw (IllegalArgumentException. (str "negative: " n))) n)))
(defn safe [s]
  (try {:ok (parse-age s)}
    (catch clojure.lang.ExceptionInfo e {:error (.getMessage e) :data (ex-data e)})
    (catch IllegalArgumentException e {:error (ex-message e) :data (ex-data e)})
    (finally nil)))
(map safe ["42" "abc" "-3"])
;=> ({:ok 42} {:error "not a number", :data {:input "abc"}} {:error "negative: -3", :data nil})
;;;; retry
(defn flaky [n] (cond (< n 2) (throw (IllegalStateException. (str "try " n))) (= n 2) (throw (ex-info "almost" {:n n})) :else (* n 100)))
(loop [n 0 log []]
  (let [[status v] (try [:ok (flaky n)]
                        (catch clojure.lang.ExceptionInfo e [:info (:n (ex-data e))])
                        (catch Exception e [:err (.getMessage e)]))]
    (if (= status :ok) {:result v :log log} (recur (inc n) (conj log [status v])))))
;=> {:result 300, :log [[:err "try 0"] [:err "try 1"] [:info 2]]}
;;;; ex-data of plain
(mapv (fn [f] (try (f) (catch Exception e {:msg (ex-message e) :data (ex-data e) :info? (some? (ex-data e))})))
      [#(throw (Exception. "plain")) #(throw (ex-info "rich" {:a 1})) #(throw (RuntimeException. "rt")) #(throw (IllegalArgumentException. "ia"))])
;=> [{:msg "plain", :data nil, :info? false} {:msg "rich", :data {:a 1}, :info? true} {:msg "rt", :data nil, :info? false} {:msg "ia", :data nil, :info? false}]
;;;; finally order
(defn work [x] (try (println "start" x) (when (odd? x) (throw (ex-info "odd!" {:x x}))) (println "ok" x) :ok (catch Exception e (println "caught" (ex-message e)) :failed) (finally (println "end" x))))
(mapv work [1 2])
;out> start 1
;out> caught odd!
;out> end 1
;out> start 2
;out> ok 2
;out> end 2
;=> [:failed :ok]
;;;; nested rethrow
(try
  (try (throw (IllegalArgumentException. "inner"))
       (catch IllegalArgumentException e (println "again") (throw e))
       (finally (println "cleanup")))
  (catch Exception e (str "outer " (.getMessage e))))
;out> again
;out> cleanup
;=> "outer inner"
;;;; cause chain
(let [e (try (try (/ 1 0) (catch ArithmeticException e (throw (ex-info "calc failed" {:op :div} e)))) (catch Exception e e))]
  [(ex-message e) (ex-data e) (ex-message (ex-cause e)) (some? (.getCause e)) (.getMessage (.getCause e))])
;=> ["calc failed" {:op :div} "Divide by zero" true "Divide by zero"]
;;;; error pipeline no auto keyword
(defn fail! [field msg] (throw (ex-info msg {:field field :type :validation})))
(defn check-id [{:keys [id] :as o}] (if (pos-int? id) o (fail! :id "id must be positive")))
(defn check-lines [{:keys [lines] :as o}] (if (seq lines) o (fail! :lines "no lines")))
(defn validate [o] (try {:ok (-> o check-id check-lines)} (catch clojure.lang.ExceptionInfo e {:err (ex-message e) :field (:field (ex-data e))}) (catch Exception e {:err "unexpected"})))
(map validate [{:id 1 :lines [1]} {:id 0} {:id 2 :lines []} {}])
;=> ({:ok {:id 1, :lines [1]}} {:err "id must be positive", :field :id} {:err "no lines", :field :lines} {:err "id must be positive", :field :id})
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
;=> {:ok [[:a 1] [:e 5]], :bad [[2 :not-a-number] [3 "malformed" {:line "c"}] [4 "malformed" {:line "d=4=5"}]]}
;;;; try-parse helpers
(defn try-int [s] (try (Integer/parseInt s) (catch Exception _ nil)))
(defn try-double [s] (try (Double/parseDouble s) (catch NumberFormatException _ ##NaN) (catch NullPointerException _ nil)))
(defn parse-cell [s] (or (try-int s) (let [d (try-double s)] (when-not (or (nil? d) (Double/isNaN d)) d)) s))
[(map parse-cell ["1" "2.5" "abc" "" "-7" "1e3" "0x1F" " 5"]) (map try-int ["12" nil "1.0"])]
;=> [(1 2.5 "abc" "" -7 1000.0 "0x1F" 5.0) (12 nil nil)]
;;;; resource log
(def log-lines (with-out-str
  (try (println "open") (println "read") (throw (RuntimeException. "disk"))
       (catch RuntimeException e (println "error:" (.getMessage e)))
       (finally (println "close")))))
(clojure.string/split-lines log-lines)
;=> ["open" "read" "error: disk" "close"]
;;;; circuit breaker
(defn call [{:keys [fails state] :as b} f]
  (if (= state :open) [(assoc b :rejected (inc (get b :rejected 0))) :rejected]
    (try (let [r (f)] [(assoc b :fails 0) r])
         (catch ArithmeticException e (let [n (inc fails)] [(assoc b :fails n :state (if (>= n 2) :open :closed)) :failed])))))
(reduce (fn [[b out] f] (let [[b r] (call b f)] [b (conj out r)])) [{:fails 0 :state :closed} []] [#(/ 4 2) #(/ 1 0) #(inc 1) #(/ 1 0) #(quot 1 0) #(+ 1 1)])
;=> [{:fails 2, :state :open, :rejected 1} [2 :failed 2 :failed :failed :rejected]]
;;;; saga plain kw
(def steps [{:name :reserve :run #(assoc % :reserved true) :undo #(dissoc % :reserved)} {:name :charge :run #(if (> (:amount %) 100) (throw (ex-info "limit" {:max 100})) (assoc % :charged true)) :undo #(dissoc % :charged)}])
(defn run-saga [ctx] (loop [ctx ctx [s & more] steps done ()] (if-not s {:ctx ctx :status :done} (let [r (try ((:run s) ctx) (catch Exception e {:error (ex-message e) :info (ex-data e)}))] (if (:error r) {:ctx (reduce (fn [c d] ((:undo d) c)) ctx done) :status :failed :at (:name s) :why r} (recur r more (conj done s)))))))
[(run-saga {:amount 50}) (run-saga {:amount 500})]
;=> [{:ctx {:amount 50, :reserved true, :charged true}, :status :done} {:ctx {:amount 500}, :status :failed, :at :charge, :why {:error "limit", :info {:max 100}}}]
;;;; assertion catch
[(try (assert (pos? -1) "must be positive") (catch AssertionError e :assert)) (try (assert (pos? 1)) (catch AssertionError e :no))]
;=> [:assert nil]
;;;; pre conditions
(defn discount [price pct] {:pre [(number? price) (<= 0 pct 100)]} (* price (- 1 (/ pct 100.0))))
[(discount 200 25) (discount 80 0) (discount 19.99 50)]
;=> [150.0 80.0 9.995]
;;;; throw in lazy map
(try (doall (map #(if (= % 3) (throw (ex-info "three" {:n %})) (* % %)) (range 5))) (catch Exception e [(ex-message e) (:n (ex-data e))]))
;=> ["three" 3]
;;;; ex-info in reduce
(defn withdraw [balances [acct amt]] (let [b (get balances acct)] (cond (nil? b) (throw (ex-info (format "no account %s" (name acct)) {:acct acct})) (< b amt) (throw (ex-info (format "%s short by %.2f" (name acct) (double (- amt b))) {:acct acct :short (- amt b)})) :else (update balances acct - amt))))
(map (fn [txs] (try (reduce withdraw {:a 100 :b 50} txs) (catch clojure.lang.ExceptionInfo e (assoc (ex-data e) :msg (.getMessage e))))) [[[:a 30] [:b 50]] [[:a 130]] [[:z 1]]])
;=> ({:a 70, :b 0} {:acct :a, :short 30, :msg "a short by 30.00"} {:acct :z, :msg "no account z"})
;;;; several catches by op
(defn run [op a b]
  (try
    (case op
      "add" (+ a b)
      "div" (/ a b)
      "parse" (Integer/parseInt (str a b))
      "nth" (nth [1 2 3] 1)
      (throw (IllegalArgumentException. (str "Unknown op: " op))))
    (catch ArithmeticException e (str "math: " (.getMessage e)))
    (catch NumberFormatException e "not a number")
    (catch IllegalArgumentException e (.getMessage e))
    (catch Exception e (str "other: " (.getMessage e)))))
(map #(apply run %) [["add" 1 2] ["div" 1 0] ["div" 9 3] ["parse" 4 2] ["parse" "x" 1] ["pow" 1 1] ["nth" 0 0]])
;=> (3 "math: Divide by zero" 3 42 "not a number" "Unknown op: pow" 2)
;;;; info vs other
(defn fetch [id] (cond (nil? id) (throw (NullPointerException. "id")) (neg? id) (throw (ex-info "negative" {:id id :status 400})) (> id 100) (throw (ex-info "not found" {:id id :status 404})) (= id 13) (throw (IllegalStateException. "unlucky")) :else {:id id}))
(defn handle [id] (try (assoc (fetch id) :status 200) (catch clojure.lang.ExceptionInfo e (let [{:keys [status id]} (ex-data e)] {:status status :msg (str (ex-message e) " " id)})) (catch IllegalStateException e {:status 409 :msg (ex-message e)}) (catch Throwable t {:status 500 :msg (.getMessage t)}) (finally (print "."))))
(mapv handle [1 -5 101 13 nil])
;out> .....
;=> [{:id 1, :status 200} {:status 400, :msg "negative -5"} {:status 404, :msg "not found 101"} {:status 409, :msg "unlucky"} {:status 500, :msg "id"}]
;;;; error in order catch first wide
[(try (/ 1 0) (catch Exception e :wide) (catch ArithmeticException e :narrow)) (try (throw (ex-info "x" {})) (catch RuntimeException e :rt) (catch Exception e :ex)) (try (Integer/parseInt "") (catch IllegalArgumentException e :iae) (catch NumberFormatException e :nfe)) (try :fine (catch Exception e :no) (finally :ignored)) (try (throw (Error. "e")) (catch Exception e :ex) (catch Error e :err))]
;=> [:wide :rt :iae :fine :err]
;;;; nested try with binding
(defn step [n] (try (if (zero? (mod n 3)) (throw (ex-info "fizz" {:n n})) n) (catch ArithmeticException e :never) (catch clojure.lang.ExceptionInfo e (str (ex-message e) (:n (ex-data e))))))
[(mapv step (range 1 7)) (let [x 5 r (try (let [y (/ x 0)] y) (catch ArithmeticException e (* x 2)))] (+ r x)) (reduce (fn [acc x] (try (+ acc (/ 12 x)) (catch ArithmeticException _ acc))) 0 [1 0 2 0 3])]
;=> [[1 2 "fizz3" 4 5 "fizz6"] 15 22]
;;;; captured in catch branches
(let [a [1 2] b {:k 1}] [(try (conj a (/ 1 0)) (catch NullPointerException e (conj a :n)) (catch ArithmeticException e (conj a :m (:k b)))) a b (try (assoc b :x (throw (ex-info "q" {:a a}))) (catch ArithmeticException e a) (catch Exception e (assoc b :from (:a (ex-data e)))))])
;=> [[1 2 :m 1] [1 2] {:k 1} {:k 1, :from [1 2]}]
;;;; loop retry with recur outside try
(loop [n 0 acc []] (let [r (try (if (< n 3) (throw (ex-info "again" {:n n})) (* n 10)) (catch clojure.lang.ExceptionInfo e (:n (ex-data e))))] (if (= r n) (recur (inc n) (conj acc r)) {:result r :acc acc})))
;=> {:result 30, :acc [0 1 2]}
;;;; messages
(map (fn [f] (try (f) (catch Exception e (ex-message e)))) [#(throw (ex-info "a" {})) #(throw (Exception. "b")) #(throw (IllegalArgumentException. (str "c" 1))) #(/ 5 0) #(throw (RuntimeException. "d" (Exception. "inner"))) #(mod 3 0)])
;=> ("a" "b" "c1" "Divide by zero" "d" "Divide by zero")
;;;; cause walk
(let [e (ex-info "top" {:l 0} (ex-info "mid" {:l 1} (Exception. "root")))] [(map ex-message (take-while some? (iterate ex-cause e))) (keep (comp :l ex-data) (take-while some? (iterate ex-cause e))) (.getMessage (.getCause e)) (:l (.getData e))])
;=> [("top" "mid" "root") (0 1) "mid" 0]
;;;; schema validation
(def schema {:name [string? "must be text"] :age [(every-pred int? #(<= 0 % 150)) "must be an age"]
             :email [#(re-matches #"[^@\s]+@[^@\s]+\.\w+" (str %)) "must be an address"]})
(defn validate [m]
  (let [errors (for [[k [ok? message]] schema
                     :let [v (get m k :missing)]
                     :when (or (= v :missing) (not (ok? v)))]
                 [k (if (= v :missing) "is required" message)])]
    (if (seq errors) {:errors (into {} errors)} {:ok m})))
(mapv validate [{:name "Al" :age 30 :email "al@x.org"} {:name 5 :age -1} {:name "B" :age 200 :email "b@"}])
;=> [{:ok {:name "Al", :age 30, :email "al@x.org"}} {:errors {:name "must be text", :age "must be an age", :email "is required"}} {:errors {:age "must be an age", :email "must be an address"}}]
;;;; retry with backoff
(defn flaky [fail-times] (fn [attempt] (if (< attempt fail-times) (throw (ex-info "down" {:attempt attempt})) {:ok attempt})))
(defn retry [f limit]
  (loop [attempt 0 waits []]
    (let [result (try (f attempt) (catch Exception e {:error (ex-message e) :at (:attempt (ex-data e))}))]
      (cond (:ok result) {:result result :waits waits}
            (= attempt (dec limit)) {:gave-up result :waits waits}
            :else (recur (inc attempt) (conj waits (bit-shift-left 100 attempt)))))))
(map #(retry (flaky %) 4) [0 2 5])
;=> ({:result {:ok 0}, :waits []} {:result {:ok 2}, :waits [100 200]} {:gave-up {:error "down", :at 3}, :waits [100 200 400]})
;;;; errors by layer
(defn parse [s] (try (Integer/parseInt s) (catch ArithmeticException _ :never)))
(defn ratio [a b] (try (/ (parse a) (parse b)) (catch NumberFormatException e [:not-a-number])))
(defn report [a b]
  (try
    {:ok (ratio a b)}
    (catch ArithmeticException e {:error (ex-message e)})
    (finally (println "did" a b))))
(mapv (partial apply report) [["6" "3"] ["x" "3"] ["6" "0"]])
;out> did 6 3
;out> did x 3
;out> did 6 0
;=> [{:ok 2} {:ok [:not-a-number]} {:error "Divide by zero"}]
;;;; errors inside nested tries with finally
(defn risky [n]
  (try
    (println "enter" n)
    (cond (zero? n) (throw (ex-info "zero" {:n n}))
          (neg? n) (/ n 0)
          :else (* n 10))
    (catch ArithmeticException e (println "arith:" (.getMessage e)) :arith)
    (finally (println "leave" n))))
[(risky 1) (risky -1)
 (try (risky 0) (catch clojure.lang.ExceptionInfo e (assoc (ex-data e) :msg (ex-message e))))
 (try (try (throw (ex-info "in" {:a 1})) (catch Exception e (throw (ex-info "out" (merge (ex-data e) {:b 2}) e))))
      (catch Exception e [(ex-message e) (ex-data e) (ex-message (ex-cause e))]))]
;out> enter 1
;out> leave 1
;out> enter -1
;out> arith: Divide by zero
;out> leave -1
;out> enter 0
;out> leave 0
;=> [10 :arith {:n 0, :msg "zero"} ["out" {:a 1, :b 2} "in"]]
;;;; validation collecting errors
(def rules {:name [[string? "must be text"] [not-empty "must not be empty"]] :age [[int? "must be a whole number"] [#(and (int? %) (<= 0 % 150)) "out of range"]] :email [[#(some->> % (re-matches #"[^@\s]+@[^@\s]+\.\w+")) "is no address"]]})
(defn validate [m] (reduce-kv (fn [errs k checks] (let [bad (for [[ok? msg] checks :when (not (ok? (k m)))] msg)] (cond-> errs (seq bad) (assoc k (vec bad))))) {} rules))
(map validate [{:name "Al" :age 30 :email "al@x.org"} {:name "" :age 200 :email "nope"} {:name nil :age "x"}])
;=> ({} {:name ["must not be empty"], :age ["out of range"], :email ["is no address"]} {:name ["must be text" "must not be empty"], :age ["must be a whole number" "out of range"], :email ["is no address"]})
;;;; retry with a counter in loop
(defn flaky [n] (if (< n 3) (throw (ex-info (str "attempt " n) {:n n})) {:ok n}))
(defn retry [f max] (loop [i 1 log []] (let [r (try {:value (f i)} (catch Exception e {:error (ex-message e) :data (ex-data e)}))] (cond (:value r) (assoc r :log log) (= i max) (assoc r :log log) :else (recur (inc i) (conj log (:error r)))))))
[(retry flaky 5) (retry flaky 2)]
;=> [{:value {:ok 3}, :log ["attempt 1" "attempt 2"]} {:error "attempt 2", :data {:n 2}, :log ["attempt 1"]}]
;;;; exceptions of many kinds, which catch gets them
(defn kind [f] (try (f) (catch ArithmeticException _ :arith) (catch NumberFormatException _ :nfe) (catch clojure.lang.ExceptionInfo e [:info (ex-data e)]) (catch IllegalArgumentException _ :iae) (catch NullPointerException _ :npe) (catch ClassCastException _ :cce) (catch Exception _ :other) (finally nil)))
(map kind [#(/ 1 0) #(Long/parseLong "z") #(throw (ex-info "x" {:a 1})) #(throw (IllegalArgumentException. "q")) #(+ nil 1) #(inc "a") #(throw (Exception. "e")) #(nth [1 2] 0) #(throw (IllegalStateException. "s")) #(:a nil) #(mod 5 0) #(Double/parseDouble "p") #(assoc [1] 5 :x) #(first 5) #(count 5) #(even? 1)])
;=> (:arith :nfe [:info {:a 1}] :iae :npe :cce :other 1 :other nil :arith :nfe :other :iae :other false)
;;;; parse numbers with messages
(defn parse [s] (try {:ok (Integer/parseInt s)} (catch NumberFormatException e {:error (.getMessage e)})))
(doseq [s ["42" "x1" "" "3.5"]] (println s "->" (parse s)))
[(map (comp some? :ok parse) ["1" "a"]) (try (Long/parseLong "12a") (catch Exception e (str "Error: " (ex-message e)))) (try (Double/parseDouble "abc") (catch Exception e (.getMessage e)))
 (try (/ 5 0) (catch Exception e (str "caught: " (.getMessage e)))) (try (throw (ex-info "Order invalid" {:order 7 :reasons [:no-items]})) (catch Exception e (str (.getMessage e) " " (:order (ex-data e)) " " (pr-str (:reasons (ex-data e))))))]
;out> 42 -> {:ok 42}
;out> x1 -> {:error For input string: "x1"}
;out>  -> {:error For input string: ""}
;out> 3.5 -> {:error For input string: "3.5"}
;=> [(true false) "Error: For input string: \"12a\"" "For input string: \"abc\"" "caught: Divide by zero" "Order invalid 7 [:no-items]"]
;;;; balanced brackets with error positions
(def pairs {\( \) \[ \] \{ \}})
(def closers (set (vals pairs)))
(defn check [s]
  (let [r (reduce (fn [stack [i c]]
                    (cond
                      (pairs c) (conj stack [i (pairs c)])
                      (closers c) (let [[_ want] (peek stack)]
                                    (if (= want c) (pop stack) (reduced {:error :mismatch :at i :got c :want want})))
                      :else stack))
                  [] (map-indexed vector s))]
    (cond (map? r) r
          (seq r) {:error :unclosed :at (first (peek r))}
          :else :ok)))
(map check ["(a[b]{c})" "(]" "((x)" "" ")"])
;=> (:ok {:error :mismatch, :at 1, :got "]", :want ")"} {:error :unclosed, :at 0} :ok {:error :mismatch, :at 0, :got ")", :want nil})
;;;; email and phone validation
(def checks
  [[:email #"[\w.+-]+@[\w-]+(\.[\w-]+)+" "must look like an address"]
   [:phone #"\+?\d[\d -]{6,}" "must be digits"]
   [:zip #"\d{5}(-\d{4})?" "must be ##### or #####-####"]])
(defn errors [m] (for [[k re msg] checks :let [v (get m k)] :when (not (and v (re-matches re v)))] [k (if v msg "is missing")]))
(map (comp (partial into {}) errors) [{:email "a.b+c@x.co.uk" :phone "+1 555-1234" :zip "12345-6789"} {:email "nope@" :phone "12" :zip "1234"} {}])
;=> ({} {:email "must look like an address", :phone "must be digits", :zip "must be ##### or #####-####"} {:email "is missing", :phone "is missing", :zip "is missing"})
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
;out> processed :alice -> :bob
;out> processed :bob -> :carol
;out> processed :bob -> :alice
;out> processed :alice -> :bob
;=> {:accounts {:alice 70, :bob 80}, :ok 1, :errors [{:type :not-found, :id :carol, :msg "No such account"} {:type :funds, :id :bob, :short 420, :msg "Insufficient funds"} {:type :bad, :msg "Bad amount: -1"}]}
;;;; circuit breaker (2)
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
;=> ([:closed :ok] [:closed [:error "boom"]] [:open [:error "boom"]] [:open :rejected] [:open :rejected] [:closed :ok])
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
;=> [[:ok {:host "h", :port 80, :mode :dev}] [:error ["missing: mode" "host is blank" "bad port 99999"]] [:error ["bad mode :test"]] [:error ["missing: host, mode, port"]]]
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
;out> start 1
;out> caught odd!
;out> done 1
;out> start 2
;out> done 2
;out> start 3
;out> caught odd!
;out> done 3
;=> [:recovered 20 ["fatal" {:cause-n 3} "odd!"]]
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
;=> (:arith :number :cast :npe :index :mine :info :illegal [:other "plain"] :fine [:other "rt"])
;;;; validation pipeline with reduce and reduced
(def rules [[:name string? "name must be text"] [:age #(and (int? %) (<= 0 % 150)) "age out of range"] [:email #(re-matches #".+@.+\..+" (str %)) "email invalid"]])
(defn check-all [m] (reduce (fn [errs [k ok? msg]] (if (ok? (get m k)) errs (assoc errs k msg))) {} rules))
(defn first-error [m] (reduce (fn [_ [k ok? msg]] (if (ok? (k m)) nil (reduced [k msg]))) nil rules))
(map (juxt check-all first-error) [{:name "A" :age 5 :email "a@b.co"} {:name 1 :age 200 :email "a"} {}])
;=> ([{} nil] [{:name "name must be text", :age "age out of range", :email "email invalid"} [:name "name must be text"]] [{:name "name must be text", :age "age out of range", :email "email invalid"} [:name "name must be text"]])
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
;=> [{:ok 0, :waits []} {:ok 2, :waits [100 200]} {:gave-up "attempt 1 failed", :waits [100]} {:gave-up "attempt 3 failed", :waits [100 200 400]}]
;;;; resource cleanup order with nested finally
(def log [])
(defn record [x] (def log (conj log x)))
(defn use-resource [n f] (record [:open n]) (try (f n) (finally (record [:close n]))))
(try (use-resource :a (fn [a] (use-resource :b (fn [b] (record [:work a b]) (/ 1 0))))) (catch ArithmeticException e (record [:caught (.getMessage e)])))
log
;=> [[:open :a] [:open :b] [:work :a :b] [:close :b] [:close :a] [:caught "Divide by zero"]]
;;;;
(try
  (throw (ex-info "Invalid order" {:id 42 :reason :missing}))
  (catch Exception e
    (println "Caught:" (ex-message e))
    (:id (ex-data e)))
  (finally (println "cleanup")))
;out> Caught: Invalid order
;out> cleanup
;=> 42
;;;;
(try (/ 1 0) (catch ArithmeticException e (str "math: " (.getMessage e))))
;=> "math: Divide by zero"
;;;;
(defn safe-div [a b] (try (/ a b) (catch ArithmeticException _ nil) (catch Exception e :other)))
[(safe-div 4 2) (safe-div 1 0)]
;=> [2 nil]
;;;;
(try (throw (Exception. "boom")) (catch Exception e (.getMessage e)))
;=> "boom"
;;;;
(try (throw (IllegalArgumentException. "bad arg")) (catch IllegalArgumentException e (str "IAE " (ex-message e))))
;=> "IAE bad arg"
;;;;
(try (Integer/parseInt "abc") (catch NumberFormatException e :nan))
;=> :nan
;;;;
(try (assert (= 1 2) "math broke") (catch AssertionError e (.getMessage e)))
;=> "Assert failed: math broke"
;clojure> "Assert failed: math broke\n(= 1 2)"
;deviation> the text of a failed assertion
;;;;
(try (ex-data (try (throw (ex-info "inner" {:a 1})) (catch Exception e (throw (ex-info "outer" {:cause (ex-data e)} e))))) (catch Exception e [(ex-message e) (ex-data e)]))
;=> ["outer" {:cause {:a 1}}]
;;;;
(let [r (try {:ok (inc 1)} (catch Exception e {:err (ex-message e)}))] (if-let [v (:ok r)] v :failed))
;=> 2
;;;;
(try (case :z :a 1) (catch IllegalArgumentException e :no-match) (finally (println "f")))
;out> f
;=> nil
;clojure> :no-match
;deviation> case, condp without match
;;;;
(try (reduce * (range 1 30)) (catch ArithmeticException e "overflow"))
;=> "overflow"
;;;;
(defn make-account [balance] {:balance balance :history []})
(defn deposit [acc amt] (-> acc (update :balance + amt) (update :history conj [:deposit amt])))
(defn withdraw [{:keys [balance] :as acc} amt]
  (if (< balance amt) (throw (ex-info "Insufficient funds" {:balance balance :amt amt})) (-> acc (update :balance - amt) (update :history conj [:withdraw amt]))))
(let [acc (-> (make-account 100) (deposit 50) (withdraw 30))]
  [(:balance acc) (:history acc) (try (withdraw acc 1000) (catch clojure.lang.ExceptionInfo e (ex-data e)))])
;=> [120 [[:deposit 50] [:withdraw 30]] {:balance 120, :amt 1000}]
;;;;
(defn retry [n f] (loop [i 1] (let [r (try {:ok (f i)} (catch Exception e {:err (ex-message e)}))] (if (or (:ok r) (= i n)) (assoc r :tries i) (recur (inc i))))))
[(retry 3 (fn [i] (if (< i 2) (throw (ex-info "no" {})) :done))) (retry 2 (fn [_] (throw (ex-info "never" {}))))]
;=> [{:ok :done, :tries 2} {:err "never", :tries 2}]
;;;;
(defn interpret [expr env]
  (cond (number? expr) expr
        (keyword? expr) (get env expr)
        (vector? expr) (let [[op & args] expr]
                         (case op
                           :let (let [[k v body] args] (interpret body (assoc env k (interpret v env))))
                           :if (let [[t a b] args] (if (interpret t env) (interpret a env) (interpret b env)))
                           :fn (let [[p body] args] (fn [x] (interpret body (assoc env p x))))
                           :call (let [[f x] (map #(interpret % env) args)] (f x))
                           (apply ({:+ + :* * :- - :< <} op) (map #(interpret % env) args))))
        :else (throw (ex-info "bad expr" {:expr expr}))))
[(interpret [:+ 1 [:* 2 3]] {}) (interpret [:let :x 5 [:* :x :x]] {}) (interpret [:if [:< 1 2] 10 20] {}) (interpret [:call [:fn :y [:+ :y :z]] 4] {:z 6}) (try (interpret "s" {}) (catch Exception e [(ex-message e) (:expr (ex-data e))]))]
;=> [7 25 10 10 ["bad expr" "s"]]
;;;;
(def tests [["add" #(= 3 (+ 1 2))] ["sub" #(= 1 (- 2 1))] ["fail" #(= 1 2)] ["boom" #(throw (ex-info "boom" {:code 7}))]])
(let [results (for [[name f] tests] (try {:name name :ok (boolean (f))} (catch Exception e {:name name :error (ex-message e) :code (:code (ex-data e))})))
      {passed true failed false} (group-by #(true? (:ok %)) results)]
  {:passed (mapv :name passed) :failed (mapv (juxt :name :error :code) failed) :summary (format "%d/%d" (count passed) (count results))})
;=> {:passed ["add" "sub"], :failed [["fail" nil nil] ["boom" "boom" 7]], :summary "2/4"}
;;;;
(defn area [{:keys [shape r w h] :as s}] (case shape :circle (* Math/PI r r) :rect (* w h) (throw (ex-info (str "unknown shape " shape) s))))
(let [shapes [{:shape :circle :r 1} {:shape :rect :w 2 :h 3} {:shape :blob}]]
  (for [s shapes] (try (format "%.3f" (double (area s))) (catch clojure.lang.ExceptionInfo e (str "E:" (ex-message e) (:shape (ex-data e)))))))
;=> ("3.142" "6.000" "E:unknown shape :blob:blob")
