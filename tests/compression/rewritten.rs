//! Logs of agents that cut, mask, rewrite, reorder or summarize their history: each run is one conversation,
//! and `as-recorded` sends the logged requests, message for message.

use std::ops::ControlFlow;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy as _, any, prop_assert, prop_oneof, proptest};
use serde_json::{Value, json};

use super::recorded::words;
use super::story::named;
use agent_logs::Transcript;
use ptc_eval::agent::{LoggedConversation, Message};
use ptc_eval::compression::history_of;

/// The way in which an agent shortens its history.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Never,
    /// Only the newest turns stay behind the task.
    Cut,
    /// Older results are one text.
    Mask,
    /// Older results are replaced by their length.
    MaskByLength,
    /// Older answers are shortened.
    Rewrite,
    /// A reminder moves to the end of each request.
    Remind,
    /// The task is repeated at the end, with all results before the texts of their answers.
    Reorder,
    /// The request before goes on with an instruction, and its answer takes the place of everything but the task.
    Summary,
    /// The same, and the newest turns stay.
    SummaryAndTail,
    /// A call of its own writes the summary.
    FreshSummary,
    FreshSummaryAndTail,
    /// The log does not have the call.
    SilentSummary,
    /// The summary is in the place of the task too.
    WholeSummary,
    /// The summary is in the system prompt.
    SystemSummary,
}

const WAYS: [Way; 14] = [
    Way::Never,
    Way::Cut,
    Way::Mask,
    Way::MaskByLength,
    Way::Rewrite,
    Way::Remind,
    Way::Reorder,
    Way::Summary,
    Way::SummaryAndTail,
    Way::FreshSummary,
    Way::FreshSummaryAndTail,
    Way::SilentSummary,
    Way::WholeSummary,
    Way::SystemSummary,
];

/// One agent.
#[derive(Clone, Debug)]
struct Agent {
    way: Way,
    turns: usize,
    /// Turns between two summaries, and turns that stay.
    every: usize,
    keep: usize,
    /// True if identifiers of calls begin anew in each run.
    numbers_calls: bool,
    /// Turns before which a person speaks.
    spoken: usize,
}

/// A line of the log, and what was sent, if it is a request of the agent itself.
struct Line {
    text: String,
    sent: Option<Vec<Value>>,
}

struct Log<'a> {
    agent: &'a Agent,
    run: usize,
    lines: Vec<Line>,
    system: String,
}

impl Log<'_> {
    fn ask(&mut self, system: &str, messages: &[Value], answer: &Value, is_own: bool) {
        let mut sent = vec![json!({"role": "system", "content": system})];
        sent.extend_from_slice(messages);
        let usage = json!({"prompt_tokens": 10 * sent.len(), "completion_tokens": 7});
        let request = json!({"model": "m", "messages": sent});
        let line =
            json!({"request": request, "response": {"choices": [{"message": answer}], "usage": usage}});
        self.lines.push(Line { text: line.to_string(), sent: is_own.then_some(sent) });
    }

    fn answer(&self, turn: usize) -> (Value, Value) {
        let run = self.run;
        let id = match self.agent.numbers_calls {
            true => format!("call_{turn}"),
            false => format!("call_{run:03}{turn:03}"),
        };
        let arguments = json!({"path": format!("src/part_{run}_{turn}.rs")}).to_string();
        let call =
            json!({"id": id, "type": "function", "function": {"name": "read", "arguments": arguments}});
        let said =
            if turn.is_multiple_of(3) { format!("I read part {turn} of run {run}.") } else { String::new() };
        let answer = json!({"role": "assistant", "content": said, "tool_calls": [call]});
        let text = if turn % 4 == 3 {
            "ok".to_owned()
        } else {
            format!("fn part_{run}_{turn}() {{ port {} }}\n", 4000 + 13 * run + turn).repeat(3)
        };
        (answer, json!({"role": "tool", "tool_call_id": id, "content": text}))
    }

    fn summary(&self, from: usize, to: usize) -> String {
        let parts: Vec<String> =
            (from..=to).map(|turn| format!("src/part_{}_{turn}.rs was read", self.run)).collect();
        format!("Progress of the work until turn {to}:\n{}", parts.join("\n"))
    }

    /// The request of a turn, made of the whole history.
    fn shortened(&self, history: &[Value]) -> Vec<Value> {
        let recent = history.len().saturating_sub(2 * self.agent.keep);
        let older = |at: usize, role: &str| at < recent && history[at]["role"] == role;
        let with = |message: &Value, text: String| {
            let mut message = message.clone();
            message["content"] = text.into();
            message
        };
        let all = || history.iter().enumerate();
        match self.agent.way {
            Way::Cut => {
                let answers = all().filter(|(_, one)| one["role"] == "assistant").map(|(at, _)| at);
                let first =
                    answers.collect::<Vec<_>>().into_iter().rev().nth(self.agent.keep - 1).unwrap_or(0);
                all().filter(|(at, _)| *at == 0 || *at >= first).map(|(_, one)| one.clone()).collect()
            }
            Way::Mask => all()
                .map(
                    |(at, one)| {
                        if older(at, "tool") { with(one, "[old result]".into()) } else { one.clone() }
                    },
                )
                .collect(),
            Way::MaskByLength => all()
                .map(|(at, one)| match older(at, "tool") {
                    true => with(
                        one,
                        format!("[{} lines omitted]", one["content"].as_str().unwrap().lines().count()),
                    ),
                    false => one.clone(),
                })
                .collect(),
            Way::Rewrite => all()
                .map(|(at, one)| if older(at, "assistant") { with(one, "…".into()) } else { one.clone() })
                .collect(),
            Way::Remind => {
                let mut all = history.to_vec();
                if history.len() > 3 {
                    all.push(json!({"role": "user", "content": format!("Reminder: {} turns so far.", history.len() / 2)}));
                }
                all
            }
            Way::Reorder if history.len() > 5 => {
                let mut all = history.to_vec();
                let task = all.remove(0);
                all.insert(2, task);
                all
            }
            _ => history.to_vec(),
        }
    }

    fn run(&mut self) {
        let agent = self.agent.clone();
        let task = json!({"role": "user", "content": "Find the port of each part and list all of them."});
        let mut history = vec![task.clone()];
        let mut from = 0;
        for turn in 0..agent.turns {
            if agent.spoken > 0 && turn > 0 && turn.is_multiple_of(agent.spoken) {
                history.push(json!({"role": "user", "content": "Go on."}));
            }
            if turn > from && (turn - from).is_multiple_of(agent.every) {
                self.summarize(&mut history, &task, (from, turn - 1));
                if history.len() < 2 * agent.every {
                    from = turn;
                }
            }
            let (answer, result) = self.answer(turn);
            let request = self.shortened(&history);
            let system = self.system.clone();
            self.ask(&system, &request, &answer, true);
            history.extend([answer, result]);
        }
    }

    fn summarize(&mut self, history: &mut Vec<Value>, task: &Value, (from, to): (usize, usize)) {
        let way = self.agent.way;
        let text = self.summary(from, to);
        let told = json!({"role": "user", "content": format!("<summary>\n{text}\n</summary>")});
        let system = self.system.clone();
        let written = json!({"role": "assistant", "content": text});
        match way {
            Way::Summary | Way::SummaryAndTail | Way::WholeSummary => {
                let mut asked = history.clone();
                asked.push(json!({"role": "user", "content": "Summarize the conversation so far."}));
                self.ask(&system, &asked, &written, false);
            }
            Way::FreshSummary | Way::FreshSummaryAndTail => {
                let asked = json!({"role": "user", "content": format!("Summarize this conversation:\n{}", json!(history))});
                self.ask("You write summaries.", &[asked], &written, false);
            }
            Way::SilentSummary => {}
            Way::SystemSummary => {
                self.system = format!("You are an agent.\n\nSo far:\n{text}");
                let last = history.iter().rposition(|one| one["role"] == "assistant").unwrap();
                let tail = history.split_off(last);
                *history = [vec![task.clone()], tail].concat();
                return;
            }
            _ => return,
        }
        let keep = if matches!(way, Way::SummaryAndTail | Way::FreshSummaryAndTail) {
            2 * self.agent.keep
        } else {
            0
        };
        let mut at = history.len().saturating_sub(keep).max(1);
        while at < history.len() && history[at]["role"] == "tool" {
            at += 1;
        }
        let tail = history.split_off(at);
        let first = if way == Way::WholeSummary { Vec::new() } else { vec![task.clone()] };
        *history = [first, vec![told], tail].concat();
    }
}

fn read(log: &str) -> (Vec<Transcript>, Vec<String>) {
    let mut transcripts = Vec::new();
    let notes = agent_logs::read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    (transcripts, notes.unwrap().lines().collect())
}

/// A message as a provider gets it.
fn as_sent(message: &Message) -> Value {
    let mut sent = json!({"role": message.role.name(), "content": message.content.as_str()});
    let calls: Vec<Value> = message
        .calls()
        .iter()
        .map(|call| {
            let function = json!({"name": call.name.as_str(), "arguments": call.arguments.as_str()});
            json!({"id": call.id.as_str(), "type": "function", "function": function})
        })
        .collect();
    if !calls.is_empty() {
        sent["tool_calls"] = calls.into();
    }
    if let Some(call) = message.result_of() {
        sent["tool_call_id"] = call.as_str().into();
    }
    sent
}

fn lines(run: usize, agent: &Agent) -> Vec<Line> {
    let mut log = Log { agent, run, lines: Vec::new(), system: "You are an agent.\nBe brief.".to_owned() };
    if agent.way == Way::SystemSummary {
        log.system = "You are an agent.".to_owned();
    }
    log.run();
    log.lines
}

/// The requests of a conversation as `as-recorded` renders them.
fn rendered(transcript: &Transcript) -> Vec<Vec<Value>> {
    // What is written and read again is the same.
    let written = serde_json::to_string(transcript).unwrap();
    let transcript: Transcript = serde_json::from_str(&written).unwrap();
    let recording = LoggedConversation::new(&transcript, 0, None);
    let history = history_of(recording.past(), &words);
    let strategy = named("as-recorded");
    (0..recording.conversation.turns.len())
        .map(|completed| {
            strategy.render(&history.after(completed)).unwrap().messages.iter().map(as_sent).collect()
        })
        .collect()
}

fn check(agents: &[Agent], order: &[usize]) -> Result<(), String> {
    let runs: Vec<Vec<Line>> = agents.iter().enumerate().map(|(run, agent)| lines(run, agent)).collect();
    let mut log = String::new();
    let mut open: Vec<std::slice::Iter<Line>> = runs.iter().map(|lines| lines.iter()).collect();
    let mut order = order.iter().cycle();
    while !open.is_empty() {
        let at = order.next().unwrap() % open.len();
        match open[at].next() {
            Some(line) => log += &format!("{}\n", line.text),
            None => drop(open.remove(at)),
        }
    }
    let (transcripts, notes) = read(&log);
    if transcripts.len() != runs.len() {
        let sizes: Vec<usize> = transcripts.iter().map(|one| one.answers().count()).collect();
        return Err(format!("{} conversations of {sizes:?} answers, {notes:?}", transcripts.len()));
    }
    let expected: Vec<Vec<&Vec<Value>>> =
        runs.iter().map(|lines| lines.iter().filter_map(|line| line.sent.as_ref()).collect()).collect();
    let mut rendered: Vec<Vec<Vec<Value>>> = transcripts.iter().map(rendered).collect();
    for (agent, sent) in agents.iter().zip(&expected) {
        let is_same = |own: &Vec<Vec<Value>>| own.iter().collect::<Vec<_>>() == *sent;
        let Some(at) = rendered.iter().position(is_same) else {
            let near = rendered
                .iter()
                .max_by_key(|own| own.iter().zip(sent).take_while(|(own, sent)| own == *sent).count());
            let near = near.unwrap();
            let first = near.iter().zip(sent).position(|(own, sent)| own != *sent);
            let show = |messages: &[Value]| messages.iter().map(|one| format!("{one}\n")).collect::<String>();
            return Err(match first {
                Some(first) => format!(
                    "{agent:?} request {first}:\n{}\ninstead of\n{}",
                    show(&near[first]),
                    show(sent[first])
                ),
                None => format!("{agent:?}: {} requests instead of {}", near.len(), sent.len()),
            });
        };
        rendered.swap_remove(at);
    }
    Ok(())
}

fn agent() -> impl proptest::strategy::Strategy<Value = Agent> {
    let way = (0..WAYS.len()).prop_map(|way| WAYS[way]);
    (way, 3..14_usize, 3..6_usize, 1..3_usize, any::<bool>(), prop_oneof![Just(0_usize), 2..5_usize])
        .prop_map(|(way, turns, every, keep, numbers_calls, spoken)| Agent {
            way,
            turns,
            every,
            keep,
            numbers_calls,
            spoken,
        })
}

#[test]
fn each_way_of_an_agent_is_one_conversation() {
    let mut failed = Vec::new();
    for way in WAYS {
        for spoken in [0, 3] {
            let agent = Agent { way, turns: 12, every: 4, keep: 1, numbers_calls: false, spoken };
            if let Err(why) = check(&[agent], &[0]) {
                failed.push(format!("{way:?}: {why}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

proptest! {
    #[test]
    fn as_recorded_equals_the_logged_requests(
        agents in vec(agent(), 1..6),
        order in vec(any::<usize>(), 1..40),
    ) {
        let found = check(&agents, &order);
        prop_assert!(found.is_ok(), "{}", found.unwrap_err());
    }
}
