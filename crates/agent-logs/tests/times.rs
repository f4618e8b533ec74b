//! Times of messages.

use agent_logs::LogTime;

/// The same moment in several spellings, and times that are none.
#[test]
fn times_are_read_with_their_offsets() {
    let time = LogTime::parse("2024-02-29T23:59:59.5Z").unwrap();
    assert_eq!(time.to_string(), "2024-02-29T23:59:59.500Z");
    // The count of days is that of GNU date: date -d 2024-02-29 +%s, divided by 86,400.
    assert_eq!(time.day(), 19_782);
    for same in [
        "2024-03-01T01:59:59.500+02:00",
        "2024-03-01T01:59:59.500+0200",
        "2024-03-01 01:59:59.500+02",
        "2024-02-29T20:29:59.5-03:30",
        "2024-02-29T23:59:59.500000",
    ] {
        assert_eq!(LogTime::parse(same), Some(time), "{same}");
    }
    for none in [
        "2024-02-29T23:59:59+2",
        "2024-02-29T23:59:59+02:3",
        "2024-02-29T23:59:59+02:xx",
        "2024-02-29T24:00:00Z",
        "2024-13-01T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-02-29",
    ] {
        assert_eq!(LogTime::parse(none), None, "{none}");
    }
}
