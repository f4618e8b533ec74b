//! Lists of numbers as runs of consecutive numbers. Lists of one scenario mostly repeat each other, so stretches of them are stored once.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The first number and the length of a run.
type Run = (u32, u32);

/// Consecutive runs of a list.
type Stretch = Arc<[Run]>;

/// A run-length encoded list of numbers. Serialized as one flat list: the first number of each run, then the run's length.
#[derive(Clone, Debug)]
pub struct Runs(Stored);

#[derive(Clone, Debug)]
enum Stored {
    Own(Box<[Run]>),
    Shared(Box<[Stretch]>),
}

impl Runs {
    /// The list with these runs. Adjacent runs are merged.
    pub fn of(runs: impl IntoIterator<Item = Run>) -> Runs {
        Runs(Stored::Own(merge_runs(runs).into()))
    }

    /// The list of these numbers.
    pub fn of_numbers(numbers: impl IntoIterator<Item = u32>) -> Runs {
        Runs::of(numbers.into_iter().map(|number| (number, 1)))
    }

    /// The runs, each of maximal length.
    pub fn iter(&self) -> impl Iterator<Item = Run> + '_ {
        let mut runs = self.stored_runs().peekable();
        std::iter::from_fn(move || {
            let (first, mut count) = runs.next()?;
            while let Some((_, more)) = runs.next_if(|(next, _)| *next == first + count) {
                count += more;
            }
            Some((first, count))
        })
    }

    fn stored_runs(&self) -> impl Iterator<Item = Run> + '_ {
        let (own, shared) = match &self.0 {
            Stored::Own(own) => (&**own, &[][..]),
            Stored::Shared(shared) => (&[][..], &**shared),
        };
        own.iter().chain(shared.iter().flat_map(|stretch| stretch.iter())).copied()
    }

    /// The numbers, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.stored_runs().flat_map(|(first, count)| first..first + count)
    }

    /// Serializes as a plain list of numbers.
    pub fn listed(&self) -> impl Serialize + '_ {
        Listed(self)
    }

    /// Length of the list.
    pub fn count(&self) -> usize {
        self.stored_runs().map(|(_, count)| count as usize).sum()
    }
}

impl Default for Runs {
    fn default() -> Runs {
        Runs::of([])
    }
}

fn merge_runs(runs: impl IntoIterator<Item = Run>) -> Vec<Run> {
    let mut joined: Vec<Run> = Vec::new();
    for (first, count) in runs {
        match joined.last_mut() {
            Some((last, length)) if *last + *length == first => *length += count,
            _ => joined.push((first, count)),
        }
    }
    joined
}

impl PartialEq for Runs {
    fn eq(&self, other: &Runs) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Runs {}

impl Serialize for Runs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().flat_map(|(first, count)| [first, count]))
    }
}

struct Listed<'r>(&'r Runs);

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.numbers())
    }
}

impl<'de> Deserialize<'de> for Runs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Runs, D::Error> {
        let numbers = Vec::<u32>::deserialize(deserializer)?;
        let (runs, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(D::Error::custom("expected pairs: the first number of each run, and its length"));
        }
        Ok(Runs::of(runs.iter().map(|[first, count]| (*first, *count))))
    }
}

/// Interns the stretches of [`Runs`].
#[derive(Debug, Default)]
pub struct Stretches(FxHashSet<Stretch>);

/// On average, one run in this many ends a stretch.
const RUNS: u32 = 32;

impl Stretches {
    /// The list with these runs, with interned stretches if it is long.
    pub fn store_runs(&mut self, runs: impl IntoIterator<Item = Run>) -> Runs {
        let runs = merge_runs(runs);
        if runs.len() <= RUNS as usize {
            return Runs(Stored::Own(runs.into()));
        }
        let stretches = runs.split_inclusive(ends_stretch).map(|stretch| self.share_stretch(stretch));
        Runs(Stored::Shared(stretches.collect()))
    }

    /// The list of these numbers, with interned stretches if it is long.
    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = u32>) -> Runs {
        self.store_runs(numbers.into_iter().map(|number| (number, 1)))
    }

    fn share_stretch(&mut self, runs: &[Run]) -> Stretch {
        if let Some(known) = self.0.get(runs) {
            return known.clone();
        }
        let new = Stretch::from(runs);
        self.0.insert(new.clone());
        new
    }
}

/// Content-defined chunking: returns true if a stretch ends with this run. Only the run's first number counts, so a local change of a list
/// leaves the other stretches unchanged.
fn ends_stretch((first, _): &Run) -> bool {
    const GOLDEN_RATIO: u32 = 0x9e37_79b9;
    first.wrapping_mul(GOLDEN_RATIO) < u32::MAX / RUNS
}
