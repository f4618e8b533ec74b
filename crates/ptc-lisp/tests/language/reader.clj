[1 -1 +1 0x1F 2r101 36rZZ 017 10N 2.5 1. 1e3 -4E-2 2.5M]
;=> [1 -1 1 31 5 1295 15 10 2.5 1.0 1000.0 -0.04 2.5]
[##Inf ##-Inf ##NaN]
;=> [##Inf ##-Inf ##NaN]
1/2
;=> 0.5
09
;!> parse_error Invalid number '09'. A leading 0 means octal at line 1, column 1
1a
;!> parse_error Invalid number '1a' at line 1, column 1
9223372036854775808
;!> parse_error Invalid number '9223372036854775808'. Integers must fit in 64 bits at line 1, column 1
["a\tb\n\"\\\u0041\o101" "\d+"]
;=> ["a\tb\n\"\\AA" "\\d+"]
[\a \newline \space \tab \u0041 \o101 \( \"]
;=> ["a" "\n" " " "\t" "A" "A" "(" "\""]
\ab
;!> parse_error Invalid character '\ab' at line 1, column 1
[:a :a/b :a.b :a-b? :1 :a:b]
;=> [:a :a/b :a.b :a-b? :1 :a:b]
::a
;=> :user/a
#"a\d\"b"
;=> #"a\d\"b"
[#_ 1 2 #_ #_ 3 4 5]
;=> [2 5]
^:private [1 ^{:doc "x"} {:a 1} ^String "s"]
;=> [1 {:a 1} "s"]
{:a 1 :b}
;!> parse_error Map literal needs an even number of forms, got 3 at line 1, column 1
{:a 1 :a 2}
;!> parse_error Duplicate key: :a at line 1, column 7
#{1 1}
;!> parse_error Duplicate key: 1 at line 1, column 5
(+ 1 2
;!> parse_error Unexpected end of input: unclosed '(' opened at line 1, column 1
(+ 1 2]
;!> parse_error Unexpected ']'. '(' opened at line 1, column 1 needs ')' at line 1, column 7
1 ) 2 ]
;=> 2
`x
;!> parse_error Syntax quote '`' is not supported. Write the form itself, or quote data with ' at line 1, column 1
@x
;!> parse_error Dereference '@' is not supported. mutable state is not available; use def, reduce or loop at line 1, column 1
['1 '(1 (2)) '[a]]
;!> invalid_form Quoted symbols are not supported; use a keyword or a string at line 1, column 15
['1 '(1 (2)) '{:a #{1}} '()]
;=> [1 (1 (2)) {:a #{1}} ()]
#!/usr/bin/env ptc
(comment ignored)
;=> nil
[1,2,,3]
;=> [1 2 3]
