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
;; Patterns, LocalDateTime and Period, with the answers of java.time.
(.format (LocalDate/parse "2024-05-01") (DateTimeFormatter/ofPattern "dd/MM/yyyy"))
;=> "01/05/2024"
(map #(.format (LocalDate/of 2024 5 1) (DateTimeFormatter/ofPattern %)) ["yyyy-MM-dd" "d MMM yyyy" "MMMM d, yyyy" "EEE, dd MMM" "EEEE" "yy/M/d" "yyyyMMdd" "'Day' d" "uuuu"])
;=> ("2024-05-01" "1 May 2024" "May 1, 2024" "Wed, 01 May" "Wednesday" "24/5/1" "20240501" "Day 1" "2024")
(.format (DateTimeFormatter/ofPattern "yyyy/MM/dd") (LocalDate/parse "2024-05-01"))
;=> "2024/05/01"
(map #(.format (LocalDateTime/of 2024 5 1 17 3 9) (DateTimeFormatter/ofPattern %)) ["yyyy-MM-dd HH:mm:ss" "h:mm a" "hh:mm" "HH'h'" "ss.SSS" "yyyy-MM-dd'T'HH:mm"])
;=> ("2024-05-01 17:03:09" "5:03 PM" "05:03" "17h" "09.000" "2024-05-01T17:03")
(str (LocalDate/parse "01/05/2024" (DateTimeFormatter/ofPattern "dd/MM/yyyy")))
;=> "2024-05-01"
(map #(str (LocalDate/parse (first %) (DateTimeFormatter/ofPattern (second %)))) [["1 May 2024" "d MMM yyyy"] ["May 1, 2024" "MMMM d, yyyy"] ["20240501" "yyyyMMdd"] ["24-5-1" "yy-M-d"] ["Wednesday 1 May 2024" "EEEE d MMMM yyyy"]])
;=> ("2024-05-01" "2024-05-01" "2024-05-01" "2024-05-01" "2024-05-01")
(.getHour (LocalDateTime/parse "2024-05-01 17:03" (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm")))
;=> 17
[(.getYear (LocalDateTime/parse "2024-05-01T17:03:09")) (.getMonthValue (LocalDateTime/parse "2024-05-01T17:03:09")) (.getDayOfMonth (LocalDateTime/of 2024 5 1 0 0)) (.getMinute (LocalDateTime/parse "2024-05-01T17:03:09")) (.getSecond (LocalDateTime/parse "2024-05-01T17:03:09"))]
;=> [2024 5 1 3 9]
(let [p (Period/between (LocalDate/parse "2023-01-15") (LocalDate/parse "2024-03-20"))] [(.getYears p) (.getMonths p) (.getDays p)])
;=> [1 2 5]
(let [p (Period/between (LocalDate/parse "2024-03-31") (LocalDate/parse "2024-02-29"))] [(.getYears p) (.getMonths p) (.getDays p)])
;=> [0 -1 -2]
(let [p (Period/between (LocalDate/parse "2024-01-31") (LocalDate/parse "2024-03-01"))] [(.getYears p) (.getMonths p) (.getDays p)])
;=> [0 1 1]
(let [p (Period/between (LocalDate/parse "2024-03-01") (LocalDate/parse "2023-12-15"))] [(.getYears p) (.getMonths p) (.getDays p)])
;=> [0 -2 -17]
[(str (.plus (LocalDate/of 2024 1 31) (Period/ofMonths 1))) (str (.minus (LocalDate/of 2024 3 31) (Period/ofMonths 1))) (str (.plus (LocalDate/of 2024 1 31) (Period/ofDays 30)))]
;=> ["2024-02-29" "2024-02-29" "2024-03-01"]
[(str (.toLocalDate (LocalDateTime/of 2024 5 1 7 30))) (.getDayOfWeek (LocalDateTime/of 2024 5 1 7 30))]
;=> ["2024-05-01" "WEDNESDAY"]
(.getHour (.plusHours (LocalDateTime/of 2024 5 1 23 30) 2))
;=> 1
(str (.toLocalDate (.plusDays (LocalDateTime/of 2024 5 31 23 30) 1)))
;=> "2024-06-01"
(.between ChronoUnit/DAYS (LocalDateTime/of 2024 5 1 0 0) (LocalDateTime/of 2024 5 3 12 0))
;=> 2
(.toMinutes (Duration/between (LocalDateTime/of 2024 5 1 0 0) (LocalDateTime/of 2024 5 1 1 30)))
;=> 90
(try (LocalDate/parse "2024-05-01" (DateTimeFormatter/ofPattern "dd/MM/yyyy")) (catch java.time.format.DateTimeParseException e :bad))
;=> :bad
(try (DateTimeFormatter/ofPattern "qqqqqq") (catch IllegalArgumentException e :bad))
;=> :bad
(.isBefore (LocalDateTime/of 2024 5 1 0 0) (LocalDateTime/of 2024 5 2 0 0))
;=> true
[(str (.atStartOfDay (LocalDate/of 2024 5 1))) (.getHour (.minusHours (LocalDateTime/of 2024 5 1 7 30) 8)) (.getMinute (.minusMinutes (LocalDateTime/of 2024 5 1 7 30) 31)) (.getMinute (.plusMinutes (LocalDateTime/of 2024 5 1 7 30) 31)) (str (.plus (LocalDate/of 2024 2 29) (Period/ofYears 1))) (inst? (Date.))]
;=> ["2024-05-01T00:00:00Z" 23 59 1 "2025-02-28" true]

[DayOfWeek/MONDAY DayOfWeek/TUESDAY DayOfWeek/WEDNESDAY DayOfWeek/THURSDAY DayOfWeek/FRIDAY DayOfWeek/SATURDAY DayOfWeek/SUNDAY]
;=> ["MONDAY" "TUESDAY" "WEDNESDAY" "THURSDAY" "FRIDAY" "SATURDAY" "SUNDAY"]

(map str [(.plus (LocalDateTime/of 2024 1 31 10 0) (Period/ofMonths 1)) (.minus (LocalDateTime/of 2024 3 31 0 30) (Period/ofMonths 1)) (.plusMonths (LocalDateTime/of 2024 1 31 10 0) 1) (.minusYears (LocalDateTime/of 2024 2 29 10 0) 1) (.plusWeeks (LocalDateTime/of 2024 2 29 10 0) 1) (.plusMonths (LocalDate/of 2024 1 31) 1)])
;=> ("2024-02-29T10:00:00Z" "2024-02-29T00:30:00Z" "2024-02-29T10:00:00Z" "2023-02-28T10:00:00Z" "2024-03-07T10:00:00Z" "2024-02-29")

;; Days and dates convert both ways.
(every? (fn [day] (= day (.toEpochDay (LocalDate/ofEpochDay day)))) (range -700000 800000 97))
;=> true
[(str (LocalDate/ofEpochDay 11016)) (.toEpochDay (LocalDate/parse "0001-01-01"))]
;=> ["2000-02-29" -719162]
