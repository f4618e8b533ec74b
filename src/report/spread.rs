//! Median, 90th percentile and worst: what is said of many numbers, never a mean alone.

/// By nearest rank, so that each is one of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Spread<T> {
    pub median: T,
    pub p90: T,
    /// The largest.
    pub worst: T,
}

impl<T: Copy + PartialOrd> Spread<T> {
    /// None of no numbers.
    pub fn of(mut numbers: Vec<T>) -> Option<Spread<T>> {
        numbers.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
        let rank =
            |percent: usize| numbers.get((numbers.len() * percent).div_ceil(100).checked_sub(1)?).copied();
        Some(Spread { median: rank(50)?, p90: rank(90)?, worst: rank(100)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_numbers_of_the_list() {
        assert_eq!(Spread::of(Vec::<u32>::new()), None);
        assert_eq!(Spread::of(vec![7]), Some(Spread { median: 7, p90: 7, worst: 7 }));
        assert_eq!(Spread::of((1..=10).rev().collect()), Some(Spread { median: 5, p90: 9, worst: 10 }));
        assert_eq!(Spread::of(vec![0.5, 2.0, 1.0]), Some(Spread { median: 1.0, p90: 2.0, worst: 2.0 }));
    }
}
