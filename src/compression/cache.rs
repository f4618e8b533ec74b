//! Render cache of one turn; never affects output. Most requests repeat the messages of earlier ones.

use std::sync::{Mutex, PoisonError};

use super::draft::RequestDraft;

/// The numbers, besides the turn, that decide what a strategy writes of it.
pub type CacheKey = [usize; 5];

/// The messages that each strategy wrote of a turn last.
#[derive(Debug, Default)]
pub struct RenderCache(Mutex<Vec<(&'static str, CacheKey, RequestDraft)>>);

impl RenderCache {
    /// Adds the result of `write`, which depends on nothing but the turn, the strategy and the key.
    pub fn add(
        &self,
        (strategy, key): (&'static str, CacheKey),
        request: &mut RequestDraft,
        write: impl FnOnce() -> RequestDraft,
    ) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match entries.iter_mut().find(|(name, ..)| *name == strategy) {
            Some((_, known, written)) => {
                if *known != key {
                    (*known, *written) = (key, write());
                }
                request.extend(written);
            }
            None => {
                let written = write();
                request.extend(&written);
                entries.push((strategy, key, written));
            }
        }
    }
}
