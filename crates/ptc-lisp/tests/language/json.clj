(json/parse-string "{\"id\": 7, \"tags\": [\"a\", null, true], \"max price\": 1.50}")
;=> {:id 7, :tags ["a" nil true], "max price" 1.5}
[(json/parse "1") (json/parse "1.0") (json/parse "1e3") (json/parse "\"a\\u0041\"") (json/parse "[]") (json/parse "{}")]
;=> [1 1.0 1000.0 "aA" [] {}]
[(json/parse "") (json/parse "{") (json/parse "[1,]") (json/parse nil) (json/parse 5) (json/parse "1 2")]
;=> [nil nil nil nil nil nil]
(json/parse "9223372036854775808")
;=> 9.223372036854776E18
(json/parse "{\"a\": 1, \"a\": 2, \"ok?\": 3, \"1\": 4}")
;=> {:a 2, :ok? 3, "1" 4}
(json/parse-lines "{\"a\": 1}\n\nnot json\n[2]\n")
;=> [{:a 1} nil [2]]
(json/parse-lines nil)
;=> nil
(println (json/generate-string {:b [1 2.5 nil true] "a" {:k :v}}))
;out> {"b":[1,2.5,null,true],"a":{"k":"v"}}
;=> nil
[(json/generate-string nil) (json/generate-string :a/b) (json/generate-string #{1}) (json/generate-string '(1 2)) (json/generate-string {1 2})]
;=> ["null" "\"a/b\"" "[1]" "[1,2]" "{\"1\":2}"]
[(json/generate-string ##NaN) (json/generate-string {:a ##Inf}) (json/generate-string inc) (json/generate-string [#"a"])]
;=> [nil nil nil nil]
(json/generate-string {:day (LocalDate/parse "2024-05-01") :at (Instant/parse "2024-05-01T07:30:00Z")})
;=> "{\"day\":\"2024-05-01\",\"at\":\"2024-05-01T07:30:00Z\"}"
(json/generate-string (range))
;!> infinite_sequence cannot realise an unbounded sequence; use (take n …)
(let [m {:a [1 {:b "x\n\"é"}] :c 1.0}] (= m (json/parse (json/generate-string m))))
;=> true
;; Other libraries' names, and the options that ask for keywords as keys.
[(json/parse-string "{\"a\": 1}" true) (json/parse-string "[1]" keyword) (clojure.data.json/read-str "{\"a\": 1}" :key-fn keyword) (cheshire.core/generate-string {:a [1 nil]}) (json/write-str {:a 1})]
;=> [{:a 1} [1] {:a 1} "{\"a\":[1,null]}" "{\"a\":1}"]
(require '[cheshire.core :as c :refer [generate-string]]) [(c/parse-string "[1]") (generate-string {:a 1})]
;=> [[1] "{\"a\":1}"]
