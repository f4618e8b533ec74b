//! Names of fields, roles and kinds in messages. Each format has a table next to its reader, so a reader recognises only the names of its
//! format.

use super::json::{Json, Object};

/// Names for one purpose, by precedence.
pub(super) type NameList = &'static [&'static str];

/// The names of one format.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// Roles of authors, each with its OpenAI equivalent.
    pub(super) roles: &'static [(&'static str, &'static str)],
    /// Types of messages without a role, displayed by the agent and not sent to the model.
    pub(super) shown: NameList,
    /// Wrapper objects around a message's fields.
    pub(super) around: NameList,
    /// Text or parts of a message.
    pub(super) content: NameList,
    /// Reasoning of the model, next to the content.
    pub(super) reasoning: NameList,
    /// A message's call lists, as paths.
    pub(super) call_lists: NameList,
    /// A message's single call, as a path.
    pub(super) single_call: NameList,
    /// Other fields read elsewhere, or without content.
    pub(super) beside: NameList,
    /// Lists of the provider's context edits to the request of an answer, as paths.
    pub(super) edits: NameList,
    pub(super) call: CallNames,
    pub(super) result: ResultNames,
    pub(super) parts: PartNames,
    pub(super) usage: UsageNames,
}

/// Field names of a tool call.
#[derive(Clone, Copy)]
pub(super) struct CallNames {
    /// Types of parts representing calls.
    pub(super) types: NameList,
    /// Fields of a part with a call inside.
    pub(super) fields: NameList,
    /// Nested objects with the call's name and arguments.
    pub(super) inside: NameList,
    pub(super) id: NameList,
    pub(super) name: NameList,
    pub(super) arguments: NameList,
    /// Fields of a call with its result inside.
    pub(super) result: NameList,
}

/// Field names of a tool result.
#[derive(Clone, Copy)]
pub(super) struct ResultNames {
    /// Suffixes of the types of parts representing results.
    pub(super) types: NameList,
    /// Fields of a part with a result inside.
    pub(super) fields: NameList,
    /// The call's identifier in a result message, as paths.
    pub(super) call_of_message: NameList,
    /// The call's identifier in a result part or a separate result object.
    pub(super) call: NameList,
    pub(super) content: NameList,
}

/// Field names of a content part.
#[derive(Clone, Copy)]
pub(super) struct PartNames {
    /// Types of parts.
    pub(super) types: &'static [(&'static str, PartKind)],
    /// Fields that identify the kind of a part without a type.
    pub(super) fields: &'static [(&'static str, PartKind)],
    /// The type field.
    pub(super) kind: NameList,
    pub(super) text: NameList,
    /// The file name, as paths.
    pub(super) file_name: NameList,
    /// Fields of images and files. A placeholder line replaces them.
    pub(super) file: NameList,
    /// Fields of parts, calls and results never sent back to a provider, or repeating others.
    pub(super) unsent: NameList,
}

/// Kinds of content parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Text,
    Reasoning,
    Image,
    File,
    /// A file, possibly with its text in the log.
    Document,
    /// A text with its title and source.
    SearchResult,
    /// Readable only by the provider.
    Encrypted,
    /// The provider's summary, in place of everything before it.
    Compaction,
    Unsent,
}

/// Field names of billed tokens, as paths in the bill unless noted otherwise.
#[derive(Clone, Copy)]
pub(super) struct UsageNames {
    /// Fields of a message or response with the bill.
    pub(super) bill: NameList,
    /// Bills of the provider's several calls for one answer, as paths in the message or response.
    pub(super) iterations: NameList,
    /// The model, as paths in the message or response.
    pub(super) model: NameList,
    pub(super) input: NameList,
    /// Input fetched by the provider's tools, not included in `input`.
    pub(super) fetched_beside: NameList,
    /// Input read from the cache, included in `input`.
    pub(super) read: NameList,
    /// Input read from the cache, not included in `input`.
    pub(super) read_beside: NameList,
    /// Input written to the cache, included in `input`.
    pub(super) written: NameList,
    /// Input written to the cache, not included in `input`.
    pub(super) written_beside: NameList,
    /// Input written to the cache for five minutes (`written_5m`) or an hour (`written_1h`).
    pub(super) written_5m: NameList,
    pub(super) written_1h: NameList,
    pub(super) output: NameList,
    /// Reasoning output, included in `output`.
    pub(super) reasoning: NameList,
    /// Reasoning output, not included in `output`.
    pub(super) reasoning_beside: NameList,
    /// The sum of input and output.
    pub(super) total: NameList,
    pub(super) cost: NameList,
    /// The service tier, as paths in the bill. The first non-standard tier counts.
    pub(super) tier: NameList,
    /// Where the model ran.
    pub(super) geography: NameList,
    /// Number of web searches by the provider.
    pub(super) web_searches: NameList,
}

impl Names {
    pub(super) const NONE: Names = Names {
        roles: &[],
        shown: &[],
        around: &[],
        content: &[],
        reasoning: &[],
        call_lists: &[],
        single_call: &[],
        beside: &[],
        edits: &[],
        call: CallNames::NONE,
        result: ResultNames::NONE,
        parts: PartNames::NONE,
        usage: UsageNames::NONE,
    };
}

impl CallNames {
    pub(super) const NONE: CallNames =
        CallNames { types: &[], fields: &[], inside: &[], id: &[], name: &[], arguments: &[], result: &[] };
}

impl ResultNames {
    pub(super) const NONE: ResultNames =
        ResultNames { types: &[], fields: &[], call_of_message: &[], call: &[], content: &[] };
}

impl PartNames {
    pub(super) const NONE: PartNames =
        PartNames { types: &[], fields: &[], kind: &[], text: &[], file_name: &[], file: &[], unsent: &[] };
}

impl UsageNames {
    pub(super) const NONE: UsageNames = UsageNames {
        bill: &[],
        iterations: &[],
        model: &[],
        input: &[],
        fetched_beside: &[],
        read: &[],
        read_beside: &[],
        written: &[],
        written_beside: &[],
        written_5m: &[],
        written_1h: &[],
        output: &[],
        reasoning: &[],
        reasoning_beside: &[],
        total: &[],
        cost: &[],
        tier: &[],
        geography: &[],
        web_searches: &[],
    };
}

/// A reader's tables of names, by precedence.
#[derive(Clone, Copy)]
pub(super) struct Dialect(pub(super) &'static [&'static Names]);

impl Dialect {
    /// All names for one purpose.
    pub(super) fn all_names(self, of: fn(&Names) -> NameList) -> impl Iterator<Item = &'static str> + Clone {
        self.0.iter().flat_map(move |names| of(names)).copied()
    }

    pub(super) fn has_name(self, word: &str, of: fn(&Names) -> NameList) -> bool {
        self.0.iter().any(|names| of(names).contains(&word))
    }

    /// The value of the first field with one of these names.
    pub(super) fn first_value<'a>(self, object: &Object<'a>, of: fn(&Names) -> NameList) -> Option<Json<'a>> {
        self.all_names(of).find_map(|key| object.get(key))
    }

    /// The first object in a field with one of these names.
    pub(super) fn first_object<'a>(
        self,
        object: &Object<'a>,
        of: fn(&Names) -> NameList,
    ) -> Option<Object<'a>> {
        self.all_names(of).find_map(|key| object.object(key))
    }

    /// The value at the first existing path.
    pub(super) fn first_at<'a>(self, object: &Object<'a>, of: fn(&Names) -> NameList) -> Option<Json<'a>> {
        self.all_names(of).find_map(|path| object.at(path))
    }
}
