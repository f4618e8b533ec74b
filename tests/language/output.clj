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
