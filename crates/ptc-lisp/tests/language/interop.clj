[(.length "añb") (.isEmpty "") (.toUpperCase "a") (.toLowerCase "A") (.trim " a ")]
;=> [3 true "A" "a" "a"]
[(.contains "abc" "b") (.contains [1 2] 2) (.startsWith "abc" "ab") (.endsWith "abc" "c") (.indexOf "abcb" "b") (.indexOf "abc" "z") (.indexOf [1 2] 2) (.lastIndexOf "abcb" "b")]
;=> [true true true true 1 -1 1 3]
[(.substring "hello" 1 3) (.charAt "abc" 1) (.replace "a.b" "." "-") (.equals 1 1) (.toString :a) (.split "a1b" "\\d") (.compareTo "a" "c") (.equalsIgnoreCase "A" "a")]
;=> ["el" "b" "a-b" true ":a" ["a" "b"] -2 true]
(.substring "hi" 5)
;!> type_error .substring: expected an index from 0 to 2, got number 5
[(Integer/parseInt "42") (Integer/parseInt "ff" 16) (Long/parseLong "-7") (Double/parseDouble "1.5") (Boolean/parseBoolean "TRUE") (String/valueOf nil)]
;=> [42 255 -7 1.5 true "null"]
(Integer/parseInt "x")
;!> type_error Integer/parseInt: expected a string that shows an integer, got string "x"
[(Integer/toBinaryString 5) (Integer/toHexString 255) (Character/isDigit \5) (Character/isLetter "a") (Character/toUpperCase \a) (Character/getNumericValue \7)]
;=> ["101" "ff" true true "A" 7]
[Long/MAX_VALUE Integer/MIN_VALUE Math/PI Double/POSITIVE_INFINITY NaN]
;=> [9223372036854775807 -2147483648 3.141592653589793 ##Inf ##NaN]
(. "a" length)
;!> invalid_form '.' is not supported: write (.method object) at line 1, column 1
[(.chars "ab") (.values {:a 1})]
;=> [[97 98] (1)]
