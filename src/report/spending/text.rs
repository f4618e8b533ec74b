//! The spending of logs for readers: lines for a terminal, a section of `summary.md`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;

use super::{MissCause, Missed, MovedLine, OtherModel, Spending, WhatIf};
use crate::measure::numbers::{grouped, percent};
use crate::report::tables::table;
use conversation::cut::shortened_with;
use ptc_prices::TimeSpan;

const HEADINGS: [&str; 4] = ["input that was not read", "requests", "tokens", "cost beyond reading"];
/// Causes named on a terminal.
const NAMED: usize = 3;
/// The most characters shown of a system prompt line.
const LINE: usize = 60;
/// A terminal names a system prompt line if it costs at least this share of the bill.
const MUCH: f64 = 0.02;

impl Spending {
    /// `spent $41.20 at API prices: read 61% of input`, with the cost of text that was no longer in the cache. Then keep-alive
    /// requests if they save anything, the changing system prompt line if it costs much, and unknown terms. Empty
    /// without a bill.
    pub fn lines(&self) -> Vec<String> {
        if self.requests == 0 {
            return Vec::new();
        }
        let mut line =
            format!("spent {} at API prices: read {} of input", self.billed_words(), self.share(self.read));
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

    /// `; $9.80 for text that was no longer in the cache: expired $6.10 (with 1 h instead of 5 min: −$4.40), compacted $3.70`. The
    /// parts add up to the sum.
    fn misses_words(&self) -> Option<String> {
        let mut misses: Vec<(MissCause, f64)> =
            self.parts.again.iter().map(|(cause, cost)| (*cause, *cost)).collect();
        misses.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut parts: Vec<(String, f64)> = Vec::new();
        for (cause, cost) in misses.iter().take(NAMED) {
            parts.push((cause.name().to_owned(), *cost));
        }
        let others = misses.get(NAMED..).unwrap_or_default();
        match others {
            [] => {}
            [(cause, cost)] => parts.push((cause.name().to_owned(), *cost)),
            others => {
                let cost = others.iter().map(|(_, cost)| cost).sum();
                parts.push((format!("{} other causes", others.len()), cost));
            }
        }
        if parts.is_empty() {
            return None;
        }
        let costs: Vec<f64> = parts.iter().map(|(_, cost)| *cost).collect();
        let (sum, costs) = dollars_in_parts(&costs);
        let mut named = Vec::new();
        for ((name, _), cost) in parts.iter().zip(costs) {
            let what_if = self.with_long.filter(|_| name == MissCause::Expired.name());
            let what_if = what_if.map_or_else(String::new, |what_if| format!(" ({})", what_if.words()));
            named.push(format!("{name} {cost}{what_if}"));
        }
        Some(format!("; {sum} for text that was no longer in the cache: {}", named.join(", ")))
    }

    /// `billed at the standard rate, since no other is known: tier turbo of gpt-5.5 (12 calls)`
    pub fn unknown_terms_words(&self) -> Option<String> {
        let mut named = Vec::new();
        for (terms, calls) in &self.unknown_terms {
            let calls = if *calls == 1 { "1 call".to_owned() } else { format!("{} calls", grouped(*calls)) };
            named.push(format!("{terms} ({calls})"));
        }
        let standard = "billed at the standard rate, since no other is known";
        (!named.is_empty()).then(|| format!("{standard}: {}", named.join(", ")))
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

    /// `$41.20`, or `$6.14 without the output of 25 answers, which the log lacks`.
    fn billed_words(&self) -> String {
        let billed = dollars(self.billed) + &self.unconfirmed_words();
        match self.without_output {
            0 => billed,
            1 => format!("{billed} without the output of 1 answer, which the log lacks"),
            number => {
                format!("{billed} without the output of {} answers, which the log lacks", grouped(number))
            }
        }
    }

    fn share(&self, tokens: u64) -> String {
        percent((self.input() > 0).then(|| tokens as f64 / self.input() as f64))
    }

    /// Writes the section for `summary.md`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n## Where the money went\n\n{}\n", self.sentence())?;
        table(out, &HEADINGS, self.rows())?;
        if let Some(what_ifs) = self.what_ifs() {
            writeln!(out, "\n{what_ifs}")?;
        }
        if self.told > 0 {
            writeln!(
                out,
                "\nThe provider itself gives the cause of {} requests; times and bills alone give the same of {}.",
                grouped(self.told),
                grouped(self.agreeing)
            )?;
        }
        Ok(())
    }
}

impl Spending {
    /// The section for the page; `None` without a bill.
    pub(in crate::report) fn section(&self) -> Option<impl Serialize + use<>> {
        let rows: Vec<Vec<String>> = self.rows().collect();
        let section = json!({"sentence": self.sentence(), "headings": HEADINGS, "rows": rows, "what_ifs": self.what_ifs()});
        (self.requests > 0).then_some(section)
    }

    fn sentence(&self) -> String {
        format!(
            "At API prices {}{} for {} requests. Of {} tokens of input {} were read from a cache, {} written to it and {} sent afresh.",
            dollars(self.billed),
            self.unconfirmed_words(),
            grouped(self.requests),
            grouped(self.input()),
            self.share(self.read),
            self.share(self.written),
            self.share(self.fresh),
        )
    }

    /// The misses by cause, then those of first requests, which had nothing to read.
    fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        let first = self.causes.get_key_value(&MissCause::FirstRequest);
        let first = first.map(|(cause, missed)| (*cause, *missed));
        self.misses().into_iter().chain(first).map(|(cause, missed)| {
            vec![
                format!("{}{}", cause.name(), after(cause, missed)),
                grouped(missed.requests),
                grouped(missed.tokens),
                dollars(missed.cost),
            ]
        })
    }

    /// `The same requests with 1 h instead of 5 min: −$4.40; with claude-sonnet-5-5: −$20.10.`
    fn what_ifs(&self) -> Option<String> {
        let lifetimes = [self.with_long, self.with_short].into_iter().flatten().map(WhatIf::words);
        let moved = self.moved().map(MovedLine::words);
        let others =
            self.others.nearest_models(self.billed).into_iter().map(|other| other.words(self.billed));
        let what_ifs = lifetimes.chain(self.with_keep_alive.map(keep_alive_words)).chain(moved).chain(others);
        let what_ifs: Vec<String> = what_ifs.collect();
        (!what_ifs.is_empty()).then(|| format!("The same requests {}.", what_ifs.join("; ")))
    }
}

impl MovedLine {
    /// `with the line "Now: 12:01" of the system prompt behind the conversation: −$4.40`
    fn words(&self) -> String {
        let line = shortened(self.line.trim());
        format!(
            "with the line {line:?} of the system prompt, which changes, behind the conversation: {}",
            change(-self.saved)
        )
    }
}

impl OtherModel {
    /// `with gpt-6.1-sol, 0.73 of its tokens for one of the log: −$4.40`
    fn words(self, billed: f64) -> String {
        let tokens = match self.tokens.map(|(least, most)| (format!("{least:.2}"), format!("{most:.2}"))) {
            None => ", as if it had the same tokens".to_owned(),
            Some((least, most)) if least == most && least == "1.00" => String::new(),
            Some((least, most)) if least == most => format!(", {least} of its tokens for one of the log"),
            Some((least, most)) => format!(", {least} to {most} of its tokens for one of the log"),
        };
        format!("with {}{tokens}: {}", self.model, change(self.cost - billed))
    }
}

/// The first characters of a line.
fn shortened(line: &str) -> String {
    shortened_with(line, LINE, "…").into_owned()
}

impl WhatIf {
    /// `with 1 h instead of 5 min: −$4.40`
    fn words(self) -> String {
        format!("with {} instead of {}: {}", self.ttl.words(), self.instead_of.words(), change(self.change))
    }
}

fn keep_alive_words(saved: f64) -> String {
    format!("with a request every 4 min in pauses: {}", change(saved))
}

/// ` after 14 min to 2 h 10 min`
fn after(cause: MissCause, missed: Missed) -> String {
    let Some((least, most)) = missed.pauses.filter(|_| cause == MissCause::Expired) else {
        return String::new();
    };
    let (least, most) = (format_pause(least), format_pause(most));
    if least == most { format!(" after {least}") } else { format!(" after {least} to {most}") }
}

/// Seconds below a minute, else whole minutes.
fn format_pause(milliseconds: u64) -> String {
    let seconds = u32::try_from(milliseconds / 1000).unwrap_or(u32::MAX);
    let seconds = if seconds < 60 { seconds } else { seconds - seconds % 60 };
    TimeSpan::of_seconds(seconds).map_or_else(|| "0 s".to_owned(), TimeSpan::words)
}

/// `+$0.20`, `−$4.40`
fn change(amount: f64) -> String {
    format!("{}{}", if amount < 0.0 { "−" } else { "+" }, dollars(amount.abs()))
}

/// The sum of costs, and the costs, rounded to add up to it.
fn dollars_in_parts(costs: &[f64]) -> (String, Vec<String>) {
    let sum: f64 = costs.iter().sum();
    let (unit, digits) = if sum >= 0.1 { (100.0, 2) } else { (10_000.0, 4) };
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
