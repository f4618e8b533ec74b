[(str) (str nil) (str "a" 1 :b nil 2.5) (str [1 "a" nil]) (str {:a "b"}) (str \a) (str 1e7)]
;=> ["" "" "a1:b2.5" "[1 \"a\" nil]" "{:a \"b\"}" "a" "1.0E7"]
[(pr-str "a\"b" :k nil) (pr-str) (pr-str [1 "x"])]
;=> ["\"a\\\"b\" :k nil" "" "[1 \"x\"]"]
[(subs "hello" 1) (subs "hello" 1 3) (subs "hi" 5) (subs "hi" 1 0) (count "añb") (subs "añb" 1 2)]
;=> ["ello" "el" "" "" 3 "ñ"]
(subs nil 1)
;!> type_error subs: expected a string, got nil
[(str/join ", " [1 nil :a]) (str/join ["a" "b"]) (join "-" "abc") (str/join "," nil)]
;=> ["1, , :a" "ab" "a-b-c" ""]
[(str/split "a,b,,c,," #",") (str/split "a b" #"\s+") (split "a.b" ".") (str/split "abc" #"") (str/split "" #",") (str/split "a,b,c" #"," 2)]
;=> [["a" "b" "" "c"] ["a" "b"] ["a" "b"] ["a" "b" "c"] [""] ["a" "b,c"]]
[(str/split-lines "a\r\nb\n\n") (str/trim "  a \n") (str/triml " a ") (str/trimr " a ") (str/trim-newline "a\n\r\n")]
;=> [["a" "b"] "a" "a " " a" "a"]
[(str/upper-case "straße") (str/lower-case "ÄB") (str/capitalize "hELLO") (upper-case :a) (str/reverse "abc")]
;=> ["STRASSE" "äb" "Hello" ":A" "cba"]
(str/upper-case nil)
;!> type_error upper-case: expected a string, got nil
[(str/replace "a.b.c" "." "-") (str/replace "a1b22" #"\d+" "#") (str/replace "ab" #"(a)(b)" "$2$1") (str/replace-first "aa" "a" "b") (str/replace "a1" #"\d" #(str (inc (parse-long %))))]
;=> ["a-b-c" "a#b#" "ba" "ba" "a2"]
[(str/starts-with? "abc" "ab") (str/ends-with? "abc" "bc") (str/includes? "abc" "b") (str/includes? "abc" "") (str/blank? " \n") (str/blank? nil)]
;=> [true true true true true true]
(includes? ["a"] "a")
;=> true
[(str/index-of "abcb" "b") (str/index-of "abc" "z") (str/last-index-of "abcb" "b") (str/index-of "abcb" "b" 2)]
;=> [1 nil 3 3]
[(name :a/b) (name "x") (namespace :a/b) (namespace :a) (keyword "a") (keyword "a" "b") (keyword nil)]
;=> ["b" "x" "a" nil :a :a/b nil]
(name 5)
;!> type_error name: expected a keyword or string, got number 5
[(parse-long "42") (parse-long "+7") (parse-long "4.2") (parse-long " 1") (parse-long nil) (parse-double "1e3") (parse-double "x") (parse-boolean "true") (parse-boolean "yes")]
;=> [42 7 nil nil nil 1000.0 nil true nil]
[(format "%d items, %.2f, %s" 3 2.5 :a) (format "%05d|%-5s|%x|%,d" 42 "ab" 255 1234567) (format "%s" nil) (format "%%") (format "%8.3f" 3.14159)]
;=> ["3 items, 2.50, :a" "00042|ab   |ff|1,234,567" "null" "%" "   3.142"]
(format "%d" "x")
;!> type_error format: expected an integer for %d, got string "x"
[(str/escape "a<b" {"<" "&lt;"}) (char 65) (seq "ab") (apply str (reverse "abc")) (map str "ab")]
;=> ["a&lt;b" "A" ("a" "b") "cba" ("a" "b")]
(str/nope "a")
;!> invalid_form 'str/nope' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. Did you mean 'name'? at line 1, column 2
[(downcase "AB") (parse-int "12") (parse-int "x") (char? "a") (char? "ab")]
;=> ["ab" 12 nil true false]
