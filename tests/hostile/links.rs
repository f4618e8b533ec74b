//! Functions that keep links out where commands look twice.

use std::fs;
use std::os::unix::fs::symlink;

use ptc_eval::snapshot::store::Store;

/// Runs list all snapshots first, and refuse links.
#[test]
fn no_snapshot_is_removed_through_a_link() {
    let place = tempfile::tempdir().unwrap();
    let (elsewhere, snapshots) = (place.path().join("elsewhere"), place.path().join("snapshots"));
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir(&snapshots).unwrap();
    let files = ["run.snap", "run.snap.new"].map(|name| elsewhere.join(name));
    for file in &files {
        fs::write(file, "").unwrap();
    }
    symlink(&elsewhere, snapshots.join("a")).unwrap();
    let store = Store::new(snapshots);
    assert!(store.remove("a/run").is_err());
    assert!(store.forget_pending("a/run").is_err());
    assert!(files.iter().all(|file| file.exists()));
}
