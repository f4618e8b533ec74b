//! Model names in the spellings of logs, routers and clouds, and the price rows they mean.

use rustc_hash::FxHashMap;

use crate::places::{find_place, is_known};
use crate::prices::{Price, PriceTable, date_of_day};

/// A model name without a row in the [`PriceTable`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the price table has no model '{name}'")]
pub struct UnknownModel {
    /// The name.
    pub name: String,
    /// At most three models with similar names, nearest first.
    pub nearest: Vec<String>,
}

impl UnknownModel {
    /// `did you mean 'gpt-5.5' or 'gpt-5'?`; `None` without similar names.
    pub fn suggestion(&self) -> Option<String> {
        match self.nearest.as_slice() {
            [] => None,
            [near] => Some(format!("did you mean '{near}'?")),
            [near @ .., last] => Some(format!("did you mean '{}' or '{last}'?", near.join("', '"))),
        }
    }
}

impl PriceTable {
    /// The prices of a model on a day, see [`day_number`](crate::day_number), by any usual spelling of its name. If a
    /// cloud charges another price than the provider itself, the prices are multiplied, with a note in `model` and
    /// `confidence`.
    ///
    /// ```
    /// use ptc_prices::{PriceTable, day_number};
    ///
    /// let day = day_number("2026-11-01").ok_or("no such day")?;
    /// let price = PriceTable::built_in()?.find("bedrock/us.anthropic.claude-sonnet-4-5", day)?;
    /// assert_eq!(price.model, "bedrock/us/claude-sonnet-4-5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No row matches, or the model's price on the given route is unknown.
    pub fn find(&self, name: &str, day: i64) -> Result<Price, UnknownModel> {
        let day = date_of_day(day);
        if let Some(model) = self.model_spelled(self.names.find_exact(name), name, &day)
            && let Some(price) = self.price_of(model, &day)
        {
            return Ok(price);
        }
        match self.find_spelling(name, &day) {
            Some(price) => Ok(price),
            None => Err(self.suggest_names(name, &day)),
        }
    }

    /// The row of a model in force on a day, with `until` set.
    fn price_of(&self, model: &str, day: &str) -> Option<Price> {
        let row = self.in_force(model, day)?;
        let until = match self.announced_rows(model, row.first_day()).first() {
            Some(next) => next.from.clone(),
            None => None,
        };
        Some(Price { until, ..row.clone() })
    }

    fn find_spelling(&self, name: &str, day: &str) -> Option<Price> {
        let spelling = Spelling::parse_name(name);
        for name in spelling.shorter_names() {
            let wanted = normalise_name(name);
            if let Some(model) = self.model_spelled(self.names.find_alike(&wanted), &wanted, day) {
                let place = find_place(&spelling.route, model)?;
                return Some(self.price_of(model, day)?.sold_at(&place));
            }
        }
        None
    }

    /// The model among these rows with this name on a day.
    fn model_spelled(&self, named: Option<&Named>, name: &str, day: &str) -> Option<&str> {
        let named = named?;
        for index in &named.by_name {
            if let Some(row) = self.rows().get(*index) {
                return Some(&row.model);
            }
        }
        let mut newest: Option<&Price> = None;
        for index in &named.by_alias {
            let Some(row) = self.rows().get(*index) else { continue };
            // `gemini-flash-latest` means different models over time: the newest row with this alias counts.
            if name.ends_with("latest") && row.first_day() > day {
                continue;
            }
            match newest {
                Some(newest) if newest.first_day() > row.first_day() => {}
                _ => newest = Some(row),
            }
        }
        Some(&newest?.model)
    }

    fn suggest_names(&self, name: &str, day: &str) -> UnknownModel {
        let wanted =
            Spelling::parse_name(name).shorter_names().last().map(normalise_name).unwrap_or_default();
        // A third of the characters may differ, about as many as in rustc's suggestions.
        let most = wanted.chars().count().div_ceil(3);
        let mut near: Vec<(usize, &Price)> = Vec::new();
        for row in self.rows_on(day) {
            let mut distance = edit_distance(&row.model, &wanted);
            for alias in &row.aliases {
                distance = distance.min(edit_distance(alias, &wanted));
            }
            if distance <= most {
                near.push((distance, row));
            }
        }
        // Of equally near models, one with newer prices is more likely meant.
        near.sort_by(|(left, left_row), (right, right_row)| {
            left.cmp(right).then_with(|| right_row.first_day().cmp(left_row.first_day()))
        });
        let nearest = near.into_iter().take(3).map(|(_, row)| row.model.clone()).collect();
        UnknownModel { name: name.to_owned(), nearest }
    }
}

/// Number of edits from a name to the [`normalise_name`] of the wanted one. Models that begin with the whole key, such as `gpt-6`,
/// are nearest.
fn edit_distance(name: &str, wanted: &str) -> usize {
    let name = normalise_name(name);
    if name != wanted && name.starts_with(wanted) && !wanted.is_empty() {
        return 1;
    }
    strsim::damerau_levenshtein(&name, wanted)
}

/// The row indexes of a price table by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct NameIndex {
    exact: FxHashMap<String, Named>,
    /// By [`normalise_name`].
    alike: FxHashMap<String, Named>,
}

/// The indexes of the rows with one name, ascending.
#[derive(Clone, Debug, Default, PartialEq)]
struct Named {
    by_name: Vec<usize>,
    by_alias: Vec<usize>,
}

impl NameIndex {
    pub(super) fn index_rows(rows: &[Price]) -> NameIndex {
        let mut index = NameIndex::default();
        for (at, row) in rows.iter().enumerate() {
            index.exact.entry(row.model.clone()).or_default().by_name.push(at);
            index.alike.entry(normalise_name(&row.model)).or_default().by_name.push(at);
            for alias in &row.aliases {
                index.exact.entry(alias.clone()).or_default().by_alias.push(at);
                index.alike.entry(normalise_name(alias)).or_default().by_alias.push(at);
            }
        }
        index
    }

    /// The indexes of the rows of a model.
    pub(super) fn rows_of(&self, model: &str) -> &[usize] {
        match self.exact.get(model) {
            Some(named) => &named.by_name,
            None => &[],
        }
    }

    fn find_exact(&self, name: &str) -> Option<&Named> {
        self.exact.get(name)
    }

    fn find_alike(&self, key: &str) -> Option<&Named> {
        self.alike.get(key)
    }
}

/// The parts of a name: `bedrock/us.anthropic.NAME` is NAME on the route bedrock, us, anthropic.
struct Spelling {
    route: Vec<String>,
    name: String,
}

impl Spelling {
    fn parse_name(text: &str) -> Spelling {
        let text = text.trim().to_lowercase();
        let text = of_resource(&text).unwrap_or(text);
        let mut route: Vec<String> = text.split('/').map(str::to_owned).collect();
        route.retain(|part| !API_FORMS.contains(&part.as_str()));
        let mut name = route.pop().unwrap_or_default();
        if let Some((region, vendor, rest)) = split_bedrock_name(&name) {
            match route.last() {
                Some(last) if last.starts_with("bedrock") => {}
                _ => route.push("bedrock".to_owned()),
            }
            route.extend(region.into_iter().chain([vendor]).map(str::to_owned));
            name = rest.to_owned();
        }
        Spelling { route, name }
    }

    /// The name, then the name without its suffixes, one fewer each time. Suffixes that change the model stay.
    fn shorter_names(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(self.name.as_str()), |name| without_suffix(name))
    }
}

/// Route parts for the form of an API: `bedrock/converse/NAME`.
const API_FORMS: [&str; 2] = ["converse", "invoke"];

/// Rewrites a cloud resource, or a name with its provider before a colon (Pydantic AI), as a route:
/// `arn:aws:bedrock:us-east-1::foundation-model/NAME`, `projects/P/locations/L/publishers/anthropic/models/NAME`,
/// `openai:NAME`.
fn of_resource(text: &str) -> Option<String> {
    if let Some(arn) = text.strip_prefix("arn:aws:bedrock:") {
        let (kind, name) = arn.rsplit_once('/')?;
        // The name of a user's own profile does not contain the model.
        let is_named = kind.ends_with(":foundation-model") || kind.ends_with(":inference-profile");
        return if is_named { Some(format!("bedrock/{name}")) } else { None };
    }
    if let Some((_, rest)) = text.split_once("publishers/")
        && let Some((_, name)) = rest.split_once("/models/")
    {
        return Some(format!("vertex_ai/{name}"));
    }
    let (provider, name) = text.split_once(':')?;
    if is_known(provider) { Some(format!("{provider}/{name}")) } else { None }
}

/// The region, the vendor and the rest of a Bedrock name: `us.anthropic.NAME`, or `anthropic.NAME` without a region.
fn split_bedrock_name(name: &str) -> Option<(Option<&str>, &str, &str)> {
    let (first, rest) = name.split_once('.')?;
    if VENDORS.contains(&first) {
        return Some((None, first, rest));
    }
    let (vendor, rest) = rest.split_once('.')?;
    VENDORS.contains(&vendor).then_some((Some(first), vendor, rest))
}

/// Vendors on Bedrock with models in the price table.
const VENDORS: [&str; 4] = ["anthropic", "openai", "moonshotai", "xai"];

/// Suffixes for request settings. They do not change the price.
const SETTINGS: [&str; 9] =
    ["[1m]", ":thinking", "@default", "-none", "-minimal", "-low", "-medium", "-high", "-xhigh"];

/// The first words of Claude's names, without the vendor too.
const CLAUDE: [&str; 5] = ["claude", "opus-", "sonnet-", "haiku-", "fable-"];

fn without_suffix(name: &str) -> Option<&str> {
    let rest = without_setting(name).or_else(|| without_version(name)).or_else(|| without_date(name))?;
    (!rest.is_empty()).then_some(rest)
}

fn without_setting(name: &str) -> Option<&str> {
    for suffix in SETTINGS {
        if let Some(rest) = name.strip_suffix(suffix) {
            return Some(rest);
        }
    }
    // Cursor names efforts behind its own spellings, such as `opus-4.6-thinking` and `claude-4.6-opus-max`.
    if CLAUDE.iter().any(|family| name.starts_with(family))
        && let Some(rest) = name.strip_suffix("-thinking").or_else(|| name.strip_suffix("-max"))
    {
        return Some(rest);
    }
    // Some model lists show efforts like this: `(High)`.
    if let Some(name) = name.strip_suffix(')')
        && let Some((rest, _)) = name.rsplit_once('(')
    {
        return Some(rest.trim_end());
    }
    if name.starts_with("grok-") {
        return name.strip_suffix("-latest").or_else(|| name.strip_suffix("-build"));
    }
    None
}

/// Cuts the Bedrock suffixes `-v1`, `-v1:0` and `-1:0`.
fn without_version(name: &str) -> Option<&str> {
    let (rest, version) = name.rsplit_once('-')?;
    let is_version = match version.split_once(':') {
        Some((major, minor)) => is_digit(major.strip_prefix('v').unwrap_or(major)) && is_digit(minor),
        None => version.strip_prefix('v').is_some_and(is_digit),
    };
    is_version.then_some(rest)
}

fn is_digit(text: &str) -> bool {
    matches!(text.as_bytes(), [digit] if digit.is_ascii_digit())
}

/// Cuts `-20250929`, `@20250929` or `-2025-09-29`.
fn without_date(name: &str) -> Option<&str> {
    let (rest, date) = name.split_at_checked(name.len().checked_sub(8)?)?;
    if let Some(rest) = rest.strip_suffix(['-', '@']) {
        let date = [date.get(..4)?, date.get(4..6)?, date.get(6..)?].join("-");
        return super::day_number(&date).map(|_| rest);
    }
    let (rest, date) = name.split_at_checked(name.len().checked_sub(10)?)?;
    super::day_number(date).and(rest.strip_suffix(['-', '@']))
}

/// The normalised spelling for comparing names: `claude-5.5-sonnet` and `claude-sonnet-5-5` have the same.
fn normalise_name(name: &str) -> String {
    let name: String = name.to_lowercase().replace(['.', '_', ' '], "-");
    let Some(rest) = name.strip_prefix("claude-") else { return name };
    let (mut words, mut numbers) = (vec!["claude"], Vec::new());
    for part in rest.split('-') {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { numbers.push(part) } else { words.push(part) }
    }
    words.append(&mut numbers);
    words.join("-")
}
