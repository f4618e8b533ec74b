;; Evaluates programs for compare.py: each line of the input file is ["id" "program" {data}] with the
;; program as a string; each line of the output is a JSON object {id, ok, value, error, out}.
;; Every program gets a namespace of its own, a thread with a deep stack and TIMEOUT milliseconds.
(ns oracle
  (:require [clojure.edn :as edn] [clojure.java.io :as io] [clojure.string] [clojure.set] [clojure.walk]
            [clojure.math] [clojure.pprint])
  (:import (java.io StringReader StringWriter)))

(def timeout-ms 1500)
(def stack-bytes (* 64 1024 1024))

(defn json-string [text]
  (let [out (StringBuilder. "\"")]
    (doseq [c text]
      (let [code (int c)]
        (cond
          (= c \") (.append out "\\\"")
          (= c \\) (.append out "\\\\")
          (or (< code 32) (> code 126)) (.append out (format "\\u%04x" code))
          :else (.append out c))))
    (str (.append out "\""))))

(defn intern-data [data]
  (remove-ns 'data)
  (let [space (create-ns 'data)]
    (doseq [[k v] data]
      (intern space (symbol (name k)) v))))

;; PTC-Lisp knows these by their bare names too. A name that the program defines itself must not be referred.
(defn refer-bare [program]
  (let [defined (map (comp symbol second) (re-seq #"\(def\S*\s+([^\s()\[\]]+)" program))
        taken? (set (concat (keys (ns-publics 'clojure.core)) '[index select project rename] defined))]
    (doseq [[space unwanted] '{clojure.string nil, clojure.set join, clojure.walk nil}]
      (refer space :only (remove #(or (taken? %) (= unwanted %)) (keys (ns-publics space)))))))

(defn fresh-namespace [program]
  (remove-ns 'user)
  (let [space (create-ns 'user)]
    (binding [*ns* space]
      (refer 'clojure.core)
      (alias 'str 'clojure.string)
      (alias 'string 'clojure.string)
      (alias 'set 'clojure.set)
      (alias 'walk 'clojure.walk)
      (alias 'math 'clojure.math)
      (alias 'core 'clojure.core)
      (refer-bare program)
      (import '(java.time LocalDate Instant Duration)))
    space))

(defn evaluate [program]
  (let [in (clojure.lang.LineNumberingPushbackReader. (StringReader. program))]
    (loop [value nil]
      (let [form (read {:eof ::end :read-cond :allow} in)]
        (if (= form ::end)
          (binding [*print-length* 400 *print-level* 40 *print-namespace-maps* false]
            (pr-str value))
          (recur (eval form)))))))

(defn outcome [program space out]
  (try
    (binding [*ns* space *out* out *err* (StringWriter.) *print-namespace-maps* false
              *warn-on-reflection* false *unchecked-math* false *data-readers* {}
              *1 nil *2 nil *3 nil]
      {:value (evaluate program)})
    (catch Throwable thrown
      (let [cause (or (.getCause thrown) thrown)
            cause (if (instance? clojure.lang.Compiler$CompilerException thrown) cause thrown)]
        {:error (str (.getSimpleName (class cause)) ": " (.getMessage cause))}))))

(defn run-program [program data]
  (intern-data data)
  (let [space (fresh-namespace program)
        out (StringWriter.)
        result (promise)
        thread (Thread. nil #(deliver result (outcome program space out)) "program" stack-bytes)]
    (.setDaemon thread true)
    (.start thread)
    (let [ended (deref result timeout-ms {:error "Timeout: the program did not end"})]
      (when (.isAlive thread)
        (.join thread 20)
        (when (.isAlive thread) (.stop thread)))
      (assoc ended :out (str out)))))

(defn json-line [id {:keys [value error out]}]
  (str "{\"id\":" (json-string id)
       ",\"ok\":" (some? value)
       ",\"value\":" (if value (json-string value) "null")
       ",\"error\":" (if error (json-string error) "null")
       ",\"out\":" (json-string (if (> (count out) 200000) (subs out 0 200000) out)) "}"))

(let [[input output] *command-line-args*]
  (with-open [lines (io/reader input) results (io/writer output)]
    (doseq [line (line-seq lines)]
      (let [[id program data] (edn/read-string line)]
        (.write results (str (json-line id (run-program program data)) "\n"))
        (.flush results)))))
(System/exit 0)
