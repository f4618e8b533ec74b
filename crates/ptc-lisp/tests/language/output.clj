(do (println "a" 1 nil) (println) (println "x\ny"))
;out> a 1 nil
;out>
;out> x
;out> y
;=> nil
(do (print "a" 1) (print "b") (println "c") (print "tail"))
;out> a 1bc
;out> tail
;=> nil
(do (prn "a" [1 "b"]) (pr "x") (newline) (printf "%d-%s" 1 "z"))
;out> "a" [1 "b"]
;out> "x"
;out> 1-z
;=> nil
[(print-str "a" 1) (prn-str "a" 1) (with-out-str (println 1))]
;=> ["a 1" "\"a\" 1\n" "1\n"]
[(print-str "a" 1) (prn-str "a" 1)]
;=> ["a 1" "\"a\" 1\n"]
(do (println "kept") (/ 1 0))
;out> kept
;!> arithmetic_error Divide by zero
(map #(println "item" %) [1 2])
;out> item 1
;out> item 2
;=> (nil nil)
(do (pprint {:a 1}) (time (+ 1 2)))
;out> {:a 1}
;=> 3
(pprint {:name "a long name for this" :items (vec (range 30)) :nested {:a {:b "some text that is long enough to wrap around"}} :set (sorted-set "aaaaaaaaaaaaaaaaaaaaaaaaa" "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" "cccccccccccccccccccc")})
;out> {:name "a long name for this",
;out>  :items
;out>  [0
;out>   1
;out>   2
;out>   3
;out>   4
;out>   5
;out>   6
;out>   7
;out>   8
;out>   9
;out>   10
;out>   11
;out>   12
;out>   13
;out>   14
;out>   15
;out>   16
;out>   17
;out>   18
;out>   19
;out>   20
;out>   21
;out>   22
;out>   23
;out>   24
;out>   25
;out>   26
;out>   27
;out>   28
;out>   29],
;out>  :nested {:a {:b "some text that is long enough to wrap around"}},
;out>  :set
;out>  #{"aaaaaaaaaaaaaaaaaaaaaaaaa"
;out>    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
;out>    "cccccccccccccccccccc"}}
;=> nil
(print-table [{:a 1 :b "xyz"} {:a 100 :b nil}])
;out>
;out> |  :a |  :b |
;out> |-----+-----|
;out> |   1 | xyz |
;out> | 100 |     |
;=> nil
;; Cells may be wide, and values nested deeply.
(map count (split-lines (with-out-str (print-table [{:a (join (repeat 70000 "é"))} {:a 1}]))))
;=> (0 70004 70004 70004 70004)
(with-out-str (print-table [{:a (join (repeat 70000 "0123456789012345678901234567890123456789"))} {:a 1} {:a 2}]))
;!> memory_exceeded string limit exceeded: 4194304 bytes
(count (with-out-str (pprint (reduce (fn [nested _] [nested]) [] (range 100000)))))
;=> 200003
(with-out-str (pprint (reduce (fn [nested _] {:a nested}) {} (range 100000))))
;!> memory_exceeded string limit exceeded: 4194304 bytes
(do (print "a") [(with-out-str (print "in") (println "side")) (try (with-out-str (/ 1 0)) (catch Exception e (println "b") :caught))])
;out> ab
;=> ["inside\n" :caught]
