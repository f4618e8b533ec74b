//! The tree of spans in a log, to find the ancestors of model requests.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fingerprint::{Fingerprint, of_all, of_text};
use crate::json::Object;

/// Fields with the id of a span.
const ID: [&str; 4] = ["spanId", "span_id", "context.span_id", "id"];
/// Fields with the id of the parent span.
const PARENT: [&str; 6] = [
    "parentSpanId",
    "parent_span_id",
    "parent_id",
    "parentId",
    "parentObservationId",
    "parent_observation_id",
];
/// Maximum depth of the tree, because a span may be its own ancestor.
const MAX_DEPTH: usize = 1_000;

/// Parent links of spans, by span id.
#[derive(Default)]
pub(super) struct SpanTree {
    parents: FxHashMap<Fingerprint, Fingerprint>,
    /// Parents of requests.
    right_above: FxHashSet<Fingerprint>,
    /// All ancestors of requests, filled by `close`.
    above: FxHashSet<Fingerprint>,
}

impl SpanTree {
    pub(super) fn add_span(&mut self, span: &Object) {
        if let Some((id, parent)) = span_id(span).zip(parent_id(span)) {
            self.parents.insert(id, parent);
        }
    }

    /// Records a span as a request to a model.
    pub(super) fn add_request(&mut self, span: &Object) {
        self.right_above.extend(parent_id(span));
    }

    /// Returns true if a request is a child of the span.
    pub(super) fn is_right_above_requests(&self, span: &Object) -> bool {
        span_id(span).is_some_and(|id| self.right_above.contains(&id))
    }

    /// Finds all ancestors of requests. Call it after the last span is added.
    pub(super) fn close(&mut self) {
        let parents: Vec<Fingerprint> = self.right_above.iter().copied().collect();
        for parent in parents {
            self.climb(parent);
        }
    }

    /// Records another request after `close`.
    pub(super) fn add_last_request(&mut self, span: &Object) {
        if let Some(parent) = parent_id(span) {
            self.climb(parent);
        }
    }

    fn climb(&mut self, first: Fingerprint) {
        let mut next = Some(first);
        // Stop at a known span: its ancestors are known too. This also ends cycles.
        while let Some(at) = next
            && self.above.insert(at)
        {
            next = self.parents.get(&at).copied();
        }
    }

    /// Returns true if a request is below the span, at any depth. Valid after `close`.
    pub(super) fn is_above_requests(&self, span: &Object) -> bool {
        span_id(span).is_some_and(|id| self.above.contains(&id))
    }

    /// Like `is_above_requests`, for a span id.
    pub(super) fn is_id_above_requests(&self, id: &str) -> bool {
        self.above.contains(&of_text(id))
    }

    /// Returns true if the span is an ancestor of one of the others.
    pub(super) fn is_above_any(&self, id: &str, others: &FxHashSet<String>) -> bool {
        let own = of_text(id);
        let parents = others.iter().filter_map(|other| self.parents.get(&of_text(other)));
        parents.copied().any(|parent| self.path_from(parent).any(|at| at == own))
    }

    /// Returns true if one of the others is an ancestor of the span.
    pub(super) fn is_below_any(&self, id: &str, others: &FxHashSet<Fingerprint>) -> bool {
        self.path_from(of_text(id)).skip(1).any(|at| others.contains(&at))
    }

    /// Number of ancestors of a span.
    pub(super) fn depth_of(&self, span: &Object) -> usize {
        parent_id(span).map_or(0, |parent| self.path_from(parent).count())
    }

    /// A span and all its ancestors, nearest first.
    fn path_from(&self, first: Fingerprint) -> impl Iterator<Item = Fingerprint> {
        std::iter::successors(Some(first), |at| self.parents.get(at).copied()).take(MAX_DEPTH)
    }
}

/// The spans and requests read so far. Exporters with retries may write one twice, byte for byte.
#[derive(Default)]
pub(super) struct Seen(FxHashSet<Fingerprint>);

impl Seen {
    /// Returns true if the object was not read before. Objects without an id always count as new.
    pub(super) fn is_new(&mut self, id: Option<String>, object: &Object) -> bool {
        let Some(id) = id else { return true };
        self.0.insert(of_all([of_text(&id), of_text(object.json().raw())]))
    }
}

fn span_id(span: &Object) -> Option<Fingerprint> {
    let context = span.below("context");
    let id = span.first(&ID).or(context.get("span_id"))?.text()?;
    Some(of_text(&id))
}

fn parent_id(span: &Object) -> Option<Fingerprint> {
    let parent = span.first(&PARENT)?.text()?;
    if parent.is_empty() { None } else { Some(of_text(&parent)) }
}
