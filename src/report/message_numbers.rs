//! The numbers of a request's messages. The requests of a long run begin alike, so they share the memory of
//! the numbers that they have in common.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Count of numbers that are shared or not as one.
const CHUNK: usize = 256;

/// Numbers of messages, in the order of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageNumbers {
    /// All but the last are full.
    chunks: Vec<Arc<[u32]>>,
}

impl MessageNumbers {
    /// These numbers, in part those of the request before.
    pub fn after(before: &MessageNumbers, numbers: &[u32]) -> MessageNumbers {
        let chunk = |(index, numbers): (usize, &[u32])| match before.chunks.get(index) {
            Some(known) if **known == *numbers => known.clone(),
            _ => numbers.into(),
        };
        MessageNumbers { chunks: numbers.chunks(CHUNK).enumerate().map(chunk).collect() }
    }

    /// The same, in part those of the request before.
    pub fn sharing(self, before: &MessageNumbers) -> MessageNumbers {
        MessageNumbers::after(before, &self.iter().collect::<Vec<_>>())
    }

    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.iter().copied())
    }

    /// The count of numbers that both begin with, and the other numbers of this request.
    pub fn apart_from(&self, before: &MessageNumbers) -> (usize, impl Iterator<Item = u32> + '_) {
        let pairs = self.chunks.iter().zip(&before.chunks);
        let whole = pairs.take_while(|(own, known)| Arc::ptr_eq(own, known)).count();
        let rest = |numbers: &MessageNumbers| {
            numbers.chunks.iter().skip(whole).flat_map(|chunk| chunk.to_vec()).collect::<Vec<u32>>()
        };
        let (own, known) = (rest(self), rest(before));
        let equal = own.iter().zip(&known).take_while(|(own, known)| own == known).count();
        let shared: usize = self.chunks.iter().take(whole).map(|chunk| chunk.len()).sum();
        (shared + equal, own.into_iter().skip(equal))
    }
}

impl Serialize for MessageNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for MessageNumbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MessageNumbers, D::Error> {
        let numbers = Vec::<u32>::deserialize(deserializer)?;
        Ok(MessageNumbers::after(&MessageNumbers::default(), &numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_share_what_they_begin_with() {
        let all: Vec<u32> = (0..1_000).collect();
        let mut changed = all.clone();
        changed[700] = 7;
        let none = MessageNumbers::default();
        let (one, other) = (MessageNumbers::after(&none, &all), MessageNumbers::after(&none, &changed));
        assert!(one.iter().eq(all.iter().copied()) && one.len() == 1_000);
        let after = MessageNumbers::after(&one, &changed);
        assert_eq!(after, other);
        let shared = after.chunks.iter().zip(&one.chunks).filter(|(new, old)| Arc::ptr_eq(new, old)).count();
        assert_eq!(shared, 3);
        for (numbers, expected) in [(&after, 700), (&other, 700), (&one, 1_000)] {
            let (kept, rest) = numbers.apart_from(&one);
            assert_eq!((kept, rest.count()), (expected, 1_000 - expected));
        }
        assert_eq!(none.apart_from(&one).0, 0);
    }
}
