(def x 1)
;=> #'x
x
;=> 1
(def x "the answer" 42)
;=> #'x
[x user/x]
;=> [42 42]
(defn square "n times n" [n] (* n n))
;=> #'square
[(square 5) square]
;=> [25 #fn[n]]
(defn arities ([a] a) ([a & more] [a more]))
;=> #'arities
[(arities 1) (arities 1 2 3) arities]
;=> [1 [1 (2 3)] #fn[[a] [a & more]]]
(square)
;!> arity_error Wrong number of arguments to square: expected 1, got 0
(defonce x 7)
;=> #'x
(defonce y 7)
;=> #'y
[x y]
;=> [42 7]
(do (def z 1) (/ 1 0))
;!> arithmetic_error Divide by zero
z
;!> undefined_symbol undefined symbol 'z'
[*1 *2 *3]
;=> [[42 7] #'y #'x]
[(var square) (#'square 3)]
;=> [#'square 9]
(defn later [] (defined-later 1))
;=> #'later
(later)
;!> undefined_symbol undefined symbol 'defined-later'
(defn defined-later [n] (inc n))
;=> #'defined-later
(later)
;=> 2
(defn inner [] (def made-inside 5))
;=> #'inner
(do (inner) made-inside)
;=> 5
(def count 5)
;=> #'count
[count (clojure.core/count [1 2])]
;=> [5 2]
(def if 1)
;!> invalid_form Invalid def: 'if' is a special form and cannot be redefined at line 1, column 6
(def a/b 1)
;!> invalid_form Invalid def: expected a name without namespace at line 1, column 6
(declare forward)
;=> nil
(defn- hidden [] 1)
;=> #'hidden
(defn check-positive [n] {:pre [(pos? n)]} n)
;=> #'check-positive
(check-positive -1)
;=> -1
