//! Sums over evaluated conversations, for facts only available in logs.

use std::collections::BTreeMap;

use super::bills::Bills;
use super::conversations::Conversations;
use super::estimate::EstimatedMoney;
use super::log_times::DailyCost;
use crate::cli::broken::BrokenStrategies;
use crate::evaluate::EvaluatedScenario;
use crate::report::Header;
use agent_logs::Billed;
use ptc_prices::Money;

/// Sums over conversations for facts only available in logs.
pub(super) struct LogSums<'c> {
    /// The first and last day of each conversation, by name. Conversations without times are left out.
    days: BTreeMap<&'c str, (i64, i64)>,
    /// Billed input tokens by name of the conversation. Empty with `--no-bills`.
    billed: BTreeMap<&'c str, &'c Billed>,
    pub(super) bills: Bills,
    pub(super) daily: DailyCost,
    /// Dollars for each conversation under the baseline, by name.
    pub(super) costs: BTreeMap<String, f64>,
    /// The same by use.
    pub(super) money: EstimatedMoney,
    broken: BrokenStrategies,
    /// Conversations whose logs have no system prompt.
    pub(super) without_system: u64,
}

impl<'c> LogSums<'c> {
    /// Sums without an evaluation so far. `no_bills`: compare no bills of runs.
    pub(super) fn new(conversations: &'c Conversations, no_bills: bool) -> LogSums<'c> {
        LogSums {
            days: conversations.days(),
            billed: if no_bills { BTreeMap::new() } else { conversations.billed() },
            bills: Bills::default(),
            daily: DailyCost::default(),
            costs: BTreeMap::new(),
            money: EstimatedMoney::default(),
            broken: BrokenStrategies::default(),
            without_system: 0,
        }
    }

    /// Adds a conversation, and prints its warnings and errors.
    pub(super) fn add_evaluation(&mut self, evaluation: EvaluatedScenario, header: &Header) {
        let EvaluatedScenario { record, explained, broken, stale, .. } = evaluation;
        let name = record.name.as_str();
        self.without_system += u64::from(record.system.as_deref() == Some(""));
        self.daily.add(self.days.get(name).copied(), record.baseline(header));
        if let Some(run) = record.baseline(header) {
            let costs = run.requests.iter().filter_map(|request| Some(request.bills.first()?.cost));
            self.costs.insert(name.to_owned(), costs.sum::<Money>().dollars());
            if let Some(price) = header.models.first() {
                self.money.add(run, price);
            }
        }
        stale.iter().for_each(|stale| errln!("warning: {}", stale.describe()));
        self.broken.add(name, broken).iter().for_each(|error| err!("{error}"));
        match (explained, self.billed.get(name)) {
            (Some(explained), _) => self.bills.add_requests(&explained),
            (None, Some(billed)) => self.bills.add_run(&record, billed),
            (None, None) => {}
        }
    }
}
