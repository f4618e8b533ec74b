//! Time to render the last request of a run, by the number of turns before it: `cargo bench -p
//! ptc-bench --bench rendering`. Each turn defines a vector of ten maps and a string, makes three calls and prints twice.

#![allow(clippy::expect_used)]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ptc_eval::agent::{
    Agent, Behaviour, ProgramRun, ProgramTurn, Response, ScriptedModel, Tool, ToolAnswer, run,
};
use ptc_eval::compression::{STRATEGIES, Variant, history_of, named};
use ptc_eval::signature::Signature;
use ptc_lisp::limits::Limits;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

const TURNS: [u32; 4] = [10, 50, 100, 500];

fn agent(turns: u32) -> Agent {
    let look_up = Tool {
        name: Symbol::new("look-up"),
        signature: Signature::parse("(id :int) -> :string").ok(),
        description: Some("One record".to_string()),
        behaviour: Behaviour::Always(vec![ToolAnswer::Returns(Value::from("a record"))]),
    };
    Agent {
        mission: "Find what changed between the rows of the two systems.".to_string(),
        tools: vec![look_up],
        data: Arc::default(),
        signature: None,
        max_turns: turns + 1,
        limits: Limits::default(),
        ..Agent::default()
    }
}

fn response(turn: u32) -> Response {
    let program = format!(
        "(def rows-{turn} (mapv (fn [i] {{:id (+ i {turn}) :name (str \"row \" i) :price (* i 3)}}) (range 10)))
         (def note-{turn} (str \"note \" (tool/look-up {turn}) (tool/look-up 7)))
         (tool/look-up (count rows-{turn}))
         (println \"turn {turn}:\" (count rows-{turn}) \"rows\")
         (println note-{turn})"
    );
    Response::Text(program.into())
}

fn turns_of(agent: &Agent, turns: u32) -> Vec<ProgramTurn> {
    let responses: Vec<Response> = (1..=turns).map(response).collect();
    let run = run(agent, &mut ScriptedModel::new(&responses)).turns;
    assert!(run.len() == turns as usize && run.iter().all(|turn| turn.success));
    run
}

fn tokens(text: &str) -> u64 {
    text.len() as u64
}

/// The default strategy: from the turns alone, and where other requests of the run were rendered before.
fn by_turns(c: &mut Criterion) {
    let mut group = c.benchmark_group("single-user-coalesced");
    let variant = named("single-user-coalesced").expect("it is there");
    for turns in TURNS {
        let agent = agent(turns);
        let run = turns_of(&agent, turns);
        let run = ProgramRun { agent: Arc::new(agent), turns: run };
        let past = run.past();
        group.bench_function(BenchmarkId::new("from scratch", turns), |b| {
            b.iter(|| {
                let history = history_of(black_box(past), &tokens);
                variant.render(&history.after(turns as usize))
            });
        });
        let history = history_of(past, &tokens);
        group.bench_function(BenchmarkId::new("one more request", turns), |b| {
            b.iter(|| variant.render(black_box(&history.after(turns as usize))));
        });
    }
    group.finish();
}

/// All strategies after a hundred turns.
fn by_strategy(c: &mut Criterion) {
    let mut group = c.benchmark_group("100 turns");
    let agent = agent(100);
    let run = turns_of(&agent, 100);
    let run = ProgramRun { agent: Arc::new(agent), turns: run };
    let past = run.past();
    let history = history_of(past, &tokens);
    for strategy in STRATEGIES {
        let variant = Variant::new(*strategy);
        group.bench_function(strategy.name, |b| b.iter(|| variant.render(black_box(&history.after(100)))));
    }
    group.finish();
}

criterion_group!(benches, by_turns, by_strategy);
criterion_main!(benches);
