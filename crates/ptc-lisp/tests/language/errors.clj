(+ 1 (undefined-thing 2))
;!> undefined_symbol undefined symbol 'undefined-thing'
(let [total-qty 5] total_qty)
;!> undefined_symbol undefined symbol 'total_qty'. Did you mean 'total-qty'?
(coutn [1 2])
;!> undefined_symbol undefined symbol 'coutn'. Did you mean 'count'?
(map if [1 2])
;!> undefined_symbol undefined symbol 'if'. 'if' is a special form; write (if …)
(atom 1)
;!> undefined_symbol undefined symbol 'atom'. mutable state is not available; use def, reduce or loop
(rand)
;!> undefined_symbol undefined symbol 'rand'. not available: programs are deterministic
(slurp "x")
;!> undefined_symbol undefined symbol 'slurp'. no file access
(foo/bar 1)
;!> invalid_form unknown namespace 'foo' in foo/bar. Use tool/ for tools, data/ for input data, user/ for your definitions at line 1, column 2
(.nope "x")
;!> undefined_symbol undefined symbol '.nope'. The nearest methods are .nth, .size, .after
(do (if) (let [x]) (recur))
;!> invalid_arity Wrong number of arguments to if: expected 2 or 3, got 0 at line 1, column 5
;!> Invalid let: bindings must be a vector with an even number of forms. 'x' has no value at line 1, column 10
;!> recur must be in tail position at line 1, column 20
(inc)
;!> arity_error Wrong number of arguments to inc: expected 1, got 0
(subs "abc")
;!> arity_error Wrong number of arguments to subs: expected 2 or 3, got 1
(update {:a 1} :a)
;!> arity_error Wrong number of arguments to update: expected 3+, got 2
(count 5)
;!> type_error count: expected a collection, got number 5
(first {:a [1 2 3 4]} 2)
;!> arity_error Wrong number of arguments to first: expected 1, got 2
(+ 1 {:a [1 2 3 4] :b "x" :c 1 :d 2})
;!> type_error +: expected a number, got map {:a [1 2 3 ...], :b "x", :c 1, ...} (4 items, showing first 3)
(max [1 2])
;!> type_error max: expected a number, got vector [1 2]. Use (apply max coll)
(contains? "abc" "b")
;!> type_error contains?: expected an index, got string "b". To look for text use (includes? string text)
[(try (inc nil) (catch Exception e (:kind e))) (try (undefined-x) (catch Exception e (:message e))) (try (first 5) (catch Throwable e (.getMessage e)))]
;=> [:type_error "undefined symbol 'undefined-x'" "first: expected a collection, got number 5"]
(try (println "in") (throw {:message "why" :code 5}) (catch Exception e e) (finally (println "finally")))
;out> in
;out> finally
;=> {:kind :thrown, :message "why", :data {:message "why", :code 5}}
(try (return 5) (catch Exception e :caught))
;return> 5
(try (loop [] (recur)) (catch Exception e :caught))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (loop [] (recur)); bound the loop, recursion or sequence that runs it
(throw :boom)
;!> thrown :boom

(let [total 1 tot 2] totl)
;!> undefined_symbol undefined symbol 'totl'. Did you mean 'tot'?
(let [flier 1] fliter)
;!> undefined_symbol undefined symbol 'fliter'. Did you mean 'filter'?
(maap 1)
;!> undefined_symbol undefined symbol 'maap'. Did you mean 'map'?
(prinltn 1)
;!> undefined_symbol undefined symbol 'prinltn'. Did you mean 'println'?
broken-code
;!> undefined_symbol undefined symbol 'broken-code'
(let [filtrex 1] filtre)
;!> undefined_symbol undefined symbol 'filtre'. Did you mean 'filtrex'?
(mpa 1)
;!> undefined_symbol undefined symbol 'mpa'. Did you mean 'map'?
(let [firstly 1] fst)
;!> undefined_symbol undefined symbol 'fst'
(let [y 1] x)
;!> undefined_symbol undefined symbol 'x'
ys
;!> undefined_symbol undefined symbol 'ys'. Did you mean 'ns'?
(let [abcd 1] xyzw)
;!> undefined_symbol undefined symbol 'xyzw'
(let [total-qt 1 total-qty 2] total_qty)
;!> undefined_symbol undefined symbol 'total_qty'. Did you mean 'total-qty'?
(let [a-b-c-d 1 abcd 2] a_b_c_d)
;!> undefined_symbol undefined symbol 'a_b_c_d'. Did you mean 'a-b-c-d'?
(let [total_qty 1] total-qty)
;!> undefined_symbol undefined symbol 'total-qty'. Did you mean 'total_qty'?
