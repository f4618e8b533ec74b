//! Families of settings, measured beside the strategies of another evaluation. Both share each scenario's messages and evidence, which
//! takes half the time of an evaluation of their own.

use super::plan::Plan;
use super::tune::{Search, SettingsComparison, StrategySetting, plan_settings};
use super::{EvaluateError, EvaluatedScenario, Pipeline};
use crate::compression::RECORDED;
use crate::report::Tally;
use crate::scenario::suite::Tolerance;

/// Settings to measure, and their sums.
pub struct Sweep {
    /// The settings.
    pub plan: Plan,
    pub sums: SweepSums,
}

/// Sums over the scenarios added so far: of the logged run, of the baseline, and of the settings.
pub struct SweepSums {
    tally: Tally,
    /// Names of the strategies before the settings.
    others: Vec<String>,
}

impl Search<'_> {
    /// Prepares to measure one family of settings, ordered from mild to aggressive, beside the strategies of the suite.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn sweep(&self, family: Vec<StrategySetting>) -> Result<Sweep, EvaluateError> {
        let wanted: Vec<_> = family.iter().map(StrategySetting::named_options).collect();
        let (_, sums) = self.sums_for(&[family], None)?;
        Ok(Sweep { plan: plan_settings(self.suite, &wanted)?, sums })
    }

    /// The plan for the logged run, the baseline and families of settings, and its empty sums. Each family is ordered from mild to
    /// aggressive. `turns` assumes the same number of agent turns under all settings.
    ///
    /// # Errors
    /// A setting is invalid.
    pub(super) fn sums_for(
        &self,
        families: &[Vec<StrategySetting>],
        turns: Option<f64>,
    ) -> Result<(Plan, SweepSums), EvaluateError> {
        let baseline = StrategySetting::of(&self.suite.baseline);
        // The sent requests decide which sizes a model accepts, and bills are matched to them: measure the logged run too.
        let mut others = Vec::new();
        let has_recorded = self.suite.strategies.iter().any(|name| name == RECORDED.name());
        if has_recorded && baseline.strategy != RECORDED.name() {
            others.push(StrategySetting::of(RECORDED.name()));
        }
        others.push(baseline);
        let all = others.iter().chain(families.iter().flatten());
        let wanted: Vec<_> = all.map(StrategySetting::named_options).collect();
        let plan = plan_settings(self.suite, &wanted)?;
        let mut header = Pipeline::new(&plan, self.gauges).header(self.suite);
        header.tolerance =
            Tolerance { turns: turns.or(self.bounds.tolerance.turns), ..self.bounds.tolerance };
        let mut settings = header.settings.iter_mut().skip(others.len());
        for (number, family) in families.iter().enumerate() {
            for setting in settings.by_ref().take(family.len()) {
                setting.family = format!("family {number}");
            }
        }
        let others = others.into_iter().map(|setting| setting.strategy).collect();
        Ok((plan, SweepSums { tally: Tally::new(header), others }))
    }
}

impl SweepSums {
    /// Adds a scenario evaluated with [`Pipeline::beside`] set to the plan of the settings.
    pub fn add(&mut self, evaluation: &mut EvaluatedScenario) {
        let EvaluatedScenario { record, beside, .. } = evaluation;
        let mut strategies = Vec::with_capacity(self.others.len() + beside.len());
        for name in &self.others {
            strategies.extend(record.run_of(name).cloned());
        }
        strategies.append(beside);
        let own = std::mem::replace(&mut record.strategies, strategies);
        self.tally.add(record);
        record.strategies = own;
    }

    /// Adds a scenario evaluated with the plan of all strategies.
    pub(super) fn add_whole(&mut self, evaluation: &EvaluatedScenario) {
        self.tally.add(&evaluation.record);
    }

    /// Compares the settings with the baseline.
    pub fn compare(self) -> SettingsComparison {
        SettingsComparison { comparison: self.tally.compare(), first: self.others.len() }
    }
}
