;; What models write out of habit, from other languages or other libraries, and what they are told.

(str/uper-case "a")
;!> invalid_form 'str/uper-case' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. Did you mean 'str/upper-case'? at line 1, column 2
(set/unon #{1} #{2})
;!> invalid_form 'set/unon' does not exist. Functions in clojure.set: difference, index, intersection, join, map-invert, project, rename, rename-keys, select, subset?, superset?, union. Did you mean 'set/union'? at line 1, column 2
(clojure.string/joins "," [1 2])
;!> invalid_form 'clojure.string/joins' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. Did you mean 'clojure.string/join'? at line 1, column 2
(str/length "abc")
;!> invalid_form 'str/length' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. use count at line 1, column 2
(str/pad-left "a" 5)
;!> invalid_form 'str/pad-left' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. use (format "%5s" text) or (format "%-5s" text) at line 1, column 2
(str/coutn "abc")
;!> invalid_form 'str/coutn' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. Did you mean 'count'? at line 1, column 2
(json/read-str "{}")
;=> {}
(Math/random)
;!> invalid_form 'Math/random' does not exist. Functions in Math: E, IEEE-remainder, IEEEremainder, PI, abs, absExact, acos, addExact, asin, atan, atan2, cbrt, ceil, copySign, cos, cosh, decrementExact, exp, expm1, floor, floorDiv, floorMod, fma, getExponent, hypot, incrementExact, log, log10, log1p, max, min, multiplyExact, negateExact, nextAfter, nextDown, nextUp, pow, rint, round, scalb, signum, sin, sinh, sqrt, subtractExact, tan, tanh, toDegrees, toIntExact, toRadians, ulp. not available: programs are deterministic at line 1, column 2
(System/getenv "HOME")
;!> invalid_form 'System/getenv' does not exist. Functions in System: currentTimeMillis. programs see nothing of the machine that they run on at line 1, column 2
(require '[clojure.string :as s]) (s/joi "," [1])
;!> invalid_form 's/joi' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. Did you mean 's/join'? at line 1, column 36
(s/join ", " ["a"])
;!> invalid_form unknown namespace 's' in s/join. Use tool/ for tools, data/ for input data, user/ for your definitions. Did you mean 'str/join'? at line 1, column 2
(strings/join ", " ["a"])
;!> invalid_form unknown namespace 'strings' in strings/join. Use tool/ for tools, data/ for input data, user/ for your definitions. Did you mean 'string/join'? at line 1, column 2
(c/frequencies [1])
;!> invalid_form unknown namespace 'c' in c/frequencies. Use tool/ for tools, data/ for input data, user/ for your definitions. Did you mean 'frequencies'? at line 1, column 2
(medley.core/map-vals inc {:a 1})
;!> invalid_form unknown namespace 'medley.core' in medley.core/map-vals. Use tool/ for tools, data/ for input data, user/ for your definitions. use update-vals at line 1, column 2
(tools/search {:q "x"})
;!> invalid_form unknown namespace 'tools' in tools/search. Use tool/ for tools, data/ for input data, user/ for your definitions. Did you mean 'tool/search'? at line 1, column 2
(clojure.edn/read-string "1")
;=> 1
(cheshire.core/parse-string "{}")
;=> {}
(clojure.java.io/reader "x")
;!> invalid_form unknown namespace 'clojure.java.io' in clojure.java.io/reader. Use tool/ for tools, data/ for input data, user/ for your definitions. no file access at line 1, column 2
(clojure.core.async/chan)
;!> invalid_form unknown namespace 'clojure.core.async' in clojure.core.async/chan. Use tool/ for tools, data/ for input data, user/ for your definitions. programs run in one thread; call the function directly at line 1, column 2
(java.util.UUID/randomUUID)
;!> invalid_form unknown namespace 'java.util.UUID' in java.util.UUID/randomUUID. Use tool/ for tools, data/ for input data, user/ for your definitions. UUIDs are strings, and programs are deterministic at line 1, column 2
(BigDecimal/valueOf 1)
;!> invalid_form unknown namespace 'BigDecimal' in BigDecimal/valueOf. Use tool/ for tools, data/ for input data, user/ for your definitions. numbers are 64-bit integers and floats; use long or double at line 1, column 2
(nowhere/nothing 1)
;!> invalid_form unknown namespace 'nowhere' in nowhere/nothing. Use tool/ for tools, data/ for input data, user/ for your definitions at line 1, column 2
[(str/joi 1) (set/unoin 1) (if) (let [x])]
;!> invalid_form 'str/joi' does not exist. Functions in clojure.string: blank?, capitalize, ends-with?, escape, includes?, index-of, join, last-index-of, lower-case, replace, replace-first, reverse, split, split-lines, starts-with?, trim, trim-newline, triml, trimr, upper-case. Did you mean 'str/join'? at line 1, column 3
;!> 'set/unoin' does not exist. Functions in clojure.set: difference, index, intersection, join, map-invert, project, rename, rename-keys, select, subset?, superset?, union. Did you mean 'set/union'? at line 1, column 15
;!> Wrong number of arguments to if: expected 2 or 3, got 0 at line 1, column 28
;!> Invalid let: bindings must be a vector with an even number of forms. 'x' has no value at line 1, column 33
null
;!> undefined_symbol undefined symbol 'null'. write nil
(if True 1 2)
;!> undefined_symbol undefined symbol 'True'. write true
None
;!> undefined_symbol undefined symbol 'None'. write nil
(setq x 5)
;!> undefined_symbol undefined symbol 'setq'. values do not change; use let, loop, reduce or def
(defun f (x) (+ x 1))
;!> undefined_symbol undefined symbol 'defun'. use (defn name [parameters] body)
(define (f x) x)
;!> undefined_symbol undefined symbol 'define'. use (def name value) or (defn name [parameters] body)
(lambda (x) x)
;!> undefined_symbol undefined symbol 'lambda'. use (fn [x] …) or #(… %)
(len [1 2 3])
;!> undefined_symbol undefined symbol 'len'. use count
(elt [1 2 3] 0)
;!> undefined_symbol undefined symbol 'elt'. use (nth coll index)
(car [1 2])
;!> undefined_symbol undefined symbol 'car'. use first
(unless false 1)
;!> undefined_symbol undefined symbol 'unless'. use when-not or if-not
(foreach [x [1 2]] x)
;!> undefined_symbol undefined symbol 'foreach'. use doseq, or run! with a function
(!= 1 2)
;!> undefined_symbol undefined symbol '!='. use not=
(** 2 3)
;!> undefined_symbol undefined symbol '**'. use pow or Math/pow
(+= x 1)
;!> undefined_symbol undefined symbol '+='. values do not change; use let, loop, reduce or def
(mean [1 2])
;!> undefined_symbol undefined symbol 'mean'. use avg, or avg-by with a key
(unique [1 1])
;!> undefined_symbol undefined symbol 'unique'. use distinct
(flatMap f [1])
;!> undefined_symbol undefined symbol 'flatMap'. use mapcat
(parseFloat "1.5")
;!> undefined_symbol undefined symbol 'parseFloat'. use parse-long or parse-double for text, long or double for numbers
(substring "abc" 1)
;!> undefined_symbol undefined symbol 'substring'. use subs
(has-key? {:a 1} :a)
;!> undefined_symbol undefined symbol 'has-key?'. use (contains? map key)
(in 1 [1 2])
;!> undefined_symbol undefined symbol 'in'. use (some #{x} coll) for items, (contains? coll key) for keys and members
(raise "no")
;!> undefined_symbol undefined symbol 'raise'. use throw
(let [dates [1]] (date dates))
;!> undefined_symbol undefined symbol 'date'. Did you mean 'dates'? use (LocalDate/parse "2024-05-01")
(let [final-answer 1] (return final_answer))
;!> undefined_symbol undefined symbol 'final_answer'. Did you mean 'final-answer'? use (return value)
(.push [1] 2)
;!> undefined_symbol undefined symbol '.push'. use (conj coll x), or str for text
(1 + 2)
;!> not_callable cannot call number 1 as a function. The function comes first: (+ 1 2)
(3 * (4 - 1))
;!> not_callable cannot call number 4 as a function. The function comes first: (- 4 1)
(filter (> 5) [1 2])
;!> not_callable cannot call boolean true as a function. Where a test is to be a function, write #(> % 5)
((:handler {}) 5)
;!> not_callable cannot call nil as a function
(reduce + [1 2] 0)
;!> type_error reduce: expected a collection, got number 0. Arguments look swapped; use (reduce f init coll)
(apply [1 2] +)
;!> type_error apply: expected a collection, got function #<builtin>. Arguments look swapped; use (apply f coll)
(group-by [{:a 1}] :a)
;!> type_error group-by: expected a collection, got keyword :a. Arguments look swapped; use (group-by key coll)
(map [{:a 1}] :a)
;!> type_error map: expected a collection, got keyword :a. Arguments look swapped; use (map f coll)
(sort-by :a :desc)
;!> type_error sort-by: expected a collection, got keyword :desc. Arguments look swapped; use (sort-by key comparator coll)
(sum-by [{:a 1}] :a)
;!> type_error sum-by: expected a collection, got keyword :a. Arguments look swapped; use (sum-by key coll)
(get-in {:a 1} :a)
;!> type_error get-in: expected a collection, got keyword :a. Use (get map key), or a path such as [:a :b]
(select-keys {:a 1} :a)
;!> type_error select-keys: expected a collection, got keyword :a. Use a vector of keys
(take [1 2] 1)
;!> type_error take: expected a number, got vector [1 2]. Arguments look swapped; use (take n coll)
(nth 0 [1 2])
;!> type_error nth: expected a number, got vector [1 2]. Arguments look swapped; use (nth coll index)
(partition [1 2] 2)
;!> type_error partition: expected a number, got vector [1 2]. Arguments look swapped; use (partition n coll)
(includes? [1 2] 1)
;!> type_error includes?: expected a string to look for, got number 1. For items of a collection use (some #{x} coll)
(index-of [1 2] 1)
;!> type_error index-of: expected a string to look for, got number 1. For items of a collection use (.indexOf coll x)
(if true 1 2 3)
;!> invalid_arity Wrong number of arguments to if: expected 2 or 3, got 4. Write several forms as (do …), several tests as cond at line 1, column 1
(let [x 1 y] x)
;!> invalid_form Invalid let: bindings must be a vector with an even number of forms. 'y' has no value at line 1, column 1
(let [x := 5] x)
;!> invalid_form Invalid let: bindings must be a vector with an even number of forms. Write [name value], without ':=' between them at line 1, column 1
(let x 1 x)
;!> invalid_form Invalid let: bindings must be a vector with an even number of forms. Write [name value name value] at line 1, column 1
(let ((x 1) (y 2)) (+ x y))
;!> invalid_form Invalid let: bindings must be a vector with an even number of forms. Write [name value name value] at line 1, column 1
(for [x in [1 2]] x)
;!> invalid_form Invalid for: bindings must be a vector with an even number of forms. Write [name value], without 'in' between them at line 1, column 1
(cond (> 1 2) :a (else :b))
;!> invalid_form Invalid cond: needs an even number of forms. Write :else and its value as two forms at line 1, column 1
(defn f (a b) (+ a b))
;!> invalid_form Invalid defn: expected a vector of parameters. Write [a b] at line 1, column 9
(-> 5 (fn [x] (inc x)))
;!> invalid_form Invalid fn: expected a vector of parameters. To thread into a function write ((fn [x] …)) at line 1, column 5
{a: 1}
;!> parse_error Invalid symbol 'a:'. Did you mean ':a'? at line 1, column 2
{"a": 1}
;!> parse_error Invalid keyword ':'. A map is written {key value}, without colons between at line 1, column 5
(|| true false)
;!> parse_error Unexpected '|'. Use or at line 1, column 2
(// 5 2)
;!> parse_error Invalid symbol '//'. Use quot, or ; for comments at line 1, column 2
#inst "2024-01-01"
;!> parse_error Tagged literal '#inst' is not supported. Use (Instant/parse text) at line 1, column 1
#uuid "x"
;!> parse_error Tagged literal '#uuid' is not supported. Write a string at line 1, column 1
```clojure (+ 1 2)```
;!> parse_error Syntax quote '`' is not supported. Leave the marks around the code out at line 1, column 1
(let [x 1) x]
;!> parse_error Unexpected ')'. '[' opened at line 1, column 6 needs ']' at line 1, column 10
(let [x (inc 1
;!> parse_error Unexpected end of input: unclosed '(' opened at line 1, column 9. Missing in all: )])
(defn f [x]
  (if x
    (println "big")
  (println "small"))
(f 2)
;!> parse_error Unexpected end of input: unclosed '(' opened at line 1, column 1. The form at line 5, column 1 stands inside of it
(defn total [rows] (reduce + (map :price rows))) (total [{:price 1} {:price "2"}])
;!> type_error +: expected a number, got string "2"
(->> [{:a 1} {:a nil}] (map :a) (map inc) (reduce +))
;!> type_error inc: expected a number, got nil
