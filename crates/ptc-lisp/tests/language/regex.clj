[(re-find #"\d+" "a12b3") (re-find #"(\w)(\d)?" "ab") (re-find #"x" "abc") (re-find #"a" nil) (re-find "b+" "abb")]
;=> ["12" ["a" "a" nil] nil nil "bb"]
[(re-matches #"\d+" "12") (re-matches #"\d+" "12a") (re-matches #"(\d+)-(\d+)" "1-2") (re-matches #"a|ab" "ab")]
;=> ["12" nil ["1-2" "1" "2"] "ab"]
[(re-seq #"\d" "a1b2") (re-seq #"(\w)(\d)" "a1b2") (re-seq #"x" "abc") (re-seq #"" "ab")]
;=> [("1" "2") (["a1" "a" "1"] ["b2" "b" "2"]) nil ("" "" "")]
[(re-split #"," "a,b") (extract #"id=(\d+)" "id=42") (extract-int #"id=(\d+)" "id=42") (extract #"(x)" "abc")]
;=> [["a" "b"] "42" 42 nil]
[#"a\d" (re-pattern "a+") (= #"a" #"a") (str #"a\d") (regex? #"a") (pr-str #"\"")]
;=> [#"a\d" #"a+" true "a\\d" true "#\"\\\"\""]
(re-pattern "(")
;!> regex_error Invalid regex "(": unclosed group
(re-find #"(?=a)" "a")
;!> regex_error Invalid regex "(?=a)": look-around and back-references are not supported at line 1, column 10
(re-find #"(a)\1" "aa")
;!> regex_error Invalid regex "(a)\1": look-around and back-references are not supported at line 1, column 10
[(re-find #"(?i)ABC" "xabc") (re-find #"(?s)a.b" "a\nb") (re-find #"a.b" "a\nb") (re-find #"\w" "é") (re-find #"\p{L}" "é") (re-find #"(?m)^b$" "a\nb")]
;=> ["abc" "a\nb" nil nil "é" "b"]
(str/replace "2024-05" #"(?<y>\d+)-(?<m>\d+)" "${m}/${y}")
;=> "05/2024"
(re-find 5 "a")
;!> type_error re-find: expected a regex, got number 5
(re-pattern "(?:a{1000}){1000}")
;!> regex_error Invalid regex "(?:a{1000}){1000}": compiles to more than 1 MiB
