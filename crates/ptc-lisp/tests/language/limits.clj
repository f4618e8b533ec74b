(loop [] (recur))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (loop [] (recur)); bound the loop, recursion or sequence that runs it
(defn forever [n] (inc (forever n)))
;=> #'forever
(forever 1)
;!> depth_exceeded call depth exceeded: 1000
(defn down [n] (if (zero? n) :done (recur (dec n))))
;=> #'down
(down 10000)
;=> :done
;ticks> 10001
(loop [i 0] (if (< i 5) (recur (inc i)) i))
;=> 5
;ticks> 6
(map inc [1 2 3])
;=> (2 3 4)
;ticks> 6
((fn [x] x) 1)
;=> 1
;ticks> 1
(reduce + (range 10))
;=> 45
;ticks> 19
(loop [s "x"] (recur (str s s)))
;!> memory_exceeded string limit exceeded: 4194304 bytes
(vec (range 2000000))
;!> memory_exceeded collection limit exceeded: 1000000 items
(let [xs (reduce (fn [acc i] (conj acc i)) [] (range 20000))] (count xs))
;=> 20000
(let [m (reduce (fn [m i] (update m (mod i 10) conj i)) {} (range 20000))] (count (get m 3)))
;=> 2000
(let [nested (loop [i 0 v []] (if (< i 50000) (recur (inc i) [v]) v))] (count nested))
;=> 1
(let [nested (fn [] (loop [i 0 v []] (if (< i 20000) (recur (inc i) [v]) v)))] (= (nested) (nested)))
;=> true
(count (get-in (assoc-in {} (range 20000) :end) (range 19999)))
;=> 1
(try (forever 1) (catch Exception e :caught))
;!> depth_exceeded call depth exceeded: 1000
;; What is read or written again and again by one call is paid for.
(let [text (join (repeat 100000 "0123456789"))] (dotimes [_ 1000000] (hash text)))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (hash text); bound the loop, recursion or sequence that runs it
(hash (vec (repeat 100000 (join (repeat 100000 "0123456789")))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (hash (vec (repeat 100000 (join (repeat …; bound the loop, recursion or sequence that runs it
(dotimes [i 1000000] (.matches "a" (str "(a|b){500}" i)))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (.matches "a" (str "(a|b){500}" i)); bound the loop, recursion or sequence that runs it
(dotimes [i 1000000] (.split "a" (str "(a|b){500}" i)))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (.split "a" (str "(a|b){500}" i)); bound the loop, recursion or sequence that runs it
(re-pattern (join (repeat 300 "a{2}")))
;!> regex_error Invalid regex "a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}a{2}...": longer than 1024 bytes
;; One call may hash and compare a long text any number of times.
(defn long-text [] (reduce (fn [text _] (str text text)) "0123456789" (range 18)))
;=> #'long-text
(let [text (long-text)] (count (distinct (repeat 50000 text))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(let [text (long-text)] (set (vec (repeat 50000 text))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(let [text (long-text)] (sort (vec (repeat 50000 text))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (sort (vec (repeat 50000 text))); bound the loop, recursion or sequence that runs it
(let [text (long-text)] (select-keys {text 1} (vec (repeat 50000 text))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(loop [s {:items []} i 0] (if (= i 2000) (count (get s :items)) (let [items (get s :items)] (recur {:items (conj items i)} (inc i)))))
;=> 2000
;ticks> 2001
(loop [s [[] 1] i 0] (if (= i 2000) (count (first s)) (let [items (nth s 0)] (recur [(conj items i) 2] (inc i)))))
;=> 2000
;ticks> 2001
(loop [s {:items []} i 0] (if (= i 2000) (count (:items s)) (let [items (:items s)] (recur {:items (conj items i)} (inc i)))))
;=> 2000
;ticks> 2001
;; Copies of what is shared may be kept as well: they have a limit as high as that of allocation, whatever
;; is copied, and count as no allocation.
(let [v (vec (range 63))] (count (mapv #(assoc v 0 %) (range 450000))))
;!> memory_exceeded allocation limit exceeded: 64 MiB
(let [v (vec (range 10000))] (count (mapv #(assoc v 0 %) (range 1500))))
;!> memory_exceeded allocation limit exceeded: 64 MiB
(let [xs (range 62)] (count (mapv #(cons % xs) (range 450000))))
;!> memory_exceeded allocation limit exceeded: 64 MiB
(let [m (zipmap (range 30) (range))] (count (mapv #(assoc m :x %) (range 450000))))
;!> memory_exceeded allocation limit exceeded: 64 MiB
(let [m (into (sorted-map) (zipmap (range 30) (range)))] (count (mapv #(assoc m 31 %) (range 450000))))
;!> memory_exceeded allocation limit exceeded: 64 MiB
(let [s (set (range 30))] (count (mapv (fn [_] (disj s 3)) (range 450000))))
;!> memory_exceeded allocation limit exceeded: 64 MiB
(let [[a b c d e f g h i j k l m n o p] (range)]
  (count (mapv (fn [_] (fn [] [a b c d e f g h i j k l m n o p])) (range 400000))))
;!> memory_exceeded allocation limit exceeded: 64 MiB
;; What nobody else holds is changed in place, and fewer copies are within the limit.
(count (reduce (fn [v i] (assoc v 0 i)) (vec (range 10000)) (range 400000)))
;=> 10000
(let [v (vec (range 63))] (count (mapv #(assoc v 0 %) (range 60000))))
;=> 60000
;; Past the limits many values that are endless by sharing cost no more than one.
(count (frequencies (repeat 20000 (nth (iterate (fn [v] [v v]) 1) 60))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(count (into {} (map (fn [v] [{:a v} 1]) (repeat 20000 (nth (iterate (fn [v] [v v]) 1) 60)))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(count (entries (zipmap (map (fn [i] (reduced [(nth (iterate (fn [v] [v v]) 1) 60) i])) (range 1000)) (range))))
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks
(map first (entries {(reduced [2]) 1 (reduced [1]) 2 :a 3}))
;=> (:a #<reduced [1]> #<reduced [2]>)
(while true)
;!> tick_limit_exceeded evaluation limit exceeded: 1000000 ticks, in (while true); bound the loop, recursion or sequence that runs it
