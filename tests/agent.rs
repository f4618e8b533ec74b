//! The agent loop from outside: endings of runs, recorded turns, answers of scripted tools.

use proptest::prelude::*;
use ptc_eval::agent::{
    Agent, Behaviour, Ending, ProgramTurn, Response, RunOutcome, ScriptedModel, Template, Tool, ToolAnswer,
    ToolCase, Work, extract, run,
};
use ptc_eval::signature::Signature;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::pr_str;
use ptc_lisp::session::Arguments;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// An agent and its scripted responses.
struct Script {
    agent: Agent,
    responses: Vec<Response>,
}

impl Script {
    /// Each program is one response, fenced.
    fn new(programs: &[&str]) -> Script {
        let responses = programs.iter().map(|text| Response::Text(format!("```clojure\n{text}\n```").into()));
        Script {
            agent: Agent { mission: "Do it".to_string(), ..Agent::default() },
            responses: responses.collect(),
        }
    }

    fn max_turns(mut self, turns: u32) -> Script {
        self.agent.max_turns = turns;
        self
    }

    fn returns(mut self, signature: &str) -> Script {
        self.agent.signature = Some(Signature::parse(signature).unwrap());
        self
    }

    fn limits(mut self, change: impl Fn(&mut Limits)) -> Script {
        change(&mut self.agent.limits);
        self
    }

    fn then(mut self, response: Response) -> Script {
        self.responses.push(response);
        self
    }

    fn tool(mut self, name: &str, signature: &str, behaviour: Behaviour) -> Script {
        let signature = (!signature.is_empty()).then(|| Signature::parse(signature).unwrap());
        self.agent.tools.push(Tool { name: Symbol::new(name), signature, description: None, behaviour });
        self.agent.tools.sort_by_key(|tool| tool.name);
        self
    }

    fn run(&self) -> RunOutcome {
        run(&self.agent, &mut ScriptedModel::new(&self.responses))
    }

    fn ending(&self) -> String {
        ending(&self.run())
    }
}

/// `return VALUE`, `fail VALUE` or `KIND: MESSAGE`.
fn ending(outcome: &RunOutcome) -> String {
    match &outcome.ending {
        Ending::Return(value) => format!("return {}", pr_str(value)),
        Ending::Fail(value) => format!("fail {}", pr_str(value)),
        Ending::Error(error) => format!("{}: {}", error.kind, error.message),
    }
}

/// `VALUE` or `KIND: MESSAGE`.
fn result(turn: &ProgramTurn) -> String {
    match &turn.result {
        Ok(value) => pr_str(value),
        Err(error) => format!("{}: {}", error.kind, error.message),
    }
}

fn turn(outcome: &RunOutcome, number: usize) -> &ProgramTurn {
    &outcome.turns[number - 1]
}

fn defined(turn: &ProgramTurn) -> Vec<&'static str> {
    turn.memory.iter().map(|definition| definition.name.name()).collect()
}

fn map(entries: &[(&str, Value)]) -> Map {
    entries.iter().map(|(name, value)| (Value::keyword(name), value.clone())).collect()
}

fn case(when: &[(&str, Value)], answers: Vec<ToolAnswer>) -> ToolCase {
    ToolCase { when: triomphe::Arc::new(map(when)), answers }
}

fn int(value: i64) -> Value {
    Value::Int(value)
}

fn returns(value: impl Into<Value>) -> ToolAnswer {
    ToolAnswer::Returns(value.into())
}

fn fails(reason: &str) -> ToolAnswer {
    ToolAnswer::Fails(reason.into())
}

fn always(value: impl Into<Value>) -> Behaviour {
    Behaviour::Always(vec![returns(value)])
}

/// SS-001, `docs/language.md` §10.
#[test]
fn every_way_a_run_can_end() {
    let text = |text: &str| Response::Text(text.into());
    let cases = [
        (Script::new(&["(def a 1)", "(return (+ a 1))"]), "return 2", 2),
        (Script::new(&["(-> 1 inc return)"]), "return 2", 1),
        (Script::new(&["(map (fn [x] (return x)) [7 8])"]), "return 7", 1),
        (Script::new(&["(fail {:why \"no\"})"]), "fail {:why \"no\"}", 1),
        (Script::new(&["1", "2"]).max_turns(2), "max_turns_exceeded: Exceeded max_turns limit of 2", 2),
        (Script::new(&["(+ 1 2)"]).max_turns(1).returns(":string"), "return 3", 1),
        (Script::new(&["(return 3)"]).max_turns(1).returns(":int"), "return 3", 1),
        (
            Script::new(&["(return 3)"]).max_turns(1).returns(":string"),
            "max_turns_exceeded: Exceeded max_turns limit of 1",
            1,
        ),
        (
            Script::new(&["(broken-code)"]).max_turns(1),
            "max_turns_exceeded: Exceeded max_turns limit of 1",
            1,
        ),
        (Script::new(&["(return 1)", "(return \"1\")"]).returns(":string"), "return \"1\"", 2),
        (Script::new(&["(return [1 2])"]).returns("[:float]"), "return [1.0 2.0]", 1),
        (Script::new(&["1"]), "script_exhausted: no response is scripted for turn 2", 1),
        (Script::new(&[]), "script_exhausted: no response is scripted for turn 1", 0),
        (Script::new(&["1"]).then(Response::Error("rate limited".into())), "model_error: rate limited", 1),
        (Script::new(&[]).then(text("I am done.")).then(text("(return 1)")), "return 1", 2),
    ];
    for (index, (script, expected, turns)) in cases.iter().enumerate() {
        let outcome = script.run();
        assert_eq!(ending(&outcome), *expected, "case {index}");
        assert_eq!(outcome.turns.len(), *turns, "case {index}");
    }
}

/// ARC-001, ARC-010, BRK-008, S1-26.
#[test]
fn a_turn_records_everything() {
    let response = "First I look.\n```clojure\n(def xs \"Numbers\" [1 2])\n(println xs)\n(count xs)\n```\n";
    let outcome = Script::new(&[]).then(Response::Text(response.into())).run();
    let turn = turn(&outcome, 1);
    assert_eq!((turn.number, turn.success), (1, true));
    assert_eq!(turn.raw_response, response);
    assert_eq!(turn.program, "(def xs \"Numbers\" [1 2])\n(println xs)\n(count xs)");
    assert_eq!(result(turn), "2");
    assert_eq!(turn.prints, ["[1 2]"]);
    let definition = turn.memory.get(0).unwrap();
    assert_eq!((definition.name.name(), definition.turn), ("xs", 1));
    assert_eq!(definition.docstring.as_deref(), Some("Numbers"));
    assert!(turn.tool_calls.is_empty());
}

/// S2-05
#[test]
fn turns_are_made_as_success_or_failure() {
    let work = || Work { number: 3, raw_response: "raw".into(), ..Work::default() };
    let good = ProgramTurn::of_success(work(), int(1), Memory::default());
    let bad = ProgramTurn::of_failure(work(), Error::new(ErrorKind::Thrown, "no"), Memory::default());
    assert_eq!((good.success, result(&good)), (true, "1".to_string()));
    assert_eq!((bad.success, result(&bad)), (false, "thrown: no".to_string()));
    assert_eq!((bad.number, bad.raw_response.as_str()), (3, "raw"));
}

/// S2-13: a thrown value is reported by its message, otherwise as it prints.
#[test]
fn errors_say_their_message_or_their_value() {
    let cases = [
        ("(throw {:message \"why\" :code 5})", "thrown: why"),
        ("(throw (ex-info \"why\" {:code 5}))", "thrown: why"),
        ("(throw {:code 5})", "thrown: {:code 5}"),
        ("(throw :boom)", "thrown: :boom"),
        ("(throw \"boom\")", "thrown: boom"),
        ("(/ 1 0)", "arithmetic_error: Divide by zero"),
    ];
    for (program, expected) in cases {
        assert_eq!(result(turn(&Script::new(&[program]).run(), 1)), expected, "{program}");
    }
}

/// S2-21, ARC-002, S2-02.
#[test]
fn a_failed_turn_rolls_back_and_is_kept() {
    let script = Script::new(&[
        "(def a 1)",
        "(def a 2) (def b 3) (println \"seen\") (tool/note 1) (broken-code)",
        "(def c [a *1])",
        "(def d 4) (return a)",
        "(return [a c])",
    ]);
    let outcome = script.tool("note", "(n :int) -> :any", always("ok")).returns("[:any]").run();
    let failed = turn(&outcome, 2);
    assert_eq!(result(failed), "undefined_symbol: undefined symbol 'broken-code'");
    assert!(!failed.success);
    assert_eq!(defined(failed), ["a"]);
    assert_eq!((failed.prints.len(), failed.tool_calls.len()), (1, 1));
    assert_eq!(result(turn(&outcome, 3)), "#'c");
    assert!(result(turn(&outcome, 4)).starts_with("return_validation_failed: the returned value"));
    assert!(!turn(&outcome, 4).success);
    assert_eq!(defined(turn(&outcome, 4)), ["a", "c"]);
    assert_eq!(ending(&outcome), "return [1 [1 #'a]]");
    let numbers: Vec<u32> = outcome.turns.iter().map(|turn| turn.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

#[test]
fn a_response_without_program_is_a_failed_turn() {
    let outcome = Script::new(&["(def a 1)"]).then(Response::Text("Hm.".into())).run();
    let failed = turn(&outcome, 2);
    assert_eq!(failed.result.as_ref().unwrap_err().kind, ErrorKind::NoCodeFound);
    assert_eq!((failed.program.as_str(), failed.raw_response.as_str()), ("", "Hm."));
    assert_eq!(defined(failed), ["a"]);
}

/// `docs/language.md` §7.1, §14.3.
#[test]
fn arguments_are_bound_by_position_or_name() {
    let echo = || Behaviour::Program("(fn [m] m)".to_string());
    let signature = "(max_price :float, tag :string?) -> :any";
    let cases = [
        ("(tool/t 5 :new)", signature, "{:max_price 5.0, :tag \"new\"}"),
        ("(tool/t \"5.5\")", signature, "{:max_price 5.5}"),
        ("(tool/t {:max-price 5 :extra 1})", signature, "{:max_price 5.0, :extra 1}"),
        ("(tool/t :max-price 5 :tag \"x\")", signature, "{:max_price 5.0, :tag \"x\"}"),
        ("(tool/t 1 [2])", "", "{:arg1 1, :arg2 [2]}"),
        ("(tool/t)", "", "{}"),
        ("(tool/t {:a 1})", "", "{:a 1}"),
    ];
    for (call, signature, seen) in cases {
        let script = Script::new(&[&format!("(return {call})")]).tool("t", signature, echo());
        assert_eq!(script.ending(), format!("return {seen}"), "{call}");
    }
}

/// `docs/language.md` §7.2, §7.3: such calls are not recorded.
#[test]
fn bad_arguments_are_an_error_of_the_program() {
    let cases = [
        ("(tool/t)", "id: expected field, got nil"),
        ("(tool/t \"x\")", "id: expected int, got string"),
        ("(tool/t 1 2 3)", "expected at most 2 arguments, got 3"),
        ("(tool/t 1 inc)", "tag: expected data, got function"),
        ("(tool/t {:id 1 :extra [#\"x\"]})", "extra: expected data, got regex"),
        ("(tool/t {:id nil :tag 2})", "id: expected int, got nil; tag: expected string, got int"),
    ];
    for (call, message) in cases {
        let script = Script::new(&[call]).tool("t", "(id :int, tag :string?) -> :any", always(int(1)));
        let outcome = script.run();
        let expected = format!("tool_args_error: Tool 't' arguments invalid: {message}");
        assert_eq!(result(turn(&outcome, 1)), expected, "{call}");
        assert!(turn(&outcome, 1).tool_calls.is_empty(), "{call}");
    }
}

#[test]
fn unknown_tools_are_named_with_those_there_are() {
    let script = Script::new(&["(tool/nope 1)"]).tool("b", "", always(int(1))).tool("a", "", always(int(1)));
    let outcome = script.run();
    assert_eq!(result(turn(&outcome, 1)), "tool_not_found: Unknown tool: nope. Available tools: a, b");
    assert!(turn(&outcome, 1).tool_calls.is_empty());
}

#[test]
fn a_tool_catches_the_same_inside_and_outside_a_try() {
    let tool =
        Behaviour::Program("(fn [m] (try (/ 1 0) (catch NullPointerException e \"own\")))".to_string());
    let call = "(return [(tool/t) (try (tool/t) (catch ArithmeticException e \"outer\"))])";
    let outcome = Script::new(&[call]).tool("t", "() -> :any", tool).run();
    assert_eq!(result(turn(&outcome, 1)), "[\"own\" \"own\"]");
}

/// `docs/scenarios.md`, tools.
#[test]
fn cases_are_tried_in_order_and_answer_in_sequence() {
    let stock = || Behaviour::Cases {
        cases: vec![
            case(&[("name", "Laptop".into()), ("min", Value::float(2.0))], vec![returns(int(1))]),
            case(&[("name", "Laptop".into())], vec![fails("busy"), returns(int(23))]),
            case(&[("name", "Mouse".into())], vec![fails("warehouse timed out")]),
        ],
        otherwise: Some(vec![returns(int(0)), returns(int(-1))]),
    };
    let script = Script::new(&[
        "(tool/stock \"Laptop\")",
        "(return [(tool/stock :Laptop) (tool/stock \"Laptop\") (tool/stock \"Laptop\" 2)
                  (tool/stock \"Pen\") (tool/stock \"Ink\") (tool/stock \"Cap\")
                  (try (tool/stock {\"name\" \"Mouse\"}) (catch Exception e (ex-message e)))])",
    ]);
    let outcome = script.tool("stock", "(name :string, min :int?) -> :any", stock()).run();
    assert_eq!(result(turn(&outcome, 1)), "tool_error: Tool 'stock' failed: \"busy\"");
    let failed = &turn(&outcome, 1).tool_calls[0];
    assert_eq!(failed.error.as_deref(), Some("Tool 'stock' failed: \"busy\""));
    assert!(failed.result.is_nil());
    assert_eq!(
        ending(&outcome),
        "return [23 23 1 0 -1 -1 \"Tool 'stock' failed: \\\"warehouse timed out\\\"\"]"
    );
    let second = turn(&outcome, 2);
    assert_eq!(second.tool_calls.len(), 7);
    assert_eq!(second.tool_calls[0].warnings, ["name: converted keyword to string"]);
    assert!(
        matches!(&second.tool_calls[0].arguments, Arguments::Positional(v) if pr_str(&v[0]) == ":Laptop")
    );
    assert!(matches!(second.tool_calls[6].arguments, Arguments::Named(_)));
}

#[test]
fn a_call_that_no_case_matches_ends_the_run() {
    let tool = || Behaviour::Cases {
        cases: vec![
            case(&[("id", int(1))], vec![returns(int(1))]),
            case(&[("id", int(2))], vec![returns(int(2))]),
        ],
        otherwise: None,
    };
    let call = "(try (tool/t 3) (catch Exception e 0) (finally (return 1)))";
    let outcome = Script::new(&[call, "(return 1)"]).tool("t", "(id :int) -> :any", tool()).run();
    assert_eq!(
        ending(&outcome),
        "tool_unscripted: no case of tool 't' matches {:id 3}; cases: {:id 1}, {:id 2}; add one, or otherwise"
    );
    assert_eq!(outcome.turns.len(), 1);
    assert!(!turn(&outcome, 1).success);
}

#[test]
fn a_tool_written_in_the_language() {
    let program = |text: &str| Behaviour::Program(text.to_string());
    let cases = [
        ("(fn [{:keys [items]}] (println items) (sort items))", "return [1 2]"),
        ("(fn [_] (return 5))", "return 5"),
        ("(defn helper [x] (inc x)) (fn [m] (helper (count (:items m))))", "return 3"),
    ];
    for (source, expected) in cases {
        let script =
            Script::new(&["(return (tool/t [2 1]))"]).tool("t", "(items [:int]) -> :any", program(source));
        let outcome = script.run();
        assert_eq!(ending(&outcome), expected, "{source}");
        assert!(turn(&outcome, 1).prints.is_empty(), "{source}");
    }
    let failures = [
        ("(fn [_] (fail :no))", "Tool 't' failed: :no"),
        ("(fn [_] (broken-code))", "Tool 't' failed: \"undefined symbol 'broken-code'\""),
        ("(fn [_] (tool/t {}))", "Tool 't' failed: \"Unknown tool: t. No tools available.\""),
        ("(fn [a b] 1)", "Tool 't' failed: \"Wrong number of arguments to fn: expected 2, got 1\""),
    ];
    for (source, message) in failures {
        let outcome = Script::new(&["(tool/t {})"]).tool("t", "", program(source)).run();
        assert_eq!(result(turn(&outcome, 1)), format!("tool_error: {message}"), "{source}");
        assert_eq!(turn(&outcome, 1).tool_calls[0].error.as_deref(), Some(message), "{source}");
    }
    let endless = Script::new(&["(try (tool/t {}) (catch Exception e 0))"]).tool(
        "t",
        "",
        program("(fn [_] (loop [] (recur)))"),
    );
    let outcome = endless.run();
    let expected = "tick_limit_exceeded: evaluation limit exceeded: 1000000 ticks, in (loop [] (recur)); \
        bound the loop, recursion or sequence that runs it";
    assert_eq!(result(turn(&outcome, 1)), expected);
}

#[test]
fn calls_of_a_turn_are_limited() {
    let script = Script::new(&["(map tool/t [1 2 3])", "(return (map tool/t [1 2]))"])
        .tool("t", "(n :int) -> :int", always(int(9)))
        .limits(|limits| limits.tool_calls = Some(2));
    let outcome = script.run();
    let message = "tool_call_limit_exceeded: tool call limit exceeded: 2 calls per turn";
    assert_eq!(result(turn(&outcome, 1)), message);
    assert_eq!(turn(&outcome, 1).tool_calls.len(), 2);
    assert_eq!(ending(&outcome), "return (9 9)");
}

/// A tool's definitions and its ending do not affect the program that called it.
#[test]
fn a_tool_has_a_namespace_of_its_own() {
    let source = "(def half 2) (fn [{:keys [n]}] (let [x (/ n half)] (return x)))";
    let program = "(def half 7) (return ((fn [a b c] [a b c half]) 1 (tool/t 8) 3))";
    let tool = || Behaviour::Program(source.to_string());
    let outcome = Script::new(&[program]).tool("t", "(n :int) -> :any", tool()).run();
    assert_eq!(ending(&outcome), "return [1 4 3 7]");
    assert_eq!(defined(turn(&outcome, 1)), ["half"]);
}

/// TC-006.
#[test]
fn calls_within_a_def_are_captured() {
    let outcome = Script::new(&["(def a (inc (tool/t))) (tool/t)"]).tool("t", "", always(int(1))).run();
    let captured: Vec<bool> = turn(&outcome, 1).tool_calls.iter().map(|call| call.captured).collect();
    assert_eq!(captured, [true, false]);
}

#[test]
fn a_value_that_repeats_itself_without_end_is_refused() {
    let program = "(return (reduce (fn [v _] [v v]) [1 1] (range 60)))";
    let nested = format!("{}:int{}", "[".repeat(50), "]".repeat(50));
    let outcome = Script::new(&[program]).returns(&nested).run();
    assert_eq!(
        result(turn(&outcome, 1)),
        "memory_exceeded: value limit exceeded: more than 4194304 bytes of text; give a part of it"
    );
}

proptest! {
    /// Any response or template is read or refused without a panic.
    #[test]
    fn any_response_is_read_or_refused(text in "([`\\n({}\\[\\]:>é \\r-]|clojure|int|x|```|\\{\\{|->){0,40}") {
        let program = extract::program_in(&text).unwrap_or_default();
        prop_assert_eq!(extract::without_blank_ends(&program), program.as_str());
        if let Ok(signature) = Signature::parse(&text) {
            prop_assert_eq!(Signature::parse(&signature.to_string()), Ok(signature));
        }
        let untouched = Template::new(&text).fill(|name, _| Some(format!("{{{{{name}}}}}").into()));
        prop_assert_eq!(untouched.unwrap().replace(' ', ""), text.replace(' ', ""));
    }
}

#[test]
fn a_case_matches_part_of_the_arguments() {
    let cases = [
        ("{}", true),
        ("{:max_price 5}", true),
        ("{:max_price 6}", false),
        ("{:tag \"new\"}", true),
        ("{:gone nil}", true),
        ("{:missing nil}", false),
        ("{:at {:bin_no 2.0}}", true),
        ("{:at {}}", false),
    ];
    let program = "(tool/ask {:max-price 5.0 \"tag\" :new :gone nil :at {:bin-no 2}})";
    for (when, is_met) in cases {
        let Ending::Return(Value::Map(when)) = Script::new(&[&format!("(return {when})")]).run().ending
        else {
            panic!("{when}")
        };
        let cases =
            vec![ToolCase { when: triomphe::Arc::new(Map::clone(&when)), answers: vec![returns(int(1))] }];
        let asked = Script::new(&[program]).tool("ask", "", Behaviour::Cases { cases, otherwise: None });
        assert_eq!(turn(&asked.run(), 1).result.is_ok(), is_met, "{when:?}");
    }
}
