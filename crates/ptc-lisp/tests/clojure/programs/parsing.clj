;;;; log analysis
(def log-lines
  ["2024-03-01T10:00:00 INFO  [web-1] GET /api/users 200 12ms"
   "2024-03-01T10:00:01 WARN  [web-2] GET /api/orders 404 3ms"
   "2024-03-01T10:00:02 ERROR [web-1] POST /api/orders 500 140ms"
   "malformed line"
   "2024-03-01T10:00:05 INFO  [web-1] GET /api/users 200 9ms"])
(def line-re #"^(\S+)\s+(INFO|WARN|ERROR)\s+\[([^\]]+)\]\s+(\w+)\s+(\S+)\s+(\d{3})\s+(\d+)ms$")
(defn parse-line [line]
  (when-let [[_ ts level host verb path status ms] (re-matches line-re line)]
    {:ts ts :level (keyword (clojure.string/lower-case level)) :host host
     :request {:method verb :path path} :status (Long/parseLong status) :ms (parse-long ms)}))
(let [parsed (keep parse-line log-lines)
      by-path (group-by (comp :path :request) parsed)]
  {:total (count log-lines)
   :unparsed (remove parse-line log-lines)
   :levels (frequencies (map :level parsed))
   :paths (into (sorted-map)
                (for [[path rows] by-path
                      :let [times (map :ms rows)]]
                  [path {:n (count rows) :avg (double (/ (reduce + times) (count times))) :max (apply max times)}]))
   :slowest (:ts (apply max-key :ms parsed))})
;=> {:total 5, :unparsed ("malformed line"), :levels {:info 2, :warn 1, :error 1}, :paths {"/api/orders" {:n 2, :avg 71.5, :max 140}, "/api/users" {:n 2, :avg 10.5, :max 12}}, :slowest "2024-03-01T10:00:02"}
;;;; csv parsing and rendering
(def csv "name,qty,price\napple,3,1.25\npear,,2.0\nfig,10,0.5\n")
(defn parse-csv [text]
  (let [[header & lines] (clojure.string/split-lines text)
        ks (map keyword (clojure.string/split header #","))]
    (map #(zipmap ks (clojure.string/split % #"," -1)) lines)))
(let [rows (parse-csv csv)
      typed (map #(-> % (update :qty parse-long) (update :price parse-double)) rows)]
  {:rows rows
   :total (reduce + (for [{:keys [qty price]} typed :when qty] (* qty price)))
   :missing (map :name (filter (comp nil? :qty) typed))
   :out (clojure.string/join "\n" (for [r typed] (clojure.string/join ";" (map #(if (nil? %) "" %) (vals r)))))})
;=> {:rows ({:name "apple", :qty "3", :price "1.25"} {:name "pear", :qty "", :price "2.0"} {:name "fig", :qty "10", :price "0.5"}), :total 8.75, :missing ("pear"), :out "apple;3;1.25\npear;;2.0\nfig;10;0.5"}
;;;; tokenizer and calculator
(defn tokenize [s] (map #(cond (re-matches #"\d+(\.\d+)?" %) (parse-double %) :else (keyword %)) (re-seq #"\d+(?:\.\d+)?|[-+*/()]" s)))
(def prec {:+ 1 :- 1 :* 2 :/ 2})
(defn to-rpn [tokens]
  (loop [[t & more :as ts] tokens out [] ops ()]
    (cond
      (empty? ts) (into out ops)
      (number? t) (recur more (conj out t) ops)
      (= t (keyword "(")) (recur more out (conj ops t))
      (= t (keyword ")")) (let [[a b] (split-with #(not= % (keyword "(")) ops)] (recur more (into out a) (rest b)))
      :else (let [[a b] (split-with #(and (prec %) (>= (prec %) (prec t))) ops)] (recur more (into out a) (conj b t))))))
(defn calc [s]
  (first (reduce (fn [st t] (if (number? t) (conj st t)
                              (let [[b a & r] st] (conj r (({:+ + :- - :* * :/ /} t) a b)))))
                 () (to-rpn (tokenize s)))))
(map calc ["1 + 2 * 3" "(1 + 2) * 3" "10 / 4 - 1" "2 * (3 + 4) * 5"])
;=> (7.0 9.0 1.5 70.0)
;;;; parsing key=value configs
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
;=> {:default {:host "example.com", :port 8080}, :section-a {:debug true, :ratio 0.75, :list ["a" "b" "c"]}}
;;;; url query parsing and building
(defn parse-query [q] (into {} (map (fn [p] (let [[k v] (clojure.string/split p #"=" 2)] [(keyword k) (or v "")])) (clojure.string/split q #"&"))))
(defn build-query [m] (clojure.string/join "&" (for [[k v] (sort-by key m)] (str (name k) "=" (if (keyword? v) (name v) v)))))
(defn parse-url [u] (zipmap [:all :scheme :host :port :path :query] (re-matches #"(\w+)://([^:/]+)(?::(\d+))?(/[^?]*)?(?:\?(.*))?" u)))
[(parse-query "a=1&b=x=y&c") (build-query {:b 2 :a :k :c "s"}) (parse-url "http://ex.com:80/p/q?x=1") (dissoc (parse-url "https://ex.com") :all) (re-find #"(\d+)-(\d+)" "tel 555-1234") (re-seq #"(\w)(\d)" "a1b2")]
;=> [{:a "1", :b "x=y", :c ""} "a=k&b=2&c=s" {:all "http://ex.com:80/p/q?x=1", :scheme "http", :host "ex.com", :port "80", :path "/p/q", :query "x=1"} {:scheme "https", :host "ex.com", :port nil, :path nil, :query nil} ["555-1234" "555" "1234"] (["a1" "a" "1"] ["b2" "b" "2"])]
;;;; log levels
;; Analyze application logs
(ns log-analysis
  (:require [clojure.string :as str]))

(def raw-logs
  ["2024-03-01T10:00:01Z INFO  auth    user=alice action=login"
   "2024-03-01T10:00:05Z ERROR billing user=bob action=charge code=502"
   "2024-03-01T10:01:12Z WARN  auth    user=carol action=login retries=3"
   "2024-03-01T11:15:00Z ERROR billing user=alice action=refund code=500"
   "2024-03-01T11:20:30Z INFO  search  user=bob action=query"
   "malformed line"])

(def line-pattern #"^(\S+)\s+(INFO|WARN|ERROR)\s+(\w+)\s+(.*)$")

(defn parse-kvs [s]
  (->> (str/split s #"\s+")
       (map #(str/split % #"=" 2))
       (reduce (fn [m [k v]] (assoc m (keyword k) v)) {})))

(defn parse-line [line]
  (when-let [[_ ts level service kvs] (re-matches line-pattern line)]
    (merge {:ts ts :level (keyword (str/lower-case level)) :service service}
           (parse-kvs kvs))))

(let [parsed (keep parse-line raw-logs)
      by-level (group-by :level parsed)]
  {:total (count raw-logs)
   :parsed (count parsed)
   :malformed (- (count raw-logs) (count parsed))
   :counts (into (sorted-map) (map (fn [[k v]] [k (count v)])) by-level)
   :error-codes (mapv (comp parse-long :code) (:error by-level))
   :users (sort (distinct (map :user parsed)))
   :hours (into (sorted-map) (frequencies (map #(subs (:ts %) 11 13) parsed)))})
;=> {:total 6, :parsed 5, :malformed 1, :counts {:error 2, :info 2, :warn 1}, :error-codes [502 500], :users ("alice" "bob" "carol"), :hours {"10" 3, "11" 2}}
;;;; access log
(def lines
  ["10.0.0.1 - - [10/Oct/2023:13:55:36] \"GET /index.html HTTP/1.1\" 200 2326"
   "10.0.0.2 - - [10/Oct/2023:13:55:40] \"POST /api/login HTTP/1.1\" 401 128"
   "10.0.0.1 - - [10/Oct/2023:13:56:02] \"GET /api/items?id=4 HTTP/1.1\" 200 980"
   "10.0.0.3 - - [10/Oct/2023:13:57:11] \"GET /missing HTTP/1.1\" 404 0"
   "10.0.0.2 - - [10/Oct/2023:13:58:59] \"POST /api/login HTTP/1.1\" 200 512"])
(def re #"(\S+) - - \[([^\]]+)\] \"(\w+) (\S+) [^\"]*\" (\d{3}) (\d+)")
(def entries
  (for [l lines
        :let [[_ ip time method path status size] (re-find re l)]
        :when ip]
    {:ip ip :time time :method (keyword (.toLowerCase method)) :path path
     :status (Integer/parseInt status) :size (Long/parseLong size)}))
(defn status-class [s] (str (quot s 100) "xx"))
(let [total-bytes (reduce + (map :size entries))
      by-ip (reduce (fn [acc {:keys [ip size]}] (-> acc (update-in [ip :hits] (fnil inc 0)) (update-in [ip :bytes] (fnil + 0) size))) (sorted-map) entries)]
  (println "Total bytes:" total-bytes)
  (doseq [[ip {:keys [hits bytes]}] by-ip]
    (println (format "%-12s %3d %6d" ip hits bytes)))
  [(frequencies (map (comp status-class :status) entries))
   (map :path (filter #(>= (:status %) 400) entries))
   (distinct (map #(first (clojure.string/split (:path %) #"\?")) entries))])
;out> Total bytes: 3946
;out> 10.0.0.1       2   3306
;out> 10.0.0.2       2    640
;out> 10.0.0.3       1      0
;=> [{"2xx" 3, "4xx" 2} ("/api/login" "/missing") ("/index.html" "/api/login" "/api/items" "/missing")]
;;;; csv
(require '[clojure.string :as str])
(def csv "id,name,dept,salary\n1,Ann,eng,120000\n2,Bob,eng,95000\n3,Cid,ops,70000\n4,Dee,,65000\n")
(defn parse-csv [s]
  (let [[header & rows] (map #(str/split % #"," -1) (str/split-lines s))
        ks (map keyword header)]
    (mapv (partial zipmap ks) rows)))
(defn clean [row] (-> row (update :id parse-long) (update :salary parse-long) (update :dept #(when-not (str/blank? %) %))))
(def people (map clean (parse-csv csv)))
(defn avg [xs] (when (seq xs) (double (/ (reduce + xs) (count xs)))))
{:first (first people)
 :avg-by-dept (into {} (for [[d ps] (group-by :dept people)] [d (avg (map :salary ps))]))
 :top (:name (apply max-key :salary people))
 :header (str/join "|" (map name (keys (first people))))
 :rt (= csv (str (str/join "\n" (cons "id,name,dept,salary" (for [{:keys [id name dept salary]} people] (str/join "," [id name (or dept "") salary])))) "\n"))}
;=> {:first {:id 1, :name "Ann", :dept "eng", :salary 120000}, :avg-by-dept {"eng" 107500.0, "ops" 70000.0, nil 65000.0}, :top "Ann", :header "id|name|dept|salary", :rt true}
;;;; csv quoted
(defn parse-fields [line]
  (loop [[c & more :as cs] (seq line) field "" fields [] quoted? false]
    (cond
      (empty? cs) (conj fields field)
      (and quoted? (= c \") (= (first more) \")) (recur (rest more) (str field \") fields true)
      (= c \") (recur more field fields (not quoted?))
      (and (= c \,) (not quoted?)) (recur more "" (conj fields field) false)
      :else (recur more (str field c) fields quoted?))))
(map parse-fields ["a,b,c" "1,\"x, y\",3" "\"he said \"\"hi\"\"\",2," ""])
;=> (["a" "b" "c"] ["1" "x, y" "3"] ["he said \"hi\"" "2" ""] [""])
;;;; regex
[(re-find #"\d+" "abc123def45") (re-seq #"\d+" "a1b22c333") (re-find #"(\w+)@(\w+)\.com" "joe@site.com") (re-matches #"(\d{3})-(\d{4})" "555-1234") (re-matches #"\d+" "12a") (re-seq #"(\w)(\d)" "a1 b2 c3") (re-find #"(?i)HELLO" "say hello") (re-seq #"\b\w" "the quick brown") (re-find #"(a)|(b)" "b") (map second (re-seq #"<(\w+)>" "<a><bc>")) (clojure.string/replace "The Cat" #"(?<first>\w)(\w*)" "${first}.") (clojure.string/replace "snake_case_name" #"_(\w)" #(clojure.string/upper-case (second %))) (clojure.string/replace "camelCaseName" #"([A-Z])" (fn [[_ c]] (str "-" (.toLowerCase c)))) (re-seq #"[^,]+" "a,b,c") (count (re-seq #"(?m)^#" "# a\nb\n# c")) (re-find #"(?s)a.b" "a\nb") (re-pattern "a+") (re-find (re-pattern (str "x" "{2}")) "xxx")]
;=> ["123" ("1" "22" "333") ["joe@site.com" "joe" "site"] ["555-1234" "555" "1234"] nil (["a1" "a" "1"] ["b2" "b" "2"] ["c3" "c" "3"]) "hello" ("t" "q" "b") ["b" nil "b"] ("a" "bc") "T. C." "snakeCaseName" "camel-case-name" ("a" "b" "c") 2 "a\nb" #"a+" "xx"]
;;;; balanced
(def pairs {\) \( \] \[ \} \{})
(defn balanced? [s]
  (loop [[c & cs] s stack ()]
    (cond (nil? c) (empty? stack)
          (#{\( \[ \{} c) (recur cs (conj stack c))
          (contains? pairs c) (if (= (peek stack) (pairs c)) (recur cs (pop stack)) false)
          :else (recur cs stack))))
(mapv (juxt identity balanced?) ["()" "([]{})" "(]" "((" "" "a(b)c"])
;=> [["()" true] ["([]{})" true] ["(]" false] ["((" false] ["" true] ["a(b)c" true]]
;;;; rpn
(def ops {"+" + "-" - "*" * "/" /})
(defn rpn [s]
  (peek (reduce (fn [stack tok]
                  (if-let [f (ops tok)]
                    (let [b (peek stack) a (peek (pop stack))]
                      (conj (pop (pop stack)) (f a b)))
                    (conj stack (parse-long tok))))
                [] (clojure.string/split s #"\s+"))))
(map rpn ["3 4 + 2 *" "5 1 2 + 4 * + 3 -" "8 2 /" "7"])
;=> (14 14 4 7)
;;;; tokenizer
(defn tokenize [s] (re-seq #"\d+\.?\d*|[-+*/()]" s))
(defn parse-expr [tokens]
  (letfn [(factor [[t & ts]]
            (if (= t "(")
              (let [[v [_ & r]] (expr ts)] [v r])
              [(Double/parseDouble t) ts]))
          (term [ts]
            (loop [[l [op & r :as all]] (factor ts)]
              (if (#{"*" "/"} op)
                (let [[v rst] (factor r)] (recur [((if (= op "*") * /) l v) rst]))
                [l all])))
          (expr [ts]
            (loop [[l [op & r :as all]] (term ts)]
              (if (#{"+" "-"} op)
                (let [[v rst] (term r)] (recur [((if (= op "+") + -) l v) rst]))
                [l all])))]
    (first (expr tokens))))
(map (comp parse-expr tokenize) ["1 + 2 * 3" "(1+2)*3" "10/4-1" "2*(3+4)*5"])
;=> (7.0 9.0 1.5 70.0)
;;;; query string
(defn parse-query [q] (into {} (for [p (clojure.string/split q #"&") :let [[k v] (clojure.string/split p #"=")]] [(keyword k) (or v "")])))
(defn build-query [m] (clojure.string/join "&" (map (fn [[k v]] (str (name k) "=" v)) (sort m))))
[(parse-query "a=1&b=two&c=") (build-query {:z 1 :a "x"}) (update-vals (parse-query "x=1&y=2") parse-long) (let [[_ proto host port path] (re-matches #"(\w+)://([^:/]+)(?::(\d+))?(/.*)?" "http://ex.com/p?q")] [proto host port path])]
;=> [{:a "1", :b "two", :c ""} "a=x&z=1" {:x 1, :y 2} ["http" "ex.com" nil "/p?q"]]
;;;; parse ini
(def ini "[server]\nhost=a.b\nport=80\n\n; note\n[client]\nretries=3\n")
(defn parse-ini [s]
  (:data (reduce (fn [{:keys [section] :as acc} line]
            (condp re-matches line
              #"\s*(;.*)?" acc
              #"\[(.+)\]" :>> (fn [[_ n]] (assoc acc :section (keyword n)))
              #"(\w+)\s*=\s*(.*)" :>> (fn [[_ k v]] (assoc-in acc [:data section (keyword k)] v))
              (update acc :errors (fnil conj []) line)))
          {} (clojure.string/split-lines s))))
(parse-ini ini)
;=> {:server {:host "a.b", :port "80"}, :client {:retries "3"}}
;;;; semver
(defn parse-v [s] (mapv parse-long (clojure.string/split s #"\.")))
(defn bump [v part] (let [[a b c] (parse-v v)] (clojure.string/join "." (case part :major [(inc a) 0 0] :minor [a (inc b) 0] :patch [a b (inc c)]))))
[(sort-by parse-v ["1.10.0" "1.2.0" "1.2.10" "0.9.9"]) (map #(bump "1.2.3" %) [:major :minor :patch]) (compare (parse-v "1.0.0") (parse-v "1.0.1")) (last (sort-by parse-v ["2.0.0" "10.0.0"])) (max-key (comp first parse-v) "1.0.0" "3.0.0")]
;=> [("0.9.9" "1.2.0" "1.2.10" "1.10.0") ("2.0.0" "1.3.0" "1.2.4") -1 "10.0.0" "3.0.0"]
;;;; log bucket
(defn bucket [ms] (cond (< ms 100) :fast (< ms 500) :ok (< ms 1000) :slow :else :terrible))
(def lat [12 480 99 100 1500 700 730 3])
(let [g (group-by bucket lat) order [:fast :ok :slow :terrible]]
  (doseq [b order :let [xs (get g b)]] (println (format "%-9s %3d %s" (name b) (count xs) (apply str (repeat (count xs) \#)))))
  {:pcts (for [p [50 90 99]] (nth (sort lat) (min (dec (count lat)) (int (* (/ p 100.0) (count lat)))))) :counts (map (comp count g) order) :max (apply max lat)})
;out> fast        3 ###
;out> ok          2 ##
;out> slow        2 ##
;out> terrible    1 #
;=> {:pcts (480 1500 1500), :counts (3 2 2 1), :max 1500}
;;;; bracket depth profile
(let [s "(a(b)((c)))" ds (reductions (fn [d c] (case c \( (inc d) \) (dec d) d)) 0 s)] [(apply max ds) (last ds) (rest ds) (frequencies ds) (map-indexed (fn [i c] (if (= c \() i nil)) s)])
;=> [3 0 (1 1 2 2 1 2 3 3 2 1 0) {0 2, 1 4, 2 4, 3 2} (0 nil 2 nil nil 5 6 nil nil nil nil)]
;;;; evaluator
(declare evaluate)
(defn eval-args [env args] (map #(evaluate env %) args))
(defn evaluate [env expr]
  (cond (number? expr) expr
        (keyword? expr) (get env expr)
        (vector? expr) (let [[op & args] expr]
                         (case op
                           :let (let [[k v body] args] (evaluate (assoc env k (evaluate env v)) body))
                           :if (let [[t a b] args] (evaluate env (if (evaluate env t) a b)))
                           :fn (let [[ps body] args] (fn [& vs] (evaluate (merge env (zipmap ps vs)) body)))
                           :call (let [[f & xs] (eval-args env args)] (apply f xs))
                           (apply (get {:+ + :- - :* * :< < := =} op) (eval-args env args))))))
[(evaluate {} [:+ 1 [:* 2 3]]) (evaluate {:x 5} [:if [:< :x 10] [:+ :x 1] 0]) (evaluate {} [:let :sq [:fn [:n] [:* :n :n]] [:call :sq 7]])]
;=> [7 6 49]
;;;; eval named
(defn eval [[op a b :as e] env] (cond (number? e) e) )
:defined
;=> :defined
;;;; glob matching
(defn glob->re [g] (re-pattern (str "^" (clojure.string/replace (clojure.string/replace g "." "\\.") "*" ".*") "$")))
(for [g ["*.clj" "a*" "*"]] [g (filter #(re-matches (glob->re g) %) ["a.clj" "b.txt" "abc" "xclj"])])
;=> (["*.clj" ("a.clj")] ["a*" ("a.clj" "abc")] ["*" ("a.clj" "b.txt" "abc" "xclj")])
;;;; fixed width parse
(map (fn [l] {:id (parse-long (clojure.string/trim (subs l 0 4))) :name (clojure.string/trimr (subs l 4 12)) :amt (parse-double (clojure.string/trim (subs l 12)))}) ["0001Widget    12.50" "  42Gizmo      3.00"])
;=> ({:id 1, :name "Widget", :amt 12.5} {:id 42, :name "Gizmo", :amt 3.0})
;;;; compare versions comparator
(defn cmp [a b] (let [ps (fn [s] (map parse-long (re-seq #"\d+" s))) [x y] [(ps a) (ps b)] n (max (count x) (count y)) pad (fn [c] (vec (take n (concat c (repeat 0)))))] (compare (pad x) (pad y))))
[(sort cmp ["1.10" "1.2.1" "1.2" "2"]) (cmp "1.0" "1") (first (sort (comp - cmp) ["0.1" "0.10" "0.9"])) (sort (fn [a b] (pos? (cmp a b))) ["1" "3" "2"])]
;=> [("1.2" "1.2.1" "1.10" "2") 0 "0.10" ("3" "2" "1")]
;;;; tokenizer and parser of arithmetic
(defn tokenize [s]
  (map (fn [t] (if (re-matches #"\d+(\.\d+)?" t) (parse-double t) t))
       (re-seq #"\d+(?:\.\d+)?|[-+*/()]" s)))
(declare parse-expr)
(defn parse-factor [[t & more]]
  (cond
    (number? t) [t more]
    (= t "(") (let [[v [close & rest-tokens]] (parse-expr more)]
                (assert (= close ")") "missing )")
                [v rest-tokens])
    (= t "-") (let [[v r] (parse-factor more)] [(- v) r])
    :else (throw (ex-info "unexpected token" {:token t}))))
(defn parse-term [tokens]
  (loop [[v ts] (parse-factor tokens)]
    (case (first ts)
      "*" (let [[r ts2] (parse-factor (rest ts))] (recur [(* v r) ts2]))
      "/" (let [[r ts2] (parse-factor (rest ts))] (recur [(/ v r) ts2]))
      [v ts])))
(defn parse-expr [tokens]
  (loop [[v ts] (parse-term tokens)]
    (case (first ts)
      "+" (let [[r ts2] (parse-term (rest ts))] (recur [(+ v r) ts2]))
      "-" (let [[r ts2] (parse-term (rest ts))] (recur [(- v r) ts2]))
      [v ts])))
(for [s ["1 + 2 * 3" "(1 + 2) * 3" "10 / 4 - 1" "-(2 - 5) * 2" "2 * )"]]
  [s (try (first (parse-expr (tokenize s)))
          (catch clojure.lang.ExceptionInfo e [(ex-message e) (ex-data e)]))])
;=> (["1 + 2 * 3" 7.0] ["(1 + 2) * 3" 9.0] ["10 / 4 - 1" 1.5] ["-(2 - 5) * 2" 6.0] ["2 * )" ["unexpected token" {:token ")"}]])
;;;; parsing logs
(require '[clojure.string :as str])
(def log "2024-05-01T10:00:00 INFO  [api] GET /users 200 12ms
2024-05-01T10:00:01 ERROR [db] timeout after 5000ms
2024-05-01T10:00:02 INFO  [api] POST /users 201 48ms

garbage line
2024-05-01T10:01:00 WARN  [api] GET /slow 200 1200ms")
(def line-re #"(\S+)T(\S+)\s+(INFO|WARN|ERROR)\s+\[(\w+)\]\s+(.*)")
(defn parse-line [line]
  (when-let [[_ date time level component message] (re-matches line-re line)]
    (cond-> {:date date :time time :level (keyword (str/lower-case level)) :component component :message message}
      (re-find #"\d+ms" message) (assoc :ms (parse-long (second (re-find #"(\d+)ms" message)))))))
(let [entries (keep parse-line (str/split-lines log))]
  {:n (count entries)
   :by-level (frequencies (map :level entries))
   :slowest (apply max-key :ms entries)
   :api-mean (let [ms (->> entries (filter #(= "api" (:component %))) (map :ms))] (/ (apply + ms) (count ms)))
   :methods (->> entries (keep #(re-find #"^(GET|POST) (\S+)" (:message %))) (map rest) (group-by first))})
;=> {:n 4, :by-level {:info 2, :error 1, :warn 1}, :slowest {:date "2024-05-01", :time "10:00:01", :level :error, :component "db", :message "timeout after 5000ms", :ms 5000}, :api-mean 420, :methods {"GET" [("GET" "/users") ("GET" "/slow")], "POST" [("POST" "/users")]}}
;;;; csv with quotes
(defn parse-csv-line [line]
  (loop [[c & more] (seq line) field [] fields [] quoted? false]
    (cond
      (nil? c) (conj fields (apply str field))
      (and quoted? (= c \") (= \" (first more))) (recur (rest more) (conj field \") fields true)
      (= c \") (recur more field fields (not quoted?))
      (and (= c \,) (not quoted?)) (recur more [] (conj fields (apply str field)) false)
      :else (recur more (conj field c) fields quoted?))))
(let [lines ["id,name,note" "1,\"Smith, J\",\"said \"\"hi\"\"\"" "2,Lee," "3,,x"]
      [header & rows] (map parse-csv-line lines)]
  (map #(into {} (remove (comp empty? val)) (zipmap (map keyword header) %)) rows))
;=> ({:id "1", :name "Smith, J", :note "said \"hi\""} {:id "2", :name "Lee"} {:id "3", :note "x"})
;;;; settings from text
(require '[clojure.edn :as edn] '[clojure.string :as str])
(def text "port = 8080\nhosts = [\"a\" \"b\"]\n# comment\nlimits = {:cpu 2 :mem 0.5}\nbroken = [1 2\nname = \"x = y\"")
(defn read-value [s] (try (edn/read-string s) (catch Exception _ :unreadable)))
(let [settings (->> (str/split-lines text)
                    (remove #(str/starts-with? % "#"))
                    (map #(str/split % #"\s*=\s*" 2))
                    (map (fn [[k v]] [(keyword k) (read-value v)]))
                    (into {}))]
  [settings (get-in settings [:limits :mem]) (mapv count ((juxt :hosts :name) settings))])
;=> [{:port 8080, :hosts ["a" "b"], :limits {:cpu 2, :mem 0.5}, :broken :unreadable, :name "x = y"} 0.5 [2 5]]
;;;; ini file parser
(def text "[server]\nhost = example.org\nport = 8080\n\n; comment\n[client]\nretries=3\nverbose = true\nname = \"a b\"")
(defn parse-value [s]
  (cond
    (re-matches #"-?\d+" s) (parse-long s)
    (#{"true" "false"} s) (parse-boolean s)
    (re-matches #"\".*\"" s) (subs s 1 (dec (count s)))
    :else s))
(->> (str/split-lines text)
     (map str/trim)
     (remove #(or (str/blank? %) (str/starts-with? % ";")))
     (reduce (fn [{:keys [section] :as acc} line]
               (if-let [[_ name] (re-find #"^\[(.+)\]$" line)]
                 (assoc acc :section (keyword name))
                 (let [[k v] (map str/trim (str/split line #"=" 2))]
                   (assoc-in acc [:config section (keyword k)] (parse-value v)))))
             {:section nil :config {}})
     :config)
;=> {:server {:host "example.org", :port 8080}, :client {:retries 3, :verbose true, :name "a b"}}
;;;; csv to maps, types, totals, back to csv
(def csv "id,name,qty,price\n1,Nut,100,0.05\n2,\"Bolt, long\",20,0.5\n3,Gear,,12")
(defn split-csv [line] (map #(str/replace % #"^\"|\"$" "") (re-seq #"\"[^\"]*\"|[^,]+" line)))
(let [[header & rows] (str/split-lines csv)
      ks (map keyword (str/split header #","))]
  {:ks ks :n (count rows) :cells (map split-csv rows)
   :simple (map #(zipmap ks (str/split % #",")) (remove #(str/includes? % "\"") rows))
   :back (str/join "\n" (cons (str/join "," (map name ks)) (map #(str/join "," %) [[1 "a" nil 2.0]])))})
;=> {:ks (:id :name :qty :price), :n 3, :cells (("1" "Nut" "100" "0.05") ("2" "Bolt, long" "20" "0.5") ("3" "Gear" "12")), :simple ({:id "1", :name "Nut", :qty "100", :price "0.05"} {:id "3", :name "Gear", :qty "", :price "12"}), :back "id,name,qty,price\n1,a,,2.0"}
;;;; balanced brackets with positions
(def pairs {")" "(" "]" "[" "}" "{"})
(defn check [s]
  (let [opens (set (vals pairs))]
    (loop [[[i c] & more] (map-indexed vector (map str s)) stack []]
      (cond (nil? c) (if-let [[j o] (peek stack)] [:unclosed o j] :ok)
            (opens c) (recur more (conj stack [i c]))
            (pairs c) (if (= (pairs c) (second (peek stack))) (recur more (pop stack)) [:unexpected c i])
            :else (recur more stack)))))
(map check ["(a[b]{c})" "(a" "a)" "([)]" ""])
;=> (:ok [:unclosed "(" 0] [:unexpected ")" 1] [:unexpected ")" 2] :ok)
;;;; simple regex tokens to ast to value with let forms
(defn tokenize [s] (re-seq #"\d+|[a-z]+|[()=+*-]" s))
(defn parse [[t & ts]] (if (= t "(") (loop [ts ts items []] (if (= (first ts) ")") [items (rest ts)] (let [[item more] (parse ts)] (recur more (conj items item))))) [(or (parse-long t) (keyword t)) ts]))
(defn run [env x] (cond (number? x) x (keyword? x) (or (env x) (throw (ex-info (str "unbound " (name x)) {:name x}))) :else (let [[op a b c] x] (case op :let (run (assoc env a (run env b)) c) :if (run env (if (zero? (run env a)) c b)) (apply ({:+ + :* * :- -} op) (map (partial run env) (rest x)))))))
(for [s ["(+ 1 (* 2 3))" "(let x 5 (* x x))" "(if (- 1 1) 10 20)" "(+ y 1)"]] (try (run {} (first (parse (tokenize s)))) (catch clojure.lang.ExceptionInfo e [(ex-message e) (ex-data e)])))
;=> (7 25 20 ["unbound y" {:name :y}])
;;;; timesheet parse and overtime
(require '[clojure.string :as str])
(def raw "mon 09:00-17:30
tue 08:45-18:00
wed 10:00-15:15
thu 09:00-21:00
fri off")
(defn mins [hhmm] (let [[h m] (map #(Long/parseLong %) (str/split hhmm #":"))] (+ (* 60 h) m)))
(defn parse [line]
  (let [[_ day from to] (re-find #"^(\w{3}) (\d\d:\d\d)-(\d\d:\d\d)$" line)]
    (if day
      {:day (keyword day) :worked (- (mins to) (mins from))}
      {:day (keyword (first (str/split line #" "))) :worked 0})))
(defn hhmm [m] (format "%d:%02d" (quot m 60) (rem m 60)))
(let [days (map parse (str/split-lines raw))
      total (transduce (map :worked) + 0 days)
      overtime (transduce (map #(max 0 (- (:worked %) 480))) + 0 days)]
  {:days (map (juxt :day (comp hhmm :worked)) days)
   :total (hhmm total)
   :overtime (hhmm overtime)
   :off (->> days (filter (comp zero? :worked)) (mapv :day))})
;=> {:days ([:mon "8:30"] [:tue "9:15"] [:wed "5:15"] [:thu "12:00"] [:fri "0:00"]), :total "35:00", :overtime "5:45", :off [:fri]}
;;;; csv parse with quotes as state machine
(defn parse-line [line]
  (loop [[c & cs] (seq line) field "" fields [] quoted? false]
    (cond
      (nil? c) (conj fields field)
      (and quoted? (= c \") (= (first cs) \")) (recur (rest cs) (str field \") fields true)
      (= c \") (recur cs field fields (not quoted?))
      (and (= c \,) (not quoted?)) (recur cs "" (conj fields field) false)
      :else (recur cs (str field c) fields quoted?))))
(def text "id,name,note\n1,\"Smith, J\",\"said \"\"hi\"\"\"\n2,Lee,\n3,,x")
(let [[header & rows] (map parse-line (clojure.string/split-lines text))
      ks (map keyword header)]
  (mapv #(into {} (map vector ks %)) rows))
;=> [{:id "1", :name "Smith, J", :note "said \"hi\""} {:id "2", :name "Lee", :note ""} {:id "3", :name "", :note "x"}]
;;;; log parser with named severities
(def log "2024-05-01 10:00:01 [INFO] server: started on port 8080
2024-05-01 10:00:05 [WARN] db: slow query (1200ms)
2024-05-01 10:01:00 [ERROR] db: connection lost
garbage
2024-05-01 11:30:00 [ERROR] api: timeout after 3000ms")
(def pattern #"^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) \[([A-Z]+)\] (\w+): (.*)$")
(defn parse [s]
  (when-let [[_ y mo d h mi sec level src msg] (re-matches pattern s)]
    {:date (mapv parse-long [y mo d]) :secs (reduce (fn [a x] (+ (* 60 a) (parse-long x))) 0 [h mi sec])
     :level (-> level clojure.string/lower-case keyword) :src (keyword src) :msg msg
     :ms (some->> msg (re-find #"(\d+)ms") second Long/parseLong)}))
(let [entries (keep parse (clojure.string/split-lines log))]
  {:levels (frequencies (map :level entries))
   :gaps (map - (rest (map :secs entries)) (map :secs entries))
   :slow (sort > (keep :ms entries))
   :by-src (reduce (fn [m {:keys [src msg]}] (update m src (fnil conj []) msg)) {} entries)
   :first-error (->> entries (drop-while (comp not #{:error} :level)) first :msg)})
;=> {:levels {:info 1, :warn 1, :error 2}, :gaps (4 55 5340), :slow (3000 1200), :by-src {:server ["started on port 8080"], :db ["slow query (1200ms)" "connection lost"], :api ["timeout after 3000ms"]}, :first-error "connection lost"}
;;;; query string round trip
(defn encode [s] (clojure.string/replace s #"[^A-Za-z0-9]" #(format "%%%02X" (int (first %)))))
(defn decode [s] (clojure.string/replace s #"%([0-9A-F]{2})" (fn [[_ h]] (str (char (Integer/parseInt h 16))))))
(defn ->query [m] (clojure.string/join "&" (for [[k v] m] (str (name k) "=" (encode (str v))))))
(defn <-query [q] (into {} (for [p (clojure.string/split q #"&") :let [[k v] (clojure.string/split p #"=" 2)]] [(keyword k) (decode (or v ""))])))
(let [m {:name "A & B" :page 2 :q "50% off!"} q (->query m)]
  [q (<-query q) (<-query "a=1&b&c=x=y")])
;=> ["name=A%20%26%20B&page=2&q=50%25%20off%21" {:name "A & B", :page "2", :q "50% off!"} {:a "1", :b "", :c "x=y"}]
;;;; recursive descent calculator over token vectors
(defn tokens [s] (mapv (fn [t] (if (re-matches #"\d+" t) (Long/parseLong t) t)) (re-seq #"\d+|[-+*/()^]" s)))
(declare expr)
(defn atom* [[t & ts]]
  (cond (number? t) [t ts]
        (= "(" t) (let [[v [_ & ts]] (expr ts)] [v ts])
        (= "-" t) (let [[v ts] (atom* ts)] [(- v) ts])))
(defn power [ts] (let [[b [t & more :as ts]] (atom* ts)] (if (= "^" t) (let [[e ts] (power more)] [(long (Math/pow b e)) ts]) [b ts])))
(defn binary [sub ops] (fn [ts] (loop [[v [t & more :as ts]] (sub ts)] (if-let [f (ops t)] (let [[r ts] (sub more)] (recur [(f v r) ts])) [v ts]))))
(def term (binary power {"*" * "/" quot}))
(def expr (binary term {"+" + "-" -}))
(map (comp first expr tokens) ["1+2*3" "(1+2)*3" "2^3^2" "10-4-3" "-(2+3)*4/2"])
;=> (7 9 512 3 -10)
;;;; markdown to html, line based
(defn inline [s]
  (-> s
      (clojure.string/replace #"\*\*(.+?)\*\*" "<b>$1</b>")
      (clojure.string/replace #"_(.+?)_" "<i>$1</i>")
      (clojure.string/replace #"\[(.+?)\]\((.+?)\)" "<a href=\"$2\">$1</a>")))
(defn block [line]
  (condp re-matches line
    #"(#+)\s+(.*)" :>> (fn [[_ h t]] (let [n (count h)] (format "<h%d>%s</h%d>" n (inline t) n)))
    #"- (.*)" :>> (fn [[_ t]] (str "<li>" (inline t) "</li>"))
    #"\s*" nil
    (str "<p>" (inline line) "</p>")))
(->> "# Title\n\nSome **bold** and _soft_ text\n- one\n- [two](http://x.y)\n## End"
     clojure.string/split-lines
     (keep block)
     (clojure.string/join "\n")
     println)
;out> <h1>Title</h1>
;out> <p>Some <b>bold</b> and <i>soft</i> text</p>
;out> <li>one</li>
;out> <li><a href="http://x.y">two</a></li>
;out> <h2>End</h2>
;=> nil
;;;; ini parser with reduce state
(def ini "; comment\n[server]\nhost = localhost\nport=8080\n\n[paths]\nroot=/var/www\nempty=\n")
(defn parse-value [v] (cond (re-matches #"-?\d+" v) (parse-long v) (= v "") nil :else v))
(:data
 (reduce (fn [{:keys [section] :as st} line]
           (let [line (clojure.string/trim line)]
             (cond
               (or (clojure.string/blank? line) (clojure.string/starts-with? line ";")) st
               (and (clojure.string/starts-with? line "[") (clojure.string/ends-with? line "]"))
               (assoc st :section (keyword (subs line 1 (dec (count line)))))
               :else (let [[k v] (map clojure.string/trim (clojure.string/split line #"=" 2))]
                       (assoc-in st [:data section (keyword k)] (parse-value v))))))
         {:section nil :data {}}
         (clojure.string/split-lines ini)))
;=> {:server {:host "localhost", :port 8080}, :paths {:root "/var/www", :empty nil}}
;;;; run length with partition-by and regex
(defn rle [s] (->> s (partition-by identity) (map (juxt first count)) (mapcat (fn [[c n]] (if (= 1 n) [c] [n c]))) (apply str)))
(defn unrle [s] (->> (re-seq #"(\d*)(\D)" s) (map (fn [[_ n c]] (apply str (repeat (if (empty? n) 1 (Integer/parseInt n)) c)))) (apply str)))
(let [s "WWWWBBBWWBA"] {:enc (rle s) :dec (unrle (rle s)) :ok (= s (unrle (rle s))) :ratio (format "%.2f" (/ (count (rle s)) (double (count s)))) :pairs (map (juxt first count) (partition-by identity s))})
;=> {:enc "4W3B2WBA", :dec "WWWWBBBWWBA", :ok true, :ratio "0.73", :pairs (["W" 4] ["B" 3] ["W" 2] ["B" 1] ["A" 1])}
;;;; version comparison
(defn parse-version [v] (let [[_ nums pre] (re-matches #"v?([\d.]+)(?:-(.+))?" v)] [(mapv parse-long (clojure.string/split nums #"\.")) pre]))
(defn pad-to [n v] (vec (take n (concat v (repeat 0)))))
(defn compare-versions [a b]
  (let [[na pa] (parse-version a) [nb pb] (parse-version b) n (max (count na) (count nb))
        c (compare (pad-to n na) (pad-to n nb))]
    (cond (not (zero? c)) c (= pa pb) 0 (nil? pa) 1 (nil? pb) -1 :else (compare pa pb))))
(let [vs ["1.10.0" "v1.2" "1.2.0-beta" "1.2.0" "1.10.0-rc1" "0.9"]] [(sort compare-versions vs) (compare-versions "1.2" "1.2.0") (last (sort-by identity compare-versions vs))])
;=> [("0.9" "1.2.0-beta" "v1.2" "1.2.0" "1.10.0-rc1" "1.10.0") 0 "1.10.0"]
;;;; http request parser
(def req "POST /api/items?id=7&sort=asc HTTP/1.1\r\nHost: example.com\r\nContent-Length: 13\r\nX-Multi: a, b\r\n\r\n{\"a\":\"hello\"}")
(let [[head body] (clojure.string/split req #"\r\n\r\n" 2)
      [request-line & header-lines] (clojure.string/split head #"\r\n")
      [method uri version] (clojure.string/split request-line #" ")
      [path query] (clojure.string/split uri #"\?")
      headers (into {} (map (fn [h] (let [[k v] (clojure.string/split h #":\s*" 2)] [(keyword (clojure.string/lower-case k)) v]))) header-lines)]
  {:method (keyword (.toLowerCase method)) :path (vec (rest (clojure.string/split path #"/")))
   :query (->> (clojure.string/split query #"&") (map #(clojure.string/split % #"=")) (into {}))
   :headers (update headers :content-length parse-long) :version (last (clojure.string/split version #"/"))
   :length-ok (= (count body) (Integer/parseInt (:content-length headers)))})
;=> {:method :post, :path ["api" "items"], :query {"id" "7", "sort" "asc"}, :headers {:host "example.com", :content-length 13, :x-multi "a, b"}, :version "1.1", :length-ok true}
;;;; json parser by hand
(declare parse-value)
(defn skip [s i] (if (and (< i (count s)) (Character/isWhitespace (.charAt s i))) (recur s (inc i)) i))
(defn parse-string [s i]
  (loop [j (inc i) out []]
    (let [c (str (.charAt s j))]
      (cond (= c "\"") [(apply str out) (inc j)]
            (= c "\\") (recur (+ j 2) (conj out (get {"n" "\n" "t" "\t"} (str (.charAt s (inc j))) (str (.charAt s (inc j))))))
            :else (recur (inc j) (conj out c))))))
(defn parse-seq [s i close item]
  (loop [i (skip s i) out []]
    (if (= close (str (.charAt s i)))
      [out (inc i)]
      (let [[v i] (item s i) i (skip s i)]
        (recur (if (= "," (str (.charAt s i))) (skip s (inc i)) i) (conj out v))))))
(defn parse-pair [s i] (let [[k i] (parse-string s i) i (skip s i) [v i] (parse-value s (inc i))] [[(keyword k) v] i]))
(defn parse-value [s i]
  (let [i (skip s i) c (str (.charAt s i))]
    (case c
      "{" (let [[ps i] (parse-seq s (inc i) "}" parse-pair)] [(into {} ps) i])
      "[" (parse-seq s (inc i) "]" parse-value)
      "\"" (parse-string s i)
      "t" [true (+ i 4)]
      "f" [false (+ i 5)]
      "n" [nil (+ i 4)]
      (let [t (re-find #"^-?\d+(?:\.\d+)?" (subs s i))]
        [(if (str/includes? t ".") (Double/parseDouble t) (Long/parseLong t)) (+ i (count t))]))))
(first (parse-value "{\"a\": [1, -2.5, true, null], \"b\" : {\"c\": \"x\\\"y\\n\"}, \"e\": [] }" 0))
;=> {:a [1 -2.5 true nil], :b {:c "x\"y\n"}, :e []}
;;;; s-expression reader to nested vectors
(defn tokenize [s] (re-seq #"[()]|\"[^\"]*\"|[^\s()]+" s))
(defn read-form [[t & ts]]
  (cond
    (= t "(") (loop [ts ts acc []]
                (if (= ")" (first ts)) [acc (rest ts)]
                  (let [[f ts] (read-form ts)] (recur ts (conj acc f)))))
    (re-matches #"-?\d+" t) [(parse-long t) ts]
    (str/starts-with? t "\"") [(subs t 1 (dec (count t))) ts]
    :else [(keyword t) ts]))
(defn evaluate [env form]
  (cond
    (keyword? form) (or (env form) (throw (ex-info (str "Unbound: " (name form)) {:symbol form})))
    (vector? form)
    (let [[op & args] form]
      (case op
        :let (let [[[k v] body] args] (evaluate (assoc env k (evaluate env v)) body))
        :if (let [[t a b] args] (if (evaluate env t) (evaluate env a) (evaluate env b)))
        :lambda (let [[params body] args] (fn [& vs] (evaluate (merge env (zipmap params vs)) body)))
        (apply (evaluate env op) (map (partial evaluate env) args))))
    :else form))
(def env {:+ + :* * :- - :< < :str str})
(for [src ["(+ 1 (* 2 3))" "(let (x 5) (if (< x 3) \"small\" (str \"big\" x)))" "((lambda (a b) (- a b)) 10 4)" "(foo 1)"]]
  (try (evaluate env (first (read-form (tokenize src)))) (catch Exception e (ex-data e))))
;=> (7 "big5" 6 {:symbol :foo})
;;;; simple regex matcher, recursive
(declare match-here)
(defn match-star [c re s] (some #(match-here re %) (reductions (fn [s _] (rest s)) s (take-while #(or (= c \.) (= c %)) s))))
(defn match-here [[c op & more :as re] s]
  (cond
    (empty? re) true
    (= op \*) (match-star c more s)
    (and (= c \$) (nil? op)) (empty? s)
    (and (seq s) (or (= c \.) (= c (first s)))) (recur (rest re) (rest s))
    :else false))
(defn match? [re s] (boolean (if (= \^ (first re)) (match-here (rest re) (seq s)) (some #(match-here (seq re) %) (take (inc (count s)) (iterate rest (seq s)))))))
(for [[re s] [["^ab*c$" "abbbc"] ["^ab*c$" "abx"] ["b.d" "abcde"] ["x*" ""] ["^a" "ba"] ["c$" "abc"]]] [re s (match? re s)])
;=> (["^ab*c$" "abbbc" true] ["^ab*c$" "abx" false] ["b.d" "abcde" true] ["x*" "" true] ["^a" "ba" false] ["c$" "abc" true])
;;;; tf-idf with logs of quotients
(def docs [["a" "b" "a"] ["b" "c"] ["a" "d" "d" "e"]])
(defn tf [t d] (/ (count (filter #{t} d)) (count d)))
(defn idf [t] (Math/log (/ (count docs) (count (filter #(some #{t} %) docs)))))
(defn tfidf [t d] (* (tf t d) (idf t)))
(for [d docs] (into (sorted-map) (for [t (distinct d)] [t (format "%.4f" (tfidf t d))])))
;=> ({"a" "0.2703", "b" "0.1352"} {"b" "0.2027", "c" "0.5493"} {"a" "0.1014", "d" "0.5493", "e" "0.2747"})
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
;=> [[[:word :x1] [:punct "="] [:num 3.14] [:punct "+"] [:word :y] [:punct "*"] [:punct "("] [:num 42] [:punct ")"]] [[:word :say] [:string "hi there"] [:word :now]] [[:error "open"]] []]
;;;;
(require '[clojure.string :as str])
(def text "the quick brown fox jumps over the lazy dog the end")
(->> (str/split text #"\s+")
     frequencies
     (sort-by (juxt (comp - val) key))
     (take 3))
;=> (["the" 3] ["brown" 1] ["dog" 1])
;;;;
(defn parse-line [line]
  (let [[_ k v] (re-matches #"(\w+)=(\d+)" line)]
    (when k [(keyword k) (parse-long v)])))
(into {} (keep parse-line ["a=1" "b=22" "bad" "c=x"]))
;=> {:a 1, :b 22}
;;;;
(let [s "Hello, World! 123"]
  {:up (clojure.string/upper-case s) :letters (apply str (filter #(Character/isLetter %) s)) :digits (re-seq #"\d" s) :vowels (count (filter #{\a \e \i \o \u} s))})
;=> {:up "HELLO, WORLD! 123", :letters "HelloWorld", :digits ("1" "2" "3"), :vowels 3}
;;;;
(let [log ["2024-01-01 ERROR db down" "2024-01-01 INFO ok" "2024-01-02 ERROR net" "2024-01-02 WARN slow"]]
  (->> log
       (map #(clojure.string/split % #" " 3))
       (map #(zipmap [:date :level :msg] %))
       (group-by (juxt :date :level))
       (map (fn [[[d l] rows]] {:date d :level l :n (count rows) :msgs (mapv :msg rows)}))
       (sort-by (juxt :date :level))))
;=> ({:date "2024-01-01", :level "ERROR", :n 1, :msgs ["db down"]} {:date "2024-01-01", :level "INFO", :n 1, :msgs ["ok"]} {:date "2024-01-02", :level "ERROR", :n 1, :msgs ["net"]} {:date "2024-01-02", :level "WARN", :n 1, :msgs ["slow"]})
;;;;
(let [csv "id,name,score\n1,Ann,90\n2,Bob,85\n3,Cy,\n"
      lines (clojure.string/split-lines csv)
      header (map keyword (clojure.string/split (first lines) #","))]
  (mapv (fn [l] (zipmap header (clojure.string/split l #","))) (rest lines)))
;=> [{:id "1", :name "Ann", :score "90"} {:id "2", :name "Bob", :score "85"} {:id "3", :name "Cy"}]
;;;;
(let [s "a-b_c d"] [(clojure.string/replace s #"[-_ ]" "") (clojure.string/replace s "-" "+") (clojure.string/split s #"[-_ ]") (clojure.string/capitalize "hELLO") (clojure.string/trim "  x ") (clojure.string/blank? " ")])
;=> ["abcd" "a+b_c d" ["a" "b" "c" "d"] "Hello" "x" true]
;;;;
(map (fn [s] (Integer/parseInt s)) (re-seq #"\d+" "a1b22c333"))
;=> (1 22 333)
;;;;
(let [lines ["GET /a 200 12ms" "POST /b 500 100ms" "GET /a 200 8ms"]
      parsed (for [l lines :let [[_ m p s t] (re-find #"^(\w+) (\S+) (\d{3}) (\d+)ms$" l)]] {:method m :path p :status (Integer/parseInt s) :ms (Long/parseLong t)})]
  (->> parsed (group-by :path) (map (fn [[p rs]] [p {:n (count rs) :avg (/ (reduce + (map :ms rs)) (count rs)) :errors (count (filter #(>= (:status %) 500) rs))}])) (into (sorted-map))))
;=> {"/a" {:n 2, :avg 10, :errors 0}, "/b" {:n 1, :avg 100, :errors 1}}
;;;;
[(re-find #"\d+" "ab12cd34") (re-seq #"[a-z]+" "ab12cd") (re-matches #"\d+" "12x") (re-find #"(\d)(\w)" "a1b") (re-seq #"(\w)=(\d)" "a=1,b=2") (re-pattern "x+")]
;=> ["12" ("ab" "cd") nil ["1b" "1" "b"] (["a=1" "a" "1"] ["b=2" "b" "2"]) #"x+"]
;;;;
[(clojure.string/split "a,b,,c,," #",") (clojure.string/split "a b" #" " 2) (clojure.string/split-lines "a\nb\r\nc") (clojure.string/split "" #",") (clojure.string/split "abc" #"")]
;=> [["a" "b" "" "c"] ["a" "b"] ["a" "b" "c"] [""] ["a" "b" "c"]]
;;;;
(-> "  Hello World  " clojure.string/trim clojure.string/lower-case (clojure.string/split #" ") first keyword)
;=> :hello
;;;;
(require '[clojure.string :refer [join split]])
(clojure.string/join "," (clojure.string/split "a b" #" "))
;=> "a,b"
;;;;
(let [s "The rain in Spain"] {:words (clojure.string/split s #"\s+") :caps (re-seq #"[A-Z]\w*" s) :rev (clojure.string/join " " (reverse (clojure.string/split s #" "))) :acronym (apply str (map first (clojure.string/split s #" "))) :title (clojure.string/join " " (map clojure.string/capitalize (clojure.string/split s #" ")))})
;=> {:words ["The" "rain" "in" "Spain"], :caps ("The" "Spain"), :rev "Spain in rain The", :acronym "TriS", :title "The Rain In Spain"}
;;;;
(let [email? #(boolean (re-matches #"[\w.+-]+@[\w-]+\.[a-z]{2,}" %))] (map email? ["a@b.co" "bad" "x.y+z@q-r.org"]))
;=> (true false true)
;;;;
(let [kv (re-seq #"(\w+)=(\w+)" "a=1;b=2;c=x")] (into {} (map (fn [[_ k v]] [(keyword k) v]) kv)))
;=> {:a "1", :b "2", :c "x"}
;;;;
(defn tokenize [s] (map (fn [t] (if (re-matches #"-?\d+" t) (parse-long t) (keyword t))) (re-seq #"-?\d+|[a-z]+|[-+*/]" s)))
(tokenize "12 foo + 3")
;=> (12 :foo :+ 3)
;;;;
(defn wrap [s n] (loop [[w & ws] (clojure.string/split s #" ") line "" out []] (cond (nil? w) (conj out line) (empty? line) (recur ws w out) (<= (+ (count line) 1 (count w)) n) (recur ws (str line " " w) out) :else (recur ws w (conj out line)))))
(wrap "the quick brown fox jumps over" 10)
;=> ["the quick" "brown fox" "jumps over"]
;;;;
(defn parse-duration [s]
  (->> (re-seq #"(\d+)\s*([hms])" s)
       (map (fn [[_ n u]] (* (parse-long n) ({"h" 3600 "m" 60 "s" 1} u))))
       (reduce + 0)))
(defn fmt-duration [n]
  (let [[h m s] [(quot n 3600) (quot (rem n 3600) 60) (rem n 60)]]
    (->> [[h "h"] [m "m"] [s "s"]] (drop-while (comp zero? first)) (map (fn [[x u]] (str x u))) (clojure.string/join " "))))
(map (juxt parse-duration (comp fmt-duration parse-duration)) ["1h 30m" "45s" "2h5s" "" "90m"])
;=> ([5400 "1h 30m 0s"] [45 "45s"] [7205 "2h 0m 5s"] [0 ""] [5400 "1h 30m 0s"])
;;;;
(def text "# Title\n\nSome *bold* text and `code`.\n\n- item 1\n- item 2\n\n## Sub\nMore.")
(defn classify [line] (condp re-matches line #"^(#+)\s+(.*)" :>> (fn [[_ h t]] [:heading (count h) t]) #"^-\s+(.*)" :>> (fn [[_ t]] [:item t]) #"" [:blank] [:para line]))
(let [lines (map classify (clojure.string/split-lines text))]
  {:toc (for [[k n t] lines :when (= k :heading)] (str (apply str (repeat (* 2 (dec n)) " ")) "- " t))
   :counts (frequencies (map first lines))
   :blocks (->> lines (partition-by first) (remove #(= :blank (ffirst %))) (map (juxt ffirst count)))
   :html (clojure.string/replace "Some *bold* and `code`" #"\*(.+?)\*|`(.+?)`" (fn [[_ b c]] (if b (str "<b>" b "</b>") (str "<code>" c "</code>"))))})
;=> {:toc ("- Title" "  - Sub"), :counts {:heading 2, :blank 3, :para 2, :item 2}, :blocks ([:heading 1] [:para 1] [:item 2] [:heading 1] [:para 1]), :html "Some <b>bold</b> and <code>code</code>"}
;;;;
(defn ->money [cents] (let [s (format "%03d" (Math/abs cents)) [d c] (split-at (- (count s) 2) s)] (str (when (neg? cents) "-") "$" (apply str d) "." (apply str c))))
(defn split-bill [total n] (let [base (quot total n) extra (rem total n)] (map #(if (< % extra) (inc base) base) (range n))))
[(map ->money [0 5 99 100 123456 -250]) (split-bill 1000 3) (map ->money (split-bill 1001 4)) (reduce + (split-bill 1001 4))]
;=> [("$0.00" "$0.05" "$0.99" "$1.00" "$1234.56" "-$2.50") (334 333 333) ("$2.51" "$2.50" "$2.50" "$2.50") 1001]
;;;;
(let [s "The Quick brown fox"
      words (clojure.string/split s #" ")]
  [(map count words) (clojure.string/join "_" (map clojure.string/lower-case words)) (apply str (map first words)) (filter #(re-find #"^[A-Z]" %) words) (re-seq #"[aeiou]" s) (count (re-seq #"\b\w" s)) (clojure.string/replace s #"(\w+) (\w+)" "$2 $1") (clojure.string/replace s #"\w+" clojure.string/reverse) (re-find #"q\w+" s) (re-find #"(?i)q\w+" s) (re-matches #".*fox" s) (re-matches #"fox" s) (subs s (inc (.indexOf s " "))) (.toUpperCase s) (.contains s "fox") (.startsWith s "The") (.lastIndexOf s "o") (map str (seq "abc")) (sort-by count words) (group-by count words) (reduce str (reverse s)) (clojure.string/index-of s "fox") (apply str (remove #{\o} s)) (apply str (filter #(Character/isUpperCase %) s)) (map int "AZ") (char 65) (str \a \b) (= "a" (str \a)) (first "abc") (vec "ab") (frequencies (clojure.string/lower-case "Aab")) (.charAt "abc" 1) (compare "apple" "banana") (distinct (clojure.string/lower-case s)) (every? string? words) (zipmap words (map count words)) (interleave words (range)) (clojure.string/split "a1b22c" #"\d+") (clojure.string/split "k: v" #":\s*") (re-seq #"(\w)(\w)" "abcd") (.replace "a.b" "." "-")])
;=> [(3 5 5 3) "the_quick_brown_fox" "TQbf" ("The" "Quick") ("e" "u" "i" "o" "o") 4 "Quick The fox brown" "ehT kciuQ nworb xof" nil "Quick" "The Quick brown fox" nil "Quick brown fox" "THE QUICK BROWN FOX" true true 17 ("a" "b" "c") ("The" "fox" "Quick" "brown") {3 ["The" "fox"], 5 ["Quick" "brown"]} "xof nworb kciuQ ehT" 16 "The Quick brwn fx" "TQ" (65 90) "A" "ab" true "a" ["a" "b"] {"a" 2, "b" 1} "b" -1 ("t" "h" "e" " " "q" "u" "i" "c" "k" "b" "r" "o" "w" "n" "f" "x") true {"The" 3, "Quick" 5, "brown" 5, "fox" 3} ("The" 0 "Quick" 1 "brown" 2 "fox" 3) ["a" "b" "c"] ["k" "v"] (["ab" "a" "b"] ["cd" "c" "d"]) "a-b"]
;;;;
(require '[clojure.string :as str] '[clojure.set :as set])
(def emails ["Ann <ann@x.com>" "bob@y.org" "bad" "C. D. <cd@x.com>"])
(let [parse (fn [s] (or (some->> s (re-matches #"(.+?)\s*<(.+)>") rest (zipmap [:name :email])) (when (str/includes? s "@") {:email s})))
      parsed (map parse emails)
      domains (->> parsed (keep :email) (map #(second (str/split % #"@"))) frequencies)]
  [parsed domains (set/difference (set (keys domains)) #{"x.com"}) (map #(-> % :email (str/split #"[@.]")) (remove nil? parsed)) (sort-by (juxt (comp nil? :name) :name) (remove nil? parsed)) (str/join "; " (for [{:keys [name email]} parsed :when email] (str (when name (str name " ")) "<" email ">")))])
;=> [({:name "Ann", :email "ann@x.com"} {:email "bob@y.org"} nil {:name "C. D.", :email "cd@x.com"}) {"x.com" 2, "y.org" 1} #{"y.org"} (["ann" "x" "com"] ["bob" "y" "org"] ["cd" "x" "com"]) ({:name "Ann", :email "ann@x.com"} {:name "C. D.", :email "cd@x.com"} {:email "bob@y.org"}) "Ann <ann@x.com>; <bob@y.org>; C. D. <cd@x.com>"]
;;;;
(let [ts [3661 59 86400 0] pad #(if (< % 10) (str "0" %) (str %))
      hms (fn [t] (str/join ":" (map pad [(quot t 3600) (mod (quot t 60) 60) (mod t 60)])))
      leap? (fn [y] (or (zero? (mod y 400)) (and (zero? (mod y 4)) (pos? (mod y 100)))))
      dim (fn [y m] (case m 2 (if (leap? y) 29 28) (4 6 9 11) 30 31))
      day-num (fn [y m d] (+ d (reduce + (map #(dim y %) (range 1 m)))))
      zeller (fn [y m d] (let [[y m] (if (< m 3) [(dec y) (+ m 12)] [y m]) k (mod y 100) j (quot y 100)] (mod (+ d (quot (* 13 (inc m)) 5) k (quot k 4) (quot j 4) (* 5 j)) 7)))]
  [(map hms ts) (filter leap? [1900 2000 2023 2024]) (map #(dim 2024 %) (range 1 13)) (day-num 2024 3 1) (["Sat" "Sun" "Mon" "Tue" "Wed" "Thu" "Fri"] (zeller 2024 1 15)) (format "%04d-%02d-%02d" 2024 1 5) (map parse-long (re-seq #"\d+" "2024-01-05T10:20"))])
;=> [("01:01:01" "00:00:59" "24:00:00" "00:00:00") (2000 2024) (31 29 31 30 31 30 31 31 30 31 30 31) 61 "Mon" "2024-01-05" (2024 1 5 10 20)]
;;;;
(let [xs (range 20)]
  [(->> xs (partition 5) (map (partial reduce +))) (reduce (fn [[e o] x] (if (even? x) [(conj e x) o] [e (conj o x)])) [[] []] xs) ((juxt filter remove) even? xs) (group-by #(mod % 3) xs) (split-with #(< % 7) xs) (take-last 3 xs) (drop-last 17 xs) (nth xs 4) (last xs) (apply + xs) (reduce - xs) (map (fn [a b] (* a b)) xs (drop 15 xs)) (mapcat (fn [x] (repeat x x)) (range 4)) (reductions * (range 1 6)) (interleave (range 3) "abc") (zipmap "ab" xs) (distinct (map #(mod % 4) xs)) (sort-by #(mod % 5) (take 10 xs)) (some #{15} xs) (not-any? neg? xs) (take-nth 6 xs) (butlast (take 4 xs)) (partition-by #(quot % 8) xs) (filterv odd? (take 5 xs)) (into #{} (take 3 xs)) (dedupe (map #(quot % 7) xs)) (rest (take 2 xs)) (count (filter even? xs)) (max-key #(mod % 7) 3 13 20) (keep #(when (> % 17) (str %)) xs) (second xs) (vec (take 2 xs)) (list* 1 2 (take 2 xs)) (cons -1 (take 2 xs)) (concat (take 2 xs) [:x]) (flatten [1 (take 2 xs) [[2]]]) (empty? (drop 20 xs)) (seq (drop 20 xs)) (range 5 0 -2) (range 0 1 0.25) (range 3 3)])
;=> [(10 35 60 85) [[0 2 4 6 8 10 12 14 16 18] [1 3 5 7 9 11 13 15 17 19]] [(0 2 4 6 8 10 12 14 16 18) (1 3 5 7 9 11 13 15 17 19)] {0 [0 3 6 9 12 15 18], 1 [1 4 7 10 13 16 19], 2 [2 5 8 11 14 17]} [(0 1 2 3 4 5 6) (7 8 9 10 11 12 13 14 15 16 17 18 19)] (17 18 19) (0 1 2) 4 19 190 -190 (0 16 34 54 76) (1 2 2 3 3 3) (1 2 6 24 120) (0 "a" 1 "b" 2 "c") {"a" 0, "b" 1} (0 1 2 3) (0 5 1 6 2 7 3 8 4 9) 15 true (0 6 12 18) (0 1 2) ((0 1 2 3 4 5 6 7) (8 9 10 11 12 13 14 15) (16 17 18 19)) [1 3] #{0 1 2} (0 1 2) (1) 10 20 ("18" "19") 1 [0 1] (1 2 0 1) (-1 0 1) (0 1 :x) (1 0 1 2) true nil (5 3 1) (0 0.25 0.5 0.75) ()]
