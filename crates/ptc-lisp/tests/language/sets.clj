[(set [1 2 1]) (set nil) (set "aba") (set {:a 1}) (hash-set 3 1 3) #{} (sorted-set 3 1 2)]
;=> [#{1 2} #{} #{"a" "b"} #{[:a 1]} #{3 1} #{} #{1 2 3}]
(set 5)
;!> type_error set: expected a collection, got number 5
(sorted-set 1 :a)
;!> type_error cannot compare keyword :a with number 1
[(#{1 2} 1) (#{1 2} 3) (contains? #{nil} nil) (#{false} false) (get #{1} 1) (get #{1} 2 :none)]
;=> [1 nil true false 1 :none]
(#{1} 1 2)
;!> arity_error Wrong number of arguments to set #{1}: expected 1, got 2
[(conj #{1} 2 1) (disj #{1 2 3} 1 3 9) (disj nil 1) (disj #{1})]
;=> [#{1 2} #{2} nil #{1}]
(disj [1 2] 1)
;!> type_error disj: expected a set or nil, got vector [1 2]

[(union) (union #{1} #{2 1} #{3}) (union nil #{1}) (union #{1} nil) (union nil nil) (union [1 2] [2 3])]
;=> [#{} #{1 2 3} #{1} #{1} nil #{1 2 3}]
[(intersection #{3 2 1} #{1 3}) (intersection #{1}) (intersection nil #{1}) (intersection #{1} nil) (intersection #{1 2 3} #{2 3} #{3})]
;=> [#{3 1} #{1} nil nil #{3}]
[(difference #{1 2 3} #{2} #{3}) (difference #{1} nil) (difference nil #{1}) (difference #{1 2} [2])]
;=> [#{1} #{1} nil #{1}]
(union #{1} 5)
;!> type_error union: expected a set, got number 5
[(subset? #{1} #{1 2}) (subset? #{} nil) (subset? #{3} #{1}) (superset? #{1 2} #{2}) (superset? nil #{1})]
;=> [true true false true false]
[(clojure.set/union #{1} #{2}) (set/difference #{1 2} #{1}) (set/subset? #{1} #{1})]
;=> [#{1 2} #{2} true]

[(set/select odd? #{1 2 3}) (set/select odd? nil) (set/project #{{:a 1 :b 2} {:a 1 :b 3}} [:a])]
;=> [#{1 3} nil #{{:a 1}}]
(set/index #{{:k :x :n 1} {:k :x :n 2} {:k :y :n 3}} [:k])
;=> {{:k :x} #{{:k :x, :n 1} {:k :x, :n 2}}, {:k :y} #{{:k :y, :n 3}}}
[(rename-keys {:a 1 :b 2} {:a :b :b :a}) (rename-keys {:a 1 :c 3} {:a :b :z :y}) (rename-keys nil {:a :b})]
;=> [{:b 1, :a 2} {:c 3, :b 1} nil]
[(map-invert {:a 1 :b 2}) (map-invert nil) (map-invert {:a 1 :b 1})]
;=> [{1 :a, 2 :b} {} {1 :b}]

[(= #{1 2} #{2 1}) (= #{1} #{1.0}) (= (sorted-set 1) #{1}) (= #{1} [1]) (contains? #{[1 2]} '(1 2))]
;=> [true false true false true]
[(first (sorted-set 3 1)) (seq #{}) (count #{1 2}) (empty #{1}) (sorted? (conj (sorted-set) 1)) (vec (into (sorted-set) [3 1 2]))]
;=> [1 nil 2 #{} true [1 2 3]]
[(set/join #{{:a 1 :b 2} {:a 2 :b 3}} #{{:a 1 :c 5}}) (set/join [{:id 1 :n "x"}] [{:of 1 :m 2} {:of 2 :m 3}] {:id :of})]
;=> [#{{:a 1, :c 5, :b 2}} #{{:id 1, :n "x", :of 1, :m 2}}]
(set/join #{1} #{{:a 1}})
;!> type_error set/join: expected a map as row, got number 1
[(set/rename #{{:a 1 :b 2}} {:a :x}) (set/join #{} #{{:a 1}})]
;=> [#{{:b 2, :x 1}} #{}]
[(union {:a 1} {:b 2}) (difference #{:a :b} {:a 1}) (intersection #{:a :b} {:a 1 :c 2}) (subset? {:a 1} #{[:a 1]})]
;=> [{:a 1, :b 2} #{:a :b} #{:a} true]
(intersection {:a 1} #{:b})
;!> type_error intersection: expected a set, got map {:a 1}
