#!/usr/bin/env python3
"""Writes random expressions over the builtins, one JSON object {id, program} a line, for compare.py.

Each function has the types of its arguments and of its result; an argument is a literal, another call, or
now and then a value of any type. The same seed gives the same programs.
"""

import argparse
import json
import random

LITERALS = {
    "int": "0 1 -1 2 3 5 7 10 -4 42 100 1000003".split(),
    "small": "0 1 2 3 -1 4".split(),
    "float": "0.0 -0.0 1.5 -2.5 0.1 100.0 1e10 1.0E-5 3.14159 0.5 2.0".split(),
    "odd-float": "##Inf ##-Inf ##NaN".split(),
    "bool": "true false".split(),
    "nil": ["nil"],
    "keyword": ":a :b :c :name :x/y".split(),
    "string": ['""', '"a"', '"abc"', '"Hello World"', '"a,b,,c"', '" pad "', '"héllo"', '"x=1;y=22"', '"A-b_C"', '"12"', '"3.5"', '"line1\\nline2"', '"aXbXc"'],
    "char": ["\\a", "\\space", "\\Z", "\\1", "\\,"],
    "regex": ['#"\\d+"', '#","', '#"[a-c]"', '#"(\\w)(\\d)?"', '#"\\s+"', '#"(?i)h"', '#"X"', '#"(\\w+)=(\\d+)"'],
    "ints": ["[]", "[1 2 3]", "[3 1 2 3 1]", "(list 4 5 6)", "'(1 2 3)", "(range 6)", "(range 1 10 3)", "[5]", "[-1 0 1]", "(map inc [1 2 3])", "[10 9 8 7 6 5 4]", "nil", "(sorted-set 3 1 2)"],
    "numbers": ["[1 2.5 3]", "[0.1 0.2]", "[-1.5 2]", "[1 1.0]"],
    "strings": ['["b" "a" "c"]', '["x"]', '["apple" "fig" "banana"]', '(list "q" "r")', '["a" "A" "b"]', "[]"],
    "keywords": ["[:a :b :c]", "[:b :a]", "(list :c)", "[:x/y :a]"],
    "pairs": ["[[:a 1] [:b 2]]", "[[1 2] [3 4]]", "(seq {:a 1 :b 2})", '[["k" 1]]', "[]"],
    "mixed": ["[1 :a \"s\" nil]", "[nil false true]", "[[1 [2]] 3]", "[1 [2 [3 [4]]]]", "(list nil)", "[{:a 1} {:a 2} {:a 1}]", "[#{1} {:a [1]}]", "[1 1.0 2]", '"hello"', "{:a 1 :b 2}"],
    "nested": ["[[3 1] [2]]", "[[] [1 2]]", "(list [1] (list 2 3))", "[[1 2 3] [4 5 6]]", "[nil [1]]"],
    "map": ["{}", "{:a 1}", "{:a 1 :b 2 :c 3}", "{:b 2 :a 1}", '{"k" 1 "m" 2}', "{1 :one 2 :two}", "{:a nil :b false}", "nil", "(sorted-map :b 1 :a 2)", "{[1 2] :v}"],
    "intmap": ["{:a 1 :b 2}", "{:x 10}", "{}", '{"p" 3 "q" 4}', "(sorted-map :z 1 :y 2)", "(zipmap [:a :b] (range))"],
    "deep": ["{:a {:b {:c 1}}}", "{:a {:b 2} :x [1 2 {:y 3}]}", "{:a [1 2 3]}", "{:name {:a 1}}", "[{:a 1} {:b 2}]", "nil"],
    "rows": ["[{:name \"a\" :x 1 :g :p} {:name \"b\" :x 3 :g :q} {:name \"c\" :x 2 :g :p}]", "[{:x 1} {:x nil} {}]", "[]"],
    "set": ["#{}", "#{1}", "#{:a}", "(sorted-set 1 2 3)", "(sorted-set 2 3 4)", "(sorted-set)", "#{\"a\"}"],
    "path": ["[:a :b]", "[:a]", "[:a :b :c]", "[]", "[:x 2 :y]", "[:zz :b]", "[:a 0]", "nil"],
    "pred": "odd? even? pos? neg? zero? nil? some? number? string? keyword? map? vector? coll? int? float? true? false? empty? identity not".split() + ["#{1 2 :a}", "#(> % 2)", "(fn [x] (= x 1))", "(complement nil?)", "(every-pred int? pos?)", "(some-fn nil? odd?)", "#(and (number? %) (< % 3))"],
    "intpred": ["odd?", "even?", "pos?", "#(> % 2)", "#{1 3}", "(comp odd? inc)", "(partial < 2)"],
    "intfn": ["inc", "dec", "#(* % %)", "(partial + 10)", "(fn [x] (- x))", "(comp inc inc)", "str", "identity", "#(mod % 3)", "(constantly 7)", "vector", "(juxt inc dec)", "-"],
    "fn": ["identity", "str", "vector", "list", "pr-str", "(constantly nil)", "#(vector % %)", "(fn [& xs] (count xs))", "type-free", "name", "first", "count", "keyword", ":a", "(fnil inc 0)"],
    "intfn2": "+ - * max min vector list str conj-free".split() + ["(fn [a b] (+ (* 10 a) b))", "#(- %2 %1)"],
    "keyfn": [":x", ":name", ":g", "(juxt :g :x)", "count", "identity", "(comp str :x)", "(fnil :x {})"],
    "cmp": ["<", ">", "compare", "#(compare %2 %1)", "(comparator-free)", "(fn [a b] (> a b))"],
    "xform": ["(map inc)", "(filter odd?)", "(comp (map inc) (filter even?))", "(take 2)", "(drop 1)", "(partition-all 2)", "(mapcat #(list % %))", "(distinct)", "(dedupe)", "(remove even?)", "(take-while #(< % 3))", "(map-indexed vector)", "(keep #(when (odd? %) (* % %)))", "(interpose 0)", "(take-nth 2)", "(drop-while odd?)", "(partition-by odd?)", "(keep-indexed #(when (even? %1) %2))", "(comp (map str) (map count))"],
    "fmt-int": ['"%d"', '"%5d|"', '"%-5d|"', '"%05d"', '"%,d"', '"%+d"', '"%x"', '"%s items"', '"%o"', '"%(d"', '"%X"'],
    "fmt-float": ['"%.2f"', '"%8.3f"', '"%e"', '"%g"', '"%.0f"', '"%,.2f"', '"%+.1f"', '"%s"', '"%-10.1f|"', '"%.1f%%"'],
    "fmt-any": ['"%s"', '"[%10s]"', '"[%-10s]"', '"%.2s"', '"%S"', '"%b"', '"%s and %s"'],
}

# Types that stand in for another.
SUPERTYPES = {
    "number": ["int", "int", "float", "int", "odd-float"],
    "seq": ["ints", "strings", "keywords", "pairs", "mixed", "nested", "numbers", "map", "string", "set", "rows"],
    "vec": ["ints", "strings", "mixed", "nested"],
    "any": ["int", "float", "bool", "nil", "keyword", "string", "ints", "mixed", "map", "set", "char", "deep", "nested"],
    "key": ["keyword", "keyword", "int", "string", "nil"],
    "assoc": ["map", "map", "deep", "ints"],
    "named": ["keyword", "string"],
}

FUNCTIONS = """
+ number number -> number | - number number -> number | * number number -> number | / int float -> number
- number -> number | / float -> number | + int int int -> int | quot number number -> number | rem number number -> number
mod number number -> number | inc number -> number | dec number -> number | abs number -> number | max number number number -> number
min number number number -> number | max number -> number | double number -> float | long number -> int | int float -> int
bit-and int int -> int | bit-or int int -> int | bit-xor int int int -> int | bit-not int -> int | bit-shift-left int small -> int
bit-shift-right int small -> int | bit-test int small -> bool | bit-set int small -> int | bit-clear int small -> int
bit-flip int small -> int | unsigned-bit-shift-right int small -> int | bit-and-not int int -> int
Math/sqrt number -> float | Math/pow number number -> float | Math/floor number -> float | Math/ceil number -> float
Math/round float -> int | Math/abs number -> number | Math/signum float -> float | Math/cbrt number -> float | Math/max number number -> number
= any any -> bool | = number number -> bool | not= any any -> bool | == number number -> bool | < number number -> bool
> number number number -> bool | <= number number -> bool | >= number number -> bool | = seq seq -> bool | compare int int -> int
compare keyword keyword -> int | compare any any -> int | not any -> bool | boolean any -> bool | true? any -> bool | false? any -> bool
nil? any -> bool | some? any -> bool | boolean? any -> bool | number? any -> bool | string? any -> bool | keyword? any -> bool
map? any -> bool | set? any -> bool | vector? vec -> bool | coll? any -> bool | int? number -> bool | integer? any -> bool
float? number -> bool | double? any -> bool | rational? number -> bool | nat-int? number -> bool | pos-int? number -> bool
neg-int? number -> bool | sequential? any -> bool | associative? any -> bool | seqable? any -> bool | fn? any -> bool | ifn? any -> bool
any? any -> bool | zero? number -> bool | pos? number -> bool | neg? number -> bool | even? int -> bool | odd? int -> bool
infinite? float -> bool | NaN? number -> bool | distinct? any any any -> bool | sorted? any -> bool | ident-free any -> bool
first seq -> any | second seq -> any | last seq -> any | ffirst nested -> any | fnext seq -> any | nfirst nested -> seq | nnext seq -> seq
rest seq -> seq | next seq -> seq | butlast seq -> seq | nth vec small -> any | nth vec small any -> any | take small seq -> seq
drop small seq -> seq | take-while intpred ints -> ints | drop-while intpred ints -> ints | take-last small seq -> seq
drop-last small seq -> seq | drop-last seq -> seq | take-nth small ints -> ints | nthrest seq small -> seq | nthnext seq small -> seq
split-at small seq -> nested | split-with intpred ints -> nested | peek vec -> any | pop vec -> seq | subvec vec small small -> seq | rseq vec -> seq
map intfn ints -> seq | map fn seq -> seq | map intfn2 ints ints -> seq | mapv intfn ints -> vec | mapv intfn2 ints ints -> vec
map-indexed vector-fn seq -> seq | mapcat nestfn nested -> seq | filter pred seq -> seq | filter intpred ints -> ints | remove pred seq -> seq
filterv pred seq -> seq | keep fn seq -> seq | keep-indexed vector-fn seq -> seq | reduce intfn2 ints -> any | reduce + int ints -> int
reduce conj vec seq -> vec | reductions + ints -> ints | reductions intfn2 int ints -> seq | reduce-kv kvfn map map -> any
distinct seq -> seq | dedupe seq -> seq | sort ints -> ints | sort strings -> strings | sort cmp ints -> ints | sort seq -> seq
sort-by keyfn rows -> seq | sort-by intfn ints -> ints | sort-by keyfn cmp rows -> seq | sort-by count strings -> strings
sort-by val intmap -> pairs | sort-by key intmap -> pairs | sort-by first pairs -> pairs | sort-by - ints -> ints
reverse seq -> seq | flatten mixed -> seq | flatten nested -> seq | concat seq seq -> seq | concat seq -> seq | cons any seq -> seq | conj vec any -> vec
conj ints int int -> ints | conj map pair -> map | conj set any -> set | into vec seq -> vec | into map pairs -> map | into set-lit ints -> set
into list-lit ints -> seq | into vec xform ints -> vec | transduce xform conj ints -> vec | transduce xform + int ints -> any | sequence xform ints -> seq
empty seq -> seq | not-empty seq -> any | empty? seq -> bool | seq seq -> seq | count seq -> int | vec seq -> vec | vector any any -> vec
list any any -> seq | list* any seq -> seq | interleave seq seq -> seq | interpose any seq -> seq | partition small seq -> nested
partition small small seq -> nested | partition small small seq seq -> nested | partition-all small seq -> nested | partition-all small small seq -> nested
partition-by intpred ints -> nested | partition-by fn seq -> nested | group-by intpred ints -> map | group-by fn seq -> map | group-by keyfn rows -> map
frequencies seq -> intmap | some pred seq -> any | every? pred seq -> bool | not-any? pred seq -> bool | not-every? pred seq -> bool
contains? map key -> bool | contains? set any -> bool | contains? vec small -> bool | range small -> ints | range small int -> ints
range int small small -> ints | range 0 1 float-step -> seq | repeat small any -> seq | take small gen -> seq | tree-seq coll? seq mixed -> seq
walk/postwalk-replace map nested -> any | walk/prewalk-replace map mixed -> any | walk/keywordize-keys map -> map | walk/stringify-keys map -> map
walk/postwalk incnum mixed -> any | walk/prewalk incnum nested -> any | replace map vec -> seq | min-key absfn int int int -> int | max-key absfn int int int -> int
max-key count string string -> string | apply max-key val-pair -> any | get map key -> any | get map key any -> any | get vec small -> any | get string small -> any | get set any -> any
get-in deep path -> any | get-in deep path any -> any | assoc map key any -> map | assoc vec small any -> vec | assoc-in deep path any -> deep
update map key fn -> map | update intmap keyword nilinc -> intmap | update-in deep path fn -> deep | dissoc map key -> map | dissoc map key key -> map
merge map map -> map | merge map nil map -> map | merge-with + intmap intmap -> intmap | merge-with into-fn map map -> map | merge-with vector intmap intmap -> map
select-keys map keywords -> map | keys map -> seq | vals map -> seq | find map key -> any | update-vals map fn -> map | update-vals intmap intfn -> map
update-keys map fn -> map | zipmap keywords ints -> intmap | zipmap seq seq -> map | hash-map key any -> map | sorted-map keyword any keyword any -> map
array-map key any key any -> map | set ints -> set | hash-set int -> set | sorted-set int int int -> set | set/union set set -> set | set/intersection set set -> set
set/difference set set -> set | disj set any -> set | set/subset? set set -> bool | set/superset? set set -> bool | set/select intpred sorted-ints -> set
set/rename-keys map keymap -> map | set/map-invert map -> map | set/project rowset keywords -> set | set/index rowset keywords -> map | set/join-free set set -> set
identity any -> any | apply + ints -> int | apply intfn2 ints -> any | apply str seq -> string | apply max ints -> int | apply map vector-lit nested -> seq | apply concat nested -> seq
call juxt-fn ints -> vec | call comp-fn int -> any | call fnil-fn any -> any | call partial-fn int -> any | call everypred any -> bool | call somefn any -> any | call keyword map -> any | call keyword map any -> any
call map key -> any | call set any -> any | call map key any -> any | str any any -> string | str seq -> string | str number -> string | pr-str any any -> string | pr-str seq -> string | pr-str number -> string
subs string small -> string | subs string small small -> string | str/join strings -> string | str/join string seq -> string | str/split string regex -> strings
str/split string regex small -> strings | str/split-lines string -> strings | str/trim string -> string | str/triml string -> string | str/trimr string -> string
str/trim-newline string -> string | str/upper-case string -> string | str/lower-case string -> string | str/capitalize string -> string | str/replace string string string -> string
str/replace string regex string -> string | str/replace string regex strfn -> string | str/replace-first string regex string -> string | str/replace-first string string string -> string | str/starts-with? string string -> bool
str/ends-with? string string -> bool | str/includes? string string -> bool | str/index-of string string -> int | str/last-index-of string string -> int
str/index-of string string small -> any | str/blank? string -> bool | str/reverse string -> string | str/escape string escmap -> string | format fmt-int int -> string
format fmt-float float -> string | format fmt-any any -> string | format fmt-any any any -> string | name named -> string | namespace keyword -> string | keyword string -> keyword | keyword named -> keyword
keyword string string -> keyword | parse-long string -> int | parse-double string -> float | parse-boolean string -> bool | re-find regex string -> any | re-matches regex string -> any
re-seq regex string -> seq | re-find grouped string -> any | re-seq grouped string -> seq | print-str any any -> string | prn-str any -> string | println-str any any -> string
.length string -> int | .toUpperCase string -> string | .indexOf string string -> int | .substring string small -> string | .contains string string -> bool | .startsWith string string -> bool | .replace string string string -> string
Integer/parseInt numstr -> int | Long/parseLong numstr -> int | Double/parseDouble numstr -> float | Integer/toBinaryString int -> string | Integer/toHexString int -> string | Character/isDigit char -> bool | Character/isLetter char -> bool
Character/isUpperCase char -> bool | let-destructure vec -> any | let-map map -> any | for-form ints -> seq | loop-form small -> any | cond-form any -> any | case-form any -> any | thread-form ints -> any | as-form int -> any | some-form deep -> any
condp-form int -> any | doseq-form ints -> any | when-let-form any -> any | if-some-form any -> any | try-form any -> any | multi-form any -> any | iterate-form small -> any | cond-thread int -> any | letfn-form small -> any
update-conj keyword any -> any | reduce-map rows -> any | group-count rows -> any | into-for rows -> any | reduced-form ints -> any | while-form small -> any | dotimes-form small -> any | comp-xf ints -> any
"""

LITERALS.update({
    "vector-fn": ["vector", "(fn [i x] [i x])", "(fn [i x] (when (even? i) x))", "list", "(fn [i _] (* i i))"],
    "nestfn": ["reverse", "identity", "rest", "#(map inc %)", "seq", "vec"],
    "kvfn": ["(fn [m k v] (assoc m v k))", "(fn [acc k v] (conj acc [k v]))", "assoc"],
    "set-lit": ["#{}", "(sorted-set)"], "list-lit": ["()", "'()", "(list)", "nil"], "pair": ["[:z 1]", "{:a 2 :q 3}", "nil", "[:a nil]"],
    "gen": ["(iterate inc 1)", "(cycle [1 2 3])", "(repeat :x)", "(range)", "(map inc (range))", "(filter odd? (range))", "(iterate #(* 2 %) 1)", "(repeatedly (constantly 1))", "(drop 3 (range))"],
    "float-step": ["0.25", "0.1", "0.5"], "incnum": ["#(if (number? %) (inc %) %)", "#(if (map? %) (assoc % :seen true) %)", "#(if (string? %) (keyword %) %)", "#(if (vector? %) (vec (reverse %)) %)"],
    "absfn": ["abs", "-", "identity", "#(mod % 5)"], "val-pair": ["val {:a 1 :b 5 :c 3}", "second [[:a 1] [:b 2]]", "count [[1] [1 2] [3 4]]"],
    "nilinc": ["(fnil inc 0)", "(fnil + 1) 5", "(constantly 1)", "str"], "into-fn": ["(fn [a b] b)", "vector", "(fn [a b] [a b])"],
    "sorted-ints": ["(sorted-set 1 2 3)", "(sorted-set)", "#{1}"], "keymap": ["{:a :z}", "{:a :b :b :a}", "{}", "{:q :r}"], "rowset": ["#{{:a 1 :b 2} {:a 3 :b 4}}", "#{}", "#{{:a 1} {:b 1}}"],
    "juxt-fn": ["(juxt first last count)", "(juxt count)", "(juxt #(reduce + %) empty?)"], "comp-fn": ["(comp str inc)", "(comp)", "(comp - abs)", "(comp first vector)"], "fnil-fn": ["(fnil str \"d\")", "(fnil vector 1)", "(fnil count [])"],
    "partial-fn": ["(partial + 1)", "(partial vector 1 2)", "(partial str \"n=\")"], "everypred": ["(every-pred number? pos?)", "(every-pred coll?)"], "somefn": ["(some-fn string? nil?)", "(some-fn :a :b)"],
    "strfn": ["str/upper-case", "(fn [m] (str \"<\" m \">\"))", "#(if (vector? %) (str (count %)) (str/reverse %))"], "escmap": ["{\\a \"A\"}", "{\\l \"[\" \\e \\E}", "{}"],
    "grouped": ['#"(\\w)(\\d)?"', '#"(a)|(b)"', '#"([a-z]+)([A-Z])"', '#"(\\w+)=(\\d+)"', '#"(?:x)(y)?"'], "numstr": ['"42"', '"-7"', '"+3"', '"0"', '"007"', '"1e3"', '" 5"', '""', '"abc"', '"2.50"'], "vector-lit": ["vector", "list", "+"],
})

# Forms other than a plain call: {0}, {1} are the arguments.
FORMS = {
    "call": "({0} {1} {2})", "println-str": "(with-out-free {0} {1})",
    "let-destructure": ["(let [[a b & more :as all] {0}] [a b more (count all)])", "(let [[x [y]] [1 {0}]] [x y])", "(let [[a & [b & c]] {0}] {{:a a :b b :c c}})"],
    "let-map": ["(let [{{:keys [a b] :or {{b 9}} :as m}} {0}] [a b m])", "(let [{{x :a, y :zz, :or {{y :none}}}} {0}] [x y])", "(let [{{:strs [k m]}} {0}] [k m])"],
    "for-form": ["(for [x {0} :when (odd? x)] (* x x))", "(for [x {0} y [1 2] :let [z (+ x y)] :while (< z 6)] [x y z])", "(into {{}} (for [x {0}] [x (str x)]))", "(for [x {0}, y (range x)] y)"],
    "loop-form": ["(loop [i 0 acc []] (if (>= i {0}) acc (recur (inc i) (conj acc (* i i)))))", "(loop [n {0} f 1] (if (pos? n) (recur (dec n) (* f n)) f))"],
    "cond-form": ["(cond (nil? {0}) :nil (number? {0}) :num (string? {0}) :str :else :other)", "(if-let [x {0}] [x] :none)"],
    "case-form": ["(case {0} 1 :one (2 3) :few \"a\" :str :a :kw nil :nil :default)", "(case {0} true 1 [1 2] 2 {{}} 3 4)"],
    "thread-form": ["(->> {0} (filter odd?) (map inc) (reduce +))", "(-> {0} vec (conj 9) count)", "(->> {0} (map #(* % 2)) (take 2) (apply str))", "(->> {0} (sort >) first)", "(->> {0} (partition-all 2) (mapv vec))"],
    "as-form": ["(as-> {0} x (+ x 1) [x x])", "(-> {0} (+ 1) (* 2) str)", "(doto {0} inc)"],
    "some-form": ["(some-> {0} :a :b)", "(some->> {0} (map first))", "(some-> {0} :a :b inc)"],
    "condp-form": ["(condp < {0} 100 :big 10 :mid :small)", "(condp = {0} 1 :one 2 :two :many)"],
    "doseq-form": ["(doseq [x {0}] (println x (* x x)))", "(doseq [[i x] (map-indexed vector {0})] (print i x \" \"))", "(run! println {0})", "(doseq [x {0} :when (odd? x)] (prn {{:x x}}))"],
    "when-let-form": ["(when-let [[x] (seq {0})] x)", "(when-first [x {0}] [x])", "(when-some [x {0}] [x])"], "if-some-form": ["(if-some [x {0}] [:some x] :none)", "(if-not {0} 1 2)"],
    "try-form": ["(try (inc {0}) (catch Exception e :error) (finally (println \"done\")))", "(try (throw (ex-info \"bad\" {{:v {0}}})) (catch Exception e [(ex-message e) (ex-data e)]))"],
    "multi-form": ["((fn ([] 0) ([x] [x]) ([x & r] [x r])) {0} 2 3)", "((fn [& {{:keys [a b]}}] [a b]) :a {0})", "(let [f (fn [x & [y]] [x y])] (f {0}))"],
    "iterate-form": ["(take {0} (iterate (fn [[a b]] [b (+ a b)]) [0 1]))", "(take {0} (map vector (range) (cycle [:a :b])))", "(nth (iterate #(* 3 %) 1) {0})"],
    "cond-thread": ["(cond-> {0} true inc (odd? {0}) (* 2) false dec)", "(cond->> [{0}] true (map inc) nil (filter odd?))"],
    "letfn-form": ["(letfn [(ev? [n] (if (zero? n) true (od? (dec n)))) (od? [n] (if (zero? n) false (ev? (dec n))))] (ev? (abs {0})))"],
    "update-conj": ["(update {{:a [1]}} {0} (fnil conj []) {1})", "(update-in {{:a {{:b 1}}}} [:a {0}] (constantly {1}))", "(assoc-in {{}} [{0} :z] {1})", "(update {{:a 1}} {0} str {1})"],
    "reduce-map": ["(reduce (fn [m {{:keys [g x]}}] (update m g (fnil + 0) (or x 0))) {{}} {0})", "(into {{}} (map (juxt :name :x)) {0})", "(reduce (fn [acc r] (assoc acc (:name r) r)) (sorted-map) {0})"],
    "group-count": ["(update-vals (group-by :g {0}) count)", "(->> {0} (group-by :g) (map (fn [[k v]] [k (count v)])) (sort-by second >))", "(frequencies (map :g {0}))"],
    "into-for": ["(into (sorted-map) (for [{{:keys [name x]}} {0}] [name x]))", "(vec (for [r {0} :let [x (:x r)] :when x] (assoc r :x (* 2 x))))", "(apply max-key :x {0})", "(map #(select-keys % [:x]) {0})"],
    "reduced-form": ["(reduce (fn [a x] (if (> x 2) (reduced [:stop a]) (+ a x))) 0 {0})", "(reductions (fn [a x] (if (> x 2) (reduced :stop) (+ a x))) 0 {0})", "(reduce #(if (neg? %2) (reduced %1) (conj %1 %2)) [] {0})"],
    "while-form": ["(loop [i {0}] (when (< i 3) (println i) (recur (inc i))))"], "dotimes-form": ["(dotimes [i {0}] (print i))", "(with-out-free {0})"],
    "comp-xf": ["(into [] (comp (map inc) (remove odd?) (map str)) {0})", "(transduce (comp (filter odd?) (map #(* % %))) + {0})", "(sequence (comp (map-indexed vector) (filter (comp even? first))) {0})"],
}
SKIPPED = ("-free",)


def parse_functions():
    rows = []
    for part in FUNCTIONS.replace("\n", " | ").split(" | "):
        if not part.strip():
            continue
        left, result = part.split(" -> ")
        name, *arguments = left.split()
        if not name.endswith("-free") and name != "println-str":
            rows.append((name, arguments, result.strip()))
    return rows


class Generator:
    def __init__(self, seed, oddity):
        self.random = random.Random(seed)
        self.rows = parse_functions()
        self.oddity = oddity
        self.by_result = {}
        for row in self.rows:
            self.by_result.setdefault(row[2], []).append(row)

    def program(self, number):
        return self.call(self.rows[number % len(self.rows)], self.random.choice([0, 1, 1, 2]))

    def call(self, row, depth):
        name, types, _ = row
        arguments = [self.argument(kind, depth) for kind in types]
        if name == "call":
            return "(" + " ".join(arguments) + ")"
        if name in FORMS:
            return self.random.choice(usable(FORMS[name])).format(*arguments)
        if name == "apply" and " " in arguments[0] and not arguments[0].startswith(("(", "#")):
            return f"(apply max-key {arguments[0]})"
        return "(" + " ".join([name, *arguments]) + ")"

    def argument(self, kind, depth):
        if self.random.random() < self.oddity and kind in ANYWHERE:
            kind = "any"
        if kind in SUPERTYPES:
            kind = self.random.choice(SUPERTYPES[kind])
        candidates = self.by_result.get(kind)
        if candidates and depth > 0 and self.random.random() < 0.5:
            return self.call(self.random.choice(candidates), depth - 1)
        if kind not in LITERALS:
            return kind
        return self.random.choice(usable(LITERALS[kind]))


ANYWHERE = set(LITERALS) - {"pred", "fn", "regex"} | set(SUPERTYPES)


def usable(texts):
    texts = [texts] if isinstance(texts, str) else texts
    return [text for text in texts if not any(mark in text for mark in SKIPPED)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--oddity", type=float, default=0.08, help="how often an argument is of any type")
    options = parser.parse_args()
    generator = Generator(options.seed, options.oddity)
    seen, number = set(), 0
    while len(seen) < options.count:
        number += 1
        program = generator.program(number)
        if program not in seen:
            seen.add(program)
            print(json.dumps({"id": f"{options.seed}-{len(seen)}", "program": program}, ensure_ascii=False))


if __name__ == "__main__":
    main()
