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
;=> x
(pprint {:name "a long name for this" :items (vec (range 30)) :nested {:a {:b "some text that is long enough to wrap around"}} :set (sorted-set "aaaaaaaaaaaaaaaaaaaaaaaaa" "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" "cccccccccccccccccccc")})
;=> x
(print-table [{:a 1 :b "xyz"} {:a 100 :b nil}])
;=> x
(do (print "a") [(with-out-str (print "in") (println "side")) (try (with-out-str (/ 1 0)) (catch Exception e (println "b") :caught))])
;=> x
