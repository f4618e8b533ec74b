//! Lists stored as differences: each keeps only what it adds to a prefix of the previous one.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::runs::{Runs, Stretches};

/// A list of numbers, as an extension of the previous list's prefix. Serialized as one flat list that begins with [`Extension::kept`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension {
    /// Length of the prefix shared with the previous list.
    pub kept: u32,
    /// The numbers after the prefix.
    pub added: Runs,
}

impl Extension {
    /// Computes the difference from the previous list. Equal stretches of several lists are stored once.
    pub fn new(before: &[u32], list: &[u32], stretches: &mut Stretches) -> Extension {
        let kept = shared_length(before, list);
        Extension { kept: kept as u32, added: stretches.numbers(list[kept..].iter().copied()) }
    }

    /// The same for a list with the first `kept` numbers of the previous one, then `rest`. Turns the previous list into the new one.
    pub fn after(before: &mut Vec<u32>, kept: usize, rest: &[u32], stretches: &mut Stretches) -> Extension {
        let more = shared_length(&before[kept..], rest);
        let (kept, rest) = (kept + more, &rest[more..]);
        before.truncate(kept);
        before.extend_from_slice(rest);
        Extension { kept: kept as u32, added: stretches.numbers(rest.iter().copied()) }
    }

    /// Turns the previous list into this one.
    pub fn extend(&self, before: &mut Vec<u32>) {
        before.truncate(self.kept as usize);
        before.extend(self.added.numbers());
    }

    /// The length of the list.
    pub fn count(&self) -> usize {
        self.kept as usize + self.added.count()
    }
}

/// Length of the common prefix.
fn shared_length<T: PartialEq>(before: &[T], list: &[T]) -> usize {
    /// Whole blocks are compared faster than single items, and long requests share most of them.
    const BLOCK: usize = 64;
    let blocks = before.chunks_exact(BLOCK).zip(list.chunks_exact(BLOCK));
    let equal = blocks.take_while(|(before, now)| before == now).count() * BLOCK;
    let rest = before[equal..].iter().zip(&list[equal..]);
    equal + rest.take_while(|(before, now)| before == now).count()
}

impl Serialize for Extension {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq([self.kept].into_iter().chain(self.added.numbers()))
    }
}

impl<'de> Deserialize<'de> for Extension {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Extension, D::Error> {
        let numbers = Vec::<u32>::deserialize(deserializer)?;
        let Some((kept, added)) = numbers.split_first() else {
            return Err(D::Error::custom("expected the number of messages that a request keeps"));
        };
        Ok(Extension { kept: *kept, added: Runs::of_numbers(added.iter().copied()) })
    }
}
