//! Work on several threads: its results come in order, and it ends with whoever takes them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use ptc_eval::evaluate::{Pool, in_order};

#[test]
fn results_come_in_the_order_of_the_items() {
    let pool = Pool::new(4).unwrap();
    let slow_first = |item: u64| {
        sleep(Duration::from_millis(if item.is_multiple_of(5) { 5 } else { 0 }));
        item * 2
    };
    let results = in_order(&pool, 0..100, slow_first, |results| results.collect::<Vec<_>>());
    assert_eq!(results, (0..100).map(|item| item * 2).collect::<Vec<_>>());
}

/// The items have no end: neither are they all begun, nor does the work go on.
#[test]
fn work_ends_once_nobody_takes_its_results() {
    let pool = Pool::new(2).unwrap();
    let (handed_out, begun) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let items = (0..).inspect(|_| {
        handed_out.fetch_add(1, Ordering::Relaxed);
    });
    let work = |item: usize| {
        begun.fetch_add(1, Ordering::Relaxed);
        if item == 3 { Err("broken") } else { Ok(item) }
    };
    let taken = in_order(&pool, items, work, |results| {
        let mut taken = Vec::new();
        for result in results {
            taken.push(result?);
        }
        Ok::<_, &str>(taken)
    });
    assert_eq!(taken, Err("broken"));
    assert!(handed_out.into_inner() < 100, "only a few items are in progress at a time");
    let at_the_end = begun.load(Ordering::Relaxed);
    sleep(Duration::from_millis(20));
    assert_eq!(begun.load(Ordering::Relaxed), at_the_end);
}

#[test]
#[should_panic(expected = "item 7")]
fn a_panic_of_the_work_reaches_its_caller() {
    let pool = Pool::new(2).unwrap();
    in_order(&pool, 0..100, |item| assert_ne!(item, 7, "item {item}"), |results| results.count());
}
