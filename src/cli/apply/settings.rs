//! Settings of coding agents: the file, key and value that make a product compact at a size.

use super::evidence::lines_on_public_results;
use super::{setting, setting_without_trigger};
use crate::cli::advise;
use crate::cli::error::CliError;
use crate::cli::priced::price_table;
use crate::cli::recommendation::wrapped;
use crate::cli::suite::{StrategyChoice, for_shell, option_for_shell};
use crate::compression::{
    CompactionSetting, OutOfReach, Product, RESULT_LIMIT, SUMMARIES, TRIGGER, Trigger, Variant,
    summary_trigger,
};
use crate::measure::numbers::grouped;
use ptc_prices::Price;

/// Columns of the instructions. They may go to a file, so they do not depend on the terminal.
const COLUMNS: usize = 80;
/// The size for a hook if none is given, as a share of the window. Chosen, not measured.
const SHARE: f64 = 0.5;
/// Columns of comments in generated files.
const COMMENT: usize = 115;

/// The instructions for a product and a summarizing strategy.
pub(super) fn text(
    product: &Product,
    choice: &StrategyChoice,
    variant: &Variant<'_>,
    model: Option<&str>,
) -> Result<String, CliError> {
    let Some(compaction) = &product.compacts_at else {
        return Err(CliError::NoSetting {
            product: product.title.clone(),
            what: "no setting for the size at which it compacts",
        });
    };
    let own = product.compaction().map(|preset| preset.name.as_str());
    let is_known = choice.name == SUMMARIES.name || Some(choice.name.as_str()) == own;
    let other = choice.options.keys().find(|option| *option != TRIGGER);
    let trigger = summary_trigger(&variant.options);
    let has_size = trigger.tokens.is_some() || trigger.window.is_some() || trigger.free.is_some();
    if !is_known || other.is_some() || trigger.turns.is_some() || !has_size {
        let name = own.unwrap_or(SUMMARIES.name);
        return Err(CliError::OnlyTrigger {
            product: product.title.clone(),
            instead: command(product, name, 100_000, model),
        });
    }
    let (tokens, window) = size_of(product, compaction, trigger, model)?;
    let at = ProductTrigger {
        product,
        compaction,
        strategy: own.unwrap_or(SUMMARIES.name),
        tokens,
        window,
        model,
    };
    at.text(variant)
}

/// The size at which a product should compact, and the context window of the model. Both in tokens.
///
/// # Errors
/// The window is needed, but no model is given.
fn size_of(
    product: &Product,
    compaction: &CompactionSetting,
    trigger: Trigger,
    model: Option<&str>,
) -> Result<(u64, u64), CliError> {
    let window = match model {
        Some(model) => {
            // The product's own windows are listed by the name in the price table, not by an alias.
            let price = priced(model)?;
            price.window.map(|of_api| u64::from(product.window_of(&price.model, of_api)))
        }
        None => None,
    };
    if window.is_none() && (compaction.needs_window() || trigger.tokens.is_none()) {
        return Err(CliError::NeedsWindow { product: product.title.clone() });
    }
    // Without a model, use the product's usual context window, if it has one.
    let known_window = window.unwrap_or_else(|| match product.window_of("", u32::MAX) {
        u32::MAX => u64::MAX,
        usual => usual.into(),
    });
    let share = trigger.window.map(|share| (share * known_window as f64) as u64);
    let rest = trigger.free.map(|free| known_window.saturating_sub(free));
    let tokens = trigger.tokens.into_iter().chain(share).chain(rest).min().unwrap_or(0);
    Ok((tokens, known_window))
}

/// The setting for the size at which a hook for compactions runs, as lines of a comment.
///
/// # Errors
/// The product ignores this size, or the size depends on the window of a model that is not given.
pub(super) fn size_of_hook(
    product: &Product,
    variant: &Variant<'_>,
    model: Option<&str>,
) -> Result<String, CliError> {
    let Some(compaction) = &product.compacts_at else { return Ok(String::new()) };
    let (given, file) = (variant.options.trigger(), place(&compaction.file));
    let has_size = given.tokens.is_some() || given.window.is_some() || given.free.is_some();
    if !has_size && model.is_none() {
        let name = compaction.line.split(':').next().unwrap_or_default();
        return Ok(comment(&format!(
            "{name} in {} sets the size. Its value depends on the window of your model: with --model NAME, or with a size such as \
             ,trigger={{tokens: 100000}}, it is printed here. The setting alone is simpler: try it first.",
            compaction.file
        )));
    }
    let trigger = if has_size { given } else { Trigger { window: Some(SHARE), ..given } };
    let (tokens, window) = size_of(product, compaction, trigger, model)?;
    // The size of the suggestion differs, and nothing else.
    let strategy = &setting_without_trigger(variant, super::copyable::changed(variant));
    let at = ProductTrigger { product, compaction, strategy, tokens, window, model };
    let line = at.fill_line()?;
    let share = if has_size {
        String::new()
    } else {
        format!(", half of the window of {}", model.unwrap_or_default())
    };
    let place = comment(&format!(
        "To run it at {} tokens{share}, put this into {file}. The setting alone is simpler: try it first.",
        grouped(tokens)
    ));
    let hints = comment(&hints_on_file(&compaction.file, &line).join(" "));
    Ok(format!("{place}\n//\n//     {line}\n//\n{hints}\n//"))
}

/// The instructions for a limit on tool results: `as-recorded` with options. `None` for everything else.
pub(super) fn limit_text(product: &Product, variant: &Variant<'_>) -> Option<String> {
    let characters = variant.options.size(&RESULT_LIMIT);
    let limit = product.output_limit.as_ref().filter(|_| characters > 0)?;
    let value = u32::try_from(characters).ok()? / limit.characters.max(1);
    let does = format!(
        "{} cuts {} at {} {} with this setting.",
        product.title,
        limit.what,
        grouped(value.into()),
        limit.unit
    );
    let remarks = format!("{}. {}", capitalized(&limit.rest), limit.evidence.sentence(product));
    let line = limit.line_for(value);
    Some(
        instructions(&does, product, (&limit.file, &line), &remarks)
            + &next_steps(product, &limit.file, "", false),
    )
}

/// How to see what a setting loses, whether it is on, and whether it saved.
fn next_steps(product: &Product, file: &str, options: &str, is_recognized: bool) -> String {
    let logs = advise::logs_of(product);
    let lost = format!("What it would save and lose in your sessions:\nptc-eval advise {logs}{options}\n");
    let check = if is_recognized { "Whether it is on, and whether it saved" } else { "Whether it saved" };
    let saved = wrapped(
        &format!(
            "{check}: after some sessions, with copies of the session logs{} from before and after the change in two folders:",
            folder_in_words(product)
        ),
        COLUMNS,
    );
    let again = match start_again(product, file) {
        Some(again) => format!(" {again}"),
        None => String::new(),
    };
    format!(
        "\n{lost}{saved}\nptc-eval effect BEFORE AFTER\n{}\n",
        wrapped(&format!("To undo it, remove the line or restore its old value.{again}"), COLUMNS)
    )
}

/// ` (~/.claude/projects)`
fn folder_in_words(product: &Product) -> String {
    advise::usual_folder_of(product).map_or_else(String::new, |folder| format!(" ({folder})"))
}

/// `Then restart Codex.` `None` for a setting that is not in a file.
fn start_again(product: &Product, file: &str) -> Option<String> {
    match file {
        file if file.starts_with('~') => Some(format!("Then restart {}.", product.title)),
        file if file.starts_with("the shell") => {
            Some(format!("Then start {} from this shell.", product.title))
        }
        _ => None,
    }
}

/// What a hook for this strategy loses, as lines of a comment. `apply` has no logs, so this is the evidence of public experiments.
pub(super) fn losses_of_hook(product: &Product, variant: &Variant<'_>) -> String {
    let logs = advise::logs_of(product);
    let measured =
        format!("What it saves and loses in your sessions is not measured: run `ptc-eval advise {logs}`.");
    let mut lines = vec![comment(&measured)];
    for line in lines_on_public_results(variant) {
        lines.push(comment(&line));
    }
    lines.join("\n")
}

/// How to switch a hook off, with what else there is to do, and how to see whether it is on and saves, as lines of a comment.
pub(super) fn steps_of_hook(product: &Product, also: &str) -> String {
    comment(&format!(
        "To undo it, delete this file{also} and restart {}. Whether it is on, and whether it saved: after some sessions, `ptc-eval effect \
         BEFORE AFTER`, with copies of the session logs{} from before and after the change in two folders.",
        product.title,
        folder_in_words(product)
    ))
}

/// A comment of TypeScript, wrapped.
fn comment(text: &str) -> String {
    format!("// {}", wrapped(text, COMMENT).replace('\n', "\n// "))
}

/// What a setting does, where its line belongs, and remarks.
fn instructions(does: &str, product: &Product, (file, line): (&str, &str), remarks: &str) -> String {
    let (place, remarks) = (place(file), wrapped(remarks, COLUMNS));
    let mut text =
        format!("{does}\nNothing is changed yet: add this yourself.\n\nIn {place}:\n\n{line}\n\n{remarks}\n");
    for hint in hints_on_file(file, line).into_iter().chain(start_again(product, file)) {
        text += &wrapped(&hint, COLUMNS);
        text.push('\n');
    }
    text
}

/// How the line gets into the file: if it has other settings, or is missing.
fn hints_on_file(file: &str, line: &str) -> Vec<String> {
    let mut hints = Vec::new();
    let key = line.split([':', '=']).next().unwrap_or(line).trim_end();
    if !file.starts_with('~') {
        return hints;
    }
    if file.ends_with(".json") {
        hints.push("JSON needs a comma between two settings.".to_owned());
        if line.contains('{') {
            hints.push(format!("If {key} is there already, put what is inside its braces into those."));
        } else {
            hints.push(format!("If {key} is there already, change its value."));
        }
        hints.push(match line.contains('\n') {
            true => "If the file is missing, create it with these lines between { and }.".to_owned(),
            false => format!("If the file is missing, create it with {{{line}}}"),
        });
    } else {
        hints.push(format!("If {key} is there already, change its value."));
        hints.push("If the file is missing, create it with this line alone.".to_owned());
    }
    hints
}

/// The setting line that makes a product compact at this size, such as `"autoCompactWindow": 133000`. `None` if the product would ignore
/// it.
pub(in crate::cli) fn setting_line(
    product: &Product,
    tokens: u64,
    window: u64,
    model: &str,
) -> Option<String> {
    let compaction = product.compacts_at.as_ref()?;
    let strategy = SUMMARIES.name;
    let at = ProductTrigger { product, compaction, strategy, tokens, window, model: Some(model) };
    at.fill_line().ok()
}

/// `ptc-eval apply 'claude-code,trigger={tokens: 100000}' --for claude-code`
pub(in crate::cli) fn command(product: &Product, strategy: &str, tokens: u64, model: Option<&str>) -> String {
    let choice = format!("{strategy},trigger={{tokens: {tokens}}}");
    let command = format!("ptc-eval apply {} --for {}", for_shell(&choice), product.name);
    match model {
        Some(model) => format!("{command} {}", option_for_shell("--model", model)),
        None => command,
    }
}

/// The error for a strategy not available in a product.
pub(super) fn not_possible(product: &Product, variant: &Variant<'_>) -> CliError {
    let strategy = setting(variant, super::copyable::changed(variant));
    let name = product.compaction().map_or(SUMMARIES.name, |preset| &preset.name);
    let instead = match (&product.hook, &product.compacts_at) {
        (Some(hook), _) => format!("its hook can do {}", hook.strategies.join(", ")),
        (None, Some(_)) => format!("it can compact earlier: {}", command(product, name, 100_000, None)),
        (None, None) => {
            "it has no setting for its history; begin a new session for each task, so that less is sent again"
                .to_owned()
        }
    };
    CliError::NotInProduct { product: product.title.clone(), strategy, instead }
}

/// A product with the size at which it should compact.
struct ProductTrigger<'p> {
    product: &'p Product,
    compaction: &'p CompactionSetting,
    /// The strategy to suggest if the size is out of reach, with its options but no trigger.
    strategy: &'p str,
    tokens: u64,
    window: u64,
    model: Option<&'p str>,
}

impl ProductTrigger<'_> {
    fn text(&self, variant: &Variant<'_>) -> Result<String, CliError> {
        let line = self.fill_line()?;
        let CompactionSetting { file, effect, evidence, value, .. } = self.compaction;
        let size = grouped(self.tokens);
        let title = &self.product.title;
        let does = format!(
            "{title} compacts at {size} tokens with this setting: a summary replaces the history. Later requests are smaller; what \
             the summary leaves out, the model no longer has."
        );
        let mut remarks = capitalized(effect);
        if let Some(above) = value.tokens_above() {
            // People compare this number with the one above.
            let value = self.tokens + above;
            remarks += &format!(": {value} = {size} + {}, with no comma inside the number", grouped(above));
        }
        remarks += &format!(". {}", evidence.sentence(self.product));
        let text = instructions(&wrapped(&does, COLUMNS), self.product, (file, &line), &remarks);
        let check = match self.product.compaction() {
            Some(preset) => {
                let setting = format!("{},trigger={{tokens: {}}}", preset.name, self.tokens);
                format!(" --table \\\n  --preset {}", for_shell(&setting))
            }
            None => String::new(),
        };
        let mut public = String::from("\n");
        for line in lines_on_public_results(variant) {
            public += &format!("{}\n", wrapped(&line, COLUMNS));
        }
        Ok(text + &public + &next_steps(self.product, file, &check, true))
    }

    /// The line of the settings file, with its value filled in.
    fn fill_line(&self) -> Result<String, CliError> {
        let Self { product, compaction, tokens, window, model, .. } = *self;
        let value = product.compaction_value(compaction, tokens, window).map_err(|out| self.refusal(out))?;
        let model = model.unwrap_or("MODEL");
        let values = [
            ("{value}", number(value)),
            ("{window}", window.to_string()),
            ("{provider}", provider(model).to_owned()),
            ("{model}", model.to_owned()),
        ];
        let mut line = compaction.line.clone();
        for (name, value) in &values {
            line = line.replace(name, value);
        }
        Ok(line)
    }

    fn refusal(&self, out: OutOfReach) -> CliError {
        let (product, tokens) = (self.product.title.clone(), grouped(self.tokens));
        let (reason, nearest) = match out {
            OutOfReach::Limit { reason, nearest, .. } => (reason, nearest),
            OutOfReach::Constant { constant, nearest } => {
                let constant = grouped(constant.into());
                let reason = format!(
                    "its system prompt and tools alone have about {constant} tokens, so it would compact at nearly every request"
                );
                (reason, Some(nearest))
            }
        };
        let instead = match nearest {
            Some(nearest) => {
                format!("nearest to it is {}", command(self.product, self.strategy, nearest, self.model))
            }
            None => "choose another size".to_owned(),
        };
        CliError::OutOfReach { product, tokens, reason, instead }
    }
}

/// The place of a line in a settings file. A line is valid only there.
pub(in crate::cli) fn place(file: &str) -> String {
    match file.rsplit_once('.') {
        Some((_, "json")) if file.starts_with('~') => format!("{file}, in the outermost braces"),
        // Below a table, a key would belong to that table.
        Some((_, "toml")) if file.starts_with('~') => format!("{file}, above the first [table]"),
        _ => file.to_owned(),
    }
}

/// The price of a model, needed for its context window.
fn priced(model: &str) -> Result<Price, CliError> {
    let table = price_table(None)?;
    Ok(table.find(model, table.day())?)
}

/// The provider of a model, as opencode calls it.
fn provider(model: &str) -> &'static str {
    match model.split(['-', '/']).next() {
        Some("claude" | "anthropic") => "anthropic",
        Some("gpt" | "openai" | "o3" | "o4") => "openai",
        Some("gemini" | "google") => "google",
        _ => "PROVIDER",
    }
}

/// `133000`, `0.25`
fn number(value: f64) -> String {
    if value >= 1.0 { format!("{value:.0}") } else { format!("{value}") }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        // Option names keep their case.
        Some(first) if !text.starts_with("opencode") && !text.starts_with("pi ") => {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}
