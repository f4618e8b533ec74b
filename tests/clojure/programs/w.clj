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
;;;; template engine with functions
(defn render [tpl ctx]
  (clojure.string/replace tpl #"\{\{\s*([\w.]+)(?:\|(\w+))?\s*\}\}"
    (fn [[_ path filt]]
      (let [v (get-in ctx (map keyword (clojure.string/split path #"\.")) "")
            f (case filt "upper" clojure.string/upper-case "trim" clojure.string/trim "count" (comp str count) nil identity str)]
        (str (f v))))))
(def ctx {:user {:name "ada" :tags ["x" "y"]} :total 9.5 :note "  hi "})
[(render "Hello {{user.name|upper}}, you owe {{ total }}." ctx)
 (render "{{user.tags|count}} tags; [{{note|trim}}] {{missing}} {{user.tags}}" ctx)
 (render "no holes" ctx)]
;;;; query string round trip
(defn encode [s] (clojure.string/replace s #"[^A-Za-z0-9]" #(format "%%%02X" (int (first %)))))
(defn decode [s] (clojure.string/replace s #"%([0-9A-F]{2})" (fn [[_ h]] (str (char (Integer/parseInt h 16))))))
(defn ->query [m] (clojure.string/join "&" (for [[k v] m] (str (name k) "=" (encode (str v))))))
(defn <-query [q] (into {} (for [p (clojure.string/split q #"&") :let [[k v] (clojure.string/split p #"=" 2)]] [(keyword k) (decode (or v ""))])))
(let [m {:name "A & B" :page 2 :q "50% off!"} q (->query m)]
  [q (<-query q) (<-query "a=1&b&c=x=y")])
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
;;;; roman numerals with reductions and iterate
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn to-roman [n]
  (apply str (second (reduce (fn [[n out] [v s]] [(rem n v) (into out (repeat (quot n v) s))]) [n []] numerals))))
(def values {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000})
(defn from-roman [s]
  (->> (map values s)
       (partition-all 2 1)
       (reduce (fn [acc [a b]] (if (and b (< a b)) (- acc a) (+ acc a))) 0)))
(let [ns [1 4 9 14 40 90 400 1994 2024 3999] rs (map to-roman ns)]
  [(zipmap ns rs) (= ns (map from-roman rs)) (max-key count "MMXXIV" "XII" "LXXXVIII")])
;;;; caesar and rot13 and vigenere
(defn shift-char [n c]
  (cond
    (Character/isUpperCase c) (char (+ 65 (mod (+ n (- (int c) 65)) 26)))
    (Character/isLowerCase c) (char (+ 97 (mod (+ n (- (int c) 97)) 26)))
    :else c))
(defn caesar [n s] (apply str (map (partial shift-char n) s)))
(defn vigenere [k s] (apply str (map shift-char (cycle (map #(- (int %) (int \a)) k)) s)))
(let [msg "Hello, World!" e (caesar 3 msg)]
  [e (caesar -3 e) (caesar 13 (caesar 13 msg)) (vigenere "key" "attackatdawn")
   (apply max-key val (frequencies (filter #(Character/isLetter %) msg)))])
;;;; run length with partition-by and regex
(defn rle [s] (->> s (partition-by identity) (map (juxt first count)) (mapcat (fn [[c n]] (if (= 1 n) [c] [n c]))) (apply str)))
(defn unrle [s] (->> (re-seq #"(\d*)(\D)" s) (map (fn [[_ n c]] (apply str (repeat (if (empty? n) 1 (Integer/parseInt n)) c)))) (apply str)))
(let [s "WWWWBBBWWBA"] {:enc (rle s) :dec (unrle (rle s)) :ok (= s (unrle (rle s))) :ratio (format "%.2f" (/ (count (rle s)) (double (count s)))) :pairs (map (juxt first count) (partition-by identity s))})
;;;; word frequencies, stop words, bigrams
(def text "The quick brown fox. The lazy dog! A quick dog, a brown dog?")
(def stop? #{"the" "a"})
(let [words (->> text clojure.string/lower-case (re-seq #"[a-z']+"))
      content (remove stop? words)]
  {:top (take 3 (sort-by (juxt (comp - val) key) (frequencies content)))
   :bigrams (->> words (partition 2 1) (map vec) frequencies (filter #(> (val %) 1)) (into {}))
   :longest (reduce (fn [a b] (if (>= (count a) (count b)) a b)) words)
   :avg-len (format "%.3f" (/ (reduce + (map count words)) (float (count words))))
   :by-len (into (sorted-map) (map (fn [[k v]] [k (sort (set v))])) (group-by count words))
   :sentences (map clojure.string/trim (re-seq #"[^.!?]+[.!?]" text))
   :capitalized (->> (clojure.string/split text #"\s+") (filter #(re-find #"^[A-Z]" %)) (mapv #(clojure.string/replace % #"\W" "")))})
;;;; padded table with column widths
(def rows [{:name "Widget" :qty 5 :price 3.5} {:name "Gadget (large)" :qty 12 :price 100.25} {:name "X" :qty 0 :price 0.1}])
(defn cell [v] (if (float? v) (format "%.2f" v) (str v)))
(defn pad [right? w s] (let [fill (apply str (repeat (- w (count s)) " "))] (if right? (str fill s) (str s fill))))
(let [cols [:name :qty :price]
      widths (into {} (for [c cols] [c (apply max (map count (cons (name c) (map (comp cell c) rows))))]))
      line (fn [f] (clojure.string/join " | " (map f cols)))
      rule (clojure.string/join "-+-" (map #(apply str (repeat (widths %) "-")) cols))]
  (println (line #(pad false (widths %) (name %))))
  (println rule)
  (doseq [r rows] (println (line #(pad (number? (r %)) (widths %) (cell (r %))))))
  widths)
;;;; anagram groups and palindromes
(def words ["listen" "silent" "enlist" "level" "noon" "google" "elgoog" "Racecar"])
(defn canon [w] (apply str (sort (clojure.string/lower-case w))))
(defn palindrome? [w] (let [w (.toLowerCase w)] (= w (apply str (reverse w)))))
{:groups (->> words (group-by canon) vals (filter next) (map sort) (sort-by first))
 :palindromes (filter palindrome? words)
 :canon (map canon ["hello" "Bob"])
 :pairs (for [[a & more] (take-while seq (iterate rest words)) b more :when (= (canon a) (canon b))] [a b])}
;;;; camel and kebab without look-ahead
(require '[clojure.string :refer [join split capitalize lower-case]])
(defn parts [s] (map lower-case (re-seq #"[A-Z]+[a-z0-9]*|[a-z0-9]+" s)))
(defn camel [s] (let [[w & ws] (parts s)] (apply str w (map capitalize ws))))
(map (juxt #(join "-" (parts %)) #(join "_" (parts %)) camel #(join " " (map capitalize (parts %)))) ["fooBarBaz" "some_snake_case" "HTTP server" "a-b-c2" ""])
;;;; string compression of ranges
(defn ranges [xs]
  (->> (sort (distinct xs))
       (map-indexed (fn [i x] [(- x i) x]))
       (partition-by first)
       (map (fn [g] (let [ns (map second g)] (if (= 1 (count ns)) (str (first ns)) (str (first ns) "-" (last ns))))))
       (clojure.string/join ",")))
(defn expand [s]
  (mapcat (fn [p] (let [[a b] (map #(Integer/parseInt %) (clojure.string/split p #"-"))] (range a (inc (or b a))))) (clojure.string/split s #",")))
[(ranges [7 1 2 3 9 10 5 3]) (expand "1-3,5,7,9-10") (ranges []) (= (expand (ranges (range 20))) (range 20))]
;;;; luhn and isbn checks
(defn luhn? [s]
  (let [ds (->> s (filter #(Character/isDigit %)) (map #(- (int %) (int \0))) reverse)
        doubled (map-indexed (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d)) ds)]
    (zero? (mod (apply + doubled) 10))))
(defn isbn10? [s]
  (and (re-matches #"\d-?\d{3}-?\d{5}-?[\dX]" s)
       (->> (clojure.string/replace s "-" "")
            (map #(if (= \X %) 10 (Character/getNumericValue %)))
            (map * (range 10 0 -1))
            (reduce +)
            (#(zero? (mod % 11))))))
[(map luhn? ["4539 3195 0343 6467" "8273 1232 7352 0569" "059"]) (map (comp boolean isbn10?) ["3-598-21508-8" "3-598-21508-9" "3-598-21507-X" "bad"])]
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
;;;; base conversion both ways
(def alphabet "0123456789abcdefghijklmnopqrstuvwxyz")
(defn to-base [n b]
  (if (zero? n) "0"
    (loop [n n s ""] (if (zero? n) s (recur (quot n b) (str (nth alphabet (rem n b)) s))))))
(defn from-base [s b] (reduce (fn [acc c] (+ (* acc b) (.indexOf alphabet (str c)))) 0 s))
[(map #(to-base 255 %) [2 8 16 36]) (map #(from-base (to-base 123456 %) %) [2 7 16 36]) (Integer/toBinaryString 10) (Long/toHexString 48879) (Integer/parseInt "ff" 16) (Long/parseLong "-1010" 2) (Integer/toString 255 16) (format "%x %o %08d" 255 8 42)]
;;;; pig latin and capitalisation
(defn pig [w]
  (let [[_ cons* tail] (re-matches #"(?i)([^aeiou]*)(.*)" w)
        out (if (= "" cons*) (str w "way") (str tail (.toLowerCase cons*) "ay"))]
    (if (Character/isUpperCase (first w)) (clojure.string/capitalize out) out)))
(->> "Hello eager World rhythm" (re-seq #"\w+") (map pig) (clojure.string/join " "))
;;;; text wrap with reduce
(defn wrap [width text]
  (let [{:keys [lines line]}
        (reduce (fn [{:keys [line] :as st} w]
                  (cond (= "" line) (assoc st :line w)
                        (<= (+ 1 (count line) (count w)) width) (update st :line str " " w)
                        :else (-> st (update :lines conj line) (assoc :line w))))
                {:lines [] :line ""}
                (clojure.string/split text #"\s+"))]
    (conj lines line)))
(let [t "the quick brown fox jumps over the lazy dog and runs away" ls (wrap 15 t)]
  (doseq [l ls] (println (str "|" (format "%-15s" l) "|")))
  [(map count ls) (= (clojure.string/split t #" ") (mapcat #(clojure.string/split % #" ") ls))])
;;;; version comparison
(defn parse-version [v] (let [[_ nums pre] (re-matches #"v?([\d.]+)(?:-(.+))?" v)] [(mapv parse-long (clojure.string/split nums #"\.")) pre]))
(defn pad-to [n v] (vec (take n (concat v (repeat 0)))))
(defn compare-versions [a b]
  (let [[na pa] (parse-version a) [nb pb] (parse-version b) n (max (count na) (count nb))
        c (compare (pad-to n na) (pad-to n nb))]
    (cond (not (zero? c)) c (= pa pb) 0 (nil? pa) 1 (nil? pb) -1 :else (compare pa pb))))
(let [vs ["1.10.0" "v1.2" "1.2.0-beta" "1.2.0" "1.10.0-rc1" "0.9"]] [(sort compare-versions vs) (compare-versions "1.2" "1.2.0") (last (sort-by identity compare-versions vs))])
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
;;;; json-like pretty printer with indentation
(defn indent [n] (apply str (repeat (* 2 n) " ")))
(defn ->json
  ([x] (->json x 0))
  ([x lvl]
   (cond
     (nil? x) "null"
     (string? x) (pr-str x)
     (keyword? x) (pr-str (name x))
     (map? x) (if (empty? x) "{}"
                (str "{\n"
                     (str/join ",\n" (for [[k v] (sort-by (comp name key) x)]
                                       (str (indent (inc lvl)) (pr-str (name k)) ": " (->json v (inc lvl)))))
                     "\n" (indent lvl) "}"))
     (sequential? x) (str "[" (str/join ", " (map #(->json % lvl) x)) "]")
     :else (str x))))
(println (->json {:name "X" :tags [:a "b" 3] :nested {:ok true :none nil :empty {}} :price 1.50}))
(count (->json [1 [2 [3]]]))
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
;;;; unix pipeline over text
(def lines ["alice 30 eng" "bob 25 ops" "carol 35 eng" "dave 25 eng" "# comment" ""])
(defn grep [re xs] (filter (partial re-find re) xs))
(defn cut [n xs] (map #(nth (str/split % #" ") n nil) xs))
(defn uniq-c [xs] (->> xs (partition-by identity) (map (juxt count first))))
(def data (remove #(or (str/blank? %) (.startsWith % "#")) lines))
[(->> data (grep #"eng$") (cut 0)) (->> data (cut 1) sort uniq-c (sort-by first >) first) (->> data (cut 2) distinct count)
 (->> data (map #(zipmap [:name :age :dept] (str/split % #"\s+"))) (map #(update % :age parse-long)) (sort-by (juxt :dept (comp - :age))) (mapv :name))]
;;;; soundex and phonetic grouping
(def codes (into {} (for [[letters d] [["BFPV" 1] ["CGJKQSXZ" 2] ["DT" 3] ["L" 4] ["MN" 5] ["R" 6]] c letters] [c d])))
(defn soundex [w]
  (let [[h & t :as up] (str/upper-case w)
        ds (->> up (remove #{\H \W}) (map codes) (partition-by identity) (map first))
        ds (if (= (first ds) (codes h)) (rest ds) ds)]
    (apply str h (take 3 (concat (remove nil? ds) (repeat 0))))))
(group-by soundex ["Robert" "Rupert" "Rubin" "Ashcraft" "Tymczak" "Pfister" "Honeyman"])
;;;; morse and nato
(def morse (zipmap "ABCDEFGHIJKLMNOPQRSTUVWXYZ" (str/split ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.." #" ")))
(def unmorse (set/map-invert morse))
(defn encode [s] (->> (str/split (str/upper-case s) #" ") (map #(str/join " " (map morse %))) (str/join " / ")))
(defn decode [m] (->> (str/split m #" / ") (map (fn [w] (apply str (map unmorse (str/split w #" "))))) (str/join " ")))
(let [m (encode "sos help me")] [m (decode m) (count morse) (sort (filter #(= 1 (count (morse %))) (keys morse)))])
;;;; hex dump
(defn hex-line [offset bs] (format "%08x  %-23s  |%s|" offset (str/join " " (map #(format "%02x" (int %)) bs)) (apply str (map #(if (<= 32 (int %) 126) % ".") bs))))
(doseq [[i chunk] (map-indexed vector (partition-all 8 "Hello,\tWorld!\n"))] (println (hex-line (* 8 i) chunk)))
(reduce (fn [h c] (mod (+ (* 31 h) (int c)) 1000000007)) 7 "Hello")
;;;; checksum algorithms
(defn adler32 [s] (let [[a b] (reduce (fn [[a b] c] (let [a (mod (+ a (int c)) 65521)] [a (mod (+ b a) 65521)])) [1 0] s)] (bit-or (bit-shift-left b 16) a)))
(defn fletcher [s] (reduce (fn [[a b] c] (let [a (rem (+ a (int c)) 255)] [a (rem (+ b a) 255)])) [0 0] s))
(defn crc8 [s] (reduce (fn [crc c] (nth (iterate (fn [x] (if (bit-test x 7) (bit-and 0xff (bit-xor 0x07 (bit-shift-left x 1))) (bit-and 0xff (bit-shift-left x 1)))) (bit-xor crc (int c))) 8)) 0 s))
(defn java-hash [s] (reduce (fn [h c] (unchecked-int (+ (* 31 h) (int c)))) 0 s))
[(Long/toHexString (adler32 "Wikipedia")) (fletcher "abcde") (crc8 "123456789") (java-hash "hello world") (.hashCode "hello world") (hash "a")]
;;;; email and phone validation
(def checks
  [[:email #"[\w.+-]+@[\w-]+(\.[\w-]+)+" "must look like an address"]
   [:phone #"\+?\d[\d -]{6,}" "must be digits"]
   [:zip #"\d{5}(-\d{4})?" "must be ##### or #####-####"]])
(defn errors [m] (for [[k re msg] checks :let [v (get m k)] :when (not (and v (re-matches re v)))] [k (if v msg "is missing")]))
(map (comp (partial into {}) errors) [{:email "a.b+c@x.co.uk" :phone "+1 555-1234" :zip "12345-6789"} {:email "nope@" :phone "12" :zip "1234"} {}])
;;;; slugs, truncation, initials
(defn slug [s] (-> s str/trim str/lower-case (str/replace #"[^\w\s-]" "") (str/replace #"[\s_-]+" "-") (str/replace #"^-+|-+$" "")))
(defn truncate [n s] (if (> (count s) n) (str (str/trimr (subs s 0 (- n 3))) "...") s))
(defn initials [s] (->> (str/split s #"[\s-]+") (map first) (str/join ".") str/upper-case (#(str % "."))))
(defn title [s] (str/replace s #"\b[a-z]" str/upper-case))
[(slug "  Hello, World! -- it's me_ ") (truncate 10 "A long sentence here") (truncate 50 "short") (initials "mary-jane van doe") (title "the old man") (str/replace "2024-05-06" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1") (str/replace "a.b.c" "." "/") (str/replace "price: $5" #"\$(\d)" "€$1")]
;;;; plural, ordinals, number words
(defn ordinal [n] (str n (cond (<= 11 (mod n 100) 13) "th" :else (case (int (mod n 10)) 1 "st" 2 "nd" 3 "rd" "th"))))
(defn plural ([n s] (plural n s (str s "s"))) ([n s p] (str n " " (if (= 1 n) s p))))
(def ones (str/split "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen" #" "))
(def tens ["" "" "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])
(defn words [n]
  (cond (neg? n) (str "minus " (words (- n)))
        (< n 20) (ones n)
        (< n 100) (str (tens (quot n 10)) (when (pos? (rem n 10)) (str "-" (ones (rem n 10)))))
        (< n 1000) (str (ones (quot n 100)) " hundred" (when-not (zero? (rem n 100)) (str " and " (words (rem n 100)))))
        :else (let [[v w] (first (filter (fn [[v _]] (>= n v)) [[1000000 "million"] [1000 "thousand"]]))] (str (words (quot n v)) " " w (when (pos? (rem n v)) (str " " (words (rem n v))))))))
[(map ordinal [1 2 3 4 11 12 21 102 113]) (plural 1 "item") (plural 3 "box" "boxes") (map words [0 13 42 100 115 2024 1000001 -7])]
;;;; acronym, isogram, pangram, hamming
(defn acronym [s] (->> (re-seq #"[A-Z]+[a-z']*|[a-z']+" s) (map (comp str/upper-case first)) str/join))
(defn isogram? [s] (let [ls (filter #(Character/isLetter %) (str/lower-case s))] (or (empty? ls) (apply distinct? ls))))
(defn pangram? [s] (= 26 (count (set (filter #(<= (int \a) (int %) (int \z)) (str/lower-case s))))))
(defn hamming [a b] (when (= (count a) (count b)) (count (filter false? (map = a b)))))
[(acronym "Portable Network Graphics") (acronym "First In, First Out") (map isogram? ["lumberjack" "six-year-old" "eleven"]) (pangram? "The quick brown fox jumps over the lazy dog") (hamming "GAGCCT" "CATCGT") (hamming "A" "AB")]
;;;; interleaving zipped columns from text blocks
(def block "a|1|x\nbb|22|yy\nccc|333|zzz")
(let [rows (map #(str/split % #"\|") (str/split-lines block)) cols (apply map list rows) widths (map #(apply max (map count %)) cols)]
  (doseq [r rows] (println (str/join " " (map (fn [w c] (str c (str/join (repeat (- w (count c)) \space)))) widths r))))
  {:cols cols :widths widths :rev (map (comp str/join reverse) (second cols)) :sum (transduce (map parse-long) + (second cols))})
;;;; string interop without arrays
(let [s "the cat sat on the mat"]
  [(.indexOf s "cat") (str/index-of s "the" 1) (str/last-index-of s "at") (str/index-of s "dog") (.substring s 4 7) (str (.charAt s 0)) (.replace s "at" "og") (.contains s "sat") (vec (.split s " ")) (.length s) (.toUpperCase (subs s 0 3)) (String/valueOf 5) (.trim "  x ") (.startsWith s "the") (.lastIndexOf s "the") (.concat "a" "b") (.isEmpty "") (.equals "a" "a") (.compareTo "a" "c") (String/join "-" ["a" "b"]) (.repeat "ab" 3) (.equalsIgnoreCase "A" "a") (String/format "%s=%d" (to-array ["a" 1]))])
;;;; ascii art: diamond, pyramid, box, bar chart
(defn diamond [n] (let [row #(str (apply str (repeat (- n % 1) " ")) (apply str (repeat (inc (* 2 %)) "*")))] (map row (concat (range n) (range (- n 2) -1 -1)))))
(defn box [s] (let [bar (str "+" (apply str (repeat (+ 2 (count s)) "-")) "+")] [bar (str "| " s " |") bar]))
(defn bars [m] (let [mx (apply max (vals m))] (for [[k v] m] (format "%-5s|%-10s| %d" (name k) (apply str (repeat (Math/round (* 10.0 (/ v mx))) "=")) v))))
(run! println (concat (diamond 3) (box "hi") (bars (array-map :mon 3 :tue 10 :wed 7))))
;;;; text diff by line with LCS
(defn lcs [a b] (if (or (empty? a) (empty? b)) [] (if (= (first a) (first b)) (cons (first a) (lcs (rest a) (rest b))) (let [x (lcs (rest a) b) y (lcs a (rest b))] (if (>= (count x) (count y)) x y)))))
(defn diff [a b]
  (loop [a a b b c (lcs a b) out []]
    (cond
      (and (seq c) (= (first a) (first c)) (= (first b) (first c))) (recur (rest a) (rest b) (rest c) (conj out (str "  " (first c))))
      (and (seq a) (not= (first a) (first c))) (recur (rest a) b c (conj out (str "- " (first a))))
      (seq b) (recur a (rest b) c (conj out (str "+ " (first b))))
      :else out)))
(diff ["a" "b" "c" "d"] ["a" "x" "c" "d" "e"])
