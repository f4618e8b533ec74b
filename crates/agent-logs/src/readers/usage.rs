//! Bills of answers: tokens, costs, and the provider's extra calls to the model.

use super::tiers::{geography, tier, written_for_hour};
use crate::draft::Draft;
use crate::json::{Json, Object};
use crate::names::{Dialect, NameList, Names};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::provider_tools::{count_grounding, read_counters, read_grounding};
use crate::transcript::TranscriptUsage;

impl Dialect {
    /// Bills the provider's extra calls to the model, such as for a compaction.
    pub(super) fn bill_iterations(
        self,
        object: &Object,
        is_new: bool,
        place: &LogPlace,
        draft: &mut Draft,
        notes: &mut Notes,
    ) {
        let iterations = self.iterations(object);
        if iterations.iter().any(is_of_adviser) && iterations.iter().all(|pass| self.is_billed(pass)) {
            // The usage is the sum of its passes, which are read one by one.
            notes.name_bills(object);
        }
        for iteration in iterations {
            // All other calls are included in the bill of the answer.
            let is_compaction = iteration.is_a("compaction");
            let is_lost = is_of_adviser(&iteration) && !draft.has_written();
            if !is_compaction && !is_lost {
                continue;
            }
            let usage = self.usage_of(&iteration, iteration.text("model"));
            let tokens = usage.as_ref().and_then(|usage| usage.input_tokens);
            // The AI SDK adds a compaction to the bill of the answer, without its cached tokens.
            if is_compaction {
                let (input, output) = (iteration.number("inputTokens"), iteration.number("outputTokens"));
                notes.named_bills.extend(draft.take_from_bill(input, output));
            }
            let is_billed = is_compaction && draft.bill_compaction(usage);
            // Claude Code repeats the bill of a response on each of its blocks.
            if let Some(tokens) = tokens
                && !is_billed
                && is_new
            {
                notes.missing_call(tokens, place);
            }
        }
    }

    /// Returns true if both input and output of a pass can be read.
    fn is_billed(self, iteration: &Object) -> bool {
        let Some(usage) = self.usage_of(iteration, None) else { return false };
        usage.input_tokens.is_some() && usage.output_tokens.is_some()
    }

    /// The model calls made by the provider for one answer.
    fn iterations<'a>(self, object: &Object<'a>) -> Vec<Object<'a>> {
        let list = self.first_at(object, |names| names.usage.iterations).and_then(Json::list);
        list.into_iter().flatten().filter_map(Json::object).collect()
    }

    /// Splits the bill of an answer if the provider called the model several times, or an adviser between two passes. The last pass
    /// is the request; the others go to `beside`.
    fn split_bill(self, bill: TranscriptUsage, iterations: &[Object]) -> TranscriptUsage {
        let (mut passes, mut advisers) = (Vec::new(), Vec::new());
        for iteration in iterations {
            let Some(mut usage) = self.usage_of(iteration, iteration.text("model")) else { continue };
            if usage.model.is_none() {
                usage.model.clone_from(&bill.model);
            }
            usage.tier.clone_from(&bill.tier);
            usage.geography.clone_from(&bill.geography);
            if iteration.is_a("message") {
                passes.push(usage);
            } else if is_of_adviser(iteration) {
                advisers.push(usage);
            }
        }
        let last = passes.pop();
        if passes.is_empty() && advisers.is_empty() {
            return bill;
        }
        let mut beside = passes;
        for earlier in &mut beside {
            // The total already includes the output of all passes.
            earlier.output_tokens = None;
        }
        beside.append(&mut advisers);
        let Some(last) = last else { return TranscriptUsage { beside, ..bill } };
        TranscriptUsage {
            input_tokens: last.input_tokens,
            cached_tokens: last.cached_tokens,
            cache_write_tokens: last.cache_write_tokens,
            cache_write_1h_tokens: last.cache_write_1h_tokens,
            beside,
            ..bill
        }
    }

    /// Billed tokens of an answer or a response, with its model.
    pub(super) fn usage(self, object: &Object) -> Option<TranscriptUsage> {
        let model = self.all_names(|names| names.usage.model).find_map(|path| object.at(path)?.text());
        // Up to version 5 the AI SDK doesn't count Anthropic's cache. It keeps the provider's bill next to its own.
        let bill = match object.at("providerMetadata.anthropic.usage").and_then(Json::object) {
            Some(raw) => raw,
            None => self.first_object(object, |names| names.usage.bill)?,
        };
        let mut usage = self.usage_of(&bill, model)?;
        // Google bills pages fetched by URL, but not pages found by its search.
        if let Some(fetched) = self.first_at(&bill, |names| names.usage.fetched_beside).and_then(Json::count)
            && let Some(input) = &mut usage.input_tokens
            && count_grounding(object) == 0
        {
            *input = input.saturating_add(fetched);
        }
        // OpenAI logs the tier outside the bill.
        if usage.tier.is_none() {
            usage.tier = tier(object, "service_tier");
        }
        usage.cache_miss = cache_miss(object);
        Some(self.split_bill(read_grounding(object, usage), &self.iterations(object)))
    }

    /// Returns true if the input count excludes cached tokens, judging by its field name.
    fn input_lacks_cache(self, bill: &Object) -> bool {
        let own = self.all_names(|names| names.usage.input).find(|path| bill.at(path).is_some());
        for Names { usage, .. } in self.0 {
            if let Some(own) = own
                && !usage.input.contains(&own)
            {
                continue;
            }
            if !usage.read_beside.is_empty() || !usage.written_beside.is_empty() {
                return true;
            }
        }
        false
    }

    /// Parses the billed tokens. `None` if there are none.
    pub(super) fn usage_of(self, bill: &Object, model: Option<String>) -> Option<TranscriptUsage> {
        let read_beside = self.read_count(bill, |names| names.usage.read_beside);
        let written_beside = self.read_count(bill, |names| names.usage.written_beside);
        let thought = self.read_count(bill, |names| names.usage.reasoning_beside);
        let mut input_tokens = self.read_count(bill, |names| names.usage.input);
        // LiteLLM adds Anthropic's fields to OpenAI's, but OpenAI's input count includes the cache.
        if let Some(input) = &mut input_tokens
            && self.input_lacks_cache(bill)
        {
            let cached = read_beside.unwrap_or(0).saturating_add(written_beside.unwrap_or(0));
            *input = input.saturating_add(cached);
        }
        let written = match written_beside {
            None => self.read_count(bill, |names| names.usage.written),
            beside => beside,
        };
        let written_1h = self.read_count(bill, |names| names.usage.written_1h);
        // LangChain logs 0 as the total next to the cache writes per lifetime.
        let written_5m = self.read_count(bill, |names| names.usage.written_5m);
        let by_lifetime = written_5m.map(|short| short.saturating_add(written_1h.unwrap_or(0)));
        let mut usage = TranscriptUsage {
            input_tokens,
            cached_tokens: match read_beside {
                None => self.read_count(bill, |names| names.usage.read),
                beside => beside,
            },
            cache_write_tokens: written.max(by_lifetime),
            cache_write_1h_tokens: match written_1h {
                None => written_for_hour(bill),
                known => known,
            },
            output_tokens: match (self.read_count(bill, |names| names.usage.output), thought) {
                (Some(output), Some(thought)) => Some(output.saturating_add(thought)),
                // Gemini omits the output count if the answer is only thoughts.
                (output, thought) => output.or(thought),
            },
            reasoning_tokens: match thought {
                None => self.read_count(bill, |names| names.usage.reasoning),
                thought => thought,
            },
            cost: self.cost_of(bill),
            ..TranscriptUsage::default()
        };
        if thought.is_none() {
            usage = usage.with_whole_sums(self.read_count(bill, |names| names.usage.total));
        }
        if usage == TranscriptUsage::default() {
            return None;
        }
        usage.model = model;
        usage.tier = self.all_names(|names| names.usage.tier).find_map(|path| tier(bill, path));
        usage.geography =
            self.all_names(|names| names.usage.geography).find_map(|path| geography(bill, path));
        usage.web_searches =
            self.read_count(bill, |names| names.usage.web_searches).filter(|searches| *searches > 0);
        Some(read_counters(bill, usage))
    }

    /// The first number at one of these paths.
    fn read_count(self, bill: &Object, of: fn(&Names) -> NameList) -> Option<u64> {
        self.all_names(of).find_map(|path| parse_count(bill.at(path)?))
    }

    /// Cost in dollars. For a call with the user's own key, OpenRouter charges only its fee; the provider charges the rest.
    fn cost_of(self, bill: &Object) -> Option<f64> {
        let cost: f64 = match self.first_at(bill, |names| names.usage.cost).and_then(Json::read) {
            // Programs write 0 for a subscription, or a model without a price. OpenRouter has free models.
            Some(cost) if cost == 0.0 && !bill.has("is_byok") && !bill.has("cost_details") => return None,
            Some(cost) => cost,
            None => match bill.get("cost_in_usd_ticks").and_then(Json::read::<f64>) {
                Some(ticks) if ticks > 0.0 => ticks / TICKS,
                _ => return None,
            },
        };
        if bill.is_true("is_byok")
            && let Some(upstream) =
                bill.at("cost_details.upstream_inference_cost").and_then(Json::read::<f64>)
        {
            return Some(cost + upstream);
        }
        Some(cost)
    }
}

/// Units of a dollar in which xAI logs costs.
const TICKS: f64 = 1e10;

/// Anthropic's reason for a cache miss; `none` if it checked and gives no reason.
fn cache_miss(object: &Object) -> Option<String> {
    // The field is null if nothing was missed, so `get` would drop it.
    let (_, diagnostics) = object.fields().find(|(key, _)| *key == "diagnostics")?;
    let reason = diagnostics.object().unwrap_or_default().below("cache_miss_reason").text("type");
    Some(reason.unwrap_or("none".to_owned()))
}

/// Returns true for the bill of an adviser, whom the provider asked during the answer.
fn is_of_adviser(iteration: &Object) -> bool {
    iteration.is_a("advisor_message")
}

/// A count as a number, or as a text: some gateways write numbers so.
fn parse_count(value: Json) -> Option<u64> {
    match value.count() {
        None => value.text()?.parse().ok(),
        count => count,
    }
}
