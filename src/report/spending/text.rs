//! The spending of logs for readers: lines for a terminal, a section of `summary.md`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;

use super::{MissCause, Missed, MovedLine, OtherModel, Spending, WhatIf};
use crate::measure::numbers::{grouped, percent};
use crate::report::tables::table;
use conversation::cut::shortened_with;
use ptc_prices::TimeSpan;

const HEADINGS: [&str; 4] =
    ["input that was not in the cache", "requests", "tokens", "extra cost above a cache read"];
/// Introduces the other ways to send the same requests.
const WHAT_IFS: &str = "The same requests, sent in another way, would cost more (+) or less (−):";
/// Causes named on a terminal.
const NAMED: usize = 3;
/// Smaller amounts would print as $0.00 among larger ones.
const HALF_CENT: f64 = 0.005;
/// From this sum on, its parts are rounded to cents.
const CENTS: f64 = 0.1;
/// The most characters shown of a system prompt line.
const LINE: usize = 60;
/// A terminal names a system prompt line if it costs at least this share of the bill.
const MUCH: f64 = 0.02;

impl Spending {
    /// `cost at API prices: $41.20; 61% of the input was read from the cache`, with the cost of text that was no longer in the
    /// cache. Then keep-alive requests if they save anything, the changing system prompt line if it costs much, and unknown
    /// terms. Empty without a bill.
    pub fn lines(&self) -> Vec<String> {
        if self.requests == 0 {
            return Vec::new();
        }
        let (billed, read) = (self.billed_words(), self.share_of_input(self.read));
        let mut line = format!("cost at API prices: {billed}; {read} of the input was read from the cache");
        if let Some(misses) = self.misses_words() {
            line += &misses;
        }
        let mut lines = vec![line];
        if let Some(change) = self.with_keep_alive
            && change < 0.0
        {
            lines.push(format!("  {}", keep_alive_words(change)));
        }
        if let Some(moved) = self.moved()
            && moved.saved >= MUCH * self.billed
        {
            lines.push(format!("  {}", moved.words()));
        }
        lines.extend(self.unknown_terms_words());
        lines
    }

    /// `; $9.80 was paid for text that was no longer in the cache: $6.10 after breaks (a cache for 1 h instead of 5 min: −$4.40), $3.70
    /// after compactions`. The parts add up to the sum.
    fn misses_words(&self) -> Option<String> {
        let mut misses: Vec<(MissCause, f64)> =
            self.parts.again.iter().map(|(cause, cost)| (*cause, *cost)).collect();
        if self.parts.paid_again() >= CENTS {
            misses.retain(|(_, cost)| *cost >= HALF_CENT);
        }
        misses.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        // A single further cause is as short as its count.
        let named = if misses.len() == NAMED + 1 { misses.len() } else { NAMED.min(misses.len()) };
        let (named, others) = misses.split_at(named);
        let mut parts: Vec<(String, f64)> = Vec::new();
        for (cause, cost) in named {
            let mut words = miss_words(*cause).to_owned();
            if let (MissCause::Expired, Some(what_if)) = (cause, self.with_long) {
                words += &format!(" ({})", what_if.words());
            }
            parts.push((words, *cost));
        }
        if !others.is_empty() {
            let cost = others.iter().map(|(_, cost)| cost).sum();
            parts.push((format!("for {} other reasons", others.len()), cost));
        }
        if parts.is_empty() {
            return None;
        }
        let costs: Vec<f64> = parts.iter().map(|(_, cost)| *cost).collect();
        let (sum, costs) = dollars_in_parts(&costs);
        let mut named = Vec::new();
        for ((words, _), cost) in parts.iter().zip(costs) {
            named.push(format!("{cost} {words}"));
        }
        Some(format!("; {sum} was paid for text that was no longer in the cache: {}", named.join(", ")))
    }

    /// `counted at the standard price, since no other is known: tier turbo of gpt-5.5 (12 calls)`
    pub fn unknown_terms_words(&self) -> Option<String> {
        if self.unknown_terms.is_empty() {
            return None;
        }
        let mut named = Vec::new();
        for (terms, calls) in &self.unknown_terms {
            let calls = if *calls == 1 { "1 call".to_owned() } else { format!("{} calls", grouped(*calls)) };
            named.push(format!("{terms} ({calls})"));
        }
        Some(format!("counted at the standard price, since no other is known: {}", named.join(", ")))
    }

    /// ` ($3.20 of it at unconfirmed prices: nova-pro)`
    pub fn unconfirmed_words(&self) -> String {
        let cost: f64 = self.unconfirmed.values().sum();
        if cost <= 0.0 {
            return String::new();
        }
        let models: Vec<&str> = self.unconfirmed.keys().map(String::as_str).collect();
        format!(" ({} of it at unconfirmed prices: {})", dollars(cost), models.join(", "))
    }

    /// `$41.20`, or `$6.14 without the output of 25 answers, which the log does not count`.
    fn billed_words(&self) -> String {
        let billed = dollars(self.billed) + &self.unconfirmed_words();
        let answers = match self.without_output {
            0 => return billed,
            1 => "1 answer".to_owned(),
            number => format!("{} answers", grouped(number)),
        };
        format!("{billed} without the output of {answers}, which the log does not count")
    }

    fn share_of_input(&self, tokens: u64) -> String {
        percent((self.input() > 0).then(|| tokens as f64 / self.input() as f64))
    }

    /// Writes the section for `summary.md`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n## Where the money went\n\n{}\n", self.summary_sentence())?;
        table(out, &HEADINGS, self.miss_rows())?;
        let what_ifs = self.what_ifs();
        if !what_ifs.is_empty() {
            writeln!(out, "\n{WHAT_IFS}\n")?;
        }
        for what_if in what_ifs {
            writeln!(out, "- {what_if}")?;
        }
        if self.told > 0 {
            let (told, agreeing) = (grouped(self.told), grouped(self.agreeing));
            let requests = if self.told == 1 { "request" } else { "requests" };
            writeln!(
                out,
                "\nThe log has the provider's own reason for {told} {requests}. For {agreeing} of them, times and token counts lead to the \
                 same reason."
            )?;
        }
        Ok(())
    }
}

impl Spending {
    /// The section for the page; `None` without a bill.
    pub(in crate::report) fn section(&self) -> Option<impl Serialize + use<>> {
        if self.requests == 0 {
            return None;
        }
        let rows: Vec<Vec<String>> = self.miss_rows().collect();
        let what_ifs = json!({"title": WHAT_IFS, "list": self.what_ifs()});
        Some(
            json!({"sentence": self.summary_sentence(), "headings": HEADINGS, "rows": rows, "what_ifs": what_ifs}),
        )
    }

    fn summary_sentence(&self) -> String {
        let requests = if self.requests == 1 { "request" } else { "requests" };
        format!(
            "{} {requests} cost {}{} at API prices. Of {} input tokens, {} were read from the cache, {} were written to it, and {} were not \
             cached.",
            grouped(self.requests),
            dollars(self.billed),
            self.unconfirmed_words(),
            grouped(self.input()),
            self.share_of_input(self.read),
            self.share_of_input(self.written),
            self.share_of_input(self.fresh),
        )
    }

    /// The misses by cause, then those of first requests, which had nothing to read.
    fn miss_rows(&self) -> impl Iterator<Item = Vec<String>> {
        let first = self.causes.get_key_value(&MissCause::FirstRequest);
        let first = first.map(|(cause, missed)| (*cause, *missed));
        self.misses().into_iter().chain(first).map(|(cause, missed)| {
            vec![
                format!("{}{}", miss_words(cause), length_of_breaks(cause, missed)),
                grouped(missed.requests),
                grouped(missed.tokens),
                dollars(missed.cost),
            ]
        })
    }

    /// Other cache settings, another place of a changing line, and other models, each with its change of the cost.
    fn what_ifs(&self) -> Vec<String> {
        let mut what_ifs = Vec::new();
        for lifetime in [self.with_long, self.with_short].into_iter().flatten() {
            what_ifs.push(lifetime.words());
        }
        what_ifs.extend(self.with_keep_alive.map(keep_alive_words));
        what_ifs.extend(self.moved().map(MovedLine::words));
        for other in self.others.nearest_models(self.billed) {
            what_ifs.push(other.words(self.billed));
        }
        what_ifs
    }
}

impl MovedLine {
    /// `the changing line "Now: 12:01" of the system prompt moved to the end of the request: −$4.40`
    fn words(&self) -> String {
        let line = shorten_line(self.line.trim());
        let change = signed_dollars(-self.saved);
        format!("the changing line {line:?} of the system prompt moved to the end of the request: {change}")
    }
}

impl OtherModel {
    /// `the model gpt-6.1-sol, which needs 0.73 tokens for one in the log: −$4.40`
    fn words(self, billed: f64) -> String {
        let tokens = match self.tokens.map(|(least, most)| (format!("{least:.2}"), format!("{most:.2}"))) {
            None => ", if it needs as many tokens".to_owned(),
            Some((least, most)) if least == most && least == "1.00" => String::new(),
            Some((least, most)) if least == most => {
                format!(", which needs {least} tokens for one in the log")
            }
            Some((least, most)) => format!(", which needs {least} to {most} tokens for one in the log"),
        };
        format!("the model {}{tokens}: {}", self.model, signed_dollars(self.cost - billed))
    }
}

/// The reason for a cache miss in plain words, after an amount: `$4.40 after breaks`.
pub fn miss_words(cause: MissCause) -> &'static str {
    match cause {
        MissCause::FirstRequest => "in first requests",
        MissCause::Expired => "after breaks",
        MissCause::Compacted => "after compactions",
        MissCause::ModelSwitched => "after a switch of the model",
        MissCause::System => "after a change of the system prompt",
        MissCause::Tools => "after the list of tools changed",
        MissCause::Messages => "after edits of earlier messages",
        MissCause::Changed => "after edits of earlier text",
        MissCause::NotMarked => "without a cache breakpoint",
        MissCause::ReasoningDropped => "after messages that dropped reasoning",
        MissCause::Cold => "with a cold cache in mid-session",
        MissCause::NotKept => "that the provider did not keep",
    }
}

/// The first characters of a line.
fn shorten_line(line: &str) -> String {
    shortened_with(line, LINE, "…").into_owned()
}

impl WhatIf {
    /// `a cache for 1 h instead of 5 min: −$4.40`
    fn words(self) -> String {
        format!(
            "a cache for {} instead of {}: {}",
            self.ttl.words(),
            self.instead_of.words(),
            signed_dollars(self.change)
        )
    }
}

fn keep_alive_words(saved: f64) -> String {
    format!("a request every 4 min during breaks, to keep the cache: {}", signed_dollars(saved))
}

/// ` of 14 min to 2 h 10 min`
fn length_of_breaks(cause: MissCause, missed: Missed) -> String {
    let (MissCause::Expired, Some((least, most))) = (cause, missed.pauses) else { return String::new() };
    let (least, most) = (format_pause(least), format_pause(most));
    if least == most { format!(" of {least}") } else { format!(" of {least} to {most}") }
}

/// Seconds below a minute, else whole minutes.
fn format_pause(milliseconds: u64) -> String {
    let seconds = u32::try_from(milliseconds / 1000).unwrap_or(u32::MAX);
    let seconds = if seconds < 60 { seconds } else { seconds - seconds % 60 };
    TimeSpan::of_seconds(seconds).map_or_else(|| "0 s".to_owned(), TimeSpan::words)
}

/// `+$0.20`, `−$4.40`
fn signed_dollars(amount: f64) -> String {
    format!("{}{}", if amount < 0.0 { "−" } else { "+" }, dollars(amount.abs()))
}

/// The sum of costs, and the costs, rounded to add up to it.
fn dollars_in_parts(costs: &[f64]) -> (String, Vec<String>) {
    let sum: f64 = costs.iter().sum();
    let (unit, digits) = if sum >= CENTS { (100.0, 2) } else { (10_000.0, 4) };
    let mut units: Vec<i64> = costs.iter().map(|cost| (cost * unit).floor() as i64).collect();
    let rests: Vec<f64> = costs.iter().map(|cost| cost * unit - (cost * unit).floor()).collect();
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|one, other| rests[*other].total_cmp(&rests[*one]));
    let missing = (sum * unit).round_ties_even() as i64 - units.iter().sum::<i64>();
    let missing = usize::try_from(missing).unwrap_or(0);
    for index in order.into_iter().take(missing) {
        units[index] += 1;
    }
    let whole: i64 = units.iter().sum();
    let parts = units.into_iter().map(|units| format!("${:.digits$}", units as f64 / unit));
    (format!("${:.digits$}", whole as f64 / unit), parts.collect())
}

/// `$41.20`, `$0.0042`
fn dollars(amount: f64) -> String {
    if amount >= 0.1 || amount == 0.0 { format!("${amount:.2}") } else { format!("${amount:.4}") }
}
