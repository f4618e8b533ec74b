;;;; string processing
(require '[clojure.string :as s])
(defn slugify [t]
  (-> t s/lower-case (s/replace #"[^a-z0-9]+" "-") (s/replace #"^-|-$" "")))
(defn title-case [t] (s/join " " (map s/capitalize (s/split t #"\s+"))))
(defn camel->kebab [t] (s/lower-case (s/replace t #"([a-z])([A-Z])" "$1-$2")))
(defn kebab->camel [t]
  (let [[h & r] (s/split t #"-")] (apply str h (map s/capitalize r))))
(defn abbreviate [n t] (if (> (count t) n) (str (subs t 0 (- n 3)) "...") t))
[(slugify "  Hello, World! It's 2024 ") (title-case "the QUICK brown fox")
 (camel->kebab "someLongName") (kebab->camel "some-long-name")
 (abbreviate 10 "a fairly long text") (abbreviate 10 "short")
 (s/replace "2024-01-15" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1")
 (s/replace "a1b22" #"\d+" #(str "<" (* 2 (parse-long %)) ">"))
 (s/replace "k=v;x=y" #"(\w)=(\w)" (fn [[_ k v]] (str v "=" k)))
 (map s/trim (s/split " a , b ,, c " #","))
 (s/split "a.b.c" #"\." 2)]
;=> ["hello-world-it-s-2024" "The Quick Brown Fox" "some-long-name" "someLongName" "a fairl..." "short" "15/01/2024" "a<2>b<44>" "v=k;y=x" ("a" "b" "" "c") ["a" "b.c"]]
;;;; word counting with ties
(def text "It was the best of times, it was the worst of times; it was the age of wisdom...")
(->> (re-seq #"[a-z]+" (clojure.string/lower-case text))
     frequencies
     (sort-by (fn [[w n]] [(- n) w]))
     (take 5)
     (map (fn [[w n]] (str w ":" n)))
     (clojure.string/join ", "))
;=> "it:3, of:3, the:3, was:3, times:2"
;;;; caesar and rle
(defn shift-char [n c]
  (let [code (int c)]
    (cond
      (<= 97 code 122) (char (+ 97 (mod (+ n (- code 97)) 26)))
      (<= 65 code 90) (char (+ 65 (mod (+ n (- code 65)) 26)))
      :else c)))
(defn caesar [n s] (apply str (map (partial shift-char n) s)))
(defn rle [s] (->> s (partition-by identity) (map (fn [g] (str (count g) (first g)))) (apply str)))
(defn unrle [s] (apply str (mapcat (fn [[_ n c]] (repeat (parse-long n) c)) (re-seq #"(\d+)(\D)" s))))
[(caesar 3 "Hello, xyz!") (caesar -3 (caesar 3 "Round Trip")) (rle "aaabccd") (unrle "3a1b2c1d")
 (= "wwwb" (unrle (rle "wwwb")))]
;=> ["Khoor, abc!" "Round Trip" "3a1b2c1d" "aaabccd" true]
;;;; printing tables
(def data [["Name" "Qty" "Price"] ["Apple" 3 1.5] ["Banana" 12 0.25]])
(let [widths (apply map (fn [& cells] (apply max (map (comp count str) cells))) data)]
  (doseq [row data]
    (println (clojure.string/join " | " (map (fn [w c] (format (str "%-" w "s") (str c))) widths row))))
  (println (apply str (repeat 20 "-")))
  (doseq [[n q p] (rest data)] (printf "%-8s%5d%8.2f%n" n q p))
  (println (reduce + (map #(* (% 1) (% 2)) (rest data)))))
;out> Name   | Qty | Price
;out> Apple  | 3   | 1.5
;out> Banana | 12  | 0.25
;out> --------------------
;out> Apple       3    1.50
;out> Banana     12    0.25
;out> 7.5
;=> nil
;;;; println of everything
(println nil true 1 1.0 -0.5 1e10 1.0E-5 "s" \c :k 'sym [1 "a" \b nil] '(1 2) {:a "x" "b" :y} #{1})
(prn nil true 1 1.0 "s\n\"q\"" \c \space \newline :k [1 "a" \b nil] {:a "x"})
(println (str [1 "a" \b :c nil] {:a "b"} nil :x \y 1.50))
(print "no newline") (print " more") (println)
(pr "x" [\a "b"]) (newline)
(println (pr-str {:a [1 2.0 "three"]}) (str "a" nil "b") (str) (str nil))
(println (map inc [1 2]) (filter odd? [1 2]) (range 3) (vec (range 3)) (seq {:a 1}))
(println 100000000 12345678901 1234567.0 12345678.0 0.001 0.0001 123456789.123 1e21 1e-7 (/ 1.0 3))
(println "tab\there" ["nested \"q\" \\"] (first {:a 1}) (keys {:a 1}) (vals {:a 1}))
;!> invalid_form
;clojure> nil
;deviation> no macros, mutable state, symbols
;;;; dates as strings
(def entries [{:d "2024-01-31" :v 1} {:d "2024-02-01" :v 2} {:d "2023-12-31" :v 3} {:d "2024-01-02" :v 4}])
(defn ym [d] (subs d 0 7))
(let [parse (fn [d] (mapv parse-long (clojure.string/split d #"-")))
      sorted (sort-by :d entries)]
  {:by-month (into (sorted-map) (update-vals (group-by (comp ym :d) entries) #(reduce + (map :v %))))
   :latest (last sorted)
   :parsed (map (comp parse :d) sorted)
   :compare (map (fn [[a b]] (compare (:d a) (:d b))) (partition 2 1 entries))
   :years (distinct (map #(first (parse (:d %))) entries))
   :desc (map :d (sort-by :d #(compare %2 %1) entries))
   :quarter (map #(let [[y m] (parse (:d %))] (str y "-Q" (inc (quot (dec m) 3)))) sorted)})
;=> {:by-month {"2023-12" 3, "2024-01" 5, "2024-02" 2}, :latest {:d "2024-02-01", :v 2}, :parsed ([2023 12 31] [2024 1 2] [2024 1 31] [2024 2 1]), :compare (-1 1 -1), :years (2024 2023), :desc ("2024-02-01" "2024-01-31" "2024-01-02" "2023-12-31"), :quarter ("2023-Q4" "2024-Q1" "2024-Q1" "2024-Q1")}
;;;; json-like printing
(defn to-json [x]
  (cond (nil? x) "null"
        (string? x) (str \" (clojure.string/escape x {\" "\\\"" \\ "\\\\" \newline "\\n"}) \")
        (keyword? x) (to-json (name x))
        (map? x) (str "{" (clojure.string/join "," (for [[k v] x] (str (to-json k) ":" (to-json v)))) "}")
        (coll? x) (str "[" (clojure.string/join "," (map to-json x)) "]")
        :else (str x)))
(println (to-json {:a 1 "b" [true nil 2.5 "q\"uote\n"] :c {:d '(1 2)}}))
(to-json [{:x #{1}} [] {}])
;out> {"a":1,"b":[true,null,2.5,"q\"uote\n"],"c":{"d":[1,2]}}
;=> "[{\"x\":[1]},[],{}]"
;;;; text wrap and justify
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
;out> |The quick brown fox |
;out> |jumps over the lazy |
;out> |dog and runs away   |
;=> ["   abc   " (8 10 6)]
;;;; string builder style
(let [sb (reduce (fn [acc [i w]] (str acc (when (pos? i) ", ") (inc i) ". " w)) "" (map-indexed vector ["one" "two"]))
      box (fn [s] (let [l (apply str (repeat (+ 2 (count s)) "-"))] (str "+" l "+\n| " s " |\n+" l "+")))]
  (println (box "hi"))
  (println (clojure.string/join "\n" (map #(apply str (repeat % "*")) (range 1 4))))
  (println (apply str (interleave "abc" (repeat "-"))))
  [sb (clojure.string/replace "Hello" #"[aeiou]" {"e" "3" "o" "0"}) (clojure.string/replace "a.b.c" "." "") (clojure.string/replace-first "aaa" "a" "b") (clojure.string/index-of "hello" "l") (clojure.string/last-index-of "hello" "l") (clojure.string/index-of "hello" "z") (subs "hello" 1 3) (clojure.string/trim "  x ") (clojure.string/triml "  x ") (clojure.string/trimr " x  ") (clojure.string/trim-newline "x\n\n") (clojure.string/upper-case "aé") (clojure.string/capitalize "hELLO") (clojure.string/reverse "abc") (clojure.string/blank? " \t") (clojure.string/starts-with? "abc" "ab") (clojure.string/ends-with? "abc" "bc") (clojure.string/includes? "abc" "") (clojure.string/escape "a&b" {\& "&amp;"}) (clojure.string/split "a1b2" #"\d") (clojure.string/split "" #",") (clojure.string/split "a,b,,," #",") (clojure.string/split "a,b,,," #"," -1) (clojure.string/split-lines "a\r\nb\n\nc\n") (clojure.string/join [1 2 3]) (clojure.string/join "-" []) (clojure.string/join "," [nil 1 "a" :b])])
;out> +----+
;out> | hi |
;out> +----+
;out> *
;out> **
;out> ***
;out> a-b-c-
;=> ["1. one, 2. two" "H3ll0" "abc" "baa" 2 3 nil "el" "x" "x " " x" "x" "AÉ" "Hello" "cba" true true true true "a&amp;b" ["a" "b"] [""] ["a" "b"] ["a" "b" "" "" ""] ["a" "b" "" "c"] "123" "" ",1,a,:b"]
;;;; edge printing
(println {:a nil, :b [nil], "k" \c} [] {} #{} () "" [""] [nil] '(nil))
(prn {:a "x\ty" :b #"re\d" :c 'quoted})
(println (list) (vector) (hash-map) (set nil) (seq []) (vec nil))
(println 1.0 -1.0 0.0 1e6 1e7 123456.789 1.0E-4 (float 0.1) (/ 1 3.0) 1e15 100000000000000000000.0)
(println "multi" "args" :and 'syms [:a "b" \c])
(pr-str "a\\b\"c\n\t\r" \a \newline \space [\tab] :k/w 1.50 -0.0 [1, 2,, 3])
;!> invalid_form
;clojure> "\"a\\\\b\\\"c\\n\\t\\r\" \\a \\newline \\space [\\tab] :k/w 1.5 -0.0 [1 2 3]"
;deviation> no macros, mutable state, symbols
;;;; edge printing again
(println {:a nil, :b [nil], "k" "c"} [] {} #{} () "" [""] [nil] '(nil))
(prn {:a "x\ty" :b #"re\d"} [:x/y ##Inf ##NaN] {[1 2] {3 4}} #{:one})
(println (list) (vector) (hash-map) (set nil) (seq []) (vec nil) (str nil) (pr-str nil) (str true false) (str [nil "a" :b 1.0 [2]]))
(println 1.0 -1.0 0.0 1e6 1e7 123456.789 1.0E-4 (/ 1 3.0) 1e15 100000000000000000000.0 1.1e-10 4.9E-324)
(prn "é" "☃" "tab\t" "nul" "bs\\" "q\"" "\u0041")
(println (str "a" 1 :b [1 "x"] {:k "v"} nil 2.5 true) (str (list 1 "a")) (str #{"x"}) (str '(nil)) (str (map inc [1])))
(print-str "a" [1 "b"] nil)
;out> {:a nil, :b [nil], k c} [] {} #{} ()  [] [nil] (nil)
;out> {:a "x\ty", :b #"re\d"} [:x/y ##Inf ##NaN] {[1 2] {3 4}} #{:one}
;out> () [] {} #{} nil []  nil truefalse [nil "a" :b 1.0 [2]]
;out> 1.0 -1.0 0.0 1000000.0 1.0E7 123456.789 1.0E-4 0.3333333333333333 1.0E15 1.0E20 1.1E-10 4.9E-324
;out> "é" "☃" "tab\t" "nul" "bs\\" "q\"" "A"
;out> a1:b[1 "x"]{:k "v"}2.5true (1 "a") #{"x"} (nil) (2)
;=> "a [1 b] nil"
;clojure> "a [1 b] nil"
;deviation> flexible keys
;;;; template
(require '[clojure.string :as string])
(defn render [template ctx]
  (string/replace template #"\{\{\s*([\w.]+)\s*\}\}"
                  (fn [[_ path]]
                    (str (get-in ctx (map keyword (string/split path #"\.")) "")))))
(render "Dear {{user.name}}, you have {{ count }} new {{thing}}{{missing}}. {{user.stats.score}}%"
        {:user {:name "Zed" :stats {:score 97.5}} :count 3 :thing "messages"})
;=> "Dear Zed, you have 3 new messages. 97.5%"
;;;; roman
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn to-roman [n]
  (loop [n n, acc "", [[v s] & more :as all] numerals]
    (cond (zero? n) acc
          (>= n v) (recur (- n v) (str acc s) all)
          :else (recur n acc more))))
(defn from-roman [s]
  (let [vals (map {\I 1 \V 5 \X 10 \L 50 \C 100 \D 500 \M 1000} s)]
    (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vals (concat (rest vals) [nil])))))
(let [ns [1 4 9 14 40 90 400 1994 2024 3999]]
  [(mapv to-roman ns) (= ns (map (comp from-roman to-roman) ns))])
;=> [["I" "IV" "IX" "XIV" "XL" "XC" "CD" "MCMXCIV" "MMXXIV" "MMMCMXCIX"] true]
;;;; caesar
(defn shift-char [k c]
  (cond
    (Character/isUpperCase c) (char (+ (int \A) (mod (+ (- (int c) (int \A)) k) 26)))
    (Character/isLowerCase c) (char (+ (int \a) (mod (+ (- (int c) (int \a)) k) 26)))
    :else c))
(defn caesar [k s] (apply str (map (partial shift-char k) s)))
(let [msg "Hello, World! xyz" enc (caesar 3 msg)]
  {:enc enc :dec (caesar -3 enc) :rot13 (caesar 13 msg) :same (= msg (caesar 26 msg))})
;=> {:enc "Khoor, Zruog! abc", :dec "Hello, World! xyz", :rot13 "Uryyb, Jbeyq! klm", :same true}
;;;; run-length
(defn rle [s] (->> s (partition-by identity) (map (fn [g] (str (when (> (count g) 1) (count g)) (first g)))) (apply str)))
(defn unrle [s] (->> (re-seq #"(\d*)(\D)" s) (mapcat (fn [[_ n c]] (repeat (if (empty? n) 1 (Integer/parseInt n)) c))) (apply str)))
(let [xs ["AAABBC" "" "WWWWWWWWWWWWBWWWWWWWWWWWWBBB" "abc"]]
  (for [x xs :let [e (rle x)]] [x e (= x (unrle e))]))
;=> (["AAABBC" "3A2BC" true] ["" "" true] ["WWWWWWWWWWWWBWWWWWWWWWWWWBBB" "12WB12W3B" true] ["abc" "abc" true])
;;;; calendar
(def days-in-month [31 28 31 30 31 30 31 31 30 31 30 31])
(defn leap? [y] (and (zero? (mod y 4)) (or (pos? (mod y 100)) (zero? (mod y 400)))))
(defn month-days [y m] (if (and (= m 2) (leap? y)) 29 (nth days-in-month (dec m))))
(defn day-of-year [date]
  (let [[y m d] (map parse-long (clojure.string/split date #"-"))]
    (+ d (reduce + (map #(month-days y %) (range 1 m))))))
(defn day-of-week [y m d]
  (let [t [0 3 2 5 0 3 5 1 4 6 2 4] y (if (< m 3) (dec y) y)]
    (nth ["Sun" "Mon" "Tue" "Wed" "Thu" "Fri" "Sat"]
         (mod (+ y (quot y 4) (- (quot y 100)) (quot y 400) (nth t (dec m)) d) 7))))
{:leap (filter leap? [1900 2000 2023 2024 2100])
 :doy (map day-of-year ["2024-01-01" "2024-03-01" "2023-12-31" "2024-12-31"])
 :dow (map #(apply day-of-week %) [[2024 1 1] [2000 2 29] [1999 12 31]])
 :months (for [m (range 1 13)] (format "%02d:%d" m (month-days 2024 m)))}
;=> {:leap (2000 2024), :doy (1 61 365 366), :dow ("Mon" "Tue" "Fri"), :months ("01:31" "02:29" "03:31" "04:30" "05:31" "06:30" "07:31" "08:31" "09:30" "10:31" "11:30" "12:31")}
;;;; format flags
(println (format "|%5.2f|%05d|%-10s|%10s|%,d|%x|%X|%e|%+d|%%|%b|%c|%o|%08.3f|%s|%S|" 3.14159 42 "left" "right" 1234567 255 255 12345.678 7 true \z 8 2.5 nil "up"))
(println (format "%.0f %.1f %.3e %10.4f|%-8d|%3s|%2$s %1$s" 2.5 0.25 123456.789 2.0 42 "x"))
[(format "%5s|%-5s|%05d|%.2f" "ab" "cd" -42 1.005) (format "%,.2f" 1234567.891) (format "%(d" -5) (format "% d" 5) (format "%s %s %s" :k [1 "a"] {:a 1}) (format "%d%%" 50) (format "%6.2f%%" 12.345) (format "%x" -1) (format "%s" 1.0) (format "%10b|" true) (format "%.3s|" "abcdef") (format "%-6b|" false) (format "%h" "hello") (format "%n")]
;out> | 3.14|00042|left      |     right|1,234,567|ff|FF|1.234568e+04|+7|%|true|z|10|0002.500|null|UP|
;out> 3 0.3 1.235e+05     2.0000|42      |  x|0.25 2.5
;=> ["   ab|cd   |-0042|1.01" "1,234,567.89" "(5)" " 5" ":k [1 \"a\"] {:a 1}" "50%" " 12.35%" "ffffffffffffffff" "1.0" "      true|" "abc|" "false |" "5e918d2" "\n"]
;;;; strings
(require '[clojure.string :as s])
[(s/capitalize "hELLO wORLD") (s/split "a1b22c" #"\d+") (s/split "a,b,,c,," #",") (s/split "a,b,,c,," #"," -1) (s/join ", " [1 nil :k "s"]) (s/replace "hello" "l" "L") (s/replace "hello" #"l+" "<$0>") (s/replace "2024-01-02" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1") (s/replace "abc" #"[ac]" {"a" "1" "c" "3"}) (s/replace-first "aXbX" "X" "-") (s/reverse "abc") (s/index-of "hello" "l") (s/index-of "hello" "z") (s/last-index-of "hello" "l") (s/index-of "hello" "l" 3) (s/starts-with? "abc" "ab") (s/ends-with? "abc" "bc") (s/includes? "abc" "d") (s/blank? " \n") (s/trim "  x ") (s/triml "  x ") (s/trimr "  x ") (s/trim-newline "x\r\n") (s/split-lines "a\nb\r\nc\n") (s/upper-case "é") (s/lower-case "ABC") (s/escape "a<b" {\< "&lt;"}) (s/re-quote-replacement "$1")]
;=> ["Hello world" ["a" "b" "c"] ["a" "b" "" "c"] ["a" "b" "" "c" "" ""] "1, , :k, s" "heLLo" "he<ll>o" "02/01/2024" "1b3" "a-bX" "cba" 2 nil 3 3 true true false true "x" "x " "  x" "x" ["a" "b" "c"] "É" "abc" "a&lt;b" "\\$1"]
;;;; with-out-str
(def out (with-out-str (println "a" 1 :k) (print "no newline") (println) (prn "quoted" \c nil) (doseq [i (range 3)] (print i ""))))
[out (count (clojure.string/split-lines out)) (with-out-str (pr [1 "a" \b])) (with-out-str (newline)) (with-out-str (print nil true [nil "x"]))]
;=> ["a 1 :k\nno newline\n\"quoted\" \"c\" nil\n0 1 2 " 4 "[1 \"a\" \"b\"]" "\n" "nil true [nil x]"]
;clojure> ["a 1 :k\nno newline\n\"quoted\" \\c nil\n0 1 2 " 4 "[1 \"a\" \\b]" "\n" "nil true [nil x]"]
;deviation> functions and classes print otherwise
;;;; println values
(println [1 "a" :b nil true \c 2.5 {:k "v"} #{1} '(1 2)])
(prn [1 "a" :b nil true 2.5 {:k "v"}])
(println "multi" :args nil "x" 1.0 [] {} #{} ())
(println (map inc [1 2 3]) (range 3) (filter odd? [1 2 3]))
(println {:a 1, "b" [1 2], :c {:d "e"}})
(println (str nil) (str :a) (str [1 "a"]) (str {:a "b"}) (str '(1 "x")) (str 1.0 2 "c" \d))
(print "a") (print "b\n") (println (pr-str "q\"uote\n"))
(println)
(doseq [[k v] {:x 1 :y 2}] (println k "=>" v))
(dotimes [i 3] (println "i:" i))
(run! println [1 2])
(println (format "%-8s%8.2f" "total" 12.5))
(println (clojure.string/join "\n" (map #(str "- " %) ["a" "b"])))
:done
;out> [1 a :b nil true c 2.5 {:k v} #{1} (1 2)]
;out> [1 "a" :b nil true 2.5 {:k "v"}]
;out> multi :args nil x 1.0 [] {} #{} ()
;out> (2 3 4) (0 1 2) (1 3)
;out> {:a 1, b [1 2], :c {:d e}}
;out>  :a [1 "a"] {:a "b"} (1 "x") 1.02cd
;out> ab
;out> "q\"uote\n"
;out>
;out> :x => 1
;out> :y => 2
;out> i: 0
;out> i: 1
;out> i: 2
;out> 1
;out> 2
;out> total      12.50
;out> - a
;out> - b
;=> :done
;;;; chars
[(int \a) (char 97) (Character/isDigit \5) (Character/isLetter \x) (str \a \b) (map int "AZ") (apply str (map char [72 105])) (Character/getNumericValue \7) (- (int \7) (int \0)) (first "abc") (= \a (first "abc")) (frequencies "hello") (sort "hello") (apply str (sort "hello")) (apply str (reverse "hello")) (map #(Character/toUpperCase %) "abc") (char (+ 1 (int \a))) (contains? #{\a \e} \e) (Character/isWhitespace \space) (clojure.string/join (map str "abc")) (str (nth "hello" 1)) (get "hello" 0) (vec "abc") (set "aab") (count "héllo") (seq "ab") (Character/isUpperCase \A) (.charAt "abc" 1) (group-by #(Character/isLetter %) "a1b2") (zipmap "ab" [1 2]) (compare \a \b) (hash-map \a 1)]
;=> [97 "a" true true "ab" (65 90) "Hi" 7 7 "a" true {"h" 1, "e" 1, "l" 2, "o" 1} ("e" "h" "l" "l" "o") "ehllo" "olleh" ("A" "B" "C") "b" true true "abc" "e" "h" ["a" "b" "c"] #{"a" "b"} 5 ("a" "b") true "b" {true ["a" "b"], false ["1" "2"]} {"a" 1, "b" 2} -1 {"a" 1}]
;;;; word freq
(def text "It was the best of times, it was the worst of times; it was the age of wisdom...")
(->> (re-seq #"\w+" (clojure.string/lower-case text))
     (remove #{"the" "of"})
     frequencies
     (sort-by (fn [[w n]] [(- n) w]))
     (take 4)
     (map (fn [[w n]] (format "%s: %d" w n))))
;=> ("it: 3" "was: 3" "times: 2" "age: 1")
;;;; anagrams
(def words ["listen" "silent" "enlist" "google" "elgoog" "abc"])
{:groups (->> words (group-by sort) vals (filter #(> (count %) 1)) (map sort) (sort-by first))
 :keyed (->> words (group-by #(apply str (sort %))) (into (sorted-map)))
 :pal (filter #(= (seq %) (reverse %)) ["level" "abc" "noon"])
 :longest (reduce (fn [a b] (if (> (count b) (count a)) b a)) words)
 :vowels (into {} (map (juxt identity #(count (filter (set "aeiou") %)))) words)
 :caps (map clojure.string/capitalize words)}
;=> {:groups (("elgoog" "google") ("enlist" "listen" "silent")), :keyed {"abc" ["abc"], "eggloo" ["google" "elgoog"], "eilnst" ["listen" "silent" "enlist"]}, :pal ("level" "noon"), :longest "listen", :vowels {"listen" 2, "silent" 2, "enlist" 2, "google" 3, "elgoog" 3, "abc" 1}, :caps ("Listen" "Silent" "Enlist" "Google" "Elgoog" "Abc")}
;;;; pig latin
(defn pig [w] (let [[_ lead tail] (re-matches #"([^aeiou]*)(.*)" w)] (if (empty? lead) (str w "way") (str tail lead "ay"))))
(clojure.string/join " " (map pig (clojure.string/split "the quick brown apple fox" #" ")))
;=> "ethay uickqay ownbray appleway oxfay"
;;;; phone
(defn clean [s] (let [d (apply str (filter #(Character/isDigit %) s))] (cond (= 10 (count d)) d (and (= 11 (count d)) (= \1 (first d))) (subs d 1) :else nil)))
(map clean ["(223) 456-7890" "1 223 456 7890" "123" "223.456.7890"])
;=> ("2234567890" "2234567890" nil "2234567890")
;;;; text stats
(def text "The quick brown fox.\nJumps over the lazy dog!  The end?")
(let [words (re-seq #"[A-Za-z']+" text)
      sentences (map clojure.string/trim (re-seq #"[^.!?]+[.!?]" text))]
  {:words (count words) :unique (count (set (map clojure.string/lower-case words))) :sentences sentences
   :longest (apply max-key count words) :avg (format "%.3f" (/ (double (reduce + (map count words))) (count words)))
   :lengths (into (sorted-map) (group-by count words)) :initials (apply str (map first words)) :lines (count (clojure.string/split-lines text))
   :title (clojure.string/join " " (map clojure.string/capitalize words)) :vowels (count (filter #{\a \e \i \o \u} (clojure.string/lower-case text)))})
;=> {:words 11, :unique 9, :sentences ("The quick brown fox." "Jumps over the lazy dog!" "The end?"), :longest "Jumps", :avg "3.727", :lengths {3 ["The" "fox" "the" "dog" "The" "end"], 4 ["over" "lazy"], 5 ["quick" "brown" "Jumps"]}, :initials "TqbfJotldTe", :lines 2, :title "The Quick Brown Fox Jumps Over The Lazy Dog The End", :vowels 13}
;;;; look and say
(defn look-say [s] (->> s (partition-by identity) (mapcat (juxt count first)) (apply str)))
(take 6 (iterate look-say "1"))
;=> ("1" "11" "21" "1211" "111221" "312211")
;;;; multiplication table
(doseq [i (range 1 4)]
  (println (clojure.string/join " " (for [j (range 1 6)] (format "%3d" (* i j))))))
;out>   1   2   3   4   5
;out>   2   4   6   8  10
;out>   3   6   9  12  15
;=> nil
;;;; ascii table
(def rows [{:name "Widget" :qty 5 :price 2.5} {:name "Gizmo long" :qty 100 :price 10.0}])
(defn col-width [k] (apply max (count (name k)) (map (comp count str k) rows)))
(defn pad [s n] (str s (apply str (repeat (- n (count s)) \space))))
(let [ks [:name :qty :price] ws (map col-width ks)]
  (println (clojure.string/join " | " (map #(pad (name %1) %2) ks ws)))
  (println (clojure.string/join "-+-" (map #(apply str (repeat % "-")) ws)))
  (doseq [r rows] (println (clojure.string/join " | " (map #(pad (str (r %1)) %2) ks ws))))
  ws)
;out> name       | qty | price
;out> -----------+-----+------
;out> Widget     | 5   | 2.5
;out> Gizmo long | 100 | 10.0
;=> (10 3 5)
;;;; json-like printer
(defn to-json [x]
  (cond (nil? x) "null"
        (string? x) (str "\"" (clojure.string/escape x {\" "\\\"" \newline "\\n"}) "\"")
        (keyword? x) (to-json (name x))
        (map? x) (str "{" (clojure.string/join "," (map (fn [[k v]] (str (to-json k) ":" (to-json v))) x)) "}")
        (coll? x) (str "[" (clojure.string/join "," (map to-json x)) "]")
        :else (str x)))
(to-json {:a [1 2.5 nil true] "b" {:c "say \"hi\"\n"} :d '() :e #{1}})
;=> "{\"a\":[1,2.5,null,true],\"b\":{\"c\":\"say \\\"hi\\\"\\n\"},\"d\":[],\"e\":[1]}"
;;;; xml render
(defn render [node]
  (if (vector? node)
    (let [[tag & body] node
          [attrs children] (if (map? (first body)) [(first body) (rest body)] [{} body])]
      (str "<" (name tag) (apply str (for [[k v] attrs] (format " %s=\"%s\"" (name k) v))) ">" (apply str (map render children)) "</" (name tag) ">"))
    (str node)))
(render [:ul {:class "list" :id 3} [:li "one"] [:li {:x :y} "two" [:b 2]] (when false [:li])])
;=> "<ul class=\"list\" id=\"3\"><li>one</li><li x=\":y\">two<b>2</b></li></ul>"
;;;; wrap text
(defn wrap [width s]
  (->> (clojure.string/split s #"\s+")
       (reduce (fn [lines w] (let [l (peek lines)] (cond (nil? l) [w] (<= (+ (count l) 1 (count w)) width) (conj (pop lines) (str l " " w)) :else (conj lines w)))) [])
       (clojure.string/join "\n")))
(println (wrap 12 "the quick brown fox jumps over the lazy dog"))
;out> the quick
;out> brown fox
;out> jumps over
;out> the lazy dog
;=> nil
;;;; date diff
(defn days-from-civil [y m d]
  (let [y (if (<= m 2) (dec y) y) era (quot (if (>= y 0) y (- y 399)) 400) yoe (- y (* era 400))
        doy (+ (quot (+ (* 153 (+ m (if (> m 2) -3 9))) 2) 5) (dec d)) doe (+ (* yoe 365) (quot yoe 4) (- (quot yoe 100)) doy)]
    (+ (* era 146097) doe -719468)))
(defn parse-date [s] (mapv #(Integer/parseInt %) (rest (re-matches #"(\d{4})-(\d{2})-(\d{2})" s))))
(defn days-between [a b] (- (apply days-from-civil (parse-date b)) (apply days-from-civil (parse-date a))))
[(days-between "2024-01-01" "2024-12-25") (days-between "1970-01-01" "2000-01-01") (days-between "2024-03-01" "2024-02-28") (sort (fn [a b] (compare (parse-date a) (parse-date b))) ["2024-10-01" "2023-12-31" "2024-02-30"]) (sort ["2024-10-01" "2023-12-31"])]
;=> [359 10957 -2 ("2023-12-31" "2024-02-30" "2024-10-01") ("2023-12-31" "2024-10-01")]
;;;; time zones format
(defn hms [secs] (let [h (quot secs 3600) m (quot (mod secs 3600) 60) s (mod secs 60)] (format "%02d:%02d:%02d" h m s)))
(defn human [secs] (let [units [["d" 86400] ["h" 3600] ["m" 60] ["s" 1]]] (->> (reduce (fn [[left out] [u n]] (let [q (quot left n)] [(- left (* q n)) (if (pos? q) (conj out (str q u)) out)])) [secs []] units) second (clojure.string/join " "))))
(mapv (juxt hms human) [0 59 3661 86400 100000])
;=> [["00:00:00" ""] ["00:00:59" "59s"] ["01:01:01" "1h 1m 1s"] ["24:00:00" "1d"] ["27:46:40" "1d 3h 46m 40s"]]
;;;; markdown table
(def md "| name | qty |\n|------|-----|\n| nut  | 3   |\n| bolt | 12  |")
(defn parse-table [s] (let [[h _ & rs] (map (fn [l] (map clojure.string/trim (rest (clojure.string/split l #"\|")))) (clojure.string/split-lines s)) ks (map keyword h)] (map #(zipmap ks %) rs)))
(let [rows (parse-table md)] [rows (transduce (map (comp parse-long :qty)) + rows) (sort-by :name rows)])
;=> [({:name "nut", :qty "3"} {:name "bolt", :qty "12"}) 15 ({:name "bolt", :qty "12"} {:name "nut", :qty "3"})]
;;;; vigenere
(defn vig [f key text] (apply str (map (fn [c k] (char (+ 97 (mod (f (- (int c) 97) (- (int k) 97)) 26)))) text (cycle key))))
(let [e (vig + "lemon" "attackatdawn")] [e (vig - "lemon" e)])
;=> ["lxfopvefrnhr" "attackatdawn"]
;;;; morse
(def morse {\S "..." \O "---" \E "." \T "-"})
(def rev (clojure.set/map-invert morse))
(let [enc (clojure.string/join " " (map morse "SOS"))] [enc (apply str (map rev (clojure.string/split enc #" "))) (clojure.string/join " / " (map (fn [w] (clojure.string/join " " (map morse w))) (clojure.string/split "SO TOE" #" ")))])
;=> ["... --- ..." "SOS" "... --- / - --- ."]
;;;; text justify
(defn center [w s] (let [pad (- w (count s)) l (quot pad 2)] (str (apply str (repeat l \space)) s (apply str (repeat (- pad l) \space)))))
(defn left [w s] (format (str "%-" w "s") s))
(defn right [w s] (format (str "%" w "s") s))
(doseq [s ["a" "abc" "abcdefg"]] (println (str "[" (center 7 s) "][" (left 7 s) "][" (right 7 s) "]")))
;out> [   a   ][a      ][      a]
;out> [  abc  ][abc    ][    abc]
;out> [abcdefg][abcdefg][abcdefg]
;=> nil
;;;; accumulate string builder
(defn spaces [n] (apply str (repeat n " ")))
(defn diamond [c] (let [n (- (int c) 65) row (fn [i] (let [ch (char (+ 65 i)) out (spaces (- n i))] (if (zero? i) (str out ch out) (str out ch (spaces (dec (* 2 i))) ch out)))) top (map row (range (inc n)))] (clojure.string/join "\n" (concat top (rest (reverse top))))))
(println (diamond \C))
(clojure.string/split-lines (diamond \B))
;out>   A
;out>  B B
;out> C   C
;out>  B B
;out>   A
;=> [" A " "B B" " A "]
;;;; interop strings
(let [s "Hello, World"]
  [(.toUpperCase s) (.substring s 7) (.substring s 0 5) (.indexOf s "World") (.indexOf s "zzz") (.contains s "lo,") (.startsWith s "He") (.endsWith s "ld") (.replace s "l" "L") (.length s) (.charAt s 4) (.trim "  x ") (.isEmpty "") (vec (.split s ", ")) (.concat "a" "b") (.equals "a" "a") (.equalsIgnoreCase "Ab" "aB") (.compareTo "a" "b") (.lastIndexOf s "o") (.toString 12) (.repeat "ab" 3) (.isBlank " ") (.strip " a ") (String/valueOf 5) (.hashCode "ab") (String/join "-" ["a" "b"]) (.matches "abc" "[a-c]+") (.replaceAll "a1b2" "\\d" "#")])
;=> ["HELLO, WORLD" "World" "Hello" 7 -1 true true true "HeLLo, WorLd" 12 "o" "x" true ["Hello" "World"] "ab" true true -1 8 "12" "ababab" true "a" "5" 3105 "a-b" true "a#b#"]
;;;; list vs vector printing
[(map inc [1 2]) (mapv inc [1 2]) (vec (map inc [1])) (list 1 2) (seq [1 2]) (rest [1 2]) (filter odd? [1]) (range 3) (reverse [1 2]) (sort [2 1]) (keys {:a 1}) (vals {:a 1}) (concat [1] [2]) (conj (map inc [1]) 0) (conj [1] 0) (into () [1 2]) (into [] '(1 2)) (cons 1 nil) (take 2 [1 2 3]) (first {:a 1}) (seq {:a 1}) (seq "ab") (seq []) (rest []) (next [1]) (repeat 2 :x) (interpose 0 [1 2]) (apply list [1]) (sort-by - [1 2]) (subvec [1 2 3] 1) (split-at 1 [1 2]) (group-by even? [1 2]) (partition 2 [1 2 3 4]) (zipmap [:a] [1]) (frequencies [1 1]) (str (list)) (pr-str '()) (vector 1 2) (set [1]) (hash-map) (sorted-set) (list)]
;=> [(2 3) [2 3] [2] (1 2) (1 2) (2) (1) (0 1 2) (2 1) (1 2) (:a) (1) (1 2) (0 2) [1 0] (2 1) [1 2] (1) (1 2) [:a 1] ([:a 1]) ("a" "b") nil () nil (:x :x) (1 0 2) (1) (2 1) [2 3] [(1) (2)] {false [1], true [2]} ((1 2) (3 4)) {:a 1} {1 2} "()" "()" [1 2] #{1} {} #{} ()]
;;;; map printing order small
(def m {:z 1 :a 2 :m 3})
[(keys m) (vals m) (map (fn [[k v]] (str k v)) m) (assoc m :b 9) (into {} (map (fn [[k v]] [v k])) m) (reduce-kv (fn [acc k v] (conj acc [k v])) [] m) (zipmap (keys m) (map inc (vals m))) (merge m {:a 0 :c 7}) (dissoc m :z) (select-keys m [:m :z]) (str m) (seq m) (first m) (last m) (update-vals m str) (update-keys m name) (apply concat m) (mapcat identity m) (sort m) (sort-by val m) (apply max-key val m) (filter (fn [[_ v]] (> v 1)) m) (into (sorted-map) m) (frequencies (vals m)) (group-by val m) (count m) (empty m)]
;=> [(:z :a :m) (1 2 3) (":z1" ":a2" ":m3") {:z 1, :a 2, :m 3, :b 9} {1 :z, 2 :a, 3 :m} [[:z 1] [:a 2] [:m 3]] {:z 2, :a 3, :m 4} {:z 1, :a 0, :m 3, :c 7} {:a 2, :m 3} {:m 3, :z 1} "{:z 1, :a 2, :m 3}" ([:z 1] [:a 2] [:m 3]) [:z 1] [:m 3] {:z "1", :a "2", :m "3"} {"z" 1, "a" 2, "m" 3} (:z 1 :a 2 :m 3) (:z 1 :a 2 :m 3) ([:a 2] [:m 3] [:z 1]) ([:z 1] [:a 2] [:m 3]) [:m 3] ([:a 2] [:m 3]) {:a 2, :m 3, :z 1} {1 1, 2 1, 3 1} {1 [[:z 1]], 2 [[:a 2]], 3 [[:m 3]]} 3 {}]
;;;; printf
(printf "%s has %d items costing $%.2f%n" "Cart" 3 29.99)
(printf "%-5s|%5s|\n" "ab" "cd")
(print "x" "y") (println) (prn {:a "b"} [1 \c]) (println [nil "s" {:k "v"}] #{:a}) (pr "q") (newline) (println "é" \newline "end")
;out> Cart has 3 items costing $29.99
;out> ab   |   cd|
;out> x y
;out> {:a "b"} [1 "c"]
;out> [nil s {:k v}] #{:a}
;out> "q"
;out> é
;out>  end
;=> nil
;clojure> nil
;deviation> characters print as strings
;;;; pprint
(require '[clojure.pprint :refer [pprint print-table cl-format]])
(pprint {:a 1 :b [1 2 3]})
(print-table [{:name "a" :n 1} {:name "bb" :n 22}])
(print-table [:n] [{:name "a" :n 1}])
;out> {:a 1, :b [1 2 3]}
;out>
;out> | :name | :n |
;out> |-------+----|
;out> |     a |  1 |
;out> |    bb | 22 |
;out>
;out> | :n |
;out> |----|
;out> |  1 |
;=> nil
;;;; use string
(use '[clojure.string :only [join]])
(join "-" (map inc [1 2]))
;=> "2-3"
;;;; split edge cases
(require '[clojure.string :as str])
[(str/split "" #",") (str/split "a" #",") (str/split ",a" #",") (str/split "abc" #"") (str/split "a  b" #" ") (str/split "a1b2" #"\d" 2) (str/split "2024-01-15" #"-") (str/split-lines "") (str/split-lines "a\n\nb") (str/join []) (str/join "," []) (str/replace "aaa" "a" "b") (str/replace "a.b" #"\." "") (str/replace "abc" #"b" (fn [m] (str "[" m "]"))) (str/trim "\t x \n") (str/capitalize "") (str/upper-case "ß") (str/index-of "abc" \b) (str/includes? "abc" "") (str/starts-with? "" "") (str/replace "a\\b" "\\" "/") (str/split "a|b" #"\|") (str/split "a\tb" #"\t") (str/split " a b " #"\s+") (str/blank? nil) (str/reverse "") (str/replace "x1y22" #"\d+" #(str (* 2 (parse-long %)))) (str/lower-case "ÀB") (str/triml "\n a") (str/replace-first "a-b-c" #"-" "+") (str/escape "a&b" {\& "&amp;"})]
;=> [[""] ["a"] ["" "a"] ["a" "b" "c"] ["a" "" "b"] ["a" "b2"] ["2024" "01" "15"] [""] ["a" "" "b"] "" "" "bbb" "ab" "a[b]c" "x" "" "SS" 1 true true "a/b" ["a" "b"] ["a" "b"] ["" "a" "b"] true "" "x2y44" "àb" "a" "a+b-c" "a&amp;b"]
;;;; nested json walk
(def order {:id "o1" :lines [{:sku "a" :qty 2 :price {:amount 5 :cur "EUR"}} {:sku "b" :qty 1 :price {:amount 20 :cur "EUR"}}] :shipping {:address {:lines ["x" "y"] :zip "1000"} :cost 4.5}})
(defn paths [x] (cond (map? x) (mapcat (fn [[k v]] (map #(cons k %) (paths v))) x) (sequential? x) (mapcat (fn [i v] (map #(cons i %) (paths v))) (range) x) :else [[]]))
[(map vec (paths order)) (map #(get-in order %) (paths order)) (reduce + (for [{q :qty {a :amount} :price} (:lines order)] (* q a))) (->> order :lines (map (comp :cur :price)) set) (update-in order [:lines 1 :qty] inc) (get-in order [:shipping :address :lines 1])]
;=> [([:id] [:lines 0 :sku] [:lines 0 :qty] [:lines 0 :price :amount] [:lines 0 :price :cur] [:lines 1 :sku] [:lines 1 :qty] [:lines 1 :price :amount] [:lines 1 :price :cur] [:shipping :address :lines 0] [:shipping :address :lines 1] [:shipping :address :zip] [:shipping :cost]) ("o1" "a" 2 5 "EUR" "b" 1 20 "EUR" "x" "y" "1000" 4.5) 30 #{"EUR"} {:id "o1", :lines [{:sku "a", :qty 2, :price {:amount 5, :cur "EUR"}} {:sku "b", :qty 2, :price {:amount 20, :cur "EUR"}}], :shipping {:address {:lines ["x" "y"], :zip "1000"}, :cost 4.5}} "y"]
;;;; dates java time
(import '(java.time LocalDate) '(java.time.temporal ChronoUnit))
(let [d (LocalDate/parse "2024-02-28")] [(str (.plusDays d 2)) (.getYear d) (.getMonthValue d) (.getDayOfMonth d) (str (.getDayOfWeek d)) (.isLeapYear d) (.between ChronoUnit/DAYS d (LocalDate/parse "2024-03-10")) (str (.withDayOfMonth d 1)) (.isBefore d (LocalDate/of 2024 3 1)) (.lengthOfMonth d) (str (.plusMonths (LocalDate/of 2024 1 31) 1)) (.getDayOfYear d) (.toEpochDay d) (compare d (LocalDate/parse "2024-01-01")) (map str (take 3 (iterate #(.plusWeeks % 1) d)))])
;=> ["2024-03-01" 2024 2 28 "WEDNESDAY" true 11 "2024-02-01" true 29 "2024-02-29" 59 19781 1 ("2024-02-28" "2024-03-06" "2024-03-13")]
;;;; str join lists
(clojure.string/join "\n" (for [[k vs] (sort {:b [1 2] :a []})] (str (name k) ": " (if (seq vs) (clojure.string/join ", " vs) "(none)"))))
;=> "a: (none)\nb: 1, 2"
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
;out> list: (1 2 3) vec: [1 2] map: {:a 1} set: #{1} nil: nil str: x kw: :k
;out> lazy: (2 3) (2)
;out> nested: [{:a (2)} (1 (2))] ([:a 1]) [:a 1]
;out> <1>, <2>, <3>
;out> 1.0 1.5E10 0.1 100 -5 true false a
;out> ([:b 1] [:a 2]) (:a) (1)
;out>
;out>  x
;out> ab1:c[nil]
;out> "s" :k ["a" "q"] {:s "v"}
;=> nil
;clojure> nil
;deviation> flexible keys
;;;; inverted index
(def docs {1 "the cat sat" 2 "the dog sat down" 3 "a cat and a dog"})
(def index (reduce-kv (fn [idx id text] (reduce (fn [i w] (update i w (fnil conj (sorted-set)) id)) idx (clojure.string/split text #"\s+"))) (sorted-map) docs))
(defn search [& terms] (apply clojure.set/intersection (map #(get index % #{}) terms)))
{:terms (count index) :cat (index "cat") :both (search "cat" "dog") :none (search "cat" "xyz") :top (take 3 (sort-by (fn [[w ids]] [(- (count ids)) w]) index)) :tf (into {} (for [[id t] docs] [id (apply max (vals (frequencies (clojure.string/split t #" "))))]))}
;=> {:terms 7, :cat #{1 3}, :both #{3}, :none #{}, :top (["cat" #{1 3}] ["dog" #{2 3}] ["sat" #{1 2}]), :tf {1 1, 2 1, 3 2}}
;;;; tf idf
(let [docs [["a" "b" "a"] ["b" "c"] ["a" "c" "c" "d"]] n (count docs) df (frequencies (mapcat distinct docs)) idf (update-vals df #(Math/log (/ n (double %)))) tfidf (fn [d] (into (sorted-map) (map (fn [[t c]] [t (format "%.4f" (* (/ c (double (count d))) (idf t)))])) (frequencies d)))] (map tfidf docs))
;=> ({"a" "0.2703", "b" "0.1352"} {"b" "0.2027", "c" "0.2027"} {"a" "0.1014", "c" "0.2027", "d" "0.2747"})
;;;; ngrams
(defn ngrams [n s] (map #(apply str %) (partition n 1 s)))
[(ngrams 2 "hello") (frequencies (ngrams 1 "aab")) (->> (ngrams 2 "banana") frequencies (sort-by (juxt (comp - val) key))) (let [a (set (ngrams 2 "night")) b (set (ngrams 2 "nacht"))] (/ (* 2.0 (count (clojure.set/intersection a b))) (+ (count a) (count b))))]
;=> [("he" "el" "ll" "lo") {"a" 2, "b" 1} (["an" 2] ["na" 2] ["ba" 1]) 0.25]
;;;; soundex-ish
(def codes {\b 1 \f 1 \p 1 \v 1 \c 2 \g 2 \j 2 \k 2 \q 2 \s 2 \x 2 \z 2 \d 3 \t 3 \l 4 \m 5 \n 5 \r 6})
(defn soundex [w] (let [w (clojure.string/lower-case w) cs (->> w (map codes) dedupe rest (remove nil?) (take 3))] (apply str (.toUpperCase (subs w 0 1)) (take 3 (concat cs (repeat 0))))))
(map soundex ["Robert" "Rupert" "Ashcraft" "Tymczak" "A"])
;=> ("R163" "R163" "A226" "T522" "A000")
;;;; camel kebab
(defn kebab [s] (-> s (clojure.string/replace #"([a-z0-9])([A-Z])" "$1-$2") (clojure.string/replace #"[_\s]+" "-") clojure.string/lower-case))
(defn camel [s] (clojure.string/replace s #"-(\w)" (fn [[_ c]] (clojure.string/upper-case c))))
(defn title [s] (->> (clojure.string/split s #"[-_ ]") (map clojure.string/capitalize) (clojure.string/join " ")))
[(map kebab ["fooBar" "HelloWorldAgain" "snake_case here"]) (map camel ["foo-bar-baz" "x"]) (title "some-kebab_name here") (into {} (map (fn [[k v]] [(keyword (camel (name k))) v])) {:first-name 1 :last-name 2})]
;=> [("foo-bar" "hello-world-again" "snake-case-here") ("fooBarBaz" "x") "Some Kebab Name Here" {:firstName 1, :lastName 2}]
;;;; slugify truncate
(defn slug [s] (-> s clojure.string/lower-case (clojure.string/replace #"[^a-z0-9]+" "-") (clojure.string/replace #"^-|-$" "")))
(defn truncate [s n] (if (> (count s) n) (str (subs s 0 (- n 3)) "...") s))
(defn plural [n w] (str n " " w (when (not= n 1) "s")))
[(slug "  Hello, World! It's 2024 ") (truncate "The quick brown fox" 10) (truncate "short" 10) (map #(plural % "item") [0 1 2])]
;=> ["hello-world-it-s-2024" "The qui..." "short" ("0 items" "1 item" "2 items")]
;;;; html escape
(defn esc [s] (clojure.string/escape s {\< "&lt;" \> "&gt;" \& "&amp;"}))
(defn unesc [s] (reduce (fn [s [a b]] (clojure.string/replace s a b)) s [["&lt;" "<"] ["&gt;" ">"] ["&amp;" "&"]]))
[(esc "<a & b>") (unesc (esc "<a & b>")) (clojure.string/replace "a<b>c</b>" #"<[^>]+>" "") (map second (re-seq #"href=\"([^\"]+)\"" "<a href=\"x\"><a href=\"y\">"))]
;=> ["&lt;a &amp; b&gt;" "<a & b>" "ac" ("x" "y")]
;;;; sprintf table
(let [rows [["Apple" 3 1.25] ["Kiwi" 12 0.5]] line (fn [[n q p]] (format "%-10s|%4d|%8.2f|%9.2f" n q p (* q p)))] (doseq [r rows] (println (line r))) (println (format "%-10s|%4d|%8s|%9.2f" "TOTAL" (reduce + (map second rows)) "" (reduce + (map (fn [[_ q p]] (* q p)) rows)))))
;out> Apple     |   3|    1.25|     3.75
;out> Kiwi      |  12|    0.50|     6.00
;out> TOTAL     |  15|        |     9.75
;=> nil
;;;; strings multi line
(def s "line one
line two\twith tab
  \"quoted\"")
[(count s) (clojure.string/split-lines s) (pr-str "tab\there") (str "uni\u00e9" "\\") (count "a\nb") (map count (clojure.string/split-lines s))]
;=> [37 ["line one" "line two\twith tab" "  \"quoted\""] "\"tab\\there\"" "unié\\" 3 (8 17 10)]
;;;; unicode
[(count "naïve café") (clojure.string/upper-case "straße é") (reverse "añb") (map str "äb") (clojure.string/capitalize "éa") (re-seq #"\w+" "café au") (re-seq #"\p{L}+" "café au") (sort ["é" "e" "z" "a"]) (subs "日本語" 1) (format "%-5s|" "é") (.indexOf "日本語" "語") (int \é) (clojure.string/replace "ñandú" "ñ" "n")]
;=> [10 "STRASSE É" ("b" "ñ" "a") ("ä" "b") "Éa" ("caf" "au") ("café" "au") ("a" "e" "z" "é") "本語" "é    |" 2 233 "nandú"]
;;;; println report
(def scores {"Alice" [90 80] "Bob" [70] "Cleo" []})
(println "=== Report ===")
(doseq [[n xs] (sort scores) :let [avg (if (seq xs) (/ (reduce + xs) (double (count xs))) 0.0)]] (printf "%-8s %6.2f %s%n" n avg (cond (>= avg 80) "PASS" (pos? avg) "OK" :else "-")))
(println "Total:" (reduce + (mapcat val scores)))
(println "Best:" (key (apply max-key (fn [[_ xs]] (reduce + 0 xs)) scores)))
;out> === Report ===
;out> Alice     85.00 PASS
;out> Bob       70.00 OK
;out> Cleo       0.00 -
;out> Total: 240
;out> Best: Alice
;=> nil
;;;; with-out-str report
(let [out (with-out-str (doseq [[i l] (map-indexed vector ["alpha" "beta"])] (println (format "%2d. %s" (inc i) l))))] {:text out :lines (count (clojure.string/split-lines out)) :chars (count out)})
;=> {:text " 1. alpha\n 2. beta\n", :lines 2, :chars 19}
;;;; dates as strings (2)
(def events [{:on "2024-03-15" :what "launch"} {:on "2023-12-31" :what "party"} {:on "2024-03-02" :what "review"}])
{:sorted (map :what (sort-by :on events)) :months (into (sorted-map) (update-vals (group-by #(subs (:on %) 0 7) events) count)) :after (filterv #(pos? (compare (:on %) "2024-01-01")) events) :years (set (map #(parse-long (first (clojure.string/split (:on %) #"-"))) events)) :pretty (map (fn [{:keys [on]}] (let [[y m d] (clojure.string/split on #"-")] (str d "." m "." y))) events) :last (:what (last (sort-by :on events)))}
;=> {:sorted ("party" "review" "launch"), :months {"2023-12" 1, "2024-03" 2}, :after [{:on "2024-03-15", :what "launch"} {:on "2024-03-02", :what "review"}], :years #{2024 2023}, :pretty ("15.03.2024" "31.12.2023" "02.03.2024"), :last "launch"}
;;;; text columns
(let [rows (map #(clojure.string/split % #"\s{2,}") (clojure.string/split-lines "name   qty  price\nfoo    10   1.50\nbarbaz  2    20.00")) [h & body] rows ks (map keyword h)] (mapv #(-> (zipmap ks %) (update :qty parse-long) (update :price parse-double)) body))
;=> [{:name "foo", :qty 10, :price 1.5} {:name "barbaz", :qty 2, :price 20.0}]
;;;; roman numerals both ways
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn to-roman [n]
  (loop [n n [[v s] & more :as all] numerals out ""]
    (cond (zero? n) out
          (>= n v) (recur (- n v) all (str out s))
          :else (recur n more out))))
(defn from-roman [s]
  (let [value (into {} (for [[v s] numerals :when (= 1 (count s))] [s v]))
        vs (map (comp value str) s)]
    (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vs (concat (rest vs) [nil])))))
[(map to-roman [1 4 9 14 40 90 400 1994 2024])
 (every? (fn [n] (= n (from-roman (to-roman n)))) (range 1 200))]
;=> [("I" "IV" "IX" "XIV" "XL" "XC" "CD" "MCMXCIV" "MMXXIV") true]
;;;; markdown table (2)
(require '[clojure.string :as str])
(defn table [headers rows]
  (let [cells (cons (map name headers) (map (fn [r] (map #(str (get r % "")) headers)) rows))
        widths (apply map (fn [& col] (apply max (map count col))) cells)
        line (fn [row] (str "| " (str/join " | " (map (fn [w c] (format (str "%-" w "s") c)) widths row)) " |"))
        rule (str "|" (str/join "|" (map (fn [w] (apply str (repeat (+ 2 w) "-"))) widths)) "|")]
    (str/join "\n" (list* (line (first cells)) rule (map line (rest cells))))))
(println (table [:name :qty :note] [{:name "bolt" :qty 120} {:name "nut" :qty 7 :note "rare"}]))
;out> | name | qty | note |
;out> |------|-----|------|
;out> | bolt | 120 |      |
;out> | nut  | 7   | rare |
;=> nil
;;;; inverted index and ranking
(require '[clojure.string :as string])
(def docs {1 "the cat sat on the mat" 2 "the dog chased the cat" 3 "dogs and cats living together"})
(defn words [s] (string/split (string/lower-case s) #"\W+"))
(def index
  (reduce-kv (fn [idx id text]
               (reduce (fn [idx w] (update-in idx [w id] (fnil inc 0))) idx (words text)))
             {} docs))
(defn search [query]
  (->> (words query)
       (map #(get index % {}))
       (apply merge-with +)
       (sort-by (fn [[id score]] [(- score) id]))
       (map first)))
{:cat (search "cat") :the-dog (search "the dog") :none (search "zebra")
 :terms (count index) :top (take 3 (sort-by (fn [[w ds]] [(- (reduce + (vals ds))) w]) index))}
;=> {:cat (1 2), :the-dog (2 1), :none (), :terms 12, :top (["the" {1 2, 2 2}] ["cat" {1 1, 2 1}] ["and" {3 1}])}
;;;; templates
(require '[clojure.string :as str])
(defn render [template ctx]
  (str/replace template #"\{\{\s*([\w.]+)(?:\|(\w+))?\s*\}\}"
               (fn [[whole path filter-name]]
                 (let [v (get-in ctx (map keyword (str/split path #"\.")))
                       f (case filter-name "upper" str/upper-case "len" (comp str count) nil str)]
                   (if (nil? v) (str "<" whole ">") (f v))))))
(render "Dear {{user.name|upper}}, you have {{ items|len }} items: {{items}}. {{missing}} {{user.age}}"
        {:user {:name "Ann" :age 30} :items ["a" "b"]})
;=> "Dear ANN, you have 2 items: [\"a\" \"b\"]. <{{missing}}> 30"
;;;; run length and caesar
(defn rle [s] (apply str (mapcat (fn [g] [(count g) (first g)]) (partition-by identity s))))
(defn unrle [s] (apply str (mapcat (fn [[_ n c]] (repeat (parse-long n) c)) (re-seq #"(\d+)(\D)" s))))
(defn shift [n c]
  (let [base (cond (Character/isUpperCase c) (int \A) (Character/isLowerCase c) (int \a))]
    (if base (char (+ base (mod (+ n (- (int c) base)) 26))) c)))
(defn caesar [n s] (apply str (map (partial shift n) s)))
(let [s "WWWWBBBWWC"]
  [(rle s) (= s (unrle (rle s))) (caesar 3 "Hello, World!") (caesar -3 (caesar 3 "xyz ABC"))])
;=> ["4W3B2W1C" true "Khoor, Zruog!" "xyz ABC"]
;;;; dates of a project
(import '[java.time LocalDate])
(def tasks [{:id :a :days 3} {:id :b :days 5 :after [:a]} {:id :c :days 2 :after [:a]} {:id :d :days 1 :after [:b :c]}])
(defn finish [by-id id]
  (let [{:keys [days after]} (by-id id)]
    (+ days (apply max 0 (map (partial finish by-id) after)))))
(let [by-id (zipmap (map :id tasks) tasks)
      start (LocalDate/parse "2024-02-26")]
  (for [{:keys [id days]} tasks
        :let [end (finish by-id id)]]
    [id (str (.plusDays start (- end days))) (str (.plusDays start end)) (.getDayOfMonth (.plusDays start end))]))
;=> ([:a "2024-02-26" "2024-02-29" 29] [:b "2024-02-29" "2024-03-05" 5] [:c "2024-02-29" "2024-03-02" 2] [:d "2024-03-05" "2024-03-06" 6])
;;;; word wrap and justify
(require '[clojure.string :as str])
(defn wrap [width text]
  (reduce (fn [lines w]
            (let [l (peek lines)]
              (if (and l (<= (+ (count l) 1 (count w)) width))
                (conj (pop lines) (str l " " w))
                (conj lines w))))
          [] (str/split text #"\s+")))
(defn center [width s]
  (let [pad (quot (- width (count s)) 2)]
    (str (str/join (repeat pad " ")) s)))
(let [lines (wrap 18 "It was the best of times, it was the worst of times, it was the age of wisdom")]
  (doseq [l lines] (println (center 20 l)))
  (mapv count lines))
;out>  It was the best of
;out>  times, it was the
;out>  worst of times, it
;out>    was the age of
;out>        wisdom
;=> [18 17 18 14 6]
;;;; json-like printing (2)
(defn to-json [x]
  (cond
    (nil? x) "null"
    (map? x) (str "{" (clojure.string/join "," (for [[k v] x] (str (to-json (name k)) ":" (to-json v)))) "}")
    (coll? x) (str "[" (clojure.string/join "," (map to-json x)) "]")
    (keyword? x) (to-json (name x))
    (string? x) (pr-str x)
    :else (str x)))
(println (to-json {:a [1 2.5 nil true] :b {:c "q\"x" :d :kw} :e []}))
;out> {"a":[1,2.5,null,true],"b":{"c":"q\"x","d":"kw"},"e":[]}
;=> nil
;;;; anagrams and palindromes
(def words ["listen" "silent" "enlist" "google" "elgoog" "abc" "level" "Noon"])
(let [groups (->> words (group-by #(sort (clojure.string/lower-case %))) vals (filter #(> (count %) 1)))
      palindrome? (fn [w] (let [w (clojure.string/lower-case w)] (= (seq w) (reverse w))))]
  {:anagrams (sort-by (comp - count) groups) :palindromes (filterv palindrome? words)
   :longest (apply max-key count words) :initials (sort (set (map first words)))})
;=> {:anagrams (["listen" "silent" "enlist"] ["google" "elgoog"]), :palindromes ["level" "Noon"], :longest "elgoog", :initials ("N" "a" "e" "g" "l" "s")}
;;;; nested comments
(def comments [{:id 1 :parent nil :text "a"} {:id 2 :parent 1 :text "b"} {:id 3 :parent 1 :text "c"} {:id 4 :parent 2 :text "d"} {:id 5 :parent nil :text "e"}])
(defn tree [rows parent]
  (for [{:keys [id text]} rows :when (= parent (:parent (first (filter #(= id (:id %)) rows))))]
    {:text text :replies (tree rows id)}))
(defn show [nodes depth]
  (doseq [{:keys [text replies]} nodes]
    (println (str (apply str (repeat (* 2 depth) " ")) "- " text))
    (show replies (inc depth))))
(let [t (tree comments nil)]
  (show t 0)
  {:depth ((fn depth [ns] (if (empty? ns) 0 (inc (apply max (map (comp depth :replies) ns))))) t)
   :texts (map :text (tree-seq map? :replies {:text "root" :replies t}))})
;out> - a
;out>   - b
;out>     - d
;out>   - c
;out> - e
;=> {:depth 3, :texts ("root" "a" "b" "d" "c" "e")}
;;;; text statistics
(def text "The rain in Spain stays mainly in the plain. In Hartford, Hereford and Hampshire, hurricanes hardly ever happen!")
(let [sentences (clojure.string/split text #"[.!?]\s*")
      words (map clojure.string/lower-case (re-seq #"[A-Za-z']+" text))
      freq (frequencies words)]
  {:sentences (count sentences) :words (count words) :unique (count freq)
   :mean-length (format "%.2f" (double (/ (reduce + (map count words)) (count words))))
   :top (->> freq (sort-by (fn [[w n]] [(- n) w])) (take 2) (into []))
   :h-words (->> words (filter #(clojure.string/starts-with? % "h")) sort distinct)
   :letters (->> text (filter #(Character/isLetter %)) (map #(Character/toLowerCase %)) frequencies (sort-by (juxt (comp - val) (comp str key))) (take 3) (mapv (fn [[c n]] [(str c) n])))
   :title (clojure.string/join " " (map clojure.string/capitalize (take 4 words)))})
;=> {:sentences 2, :words 18, :unique 15, :mean-length "5.06", :top [["in" 3] ["the" 2]], :h-words ("hampshire" "happen" "hardly" "hartford" "hereford" "hurricanes"), :letters [["a" 11] ["n" 10] ["r" 10]], :title "The Rain In Spain"}
;;;; sales report as aligned text
;data> {:sales [{:region "North" :product "Widget" :units 12 :price 9.99} {:region "South" :product "Gadget" :units 3 :price 24.5} {:region "North" :product "Gadget" :units 7 :price 24.5} {:region "East" :product "Widget" :units 30 :price 9.49}]}
(defn revenue [{:keys [units price]}] (* units price))
(defn line [& cols] (apply format "%-10s|%8s|%12s" (map str cols)))
(let [by-region (group-by :region data/sales)
      rows (for [[region sales] (sort-by key by-region)]
             {:region region :units (reduce + (map :units sales)) :revenue (reduce + (map revenue sales))})
      total (transduce (map :revenue) + rows)]
  (println (line "Region" "Units" "Revenue"))
  (println (str/join (repeat 32 "-")))
  (doseq [{:keys [region units revenue]} rows]
    (println (line region units (format "%.2f" revenue))))
  (println (line "TOTAL" (apply + (map :units rows)) (format "%,.2f" total)))
  {:rows (mapv #(update % :revenue (fn [r] (/ (Math/round (* 100.0 r)) 100.0))) rows)
   :best (:region (apply max-key :revenue rows))})
;out> Region    |   Units|     Revenue
;out> --------------------------------
;out> East      |      30|      284.70
;out> North     |      19|      291.38
;out> South     |       3|       73.50
;out> TOTAL     |      52|      649.58
;=> {:rows [{:region "East", :units 30, :revenue 284.7} {:region "North", :units 19, :revenue 291.38} {:region "South", :units 3, :revenue 73.5}], :best "North"}
;;;; run length encoding both ways
(defn encode [s] (apply str (mapcat (fn [run] [(count run) (first run)]) (partition-by identity s))))
(defn decode [s] (apply str (mapcat (fn [[_ n c]] (repeat (parse-long n) c)) (re-seq #"(\d+)(\D)" s))))
(let [s "aaabccddddde" e (encode s)]
  [e (decode e) (= s (decode e)) (map (juxt first count) (partition-by identity s)) (encode "")])
;=> ["3a1b2c5d1e" "aaabccddddde" true (["a" 3] ["b" 1] ["c" 2] ["d" 5] ["e" 1]) ""]
;;;; word statistics
;data> {:text "The quick brown fox. The lazy dog! The end? No, the fox again."}
(let [words (->> data/text str/lower-case (re-seq #"[a-z]+"))
      freq (frequencies words)
      top (->> freq (sort-by (fn [[w n]] [(- n) w])) (take 3))]
  (doseq [[w n] top] (println (format "%-6s %s" w (str/join (repeat n "*")))))
  {:top top :unique (count freq) :longest (last (sort-by (juxt count identity) words))
   :sentences (count (str/split data/text #"[.!?]\s*")) :by-length (into (sorted-map) (update-vals (group-by count (distinct words)) sort))
   :caps (str/join " " (map str/capitalize (take 4 words))) :avg (double (/ (reduce + (map count words)) (count words)))})
;out> the    ****
;out> fox    **
;out> again  *
;=> {:top (["the" 4] ["fox" 2] ["again" 1]), :unique 9, :longest "quick", :sentences 4, :by-length {2 ("no"), 3 ("dog" "end" "fox" "the"), 4 ("lazy"), 5 ("again" "brown" "quick")}, :caps "The Quick Brown Fox", :avg 3.461538461538462}
;;;; caesar, vigenere, palindromes, anagrams
(defn shift [n c] (let [i (int c)] (cond (<= 97 i 122) (char (+ 97 (mod (+ (- i 97) n) 26))) (<= 65 i 90) (char (+ 65 (mod (+ (- i 65) n) 26))) :else c)))
(defn caesar [n s] (apply str (map (partial shift n) s)))
(defn vigenere [k s] (apply str (map (fn [c kc] (shift (- (int kc) 97) c)) s (cycle k))))
(defn palindrome? [s] (let [t (filter #(Character/isLetter %) (str/lower-case s))] (= t (reverse t))))
{:c (caesar 3 "Hello, Xyz") :d (caesar -3 (caesar 3 "abc")) :v (vigenere "key" "attack") :p (map palindrome? ["A man, a plan" "Never odd or even"])
 :ana (->> ["listen" "silent" "enlist" "google" "gogole"] (group-by sort) vals (filter next) (sort-by first))
 :freq (->> "mississippi" frequencies (sort-by (juxt (comp - val) key)) (map (fn [[c n]] (str c n))))
 :digits (map #(Character/digit % 10) "2024") :sum (reduce + (map #(- (int %) (int \0)) "2024"))}
;=> {:c "Khoor, Abc", :d "abc", :v "kxrkgi", :p (false true), :ana (["google" "gogole"] ["listen" "silent" "enlist"]), :freq ("i4" "s4" "p2" "m1"), :digits (2 0 2 4), :sum 8}
;;;; string builder with reduce, interleave, indent
(defn html [x]
  (cond
    (string? x) x
    (number? x) (str x)
    (vector? x) (let [[tag & body] x
                      [attrs body] (if (map? (first body)) [(first body) (rest body)] [nil body])]
                  (str "<" (name tag) (apply str (for [[k v] attrs] (str " " (name k) "=\"" v "\""))) ">"
                       (apply str (map html body)) "</" (name tag) ">"))
    (sequential? x) (apply str (map html x))
    (nil? x) ""))
(html [:ul {:class "list" :id 1} (for [i (range 3)] [:li {:n i} "item " i (when (odd? i) [:b "!"])])])
;=> "<ul class=\"list\" id=\"1\"><li n=\"0\">item 0</li><li n=\"1\">item 1<b>!</b></li><li n=\"2\">item 2</li></ul>"
;;;; json-like pretty printer
(defn pp ([x] (pp x 0))
  ([x n]
   (let [pad (apply str (repeat (* 2 n) \space))]
     (cond
       (map? x) (str "{\n" (str/join ",\n" (for [[k v] (sort x)] (str pad "  " (name k) ": " (pp v (inc n))))) "\n" pad "}")
       (sequential? x) (str "[" (str/join ", " (map #(pp % n) x)) "]")
       (string? x) (pr-str x)
       (nil? x) "null"
       :else (str x)))))
(println (pp {:b [1 2 {:z nil}] :a {:k "v\"q" :f 1.50 :t true}}))
;out> {
;out>   a: {
;out>     f: 1.5,
;out>     k: "v\"q",
;out>     t: true
;out>   },
;out>   b: [1, 2, {
;out>     z: null
;out>   }]
;out> }
;=> nil
;;;; printing of everything
(println nil true 1 1.0 "s" :k [1 "a" nil] '(1 "b") {:a "x" :b nil} #{:z})
(prn nil true 1 1.0 "s" :k [1 "a" nil] '(1 "b") {:a "x" :b nil} #{:z})
(println (str nil) (str [nil "a"]) (str {:k "v"}) (str '("a")) (pr-str "a\nb") (pr-str 'nil))
(print "a" "b") (print \newline) (println) (pr "x" ["a"])
(newline)
[(str "a" nil 1 :b) (str) (str nil nil) (apply str [1 nil "x"]) (pr-str) (pr-str 1 "a") (str 1.0 1e100 -0.0) (str ##Inf ##-Inf ##NaN) (str (/ 1.0 3)) (pr-str {:a {:b [1 {:c "d"}]}}) (str :a/b) (name :a/b) (str true)]
;out> nil true 1 1.0 s :k [1 a nil] (1 b) {:a x, :b nil} #{:z}
;out> nil true 1 1.0 "s" :k [1 "a" nil] (1 "b") {:a "x", :b nil} #{:z}
;out>  [nil "a"] {:k "v"} ("a") "a\nb" nil
;out> a b
;out>
;out> "x" ["a"]
;=> ["a1:b" "" "" "1x" "" "1 \"a\"" "1.01.0E100-0.0" "Infinity-InfinityNaN" "0.3333333333333333" "{:a {:b [1 {:c \"d\"}]}}" ":a/b" "b" "true"]
;;;; roman numerals both ways (2)
(def numerals [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn to-roman [n] (loop [n n [[v s] & more :as all] numerals out ""] (cond (zero? n) out (>= n v) (recur (- n v) all (str out s)) :else (recur n more out))))
(defn from-roman [s] (let [vs (map (into {} (map (fn [[v k]] [k v])) numerals) (map str s))] (reduce + (map (fn [a b] (if (and b (< a b)) (- a) a)) vs (concat (rest vs) [nil])))))
(map (juxt to-roman (comp from-roman to-roman)) [1 4 9 14 40 90 400 1994 2024 3999])
;=> (["I" 1] ["IV" 4] ["IX" 9] ["XIV" 14] ["XL" 40] ["XC" 90] ["CD" 400] ["MCMXCIV" 1994] ["MMXXIV" 2024] ["MMMCMXCIX" 3999])
;;;; text wrapping and justification
(def text "The quick brown fox jumps over the lazy dog and runs away")
(defn wrap [w s] (reduce (fn [lines word] (let [l (peek lines)] (if (and l (<= (+ (count l) 1 (count word)) w)) (conj (pop lines) (str l " " word)) (conj lines word)))) [] (str/split s #" ")))
(defn pad [w s] (str s (apply str (repeat (- w (count s)) "."))))
(defn center [w s] (let [n (- w (count s)) l (quot n 2)] (str (str/join (repeat l " ")) s (str/join (repeat (- n l) " ")))))
(doseq [l (wrap 16 text)] (println (str "|" (pad 16 l) "|" (center 18 l) "|")))
(map count (wrap 16 text))
;out> |The quick brown.| The quick brown  |
;out> |fox jumps over..|  fox jumps over  |
;out> |the lazy dog and| the lazy dog and |
;out> |runs away.......|    runs away     |
;=> (15 14 16 9)
;;;; date arithmetic with LocalDate
(let [d (java.time.LocalDate/parse "2024-01-31")]
  (map str [(.plusDays d 1) (.plusMonths d 1) (.plusYears d 1) (.minusDays d 31) (.withDayOfMonth d 1) (.getYear d) (.getMonthValue d) (.getDayOfMonth d) (.isLeapYear d) (.lengthOfMonth d) (.isBefore d (java.time.LocalDate/of 2024 2 1)) (.getDayOfWeek d) (.until d (java.time.LocalDate/of 2024 3 1) java.time.temporal.ChronoUnit/DAYS) (.between java.time.temporal.ChronoUnit/DAYS d (java.time.LocalDate/parse "2024-12-25")) (.toEpochDay d) (.getDayOfYear d) (.plusWeeks d 2)]))
;=> ("2024-02-01" "2024-02-29" "2025-01-31" "2023-12-31" "2024-01-01" "2024" "1" "31" "true" "31" "true" "WEDNESDAY" "30" "329" "19753" "31" "2024-02-14")
;;;; string predicates and odd calls
[(str/split "a,b,,c,," #",") (str/split "a,b,,c,," #"," -1) (str/split "" #",") (str/split "abc" #"") (str/replace "aXbX" "X" "$1") (str/replace "a.b" "." "\\") (str/replace "hello" #"l+" #(str "<" % ">")) (str/replace "2024-05" #"(\d+)-(\d+)" "$2/$1") (str/replace-first "aaa" "a" "b") (str/index-of "hello" "l") (str/last-index-of "hello" "l") (str/index-of "hello" "z") (re-find #"(\w)(\d)?" "a") (re-matches #"a" "ab") (re-seq #"(\w)=(\d)" "a=1,b=2") (str/trim "\t x \n") (str/triml " x ") (str/trim-newline "x\r\n") (subs "hello" 2) (str/reverse "abc") (str/join "-" [1 nil "a" :b]) (str/includes? "abc" "") (neg? (compare "a" "B")) (str/capitalize "éa") (.toUpperCase "ß") (str/blank? nil) (str/starts-with? "abc" "ab") (name :x/y) (keyword "a b") (str/escape "a<b" {\< "&lt;"}) (str/split-lines "a\r\nb\n\nc\n") (apply str (reverse "héllo")) (seq "ab") (map str/upper-case ["a" "b"]) (.indexOf "abc" "c") (.substring "hello" 1 3) (.contains "abc" "b") (.charAt "abc" 1) (.length "abc") (.startsWith "abc" "a") (count "日本")]
;=> [["a" "b" "" "c"] ["a" "b" "" "c" "" ""] [""] ["a" "b" "c"] "a$1b$1" "a\\b" "he<ll>o" "05/2024" "baa" 2 3 nil ["a" "a" nil] nil (["a=1" "a" "1"] ["b=2" "b" "2"]) "x" "x " "x" "llo" "cba" "1--a-:b" true false "Éa" "SS" true true "y" :a b "a&lt;b" ["a" "b" "" "c"] "olléh" ("a" "b") ("A" "B") 2 "el" true "b" 3 true 2]
;;;; time strings without a library
(defn secs [s] (let [parts (map parse-long (str/split s #":"))] (reduce (fn [acc p] (+ (* 60 acc) p)) 0 parts)))
(defn human [n] (let [[h r] ((juxt quot rem) n 3600) [m s] ((juxt quot rem) r 60)] (str/join " " (keep (fn [[v u]] (when (pos? v) (str v u))) [[h "h"] [m "m"] [s "s"]]))))
(map (juxt identity secs (comp human secs)) ["1:02:03" "59" "10:00" "0:0:1"])
;=> (["1:02:03" 3723 "1h 2m 3s"] ["59" 59 "59s"] ["10:00" 600 "10m"] ["0:0:1" 1 "1s"])
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
;=> ["Hello ADA, you owe 9.5." "2 tags; [hi]  [\"x\" \"y\"]" "no holes"]
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
;=> [{1 "I", 4 "IV", 9 "IX", 14 "XIV", 40 "XL", 90 "XC", 400 "CD", 1994 "MCMXCIV", 2024 "MMXXIV", 3999 "MMMCMXCIX"} true "LXXXVIII"]
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
;=> ["Khoor, Zruog!" "Hello, World!" "Hello, World!" "kxrkgikxbkal" ["l" 3]]
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
;=> {:top (["dog" 3] ["brown" 2] ["quick" 2]), :bigrams {["dog" "a"] 2}, :longest "quick", :avg-len "3.385", :by-len {1 ("a"), 3 ("dog" "fox" "the"), 4 ("lazy"), 5 ("brown" "quick")}, :sentences ("The quick brown fox." "The lazy dog!" "A quick dog, a brown dog?"), :capitalized ["The" "The" "A"]}
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
;out> name           | qty | price
;out> ---------------+-----+-------
;out> Widget         |   5 |   3.50
;out> Gadget (large) |  12 | 100.25
;out> X              |   0 |   0.10
;=> {:name 14, :qty 3, :price 6}
;;;; anagram groups and palindromes
(def words ["listen" "silent" "enlist" "level" "noon" "google" "elgoog" "Racecar"])
(defn canon [w] (apply str (sort (clojure.string/lower-case w))))
(defn palindrome? [w] (let [w (.toLowerCase w)] (= w (apply str (reverse w)))))
{:groups (->> words (group-by canon) vals (filter next) (map sort) (sort-by first))
 :palindromes (filter palindrome? words)
 :canon (map canon ["hello" "Bob"])
 :pairs (for [[a & more] (take-while seq (iterate rest words)) b more :when (= (canon a) (canon b))] [a b])}
;=> {:groups (("elgoog" "google") ("enlist" "listen" "silent")), :palindromes ("level" "noon" "Racecar"), :canon ("ehllo" "bbo"), :pairs (["listen" "silent"] ["listen" "enlist"] ["silent" "enlist"] ["google" "elgoog"])}
;;;; camel and kebab without look-ahead
(require '[clojure.string :refer [join split capitalize lower-case]])
(defn parts [s] (map lower-case (re-seq #"[A-Z]+[a-z0-9]*|[a-z0-9]+" s)))
(defn camel [s] (let [[w & ws] (parts s)] (apply str w (map capitalize ws))))
(map (juxt #(join "-" (parts %)) #(join "_" (parts %)) camel #(join " " (map capitalize (parts %)))) ["fooBarBaz" "some_snake_case" "HTTP server" "a-b-c2" ""])
;=> (["foo-bar-baz" "foo_bar_baz" "fooBarBaz" "Foo Bar Baz"] ["some-snake-case" "some_snake_case" "someSnakeCase" "Some Snake Case"] ["http-server" "http_server" "httpServer" "Http Server"] ["a-b-c2" "a_b_c2" "aBC2" "A B C2"] ["" "" "" ""])
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
;=> ["1-3,5,7,9-10" (1 2 3 5 7 9 10) "" true]
;;;; pig latin and capitalisation
(defn pig [w]
  (let [[_ cons* tail] (re-matches #"(?i)([^aeiou]*)(.*)" w)
        out (if (= "" cons*) (str w "way") (str tail (.toLowerCase cons*) "ay"))]
    (if (Character/isUpperCase (first w)) (clojure.string/capitalize out) out)))
(->> "Hello eager World rhythm" (re-seq #"\w+") (map pig) (clojure.string/join " "))
;=> "Ellohay eagerway Orldway rhythmay"
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
;out> |the quick brown|
;out> |fox jumps over |
;out> |the lazy dog   |
;out> |and runs away  |
;=> [(15 14 12 13) true]
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
;out> {
;out>   "name": "X",
;out>   "nested": {
;out>     "empty": {},
;out>     "none": null,
;out>     "ok": true
;out>   },
;out>   "price": 1.5,
;out>   "tags": ["a", "b", 3]
;out> }
;=> 13
;;;; unix pipeline over text
(def lines ["alice 30 eng" "bob 25 ops" "carol 35 eng" "dave 25 eng" "# comment" ""])
(defn grep [re xs] (filter (partial re-find re) xs))
(defn cut [n xs] (map #(nth (str/split % #" ") n nil) xs))
(defn uniq-c [xs] (->> xs (partition-by identity) (map (juxt count first))))
(def data (remove #(or (str/blank? %) (.startsWith % "#")) lines))
[(->> data (grep #"eng$") (cut 0)) (->> data (cut 1) sort uniq-c (sort-by first >) first) (->> data (cut 2) distinct count)
 (->> data (map #(zipmap [:name :age :dept] (str/split % #"\s+"))) (map #(update % :age parse-long)) (sort-by (juxt :dept (comp - :age))) (mapv :name))]
;=> [("alice" "carol" "dave") [2 "25"] 2 ["carol" "alice" "dave" "bob"]]
;;;; soundex and phonetic grouping
(def codes (into {} (for [[letters d] [["BFPV" 1] ["CGJKQSXZ" 2] ["DT" 3] ["L" 4] ["MN" 5] ["R" 6]] c letters] [c d])))
(defn soundex [w]
  (let [[h & t :as up] (str/upper-case w)
        ds (->> up (remove #{\H \W}) (map codes) (partition-by identity) (map first))
        ds (if (= (first ds) (codes h)) (rest ds) ds)]
    (apply str h (take 3 (concat (remove nil? ds) (repeat 0))))))
(group-by soundex ["Robert" "Rupert" "Rubin" "Ashcraft" "Tymczak" "Pfister" "Honeyman"])
;=> {"R163" ["Robert" "Rupert"], "R150" ["Rubin"], "A261" ["Ashcraft"], "T522" ["Tymczak"], "P236" ["Pfister"], "H555" ["Honeyman"]}
;;;; morse and nato
(def morse (zipmap "ABCDEFGHIJKLMNOPQRSTUVWXYZ" (str/split ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.." #" ")))
(def unmorse (set/map-invert morse))
(defn encode [s] (->> (str/split (str/upper-case s) #" ") (map #(str/join " " (map morse %))) (str/join " / ")))
(defn decode [m] (->> (str/split m #" / ") (map (fn [w] (apply str (map unmorse (str/split w #" "))))) (str/join " ")))
(let [m (encode "sos help me")] [m (decode m) (count morse) (sort (filter #(= 1 (count (morse %))) (keys morse)))])
;=> ["... --- ... / .... . .-.. .--. / -- ." "SOS HELP ME" 26 ("E" "T")]
;;;; slugs, truncation, initials
(defn slug [s] (-> s str/trim str/lower-case (str/replace #"[^\w\s-]" "") (str/replace #"[\s_-]+" "-") (str/replace #"^-+|-+$" "")))
(defn truncate [n s] (if (> (count s) n) (str (str/trimr (subs s 0 (- n 3))) "...") s))
(defn initials [s] (->> (str/split s #"[\s-]+") (map first) (str/join ".") str/upper-case (#(str % "."))))
(defn title [s] (str/replace s #"\b[a-z]" str/upper-case))
[(slug "  Hello, World! -- it's me_ ") (truncate 10 "A long sentence here") (truncate 50 "short") (initials "mary-jane van doe") (title "the old man") (str/replace "2024-05-06" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1") (str/replace "a.b.c" "." "/") (str/replace "price: $5" #"\$(\d)" "€$1")]
;=> ["hello-world-its-me" "A long..." "short" "M.J.V.D." "The Old Man" "06/05/2024" "a/b/c" "price: €5"]
;;;; acronym, isogram, pangram, hamming
(defn acronym [s] (->> (re-seq #"[A-Z]+[a-z']*|[a-z']+" s) (map (comp str/upper-case first)) str/join))
(defn isogram? [s] (let [ls (filter #(Character/isLetter %) (str/lower-case s))] (or (empty? ls) (apply distinct? ls))))
(defn pangram? [s] (= 26 (count (set (filter #(<= (int \a) (int %) (int \z)) (str/lower-case s))))))
(defn hamming [a b] (when (= (count a) (count b)) (count (filter false? (map = a b)))))
[(acronym "Portable Network Graphics") (acronym "First In, First Out") (map isogram? ["lumberjack" "six-year-old" "eleven"]) (pangram? "The quick brown fox jumps over the lazy dog") (hamming "GAGCCT" "CATCGT") (hamming "A" "AB")]
;=> ["PNG" "FIFO" (true true false) true 3 nil]
;;;; interleaving zipped columns from text blocks
(def block "a|1|x\nbb|22|yy\nccc|333|zzz")
(let [rows (map #(str/split % #"\|") (str/split-lines block)) cols (apply map list rows) widths (map #(apply max (map count %)) cols)]
  (doseq [r rows] (println (str/join " " (map (fn [w c] (str c (str/join (repeat (- w (count c)) \space)))) widths r))))
  {:cols cols :widths widths :rev (map (comp str/join reverse) (second cols)) :sum (transduce (map parse-long) + (second cols))})
;out> a   1   x
;out> bb  22  yy
;out> ccc 333 zzz
;=> {:cols (("a" "bb" "ccc") ("1" "22" "333") ("x" "yy" "zzz")), :widths (3 3 3), :rev ("1" "22" "333"), :sum 356}
;;;; string interop without arrays
(let [s "the cat sat on the mat"]
  [(.indexOf s "cat") (str/index-of s "the" 1) (str/last-index-of s "at") (str/index-of s "dog") (.substring s 4 7) (str (.charAt s 0)) (.replace s "at" "og") (.contains s "sat") (vec (.split s " ")) (.length s) (.toUpperCase (subs s 0 3)) (String/valueOf 5) (.trim "  x ") (.startsWith s "the") (.lastIndexOf s "the") (.concat "a" "b") (.isEmpty "") (.equals "a" "a") (.compareTo "a" "c") (String/join "-" ["a" "b"]) (.repeat "ab" 3) (.equalsIgnoreCase "A" "a") (String/format "%s=%d" (to-array ["a" 1]))])
;=> [4 15 20 nil "cat" "t" "the cog sog on the mog" true ["the" "cat" "sat" "on" "the" "mat"] 22 "THE" "5" "x" true 15 "ab" true true -2 "a-b" "ababab" true "a=1"]
;;;; ascii art: diamond, pyramid, box, bar chart
(defn diamond [n] (let [row #(str (apply str (repeat (- n % 1) " ")) (apply str (repeat (inc (* 2 %)) "*")))] (map row (concat (range n) (range (- n 2) -1 -1)))))
(defn box [s] (let [bar (str "+" (apply str (repeat (+ 2 (count s)) "-")) "+")] [bar (str "| " s " |") bar]))
(defn bars [m] (let [mx (apply max (vals m))] (for [[k v] m] (format "%-5s|%-10s| %d" (name k) (apply str (repeat (Math/round (* 10.0 (/ v mx))) "=")) v))))
(run! println (concat (diamond 3) (box "hi") (bars (array-map :mon 3 :tue 10 :wed 7))))
;out>   *
;out>  ***
;out> *****
;out>  ***
;out>   *
;out> +----+
;out> | hi |
;out> +----+
;out> mon  |===       | 3
;out> tue  |==========| 10
;out> wed  |=======   | 7
;=> nil
;;;; markdown table of contents with numbering
(def doc "# Intro\ntext\n## Setup\n### Linux\n### Mac\n## Usage\n# Reference\n## API")
(defn headings [s] (for [l (str/split-lines s) :let [[_ h t] (re-matches #"(#+) (.+)" l)] :when h] [(count h) t]))
(defn number [hs] (rest (reductions (fn [[nums _] [lvl t]] (let [nums (vec (take lvl (concat nums (repeat 0))))] [(update nums (dec lvl) inc) t])) [[] nil] hs)))
(doseq [[nums t] (number (headings doc))] (println (str (apply str (repeat (* 2 (dec (count nums))) " ")) (str/join "." nums) " " t)))
(mapv (fn [[n t]] [(str/join "." n) (-> t str/lower-case keyword)]) (number (headings doc)))
;out> 1 Intro
;out>   1.1 Setup
;out>     1.1.1 Linux
;out>     1.1.2 Mac
;out>   1.2 Usage
;out> 2 Reference
;out>   2.1 API
;=> [["1" :intro] ["1.1" :setup] ["1.1.1" :linux] ["1.1.2" :mac] ["1.2" :usage] ["2" :reference] ["2.1" :api]]
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
;=> {"cat" [:ok], "cta" ("cat"), "crat" ("cart" "cat" "chat"), "zzz" (), "ca" ("car" "cat")}
;;;;
(defn describe
  ([x] (describe x "thing"))
  ([x label] (str label ": " x))
  ([x label & more] (str label ": " x " +" (count more))))
[(describe 1) (describe 1 "n") (describe 1 "n" 2 3)]
;=> ["thing: 1" "n: 1" "n: 1 +2"]
;;;;
(let [counter (reduce (fn [acc w] (update acc (count w) (fnil conj []) w)) {} ["a" "bb" "cc" "d" "eee"])]
  (doseq [[k v] (sort counter)] (println k "->" v))
  counter)
;out> 1 -> [a d]
;out> 2 -> [bb cc]
;out> 3 -> [eee]
;=> {1 ["a" "d"], 2 ["bb" "cc"], 3 ["eee"]}
;;;;
(into (sorted-map) (map (fn [[k v]] [k (count v)]) (group-by first ["apple" "avocado" "banana" "cherry" "blueberry"])))
;=> {"a" 2, "b" 2, "c" 1}
;;;;
(println (clojure.string/join ", " (map-indexed (fn [i x] (str (inc i) "." x)) ["a" "b" "c"])))
;out> 1.a, 2.b, 3.c
;=> nil
;;;;
(as-> [1 2 3] $ (map inc $) (reduce + $) (* $ 2) (str "total " $))
;=> "total 18"
;;;;
(let [words ["level" "hello" "noon" "racecar" "world"]]
  (filter #(= % (clojure.string/reverse %)) words))
;=> ("level" "noon" "racecar")
;;;;
(let [words ["level" "hello" "noon"]]
  (filter #(= (seq %) (reverse %)) words))
;=> ("level" "noon")
;;;;
(str "a" 1 nil :k 2.50 [1 "x"] {:a "b"} (list 1 2) (map inc [1 2]))
;=> "a1:k2.5[1 \"x\"]{:a \"b\"}(1 2)(2 3)"
;clojure> "a1:k2.5[1 \"x\"]{:a \"b\"}(1 2)clojure.lang.LazySeq…"
;deviation> flexible keys
;;;;
(pr-str {:a "x" :b [1 2.0 nil] :c '(1 "two" :three)})
;=> "{:a \"x\", :b [1 2.0 nil], :c (1 \"two\" :three)}"
;;;;
(println {:a "x" :b ["y" \z]} "str" nil [1 "two"] '(3 "four"))
(prn {:a "x"} "str" nil)
(print "no newline") (print " more")
;out> {:a x, :b [y z]} str nil [1 two] (3 four)
;out> {:a "x"} "str" nil
;out> no newline more
;=> nil
;;;;
(dotimes [i 3] (println "row" i))
;out> row 0
;out> row 1
;out> row 2
;=> nil
;;;;
(if-let [[k v] (first {:a 1})] (str k "=" v) "none")
;=> ":a=1"
;;;;
(require '[clojure.set :as set])
(let [required #{:name :email :age} given (set (keys {:name "x" :age 3}))]
  (if (set/subset? required given) "ok" (str "missing: " (clojure.string/join ", " (map name (set/difference required given))))))
;=> "missing: email"
;;;;
(format "%s has %d items costing $%.2f (%5.1f%%)" "Cart" 3 29.99 12.345)
;=> "Cart has 3 items costing $29.99 ( 12.3%)"
;;;;
(let [rows [["id" "name"] ["1" "Ann"] ["2" "Bob"]] [header & body] rows]
  (map #(zipmap (map keyword header) %) body))
;=> ({:id "1", :name "Ann"} {:id "2", :name "Bob"})
;;;;
(let [x 5] (when (and (> x 1) (< x 10)) (println "in range") :yes))
;out> in range
;=> :yes
;;;;
(defn std-dev [xs]
  (let [n (count xs) mean (/ (reduce + xs) n) sq (map #(Math/pow (- % mean) 2) xs)]
    (Math/sqrt (/ (reduce + sq) n))))
(format "%.3f" (std-dev [2 4 4 4 5 5 7 9]))
;=> "2.000"
;;;;
(let [pct (fn [part whole] (if (zero? whole) 0.0 (* 100.0 (/ part whole))))]
  [(pct 1 3) (pct 1 0) (format "%.1f%%" (pct 2 3))])
;=> [33.33333333333333 0.0 "66.7%"]
;;;;
(clojure.string/replace "john smith" #"\b(\w)" (fn [[_ c]] (clojure.string/upper-case c)))
;=> "John Smith"
;;;;
(clojure.string/replace "2024-01-15" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1")
;=> "15/01/2024"
;;;;
(let [s "hello"] [(subs s 1 3) (first s) (last s) (nth s 1) (count s) (apply str (reverse s)) (str (first s)) (clojure.string/includes? s "ell") (.indexOf s "l")])
;=> ["el" "h" "o" "e" 5 "olleh" "h" true 2]
;;;;
(doseq [x [1 2] y [:a :b]] (println x y))
;out> 1 :a
;out> 1 :b
;out> 2 :a
;out> 2 :b
;=> nil
;;;;
(run! println ["a" "b"])
;out> a
;out> b
;=> nil
;;;;
(ns my.report (:require [clojure.string :as str] [clojure.set :as set]))
(defn slug [s] (-> s str/lower-case (str/replace #"[^a-z0-9]+" "-") (str/replace #"^-|-$" "")))
(map slug ["Hello, World!" "  A  b " "x"])
;=> ("hello-world" "a-b" "x")
;;;;
(defn caesar [s n]
  (apply str (map (fn [c] (cond (Character/isUpperCase c) (char (+ 65 (mod (+ n (- (int c) 65)) 26)))
                                (Character/isLowerCase c) (char (+ 97 (mod (+ n (- (int c) 97)) 26)))
                                :else c)) s)))
(caesar "Hello, World" 3)
;=> "Khoor, Zruog"
;;;;
(defn roman [n]
  (loop [n n [[v s] & more :as all] [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]] acc ""]
    (cond (zero? n) acc (>= n v) (recur (- n v) all (str acc s)) :else (recur n more acc))))
(map roman [1994 2024 9])
;=> ("MCMXCIV" "MMXXIV" "IX")
;;;;
(defn process [{:keys [id items] {:keys [city]} :address :or {items []}}] (str id ":" (count items) "@" city))
(map process [{:id 1 :items [1 2] :address {:city "Oslo"}} {:id 2 :address {}}])
;=> ("1:2@Oslo" "2:0@")
;;;;
(->> "aaabccd" (partition-by identity) (map #(str (first %) (count %))) (apply str))
;=> "a3b1c2d1"
;;;;
(let [f (frequencies "mississippi")] (sort-by (fn [[c n]] [(- n) c]) f))
;=> (["i" 4] ["s" 4] ["p" 2] ["m" 1])
;;;;
(defn validate [{:keys [name age]}]
  (cond-> []
    (clojure.string/blank? name) (conj "name required")
    (not (and (int? age) (pos? age))) (conj "age must be positive")))
[(validate {:name "x" :age 3}) (validate {:name " "}) (validate {:name "y" :age -1})]
;=> [[] ["name required" "age must be positive"] ["age must be positive"]]
;;;;
(println (format "%-10s|%8s|%5s" "Name" "Amount" "Pct"))
(doseq [{:keys [n a p]} [{:n "Rent" :a 1200.5 :p 0.333} {:n "Food" :a 300.0 :p 0.0833}]]
  (println (format "%-10s|%8.2f|%4.1f%%" n a (* 100 p))))
(println (apply str (repeat 20 "-")))
;out> Name      |  Amount|  Pct
;out> Rent      | 1200.50|33.3%
;out> Food      |  300.00| 8.3%
;out> --------------------
;=> nil
;;;;
(printf "%d items, %s\n" 3 "ok")
(println "done")
;out> 3 items, ok
;out> done
;=> nil
;;;;
(let [title "Report" line (clojure.string/join (repeat 6 "="))] (println title) (println line) (println (str "Total: " 10 "\n" "Avg: " 2.5)))
;out> Report
;out> ======
;out> Total: 10
;out> Avg: 2.5
;=> nil
;;;;
(prn "a" 'b-not :c [1 "x"])
;!> invalid_form
;clojure> nil
;deviation> no macros, mutable state, symbols
;;;;
(print "a" 1 :k nil) (newline) (println) (println "x" "" "y") (pr "q" \c) (prn)
;out> a 1 :k nil
;out>
;out> x  y
;out> "q" "c"
;=> nil
;clojure> nil
;deviation> characters print as strings
;;;;
(let [s (str [1 2] '(3 4) #{5} {:a 6} "x" :k nil true 1.0 1e10 1/2)] s)
;=> "[1 2](3 4)#{5}{:a 6}x:ktrue1.01.0E100.5"
;clojure> "[1 2](3 4)#{5}{:a 6}x:ktrue1.01.0E101/2"
;deviation> no ratios or decimals
;;;;
[(str 1.0) (str 100000000.0) (str 1.0E-5) (str (/ 1.0 3)) (str 1e7) (str 123456.789) (str -0.0) (str (float 0.5))]
;=> ["1.0" "1.0E8" "1.0E-5" "0.3333333333333333" "1.0E7" "123456.789" "-0.0" "0.5"]
;;;;
[(name :abc) (keyword "x") (keyword "my key") (str :a) (name "s") (namespace :a/b) (name :a/b) (subs (str :abc) 1)]
;=> ["abc" :x :my key ":a" "s" "a" "b" "abc"]
;;;;
(clojure.string/join "\n" (map #(str "- " %) ["a" "b"]))
;=> "- a\n- b"
;;;;
[(clojure.string/index-of "hello" "l") (clojure.string/last-index-of "hello" "l") (clojure.string/starts-with? "hello" "he") (clojure.string/ends-with? "hello" "lo") (clojure.string/triml "  x ") (clojure.string/trimr " x  ")]
;=> [2 3 true true "x " " x"]
;;;;
(defn flatten-map [m prefix] (reduce-kv (fn [acc k v] (let [p (if prefix (str prefix "." (name k)) (name k))] (if (map? v) (merge acc (flatten-map v p)) (assoc acc p v)))) {} m))
(flatten-map {:a 1 :b {:c 2 :d {:e 3}}} nil)
;=> {"a" 1, "b.c" 2, "b.d.e" 3}
;;;;
(def ^{:doc "limit"} limit 3)
(defn ^:private take-limit "Takes." {:added "1.0"} [xs] (take limit xs))
(take-limit (range 10))
;=> (0 1 2)
;;;;
[(sorted-set 3 1 2) (into (sorted-set) "hello") (first (sorted-set 5 4)) (conj (sorted-set 1) 0) (disj #{1 2} 1)]
;=> [#{1 2 3} #{"e" "h" "l" "o"} 4 #{0 1} #{2}]
;;;;
(.toUpperCase "abc")
;=> "ABC"
;;;;
[(.length "abc") (.substring "hello" 1 3) (.startsWith "abc" "a") (.contains "abc" "b") (.replace "aXa" "X" "-") (.trim " x ") (.indexOf "abc" "c") (.charAt "abc" 1) (.isEmpty "") (.equals "a" "a") (.endsWith "abc" "c")]
;=> [3 "el" true true "a-a" "x" 2 "b" true true true]
;;;;
(if (and (seq [1]) (not (empty? [1]))) "has" "none")
;=> "has"
;;;;
(when-not (contains? #{:a} :b) "absent")
;=> "absent"
;;;;
(while false (println "never"))
;=> nil
;;;;
(doall (map println [1 2 3]))
;out> 1
;out> 2
;out> 3
;=> (nil nil nil)
;;;;
(mapv #(do (println "processing" %) (* 2 %)) [1 2])
;out> processing 1
;out> processing 2
;=> [2 4]
;;;;
(comment (println "x")) 
;=> nil
;;;;
#_(println "skipped") [1 #_2 3]
;=> [1 3]
;;;;
(let [point {:x 1 :y 2}] (let [{:keys [x y z] :or {z 0}} point] (str x "," y "," z)))
;=> "1,2,0"
;;;;
(map (fn [[k v]] (str (name k) "=" v)) {:a 1 :b 2})
;=> ("a=1" "b=2")
;;;;
(clojure.string/join "&" (map (fn [[k v]] (str (name k) "=" v)) {:a 1 :b "x"}))
;=> "a=1&b=x"
;;;;
[(get nil :a) (get-in {} [:a :b] 0) (assoc nil :a 1) (update nil :a (fnil inc 0)) (merge nil {:a 1}) (dissoc nil :a) (count nil) (first nil) (reduce + nil) (map inc nil) (str nil)]
;=> [nil 0 {:a 1} {:a 1} {:a 1} nil 0 nil 0 () ""]
;;;;
(require '[clojure.string :as s] '[clojure.set :as cset])
[(s/join "-" ["a" "b"]) (cset/union #{1} #{1}) (s/upper-case "x")]
;=> ["a-b" #{1} "X"]
;;;;
(ns report.core
  "Makes a report."
  (:require [clojure.string :as string]
            [clojure.walk :as w]
            [clojure.math :as m]))
[(string/trim " x ") (w/postwalk identity [1]) (m/sqrt 16) (m/round 2.5) (m/pow 2 3) (m/floor 2.7) (m/ceil 2.1)]
;=> ["x" [1] 4.0 3 8.0 2.0 3.0]
;;;;
(let [sum (reduce + (vals {:a 1 :b 2})) n 2] (println "avg:" (/ sum n) "or" (float (/ sum n)) (double 1)))
;out> avg: 1.5 or 1.5 1.0
;=> nil
;clojure> nil
;deviation> float does not round
;;;;
(println (map inc [1 2]) (filter odd? [1 2 3]) (range 3) (list 1 "a") (seq [1]) (rest [1 2]) (vec (range 2)))
;out> (2 3) (1 3) (0 1 2) (1 a) (1) (2) [0 1]
;=> nil
;;;;
(println (str (vec (map inc [1 2]))) (str {:a [1 "b"]}) (pr-str "q\"uote\n") (str :k) (str nil) nil)
;out> [2 3] {:a [1 "b"]} "q\"uote\n" :k  nil
;=> nil
;;;;
(println "Total:" 12.50 "Rate:" 1e-3 "Big:" 1234567890123 "Neg:" -0.5 "Sci:" 1.5e10)
;out> Total: 12.5 Rate: 0.001 Big: 1234567890123 Neg: -0.5 Sci: 1.5E10
;=> nil
;;;;
(println (format "|%5s|%-5s|%05d|%+.2f|%x|%,d|%%|%c|%b|%10.3e|" "ab" "cd" 42 3.14159 255 1234567 \z true 12345.678))
;out> |   ab|cd   |00042|+3.14|ff|1,234,567|%|z|true| 1.235e+04|
;=> nil
;;;;
(doseq [[i line] (map-indexed vector ["a" "b"])] (println (str (inc i) ":") line))
;out> 1: a
;out> 2: b
;=> nil
;;;;
(let [out (for [i (range 1 4)] (apply str (repeat i "*")))] (doseq [l out] (println l)) (count out))
;out> *
;out> **
;out> ***
;=> 3
;;;;
(defn bar [n] (apply str (repeat n \#)))
(doseq [[k v] (sort-by val > {:a 3 :b 5})] (println (format "%-3s %s (%d)" (name k) (bar v) v)))
;out> b   ##### (5)
;out> a   ### (3)
;=> nil
;;;;
(->> "hello" (map int) (map #(- % 96)) (reduce +))
;=> 52
;;;;
(map #(Character/toUpperCase %) "abc")
;=> ("A" "B" "C")
;;;;
(let [s "abcdef"] [(apply str (take 3 s)) (apply str (partition-all 2 s)) (map #(apply str %) (partition 2 s)) (subs s 2) (.substring s 1) (clojure.string/join (reverse s))])
;=> ["abc" "(\"a\" \"b\")(\"c\" \"d\")(\"e\" \"f\")" ("ab" "cd" "ef") "cdef" "bcdef" "fedcba"]
;clojure> ["abc" "clojure.lang.LazySeq…lojure.lang.LazySeq…lojure.lang.LazySeq…" ("ab" "cd" "ef") "cdef" "bcdef" "fedcba"]
;deviation> eager lists print their items
;;;;
(defn luhn? [s] (let [ds (map #(Character/digit % 10) (reverse s)) f (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d))] (zero? (mod (reduce + (map-indexed f ds)) 10))))
[(luhn? "79927398713") (luhn? "79927398710")]
;=> [true false]
;;;;
(defn digits [n] (map #(Character/getNumericValue %) (str n)))
[(digits 1234) (reduce + (digits 999)) (reduce #(+ (* 10 %1) %2) (digits 42))]
;=> [(1 2 3 4) 27 42]
;;;;
(let [xs [4 8 15 16 23 42] n (count xs) mean (/ (reduce + xs) n) var (/ (reduce + (map #(* (- % mean) (- % mean)) xs)) (dec n))]
  {:n n :mean mean :sd (format "%.4f" (Math/sqrt var)) :range (- (apply max xs) (apply min xs))})
;=> {:n 6, :mean 18, :sd "13.4907", :range 38}
;;;;
(let [prices [100 110 99 120]] (map (fn [[a b]] (format "%.1f%%" (* 100.0 (/ (- b a) a)))) (partition 2 1 prices)))
;=> ("10.0%" "-10.0%" "21.2%")
;;;;
(let [memo (memoize (fn [x] (println "computing" x) (* x x)))] [(memo 3) (memo 3) (memo 4)])
;out> computing 3
;out> computing 4
;=> [9 9 16]
;;;;
(doto {:a 1} (println "debug"))
;out> {:a 1} debug
;=> {:a 1}
;;;;
(defn to-query [m] (clojure.string/join "&" (for [[k v] (sort m)] (str (name k) "=" (clojure.string/replace (str v) " " "+")))))
(to-query {:q "a b" :page 2})
;=> "page=2&q=a+b"
;;;;
(defn camel->kebab [s] (clojure.string/lower-case (clojure.string/replace s #"([a-z])([A-Z])" "$1-$2")))
(map camel->kebab ["fooBar" "aBcDe"])
;=> ("foo-bar" "a-bc-de")
;;;;
(def rows [{:id 1 :s "a" :n nil} {:id 2 :s nil :n 3.5} {:id 3 :s "" :n 0}])
(letfn [(clean [row] (into {} (filter (fn [[_ v]] (some? v))) row))
        (show [v] (cond (nil? v) "-" (and (string? v) (empty? v)) "(empty)" (float? v) (format "%.1f" v) :else (str v)))]
  {:clean (map clean rows)
   :shown (mapv (fn [r] (mapv (comp show r) [:id :s :n])) rows)
   :cols (apply merge-with into (map #(update-vals % vector) rows))
   :nils (frequencies (for [r rows [k v] r :when (nil? v)] k))})
;=> {:clean ({:id 1, :s "a"} {:id 2, :n 3.5} {:id 3, :s "", :n 0}), :shown [["1" "a" "-"] ["2" "-" "3.5"] ["3" "(empty)" "0"]], :cols {:id [1 2 3], :s ["a" nil ""], :n [nil 3.5 0]}, :nils {:n 1, :s 1}}
;;;;
(defn group-consecutive [xs]
  (reduce (fn [acc x]
            (let [run (peek acc)]
              (if (and run (= (inc (peek run)) x))
                (conj (pop acc) (conj run x))
                (conj acc [x]))))
          [] xs))
(defn ranges [xs] (map (fn [run] (if (next run) (str (first run) "-" (peek run)) (str (first run)))) (group-consecutive xs)))
[(group-consecutive [1 2 3 7 8 10]) (clojure.string/join "," (ranges (sort (distinct [8 1 2 3 7 10 2]))))]
;=> [[[1 2 3] [7 8] [10]] "1-3,7-8,10"]
;;;;
(defn luhn? [s]
  (let [digits (map #(Character/digit % 10) (filter #(Character/isDigit %) s))
        summed (map-indexed (fn [i d] (if (odd? i) (let [x (* 2 d)] (if (> x 9) (- x 9) x)) d)) (reverse digits))]
    (and (seq digits) (zero? (mod (reduce + summed) 10)))))
[(luhn? "4539 1488 0343 6467") (luhn? "8273 1232 7352 0569") (luhn? "")]
;=> [true false nil]
;;;;
(let [m (sorted-map "b" 2 "a" 1 "c" 3) s (sorted-set 5 1 3)]
  [(first m) (last m) (keys m) (assoc m "aa" 9) (dissoc m "b") (into m {"z" 26}) (map val m) (reduce-kv (fn [a k v] (str a k v)) "" m) (conj s 2) (disj s 3) (first s) (contains? s 5) (get m "q" :none) (rseq [1 2]) (merge m {"a" 0}) (update m "a" inc) (seq s) (vec s) (filter odd? s) (into (sorted-set) (map #(mod % 3) s)) (sort-by val > m) (zipmap (keys m) (reverse (vals m))) (= m {"a" 1 "b" 2 "c" 3}) (select-keys m ["a"]) (into {} m) (count m) (map-indexed vector m) (group-by (comp even? val) m)])
;=> [["a" 1] ["c" 3] ("a" "b" "c") {"a" 1, "aa" 9, "b" 2, "c" 3} {"a" 1, "c" 3} {"a" 1, "b" 2, "c" 3, "z" 26} (1 2 3) "a1b2c3" #{1 2 3 5} #{1 5} 1 true :none (2 1) {"a" 0, "b" 2, "c" 3} {"a" 2, "b" 2, "c" 3} (1 3 5) [1 3 5] (1 3 5) #{0 1 2} (["c" 3] ["b" 2] ["a" 1]) {"a" 3, "b" 2, "c" 1} true {"a" 1} {"a" 1, "b" 2, "c" 3} 3 ([0 ["a" 1]] [1 ["b" 2]] [2 ["c" 3]]) {false [["a" 1] ["c" 3]], true [["b" 2]]}]
;;;;
(defn run-length [xs] (map (juxt first count) (partition-by identity xs)))
(defn chunk-by-sum [limit xs] (loop [[x & more :as xs] xs cur [] sum 0 out []] (cond (empty? xs) (if (seq cur) (conj out cur) out) (> (+ sum x) limit) (recur more [x] x (conj out cur)) :else (recur more (conj cur x) (+ sum x) out))))
(defn sessions [gap ts] (reduce (fn [acc t] (if (and (seq acc) (<= (- t (peek (peek acc))) gap)) (conj (pop acc) (conj (peek acc) t)) (conj acc [t]))) [] (sort ts)))
[(run-length "aabccc") (chunk-by-sum 10 [4 5 3 8 2 1]) (sessions 5 [30 1 3 12 14 31 8]) (map count (sessions 1 [])) (->> [1 2 4 7 8] (partition 2 1) (map (fn [[a b]] (- b a))))]
;=> [(["a" 2] ["b" 1] ["c" 3]) [[4 5] [3] [8 2] [1]] [[1 3 8 12 14] [30 31]] () (1 2 3 1)]
;;;;
(let [m {:b 2 :a 1}]
  (println m (pr-str m) (str m))
  (println (sort m) (into (sorted-map) m) (seq m) (vals m))
  (prn (map (fn [[k v]] [k (* 2 v)]) m) (set (keys m)) [nil true])
  (println (str "x=" (:a m) ", y=" (get m :zz "none")))
  (printf "%s has %d entries (%.1f%%)\n" (str m) (count m) 12.345)
  (print 1 2) (print "\n") (println [1 [2 "three"] #{4}])
  (pr "a" \b :c 1.0 nil) (prn) (println (interpose "," [1 2]) (list "a" nil)))
;out> {:b 2, :a 1} {:b 2, :a 1} {:b 2, :a 1}
;out> ([:a 1] [:b 2]) {:a 1, :b 2} ([:b 2] [:a 1]) (2 1)
;out> ([:b 4] [:a 2]) #{:b :a} [nil true]
;out> x=1, y=none
;out> {:b 2, :a 1} has 2 entries (12.3%)
;out> 1 2
;out> [1 [2 three] #{4}]
;out> "a" "b" :c 1.0 nil
;out> (1 , 2) (a nil)
;=> nil
;clojure> nil
;deviation> flexible keys
;;;;
(def prices {"AAPL" [100 102 99] "GOOG" [50 55 60] "X" []})
(defn pct-change [[a & more]] (when (and a (seq more)) (-> (last more) (- a) (/ a) (* 100.0))))
(let [changes (into {} (map (juxt key (comp pct-change val))) prices)
      known (filter val changes)
      [best worst] [(apply max-key val known) (apply min-key val known)]]
  {:changes changes :best (key best) :worst (first worst) :avg (/ (transduce (map val) + known) (count known)) :none (keys (remove val changes)) :table (for [[k v] (sort-by (comp - (fnil identity -1e9) val) changes)] (str k " " (if v (format "%+.2f" v) "n/a")))})
;=> {:changes {"AAPL" -1.0, "GOOG" 20.0, "X" nil}, :best "GOOG", :worst "AAPL", :avg 9.5, :none ("X"), :table ("GOOG +20.00" "AAPL -1.00" "X n/a")}
