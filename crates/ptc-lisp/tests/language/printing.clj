[nil true 42 -1.5 "a\tb" :k 'sym]
;!> invalid_form Quoted symbols are not supported; use a keyword or a string at line 1, column 30
[nil true 42 -1.5 "a\tb\\" :k \newline]
;=> [nil true 42 -1.5 "a\tb\\" :k "\n"]
[[] () {} #{} [[]] {:a {}} (list nil)]
;=> [[] () {} #{} [[]] {:a {}} (nil)]
{:b 1 :a {:c #{3 1 2}} "k" nil}
;=> {:b 1, :a {:c #{3 1 2}}, "k" nil}
[inc (fn [{:keys [a]} & more] a) #'total #"\d+" str/join]
;=> [#<builtin> #fn[{:keys [a]} & more] #'total #"\d+" #<builtin>]
[(map inc [1]) (seq [1]) (rest [1 2]) (conj [1] 2) (vec '(1)) (list 1) (sort [2 1])]
;=> [(2) (1) (2) [1 2] [1] (1) (1 2)]
(println [nil "a" {:k "v"} #{"s"} \c] "raw\ttext" :k nil 1.0)
;out> [nil a {:k v} #{s} c] raw	text :k nil 1.0
;=> nil
[(str ["a" {:b "c"}] nil) (str '(1 "x")) (str (map inc [1])) (str #{"a"}) (str inc) (str ##Inf) (str [##Inf ##NaN])]
;=> ["[\"a\" {:b \"c\"}]" "(1 \"x\")" "(2)" "#{\"a\"}" "#<builtin>" "Infinity" "[##Inf ##NaN]"]
(pr-str "\u0001\u007f\b\f\r" "é☃")
;=> "\"\\u0001\\u007F\\b\\f\\r\" \"é☃\""
[1.0 0.001 1e-4 1e7 9999999.0 1.5e300 -0.0 100.0 1e22 123456789.123]
;=> [1.0 0.001 1.0E-4 1.0E7 9999999.0 1.5E300 -0.0 100.0 1.0E22 1.23456789123E8]
[(range 3) (take 2 (repeat "x")) (partition 2 [1 2 3 4]) (group-by odd? [1 2])]
;=> [(0 1 2) ("x" "x") ((1 2) (3 4)) {true [1], false [2]}]
(def naturals (range))
;=> #'naturals
(reduced 1)
;=> #<reduced 1>
