//! Golden files on disk: a thousand that are as they were, and a thousand that one edit of a template
//! changed: `cargo bench -p ptc-bench --bench snapshots`.

#![allow(clippy::expect_used)]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use ptc_eval::snapshot::cause::Change;
use ptc_eval::snapshot::store::{Store, Verdict};
use ptc_eval::snapshot::text::Snapshot;

const SNAPSHOTS: usize = 1_000;
const BYTES: usize = 4 << 10;

/// A request of four kilobytes, each with numbers of its own.
fn body(number: usize, heading: &str) -> String {
    let mut text = format!("=== turn 1 ===\n--- user ---\nFind order {number}.\n\n{heading}\n");
    for line in 0.. {
        if text.len() >= BYTES {
            break;
        }
        let _ = writeln!(
            text,
            "order-{number}-{line} = map[3]  ; sample: {{:id {line}, :total {}}}",
            number * line
        );
    }
    text + "\nTurns left: 4"
}

fn snapshots(heading: &str) -> Vec<Snapshot> {
    let one = |number: usize| Snapshot {
        key: format!("suite/scenario-{:03}/strategy-{}", number / 8, number % 8),
        source: format!("scenarios/suite/scenario-{:03}.yaml", number / 8),
        body: body(number, heading),
    };
    (0..SNAPSHOTS).map(one).collect()
}

fn accepted(folder: &std::path::Path) -> Store {
    let store = Store::new(folder);
    for snapshot in snapshots(";; === user/ (your prelude) ===") {
        store.accept(&snapshot).expect("the folder can be written");
    }
    store
}

fn changed(store: &Store, snapshots: &[Snapshot]) -> Vec<Change> {
    let change = |snapshot: &Snapshot| match store.compare(snapshot).expect("the file can be read") {
        Verdict::Changed(old) => Some(Change::new(snapshot.key.clone(), old, snapshot.body.clone())),
        Verdict::Same | Verdict::New => None,
    };
    snapshots.iter().filter_map(change).collect()
}

/// Writes the snapshots beside the accepted ones, and counts the lines that change.
fn pended(store: &Store, snapshots: &[Snapshot]) -> usize {
    for snapshot in snapshots {
        store.write_pending(snapshot).expect("the folder can be written");
    }
    changed(store, snapshots).iter().map(|change| change.signed_lines().lines().count()).sum()
}

fn forget(store: &Store, snapshots: &[Snapshot]) {
    snapshots
        .iter()
        .for_each(|snapshot| store.forget_pending(&snapshot.key).expect("the file can be removed"));
}

fn compare(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("there is room");
    let store = accepted(folder.path());
    let same = snapshots(";; === user/ (your prelude) ===");
    assert!(changed(&store, &same).is_empty());
    c.bench_function("1000 unchanged", |b| b.iter(|| changed(&store, black_box(&same)).len()));
    let flipped = snapshots(";; === user/ (your definitions) ===");
    assert_eq!(pended(&store, &flipped), 2 * SNAPSHOTS);
    c.bench_function("1000 changed", |b| b.iter(|| changed(&store, black_box(&flipped)).len()));
    let mut group = c.benchmark_group("written");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.bench_function("1000 changed, written", |b| {
        b.iter_batched(
            || forget(&store, &flipped),
            |()| pended(&store, black_box(&flipped)),
            criterion::BatchSize::PerIteration,
        );
    });
    group.bench_function("1000 changed, written again", |b| b.iter(|| pended(&store, black_box(&flipped))));
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
