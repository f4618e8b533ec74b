//! Strategies that users write in PTC-Lisp: their arguments, builtins and results, and the messages for wrong
//! results.

use ptc_eval::agent::Message;
use ptc_eval::compression::{Program, Rendered, Variant};
use ptc_eval::snapshot::RunSections;
use ptc_eval::snapshot::requests::requests_of;
use ptc_eval::snapshot::store::body_of;
use ptc_lisp::value::Value;
use serde_json::{Value as Json, json};

use super::story::*;

/// Two successful turns and a failed one.
fn story() -> Story {
    let calls = vec![named_call("search-reviews", map(vec![(":query", Value::from("Laptop"))]))];
    let definitions = vec![
        documented(value("electronics", products(2)), "In this category"),
        returning(function("pricey?", &["[p]"]), &Value::Bool(true)),
    ];
    let turns = vec![
        ok("(def electronics …)").raw("I look.\n").calls(calls).defines(definitions),
        ok("(println 1)").prints(&["one", "two"]).gives(Value::Int(7)),
        failed("(oops)", "it broke").prints(&["lost"]),
    ];
    Story::of(shop_agent(), turns)
}

fn render(text: &str, options: Json) -> Result<Rendered, String> {
    let program = Program::new("own.clj", text);
    let variant = Variant::new(&program).called("own").with_all(options.as_object().unwrap()).unwrap();
    story().try_after(&variant, 3).map_err(|error| error.diagnostic())
}

/// The printed value of an expression over the arguments.
fn told(expression: &str) -> String {
    told_with(expression, json!({}))
}

fn told_with(expression: &str, options: Json) -> String {
    let text =
        format!("(defn to-messages [turns memory opts] [{{:role :user :content (pr-str {expression})}}])");
    render(&text, options).unwrap_or_else(|error| panic!("{error}")).messages[1].content.to_string()
}

/// S4-21, ARC-001: the eight fields, by the names that programs use.
#[test]
fn turns_have_eight_fields() {
    assert_eq!(
        told("(mapv #(dissoc % :memory :tool-calls) turns)"),
        "[{:number 1, :raw-response \"I look.\\n\", :program \"(def electronics …)\", :result nil, :prints [], \
         :success true} \
         {:number 2, :raw-response \"```clojure\\n(println 1)\\n```\", :program \"(println 1)\", :result 7, \
         :prints [\"one\" \"two\"], :success true} \
         {:number 3, :raw-response \"```clojure\\n(oops)\\n```\", :program \"(oops)\", \
         :result {:kind \"type_error\", :message \"it broke\"}, :prints [\"lost\"], :success false}]"
    );
    assert_eq!(
        told("(:tool-calls (first turns))"),
        "[{:name \"search-reviews\", :args {:query \"Laptop\"}, :call-style \"named\", :result nil, :error nil, \
         :captured true, :text \"search-reviews({:query \\\"Laptop\\\"})\"}]"
    );
    assert_eq!(told("(mapv #(count (:memory %)) turns)"), "[2 2 2]");
}

/// The entries of memory, in order of first definition.
#[test]
fn memory_has_entries() {
    assert_eq!(
        told("(mapv #(dissoc % :value) memory)"),
        "[{:name \"electronics\", :docstring \"In this category\", :turn 1, :return-type nil} \
         {:name \"pricey?\", :docstring nil, :turn 1, :return-type \"boolean\"}]"
    );
    assert_eq!(told("(= memory (:memory (last turns)))"), "true");
    assert_eq!(told("(mapv #(type-label (:value %)) memory)"), "[\"list[2]\" \"#fn[...]\"]");
}

/// S2-08, S4-20, S4-22: the eight, and options of the strategy's own, under any spelling of their names.
#[test]
fn opts_have_what_a_strategy_needs() {
    let own = json!({"my_option": "mine", "println_limit": 4});
    assert_eq!(
        told_with("(dissoc opts :system-prompt :data :tools)", own),
        "{:mission \"Find well-reviewed products in stock\", :turns-left 2, :println-limit 4, \
         :tool-call-limit 20, :signature \"[{name :string}]\", :my_option \"mine\"}"
    );
    assert_eq!(told("(count (:products (:data opts)))"), "7");
    assert_eq!(
        told("(:tools opts)"),
        "[{:name \"get-inventory\", :signature \"() -> :map\", :description nil} \
         {:name \"search-reviews\", :signature \"(query :string) -> :string\", \
         :description \"Customer reviews for a category\"}]"
    );
    assert!(told("(:system_prompt opts)").starts_with("\"# PTC-Lisp"));
}

#[test]
fn builtins_are_those_of_the_sections() {
    assert_eq!(told("(type-label [1 2])"), "\"list[2]\"");
    assert_eq!(told("(map type-label [nil {} #{1}])"), "(\"nil\" \"map[0]\" \"set[1]\")");
    assert_eq!(told("(sample (range 5))"), "\"(0 1 2 ...) (5 items, showing first 3)\"");
    assert_eq!(told("(sample (:products (:data opts)))").matches(":name").count(), 1);
    assert_eq!(told("(mapv sample [[] {} #{} nil])"), "[nil nil nil nil]");
    assert_eq!(told("(to-clojure \"abcdef\" 3 2)"), "\"\\\"ab...\\\"\"");
    assert_eq!(told("(section :turns-left)"), "\"Turns left: 2\"");
    assert_eq!(told("(keep section [:user :calls])").matches(";;").count(), 2);
}

/// A program that joins all sections sends what `single-user-coalesced` sends, and the same is counted.
#[test]
fn all_sections_together_are_single_user_coalesced() {
    let text = "(defn to-messages [turns memory opts]
      (let [sections (keep section [:tool :data :return :user :conversation :calls :output :error :turns-left])]
        [{:role :user :content (str/join \"\n\n\" (cons (:mission opts) sections))}]))";
    for (option, value) in [("println_limit", 1), ("tool_call_limit", 0), ("sample_limit", 1)] {
        let expected = named("single-user-coalesced").with(option, value).unwrap().called("own");
        let rendered = render(text, json!({option: value})).unwrap();
        let expected = story().last(&expected);
        assert_eq!(script(&rendered.messages), script(&expected.messages));
        assert_eq!(rendered.statistics, expected.statistics);
        assert_eq!(rendered.hidden_tool_calls, expected.hidden_tool_calls);
    }
}

#[test]
fn messages_may_be_answers() {
    let text = "(defn to-messages [turns memory opts]
      [{:role :user :content \"a\"} {:role :assistant :content \"b\"}])";
    let rendered = render(text, json!({})).unwrap();
    assert_eq!(script(&rendered.messages), "[user]\na\n[assistant]\nb");
}

/// Definitions do not survive a render, and prints are dropped.
#[test]
fn nothing_is_kept_between_requests() {
    let text = "(defonce seen 0)
      (defn to-messages [turns memory opts]
        (println \"a secret\")
        (def seen (inc seen))
        [{:role :user :content (str (:mission opts) seen)}])";
    let program = Program::new("own.clj", text);
    let variant = Variant::new(&program);
    let story = story();
    for completed in [0, 3, 3] {
        let rendered = story.after(&variant, completed);
        assert_eq!(script(&rendered.messages), "[user]\nFind well-reviewed products in stock1");
    }
}

/// Each mistake is reported with file, line and place.
#[test]
fn mistakes_are_told_where_they_are() {
    let cases = [
        (
            "(defn to-messages [turns memory opts]\n  [{:role :user :content (+ 1 (:mission opts))}])",
            r#"error[type_error]: +: expected a number, got string "Find well-reviewed products in stock"
  ┌─ own.clj:2:26
  │
2 │   [{:role :user :content (+ 1 (:mission opts))}])
  │                          ^^^^^^^^^^^^^^^^^^^^^

"#,
        ),
        (
            "(defn to-messages [turns memory opts] (str \"no\"))",
            r#"error[type_error]: to-messages: expected [{:role :user :content "…"} …], got string "no"
  ┌─ own.clj:1:1
  │
1 │ (defn to-messages [turns memory opts] (str "no"))
  │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

"#,
        ),
        (
            "(defn to-messages [turns memory opts] [{:role :user :content \"a\"} {:role :tool :content \"b\"}])",
            r#"error[type_error]: to-messages: message 2: expected :user or :assistant as :role, got keyword :tool
  ┌─ own.clj:1:1
  │
1 │ (defn to-messages [turns memory opts] [{:role :user :content "a"} {:role :tool :content "b"}])
  │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

"#,
        ),
        (
            "(defn to-messages [turns memory opts]\n  (loop [] (recur)))",
            r#"error[tick_limit_exceeded]: evaluation limit exceeded: 1000000 ticks, in (loop [] (recur)); bound the loop, recursion or sequence that runs it
  ┌─ own.clj:2:3
  │
2 │   (loop [] (recur)))
  │   ^^^^^^^^^^^^^^^^^

"#,
        ),
        (
            "(defn to-messages [turns memory opts]\n  (section :tols))",
            r#"error[type_error]: section: expected a section, got keyword :tols. There are :tool :data :return :user :conversation :calls :output :error :turns-left
  ┌─ own.clj:2:3
  │
2 │   (section :tols))
  │   ^^^^^^^^^^^^^^^

"#,
        ),
        (
            "(defn to-messages [turns memory opts]\n  (tool/search-reviews \"a\"))",
            r#"error[tool_not_found]: Unknown tool: search-reviews. No tools available.
  ┌─ own.clj:2:4
  │
2 │   (tool/search-reviews "a"))
  │    ^^^^^^^^^^^^^^^^^^^

"#,
        ),
        (
            "(defn to-messages [turns memory opts]\n  (return []))",
            r#"error[failed]: return and fail end an agent's run, of which there is none here: []
  ┌─ own.clj:1:1
  │  
1 │ ╭ (defn to-messages [turns memory opts]
2 │ │   (return []))
  │ ╰──────────────^

"#,
        ),
        (
            "(defn to-messages [turns] [])",
            r#"error[arity_error]: Wrong number of arguments to to-messages: expected 1, got 3
  ┌─ own.clj:1:1
  │
1 │ (defn to-messages [turns] [])
  │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

"#,
        ),
        (
            "(defn messages [turns memory opts] [])",
            r#"error[undefined_symbol]: the file defines no function to-messages; write (defn to-messages [turns memory opts] …)
  ┌─ own.clj:1:1
  │
1 │ (defn messages [turns memory opts] [])
  │ ^

"#,
        ),
        ("(defn to-messages [turns memory opts]\n  (if))\n(let [a])", ""),
    ];
    for (text, expected) in cases {
        let found = render(text, json!({})).unwrap_err();
        if expected.is_empty() {
            assert!(found.contains("own.clj:2:3") && found.contains("at line 3, column 1"), "{found}");
        } else {
            assert_eq!(found, expected, "{text}");
        }
    }
}

/// Below the trigger and in a single shot the program is not called.
#[test]
fn a_strategy_below_its_trigger_is_not_called() {
    let program = Program::new("own.clj", "(");
    let waiting = Variant::new(&program).with("trigger", json!({"turns": 3})).unwrap();
    assert!(story().try_after(&waiting, 3).is_ok());
    assert!(story().try_after(&Variant::new(&program), 0).is_err());
    let mut story = story();
    story.agent.max_turns = 1;
    assert!(story.try_after(&Variant::new(&program), 0).is_ok());
}

/// The documentation shows the program that runs and the request it sends.
#[test]
fn the_documented_program_is_the_one_that_runs() {
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let page = read("docs/extending.md");
    assert!(page.contains(&format!("```clojure\n{}```", read("scenarios/strategies/last-two.clj"))));
    let (_, example) = page.split_once("Request 5 of `edge/own-strategy`:\n\n````text\n").unwrap();
    let (example, _) = example.split_once("````").unwrap();
    let [run, snapshot] =
        ["run", "last-two"].map(|name| read(&format!("snapshots/edge/own-strategy/{name}.snap")));
    let requests = requests_of(body_of(&snapshot), &RunSections::of(body_of(&run))).unwrap();
    let shows = |message: &Message| message.content.contains(example.trim_end());
    assert!(requests[4].messages.iter().any(shows), "{example}");
}
