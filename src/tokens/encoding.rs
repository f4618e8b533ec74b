//! The encodings there are, and the engines that know them: slow to start and faster alone than shared.
//! What has been counted before never comes here.

use std::sync::{Condvar, Mutex, MutexGuard};

use tiktoken_rs::CoreBPE;

/// Makes tokens of text. An edge of the world: the vocabularies are other people's.
pub trait Encoder: Send {
    /// The tokens of a text in which special tokens are plain text.
    fn encode(&self, text: &str) -> Vec<u32>;
}

/// A vocabulary and the rules by which text is split for it.
pub struct Encoding {
    /// What users type.
    pub name: &'static str,
    /// Starts an engine, which takes a tenth of a second or more.
    pub start: fn() -> Box<dyn Encoder>,
}

/// All that can count: those in which a text may be cut into blocks. The first is the default.
pub const ENCODINGS: &[Encoding] = &[
    Encoding { name: "o200k_base", start: o200k_base },
    Encoding { name: "cl100k_base", start: cl100k_base },
];

// The vocabularies are part of the program, so that reading them cannot fail: the shared instance is there
// for the types alone.

fn o200k_base() -> Box<dyn Encoder> {
    Box::new(tiktoken_rs::o200k_base().unwrap_or_else(|_| tiktoken_rs::o200k_base_singleton().clone()))
}

fn cl100k_base() -> Box<dyn Encoder> {
    Box::new(tiktoken_rs::cl100k_base().unwrap_or_else(|_| tiktoken_rs::cl100k_base_singleton().clone()))
}

impl Encoder for CoreBPE {
    fn encode(&self, text: &str) -> Vec<u32> {
        self.encode_ordinary(text)
    }
}

/// How much an engine counts before another one is worth its start, in bytes.
const WORTH_A_START: u64 = 16 * 1024 * 1024;

/// Engines of one encoding. Threads that share one slow each other down, so each use has one for itself;
/// another one is started only when those there are have earned it.
pub struct Engines {
    encoding: &'static Encoding,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Box<dyn Encoder>>,
    started: u64,
    counted: u64,
}

impl Engines {
    pub fn new(encoding: &'static Encoding) -> Engines {
        Engines { encoding, state: Mutex::default(), returned: Condvar::new() }
    }

    /// Lets `work`, over this many bytes, have an engine.
    pub fn with<T>(&self, bytes: u64, work: impl FnOnce(&dyn Encoder) -> T) -> T {
        let engine = self.take(bytes);
        let result = work(engine.as_ref());
        self.state().idle.push(engine);
        self.returned.notify_one();
        result
    }

    fn take(&self, bytes: u64) -> Box<dyn Encoder> {
        let mut state = self.state();
        state.counted += bytes;
        loop {
            if let Some(engine) = state.idle.pop() {
                return engine;
            }
            if state.counted >= state.started * WORTH_A_START {
                state.started += 1;
                break;
            }
            state = self.returned.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        drop(state);
        (self.encoding.start)()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
