//! Findings of `verify`: intervals of shares, and what they decide.

use ptc_eval::evaluate::verify::{Finding, Group};

fn group(requests: u32, right: u32) -> Group {
    Group { requests, runs: requests, right }
}

/// Values from a textbook table.
#[test]
fn intervals_are_those_of_wilson() {
    for (right, requests, low, high) in
        [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 100, 0.7222, 0.8749), (4, 4, 0.5101, 1.0)]
    {
        let (from, to) = group(requests, right).interval();
        assert!((from - low).abs() < 1e-4 && (to - high).abs() < 1e-4, "{right} of {requests}: {from} {to}");
    }
}

#[test]
fn repeated_runs_do_not_narrow_an_interval() {
    let repeated = Group { requests: 4, runs: 400, right: 200 };
    assert_eq!(repeated.interval(), group(4, 2).interval());
}

#[test]
fn intervals_that_are_apart_decide() {
    assert_eq!(Finding::of(group(4, 0), group(4, 4)), Finding::More);
    assert_eq!(Finding::of(group(4, 4), group(4, 0)), Finding::Less);
    assert_eq!(Finding::of(group(3, 0), group(3, 3)), Finding::Unknown(Some(1)));
    assert_eq!(Finding::of(group(0, 0), group(3, 3)), Finding::Unknown(None));
    assert_eq!(Finding::of(group(500, 0), group(500, 0)), Finding::Unknown(None));
}

#[test]
fn equal_shares_decide_once_there_are_many() {
    let Finding::Unknown(Some(more)) = Finding::of(group(10, 9), group(10, 9)) else {
        panic!("ten requests decide nothing")
    };
    let enough = group((10 + more) * 10, (10 + more) * 9);
    assert!(matches!(Finding::of(enough, enough), Finding::Alike(at_most) if at_most < 0.1));
    // Of the same share, one request less does not decide.
    let count = |requests: u32| Group { requests, runs: 10, right: 9 };
    assert!(matches!(Finding::of(count(10 + more), count(10 + more)), Finding::Alike(_)));
    assert_eq!(Finding::of(count(9 + more), count(9 + more)), Finding::Unknown(Some(1)));
}
