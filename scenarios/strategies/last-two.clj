;; What was defined stays; what was called and printed is shown for the last turns only.
;; A variant of the suite says how many: {program: strategies/last-two.clj, turns: 2}

(defn turn-block
  "What one turn called and printed"
  [turn]
  (str/join "\n"
            (concat [(str ";; === turn " (:number turn) " ===")]
                    (map #(str ";   " (:text %)) (:tool-calls turn))
                    (:prints turn))))

(defn to-messages [turns memory opts]
  (let [recent (take-last (:turns opts 2) (filter :success turns))
        parts (concat [(:mission opts)]
                      (keep section [:tool :data :return :user])
                      (map turn-block recent)
                      (keep section [:error :turns-left]))]
    [{:role :user :content (str/join "\n\n" parts)}]))
