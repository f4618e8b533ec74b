//! The tree of the spans of a log: which of them stand above requests to a model.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fingerprint::{Fingerprint, of_all, of_text};
use crate::json::{Json, Object};

/// Fields with the identifier of a span.
const ID: [&str; 4] = ["spanId", "span_id", "context.span_id", "id"];
/// Fields with the identifier of the span above it.
const PARENT: [&str; 5] = ["parentSpanId", "parent_span_id", "parent_id", "parentId", "parentObservationId"];
/// Levels of a tree. A span that names itself as its parent would have no end.
const MAX_DEPTH: usize = 1_000;

/// Spans by their identifiers.
#[derive(Default)]
pub(super) struct SpanTree {
    parents: FxHashMap<Fingerprint, Fingerprint>,
    /// The parents of requests.
    right_above: FxHashSet<Fingerprint>,
    /// All spans above requests, once the tree is whole.
    above: FxHashSet<Fingerprint>,
}

impl SpanTree {
    pub(super) fn add(&mut self, span: &Object) {
        if let Some((id, parent)) = id(span).zip(parent(span)) {
            self.parents.insert(id, parent);
        }
    }

    /// Notes that a span is a request to a model.
    pub(super) fn add_request(&mut self, span: &Object) {
        self.right_above.extend(parent(span));
    }

    /// Returns true if a request is a child of a span.
    pub(super) fn is_right_above_requests(&self, span: &Object) -> bool {
        id(span).is_some_and(|id| self.right_above.contains(&id))
    }

    /// Finds the spans above requests. No span is added any more.
    pub(super) fn close(&mut self) {
        let parents: Vec<Fingerprint> = self.right_above.iter().copied().collect();
        parents.into_iter().for_each(|parent| self.climb(parent));
    }

    /// Notes that a span of the whole tree is a request.
    pub(super) fn add_last_request(&mut self, span: &Object) {
        if let Some(parent) = parent(span) {
            self.climb(parent);
        }
    }

    fn climb(&mut self, first: Fingerprint) {
        let mut next = Some(first);
        // What stands above a known one is known too, and a circle ends.
        while let Some(at) = next.filter(|at| self.above.insert(*at)) {
            next = self.parents.get(&at).copied();
        }
    }

    /// Returns true if a request stands anywhere below a span of the whole tree.
    pub(super) fn is_above_requests(&self, span: &Object) -> bool {
        id(span).is_some_and(|id| self.above.contains(&id))
    }

    /// The same for a span of this identifier.
    pub(super) fn is_id_above_requests(&self, id: &str) -> bool {
        self.above.contains(&of_text(id))
    }

    /// Returns true if a span stands above one of others.
    pub(super) fn is_above_any(&self, id: &str, others: &FxHashSet<String>) -> bool {
        let own = of_text(id);
        let parents = others.iter().filter_map(|other| self.parents.get(&of_text(other)));
        parents.copied().any(|parent| self.path(parent).any(|at| at == own))
    }

    /// Number of the spans above a span.
    pub(super) fn depth(&self, span: &Object) -> usize {
        parent(span).map_or(0, |parent| self.path(parent).count())
    }

    /// A span and all above it.
    fn path(&self, first: Fingerprint) -> impl Iterator<Item = Fingerprint> {
        std::iter::successors(Some(first), |at| self.parents.get(at).copied()).take(MAX_DEPTH)
    }
}

/// The spans and requests that were read. Exporters that try again write one twice, word for word.
#[derive(Default)]
pub(super) struct Seen(FxHashSet<Fingerprint>);

impl Seen {
    /// Returns true for an object that was not read before. One without an identifier is new.
    pub(super) fn is_new(&mut self, id: Option<String>, object: &Object) -> bool {
        let Some(id) = id else { return true };
        self.0.insert(of_all([of_text(&id), of_text(object.json().raw())]))
    }
}

fn id(span: &Object) -> Option<Fingerprint> {
    let context = span.below("context");
    let own = span.first(&ID).or_else(|| context.get("span_id")).and_then(Json::text);
    own.map(|id| of_text(&id))
}

fn parent(span: &Object) -> Option<Fingerprint> {
    let own = span.first(&PARENT).and_then(Json::text).filter(|parent| !parent.is_empty());
    own.map(|parent| of_text(&parent))
}
