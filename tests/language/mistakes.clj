(sort-by [3 1 2] first)
;=> x
(filter [1 2] odd?)
;=> x
(map [1 2] inc)
;=> x
(reduce [1 2] +)
;=> x
(group-by [{:a 1}] :a)
;=> x
(some [1 2] odd?)
;=> x
(update-vals inc {:a 1})
;=> x
(pluck :a {:a 1})
;=> x
(includes? [1 2] 1)
;=> x
(contains? "abc" "a")
;=> x
(max [1 2])
;=> x
(+ 1 nil)
;=> x
(+ "1" 2)
;=> x
(< "a" "b")
;=> x
(map 5 [1 2])
;=> x
(:a {:a 1} 2 3)
;=> x
([1 2] 5)
;=> x
(nth {:a 1} 0)
;=> x
(get-in {:a 1} :a)
;=> x
(assoc {:a 1} :b)
;=> x
(assoc '(1 2) 0 :x)
;=> x
(conj 5 1)
;=> x
(let [x] x)
;=> x
(let (x 1) x)
;=> x
(defn f x (inc x))
;=> x
(fn [x &] x)
;=> x
(if true)
;=> x
(cond 1)
;=> x
(loop [i 0] (+ 1 (recur (inc i))))
;=> x
(loop [i 0] (recur))
;=> x
(prnt 1)
;=> x
(select_keys {:a 1} [:a])
;=> x
(str/joins "," [1])
;=> x
(.toUppercase "a")
;=> x
@x
;=> x
(defmacro m [x] x)
;=> x
("a" 1)
;=> x
(int "12")
;=> x
(let [[a b] 5] a)
;=> x
#(+ % #(inc %))
;=> x
(map #(vector %1 %2) [1 2])
;=> x
(filter (where :x =) [])
;=> x
(re-find "(" "a")
;=> x
(format "%d" "x")
;=> x
(format "%d")
;=> x
(read-string "1")
;=> x
(with-meta [1] {})
;=> x
(instance? String "a")
;=> x
(set/join #{} #{})
;=> x
(lazy-seq [1])
;=> x
(try (/ 1 0) (catch e 1))
;=> x
(defn f [x] (g x)
;=> x
[1 2)
;=> x
{:a}
;=> x
1/2
;=> x
(compare 1 "a")
;=> x
(Integer/parseInt "x")
;=> x
(LocalDate/parse "2024-13-01")
;=> x
(StringBuilder.)
;=> x
(re-groups 1)
;=> x
(sorted-map-by > 1 2)
;=> x
(aget [1] 0)
;=> x
(do (recur) (let [x] x) (if))
;=> x
