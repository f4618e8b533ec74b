(LocalDate/parse "2024-02-29")
;=> "2024-02-29"
(LocalDate/parse "2023-02-29")
;!> type_error LocalDate/parse: expected a date such as "2024-05-01", got string "2023-02-29"
[(Instant/parse "2024-05-01T07:30:00Z") (Instant/parse "2024-05-01T07:30:00.250+02:00") (Instant/parse "2024-05-01T07:30")]
;=> ["2024-05-01T07:30:00Z" "2024-05-01T05:30:00.250Z" "2024-05-01T07:30:00Z"]
(java.util.Date. "Wed, 01 May 2024 07:30:00 +0000")
;=> "2024-05-01T07:30:00Z"
[(.getTime (java.util.Date. 1000)) (.toEpochMilli (Instant/parse "1970-01-01T00:00:01Z")) (System/currentTimeMillis)]
;=> [1000 1000 1704067200000]
(let [d (LocalDate/parse "2024-02-28")] [(.plusDays d 2) (.minusDays d 28) (.toEpochDay d) (.getYear d) (.getMonthValue d) (.getDayOfMonth d)])
;=> ["2024-03-01" "2024-01-31" 19781 2024 2 28]
(let [a (LocalDate/parse "2024-01-01") b (LocalDate/parse "2024-01-02")] [(.isBefore a b) (.isAfter a b) (compare a b) (= a (LocalDate/parse "2024-01-01")) (sort [b a])])
;=> [true false -1 true ("2024-01-01" "2024-01-02")]
(let [d (Duration/between (Instant/parse "2024-01-01T00:00:00Z") (Instant/parse "2024-01-03T00:00:00Z"))] [(.toDays d) (.toMillis d) (type (LocalDate/parse "2024-01-01"))])
;=> [2 172800000 :date]
(str (LocalDate/parse "2024-05-01") " " (Instant/parse "2024-05-01T07:30:00Z"))
;=> "2024-05-01 2024-05-01T07:30:00Z"
(< (LocalDate/parse "2024-01-01") 5)
;!> type_error <: expected a number, got date "2024-01-01"
(.isBefore (LocalDate/parse "2024-01-01") (Instant/parse "2024-01-02T00:00:00Z"))
;!> type_error .isBefore: expected a date, got datetime "2024-01-02T00:00:00Z"
(filter (where :due < (LocalDate/parse "2024-06-01")) [{:due (LocalDate/parse "2024-05-01")} {:due (LocalDate/parse "2024-07-01")} {}])
;=> ({:due "2024-05-01"})
[(= (currentTimeMillis) (System/currentTimeMillis)) (str (parse "2024-05-01")) (import 'java.util.Date) (class 1)]
;=> [true "2024-05-01" nil :number]
;; Months reach further than the calendar.
(.plusMonths (LocalDate/parse "2024-05-01") 9000000000000000000)
;!> arithmetic_error integer overflow
(.minusMonths (LocalDate/parse "9999-12-31") 9223372036854775807)
;!> arithmetic_error integer overflow
