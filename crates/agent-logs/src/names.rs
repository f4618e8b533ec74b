//! Names of fields, roles and kinds in messages. Each format has a table of its own beside its reader, so that a reader
//! recognises only what its format has.

use super::json::{Json, Object};

/// Names in one place of a format.
pub(super) type NameList = &'static [&'static str];

/// The names of one format.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// Roles of authors, each with the role of OpenAI for it.
    pub(super) roles: &'static [(&'static str, &'static str)],
    /// Types of messages without a role that a program only shows.
    pub(super) shown: NameList,
    /// Objects around the fields of a message.
    pub(super) around: NameList,
    /// Text or parts of a message.
    pub(super) content: NameList,
    /// Reasoning of the model beside the content.
    pub(super) reasoning: NameList,
    /// Lists of calls of a message, as paths.
    pub(super) call_lists: NameList,
    /// One call of a message, as a path.
    pub(super) single_call: NameList,
    /// Other fields of a message that are read, or that carry no content.
    pub(super) beside: NameList,
    /// Lists of what the provider cleared in the request of an answer, as paths.
    pub(super) edits: NameList,
    pub(super) call: CallNames,
    pub(super) result: ResultNames,
    pub(super) parts: PartNames,
    pub(super) usage: UsageNames,
}

/// Names of a call of a tool.
#[derive(Clone, Copy)]
pub(super) struct CallNames {
    /// Types of parts that are calls.
    pub(super) types: NameList,
    /// Fields of a part that hold a call.
    pub(super) fields: NameList,
    /// Objects in a call that hold its name and arguments.
    pub(super) inside: NameList,
    pub(super) id: NameList,
    pub(super) name: NameList,
    pub(super) arguments: NameList,
    /// Fields that hold its result.
    pub(super) result: NameList,
}

/// Names of the result of a call.
#[derive(Clone, Copy)]
pub(super) struct ResultNames {
    /// Ends of the types of parts that are results.
    pub(super) types: NameList,
    /// Fields of a part that hold a result.
    pub(super) fields: NameList,
    /// The identifier of the call, in a message that is a result, as paths.
    pub(super) call_of_message: NameList,
    /// The identifier of the call, in a part or an object of its own.
    pub(super) call: NameList,
    pub(super) content: NameList,
}

/// Names of a part of a content.
#[derive(Clone, Copy)]
pub(super) struct PartNames {
    /// Types of parts.
    pub(super) types: &'static [(&'static str, PartKind)],
    /// Fields of parts without a type, which tell their kind.
    pub(super) fields: &'static [(&'static str, PartKind)],
    /// The field with the type.
    pub(super) kind: NameList,
    pub(super) text: NameList,
    /// The name of a file, as paths.
    pub(super) file_name: NameList,
    /// Fields of images and files, which stand as a line.
    pub(super) file: NameList,
    /// Fields of parts, calls and results whose words no provider takes back, or which repeat others.
    pub(super) unsent: NameList,
}

/// Kinds of parts of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Text,
    Reasoning,
    Image,
    File,
    /// A file whose text may stand in the log.
    Document,
    /// A text with its title and source.
    SearchResult,
    /// Something that only the provider can read.
    Encrypted,
    /// The text of a compaction by the provider, in place of everything before it.
    Compaction,
    Unsent,
}

/// Names of billed tokens, as paths below the object of the bill.
#[derive(Clone, Copy)]
pub(super) struct UsageNames {
    /// Fields of a message or a response with the bill.
    pub(super) bill: NameList,
    /// Bills of the calls that the provider made for one answer, as paths in the message or the response.
    pub(super) iterations: NameList,
    /// The model, as paths in the message or the response.
    pub(super) model: NameList,
    pub(super) input: NameList,
    /// Input that tools of the provider fetched, which `input` lacks.
    pub(super) fetched_beside: NameList,
    /// Input read from the cache, which `input` includes.
    pub(super) read: NameList,
    /// Input read from the cache, which `input` lacks.
    pub(super) read_beside: NameList,
    /// Input written to the cache, which `input` includes.
    pub(super) written: NameList,
    /// Input written to the cache, which `input` lacks.
    pub(super) written_beside: NameList,
    /// Input written to the cache for five minutes and for an hour.
    pub(super) written_5m: NameList,
    pub(super) written_1h: NameList,
    pub(super) output: NameList,
    /// Output that was reasoning, which `output` includes.
    pub(super) reasoning: NameList,
    /// Output that was reasoning, which `output` lacks.
    pub(super) reasoning_beside: NameList,
    /// The sum of input and output.
    pub(super) total: NameList,
    pub(super) cost: NameList,
    /// The service tier, as paths in the bill, the first one that is not the standard tier.
    pub(super) tier: NameList,
    /// The place where the model ran.
    pub(super) geography: NameList,
    /// Web searches by the provider.
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

/// The tables that a reader reads messages by. Of two names for one thing the one in the first table counts.
#[derive(Clone, Copy)]
pub(super) struct Dialect(pub(super) &'static [&'static Names]);

impl Dialect {
    /// All names of one kind.
    pub(super) fn all(self, of: fn(&Names) -> NameList) -> impl Iterator<Item = &'static str> + Clone {
        self.0.iter().flat_map(move |names| of(names)).copied()
    }

    pub(super) fn has(self, word: &str, of: fn(&Names) -> NameList) -> bool {
        self.0.iter().any(|names| of(names).contains(&word))
    }

    /// The value of the first field that has one of these names.
    pub(super) fn first<'a>(self, object: &Object<'a>, of: fn(&Names) -> NameList) -> Option<Json<'a>> {
        self.all(of).find_map(|key| object.get(key))
    }

    /// The value at the first path that is there.
    pub(super) fn first_at<'a>(self, object: &Object<'a>, of: fn(&Names) -> NameList) -> Option<Json<'a>> {
        self.all(of).find_map(|path| object.at(path))
    }
}
