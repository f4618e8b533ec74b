//! The example of the format, executed: programs, tools and all.

use super::story::*;
use ptc_eval::agent::{Agent, Behaviour, Response, ScriptedModel, ToolAnswer, run};
use ptc_eval::compression::{Program, Variant};
use ptc_lisp::value::Value;

const PROGRAM: &str = r#"
(defn pricey? "Costs; over 100" [p] (> (:price p) 100))
(def electronics (filter pricey? data/products))
(def reviews (tool/search-reviews "Electronics"))
(if (empty? electronics) (def electronics "Never run" []))
"#;

fn answering_agent() -> Agent {
    let mut agent = shop_agent();
    for tool in &mut agent.tools {
        tool.behaviour = Behaviour::Always(vec![ToolAnswer::Returns(Value::from("Laptop: 4.5/5"))]);
    }
    agent
}

fn story(programs: &[&str]) -> Story {
    let responses: Vec<Response> = programs.iter().map(|program| Response::Text((*program).into())).collect();
    let agent = answering_agent();
    let turns = run(&agent, &mut ScriptedModel::new(&responses)).turns;
    Story { agent, turns }
}

/// DEF-005, DEF-007, AMB-004, S3-05, PRE-003, TC-005, TC-006, S2-21
#[test]
fn requests_show_what_programs_did() {
    let story = story(&[PROGRAM, "(do (def lost 1) (println :lost) (oops))", "(tool/get-inventory)"]);
    let text = story.messages("single-user-coalesced");
    let (_, dynamic) = text.split_once(";; Return: [{name :string}]\n\n").unwrap();
    assert_eq!(
        dynamic,
        r#";; === user/ (your prelude) ===
(pricey? [p])                 ; "Costs over 100" -> boolean
electronics                   ; = list[7], sample: {:name "Laptop", :price 1200, :category "Electronics"}
reviews                       ; = string, sample: "Laptop: 4.5/5"

;; Tool calls made:
;   search-reviews("Electronics")
;   get-inventory() -> string, sample: "Laptop: 4.5/5"

Turns left: 2"#
    );
}

/// PRE-003: the latest call that returned wins, whichever turn made it; calls of failed turns do not count.
#[test]
fn functions_say_what_they_returned_last() {
    let line = |programs: &[&str]| {
        let text = story(programs).messages("single-user-coalesced");
        let line = text.lines().find(|line| line.starts_with("(pick "));
        line.unwrap_or_default().to_string()
    };
    let define = "(do (defn pick [xs] (first xs)) (println (count data/products)))";
    assert_eq!(line(&[define]), "(pick [xs])");
    assert_eq!(line(&[define, "(do (pick [1]) (pick [:a]))"]), "(pick [xs]) -> keyword");
    assert_eq!(line(&[define, "(pick [1])", "(pick [nil])"]), "(pick [xs]) -> nil");
    assert_eq!(line(&[define, "(pick [1])", "(do (pick [:a]) (oops))"]), "(pick [xs]) -> integer");
}

/// A turn that defines nothing has no definitions in its block, nor has one that failed.
#[test]
fn a_log_of_programs_names_what_each_defined() {
    let story = story(&["(def x 1)", "(println 1)", "(do (def y 2) (oops))", "(do (def z 3) (def x 4))"]);
    let text = story.messages("turn-log");
    let (_, log) = text.split_once("[user]\n;; === turn 1 ===\n").unwrap();
    assert_eq!(
        log,
        "x                             ; = integer, sample: 1
[user]
;; === turn 2 ===
;; Output:
1
[user]
;; === turn 4 ===
x                             ; = integer, sample: 4
z                             ; = integer, sample: 3
[user]
FINAL TURN - you must call (return result) or (fail reason) now."
    );
}

#[test]
fn programs_see_the_memory_of_each_turn() {
    let story = story(&["(do (def x 1) (defn f [] true))", "(do (f) (def x 2))"]);
    let text = "(defn to-messages [turns memory opts]
      (let [entry (fn [d] [(:name d) (:turn d) (:return-type d)])]
        [{:role :user :content (pr-str (map #(map entry (:memory %)) turns))}]))";
    let told = story.last(&Variant::new(&Program::new("own.clj", text))).messages[1].content.to_string();
    assert_eq!(told, r#"((["x" 1 nil] ["f" 1 nil]) (["x" 2 nil] ["f" 1 "boolean"]))"#);
}
