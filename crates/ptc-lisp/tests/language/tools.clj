;tools> echo find_stock broken
[(tool/echo) (tool/echo {:a 1}) (tool/echo :a 1 :b [2]) (tool/echo 1 "x") (tool/echo nil)]
;=> [{} {:a 1} {:a 1, :b [2]} [1 "x"] [nil]]
(tool/broken)
;!> tool_error Tool 'broken' failed: "out of order"
(try (tool/broken) (catch Exception e (:kind e)))
;=> :tool_error
[(map tool/echo [1 2]) (tool/find-stock "x") (find-stock "x") ((comp first tool/echo) 5)]
;=> [([1] [2]) ["x"] ["x"] 5]
(tool/echo {:keep 1 "b" 2})
;=> {:keep 1, "b" 2}
(tool/echo :a 1 :b)
;=> [:a 1 :b]
(let [f tool/echo] [(f 1) (ifn? f) (fn? f) (apply f [1 2])])
;=> [[1] true true [1 2]]
